"""One line a finding."""

from __future__ import annotations

from mpsafe_lint.findings import Finding
from mpsafe_lint.reports.colors import paint
from mpsafe_lint.reports.report import Report


def render(report: Report) -> str:
    """Return `path:line:column: code message`, one line a finding."""
    return "".join(f"{headline(report, finding)}\n" for finding in report.findings)


def headline(report: Report, finding: Finding) -> str:
    """Return the line that names place, code and message."""
    return f"{place(report, finding)} {paint(report.mark(finding), 'cyan', report.color)}{finding.message}"


def place(report: Report, finding: Finding) -> str:
    """Return `path:line:column: code`."""
    path, where = report.path(finding.span.path), report.place(finding.span)
    code = paint(finding.code, "red", report.color)
    return f"{paint(path, 'bold', report.color)}{where[len(path) :]}: {code}"
