"""Annotations of GitHub Actions."""

from __future__ import annotations

from mpsafe_lint.findings import Finding
from mpsafe_lint.reports.report import Report, severity

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report) -> str:
    """Return one workflow command a finding."""
    return "".join(f"{_command(report, finding)}\n" for finding in report.findings)


def _command(report: Report, finding: Finding) -> str:
    span = report.in_file(finding.span)
    where = f"file={_property(report.path(span.path))},line={span.line},endLine={span.end_line},col={span.column + 1}"
    if span.line == span.end_line:
        where += f",endColumn={span.end_column + 1}"
    level = _LEVELS[severity(finding.code)]
    text = _data(f"{report.place(finding.span)}: {finding.code} {finding.message}")
    return f"::{level} title={_property(f'mpsafe-lint ({finding.code})')},{where}::{text}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
