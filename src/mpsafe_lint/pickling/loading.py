"""What is saved and can't be loaded again: the receiving process makes an object, and puts its state back."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from mpsafe_lint.findings import ErrorText, Span
from mpsafe_lint.knowledge import makers, texts
from mpsafe_lint.knowledge.boundaries import DATASET_CLASSES, PROCESS_CLASSES
from mpsafe_lint.pickling.hooks import State, equal_when_loaded, find_function, own_classes, shown_fault
from mpsafe_lint.values import attributes, iteration
from mpsafe_lint.values.classes import EXCEPTION_ARGUMENTS, bare, is_exception
from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.truth import truth
from mpsafe_lint.values.values import (
    UNKNOWN,
    Arguments,
    Class,
    Constant,
    Container,
    Function,
    Instance,
    Namespace,
    Value,
    alternatives,
    same,
)


@dataclass(frozen=True, slots=True)
class LoadFailure:
    """Where the fault lies, and what the receiving process raises: nothing where that isn't clear. `late` says that it
    comes when the state is put back, after all parts were loaded, not when the object is made."""

    span: Span
    errors: tuple[ErrorText, ...]
    late: bool = False


@dataclass(frozen=True, slots=True)
class Loading:
    """An instance that was saved, and the receiving process that loads it."""

    machine: Machine
    instance: Instance
    state: State
    frame: Frame


Check = Callable[[Loading], "LoadFailure | None"]


def load_failure(loading: Loading) -> LoadFailure | None:
    """Say why an instance that is saved can't be loaded, or None where nothing is known against it."""
    if loading.state.refusal:
        return None
    return next((found for check in _CHECKS if (found := check(loading)) is not None), None)


# -- making the object ---------------------------------------------------------------------------------------------


def _exception(loading: Loading) -> LoadFailure | None:
    """An exception is rebuilt as `cls(*args)`; `args` is what `BaseException.__init__` got, else what the class got."""
    instance = loading.instance
    constructor = find_function(instance.cls, "__init__")
    if loading.state.own_hook or not is_exception(instance.cls) or constructor is None:
        return None
    handed = instance.slots.get(EXCEPTION_ARGUMENTS)
    span = (handed.place if handed is not None else None) or _handing_over(constructor) or constructor.span
    values = iteration.exact_items(handed.value) if handed is not None else list(instance.arguments.positional)
    if values is None or (handed is None and instance.arguments.others):
        return None
    problem = mismatch(constructor, Arguments(tuple(values)))
    if problem is not None:
        return LoadFailure(span, texts.bad_call(constructor.name, problem))
    given = instance.arguments
    if not given.keywords and len(given.positional) == len(values) and all(map(same, given.positional, values)):
        return None  # what went well once
    text = _fails(loading, constructor, values)
    if text is not None:
        return LoadFailure(span, (ErrorText("", text),))
    return None if _only_stores(constructor) else LoadFailure(span, ())


def _handing_over(constructor: Function) -> Span | None:
    """Return where a constructor calls that of its base."""
    for node in ast.walk(constructor.node):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__":
            return constructor.module.span(node)
    return None


def _only_stores(constructor: Function) -> bool:
    """Tell whether a constructor does nothing with its arguments that depends on what they are."""
    parts = [one for statement in constructor.node.body for one in ast.walk(statement)]  # type: ignore[union-attr]
    looked_into = [
        one for one in parts if isinstance(one, (ast.Subscript, ast.Attribute)) and isinstance(one.ctx, ast.Load)
    ]
    own = [one for one in looked_into if isinstance(one, ast.Attribute) and _is_own(one.value)]
    called = [one for one in parts if isinstance(one, ast.Call)]
    plain = [one for one in called if isinstance(one.func, (ast.Attribute, ast.Name)) and _is_plain_call(one.func)]
    return len(own) == len(looked_into) and len(plain) == len(called)


def _is_own(owner: ast.expr) -> bool:
    """Tell whether an expression is `self` or `super()`, as far as a name tells."""
    if isinstance(owner, ast.Call):
        return isinstance(owner.func, ast.Name) and owner.func.id == "super"
    return isinstance(owner, ast.Name) and owner.id == "self"


def _is_plain_call(function: ast.Attribute | ast.Name) -> bool:
    if isinstance(function, ast.Name):
        return function.id in ("super", "str", "repr", "type", "isinstance", "bool")
    return function.attr == "__init__" and _is_own(function.value)


def _fails(loading: Loading, constructor: Function, values: list[Value]) -> str | None:
    """Say what the constructor raises on the arguments that it is given again, where that is sure."""
    machine, instance = loading.machine, loading.instance
    with machine.trial(), machine.watch(loading.frame) as faults:
        twin = Instance(instance.cls, instance.site, Arguments(tuple(values)))
        machine.call(constructor, Arguments((twin, *values)), instance.site, loading.frame)
    return shown_fault(faults[0]) if faults else None


def _reduced(loading: Loading) -> LoadFailure | None:
    """What `__reduce__` names is called with its arguments."""
    if loading.state.reduced is None:
        return None
    function, given = loading.state.reduced
    values = iteration.exact_items(given)
    target = find_function(function, "__init__") if isinstance(function, Class) else function
    if values is None or not isinstance(target, Function):
        return None
    problem = mismatch(target, Arguments(tuple(values)), bound=isinstance(function, Class))
    return None if problem is None else LoadFailure(target.span, texts.bad_call(target.name, problem))


def _new(loading: Loading) -> LoadFailure | None:
    """An object is made as `cls.__new__(cls)`, with what `__getnewargs__` gives."""
    maker = find_function(loading.instance.cls, "__new__")
    state = loading.state
    if maker is None or state.reduced is not None or is_exception(loading.instance.cls):
        return None
    given, cls = state.new_arguments, loading.instance.cls
    is_given = any(base in _GIVEN_THEIR_VALUE for base in attributes.external_bases(cls))
    if is_given and find_function(cls, "__getnewargs__") is None:
        given = Arguments((UNKNOWN,))
    problem = mismatch(maker, given)
    return None if problem is None else LoadFailure(maker.span, texts.bad_call(maker.name, problem))


_GIVEN_THEIR_VALUE = frozenset({"int", "float", "complex", "str", "bytes", "tuple"})
"""Types whose `__getnewargs__` gives the value, so that `__new__` of a class derived from them gets it again."""


def mismatch(function: Function, given: Arguments, *, bound: bool = True) -> str | None:
    """Say what a call with these arguments would be told, or None where it fits. With `bound` the first parameter is
    given besides."""
    parameters = function.node.args
    positional = [one.arg for one in (*parameters.posonlyargs, *parameters.args)]
    count = len(given.positional) + (1 if bound else 0)
    if given.others or given.other_keywords:
        return None
    if count > len(positional) and parameters.vararg is None:
        return _too_many(len(positional), len(parameters.defaults), count)
    required = positional[: len(positional) - len(parameters.defaults)]
    missing = [name for name in required[count:] if name not in given.keywords]
    if missing:
        return f"missing {_counted(missing, 'positional')}"
    keyword_only = [
        one.arg
        for one, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
        if default is None and one.arg not in given.keywords
    ]
    return f"missing {_counted(keyword_only, 'keyword-only')}" if keyword_only else None


def _too_many(most: int, defaults: int, given: int) -> str:
    least = most - defaults
    taken = f"from {least} to {most}" if defaults else str(most)
    noun = "argument" if most == 1 and not defaults else "arguments"
    return f"takes {taken} positional {noun} but {given} {'was' if given == 1 else 'were'} given"


def _counted(names: list[str], sort: str) -> str:
    noun = "argument" if len(names) == 1 else "arguments"
    return f"{len(names)} required {sort} {noun}: {_listed(names)}"


def _listed(names: list[str]) -> str:
    *others, last = (f"'{name}'" for name in names)
    if not others:
        return last
    return f"{', '.join(others)}{',' if len(others) > 1 else ''} and {last}"


def _enum(loading: Loading) -> LoadFailure | None:
    """A member of an enum is looked up by its value, which has to be equal to what was saved."""
    cls, value = loading.instance.cls, loading.instance.get("value")
    if cls.form != "enum" or value is None or equal_when_loaded(value) is not False:
        return None
    return LoadFailure(loading.instance.site, texts.no_member(cls.name))


def _items(loading: Loading) -> LoadFailure | None:
    """The items of a dict or list come before the attributes: a method of its own that puts them in can't ask for
    those."""
    instance, machine = loading.instance, loading.machine
    content = iteration.content_of(instance)
    if content is None or content.length() == 0 or loading.state.own_hook:
        return None
    name, arguments = ("__setitem__", 2) if content.type in iteration.MAPPINGS else ("extend", 1)
    method = find_function(instance.cls, name)
    if method is None:
        return None
    with machine.trial(), machine.watch(loading.frame) as faults:
        twin = bare(machine, instance.cls, Arguments(), instance.site)
        machine.call(method, Arguments((twin, *[UNKNOWN] * arguments)), instance.site, loading.frame)
    own = attributes.missing(instance, "")[:-1]
    if faults and isinstance(faults[0], str) and faults[0].startswith(own):
        return LoadFailure(method.span, (ErrorText("", faults[0]),))
    return None


# -- putting the state back ----------------------------------------------------------------------------------------


def _recursion(loading: Loading) -> LoadFailure | None:
    """The copy, which has no attributes yet, is asked for `__setstate__`: a `__getattr__` that reads one of its own
    asks itself for ever."""
    instance, machine = loading.instance, loading.machine
    getter = find_function(instance.cls, "__getattr__")
    if getter is None or not _puts_state(loading) or _may_have_setstate(instance.cls):
        return None
    with machine.trial(), machine.watch(loading.frame) as faults:
        twin = Instance(instance.cls, instance.site, Arguments())
        given = machine.call(getter, Arguments((twin, Constant("__setstate__"))), instance.site, loading.frame)
    if isinstance(given, (Constant, Container)):
        return LoadFailure(getter.span, texts.not_callable(attributes.type_name(given)), late=True)
    asks_itself = faults[:1] == [texts.RECURSION[0].text]
    return LoadFailure(getter.span, texts.RECURSION, late=True) if asks_itself else None


def _may_have_setstate(cls: Class) -> bool:
    """Tell whether a class has a `__setstate__`, or a base of which nothing is known."""
    known = (makers.canonical(base) in _WITHOUT_SETSTATE for base in attributes.external_bases(cls))
    return not cls.complete or attributes.find_in_class(cls, "__setstate__") is not None or not all(known)


_WITHOUT_SETSTATE = DATASET_CLASSES | PROCESS_CLASSES | {"abc.ABC", "typing.Generic", "typing.Protocol", "object"}


def _puts_state(loading: Loading) -> bool:
    """Tell whether there is a state to put back: an empty one is left out."""
    state = loading.state.state
    if state is None or isinstance(state, Namespace):
        return state is not None
    return truth(state) is not False


def _no_dict(loading: Loading) -> LoadFailure | None:
    """A dict as state goes into `__dict__`, which a class with `__slots__` doesn't have."""
    cls = loading.instance.cls
    method = find_function(cls, "__getstate__")
    if method is None or has_dict(cls) or attributes.find_in_class(cls, "__setstate__") is not None:
        return None
    states = alternatives(loading.state.state) if loading.state.state is not None else ()
    if any(isinstance(one, Container) and one.type == "dict" for one in states) and _puts_state(loading):
        return LoadFailure(method.span, texts.bound_attribute(cls.name.rpartition(".")[2], "__dict__"), late=True)
    return None


def _frozen(loading: Loading) -> LoadFailure | None:
    """The values of slots are put back by setattr, which a frozen dataclass forbids."""
    cls = loading.instance.cls
    if loading.state.own_hook or has_dict(cls) or not _is_on(cls, "frozen") or _is_on(cls, "slots"):
        return None
    first = next(iter(attributes.stored_attributes(loading.instance)), None)
    return None if first is None else LoadFailure(cls.span, texts.frozen_field(first[0]), late=True)


def has_dict(cls: Class) -> bool:
    """Tell whether instances of a class have a `__dict__`: any base without `__slots__` gives one."""
    slots = [one.get("__slots__") for one in own_classes(cls)]
    if None in slots or attributes.external_base(cls) is not None or not cls.complete:
        return True
    return any("__dict__" in (_names(one) or ["__dict__"]) for one in slots if one is not None)


def _names(slots: Value) -> list[object] | None:
    if isinstance(slots, Constant):
        return [slots.value]
    items = iteration.exact_items(slots)
    return None if items is None else [one.value for one in items if isinstance(one, Constant)]


def _is_on(cls: Class, option: str) -> bool:
    return any(one.keywords.get(option) == Constant(True) for one in own_classes(cls) if one.form == "dataclass")


_CHECKS: tuple[Check, ...] = (_enum, _exception, _reduced, _new, _items, _recursion, _no_dict, _frozen)
