"""How pickle saves abstract values: which it refuses, with which error, and what it saves below the others."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from mpsafe_lint.findings import ErrorText, Span
from mpsafe_lint.knowledge import keeps, makers, texts, types
from mpsafe_lint.pickling import hooks
from mpsafe_lint.pickling.names import Importability, importability, is_callable
from mpsafe_lint.pickling.walk import Part, Saved, walk
from mpsafe_lint.values import attributes
from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import (
    ANY,
    Arguments,
    Bound,
    Class,
    Constant,
    Container,
    External,
    Function,
    Imported,
    Instance,
    Key,
    ModuleValue,
    OneOf,
    Opaque,
    Partial,
    Value,
    alternatives,
)

BY_VALUE = ("cloudpickle", "dill")
"""Serializers that send lambdas, local functions and local classes with their code."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a value can't be sent. `origin` is None where the place that stores it is to be named.

    `only_in_worker` says that it is saved, and that the receiving process can't load it.
    """

    kind: str
    origin: Span | None
    errors: tuple[ErrorText, ...]
    only_in_worker: bool = False
    assumed: bool = False
    captures: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()

    def error(self, python: tuple[int, int]) -> ErrorText | None:
        """Return what a Python prints; None where it sends the value."""
        return next((error for error in self.errors if types.covers(error.python, python)), None)


@dataclass(slots=True)
class AbstractGraph:
    """The abstract values as one serializer sees them. `serializer` is one of `types.SERIALIZERS`; `targets` are the
    Pythons that the program is meant for; `managers` says that `multiprocessing.managers` is imported. `unknown` names
    what was met on the way and of which nothing is known."""

    machine: Machine
    frame: Frame
    serializer: str
    targets: tuple[tuple[int, int], ...]
    managers: bool = False
    safe_types: frozenset[str] = frozenset()
    alive: list[Value] = field(default_factory=list)  # so that no identity is used twice
    unknown: dict[str, None] = field(default_factory=dict)

    def key(self, value: Value) -> Hashable:
        self.alive.append(value)
        return id(value)

    def save(self, value: Value) -> Saved[Value, Refused]:
        if isinstance(value, OneOf):
            return Saved(parts=[Part("", one) for one in alternatives(value)])
        if isinstance(value, Imported):
            return Saved(parts=[Part("", self.machine.resolve(value))])
        if isinstance(value, Function):
            return self._function(value)
        if isinstance(value, Class):
            return self._class(value)
        if isinstance(value, Instance):
            return self._instance(value)
        if isinstance(value, Opaque):
            return self._opaque(value)
        if isinstance(value, Container):
            if value.open:
                self._not_known("items")
            return Saved(parts=list(_items(value)))
        if isinstance(value, Partial):
            return Saved(parts=[Part("<func>", value.function), *argument_parts(value.arguments)])
        if isinstance(value, Bound):
            return self._bound(value)
        if isinstance(value, ModuleValue) and self.serializer not in BY_VALUE:
            return Saved(Refused("module", None, texts.MODULE))
        if isinstance(value, External):
            return self._external(value)
        if not isinstance(value, Constant):
            self._not_known(type(value).__name__.lower())
        return Saved()

    def _not_known(self, what: str) -> None:
        self.unknown.setdefault(what)

    # -- what pickle sends by name --------------------------------------------------------------------------------

    def _function(self, function: Function) -> Saved[Value, Refused]:
        if self.serializer in BY_VALUE:
            return Saved(parts=list(self._closure(function)))
        module, name = function.module.name, function.name
        if function.is_lambda:
            errors = (texts.local_object if function.is_local else texts.missing_name)(module, name, "function")
            return Saved(Refused("lambda", function.span, self._targeted(errors), captures=self._captures(function)))
        refused = self._by_name(function, "function", "local-function", function.span)
        return Saved(refused)

    def _class(self, cls: Class) -> Saved[Value, Refused]:
        if self.serializer in BY_VALUE:
            return Saved()
        return Saved(self._by_name(cls, "class", "local-class", cls.span))

    def _by_name(self, value: Function | Class, form: str, local_kind: str, span: Span) -> Refused | None:
        found = importability(self.machine, value)
        module, name = found.module, found.name
        if found.verdict is Importability.LOCAL:
            captures = self._captures(value) if isinstance(value, Function) else ()
            errors = self._targeted(texts.local_object(module, name, form))
            return Refused(local_kind, span, errors, captures=captures)
        if found.verdict is Importability.OTHER:
            return Refused("misnamed", span, self._targeted(texts.other_object(module, name, form)))
        if found.verdict is Importability.MISSING:
            return Refused("misnamed", span, self._targeted(texts.missing_name(module, name, form)))
        if found.verdict is Importability.MAIN_BLOCK:
            errors = self._targeted(texts.missing_in_worker("__mp_main__", name))
            return Refused("misnamed", span, errors, only_in_worker=True, methods=("spawn", "forkserver"))
        return None

    def _closure(self, function: Function) -> Iterator[Part[Value]]:
        for name in free_names(function):
            value = _captured(function, name)
            if value is not None:
                yield Part(f"<closure {name}>", value)
        for default in function.defaults:
            yield Part("<defaults>", default)

    def _captures(self, function: Function) -> tuple[str, ...]:
        """Return the captured variables whose values can't be sent either."""
        refused = []
        for name in free_names(function):
            value = _captured(function, name)
            if value is None or value is function:
                continue
            if any(one.reason.kind not in ("lambda", "local-function") for one in walk(self, value)):
                refused.append(name)
        return tuple(refused)

    def _external(self, value: External) -> Saved[Value, Refused]:
        """A function or class of a library is sent by its name; what else lies in its modules is sent by value."""
        name = makers.canonical(value.name)
        type_name = makers.value_of(name)
        if type_name is None:
            if not is_callable(name):
                self._not_known(name)
            return Saved()
        if types.row_of(type_name) is None:
            self._not_known(type_name)
        return Saved(self._refusal_of(type_name, None))

    # -- objects --------------------------------------------------------------------------------------------------

    def _instance(self, instance: Instance) -> Saved[Value, Refused]:
        cls = instance.cls
        if self._declared_safe(cls):
            return Saved()
        refusal = None
        if self.serializer not in BY_VALUE:
            refusal = self._by_name(cls, "class", "local-class", cls.span)
        state = hooks.state_of(self.machine, instance, self.frame)
        refusal = refusal or self._inherited(instance, state) or self._unloadable(instance, state)
        return Saved(refusal, state.parts)

    def _declared_safe(self, cls: Class) -> bool:
        names = {one.qualified_name if isinstance(one, Class) else one.name for one in cls.mro}
        return bool(names & self.safe_types)

    def _inherited(self, instance: Instance, state: hooks.State) -> Refused | None:
        """A class derived from a type that pickle refuses is refused as well, unless it says itself how it is saved."""
        if state.own_hook:
            return None
        for base in attributes.external_bases(instance.cls):
            row = types.row_of(base)
            if row is not None and row.inherited:
                return self._refusal_of(base, instance.site, subclass=instance.cls.name)
        return None

    def _unloadable(self, instance: Instance, state: hooks.State) -> Refused | None:
        found = hooks.load_failure(self.machine, instance, state, self.frame)
        if found is None:
            return None
        return Refused("unloadable", found.span, self._targeted(found.errors), only_in_worker=True)

    def _opaque(self, value: Opaque) -> Saved[Value, Refused]:
        if value.type in self.safe_types:
            return Saved()
        refusal = self._refusal_of(value.type, value.site, assumed=value.assumed)
        if refusal is not None:
            return Saved(refusal)
        parts: list[Part[Value]] = []
        for name, position, parameter in keeps.kept_arguments(value.base_type):
            argument = value.arguments.get(position, parameter)
            if argument is not None and name not in value.slots:
                parts.append(Part(f".{name}", argument))
        for key, slot in value.slots.items():
            if isinstance(key, str) and key not in ("source", "result") and not key.startswith("<"):
                parts.append(Part(f".{key}", slot.value, slot.place))
        row = types.row_of(value.type)
        if row is None:
            self._not_known(value.type)
        elif row.walks:
            parts += argument_parts(value.arguments)
        return Saved(parts=parts)

    def _refusal_of(
        self, type_name: str, site: Span | None, *, assumed: bool = False, subclass: str = ""
    ) -> Refused | None:
        errors: list[ErrorText] = []
        rule, at_load = "", False
        for python in self.targets:
            found = types.refusal(type_name, self.serializer, python, managers=self.managers, subclass=subclass)
            if isinstance(found, types.Refused):
                rule, at_load = found.rule, found.at_load
                if found.error not in errors:
                    errors.append(found.error)
        if not errors:
            return None
        return Refused(rule, site, tuple(errors), only_in_worker=at_load, assumed=assumed)

    def _bound(self, bound: Bound) -> Saved[Value, Refused]:
        parts: list[Part[Value]] = [Part("<self>", bound.self)]
        function = bound.function
        if self.serializer in BY_VALUE or not isinstance(function, Function):
            return Saved(parts=parts if not isinstance(bound.self, Class) else [])
        if isinstance(bound.self, (Class, Instance)):
            own = function.name.rpartition(".")[2]
            cls = bound.self if isinstance(bound.self, Class) else bound.self.cls
            private = own.startswith("__") and not own.endswith("__")
            found = attributes.find_in_class(cls, own)
            if private or (found is None and own not in bound.self.slots):
                errors = self._targeted(texts.bound_attribute(cls.name, own))
                return Saved(Refused("unloadable", function.span, errors, only_in_worker=True), parts)
        return Saved(parts=parts)

    def _targeted(self, errors: tuple[ErrorText, ...]) -> tuple[ErrorText, ...]:
        """Leave the texts of the Pythons that are targeted."""
        return tuple(error for error in errors if any(types.covers(error.python, one) for one in self.targets))


def _items(container: Container) -> Iterator[Part[Value]]:
    for key, slot in container.slots.items():
        if key == "default_factory":
            yield Part("<func>", slot.value, slot.place)
        elif not isinstance(key, str):
            yield Part(_item_step(container, key), slot.value, slot.place)


def _item_step(container: Container, key: Key) -> str:
    if key == ANY:
        return "[*]"
    return f"[{key[1]!r}]" if isinstance(key, tuple) else f"[{key}]"


def argument_parts(arguments: Arguments) -> list[Part[Value]]:
    """Return what a partial, or a type that keeps its arguments, takes along of them."""
    parts = [Part(f"<args>[{i}]", value) for i, value in enumerate(arguments.positional)]
    return parts + [Part(f"<args>[{key!r}]", value) for key, value in arguments.keywords.items()]


def free_names(function: Function) -> list[str]:
    """Return the names that a function uses and doesn't bind itself, in order of their first use."""
    node = function.node
    bound = {
        argument.arg
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg)
        if argument is not None
    }
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    used: dict[str, None] = {}
    for part in body:
        for one in ast.walk(part):
            if isinstance(one, ast.Name):
                if isinstance(one.ctx, ast.Load):
                    used.setdefault(one.id)
                else:
                    bound.add(one.id)
    return [name for name in used if name not in bound]


def _captured(function: Function, name: str) -> Value | None:
    """Return the value of a variable of an enclosing function; None for a global."""
    scope = function.scope
    while scope.parent is not None:
        if not scope.is_class and (value := scope.get(name)) is not None:
            return value
        scope = scope.parent
    return None

