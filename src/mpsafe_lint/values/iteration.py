"""What lies in a value: items of containers, what iterating gives, what `with` enters."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from mpsafe_lint.findings import Span
from mpsafe_lint.knowledge import keeps, makers
from mpsafe_lint.modules.module import last_name
from mpsafe_lint.values import attributes
from mpsafe_lint.values.frames import Call, Frame
from mpsafe_lint.values.truth import truth
from mpsafe_lint.values.values import (
    ANY,
    KEYS,
    NONE,
    UNKNOWN,
    Arguments,
    Class,
    Constant,
    Container,
    External,
    Function,
    Instance,
    Key,
    Namespace,
    OneOf,
    Opaque,
    Slot,
    Value,
    alternatives,
    one_of,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine

SEQUENCES = ("list", "tuple", "collections.deque")
SETS = ("set", "frozenset")
MAPPINGS = ("dict", "collections.OrderedDict", "collections.defaultdict", "collections.Counter")

LAZIES = ("map", "filter", "zip", "enumerate", "reversed")
"""What holds its sources, not its items."""

FEW = 4
"""Items up to which a loop or comprehension that calls nothing of note is run for each of them."""

LONGEST = 64
"""Items of a container that are kept one by one; of what is longer, only what the items may be."""


def kept(machine: Machine, type_name: str, attribute: str, argument: Value, span: Span) -> Value:
    """Return what an object of a library's type keeps of an argument: itself, or a list of what it gives."""
    if (type_name, attribute) not in keeps.LISTED:
        return argument
    items = Container("list", span)
    extend(machine, items, argument, span)
    return items


def fill(machine: Machine, container: Container, items: Sequence[Value], places: Sequence[Span] = ()) -> None:
    """Put items into a new sequence or set."""
    for position, item in enumerate(items):
        place = places[position] if places else None
        if position < LONGEST and container.type not in SETS:
            machine.write(container, position, item, place)
        else:
            machine.add(container, ANY, item, place)


def calls(*nodes: ast.AST) -> bool:
    """Tell whether code calls anything but methods and functions that only look at, or fill, builtin containers."""
    return any(_calls(node) for node in nodes)


@lru_cache(maxsize=10_000)
def _calls(node: ast.AST) -> bool:
    found = [one for one in ast.walk(node) if isinstance(one, (ast.Call, ast.Await, ast.Yield, ast.YieldFrom))]
    return not all(isinstance(one, ast.Call) and last_name(one.func) in _TAME for one in found)


_TAME = frozenset(
    """append extend insert add pop setdefault update items keys values startswith endswith lower upper strip split
    replace format len isinstance issubclass str int float bool repr list tuple set dict sorted range enumerate zip
    getattr hasattr setattr print""".split()
)


def append(machine: Machine, container: Container, item: Value, place: Span) -> None:
    """Put one more item at the end."""
    length = container.length()
    if container.type in SEQUENCES and length is not None and length < LONGEST:
        machine.write(container, length, item, place)
    else:
        machine.add(container, ANY, item, place)


def extend(machine: Machine, container: Container, items: Value, place: Span) -> None:
    exact = exact_items(items)
    if exact is not None:
        for item in exact:
            append(machine, container, item, place)
    else:
        machine.add(container, ANY, item_of(machine, items, None), place)


def update(machine: Machine, container: Container, items: Value, place: Span) -> None:
    """Do what `dict.update` and `set.update` do."""
    for one in alternatives(items):
        if isinstance(one, Namespace):
            one = as_dict(machine, one.instance, place)
        if isinstance(one, Container) and one.type in MAPPINGS and container.type in MAPPINGS:
            for key, slot in list(one.items()):
                machine.write(container, key, slot.value, slot.place or place)
            if (keys := one.get(KEYS)) is not None:
                machine.add(container, KEYS, keys, place)
            if one.open:
                machine.add(container, ANY, UNKNOWN, place)
        else:
            machine.add(container, ANY, item_of(machine, one, None), place)


def as_dict(machine: Machine, instance: Instance, site: Span) -> Container:
    """Return a copy of an instance's `__dict__`."""
    result = Container("dict", site, open_=False)
    for name, value, place in attributes.stored_attributes(instance):
        machine.write(result, ("k", name), value, place)
    return result


def copy(machine: Machine, container: Container, type_name: str, site: Span) -> Container:
    """Return a new container of another type with the same items."""
    result = Container(type_name, site, container.open)
    for key, slot in container.slots.items():
        machine.journal.write(result, key, slot)
    return result


def exact_items(value: Value) -> list[Value] | None:
    """Return the items in order, where all are known."""
    if isinstance(value, Container) and value.length() is not None:
        if value.type in MAPPINGS:
            return [Constant(key[1]) for key, _ in value.items() if isinstance(key, tuple)]
        return _lazy_items(value) if value.type in LAZIES else list(value.values())
    if isinstance(value, Instance) and (content := content_of(value, "__iter__")) is not None:
        return exact_items(content)
    if isinstance(value, Opaque) and value.type == "range":
        return _numbers(value.arguments)
    if isinstance(value, Opaque) and isinstance(source := value.get("source"), Container):
        return _view_items(value.type, source)
    if isinstance(value, Constant) and isinstance(value.value, (str, tuple)) and len(value.value) <= LONGEST:
        return [Constant(item) for item in value.value]
    return None


def _lazy_items(value: Container) -> list[Value] | None:
    """Return what a lazy object gives, where all that it runs over is known."""
    parts = list(value.values())
    if value.type == "enumerate" and len(parts) == 1:
        items = exact_items(parts[0])
        return None if items is None else [_pair(Constant(i), item, value.site) for i, item in enumerate(items)]
    if value.type == "reversed" and len(parts) == 1:
        items = exact_items(parts[0])
        return None if items is None else items[::-1]
    if value.type == "zip":
        columns = [exact_items(part) for part in parts]
        known = [column for column in columns if column is not None]
        return [_row(row, value.site) for row in zip(*known, strict=False)] if len(known) == len(columns) else None
    if value.type == "filter" and len(parts) == 2 and parts[0] == NONE:
        items = exact_items(parts[1])
        decided = None if items is None else [truth(item) for item in items]
        if items is not None and decided is not None and None not in decided:
            return [item for item, kept in zip(items, decided, strict=True) if kept]
    return None


def content_of(value: Value, method: str = "") -> Container | None:
    """Return the items of an instance whose class derives from dict, list …, unless a method of its own stands before
    them."""
    if not isinstance(value, Instance) or (method and attributes.find_in_class(value.cls, method) is not None):
        return None
    content = value.get(CONTENT)
    return content if isinstance(content, Container) else None


def unpacked(value: Value, count: int) -> list[Value] | None:
    """Return what each of `count` targets gets, where that is known. Alternatives that can't be unpacked so are passed
    over: the program would end there."""
    rows = [items for one in alternatives(value) if (items := exact_items(one)) is not None and len(items) == count]
    if not rows or any(one is UNKNOWN or isinstance(one, (Opaque, Instance)) for one in alternatives(value)):
        return None
    return [one_of(column) for column in zip(*rows, strict=True)]


def _view_items(view: str, source: Container) -> list[Value] | None:
    if source.length() is None:
        return None
    if view.endswith("_keys"):
        return [Constant(key[1]) for key, _ in source.items() if isinstance(key, tuple)]
    if view.endswith("_values"):
        return list(source.values())
    return [_pair(Constant(key[1]), slot.value, source.site) for key, slot in source.items() if isinstance(key, tuple)]


def _pair(key: Value, value: Value, site: Span) -> Container:
    return _row((key, value), site)


def _row(items: Sequence[Value], site: Span) -> Container:
    row = Container("tuple", site)
    row.slots = {i: Slot(item) for i, item in enumerate(items)}
    return row


def length(value: Value) -> int | None:
    """Return how many items iterating gives, where that is known."""
    if isinstance(value, Instance) and (content := content_of(value, "__iter__")) is not None:
        value = content
    if isinstance(value, Container) and value.type not in LAZIES:
        return value.length()
    if isinstance(value, Opaque) and value.type == "range":
        return _range_length(value.arguments)
    items = exact_items(value)
    return None if items is None else len(items)


def _numbers(arguments: Arguments) -> list[Value] | None:
    """Return what a range gives, where that is known and little."""
    length = _range_length(arguments)
    if length is None or length > LONGEST:
        return None
    return [Constant(i) for i in range(*(one.value for one in arguments.positional))]  # type: ignore[arg-type, union-attr]


def _range_length(arguments: Arguments) -> int | None:
    numbers = [one.value for one in arguments.positional if isinstance(one, Constant) and isinstance(one.value, int)]
    if arguments.others or not numbers or len(numbers) < len(arguments.positional):
        return None
    try:
        return len(range(*numbers))
    except (TypeError, ValueError, OverflowError):
        return None


def announce(machine: Machine, iterable: Value, span: Span, frame: Frame) -> None:
    """Tell the observers that something is iterated: that is when a DataLoader starts its workers."""
    for one in alternatives(iterable):
        if isinstance(one, Opaque):
            wrapped = one.get("source")
            if wrapped is not None and not isinstance(wrapped, Container):
                announce(machine, wrapped, span, frame)
            machine.notify(Call(f"{one.base_type}.__iter__", one, Arguments(), span, frame, UNKNOWN))
        elif isinstance(one, Instance):
            external = attributes.external_base(one.cls)
            if external is not None:
                machine.notify(Call(f"{external}.__iter__", one, Arguments(), span, frame, UNKNOWN))
        elif isinstance(one, Container) and one.type in LAZIES:
            for part in list(one.values()):
                announce(machine, part, span, frame)


def iterator_of(machine: Machine, value: Value, span: Span, frame: Frame) -> Value:
    """Return what `iter(value)` gives for one alternative: a lazy object keeps that of its sources."""
    if isinstance(value, Container):
        return _container_iterator(machine, value, span)
    if isinstance(value, Constant) and isinstance(value.value, (str, bytes, tuple)):
        return Opaque(f"{type(value.value).__name__}_iterator", span)
    if isinstance(value, Opaque):
        type_name = makers.iterator_of(value.type)
        if type_name == value.type:
            return value
        return _opaque_iterator(machine, value, type_name or f"iterator of {value.type}", span, frame)
    if isinstance(value, Instance):
        return _instance_iterator(machine, value, span, frame)
    return UNKNOWN


def _container_iterator(machine: Machine, value: Container, span: Span) -> Value:
    if value.type in LAZIES or value.type == ITERATOR:
        return value
    made = Container(ITERATOR, span, value.open)
    for key, slot in value.items():
        if value.type not in MAPPINGS:
            machine.write(made, key, slot.value, slot.place)
        elif isinstance(key, tuple):
            machine.add(made, ANY, value.get(KEYS) or UNKNOWN if key == ANY else Constant(key[1]))
    return made


def _opaque_iterator(machine: Machine, value: Opaque, type_name: str, span: Span, frame: Frame) -> Value:
    made = Opaque(type_name, span, Arguments((value,)))
    item = item_of(machine, value, frame, span)
    if item is not UNKNOWN:
        machine.write(made, ANY, item)
    return made


def _instance_iterator(machine: Machine, value: Instance, span: Span, frame: Frame) -> Value:
    method = attributes.find_in_class(value.cls, "__iter__")
    if method is not None:
        return machine.call(attributes.bind_method(value, method, "__iter__"), Arguments(), span, frame)
    content = content_of(value)
    if content is not None:
        return iterator_of(machine, content, span, frame)
    if attributes.find_in_class(value.cls, "__getitem__") is not None:
        return Opaque("iterator", span, Arguments((value,)), constructed=True)
    return UNKNOWN


ITERATOR = "iterator"
"""The type of a container that stands for an iterator over another one."""

CONTENT = "<content>"
"""Where an instance of a class derived from dict, list … keeps its items: a container."""


def item_of(machine: Machine, value: Value, frame: Frame | None, span: Span | None = None) -> Value:
    """Return what one item of `value` may be."""
    if isinstance(value, OneOf):
        items = [item_of(machine, one, frame, span) for one in value.values]
        return one_of([*items, UNKNOWN] if value.others else items)
    if isinstance(value, Container):
        return _container_item(machine, value, frame)
    if isinstance(value, Constant) and isinstance(value.value, (str, bytes)):
        return Opaque("str" if isinstance(value.value, str) else "int", value_site(value, span))
    if isinstance(value, Opaque):
        return _opaque_item(machine, value, frame, span)
    if isinstance(value, Instance) and frame is not None and span is not None:
        return _instance_item(machine, value, frame, span)
    return UNKNOWN


def value_site(value: Value, span: Span | None) -> Span:
    return span or getattr(value, "site", None) or Span("", 1, 0, 1, 0)


def _container_item(machine: Machine, value: Container, frame: Frame | None) -> Value:
    if value.type == "enumerate":
        return _tuple(machine, value.site, [Opaque("int", value.site), item_of(machine, _first(value), frame)])
    if value.type == "zip":
        return _tuple(machine, value.site, [item_of(machine, one, frame) for one in value.values()])
    if value.type in ("filter", "reversed"):
        parts = list(value.values())
        return item_of(machine, parts[-1], frame) if parts else UNKNOWN
    if value.type == "map":
        return value.get("result") or UNKNOWN
    if value.type in MAPPINGS:
        told = value.get(KEYS) or UNKNOWN
        keys = [Constant(key[1]) if isinstance(key, tuple) and key != ANY else told for key, _ in value.items()]
        return one_of([*keys, UNKNOWN] if value.open else keys)
    items = list(value.values())
    return one_of([*items, UNKNOWN] if value.open else items)


def _first(container: Container) -> Value:
    return next(container.values(), UNKNOWN)


def _tuple(machine: Machine, site: Span, items: Sequence[Value]) -> Container:
    result = Container("tuple", site)
    fill(machine, result, items)
    return result


def _opaque_item(machine: Machine, value: Opaque, frame: Frame | None, span: Span | None) -> Value:
    yielded = value.get(ANY)
    if yielded is not None:
        return yielded
    source = value.get("source")
    if isinstance(source, Container):
        keys = _container_item(machine, source, frame)
        items = one_of([*source.values(), UNKNOWN] if source.open else source.values())
        if value.type.endswith("_items"):
            return _tuple(machine, value.site, [keys, items])
        return keys if value.type.endswith("_keys") else items
    numbers = exact_items(value)
    if numbers and len(numbers) <= FEW:
        return one_of(numbers)
    item_type = makers.iterated(value.type)
    return UNKNOWN if item_type is None else Opaque(item_type, value_site(value, span))


def _instance_item(machine: Machine, value: Instance, frame: Frame, span: Span) -> Value:
    for name in ("__iter__", "__getitem__"):
        method = attributes.find_in_class(value.cls, name)
        if method is not None:
            arguments = Arguments() if name == "__iter__" else Arguments((UNKNOWN,))
            result = machine.call(attributes.bind_method(value, method, name), arguments, span, frame)
            if name == "__getitem__":
                return result
            if result is value:
                step = machine.attribute(value, "__next__", span, frame)
                return machine.call(step, Arguments(), span, frame)
            return item_of(machine, result, frame, span)
    return UNKNOWN


# -- items by key -------------------------------------------------------------------------------------------------


def _key(container: Container, index: Value) -> Key | None:
    if not isinstance(index, Constant):
        return None
    if container.type in MAPPINGS:
        try:
            hash(index.value)
        except TypeError:
            return None
        return ("k", index.value)
    if not isinstance(index.value, int):
        return None
    size = container.length()
    return index.value if index.value >= 0 else (None if size is None else size + index.value)


def item_at(machine: Machine, value: Value, index: Value, frame: Frame, span: Span) -> Value:
    """Return `value[index]`."""
    if isinstance(value, OneOf):
        items = [item_at(machine, one, index, frame, span) for one in value.values]
        return one_of([*items, UNKNOWN] if value.others else items)
    if isinstance(index, OneOf) and not index.others:
        return one_of(item_at(machine, value, one, frame, span) for one in index.values)
    if isinstance(value, Namespace):
        value = as_dict(machine, value.instance, span)
    if isinstance(value, Container):
        key = _key(value, index)
        if key is not None and key in value.slots:
            return value.slots[key].value
        if value.type == "collections.defaultdict" and (factory := value.get("default_factory")) is not None:
            made = machine.call(factory, Arguments(), span, frame)
            stored = list(value.values())
            if made is not UNKNOWN:
                machine.add(value, ANY, made, span)
            return one_of([made, *stored])
        rest = value.get(ANY)
        if rest is None and key is not None and not value.open:
            machine.fault(
                f"KeyError: {key[1]!r}" if isinstance(key, tuple) else f"IndexError: {value.type} index out of range",
                frame,
            )
        if key is None:
            everything = list(value.values())
            return one_of([*everything, UNKNOWN] if value.open or not everything else everything)
        return rest if rest is not None and not value.open else one_of([rest or UNKNOWN, UNKNOWN])
    if isinstance(value, Function):
        machine.fault(f"TypeError: '{value.shown or 'function'}' object is not subscriptable", frame)
    if isinstance(value, Constant) and isinstance(index, Constant):
        try:
            return Constant(value.value[index.value])  # type: ignore[index]
        except (TypeError, LookupError) as error:
            machine.fault(f"{type(error).__name__}: {error}", frame)
            return UNKNOWN
    if isinstance(value, Instance):
        method = attributes.find_in_class(value.cls, "__getitem__")
        if method is not None:
            return machine.call(attributes.bind_method(value, method, "__getitem__"), Arguments((index,)), span, frame)
        content = content_of(value)
        if content is not None:
            return item_at(machine, content, index, frame, span)
        if value.cls.complete and attributes.external_base(value.cls) is None:
            machine.fault(f"TypeError: '{value.cls.name.rpartition('.')[2]}' object is not subscriptable", frame)
        return UNKNOWN
    if isinstance(value, Class):
        named = value.get(index.value) if isinstance(index, Constant) and isinstance(index.value, str) else None
        return named if value.form == "enum" and named is not None else value
    if isinstance(value, External):
        known = makers.value_of(makers.canonical(value.name))
        if known is None:
            return value if _may_be_class(value.name) else UNKNOWN
        value = Opaque(known, span)
    if isinstance(value, Opaque):
        source = value.get("source")
        if source is not None:
            return item_at(machine, source, index, frame, span)
        item_type = makers.method_of(value.type, "__getitem__") or makers.item_of(value.type)
        if value.type in ("bool", "int", "float", "NoneType"):
            machine.fault(f"TypeError: '{value.type}' object is not subscriptable", frame)
        return UNKNOWN if item_type is None else Opaque(item_type, span)
    return UNKNOWN


def _may_be_class(name: str) -> bool:
    """Tell whether a name of a library may be a class: `list[int]` is list, as far as making instances goes."""
    return name.rpartition(".")[2][:1].isupper() or makers.result_of(makers.canonical(name)) is not None


def put_item(
    machine: Machine, owner: Value, index: Value, value: Value, place: Span, frame: Frame | None = None
) -> None:
    """Do `owner[index] = value`. Of several owners each may be meant, or not."""
    owners = alternatives(owner)
    for one in owners:
        if isinstance(one, Instance):
            method = attributes.find_in_class(one.cls, "__setitem__")
            if method is not None and frame is not None:
                bound = attributes.bind_method(one, method, "__setitem__")
                machine.call(bound, Arguments((index, value)), place, frame)
                continue
            one = content_of(one) or one
        if isinstance(one, Container):
            key = _key(one, index)
            if key is None:
                machine.add(one, ANY, value, place)
                add_key(machine, one, index, place)
            elif len(owners) > 1:
                machine.add(one, key, value, place)
            else:
                machine.write(one, key, value, place)
        elif isinstance(one, Namespace) and isinstance(index, Constant) and isinstance(index.value, str):
            machine.write(one.instance, index.value, value, place)
        elif not isinstance(one, Constant):
            machine.handed_out.append(value)
            if isinstance(one, Opaque) and frame is not None and len(owners) == 1:
                given = Arguments((index, value))
                machine.notify(Call(f"{one.base_type}.__setitem__", one, given, place, frame, NONE))


def add_key(machine: Machine, container: Container, key: Value, place: Span) -> None:
    """Keep a key that is no constant."""
    if container.type in MAPPINGS and not isinstance(key, Constant):
        machine.add(container, KEYS, key, place)


def remove_item(machine: Machine, owner: Value, index: Value) -> None:
    """Do `del owner[index]`."""
    owner = content_of(owner) or owner
    if isinstance(owner, Container):
        key = _key(owner, index)
        if key is not None:
            machine.remove(owner, key)
    elif isinstance(owner, Namespace) and isinstance(index, Constant) and isinstance(index.value, str):
        machine.remove(owner.instance, index.value)


def become(
    machine: Machine, value: Opaque, method: str, place: Span, variants: Mapping[str, str] = keeps.BECOMES
) -> None:
    """Keep which variant of its type a call of a method makes of an object of a library."""
    becomes = variants.get(f"{value.base_type}.{method}")
    if becomes is not None:
        machine.write(value, attributes.VARIANT, Constant(becomes), place)


# -- with ---------------------------------------------------------------------------------------------------------


def enter(machine: Machine, manager: Value, span: Span, frame: Frame) -> Value:
    """Return what `with manager as` gives."""
    if isinstance(manager, Instance):
        for name in ("__enter__", "__aenter__"):
            method = attributes.find_in_class(manager.cls, name)
            if method is not None:
                return machine.call(attributes.bind_method(manager, method, name), Arguments(), span, frame)
        return manager if attributes.external_base(manager.cls) else UNKNOWN
    if isinstance(manager, Opaque):
        yielded = manager.get(ANY)
        if yielded is not None:
            return yielded
        machine.notify(Call(f"{manager.base_type}.__enter__", manager, Arguments(), span, frame, manager))
        become(machine, manager, "__enter__", span)
        entered = makers.method_of(manager.type, "__enter__")
        return manager if entered is None or entered == manager.type else Opaque(entered, span)
    return UNKNOWN


def leave(machine: Machine, manager: Value, span: Span, frame: Frame) -> None:
    """Do what the end of a `with` block does."""
    if isinstance(manager, Instance):
        for name in ("__exit__", "__aexit__"):
            method = attributes.find_in_class(manager.cls, name)
            if method is not None:
                machine.call(attributes.bind_method(manager, method, name), Arguments((UNKNOWN,) * 3), span, frame)
    elif isinstance(manager, Opaque):
        machine.notify(Call(f"{manager.base_type}.__exit__", manager, Arguments(), span, frame, UNKNOWN))
