"""For people: the finding, the line where it stands, its repair, and the way by which the value is sent."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from mpsafe_lint.findings import Crossing, Edit, Finding, Repair, Span
from mpsafe_lint.reports.colors import paint
from mpsafe_lint.reports.concise import headline
from mpsafe_lint.reports.report import Report, advice, chain_text, receiver, serializer, when

WIDTH = 160
"""Characters of a line that are shown at most."""

ALSO = 3
"""Further crossings that are shown at most."""


def render(report: Report) -> str:
    """Return every finding with its excerpt, with an empty line between two."""
    return "\n".join("".join(f"{line}\n" for line in _lines(report, finding)) for finding in report.findings)


def _lines(report: Report, finding: Finding) -> Iterator[str]:
    yield headline(report, finding)
    _, number = report.line_in_cell(finding.span.path, finding.span.line)
    gutter = max(5, len(str(number)) + 1)
    text = report.line(finding.span.path, finding.span.line)
    if text is not None:
        bar = paint("|", "blue", report.color)
        excerpt, pad, carets = _excerpt(text, finding)
        yield f"{paint(str(number).rjust(gutter), 'blue', report.color)} {bar} {excerpt}".rstrip()
        yield f"{'':{gutter}} {bar} {pad}{paint(carets, 'red', report.color)}{beside(finding, text)}"
    for note in notes(report, finding):
        first, *lines = note.split("\n")
        yield f"{'':{gutter}} {paint('=', 'blue', report.color)} {first}"
        yield from (f"{'':{gutter}}   {line}".rstrip() for line in lines)


def beside(finding: Finding, text: str) -> str:
    """Say what is repaired: by what the marked text becomes, where a line can show that."""
    repair = finding.repair
    if not isinstance(repair, Repair):
        return ""
    word = "fix" if repair.applicability == "safe" else "unsafe fix"
    return f" {word}: {_repaired(finding.span, repair.edits, text) or repair.summary}"


def _repaired(span: Span, edits: Sequence[Edit], text: str) -> str:
    """Return the marked text after the edits inside it; nothing where it or they are on other lines."""
    inside = [edit for edit in edits if _holds(span, edit.span)]
    if not inside or span.line != span.end_line or any("\n" in edit.text for edit in inside):
        return ""
    after, end = "", span.column
    for edit in sorted(inside, key=lambda edit: edit.span):
        after += text[end : edit.span.column] + edit.text
        end = edit.span.end_column
    return after + text[end : span.end_column]


def _holds(span: Span, other: Span) -> bool:
    start, end = (other.line, other.column), (other.end_line, other.end_column)
    return other.path == span.path and (span.line, span.column) <= start and end <= (span.end_line, span.end_column)


def notes(report: Report, finding: Finding) -> Iterator[str]:
    """Yield what else there is to say: where it is sent to, what Python prints, and what a person can do."""
    if finding.crossing:
        yield f"sent to {_crossing(report, finding.crossing, chain_text(finding.crossing, finding.chain))}"
    if finding.library_origin:
        yield f"made in {finding.library_origin.path}:{finding.library_origin.line}, which is a library"
    for crossing in finding.also[:ALSO]:
        yield f"also sent to {_crossing(report, crossing, crossing.sent)}"
    if len(finding.also) > ALSO:
        yield f"and {len(finding.also) - ALSO} more"
    others = [error for error in finding.errors if error.text not in finding.message]
    if others:
        yield "; ".join(f"Python {error.python}: {error.text}" if error.python else error.text for error in others)
    if isinstance(finding.repair, Repair) and finding.repair.caution:
        yield f"unsafe: {finding.repair.caution}"
    if not isinstance(finding.repair, Repair) or finding.repair.advice:
        yield f"help: {advice(finding)}"


def _crossing(report: Report, crossing: Crossing, sent: str) -> str:
    place = report.place(crossing.span, column=False)
    name = serializer(crossing.serializer)
    by = "" if name == "pickle" else f", by {name}"
    return f"{receiver(crossing)} as {sent} ({place}), {when(crossing.methods)}{by}"


def _excerpt(text: str, finding: Finding) -> tuple[str, str, str]:
    """Return a line that is fit to be printed, what goes under it up to the finding, and the carets."""
    span = finding.span
    start = min(span.column, len(text))
    end = span.end_column if span.end_line == span.line else len(text.rstrip())
    text, start, end = _window(text, start, max(min(end, len(text)), start + 1))
    shown = "".join(c if c == "\t" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    pad = "".join(c if c == "\t" else " " * _cells(c) for c in shown[:start])
    return shown, pad, "^" * max(1, sum(map(_cells, shown[start:end])))


def _window(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Cut a long line down to what is round the finding."""
    if len(text) <= WIDTH:
        return text, start, end
    first = max(0, min(start - WIDTH // 4, len(text) - WIDTH))
    last = min(len(text), first + WIDTH)
    head, tail = "…" if first else "", "…" if last < len(text) else ""
    return head + text[first:last] + tail, start - first + len(head), min(end, last) - first + len(head)


def _cells(character: str) -> int:
    """Return how many columns of a terminal a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
