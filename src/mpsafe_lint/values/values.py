"""What an expression may be: the abstract values, and the cells in which the program keeps them.

A value with contents that can change (an instance, a container, a scope, a class) is a `Cell`. Cells are compared by
identity; they are written through the journal alone (see `journal.py`), so that what a branch did can be taken back.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from mpsafe_lint.findings import Span

if TYPE_CHECKING:
    from mpsafe_lint.modules.module import Module

ALTERNATIVES = 24
"""How many alternatives a value keeps; what goes beyond is "and others"."""

Key = str | int | tuple[str, object]
"""What a slot is found under: an attribute's or variable's name, a position, or a dict's constant key `("k", key)`."""

ANY = ("any", None)
"""The key of what a container holds at places that are not known."""

GIVEN_BY = "<given by>"
"""Where an object of a library keeps the object whose method gave it: a process its context, a view its mapping."""

KEYS = "<keys>"
"""Where a dict keeps those of its keys that are no constants."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A value in a cell, and the place in the source that put it there."""

    value: Value
    place: Span | None = None


CLOCK = count()
"""Tells what came first: a cell, or a mark of the journal."""


class Cell:
    """Something with contents that the program can change."""

    __slots__ = ("born", "slots")

    def __init__(self) -> None:
        self.born = next(CLOCK)
        self.slots: dict[Key, Slot] = {}

    def get(self, key: Key) -> Value | None:
        slot = self.slots.get(key)
        return None if slot is None else slot.value


class Unknown:
    """A value of which nothing is known. There is one: `UNKNOWN`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal, or what constant folding made of some."""

    value: object


NONE = Constant(None)


@dataclass(frozen=True, slots=True)
class External:
    """A function, class or submodule of a library, known by its qualified name alone."""

    name: str


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module as a value. `importer` is the file that asked for it, on which hangs what a folder of modules holds."""

    name: str
    path: str | None  # None: known by name alone, or a folder without `__init__.py`
    importer: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Imported:
    """`from module import name`, not followed yet."""

    module: ModuleValue
    name: str


class Scope(Cell):
    """The variables of a module, class body or function call. Names not found here are looked up in `parent`.

    `stars` are the modules of `from … import *`.
    """

    __slots__ = ("globals", "is_class", "module", "nonlocals", "parent", "qualifier", "stars")

    def __init__(self, module: Module, parent: Scope | None, qualifier: str) -> None:
        super().__init__()
        self.module = module
        self.parent = parent
        self.qualifier = qualifier  # what a qualified name defined here begins with: "", "C." or "f.<locals>."
        self.is_class = False
        self.globals: frozenset[str] = frozenset()
        self.nonlocals: frozenset[str] = frozenset()
        self.stars: list[ModuleValue] = []


FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Function(Cell):
    """A function of the analysed code, with the scope that it closes over.

    Its slots hold attributes set on it (`__wrapped__`, `__qualname__` …). `shown` is what Python prints for it where
    that is no function (`functools._lru_cache_wrapper`).
    """

    __slots__ = ("defaults", "defining_class", "keyword_defaults", "module", "name", "node", "scope", "shown", "span")

    def __init__(
        self,
        node: FunctionNode,
        module: Module,
        scope: Scope,
        name: str,
        span: Span,
        defaults: Sequence[Value] = (),
        keyword_defaults: Sequence[Value | None] = (),
        defining_class: Class | None = None,
    ) -> None:
        super().__init__()
        self.node = node
        self.module = module
        self.scope = scope
        self.name = name
        self.span = span
        self.defaults = defaults
        self.keyword_defaults = keyword_defaults
        self.defining_class = defining_class
        self.shown = ""

    @property
    def is_lambda(self) -> bool:
        return isinstance(self.node, ast.Lambda)

    @property
    def is_local(self) -> bool:
        return "<locals>" in self.name

    @property
    def qualified_name(self) -> str:
        return f"{self.module.name}.{self.name}"

    def __repr__(self) -> str:
        return f"Function({self.qualified_name})"


class Class(Cell):
    """A class of the analysed code; its slots are the names of its body. `mro` holds itself, its bases, and names of
    bases that are known by name alone; `complete` is false where a base could not be found."""

    __slots__ = (
        "bases",
        "complete",
        "fields",
        "form",
        "keywords",
        "made_in_function",
        "module",
        "mro",
        "name",
        "node",
        "span",
    )

    def __init__(
        self, node: ast.ClassDef | ast.Call, module: Module, name: str, span: Span, bases: Sequence[Value]
    ) -> None:
        super().__init__()
        self.node = node
        self.module = module
        self.name = name
        self.span = span
        self.bases = bases
        self.mro: tuple[Class | External, ...] = (self,)
        self.complete = True
        self.form = "class"  # how instances are made: class, dataclass, namedtuple, enum …
        self.fields: tuple[Field, ...] = ()
        self.keywords: dict[str, Value] = {}
        self.made_in_function = "<locals>" in name

    @property
    def is_local(self) -> bool:
        return "<locals>" in self.name

    @property
    def qualified_name(self) -> str:
        return f"{self.module.name}.{self.name}"

    def __repr__(self) -> str:
        return f"Class({self.qualified_name})"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a dataclass, namedtuple or attrs class. What is not `stored` goes to `__post_init__` alone."""

    name: str
    default: Value | None = None
    factory: Value | None = None
    init: bool = True
    keyword_only: bool = False
    place: Span | None = None
    stored: bool = True


class Instance(Cell):
    """An object of a class of the analysed code. `site` is the call that made it; `arguments` what it was given.

    `unfinished` is what is left of its construction: it is carried out when somebody looks at what the object holds.
    """

    __slots__ = ("_contents", "arguments", "cls", "site", "synthetic", "unfinished")

    def __init__(self, cls: Class, site: Span, arguments: Arguments, synthetic: bool = False) -> None:
        self.unfinished: Callable[[], None] | None = None
        super().__init__()
        self.cls = cls
        self.site = site
        self.arguments = arguments
        self.synthetic = synthetic  # made by the analysis since nobody is seen to make one

    @property
    def slots(self) -> dict[Key, Slot]:
        """What the object holds."""
        if self.unfinished is not None:
            finish, self.unfinished = self.unfinished, None
            finish()
        return self._contents

    @slots.setter
    def slots(self, contents: dict[Key, Slot]) -> None:
        self._contents = contents

    def __repr__(self) -> str:
        return f"Instance({self.cls.qualified_name})"


class Opaque(Cell):
    """An object of a library's type, known by the type's name. `arguments` are those of the call that made it;
    `parts` what it is known to hold: the source of a `map`, what a generator yields (under ANY)."""

    __slots__ = ("arguments", "assumed", "constructed", "site", "type")

    def __init__(
        self,
        type_name: str,
        site: Span,
        arguments: Arguments | None = None,
        assumed: bool = False,
        constructed: bool = False,
    ) -> None:
        super().__init__()
        self.type = type_name
        self.site = site
        self.arguments = arguments or Arguments()
        self.assumed = assumed  # its type is taken for granted, not proved
        self.constructed = constructed  # by a call of its class, so that the arguments are the constructor's

    @property
    def base_type(self) -> str:
        """The type's name without the variant that the tables tell apart: `DataLoader` for `DataLoader[workers]`."""
        return self.type.partition("[")[0]

    def __repr__(self) -> str:
        return f"Opaque({self.type})"


class Container(Cell):
    """A list, tuple, dict, set … `type` is the type's name. Items lie under positions or `("k", key)`, those at places
    that are not known under ANY. `open` says that it may hold others."""

    __slots__ = ("open", "site", "type")

    def __init__(self, type_name: str, site: Span, open_: bool = False) -> None:
        super().__init__()
        self.type = type_name
        self.site = site
        self.open = open_

    def items(self) -> Iterator[tuple[Key, Slot]]:
        """Return what it holds, by position or key. A name holds what belongs to the container: `default_factory`."""
        return ((key, slot) for key, slot in self.slots.items() if not isinstance(key, str))

    def length(self) -> int | None:
        """Return how many items it holds, where that is known."""
        return None if self.open or ANY in self.slots else sum(1 for _ in self.items())

    def values(self) -> Iterator[Value]:
        return (slot.value for _, slot in self.items())

    def __repr__(self) -> str:
        return f"Container({self.type}, {list(self.slots.values())})"


@dataclass(frozen=True, eq=False, slots=True)
class Partial:
    """`functools.partial`."""

    function: Value
    arguments: Arguments
    site: Span


@dataclass(frozen=True, eq=False, slots=True)
class Bound:
    """A bound method: of an instance, a class (classmethod) or an object of a library's type."""

    self: Value
    function: Value
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Namespace:
    """`instance.__dict__`: a dict that writes through."""

    instance: Instance


@dataclass(frozen=True, eq=False, slots=True)
class Descriptor:
    """What a class body holds under a name and an access turns into something else: property, staticmethod,
    classmethod, cached_property."""

    kind: str
    function: Value


@dataclass(frozen=True, eq=False, slots=True)
class Super:
    """`super()` inside a method of `cls` on `self`."""

    cls: Class
    self: Value


@dataclass(frozen=True, eq=False, slots=True)
class OneOf:
    """Any of `values`, and, where `others` is set, something that is not known."""

    values: tuple[Value, ...]
    others: bool = False


Value = (
    Unknown
    | Constant
    | External
    | ModuleValue
    | Imported
    | Function
    | Class
    | Instance
    | Opaque
    | Container
    | Partial
    | Bound
    | Namespace
    | Descriptor
    | Super
    | OneOf
)


@dataclass(frozen=True, eq=False, slots=True)
class Arguments:
    """The arguments of a call. `others` and `other_keywords` say that there may be more that are not known."""

    positional: tuple[Value, ...] = ()
    keywords: dict[str, Value] = field(default_factory=dict)
    others: bool = False
    other_keywords: bool = False

    def get(self, position: int | None, name: str | None = None) -> Value | None:
        """Return the argument that a parameter gets: None where it gets none for sure, UNKNOWN where it may."""
        if name is not None and name in self.keywords:
            return self.keywords[name]
        if position is not None and position < len(self.positional):
            return self.positional[position]
        if (self.others and position is not None) or (self.other_keywords and name is not None):
            return UNKNOWN
        return None

    def gives(self, position: int | None, name: str | None = None) -> bool:
        """Tell whether a parameter gets an argument for sure, be it known or not."""
        return name in self.keywords or (position is not None and position < len(self.positional))

    def values(self) -> list[Value]:
        """Return what is known to be given, by position or by name."""
        return [*self.positional, *self.keywords.values()]

    def after(self, *values: Value) -> Arguments:
        """Return these arguments with `values` before them."""
        return Arguments((*values, *self.positional), self.keywords, self.others, self.other_keywords)


UNKNOWN_ARGUMENTS = Arguments(others=True, other_keywords=True)


def alternatives(value: Value) -> tuple[Value, ...]:
    """Return the known alternatives of a value, and UNKNOWN where there may be others."""
    if isinstance(value, OneOf):
        return (*value.values, UNKNOWN) if value.others else value.values
    return (value,)


def one_of(values: Iterable[Value]) -> Value:
    """Join alternatives into one value. Without any it is UNKNOWN."""
    known: dict[object, Value] = {}
    others = False
    for value in values:
        if value is UNKNOWN:
            others = True
        elif isinstance(value, OneOf):
            others = others or value.others
            for alternative in value.values:
                known.setdefault(_identity(alternative), alternative)
        else:
            known.setdefault(_identity(value), value)
    different = tuple(known.values())
    if len(different) > ALTERNATIVES:
        different, others = different[:ALTERNATIVES], True
    if not different:
        return UNKNOWN
    return different[0] if len(different) == 1 and not others else OneOf(different, others)


def _identity(value: Value) -> object:
    """Return what two alternatives that are one and the same have in common."""
    if isinstance(value, Constant):
        return type(value.value), value.value
    if isinstance(value, (External, ModuleValue)):
        return value
    return (id(value.self), id(value.function)) if isinstance(value, Bound) else id(value)


def same(first: Value, second: Value) -> bool:
    """Tell whether two alternatives are one and the same."""
    if first is second:
        return True
    if isinstance(first, Constant) and isinstance(second, Constant):
        return type(first.value) is type(second.value) and first.value == second.value
    if isinstance(first, Bound) and isinstance(second, Bound):
        return first.self is second.self and first.function is second.function
    return isinstance(first, (External, ModuleValue)) and first == second


def is_unknown(value: Value) -> bool:
    return value is UNKNOWN
