"""Where a program can be entered: its modules' bodies, main blocks, functions and methods, each run by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mpsafe_lint.crossings import datasets
from mpsafe_lint.crossings.interest import HOPS, MAIN, Interest
from mpsafe_lint.crossings.observer import Crossings
from mpsafe_lint.findings import Span
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values import attributes, classes
from mpsafe_lint.values.frames import Frame, Guard
from mpsafe_lint.values.machine import STEPS, Machine
from mpsafe_lint.values.statements import main_blocks
from mpsafe_lint.values.values import UNKNOWN_ARGUMENTS, Arguments, Bound, Class, Descriptor, Function, Scope, Value

ROUNDS = 3
"""How deep functions that are defined in functions, and handed out uncalled, are entered."""

CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "__getstate__", "__setstate__", "__reduce__"})


MAIN_SHARE = 5
"""How many times the steps of a function a main block gets: all of a program runs from there."""

FAR_SHARE = 0.3
"""The same for a function that is `HOPS` calls away from a boundary: what it gives to the one that it calls matters."""

ALL_STEPS = 6_000_000
"""Steps for all entry points of a project together: a huge project gets fewer for each."""

FEWEST_STEPS = 1_000
"""Steps that a function gets however many there are."""

WORKER_SIDE = frozenset({"__getitem__", "__getitems__", "__iter__", "__next__", "run"})
"""Methods of what is sent that other processes run."""


def run_entries(machine: Machine, module: Module, crossings: Crossings, interest: Interest) -> None:
    """Run every entry point of a module that may lead to a boundary, each from the state after the import."""
    machine.entry_path = module.path
    scope = machine.module_scope(module)
    frame = Frame(module, scope)
    machine.limit = MAIN_SHARE * interest.steps
    settled: set[int] = set()
    if interest.wants_main(module.path):
        exhausted = machine.exhausted
        _run(machine, crossings, frame, lambda: _main_blocks(machine, module, scope))
        if interest.is_script(module) and machine.exhausted == exhausted:
            settled = set(machine.called)  # nobody else gives them anything
    for function in _functions(scope, module):
        if id(function) in settled or not interest.wants(module.path, "", function.name):
            continue
        machine.limit = _steps_for(interest, module.path, "", function.name)
        _run(machine, crossings, frame, lambda f=function: _call(machine, f, UNKNOWN_ARGUMENTS, frame))  # type: ignore[misc]
    for cls in _classes(scope, module):
        _run_methods(machine, crossings, frame, cls, interest, settled)


def share_out(interest: Interest) -> None:
    """Say how many steps each function of the project gets: fewer where there are many."""
    mains = sum(1 for _, _, name in interest.hops if name == MAIN)
    far = sum(1 for hop in interest.hops.values() if hop == HOPS)
    shares = interest.chosen() + MAIN_SHARE * mains - (1 - FAR_SHARE) * far
    interest.steps = max(FEWEST_STEPS, min(STEPS, int(ALL_STEPS / (shares + 1))))


def _steps_for(interest: Interest, path: str, owner: str, name: str) -> int:
    share = FAR_SHARE if interest.hop(path, owner, name) == HOPS else 1
    return max(FEWEST_STEPS, int(interest.steps * share))


def _run_methods(
    machine: Machine, crossings: Crossings, frame: Frame, cls: Class, interest: Interest, settled: set[int]
) -> None:
    """Enter the methods of a class, but for those that are `settled`, all on one object that is made for them."""
    owner = cls.name.rpartition(".")[2]
    methods = [
        (name, one)
        for name, one in _methods(cls)
        if interest.wants(cls.module.path, owner, name)
        and id(one.function if isinstance(one, Descriptor) else one) not in settled
    ]
    if not methods:
        return
    with machine.trial():
        machine.steps = 0
        instance = classes.synthesize(machine, cls, frame)
        pending = dict(crossings.pending)
        for name, member in methods:
            crossings.pending = dict(pending)
            bound = attributes.bind_method(instance, member, name)
            if isinstance(bound, Descriptor):
                bound = Bound(instance, bound.function, name)
            machine.worker_depth = int(name in WORKER_SIDE and datasets.sends_instances(cls, ()))
            machine.limit = _steps_for(interest, cls.module.path, owner, name)
            _run(machine, crossings, frame, lambda b=bound: _call(machine, b, UNKNOWN_ARGUMENTS, frame))  # type: ignore[misc]
            machine.worker_depth = 0


def crossing_names(machine: Machine, module: Module, crossings: Crossings) -> frozenset[str]:
    """Return the bare names of a module's classes whose instances are sent, or send what they are given."""
    return frozenset(
        cls.name.rpartition(".")[2]
        for cls in _classes(machine.module_scope(module), module)
        if datasets.sends_instances(cls, crossings.config.crossing_classes)
    )


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
    machine.as_main = None
    with machine.trial():
        machine.steps = 0
        machine.forget_run()
        for observer in machine.observers:
            observer.begin(machine, frame)
        action()
        _call_what_was_handed_out(machine, frame)
        for observer in machine.observers:
            observer.finish(machine, frame)


def _main_blocks(machine: Machine, module: Module, scope: Scope) -> None:
    machine.as_main = module.path
    for block in main_blocks(module):
        frame = Frame(module, scope, guards=(Guard("main", module.span(block)),))
        machine.execute(block.body, frame)


def _call(machine: Machine, function: Value, arguments: Arguments, frame: Frame) -> None:
    result = machine.call(function, arguments, Span(frame.module.path, 1, 0, 1, 0), frame)
    machine.handed_out += [function, result]


def _call_what_was_handed_out(machine: Machine, frame: Frame) -> None:
    """A local function that nobody was seen to call may be called by whoever got it."""
    for _ in range(ROUNDS):
        waiting = [one for one in machine.local_functions if id(one) not in machine.called]
        machine.local_functions.clear()
        for function in waiting:
            with machine.later():
                machine.handed_out.append(machine.call(function, UNKNOWN_ARGUMENTS, function.span, frame))


def _functions(scope: Scope, module: Module) -> Iterator[Function]:
    """Yield the functions that the module itself defines."""
    for slot in list(scope.slots.values()):
        if isinstance(slot.value, Function) and slot.value.module is module:
            yield slot.value


def _methods(cls: Class) -> Iterator[tuple[str, Value]]:
    for name, slot in list(cls.slots.items()):
        own = slot.value.function if isinstance(slot.value, Descriptor) else slot.value
        defined_here = isinstance(own, Function) and own.defining_class is cls
        if isinstance(name, str) and defined_here and name not in CONSTRUCTORS:
            yield name, slot.value


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

