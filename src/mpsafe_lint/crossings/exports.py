"""Modules of the project that hand boundaries on: `from multiprocessing import Process` in one, imported from there."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from mpsafe_lint.crossings.survey import is_boundary_library
from mpsafe_lint.modules.module import Module

CALLED = frozenset(
    """Process Pool Queue SimpleQueue JoinableQueue Pipe Manager get_context ProcessPoolExecutor InterpreterPoolExecutor
    DataLoader Parallel delayed spawn start_processes""".split()
)
"""Names of boundary libraries that are called at a boundary, or give what is."""

ROUNDS = 3
"""Modules through which one is handed on."""


def exported(modules: Iterable[Module]) -> dict[str, set[str]]:
    """Return the names of boundaries that modules have for others to import, by the last part of the module's name."""
    found: dict[str, set[str]] = defaultdict(set)
    known = list(modules)
    for _ in range(ROUNDS):
        for module in known:
            names = {bound for node in module.tree.body for bound in _bound(node, found)}
            if names:
                found[module.name.rpartition(".")[2]] |= names
    return dict(found)


def _bound(node: ast.stmt, found: dict[str, set[str]]) -> Iterator[str]:
    """Yield the names that a statement gives to boundaries."""
    if isinstance(node, ast.ImportFrom) and node.module:
        is_library = not node.level and is_boundary_library(node.module)
        names = CALLED if is_library else found.get(node.module.rpartition(".")[2], frozenset())
        for alias in node.names:
            if alias.name == "*":
                yield from names
            elif alias.name in names:
                yield alias.asname or alias.name
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        value = node.value
        if isinstance(value, ast.Attribute) and value.attr in CALLED:
            yield node.targets[0].id
    elif isinstance(node, (ast.If, ast.Try)):
        handlers = node.handlers if isinstance(node, ast.Try) else []
        for inner in [*node.body, *node.orelse, *(one for handler in handlers for one in handler.body)]:
            yield from _bound(inner, found)


def imported_from(module: Module, exports: dict[str, set[str]]) -> set[str]:
    """Return the words under which a module may use what others hand on to it."""
    words: set[str] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            own = exports.get((node.module or "").rpartition(".")[2], set())
            words |= {alias.asname or alias.name for alias in node.names if alias.name in own}
            for alias in node.names:
                words |= own if alias.name == "*" else exports.get(alias.name, set())
        elif isinstance(node, ast.Import):
            for alias in node.names:
                words |= exports.get(alias.name.rpartition(".")[2], set())
    return words
