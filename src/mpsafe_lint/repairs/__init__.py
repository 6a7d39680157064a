"""Repairs: from findings to edits of the source. Each module here makes the repairs of a few kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib import import_module

from mpsafe_lint.deep import deeply
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import SourceError
from mpsafe_lint.findings import Finding, NotRepaired, Repair
from mpsafe_lint.knowledge.rules import BY_KIND

PLANNERS = {
    "dict-view": ("lists", "repair_view"),
    "lambda": ("functions", "repair"),
    "local-function": ("functions", "repair"),
    "generator": ("lists", "repair_lazy"),
    "iterator": ("lists", "repair_lazy"),
    "local-class": ("classes", "repair"),
    "file-handle": ("opening", "repair"),
    "thread-object": ("state", "repair_thread_object"),
    "connection": ("opening", "repair"),
    "module": ("module_kept", "repair"),
    "mp-object": ("state", "repair_mp_object"),
    "misnamed": ("misnamed", "repair"),
    "unloadable": ("exceptions", "repair"),
    "native-object": ("opening", "repair"),
    "no-main-guard": ("habits", "guard"),
    "join-before-drain": ("habits", "drain_first"),
    "target-called": ("habits", "pass_target"),
    "lost-error": ("habits", "ask_results"),
    "closed-pool": ("habits", "read_in_pool"),
    "early-pool": ("habits", "lower_pool"),
}
"""The module and the function that repair a kind. A module is imported when a finding of its kinds comes, since libcst
takes long to import."""

_BY_NAME = frozenset({"lambda", "local-function", "local-class", "misnamed"})
_MODULE = "define it in a .py file beside the notebook, and import it from there"


def plan(finding: Finding, project: Project) -> Repair | NotRepaired:
    """Say how a finding is repaired, or why it is not and what a person can do. Nothing is changed."""
    if finding.span.path.endswith(".ipynb") and finding.kind in _BY_NAME:
        return NotRepaired("workers that are spawned have nothing that a notebook defines", _MODULE)
    known = PLANNERS.get(finding.kind)
    if finding.library_origin is not None:
        return NotRepaired("it is made in a library", BY_KIND[finding.kind].advice)
    if known is None:
        return NotRepaired("there is no repair for this kind", BY_KIND[finding.kind].advice)
    from mpsafe_lint.repairs.tree import Declined

    module, name = known
    planner: Callable[[Finding, Project], Repair] = getattr(import_module(f"mpsafe_lint.repairs.{module}"), name)
    try:
        return deeply(lambda: planner(finding, project))
    except Declined as declined:
        return NotRepaired(declined.reason, declined.advice or BY_KIND[finding.kind].advice)
    except (SourceError, SyntaxError):
        return NotRepaired("the file cannot be read", BY_KIND[finding.kind].advice)


def attach(findings: Iterable[Finding], project: Project) -> tuple[Finding, ...]:
    """Return the findings, each with its repair or with the reason why it has none."""
    return tuple(replace(finding, repair=plan(finding, project)) for finding in findings)
