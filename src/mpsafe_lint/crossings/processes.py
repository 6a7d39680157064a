"""`Process` objects: their target and arguments, or the object itself, are sent when they are started."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mpsafe_lint.crossings.sending import name_of
from mpsafe_lint.knowledge.boundaries import NOT_FORK, PROCESS, PROCESS_CLASSES
from mpsafe_lint.values import attributes, iteration
from mpsafe_lint.values.frames import Call, Worker
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import (
    GIVEN_BY,
    UNKNOWN,
    Arguments,
    Bound,
    Cell,
    Class,
    Constant,
    Container,
    Instance,
    Opaque,
    Value,
    alternatives,
)

if TYPE_CHECKING:
    from mpsafe_lint.crossings.observer import Crossings

_CONTEXTS = {
    "multiprocessing.context.ForkContext": "fork",
    "multiprocessing.context.SpawnContext": "spawn",
    "multiprocessing.context.ForkServerContext": "forkserver",
}


def chosen_method(crossings: Crossings, machine: Machine, call: Call) -> str | None:
    """Return the start method that the program asks for itself, for this call."""
    return own_context(call) or machine.start_method or ("fork" if crossings.asks_for_fork else None)


def own_context(call: Call) -> str | None:
    """Return the start method of the context that what is called was made in, where that is not the default one."""
    for value in (call.receiver, call.result, *_contexts_given(call)):
        method = method_of_context(value)
        if method is not None:
            return method
    return OWN_METHODS.get(call.name)


OWN_METHODS = {"torch.multiprocessing.spawn": "spawn", "torch.multiprocessing.start_processes": "spawn"}
"""Functions that start processes by a method of their own, whatever the default is."""

_CONTEXT_POSITIONS = {
    "concurrent.futures.ProcessPoolExecutor": 1,
    "torch.multiprocessing.start_processes": 5,
    "torch.utils.data.DataLoader": 11,
}


def _contexts_given(call: Call) -> Iterator[Value | None]:
    """Return what the call, and the one that made its receiver, was given as a context."""
    made = [(call.name.removesuffix(".__init__"), call.arguments)]
    if isinstance(call.receiver, Opaque):
        made.append((call.receiver.base_type, call.receiver.arguments))
    for name, given in made:
        yield from (given.keywords.get(name) for name in ("mp_context", "multiprocessing_context", "start_method"))
        if name in _CONTEXT_POSITIONS:
            yield given.get(_CONTEXT_POSITIONS[name])


def method_of_context(value: Value | None) -> str | None:
    """Return the start method of a context, of what a context gave, or of a method's name."""
    for _ in range(3):
        if isinstance(value, Constant) and value.value in _CONTEXTS.values():
            return str(value.value)
        if not isinstance(value, Opaque):
            return None
        if value.type in _CONTEXTS:
            return _CONTEXTS[value.type]
        value = value.get(GIVEN_BY)
    return None


def is_process(value: Value) -> bool:
    """Tell whether a value is a process of multiprocessing, of its own class or of one derived from it."""
    if isinstance(value, Opaque):
        return value.base_type in PROCESS_CLASSES
    return isinstance(value, Instance) and is_process_class(value.cls)


def is_process_class(cls: Class) -> bool:
    """Tell whether instances of a class send themselves when they are started."""
    return any(name in PROCESS_CLASSES for name in attributes.external_bases(cls))


def watch(crossings: Crossings, machine: Machine, call: Call) -> bool:
    """Note processes that are made, and send those that are started."""
    if call.name == "multiprocessing.set_start_method":
        method = call.arguments.get(0, "method")
        if isinstance(method, Constant) and isinstance(method.value, str):
            machine.start_method = method.value
        return True
    receiver = call.receiver
    if call.name in PROCESS_CLASSES and isinstance(call.result, Opaque):
        crossings.pending[id(call.result)] = (call.result, call)
        return True
    owner, _, method_name = call.name.rpartition(".")
    if owner in PROCESS_CLASSES and method_name == "start" and receiver is not None:
        for one in alternatives(receiver):
            if isinstance(one, Cell) and is_process(one) and not _is_another_one(one):
                send(crossings, machine, one, call)
        return True
    return False


def _is_another_one(process: Cell) -> bool:
    """Tell whether a start that is seen again is that of another process: one that an object of its own keeps. Each
    starts once."""
    target = process.arguments.get(1, "target") if isinstance(process, Opaque) else None
    owner = target.self if isinstance(target, Bound) else None
    if process.get(attributes.VARIANT) is None or not isinstance(owner, Instance):
        return False
    return any(one is process for slot in owner.slots.values() for one in alternatives(slot.value))


def send(crossings: Crossings, machine: Machine, process: Cell, call: Call) -> None:
    """Send a process as it is now."""
    crossings.sent.add(id(process))
    made = crossings.pending.get(id(process), (process, call))[1]
    if isinstance(process, Instance):
        crossings.seen.add(process.cls.qualified_name)
        crossings.send(
            machine,
            process,
            call,
            boundary="process-attribute",
            sent=name_of(process),
            serializer="spawning",
            methods=NOT_FORK,
        )
        with worker_side(machine, process, call):
            run = attributes.find_in_class(process.cls, "run")
            if run is not None:
                run_in_worker(machine, run, Arguments((process,)), call)
            else:
                run_in_worker(machine, process.get("_target"), _target_arguments(_kept(process)), call)
        return
    assert isinstance(process, Opaque)
    given = process.arguments
    for sent in PROCESS.sends:
        value = given.get(sent.position, sent.name)
        if value is not None:
            crossings.send(
                machine,
                value,
                Call(made.name, made.receiver, given, made.span, call.frame, process),
                boundary=sent.boundary,
                sent=sent.name or "",
                serializer="spawning",
                methods=NOT_FORK,
            )
    with worker_side(machine, process, call):
        run_in_worker(machine, given.get(1, "target"), _target_arguments(given), call)


def _kept(process: Instance) -> Arguments:
    """Return what a process of a class of its own has given to the constructor of its base."""
    kept = {name: value for name in ("args", "kwargs") if (value := process.get(f"_{name}")) is not None}
    return Arguments((), kept)


def _target_arguments(given: Arguments) -> Arguments:
    positional = given.get(3, "args")
    items = iteration.exact_items(positional) if positional is not None else []
    keywords = given.get(4, "kwargs")
    named = {
        key[1]: slot.value
        for key, slot in (keywords.items() if isinstance(keywords, Container) else ())
        if isinstance(key, tuple) and isinstance(key[1], str)
    }
    return Arguments(tuple(items or ()), named, others=items is None, other_keywords=keywords is not None)


@contextmanager
def worker_side(machine: Machine, subject: Value | Cell | None, call: Call) -> Iterator[None]:
    """Run what the other process would run: what it does there doesn't change this one's objects."""
    machine.worker_depth += 1
    machine.workers.append(Worker(subject, call))
    try:
        with machine.trial(), machine.budget(WORKER_STEPS):
            yield
    finally:
        machine.workers.pop()
        machine.worker_depth -= 1


def run_in_worker(machine: Machine, function: Value | None, arguments: Arguments, call: Call) -> Value:
    """Call a function on the worker side, unless that is deep inside another worker's side already."""
    if function is None or machine.worker_depth > WORKERS_WITHIN_WORKERS:
        return UNKNOWN
    return machine.call(function, arguments, call.span, call.frame)


WORKERS_WITHIN_WORKERS = 2
WORKER_STEPS = 6_000
"""Steps for what one worker runs, of those that are left."""
