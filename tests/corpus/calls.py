"""Calls that start processes, drawn from the corpus: found by their names alone, and not by the linter."""

from __future__ import annotations

import ast
import random
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
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
    sends: bool = field(compare=False)
    """Whether anything may be sent by it."""


def draw(packages: list[Package], cache: Path, count: int, seed: int, *, sent: bool = False) -> list[Call]:
    """Return some calls, the same for the same seed, sorted; with `sent`, of those by which something may be sent."""
    found = sorted(call for package in packages for call in calls(package, cache) if call.sends or not sent)
    return sorted(random.Random(seed).sample(found, min(count, len(found))))


def calls(package: Package, cache: Path) -> Iterator[Call]:
    """Return the calls in a package's own code: neither in what it carries along of others nor in its tests."""
    for file in package.files(cache):
        path = file.relative_to(cache / package.name)
        text = file.read_bytes()
        foreign = (FOREIGN | TESTS) & set(path.parts) or path.name.startswith("test_")
        if foreign or not any(name.encode() in text for name in CALLED):
            continue
        for node in ast.walk(_parsed(text)):
            if isinstance(node, ast.Call) and (called := _called(node.func)):
                yield Call(package.name, path.as_posix(), node.lineno, called, _sends(node, called))


def _called(function: ast.expr) -> str | None:
    match function:
        case ast.Attribute(value=ast.Name(id=receiver), attr=name) if receiver in OTHERS:
            return None
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in CALLED:
            return name
    return None


def _sends(call: ast.Call, called: str) -> bool:
    """Whether it may: a DataLoader without `num_workers` does not."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    match given.get("num_workers"):
        case ast.Constant(value=0):
            return called != "DataLoader"
        case None:
            return called != "DataLoader" or None in given
    return True


def _parsed(text: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return ast.Module(body=[], type_ignores=[])
