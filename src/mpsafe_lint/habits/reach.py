"""What can be got at through a value."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator

from mpsafe_lint.values.values import (
    GIVEN_BY,
    Bound,
    Cell,
    Container,
    Descriptor,
    Function,
    Instance,
    Namespace,
    OneOf,
    Opaque,
    Partial,
    Scope,
    Super,
    Value,
)

MOST = 2_000
"""Values that are looked at for one call, the nearest first; what lies behind them is not found."""


def reachable(values: Iterable[Value], most: int = MOST, copies: frozenset[str] = frozenset()) -> Iterator[Cell]:
    """Yield every object that the values hold, at any depth: in containers, attributes, arguments and closures, and the
    objects whose methods gave them: the pool of a result. `copies` are types that hold nothing of what gave them."""
    waiting = deque(values)
    seen: set[int] = set()
    while waiting and len(seen) < most:
        value = waiting.popleft()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Cell):
            yield value
        waiting += _parts(value, copies)


def _parts(value: Value, copies: frozenset[str]) -> list[Value]:
    if isinstance(value, OneOf):
        return list(value.values)
    if isinstance(value, (Container, Instance)):
        return [slot.value for slot in value.slots.values()]
    if isinstance(value, Opaque):
        kept = [slot.value for key, slot in value.slots.items() if key != GIVEN_BY or value.type not in copies]
        return [*kept, *value.arguments.values()]
    if isinstance(value, Partial):
        return [value.function, *value.arguments.values()]
    if isinstance(value, Bound):
        return [value.self, value.function]
    if isinstance(value, Function):
        return [*value.defaults, *_captured(value)]
    if isinstance(value, Namespace):
        return [value.instance]
    if isinstance(value, Super):
        return [value.self]
    return [value.function] if isinstance(value, Descriptor) else []


def _captured(function: Function) -> list[Value]:
    """Return what a function closes over: the variables of functions round it that it names."""
    scope: Scope | None = function.scope
    if scope is None or scope.parent is None:
        return []
    names = {node.id for node in ast.walk(function.node) if isinstance(node, ast.Name)}
    found: list[Value] = []
    while scope is not None and scope.parent is not None:
        found += [slot.value for name, slot in scope.slots.items() if name in names]
        scope = scope.parent
    return found
