"""What the analysis says, as plain data: spans, crossings, chains, findings and repairs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Span:
    """A range of source text.

    `path` is relative to the project's root, with `/` between its parts; a path outside the root is absolute.
    Lines count from 1. Columns count from 0, in code points. The end is exclusive.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a chain: `.attr`, `[0]`, `['k']`, `<func>`, `<args>`, `<self>`, `<closure x>` or `<return>`."""

    text: str
    span: Span | None = None  # the line that put the value there, where it is known


@dataclass(frozen=True, slots=True)
class ErrorText:
    """What Python prints. `python` is a range of versions: `3.8-3.13`, `3.14+`, or `` for all."""

    python: str
    text: str


@dataclass(frozen=True, slots=True)
class Crossing:
    """A place where a value is handed to another process.

    `sent` names what is sent, and begins the chain: `NuScenesDataset`, `target`, `args` …
    `methods` are the start methods under which the value is pickled there: all three, or spawn and forkserver.
    `outcome` is what happens to a value that can't be pickled: `raises`, `hangs`, `lost` or `child-dies`.
    """

    span: Span
    boundary: str
    serializer: str
    sent: str
    methods: tuple[str, ...]
    outcome: str = "raises"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """Edits that make a value picklable: `safe` if behaviour stays, `unsafe` if it may not (`caution` says why).

    `advice` holds the lines of an unsafe repair where a person may rather want to paste them.
    """

    name: str
    applicability: str
    edits: tuple[Edit, ...]
    summary: str
    caution: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True)
class NotRepaired:
    """Why nothing can be repaired by itself, and what a person can do."""

    reason: str
    advice: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One origin that can't cross a process boundary, or one habit.

    `boundary` and `crossing` are None for a habit. `chain` leads from what is sent to the origin.
    `also` holds the other crossings of the same origin. `unpicklable_captures` names the variables that a lambda or a
    local function captures and whose values can't be pickled either: binding them would not help. `library_origin` is
    the origin where that lies in a library: the finding then stands at the project's last step before it.
    """

    code: str
    kind: str
    span: Span
    message: str
    boundary: str | None = None
    errors: tuple[ErrorText, ...] = ()
    methods: tuple[str, ...] = ()
    serializer: str | None = None
    outcome: str | None = None
    crossing: Crossing | None = None
    chain: tuple[Step, ...] = ()
    also: tuple[Crossing, ...] = ()
    unpicklable_captures: tuple[str, ...] = ()
    library_origin: Span | None = None
    repair: Repair | NotRepaired | None = None
    fingerprint: str = ""
