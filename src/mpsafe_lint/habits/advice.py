"""Advice: lazy values (MPS401), pickled tensors (MPS402), shared memory (MPS403), rebuilt loaders (MPS404)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mpsafe_lint.crossings.loaders import may_have_workers
from mpsafe_lint.habits.reach import reachable
from mpsafe_lint.habits.syntax import LOOPS, LoopNode, Syntax, called_name
from mpsafe_lint.habits.trace import Event, Trace, constant
from mpsafe_lint.knowledge import makers
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values import attributes
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import Cell, Class, Container, External, Function, Instance, Opaque, Value

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

# -- MPS401 -------------------------------------------------------------------------------------------------------


def lazy_value(habits: Habits, machine: Machine, event: Event) -> None:
    """Report a `map`, or a `range` that is used like a list, kept in an object that is sent."""
    sent = event.subject if (event.family, event.name) == ("process", "start") else None
    if (event.family, event.name) == ("loader", "new") and may_have_workers(event.subject.arguments):
        dataset = event.subject.arguments.get(0, "dataset")
        sent = dataset if isinstance(dataset, Instance) else None
    if not isinstance(sent, Instance):
        return
    for name, value, place in attributes.stored_attributes(sent):
        kept = f"{sent.cls.name.rpartition('.')[2]}.{name}"
        if place is None:
            continue
        if isinstance(value, Container) and value.type == "map" and _is_named(next(value.values(), None)):
            message = f"{kept} is a map, which can be read only once"
            habits.report(machine, "lazy-value", place, message, event.call)
        elif isinstance(value, Opaque) and value.type == "range" and _is_used_as_list(sent, name):
            message = f"{kept} is a range, which can't be changed"
            habits.report(machine, "lazy-value", place, message, event.call)


def _is_named(function: Value | None) -> bool:
    return isinstance(function, (External, Class)) or (isinstance(function, Function) and not function.is_lambda)


_LIST_METHODS = frozenset({"sort", "append", "extend", "insert", "remove", "pop", "reverse", "clear"})


def _is_used_as_list(instance: Instance, name: str) -> bool:
    """Whether a method of the class does to an attribute what only a list allows."""
    classes = (cls for cls in instance.cls.mro if isinstance(cls, Class))
    return any(_needs_list(node, name) for cls in classes for node in ast.walk(cls.node))


def _needs_list(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, (ast.Store, ast.Del)) and _is_it(node.value, name)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and _is_it(node.left, name)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr in _LIST_METHODS:
        return _is_it(node.func.value, name)
    return called_name(node) == "shuffle" and any(_is_it(one, name) for one in node.args)


def _is_it(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name)


# -- MPS402 -------------------------------------------------------------------------------------------------------


COPIES = frozenset({"numpy.ndarray", "list", "int", "float", "bool", "str"})
"""What methods of a tensor give that is no tensor any more."""


def tensor_pickle(habits: Habits, machine: Machine, event: Event) -> None:
    """Report tensors that `pickle.dump` writes to a file."""
    value = event.call.arguments.get(0, "obj") if event.family == "pickle" else None
    if value is not None and any(_is_tensor(one) for one in reachable([value], copies=COPIES)):
        message = (
            "tensors saved with pickle.dump: each is written with its whole storage, and what is shared comes apart"
        )
        habits.report(machine, "tensor-pickle", event.span, message, event.call)


def _is_tensor(cell: Cell) -> bool:
    names: Iterator[str] = iter(())
    if isinstance(cell, Opaque):
        names = makers.bases_of(cell.type)
    elif isinstance(cell, Instance):
        names = attributes.external_bases(cell.cls)
    return any(name in ("torch.Tensor", "torch.nn.Module") or name.startswith("torch.nn.modules.") for name in names)


# -- MPS403 -------------------------------------------------------------------------------------------------------

SHARED_MEMORY = "multiprocessing.shared_memory.SharedMemory"


def shared_memory_leak(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report a block of shared memory that is made and that nobody unlinks."""
    for event in trace.all("memory", "new"):
        if event.call.name != SHARED_MEMORY or constant(event.call.arguments.get(1, "create")) is not True:
            continue
        if trace.of(event.subject, "unlink"):
            habits.clear("shared-memory-leak", event.span)
        elif trace.complete and id(event.subject) not in trace.escaped:
            message = "this block of shared memory is never unlinked, and outlives a program that is killed"
            habits.report(machine, "shared-memory-leak", event.span, message, event.call)


def shared_memory_of_torch(habits: Habits, machine: Machine, module: Module) -> None:
    """Report the import of a module that torch.multiprocessing doesn't have."""
    for node in _imports(module.tree.body):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module or ""]
        else:
            names = [alias.name for alias in node.names]
        if "torch.multiprocessing.shared_memory" in names:
            message = "torch.multiprocessing has no shared_memory: it is multiprocessing.shared_memory"
            habits.report(machine, "shared-memory-leak", module.span(node), message, None)


def _imports(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        for name in ("body", "orelse", "finalbody"):
            yield from _imports(getattr(node, name, []))


# -- MPS404 -------------------------------------------------------------------------------------------------------


def loader_rebuilt(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report a DataLoader with workers that each turn of a loop builds anew from the same things, and reads."""
    for event in trace.all("loader", "new"):
        place = event.path[0]
        syntax = habits.syntax(place.frame.module)
        node = syntax.expressions.get(place.span)
        loop = _loop_round(syntax, node) if isinstance(node, ast.Call) else None
        if loop is None or not isinstance(node, ast.Call) or not may_have_workers(event.call.arguments):
            continue
        span = place.frame.module.span(loop)
        read_there = any(span in (guard.span for guard in one.guards) for one in trace.of(event.subject, "__iter__"))
        if read_there and not _varies(node, loop):
            message = "this loader is built anew in each turn of the loop, and starts its workers anew"
            habits.report(machine, "loader-rebuilt", event.span, message, event.call)


def _loop_round(syntax: Syntax, node: ast.AST) -> LoopNode | None:
    """Return the loop whose turns evaluate an expression, or the one round it where it is what a loop reads."""
    for parent, child in syntax.ancestors(node):
        if isinstance(parent, LOOPS) and child in parent.body:
            return parent
    return None


def _varies(call: ast.Call, loop: LoopNode) -> bool:
    """Whether what the loader is made of changes from turn to turn."""
    bound = {node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return any(isinstance(node, ast.Name) and node.id in bound for node in ast.walk(call))
