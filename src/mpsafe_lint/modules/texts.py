"""What the text of a file says of it before it is parsed: its words, its classes and their bases, what it imports.

All of it says too much rather than too little: a comment's word counts as one of the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

_WORD = re.compile(r"[^\W\d]\w*")
_DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_ANY_CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)", re.MULTILINE)
_CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)[ \t]*(?:\[[^\]]*\])?[ \t]*\((.*?)\)[ \t\\\n]*:", re.MULTILINE | re.DOTALL)
_BASE = re.compile(r"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*")
_NO_BASE = re.compile(r"\[[^\]]*\]|\w+\s*=(?!=)|#[^\n]*")
_SPACE = re.compile(r"\s")
_LAST, _FIRST = re.compile(r"[^\W\d]\w*$"), re.compile(r"[^\W\d]\w*")
_EQUAL = re.compile(r"^[ \t]*(\w+)[ \t]*=[ \t]*([\w.]+)[ \t]*$", re.MULTILINE)
_FROM = re.compile(r"^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([^\n(]+)", re.MULTILINE)
_NAMED = re.compile(r"([^\W\d][\w.]*)(?:[ \t]+as[ \t]+([^\W\d]\w*))?")

_ACTS = re.compile(
    r"""
      ^[^\W\d][\w.]*\s*\(                                    # a call that nobody takes the result of
    | ^[^\W\d][\w.]*(?:\.\w+|\[[^\n]*\])\s*(?::[^\n=]*)?[-+|&]?=(?!=)    # a store into something
    | ^(?:for|while|with|del|async|exec|match)\b
    | ^(?:if|elif)\b(?!\s*\(?\s*(?:__name__|(?:\w+\.)?TYPE_CHECKING|sys\.(?:version_info|platform))\b)
    | ^try\s*:(?!\s*(?:\#[^\n]*)?\n\s+(?:from|import)\b)
    | ^from\s+\S+\s+import\s*\(?\s*\*
    | ^[ \t]*@(?!(?:property|staticmethod|classmethod|abstractmethod|overload|final|override|dataclass|cached_property
        |contextmanager|wraps|unique|total_ordering|lru_cache|cache|singledispatch|no_grad|jit|njit|patch)\b
        |(?:abc|functools|dataclasses|typing|t|contextlib|torch|enum|pytest|unittest|mock|np|numba|attr|attrs|jax|nn
        |warnings|atexit|tf|click|hypothesis|experimental|six|types|asyncio)\.|\w+\.(?:setter|getter|deleter)\b)
    """,
    re.MULTILINE | re.VERBOSE,
)
"""Code that may change another module when this one is imported: a decorator may put what it gets into a registry."""


LONGEST = 100
"""Characters of a name."""


@dataclass(slots=True)
class TextClass:
    """A class statement, by the words in it. `bases` are dotted names."""

    name: str
    bases: tuple[str, ...]


@dataclass(slots=True)
class Text:
    """What one file's text says. `origins` tells of names that are imported from which module; `aliases` are pairs of
    a name and the one that stands for it as well; `acts` that an import of it may change another module."""

    classes: list[TextClass] = field(default_factory=list)
    origins: dict[str, str] = field(default_factory=dict)
    aliases: list[tuple[str, str]] = field(default_factory=list)
    acts: bool = False


def words(text: str) -> set[str]:
    """Return every identifier."""
    return set(_WORD.findall(text))


def defined(text: str) -> list[str]:
    """Return the names of functions and classes, each as often as it is defined."""
    return _DEFINITION.findall(text)


def defined_classes(text: str) -> list[str]:
    """Return the names of classes."""
    return _ANY_CLASS.findall(text)


def read(text: str) -> Text:
    """Read what a text says."""
    result = Text(acts=_ACTS.search(text) is not None)
    result.aliases = list(_renamed(text)) + [(b.rpartition(".")[2], a) for a, b in _EQUAL.findall(text)]
    for name, bases in _CLASS.findall(text):
        plain = _NO_BASE.sub(" ", bases)
        result.classes.append(TextClass(name, tuple(_SPACE.sub("", one) for one in _BASE.findall(plain))))
    if result.classes:
        result.origins = dict(_imported(text))
    return result


def _renamed(text: str) -> Iterator[tuple[str, str]]:
    """Yield each `name as other`."""
    parts = text.split(" as ")
    for before, after in pairwise(parts):
        if (name := _LAST.search(before[-LONGEST:])) and (other := _FIRST.match(after)):
            yield name[0], other[0]


def _imported(text: str) -> Iterator[tuple[str, str]]:
    """Yield each name that is imported, with the module that it comes from."""
    for module, names in _FROM.findall(text):
        for name, alias in _NAMED.findall(names):
            yield alias or name, module
    for names in _IMPORT.findall(text):
        for name, alias in _NAMED.findall(names):
            yield alias or name.partition(".")[0], name
