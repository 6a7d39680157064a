"""Module globals that the parent changes and a worker reads, or that each of them makes for itself (MPS307)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from mpsafe_lint.crossings.processes import worker_side
from mpsafe_lint.findings import Span
from mpsafe_lint.habits.syntax import FUNCTIONS, Syntax, own_nodes
from mpsafe_lint.habits.targets import is_not_callable
from mpsafe_lint.habits.trace import Event, Trace, family_of
from mpsafe_lint.knowledge.boundaries import NOT_FORK, POOL_METHODS
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values import iteration
from mpsafe_lint.values.frames import Call
from mpsafe_lint.values.journal import Changes
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.statements import main_blocks
from mpsafe_lint.values.values import (
    ANY,
    UNKNOWN_ARGUMENTS,
    Arguments,
    Cell,
    Class,
    Constant,
    Container,
    Function,
    Instance,
    Key,
    ModuleValue,
    Opaque,
    Scope,
    Slot,
    Value,
    alternatives,
    same,
)

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

Name = tuple[int, str]
"""A variable of a module: the scope's id, and its name."""

WORK = {
    "process": frozenset({"start"}),
    "spawn": frozenset({"start"}),
    "pool": frozenset(POOL_METHODS),
    "executor": frozenset({"submit", "map"}),
    "loader": frozenset({"__iter__"}),
}
"""By family, what sets workers to work."""


@dataclass(frozen=True, slots=True)
class _Variable:
    """A module's variable as it is read: by its name, or as an attribute of the module."""

    name: Name
    read: ast.expr
    value: Value | None
    module: Module


@dataclass(slots=True)
class Shared:
    """What the parent had changed when it set workers to work, and what they were then seen to do with it.

    `names` holds the variables that were bound anew, `contents` the objects that were changed in place and under which
    keys; each with the place of the change. `own` are the variables that workers bind themselves; `copies` what they
    use of what is made by an import, and is meant to be shared.
    """

    call: Call
    names: dict[Name, Span | None]
    contents: dict[int, dict[Key, Span | None]]
    own: set[Name] = field(default_factory=set)
    reads: list[tuple[Name, Span, Span | None]] = field(default_factory=list)
    copies: list[tuple[_Variable, Span]] = field(default_factory=list)


def note_changes(habits: Habits, machine: Machine, event: Event) -> None:
    """Keep what the parent has changed since the import, where it sets workers to work."""
    if event.family in ("pool", "executor") and event.name == "new":
        habits.prepared[id(event.subject)] = _set_by_initializer(habits, machine, event)
    if event.worker is not None or event.name not in WORK.get(event.family, ()):
        return
    if event.family == "loader" and id(event.subject) not in habits.made:
        return
    names, contents = _changed(machine.journal.before(0))
    own = set(habits.prepared.get(id(event.subject), ()))
    call = habits.made[id(event.subject)].call if event.family == "loader" else event.call
    habits.shared[_key(event.subject if event.family != "spawn" else None, call)] = Shared(call, names, contents, own)


def _key(subject: object, call: Call) -> tuple[int, Span]:
    """Tell workers apart: by what they belong to, and the call that set them to work."""
    return id(subject), call.span


def _changed(before: Changes) -> tuple[dict[Name, Span | None], dict[int, dict[Key, Span | None]]]:
    names: dict[Name, Span | None] = {}
    contents: dict[int, dict[Key, Span | None]] = {}
    for cell, key, old in before.values():
        slot = cell.slots.get(key)
        if slot is None or _is_narrowed(old, slot):
            continue
        if isinstance(key, str) and _is_variable(cell, key) and not isinstance(slot.value, (Function, Class)):
            names[id(cell), key] = slot.place
        elif isinstance(cell, (Container, Instance, Class)):
            contents.setdefault(id(cell), {})[key] = slot.place
    return names, contents


def _is_narrowed(old: Slot | None, slot: Slot) -> bool:
    """Whether nothing new was stored: the same constant, or it is only known better what stands there."""
    if old is None or (old.place != slot.place and not isinstance(slot.value, Constant)):
        return False
    known = alternatives(old.value)
    return all(any(same(one, other) for other in known) for one in alternatives(slot.value))


def _set_by_initializer(habits: Habits, machine: Machine, event: Event) -> set[Name]:
    """Run a pool's initializer as each of its workers does; return the variables that it sets, or fills."""
    given = event.call.arguments
    at = 1 if event.family == "pool" else 2
    initializer = given.get(at, "initializer")
    if initializer is None:
        return set()
    if all(is_not_callable(one) for one in alternatives(initializer)):
        return set(_changed(machine.journal.before(0))[0])  # it was called here, to set what each worker should have
    values = given.get(at + 1, "initargs")
    items = iteration.exact_items(values) if values is not None else []
    arguments = UNKNOWN_ARGUMENTS if items is None else Arguments(tuple(items))
    observers, machine.observers = machine.observers, [habits]
    try:
        with worker_side(machine, event.subject, event.call):
            mark = machine.journal.mark()
            machine.call(initializer, arguments, event.span, event.call.frame)
            written = machine.journal.undo(mark).values()
    finally:
        machine.observers = observers
    bound = {(id(cell), key) for cell, key, _ in written if _is_variable(cell, key) and isinstance(key, str)}
    filled = {id(cell) for cell, _, _ in written if isinstance(cell, Container)}
    roots = [_root(one) for one in alternatives(initializer) if isinstance(one, Function)]
    variables = [(root, key, slot) for root in roots for key, slot in root.slots.items()]
    return bound | {(id(root), str(key)) for root, key, slot in variables if id(slot.value) in filled}


def _is_variable(cell: Cell, key: Key) -> bool:
    return isinstance(cell, Scope) and cell.parent is None and isinstance(key, str)


def note_reads(habits: Habits, machine: Machine, call: Call) -> None:
    """Keep which of the changed variables a function reads that a worker has run."""
    worker = machine.workers[-1] if machine.workers else None
    shared = habits.shared.get(_key(worker.subject, worker.call)) if worker is not None else None
    function = call.callee
    if shared is None or not isinstance(function, Function) or function.is_lambda or function.is_local:
        return  # what those read counts with the function that makes them; no spawned worker gets them by themselves
    root = _root(function)
    reads, stored, filled = names_in(function.node)
    shared.own |= {(id(root), name) for name in stored | filled}
    for node in reads:
        if node.id in filled or _is_closed_over(function, node.id):
            continue
        syntax = habits.syntax(function.module)
        variable = _variable(machine, syntax, root, node)
        found = None if variable is None else _changed_at(syntax, shared, variable)
        if variable is not None and found is not None:
            shared.reads.append((variable.name, function.module.span(variable.read), found[0]))
        elif variable is not None and _is_made_anew(habits, variable):
            shared.copies.append((variable, function.module.span(variable.read)))


def _root(function: Function) -> Scope:
    scope = function.scope
    while scope.parent is not None:
        scope = scope.parent
    return scope


def _is_closed_over(function: Function, name: str) -> bool:
    scope = function.scope
    while scope.parent is not None:
        if name in scope.slots and not scope.is_class:
            return True
        scope = scope.parent
    return False


def _variable(machine: Machine, syntax: Syntax, root: Scope, node: ast.Name) -> _Variable | None:
    """Return the variable that a name, or an attribute of a module of that name, stands for."""
    value = root.get(node.id)
    value = machine.resolve(value) if value is not None else None
    parent = syntax.parents.get(node)
    if not (isinstance(value, ModuleValue) and value.path is not None and isinstance(parent, ast.Attribute)):
        return _Variable((id(root), node.id), node, value, syntax.module)
    module = machine.program.module(value.path, value.name)
    if module is None:
        return None
    scope = machine.module_scope(module)
    return _Variable((id(scope), parent.attr), parent, scope.get(parent.attr), module)


def _changed_at(syntax: Syntax, shared: Shared, variable: _Variable) -> tuple[Span | None] | None:
    """Return where the parent has changed a variable, or the part of its value that is read; None if it hasn't."""
    if variable.name in shared.names:
        return (shared.names[variable.name],)
    value = variable.value
    keys = shared.contents.get(id(value))
    if not isinstance(value, Cell) or not keys or _may_be_missing(syntax, variable.read):
        return None
    changed = _read_key(value, syntax.parents.get(variable.read), keys)
    return (keys[changed],) if changed is not None else None


_MEANT_TO_BE_SHARED = (
    *("multiprocessing.Queue", "multiprocessing.JoinableQueue", "multiprocessing.SimpleQueue", "multiprocessing.Event"),
    *("multiprocessing.sharedctypes.Synchronized", "multiprocessing.RawValue", "multiprocessing.RawArray"),
    *("multiprocessing.Value", "multiprocessing.Array", "multiprocessing.Barrier", "multiprocessing.Condition"),
)


def _is_made_anew(habits: Habits, variable: _Variable) -> bool:
    """Whether a variable holds what processes are to share, and the import makes it: each spawned one has its own."""
    value = variable.value
    if not isinstance(value, Opaque) or not value.type.startswith(_MEANT_TO_BE_SHARED):
        return False
    if value.site.path != variable.module.path:
        return False
    syntax = habits.syntax(variable.module)
    node: ast.AST | None = syntax.expressions.get(value.site)
    blocks = main_blocks(variable.module)
    while node is not None and not isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node not in blocks:
        node = syntax.parents.get(node)
    return node is None


def _is_used_by_parent(trace: Trace, variable: _Variable, read: Span) -> bool:
    """Whether the parent uses what it is to share: it reads or fills a queue, or other code names a value."""
    if any(event.worker is None and event.name != "new" for event in trace.by_subject.get(id(variable.value), ())):
        return True
    if family_of(variable.value) is not None:
        return False
    bodies = [node for node in variable.module.tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef))]
    others = [node for node in bodies if not node.lineno <= read.line <= (node.end_lineno or 0)]
    nodes = (node for body in (*others, *main_blocks(variable.module)) for node in ast.walk(body))
    return any(isinstance(node, ast.Name) and node.id == variable.name[1] for node in nodes)


def _may_be_missing(syntax: Syntax, read: ast.expr) -> bool:
    """Whether an item is asked for where it may be missing: a handler of KeyError then finds another one."""
    if not isinstance(syntax.parents.get(read), ast.Subscript):
        return False
    return any(
        isinstance(parent, ast.Try) and child in parent.body and any(map(_finds_another, parent.handlers))
        for parent, child in syntax.ancestors(read)
    )


def _finds_another(handler: ast.ExceptHandler) -> bool:
    names = ast.unparse(handler.type) if handler.type is not None else "Exception"
    raises = any(isinstance(node, ast.Raise) for one in handler.body for node in own_nodes(one))
    return not raises and any(name in names for name in ("KeyError", "LookupError", "Exception"))


def _read_key(value: Value, parent: ast.AST | None, keys: dict[Key, Span | None]) -> Key | None:
    """Return which of the changed keys of an object is read; None where it is another one."""
    if isinstance(value, (Instance, Class)):
        return parent.attr if isinstance(parent, ast.Attribute) and parent.attr in keys else None
    by_key = isinstance(value, Container) and value.type in iteration.MAPPINGS and ANY not in keys
    if by_key and isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant):
        key: Key = ("k", parent.slice.value)
        return key if key in keys else None
    return next(iter(keys))


_FILLS = frozenset({"append", "add", "update", "setdefault", "extend", "clear", "pop"})


@cache
def names_in(node: ast.AST) -> tuple[tuple[ast.Name, ...], frozenset[str], frozenset[str]]:
    """Return what a function reads from outside, which globals it binds itself, and what it fills in place."""
    nodes = [one for part in _run_when_called(node) for one in ast.walk(part)]
    stored = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    shared = {name for one in nodes if isinstance(one, ast.Global) for name in one.names}
    parameters = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    local = (stored | parameters | set(_defined_in(node))) - shared
    reads = [
        one for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.id not in local
    ]
    return tuple(reads), frozenset(stored & shared), frozenset(_filled(nodes))


def _run_when_called(node: ast.AST) -> list[ast.AST]:
    """Return the body of a function: defaults and decorators are evaluated where it is defined."""
    body: ast.AST | list[ast.AST] = getattr(node, "body", [])
    return body if isinstance(body, list) else [body]


def _defined_in(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if one is not node and isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield one.name
        elif isinstance(one, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in one.names)


def _filled(nodes: list[ast.AST]) -> Iterator[str]:
    for one in nodes:
        stores = isinstance(one, ast.Subscript) and isinstance(one.ctx, (ast.Store, ast.Del))
        fills = isinstance(one, ast.Attribute) and one.attr in _FILLS
        if isinstance(one, (ast.Subscript, ast.Attribute)) and (stores or fills) and isinstance(one.value, ast.Name):
            yield one.value.id


def global_not_shared(habits: Habits, machine: Machine, trace: Trace) -> None:
    """Report the first read, by a worker, of each variable that the parent changed and the worker doesn't set, and the
    first use of what is not the object that the parent has."""
    for shared in habits.shared.values():
        seen: set[Name] = set()
        for name, read, changed in sorted(shared.reads, key=lambda one: one[1]):
            if name in shared.own or name in seen:
                continue
            seen.add(name)
            where = f" (line {changed.line})" if changed is not None else ""
            message = (
                f"{name[1]} is changed by the parent{where} and read here by a worker, "
                "which gets it as the import sets it under spawn and forkserver"
            )
            habits.report(machine, "global-not-shared", read, message, shared.call, NOT_FORK)
        for variable, read in sorted(shared.copies, key=lambda one: one[1]):
            if variable.name in shared.own | seen or not _is_used_by_parent(trace, variable, read):
                continue
            seen.add(variable.name)
            message = (
                f"{variable.name[1]} is made by the import, so that under spawn and forkserver each worker has one of "
                "its own: hand it over as an argument"
            )
            habits.report(machine, "global-not-shared", read, message, shared.call, NOT_FORK)
    habits.shared.clear()
