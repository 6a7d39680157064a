"""Which findings are shown: selected, not ignored for their file, not silenced, not in the baseline, and given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mpsafe_lint.config import Reporting
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import SourceError
from mpsafe_lint.findings import Finding, Span
from mpsafe_lint.knowledge.rules import code_of
from mpsafe_lint.suppress.baseline import Entry, subtract
from mpsafe_lint.suppress.noqa import Noqa, unused


@dataclass(frozen=True, slots=True)
class Shown:
    """What is left to show.

    `wanted` are the findings of the whole project that nothing but the baseline silences: what a new one would hold.
    `findings` are those of them that are new and given. `stale` are the entries of the baseline that no longer occur.
    """

    findings: tuple[Finding, ...]
    wanted: tuple[Finding, ...]
    stale: tuple[Entry, ...] = ()


def show(
    findings: Iterable[Finding],
    project: Project,
    reporting: Reporting,
    *,
    baseline: Sequence[Entry] = (),
    earlier: Sequence[Entry] = (),
    noqa: bool = True,
) -> Shown:
    """Choose among the findings of an analysis. With `noqa=False`, comments are left to somebody else.

    What is `earlier` is left out like what is in the baseline, and isn't missed where it no longer occurs.
    """
    chosen = [finding for finding in findings if _is_selected(finding.code, finding.span.path, reporting)]
    if noqa:
        chosen = _without_silenced(chosen, project, reporting)
    known = [entry for entry in baseline if _is_selected(entry.code, entry.path, reporting)]
    new, stale = subtract(chosen, known)
    new, _ = subtract(new, earlier)
    return Shown(tuple(f for f in new if is_given(f, project)), tuple(chosen), tuple(stale))


def is_given(finding: Finding, project: Project) -> bool:
    """Whether a finding's place, or any step of a chain to it, lies in a file that the user named."""
    places = [finding.span, *(step.span for step in finding.chain)]
    places += [crossing.span for crossing in (finding.crossing, *finding.also) if crossing]
    return any(place.path in project.given for place in places if place)


def _is_selected(code: str, path: str, reporting: Reporting) -> bool:
    if code == code_of("no-main-guard") and path.endswith(".ipynb"):
        return False  # nobody imports a notebook: workers don't run it again
    return reporting.of(path).selects(code) and not reporting.ignores(path, code)


def _without_silenced(findings: list[Finding], project: Project, reporting: Reporting) -> list[Finding]:
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.span.path, []).append(finding)
    wants_unused = [path for path in project.given if _is_selected(code_of("unused-noqa"), path, reporting)]
    kept = []
    for path in sorted({*by_path, *wants_unused}):
        here = by_path.get(path, [])
        noqa = _noqa_of(path, project)
        if noqa and path in wants_unused:
            here = here + [_unused_noqa(code, span) for code, span in unused(noqa, here)]
        kept += [finding for finding in here if not (noqa and noqa.suppresses(finding))]
    return sorted(kept, key=lambda finding: (finding.span, finding.code))


def _noqa_of(path: str, project: Project) -> Noqa | None:
    try:
        return Noqa(project.source(path))
    except SourceError:
        return None  # a file that can't be read has no comments


def _unused_noqa(code: str, span: Span) -> Finding:
    return Finding(code_of("unused-noqa"), "unused-noqa", span, f"unused noqa: nothing here is reported as {code}")
