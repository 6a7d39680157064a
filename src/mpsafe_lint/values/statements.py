"""What each statement does to the state. A handler returns whether the statement after it can be reached."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from mpsafe_lint.knowledge import makers
from mpsafe_lint.modules.module import Module, last_name
from mpsafe_lint.values import attributes, classes, expressions, iteration
from mpsafe_lint.values.frames import Frame, Guard, Loop, builtin_exception
from mpsafe_lint.values.journal import Changes
from mpsafe_lint.values.refinement import refine
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
    Imported,
    Instance,
    ModuleValue,
    Namespace,
    OneOf,
    Opaque,
    Scope,
    Value,
    alternatives,
    one_of,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine

Handler = Callable[["Machine", ast.stmt, "Frame"], bool]
HANDLERS: dict[type[ast.stmt], Handler] = {}


def _handles(*types: type[ast.stmt]) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    def register(handler: Callable[..., bool]) -> Callable[..., bool]:
        HANDLERS.update(dict.fromkeys(types, handler))
        return handler

    return register


# -- imports ------------------------------------------------------------------------------------------------------


@_handles(ast.Import)
def _import(machine: Machine, node: ast.Import, frame: Frame) -> bool:
    for alias in node.names:
        name = alias.name if alias.asname else alias.name.partition(".")[0]
        module = machine.program.find(name, frame.module)
        bind(machine, frame, alias.asname or name, module)
    return True


@_handles(ast.ImportFrom)
def _import_from(machine: Machine, node: ast.ImportFrom, frame: Frame) -> bool:
    name = _absolute_name(frame, node)
    if name is None:
        return True
    module = machine.program.find(name, frame.module)
    for alias in node.names:
        if alias.name == "*":
            frame.scope.stars.append(module)
        else:
            bind(machine, frame, alias.asname or alias.name, Imported(module, alias.name))
    return True


def _absolute_name(frame: Frame, node: ast.ImportFrom) -> str | None:
    if not node.level:
        return node.module
    package = frame.module.name.split(".")
    drop = node.level - 1 if frame.module.is_package else node.level
    if drop > len(package):
        return None
    base = package[: len(package) - drop]
    return ".".join([*base, node.module] if node.module else base) or None


IMPORT_HOPS = 20
"""Re-exports that are followed from one name to the next."""


def resolve_import(machine: Machine, value: Value) -> Value:
    """Follow `from … import` to what it stands for."""
    if isinstance(value, OneOf):
        if not any(isinstance(one, Imported) for one in value.values):
            return value
        return one_of([resolve_import(machine, one) for one in alternatives(value)])
    for _ in range(IMPORT_HOPS):
        if not isinstance(value, Imported):
            return value
        member = machine.module_member(value.module, value.name)
        if member is None:
            submodule = _submodule(machine, value)
            return submodule or External(f"{value.module.name}.{value.name}")
        value = member
    return UNKNOWN


def _submodule(machine: Machine, value: Imported) -> ModuleValue | None:
    """`from package import module`: also where the package is a namespace package, or a library known by name."""
    full_name = f"{value.module.name}.{value.name}"
    return machine.program.find_submodule(full_name, value.module.path or value.module.importer)


# -- names --------------------------------------------------------------------------------------------------------


def bind(machine: Machine, frame: Frame, name: str, value: Value, node: ast.AST | None = None) -> None:
    """Give a variable of the frame's scope a value."""
    place = frame.module.span(node) if node is not None else None
    machine.write(_owner(frame.scope, name), name, value, place)


def _owner(scope: Scope, name: str) -> Scope:
    """Return the scope that an assignment to `name` writes to."""
    if name in scope.globals:
        while scope.parent is not None:
            scope = scope.parent
    elif name in scope.nonlocals:
        outer = scope.parent
        while outer is not None and name not in outer.slots:
            outer = outer.parent
        return outer or scope
    return scope


@_handles(ast.Global)
def _global(machine: Machine, node: ast.Global, frame: Frame) -> bool:
    frame.scope.globals |= set(node.names)
    return True


@_handles(ast.Nonlocal)
def _nonlocal(machine: Machine, node: ast.Nonlocal, frame: Frame) -> bool:
    frame.scope.nonlocals |= set(node.names)
    return True


# -- assignment ---------------------------------------------------------------------------------------------------


@_handles(ast.Assign)
def _assign(machine: Machine, node: ast.Assign, frame: Frame) -> bool:
    value = machine.evaluate(node.value, frame)
    for target in node.targets:
        assign(machine, target, value, frame, node.value)
    return True


@_handles(ast.AnnAssign)
def _annotated_assign(machine: Machine, node: ast.AnnAssign, frame: Frame) -> bool:
    if node.value is not None:
        assign(machine, node.target, machine.evaluate(node.value, frame), frame, node.value)
    return True


@_handles(ast.AugAssign)
def _augmented_assign(machine: Machine, node: ast.AugAssign, frame: Frame) -> bool:
    load = ast.copy_location(_as_load(node.target), node.target)
    before = machine.evaluate(load, frame)
    value = machine.evaluate(node.value, frame)
    if isinstance(node.op, ast.Add) and isinstance(before, Container) and before.type == "list":
        iteration.extend(machine, before, value, frame.module.span(node))
        return True
    result = expressions.binary(machine, node.op, before, value, frame.module.span(node), frame)
    assign(machine, node.target, result, frame, node.value)
    return True


def _as_load(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    assert isinstance(target, ast.Subscript)
    return ast.Subscript(target.value, target.slice, ast.Load())


def assign(machine: Machine, target: ast.expr, value: Value, frame: Frame, source: ast.expr | None = None) -> None:
    """Assign a value to a target of any form. `source` is the expression it comes from, for the place."""
    place = frame.module.span(source if source is not None else target)
    if isinstance(target, ast.Name):
        machine.write(_owner(frame.scope, target.id), target.id, value, place)
    elif isinstance(target, ast.Attribute):
        owner = machine.evaluate(target.value, frame)
        attributes.put(machine, owner, expressions.mangled(target.attr, frame), value, place, frame)
    elif isinstance(target, ast.Subscript):
        owner = machine.evaluate(target.value, frame)
        iteration.put_item(machine, owner, machine.evaluate(target.slice, frame), value, place, frame)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(machine, target.elts, value, frame, source)
    elif isinstance(target, ast.Starred):
        assign(machine, target.value, value, frame, source)


def _unpack(machine: Machine, targets: Sequence[ast.expr], value: Value, frame: Frame, source: ast.expr | None) -> None:
    star = next((i for i, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    items = iteration.exact_items(value) if star is not None else iteration.unpacked(value, len(targets))
    sources = source.elts if isinstance(source, (ast.Tuple, ast.List)) and len(source.elts) == len(targets) else None
    if items is not None and star is None:
        for i, target in enumerate(targets):
            assign(machine, target, items[i], frame, sources[i] if sources else source)
        return
    if items is not None and star is not None and len(items) >= len(targets) - 1:
        after = len(targets) - star - 1
        middle = Container("list", frame.module.span(targets[star]))
        iteration.fill(machine, middle, items[star : len(items) - after])
        parts = [*items[:star], middle, *(items[len(items) - after :] if after else ())]
        for target, part in zip(targets, parts, strict=True):
            assign(machine, target, part, frame, source)
        return
    iteration.announce(machine, value, frame.module.span(source or targets[0]), frame)
    item = iteration.item_of(machine, value, frame)
    for target in targets:
        if isinstance(target, ast.Starred):
            rest = Container("list", frame.module.span(target), open_=True)
            machine.write(rest, ANY, item)
            assign(machine, target, rest, frame, source)
        else:
            assign(machine, target, item, frame, source)


@_handles(ast.Delete)
def _delete(machine: Machine, node: ast.Delete, frame: Frame) -> bool:
    for target in node.targets:
        if isinstance(target, ast.Name):
            machine.remove(_owner(frame.scope, target.id), target.id)
        elif isinstance(target, ast.Attribute):
            owner = machine.evaluate(target.value, frame)
            if isinstance(owner, (Instance, Opaque, Function)):
                machine.remove(owner, expressions.mangled(target.attr, frame))
        elif isinstance(target, ast.Subscript):
            owner = machine.evaluate(target.value, frame)
            iteration.remove_item(machine, owner, machine.evaluate(target.slice, frame))
    return True


# -- definitions --------------------------------------------------------------------------------------------------


@_handles(ast.FunctionDef, ast.AsyncFunctionDef)
def _function(machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> bool:
    function: Value = expressions.make_function(machine, node, node.name, frame)
    for decorator in reversed(node.decorator_list):
        function = decorate(machine, decorator, function, frame)
    machine.write(_owner(frame.scope, node.name), node.name, function, frame.module.span(node))
    return True


@_handles(ast.ClassDef)
def _class(machine: Machine, node: ast.ClassDef, frame: Frame) -> bool:
    cls: Value = classes.define(machine, node, frame)
    for decorator in reversed(node.decorator_list):
        cls = decorate(machine, decorator, cls, frame)
    machine.write(_owner(frame.scope, node.name), node.name, cls, frame.module.span(node))
    return True


def decorate(machine: Machine, node: ast.expr, decorated: Value, frame: Frame) -> Value:
    """Apply a decorator. One that is not known is taken to hand back what it got, as nearly all do that register."""
    decorator = machine.evaluate(node, frame)
    result = classes.known_decorator(machine, decorator, decorated, frame)
    if result is not None:
        return result
    if isinstance(decorator, (External, Opaque)) or decorator is UNKNOWN:
        classes.note_decorated(machine, decorator, decorated)
        return decorated
    result = machine.call(decorator, Arguments((decorated,)), frame.module.span(node), frame)
    if result is UNKNOWN or result == NONE:
        classes.note_decorated(machine, decorator, decorated)
        return decorated
    for made in alternatives(result) if frame.scope.parent is None else ():
        if isinstance(made, (Function, Class)) and made is not decorated:
            machine.write(made, classes.DECORATES, decorated)
    return result


# -- control flow -------------------------------------------------------------------------------------------------


@_handles(ast.Expr)
def _expression(machine: Machine, node: ast.Expr, frame: Frame) -> bool:
    machine.evaluate(node.value, frame)
    return True


@_handles(ast.Return)
def _return(machine: Machine, node: ast.Return, frame: Frame) -> bool:
    value: Value = NONE if node.value is None else machine.evaluate(node.value, frame)
    span = frame.module.span(node.value if node.value is not None else node)
    if machine.exact and isinstance(value, Namespace):
        value = iteration.as_dict(machine, value.instance, span)  # as it is now, whatever comes of it on other paths
    frame.returns.append((value, machine.journal.changes(frame.mark), span))
    frame.left = True
    return False


@_handles(ast.Raise)
def _raise(machine: Machine, node: ast.Raise, frame: Frame) -> bool:
    if node.exc is not None:
        exception = machine.evaluate(node.exc, frame)
        machine.fault(exception, frame)
        if not any(guard.kind == "except" and ImportError in (guard.catches or ()) for guard in frame.guards):
            machine.raised.append((exception, frame.module.span(node.exc), frame.snapshot()))
    frame.owner().left = True
    return False


@_handles(ast.Assert)
def _assert(machine: Machine, node: ast.Assert, frame: Frame) -> bool:
    machine.evaluate(node.test, frame)
    return True


@_handles(ast.If)
def _if(machine: Machine, node: ast.If, frame: Frame) -> bool:
    if is_main_guard(node.test):
        return _main_block(machine, node, frame)
    decided = truth(machine.evaluate(node.test, frame))
    if decided is not None:
        return machine.execute(node.body if decided else node.orelse, frame)
    return machine.branches([lambda: _branch(machine, node, frame, True), lambda: _branch(machine, node, frame, False)])


def _branch(machine: Machine, node: ast.If, frame: Frame, outcome: bool) -> bool:
    refine(machine, node.test, outcome, frame)
    return _guarded(machine, node.body if outcome else node.orelse, frame, "branch", node)


def is_main_guard(test: ast.expr) -> bool:
    """Tell whether a test is `__name__ == "__main__"`, either way round, or asks the same of the process's name."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
        return False
    sides = (test.left, test.comparators[0])
    values = [side.value for side in sides if isinstance(side, ast.Constant)]
    if "MainProcess" in values:
        return any(isinstance(side, ast.Attribute) and _is_current_process(side) for side in sides)
    return "__main__" in values and any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)


def _is_current_process(node: ast.Attribute) -> bool:
    call = node.value
    return node.attr == "name" and isinstance(call, ast.Call) and last_name(call.func) == "current_process"


@lru_cache(maxsize=64)
def main_blocks(module: Module) -> list[ast.If]:
    """Return the blocks below a main guard that stand at the top of a module."""
    return [node for node in module.tree.body if isinstance(node, ast.If) and is_main_guard(node.test)]


def _main_block(machine: Machine, node: ast.If, frame: Frame) -> bool:
    """An import passes it over; `machine.as_main` says that the module runs as the program."""
    if machine.as_main == frame.module.path:
        return _guarded(machine, node.body, frame, "main", node)
    return machine.execute(node.orelse, frame)


def _guarded(
    machine: Machine,
    body: Sequence[ast.stmt],
    frame: Frame,
    kind: str,
    node: ast.AST,
    times: int | None = None,
    items: tuple[Value, ...] = (),
    catches: tuple[type[BaseException], ...] | None = None,
) -> bool:
    outer = frame.guards
    frame.guards = (*outer, Guard(kind, frame.module.span(node), times, catches, items))
    try:
        return machine.execute(body, frame)
    finally:
        frame.guards = outer


@_handles(ast.For, ast.AsyncFor)
def _for(machine: Machine, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    iterable = machine.evaluate(node.iter, frame)
    iteration.announce(machine, iterable, frame.module.span(node.iter), frame)
    count = iteration.length(iterable)
    items = iteration.exact_items(iterable)

    def body() -> bool:
        item = iteration.item_of(machine, iterable, frame, frame.module.span(node.iter))
        assign(machine, node.target, item, frame, None)
        return _guarded(machine, node.body, frame, "loop", node, count, tuple(items or ()))

    if count == 0:
        return machine.execute(node.orelse, frame)
    if items is not None and (machine.exact or (len(items) <= iteration.FEW and not iteration.calls(*node.body))):
        return _each(machine, node, frame, items)
    alive = _loop(machine, frame, body, at_least_once=bool(count))
    return machine.execute(node.orelse, frame) if alive and node.orelse else alive


def _each(machine: Machine, node: ast.For | ast.AsyncFor, frame: Frame, items: Sequence[Value]) -> bool:
    """Run a loop's body once for each item: where it matters which, in what says how an object is saved, and where that
    costs no more than to run it for any."""
    ends: list[Changes] = []
    start = machine.journal.mark()
    for item in items:
        loop = Loop(start)
        frame.loops.append(loop)
        assign(machine, node.target, item, frame, None)
        if _guarded(machine, node.body, frame, "loop", node):
            loop.turns.append(machine.journal.changes(start))
        frame.loops.pop()
        ends += loop.breaks
        machine.journal.undo(start)
        if not loop.turns:
            break
        start = machine.journal.mark()
        machine.journal.join(loop.turns)
    else:
        if machine.execute(node.orelse, frame):
            ends.append(machine.journal.changes(start))
        machine.journal.undo(start)
    machine.journal.join(ends)
    return bool(ends)


@_handles(ast.While)
def _while(machine: Machine, node: ast.While, frame: Frame) -> bool:
    decided = truth(machine.evaluate(node.test, frame))
    if decided is False:
        return machine.execute(node.orelse, frame)
    endless = decided is True and isinstance(node.test, ast.Constant)
    kind = "endless-loop" if endless else "loop"
    alive = _loop(
        machine,
        frame,
        lambda: _guarded(machine, node.body, frame, kind, node),
        at_least_once=decided is True,
        ends_by_itself=not endless,
    )
    if alive and not endless:
        refine(machine, node.test, False, frame)
    return machine.execute(node.orelse, frame) if alive and node.orelse else alive


def _loop(
    machine: Machine,
    frame: Frame,
    body: Callable[[], bool],
    *,
    at_least_once: bool,
    ends_by_itself: bool = True,
) -> bool:
    """Run a loop's body, twice where it is short, since one turn may use what the one before it set."""
    loop = Loop(machine.journal.mark())
    frame.loops.append(loop)
    before = machine.steps
    for _ in range(2):
        if body():
            loop.turns.append(machine.journal.changes(loop.mark))
        if not loop.turns or machine.steps - before > SHORT_LOOP:
            break
    frame.loops.pop()
    machine.journal.undo(loop.mark)
    ways_out = list(loop.breaks)
    if ends_by_itself:
        ways_out += loop.turns
        if not at_least_once:
            ways_out.append({})
    machine.journal.join(ways_out)
    return bool(ways_out)


SHORT_LOOP = 400
"""Steps up to which a loop's body is run a second time."""


@_handles(ast.Break)
def _break(machine: Machine, node: ast.Break, frame: Frame) -> bool:
    if frame.loops:
        frame.loops[-1].breaks.append(machine.journal.changes(frame.loops[-1].mark))
    return False


@_handles(ast.Continue)
def _continue(machine: Machine, node: ast.Continue, frame: Frame) -> bool:
    if frame.loops:
        frame.loops[-1].turns.append(machine.journal.changes(frame.loops[-1].mark))
    return False


@_handles(ast.With, ast.AsyncWith)
def _with(machine: Machine, node: ast.With | ast.AsyncWith, frame: Frame) -> bool:
    entered: list[tuple[Value, ast.withitem]] = []
    for item in node.items:
        manager = machine.evaluate(item.context_expr, frame)
        span = frame.module.span(item.context_expr)
        value = machine.for_each(manager, lambda one, span=span: iteration.enter(machine, one, span, frame))  # type: ignore[misc]
        if item.optional_vars is not None:
            assign(machine, item.optional_vars, value, frame, item.context_expr)
        entered.append((manager, item))
    kind = "raises" if any(_expects_failure(item.context_expr) for item in node.items) else "with"
    alive = _guarded(machine, node.body, frame, kind, node)
    for manager, item in reversed(entered):
        for one in alternatives(manager):
            iteration.leave(machine, one, frame.module.span(item.context_expr), frame)
    return alive


_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "suppress"})
"""Context managers that take an error for what is to happen, or let none out."""


def _expects_failure(manager: ast.expr) -> bool:
    return last_name(manager.func if isinstance(manager, ast.Call) else manager) in _EXPECTING


@_handles(ast.Try, *([ast.TryStar] if hasattr(ast, "TryStar") else []))
def _try(machine: Machine, node: ast.Try, frame: Frame) -> bool:
    before = len(machine.raised)
    kind = "try" if node.handlers else "try-finally"
    alive = _guarded(machine, node.body, frame, kind, node, catches=_caught(node.handlers))
    if node.handlers:
        _forget_caught(machine, node.handlers, before, frame)
        paths = [_handler_path(machine, handler, frame) for handler in node.handlers]
        if alive and all(_is_harmless(statement) for statement in node.body):
            paths = []
        if alive:
            paths.insert(0, lambda: machine.execute(node.orelse, frame))
        alive = machine.branches(paths)
    elif alive and node.orelse:
        alive = machine.execute(node.orelse, frame)
    if node.finalbody:
        finished = _guarded(machine, node.finalbody, frame, "finally", node)
        alive = alive and finished
    return alive


def _caught(handlers: Sequence[ast.ExceptHandler]) -> tuple[type[BaseException], ...] | None:
    """Return the builtin exceptions that handlers catch; None where they may catch others, as far as names tell."""
    types = [handler.type for handler in handlers]
    named = [part for one in types for part in (one.elts if isinstance(one, ast.Tuple) else [one])]
    found = [builtin_exception(part.id) if isinstance(part, ast.Name) else None for part in named]
    return None if None in found else tuple(one for one in found if one is not None)


def _is_harmless(statement: ast.stmt) -> bool:
    """Tell whether nothing can go wrong in a statement: it gives names to literals."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Pass, ast.Expr)):
        return False
    waiting: list[ast.AST] = [statement]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Lambda) and not (one.args.defaults or one.args.kw_defaults):
            continue
        if not isinstance(one, _HARMLESS) and not (isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)):
            return False
        waiting.extend(ast.iter_child_nodes(one))
    return True


_HARMLESS = (
    ast.Assign,
    ast.AnnAssign,
    ast.Pass,
    ast.Expr,
    ast.Constant,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Store,
    ast.Load,
)


def _forget_caught(machine: Machine, handlers: Sequence[ast.ExceptHandler], before: int, frame: Frame) -> None:
    """Of what was raised in the body, leave what no handler is sure to keep: it goes on to the callers."""
    keeping = [
        UNKNOWN if handler.type is None else machine.evaluate(handler.type, frame)
        for handler in handlers
        if not any(isinstance(node, ast.Raise) for node in ast.walk(handler))
    ]
    raised = machine.raised[before:]
    machine.raised[before:] = [one for one in raised if not any(_may_catch(caught, one[0]) for caught in keeping)]


def _may_catch(caught: Value, exception: Value) -> bool:
    """Tell whether `except caught` may be meant for an exception; one that is sure to be of another class isn't."""
    if isinstance(caught, Container):
        return any(_may_catch(one, exception) for one in caught.values())
    cls = exception.cls if isinstance(exception, Instance) else exception
    if not (isinstance(cls, Class) and cls.complete):
        return True
    if isinstance(caught, Class):
        return caught in cls.mro
    wanted = _builtin_exception(caught)
    bases = [_builtin_exception(one) for one in cls.mro if isinstance(one, External)]
    return wanted is None or any(base is not None and issubclass(base, wanted) for base in bases)


def _builtin_exception(value: Value) -> type[BaseException] | None:
    return builtin_exception(makers.canonical(value.name)) if isinstance(value, External) else None


def _handler_path(machine: Machine, handler: ast.ExceptHandler, frame: Frame) -> Callable[[], bool]:
    """A handler is run from the state at the end of the body: what the body set is there, or never was."""

    def run() -> bool:
        if handler.name:
            bind(machine, frame, handler.name, UNKNOWN, handler)
        return _guarded(machine, handler.body, frame, "except", handler, catches=_caught([handler]))

    return run


@_handles(ast.Match)
def _match(machine: Machine, node: ast.Match, frame: Frame) -> bool:
    subject = machine.evaluate(node.subject, frame)
    paths: list[Callable[[], bool]] = []
    for case in node.cases:
        matches = _matches(machine, case.pattern, subject, frame)
        if matches is not False:
            paths.append(_case_path(machine, case, subject, frame))
        if matches and case.guard is None:
            break
    else:
        paths.append(lambda: True)
    return machine.branches(paths)


def _matches(machine: Machine, pattern: ast.pattern, subject: Value, frame: Frame) -> bool | None:
    """Tell whether a pattern fits, where that can be decided without running the program."""
    if isinstance(pattern, ast.MatchAs):
        return True if pattern.pattern is None else _matches(machine, pattern.pattern, subject, frame)
    if isinstance(pattern, ast.MatchValue):
        return compare(ast.Eq(), subject, machine.evaluate(pattern.value, frame))
    if isinstance(pattern, ast.MatchSingleton):
        return compare(ast.Is(), subject, Constant(pattern.value))
    if isinstance(pattern, ast.MatchOr):
        outcomes = {_matches(machine, part, subject, frame) for part in pattern.patterns}
        return True if True in outcomes else (False if outcomes == {False} else None)
    return None


def _case_path(machine: Machine, case: ast.match_case, subject: Value, frame: Frame) -> Callable[[], bool]:
    def run() -> bool:
        _bind_pattern(machine, case.pattern, subject, frame)
        if case.guard is not None:
            machine.evaluate(case.guard, frame)
        return machine.execute(case.body, frame)

    return run


def _bind_pattern(machine: Machine, pattern: ast.pattern, subject: Value, frame: Frame) -> None:
    if isinstance(pattern, ast.MatchAs):
        if pattern.pattern is not None:
            _bind_pattern(machine, pattern.pattern, subject, frame)
        if pattern.name is not None:
            bind(machine, frame, pattern.name, subject, pattern)
    elif isinstance(pattern, ast.MatchStar) and pattern.name is not None:
        bind(machine, frame, pattern.name, UNKNOWN, pattern)
    elif isinstance(pattern, ast.MatchSequence):
        items = iteration.exact_items(subject)
        known = items is not None and len(items) == len(pattern.patterns)
        for i, part in enumerate(pattern.patterns):
            _bind_pattern(machine, part, items[i] if known and items else UNKNOWN, frame)
    elif isinstance(pattern, ast.MatchMapping):
        for key, part in zip(pattern.keys, pattern.patterns, strict=True):
            item = iteration.item_at(machine, subject, machine.evaluate(key, frame), frame, frame.module.span(key))
            _bind_pattern(machine, part, item, frame)
    elif isinstance(pattern, ast.MatchClass):
        for name, part in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            value = machine.attribute(subject, name, frame.module.span(part), frame)
            _bind_pattern(machine, part, value, frame)
        for part in pattern.patterns:
            _bind_pattern(machine, part, UNKNOWN, frame)
    elif isinstance(pattern, ast.MatchOr):
        for part in pattern.patterns:
            _bind_pattern(machine, part, subject, frame)
