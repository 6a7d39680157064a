"""Whether an error can come between two points of a function."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mpsafe_lint.habits.syntax import COMPREHENSIONS, FUNCTIONS, LOOPS, Syntax, all_parameters, called_name, own_nodes
from mpsafe_lint.habits.trace import Event, Place

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

FAILING = frozenset(
    """
    int float complex Decimal Fraction UUID strptime fromisoformat literal_eval eval exec loads load parse fromstring
    unpack decode b64decode unhexlify fromhex open read_text read_bytes urlopen urlretrieve connect fetch execute
    check_call check_output import_module unlink rename rmtree next index remove popitem
    """.split()
)
"""Builtins, functions of libraries and methods that are known to fail on odd input, or where the world isn't as it was
expected to be. Of the others it is taken that they do what they are called for."""

DEPTH = 4
"""Calls of functions that are followed, one inside another."""


def may_fail_before(syntax: Syntax, place: Place) -> bool:
    """Tell whether a statement above a call, in its function, may fail, and nothing catches that."""
    node: ast.AST | None = syntax.expressions.get(place.span)
    if node is None:
        return False

    def any_of(statements: Iterable[ast.AST]) -> bool:
        return any(statement_may_fail(syntax, one) for one in statements)

    if any(_may_fail(syntax, one, DEPTH) for one in _arguments_of(node)):
        return True
    for parent, child in syntax.ancestors(node):
        if any_of(one for block in _blocks(parent) for one in _above(block, child)):
            return True
        if isinstance(parent, LOOPS) and child in parent.body and any_of(parent.body):
            return True
        if isinstance(parent, (ast.Try, *LOOPS)) and child in parent.orelse and any_of(parent.body):
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
                between = block[block.index(child) + 1 : block.index(other)]
                return any(statement_may_fail(syntax, one) for one in between)
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


def statement_may_fail(syntax: Syntax, statement: ast.AST, depth: int = DEPTH) -> bool:
    """Tell whether an error is likely to leave a statement."""

    def any_of(statements: Iterable[ast.AST]) -> bool:
        return any(statement_may_fail(syntax, one, depth) for one in statements)

    if isinstance(statement, ast.Try) and any(catches_all(handler) for handler in statement.handlers):
        return any_of([*statement.orelse, *statement.finalbody])
    if isinstance(statement, ast.Try) and len(statement.body) == 1 and any(map(_expects, statement.handlers)):
        handled = [one for handler in statement.handlers for one in handler.body]
        return any_of([*handled, *statement.orelse, *statement.finalbody])
    if isinstance(statement, (*LOOPS, ast.If, ast.With, ast.AsyncWith)):
        head = [getattr(statement, name) for name in ("test", "iter") if hasattr(statement, name)]
        head += [item.context_expr for item in getattr(statement, "items", ())]
        inner = [one for block in _blocks(statement) for one in block]
        return any(_may_fail(syntax, one, depth) for one in head) or any_of(inner)
    return _may_fail(syntax, statement, depth)


def catches_all(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler catches every exception, and the code below it goes on."""
    names = ast.unparse(handler.type) if handler.type is not None else "Exception"
    return "Exception" in names and not _leaves(handler)


def _leaves(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, (ast.Raise, ast.Return)) for one in handler.body for node in own_nodes(one))


_OF_THE_WORK = frozenset(
    {
        *("ArithmeticError", "AttributeError", "FileNotFoundError", "IndexError", "IOError", "KeyError", "LookupError"),
        *("OSError", "RuntimeError", "TypeError", "UnicodeDecodeError", "UnicodeError", "ValueError"),
        *("ZeroDivisionError",),
    }
)


def _expects(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler catches what the work is known to raise, and the code below it goes on."""
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {one.id for one in types if isinstance(one, ast.Name)}
    return bool(names & _OF_THE_WORK) and not _leaves(handler)


def _may_fail(syntax: Syntax, node: ast.AST, depth: int) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    return any(_fails(syntax, one, depth) for one in own_nodes(node))


def _fails(syntax: Syntax, node: ast.AST, depth: int) -> bool:
    """Tell whether a node by itself is likely to raise an error."""
    match node:
        case ast.Raise() | ast.Assert():
            return True
        case ast.Call():
            return _call_may_fail(syntax, node, depth)
        case ast.BinOp(op=ast.Div() | ast.FloorDiv(), right=divisor):
            return not isinstance(divisor, ast.Constant)
        case ast.Subscript(value=ast.Dict() as table) | ast.Subscript(value=ast.Name() as table, ctx=ast.Load()):
            return isinstance(table, ast.Dict) or table.id.isupper()  # a table of what is known
        case ast.Subscript(value=ast.Call() as call, slice=ast.Constant()):
            return called_name(call) in ("split", "rsplit", "findall")
    return False


def _call_may_fail(syntax: Syntax, call: ast.Call, depth: int) -> bool:
    function = _function_of(syntax, call)
    if function is not None:
        return depth > 0 and any(statement_may_fail(syntax, one, depth - 1) for one in function.body)
    if called_name(call) in FAILING:
        return not all(isinstance(one, ast.Constant) for one in call.args) or not call.args
    return isinstance(call.func, ast.Name) and _is_handed_in(syntax, call.func)


def _function_of(syntax: Syntax, call: ast.Call) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the function of the same file that a call runs: by its name, or as a method of the class round it."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    block: list[ast.stmt] = []
    if isinstance(call.func, ast.Name):
        block = syntax.module.tree.body
    elif isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        around = syntax.class_round(call) if call.func.value.id in ("self", "cls") else None
        block = around.body if around is not None else []
    return next((one for one in block if isinstance(one, functions) and one.name == called_name(call)), None)


def _is_handed_in(syntax: Syntax, name: ast.Name) -> bool:
    """Whether what is called is a parameter of the function round it, or comes from a module of the project."""
    for parent, _ in syntax.ancestors(name):
        if isinstance(parent, FUNCTIONS) and any(one.arg == name.id for one in all_parameters(parent.args)):
            return True
    imports = (one for one in syntax.module.tree.body if isinstance(one, ast.ImportFrom))
    return any(
        (alias.asname or alias.name) == name.id and (one.module or "").partition(".")[0] not in sys.stdlib_module_names
        for one in imports
        for alias in one.names
    )
