"""What a condition tells of what it asks about: `if x is None`, `if self.pool`, `if not (a and isinstance(b, C))`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from mpsafe_lint.values import attributes, builtins
from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.truth import compare, truth
from mpsafe_lint.values.values import (
    NONE,
    Arguments,
    Cell,
    Container,
    Descriptor,
    Function,
    Instance,
    Scope,
    Slot,
    Value,
    alternatives,
    one_of,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine


def refine(machine: Machine, test: ast.expr, outcome: bool, frame: Frame) -> None:
    """Leave the alternatives under which `test` comes out as `outcome`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        refine(machine, test.operand, not outcome, frame)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is outcome:  # all are true, or all are false
            for part in test.values:
                refine(machine, part, outcome, frame)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and _is_none(test.comparators[0]):
        operation = test.ops[0]
        _keep(machine, test.left, frame, lambda value: compare(operation, value, NONE) is not (not outcome))
    elif isinstance(test, ast.Call) and getattr(test.func, "id", "") == "isinstance" and len(test.args) == 2:
        classes, span = machine.evaluate(test.args[1], frame), frame.module.span(test)
        decide = builtins.HANDLERS["isinstance"]
        _keep(
            machine,
            test.args[0],
            frame,
            lambda value: truth(decide(machine, Arguments((value, classes)), span, frame)) is not (not outcome),
        )
    else:
        _keep(machine, test, frame, lambda value: truth(value) is not (not outcome))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _keep(machine: Machine, node: ast.expr, frame: Frame, holds: Callable[[Value], bool]) -> None:
    """Drop the alternatives of a variable or attribute that the condition rules out."""
    place = _place(machine, node, frame)
    if place is None:
        return
    cell, key = place
    slot = cell.slots.get(key)
    if slot is None:
        return
    if isinstance(slot.value, Container) and not holds(slot.value):
        for inner in [one for one, _ in slot.value.items()]:
            machine.remove(slot.value, inner)
        return
    before = alternatives(slot.value)
    after: list[Value] = [value for value in before if holds(value)]
    if after and len(after) < len(before):
        machine.journal.write(cell, key, Slot(one_of(after), slot.place))


def _place(machine: Machine, node: ast.expr, frame: Frame) -> tuple[Cell, str] | None:
    """Return the cell and key of a variable, or of an attribute of one object."""
    if isinstance(node, ast.Name):
        scope: Scope | None = frame.scope
        while scope is not None and node.id not in scope.slots:
            scope = scope.parent
        return None if scope is None else (scope, node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = machine.evaluate(node.value, frame)
        return (owner, _kept_as(owner, node.attr)) if isinstance(owner, Instance) else None
    return None


def _kept_as(owner: Instance, name: str) -> str:
    """Return the attribute that a name stands for: a property may end with `return self.attribute`."""
    member = attributes.find_in_class(owner.cls, name)
    if not (isinstance(member, Descriptor) and member.kind == "property" and isinstance(member.function, Function)):
        return name
    body = member.function.node.body
    last = body[-1] if isinstance(body, list) else None
    given = last.value if isinstance(last, ast.Return) else None
    return given.attr if isinstance(given, ast.Attribute) and isinstance(given.value, ast.Name) else name
