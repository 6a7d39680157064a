"""SARIF 2.1.0: the chain as a code flow, the repair as a fix, the rules with their help."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.parse import quote

from mpsafe_lint import __version__
from mpsafe_lint.files.notebooks import SUFFIX
from mpsafe_lint.findings import Edit, Finding, Repair, Span
from mpsafe_lint.knowledge.rules import all_codes
from mpsafe_lint.reports.explain import page
from mpsafe_lint.reports.report import Report, advice, chain_text, identity, receiver, severity, when

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(report: Report) -> str:
    """Return the log as JSON."""
    codes = sorted({finding.code for finding in report.findings})
    run = {
        "tool": {"driver": {"name": "mpsafe-lint", "version": __version__, "rules": [_rule(code) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"uri": report.folder.as_uri() + "/"}},
        "results": [_result(report, finding, codes.index(finding.code)) for finding in report.findings],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    rule = all_codes()[code]
    return {
        "id": code,
        "name": rule.kind,
        "shortDescription": {"text": rule.noun},
        "help": {"text": rule.advice, "markdown": page(code)},
        "defaultConfiguration": {"level": severity(code), "enabled": rule.default},
    }


def _result(report: Report, finding: Finding, index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": severity(finding.code),
        "message": {"text": finding.message},
        "locations": [_location(report, finding.span)],
        "partialFingerprints": {"mpsafe/v1": identity(finding)},
    }
    if finding.crossing:
        result["codeFlows"] = [{"threadFlows": [{"locations": _flow(report, finding)}]}]
    if finding.also:
        result["relatedLocations"] = [
            _location(report, crossing.span, f"also sent to {receiver(crossing)} as {crossing.sent}")
            for crossing in finding.also
        ]
    if isinstance(finding.repair, Repair) and _can_be_told(finding.repair):
        result["fixes"] = [_fix(report, finding.repair)]
    else:
        result["properties"] = {"advice": advice(finding)}
    return result


def _can_be_told(repair: Repair) -> bool:
    """Tell whether a repair's edits are those of a file as it is on disk: a notebook's are of its cells."""
    return bool(repair.edits) and not any(edit.span.path.endswith(SUFFIX) for edit in repair.edits)


def _flow(report: Report, finding: Finding) -> list[dict[str, Any]]:
    crossing = finding.crossing
    assert crossing is not None
    places = [(crossing.span, f"{crossing.sent} is sent to {receiver(crossing)}, {when(crossing.methods)}")]
    for depth, step in enumerate(finding.chain):
        if step.span:
            places.append((step.span, chain_text(crossing, finding.chain[: depth + 1])))
    places.append((finding.span, finding.message))
    return [{"location": _location(report, span, text)} for span, text in places]


def _fix(report: Report, repair: Repair) -> dict[str, Any]:
    by_path: dict[str, list[Edit]] = {}
    for edit in repair.edits:
        by_path.setdefault(edit.span.path, []).append(edit)
    changes = [
        {
            "artifactLocation": _artifact(report, path),
            "replacements": [
                {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}} for edit in edits
            ],
        }
        for path, edits in by_path.items()
    ]
    caution = f" (unsafe: {repair.caution or 'it may change what the program does'})"
    return {
        "description": {"text": repair.summary + (caution if repair.applicability != "safe" else "")},
        "artifactChanges": changes,
    }


def _location(report: Report, span: Span, text: str = "") -> dict[str, Any]:
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(report, span.path), "region": _region(report.in_file(span))}
    }
    return location | ({"message": {"text": text}} if text else {})


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column + 1,
        "endLine": span.end_line,
        "endColumn": span.end_column + 1,
    }


def _artifact(report: Report, path: str) -> dict[str, str]:
    shown = report.path(path)
    uri = quote(os.fsencode(shown))
    if os.path.isabs(shown):
        return {"uri": "file://" + uri if uri.startswith("/") else "file:///" + uri}
    return {"uri": uri, "uriBaseId": "SRCROOT"}
