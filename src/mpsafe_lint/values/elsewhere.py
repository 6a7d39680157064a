"""Attributes that other methods set: those of an object that nobody is seen to make may have run in any order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.values import (
    NONE,
    UNKNOWN,
    UNKNOWN_ARGUMENTS,
    Class,
    Container,
    Function,
    Instance,
    Value,
    alternatives,
    one_of,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine

SETTER_STEPS = 2_000
"""Steps for a method that is run for what it leaves in an attribute."""

NOT_BEFORE = frozenset({"__init__", "__new__", "run", "__getitem__", "__getitems__", "__iter__", "__next__"})
"""Methods that have run already, and those that other processes run."""


FILLING = frozenset({"append", "add", "extend", "insert", "setdefault", "update"})
"""Methods that put something into a container."""


def is_open(stored: Value | None) -> bool:
    """Tell whether an attribute waits for its value: it is None, or an empty container."""
    return stored in (None, NONE) or (isinstance(stored, Container) and not stored.slots and stored.type in _FILLED)


_FILLED = ("list", "dict", "set", "collections.OrderedDict", "collections.defaultdict")


def with_what_is_set(
    machine: Machine, instance: Instance, name: str, stored: Value | None, frame: Frame
) -> Value | None:
    """Return what an attribute holds, or what other methods leave in it.

    The object stays as it is: what it was when it was sent is not known by this.
    """
    key = instance, name
    if key not in machine.elsewhere:
        machine.elsewhere[key] = None  # for a setter that asks for it
        machine.elsewhere[key] = _left_by_methods(machine, instance, name, frame)
    left = machine.elsewhere[key]
    if left is None:
        return stored
    return one_of((stored, left)) if isinstance(stored, Container) else left


def _left_by_methods(machine: Machine, instance: Instance, name: str, frame: Frame) -> Value | None:
    running = {one.function.node for one in frame.stack() if one.function is not None}
    left: list[Value] = []
    for method in _setters(instance.cls, name):
        if method.node in running:
            continue
        with machine.unobserved(), machine.trial(), machine.budget(SETTER_STEPS):
            machine.call(method, UNKNOWN_ARGUMENTS.after(instance), method.span, frame)
            left += [_as_it_is(one) for one in alternatives(instance.get(name) or UNKNOWN)]
    known = [one for one in left if one not in (UNKNOWN, NONE)]
    return one_of(known) if known else None


def _as_it_is(value: Value) -> Value:
    """Return a container with what it holds now: what the method put into it will be taken back."""
    if not isinstance(value, Container):
        return value
    copy = Container(value.type, value.site, open_=value.open)
    copy.slots.update(value.slots)
    return copy if copy.slots else UNKNOWN


def _setters(cls: Class, name: str) -> Iterator[Function]:
    """Yield the methods of a class and of its bases that store into `self.name`."""
    seen = set(NOT_BEFORE)
    for one in cls.mro:
        for key, slot in one.slots.items() if isinstance(one, Class) else ():
            if isinstance(key, str) and key not in seen:
                seen.add(key)
                if isinstance(slot.value, Function) and name in _stored_names(slot.value.node):
                    yield slot.value


@lru_cache(maxsize=10_000)
def _stored_names(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """Return the attributes of its first parameter that a method stores into, or fills."""
    parameters = [*node.args.posonlyargs, *node.args.args]
    targets = [_filled(one) for one in ast.walk(node)]
    return frozenset(
        one.attr
        for one in targets
        if isinstance(one, ast.Attribute)
        and isinstance(one.value, ast.Name)
        and parameters
        and one.value.id == parameters[0].arg
    )


def _filled(node: ast.AST) -> ast.AST | None:
    """Return what a part of a function gives a value, or another item."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return node
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FILLING:
        return node.func.value
    return None
