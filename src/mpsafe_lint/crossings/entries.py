"""Where a program can be entered: its modules' bodies, main blocks, functions and methods, each run by itself."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from mpsafe_lint.crossings import datasets
from mpsafe_lint.crossings.observer import Crossings
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values import attributes, classes
from mpsafe_lint.values.frames import Frame, Guard
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.statements import is_main_guard
from mpsafe_lint.values.values import UNKNOWN_ARGUMENTS, Class, Descriptor, Function, Scope, Value

ROUNDS = 3
"""How deep functions that are defined in functions, and handed out uncalled, are entered."""

CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "__getstate__", "__setstate__", "__reduce__"})


def run_entries(machine: Machine, module: Module, crossings: Crossings) -> None:
    """Run every entry point of a module, each from the state after the import."""
    machine.entry_path = module.path
    scope = machine.module_scope(module)
    frame = Frame(module, scope)
    _run(machine, crossings, frame, lambda: _main_blocks(machine, module, scope))
    for function, cls in _functions(scope, module):
        _run(machine, crossings, frame, lambda f=function, c=cls: _call(machine, f, c, frame))  # type: ignore[misc]


def crossing_classes(machine: Machine, module: Module, crossings: Crossings) -> None:
    """Look at instances of the module's crossing classes as their constructors leave them."""
    machine.entry_path = module.path
    scope = machine.module_scope(module)
    frame = Frame(module, scope)
    for cls in _classes(scope, module):
        machine.steps = 0
        datasets.send_unbuilt(crossings, machine, cls, frame)


def _run(machine: Machine, crossings: Crossings, frame: Frame, action: Callable[[], None]) -> None:
    machine.start_method = None
    with machine.trial():
        machine.steps = 0
        machine.made.clear()
        machine.called.clear()
        machine.local_functions.clear()
        machine.raised.clear()
        action()
        _call_what_was_handed_out(machine, frame)
        crossings.finish(machine, frame)


def _main_blocks(machine: Machine, module: Module, scope: Scope) -> None:
    blocks = [node for node in module.tree.body if isinstance(node, ast.If) and is_main_guard(node.test)]
    for block in blocks:
        frame = Frame(module, scope, guards=(Guard("main", module.span(block)),))
        machine.execute(block.body, frame)


def _call(machine: Machine, function: Value, cls: Class | None, frame: Frame) -> None:
    """Call a function with arguments that are not known, a method on an object that is made for it."""
    if cls is None:
        machine.call(function, UNKNOWN_ARGUMENTS, frame.module.span(_node(function)), frame)
        return
    instance = classes.synthesize(machine, cls, frame)
    method = attributes.bind_method(instance, function, _name(function))
    target = method.function if isinstance(method, Descriptor) else method
    arguments = UNKNOWN_ARGUMENTS.after(instance) if isinstance(method, Descriptor) else UNKNOWN_ARGUMENTS
    machine.call(target, arguments, cls.span, frame)


def _call_what_was_handed_out(machine: Machine, frame: Frame) -> None:
    """A local function that nobody was seen to call may be called by whoever got it."""
    for _ in range(ROUNDS):
        waiting = [one for one in machine.local_functions if id(one) not in machine.called]
        machine.local_functions.clear()
        for function in waiting:
            machine.call(function, UNKNOWN_ARGUMENTS, function.span, frame)


def _functions(scope: Scope, module: Module) -> Iterator[tuple[Value, Class | None]]:
    """Yield the module's functions, and the methods of its classes with their class."""
    for slot in list(scope.slots.values()):
        value = slot.value
        if isinstance(value, Function) and value.module is module:
            yield value, None
    for cls in _classes(scope, module):
        for name, slot in list(cls.slots.items()):
            own = _own_function(slot.value)
            if own is not None and own.defining_class is cls and name not in CONSTRUCTORS:
                yield slot.value, cls


def _classes(scope: Scope, module: Module) -> Iterator[Class]:
    waiting: list[Scope | Class] = [scope]
    seen: set[int] = set()
    while waiting:
        for slot in list(waiting.pop().slots.values()):
            one = slot.value
            if isinstance(one, Class) and one.module is module and id(one) not in seen:
                seen.add(id(one))
                waiting.append(one)
                yield one


def _own_function(value: Value) -> Function | None:
    if isinstance(value, Descriptor):
        value = value.function
    return value if isinstance(value, Function) else None


def _node(function: Value) -> ast.AST:
    own = _own_function(function)
    assert own is not None
    return own.node


def _name(function: Value) -> str:
    own = _own_function(function)
    return own.name.rpartition(".")[2] if own else ""
