"""What each expression may be."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from mpsafe_lint.findings import Span
from mpsafe_lint.values import attributes, iteration
from mpsafe_lint.values.frames import Frame, Guard
from mpsafe_lint.values.truth import compare, truth
from mpsafe_lint.values.values import (
    ANY,
    NONE,
    UNKNOWN,
    Arguments,
    Class,
    Constant,
    Container,
    External,
    Function,
    FunctionNode,
    Instance,
    Opaque,
    Scope,
    Value,
    alternatives,
    one_of,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine

Handler = Callable[["Machine", ast.expr, Frame], Value]
HANDLERS: dict[type[ast.expr], Handler] = {}


def _handles(*types: type[ast.expr]) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    def register(handler: Callable[..., Value]) -> Callable[..., Value]:
        HANDLERS.update(dict.fromkeys(types, handler))
        return handler

    return register


# -- names and literals -------------------------------------------------------------------------------------------


@_handles(ast.Constant)
def _constant(machine: Machine, node: ast.Constant, frame: Frame) -> Value:
    return Constant(node.value)


@_handles(ast.Name)
def _name(machine: Machine, node: ast.Name, frame: Frame) -> Value:
    return lookup(machine, node.id, frame.scope)


def lookup(machine: Machine, name: str, scope: Scope) -> Value:
    """Return what a name stands for: local, enclosing, global, built in."""
    current: Scope | None = scope
    while current is not None:
        if current is scope or not current.is_class:
            value = current.get(name)
            if value is not None:
                return machine.resolve(value)
        if current.parent is None:
            return _global(machine, name, current)
        current = current.parent
    return UNKNOWN


def _global(machine: Machine, name: str, scope: Scope) -> Value:
    for module in reversed(scope.stars):
        value = machine.module_member(module, name)
        if value is not None and value is not UNKNOWN:
            return machine.resolve(value)
    if name == "__name__":
        return Constant(scope.module.name)
    if name == "__file__":
        return Opaque("str", Span(scope.module.path, 1, 0, 1, 0))
    if name in BUILTINS:
        return External(f"builtins.{name}")
    if len(scope.stars) == 1 and scope.stars[0].path is None:
        return External(f"{scope.stars[0].name}.{name}")
    return UNKNOWN


BUILTINS = frozenset(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)


def mangled(name: str, frame: Frame) -> str:
    """Return an attribute's name as it is stored: a private one has its class's name before it."""
    if not name.startswith("__") or name.endswith("__") or frame.defining_class is None:
        return name
    return f"_{frame.defining_class.name.rpartition('.')[2].lstrip('_')}{name}"


@_handles(ast.NamedExpr)
def _named(machine: Machine, node: ast.NamedExpr, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame)
    machine.write(frame.owner().scope, node.target.id, value, frame.module.span(node.value))
    return value


@_handles(ast.JoinedStr)
def _joined_string(machine: Machine, node: ast.JoinedStr, frame: Frame) -> Value:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            machine.evaluate(part.value, frame)
    return Opaque("str", frame.module.span(node))


# -- containers ---------------------------------------------------------------------------------------------------


@_handles(ast.List, ast.Tuple, ast.Set)
def _sequence(machine: Machine, node: ast.List | ast.Tuple | ast.Set, frame: Frame) -> Value:
    container = Container(type(node).__name__.lower(), frame.module.span(node))
    for element in node.elts:
        place = frame.module.span(element)
        if isinstance(element, ast.Starred):
            items = machine.evaluate(element.value, frame)
            iteration.announce(machine, items, place, frame)
            iteration.extend(machine, container, items, place)
        else:
            iteration.append(machine, container, machine.evaluate(element, frame), place)
    return container


@_handles(ast.Dict)
def _dict(machine: Machine, node: ast.Dict, frame: Frame) -> Value:
    container = Container("dict", frame.module.span(node))
    for key, value in zip(node.keys, node.values, strict=True):
        item = machine.evaluate(value, frame)
        if key is None:
            iteration.update(machine, container, item, frame.module.span(value))
        else:
            iteration.put_item(machine, container, machine.evaluate(key, frame), item, frame.module.span(value))
    return container


@_handles(ast.ListComp, ast.SetComp)
def _comprehension(machine: Machine, node: ast.ListComp | ast.SetComp, frame: Frame) -> Value:
    container = Container("list" if isinstance(node, ast.ListComp) else "set", frame.module.span(node))
    _run_generators(
        machine,
        node.generators,
        frame,
        lambda inner: machine.add(container, ANY, machine.evaluate(node.elt, inner), inner.module.span(node.elt)),
        f"{container.type}comp",
        node.elt,
        *node.generators[0].ifs,
    )
    return container


@_handles(ast.DictComp)
def _dict_comprehension(machine: Machine, node: ast.DictComp, frame: Frame) -> Value:
    container = Container("dict", frame.module.span(node))

    def put(inner: Frame) -> None:
        key = machine.evaluate(node.key, inner)
        value = machine.evaluate(node.value, inner)
        if isinstance(key, Constant):
            iteration.put_item(machine, container, key, value, inner.module.span(node.value))
        else:  # the key changes from turn to turn
            machine.add(container, ANY, value, inner.module.span(node.value))
            iteration.add_key(machine, container, key, inner.module.span(node.key))

    _run_generators(
        machine, node.generators, frame, put, "dictcomp", node.key, node.value, *node.generators[0].ifs
    )
    return container


@_handles(ast.GeneratorExp)
def _generator(machine: Machine, node: ast.GeneratorExp, frame: Frame) -> Value:
    generator = Opaque("generator", frame.module.span(node))
    _run_generators(
        machine,
        node.generators,
        frame,
        lambda inner: machine.add(generator, ANY, machine.evaluate(node.elt, inner)),
        "genexpr",
        node.elt,
        *node.generators[0].ifs,
    )
    return generator


def _run_generators(
    machine: Machine,
    generators: Sequence[ast.comprehension],
    frame: Frame,
    action: Callable[[Frame], None],
    name: str,
    *parts: ast.expr,
) -> None:
    """Run a comprehension's body once, for any item; for each, where it calls nothing of note in its `parts` and the
    items are few. Its variables are its own; walrus targets are the function's."""
    from mpsafe_lint.values.refinement import refine
    from mpsafe_lint.values.statements import assign

    inner = frame.nested(Scope(frame.module, frame.scope, f"{frame.scope.qualifier}<{name}>."))
    first: Value | None = machine.evaluate(generators[0].iter, frame)
    if len(generators) == 1:
        items = iteration.exact_items(first) if first is not None else None
        if items is not None and (machine.exact or (len(items) <= iteration.FEW and not iteration.calls(*parts))):
            for item in items:
                assign(machine, generators[0].target, item, inner)
                if all(truth(machine.evaluate(condition, inner)) is not False for condition in generators[0].ifs):
                    action(inner)
            return
    for generator in generators:
        iterable = machine.evaluate(generator.iter, inner) if first is None else first
        first = None
        span = frame.module.span(generator.iter)
        iteration.announce(machine, iterable, span, inner)
        assign(machine, generator.target, iteration.item_of(machine, iterable, inner, span), inner)
        for condition in generator.ifs:
            if truth(machine.evaluate(condition, inner)) is False:
                return
            refine(machine, condition, True, inner)
        times = None if generator.ifs else iteration.length(iterable)
        inner.guards = (*inner.guards, Guard("loop", frame.module.span(generator.target), times))
    action(inner)


@_handles(ast.Subscript)
def _subscript(machine: Machine, node: ast.Subscript, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame)
    if isinstance(node.slice, ast.Slice):
        return _slice(machine, value, node, frame)
    return iteration.item_at(machine, value, machine.evaluate(node.slice, frame), frame, frame.module.span(node))


def _slice(machine: Machine, value: Value, node: ast.Subscript, frame: Frame) -> Value:
    bounds = _bounds(machine, node.slice, frame)

    def cut(one: Value) -> Value:
        if isinstance(one, Container) and one.type in iteration.SEQUENCES:
            part = Container(one.type, frame.module.span(node), open_=one.open)
            items = iteration.exact_items(one)
            if items is not None and bounds is not None:
                iteration.fill(machine, part, items[bounds])
            else:
                for item in list(one.values()):
                    machine.add(part, ANY, item)
            return part
        if isinstance(one, Opaque) and one.type in _SLICED:
            return one
        if isinstance(one, Constant) and isinstance(one.value, (str, bytes)) and bounds is not None:
            return Constant(one.value[bounds])
        return UNKNOWN

    return machine.for_each(value, cut)


_SLICED = frozenset(
    "str bytes bytearray memoryview range array.array numpy.ndarray torch.Tensor pandas.DataFrame pandas.Series".split()
)
"""Types whose slices are of the same type."""


def _bounds(machine: Machine, node: ast.expr, frame: Frame) -> slice | None:
    """Return a slice whose bounds are known, else None."""
    assert isinstance(node, ast.Slice)
    parts = [NONE if part is None else machine.evaluate(part, frame) for part in (node.lower, node.upper, node.step)]
    known = [part.value for part in parts if isinstance(part, Constant) and isinstance(part.value, (int, type(None)))]
    return slice(*known) if len(known) == 3 and known[2] != 0 else None


# -- functions and calls ------------------------------------------------------------------------------------------


@_handles(ast.Lambda)
def _lambda(machine: Machine, node: ast.Lambda, frame: Frame) -> Value:
    return make_function(machine, node, "<lambda>", frame)


def make_function(machine: Machine, node: FunctionNode, name: str, frame: Frame) -> Function:
    """Return the function that a `def` or a lambda makes, its defaults evaluated."""
    defaults = [machine.evaluate(default, frame) for default in node.args.defaults]
    keyword_defaults = [None if one is None else machine.evaluate(one, frame) for one in node.args.kw_defaults]
    function = Function(
        node,
        frame.module,
        frame.scope,
        qualified(name, frame.scope),
        frame.module.span(node),
        defaults,
        keyword_defaults,
        frame.defining_class,
    )
    if function.is_local:
        machine.local_functions.append(function)
    return function


def qualified(name: str, scope: Scope) -> str:
    """Return the `__qualname__` of what is defined as `name` in `scope`."""
    return name if name in scope.globals else f"{scope.qualifier}{name}"


@_handles(ast.Attribute)
def _attribute(machine: Machine, node: ast.Attribute, frame: Frame) -> Value:
    owner = machine.evaluate(node.value, frame)
    return machine.attribute(owner, mangled(node.attr, frame), frame.module.span(node), frame)


@_handles(ast.Call)
def _call(machine: Machine, node: ast.Call, frame: Frame) -> Value:
    function = machine.evaluate(node.func, frame)
    arguments = _arguments(machine, node, frame)
    return machine.call(function, arguments, frame.module.span(node), frame)


def _arguments(machine: Machine, node: ast.Call, frame: Frame) -> Arguments:
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    others = other_keywords = False
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            items = _spread_items(machine, argument, frame)
            if items is None:
                others = True
            else:
                positional += items
        elif others:
            machine.evaluate(argument, frame)
        else:
            positional.append(machine.evaluate(argument, frame))
    for keyword in node.keywords:
        value = machine.evaluate(keyword.value, frame)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        else:
            if _spread(value, keywords):
                other_keywords = True
                machine.handed_out.append(value)
    return Arguments(tuple(positional), keywords, others, other_keywords)


def _spread_items(machine: Machine, node: ast.Starred, frame: Frame) -> list[Value] | None:
    """Return the items of `*iterable`, where all are known."""
    iterable = machine.evaluate(node.value, frame)
    iteration.announce(machine, iterable, frame.module.span(node.value), frame)
    items = iteration.exact_items(iterable)
    if items is None:
        machine.handed_out.append(iterable)
    return items


def _spread(mapping: Value, keywords: dict[str, Value]) -> bool:
    """Put the items of a `**mapping` among the keywords; return whether it may hold others."""
    others = False
    for one in alternatives(mapping):
        if not isinstance(one, Container):
            others = True
            continue
        others |= one.length() is None
        for key, slot in one.items():
            if isinstance(key, tuple) and isinstance(key[1], str):
                keywords.setdefault(key[1], slot.value)
    return others


@_handles(ast.Await)
def _await(machine: Machine, node: ast.Await, frame: Frame) -> Value:
    return machine.for_each(machine.evaluate(node.value, frame), awaited)


def awaited(value: Value) -> Value:
    """Return what awaiting gives: a coroutine of the program's own has been run when it was called."""
    if isinstance(value, Opaque):
        return value.get("result") or UNKNOWN
    return UNKNOWN


@_handles(ast.Yield)
def _yield(machine: Machine, node: ast.Yield, frame: Frame) -> Value:
    frame.owner().yields.append(NONE if node.value is None else machine.evaluate(node.value, frame))
    return UNKNOWN


@_handles(ast.YieldFrom)
def _yield_from(machine: Machine, node: ast.YieldFrom, frame: Frame) -> Value:
    iterable = machine.evaluate(node.value, frame)
    iteration.announce(machine, iterable, frame.module.span(node.value), frame)
    frame.owner().yields.append(iteration.item_of(machine, iterable, frame, frame.module.span(node)))
    return UNKNOWN


# -- operators ----------------------------------------------------------------------------------------------------


@_handles(ast.IfExp)
def _conditional(machine: Machine, node: ast.IfExp, frame: Frame) -> Value:
    decided = truth(machine.evaluate(node.test, frame))
    if decided is not None:
        return machine.evaluate(node.body if decided else node.orelse, frame)
    return one_of((machine.evaluate(node.body, frame), machine.evaluate(node.orelse, frame)))


@_handles(ast.BoolOp)
def _boolean(machine: Machine, node: ast.BoolOp, frame: Frame) -> Value:
    """`or` gives the first that is true, `and` the first that is false, else the last."""
    decisive = isinstance(node.op, ast.Or)
    results: list[Value] = []
    for part in node.values[:-1]:
        value = machine.evaluate(part, frame)
        kept = [one for one in alternatives(value) if truth(one) is not (not decisive)]
        results += kept
        if truth(value) is decisive:
            return one_of(results)
    results.append(machine.evaluate(node.values[-1], frame))
    return one_of(results)


@_handles(ast.UnaryOp)
def _unary(machine: Machine, node: ast.UnaryOp, frame: Frame) -> Value:
    value = machine.evaluate(node.operand, frame)
    if isinstance(node.op, ast.Not):
        decided = truth(value)
        return UNKNOWN_BOOL if decided is None else Constant(not decided)
    if isinstance(node.op, ast.USub) and isinstance(value, Constant) and isinstance(value.value, (int, float)):
        return Constant(-value.value)
    return UNKNOWN


UNKNOWN_BOOL = Opaque("bool", Span("", 1, 0, 1, 0))


@_handles(ast.Compare)
def _compare(machine: Machine, node: ast.Compare, frame: Frame) -> Value:
    left = machine.evaluate(node.left, frame)
    results: list[bool | None] = []
    for operation, comparator in zip(node.ops, node.comparators, strict=True):
        right = machine.evaluate(comparator, frame)
        outcomes = {compare(operation, one, other) for one in alternatives(left) for other in alternatives(right)}
        results.append(outcomes.pop() if len(outcomes) == 1 else None)
        left = right
    if False in results:
        return Constant(False)
    return UNKNOWN_BOOL if None in results else Constant(True)


@_handles(ast.BinOp)
def _binary(machine: Machine, node: ast.BinOp, frame: Frame) -> Value:
    left = machine.evaluate(node.left, frame)
    right = machine.evaluate(node.right, frame)
    return binary(machine, node.op, left, right, frame.module.span(node), frame)


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def binary(
    machine: Machine, operation: ast.operator, left: Value, right: Value, span: Span, frame: Frame
) -> Value:
    """Return what an arithmetic operator gives."""
    overloaded = _overloaded(machine, operation, left, right, span, frame)
    if overloaded is not None:
        return overloaded
    if isinstance(left, Constant) and isinstance(right, Constant):
        return _arithmetic(operation, left, right)
    if isinstance(operation, ast.BitOr) and isinstance(left, (External, Class)):
        return left  # a union of types
    if isinstance(left, Container) and left.type in iteration.SEQUENCES:
        if isinstance(operation, ast.Add) and isinstance(right, Container):
            joined = iteration.copy(machine, left, left.type, span)
            iteration.extend(machine, joined, right, span)
            return joined
        if isinstance(operation, ast.Mult):
            return _repeated(machine, left, right, span)
    if isinstance(left, Container) and isinstance(right, Container) and isinstance(operation, ast.BitOr):
        merged = iteration.copy(machine, left, left.type, span)
        iteration.update(machine, merged, right, span)
        return merged
    if isinstance(left, Opaque) and left.type in ("dict_keys", "dict_items"):
        return _combined(machine, left, right, span)
    if isinstance(left, Constant) and isinstance(left.value, str) and isinstance(operation, (ast.Add, ast.Mod)):
        return Opaque("str", span)
    if isinstance(left, Opaque) and left.type in ("str", "int", "float", "bool", "pathlib.Path"):
        return left
    machine.handed_out += [left, right]
    return UNKNOWN


def _overloaded(
    machine: Machine, operation: ast.operator, left: Value, right: Value, span: Span, frame: Frame
) -> Value | None:
    """Call the operator's method of the left side's own class; of flags each combination is one of their class."""
    if not isinstance(left, Instance):
        return None
    method = attributes.find_in_class(left.cls, _METHODS.get(type(operation), ""))
    if method is not None:
        return machine.call(method, Arguments((left, right)), span, frame)
    if left.cls.form == "enum" and isinstance(right, Instance):
        flag = Instance(left.cls, span, Arguments())
        machine.write(flag, "value", Opaque("int", span))
        return flag
    return None


_METHODS: dict[type[ast.operator], str] = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.FloorDiv: "__floordiv__",
    ast.Mod: "__mod__",
    ast.BitOr: "__or__",
    ast.BitAnd: "__and__",
    ast.RShift: "__rshift__",
    ast.LShift: "__lshift__",
    ast.MatMult: "__matmul__",
}


def _combined(machine: Machine, view: Opaque, other: Value, span: Span) -> Value:
    """Return the set that an operator makes of a view of a dict and something else."""
    result = Container("set", span)
    for one in (view, other):
        machine.add(result, ANY, iteration.item_of(machine, one, None))
    return result


def _arithmetic(operation: ast.operator, left: Constant, right: Constant) -> Value:
    small = all(isinstance(one.value, (int, float)) and abs(one.value) < 1e9 for one in (left, right))
    texts = isinstance(operation, ast.Add) and all(isinstance(one.value, str) for one in (left, right))
    if (small or texts) and type(operation) in _ARITHMETIC:
        try:
            return Constant(_ARITHMETIC[type(operation)](left.value, right.value))
        except (TypeError, ValueError, ArithmeticError):
            return UNKNOWN
    return UNKNOWN


def _repeated(machine: Machine, container: Container, times: Value, span: Span) -> Value:
    items = iteration.exact_items(container)
    count = times.value if isinstance(times, Constant) and isinstance(times.value, int) else None
    result = Container(container.type, span, open_=container.open)
    if items is not None and count is not None and len(items) * count <= iteration.LONGEST:
        iteration.fill(machine, result, items * count)
    else:
        for item in list(container.values()):
            machine.add(result, ANY, item)
    return result
