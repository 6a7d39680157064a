"""How an instance is saved: by what its class says (`__reduce__`, `__getstate__` …), else by its attributes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from mpsafe_lint.findings import ErrorText, Span
from mpsafe_lint.pickling.walk import Part
from mpsafe_lint.values import attributes, iteration
from mpsafe_lint.values.builtins import REDUCER
from mpsafe_lint.values.classes import EXCEPTION_ARGUMENTS, is_exception
from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import (
    UNKNOWN,
    Arguments,
    Class,
    Constant,
    Container,
    External,
    Function,
    Instance,
    Value,
    alternatives,
)


@dataclass(frozen=True, slots=True)
class State:
    """What pickle saves of an instance. `own_hook` says that the class decides it itself."""

    parts: Sequence[Part[Value]]
    own_hook: bool = False


def state_of(machine: Machine, instance: Instance, frame: Frame) -> State:
    """Return what is saved of an instance. What can't be followed counts as left out."""
    reducer = instance.cls.get(REDUCER)
    if reducer is not None:
        return State(_reduced(machine, reducer, Arguments((instance,)), instance, frame), own_hook=True)
    for name in ("__reduce_ex__", "__reduce__"):
        method = _own_method(instance.cls, name)
        if method is not None:
            arguments = Arguments((instance, Constant(4))) if name == "__reduce_ex__" else Arguments((instance,))
            return State(_reduced(machine, method, arguments, instance, frame), own_hook=True)
    extra = _new_arguments(machine, instance, frame)
    method = _own_method(instance.cls, "__getstate__")
    if method is not None:
        state = _run(machine, method, Arguments((instance,)), instance, frame)
        return State([*extra, *_state_parts(state)], own_hook=True)
    return State([*extra, *_attribute_parts(instance)])


def _own_method(cls: Class, name: str) -> Value | None:
    method = attributes.find_in_class(cls, name)
    return method if isinstance(method, Function) else None


def _run(machine: Machine, method: Value, arguments: Arguments, instance: Instance, frame: Frame) -> Value:
    """Call a hook as pickle would. What it changes stays within the state that it returns."""
    method = method if isinstance(method, Function) else method
    return machine.call(method, arguments, instance.site, frame)


def _attribute_parts(instance: Instance) -> list[Part[Value]]:
    return [Part(f".{name}", value, place) for name, value, place in attributes.stored_attributes(instance)]


def _state_parts(state: Value) -> list[Part[Value]]:
    parts: list[Part[Value]] = []
    for one in alternatives(state):
        if isinstance(one, Container) and one.type in iteration.MAPPINGS and one.length() is not None:
            parts += [
                Part(f".{key[1]}", slot.value, slot.place) for key, slot in one.items() if isinstance(key, tuple)
            ]
        elif isinstance(one, Container) and one.type == "tuple" and one.length() is not None:
            parts += [Part(f"[{key}]", slot.value, slot.place) for key, slot in one.items()]
        elif not isinstance(one, (Container, Constant)) and one is not UNKNOWN:
            parts.append(Part("", one))
    return parts


def _reduced(
    machine: Machine, reducer: Value, arguments: Arguments, instance: Instance, frame: Frame
) -> list[Part[Value]]:
    """Return what the tuple of a `__reduce__` takes along: function, arguments, state."""
    result = _run(machine, reducer, arguments, instance, frame)
    parts: list[Part[Value]] = []
    for one in alternatives(result):
        items = iteration.exact_items(one) if isinstance(one, Container) and one.type == "tuple" else None
        if not items:
            continue
        parts.append(Part("<func>", items[0]))
        if len(items) > 1:
            parts += _plain_parts(items[1], "<args>")
        if len(items) > 2:
            parts += _state_parts(items[2])
    return parts


def _plain_parts(value: Value, step: str) -> list[Part[Value]]:
    return [Part(step, value)]


def _new_arguments(machine: Machine, instance: Instance, frame: Frame) -> list[Part[Value]]:
    for name in ("__getnewargs_ex__", "__getnewargs__"):
        method = _own_method(instance.cls, name)
        if method is not None:
            return _plain_parts(_run(machine, method, Arguments((instance,)), instance, frame), "<args>")
    return []


# -- what is saved and can't be loaded -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LoadFailure:
    """Where the fault lies, and what the receiving process raises."""

    span: Span
    errors: tuple[ErrorText, ...]


def load_failure(machine: Machine, instance: Instance, state: State, frame: Frame) -> LoadFailure | None:
    """Say why an instance that is saved can't be loaded, or None where nothing is known against it."""
    if state.own_hook or not is_exception(instance.cls):
        return None
    return _exception_failure(machine, instance, frame)


def _exception_failure(machine: Machine, instance: Instance, frame: Frame) -> LoadFailure | None:
    """An exception is rebuilt as `cls(*args)`; `args` is what `BaseException.__init__` got, else what the class got."""
    cls = instance.cls
    constructor = attributes.find_in_class(cls, "__init__")
    if not isinstance(constructor, Function):
        return None
    handed = instance.slots.get(EXCEPTION_ARGUMENTS)
    span = handed.place if handed is not None and handed.place is not None else constructor.span
    values = iteration.exact_items(handed.value) if handed is not None else list(instance.arguments.positional)
    if values is None or (handed is None and instance.arguments.others):
        return None
    problem = _mismatch(constructor, len(values))
    text = f"TypeError: {cls.name}.__init__() {problem}" if problem else _fails(machine, instance, values, frame)
    return None if text is None else LoadFailure(span, (ErrorText("", text),))


def _fails(machine: Machine, instance: Instance, values: list[Value], frame: Frame) -> str | None:
    """Say what the constructor raises on the arguments that it is given again, where that is sure."""
    with machine.trial():
        machine.missing_attributes.clear()
        twin = Instance(instance.cls, instance.site, Arguments(tuple(values)))
        constructor = attributes.find_in_class(instance.cls, "__init__")
        assert constructor is not None
        machine.call(constructor, Arguments((twin, *values)), instance.site, frame)
        missing = list(machine.missing_attributes)
    if not missing:
        return None
    type_name, name = missing[0]
    return f"AttributeError: '{type_name}' object has no attribute '{name}'"


def _mismatch(constructor: Function, given: int) -> str | None:
    """Say what a call with `given` positional arguments (and self) would be told, or None where it fits."""
    parameters = constructor.node.args
    named = [one.arg for one in (*parameters.posonlyargs, *parameters.args)][1:]
    required = named[: len(named) - len(parameters.defaults)] if parameters.defaults else named
    keyword_only = [
        one.arg for one, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True) if default is None
    ]
    missing = required[given:]
    if missing:
        noun = "argument" if len(missing) == 1 else "arguments"
        return f"missing {len(missing)} required positional {noun}: {_listed(missing)}"
    if keyword_only:
        noun = "argument" if len(keyword_only) == 1 else "arguments"
        return f"missing {len(keyword_only)} required keyword-only {noun}: {_listed(keyword_only)}"
    if given > len(named) and parameters.vararg is None:
        return f"takes {len(named) + 1} positional arguments but {given + 1} were given"
    return None


def _listed(names: list[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    if len(quoted) == 1:
        return quoted[0]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}" if len(quoted) == 2 else f"{', '.join(quoted[:-1])}, and {quoted[-1]}"
