"""What `mpsafe-fix` says: what was repaired, and what needs a person."""

from __future__ import annotations

from dataclasses import replace

from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.repairs.rounds import Change, FixResult
from mpsafe_lint.reports import full
from mpsafe_lint.reports.closing import count
from mpsafe_lint.reports.concise import place
from mpsafe_lint.reports.diff import unified
from mpsafe_lint.reports.report import Report, rule_of


def diff(report: Report, result: FixResult) -> str:
    """Return the changes of all files as one patch."""
    return "".join(_changed(report, change) for change in result.changes)


def _changed(report: Report, change: Change) -> str:
    source = report.project.source(change.path)
    old, new = (source.with_text(text).contents for text in (change.old, change.new))
    return unified(report.path(change.path), old, new)


def repaired(report: Report, result: FixResult) -> str:
    """Return a line for each finding that was repaired: where it stood, what it was, and what was done."""
    return "".join(f"{_line(report, finding)}\n" for finding in result.applied)


def _line(report: Report, finding: Finding) -> str:
    done = finding.repair.summary if isinstance(finding.repair, Repair) else "repaired"
    return f"{place(report, finding)} {rule_of(finding).noun}: {done}"


def left(report: Report, result: FixResult) -> str:
    """Return what is left, each finding with the reason why, and with what a person can do."""
    text = full.render(replace(report, findings=result.remaining))
    return f"\nleft for a person:\n\n{text}" if text else ""


def summary(result: FixResult, verb: str) -> str:
    """Return the closing line."""
    where = f" in {count(len(result.changes), 'file')}" if result.changes else ""
    return f"{verb} {count(len(result.applied), 'finding')}{where}; {len(result.remaining)} left"
