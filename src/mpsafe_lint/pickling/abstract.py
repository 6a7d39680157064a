"""How pickle saves abstract values: which it refuses, with which error, and what it saves below the others."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace

from mpsafe_lint.findings import ErrorText, Span
from mpsafe_lint.knowledge import keeps, makers, texts, types
from mpsafe_lint.pickling.hooks import Hooks, State, argument_parts, attribute_parts
from mpsafe_lint.pickling.loading import Loading, load_failure
from mpsafe_lint.pickling.names import Importability, importability, is_sent_by_name, name_giver
from mpsafe_lint.pickling.walk import Part, Saved, walk
from mpsafe_lint.values import attributes, iteration
from mpsafe_lint.values.classes import DECORATED, DECORATES
from mpsafe_lint.values.expressions import BUILTINS
from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import (
    ANY,
    GIVEN_BY,
    KEYS,
    UNKNOWN,
    Bound,
    Class,
    Constant,
    Container,
    Descriptor,
    External,
    Function,
    Imported,
    Instance,
    Key,
    ModuleValue,
    Namespace,
    OneOf,
    Opaque,
    Partial,
    Super,
    Value,
    alternatives,
    one_of,
)

_LAST_FORK = (3, 13)
"""The last Python whose default start method on Linux is fork."""

_GETSTATE = (3, 11)
"""The first Python that has `object.__getstate__`."""

BY_VALUE = ("cloudpickle", "dill")
"""Serializers that send lambdas, local functions and local classes with their code."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a value can't be sent. `origin` is None where the place that stores it is to be named.

    `only_in_worker` says that it is saved, and that the receiving process can't load it; `late`, that this comes after
    its parts were loaded.
    """

    kind: str
    origin: Span | None
    errors: tuple[ErrorText, ...]
    only_in_worker: bool = False
    assumed: bool = False
    captures: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    late: bool = False

    def error(self, python: tuple[int, int]) -> ErrorText | None:
        """Return what a Python prints; None where it sends the value."""
        return next((error for error in self.errors if types.covers(error.python, python)), None)


@dataclass(slots=True)
class AbstractGraph:
    """The abstract values as one serializer sees them. `serializer` is one of `types.SERIALIZERS`; `targets` are the
    Pythons that the program is meant for; `managers` says that `multiprocessing.managers` is imported, `other_context`
    that the process is started by another method than the default context's. `unknown` names what was met on the way
    and of which nothing is known."""

    machine: Machine
    frame: Frame
    serializer: str
    targets: tuple[tuple[int, int], ...]
    managers: bool = False
    safe_types: frozenset[str] = frozenset()
    other_context: bool = False
    alive: list[Value] = field(default_factory=list)  # so that no identity is used twice
    unknown: dict[str, None] = field(default_factory=dict)
    looked_into: list[Function] = field(default_factory=list)

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
            return self._container(value)
        if isinstance(value, Partial):
            return Saved(parts=[Part("<func>", value.function), *argument_parts(value.arguments)])
        if isinstance(value, Bound):
            return self._bound(value)
        if isinstance(value, ModuleValue) and self.serializer not in BY_VALUE:
            return Saved(Refused("module", None, texts.MODULE))
        if isinstance(value, External):
            return self._external(value)
        if isinstance(value, Namespace):
            return Saved(parts=attribute_parts(value.instance))
        if isinstance(value, (Descriptor, Super)):
            return self._of_type(value.kind if isinstance(value, Descriptor) else "super", None)
        if not isinstance(value, Constant):
            self._not_known("value")
        return Saved()

    def _not_known(self, what: str) -> None:
        self.unknown.setdefault(what)

    # -- what pickle sends by name --------------------------------------------------------------------------------

    def _function(self, function: Function) -> Saved[Value, Refused]:
        if self.serializer in BY_VALUE:
            return Saved(parts=list(self._closure(function)))
        return Saved(self._by_name(function))

    def _class(self, cls: Class) -> Saved[Value, Refused]:
        if self.serializer in BY_VALUE:
            return Saved()
        return Saved(self._by_name(cls))

    def _by_name(self, value: Function | Class) -> Refused | None:
        found = importability(self.machine, value)
        if found.verdict is Importability.UNKNOWN:
            self._not_known(f"the name of {value.name}")
        if found.verdict is Importability.MAIN_BLOCK:
            module = "__main__" if value.module.path.endswith(".ipynb") else "__mp_main__"
            errors = self._targeted(texts.missing_in_worker(module, found.name))
            return Refused("misnamed", value.span, errors, only_in_worker=True, methods=("spawn", "forkserver"))
        refused = _BY_NAME.get(found.verdict)
        if refused is None:
            return self._made_dataclass(value)
        if found.verdict is Importability.LOCAL and "<locals>" not in found.name:
            refused = texts.missing_name
        errors = self._targeted(refused(found.module, found.name, _shown(value, found.module, found.name)))
        origin = value
        if found.verdict is Importability.LOCAL and isinstance(named := name_giver(value), Function):
            origin = named  # a wrapper has the name of the local function that it wraps
        captures = self._captures(origin) if isinstance(origin, Function) else ()
        return Refused(_kind(origin, found.verdict), origin.span, errors, captures=captures) if errors else None

    def _made_dataclass(self, value: Function | Class) -> Refused | None:
        if not isinstance(value, Class) or value.form != "dataclass" or not isinstance(value.node, ast.Call):
            return None
        errors = self._targeted(texts.made_dataclass(value.name))
        return Refused("misnamed", value.span, errors) if errors else None

    def _closure(self, function: Function) -> Iterator[Part[Value]]:
        for name in free_names(function):
            value = _captured(function, name)
            if value is not None:
                yield Part(f"<closure {name}>", value)
        for default in function.defaults:
            yield Part("<defaults>", default)

    def _captures(self, function: Function) -> tuple[str, ...]:
        """Return the captured variables whose values can't be sent either."""
        if function in self.looked_into:  # what it captures may hold it
            return ()
        self.looked_into.append(function)
        captured = [(name, _captured(function, name)) for name in free_names(function)]
        refused = tuple(
            name
            for name, value in captured
            if value is not None
            and any(one.reason.kind not in ("lambda", "local-function") for one in walk(self, value))
        )
        self.looked_into.remove(function)
        return refused

    def _external(self, value: External) -> Saved[Value, Refused]:
        """A function or class of a library is sent by its name; what else lies in its modules is sent by value."""
        name = makers.canonical(value.name)
        type_name = makers.value_of(name)
        if type_name is None:
            return self._library_name(name)
        return self._of_type(type_name, None)

    def _library_name(self, name: str) -> Saved[Value, Refused]:
        if "." not in name and name not in BUILTINS:
            errors = self._targeted(texts.missing_name("builtins", name, f"<class '{name}'>"))
            return Saved(None if name in _SINGLE else Refused("misnamed", None, errors))
        if not is_sent_by_name(name):
            self._not_known(name)
        return Saved()

    def _of_type(self, type_name: str, site: Span | None, assumed: bool = False) -> Saved[Value, Refused]:
        """Say what becomes of an object of a library's type, without its parts."""
        if types.row_of(type_name) is None:
            self._not_known(type_name)
        return Saved(self._refusal_of(type_name, site, assumed=assumed))

    # -- objects --------------------------------------------------------------------------------------------------

    def _instance(self, instance: Instance) -> Saved[Value, Refused]:
        cls = instance.cls
        if self._declared_safe(cls):
            return Saved()
        hooks = Hooks(self.machine, instance, self.frame)
        state = hooks.state()
        if not state.own_hook and self.targets[0] < _GETSTATE and hooks.answers_for_getstate():
            self._not_known(f"{cls.name}.__getattr__")
        refusal = self._refused_by_hook(instance, state)
        if refusal is None and self.serializer not in BY_VALUE:
            refusal = self._by_name(cls)
        refusal = refusal or self._inherited(instance, state) or self._unloadable(instance, state)
        self._note_unknown_bases(instance, state)
        return Saved(refusal, state.parts)

    def _refused_by_hook(self, instance: Instance, state: State) -> Refused | None:
        return Refused("internal", instance.site, self._targeted(state.refusal)) if state.refusal else None

    def _note_unknown_bases(self, instance: Instance, state: State) -> None:
        cls = instance.cls
        if not state.known or not cls.complete:
            self._not_known(f"how {cls.name} is saved")
        for base in () if state.own_hook else attributes.external_bases(cls):
            row = types.row_of(base)
            if (row is None and not base.startswith(_ABSTRACT)) or (row is not None and row.walks and not row.holds):
                self._not_known(base)
            elif row is not None and not row.keeps_attributes:
                state.parts[:] = [part for part in state.parts if not part.step.startswith(".")]

    def _container(self, container: Container) -> Saved[Value, Refused]:
        parts = list(_items(container))
        if container.open:
            self._not_known("items")
        if any(_is_of_same_place(part.value, container) for part in parts):
            self._not_known("nesting")
        return Saved(parts=parts)

    def _declared_safe(self, cls: Class) -> bool:
        names = {one.qualified_name if isinstance(one, Class) else one.name for one in cls.mro}
        return bool(names & self.safe_types)

    def _inherited(self, instance: Instance, state: State) -> Refused | None:
        """A class derived from a type that pickle refuses is refused as well, unless it says itself how it is saved."""
        if state.own_hook:
            return None
        for base in attributes.external_bases(instance.cls):
            row = types.row_of(base)
            if row is not None and row.inherited:
                return self._refusal_of(base, instance.site, subclass=instance.cls.name)
        return None

    def _unloadable(self, instance: Instance, state: State) -> Refused | None:
        found = load_failure(Loading(self.machine, instance, state, self.frame))
        if found is None:
            return None
        if not found.errors:
            self._not_known(f"loading {instance.cls.name}")
            return None
        return Refused("unloadable", found.span, self._targeted(found.errors), only_in_worker=True, late=found.late)

    def _opaque(self, value: Opaque) -> Saved[Value, Refused]:
        if value.type in self.safe_types:
            return Saved()
        variant = value.get(attributes.VARIANT)
        type_name = str(variant.value) if isinstance(variant, Constant) else value.type
        refusal = self._of_type(type_name, value.site, value.assumed).refusal or self._of_default_context(value)
        if refusal is not None and all(refusal.error(python) for python in self.targets):
            return Saved(refusal)
        parts: list[Part[Value]] = []
        kept = keeps.kept_arguments(value.base_type)
        for name, position, parameter in kept:
            argument = value.arguments.get(position, parameter)
            if argument is not None and name not in value.slots:
                held = iteration.kept(self.machine, value.base_type, name, argument, value.site)
                parts.append(Part(f".{name}", held))
        for key, slot in value.slots.items():
            if isinstance(key, str) and key not in ("source", "result") and not key.startswith("<"):
                parts.append(Part(f".{key}", slot.value, slot.place))
        row = types.row_of(type_name)
        if row is not None and row.walks and not kept:
            parts += self._held(value, row)
        return Saved(refusal, parts)

    def _of_default_context(self, value: Opaque) -> Refused | None:
        """Up to 3.13 the default context of Linux is fork: what it made can't go to processes of another one."""
        if not self.other_context or value.get(GIVEN_BY) is not None or f"{value.type}[fork]" not in types.type_names():
            return None
        refusal = self._refusal_of(f"{value.type}[fork]", value.site)
        if refusal is None or self.targets[0] > _LAST_FORK:
            return None
        errors = tuple(ErrorText(error.python.replace("+", "-3.13"), error.text) for error in refusal.errors)
        return replace(refusal, errors=self._targeted(errors))

    def _held(self, value: Opaque, row: types.TypeRow) -> Iterator[Part[Value]]:
        """Yield the items of an object of a library's type, or what it keeps of the arguments of its class."""
        if (put := value.get("<item>")) is not None:
            yield Part("[*]", put)
        item = value.get(ANY) or self._known_item(value)
        viewed = value.get(GIVEN_BY)
        if item is not None:
            yield Part("[*]", item)
        elif viewed is not None and row.holds == ("value",):
            yield Part("<self>", viewed)
        elif value.constructed and (row.holds or not value.arguments.positional):
            yield from self._kept_arguments(value, row)
        else:
            self._not_known(f"what {value.type} holds")

    def _known_item(self, value: Opaque) -> Value | None:
        type_name = makers.iterated(value.type) if "[" in value.type else None
        return None if type_name is None else Opaque(type_name, value.site)

    def _kept_arguments(self, value: Opaque, row: types.TypeRow) -> Iterator[Part[Value]]:
        for position, argument in enumerate(value.arguments.positional):
            how = row.holds[min(position, len(row.holds) - 1)]
            step = f"<args>[{position}]"
            if how == "value":
                yield Part(step, argument)
            elif how == "iterator":
                yield Part(step, self.machine.for_each(argument, lambda one: self._iterator(one, value)))
            elif how == "items":
                yield Part(f"{step}[*]", iteration.item_of(self.machine, argument, self.frame, value.site))
        for name, argument in value.arguments.keywords.items():
            yield Part(f"<args>[{name!r}]", argument)

    def _iterator(self, source: Value, owner: Opaque) -> Value:
        return iteration.iterator_of(self.machine, source, owner.site, self.frame)

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
        if not self._is_method(bound):
            self._not_known(bound.name)
            return Saved()
        if isinstance(function, Function) and function.get(DECORATED) is not None:
            self._not_known(f"what {function.name} is")
        if self.serializer in BY_VALUE or not isinstance(function, Function):
            return Saved(parts=parts if not isinstance(bound.self, Class) else [])
        named = name_giver(function)
        if isinstance(bound.self, (Class, Instance)) and isinstance(named, Function):
            own = named.name.rpartition(".")[2]
            cls = bound.self if isinstance(bound.self, Class) else bound.self.cls
            private = own.startswith("__") and not own.endswith("__")
            found = attributes.find_in_class(cls, own)
            if private or (found is None and own not in bound.self.slots):
                errors = self._targeted(texts.bound_attribute(cls.name, own))
                is_wrapper = not private and not named.is_lambda  # under the name of what it wraps
                kind = "misnamed" if is_wrapper else "unloadable"
                return Saved(Refused(kind, function.span, errors, only_in_worker=True), parts)
        return Saved(parts=parts)

    def _is_method(self, bound: Bound) -> bool:
        """Tell whether what a library's object has under a name is known to be a method, not some value."""
        if isinstance(bound.self, Opaque):
            return makers.method_of(bound.self.type, bound.name) is not None
        if isinstance(bound.self, Instance) and isinstance(bound.function, External):
            base = bound.function.name.rpartition(".")[0]
            return makers.method_of(makers.canonical(base), bound.name) is not None or base in types.type_names()
        return True

    def _targeted(self, errors: tuple[ErrorText, ...]) -> tuple[ErrorText, ...]:
        """Leave the texts of the Pythons that are targeted."""
        return tuple(error for error in errors if any(types.covers(error.python, one) for one in self.targets))


_BY_NAME: dict[Importability, texts.ByName] = {
    Importability.LOCAL: texts.local_object,
    Importability.MISSING: texts.missing_name,
    Importability.OTHER: texts.other_object,
    Importability.NO_MODULE: texts.missing_module,
}

_SINGLE = frozenset({"NoneType", "ellipsis", "NotImplementedType"})
"""Builtin types that pickle knows, though they can't be found under their names."""

_ABSTRACT = ("collections.abc.", "typing.", "abc.")
"""What begins the names of bases that say nothing of how an instance is saved."""


def _kind(value: Function | Class, verdict: Importability) -> str:
    """Return the kind of what isn't found again."""
    if isinstance(value, Function) and value.is_lambda and verdict is not Importability.OTHER:
        return "lambda"
    if verdict is Importability.LOCAL and value.get(DECORATES) is None:
        return "local-class" if isinstance(value, Class) else "local-function"
    return "misnamed"


def _shown(value: Function | Class, module: str, name: str) -> str:
    """Return how Python shows a function or class."""
    if isinstance(value, Function):
        return f"<{value.shown} object at 0x…>" if value.shown else f"<function {name} at 0x…>"
    return f"<enum '{name.rpartition('.')[2]}'>" if value.form == "enum" else f"<class '{module}.{name}'>"


def _is_of_same_place(value: Value, container: Container) -> bool:
    """Tell whether a container holds one that the same expression made: how deep that goes is not known."""
    return isinstance(value, Container) and (value.type, value.site) == (container.type, container.site)


def _items(container: Container) -> Iterator[Part[Value]]:
    for key, slot in container.slots.items():
        if key == "default_factory":
            yield Part("<func>", slot.value, slot.place)
        elif key == KEYS:
            known = [one for one in alternatives(slot.value) if one is not UNKNOWN]
            if known:
                yield Part("[*]", one_of(known), slot.place)
        elif not isinstance(key, str):
            yield Part(_item_step(container, key), slot.value, slot.place)


def _item_step(container: Container, key: Key) -> str:
    if key == ANY:
        return "[*]"
    return f"[{key[1]!r}]" if isinstance(key, tuple) else f"[{key}]"


def free_names(function: Function) -> list[str]:
    """Return the names that a function uses and doesn't bind itself, in order of their first use."""
    node = function.node
    bound = {
        argument.arg
        for argument in (
            *node.args.posonlyargs,
            *node.args.args,
            *node.args.kwonlyargs,
            node.args.vararg,
            node.args.kwarg,
        )
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
