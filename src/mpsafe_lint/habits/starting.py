"""Where processes are started: at import (MPS301), and by daemons (MPS305)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mpsafe_lint.crossings.loaders import may_have_workers
from mpsafe_lint.crossings.sending import name_of
from mpsafe_lint.habits.syntax import FUNCTIONS, Syntax, called_name
from mpsafe_lint.habits.trace import Event, Subject, constant
from mpsafe_lint.knowledge.boundaries import NOT_FORK
from mpsafe_lint.values import attributes
from mpsafe_lint.values.frames import Worker
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import Constant, Function, Instance, Opaque, Value, alternatives

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

STARTS = {
    ("process", "start"): "a process",
    ("pool", "new"): "a pool",
    ("executor", "submit"): "an executor's workers",
    ("executor", "map"): "an executor's workers",
    ("spawn", "start"): "processes",
    ("manager", "new"): "a manager",
    ("loader", "__iter__"): "a DataLoader's workers",
}
"""By family and name, the events that start processes."""


def starts(event: Event) -> str | None:
    """Say what an event starts, where it starts processes."""
    what = STARTS.get((event.family, event.name))
    if event.family == "loader" and what and not may_have_workers(event.subject.arguments):
        return None
    return what


DAEMON = "<daemon>"
"""Where an instance keeps what its class told the constructor of Process."""


def note_daemon(habits: Habits, machine: Machine, event: Event) -> None:
    """Keep what the constructor of a class of processes hands on to that of Process."""
    value = event.call.arguments.get(None, "daemon")
    if event.family == "process" and event.name == "__init__" and value is not None:
        machine.write(event.subject, DAEMON, value)


def is_daemon(process: Subject) -> bool | None:
    """Tell whether a process is a daemon; None where that is not known."""
    value = process.get("daemon")
    if value is None and isinstance(process, Instance):
        value = process.get(DAEMON) or attributes.find_in_class(process.cls, "daemon")
    if value is None:
        value = process.arguments.get(None, "daemon")
    if value is None or value == Constant(None):
        return False if isinstance(process, Opaque) or value is None else None
    decided = {constant(one) for one in alternatives(value)}
    return bool(decided.pop()) if len(decided) == 1 and ... not in decided else None


_STARTERS = frozenset({"start", "Pool", "Manager", "ProcessPoolExecutor", "spawn", "start_processes"})


def constructor_starts(instance: Instance) -> bool:
    """Tell whether the constructor of an object may start processes itself, so that it has to be run in its turn."""
    constructor = attributes.find_in_class(instance.cls, "__init__")
    return isinstance(constructor, Function) and any(
        isinstance(node, ast.Call) and called_name(node) in _STARTERS for node in ast.walk(constructor.node)
    )


# -- MPS301 -------------------------------------------------------------------------------------------------------


BOOTSTRAPPING = (
    "RuntimeError: An attempt has been made to start a new process before the current process has finished its "
    "bootstrapping phase."
)


def no_main_guard(habits: Habits, machine: Machine, event: Event) -> None:
    """Report the first statement of a module that starts processes while the module is imported."""
    root = event.path[-1]
    module = root.frame.module
    if not root.frame.importing or event.worker is not None or not starts(event):
        return
    if module.path.rpartition("/")[2] == "__main__.py":
        return  # a worker doesn't import it
    syntax = habits.syntax(module)
    node = syntax.expressions.get(root.span)
    statement = syntax.statement(node) if node is not None else None
    if statement is None or any(key[0] == "no-main-guard" and key[1].path == module.path for key in habits.found):
        return
    what = starts(event)
    message = f"{what} started when this module is imported, as it is by each worker under spawn and forkserver"
    habits.report(
        machine, "no-main-guard", syntax.header(statement), message, event.call, NOT_FORK, error=BOOTSTRAPPING
    )


# -- MPS305 -------------------------------------------------------------------------------------------------------


def daemon_children(habits: Habits, machine: Machine, event: Event) -> None:
    """Report what starts processes on the side of a worker that is a daemon, at the call in the worker's own function
    that leads to it."""
    worker = event.worker
    what = starts(event)
    if worker is None or what is None or not _is_certain(event):
        return
    owner = _daemon(worker)
    place = next((place for place in reversed(event.path) if place.span.path in habits.files), None)
    if owner and place is not None and not _is_caught(habits, event):
        where = "" if place is event.path[0] else f" ({event.span.path}:{event.span.line})"
        message = f"{what} started{where} by {owner}, which is a daemon"
        error = "AssertionError: daemonic processes are not allowed to have children"
        habits.report(machine, "daemon-children", place.span, message, event.call, outcome="raises", error=error)


def _daemon(worker: Worker) -> str:
    """Say which daemon a worker is; nothing where it is none."""
    subject = worker.subject
    if isinstance(subject, Opaque) and subject.base_type == "multiprocessing.Pool":
        return "a worker of a Pool"
    if isinstance(subject, Opaque) and subject.base_type.endswith(".DataLoader"):
        return "a worker of a DataLoader" if _has_workers(subject) else ""
    if isinstance(subject, (Opaque, Instance)) and is_daemon(subject) and not _is_pool_like(subject):
        return f"the process {name_of(subject)}" if isinstance(subject, Instance) else "a process with daemon=True"
    if subject is None and constant(worker.call.arguments.get(4, "daemon")) is True:
        return "a process of torch.multiprocessing.spawn with daemon=True"
    return ""


def _is_pool_like(subject: Value) -> bool:
    return isinstance(subject, Opaque) and subject.base_type != "multiprocessing.Process"


def _has_workers(loader: Opaque) -> bool:
    count = loader.arguments.get(5, "num_workers")
    return isinstance(count, Constant) and isinstance(count.value, int) and count.value > 0


def _is_certain(event: Event) -> bool:
    """Whether a worker gets there whatever it is asked. A DataLoader's loop tells nothing unless it has workers."""
    if event.family == "loader" and isinstance(event.subject, Opaque) and not _has_workers(event.subject):
        return False
    return not event.within("branch", "except")


def _is_caught(habits: Habits, event: Event) -> bool:
    """Whether the AssertionError is caught before it leaves the worker, by name or with all others."""
    return any(
        _catches(habits.syntax(place.frame.module), node)
        for place in event.path
        if (node := habits.node_at(place.frame.module, place.span)) is not None
    )


def _catches(syntax: Syntax, node: ast.AST) -> bool:
    for parent, child in syntax.ancestors(node):
        if isinstance(parent, FUNCTIONS):
            return False
        if isinstance(parent, ast.Try) and child in parent.body:
            names = [ast.unparse(one.type) if one.type else "Exception" for one in parent.handlers]
            if any(word in name for name in names for word in ("Exception", "AssertionError")):
                return True
    return False
