"""How an instance is saved: by what its class says (`__reduce__`, `__getstate__` …), else by its attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mpsafe_lint.findings import ErrorText
from mpsafe_lint.knowledge import texts
from mpsafe_lint.pickling.walk import Part
from mpsafe_lint.values import attributes, iteration
from mpsafe_lint.values.builtins import REDUCER
from mpsafe_lint.values.classes import CONTENT, EXCEPTION_ARGUMENTS, is_exception
from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import (
    ANY,
    NONE,
    UNKNOWN,
    Arguments,
    Class,
    Constant,
    Container,
    External,
    Function,
    Instance,
    Namespace,
    Opaque,
    Value,
    alternatives,
)

Parts = list[Part[Value]]


@dataclass(slots=True)
class State:
    """What pickle saves of an instance.

    `own_hook` says that the class decides it itself; `known` that it could be followed: what couldn't be is left out.
    `refusal` is what the class raises instead. `reduced` is the function that makes the copy, where `__reduce__` names
    one, with its arguments; `state` is what the copy's `__setstate__` or `__dict__` gets, None for nothing.
    """

    parts: Parts = field(default_factory=list)
    own_hook: bool = False
    known: bool = True
    refusal: tuple[ErrorText, ...] = ()
    reduced: tuple[Value, Value] | None = None
    new_arguments: Arguments = field(default_factory=Arguments)
    state: Value | None = None


@dataclass(frozen=True, slots=True)
class Hooks:
    """Calls the hooks of one instance, as pickle would. What they change stays within what is saved."""

    machine: Machine
    instance: Instance
    frame: Frame

    def state(self) -> State:
        """Return what is saved of the instance."""
        cls = self.instance.cls
        if cls.form == "enum":
            value = self.instance.get("value") or UNKNOWN
            return State([Part("<args>", value)], own_hook=True, known=equal_when_loaded(value) is not None)
        reducer = cls.get(REDUCER)
        if reducer is not None:
            return self._reduced(reducer, Arguments((self.instance,)))
        for name, more in (("__reduce_ex__", (Constant(4),)), ("__reduce__", ())):
            method = attributes.find_in_class(cls, name)
            if method is not None:
                return self._reduced(method, Arguments((self.instance, *more)))
        if is_exception(cls):
            return self._exception()
        return self._default()

    def _exception(self) -> State:
        """`BaseException` saves the class, its arguments and `__dict__`, and asks for no `__getstate__`."""
        handed = self.instance.get(EXCEPTION_ARGUMENTS)
        given = [Part("<args>", handed)] if handed is not None else argument_parts(self.instance.arguments)
        return State([*given, *attribute_parts(self.instance)], known=not self.instance.arguments.others)

    def _default(self) -> State:
        """What `object.__reduce_ex__` does: the arguments of `__new__`, then items, then the state."""
        saved = State()
        self._add_new_arguments(saved)
        content = self.instance.get(CONTENT)
        if content is not None:
            saved.parts.append(Part("", content))
        method = attributes.find_in_class(self.instance.cls, "__getstate__")
        if method is None:
            parts = attribute_parts(self.instance)
            saved.parts += parts
            saved.state = Namespace(self.instance) if parts else None
        else:
            saved.own_hook = True
            self._add_state(saved, self._called(saved, method, Arguments((self.instance,))))
        return saved

    def answers_for_getstate(self) -> bool:
        """Tell whether `__getattr__` may answer where `__getstate__` is asked for: up to 3.10 object had none."""
        cls = self.instance.cls
        getter = find_function(cls, "__getattr__")
        if getter is None or attributes.find_in_class(cls, "__getstate__") is not None:
            return False
        arguments = Arguments((self.instance, Constant("__getstate__")))
        raised = certain_outcome(self.machine, getter, arguments, self.instance, self.frame)[1]
        return raised is None or not raised.startswith("AttributeError")

    def _add_new_arguments(self, saved: State) -> None:
        for name in ("__getnewargs_ex__", "__getnewargs__"):
            method = attributes.find_in_class(self.instance.cls, name)
            if method is None:
                continue
            result = self._called(saved, method, Arguments((self.instance,)))
            saved.parts.append(Part("<args>", result))
            saved.new_arguments = _new_arguments(result, with_keywords=name == "__getnewargs_ex__")
            return

    def _reduced(self, reducer: Value, arguments: Arguments) -> State:
        """Return what the tuple of a `__reduce__` takes along: function, arguments, state, items."""
        saved = State(own_hook=True)
        result = self._called(saved, reducer, arguments)
        for one in alternatives(result):
            items = iteration.exact_items(one) if isinstance(one, Container) and one.type == "tuple" else None
            if items is None or len(items) < 2:
                self._add_odd_reduction(saved, one)
                continue
            saved.reduced = (items[0], items[1])
            saved.parts += [Part("<func>", items[0]), Part("<args>", items[1])]
            saved.parts += [Part("[*]", self._item(one)) for one in items[3:5] if one != NONE]
            if len(items) > 2:
                self._add_state(saved, items[2])
        return saved

    def _item(self, iterator: Value) -> Value:
        return iteration.item_of(self.machine, iterator, self.frame, self.instance.site)

    def _add_odd_reduction(self, saved: State, value: Value) -> None:
        if isinstance(value, (Constant, Instance)) or (isinstance(value, Container) and value.type != "tuple"):
            name = value.cls.name if isinstance(value, Instance) else attributes.type_name(value)
            if name != "str":
                saved.refusal = saved.refusal or texts.bad_reduction(name)
        saved.known = False

    def _add_state(self, saved: State, state: Value) -> None:
        for one in alternatives(state):
            if isinstance(one, Namespace):
                saved.parts += attribute_parts(one.instance)
            elif isinstance(one, Container) and one.type in iteration.MAPPINGS:
                followed = [(key, slot) for key, slot in one.items() if key != ANY]
                saved.parts += [_state_part(key, slot.value, slot.place) for key, slot in followed]
                saved.known = saved.known and one.length() is not None
            else:
                saved.parts.append(Part("", one))
        saved.state = state

    def _called(self, saved: State, method: Value, arguments: Arguments) -> Value:
        """Call a hook; where it is sure to raise, that is what pickling comes to."""
        if method == NONE:
            saved.refusal = saved.refusal or texts.not_callable("NoneType")
            return NONE
        result, raised = certain_outcome(self.machine, method, arguments, self.instance, self.frame)
        if raised is not None:
            saved.refusal = saved.refusal or (ErrorText("", raised),)
            return NONE
        return result


def certain_outcome(
    machine: Machine, function: Value, arguments: Arguments, instance: Instance, frame: Frame
) -> tuple[Value, str | None]:
    """Call a function; return its result, and what it raises where it is sure to."""
    before = len(machine.raised)
    with machine.exactly(), machine.watch(frame) as faults:
        result = machine.call(function, arguments, instance.site, frame)
    del machine.raised[before:]
    return result, shown_fault(faults[0]) if faults else None


def shown_fault(exception: Value | str) -> str:
    """Return an exception as the last line of a traceback shows it, as far as that is known."""
    if isinstance(exception, str):
        return exception
    if isinstance(exception, Opaque):
        name, given = exception.type, exception.arguments.positional
    elif isinstance(exception, Instance):
        name, given = exception.cls.qualified_name, exception.arguments.positional
    else:
        return f"{getattr(exception, 'name', '…')}"
    if len(given) != 1:
        return f"{name}: …" if given else name
    message = given[0].value if isinstance(given[0], Constant) else "…"
    return f"{name}: {message}"


def attribute_parts(instance: Instance) -> Parts:
    """Return what lies in an instance's `__dict__` and slots."""
    return [Part(f".{name}", value, place) for name, value, place in attributes.stored_attributes(instance)]


def argument_parts(arguments: Arguments) -> Parts:
    """Return what a partial, or a type that keeps its arguments, takes along of them."""
    parts: list[Part[Value]] = [Part(f"<args>[{i}]", value) for i, value in enumerate(arguments.positional)]
    return parts + [Part(f"<args>[{key!r}]", value) for key, value in arguments.keywords.items()]


def _state_part(key: object, value: Value, place: object) -> Part[Value]:
    named = isinstance(key, tuple) and key != ANY and isinstance(key[1], str)
    return Part(f".{key[1]}" if named else "[*]", value, place)  # type: ignore[index]


def _new_arguments(result: Value, *, with_keywords: bool) -> Arguments:
    """Return what `__new__` is called with in the receiving process."""
    items = iteration.exact_items(result)
    if items is None or (with_keywords and len(items) != 2):
        return Arguments(others=True, other_keywords=True)
    if not with_keywords:
        return Arguments(tuple(items))
    positional = iteration.exact_items(items[0])
    named = items[1]
    if positional is None or not isinstance(named, Container) or named.length() is None:
        return Arguments(others=True, other_keywords=True)
    return Arguments(
        tuple(positional), {str(key[1]): slot.value for key, slot in named.items() if isinstance(key, tuple)}
    )


def equal_when_loaded(value: Value) -> bool | None:
    """Tell whether a copy of a value is equal to it; None where that is not known."""
    if isinstance(value, (Constant, Function, Class, External)):
        return True
    if isinstance(value, Container):
        if value.type in iteration.LAZIES or value.type == iteration.ITERATOR:
            return False
        outcomes = {equal_when_loaded(one) for one in value.values()}
        return False if False in outcomes else (None if None in outcomes or value.open else True)
    if isinstance(value, Opaque):
        return True if value.type in _COMPARED else None
    if isinstance(value, Instance) and value.cls.complete and attributes.external_base(value.cls) is None:
        compared = value.cls.form != "class" or attributes.find_in_class(value.cls, "__eq__") is not None
        return None if compared else False
    return None


_COMPARED = frozenset({"str", "bytes", "int", "float", "bool", "complex", "range", "datetime.date", "pathlib.Path"})
"""Types whose objects are compared by their contents."""


def own_classes(cls: Class) -> Sequence[Class]:
    """Return the class and its bases, as far as their source is known."""
    return [one for one in cls.mro if isinstance(one, Class)]


def find_function(cls: Class, name: str) -> Function | None:
    """Return a method of the program's own that a class has, or inherits, under a name."""
    method = attributes.find_in_class(cls, name)
    method = getattr(method, "function", method)
    return method if isinstance(method, Function) else None
