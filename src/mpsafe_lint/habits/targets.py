"""Functions that are called where they should be handed over (MPS308)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mpsafe_lint.habits.quiet import quietly
from mpsafe_lint.habits.syntax import COMPREHENSIONS, called_name, own_nodes
from mpsafe_lint.habits.trace import Event
from mpsafe_lint.knowledge.boundaries import POOL_METHODS
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import UNKNOWN, Bound, Constant, Container, Function, Opaque, Value, alternatives

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
        if not isinstance(argument, ast.Call):
            continue
        returns_data = UNKNOWN in alternatives(value) and _returns_data(quietly(machine, argument.func, place.frame))
        if all(is_not_callable(one) or (one is UNKNOWN and returns_data) for one in alternatives(value)):
            called = ast.unparse(argument.func)
            message = f"{called}() is called here, in the parent, and what it returns is taken for the {_role(name)}"
            habits.report(machine, "target-called", place.frame.module.span(argument), message, event.call)


def _returns_data(function: Value) -> bool:
    """Whether all that a function of the program returns is made by operators, literals and functions that count."""
    if isinstance(function, Bound):
        function = function.function
    if not isinstance(function, Function) or isinstance(function.node, ast.Lambda):
        return False
    nodes = [node for statement in function.node.body for node in own_nodes(statement)]
    returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    return bool(returned) and all(_is_data(one, nodes) for one in returned)


_DATA = (ast.BinOp, ast.Compare, ast.Constant, ast.JoinedStr, ast.Tuple, ast.List, ast.Dict, ast.Set, *COMPREHENSIONS)
_COUNTS = frozenset({"len", "sum", "int", "float", "str", "round", "list", "dict", "tuple", "set", "sorted", "join"})


def _is_data(node: ast.expr, nodes: list[ast.AST]) -> bool:
    if isinstance(node, ast.Name):
        bound = [one for one in nodes if isinstance(one, (ast.Assign, ast.AugAssign)) and _binds(one, node.id)]
        return bool(bound) and all(isinstance(one, ast.AugAssign) or _is_plain(one.value) for one in bound)
    return _is_plain(node)


def _is_plain(node: ast.expr) -> bool:
    return isinstance(node, _DATA) or (isinstance(node, ast.Call) and called_name(node) in _COUNTS)


def _binds(node: ast.Assign | ast.AugAssign, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(one, ast.Name) and one.id == name for target in targets for one in ast.walk(target))


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


def is_not_callable(value: Value) -> bool:
    """Tell whether a value is data, which can't be called."""
    if isinstance(value, Opaque):
        return value.base_type in NOT_CALLABLE
    return isinstance(value, (Constant, Container))
