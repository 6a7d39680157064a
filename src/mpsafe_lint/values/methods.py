"""Methods of containers and literals, and what calls do to objects of libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mpsafe_lint.findings import Span
from mpsafe_lint.knowledge import makers
from mpsafe_lint.values import iteration
from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.values import (
    ANY,
    KEYS,
    NONE,
    UNKNOWN,
    Arguments,
    Constant,
    Container,
    Namespace,
    Opaque,
    Value,
    one_of,
    same,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine

Method = Callable[["Machine", Container, Arguments, Span, Frame], Value]


def call(
    machine: Machine, receiver: Container | Constant, method: str, arguments: Arguments, span: Span, frame: Frame
) -> Value | None:
    """Call a method of a container or a literal; None where the tables have to say what it gives."""
    if isinstance(receiver, Constant):
        return _on_constant(receiver, method, arguments)
    handler = METHODS.get(method)
    return handler(machine, receiver, arguments, span, frame) if handler is not None else None


def _on_constant(receiver: Constant, method: str, arguments: Arguments) -> Value | None:
    """Fold the string methods that names and paths are made with."""
    given = [one.value for one in arguments.positional if isinstance(one, Constant)]
    folds = method in ("lower", "upper", "strip", "replace", "startswith", "endswith", "split")
    if folds and isinstance(receiver.value, str) and len(given) == len(arguments.positional):
        try:
            result = getattr(receiver.value, method)(*given)
        except (TypeError, ValueError, OverflowError):
            return None
        return Constant(tuple(result)) if isinstance(result, list) else Constant(result)
    return None


def _append(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    for item in arguments.positional[-1:]:
        iteration.append(machine, receiver, item, span)
    return NONE


def _extend(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    for items in arguments.positional:
        iteration.announce(machine, items, span, frame)
        iteration.extend(machine, receiver, items, span)
    return NONE


def _update(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    for items in arguments.positional:
        iteration.update(machine, receiver, items, span)
    for key, value in arguments.keywords.items():
        machine.write(receiver, ("k", key), value, span)
    return NONE


def _insert(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    for item in arguments.positional[1:]:
        machine.add(receiver, ANY, item, span)
    return NONE


def _setdefault(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    key, default = arguments.get(0) or UNKNOWN, arguments.get(1) or NONE
    if not (isinstance(key, Constant) and ("k", key.value) in receiver.slots):
        iteration.put_item(machine, receiver, key, default, span)
    return iteration.item_at(machine, receiver, key, frame, span)


def _get(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    key, default = arguments.get(0), arguments.get(1) or NONE
    if key is None:
        return UNKNOWN
    if isinstance(key, Constant) and ("k", key.value) in receiver.slots:
        return receiver.slots["k", key.value].value
    if isinstance(key, Constant) and receiver.length() is not None:
        return default
    rest = list(receiver.values())
    return one_of([*rest, default, *([UNKNOWN] if receiver.open else [])])


def _pop(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    key = arguments.get(0)
    if receiver.type in iteration.MAPPINGS and isinstance(key, Constant):
        value = _get(machine, receiver, arguments, span, frame)
        machine.remove(receiver, ("k", key.value))
        return value
    if receiver.type in iteration.SEQUENCES:
        return taken(machine, receiver, key, frame, span)
    return UNKNOWN


def taken(machine: Machine, receiver: Container, index: Value | None, frame: Frame, span: Span) -> Value:
    """Take an item out of a sequence: the last one where no index is given."""
    length = receiver.length()
    position = index.value if isinstance(index, Constant) else (-1 if index is None else None)
    if length is None or not isinstance(position, int) or not -length <= position < length:
        return iteration.item_of(machine, receiver, frame, span)
    items = [slot for _, slot in receiver.items()]
    taken = items.pop(position)
    for key in range(length):
        machine.remove(receiver, key)
    for key, slot in enumerate(items):
        machine.journal.write(receiver, key, slot)
    return taken.value


def _pop_left(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    return taken(machine, receiver, Constant(0), frame, span)


def _remove(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Remove the item that is the argument; where that isn't among them for sure, what is left is what there was."""
    wanted = arguments.get(0) or UNKNOWN
    items = [slot for _, slot in receiver.items()]
    position = next((i for i, slot in enumerate(items) if same(slot.value, wanted)), None)
    if position is not None and receiver.type in iteration.SEQUENCES:
        taken(machine, receiver, Constant(position), frame, span)
    return NONE


def _reorder(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    items = [slot for _, slot in receiver.items()]
    for key, _ in list(receiver.items()):
        machine.remove(receiver, key)
    for slot in items:
        machine.add(receiver, ANY, slot.value, slot.place)
    return NONE


def _clear(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    for key in [*(key for key, _ in receiver.items()), KEYS]:
        machine.remove(receiver, key)
    return NONE


def _copy(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    return iteration.copy(machine, receiver, receiver.type, span)


def _view(suffix: str) -> Method:
    def make(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
        if receiver.type not in iteration.MAPPINGS:
            return UNKNOWN
        view = Opaque(makers.method_of(receiver.type, suffix) or f"dict_{suffix}", span)
        machine.write(view, "source", receiver)
        return view

    return make


def _set_item(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    if len(arguments.positional) == 2:
        iteration.put_item(machine, receiver, *arguments.positional, span)
    return NONE


def _get_item(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    return iteration.item_at(machine, receiver, arguments.get(0) or UNKNOWN, frame, span)


def _del_item(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    iteration.remove_item(machine, receiver, arguments.get(0) or UNKNOWN)
    return NONE


def _iterate(machine: Machine, receiver: Container, arguments: Arguments, span: Span, frame: Frame) -> Value:
    return iteration.iterator_of(machine, receiver, span, frame)


METHODS: dict[str, Method] = {
    "__setitem__": _set_item,
    "__getitem__": _get_item,
    "__delitem__": _del_item,
    "__iter__": _iterate,
    "append": _append,
    "appendleft": _append,
    "add": _append,
    "extend": _extend,
    "update": _update,
    "insert": _insert,
    "setdefault": _setdefault,
    "get": _get,
    "pop": _pop,
    "popleft": _pop_left,
    "remove": _remove,
    "sort": _reorder,
    "reverse": _reorder,
    "clear": _clear,
    "copy": _copy,
    "keys": _view("keys"),
    "values": _view("values"),
    "items": _view("items"),
}


def on_namespace(
    machine: Machine, receiver: Namespace, method: str, arguments: Arguments, span: Span, frame: Frame
) -> Value | None:
    """Call a method of an instance's `__dict__`: on a copy, and what is written goes through."""
    instance = receiver.instance
    if method == "update":
        merged = Container("dict", span)
        _update(machine, merged, arguments, span, frame)
        for name, slot in merged.items():
            if isinstance(name, tuple) and name != ANY and isinstance(name[1], str):
                machine.write(instance, name[1], slot.value, slot.place)
        return NONE
    key = arguments.get(0)
    if method == "pop" and isinstance(key, Constant) and isinstance(key.value, str):
        machine.remove(instance, key.value)
    handler = METHODS.get(method)
    return handler(machine, iteration.as_dict(machine, instance, span), arguments, span, frame) if handler else None


def on_opaque(machine: Machine, receiver: Opaque, method: str, arguments: Arguments, span: Span, frame: Frame) -> None:
    """Remember what is put into an object of a library that keeps it: a queue in this process, an ExitStack …"""
    if method in ("put", "put_nowait", "append", "add", "register_module", "add_module"):
        for item in arguments.positional[-1:]:
            machine.add(receiver, "<item>", item, span)
    iteration.become(machine, receiver, method, span)
