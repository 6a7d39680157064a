"""Calls that start processes, drawn from the corpus: found by their names alone, and not by the linter."""

from __future__ import annotations

import ast
import random
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus.packages import Package

CALLED = frozenset({"DataLoader", "Pool", "ProcessPoolExecutor", "Process"})
OTHERS = frozenset({"psutil"})
"""Receivers whose `Process` starts none."""

FOREIGN = frozenset({"_vendor", "vendor", "vendored", "externals", "third_party", "thirdparty", "thirdparty_files"})
TESTS = frozenset({"test", "tests", "testing", "_testing", "test_utils"})


@dataclass(frozen=True, order=True)
class Call:
    """A call of the corpus, by its place."""

    package: str
    path: str
    line: int
    called: str


def draw(packages: list[Package], cache: Path, count: int, seed: int) -> list[Call]:
    """Return some calls, the same for the same seed, sorted."""
    found = sorted(call for package in packages for call in calls(package, cache))
    return sorted(random.Random(seed).sample(found, min(count, len(found))))


def calls(package: Package, cache: Path) -> Iterator[Call]:
    """Return the calls in a package's own code: neither in what it carries along of others nor in its tests."""
    for file in package.files(cache):
        path = file.relative_to(cache / package.name)
        if (FOREIGN | TESTS) & set(path.parts) or path.name.startswith("test_"):
            continue
        for node in ast.walk(_parsed(file)):
            if isinstance(node, ast.Call) and (called := _called(node.func)):
                yield Call(package.name, path.as_posix(), node.lineno, called)


def _called(function: ast.expr) -> str | None:
    match function:
        case ast.Attribute(value=ast.Name(id=receiver), attr=name) if receiver in OTHERS:
            return None
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in CALLED:
            return name
    return None


def _parsed(file: Path) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(file.read_bytes())
        except (SyntaxError, ValueError, RecursionError):
            return ast.Module(body=[], type_ignores=[])
