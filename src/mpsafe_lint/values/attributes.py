"""Attributes: what `value.name` gives, by Python's rules, and what storing one does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mpsafe_lint.findings import Span
from mpsafe_lint.knowledge import keeps, makers, texts
from mpsafe_lint.values import elsewhere
from mpsafe_lint.values.frames import Call, Frame
from mpsafe_lint.values.values import (
    ANY,
    NONE,
    UNKNOWN,
    Arguments,
    Bound,
    Cell,
    Class,
    Constant,
    Container,
    Descriptor,
    External,
    Function,
    Instance,
    ModuleValue,
    Namespace,
    Opaque,
    Partial,
    Super,
    Value,
    alternatives,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine


def get(machine: Machine, value: Value, name: str, span: Span, frame: Frame) -> Value:
    """Return `value.name` for one alternative."""
    if isinstance(value, Instance):
        return _instance_attribute(machine, value, name, span, frame)
    if isinstance(value, Namespace):
        return Bound(value, External(f"dict.{name}"), name)
    if isinstance(value, ModuleValue):
        member = machine.module_member(value, name)
        return machine.resolve(member) if member is not None else _external_member(machine, value, name)
    if isinstance(value, External):
        known = makers.value_of(value.name)
        if known is not None:
            return get(machine, Opaque(known, span), name, span, frame)
        return External(f"{value.name}.{name}")
    if isinstance(value, Class):
        return _class_attribute(machine, value, name, span, frame)
    if name == "__class__" and isinstance(value, (Opaque, Container, Constant)):
        return type_of(value)
    if isinstance(value, Opaque):
        _note_missing(machine, value.type, name, frame)
        if (shown := keeps.SHOWS.get(f"{value.type}.{name}")) is not None:
            machine.write(value, VARIANT, Constant(shown), span)
        return _opaque_attribute(value, name, span)
    if isinstance(value, (Container, Constant)):
        _note_missing(machine, type_name(value), name, frame)
        return Bound(value, External(f"{type_name(value)}.{name}"), name)
    if isinstance(value, Super):
        return _super_attribute(value, name)
    if isinstance(value, Function):
        return value.get(name) or _named(value, name) or _function_attribute(machine, value, name, span)
    if isinstance(value, Partial) and name == "func":
        return value.function
    if isinstance(value, Bound) and name in ("__self__", "__func__"):
        return value.self if name == "__self__" else value.function
    if name in TELLING_METHODS:
        return Bound(UNKNOWN, External(TELLING_METHODS[name]), name)
    return UNKNOWN


_PLAIN_TYPES: dict[str, type] = {one.__name__: one for one in (str, int, float, bool, bytes, list, tuple, dict, set)}


def _note_missing(machine: Machine, type_name: str, name: str, frame: Frame) -> None:
    """Keep that an attribute was asked for which a value of this type can't have."""
    plain = _PLAIN_TYPES.get(type_name)
    if plain is not None and not hasattr(plain, name):
        machine.fault(f"AttributeError: '{type_name}' object has no attribute '{name}'", frame)


def _named(value: Function | Class, name: str) -> Value | None:
    """Return what a function or class calls itself."""
    names = {"__qualname__": value.name, "__name__": value.name.rpartition(".")[2], "__module__": value.module.name}
    return Constant(names[name]) if name in names else None


def _function_attribute(machine: Machine, function: Function, name: str, span: Span) -> Value:
    if name == "__code__":
        return Opaque("code", span)
    if name == "__closure__" and function.is_local:
        cells = Container("tuple", span)
        machine.write(cells, ANY, Opaque("cell", span))
        return cells
    if name == "__get__":
        return External("function.__get__")
    return UNKNOWN


VARIANT = "<variant>"
"""Where an object of a library keeps the variant of its type that it has turned out to be."""

VIEW_METHODS = frozenset({"keys", "values", "items"})
"""Methods that make a view of a dict. On a receiver that is not known they are taken for a dict's."""

TELLING_METHODS = {
    **{name: f"dict.{name}" for name in VIEW_METHODS},
    "run_in_executor": "asyncio.AbstractEventLoop.run_in_executor",
}
"""Methods whose name tells what the receiver is, where nothing else does."""


def _external_member(machine: Machine, module: ModuleValue, name: str) -> Value:
    full_name = f"{module.name}.{name}"
    return machine.program.find_submodule(full_name, module.path or module.importer) or External(full_name)


def type_of(value: Value) -> Value:
    """Return what `type(value)` gives."""
    if isinstance(value, Instance):
        return value.cls
    name = type_name(value).partition("[")[0]
    return External(name) if name and "." not in name and name not in ("iterator", "reversed") else UNKNOWN


def type_name(value: Value) -> str:
    """Return the name of a value's type, where a table may know it."""
    if isinstance(value, (Container, Opaque)):
        return value.type
    return type(value.value).__name__ if isinstance(value, Constant) else ""


def find_in_class(cls: Class, name: str) -> Value | None:
    """Look a name up along the method resolution order, in the classes whose source is known."""
    for one in cls.mro:
        if isinstance(one, Class) and (found := one.get(name)) is not None:
            return found
    return None


def _find_after(mro: tuple[Class | External, ...], start: Class, name: str) -> Value | None:
    rest = mro[mro.index(start) + 1 :] if start in mro else mro[1:]
    for one in rest:
        if isinstance(one, Class):
            if (found := one.get(name)) is not None:
                return found
        elif one.name != "object":
            return External(f"{one.name}.{name}")
    return None


def external_base(cls: Class) -> str | None:
    """Return the name of the first base that is known by its name alone."""
    return next(external_bases(cls), None)


def external_bases(cls: Class) -> Iterator[str]:
    return (one.name for one in cls.mro if isinstance(one, External) and one.name not in PLAIN_BASES)


PLAIN_BASES = frozenset({"object", "typing.Generic", "typing.Protocol", "abc.ABC"})


def bind_method(self: Value, member: Value, name: str) -> Value:
    """Return what a member of a class gives when it is asked for on `self`."""
    if isinstance(member, Descriptor):
        if member.kind == "staticmethod":
            return member.function
        if member.kind == "classmethod":
            return Bound(self.cls if isinstance(self, Instance) else self, member.function, name)
        return member
    if isinstance(member, (Function, External)):
        return Bound(self, member, name)
    return member


def _instance_attribute(machine: Machine, value: Instance, name: str, span: Span, frame: Frame) -> Value:
    member = find_in_class(value.cls, name)
    if isinstance(member, Descriptor) and member.kind == "property":
        return machine.call(member.function, Arguments((value,)), span, frame)
    stored = value.get(name)
    if value.synthetic and not machine.worker_depth and elsewhere.is_open(stored):
        stored = elsewhere.with_what_is_set(machine, value, name, stored, frame)
    if stored is not None:
        return machine.resolve(stored)
    if isinstance(member, Descriptor) and member.kind == "cached_property":
        result = machine.call(member.function, Arguments((value,)), span, frame)
        machine.write(value, name, result, span)
        return result
    if name == "__class__":
        return value.cls
    if name == "__dict__":
        return Namespace(value)
    if member is not None:
        return machine.for_each(member, lambda one: _given(machine, value, machine.resolve(one), name, span, frame))
    external = _external_of(value.cls, name)
    if external is not None:
        return Bound(value, External(external), name)
    if name in VIEW_METHODS and not value.cls.complete:
        return Bound(UNKNOWN, External(f"dict.{name}"), name)
    getter = find_in_class(value.cls, "__getattr__")
    if isinstance(getter, Function):
        if _asks_itself(getter, value, name, frame):
            machine.fault(texts.RECURSION[0].text, frame)
            return UNKNOWN
        return machine.call(getter, Arguments((value, Constant(name))), span, frame)
    if value.cls.complete and name not in _OF_ALL:
        machine.fault(missing(value, name), frame)
    return UNKNOWN


def _given(machine: Machine, self: Instance, member: Value, name: str, span: Span, frame: Frame) -> Value:
    """Return what a member of a class gives when an instance is asked for it: what its own `__get__` says, if any."""
    getter = find_in_class(member.cls, "__get__") if isinstance(member, Instance) else None
    if isinstance(getter, Function):
        return machine.call(getter, Arguments((member, self, self.cls)), span, frame)
    return bind_method(self, member, name)


_OF_ALL = frozenset(dir(object)) | {"__module__", "__weakref__", "__annotations__"}
"""Attributes that objects have without being given them."""


def missing(value: Instance, name: str) -> str:
    """Return what Python says where an object hasn't got an attribute."""
    return f"AttributeError: '{value.cls.name.rpartition('.')[2]}' object has no attribute '{name}'"


def _asks_itself(getter: Function, value: Instance, name: str, frame: Frame) -> bool:
    """Tell whether `__getattr__` is being asked for this attribute already: it would ask for ever."""
    parameter = getter.node.args.args[-1].arg if getter.node.args.args else ""
    return any(
        one.function is getter and one.first_argument is value and one.scope.get(parameter) == Constant(name)
        for one in frame.stack()
    )


def _external_of(cls: Class, name: str) -> str | None:
    """Return the qualified name of a method that a library's base class gives. A base that the tables know comes
    first."""
    bases = [base for base in external_bases(cls) if base not in _PLAIN_TYPES or hasattr(_PLAIN_TYPES[base], name)]
    for base in bases:
        if makers.method_of(makers.canonical(base), name) is not None:
            return f"{base}.{name}"
    return f"{bases[0]}.{name}" if bases else None


def _class_attribute(machine: Machine, cls: Class, name: str, span: Span, frame: Frame) -> Value:
    getter = _property_of_metaclass(cls, name)
    if getter is not None:
        return machine.call(getter, Arguments((cls,)), span, frame)
    member = find_in_class(cls, name) or _named(cls, name)
    if isinstance(member, Descriptor):
        return bind_method(cls, member, name)
    if member is not None:
        return member
    if name == "__dict__":
        return class_namespace(machine, cls, span)
    if cls.form == "enum":
        return UNKNOWN
    external = external_base(cls)
    return External(f"{external}.{name}") if external else UNKNOWN


def _property_of_metaclass(cls: Class, name: str) -> Value | None:
    """Return the function of a property that the class of a class defines: it comes before what the class has."""
    for one in cls.mro:
        metaclass = one.keywords.get("metaclass") if isinstance(one, Class) else None
        member = find_in_class(metaclass, name) if isinstance(metaclass, Class) else None
        if isinstance(member, Descriptor) and member.kind == "property":
            return member.function
    return None


def class_namespace(machine: Machine, cls: Class, span: Span) -> Value:
    """Return a class's `__dict__`: a mappingproxy."""
    held = Container("dict", span, open_=True)
    for key, slot in cls.slots.items():
        machine.write(held, ("k", key), slot.value, slot.place)
    proxy = Opaque("mappingproxy", span)
    machine.write(proxy, "source", held)
    return proxy


def _opaque_attribute(value: Opaque, name: str, span: Span) -> Value:
    stored = value.get(name)
    if stored is not None:
        return stored
    known = makers.attribute_of(value.type, name)
    if known is not None:
        return Opaque(known, span)
    return Bound(value, External(f"{value.base_type}.{name}"), name)


def _super_attribute(value: Super, name: str) -> Value:
    owner = value.self.cls if isinstance(value.self, Instance) else value.self
    mro = owner.mro if isinstance(owner, Class) else value.cls.mro
    member = _find_after(mro, value.cls, name)
    if member is None:
        return Bound(value.self, External(f"object.{name}"), name)
    if isinstance(member, Descriptor) and member.kind == "property":
        return UNKNOWN
    return bind_method(value.self, member, name)


def put(machine: Machine, owner: Value, name: str, value: Value, place: Span, frame: Frame) -> None:
    """Do `owner.name = value`. Of several owners each may be meant, or not."""
    owners = [one for one in alternatives(owner) if isinstance(one, Cell)]
    certain = len(alternatives(owner)) == 1
    if not owners:
        machine.handed_out.append(value)
    for one in owners:
        if isinstance(one, Instance):
            hook, setter = find_in_class(one.cls, "__setattr__"), _setter(one.cls, name)
            if isinstance(hook, Function):
                machine.call(hook, Arguments((one, Constant(name), value)), place, frame)
                continue
            if setter is not None:
                machine.call(setter, Arguments((one, value)), place, frame)
                continue
        if isinstance(one, Opaque) and certain:
            given = Arguments((Constant(name), value))
            machine.notify(Call(f"{one.base_type}.__setattr__", one, given, place, frame, NONE))
        if certain:
            machine.write(one, name, value, place)
        else:
            machine.add(one, name, value, place)
    if isinstance(owner, ModuleValue) and owner.path is not None:
        _put_in_module(machine, owner, name, value, place)


def _setter(cls: Class, name: str) -> Value | None:
    setter = find_in_class(cls, f"{name}.setter")
    return setter if isinstance(find_in_class(cls, name), Descriptor) else None


def _put_in_module(machine: Machine, owner: ModuleValue, name: str, value: Value, place: Span) -> None:
    module = machine.program.module(owner.path or "", owner.name)
    if module is not None:
        machine.add(machine.module_scope(module), name, value, place)


def stored_attributes(instance: Instance) -> list[tuple[str, Value, Span | None]]:
    """Return what lies in an instance's `__dict__`, in order."""
    return [
        (key, slot.value, slot.place)
        for key, slot in instance.slots.items()
        if isinstance(key, str) and not key.startswith("<")
    ]
