"""Runs of modules, class bodies and functions, and the calls that they make."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from mpsafe_lint.findings import Span
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values.journal import Changes
from mpsafe_lint.values.values import Arguments, Cell, Class, Function, Scope, Value


@dataclass(frozen=True, slots=True)
class Guard:
    """What a statement stands in: `loop`, `endless-loop`, `with`, `raises` (a `with` that waits for an error), `try`
    (with handlers), `try-finally`, `except`, `finally`, `branch` (it may be passed over) or `main`. `times` says how
    many turns a loop makes, where that is known, and `items` over what; `catches` what the handlers of a `try`, or
    an `except`, catch, None if unknown."""

    kind: str
    span: Span
    times: int | None = None
    catches: tuple[type[BaseException], ...] | None = None
    items: tuple[Value, ...] = ()

    def lets(self, error: type[BaseException] | None) -> bool:
        """Tell whether an error inside is sure to be raised, and to leave what this stands for."""
        if self.kind == "try" and error is not None and self.catches is not None:
            return not issubclass(error, self.catches)
        return self.kind not in _UNCERTAIN


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
    importing: bool = False  # the run of a module as its import does it
    left: bool = False  # a path has returned or raised already: what comes after need not be reached

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

    def is_certain(self, since: Frame, error: type[BaseException] | None = None) -> bool:
        """Tell whether an error here is sure to be seen by `since`, which led here: no branch or loop in between, and
        no handler that may catch it. It holds for the moment: a path that leaves later doesn't count."""
        led = takewhile(lambda one: one is not since, self.stack())
        return not any(one.left or not all(guard.lets(error) for guard in one.guards) for one in led)

    def stack(self) -> Iterator[Frame]:
        """Return this frame and those that called it."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.caller


_UNCERTAIN = frozenset({"branch", "loop", "endless-loop", "try", "raises", "except"})


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the program makes. `name` is the qualified name of what is called, "" where that is not known;
    `receiver` the object whose method it is, `result` what it gives back. `callee` is the function of the program that
    was run, or the class of which an instance was made."""

    name: str
    receiver: Value | None
    arguments: Arguments
    span: Span
    frame: Frame
    result: Value
    callee: Function | Class | None = None


@dataclass(frozen=True, slots=True)
class Worker:
    """Another process, whose side of the program is being run. `subject` is the process, pool, executor or loader that
    it belongs to, where there is one, `call` the call that set it to work."""

    subject: Value | Cell | None
    call: Call


def builtin_exception(name: str) -> type[BaseException] | None:
    """Return the builtin exception of a name."""
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None
