"""Functions and classes of the standard library whose calls the machine carries out itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mpsafe_lint.findings import Span
from mpsafe_lint.knowledge import makers, types
from mpsafe_lint.values import attributes, classes, command_line, expressions, iteration, methods
from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.truth import truth
from mpsafe_lint.values.values import (
    ANY,
    GIVEN_BY,
    NONE,
    UNKNOWN,
    Arguments,
    Bound,
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
    is_unknown,
    one_of,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine

Handler = Callable[["Machine", Arguments, Span, Frame], Value]
HANDLERS: dict[str, Handler] = {}


def _handles(*names: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(names, handler))
        return handler

    return register


# -- containers ---------------------------------------------------------------------------------------------------


def _collection(type_name: str, type_for: str | None = None) -> Handler:
    def make(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
        container = Container(type_for or type_name, span, open_=arguments.others)
        source = arguments.get(0)
        if source is not None:
            iteration.announce(machine, source, span, frame)
            exact = iteration.exact_items(source)
            if exact is not None:
                iteration.fill(machine, container, exact)
            elif not is_unknown(source):
                machine.write(container, ANY, iteration.item_of(machine, source, frame, span))
            else:
                container.open = True
        return container

    return make


for _name in ("list", "tuple", "set", "frozenset"):
    HANDLERS[_name] = _collection(_name)
HANDLERS["sorted"] = _collection("list")
HANDLERS["collections.deque"] = _collection("collections.deque")


def _mapping(type_name: str) -> Handler:
    def make(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
        container = Container(type_name, span, open_=arguments.other_keywords)
        source = arguments.get(0)
        if source is not None:
            for one in alternatives(source):
                if isinstance(one, Namespace) or (isinstance(one, Container) and one.type in iteration.MAPPINGS):
                    iteration.update(machine, container, one, span)
                else:
                    _fill_from_pairs(machine, container, one, span, frame)
        for key, value in arguments.keywords.items():
            machine.write(container, ("k", key), value, span)
        return container

    return make


def _fill_from_pairs(machine: Machine, container: Container, pairs: Value, span: Span, frame: Frame) -> None:
    pair = iteration.item_of(machine, pairs, frame, span)
    items = iteration.exact_items(pair)
    if items is not None and len(items) == 2:
        machine.write(container, ANY, items[1], span)
        iteration.add_key(machine, container, items[0], span)
    else:
        container.open = True


HANDLERS["dict"] = _mapping("dict")
HANDLERS["collections.OrderedDict"] = _mapping("collections.OrderedDict")


@_handles("collections.defaultdict")
def _defaultdict(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    rest = Arguments(arguments.positional[1:], arguments.keywords)
    container = _mapping("collections.defaultdict")(machine, rest, span, frame)
    assert isinstance(container, Container)
    factory = arguments.get(0)
    if factory is not None and factory != NONE:
        machine.write(container, "default_factory", factory, span)
    return container


def _lazy(type_name: str, functions: int = 0, sources: int = 99) -> Handler:
    """`map`, `filter`, `zip` … : pickle saves the function, and the iterators of what they were made from."""

    def make(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
        container = Container(type_name, span, arguments.others)
        for position, value in enumerate(arguments.positional):
            is_source = functions <= position < functions + sources
            machine.write(container, position, _iterator(machine, value, span, frame) if is_source else value)
        if type_name == "map":
            _call_mapped(machine, container, arguments, span, frame)
        return container

    return make


def _iterator(machine: Machine, value: Value, span: Span, frame: Frame) -> Value:
    iteration.announce(machine, value, span, frame)
    return machine.for_each(value, lambda one: iteration.iterator_of(machine, one, span, frame))


def _call_mapped(machine: Machine, container: Container, arguments: Arguments, span: Span, frame: Frame) -> None:
    """Run a mapped function once, for any item: what it does is done when the map is read."""
    if len(arguments.positional) > 1:
        items = tuple(iteration.item_of(machine, one, frame, span) for one in arguments.positional[1:])
        machine.write(container, "result", machine.call(arguments.positional[0], Arguments(items), span, frame))


HANDLERS["map"] = _lazy("map", functions=1)
HANDLERS["filter"] = _lazy("filter", functions=1)
HANDLERS["zip"] = _lazy("zip")
HANDLERS["enumerate"] = _lazy("enumerate", sources=1)


@_handles("reversed")
def _reversed(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Of a sequence it keeps the sequence itself, of a dict no more than its keys."""

    def backwards(one: Value) -> Value:
        if isinstance(one, Container) and one.type in iteration.SEQUENCES:
            kept = Container("reversed", span)
            machine.write(kept, 0, one)
            return kept
        if isinstance(one, Instance) and (method := attributes.find_in_class(one.cls, "__reversed__")) is not None:
            return machine.call(attributes.bind_method(one, method, "__reversed__"), Arguments(), span, frame)
        return iteration.iterator_of(machine, one, span, frame)

    return machine.for_each(arguments.get(0) or UNKNOWN, backwards)


@_handles("tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.std.tqdm", "tqdm.rich.tqdm", "rich.progress.track", "tqdm.notebook.tqdm")
def _progress_bar(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    bar = Opaque("tqdm.std.tqdm", span, arguments)
    source = arguments.get(0, "iterable")
    if source is not None:
        machine.write(bar, "source", source)
        machine.write(bar, ANY, iteration.item_of(machine, source, frame, span))
    return bar


@_handles("iter")
def _iter(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    source = arguments.get(0)
    if source is None or len(arguments.positional) > 1:
        return Opaque("callable_iterator", span, arguments, constructed=True)
    return _iterator(machine, source, span, frame)


@_handles("next")
def _next(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    source = arguments.get(0)
    if isinstance(source, Container) and source.type == iteration.ITERATOR and source.length():
        return methods.taken(machine, source, Constant(0), frame, span)
    return UNKNOWN if source is None else iteration.item_of(machine, source, frame, span)


@_handles("len")
def _len(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    value = arguments.get(0)
    if isinstance(value, Instance):
        method = attributes.find_in_class(value.cls, "__len__")
        if method is not None:
            return machine.call(attributes.bind_method(value, method, "__len__"), Arguments(), span, frame)
    known = iteration.length(value) if value is not None else None
    return Opaque("int", span) if known is None else Constant(known)


# -- attributes by name -------------------------------------------------------------------------------------------


@_handles("getattr")
def _getattr(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    owner, name, default = arguments.get(0), arguments.get(1), arguments.get(2)
    if owner is None or not (isinstance(name, Constant) and isinstance(name.value, str)):
        return UNKNOWN
    if default is None:
        return machine.attribute(owner, name.value, span, frame)
    with machine.watch(frame):  # that it is missing is no error here
        found = machine.attribute(owner, name.value, span, frame)
    return one_of((default, UNKNOWN)) if is_unknown(found) else found


@_handles("setattr")
def _setattr(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    owner, name, value = arguments.get(0), arguments.get(1), arguments.get(2)
    if owner is not None and value is not None and isinstance(name, Constant) and isinstance(name.value, str):
        attributes.put(machine, owner, name.value, value, span, frame)
    elif isinstance(owner, Instance) and value is not None:
        machine.add(owner, UNNAMED, value, span)
    return NONE


UNNAMED = "?"
"""The attribute under which lies what was stored under names that are not known."""


@_handles("delattr")
def _delattr(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    owner, name = arguments.get(0), arguments.get(1)
    if isinstance(owner, Instance) and isinstance(name, Constant) and isinstance(name.value, str):
        machine.remove(owner, name.value)
    return NONE


@_handles("hasattr")
def _hasattr(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    owner, name = arguments.get(0), arguments.get(1)
    if isinstance(owner, Instance) and isinstance(name, Constant) and isinstance(name.value, str):
        if name.value in owner.slots or attributes.find_in_class(owner.cls, name.value) is not None:
            return Constant(True)
        if owner.cls.complete and not owner.synthetic and attributes.external_base(owner.cls) is None:
            return Constant(False)
    return expressions.UNKNOWN_BOOL


@_handles("super")
def _super(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    if arguments.positional:
        cls, self = arguments.positional[0], arguments.get(1)
        if isinstance(cls, Class) and self is not None:
            return machine.for_each(self, lambda one: Super(cls, one))
        return UNKNOWN
    owner = frame.owner()
    if owner.defining_class is None or owner.first_argument is None:
        return UNKNOWN
    defining = owner.defining_class
    return machine.for_each(owner.first_argument, lambda one: Super(defining, one))


@_handles("isinstance")
def _isinstance(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    value, types = arguments.get(0), arguments.get(1)
    if value is None or types is None:
        return expressions.UNKNOWN_BOOL
    wanted = iteration.exact_items(types) if isinstance(types, Container) else [types]
    decided = {_is_instance(one, cls) for one in alternatives(value) for cls in wanted or [UNKNOWN]}
    if True in decided and len(alternatives(value)) == 1:
        return Constant(True)
    return Constant(False) if decided == {False} else expressions.UNKNOWN_BOOL


_TYPES_OF_CONSTANTS = {"str": str, "int": int, "float": float, "bool": bool, "bytes": bytes}


def _is_instance(value: Value, cls: Value) -> bool | None:
    if isinstance(value, Instance) and isinstance(cls, Class):
        return True if cls in value.cls.mro else (False if value.cls.complete else None)
    builtin = makers.canonical(cls.name) if isinstance(cls, External) else ""
    if isinstance(value, Class) and builtin in _BUILTIN_TYPES:
        return builtin == "type"
    if isinstance(value, Descriptor) and builtin in _BUILTIN_TYPES:
        return builtin == value.kind
    if isinstance(value, Constant) and builtin:
        python_type = _TYPES_OF_CONSTANTS.get(builtin)
        return isinstance(value.value, python_type) if python_type else builtin == "object"
    if isinstance(value, Container) and builtin:
        return True if builtin == value.type else (None if "." in value.type else False)
    if isinstance(value, Opaque) and builtin in _CONCRETE:
        of_no_size = types.is_always_true(value.base_type)  # all that derive from these have a size
        return False if of_no_size or value.base_type.startswith(("dict_", "odict_")) else None
    if isinstance(value, (Instance, Function)) and builtin in _BUILTIN_TYPES:
        return False if isinstance(value, Function) or attributes.external_base(value.cls) is None else None
    return None


_CONCRETE = frozenset(
    {"str", "bytes", "bytearray", "int", "float", "complex", "bool", "list", "tuple", "dict", "set", "frozenset"}
)
_BUILTIN_TYPES = _CONCRETE | {"type", "property", "classmethod", "staticmethod", "range", "slice", "memoryview"}


@_handles("callable")
def _callable(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    value = arguments.get(0)
    if isinstance(value, (Function, Class, Partial)):
        return Constant(True)
    return Constant(False) if isinstance(value, (Constant, Container)) else expressions.UNKNOWN_BOOL


@_handles("bool")
def _bool(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    decided = truth(arguments.get(0) or NONE)
    return expressions.UNKNOWN_BOOL if decided is None else Constant(decided)


@_handles("vars")
def _vars(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    owner = arguments.get(0)
    if isinstance(owner, Class):
        return attributes.class_namespace(machine, owner, span)
    return Namespace(owner) if isinstance(owner, Instance) else UNKNOWN


@_handles("type")
def _type(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    if len(arguments.positional) == 1:
        value = arguments.positional[0]
        return machine.for_each(value, attributes.type_of)
    return classes.made_by_call(machine, "type", arguments, span, frame)


HANDLERS["collections.namedtuple"] = classes.maker("namedtuple")
HANDLERS["typing.NamedTuple"] = classes.maker("namedtuple")
HANDLERS["enum.Enum"] = classes.maker("enum")
HANDLERS["enum.IntEnum"] = classes.maker("enum")
HANDLERS["dataclasses.make_dataclass"] = classes.maker("dataclass")


@_handles("__import__", "importlib.import_module")
def _import_module(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    name = arguments.get(0, "name")
    if isinstance(name, Constant) and isinstance(name.value, str) and not name.value.startswith("."):
        return machine.program.find(name.value, frame.module)
    return ModuleValue("", None)


# -- functools and its like ---------------------------------------------------------------------------------------


@_handles("functools.partial")
def _partial(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    if not arguments.positional:
        return UNKNOWN
    rest = Arguments(arguments.positional[1:], arguments.keywords, arguments.others, arguments.other_keywords)
    return Partial(arguments.positional[0], rest, span)


@_handles("functools.wraps")
def _wraps(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    return Opaque("decorator:functools.wraps", span, arguments)


@_handles("functools.update_wrapper")
def _update_wrapper(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    wrapper, wrapped = arguments.get(0, "wrapper"), arguments.get(1, "wrapped")
    if isinstance(wrapper, (Function, Instance)):
        machine.write(wrapper, "__wrapped__", wrapped or UNKNOWN, span)
    return wrapper or UNKNOWN


@_handles("functools.reduce")
def _reduce(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    return UNKNOWN


@_handles("copy.copy", "copy.deepcopy")
def _copy(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    value = arguments.get(0) or UNKNOWN

    def duplicate(one: Value) -> Value:
        if isinstance(one, Container):
            return iteration.copy(machine, one, one.type, one.site)
        if isinstance(one, Instance):
            twin = Instance(one.cls, one.site, one.arguments, one.synthetic)
            machine.made.append(twin)
            for key, slot in one.slots.items():
                machine.journal.write(twin, key, slot)
            return twin
        return one

    return machine.for_each(value, duplicate)


@_handles("asyncio.create_task", "asyncio.ensure_future", "asyncio.wait_for", "asyncio.shield")
def _run_coroutine(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    coroutine = arguments.get(0, "main") or UNKNOWN
    if isinstance(coroutine, Opaque) and (result := coroutine.get("result")) is not None:
        task = Opaque("_asyncio.Task", span)
        machine.write(task, "result", result)
        return task
    return UNKNOWN


@_handles("asyncio.run")
def _run(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    return machine.for_each(arguments.get(0, "main") or UNKNOWN, expressions.awaited)


@_handles("contextlib.closing", "contextlib.aclosing")
def _closing(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    manager = Opaque("contextlib.closing", span, arguments, constructed=True)
    machine.write(manager, ANY, arguments.get(0) or UNKNOWN)
    return manager


@_handles("functools.lru_cache", "functools.cache")
def _cache(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    function = arguments.get(0, "user_function")
    made = None if function is None else classes.cached(machine, function, span)
    return made or Opaque("decorator:functools.lru_cache", span, arguments)


@_handles("max", "min")
def _extreme(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    given = arguments.positional
    return iteration.item_of(machine, given[0], frame, span) if len(given) == 1 else one_of(given or [UNKNOWN])


@_handles("dataclasses.replace")
def _replace(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Make a dataclass anew from the fields of another one."""

    def changed(one: Value) -> Value:
        if not isinstance(one, Instance):
            return UNKNOWN
        kept = {field.name: one.get(field.name) or UNKNOWN for field in one.cls.fields if field.init}
        given = Arguments(keywords=kept | arguments.keywords, other_keywords=arguments.other_keywords)
        return classes.instantiate(machine, one.cls, given, span, frame)

    return machine.for_each(arguments.get(0) or UNKNOWN, changed)


@_handles("enum.auto")
def _auto(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    return Opaque("int", span)


@_handles("object.__setattr__")
def _store(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Store an attribute, whatever the class's own `__setattr__` would do."""
    owner, name, value = arguments.get(0), arguments.get(1), arguments.get(2)
    if isinstance(owner, Instance) and isinstance(name, Constant) and isinstance(name.value, str) and value is not None:
        machine.write(owner, name.value, value, span)
    return NONE


@_handles("object.__new__")
def _bare(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    cls = arguments.get(0)
    return classes.bare(machine, cls, Arguments(), span) if isinstance(cls, Class) else UNKNOWN


@_handles("types.MappingProxyType", "mappingproxy")
def _mapping_proxy(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    proxy = Opaque("mappingproxy", span)
    machine.write(proxy, "source", arguments.get(0) or UNKNOWN)
    return proxy


for _name in ("dataclasses.dataclass", "attr.s", "attr.define", "attrs.define", "attr.frozen", "attrs.frozen"):

    def _decorator(machine: Machine, arguments: Arguments, span: Span, frame: Frame, name: str = _name) -> Value:
        if arguments.positional and isinstance(arguments.positional[0], Class):
            decorated = classes.known_decorator(machine, External(name), arguments.positional[0], frame)
            return decorated or UNKNOWN
        return Opaque(f"decorator:{name}", span, arguments)

    HANDLERS[_name] = _decorator

HANDLERS["pydantic.PrivateAttr"] = lambda machine, arguments, span, frame: Opaque(
    "field", span, Arguments(arguments.positional, arguments.keywords | {"init": Constant(False)})
)

for _name in ("dataclasses.field", "attr.ib", "attr.attrib", "attr.field", "attrs.field", "pydantic.Field"):
    HANDLERS[_name] = lambda machine, arguments, span, frame: Opaque("field", span, arguments)


@_handles("types.MethodType", "method")
def _method_type(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    function, owner = arguments.get(0), arguments.get(1)
    if isinstance(function, Function) and owner is not None:
        return Bound(owner, function, function.name.rpartition(".")[2])
    return UNKNOWN


@_handles("joblib.delayed", "joblib.parallel.delayed", "sklearn.utils.parallel.delayed")
def _delayed(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """`delayed(function)(*arguments)` keeps a call for later."""
    return Opaque("joblib.delayed", span, arguments)


@_handles("joblib.parallel_config", "joblib.parallel_backend", "joblib.parallel.parallel_backend")
def _parallel_config(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    return Opaque("joblib.parallel_config", span, arguments)


@_handles("copyreg.pickle")
def _copyreg(machine: Machine, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Registered for a class itself, not for those derived from it."""
    cls, reducer = arguments.get(0, "ob_type"), arguments.get(1, "pickle_function")
    if isinstance(cls, Class) and reducer is not None:
        machine.write(cls, REDUCER, reducer)
    return NONE


REDUCER = "<copyreg>"
"""Where a class keeps what `copyreg.pickle` registered for it."""


# -- methods of library types --------------------------------------------------------------------------------------


def _run_until_complete(machine: Machine, loop: Opaque, arguments: Arguments, span: Span, frame: Frame) -> Value:
    return machine.for_each(arguments.get(0) or UNKNOWN, expressions.awaited)


def _enter_context(machine: Machine, stack: Opaque, arguments: Arguments, span: Span, frame: Frame) -> Value:
    manager = arguments.get(0) or UNKNOWN
    machine.add(stack, "<item>", manager, span)
    return machine.for_each(manager, lambda one: iteration.enter(machine, one, span, frame))


def _row(machine: Machine, cursor: Opaque, arguments: Arguments, span: Span, frame: Frame) -> Value | None:
    """Return what a cursor of sqlite3 gives for a row, where its connection was told to make it something else."""
    connection = cursor.get(GIVEN_BY)
    factory = connection.get("row_factory") if isinstance(connection, Opaque) else None
    is_row = isinstance(factory, External) and makers.canonical(factory.name) == "sqlite3.Row"
    return Opaque("sqlite3.Row", span) if is_row else None


def _rows(machine: Machine, cursor: Opaque, arguments: Arguments, span: Span, frame: Frame) -> Value | None:
    row = _row(machine, cursor, arguments, span, frame)
    if row is None:
        return None
    rows = Container("list", span)
    machine.write(rows, ANY, row, span)
    return rows


METHODS: dict[str, command_line.Method] = {
    **command_line.METHODS,
    "sqlite3.Cursor.fetchone": _row,
    "sqlite3.Cursor.fetchall": _rows,
    "sqlite3.Cursor.fetchmany": _rows,
    "asyncio.AbstractEventLoop.run_until_complete": _run_until_complete,
    "asyncio.Runner.run": _run_until_complete,
    "contextlib.ExitStack.enter_context": _enter_context,
}
