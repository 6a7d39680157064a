"""What stands round a node: its parents, the loop and the function that it lies in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from mpsafe_lint.findings import Span
from mpsafe_lint.modules.module import Module, last_name

LoopNode = ast.For | ast.AsyncFor | ast.While
LOOPS = (ast.For, ast.AsyncFor, ast.While)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(eq=False, slots=True)
class Syntax:
    """One module's tree, with the parent of every node and its expressions by their spans."""

    module: Module
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    expressions: dict[Span, ast.expr] = field(default_factory=dict)

    @classmethod
    def of(cls, module: Module) -> Syntax:
        syntax = cls(module)
        waiting: list[ast.AST] = [module.tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.expr):
                syntax.expressions.setdefault(module.span(node), node)
            for child in ast.iter_child_nodes(node):
                syntax.parents[child] = node
                waiting.append(child)
        return syntax

    def ancestors(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """Yield each node round `node` up to its function, innermost first, with the child by which it leads there."""
        child = node
        while (parent := self.parents.get(child)) is not None:
            yield parent, child
            if isinstance(parent, (*FUNCTIONS, ast.ClassDef)):
                return
            child = parent

    def class_round(self, node: ast.AST) -> ast.ClassDef | None:
        """Return the innermost class that a node lies in."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.ClassDef):
            current = self.parents.get(current)
        return current

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """Return the statement that a node is or lies in."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = self.parents.get(current)
        return current

    def header(self, node: ast.stmt) -> Span:
        """Return where a statement stands; of a compound one only its first line or lines, above the body."""
        span = self.module.span(node)
        last: ast.AST | None = None
        if isinstance(node, (ast.While, ast.If)):
            last = node.test
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            last = node.iter
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            last = node.items[-1].optional_vars or node.items[-1].context_expr
        elif isinstance(node, ast.Try):
            return Span(span.path, span.line, span.column, span.line, span.column + len("try"))
        if last is None:
            return span
        end = self.module.span(last)
        return Span(span.path, span.line, span.column, end.end_line, end.end_column)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and what lies in it, in order, but for what functions and classes in it hold."""
    yield node
    if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        for child in ast.iter_child_nodes(node):
            yield from own_nodes(child)


def all_parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Return the parameters of a function, but for `*` and `**`."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def called_name(node: ast.Call) -> str:
    """Return the last part of the name that is called: `exit` for `sys.exit()`."""
    return last_name(node.func)
