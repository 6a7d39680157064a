"""Queues that are read after the join of those who fill them (MPS302), or while they are not empty (MPS304)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mpsafe_lint.findings import Span
from mpsafe_lint.habits.syntax import LoopNode, Syntax, called_name, own_nodes
from mpsafe_lint.habits.trace import Event, Subject, Trace, constant
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import Constant, Opaque, Value, alternatives

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

READ = "<read>"
"""What a queue has, in the state of the run, once the parent may have read anything of it."""

JOINED = "<joined>"
"""Where a queue keeps the joins that came before it was read. A process has it once it may have been joined."""

ENDED = "<ended>"
"""What a process has once it may have been ended by force."""

PUTS = ("put", "put_nowait")
GETS = ("get", "get_nowait", "iter")


def filled_by(trace: Trace, process: Subject) -> dict[int, list[Event]]:
    """Return the puts on the side of a process, by queue."""
    found: dict[int, list[Event]] = {}
    for event in trace.all("queue", *PUTS):
        if event.worker is not None and event.worker.subject is process:
            found.setdefault(id(event.subject), []).append(event)
    return found


def has_timeout(event: Event) -> bool:
    """Tell whether a join or a get is given a timeout, or told not to wait."""
    given = event.call.arguments
    if event.name in ("get_nowait", "iter", "recv"):
        return event.name == "get_nowait"
    if event.family == "queue":
        block, timeout = given.get(0, "block"), given.get(1, "timeout")
        return block not in (None, Constant(True)) or timeout not in (None, Constant(None))
    return given.get(0, "timeout") not in (None, Constant(None))


# -- MPS302 -------------------------------------------------------------------------------------------------------


def join_before_drain(habits: Habits, machine: Machine, event: Event) -> None:
    """Report the join of a process whose queue is read only after it."""
    if event.worker is not None:
        return
    if event.family == "process" and event.name in ("terminate", "kill"):
        machine.write(event.subject, ENDED, Constant(True))
    elif event.family == "process" and event.name == "join":
        _note_join(habits, machine, event)
    elif event.family == "queue" and event.name in GETS:
        _judge_read(habits, machine, event)


def _note_join(habits: Habits, machine: Machine, event: Event) -> None:
    process = event.subject
    machine.write(process, JOINED, Constant(True))
    if has_timeout(event) or process.get(ENDED) is not None:
        return
    for puts in filled_by(habits.trace_of(event.call.frame), process).values():
        queue = puts[0].subject
        is_first = queue.get(READ) is None and not _joins(queue)
        if is_first and any(_is_large(put) for put in puts if not put.within("except")):
            machine.write(queue, JOINED, Constant(event.span))


def _joins(queue: Subject) -> list[Span]:
    """Return the joins that came before a queue was read."""
    kept = queue.get(JOINED)
    places = [constant(one) for one in alternatives(kept)] if kept is not None else []
    return [place for place in places if isinstance(place, Span)]


def _judge_read(habits: Habits, machine: Machine, event: Event) -> None:
    queue, trace = event.subject, habits.trace_of(event.call.frame)
    for join in () if _has_other_reader(trace, queue) else _joins(queue):
        message = (
            f"a process is joined before its queue is read (line {event.span.line}): "
            "once the pipe is full, some 64 KiB, both wait for ever"
        )
        habits.report(machine, "join-before-drain", join, message, event.call, outcome="hangs")
    machine.write(queue, READ, Constant(True))
    machine.write(queue, JOINED, Constant(None))


def _is_large(put: Event) -> bool:
    """Whether what is put may fill a pipe: it is unless it is one small constant, or number."""
    value = put.call.arguments.get(0, "obj")
    return put.in_loop() or value is None or not all(map(_is_small, alternatives(value)))


def _is_small(value: Value) -> bool:
    if isinstance(value, Constant):
        return not isinstance(value.value, (str, bytes)) or len(value.value) < 1_000
    return isinstance(value, Opaque) and value.type in ("int", "float", "bool", "NoneType")


def _has_other_reader(trace: Trace, queue: Subject) -> bool:
    """Whether another process reads the queue, or code that isn't seen may."""
    if id(queue) in trace.escaped or trace.of(queue, "cancel_join_thread"):
        return True
    return any(event.worker is not None for event in trace.of(queue, *GETS))


# -- MPS304 -------------------------------------------------------------------------------------------------------


def queue_empty_loop(habits: Habits, machine: Machine, event: Event) -> None:
    """Report a loop that reads a queue until it is empty, while a process fills it."""
    if event.family != "queue" or event.name not in ("empty", "qsize") or event.worker is not None:
        return
    trace = habits.trace_of(event.call.frame)
    started = {id(one.subject): one.subject for one in trace.all("process", "start") if one.worker is None}
    fillers = [one for one in started.values() if id(event.subject) in filled_by(trace, one)]
    if any(one.get(JOINED) is None for one in fillers):
        _report_loop(habits, machine, event)


def emptied_by_worker(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report the same on the side of a worker, where others fill the queue, or read it too."""
    for event in trace.all("queue", "empty", "qsize"):
        if event.worker is not None and _is_shared(trace, event):
            _report_loop(habits, machine, event)


def _is_shared(trace: Trace, event: Event) -> bool:
    return any(
        put.worker is None or (event.worker is not None and put.worker.subject is not event.worker.subject)
        for put in trace.of(event.subject, *PUTS)
    )


def _report_loop(habits: Habits, machine: Machine, event: Event) -> None:
    place = event.path[0]
    node = habits.node_at(place.frame.module, place.span)
    syntax = habits.syntax(place.frame.module)
    loop = _loop_until_empty(syntax, node) if isinstance(node, ast.Call) else None
    if loop is None or not isinstance(node, ast.Call) or not _uses_items(syntax, loop, node):
        return
    own = place.frame.module.span(loop)
    if any(guard.kind in ("loop", "endless-loop") and guard.span != own for guard in event.guards):
        return  # it is asked again and again
    message = "this loop may end before everything is in the queue: empty() says nothing of what is still on its way"
    habits.report(machine, "queue-empty-loop", syntax.header(loop), message, event.call)


def _loop_until_empty(syntax: Syntax, call: ast.Call) -> LoopNode | None:
    """Return the `while` whose end a call of `empty()` or `qsize()` decides alone."""
    test, wanted = _condition(syntax, call)
    parent = syntax.parents.get(test)
    if isinstance(parent, ast.While) and parent.test is test:
        return None if wanted else parent
    loop = syntax.parents.get(parent) if isinstance(parent, ast.If) and parent.test is test else None
    if isinstance(parent, ast.If) and isinstance(loop, ast.While) and wanted and isinstance(parent.body[-1], ast.Break):
        return loop if isinstance(loop.test, ast.Constant) else None
    return None


def _condition(syntax: Syntax, call: ast.Call) -> tuple[ast.expr, bool]:
    """Return the condition that a call stands for, and whether it holds when the queue is empty."""
    node: ast.expr = call
    holds = called_name(call) == "empty"
    while isinstance(parent := syntax.parents.get(node), (ast.UnaryOp, ast.Compare)):
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            holds = not holds
        elif isinstance(parent, ast.Compare) and len(parent.ops) == 1 and parent.left is node:
            flips = isinstance(parent.ops[0], (ast.Eq, ast.Is)) and _is_nothing(parent.comparators[0])
            holds = not holds if flips else holds
        node = parent
    return node, holds


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _uses_items(syntax: Syntax, loop: LoopNode, call: ast.Call) -> bool:
    """Whether the loop reads the same queue, and does something with what it reads."""
    return any(
        isinstance(node, ast.Call)
        and called_name(node) in ("get", "get_nowait")
        and ast.unparse(node.func.value) == _queue_text(call)  # type: ignore[attr-defined]
        and not isinstance(syntax.parents.get(node), ast.Expr)
        for node in own_nodes(loop)
    )


def _queue_text(call: ast.Call) -> str:
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""


def readers(trace: Trace, queue: Subject) -> Iterator[Event]:
    """Yield the blocking gets of a queue, or those of a connection."""
    return (event for event in trace.of(queue, "get", "iter", "recv") if not has_timeout(event))
