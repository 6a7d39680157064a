"""Calls: what a value gives back when it is called, and what the call does on the way."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from mpsafe_lint.findings import Span
from mpsafe_lint.knowledge import keeps, makers, types
from mpsafe_lint.knowledge.makers.choices import Of
from mpsafe_lint.values import attributes, builtins, classes, iteration, methods
from mpsafe_lint.values.frames import Call, Frame
from mpsafe_lint.values.journal import Changes
from mpsafe_lint.values.values import (
    ANY,
    GIVEN_BY,
    NONE,
    UNKNOWN,
    Arguments,
    Bound,
    Class,
    Constant,
    Container,
    External,
    Function,
    Instance,
    Namespace,
    Opaque,
    Partial,
    Scope,
    Value,
    is_unknown,
    one_of,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine

CALL_DEPTH = 14
"""Calls within calls after which a result is unknown."""

LIBRARY_DEPTH = 8
"""The same for calls that have led into a library."""

SIDE_STEPS = 1_000
"""Steps for a call of what leads to no boundary: it matters for what it gives and changes."""

RECURSION = 2
"""How often one function may be on the stack of calls."""


def call(machine: Machine, function: Value, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Call one alternative of a value."""
    if isinstance(function, Function):
        return call_function(machine, function, arguments, span, frame)
    if isinstance(function, Class):
        result = classes.instantiate(machine, function, arguments, span, frame)
        machine.notify(Call(function.qualified_name, None, arguments, span, frame, result, function))
        return result
    if isinstance(function, Bound):
        return _call_bound(machine, function, arguments, span, frame)
    if isinstance(function, Partial):
        return machine.call(function.function, merged(function.arguments, arguments), span, frame)
    if isinstance(function, External):
        return _call_external(machine, function.name, arguments, span, frame)
    if isinstance(function, Instance):
        return _call_instance(machine, function, arguments, span, frame)
    if isinstance(function, Opaque):
        return _call_opaque(machine, function, arguments, span, frame)
    machine.program.unknown_calls += 1
    machine.notify(Call("", function, arguments, span, frame, UNKNOWN))
    return UNKNOWN


def _call_opaque(machine: Machine, function: Opaque, arguments: Arguments, span: Span, frame: Frame) -> Value:
    if function.type == "joblib.delayed" and function.arguments.positional:
        return Partial(function.arguments.positional[0], arguments, span)
    if function.type.startswith("decorator:") and arguments.positional:
        return classes.known_decorator(machine, function, arguments.positional[0], frame, span) or UNKNOWN
    type_name = makers.method_of(function.type, "__call__", constants_of(arguments))
    result = UNKNOWN if type_name is None else Opaque(type_name, span)
    machine.notify(Call(f"{function.base_type}.__call__", function, arguments, span, frame, result))
    return result


def merged(first: Arguments, second: Arguments) -> Arguments:
    """Return the arguments that a partial's function gets."""
    return Arguments(
        first.positional + (() if first.others else second.positional),
        first.keywords | second.keywords,
        first.others or second.others,
        first.other_keywords or second.other_keywords,
    )


def _call_bound(machine: Machine, bound: Bound, arguments: Arguments, span: Span, frame: Frame) -> Value:
    if isinstance(bound.function, External):
        return _call_external_method(machine, bound, bound.function.name, arguments, span, frame)
    return machine.call(bound.function, arguments.after(bound.self), span, frame)


def _call_instance(machine: Machine, instance: Instance, arguments: Arguments, span: Span, frame: Frame) -> Value:
    method = attributes.find_in_class(instance.cls, "__call__")
    if method is None:
        return UNKNOWN
    return machine.call(attributes.bind_method(instance, method, "__call__"), arguments, span, frame)


# -- what libraries give ------------------------------------------------------------------------------------------


def _call_external(machine: Machine, name: str, arguments: Arguments, span: Span, frame: Frame) -> Value:
    canonical = makers.canonical(name)
    handler = builtins.HANDLERS.get(canonical)
    result = handler(machine, arguments, span, frame) if handler is not None else made(canonical, arguments, span)
    machine.notify(Call(canonical, None, arguments, span, frame, result))
    return result


def made(canonical: str, arguments: Arguments, span: Span) -> Value:
    """Return what a library's function or class gives, as the tables have it."""
    type_name = makers.result_of(canonical, constants_of(arguments))
    if type_name is not None:
        return Opaque(type_name, span, arguments, constructed=type_name.partition("[")[0] == canonical)
    if looks_like_class(canonical):
        return Opaque(canonical, span, arguments, constructed=True)
    return UNKNOWN


def constants_of(arguments: Arguments) -> dict[int | str, object] | None:
    """Return the arguments as the tables take them: by position or name, constants and types of library objects."""
    if arguments.others or arguments.other_keywords:
        return None
    given: dict[int | str, Value] = dict(enumerate(arguments.positional))
    given.update(arguments.keywords)
    return {key: _as_given(one) for key, one in given.items()}


def _as_given(value: Value) -> object:
    if isinstance(value, Constant):
        return value.value
    return Of(value.type) if isinstance(value, Opaque) else types.UNKNOWN


def looks_like_class(name: str) -> bool:
    """Tell whether a library's name is that of a class, by its spelling."""
    last = name.rpartition(".")[2].lstrip("_")
    return last[:1].isupper() and not last.isupper()


def _call_external_method(
    machine: Machine, bound: Bound, name: str, arguments: Arguments, span: Span, frame: Frame
) -> Value:
    receiver, method = bound.self, bound.name
    result: Value | None = None
    if isinstance(receiver, (Container, Constant)):
        result = methods.call(machine, receiver, method, arguments, span, frame)
    elif isinstance(receiver, Namespace):
        result = methods.on_namespace(machine, receiver, method, arguments, span, frame)
    elif is_unknown(receiver):
        result = _assumed_view(method, arguments, span)
    elif isinstance(receiver, Opaque):
        handler = builtins.METHODS.get(f"{receiver.base_type}.{method}")
        result = None if handler is None else handler(machine, receiver, arguments, span, frame)
    elif isinstance(receiver, (Instance, Class)):
        result = classes.external_method(machine, receiver, name, arguments, span, frame)
    if result is None:
        result = _known_result(machine, receiver, name, arguments, span)
    if isinstance(receiver, Opaque):
        methods.on_opaque(machine, receiver, method, arguments, span, frame)
    machine.notify(Call(makers.canonical(name), receiver, arguments, span, frame, result))
    if isinstance(receiver, Opaque):
        iteration.become(machine, receiver, method, span, keeps.BECOMES_AFTER)
    return result


def _known_result(machine: Machine, receiver: Value, name: str, arguments: Arguments, span: Span) -> Value:
    """Return what a library's method gives, as the tables have it. It remembers which object gave it."""
    owner, _, method = name.rpartition(".")
    owner = makers.canonical(receiver.type if isinstance(receiver, Opaque) else owner)
    type_name = makers.method_of(owner, method, constants_of(arguments)) or makers.result_of(f"{owner}.{method}")
    if type_name is not None:
        result = Opaque(type_name, span, arguments)
        machine.write(result, GIVEN_BY, receiver)
        return result
    if isinstance(receiver, Opaque) and method in attributes.VIEW_METHODS:
        return _assumed_view(method, arguments, span)
    return UNKNOWN


def _assumed_view(method: str, arguments: Arguments, span: Span) -> Value:
    if method in attributes.VIEW_METHODS and not arguments.positional and not arguments.keywords:
        return Opaque(f"dict_{method}", span, assumed=True)
    return UNKNOWN


# -- functions of the program -------------------------------------------------------------------------------------


def call_function(machine: Machine, function: Function, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Run a function for these arguments; return what it gives back. A generator function gives a generator, and an
    async one a coroutine: their bodies are run all the same."""
    machine.called.add(id(function))
    node = function.node
    if not _may_run(function, frame):
        machine.limits_reached += 1
        machine.notify(Call("", function, arguments, span, frame, UNKNOWN))
        return UNKNOWN
    receiver = function.get(classes.RECEIVER)
    arguments = arguments if receiver is None else arguments.after(receiver)
    scope = Scope(function.module, function.scope, f"{function.name}.<locals>.")
    mark = machine.journal.mark()
    first = bind_parameters(machine, function, arguments, scope, span)
    inner = Frame(
        function.module,
        scope,
        frame.depth + 1,
        function,
        first,
        function.defining_class,
        frame,
        span,
        mark,
    )
    with machine.budget(machine.limit if machine.worker_depth or machine.leads(function) else SIDE_STEPS):
        result = _run_body(machine, node, inner)
    machine.journal.keep(mark)
    machine.notify(Call(function.qualified_name, first, arguments, span, frame, result, function))
    return result


def _may_run(function: Function, frame: Frame) -> bool:
    limit = CALL_DEPTH if function.module.in_project else LIBRARY_DEPTH
    if frame.depth >= limit:
        return False
    return (
        sum(1 for one in frame.stack() if one.function is not None and one.function.node is function.node) < RECURSION
    )


def _run_body(machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, inner: Frame) -> Value:
    if isinstance(node, ast.Lambda):
        result = machine.evaluate(node.body, inner)
        return _generator(machine, inner, inner.call_span) if inner.yields else result
    alive = machine.execute(node.body, inner)
    result = returned(machine, inner, alive)
    if inner.yields or _is_generator(node):
        return _generator(machine, inner, inner.call_span)
    if isinstance(node, ast.AsyncFunctionDef):
        coroutine = Opaque("coroutine", inner.call_span or inner.module.span(node))
        machine.write(coroutine, "result", result)
        return coroutine
    return result


def returned(machine: Machine, inner: Frame, alive: bool) -> Value:
    """Join the states and the values of all ways out of a function."""
    exits = inner.returns
    if exits:
        ends = [changes for _, changes, _ in exits]
        if alive:
            ends.append(machine.journal.changes(inner.mark))
        _restore(machine, inner, ends)
    at_end = UNKNOWN if machine.steps >= machine.limit else NONE  # with its steps spent, it did not get there
    values = [value for value, _, _ in exits] + ([at_end] if alive else [])
    return one_of(values) if values else UNKNOWN


def _restore(machine: Machine, inner: Frame, ends: list[Changes]) -> None:
    machine.journal.undo(inner.mark)
    machine.journal.mark()
    machine.journal.join(ends)


@lru_cache(maxsize=10_000)
def _is_generator(node: ast.AST) -> bool:
    """Tell whether a function's own body, not one nested in it, holds a yield."""
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        one = waiting.pop()
        if isinstance(one, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(one))
    return False


def _generator(machine: Machine, inner: Frame, span: Span | None) -> Value:
    asynchronous = isinstance(inner.function.node, ast.AsyncFunctionDef) if inner.function else False
    site = span or inner.module.span(inner.module.tree.body[0])
    generator = Opaque("async_generator" if asynchronous else "generator", site)
    machine.write(generator, ANY, one_of(inner.yields))
    return generator


def bind_parameters(
    machine: Machine, function: Function, arguments: Arguments, scope: Scope, span: Span
) -> Value | None:
    """Give the parameters their values; return the first one's. What is not given and has no default is unknown."""
    parameters = function.node.args
    named = [*parameters.posonlyargs, *parameters.args]
    offset = len(named) - len(function.defaults)
    first: Value | None = None
    for i, parameter in enumerate(named):
        default = function.defaults[i - offset] if i >= offset else None
        name = None if i < len(parameters.posonlyargs) else parameter.arg
        value = _argument(arguments, i, name, default)
        machine.write(scope, parameter.arg, value, function.module.span(parameter))
        first = value if i == 0 else first
    for parameter, default in zip(parameters.kwonlyargs, function.keyword_defaults, strict=True):
        value = _argument(arguments, None, parameter.arg, default)
        machine.write(scope, parameter.arg, value, function.module.span(parameter))
    if parameters.vararg is not None:
        rest = Container("tuple", span, open_=arguments.others)
        iteration.fill(machine, rest, arguments.positional[len(named) :])
        machine.write(scope, parameters.vararg.arg, rest)
        if not named and arguments.positional:
            first = arguments.positional[0]
    if parameters.kwarg is not None:
        taken = {parameter.arg for parameter in (*parameters.args, *parameters.kwonlyargs)}
        keywords = Container("dict", span, open_=arguments.other_keywords)
        for key, value in arguments.keywords.items():
            if key not in taken:
                machine.write(keywords, ("k", key), value)
        machine.write(scope, parameters.kwarg.arg, keywords)
    return first


def _argument(arguments: Arguments, position: int | None, name: str | None, default: Value | None) -> Value:
    given = arguments.get(position, name)
    if given is None:
        return UNKNOWN if default is None else default
    if is_unknown(given) and default is not None and not arguments.gives(position, name):
        return one_of((default, UNKNOWN))
    return given
