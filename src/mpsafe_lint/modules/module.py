"""A module: its syntax tree, its qualified name, and where its nodes stand."""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mpsafe_lint.files.source import Source, SourceError
from mpsafe_lint.findings import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mpsafe_lint.files.project import Project
    from mpsafe_lint.values.values import Scope


@dataclass(eq=False)
class Module:
    """One parsed file. `path` is as in `Span.path`; `in_project` tells the project's files from a library's. `scope`
    holds its variables, once it was run."""

    name: str
    path: str
    tree: ast.Module
    lines: tuple[str, ...]
    is_package: bool
    in_project: bool
    ascii_only: bool
    scope: Scope | None = field(default=None, repr=False)
    _spans: dict[int, Span] = field(default_factory=dict)
    _starts: list[int] = field(default_factory=list)

    def span(self, node: ast.AST) -> Span:
        """Return where `node` stands. `ast` counts columns in bytes of UTF-8, a span in code points."""
        found = self._spans.get(id(node))
        if found is None:
            line, end_line = node.lineno, node.end_lineno or node.lineno  # type: ignore[attr-defined]
            column = self._column(line, node.col_offset)  # type: ignore[attr-defined]
            end_column = self._column(end_line, node.end_col_offset or 0)  # type: ignore[attr-defined]
            found = self._spans[id(node)] = Span(self.path, line, column, end_line, end_column)
        return found

    def scope_at(self, line: int) -> str:
        """Return the qualified name of the innermost definition that holds a line; "" for the module's own code."""
        names: list[str] = []
        self._starts = self._starts or [node.lineno for node in self.tree.body]
        last = bisect_right(self._starts, line)
        first = bisect_left(self._starts, self._starts[last - 1]) if last else 0
        body: list[ast.stmt] = self.tree.body[max(first - 1, 0) : last]  # what may hold the line, of the module's own
        while True:
            inner = next((node for node in body if node.lineno <= line <= (node.end_lineno or 0)), None)
            if inner is None:
                return ".".join(names)
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and inner.lineno < line:
                names.append(inner.name)
            nested = [getattr(inner, part, []) for part in ("body", "orelse", "finalbody", "handlers", "cases")]
            body = [node for part in nested for node in part if hasattr(node, "lineno")]

    def _column(self, line: int, offset: int) -> int:
        if self.ascii_only or line > len(self.lines):
            return offset
        return len(self.lines[line - 1].encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace"))


def last_name(node: ast.expr) -> str:
    """Return the last part of a name: `exit` of `sys.exit`; "" of what is none."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def parse(source: Source, name: str, *, in_project: bool) -> Module:
    """Parse a module. Warnings about its syntax are not for the user of the analysis.

    Raises SyntaxError (also for source that is too deep or holds a null byte).
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(source.text, source.path)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error) or "too deeply nested") from error
    ascii_only = source.text.isascii()
    lines = () if ascii_only else source.lines
    return Module(name, source.path, tree, lines, source.path.endswith("__init__.py"), in_project, ascii_only)


def head_of(module: Module) -> Module:
    """Return a module with no more of its statements than those that hand on what others have: it is small, where the
    whole tree is large."""
    return replace(module, tree=ast.Module(list(_handing_on(module.tree.body)), []), lines=(), scope=None, _spans={})


def _handing_on(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.ImportFrom) or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)):
            yield node
        elif isinstance(node, (ast.If, ast.Try)):
            handlers = node.handlers if isinstance(node, ast.Try) else []
            yield from _handing_on([*node.body, *node.orelse, *(one for handler in handlers for one in handler.body)])


def errors_in(project: Project, paths: Iterable[str]) -> dict[str, SyntaxError]:
    """Return why files can't be parsed, of those that can be read."""
    found: dict[str, SyntaxError] = {}
    for path in paths:
        try:
            parse(project.source(path), "", in_project=True)
        except SyntaxError as error:
            found[path] = error
        except SourceError:
            continue
    return found
