"""Which functions are worth running: those from which a boundary can be reached, as their words have it.

A word is any identifier in a function's text, so that nothing is left out that calls by name: an alias, an attribute,
an argument. A function that holds no word of a boundary, nor of a function or class that leads to one within a few
calls, hands nothing to another process.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from mpsafe_lint.crossings import exports
from mpsafe_lint.crossings.survey import COMMON, WORDS, Survey, has_phrase, is_boundary_library
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values.statements import is_main_guard
from mpsafe_lint.values.values import Class, Function

HOPS = 2
"""Calls between a function and the boundary that it leads to."""

MAIN = "<main>"
"""The name under which a main block is known here."""

_COMMENT = re.compile(r"#[^\n]*")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


Key = tuple[str, str, str]
"""The path of a function's file, the class that it stands in, and its name."""


@dataclass(slots=True)
class Unit:
    """A function, method or class body of a module, and the words in it."""

    name: str
    owner: str  # the class it stands in; "" where it stands in none
    words: frozenset[str]
    direct: bool = False


@dataclass(slots=True)
class Interest:
    """The words that lead to a boundary, the units of every module that was looked at, and how many calls there are
    between each and a boundary."""

    survey: Survey
    crossing_names: frozenset[str]
    exports: dict[str, set[str]] = field(default_factory=dict)  # boundaries that modules hand on, by their last names
    steps: int = 0  # what each function that is run gets
    units: dict[str, list[Unit]] = field(default_factory=dict)
    everything: set[str] = field(default_factory=set)
    hops: dict[Key, int] = field(default_factory=dict)
    constructing: set[tuple[str, str]] = field(default_factory=set)  # classes whose constructor is at a boundary
    imported: set[str] = field(default_factory=set)  # the last names of what modules import

    def add(self, module: Module, text: str) -> None:
        """Take a module in. Its own names for the libraries of boundaries count as words."""
        self.imported.update(_last_names_imported(module))
        own_words = WORDS | self.crossing_names | frozenset(_imported_words(module))
        own_words |= exports.imported_from(module, self.exports)
        units = []
        lines = text.splitlines()
        definitions = list(_definitions(module.tree.body))
        telling = self.survey.telling | {name: name for name, _, _ in definitions}
        for name, owner, node in definitions:
            part = _text_of(node, lines)
            words = set(_IDENTIFIER.findall(part))
            direct = bool(words & own_words) or has_phrase(part)
            kept = frozenset(telling[word] for word in words & telling.keys())
            units.append(Unit(name, owner, kept, direct))
        self.units[module.path] = units
        if own_words & _top_level_words(module):
            self.everything.add(module.path)

    def settle(self, load: Callable[[Iterable[str]], None]) -> None:
        """Follow calls from the boundaries back to who makes them. `load` takes in the files that hold a word."""
        seen: set[str] = set()
        waiting: list[tuple[Key, Unit]] = []
        names: set[str] = set()
        near: dict[str, set[str]] = {}  # names that tell enough in their own file
        hop = 0
        while True:
            waiting += [
                ((path, one.owner, one.name), one)
                for path, units in self.units.items()
                if path not in seen
                for one in units
            ]
            seen |= self.units.keys()
            found = [
                (key, one)
                for key, one in waiting
                if one.words & names or one.words & near.get(key[0], set()) or (one.direct and not hop)
            ]
            if not found:
                break
            for key, _ in found:
                self.hops[key] = hop
            if not hop:
                self.constructing = {(path, owner) for (path, owner, name), _ in found if name == "__init__"}
            waiting = [(key, one) for key, one in waiting if key not in self.hops]
            names = {name for _, one in found for name in _names_of(one, self.survey)}
            near = {}
            for (path, _, name), one in found:
                if not one.owner:
                    near.setdefault(path, set()).add(name)
            load(self.survey.holding(names))
            hop += 1

    def hop(self, path: str, owner: str, name: str) -> int:
        """Return how many calls there are between a function and a boundary."""
        return self.hops.get((path, owner, name), 0)

    def chosen(self) -> int:
        """Return how many functions are worth running."""
        return sum(1 for hop in self.hops.values() if hop <= HOPS)

    def files(self) -> set[str]:
        """Return the files in which something is worth running."""
        chosen = {path for (path, _, name), hop in self.hops.items() if hop <= HOPS or name == MAIN}
        return chosen | self.everything | {path for path, _ in self.constructing}

    def wants_main(self, path: str) -> bool:
        """Tell whether what a module does as the program is worth running."""
        return path in self.everything or (path, "", MAIN) in self.hops

    def is_script(self, module: Module) -> bool:
        """Tell whether a module is run as the program, and no other imports it."""
        return self.wants_main(module.path) and module.name.rpartition(".")[2] not in self.imported

    def leads(self, function: Function) -> bool:
        """Tell whether a function may lead to a boundary, through however many calls."""
        owner = function.defining_class.name.rpartition(".")[2] if function.defining_class is not None else ""
        name = function.name.rpartition(".")[2]
        return name == "__init__" or function.is_local or (function.module.path, owner, name) in self.hops

    def is_eager(self, cls: Class) -> bool:
        """Tell whether the constructor of a class leads to a boundary, so that it has to be run in its turn."""
        return any(
            self._is_chosen((one.module.path, one.name.rpartition(".")[2], "__init__"))
            for one in cls.mro
            if isinstance(one, Class)
        )

    def wants(self, path: str, owner: str, name: str) -> bool:
        """Tell whether a function (or method of the class `owner`) is worth running."""
        if path in self.everything or self._is_chosen((path, owner, name)):
            return True
        return bool(owner) and (path, owner) in self.constructing

    def _is_chosen(self, key: Key) -> bool:
        return self.hops.get(key, HOPS + 1) <= HOPS


def _names_of(unit: Unit, survey: Survey) -> set[str]:
    """Return the words by which others call a unit."""
    count = survey.count
    if unit.name == MAIN:
        return set()
    if not unit.owner:
        return {unit.name} if count[unit.name] <= COMMON else set()
    names = {unit.owner} if unit.name in ("__init__", "__call__", "__iter__", "__enter__") else set()
    if not unit.name.startswith("__") and count[unit.name] <= COMMON:
        names.add(unit.name)
    return names


def _definitions(body: Iterable[ast.stmt], owner: str = "") -> Iterator[tuple[str, str, ast.stmt]]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, owner, node
        elif isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, node.name)
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from _definitions(_nested(node), owner)
            if isinstance(node, ast.If) and is_main_guard(node.test):
                yield MAIN, owner, node


def _nested(node: ast.If | ast.Try | ast.With) -> list[ast.stmt]:
    nested = list(node.body)
    if not isinstance(node, ast.With):
        nested += node.orelse
    if isinstance(node, ast.Try):
        for handler in node.handlers:
            nested += handler.body
        nested += node.finalbody
    return nested


def _text_of(node: ast.stmt, lines: list[str]) -> str:
    """Return a definition's text without its doc string and its comments: what is told there is not done."""
    decorators = getattr(node, "decorator_list", [])
    start = min(one.lineno for one in (node, *decorators)) - 1
    taken = lines[start : node.end_lineno]
    first = node.body[0] if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        taken = lines[start : first.lineno - 1] + lines[first.end_lineno or 0 : node.end_lineno]
    return _COMMENT.sub("", "\n".join(taken))


def _imported_words(module: Module) -> Iterator[str]:
    for node in _imports(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if is_boundary_library(alias.name):
                    yield alias.asname or alias.name.partition(".")[0]
        elif node.module and not node.level:
            for alias in node.names:
                if alias.name == "*" and is_boundary_library(node.module):
                    yield from exports.CALLED
                elif is_boundary_library(node.module) or is_boundary_library(f"{node.module}.{alias.name}"):
                    yield alias.asname or alias.name


def _last_names_imported(module: Module) -> Iterator[str]:
    for node in _imports(module.tree):
        yield from (alias.name.rpartition(".")[2] for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.rpartition(".")[2]


def _imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        waiting.extend(getattr(node, "body", ()))
        waiting.extend(getattr(node, "orelse", ()))


def _top_level_words(module: Module) -> set[str]:
    """Return the names that the module's own statements use: a pool that lies in a global is used by any function."""
    words: set[str] = set()
    for node in module.tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            words |= {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
            words |= {one.attr for one in ast.walk(node.value) if isinstance(one, ast.Attribute)}
    return words
