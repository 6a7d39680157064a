"""A file as the repairs see it: its text, what its names stand for (`ast`), and its layout (`libcst`)."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import Source
from mpsafe_lint.findings import Edit, Span
from mpsafe_lint.modules.module import Module, parse
from mpsafe_lint.repairs.edits import Patch, Places
from mpsafe_lint.repairs.scopes import Scopes

_CELL = re.compile(r"#\s*(?:%%|In\s*\[|<\w*cell>|COMMAND -|[+-]\s*(?:$|\{))")
_BLANK = re.compile(r"[ \t\f]*")
_STRING_STARTS = {tokenize.STRING, *(getattr(tokenize, f"{kind}STRING_START", -1) for kind in "FT")}
_STRING_ENDS = {tokenize.STRING, *(getattr(tokenize, f"{kind}STRING_END", -1) for kind in "FT")}


Bounds = tuple[int, int]


class Declined(Exception):  # noqa: N818  (an answer, no error)
    """Raised inside a repair that can't be made: the reason in a few words, and what a person can do."""

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice


class Tree:
    """One file, parsed. Offsets are indices into its text.

    Raises SyntaxError where it can't be parsed.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.path = source.path
        self.text = source.text
        self.places = Places(source.text)
        self.module: Module = parse(source, "", in_project=True)
        self.ast = self.module.tree

    # --- text

    @property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        return self.places.starts

    def begin(self, number: int) -> int:
        """Return the offset at which text is put in front of a line: at the file's start, behind its form feeds."""
        start = self.starts[number - 1]
        while number == 1 and self.text[start : start + 1] == "\f":
            start += 1
        return start

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset."""
        return self.places.place(offset)

    def bounds(self, node: ast.AST) -> tuple[int, int]:
        """Return the offsets between which a node stands."""
        span = self.module.span(node)
        return self.places.bounds(span)

    def code(self, node: ast.AST) -> str:
        """Return the source of a node."""
        start, end = self.bounds(node)
        return self.text[start:end]

    def line(self, number: int) -> str:
        """Return a line without its end; empty past the last."""
        return self.source.lines[number - 1].rstrip("\r\n") if 0 < number <= len(self.source.lines) else ""

    def is_blank(self, number: int) -> bool:
        """Whether a line exists and holds nothing but white space."""
        return 0 < number <= len(self.source.lines) and not self.line(number).strip()

    def indentation(self, number: int) -> str:
        """Return the white space at the beginning of a line."""
        match = _BLANK.match(self.line(number))
        return match[0] if match else ""

    def edits(self, patches: Iterable[Patch]) -> tuple[Edit, ...]:
        """Turn patches into edits; insertions at one place become one, in the order in which they were given."""
        merged: list[Patch] = []
        for patch in sorted(patches, key=lambda patch: (patch.start, patch.end)):
            last = merged[-1] if merged else None
            if last and last.start == last.end == patch.start:
                merged[-1] = Patch(patch.start, patch.end, last.text + patch.text)
            else:
                merged.append(patch)
        return tuple(Edit(self.places.span(self.path, patch.start, patch.end), patch.text) for patch in merged)

    # --- meaning

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of every node."""
        return {child: node for node in ast.walk(self.ast) for child in ast.iter_child_nodes(node)}

    @cached_property
    def scopes(self) -> Scopes:
        """The scopes of the module."""
        return Scopes(self.ast)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nodes round a node, the nearest first."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def statement(self, node: ast.AST) -> ast.stmt:
        """Return the innermost statement that holds a node."""
        return next(n for n in (node, *self.ancestors(node)) if isinstance(n, ast.stmt))

    def top_statement(self, node: ast.AST) -> ast.stmt:
        """Return the statement of the module's own body that holds a node."""
        last = [n for n in (node, *self.ancestors(node)) if isinstance(n, ast.stmt)]
        return last[-1]

    def find(self, span: Span, *types: type[ast.AST]) -> ast.AST | None:
        """Return the outermost node of one of `types` that begins where `span` does; rather one that ends there, too.

        Brackets round an expression belong to the span of some tools and not to that of others: both are found.
        """
        start, end = self.places.bounds(span)
        found: list[tuple[bool, int, ast.AST]] = []
        for node in ast.walk(self.ast):
            if isinstance(node, types) and abs(getattr(node, "lineno", -9) - span.line) <= 1:
                own = self.bounds(node)
                begins = own[0] == start or (start < own[0] and not self.text[start : own[0]].strip("( \t\r\n\f"))
                if begins and (own[1] <= end or own[0] == start):
                    found.append((own[1] == end, own[1] - own[0], node))
        return max(found, key=lambda item: item[:2])[2] if found else None

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the text: names, and those in strings and comments."""
        return frozenset(re.findall(r"\w+", self.text))

    # --- layout

    @cached_property
    def layout(self) -> Layout:
        """The file as libcst sees it. Raises Declined where libcst can't parse it."""
        return Layout(self)

    @property
    def newline(self) -> str:
        """What a line ends with in this file."""
        return self.source.newline

    @cached_property
    def indent(self) -> str:
        """One step of indentation in this file: that of its first block."""
        for node in ast.walk(self.ast):
            body = getattr(node, "body", None)
            if isinstance(node, ast.stmt) and isinstance(body, list) and body[0].lineno > node.lineno:
                return self.indentation(body[0].lineno)[len(self.indentation(node.lineno)) :] or "    "
        return "    "

    @cached_property
    def string_lines(self) -> frozenset[int]:
        """The lines that begin inside a string."""
        lines = iter([self.line(number) + "\n" for number in range(1, len(self.source.lines) + 1)])
        found: set[int] = set()
        begun: list[int] = []
        for token in tokenize.generate_tokens(lambda: next(lines)):
            if token.type in _STRING_STARTS:
                begun.append(token.start[0])
            if token.type in _STRING_ENDS:
                found.update(range(begun.pop() + 1, token.end[0] + 1))
        return frozenset(found)

    @cached_property
    def gap(self) -> int:
        """How many blank lines the file leaves between definitions at module level; two where there is no telling."""
        gaps: list[int] = [
            self.blank_above(self.first_line(node))
            for previous, node in pairwise(self.ast.body)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and isinstance(previous, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        ]
        return max(1, max(gaps, key=lambda gap: (gaps.count(gap), gap), default=2))

    def blank_above(self, number: int) -> int:
        """Return how many blank lines stand directly above a line."""
        count = 0
        while self.is_blank(number - 1 - count):
            count += 1
        return count

    def first_line(self, node: ast.stmt) -> int:
        """Return the line on which a statement begins, its decorators and the comments directly above it included.

        A comment that opens the file is the file's, and one that begins a cell of a notebook is the cell's.
        """
        decorators = getattr(node, "decorator_list", [])
        line: int = min([node.lineno, *(d.lineno for d in decorators)])
        first = line
        while first > 1 and self.indentation(first - 1) == self.indentation(line) and self._is_comment(first - 1):
            if self.begins_cell(first - 1):
                return first
            first -= 1
        return line if first == 1 else first

    def begins_cell(self, number: int) -> bool:
        """Whether a line marks the beginning (or end) of a cell, in a notebook that was exported as a script."""
        return bool(_CELL.match(self.line(number)))

    def comment_behind(self, node: ast.stmt) -> Bounds | None:
        """Return the bounds of the comment behind a statement, the blanks in front of it included; None without one."""
        _, end = self.bounds(node)
        number, column = self.place(end)
        rest = self.line(number)[column:]
        return (end, end + len(rest)) if rest.lstrip().startswith("#") else None

    def _is_comment(self, number: int) -> bool:
        return self.line(number).lstrip(" \t\f").startswith("#")

    def last_line(self, node: ast.stmt) -> int:
        """Return the line on which a statement ends, with comments below it that are indented as its body is."""
        last = node.end_lineno or node.lineno
        body = getattr(node, "body", None)
        if not body or body[-1].lineno == node.lineno:
            return last
        depth = len(self.indentation(body[0].lineno))
        number, end = last + 1, last
        while number <= len(self.source.lines):
            text = self.line(number)
            if text.strip() and not (text.lstrip()[:1] == "#" and len(self.indentation(number)) >= depth):
                break
            end = number if text.strip() else end
            number += 1
        return end

    def alone(self, node: ast.stmt) -> bool:
        """Whether a statement shares its lines with no other."""
        parent = self.parents[node]
        for name in ("body", "orelse", "finalbody", "handlers"):
            for other in getattr(parent, name, []) if isinstance(getattr(parent, name, []), list) else []:
                lines = range(other.lineno, (other.end_lineno or other.lineno) + 1)
                if other is not node and (node.lineno in lines or node.end_lineno in lines):
                    return False
        return isinstance(parent, ast.Module) or parent.lineno != node.lineno  # type: ignore[attr-defined]


@lru_cache(maxsize=512)
def _parsed(source: Source) -> Tree:
    return Tree(source)


def tree_of(project: Project, path: str) -> Tree:
    """Return a file of the project, parsed; kept for as long as its text stays. Raises SourceError, SyntaxError."""
    return _parsed(project.source(path))


class Layout:
    """The file as libcst sees it, with the brackets and the white space that `ast` doesn't know."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        try:
            self.module = cst.parse_module(tree.text)
            wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
            self._positions: dict[cst.CSTNode, CodeRange] = dict(wrapper.resolve(PositionProvider))
        except (cst.ParserSyntaxError, RecursionError, ValueError) as error:
            raise Declined("libcst cannot read this file", "change it by hand") from error
        mine = re.split(r"\r\n|\r|\n", self.module.code)
        theirs = [tree.line(number) for number in range(1, len(tree.source.lines) + 1)]
        # libcst drops a form feed that stands directly before the first token of a line
        self._shift = [len(text) - len(code) for text, code in zip(theirs, mine, strict=False)]
        self._found: dict[Bounds, cst.BaseExpression] = {}
        expressions = [node for node in self._positions if isinstance(node, cst.BaseExpression)]
        for bounds in (self.bounds, self.outer):
            for node in expressions:
                self._found.setdefault(bounds(node), node)

    def _offset(self, line: int, column: int) -> int:
        shift = self._shift[line - 1] if line <= len(self._shift) else 0
        return self.tree.places.offset(line, column + shift)

    def bounds(self, node: cst.CSTNode) -> Bounds:
        """Return the offsets between which a node stands, without the brackets round it."""
        place = self._positions[node]
        return self._offset(place.start.line, place.start.column), self._offset(place.end.line, place.end.column)

    def outer(self, node: cst.BaseExpression) -> Bounds:
        """Return the offsets between which an expression stands, with the brackets round it."""
        start, end = self.bounds(node)
        if isinstance(node.lpar, (list, tuple)) and node.lpar:
            start, end = self.bounds(node.lpar[0])[0], self.bounds(node.rpar[-1])[1]
        return start, end

    def expression(self, node: ast.expr) -> cst.BaseExpression:
        """Return libcst's node for an expression of `ast`."""
        found = self._found.get(self.tree.bounds(node))
        if found is None:
            raise Declined("its layout cannot be read", "change it by hand")
        return found

    def brackets(self, node: ast.expr) -> Bounds:
        """Return the bounds of an expression of `ast`, with the brackets round it."""
        return self.outer(self.expression(node))
