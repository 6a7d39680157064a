"""What was read: a verdict on each finding, and on each of the drawn calls."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.packages import HERE
from corpus.running import Run

TRUE, FALSE, DEPENDS = "true", "false", "depends"
FAILS, OK = "fails", "ok"
CALLS = ("judged.csv", "judged_more.csv")
"""A hundred calls of all packages, and sixty of those by which something may be sent, of some of the packages."""


@dataclass(frozen=True, order=True)
class Verdict:
    """What a reader says of a finding."""

    package: str
    path: str
    line: int
    code: str
    verdict: str
    """Whether it would happen: true, false, or up to what a caller gives."""
    reason: str

    @property
    def place(self) -> tuple[str, str, int, str]:
        return self.package, self.path, self.line, self.code


@dataclass(frozen=True)
class Judged:
    """What a reader says of a call, before the linter has run: whether it works with workers that are spawned."""

    package: str
    path: str
    line: int
    called: str
    verdict: str
    kind: str
    culprit: str
    """Where the value comes from that fails: path and line."""
    reason: str


def snapshot() -> list[Verdict]:
    """Return the reviewed findings."""
    rows = _rows(HERE / "snapshot.csv")
    return [Verdict(**{**row, "line": int(row["line"])}) for row in rows]  # type: ignore[arg-type]


def judged(name: str) -> list[Judged]:
    """Return the judged calls of a file."""
    return [Judged(**{**row, "line": int(row["line"])}) for row in _rows(HERE / name)]  # type: ignore[arg-type]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


# -- against a run ------------------------------------------------------------------------------------------------


def changes(runs: Sequence[Run], reviewed: Sequence[Verdict]) -> list[str]:
    """Return what the runs find and nobody has read, and what was read and isn't found any more."""
    names = {run.package for run in runs if run.ended}
    known = Counter(one.place for one in reviewed if one.package in names)
    found = Counter(
        (run.package, finding["path"], finding["line"], finding["code"]) for run in runs for finding in run.findings
    )
    return [f"new   {_line(place)}" for place in sorted((found - known).elements())] + [
        f"gone  {_line(place)}" for place in sorted((known - found).elements())
    ]


def _line(place: tuple[str, str, int, str]) -> str:
    package, path, line, code = place
    return f"{package} {path}:{line} {code}"


def failing(runs: Sequence[Run], name: str) -> list[Judged]:
    """Return the judged calls that fail, of the packages that were run."""
    names = {run.package for run in runs}
    return [one for one in judged(name) if one.verdict == FAILS and one.package in names]


def missed(runs: Sequence[Run], calls: Sequence[Judged]) -> list[Judged]:
    """Return those of the calls for which no finding stands at the culprit or at the call."""
    places = {(run.package, f"{one['path']}:{one['line']}") for run in runs for one in run.findings}
    return [one for one in calls if not {(one.package, one.culprit), (one.package, f"{one.path}:{one.line}")} & places]


def table(runs: Sequence[Run], reviewed: Sequence[Verdict]) -> Iterator[str]:
    """Return the table by package, in Markdown."""
    yield "| Package | Files | Findings | True | False | Depends | Unresolved names | CPU | Memory |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    whole: Counter[str] = Counter()
    for run in runs:
        counted = Counter(one.verdict for one in reviewed if one.package == run.package)
        codes = Counter(finding["code"] for finding in run.findings)
        rules = ", ".join(f"{code} {count}" if count > 1 else code for code, count in sorted(codes.items()))
        cost = f"{run.seconds:.0f} s | {run.megabytes} MB" if run.ended else f"stopped at {run.seconds:.0f} s | "
        verdicts = " | ".join(str(counted[verdict] or "") for verdict in (TRUE, FALSE, DEPENDS))
        yield f"| {run.package} {run.version} | {run.files:,} | {rules} | {verdicts} | {run.unresolved} | {cost} |"
        whole.update(counted)
        whole.update(files=run.files, seconds=round(run.seconds), findings=len(run.findings))
    verdicts = " | ".join(str(whole[verdict]) for verdict in (TRUE, FALSE, DEPENDS))
    yield f"| **{len(runs)}** | {whole['files']:,} | {whole['findings']} | {verdicts} | | {whole['seconds']:,} s | |"
