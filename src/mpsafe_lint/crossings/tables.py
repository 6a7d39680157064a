"""Calls that hand their arguments over, as the table of boundaries and the user's configuration have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mpsafe_lint.crossings.processes import run_in_worker, worker_side
from mpsafe_lint.knowledge.boundaries import ALWAYS, CALLS, Boundary, Sent
from mpsafe_lint.values import iteration
from mpsafe_lint.values.classes import is_exception
from mpsafe_lint.values.frames import Call
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import (
    NONE,
    Arguments,
    Instance,
    Opaque,
    Value,
    alternatives,
)

if TYPE_CHECKING:
    from mpsafe_lint.crossings.observer import Crossings

RUN_IN_EXECUTOR = "asyncio.AbstractEventLoop.run_in_executor"
PROCESS_EXECUTOR = "concurrent.futures.ProcessPoolExecutor"


def watch(crossings: Crossings, machine: Machine, call: Call) -> None:
    """Send what the call hands over, if it does."""
    if call.name.endswith(".run_in_executor"):
        _in_executor(crossings, machine, call)
        return
    boundary = CALLS.get(call.name) or crossings.extra_calls.get(call.name)
    if boundary is not None:
        _send(crossings, machine, call, boundary)


def _in_executor(crossings: Crossings, machine: Machine, call: Call) -> None:
    """`loop.run_in_executor(executor, function, *arguments)`: None stands for a pool of threads."""
    executor = call.arguments.get(0, "executor")
    if executor is None:
        return
    for one in alternatives(executor):
        if isinstance(one, Opaque) and one.base_type == PROCESS_EXECUTOR:
            rest = Arguments(call.arguments.positional[1:], {}, call.arguments.others)
            submitted = Call(f"{PROCESS_EXECUTOR}.submit", one, rest, call.span, call.frame, call.result)
            _send(crossings, machine, submitted, CALLS[submitted.name])
            return


def _send(crossings: Crossings, machine: Machine, call: Call, boundary: Boundary) -> None:
    for sent in boundary.sends:
        for step, value in _handed_over(machine, call, sent):
            crossings.send(
                machine,
                value,
                call,
                boundary=sent.boundary,
                sent=sent.name or "args",
                serializer=boundary.serializer,
                methods=boundary.methods,
                outcome=boundary.outcome,
                unloadable=boundary.unloadable,
                step=step,
            )
    if boundary.task is not None:
        _run_task(crossings, machine, call, boundary)


def _handed_over(machine: Machine, call: Call, sent: Sent) -> Iterator[tuple[str, Value]]:
    """Yield what goes of one argument, each with the step that leads to it."""
    given = call.arguments
    if sent.how == "rest":
        yield from ((f"[{i}]", value) for i, value in enumerate(given.positional[sent.position or 0 :]))
    elif sent.how == "rest-items":
        for value in given.positional[sent.position or 0 :]:
            yield "[*]", _item(machine, value, call)
    elif sent.how == "keywords":
        yield from ((f"[{key!r}]", value) for key, value in given.keywords.items() if key not in ("fn", "timeout"))
    else:
        argument = given.get(sent.position, sent.name)
        if argument is None or argument == NONE:
            return
        yield ("", argument) if sent.how == "whole" else ("[*]", _item(machine, argument, call))


def _item(machine: Machine, value: Value, call: Call) -> Value:
    return iteration.item_of(machine, value, call.frame, call.span)


# -- what comes back ----------------------------------------------------------------------------------------------


def _run_task(crossings: Crossings, machine: Machine, call: Call, boundary: Boundary) -> None:
    """Run the task as the worker would: what it returns or raises is sent back."""
    assert boundary.task is not None
    task = call.arguments.get(boundary.task.position, boundary.task.name)
    if task is None:
        return
    before = len(machine.raised)
    with worker_side(machine, call.receiver, call):
        result = run_in_worker(machine, task, _task_arguments(machine, call, boundary), call)
        raised = machine.raised[before:]
        del machine.raised[before:]
        if boundary.serializer == "spawning":
            return
        _send_back(crossings, machine, result, call, boundary)
        for exception, _, _ in raised:
            _send_exception(crossings, machine, exception, call, boundary)


def _task_arguments(machine: Machine, call: Call, boundary: Boundary) -> Arguments:
    """Return what the task is called with."""
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    others = False
    for sent in boundary.sends[1:]:
        for step, value in _handed_over(machine, call, sent):
            if sent.how == "whole" and sent.name in ("args", "kwargs", "kwds"):
                exact = iteration.exact_items(value) if sent.name == "args" else None
                others |= exact is None
                positional += exact or []
            elif sent.how == "starred":
                exact = iteration.exact_items(value)
                others |= exact is None
                positional += exact or []
            elif sent.how == "keywords":
                keywords[step[2:-2]] = value
            else:
                positional.append(value)
    if boundary.task is not None and boundary.task.boundary == "torch-spawn":
        positional.insert(0, Opaque("int", call.span))  # the number of the process
    return Arguments(tuple(positional), keywords, others, others)


def _send_back(
    crossings: Crossings, machine: Machine, result: Value, call: Call, boundary: Boundary, sent: str = "result"
) -> None:
    crossings.send(
        machine,
        result,
        call,
        boundary="result",
        sent=sent,
        serializer="forking",
        methods=ALWAYS,
        unloadable=boundary.unloadable,
        step="<return>" if sent == "result" else "",
    )


def _send_exception(crossings: Crossings, machine: Machine, exception: Value, call: Call, boundary: Boundary) -> None:
    """An exception that isn't caught in the worker is sent back."""
    for one in alternatives(exception):
        if isinstance(one, Instance) and is_exception(one.cls):
            _send_back(crossings, machine, one, call, boundary, "exception")

