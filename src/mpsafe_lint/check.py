"""The pipeline: files, modules, values, crossings, refusals, findings."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ParamSpec

from mpsafe_lint import jobs as processes
from mpsafe_lint.analysis import Analysis
from mpsafe_lint.cached import told_of_syntax
from mpsafe_lint.config import Config
from mpsafe_lint.crossings import context, entries
from mpsafe_lint.crossings.exports import exported
from mpsafe_lint.crossings.interest import Interest
from mpsafe_lint.crossings.observer import Crossings
from mpsafe_lint.crossings.sending import Sighting
from mpsafe_lint.crossings.survey import Survey
from mpsafe_lint.deep import deeply
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import SourceError
from mpsafe_lint.findings import Crossing, Finding, Span
from mpsafe_lint.habits.observer import Habits
from mpsafe_lint.habits.observer import Sighting as Habit
from mpsafe_lint.jobs import Jobs, without_values
from mpsafe_lint.messages import findings_of, tool_finding, with_fingerprints
from mpsafe_lint.modules.module import Module, head_of
from mpsafe_lint.pickling.opinion import Opinion
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.program import Program

__all__ = ["Analysis", "check"]

Given = ParamSpec("Given")

ROOMY = 12_000_000
"""Characters of loaded files up to which all syntax trees are kept: a tree takes some forty bytes for each."""

TOGETHER = 200
"""Files of a project that has more after which what is no longer used is dropped."""


def check(
    project: Project,
    config: Config,
    *,
    whole: bool = False,
    jobs: Jobs = 1,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Analysis:
    """Analyse the whole project. Faults inside one file become MPS900 and MPS901; nothing is raised for them.

    `whole` has every file parsed and run, also those whose text says that they can hold nothing of interest. `jobs` is
    the number of processes, as many as are useful where it is None. `progress` is told how many files of how many are
    done.
    """
    analysis, parsed = needed(project, config, whole=whole, jobs=jobs, progress=progress)
    return told_of_syntax(analysis, project, parsed)


def needed(
    project: Project,
    config: Config,
    *,
    whole: bool = False,
    jobs: Jobs = 1,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> tuple[Analysis, frozenset[str]]:
    """Analyse what has to be; return also which files were parsed."""
    run = deeply(lambda: Run(project, config, whole))
    _run_all(run, jobs, progress)
    return deeply(run.analysis), run.parsed


def with_failures(analysis: Analysis, project: Project, failures: Mapping[str, SyntaxError]) -> Analysis:
    """Add files that can't be parsed to an analysis that did not need them."""
    added = [tool_finding("syntax-error", path, error) for path, error in failures.items()]
    ordered = sorted([*analysis.findings, *added], key=_order)
    findings = deeply(lambda: with_fingerprints(ordered, project, Program(project)))
    return replace(analysis, findings=tuple(findings), files=analysis.files - len(added))


@dataclass(frozen=True, slots=True)
class Done:
    """What the runs of some files' entry points were seen to do, as plain data: another process may have made them."""

    found: tuple[Sighting, ...]
    habits: tuple[tuple[tuple[str, Span], Habit], ...]
    cleared: frozenset[tuple[str, Span]]
    seen: frozenset[str]
    loaded: dict[str, frozenset[bool]]
    unresolved: dict[str, int]
    failures: tuple[Finding, ...]
    opinions: tuple[tuple[Crossing, Opinion], ...]
    read: tuple[str, ...]
    folders: tuple[str, ...]


class Run:
    """One analysis of a project: what is loaded, and what was found so far."""

    def __init__(self, project: Project, config: Config, whole: bool = False) -> None:
        """Parse what may matter, run it as by an import, and find out which functions are worth running."""
        self.project = project
        self.config = config
        self.whole = whole
        self.program = Program(project)
        self.failures: list[Finding] = []
        texts = self._texts()
        self.crossings = Crossings(
            config,
            asks_for_fork=context.asks_for_fork(project),
            uses_manager=context.files_with_managers(project),
            extra_calls=context.boundaries_of(config),
        )
        self.habits = Habits(self.crossings, project.file_set)
        # a start is a habit's event before the worker's side is run
        self.machine = Machine(self.program, [self.habits, self.crossings])
        self.own_words = {name.rpartition(".")[2] for name in self.crossings.extra_calls}
        self.survey = Survey.of(texts, config.crossing_classes, self.own_words)
        self.readable = set(texts)
        self.loaded: set[str] = set()
        self.heads: list[Module] = []  # of the modules that are loaded, what they hand on
        self.names: set[str] = set()  # of crossing classes
        self.sending: set[str] = set()  # the files with crossing classes
        self._characters = 0  # of the loaded files
        self._since = 0  # files since garbage was looked for
        self._take_in()

    def _texts(self) -> dict[str, str]:
        texts = {}
        for path in self.project.files:
            try:
                texts[path] = self.project.source(path).text
            except SourceError as error:
                self.failures.append(tool_finding("syntax-error", path, error))
        return texts

    def _take_in(self) -> None:
        machine = self.machine
        self._load(self.readable if self.whole else self.survey.first)
        names = {name.rpartition(".")[2] for name in self.crossings.extra_calls} | self.names
        self._load(self.survey.holding(names))
        self._load(self.survey.holding(exported(self.heads)))
        interest = self.interest = Interest(self.survey, frozenset(names), exported(self.heads))
        for path in sorted(self.loaded):
            self._add_to(interest, path)
        interest.settle(lambda paths: self._load(paths, interest))
        entries.share_out(interest)
        machine.is_eager = interest.is_eager
        machine.leads = interest.leads
        self.parsed = frozenset(self.loaded) | {failure.span.path for failure in self.failures}
        kept = (interest.files() | self.sending) & self.loaded
        wanted = self.sending | self.habits.imports.keys()
        self.program.release(self.program.held() - wanted if self._is_huge else self.loaded - kept)
        self.files = sorted(kept)

    def _load(self, paths: Iterable[str], interest: Interest | None = None) -> None:
        """Take files in that were not yet: parse them, and run them as an import does."""
        for path in sorted(self.readable & set(paths) - self.loaded):
            module = self.program.module(path)
            if module is None:
                self.readable.discard(path)
                self.failures.append(tool_finding("syntax-error", path, self.program.errors[path]))
                continue
            self.loaded.add(path)
            self._characters += len(self.project.source(path).text)
            self.heads.append(head_of(module))
            self._guarded(path, self._import, module)
            if interest is not None:
                self._add_to(interest, path)
            self._let_go(path)

    def _import(self, module: Module) -> None:
        """Run a module as an import does; note the crossing classes in it."""
        try:
            if found := entries.crossing_names(self.machine, module, self.crossings):
                self.sending.add(module.path)
                self.names |= found
        finally:
            self.machine.forget_run()

    def _add_to(self, interest: Interest, path: str) -> None:
        module = self.program.module(path)
        if module is not None:
            interest.add(module, self.project.source(path).text)
        self._let_go(path)

    def _let_go(self, path: str) -> None:
        """In a huge project, keep no syntax tree that isn't known to be wanted: it is parsed again if it is."""
        if self._is_huge and path not in self.sending and path not in self.habits.imports:
            self.program.release([path])
            self._count()

    @property
    def _is_huge(self) -> bool:
        return self._characters > ROOMY

    def _count(self) -> bool:
        """Look for garbage after each so many files of a huge project; tell whether it was done."""
        self._since += 1
        due = self._since >= TOGETHER
        if due:
            self._since = 0
            gc.collect()
        return due

    def enter(self, path: str) -> None:
        """Run the entry points of a file."""
        self._guarded(path, entries.run_entries, self.machine, self._module(path), self.crossings, self.interest)
        if self._is_huge and self._count():
            self.program.release(self.program.held() - self.sending - self.habits.imports.keys())

    def _module(self, path: str) -> Module:
        module = self.program.module(path)
        assert module is not None, path  # it was parsed before
        return module

    def _guarded(self, path: str, action: Callable[Given, None], *given: Given.args, **named: Given.kwargs) -> None:
        """A fault of the analysis in one file is reported there, and ends no run."""
        try:
            action(*given, **named)
        except Exception as error:
            self.failures.append(tool_finding("internal-error", path, error))

    # -- what another process saw ---------------------------------------------------------------------------------

    def seen_in(self, path: str, at_end: bool = False) -> Done:
        """Run the entry points of a file, or look at its crossing classes; return what is new by it."""
        found, habits, failures = len(self.crossings.found), len(self.habits.found), len(self.failures)
        opinions, unresolved = len(self.crossings.opinions), self.program.unresolved.copy()
        (self.end if at_end else self.enter)(path)
        return Done(
            tuple(self.crossings.found[found:]),
            tuple(self.habits.found.items())[habits:],
            frozenset(self.habits.cleared),
            frozenset(self.crossings.seen),
            {name: frozenset(said) for name, said in self.crossings.loaded.items()},
            dict(self.program.unresolved - unresolved),
            tuple(self.failures[failures:]),
            tuple((where, without_values(one)) for where, one in self.crossings.opinions[opinions:]),
            self.project.sources_read,
            self.project.environment.folders_read,
        )

    def take(self, done: Done) -> None:
        """Add what another process saw."""
        self.crossings.found += done.found
        for key, one in done.habits:
            self.habits.found.setdefault(key, one)
        self.habits.cleared |= done.cleared
        self.crossings.seen |= done.seen
        for name, said in done.loaded.items():
            self.crossings.loaded[name] |= said
        self.program.unresolved.update(done.unresolved)
        self.failures += done.failures
        self.crossings.opinions += done.opinions
        for path in set(done.read).difference(self.project.sources_read):
            with suppress(SourceError):
                self.project.source(path)
        for folder in done.folders:
            self.project.environment.names_in(folder)

    # -- the end --------------------------------------------------------------------------------------------------

    def analysis(self) -> Analysis:
        """Look at the crossing classes of which nobody was seen to make an instance; return what was found."""
        for path in sorted(self.sending):
            self.end(path)
        found = in_order(self.crossings, self.habits, self.failures, self.program)
        return Analysis(found, len(self.readable), dict(self.program.unresolved), tuple(self.crossings.opinions))

    def end(self, path: str) -> None:
        """Look at the crossing classes of a file."""
        self._guarded(path, entries.crossing_classes, self.machine, self._module(path), self.crossings)


def in_order(
    crossings: Crossings, habits: Habits, failures: Sequence[Finding], program: Program
) -> tuple[Finding, ...]:
    """Return all that was found, with fingerprints."""
    findings = [*findings_of(crossings, program.project, program), *habits.findings(), *failures]
    return tuple(with_fingerprints(sorted(findings, key=_order), program.project, program))


def _run_all(run: Run, wanted: Jobs, progress: Callable[[int, int], None]) -> None:
    """Run the entry points of all files, here or in other processes."""
    files = run.files
    seen_elsewhere = processes.elsewhere(run, files, wanted)
    if seen_elsewhere is not None:
        for done, seen in enumerate(seen_elsewhere, 1):
            run.take(seen)
            progress(done, len(files))
        return

    def here() -> None:
        for done, path in enumerate(files, 1):
            run.enter(path)
            progress(done, len(files))

    deeply(here)


def _order(finding: Finding) -> tuple[object, ...]:
    return (finding.span, finding.code, finding.message)
