"""Checking a project, or finding what an earlier run found. Only a run that has to be made loads the analysis."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mpsafe_lint.analysis import Analysis, as_json, from_json, repair_from_json
from mpsafe_lint.config import Config
from mpsafe_lint.files.cache import Cache
from mpsafe_lint.files.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from mpsafe_lint.findings import Finding
    from mpsafe_lint.jobs import Jobs

PARSED_WHOLE = 200
"""Given files up to which each is parsed whatever it holds, so that a syntax error is told."""


def analyse(
    project: Project,
    config: Config,
    *,
    folder: Path | None,
    label: str = "",
    jobs: Jobs = 1,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Analysis:
    """Return what `check` finds. `folder` holds the cache; None is none. `label` tells projects apart that have the
    same files: a revision, where it is one of the past."""
    cache = None if folder is None else Cache(folder, project, config, label)
    data = None if cache is None else cache.load()
    if data is not None and (known := _known(data, project)) is not None:
        return known
    from mpsafe_lint.check import needed

    analysis, parsed = needed(project, config, jobs=jobs, progress=progress)
    if cache is not None:
        cache.store({"analysis": as_json(analysis), "parsed": sorted(parsed)})
    return told_of_syntax(analysis, project, parsed)


def _known(data: dict[str, Any], project: Project) -> Analysis | None:
    try:
        analysis, parsed = from_json(data["analysis"]), frozenset(data["parsed"])
    except (KeyError, TypeError, ValueError):
        return None
    return told_of_syntax(analysis, project, parsed)


def told_of_syntax(analysis: Analysis, project: Project, parsed: Collection[str]) -> Analysis:
    """Add the syntax errors of given files that the analysis did not need to parse, where these are few."""
    unknown = project.given - frozenset(parsed) if len(project.given) <= PARSED_WHOLE else frozenset()
    if not unknown:
        return analysis
    from mpsafe_lint.modules.module import errors_in

    failures = errors_in(project, unknown)
    if not failures:
        return analysis
    from mpsafe_lint.check import with_failures

    return with_failures(analysis, project, failures)


def attach(
    findings: Sequence[Finding], project: Project, config: Config, *, folder: Path | None
) -> tuple[Finding, ...]:
    """Return the findings with their repairs: planned, or as an earlier run planned them for the same files."""
    cache = None if folder is None or not findings else Cache(folder, project, config, "repairs")
    known = (None if cache is None else cache.load()) or {}
    try:
        repairs = {key: repair_from_json(one) for key, one in known.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        repairs = {}
    if any(_key(finding) not in repairs for finding in findings):
        from mpsafe_lint.repairs import plan

        repairs |= {_key(one): plan(one, project) for one in findings if _key(one) not in repairs}
        if cache is not None:
            cache.store({key: asdict(one) for key, one in repairs.items()})
    return tuple(replace(finding, repair=repairs[_key(finding)]) for finding in findings)


def _key(finding: Finding) -> str:
    return f"{finding.span} {finding.kind} {finding.fingerprint}"
