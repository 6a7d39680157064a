"""Runs of modules, class bodies and functions, and the calls that they make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mpsafe_lint.findings import Span
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values.journal import Changes
from mpsafe_lint.values.values import Arguments, Class, Function, Scope, Value


@dataclass(frozen=True, slots=True)
class Guard:
    """What a statement stands in: `loop`, `endless-loop`, `with`, `try`, `except`, `finally`, `branch` or `main`."""

    kind: str
    span: Span


@dataclass(eq=False, slots=True)
class Loop:
    """A loop that is being run: what has changed since `mark` where a turn ends, and where `break` leaves."""

    mark: int
    turns: list[Changes] = field(default_factory=list)
    breaks: list[Changes] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Frame:
    """One run of a module, class body or function."""

    module: Module
    scope: Scope
    depth: int = 0
    function: Function | None = None
    first_argument: Value | None = None
    defining_class: Class | None = None
    caller: Frame | None = None
    call_span: Span | None = None
    mark: int = 0
    guards: tuple[Guard, ...] = ()
    returns: list[tuple[Value, Changes, Span]] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    comprehension: bool = False

    def nested(self, scope: Scope) -> Frame:
        """Return the frame of a comprehension or class body that stands in this one."""
        return Frame(
            self.module,
            scope,
            self.depth,
            self.function,
            self.first_argument,
            self.defining_class,
            self,
            self.call_span,
            self.mark,
            self.guards,
            comprehension=True,
        )

    def snapshot(self) -> Frame:
        """Return this frame as it is now: what it stands in changes as it goes on."""
        copy = self.nested(self.scope)
        copy.caller = self.caller
        return copy

    def owner(self) -> Frame:
        """Return the function's own frame, outside its comprehensions."""
        frame = self
        while frame.comprehension and frame.caller is not None:
            frame = frame.caller
        return frame

    def stack(self) -> Iterator[Frame]:
        """Return this frame and those that called it."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.caller


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the program makes. `name` is the qualified name of what is called, `receiver` the object whose
    method it is, `result` what it gives back."""

    name: str
    receiver: Value | None
    arguments: Arguments
    span: Span
    frame: Frame
    result: Value
