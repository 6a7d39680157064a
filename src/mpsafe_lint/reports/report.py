"""What every format is made from, and what several of them say alike."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from mpsafe_lint.config import START_METHODS, Reporting
from mpsafe_lint.files.notebooks import SUFFIX, Notebook
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import SourceError
from mpsafe_lint.findings import Crossing, Finding, Repair, Span, Step
from mpsafe_lint.knowledge.rules import TOOL, Rule, all_codes

_RECEIVERS = {
    "process": "the new process",
    "torch-spawn": "the new processes",
    "queue": "the other process",
    "pipe": "the other process",
    "manager": "the manager process",
    "result": "the parent process",
    "pickle": "pickle",
}


@dataclass(frozen=True)
class Report:
    """The findings that are to be shown, in order, with the project that they are about.

    Paths are shown relative to `folder`. `reporting` tells which repairs would be applied.
    """

    findings: Sequence[Finding]
    project: Project
    reporting: Reporting
    color: bool = False
    folder: Path = field(default_factory=Path.cwd)

    def path(self, path: str) -> str:
        """Return a path as it is shown: relative to the current folder, absolute where it lies outside."""
        absolute = os.path.normpath(self.project.root / path)
        inside = os.path.relpath(absolute, self.folder)
        return Path(absolute if inside.startswith("..") else inside).as_posix()

    def place(self, span: Span, column: bool = True) -> str:
        """Return where a span begins: `path:line:column`, in a notebook `path:cell 3:line:column`."""
        cell, line = self.line_in_cell(span.path, span.line)
        place = f"{self.path(span.path)}:{f'cell {cell}:' if cell else ''}{line}"
        return f"{place}:{span.column + 1}" if column else place

    def line_in_cell(self, path: str, line: int) -> tuple[int | None, int]:
        """Return the cell of a notebook, and the line of it, that a line stands in; no cell where it is none."""
        notebook = self._notebook(path)
        return notebook.place(line) if notebook else (None, line)

    def in_file(self, span: Span) -> Span:
        """Return the place for a format that knows files alone: in a notebook, the lines of the file that hold it."""
        notebook = self._notebook(span.path)
        if notebook is None:
            return span
        return Span(span.path, notebook.file_line(span.line), 0, notebook.file_line(span.end_line), 0)

    def _notebook(self, path: str) -> Notebook | None:
        if not path.endswith(SUFFIX):
            return None
        try:
            source = self.project.source(path)
        except SourceError:
            return None
        return source if isinstance(source, Notebook) else None

    def line(self, path: str, line: int) -> str | None:
        """Return a line of source without its end, or None where there is none to show."""
        try:
            return self.project.source(path).shown(line)
        except SourceError:
            return None

    def repair(self, finding: Finding) -> Repair | None:
        """Return the repair that would be applied to a finding, or None."""
        repair, config = finding.repair, self.reporting.of(finding.span.path)
        if not isinstance(repair, Repair) or not config.repairs(finding.code):
            return None
        return repair if repair.applicability == "safe" or config.unsafe_fixes else None

    def mark(self, finding: Finding) -> str:
        """Return `[*] ` where a finding would be repaired."""
        return "[*] " if self.repair(finding) else ""


def rule_of(finding: Finding) -> Rule:
    """Return the rule of a finding."""
    return all_codes()[finding.code]


def severity(code: str) -> str:
    """Return `error`, `warning` (an unused noqa) or `note` (advice)."""
    return "note" if code.startswith("MPS4") else "warning" if code == "MPS902" else "error"


def identity(finding: Finding) -> str:
    """Return what tells a finding from every other: its fingerprint, or a hash of its place where it has none."""
    place = f"{finding.code} {finding.span}"
    return finding.fingerprint or blake2b(place.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def chain_text(crossing: Crossing, chain: Sequence[Step]) -> str:
    """Return the way from what is sent to the origin: `NuScenesDataset.config.class_names`."""
    return crossing.sent + "".join(step.text for step in chain)


def receiver(crossing: Crossing) -> str:
    """Say who gets what crosses there."""
    return next((who for start, who in _RECEIVERS.items() if crossing.boundary.startswith(start)), "worker processes")


def serializer(name: str | None) -> str | None:
    """Return what a user calls a serializer: what multiprocessing registers for it doesn't make it another pickle."""
    return "pickle" if name in ("forking", "spawning") else name


def when(methods: Sequence[str]) -> str:
    """Say under which start methods a value is pickled."""
    if not methods or set(methods) >= set(START_METHODS):
        return "under every start method"
    *others, last = methods
    return "under " + (f"{', '.join(others)} and {last}" if others else last)


def advice(finding: Finding) -> str:
    """Say what a person can do about a finding that isn't repaired by itself; the lines to paste come last."""
    repair = finding.repair
    if isinstance(repair, Repair):
        return repair.advice or repair.summary
    rule = rule_of(finding)
    if repair is None or rule in TOOL:
        return rule.advice
    first, *lines = repair.advice.split("\n")
    if repair.reason:
        first = f"{first.removesuffix(':')} (not repaired: {repair.reason})" + (":" if lines else "")
    return "\n".join([first, *lines])
