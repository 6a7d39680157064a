"""Places in a text, and what edits do to them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mpsafe_lint.findings import Edit, Span

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, order=True)
class Patch:
    """Replace the characters from `start` to `end` of a text by `text`."""

    start: int
    end: int
    text: str


class Places:
    """Translates between offsets in a text and lines and columns. Lines count from 1, columns from 0."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place; what lies beyond the text becomes its end."""
        start = self.starts[line - 1] if line <= len(self.starts) else len(self.text)
        return min(start + column, len(self.text))

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1]

    def bounds(self, span: Span) -> tuple[int, int]:
        """Return the offsets between which a span lies."""
        return self.offset(span.line, span.column), self.offset(span.end_line, span.end_column)

    def span(self, path: str, start: int, end: int) -> Span:
        """Return the span between two offsets."""
        return Span(path, *self.place(start), *self.place(end))

    def patches(self, edits: Iterable[Edit]) -> list[Patch]:
        """Return edits of this text as patches, in order."""
        return sorted(Patch(*self.bounds(edit.span), edit.text) for edit in edits)


def apply(text: str, patches: Iterable[Patch], start: int = 0, end: int | None = None) -> str:
    """Return the part of a text from `start` to `end` with the patches in it made; of two that overlap the first."""
    pieces: list[str] = []
    at = start
    for patch in sorted(patches, key=lambda patch: (patch.start, patch.end)):
        if patch.start >= at:
            pieces += [text[at : patch.start], patch.text]
            at = patch.end
    return "".join([*pieces, text[at : len(text) if end is None else end]])


def moved(patches: Sequence[Patch], start: int, end: int) -> tuple[int, int] | None:
    """Return where the characters from `start` to `end` are after the patches; None where these change them.

    >>> moved([Patch(0, 0, "ab")], 3, 5), moved([Patch(4, 6, "")], 3, 5), moved([Patch(5, 5, "x")], 3, 5)
    ((5, 7), None, (3, 5))
    """
    shift = 0
    inner = 0
    for patch in patches:
        growth = len(patch.text) - (patch.end - patch.start)
        if patch.end <= start:
            shift += growth
        elif patch.start < end and patch.end > start:
            if patch.start != patch.end:
                return None
            inner += growth
    return start + shift, end + shift + inner


def written(patches: Sequence[Patch]) -> list[tuple[int, int]]:
    """Return where the texts of the patches stand once all are made.

    >>> written([Patch(0, 0, "ab"), Patch(1, 3, "x")])
    [(0, 2), (3, 4)]
    """
    found = []
    shift = 0
    for patch in patches:
        found.append((patch.start + shift, patch.start + shift + len(patch.text)))
        shift += len(patch.text) - (patch.end - patch.start)
    return found
