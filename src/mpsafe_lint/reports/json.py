"""A JSON list of objects. Lines and columns count from 1, in a notebook in the `cell`; ends are exclusive."""

from __future__ import annotations

import json
from typing import Any

from mpsafe_lint.findings import Crossing, Finding, Repair, Span
from mpsafe_lint.reports.report import Report, serializer


def render(report: Report) -> str:
    """Return the list as text."""
    return json.dumps(as_list(report), indent=2) + "\n"


def as_list(report: Report) -> list[dict[str, Any]]:
    """Return the findings as objects of JSON."""
    return [finding_as_json(report, finding) for finding in report.findings]


def finding_as_json(report: Report, finding: Finding) -> dict[str, Any]:
    """Return a finding as an object of JSON."""
    return {
        **range_of(report, finding.span),
        "code": finding.code,
        "kind": finding.kind,
        "boundary": finding.boundary,
        "message": finding.message,
        "errors": [{"python": error.python, "text": error.text} for error in finding.errors],
        "start_methods": list(finding.methods),
        "serializer": serializer(finding.serializer),
        "outcome": finding.outcome,
        "crossing": crossing_as_json(report, finding.crossing) if finding.crossing else None,
        "chain": [{**_place(report, step.span), "text": step.text} for step in finding.chain],
        "also": [crossing_as_json(report, crossing) for crossing in finding.also],
        "fix": _fix(report, finding),
        "fingerprint": finding.fingerprint,
    }


def range_of(report: Report, span: Span) -> dict[str, Any]:
    """Return a range of source as keys of an object."""
    _, end_line = report.line_in_cell(span.path, span.end_line)
    return {**_place(report, span), "end_line": end_line, "end_column": span.end_column + 1}


def _place(report: Report, span: Span | None) -> dict[str, Any]:
    if span is None:
        return {"path": None, "line": None, "column": None}
    cell, line = report.line_in_cell(span.path, span.line)
    where = {"line": line, "column": span.column + 1}
    return {"path": report.path(span.path), **({"cell": cell} if cell else {}), **where}


def crossing_as_json(report: Report, crossing: Crossing) -> dict[str, Any]:
    """Return a place where something is sent as an object of JSON."""
    return {
        **_place(report, crossing.span),
        "text": crossing.sent,
        "boundary": crossing.boundary,
        "serializer": serializer(crossing.serializer),
        "start_methods": list(crossing.methods),
        "outcome": crossing.outcome,
    }


def _fix(report: Report, finding: Finding) -> dict[str, Any] | None:
    repair = finding.repair
    if not isinstance(repair, Repair):
        return None
    return {
        "name": repair.name,
        "applicability": repair.applicability,
        "summary": repair.summary,
        "caution": repair.caution,
        "edits": [{**range_of(report, edit.span), "text": edit.text} for edit in repair.edits],
    }
