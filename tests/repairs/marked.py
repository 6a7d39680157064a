"""Findings made by hand from marked source: `⟦` and `⟧` stand round the origin, `⟪` and `⟫` round the crossing."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from mpsafe_lint.files.environment import Environment
from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Crossing, Finding, NotRepaired, Repair, Span, Step
from mpsafe_lint.knowledge.rules import BY_KIND, code_of
from mpsafe_lint.repairs import plan

MARKS = re.compile("[⟦⟧⟪⟫]")


def project_of(files: dict[str, str], root: Path = Path("/nowhere")) -> Project:
    """Return a project that consists of texts alone."""
    environment = Environment(Path(sys.prefix), (3, 11), ())
    return Project(root, tuple(sorted(files)), environment, frozenset(files), files)


def marked(files: dict[str, str]) -> tuple[dict[str, str], dict[str, Span]]:
    """Return the files without their marks, and the spans of the origin and of the crossing."""
    spans: dict[str, Span] = {}
    for path, text in files.items():
        for name, (opening, closing) in {"origin": "⟦⟧", "crossing": "⟪⟫"}.items():
            if opening not in text:
                continue
            start = _place(text, opening)
            end = _place(text, closing) if closing in text else start
            spans[name] = Span(path, *start, *end)
    return {path: MARKS.sub("", text) for path, text in files.items()}, spans


def _place(text: str, mark: str) -> tuple[int, int]:
    before = MARKS.sub("", text[: text.index(mark)])
    lines = re.split(r"\r\n|\r|\n", before)
    return len(lines), len(lines[-1])


def finding_of(
    files: dict[str, str],
    kind: str,
    boundary: str | None = None,
    chain: tuple[str, ...] = (),
    bad: tuple[str, ...] = (),
) -> tuple[Finding, Project]:
    """Return a finding of `kind` at the origin that is marked in `files`, and the project that they are."""
    texts, spans = marked(files)
    origin, crossing_span = spans["origin"], spans.get("crossing", spans["origin"])
    origin = _whole_definition(texts[origin.path], origin)
    crossing = Crossing(crossing_span, boundary, "pickle", "x", ("spawn",)) if boundary else None
    kept = any(step.startswith(".") for step in chain)
    finding = Finding(
        code_of(kind, kept), kind, origin, BY_KIND[kind].noun, boundary, crossing=crossing,
        chain=tuple(Step(step) for step in chain), unpicklable_captures=bad,
    )  # fmt: skip
    return finding, project_of(texts)


def _whole_definition(text: str, span: Span) -> Span:
    """A mark before `def` or `class` alone stands for the whole of it."""
    if (span.line, span.column) != (span.end_line, span.end_column):
        return span
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and (node.lineno, node.col_offset) == (span.line, span.column):
            assert node.end_lineno and node.end_col_offset
            return Span(span.path, span.line, span.column, node.end_lineno, node.end_col_offset)
    raise AssertionError("no statement begins at the mark")


def edited(texts: dict[str, str], repair: Repair) -> dict[str, str]:
    """Return the texts with a repair's edits made."""
    result = dict(texts)
    for edit in sorted(repair.edits, key=lambda edit: edit.span, reverse=True):
        text = result[edit.span.path]
        start = _offset(text, edit.span.line, edit.span.column)
        end = _offset(text, edit.span.end_line, edit.span.end_column)
        result[edit.span.path] = text[:start] + edit.text + text[end:]
    return result


def _offset(text: str, line: int, column: int) -> int:
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)
    return sum(map(len, lines[: line - 1])) + column


def repaired(source: str, kind: str, boundary: str | None = None, **more: tuple[str, ...]) -> tuple[Repair, str]:
    """Plan the repair of the one finding of a marked source and make it; it has to be possible, and to parse."""
    finding, project = finding_of({"main.py": source}, kind, boundary, **more)
    repair = plan(finding, project)
    assert isinstance(repair, Repair), repair
    text = edited(dict(project.overlay), repair)["main.py"]
    ast.parse(text)
    return repair, text


def refused(source: str, kind: str, boundary: str | None = None, **more: tuple[str, ...]) -> NotRepaired:
    """Return why the one finding of a marked source isn't repaired."""
    finding, project = finding_of({"main.py": source}, kind, boundary, **more)
    repair = plan(finding, project)
    assert isinstance(repair, NotRepaired), repair
    return repair
