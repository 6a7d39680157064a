"""The closing lines: what was found, what can be repaired, and what nobody should take for health."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mpsafe_lint.analysis import Analysis
from mpsafe_lint.findings import Repair
from mpsafe_lint.reports.report import Report
from mpsafe_lint.suppress.baseline import Entry

NAMES = 5
"""Unresolved names and stale entries that are shown at most."""


def closing_lines(report: Report, analysis: Analysis, stale: Sequence[Entry], since: str = "") -> Iterator[str]:
    """Yield them in order. `since` is the revision after which what is shown has come."""
    found = count(len(report.findings), "finding") + (f", new since {since}," if since else "")
    yield f"{found} in {count(analysis.files, 'file')}{_repairable(report)}"
    if stale:
        names = [f"{entry.code} in {entry.path}" for entry in stale]
        occur = "occurs" if len(names) == 1 else "occur"
        yield f"note: {count(len(names), 'entry', 'entries')} of the baseline no longer {occur}: {_some(names)}"
    if analysis.unresolved:
        ordered = sorted(analysis.unresolved.items(), key=lambda item: (-item[1], item[0]))
        names = [f"{name} ({times})" for name, times in ordered]
        unresolved = count(len(names), "name")
        yield f"note: {unresolved} could not be resolved in {report.project.environment}: {_some(names)}"


def closing_line(report: Report, reports: int) -> str:
    """Return the one of a report that others were joined to."""
    return f"{count(len(report.findings), 'finding')} in {count(reports, 'report')}{_repairable(report)}"


def _repairable(report: Report) -> str:
    now = sum(1 for finding in report.findings if report.repair(finding))
    ever = sum(1 for finding in report.findings if isinstance(finding.repair, Repair))
    said = [f"{now} can be repaired with --fix [*]"] if now else []
    said += [f"{ever - now} more with --unsafe-fixes"] if ever > now else []
    return f"; {', '.join(said)}" if said else ""


def _some(names: list[str]) -> str:
    return ", ".join(names[:NAMES]) + (", …" if len(names) > NAMES else "")


def count(number: int, noun: str, plural: str = "") -> str:
    """Return `1 finding`, `2 findings`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
