"""Whether an error can come between two points of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mpsafe_lint.habits.syntax import COMPREHENSIONS, LOOPS, Syntax, called_name, own_nodes
from mpsafe_lint.habits.trace import Event, Place

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

SAFE_CALLS = frozenset(
    {
        *("put", "put_nowait", "get", "get_nowait", "task_done", "is_set", "set", "close", "join", "start", "Process"),
        *(
            "iter",
            "Queue",
            "print",
            "len",
            "range",
            "isinstance",
            "append",
            "enumerate",
            "zip",
            "list",
            "dict",
            "tuple",
        ),
        *("time", "sleep", "info", "debug", "warning", "getpid", "current_process"),
    }
)
"""Calls that are not taken for ones that fail: they handle queues and processes, or tell what is done."""


def may_fail_before(syntax: Syntax, place: Place) -> bool:
    """Tell whether a statement above a call, in its function, may fail, and nothing catches that."""
    node: ast.AST | None = syntax.expressions.get(place.span)
    if node is None:
        return False
    if any(_may_fail(one) for one in _arguments_of(node)):
        return True
    for parent, child in syntax.ancestors(node):
        if any(statement_may_fail(one) for block in _blocks(parent) for one in _above(block, child)):
            return True
        if isinstance(parent, LOOPS) and child in parent.body and any(map(statement_may_fail, parent.body)):
            return True
        after_body = isinstance(parent, (ast.Try, *LOOPS)) and child in parent.orelse
        if after_body and any(map(statement_may_fail, parent.body)):  # type: ignore[attr-defined]
            return True
    return False


def is_repeated(syntax: Syntax, place: Place) -> bool:
    """Tell whether a call is made in each turn of a loop, and not only on the way out of it."""
    node: ast.AST | None = syntax.expressions.get(place.span)
    if node is None:
        return True
    leaves = 0
    for parent, child in syntax.ancestors(node):
        if isinstance(parent, COMPREHENSIONS):
            return True
        last = next((block[-1] for block in _blocks(parent) if child in block), None)
        if isinstance(last, ast.Return):
            return False
        leaves += isinstance(last, ast.Break)
        if isinstance(parent, LOOPS) and child in parent.body:
            if not leaves:
                return True
            leaves -= 1
    return False


def may_fail_between(habits: Habits, first: Event, last: Event) -> bool:
    """Tell whether a statement may fail between two calls: in the function from which both are reached, or on the way
    from there to the last."""
    frames = {id(place.frame): place for place in first.path}
    common = next((i for i, place in enumerate(last.path) if id(place.frame) in frames), None)
    if common is None:
        return False
    there = last.path[common]
    if any(may_fail_before(habits.syntax(place.frame.module), place) for place in last.path[:common]):
        return True
    here = frames[id(there.frame)]
    syntax = habits.syntax(there.frame.module)
    start, end = syntax.expressions.get(here.span), syntax.expressions.get(there.span)
    if start is None or end is None:
        return False
    around = {id(node) for node, _ in syntax.ancestors(end)}
    for parent, child in syntax.ancestors(start):
        if id(parent) not in around:
            continue
        for block in _blocks(parent):
            if child in block:
                other = next((one for one in block if one is end or id(one) in around), None)
                if other is None or other is child:
                    return False
                return any(statement_may_fail(one) for one in block[block.index(child) + 1 : block.index(other)])
    return False


def _above(block: list[ast.AST], node: ast.AST) -> list[ast.AST]:
    return block[: block.index(node)] if node in block else []


def _arguments_of(node: ast.AST) -> list[ast.expr]:
    return [*node.args, *(one.value for one in node.keywords)] if isinstance(node, ast.Call) else []


def _blocks(node: ast.AST) -> Iterator[list[ast.AST]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def statement_may_fail(statement: ast.AST) -> bool:
    """Tell whether an error may leave a statement."""
    if isinstance(statement, ast.Try) and any(catches_all(handler) for handler in statement.handlers):
        return any(statement_may_fail(one) for one in (*statement.orelse, *statement.finalbody))
    if isinstance(statement, (*LOOPS, ast.If, ast.With, ast.AsyncWith)):
        head = [getattr(statement, name) for name in ("test", "iter") if hasattr(statement, name)]
        head += [item.context_expr for item in getattr(statement, "items", ())]
        inner = [one for block in _blocks(statement) for one in block]
        return any(map(_may_fail, head)) or any(map(statement_may_fail, inner))
    return _may_fail(statement)


def catches_all(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler catches every exception, and the code below it goes on."""
    names = ast.unparse(handler.type) if handler.type is not None else "Exception"
    leaves = any(isinstance(node, (ast.Raise, ast.Return)) for one in handler.body for node in own_nodes(one))
    return "Exception" in names and not leaves


def _may_fail(node: ast.AST) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    return any(
        (isinstance(one, ast.Call) and called_name(one) not in SAFE_CALLS) or isinstance(one, (ast.Raise, ast.Assert))
        for one in own_nodes(node)
    )
