"""A GitLab code quality report."""

from __future__ import annotations

import json

from mpsafe_lint.reports.report import Report, identity, severity

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def render(report: Report) -> str:
    """Return the report as JSON."""
    issues = [
        {
            "check_name": finding.code,
            "description": f"{finding.code} {finding.message}",
            "fingerprint": identity(finding),
            "severity": _SEVERITIES[severity(finding.code)],
            "location": {
                "path": report.path(finding.span.path),
                "lines": {"begin": span.line, "end": span.end_line},
            },
        }
        for finding, span in ((finding, report.in_file(finding.span)) for finding in report.findings)
    ]
    return json.dumps(issues, indent=2) + "\n"
