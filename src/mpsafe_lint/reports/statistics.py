"""How often each rule was broken."""

from __future__ import annotations

import json
from collections import Counter

from mpsafe_lint.knowledge.rules import all_codes
from mpsafe_lint.reports.report import Report


def render(report: Report, as_json: bool = False) -> str:
    """Return a line for each code, the most frequent first; `[*]` where some of it would be repaired."""
    counts = Counter(finding.code for finding in report.findings)
    repaired = Counter(finding.code for finding in report.findings if report.repair(finding))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if as_json:
        rows = [
            {"code": code, "kind": all_codes()[code].kind, "count": count, "fixable": repaired[code]}
            for code, count in ordered
        ]
        return json.dumps(rows, indent=2) + "\n"
    width = max((len(str(count)) for count in counts.values()), default=0)
    return "".join(
        f"{count:{width}}  {code}  [{'*' if repaired[code] else ' '}]  {all_codes()[code].kind}\n"
        for code, count in ordered
    )
