"""Functions that are called where they should be handed over (MPS308)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mpsafe_lint.habits.trace import Event
from mpsafe_lint.knowledge.boundaries import POOL_METHODS
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import Constant, Container, Opaque, Value, alternatives

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

TAKES: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {
    ("process", "new"): (("target", 1),),
    ("pool", "new"): (("initializer", 1),),
    ("executor", "new"): (("initializer", 2),),
    ("spawn", "start"): (("fn", 0),),
    **{("pool", name): (("func", 0),) for name in POOL_METHODS},
    ("executor", "submit"): (("fn", 0),),
    ("executor", "map"): (("fn", 0),),
}
"""By family and name, the parameters that take a function."""

NOT_CALLABLE = frozenset(
    {
        *("generator", "coroutine", "async_generator", "str", "int", "float", "bool", "bytes", "NoneType"),
        *("multiprocessing.pool.ApplyResult", "concurrent.futures.Future"),
    }
)


def target_called(habits: Habits, machine: Machine, event: Event) -> None:
    """Report an argument that is the result of a call and can't be called itself."""
    for name, position in TAKES.get((event.family, event.name), ()):
        value = event.call.arguments.get(position, name)
        place = event.path[0]
        node = habits.node_at(place.frame.module, place.span)
        if value is None or not isinstance(node, ast.Call):
            continue
        argument = _argument(node, name, position)
        if isinstance(argument, ast.Call) and all(_is_not_callable(one) for one in alternatives(value)):
            called = ast.unparse(argument.func)
            message = f"{called}() is called here, in the parent, and what it returns is taken for the {_role(name)}"
            habits.report(machine, "target-called", place.frame.module.span(argument), message, event.call)


def _role(name: str) -> str:
    return "function to run" if name in ("func", "fn") else name


def _argument(node: ast.Call, name: str, position: int) -> ast.expr | None:
    named = next((keyword.value for keyword in node.keywords if keyword.arg == name), None)
    if named is not None:
        return named
    before = node.args[: position + 1]
    if len(before) <= position or any(isinstance(one, ast.Starred) for one in before):
        return None
    return before[position]


def _is_not_callable(value: Value) -> bool:
    if isinstance(value, Opaque):
        return value.base_type in NOT_CALLABLE
    return isinstance(value, (Constant, Container))
