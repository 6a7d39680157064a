"""Joining reports: those of shards to what one run would have said, those of whole runs to one list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mpsafe_lint import __version__, shards
from mpsafe_lint.analysis import Analysis
from mpsafe_lint.config import Config, ConfigError
from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding
from mpsafe_lint.reports.reading import TOOL, Document, findings_of

Shard = tuple[str, shards.Share, shards.Origin]
"""The report of a shard: its file, what it found out, and of what."""


def by_project(documents: Iterable[Document]) -> list[tuple[Path, list[Shard]]]:
    """Return the shards among the reports, those of one project together with where it is. Raises ConfigError."""
    found: dict[tuple[Path, tuple[str, ...], int], list[Shard]] = {}
    for document in documents:
        if document.work is None:
            continue
        try:
            share, origin = shards.from_json(document.work)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ConfigError(f"{document.file}: not a report: damaged work; run the shard again") from None
        folder = shards.folder_of(origin)
        if folder is None:
            message = f"{document.file}: there is no {origin.folder} here"
            raise ConfigError(f"{message}: merge where the project is checked out")
        key = folder, origin.paths, share.shards
        found.setdefault(key, []).append((document.file, share, origin))
    return [(folder, group) for (folder, *_), group in found.items()]


def joined(group: Sequence[Shard], project: Project, config: Config, now: shards.Origin) -> Analysis:
    """Return what the shards of one project come to. Raises ConfigError where one is missing, or isn't of it."""
    shares: dict[int, shards.Share] = {}
    first_file, first, _ = group[0]
    for file, share, origin in group:
        try:
            shards.compare(origin, now)
        except ConfigError as error:
            raise ConfigError(f"{file}: {error}") from None
        if share.of_all != first.of_all:
            raise ConfigError(f"{file}: not of the same work as {first_file}: run both in the same environment")
        if shares.setdefault(share.number, share) != share:
            raise ConfigError(f"{file}: another report of shard {share.number}/{share.shards}: give one of them")
    if missing := sorted(set(range(1, first.shards + 1)) - shares.keys()):
        raise ConfigError(f"{first_file}: shard {missing[0]}/{first.shards} is missing: --merge needs all of them")
    return shards.joined([shares[number] for number in sorted(shares)], project, config)


def as_text(work: dict[str, Any], shard: tuple[int, int], findings: list[dict[str, Any]]) -> str:
    """Return the report of a shard: what it is sure of, and its work."""
    number, of = shard
    return json.dumps({TOOL: __version__, "shard": f"{number}/{of}", "findings": findings, "work": work}) + "\n"


def distinct(documents: Iterable[Document], project: Project) -> list[Finding]:
    """Return the findings of reports in order, each once. Raises ConfigError."""
    found = {finding: None for document in documents for finding in findings_of(document, project)}
    return sorted(found, key=lambda one: (one.span, one.code, one.message))
