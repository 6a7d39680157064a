"""Readers of a queue that wait for an end which never comes (MPS303)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mpsafe_lint.habits.failing import is_repeated, may_fail_before
from mpsafe_lint.habits.queues import PUTS, readers
from mpsafe_lint.habits.reading import FLAG, NEVER, SENTINEL, WHOLE, Falsy, Part, Reading, Sentinel, ends_process
from mpsafe_lint.habits.starting import is_daemon
from mpsafe_lint.habits.syntax import COMPREHENSIONS, all_parameters, own_nodes
from mpsafe_lint.habits.trace import Event, Subject, Trace, distinct
from mpsafe_lint.values import attributes, iteration
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.truth import truth
from mpsafe_lint.values.values import (
    NONE,
    UNKNOWN,
    Bound,
    Class,
    Constant,
    Container,
    Function,
    Instance,
    Key,
    Opaque,
    Value,
    alternatives,
    same,
)

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

MANY = 2
"""How many workers there are at least, where a loop makes them and its number of turns is not known."""


# -- workers that are waited for ----------------------------------------------------------------------------------


def is_waited_for(trace: Trace, process: Subject) -> bool:
    """Tell whether the program can't end before a process does: it is joined, or is no daemon; and nobody ends it by
    force, nor may somebody who isn't seen."""
    if not trace.of(process, "start") or id(process) in trace.escaped or trace.of(process, "terminate", "kill"):
        return False
    if any(event.worker is None for event in trace.all("signal", "kill")):
        return False
    joined = any(
        not event.call.arguments.positional and not event.call.arguments.keywords for event in trace.of(process, "join")
    )
    return joined or is_daemon(process) is False


def _readers_of(trace: Trace, queue: Subject, ends: str) -> list[tuple[Subject, Event, Reading]]:
    """Return the processes that read a queue in a loop which ends so, each with where it reads."""
    found: dict[int, tuple[Subject, Event, Reading]] = {}
    for event in readers(trace, queue):
        process = event.worker.subject if event.worker is not None else None
        if isinstance(process, (Opaque, Instance)) and event.reading is not None and event.reading.ends == ends:
            found.setdefault(id(process), (process, event, event.reading))
    return list(found.values())


# -- no way out ---------------------------------------------------------------------------------------------------


def endless_worker(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report a worker's loop that has no way out, while the program waits for its end."""
    for queue in trace.subjects("queue"):
        puts = trace.of(queue, *PUTS)
        if any(put.within("endless-loop") for put in puts):
            continue  # a program that runs for ever
        if id(queue) in trace.escaped and not any(put.worker is None for put in puts):
            continue  # who fills it isn't seen
        for process, event, reading in _readers_of(trace, queue, NEVER):
            if is_waited_for(trace, process) and not (reading.unpacks and _may_break(puts)):
                _no_way_out(habits, machine, event, reading)


def endless_listener(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report the same of a loop that listens at a connection of which no end is closed before the join."""
    sends = (one for one in trace.all("pipe", "send") if one.worker is None)
    if any(trace.all("pipe", "close")) or any(one.within("endless-loop") for one in sends):
        return
    for pipe in trace.subjects("pipe"):
        for process, event, reading in _readers_of(trace, pipe, NEVER):
            if is_waited_for(trace, process) and trace.of(process, "join") and not reading.unpacks:
                _no_way_out(habits, machine, event, reading)


def _no_way_out(habits: Habits, machine: Machine, event: Event, reading: Reading) -> None:
    message = "this loop has no way out, and the program waits for the worker to end"
    habits.report(machine, "no-sentinel", reading.loop, message, event.call, outcome="hangs")


def endless_parent(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report a loop of the parent that has no way out, where those who fill its queue come to an end."""
    for queue in trace.subjects("queue") if trace.complete else ():
        puts = trace.of(queue, *PUTS)
        if id(queue) in trace.escaped or not puts or any(put.worker is None or put.times() is None for put in puts):
            continue
        for event in readers(trace, queue):
            reading = event.reading
            if event.worker is None and reading and reading.ends == NEVER and not reading.unpacks:
                message = "this loop has no way out, and waits for ever once the workers have put their last item"
                habits.report(machine, "no-sentinel", reading.loop, message, event.call, outcome="hangs")


def _may_break(puts: list[Event]) -> bool:
    """Whether something is put that can't be taken apart, so that it ends the worker."""
    return any(not isinstance(one, Container) for put in puts for one in alternatives(_item(put)))


def _item(put: Event) -> Value:
    return put.call.arguments.get(0, "obj") or UNKNOWN


def deaf_worker(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report a worker's loop that ends when an event is set, which it doesn't see while it waits in `get`."""
    calls = [one for one in trace.all("flag", "set") if one.worker is None]
    if not calls:
        return
    later = trace.events[trace.events.index(calls[-1]) :]
    for queue in trace.subjects("queue"):
        if id(queue) in trace.escaped or any(one.subject is queue and one.name in PUTS for one in later):
            continue  # what is put after it wakes the worker
        for process, event, reading in _readers_of(trace, queue, FLAG):
            if is_waited_for(trace, process):
                message = "a worker that waits in get doesn't see that the event is set, and the program waits for it"
                habits.report(machine, "no-sentinel", reading.loop, message, event.call, outcome="hangs")


def unheard_flag(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report a worker's loop that ends when an attribute is set, where only the parent sets it, in its own copy."""
    for process in trace.subjects("process"):
        if not is_waited_for(trace, process):
            continue
        for function, owner in _methods_run(process):
            for loop in _while_loops(function):
                name = _flag_asked(function, loop)
                if not name or not isinstance(owner.get(name), Constant):
                    continue
                start = trace.of(process, "start")[0]
                if _is_left(loop) or name in _set_on_the_way(owner.cls, function):
                    continue
                message = f"the worker has its own copy of {name}: nothing sets it there, and the program waits for it"
                place = habits.syntax(function.module).header(loop)
                habits.report(machine, "no-sentinel", place, message, start.call, outcome="hangs")


def _methods_run(process: Subject) -> Iterator[tuple[Function, Instance]]:
    """Yield the method that a process runs, with the object whose it is: its own `run`, or that of its target."""
    if isinstance(process, Instance):
        run = attributes.find_in_class(process.cls, "run")
        if isinstance(run, Function):
            yield run, process
        return
    for target in alternatives(process.arguments.get(1, "target") or UNKNOWN):
        if isinstance(target, Bound) and isinstance(target.function, Function) and isinstance(target.self, Instance):
            yield target.function, target.self


def _while_loops(function: Function) -> Iterator[ast.While]:
    body = [] if isinstance(function.node, ast.Lambda) else function.node.body
    return (node for statement in body for node in own_nodes(statement) if isinstance(node, ast.While))


def _flag_asked(function: Function, loop: ast.While) -> str:
    """Return the attribute of `self` on which alone a loop goes on; empty where it is another condition."""
    test = loop.test.operand if isinstance(loop.test, ast.UnaryOp) and isinstance(loop.test.op, ast.Not) else loop.test
    parameters = all_parameters(function.node.args)
    is_own = isinstance(test, ast.Attribute) and isinstance(test.value, ast.Name) and bool(parameters)
    return test.attr if is_own and test.value.id == parameters[0].arg else ""  # type: ignore[attr-defined]


def _is_left(loop: ast.While) -> bool:
    nodes = [node for statement in loop.body for node in own_nodes(statement)]
    return any(isinstance(node, (ast.Break, ast.Return, ast.Raise)) or ends_process(node) for node in nodes)


def _set_on_the_way(cls: Class, function: Function) -> set[str]:
    """Return the attributes that a method sets, and the methods of the class that it names."""
    waiting, seen, names = [function], {id(function)}, set()
    while waiting:
        for node in ast.walk(waiting.pop().node):
            if not isinstance(node, ast.Attribute):
                continue
            if not isinstance(node.ctx, ast.Load):
                names.add(node.attr)
            method = attributes.find_in_class(cls, node.attr)
            if isinstance(method, Function) and id(method) not in seen:
                seen.add(id(method))
                waiting.append(method)
    return names


# -- sentinels that nobody puts -----------------------------------------------------------------------------------


def missing_sentinel(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report workers that leave on a sentinel of which there are fewer than workers."""
    if not trace.complete:
        return
    for queue in trace.subjects("queue"):
        workers = _readers_of(trace, queue, SENTINEL)
        if not workers or id(queue) in trace.escaped or not all(is_waited_for(trace, one) for one, _, _ in workers):
            continue
        reading = workers[0][2]
        ends = distinct(put for put in trace.of(queue, *PUTS) if may_end(habits, put, reading))
        handed_on = any(put.worker is not None and _is_among(put.worker.subject, workers) for put in ends)
        ends = [put for put in ends if is_end(put, reading) and not put.within("branch", "except")] or ends
        counts = [_sentinels_put(habits, put, reading) for put in ends]
        if handed_on or None in counts:
            continue  # handed on by a worker, or as many as are needed
        count = sum(one or 0 for one in counts)
        needed = _count(habits, [one for one, _, _ in workers])
        if not ends:
            message = "nobody puts the sentinel on which this loop ends, and the program waits for the worker"
            habits.report(machine, "no-sentinel", reading.loop, message, workers[0][1].call, outcome="hangs")
        elif count < needed:
            message = f"{_number(count, 'sentinel')} for {_several(habits, workers, needed)}: each takes one"
            habits.report(machine, "no-sentinel", ends[-1].span, message, ends[-1].call, outcome="hangs")


def _is_among(process: object, workers: list[tuple[Subject, Event, Reading]]) -> bool:
    return any(process is one for one, _, _ in workers)


def _sentinels_put(habits: Habits, put: Event, reading: Reading) -> int | None:
    """Return how many sentinels a call puts, in all its turns and by all processes that make it; None if unknown."""
    times = put.times()
    if put.worker is not None:
        made = habits.made.get(id(put.worker.subject))
        processes = made.times() if made is not None and made.family == "process" else None
        times = None if times is None or processes is None else times * processes
    items = next((guard.items for guard in put.guards if guard.kind == "loop"), ())
    if times is None or not all(any(same(one, item) for item in items) for one in alternatives(_item(put))):
        return times
    surely = [any(_is_surely(part_of(item, one.part), one) for one in reading.sentinels) for item in items]
    return times * sum(surely) // len(items)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _several(habits: Habits, workers: list[tuple[Subject, Event, Reading]], needed: int) -> str:
    known = all(_times(habits, one) is not None for one, _, _ in workers)
    return f"{needed} workers" if known else "several workers"


def _count(habits: Habits, processes: list[Subject]) -> int:
    """Return how many processes there are at least: those made at one place, as often as its loops turn."""
    by_site: dict[object, int] = {}
    for process in processes:
        made = habits.made.get(id(process))
        if made is not None and not made.within("branch", "except"):
            times = made.times()
            by_site[made.site] = MANY if times is None else times
    return sum(by_site.values())


def _times(habits: Habits, process: Subject) -> int | None:
    made = habits.made.get(id(process))
    return made.times() if made is not None else None


def may_end(habits: Habits, put: Event, reading: Reading) -> bool:
    """Tell whether what is put may be a sentinel of the loop."""
    nones = all(one.value == NONE and one.part is WHOLE for one in reading.sentinels)
    if nones and _makes_something(habits, put):
        return False
    return any(
        _may_be(value, wanted, sentinel)
        for item in alternatives(_item(put))
        for sentinel in reading.sentinels
        for value in alternatives(part_of(item, sentinel.part))
        for wanted in ((sentinel.value,) if isinstance(sentinel.value, Falsy) else alternatives(sentinel.value))
    )


def part_of(item: Value, part: Part) -> Value:
    """Return a part of an item. What can't be taken apart ends the reader by an error."""
    if part is WHOLE or item is UNKNOWN:
        return item
    if not isinstance(item, Container):
        return UNKNOWN
    key: Key = ("k", part) if item.type in iteration.MAPPINGS else part
    return item.get(key) or UNKNOWN


_SOMETHING = (ast.BinOp, ast.JoinedStr, ast.Compare, ast.Tuple, ast.List, ast.Dict, ast.Set, *COMPREHENSIONS)
"""Expressions that never give None, whatever they are made of."""


def _makes_something(habits: Habits, put: Event) -> bool:
    place = put.path[0]
    node = habits.node_at(place.frame.module, place.span)
    return isinstance(node, ast.Call) and bool(node.args) and isinstance(node.args[0], _SOMETHING)


def _may_be(value: Value, wanted: Value | Falsy, sentinel: Sentinel) -> bool:
    if isinstance(wanted, Falsy):
        return truth(value) is not True
    if value is UNKNOWN or wanted is UNKNOWN:
        return True
    if sentinel.how == "instance":
        return not isinstance(wanted, Class) or (isinstance(value, Instance) and wanted in value.cls.mro)
    if isinstance(value, Constant) and isinstance(wanted, Constant):
        return bool(value.value == wanted.value)
    if _is_plain_object(wanted):
        return value is wanted and not _loses_identity(wanted)
    if isinstance(wanted, Constant):
        return isinstance(value, Opaque) and wanted.value is not None
    return True


def _is_plain_object(value: Value) -> bool:
    """Whether a value equals nothing but itself: `object()`, or an instance of a class without `__eq__`."""
    if isinstance(value, Opaque):
        return value.type == "object"
    return isinstance(value, Instance) and value.cls.complete and attributes.find_in_class(value.cls, "__eq__") is None


def _loses_identity(value: Value) -> bool:
    """Whether what comes out of a queue is another object than what was put: pickle makes a copy."""
    if isinstance(value, Instance):
        hooks = ("__reduce__", "__reduce_ex__", "__new__", "__getnewargs__")
        return value.cls.form == "class" and not any(attributes.find_in_class(value.cls, name) for name in hooks)
    return isinstance(value, Opaque) and value.type == "object"


# -- sentinels that may be lost -----------------------------------------------------------------------------------


def lost_sentinel(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report a worker's last word that an error keeps from being said, while its reader waits without a timeout."""
    for queue in trace.subjects("queue"):
        waiting = [event for event in readers(trace, queue) if _may_wait(trace, event)]
        for put in distinct(trace.of(queue, "put")):
            if put.worker is None or not _is_started(trace, put.worker.subject):
                continue
            reading = next((one for event in waiting if (one := _waits_for(event, put)) is not None), None)
            if reading is not None and _may_be_missed(habits, trace, put, reading):
                message = (
                    f"an error before this leaves the reader (line {reading.loop.line}) waiting for ever: "
                    "put the sentinel in a finally block"
                )
                habits.report(machine, "no-sentinel", put.span, message, put.call, outcome="hangs")


def _is_started(trace: Trace, process: object) -> bool:
    return isinstance(process, (Opaque, Instance)) and bool(trace.of(process, "start"))


def _waits_for(event: Event, put: Event) -> Reading | None:
    """Return the loop that ends on what is put, where it is another process that reads."""
    reading = event.reading
    if reading is None or reading.ends != SENTINEL or not is_end(put, reading):
        return None
    own = event.worker is not None and put.worker is not None and event.worker.subject is put.worker.subject
    return None if own else reading


def _may_wait(trace: Trace, event: Event) -> bool:
    """Whether the program waits for a reader: for the parent it does, for a worker that it joins."""
    if event.worker is None:
        return True
    return isinstance(event.worker.subject, (Opaque, Instance)) and is_waited_for(trace, event.worker.subject)


def is_end(put: Event, reading: Reading) -> bool:
    """Whether what is put is surely the sentinel."""
    return any(_is_surely(part_of(_item(put), one.part), one) for one in reading.sentinels)


def _is_surely(value: Value, sentinel: Sentinel) -> bool:
    wanted = sentinel.value
    if sentinel.how == "instance":
        return isinstance(value, Instance) and isinstance(wanted, Class) and wanted in value.cls.mro
    if not isinstance(value, Constant):
        return False
    return not value.value if isinstance(wanted, Falsy) else isinstance(wanted, Constant) and wanted == value


def _may_be_missed(habits: Habits, trace: Trace, put: Event, reading: Reading) -> bool:
    """Whether an error on the worker's side can come before the put, and nothing puts a sentinel then."""
    process = put.worker.subject if put.worker is not None else None
    same_side = [
        one for one in trace.of(put.subject, "put") if one.worker is not None and one.worker.subject is process
    ]
    if any(is_sheltered(one) and may_end(habits, one, reading) for one in same_side):
        return False
    if any(is_repeated(habits.syntax(place.frame.module), place) for place in put.path):
        return False
    return any(may_fail_before(habits.syntax(place.frame.module), place) for place in put.path[: _known(put)])


def _known(put: Event) -> int:
    """How many places of the path lie in functions: all of them, on a worker's side."""
    return sum(1 for place in put.path if place.frame.function is not None)


def is_sheltered(put: Event) -> bool:
    """Tell whether a call is made also after an error."""
    in_exit = any(place.function_name in ("__exit__", "__aexit__", "__del__") for place in put.path)
    return in_exit or put.within("finally", "except")
