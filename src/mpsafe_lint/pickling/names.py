"""Can pickle find a function or class again under its qualified name? It sends no more than that."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum

from mpsafe_lint.modules.module import Module
from mpsafe_lint.knowledge import makers
from mpsafe_lint.values import attributes
from mpsafe_lint.values.calls import looks_like_class
from mpsafe_lint.values.expressions import BUILTINS
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.statements import is_main_guard
from mpsafe_lint.values.values import UNKNOWN, Class, Function, Instance, Value, alternatives


class Importability(Enum):
    """What a look-up by name comes to."""

    FOUND = "found"
    LOCAL = "local"
    MISSING = "missing"
    OTHER = "other"
    MAIN_BLOCK = "main block"


@dataclass(frozen=True, slots=True)
class Lookup:
    """The outcome, and the module and qualified name that were looked up."""

    verdict: Importability
    module: str
    name: str


def importability(machine: Machine, value: Function | Class) -> Lookup:
    """Look a function or class up as pickle does. A function that functools.wraps was applied to goes by the name of
    what it wraps."""
    named = _name_giver(value)
    if not isinstance(named, (Function, Class)):
        return Lookup(Importability.FOUND, value.module.name, value.name)
    module, name = named.module, named.name
    if "<locals>" in name:
        return Lookup(Importability.LOCAL, module.name, name)
    found = _look_up(machine, module, name)
    if found is None:
        # A name that the module as a whole doesn't bind may be bound in a way that is not followed.
        missing = isinstance(value, Class) and value.decorated
        return Lookup(Importability.MISSING if missing else _in_main_block(named), module.name, name)
    candidates = alternatives(found)
    if any(one is value or one is UNKNOWN for one in candidates):
        return Lookup(_in_main_block(named), module.name, name)
    if all(isinstance(one, (Function, Class, Instance)) for one in candidates) and not _same_definition(value, candidates):
        return Lookup(Importability.OTHER, module.name, name)
    return Lookup(Importability.FOUND, module.name, name)


def is_callable(name: str) -> bool:
    """Tell whether what a library calls `name` is known to be a function or class, which pickle sends by its name."""
    return name in BUILTINS or makers.result_of(name) is not None or looks_like_class(name)


def _name_giver(value: Function | Class) -> Value:
    """Follow functools.wraps: the wrapper has the name of what it wraps."""
    for _ in range(10):
        wrapped = value.get("__wrapped__") if isinstance(value, Function) else None
        if wrapped is None:
            return value
        if not isinstance(wrapped, Function):
            return wrapped
        value = wrapped
    return UNKNOWN


def _same_definition(value: Function | Class, candidates: tuple[Value, ...]) -> bool:
    """A definition that was run twice (in a loop, on two paths) is one and the same for the program."""
    return any(isinstance(one, (Function, Class)) and one.node is value.node for one in candidates)


def _look_up(machine: Machine, module: Module, name: str) -> Value | None:
    head, *rest = name.split(".")
    value = machine.module_scope(module).get(head)
    for part in rest:
        if not isinstance(value, Class):
            return UNKNOWN if value is not None else None
        value = attributes.find_in_class(value, part)
    return None if value is None else machine.resolve(value)


def _in_main_block(value: Function | Class) -> Importability:
    """What a main block defines is there in the parent alone."""
    for statement in value.module.tree.body:
        if (
            isinstance(statement, ast.If)
            and is_main_guard(statement.test)
            and statement.lineno <= value.node.lineno <= (statement.end_lineno or 0)
            if hasattr(value.node, "lineno")
            else False
        ):
            return Importability.MAIN_BLOCK
    return Importability.FOUND
