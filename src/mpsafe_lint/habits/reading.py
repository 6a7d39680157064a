"""How a loop reads a queue: whether it ever leaves, and on which sentinel."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from mpsafe_lint.findings import Span
from mpsafe_lint.habits.syntax import COMPREHENSIONS, FUNCTIONS, LOOPS, LoopNode, Syntax, called_name, own_nodes
from mpsafe_lint.values.values import UNKNOWN, Bound, Function, Partial, Value

NEVER, SENTINEL, FLAG, OTHERWISE = "never", "sentinel", "flag", "otherwise"


class Falsy:
    """Stands for the sentinels of a loop that leaves on any item that counts as false."""


FALSY = Falsy()

WHOLE = None
"""The part of an item that is the whole item."""

Part = int | str | None


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A value on which a loop leaves: that of the item, or of a part of it. `how` it is recognised: it `is` the value,
    equals it (`==`), or is an `instance` of it."""

    value: Value | Falsy
    part: Part = WHOLE
    how: str = "=="


@dataclass(frozen=True, slots=True)
class Reading:
    """How a `get` is repeated. `ends` says whether its loop leaves `never`, on a `sentinel` alone, when a `flag` is set
    of which it knows nothing while it waits, or `otherwise`.

    `loop` is where the loop stands, without its body; `sentinels` the values on which it leaves. `unpacks` says that
    each item is taken apart at once, `yields` that each is handed to whoever iterates the generator that reads.
    """

    ends: str
    loop: Span
    sentinels: tuple[Sentinel, ...] = ()
    unpacks: bool = False
    yields: bool = False


@dataclass(frozen=True, slots=True)
class _Test:
    """What a condition says of the item: that it, or a part of it, is (or is not) one of these."""

    sentinels: tuple[ast.expr | Falsy, ...]
    when_true: bool
    part: Part
    how: str = "=="


@dataclass(slots=True)
class _Shape:
    """One loop with the call that reads in it. `names` hold the item or parts of it, `controlled` tells how many
    sentinels came."""

    syntax: Syntax
    loop: LoopNode
    call: ast.expr
    names: dict[str, Part]
    controlled: frozenset[str] = frozenset()


def reading_of(syntax: Syntax, call: ast.expr, evaluate: Callable[[ast.expr], Value]) -> Reading | None:
    """Tell how the loop round a call that reads leaves; None where there is no loop in its function."""
    loop = _loop_round(syntax, call)
    if not isinstance(loop, LOOPS):
        return None if loop is None else Reading(OTHERWISE, syntax.module.span(loop))
    shape = _Shape(syntax, loop, call, {})
    unpacks = _name_item(shape)
    shape.controlled = frozenset(_controlled(shape))
    tests = list(_ways_out(shape))
    header = syntax.header(loop)
    if _is_interrupted(syntax, loop) or any(test is None for test in tests) or _calls_way_out(shape, evaluate):
        return Reading(OTHERWISE, header)
    yields = any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own_nodes(loop))
    known = [test for test in tests if test is not None]
    if not known:
        asks_flag = isinstance(loop, ast.While) and _is_flag(loop.test)
        return Reading(FLAG if asks_flag else NEVER, header, unpacks=unpacks, yields=yields)
    sentinels = tuple(
        Sentinel(one if isinstance(one, Falsy) else evaluate(one), test.part, test.how)
        for test in known
        for one in test.sentinels
    )
    return Reading(SENTINEL, header, sentinels, unpacks, yields)


def reading_by_iter(syntax: Syntax, call: ast.expr, sentinel: Value) -> Reading:
    """Tell how `iter(queue.get, sentinel)` is read."""
    parent = syntax.parents.get(call)
    span = syntax.header(parent) if isinstance(parent, (ast.For, ast.AsyncFor)) else syntax.module.span(call)
    leaves = isinstance(parent, (ast.For, ast.AsyncFor)) and not reads_all(syntax, call)
    return Reading(OTHERWISE if leaves else SENTINEL, span, (Sentinel(sentinel),))


def reads_all(syntax: Syntax, iterable: ast.expr) -> bool:
    """Tell whether what iterates over an expression goes on to its end."""
    parent = syntax.parents.get(iterable)
    if isinstance(parent, (ast.For, ast.AsyncFor)):
        return parent.iter is iterable and not any(True for _ in _exits(syntax, parent, None))
    return isinstance(parent, ast.comprehension) or (isinstance(parent, ast.Call) and called_name(parent) in _READ_ALL)


_READ_ALL = frozenset({"list", "tuple", "set", "sorted", "sum", "max", "min", "dict", "deque", "Counter", "join"})


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


def _name_item(shape: _Shape) -> bool:
    """Note the names that an item and its parts get in the loop; tell whether it is taken apart at once."""
    parent = shape.syntax.parents.get(shape.call)
    if isinstance(parent, ast.Await):
        parent = shape.syntax.parents.get(parent)
    if isinstance(parent, ast.NamedExpr):
        shape.names[parent.target.id] = WHOLE
    unpacks = False
    if isinstance(parent, (ast.Assign, ast.AnnAssign)):
        for target in parent.targets if isinstance(parent, ast.Assign) else [parent.target]:
            _name_target(shape, target)
            unpacks = unpacks or isinstance(target, (ast.Tuple, ast.List))
    for node in own_nodes(shape.loop):
        if isinstance(node, ast.Assign) and node is not parent:
            _name_again(shape, node)
    return unpacks


def _name_again(shape: _Shape, node: ast.Assign) -> None:
    """Note what else gets the item or a part of it; a name that gets something else tells nothing of the item."""
    part = _reference(shape, node.value)
    for target in node.targets:
        if part == (WHOLE,):
            _name_target(shape, target)
        elif part is not None and isinstance(target, ast.Name):
            shape.names[target.id] = part[0]
        else:
            shape.names.pop(ast.unparse(target), None)


def _name_target(shape: _Shape, target: ast.expr) -> None:
    if isinstance(target, (ast.Name, ast.Attribute)):
        shape.names[ast.unparse(target)] = WHOLE
    elif isinstance(target, (ast.Tuple, ast.List)):
        for position, element in enumerate(target.elts):
            if isinstance(element, ast.Starred):
                return
            if isinstance(element, (ast.Name, ast.Attribute)):
                shape.names[ast.unparse(element)] = position


# -- conditions ---------------------------------------------------------------------------------------------------


def _reference(shape: _Shape, node: ast.expr) -> tuple[Part] | None:
    """Return which part of the item an expression gives; None where it gives none."""
    if node is shape.call or (isinstance(node, ast.NamedExpr) and node.value is shape.call):
        return (WHOLE,)
    if isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) in shape.names:
        return (shape.names[ast.unparse(node)],)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        key = node.slice.value
        return (key,) if isinstance(key, (int, str)) and _reference(shape, node.value) == (WHOLE,) else None
    return None


def _test(shape: _Shape, node: ast.expr) -> _Test | None:
    """Return what a condition says of the item, or None where it says something else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _test(shape, node.operand)
        return None if inner is None else replace(inner, when_true=not inner.when_true)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _comparison(shape, node)
    if isinstance(node, ast.Call) and called_name(node) == "isinstance" and len(node.args) == 2:
        part = _reference(shape, node.args[0])
        classes = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        return None if part is None else _Test(tuple(classes), True, part[0], "instance")
    part = _reference(shape, node)
    return None if part is None else _Test((FALSY,), False, part[0])


def _comparison(shape: _Shape, node: ast.Compare) -> _Test | None:
    operation, left, right = node.ops[0], node.left, node.comparators[0]
    part = _reference(shape, left)
    if isinstance(operation, (ast.In, ast.NotIn)):
        if part is not None and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
            return _Test(tuple(right.elts), isinstance(operation, ast.In), part[0])
        return None
    other = right
    if part is None:
        part, other = _reference(shape, right), left
    if part is None or not isinstance(operation, (ast.Is, ast.Eq, ast.IsNot, ast.NotEq)):
        return None
    how = "is" if isinstance(operation, (ast.Is, ast.IsNot)) else "=="
    return _Test((other,), isinstance(operation, (ast.Is, ast.Eq)), part[0], how)


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
        return loop is next(
            one for one, child in syntax.ancestors(node) if isinstance(one, LOOPS) and child in one.body
        )
    if isinstance(node, ast.Raise):
        return not _passes_on(syntax, node, loop)
    if isinstance(node, ast.Return):
        return True
    return isinstance(node, ast.Call) and called_name(node) in _ENDS_PROCESS


def _passes_on(syntax: Syntax, node: ast.Raise, loop: LoopNode) -> bool:
    """Whether an error in the work on an item is only told and raised again, which is no way to end the loop."""
    if node.exc is not None:
        return False
    handler: ast.AST | None = None
    for parent, child in syntax.ancestors(node):
        if parent is loop:
            return False
        if isinstance(parent, ast.Try) and child is handler:
            return not any(
                isinstance(one, ast.Call) and _may_read(one) for part in parent.body for one in ast.walk(part)
            )
        if isinstance(parent, ast.ExceptHandler):
            broad = parent.type is None or ast.unparse(parent.type) == "Exception"
            handler = parent if broad else None
    return False


def _may_read(call: ast.Call) -> bool:
    return called_name(call) in ("get", "get_nowait", "recv", "next")


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
    part = _reference(shape, match.subject) if isinstance(match, ast.Match) else None
    if part is None or case.guard is not None:
        return None
    if isinstance(case.pattern, ast.MatchSingleton):
        return _Test((ast.copy_location(ast.Constant(case.pattern.value), case.pattern),), True, part[0])
    return _Test((case.pattern.value,), True, part[0]) if isinstance(case.pattern, ast.MatchValue) else None


def _is_interrupted(syntax: Syntax, loop: LoopNode) -> bool:
    """Tell whether the loop lies in a `try`, or a `suppress`, that waits for an exception which ends it. One that
    catches all is there for errors."""
    for parent, child in syntax.ancestors(loop):
        if isinstance(parent, ast.Try) and child in parent.body:
            names = {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in _caught(parent)}
            if names - {"Exception"}:
                return True
        if isinstance(parent, (ast.With, ast.AsyncWith)) and child in parent.body:
            managers = [item.context_expr for item in parent.items]
            if any(isinstance(one, ast.Call) and called_name(one) == "suppress" for one in managers):
                return True
    return False


def _calls_way_out(shape: _Shape, evaluate: Callable[[ast.expr], Value]) -> bool:
    """Tell whether the loop calls what may end the process: a function that does, or one that isn't known."""
    return any(
        isinstance(node, ast.Call) and node is not shape.call and _may_end(node.func, evaluate)
        for node in own_nodes(shape.loop)
    )


def _may_end(function: ast.expr, evaluate: Callable[[ast.expr], Value]) -> bool:
    if not isinstance(function, (ast.Name, ast.Attribute)):
        return True  # a table's item, or what a call gives
    value = evaluate(function)
    while isinstance(value, (Bound, Partial)):
        value = value.function
    if isinstance(value, Function):
        return any(ends_process(node) for node in ast.walk(value.node))
    return value is UNKNOWN and isinstance(function, ast.Name)


def ends_process(node: ast.AST) -> bool:
    """Tell whether a node ends the process in which it is reached."""
    if isinstance(node, ast.Raise):
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return isinstance(raised, ast.Name) and raised.id in ("SystemExit", "KeyboardInterrupt")
    return isinstance(node, ast.Call) and called_name(node) in _ENDS_PROCESS


def _caught(node: ast.Try) -> Iterator[ast.AST]:
    for handler in node.handlers:
        if isinstance(handler.type, ast.Tuple):
            yield from handler.type.elts
        elif handler.type is not None:
            yield handler.type
