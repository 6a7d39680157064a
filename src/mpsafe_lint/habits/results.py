"""Results that nobody asks for (MPS309)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mpsafe_lint.habits.trace import Event, Trace
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import Bound, Constant, Function, Partial, Value

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits


WAITS = frozenset({"new", "wait", "ready", "done", "running"})
"""What happens to a result and doesn't raise the error in it."""


def lost_error(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report a task whose result nobody looks at. One run that sees it looked at is enough to clear it."""
    for event in trace.all("result", "new"):
        result = event.subject
        if any(one.name not in WAITS for one in trace.of(result)):
            habits.clear("lost-error", event.span)
        elif trace.complete and id(result) not in trace.escaped and not _is_told(event):
            method = event.call.name.rpartition(".")[2]
            message = f"nobody asks for the result of {method}(), so that an error in it is lost"
            habits.report(machine, "lost-error", event.span, message, event.call, outcome="lost")


def _is_told(event: Event) -> bool:
    """Whether an error is told otherwise: to an error_callback, or since the task catches all."""
    callback = event.call.arguments.get(None, "error_callback")
    if callback is not None and callback != Constant(None):
        return True
    task = event.call.arguments.get(0, "func") or event.call.arguments.get(0, "fn")
    return task is not None and _catches_all(task)


def _catches_all(task: Value) -> bool:
    while isinstance(task, (Partial, Bound)):
        task = task.function
    if not isinstance(task, Function) or isinstance(task.node, ast.Lambda):
        return False
    attempts = [one for one in task.node.body if isinstance(one, ast.Try)]
    rest = [one for one in task.node.body if one not in attempts]
    calls = any(isinstance(node, ast.Call) for one in rest for node in ast.walk(one))
    return bool(attempts) and not calls and all(any(map(_is_broad, one.handlers)) for one in attempts)


def _is_broad(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches every error, and keeps or tells it: one that only raises another one does neither."""
    names = ast.unparse(handler.type) if handler.type is not None else "Exception"
    nodes = [node for one in handler.body if not isinstance(one, ast.Raise) for node in ast.walk(one)]
    raises = any(isinstance(node, ast.Raise) for one in handler.body for node in ast.walk(one))
    tells = any(isinstance(node, ast.Call) for node in nodes)
    return (tells or not raises) and any(name in names for name in ("Exception", "BaseException"))
