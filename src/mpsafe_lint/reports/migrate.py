"""What changes when Python 3.14 starts processes by forkserver: which crossings worked under fork, and will not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mpsafe_lint.analysis import Analysis
from mpsafe_lint.config import Config
from mpsafe_lint.findings import Crossing, Finding, Span
from mpsafe_lint.knowledge.types import covers
from mpsafe_lint.pickling.opinion import Verdict
from mpsafe_lint.reports import full
from mpsafe_lint.reports.closing import count
from mpsafe_lint.reports.json import crossing_as_json, finding_as_json
from mpsafe_lint.reports.report import Report, receiver

VERSION = "3.14"
BEFORE, AFTER = (3, 13), (3, 14)

Key = tuple[Span, str, str]


@dataclass(frozen=True, slots=True)
class Migration:
    """What a migration meets. `new` are the findings that worked under fork, `old` those that fail there as well.

    The others count or name places. `breaking` and `failing` are those that have a finding. Of the rest those are
    `safe` where the move changes nothing, since what is sent was pickled before, and those of which some run of the
    program knows all that is sent, and that it pickles; the others are `unknown`. Every function is also run by itself,
    with parameters of which nothing is known: that alone makes no place unknown.
    """

    new: tuple[Finding, ...]
    old: tuple[Finding, ...]
    safe: int
    unknown: tuple[Crossing, ...]
    breaking: int
    failing: int


def settings(config: Config) -> Config:
    """Return the configuration under which a project is to be analysed: before and after."""
    return replace(config, target_version=(BEFORE, AFTER), start_method=("fork", "forkserver"))


def migration(analysis: Analysis, findings: Iterable[Finding], given: frozenset[str]) -> Migration:
    """Look at the analysis under `settings`. `findings` are those that are to be shown."""
    after = [finding for finding in findings if finding.methods and _fails(finding, AFTER)]
    new = tuple(_as_printed(finding) for finding in after if not _fails_before(finding))
    old = tuple(_as_printed(finding) for finding in after if _fails_before(finding) and finding.crossing)
    failing = {_key(crossing) for finding in old for crossing in _crossings(finding)}
    breaking = {_key(crossing) for finding in new for crossing in _crossings(finding)} - failing
    verdicts: dict[Key, set[Verdict]] = {}
    places: dict[Key, Crossing] = {}
    for crossing, opinion in analysis.opinions:
        if crossing.span.path in given:
            places.setdefault(_key(crossing), crossing)
            verdict = opinion.verdict(AFTER)
            stays = verdict is Verdict.UNKNOWN and _is_pickled_before(crossing.methods)
            verdicts.setdefault(_key(crossing), set()).add(Verdict.PICKLABLE if stays else verdict)
    others = [one for one in verdicts if one not in breaking | failing and Verdict.REFUSED not in verdicts[one]]
    unknown = tuple(places[key] for key in sorted(others) if Verdict.PICKLABLE not in verdicts[key])
    return Migration(new, old, len(others) - len(unknown), unknown, len(breaking), len(failing))


def render(report: Report, found: Migration) -> str:
    """Return the report for people."""
    return "".join(f"{line}\n" for line in _lines(report, found))


def as_json(report: Report, found: Migration) -> str:
    """Return the report as a JSON object."""
    crossings = {
        "safe": found.safe,
        "unknown": len(found.unknown),
        "breaking": found.breaking,
        "failing": found.failing,
        "total": _total(found),
    }
    document = {
        "python": VERSION,
        "crossings": crossings,
        "breaking": [finding_as_json(report, finding) for finding in found.new],
        "failing": [finding_as_json(report, finding) for finding in found.old],
        "unknown": [crossing_as_json(report, crossing) for crossing in found.unknown],
    }
    return json.dumps(document, indent=2) + "\n"


def _lines(report: Report, found: Migration) -> Iterator[str]:
    total = _total(found)
    yield f"Python {VERSION} starts processes by forkserver on Linux; until 3.13 it was fork."
    yield ""
    yield f"{count(total, 'place')} where something is sent to another process:"
    width = len(str(total))
    for number, what in (
        (found.breaking, "worked under fork, and will fail"),
        (found.failing, "fail under fork as well"),
        (found.safe, "safe: pickled before as well, or what is seen to be sent can be pickled"),
        (len(found.unknown), "pickled from now on, not wholly known, and nothing is known against them"),
    ):
        yield f"  {number:{width}}  {what}"
    if found.unknown:
        yield ""
        yield "not wholly known, for a person to look at:"
        yield ""
        yield from (f"  {report.place(one.span)}: {one.sent}, sent to {receiver(one)}" for one in found.unknown)
    for findings, title in ((found.new, "works under fork, and will fail"), (found.old, "fails under fork as well")):
        if findings:
            yield ""
            yield f"{title}: {count(len(findings), 'finding')}{_repairable(report, findings)}"
            yield ""
            yield full.render(replace(report, findings=findings)).rstrip("\n")


def _total(found: Migration) -> int:
    return found.safe + len(found.unknown) + found.breaking + found.failing


def _repairable(report: Report, findings: Sequence[Finding]) -> str:
    number = sum(1 for finding in findings if report.repair(finding))
    return f", {number} repaired by mpsafe-fix [*]" if number else ""


def _fails(finding: Finding, version: tuple[int, int]) -> bool:
    return not finding.errors or any(covers(error.python, version) for error in finding.errors)


def _fails_before(finding: Finding) -> bool:
    return _is_pickled_before(finding.methods) and _fails(finding, BEFORE)


def _is_pickled_before(methods: Sequence[str]) -> bool:
    """Tell whether something is pickled under fork as well, or by a method that the program asks for itself."""
    return "fork" in methods or "forkserver" not in methods


def _as_printed(finding: Finding) -> Finding:
    """Quote what Python prints after the migration."""
    texts = [error for error in finding.errors if covers(error.python, AFTER)]
    message = finding.message
    for error in finding.errors:
        if texts and f"({error.text})" in message:
            message = message.replace(f"({error.text})", f"({texts[0].text})")
            break
    return replace(finding, message=message, errors=tuple(texts))


def _crossings(finding: Finding) -> list[Crossing]:
    return [crossing for crossing in (finding.crossing, *finding.also) if crossing is not None]


def _key(crossing: Crossing) -> Key:
    return crossing.span, crossing.boundary, crossing.sent
