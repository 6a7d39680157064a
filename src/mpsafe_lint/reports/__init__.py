"""Reports: one module a format, each with `render(report) -> str`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mpsafe_lint.reports.report import Report

FORMATS = {
    "full": "mpsafe_lint.reports.full",
    "concise": "mpsafe_lint.reports.concise",
    "json": "mpsafe_lint.reports.json",
    "github": "mpsafe_lint.reports.github",
    "gitlab": "mpsafe_lint.reports.gitlab",
    "junit": "mpsafe_lint.reports.junit",
    "sarif": "mpsafe_lint.reports.sarif",
    "html": "mpsafe_lint.reports.html",
}


def render(name: str, report: Report) -> str:
    """Return a report in the format of that name, with its final line end; empty where there is nothing to say."""
    from importlib import import_module

    text = import_module(FORMATS[name]).render(report)
    assert isinstance(text, str)
    return text
