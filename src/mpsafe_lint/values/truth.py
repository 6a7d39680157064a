"""What can be decided before the program runs: which way a condition goes."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable
from typing import Any

from mpsafe_lint.knowledge import importable, makers, types
from mpsafe_lint.values.values import (
    Bound,
    Class,
    Constant,
    Container,
    External,
    Function,
    Instance,
    ModuleValue,
    Namespace,
    OneOf,
    Opaque,
    Partial,
    Value,
)


def truth(value: Value) -> bool | None:
    """Return whether a value counts as true, or None where that is not known."""
    if isinstance(value, Constant):
        return bool(value.value)
    if isinstance(value, Container):
        length = value.length()
        return None if length is None else bool(length)
    if isinstance(value, OneOf):
        decided = {truth(one) for one in value.values}
        return decided.pop() if len(decided) == 1 and not value.others else None
    if isinstance(value, Instance):
        hooks = [
            name
            for cls in value.cls.mro
            if isinstance(cls, Class)
            for name in ("__bool__", "__len__")
            if name in cls.slots
        ]
        return True if value.cls.complete and not hooks and len(value.cls.mro) and _all_known(value) else None
    if isinstance(value, (Function, Class, Bound, Partial, ModuleValue)):
        return True
    if isinstance(value, External):
        return True if _is_callable(makers.canonical(value.name)) else None
    return True if isinstance(value, Opaque) and types.is_always_true(value.base_type) else None


def _is_callable(name: str) -> bool:
    """Tell whether what a library calls `name` is known to be a function or class."""
    if "." not in name:
        return callable(getattr(builtins, name, None))
    return makers.value_of(name) is None and (makers.result_of(name) is not None or importable.is_sent(name))


def _all_known(value: Instance) -> bool:
    return all(isinstance(cls, Class) for cls in value.cls.mro)


_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}


def compare(operation: ast.cmpop, left: Value, right: Value) -> bool | None:
    """Return what a comparison gives, or None where that is not known."""
    if isinstance(operation, (ast.Is, ast.IsNot)):
        same = _identical(left, right)
        return same if same is None or isinstance(operation, ast.Is) else not same
    if isinstance(operation, (ast.In, ast.NotIn)) and isinstance(right, (Container, Namespace)):
        found = _contains(right, left) if isinstance(right, Container) else _is_attribute(right.instance, left)
        return found if found is None or isinstance(operation, ast.In) else not found
    if isinstance(left, Constant) and isinstance(right, Constant):
        try:
            return bool(_COMPARISONS[type(operation)](left.value, right.value))
        except (TypeError, ValueError):
            return None
    if isinstance(operation, (ast.Eq, ast.NotEq)) and Constant(None) in (left, right):
        same = _identical(left, right)
        return same if same is None or isinstance(operation, ast.Eq) else not same
    return None


def _identical(left: Value, right: Value) -> bool | None:
    singletons = (None, True, False)
    for one, other in ((left, right), (right, left)):
        if not (isinstance(one, Constant) and any(one.value is singleton for singleton in singletons)):
            continue
        if isinstance(other, Constant):
            return one.value is other.value
        if isinstance(other, (Instance, Function, Class, Bound, Partial, Container, Opaque, ModuleValue, External)):
            return False
    return None


def _is_attribute(owner: Instance, name: Value) -> bool | None:
    if not isinstance(name, Constant) or owner.synthetic:
        return None
    return name.value in owner.slots if all(isinstance(one, str) and one != "?" for one in owner.slots) else None


def _contains(container: Container, item: Value) -> bool | None:
    if not isinstance(item, Constant) or container.length() is None:
        return None
    if container.type in ("dict", "collections.OrderedDict", "collections.defaultdict"):
        return ("k", item.value) in container.slots
    items = list(container.values())
    if all(isinstance(one, Constant) for one in items):
        return any(isinstance(one, Constant) and one.value == item.value for one in items)
    return None
