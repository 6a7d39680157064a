"""Pools that are used after their end (MPS310), or opened above what they run (MPS311)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mpsafe_lint.habits.trace import Event
from mpsafe_lint.knowledge.boundaries import POOL_METHODS
from mpsafe_lint.values.frames import Call
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import (
    GIVEN_BY,
    Bound,
    Constant,
    Function,
    Opaque,
    Partial,
    Value,
    alternatives,
)

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

# -- MPS310 -------------------------------------------------------------------------------------------------------

STATE = "<state>"
"""Where a pool, in the state of the run, keeps how far it is: open, closed (no new tasks), finished (closed, and all
results are there) or terminated (what was to come never comes). What only one of several paths did leaves it open."""

ASKED = "<asked>"
"""Where a result keeps that it was read, or waited for."""

POOL = "multiprocessing.Pool"
OPEN, CLOSED, FINISHED, TERMINATED = (Constant(name) for name in ("open", "closed", "finished", "terminated"))

TASKS = {
    "pool": frozenset({*POOL_METHODS, "__enter__"}),
    "executor": frozenset({"submit", "map"}),
}
READS = frozenset({"get", "wait", "next", "__iter__", "read", "result"})


def closed_pool(habits: Habits, machine: Machine, event: Event) -> None:
    """Follow the state of each pool, and report its use after the end."""
    if event.family in TASKS:
        _follow(machine, event)
        state = event.subject.get(STATE)
        if event.name in TASKS[event.family] and state in (CLOSED, FINISHED, TERMINATED):
            what, error = _ended(event)
            message = f"a task for {what} that was closed before"
            habits.report(machine, "closed-pool", event.span, message, event.call, outcome="raises", error=error)
    elif event.family == "result" and event.name in READS:
        pool = event.subject.get(GIVEN_BY)
        ended = isinstance(pool, Opaque) and pool.get(STATE) == TERMINATED and event.subject.get(ASKED) is None
        timed = bool(event.call.arguments.keywords or event.call.arguments.positional)
        if ended and not (timed and event.within("try")) and habits.made[id(event.subject)].family == "result":
            message = "results read after the pool was terminated, which may never come"
            outcome = "raises" if timed else "hangs"
            habits.report(machine, "closed-pool", event.span, message, event.call, outcome=outcome)
    if event.family == "result" and event.name != "new":
        machine.write(event.subject, ASKED, Constant(True))


def _ended(event: Event) -> tuple[str, str]:
    if event.family == "pool":
        return "a pool", "ValueError: Pool not running"
    return "an executor", "RuntimeError: cannot schedule new futures after shutdown"


def _follow(machine: Machine, event: Event) -> None:
    pool, name = event.subject, event.name
    state = pool.get(STATE)
    if name == "new":
        machine.write(pool, STATE, OPEN)
    elif name in ("close", "shutdown"):
        machine.write(pool, STATE, CLOSED)
    elif name == "join" and state == CLOSED:
        machine.write(pool, STATE, FINISHED)
    elif name == "__exit__" and event.family == "executor":
        machine.write(pool, STATE, CLOSED)
    elif name in ("__exit__", "terminate") and state in (OPEN, CLOSED):
        machine.write(pool, STATE, TERMINATED)


def note_left(habits: Habits, machine: Machine, call: Call) -> None:
    """A function that returns results out of the `with` of its pool has terminated the pool when they are read."""
    trace = habits.trace_of(call.frame)
    for one in alternatives(call.result):
        pool = one.get(GIVEN_BY) if isinstance(one, Opaque) and id(one) in habits.made else None
        if not isinstance(pool, Opaque) or pool.base_type != POOL:
            continue
        if trace.of(pool, "__exit__") and pool.get(STATE) == OPEN:
            machine.write(pool, STATE, TERMINATED)


# -- MPS311 -------------------------------------------------------------------------------------------------------


def early_pool(habits: Habits, machine: Machine, event: Event) -> None:
    """Report a pool that was opened at module level, above the definition of what it is given to run."""
    if event.family != "pool" or event.name not in TASKS["pool"]:
        return
    made = habits.made.get(id(event.subject))
    root = made.path[-1] if made is not None else None
    task = event.call.arguments.get(0, "func")
    if made is None or root is None or root.frame.function is not None or task is None:
        return
    for one in alternatives(task):
        defined = _definition(one)
        if defined is None or defined.module is not root.frame.module or defined.is_local:
            continue
        if defined.span.line > root.span.line and _is_at_module_level(made):
            message = f"the pool is opened above the definition of {defined.name}: under fork its workers lack it"
            habits.report(machine, "early-pool", root.span, message, made.call, ("fork",), outcome="hangs")
            return


def _is_at_module_level(made: Event) -> bool:
    """Whether the pool is made by a statement of the module itself, or by a function that such a one calls."""
    root = made.path[-1]
    return root.frame.importing or any(guard.kind == "main" for guard in root.guards)


def _definition(task: Value) -> Function | None:
    while isinstance(task, Partial):
        task = task.function
    if isinstance(task, Bound):
        task = task.function
    if isinstance(task, Function) and task.defining_class is not None:
        return task
    return task if isinstance(task, Function) and not task.is_lambda else None
