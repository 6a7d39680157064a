"""The pipeline: files, modules, values, crossings, refusals, findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec

from mpsafe_lint.config import Config
from mpsafe_lint.crossings import context, entries
from mpsafe_lint.crossings.interest import Interest
from mpsafe_lint.crossings.observer import Crossings
from mpsafe_lint.deep import deeply
from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Crossing, Finding
from mpsafe_lint.habits.observer import Habits
from mpsafe_lint.messages import findings_of, tool_finding, with_fingerprints
from mpsafe_lint.modules.module import Module
from mpsafe_lint.pickling.opinion import Opinion
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.program import Program

Given = ParamSpec("Given")


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the analysis of a project says: every finding of it, unfiltered and sorted, and what it could not resolve.

    `files` counts the files that were analysed; `unresolved` maps a qualified name that could not be found to how
    often it was asked for. `opinions` say of each value that is sent what is known of it.
    """

    findings: tuple[Finding, ...]
    files: int
    unresolved: dict[str, int]
    opinions: tuple[tuple[Crossing, Opinion], ...] = ()


def check(project: Project, config: Config) -> Analysis:
    """Analyse the whole project. Faults inside one file become MPS900 and MPS901; nothing is raised for them."""
    return deeply(lambda: _check(project, config))


def _check(project: Project, config: Config) -> Analysis:
    program = Program(project)
    crossings = Crossings(
        config,
        asks_for_fork=context.asks_for_fork(project),
        uses_manager=context.files_with_managers(project),
        extra_calls=context.boundaries_of(config),
    )
    habits = Habits(crossings, project.file_set)
    machine = Machine(program, [habits, crossings])  # a start is a habit's event before the worker's side is run
    failures: list[Finding] = []
    modules: list[Module] = []
    for path in project.files:
        parsed = program.module(path)
        if parsed is None:
            failures.append(tool_finding("syntax-error", path, program.errors[path]))
        else:
            modules.append(parsed)
    interest = _interest(machine, modules, crossings, project)
    for module in modules:
        failures += _guarded(module.path, entries.run_entries, machine, module, crossings, interest)
    for module in modules:
        failures += _guarded(module.path, entries.crossing_classes, machine, module, crossings)
    findings = [*findings_of(crossings, project, program), *habits.findings()]
    ordered = with_fingerprints(sorted([*findings, *failures], key=_order), project, program)
    return Analysis(tuple(ordered), len(modules), dict(program.unresolved), tuple(crossings.opinions))


def _interest(machine: Machine, modules: list[Module], crossings: Crossings, project: Project) -> Interest:
    """Find out which functions are worth running. Every module is run as by an import first."""
    interest = Interest(entries.crossing_names(machine, modules, crossings))
    for module in modules:
        interest.add(module, project.source(module.path).text)
    interest.settle()
    machine.is_eager = interest.is_eager
    machine.leads = interest.leads
    return interest


def _guarded(path: str, action: Callable[Given, None], *given: Given.args, **named: Given.kwargs) -> list[Finding]:
    """A fault of the analysis in one file is reported there, and ends no run."""
    try:
        action(*given, **named)
    except Exception as error:
        return [tool_finding("internal-error", path, error)]
    return []


def _order(finding: Finding) -> tuple[object, ...]:
    return (finding.span, finding.code, finding.message)
