"""How a loop reads a queue: whether it ever leaves, and on which sentinel."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mpsafe_lint.findings import Span
from mpsafe_lint.habits.syntax import COMPREHENSIONS, FUNCTIONS, LoopNode, Syntax, called_name, own_nodes
from mpsafe_lint.values.values import Value

NEVER, SENTINEL, FLAG, OTHERWISE = "never", "sentinel", "flag", "otherwise"


class Falsy:
    """Stands for the sentinels of a loop that leaves on any item that counts as false."""


FALSY = Falsy()

Sentinel = Value | Falsy


@dataclass(frozen=True, slots=True)
class Reading:
    """How a `get` is repeated. `ends` says whether its loop leaves `never`, on a `sentinel` alone, when a `flag` is set
    of which it knows nothing while it waits, or `otherwise`.

    `loop` is where the loop stands, without its body; `sentinels` the values on which it leaves, `by_identity` where it
    compares them with `is`; `unpacks` says that each item is taken apart at once.
    """

    ends: str
    loop: Span
    sentinels: tuple[Sentinel, ...] = ()
    by_identity: bool = False
    unpacks: bool = False


@dataclass(frozen=True, slots=True)
class _Test:
    """What a condition says of the item: that it is (or is not) one of these."""

    sentinels: tuple[ast.expr | Falsy, ...]
    when_true: bool
    by_identity: bool


@dataclass(slots=True)
class _Shape:
    """One loop with the call that reads in it. `names` hold the item, `controlled` tells how many sentinels came."""

    syntax: Syntax
    loop: LoopNode
    call: ast.expr
    names: frozenset[str]
    controlled: frozenset[str] = frozenset()


def reading_of(syntax: Syntax, call: ast.expr, evaluate: Callable[[ast.expr], Value]) -> Reading | None:
    """Tell how the loop round a call that reads leaves; None where there is no loop in its function."""
    loop = _loop_round(syntax, call)
    if not isinstance(loop, (ast.For, ast.AsyncFor, ast.While)):
        return None if loop is None else Reading(OTHERWISE, syntax.module.span(loop))
    names, unpacks = _names_of_item(syntax, call)
    shape = _Shape(syntax, loop, call, names)
    shape.controlled = frozenset(_controlled(shape))
    tests = list(_ways_out(shape))
    header = syntax.header(loop)
    if _is_interrupted(syntax, loop) or any(test is None for test in tests):
        return Reading(OTHERWISE, header)
    known = [test for test in tests if test is not None]
    if not known:
        asks_flag = isinstance(loop, ast.While) and _is_flag(loop.test)
        return Reading(FLAG if asks_flag else NEVER, header, unpacks=unpacks)
    sentinels = [one if isinstance(one, Falsy) else evaluate(one) for test in known for one in test.sentinels]
    return Reading(SENTINEL, header, tuple(sentinels), any(test.by_identity for test in known), unpacks)


def reading_by_iter(syntax: Syntax, call: ast.expr, sentinel: Value) -> Reading:
    """Tell how `iter(queue.get, sentinel)` is read."""
    parent = syntax.parents.get(call)
    span = syntax.header(parent) if isinstance(parent, (ast.For, ast.AsyncFor)) else syntax.module.span(call)
    leaves = isinstance(parent, (ast.For, ast.AsyncFor)) and any(test is None for test in _exits(syntax, parent, None))
    return Reading(OTHERWISE if leaves else SENTINEL, span, (sentinel,))


def _loop_round(syntax: Syntax, call: ast.expr) -> LoopNode | ast.expr | None:
    """Return the innermost loop each turn of which makes the call."""
    for parent, child in syntax.ancestors(call):
        if isinstance(parent, FUNCTIONS):
            return None
        if isinstance(parent, COMPREHENSIONS) and child is not parent.generators[0]:
            return parent
        if isinstance(parent, (ast.For, ast.AsyncFor)) and child in parent.body:
            return parent
        if isinstance(parent, ast.While) and (child is parent.test or child in parent.body):
            return parent
    return None


def _names_of_item(syntax: Syntax, call: ast.expr) -> tuple[frozenset[str], bool]:
    """Return the names that an item gets, and whether it is taken apart at once."""
    parent = syntax.parents.get(call)
    if isinstance(parent, ast.Await):
        parent = syntax.parents.get(parent)
    if isinstance(parent, ast.NamedExpr):
        return frozenset({parent.target.id}), False
    if isinstance(parent, (ast.Assign, ast.AnnAssign)):
        targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
        names = frozenset(ast.unparse(one) for one in targets if isinstance(one, (ast.Name, ast.Attribute)))
        return names, any(isinstance(one, (ast.Tuple, ast.List)) for one in targets)
    return frozenset(), False


# -- conditions ---------------------------------------------------------------------------------------------------


def _is_item(shape: _Shape, node: ast.expr) -> bool:
    if node is shape.call or (isinstance(node, ast.NamedExpr) and node.value is shape.call):
        return True
    return isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) in shape.names


def _test(shape: _Shape, node: ast.expr) -> _Test | None:
    """Return what a condition says of the item, or None where it says something else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _test(shape, node.operand)
        return None if inner is None else _Test(inner.sentinels, not inner.when_true, inner.by_identity)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _comparison(shape, node)
    return _Test((FALSY,), False, False) if _is_item(shape, node) else None


def _comparison(shape: _Shape, node: ast.Compare) -> _Test | None:
    operation, left, right = node.ops[0], node.left, node.comparators[0]
    if isinstance(operation, (ast.In, ast.NotIn)):
        if _is_item(shape, left) and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
            return _Test(tuple(right.elts), isinstance(operation, ast.In), False)
        return None
    other = right if _is_item(shape, left) else left if _is_item(shape, right) else None
    if other is None or not isinstance(operation, (ast.Is, ast.Eq, ast.IsNot, ast.NotEq)):
        return None
    identity = isinstance(operation, (ast.Is, ast.IsNot))
    return _Test((other,), isinstance(operation, (ast.Is, ast.Eq)), identity)


def _arms(shape: _Shape, node: ast.If) -> tuple[Sequence[ast.stmt], _Test | None]:
    """Return the statements that are run on a sentinel, and the test, where the condition is one."""
    test = _test(shape, node.test)
    if test is None:
        return (), None
    return (node.body if test.when_true else node.orelse), test


def _controlled(shape: _Shape) -> Iterator[str]:
    """Yield the names that change on a sentinel alone: they count those that came, or the workers still at work."""
    everywhere: list[str] = []
    on_sentinel: list[str] = []
    for node in own_nodes(shape.loop):
        everywhere += _changed_by(node)
        if isinstance(node, ast.If):
            arm = _arms(shape, node)[0]
            on_sentinel += [name for one in arm for inner in own_nodes(one) for name in _changed_by(inner)]
        elif isinstance(node, ast.AugAssign) and any(_test(shape, one) for one in _compares(node.value)):
            on_sentinel += _changed_by(node)
    yield from (name for name in on_sentinel if everywhere.count(name) == on_sentinel.count(name))


def _compares(node: ast.expr) -> Iterator[ast.expr]:
    return (one for one in ast.walk(node) if isinstance(one, ast.Compare))


_CHANGERS = frozenset({"add", "append", "discard", "remove", "pop"})


def _changed_by(node: ast.AST) -> list[str]:
    if isinstance(node, ast.AugAssign):
        return [ast.unparse(node.target)]
    if isinstance(node, ast.Assign):
        return [ast.unparse(one) for one in node.targets]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGERS:
        return [ast.unparse(node.func.value)]
    return []


# -- ways out -----------------------------------------------------------------------------------------------------

_ENDS_PROCESS = frozenset({"exit", "_exit", "quit", "abort", "execv", "kill", "killpg"})


def _ways_out(shape: _Shape) -> Iterator[_Test | None]:
    """Yield what each way out of the loop asks of the item; None where it asks something else, or nothing."""
    loop = shape.loop
    if isinstance(loop, ast.While):
        yield from _out_by_test(shape, loop.test)
    elif not _is_endless(loop.iter):
        yield None
    yield from _exits(shape.syntax, loop, shape)


def _out_by_test(shape: _Shape, test: ast.expr) -> Iterator[_Test | None]:
    if (isinstance(test, ast.Constant) and test.value) or _is_flag(test):
        return
    asked = _test(shape, test)
    if asked is not None:
        yield asked if not asked.when_true else None
    elif _mentions(test, shape.controlled):
        yield from _sentinel_tests(shape)
    else:
        yield None


def _is_flag(test: ast.expr) -> bool:
    """Whether a condition is `not event.is_set()`."""
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    return negated and isinstance(test.operand, ast.Call) and called_name(test.operand) == "is_set"  # type: ignore[attr-defined]


def _sentinel_tests(shape: _Shape) -> Iterator[_Test]:
    """Yield every test of the item in the loop."""
    for node in own_nodes(shape.loop):
        test = _test(shape, node) if isinstance(node, ast.Compare) else None
        if isinstance(node, ast.If):
            test = _test(shape, node.test)
        if test is not None:
            yield test


def _mentions(node: ast.expr, names: frozenset[str]) -> bool:
    return any(isinstance(one, (ast.Name, ast.Attribute)) and ast.unparse(one) in names for one in ast.walk(node))


def _is_endless(iterable: ast.expr) -> bool:
    return isinstance(iterable, ast.Call) and called_name(iterable) in ("count", "cycle") and len(iterable.args) < 2


def _exits(syntax: Syntax, loop: LoopNode, shape: _Shape | None) -> Iterator[_Test | None]:
    """Yield what each statement that leaves the loop depends on."""
    for statement in loop.body:
        for node in own_nodes(statement):
            if _leaves(syntax, node, loop):
                yield from _asked_before(syntax, node, loop, shape)


def _leaves(syntax: Syntax, node: ast.AST, loop: LoopNode) -> bool:
    if isinstance(node, ast.Break):
        loops = (ast.For, ast.AsyncFor, ast.While)
        return loop is next(
            one for one, child in syntax.ancestors(node) if isinstance(one, loops) and child in one.body
        )
    if isinstance(node, (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)):
        return True
    return isinstance(node, ast.Call) and called_name(node) in _ENDS_PROCESS


def _asked_before(syntax: Syntax, node: ast.AST, loop: LoopNode, shape: _Shape | None) -> Iterator[_Test | None]:
    """Yield what has to hold of the item for a statement to be reached; None where nothing is asked of it."""
    counted = False
    for parent, child in syntax.ancestors(node):
        if parent is loop or shape is None:
            break
        if isinstance(parent, ast.If) and child is not parent.test:
            arm, test = _arms(shape, parent)
            if test is not None and child in arm:
                yield test
                return
            counted = counted or _mentions(parent.test, shape.controlled)
        elif isinstance(parent, ast.match_case) and (case := _case_test(syntax, shape, parent)) is not None:
            yield case
            return
    if counted and shape is not None:
        yield from _sentinel_tests(shape)
    else:
        yield None


def _case_test(syntax: Syntax, shape: _Shape, case: ast.match_case) -> _Test | None:
    match = syntax.parents[case]
    if not isinstance(match, ast.Match) or not _is_item(shape, match.subject) or case.guard is not None:
        return None
    if isinstance(case.pattern, ast.MatchSingleton):
        return _Test((ast.copy_location(ast.Constant(case.pattern.value), match.subject),), True, False)
    return _Test((case.pattern.value,), True, False) if isinstance(case.pattern, ast.MatchValue) else None


_INTERRUPTIONS = frozenset(
    {
        *("KeyboardInterrupt", "SystemExit", "BaseException", "StopIteration", "EOFError", "OSError", "Empty"),
        *("BrokenPipeError", "ConnectionError", "ConnectionResetError", "ValueError", "TypeError"),
    }
)
"""Exceptions by which a loop is meant to be left: what ends it from outside, and what an odd item raises."""


def _is_interrupted(syntax: Syntax, loop: LoopNode) -> bool:
    """Tell whether the loop lies in a `try` that waits for an exception which ends it."""
    for parent, child in syntax.ancestors(loop):
        if isinstance(parent, ast.Try) and child in parent.body:
            names = {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in _caught(parent)}
            if names & _INTERRUPTIONS:
                return True
    return False


def _caught(node: ast.Try) -> Iterator[ast.AST]:
    for handler in node.handlers:
        if isinstance(handler.type, ast.Tuple):
            yield from handler.type.elts
        elif handler.type is not None:
            yield handler.type
