"""Which type a call, a method, an attribute or an iteration gives, by qualified names.

The tables say what is sure. Where a function gives now this and now that, `choices` looks at its arguments; where that
doesn't decide, the answer is None. `data` is what parsers give: strings, numbers and None, in lists and dicts. `file`
is an open file of unknown mode. A type in brackets behind a container is that of its items, for a dict of its values:
`list[str]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from mpsafe_lint.knowledge.makers import aliases, choices, libraries, stdlib
from mpsafe_lint.knowledge.makers.choices import Arguments
from mpsafe_lint.knowledge.types import row_of

__all__ = [
    "Arguments",
    "attribute_of",
    "bases_of",
    "canonical",
    "item_of",
    "iterated",
    "iterator_of",
    "method_of",
    "result_of",
    "value_of",
]

CONTAINERS: Final = ("list", "tuple", "set", "frozenset", "dict")


def canonical(name: str) -> str:
    """Return the one name under which the tables know a function, class or type; other names come back as they are.

    >>> canonical("builtins.open"), canonical("torch.multiprocessing.Queue"), canonical("threading.Lock")
    ('open', 'multiprocessing.Queue', '_thread.lock')
    """
    bare, bracket, variant = name.partition("[")
    known = aliases.RENAMED.get(bare)
    if known is None:
        known = _moved(bare)
        known = aliases.RENAMED.get(known, known)
    return known + bracket + variant


def result_of(name: str, arguments: Arguments | None = None) -> str | None:
    """Return the type that calling a function or class gives, or None where that is unknown.

    `arguments` are the given ones by position, from 0, or by name: the value of a constant, and any object that is no
    constant for others. None says that they can't be told at all, because of `*args` or `**kwargs`.

    >>> result_of("open", {}), result_of("open", {0: ..., 1: "rb"}), result_of("threading.Lock")
    ('_io.TextIOWrapper', '_io.BufferedReader', '_thread.lock')
    """
    known = canonical(name)
    choice = choices.CALLS.get(known)
    if choice is not None:
        return choice(arguments)
    made = _values("MAKES").get(known)
    if made is not None:
        return made
    owner, _, method = known.rpartition(".")
    if row_of(known) is not None and ("." in name or known in _classes()):
        return known
    return method_of(owner, method, arguments) if owner else None


def method_of(type_name: str, method: str, arguments: Arguments | None = None) -> str | None:
    """Return the type that calling a method of an object of a type gives, or None where that is unknown.

    >>> method_of("collections.Counter", "keys"), method_of("str", "split")
    ('dict_keys', 'list[str]')
    """
    for base in bases_of(type_name):
        choice = choices.METHODS.get(f"{base}.{method}")
        if choice is not None:
            return choice(arguments)
        made = _members("METHODS", base).get(method)
        if made is not None:
            return type_name if made == "self" else made
    return None


def attribute_of(type_name: str, attribute: str) -> str | None:
    """Return the type of an attribute, no method, of an object of a type, or None where that is unknown."""
    made = next((made for base in bases_of(type_name) if (made := _members("ATTRIBUTES", base).get(attribute))), None)
    return type_name if made == "self" else made


def value_of(name: str) -> str | None:
    """Return the type of a module's attribute, no function or class, or None where that is unknown.

    >>> value_of("os.environ"), value_of("sys.argv")
    ('os._Environ', 'list[str]')
    """
    return _values("VALUES").get(canonical(name))


def iterated(type_name: str) -> str | None:
    """Return the type of the items that iterating an object gives, or None where that is unknown."""
    return (not type_name.startswith("dict[") and _items(type_name)) or _by_type("ITERATED", type_name)


def iterator_of(type_name: str) -> str | None:
    """Return the type of iter(object), or None where that is unknown.

    >>> iterator_of("dict_keys"), iterator_of("generator[finite]")
    ('dict_keyiterator', 'generator[finite]')
    """
    made = _by_type("ITERATORS", type_name)
    return type_name if made == "self" else made


def item_of(type_name: str) -> str | None:
    """Return the type of object[key], or None where that is unknown."""
    return _items(type_name) or _by_type("ITEMS", type_name)


def bases_of(type_name: str) -> Iterator[str]:
    """Yield a type and the bases that it has in the tables, the nearest first.

    >>> list(bases_of("collections.Counter"))
    ['collections.Counter', 'dict']
    """
    name = type_name
    while name:
        yield name
        bare = name.partition("[")[0]
        name = _bases().get(name) or (bare if bare != name else "")


def _items(type_name: str) -> str | None:
    bare, bracket, item = type_name.partition("[")
    return item[:-1] if bracket and bare in CONTAINERS else None


def _by_type(table: str, type_name: str) -> str | None:
    return next((made for base in bases_of(type_name) if (made := _values(table).get(base))), None)


@cache
def _values(table: str) -> dict[str, str]:
    """Return a table of both modules by the names in it."""
    return {name: made for module in (stdlib, libraries) for name, made in _spread(getattr(module, table))}


@cache
def _bases() -> dict[str, str]:
    return stdlib.BASES | libraries.BASES


@cache
def _classes() -> frozenset[str]:
    return frozenset(stdlib.CLASSES.split())


@cache
def _members(table: str, type_name: str) -> dict[str, str]:
    """Return the members of one type by their names."""
    names = getattr(libraries, table).get(type_name) or getattr(stdlib, table).get(type_name) or {}
    return dict(_spread(names))


@cache
def _prefixes() -> dict[str, list[tuple[str, str, frozenset[str]]]]:
    """Return the moved names by the first part of their prefix."""
    found: dict[str, list[tuple[str, str, frozenset[str]]]] = {}
    for old, new, names in aliases.MOVED:
        found.setdefault(old.partition(".")[0], []).append((old, new, frozenset(names.split())))
    return found


@cache
def _moved(name: str) -> str:
    for old, new, names in _prefixes().get(name.partition(".")[0], ()):
        rest = name[len(old) :]
        if name.startswith(old) and (not names or rest.partition(".")[0] in names):
            return new + rest
    return name


def _spread(names: stdlib.Names) -> Iterable[tuple[str, str]]:
    return ((name, made) for made, row in names.items() for name in row.split())
