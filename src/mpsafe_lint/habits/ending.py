"""Processes that nobody waits for (MPS306), that inherit a held lock (MPS312), or that stay when the program fails
(MPS313)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mpsafe_lint.habits.failing import may_fail_between
from mpsafe_lint.habits.queues import PUTS, readers
from mpsafe_lint.habits.reading import SENTINEL
from mpsafe_lint.habits.sentinels import is_end, is_sheltered, may_end
from mpsafe_lint.habits.starting import is_daemon
from mpsafe_lint.habits.trace import Event, Subject, Trace, distinct
from mpsafe_lint.values.frames import Call, Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import Arguments, Cell, Container, Function, Partial, Value, alternatives

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

# -- MPS306 -------------------------------------------------------------------------------------------------------

BEGINS = {"process": "start", "pool": "new", "executor": "new"}

ENDS = {
    "process": ("join", "terminate", "kill", "close", "is_alive", "__exit__"),
    "pool": ("join", "terminate", "close", "__exit__", "__enter__"),
    "executor": ("shutdown", "__exit__", "__enter__"),
}
"""By family, what tells that somebody cares for the end."""


def never_joined(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report a start after which nobody waits for the end."""
    for family, begin in BEGINS.items():
        for event in trace.all(family, begin):
            if trace.of(event.subject, *ENDS[family]):
                habits.clear("never-joined", event.span)
            elif trace.complete and event.worker is None and id(event.subject) not in trace.escaped:
                message = f"nobody waits for the end of this {family}"
                habits.report(machine, "never-joined", event.span, message, event.call)


# -- MPS312 -------------------------------------------------------------------------------------------------------

TAKES = ("acquire", "__enter__")


def note_thread(habits: Habits, machine: Machine, event: Event) -> None:
    """Keep which locks a thread takes that is started."""
    if event.family == "thread" and event.name == "start" and event.worker is None:
        habits.threads[id(event.subject)] = _locks_taken(machine, event)


class _Locks:
    """Collects the locks that are taken in a run."""

    def __init__(self) -> None:
        self.taken: list[Cell] = []

    def __call__(self, machine: Machine, call: Call) -> None:
        owner, _, name = call.name.rpartition(".")
        if name in TAKES and owner in ("_thread.lock", "_thread.RLock") and isinstance(call.receiver, Cell):
            self.taken.append(call.receiver)

    def begin(self, machine: Machine, frame: Frame) -> None:
        """Nothing begins within a thread."""

    def finish(self, machine: Machine, frame: Frame) -> None:
        """Nothing ends within a thread."""


def _locks_taken(machine: Machine, event: Event) -> list[Cell]:
    given = event.subject.arguments
    target = given.get(1, "target")
    if target is None:
        return []
    values = given.get(3, "args")
    items = tuple(values.values()) if isinstance(values, Container) and values.length() is not None else ()
    locks = _Locks()
    observers, machine.observers = machine.observers, [locks]
    try:
        with machine.trial(), machine.budget(THREAD_STEPS):
            machine.call(target, Arguments(items), event.span, event.call.frame)
    finally:
        machine.observers = observers
    return locks.taken


THREAD_STEPS = 2_000
"""Steps for what one thread runs."""


def fork_with_threads(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report the fork of a process that takes a lock which a thread takes too that was started before."""
    alive: dict[int, list[Cell]] = {}
    for event in trace.events:
        if event.worker is not None:
            continue
        if event.family == "thread" and event.name == "start":
            alive[id(event.subject)] = habits.threads.get(id(event.subject), [])
        elif event.family == "thread" and event.name == "join":
            alive.pop(id(event.subject), None)
        elif event.family == "process" and event.name == "start" and habits.forks(machine, event.call):
            held = {id(lock) for locks in alive.values() for lock in locks}
            if held & set(_locks_of(trace, event.subject)):
                message = "a thread may hold a lock while this process is forked, which then waits for it for ever"
                habits.report(machine, "fork-with-threads", event.span, message, event.call, ("fork",), outcome="hangs")


def _locks_of(trace: Trace, process: Subject) -> Iterator[int]:
    for event in trace.all("lock", *TAKES):
        if event.worker is not None and event.worker.subject is process:
            yield id(event.subject)


# -- MPS313 -------------------------------------------------------------------------------------------------------


def orphaned_children(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report the start of a worker that stays in `get` when the parent fails, or is ended by its own handler."""
    killers = [event for event in trace.all("signal") if _ends_at_once(event)]
    for start in distinct(trace.all("process", "start")):
        process = start.subject
        if start.worker is not None or id(process) in trace.escaped:
            continue
        waits = [read for queue in trace.subjects("queue") for read in readers(trace, queue) if _reads(read, process)]
        if not waits:
            continue
        fails = is_daemon(process) is False and any(_may_leave(habits, trace, start, read) for read in waits)
        if fails or killers:
            what = "a signal handler that ends the program" if not fails else "an error between this and the sentinel"
            message = f"{what} leaves the worker waiting in get for ever"
            habits.report(machine, "orphaned-children", start.span, message, start.call, outcome="hangs")


def _reads(read: Event, process: Subject) -> bool:
    return read.worker is not None and read.worker.subject is process


def _may_leave(habits: Habits, trace: Trace, start: Event, read: Event) -> bool:
    """Whether the parent may fail before it puts the sentinel, and nothing then ends the worker."""
    if read.reading is None or read.reading.ends != SENTINEL:
        return False
    ends = [put for put in trace.of(read.subject, *PUTS) if put.worker is None and may_end(habits, put, read.reading)]
    rescues = [one for one in trace.of(start.subject, "terminate", "kill") if is_sheltered(one)]
    if not ends or rescues or any(is_sheltered(put) for put in ends):
        return False
    reading = read.reading
    return may_fail_between(habits, start, next((put for put in ends if is_end(put, reading)), ends[0]))


def _ends_at_once(event: Event) -> bool:
    """Whether a handler ends the program without its clean-up, and has no eye for the children."""
    handler = event.call.arguments.get(1, "handler")
    return handler is not None and any(_is_killer(one) for one in alternatives(handler))


def _is_killer(value: Value) -> bool:
    if isinstance(value, Partial):
        return _is_killer(value.function)
    if not isinstance(value, Function):
        return False
    called = {ast.unparse(node.func) for node in ast.walk(value.node) if isinstance(node, ast.Call)}
    spares = any(name.rpartition(".")[2] in ("terminate", "kill", "killpg", "join") for name in called)
    return not spares and bool(called & {"os._exit", "_exit", "os.abort"})
