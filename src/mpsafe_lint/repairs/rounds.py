"""Repairs a project in rounds: analyse, edit, look whether it helped, until nothing is left that can be repaired."""

from __future__ import annotations

import ast
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mpsafe_lint.check import Analysis, check
from mpsafe_lint.config import Config, Reporting
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import SourceError
from mpsafe_lint.files.writing import write_source
from mpsafe_lint.findings import Finding, NotRepaired, Repair
from mpsafe_lint.repairs import plan
from mpsafe_lint.repairs.edits import Patch, Places, apply, moved, written

ROUNDS = 20
"""After so many rounds what is left is left: repairs that call for ever new ones are at fault."""

Choose = Callable[[Sequence[Finding], Project], Iterable[Finding]]
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A file of the project that is repaired, before and after."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be repaired, and why, in one line."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class FixResult:
    """What was repaired, and what is left.

    `applied` are the findings that are gone, each with the repair that was made. `remaining` are those that are to be
    shown and are still there, each with the repair that was not made, or with the reason why there is none.
    `analysis` and `project` are those after the last round.
    """

    changes: tuple[Change, ...]
    applied: tuple[Finding, ...]
    remaining: tuple[Finding, ...]
    failures: tuple[Failure, ...]
    analysis: Analysis
    project: Project


@dataclass(frozen=True, slots=True)
class _Made:
    """A repair that was made in a round. `regions` are what it wrote, as offsets in the texts after the round."""

    finding: Finding
    key: Key
    paths: frozenset[str]
    regions: tuple[tuple[str, int, int], ...]


@dataclass(eq=False)
class _State:
    """The project with some texts replaced, and what the analysis says of it."""

    project: Project
    analysis: Analysis
    chosen: tuple[Finding, ...]


def fix(project: Project, config: Config, *, reporting: Reporting, choose: Choose, write: bool) -> FixResult:
    """Repair what `choose` picks of the findings and the configuration of its file allows, in the files that are given.

    With `write` the files are changed on disk; a text of the project's overlay never is. Nothing is raised for a file
    that can't be written: it is left as it was, and is among the failures.
    """
    return _Rounds(project, config, reporting, choose).run(write)


@dataclass(eq=False)
class _Rounds:
    project: Project
    config: Config
    reporting: Reporting
    choose: Choose
    refused: dict[Key, NotRepaired] = field(default_factory=dict)

    def run(self, write: bool) -> FixResult:
        texts: dict[str, str] = {}
        state = self._analyse(texts)
        made: list[_Made] = []
        for _ in range(ROUNDS):
            batch, edited = self._repair(state, texts)
            if not batch:
                break
            after = self._analyse(edited)
            useless = self._useless(state, after, batch)
            if useless:
                spoilt = _together(batch, useless)
                edited = {path: text for path, text in edited.items() if path not in spoilt}
                edited |= {path: texts[path] for path in spoilt & texts.keys()}
                batch = [one for one in batch if not one.paths & spoilt]
                after = self._analyse(edited) if batch else state
            made += batch
            texts, state = edited, after
        failures = self._write(texts) if write else ()
        return self._result(texts, state, made, failures)

    # --- one round

    def _analyse(self, texts: dict[str, str]) -> _State:
        project = self.project.overlaid(texts) if texts else self.project
        analysis = check(project, self.config)
        return _State(project, analysis, tuple(self.choose(analysis.findings, project)))

    def _repair(self, state: _State, texts: dict[str, str]) -> tuple[list[_Made], dict[str, str]]:
        """Make the repairs that the findings allow, one after the other; return them, and the texts after."""
        batch: list[_Made] = []
        texts = dict(texts)
        waiting = sorted(state.chosen, key=lambda finding: finding.span)
        project = state.project
        pending = [(finding, _key(state.project, finding), finding) for finding in waiting]
        while pending:
            finding, key, before = pending.pop(0)
            if key in self.refused or not self.reporting.of(finding.span.path).repairs(finding.code):
                continue
            repair = plan(finding, project)
            if not isinstance(repair, Repair) or not self._allowed(finding, repair):
                continue
            patches = self._patches(project, repair)
            new = {path: apply(project.source(path).text, those) for path, those in patches.items()}
            if problem := _broken(new, project):
                self.refused[key] = problem
                continue
            pending = [
                (shifted, other_key, other)
                for one, other_key, other in pending
                if (shifted := _shifted(one, project, patches))
            ]
            batch = [_with_regions_moved(one, patches) for one in batch]
            regions = tuple((path, *bounds) for path, those in patches.items() for bounds in written(those))
            batch.append(_Made(replace(before, repair=repair), key, frozenset(patches), regions))
            texts |= new
            project = self.project.overlaid(texts)
        return batch, texts

    def _allowed(self, finding: Finding, repair: Repair) -> bool:
        unsafe = self.reporting.of(finding.span.path).unsafe_fixes
        return (repair.applicability == "safe" or unsafe) and self._given(repair)

    def _given(self, repair: Repair) -> bool:
        return all(edit.span.path in self.project.given for edit in repair.edits)

    @staticmethod
    def _patches(project: Project, repair: Repair) -> dict[str, list[Patch]]:
        paths = sorted({edit.span.path for edit in repair.edits})
        return {
            path: Places(project.source(path).text).patches(edit for edit in repair.edits if edit.span.path == path)
            for path in paths
        }

    def _useless(self, before: _State, after: _State, batch: Sequence[_Made]) -> list[_Made]:
        """Return the repairs after which their finding is still there, or a new one stands in their place."""
        old = Counter(_key(before.project, finding) for finding in before.analysis.findings)
        new = Counter(_key(after.project, finding) for finding in after.analysis.findings)
        made = Counter(one.key for one in batch)
        useless: list[_Made] = []
        for one in batch:
            if new[one.key] > old[one.key] - made[one.key]:
                self.refused[one.key] = NotRepaired(
                    "its repair was tried and did not help", "look where else the value comes from"
                )
                useless.append(one)
            elif fresh := self._brought(after, one, old):
                self.refused[one.key] = NotRepaired(
                    f"its repair was tried and brings another finding ({fresh.kind})", fresh.message
                )
                useless.append(one)
        return useless

    @staticmethod
    def _brought(after: _State, one: _Made, old: Counter[Key]) -> Finding | None:
        """Return a finding that was not there before and that begins in what a repair wrote."""
        for finding in after.analysis.findings:
            if finding.span.path not in one.paths or _key(after.project, finding) in old:
                continue
            start, _ = Places(after.project.source(finding.span.path).text).bounds(finding.span)
            if any(path == finding.span.path and first <= start < last for path, first, last in one.regions):
                return finding
        return None

    # --- the end

    def _write(self, texts: dict[str, str]) -> tuple[Failure, ...]:
        failures = []
        root = Path(os.path.realpath(self.project.root))
        for path, text in sorted(texts.items()):
            source = self.project.source(path)
            if path in self.project.overlay or source.text == text:
                continue
            file = self.project.root / path
            if not Path(os.path.realpath(file)).is_relative_to(root):
                failures.append(Failure(path, "is a link that leads out of the project; left alone"))
                continue
            try:
                write_source(file, source, text)
            except SourceError as error:
                failures.append(Failure(path, str(error)))
        return tuple(failures)

    def _result(
        self, texts: dict[str, str], state: _State, made: Sequence[_Made], failures: tuple[Failure, ...]
    ) -> FixResult:
        failed = {failure.path: failure.reason for failure in failures}
        if failed:
            texts = {path: text for path, text in texts.items() if path not in failed}
            state = self._analyse(texts)
        changes = tuple(
            Change(path, self.project.source(path).text, text)
            for path, text in sorted(texts.items())
            if text != self.project.source(path).text
        )
        for one in made:
            for path in sorted(one.paths & failed.keys())[:1]:
                reason = f"{path} {failed[path]}"
                self.refused[one.key] = NotRepaired(reason, "repair it when the file can be written")
        applied = tuple(one.finding for one in made if not one.paths & failed.keys())
        remaining = tuple(replace(finding, repair=self._left(state.project, finding)) for finding in state.chosen)
        return FixResult(changes, applied, remaining, failures, state.analysis, state.project)

    def _left(self, project: Project, finding: Finding) -> Repair | NotRepaired:
        """Say why a finding is left."""
        if reason := self.refused.get(_key(project, finding)):
            return reason
        repair = plan(finding, project)
        if isinstance(repair, Repair) and not self._given(repair):
            path = next(edit.span.path for edit in repair.edits if edit.span.path not in self.project.given)
            return NotRepaired(f"{path} was not named", f"name {path} as well")
        return repair


def _key(project: Project, finding: Finding) -> Key:
    """Return by what a finding is known again after a round: its code, and the source that it stands on."""
    try:
        text = project.source(finding.span.path).text
    except SourceError:
        return finding.span.path, finding.code, ""  # the finding says that the file can't be read
    start, end = Places(text).bounds(finding.span)
    return finding.span.path, finding.code, " ".join(text[start:end].split())


def _broken(new: dict[str, str], project: Project) -> NotRepaired | None:
    """Say what is wrong with the texts that a repair makes, if anything is."""
    for path, text in new.items():
        if text == project.source(path).text:
            return NotRepaired("its repair changes nothing", "repair it by hand")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return NotRepaired("the repaired file would not parse", "repair it by hand")
    return None


def _shifted(finding: Finding, project: Project, patches: dict[str, list[Patch]]) -> Finding | None:
    """Return a finding where it is after the patches; None where they change the very text that it stands on."""
    span = finding.span
    crossing = finding.crossing
    if span.path in patches:
        places = Places(project.source(span.path).text)
        bounds = moved(patches[span.path], *places.bounds(span))
        if bounds is None:
            return None
        after = Places(apply(places.text, patches[span.path]))
        finding = replace(finding, span=after.span(span.path, *bounds))
    if crossing and crossing.span.path in patches:
        places = Places(project.source(crossing.span.path).text)
        bounds = moved(patches[crossing.span.path], *places.bounds(crossing.span))
        if bounds is None:
            return None
        after = Places(apply(places.text, patches[crossing.span.path]))
        finding = replace(finding, crossing=replace(crossing, span=after.span(crossing.span.path, *bounds)))
    return finding


def _with_regions_moved(one: _Made, patches: dict[str, list[Patch]]) -> _Made:
    regions = []
    for path, start, end in one.regions:
        bounds = moved(patches[path], start, end) if path in patches else (start, end)
        if bounds is not None:
            regions.append((path, *bounds))
    return replace(one, regions=tuple(regions))


def _together(batch: Sequence[_Made], useless: Sequence[_Made]) -> set[str]:
    """Return the files that have to go back to what they were: those of `useless`, and what is tied to them."""
    spoilt = {path for one in useless for path in one.paths}
    grown = True
    while grown:
        more = {path for one in batch if one.paths & spoilt for path in one.paths}
        grown = not more <= spoilt
        spoilt |= more
    return spoilt
