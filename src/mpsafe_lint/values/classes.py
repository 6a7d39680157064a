"""Classes: how a class statement makes one, and how a call of one makes an instance."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from mpsafe_lint.findings import Span
from mpsafe_lint.knowledge import keeps, makers
from mpsafe_lint.values import attributes, expressions, iteration, methods
from mpsafe_lint.values.frames import Call, Frame
from mpsafe_lint.values.values import (
    UNKNOWN,
    UNKNOWN_ARGUMENTS,
    Arguments,
    Bound,
    Class,
    Constant,
    Container,
    Descriptor,
    External,
    Field,
    Function,
    FunctionNode,
    Instance,
    Opaque,
    Scope,
    Slot,
    Value,
    alternatives,
    one_of,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine

# -- definition ---------------------------------------------------------------------------------------------------


CLASS_METHODS = ("__init_subclass__", "__class_getitem__")
"""Methods that get the class without being decorated for it."""


def define(machine: Machine, node: ast.ClassDef, frame: Frame) -> Class:
    """Run a class statement, without its decorators."""
    bases = [machine.evaluate(base, frame) for base in node.bases]
    name = expressions.qualified(node.name, frame.scope)
    cls = Class(node, frame.module, name, frame.module.span(node), bases)
    cls.keywords = {one.arg: machine.evaluate(one.value, frame) for one in node.keywords if one.arg}
    cls.mro, cls.complete = _resolution_order(machine, cls, bases)
    cls.form = _form(cls)
    scope = Scope(frame.module, frame.scope, f"{name}.")
    scope.is_class = True
    inner = frame.nested(scope)
    inner.comprehension = False
    inner.defining_class = cls
    machine.execute(node.body, inner)
    for key, slot in scope.slots.items():
        if key in CLASS_METHODS and isinstance(slot.value, Function):
            slot = Slot(Descriptor("classmethod", slot.value), slot.place)
        machine.journal.write(cls, expressions.mangled(key, inner) if isinstance(key, str) else key, slot)
    if cls.form == "enum":
        _make_members(machine, cls, frame)
    if cls.form in ("dataclass", "namedtuple"):
        cls.fields = inherited_fields(machine, cls, inner)
    return cls


def _make_members(machine: Machine, cls: Class, frame: Frame) -> None:
    """Make members of the values in an enum's body: instances that keep their name and value."""
    for name, slot in list(cls.slots.items()):
        described = isinstance(slot.value, (Function, Descriptor, Class))
        if isinstance(name, str) and not name.startswith("_") and not described:
            machine.write(cls, name, _member(machine, cls, name, slot.value, slot.place or cls.span, frame), slot.place)


def _member(machine: Machine, cls: Class, name: str, value: Value, site: Span, frame: Frame) -> Instance:
    member = Instance(cls, site, Arguments((value,)))
    machine.write(member, "name", Constant(name))
    machine.write(member, "value", value)
    constructor = attributes.find_in_class(cls, "__init__")
    if constructor is not None:
        given = iteration.exact_items(value) if isinstance(value, Container) and value.type == "tuple" else [value]
        arguments = Arguments(tuple(given or ()), others=given is None)
        machine.call(attributes.bind_method(member, constructor, "__init__"), arguments, site, frame)
    return member


def members_of(cls: Class) -> list[Instance]:
    """Return the members of an enum."""
    values = [slot.value for slot in cls.slots.values()]
    return [one for one in values if isinstance(one, Instance) and one.cls is cls]


def _resolution_order(
    machine: Machine, cls: Class, bases: Sequence[Value]
) -> tuple[tuple[Class | External, ...], bool]:
    """Return the method resolution order, and whether every base in it was found. Where a base may be one class or
    another, as after `except ImportError`, both are in it."""
    complete = True
    orders: list[list[Class | External]] = []
    for base in bases:
        found = [one for alternative in alternatives(base) if (one := _as_base(alternative)) is not None]
        if not found or len(found) < len(alternatives(base)):
            complete = False
        for one in found:
            if isinstance(one, Class):
                complete = complete and one.complete
                orders.append(list(one.mro))
            else:
                orders.append([External(makers.canonical(one.name))])
    return (cls, *_merge([*orders, [order[0] for order in orders]])), complete


def _as_base(value: Value) -> Class | External | None:
    """Return a base as a class, or by its name; what an object of a library has under a name, as a context has
    `Process`, is one too."""
    if isinstance(value, Bound) and isinstance(value.function, External):
        return External(makers.method_of(attributes.type_name(value.self), value.name) or value.function.name)
    return value if isinstance(value, (Class, External)) else None


def _merge(orders: list[list[Class | External]]) -> list[Class | External]:
    """The C3 merge; where the bases contradict each other, the first head is taken all the same."""
    result: list[Class | External] = []
    orders = [order for order in orders if order]
    while orders:
        head = next((order[0] for order in orders if not any(order[0] in other[1:] for other in orders)), orders[0][0])
        result.append(head)
        orders = [rest for order in orders if (rest := [one for one in order if one is not head and one != head])]
    return result


_FORMS = {
    "enum.Enum": "enum",
    "enum.IntEnum": "enum",
    "enum.StrEnum": "enum",
    "enum.Flag": "enum",
    "enum.IntFlag": "enum",
    "typing.NamedTuple": "namedtuple",
    "pydantic.BaseModel": "dataclass",
    "pydantic.main.BaseModel": "dataclass",
}


def _form(cls: Class) -> str:
    """Return how instances of a class are made, as its bases say."""
    for one in cls.mro[1:]:
        form = _FORMS.get(one.name) if isinstance(one, External) else (one.form if one.form != "class" else None)
        if form:
            return form
    return "class"


_DATACLASS_DECORATORS = frozenset(
    {
        "dataclasses.dataclass",
        "pydantic.dataclasses.dataclass",
        "attr.s",
        "attr.attrs",
        "attr.define",
        "attr.frozen",
        "attr.mutable",
        "attr.dataclass",
        "attrs.define",
        "attrs.frozen",
        "attrs.mutable",
    }
)
_FIELD_MAKERS = frozenset(
    {
        "attr.attrib",
        "attr.field",
        "attr.ib",
        "attrs.field",
        "dataclasses.field",
        "pydantic.Field",
        "pydantic.PrivateAttr",
    }
)


def known_decorator(
    machine: Machine, decorator: Value, decorated: Value, frame: Frame, span: Span | None = None
) -> Value | None:
    """Apply a decorator that is known by its name; None where it is not. `span` is the call that does it, if one does.
    """
    name = makers.canonical(decorator.name) if isinstance(decorator, External) else None
    if isinstance(decorator, Opaque) and decorator.type.startswith("decorator:"):
        name = decorator.type.partition(":")[2]
    if name is None:
        return _setter(decorator, decorated)
    if name in _DATACLASS_DECORATORS and isinstance(decorated, Class):
        decorated.form = "dataclass"
        if isinstance(decorator, Opaque):
            decorated.keywords |= decorator.arguments.keywords
        decorated.fields = inherited_fields(machine, decorated, frame)
        return decorated
    if name == "functools.wraps" and isinstance(decorated, Function):
        wrapped = decorator.arguments.get(0, "wrapped") if isinstance(decorator, Opaque) else None
        machine.write(decorated, "__wrapped__", wrapped or UNKNOWN)
        return decorated
    if name in CACHES:
        return cached(machine, decorated, span)
    kind = _DESCRIPTORS.get(name)
    return Descriptor(kind, decorated) if kind else None


CACHES = frozenset({"functools.lru_cache", "functools.cache"})


def cached(machine: Machine, wrapped: Value, span: Span | None) -> Value | None:
    """Return what `lru_cache` makes of a function: another object, which bears the function's name."""
    function = wrapped.function if isinstance(wrapped, Bound) else wrapped
    if not isinstance(function, Function):
        return None
    wrapper = Function(
        function.node,
        function.module,
        function.scope,
        function.name,
        span or function.span,
        function.defaults,
        function.keyword_defaults,
        function.defining_class,
    )
    wrapper.shown = "functools._lru_cache_wrapper"
    machine.write(wrapper, "__wrapped__", function)
    if isinstance(wrapped, Bound):
        machine.write(wrapper, RECEIVER, wrapped.self)
    return wrapper


RECEIVER = "<receiver>"
"""Where a function that was made of a bound method keeps the object that it is bound to."""


def note_decorated(machine: Machine, decorator: Value, decorated: Value) -> None:
    """Keep that a function or class went through a decorator of which nothing is known."""
    name = makers.canonical(decorator.name) if isinstance(decorator, External) else ""
    if isinstance(decorated, (Function, Class)) and name not in _TRANSPARENT:
        machine.write(decorated, DECORATED, Constant(True))


DECORATED = "<decorated>"
"""Where a function or class keeps that an unknown decorator may have put something else in its place."""

DECORATES = "<decorates>"
"""Where a function or class that a decorator of the program made keeps what was decorated."""

_TRANSPARENT = frozenset(
    """abc.abstractmethod atexit.register contextlib.asynccontextmanager contextlib.contextmanager enum.unique
    functools.singledispatch functools.total_ordering typing.final typing.no_type_check typing.override typing.overload
    typing.runtime_checkable warnings.deprecated""".split()
)
"""Decorators that hand back what they got, or something that is found under the same name."""

_DESCRIPTORS = {
    "property": "property",
    "staticmethod": "staticmethod",
    "classmethod": "classmethod",
    "functools.cached_property": "cached_property",
    "django.utils.functional.cached_property": "cached_property",
    "abc.abstractproperty": "property",
}


def _setter(decorator: Value, decorated: Value) -> Value | None:
    """`@name.setter` and its like keep the property."""
    if isinstance(decorator, Descriptor):
        return decorator
    return None if not isinstance(decorated, Descriptor) else decorated


def decorator_of(name: str) -> bool:
    """Tell whether calling this gives a decorator that is known by name, as `dataclass(frozen=True)` does."""
    return name in _DATACLASS_DECORATORS


# -- fields -------------------------------------------------------------------------------------------------------


def inherited_fields(machine: Machine, cls: Class, frame: Frame) -> tuple[Field, ...]:
    """Return the fields of a dataclass or NamedTuple: those of its bases, and its own."""
    fields: dict[str, Field] = {}
    for base in reversed(cls.mro[1:]):
        if isinstance(base, Class):
            fields |= {one.name: one for one in base.fields}
    body = cls.node.body if isinstance(cls.node, ast.ClassDef) else []
    for statement in body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            annotation = ast.dump(statement.annotation)
            if "ClassVar" not in annotation:
                fields[statement.target.id] = replace(_field(cls, statement), stored="InitVar" not in annotation)
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name = statement.targets[0].id
            if isinstance(cls.get(name), Opaque) and cls.get(name).type == "field":  # type: ignore[union-attr]
                fields[name] = _field(cls, statement)
    return tuple(fields.values())


def _field(cls: Class, statement: ast.AnnAssign | ast.Assign) -> Field:
    target = statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
    assert isinstance(target, ast.Name)
    place = cls.module.span(statement.value) if statement.value is not None else cls.module.span(statement)
    default = cls.get(target.id) if statement.value is not None else None
    if not (isinstance(default, Opaque) and default.type == "field"):
        return Field(target.id, default, place=place)
    given = default.arguments
    init = given.keywords.get("init")
    return Field(
        target.id,
        given.get(0, "default"),
        given.keywords.get("default_factory") or given.keywords.get("factory"),
        init=not (isinstance(init, Constant) and init.value is False),
        place=place,
    )


def is_field_maker(name: str) -> bool:
    return name in _FIELD_MAKERS


# -- instances ----------------------------------------------------------------------------------------------------


def instantiate(machine: Machine, cls: Class, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Make an instance, as `cls(*arguments)` does."""
    if cls.form == "enum":
        return _member_with(machine, cls, arguments, span, frame)
    maker = attributes.find_in_class(cls, "__new__")
    instance = bare(machine, cls, arguments, span)
    if isinstance(maker, (Function, Descriptor)) and not _only_calls_super(maker):
        function = maker.function if isinstance(maker, Descriptor) else maker
        given = machine.call(function, arguments.after(cls), span, frame)
        own = [one for one in alternatives(given) if isinstance(one, Instance)]
        if not own:
            return given
        instance = own[0]
    if machine.is_eager(cls) or changes_arguments(cls):
        initialise(machine, instance, arguments, span, frame)
    else:
        instance.unfinished = lambda: _finish(machine, instance, arguments, span, frame)
    return instance


def _finish(machine: Machine, instance: Instance, arguments: Arguments, span: Span, frame: Frame) -> None:
    """Construct an object when its contents are asked for. They stand whatever becomes of the path that asks."""
    with machine.aside():
        initialise(machine, instance, arguments, span, frame)


def changes_arguments(cls: Class) -> bool:
    """Tell whether the constructor changes what it is given, so that it has to be run in its turn."""
    constructor = attributes.find_in_class(cls, "__init__")
    return isinstance(constructor, Function) and _stores_into_parameters(constructor.node)


@lru_cache(maxsize=10_000)
def _stores_into_parameters(node: FunctionNode) -> bool:
    parameters = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    names = set(parameters[1:])
    for one in ast.walk(node):
        if isinstance(one, (ast.Global, ast.Nonlocal)):
            return True
        changed = _changed(one, parameters[0] if parameters else "")
        while isinstance(changed, (ast.Attribute, ast.Subscript)):
            changed = changed.value
        if isinstance(changed, ast.Name) and changed.id in names:
            return True
    return False


_CHANGING = frozenset({"append", "add", "extend", "insert", "update", "setdefault", "register", "put", "start"})


def _changed(node: ast.AST, self: str) -> ast.expr | None:
    """Return the object that a node changes: by a store, a deletion, a method that is known to, or one that is given a
    lambda, or something of `self`, and may keep it."""
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        return node.value
    if isinstance(node, ast.Call):
        given = (*node.args, *(one.value for one in node.keywords))
        if isinstance(node.func, ast.Attribute) and (
            node.func.attr in _CHANGING or any(_may_be_kept(one, self) for one in given)
        ):
            return node.func.value
        if isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr") and node.args:
            return node.args[0]
    return None


def _may_be_kept(argument: ast.expr, self: str) -> bool:
    owner = argument.value if isinstance(argument, ast.Attribute) else argument
    return isinstance(argument, ast.Lambda) or (isinstance(owner, ast.Name) and owner.id == self)


def bare(machine: Machine, cls: Class, arguments: Arguments, span: Span) -> Instance:
    """Make an instance as `object.__new__` does; one of a class derived from dict, list … has its items."""
    instance = Instance(cls, span, arguments)
    machine.made.append(instance)
    base = next((one.name for one in cls.mro if isinstance(one, External) and one.name in _CONTENTS), None)
    if base is not None:
        content = Container(_CONTENTS[base], span)
        machine.write(instance, CONTENT, content)
        if base != content.type:
            machine.write(instance, "data", content)
    return instance


_CONTENTS = {
    **{name: name for name in (*iteration.SEQUENCES, *iteration.SETS, *iteration.MAPPINGS)},
    "collections.UserDict": "dict",
    "collections.UserList": "list",
}
"""The classes from which others derive that hold items, and the type of the container that holds them."""


def _member_with(machine: Machine, cls: Class, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Return the member of an enum that has a value; a call with more arguments makes a new enum."""
    if len(arguments.positional) > 1:
        return made_by_call(machine, "enum", arguments, span, frame)
    wanted = arguments.get(0, "value")
    found = [one for one in members_of(cls) if isinstance(wanted, Constant) and one.get("value") == wanted]
    return found[0] if found else UNKNOWN


def _only_calls_super(maker: Value) -> bool:
    """`__new__` that only calls `super().__new__` makes an ordinary instance."""
    function = maker.function if isinstance(maker, Descriptor) else maker
    if not isinstance(function, Function) or isinstance(function.node, ast.Lambda):
        return False
    body = [one for one in function.node.body if not isinstance(one, ast.Expr)]
    return len(body) == 1 and isinstance(body[0], ast.Return) and "__new__" in ast.dump(body[0])


def initialise(machine: Machine, instance: Instance, arguments: Arguments, span: Span, frame: Frame) -> None:
    """Run what sets an instance's attributes."""
    cls = instance.cls
    for one in cls.mro:
        if isinstance(one, External):
            if one.name in attributes.PLAIN_BASES:
                continue
            external_init(machine, instance, one.name, arguments, span, frame)
            return
        constructor = one.get("__init__")
        if constructor is not None:
            machine.call(attributes.bind_method(instance, constructor, "__init__"), arguments, span, frame)
            return
        if one.form in ("dataclass", "namedtuple") and one.fields:
            fill_fields(machine, instance, arguments, span, frame)
            return


def fill_fields(machine: Machine, instance: Instance, arguments: Arguments, span: Span, frame: Frame) -> None:
    """Do what the `__init__` of a dataclass does."""
    position = 0
    handed_on: list[Value] = []
    for one in instance.cls.fields:
        given: Value | None = None
        if one.init:
            place = None if one.keyword_only else position
            given = arguments.get(place, one.name)
            position += 0 if one.keyword_only else 1
        if given is None or (given is UNKNOWN and not arguments.gives(place, one.name)):
            default = one.default
            if one.factory is not None:
                default = machine.call(one.factory, Arguments(), one.place or span, frame)
            given = default if given is None else one_of([UNKNOWN] if default is None else [default, UNKNOWN])
        if not one.stored:
            handed_on.append(given or UNKNOWN)
        elif given is not None:
            machine.write(instance, one.name, given, one.place)
    for name in ("__post_init__", "__attrs_post_init__", "model_post_init"):
        after = attributes.find_in_class(instance.cls, name)
        if after is not None:
            machine.call(attributes.bind_method(instance, after, name), Arguments(tuple(handed_on)), span, frame)


def external_init(
    machine: Machine, instance: Instance, base: str, arguments: Arguments, span: Span, frame: Frame
) -> None:
    """Run the constructor of a library's base: the observers are told, and what it is known to keep is kept."""
    name = makers.canonical(base)
    for attribute, position, parameter in keeps.kept_arguments(name):
        value = arguments.get(position, parameter)
        if value is not None:
            machine.write(instance, attribute, iteration.kept(machine, name, attribute, value, span), span)
    if is_exception(instance.cls) and not arguments.others:
        given = Container("tuple", span)
        iteration.fill(machine, given, arguments.positional)
        machine.write(instance, EXCEPTION_ARGUMENTS, given, span)
    content = instance.get(CONTENT)
    if isinstance(content, Container) and content.type == _CONTENTS.get(name):
        _fill(machine, content, arguments, span, frame)
    machine.notify(Call(f"{name}.__init__", instance, arguments, span, frame, instance))


def _fill(machine: Machine, content: Container, arguments: Arguments, span: Span, frame: Frame) -> None:
    """Give an instance of a class derived from dict, list … the items that its constructor gets."""
    made = machine.call(External(content.type), arguments, span, frame)
    content.open = content.open or not isinstance(made, Container) or made.open
    if isinstance(made, Container):
        for key, slot in made.slots.items():
            machine.journal.write(content, key, slot)


CONTENT = iteration.CONTENT
EXCEPTION_ARGUMENTS = "<args>"
"""Where an exception keeps what `BaseException.__init__` got."""


def is_exception(cls: Class) -> bool:
    """Tell whether a class derives from a built-in exception."""
    return any(
        isinstance(one, External) and one.name.rpartition(".")[2].endswith(("Error", "Exception", "Warning"))
        for one in cls.mro
    )


def external_method(
    machine: Machine, receiver: Instance | Class, name: str, arguments: Arguments, span: Span, frame: Frame
) -> Value | None:
    """Call a method that an instance has from a library's base class."""
    base, _, method = name.rpartition(".")
    if method == "__new__" and arguments.positional and isinstance(arguments.positional[0], Class):
        return bare(machine, arguments.positional[0], Arguments(arguments.positional[1:], arguments.keywords), span)
    if isinstance(receiver, Class):
        return None
    content = receiver.get(CONTENT)
    own_view = method in attributes.VIEW_METHODS and base not in iteration.MAPPINGS
    if isinstance(content, Container) and method not in _OWN_WAYS and not own_view:
        return methods.call(machine, content, method, arguments, span, frame)
    if method == "__getstate__" and base == "object":
        return iteration.as_dict(machine, receiver, span)
    if method == "__init__":
        external_init(machine, receiver, base, arguments, span, frame)
        return Constant(None)
    if method in ("__setattr__", "__setitem__") and len(arguments.positional) >= 2:
        key, value = arguments.positional[:2]
        if method == "__setattr__" and isinstance(key, Constant) and isinstance(key.value, str):
            machine.write(receiver, key.value, value, span)
        return Constant(None)
    if method in ("__getattribute__", "__getattr__"):
        return UNKNOWN
    if method == "__new__":
        return UNKNOWN
    return None


_OWN_WAYS = frozenset({"__init__", "__new__", "__setattr__", "__getattribute__", "__getattr__", "__getstate__"})
"""Methods of dict, list … that don't go to the items."""


def synthesize(machine: Machine, cls: Class, frame: Frame) -> Instance:
    """Make an instance that nobody is seen to make: its arguments are unknown, but for defaults."""
    instance = bare(machine, cls, UNKNOWN_ARGUMENTS, cls.span)
    instance.synthetic = True
    initialise(machine, instance, UNKNOWN_ARGUMENTS, cls.span, frame)
    return instance


# -- classes made by calls ----------------------------------------------------------------------------------------


def made_by_call(machine: Machine, form: str, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Return the class that `namedtuple(…)`, `type(…)`, `Enum(…)` or `make_dataclass(…)` makes."""
    typename = arguments.get(0, "typename") or arguments.get(0, "cls_name")
    if not (isinstance(typename, Constant) and isinstance(typename.value, str)):
        return UNKNOWN
    call = ast.Call(ast.Name(form, ast.Load()), [], [])
    cls = Class(call, frame.module, typename.value, span, ())
    cls.form = form
    cls.made_in_function = frame.function is not None
    if form == "type":
        bases = arguments.get(1)
        cls.bases = iteration.exact_items(bases) or () if bases is not None else ()
        cls.mro, cls.complete = _resolution_order(machine, cls, cls.bases)
        namespace = arguments.get(2)
        if isinstance(namespace, Container):
            for key, slot in namespace.items():
                if isinstance(key, tuple) and isinstance(key[1], str):
                    machine.journal.write(cls, key[1], slot)
    elif form == "enum":
        for name in _field_names(arguments.get(1, "names")):
            machine.write(cls, name, _member(machine, cls, name, Opaque("int", span), span, frame), span)
    elif form == "namedtuple":
        cls.fields = tuple(Field(one) for one in _field_names(arguments.get(1, "field_names")))
    return cls


def _field_names(names: Value | None) -> list[str]:
    if isinstance(names, Constant) and isinstance(names.value, str):
        return names.value.replace(",", " ").split()
    items = iteration.exact_items(names) if names is not None else None
    return [one.value for one in items or [] if isinstance(one, Constant) and isinstance(one.value, str)]


Maker = Callable[["Machine", Arguments, Span, Frame], Value]


def maker(form: str) -> Maker:
    def make(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
        return made_by_call(machine, form, arguments, span, frame)

    return make
