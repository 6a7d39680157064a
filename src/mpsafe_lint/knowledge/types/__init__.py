"""What pickle does with objects of library types: which it refuses, under which Python and serializer, with which text.

A type is known by one qualified name, which `makers.canonical` finds; builtin types have bare names. A name in brackets
is a variant of the type before it: what is known of `gzip.GzipFile` holds for `gzip.GzipFile[w]`, unless that has a row
of its own.

The text names the leaf that pickle refuses: a queue for the lock inside it. The rule is that of the leaf too, but for
files, connections and processes: nobody repairs the lock in those.

`measured` is: really pickled on CPython 3.8 to 3.13, and on 3.14 and 3.15 under WebAssembly; with cloudpickle 3.1 and
dill 0.4 on 3.11 and 3.13. Not in the tables: what only WebAssembly does (it has no OpenSSL and no epoll), that dill
0.4.1 sends no function or class by value on 3.15, and proxies and shared memory that are loaded without their owner.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Final

from mpsafe_lint.findings import ErrorText
from mpsafe_lint.knowledge.types.row import SERIALIZERS, Texts, TypeRow

__all__ = [
    "SERIALIZERS",
    "UNKNOWN",
    "Refused",
    "Texts",
    "TypeRow",
    "Unknown",
    "covers",
    "errors_of",
    "is_always_true",
    "refusal",
    "row_of",
    "type_names",
]


@dataclass(frozen=True, slots=True)
class Refused:
    """Why an object can't be sent. `rule` is a kind; `at_load` says that the error comes in the receiving process."""

    rule: str
    error: ErrorText
    at_load: bool = False


class Unknown(Enum):
    """The answer where nothing is known."""

    UNKNOWN = "unknown"


UNKNOWN: Final = Unknown.UNKNOWN


def refusal(
    type_name: str, serializer: str, python: tuple[int, ...], *, managers: bool = False, subclass: str = ""
) -> Refused | Unknown | None:
    """Say whether an object of a type is refused: Refused, None where it is sent, UNKNOWN where nothing is known.

    None says nothing of its parts: see `TypeRow.walks`. `subclass` is the bare name of a class derived from the type,
    where the object is an instance of that: some texts name it. Raises ValueError for an unknown serializer.

    >>> refusal("dict_keys", "pickle", (3, 14)).error.text
    "TypeError: cannot pickle 'dict_keys' object"
    >>> refusal("dict_keys", "cloudpickle", (3, 14)), refusal("no.Such", "pickle", (3, 14))
    (None, <Unknown.UNKNOWN: 'unknown'>)
    """
    row = _template(type_name)
    if row is None:
        return UNKNOWN
    for error in errors_of(type_name, serializer, managers=managers, subclass=subclass):
        if covers(error.python, python):
            at_load = serializer in row.loads
            return Refused("unloadable" if at_load else row.rule, error, at_load)
    return None


def errors_of(type_name: str, serializer: str, *, managers: bool = False, subclass: str = "") -> Texts:
    """Return the errors of a type under a serializer for all Pythons: nothing where it is sent, or is unknown."""
    template = _template(type_name)
    return _filled(template.texts(serializer, managers), subclass or type_name) if template else ()


def row_of(type_name: str) -> TypeRow | None:
    """Return what is known of a type; of a variant, what is known of the type where it has no row of its own."""
    row = _ROWS.get(type_name)
    template = _template(type_name)
    if row is None and template is not None:
        row = _ROWS[type_name] = _named(template, type_name)
    return row


def type_names() -> tuple[str, ...]:
    """Return the name of every type that has a row."""
    return tuple(_templates())


def is_always_true(type_name: str) -> bool:
    """Say whether `bool(object)` is True for every object of a type, as far as the standard library is concerned.

    >>> is_always_true("re.Match"), is_always_true("dict_keys")
    (True, False)
    """
    from mpsafe_lint.knowledge.types.stdlib import SIZED

    row = _template(type_name)
    top = type_name.partition(".")[0]
    return row is not None and bool(row.rule) and type_name not in SIZED and _is_standard(top, type_name)


def _is_standard(top: str, type_name: str) -> bool:
    return top in sys.stdlib_module_names or top == type_name


def covers(python: str, version: tuple[int, ...]) -> bool:
    """Say whether a range of Pythons (`3.8-3.13`, `3.14+`, `3.13`, or empty for all) holds a version.

    >>> covers("3.8-3.13", (3, 13)), covers("3.14+", (3, 13)), covers("", (3, 8))
    (True, False, True)
    """
    if not python:
        return True
    first, _, last = python.rstrip("+").partition("-")
    wanted = (version[0], version[1])
    return _version(first) <= wanted and (python.endswith("+") or wanted <= _version(last or first))


def _version(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def _template(type_name: str) -> TypeRow | None:
    templates = _templates()
    return templates.get(type_name) or templates.get(type_name.partition("[")[0])


def _filled(texts: Texts, name: str) -> Texts:
    """Name the type, or the class derived from it, in the texts of a template."""
    bare = name.partition("[")[0]
    last = bare.rpartition(".")[2]
    return tuple(ErrorText(error.python, error.text.replace("{name}", bare).replace("{last}", last)) for error in texts)


def _named(template: TypeRow, name: str) -> TypeRow:
    """Make the row of a type from the row of the tables that stands for it."""

    def filled(texts: Texts | None) -> Texts | None:
        return None if texts is None else _filled(texts, name)

    return replace(
        template,
        name=name,
        errors=_filled(template.errors, name),
        forking=filled(template.forking),
        spawning=filled(template.spawning),
        managers=filled(template.managers),
        cloudpickle=filled(template.cloudpickle),
        dill=filled(template.dill),
    )


@cache
def _templates() -> dict[str, TypeRow]:
    """Return the row of the tables by each type that it stands for; the tables are read when they are first asked."""
    from mpsafe_lint.knowledge.types import libraries, stdlib

    return {name: row for row in stdlib.ROWS + libraries.ROWS for name in row.name.split()}


_ROWS: Final[dict[str, TypeRow]] = {}
