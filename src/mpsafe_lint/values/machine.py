"""The abstract machine: it runs the program over abstract values, and tells its observers of every call.

Statements, expressions, calls and attributes are handled by small functions in the modules beside this one, each
registered for a type of node or value. A path that may be taken is taken; paths that meet again are joined.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from mpsafe_lint.findings import Span
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values import attributes, calls, expressions, statements
from mpsafe_lint.values.frames import Call, Frame, Worker, builtin_exception
from mpsafe_lint.values.journal import Changes, Journal
from mpsafe_lint.values.program import Program
from mpsafe_lint.values.settling import settle
from mpsafe_lint.values.values import (
    UNKNOWN,
    Arguments,
    Cell,
    Class,
    Function,
    Instance,
    Key,
    ModuleValue,
    OneOf,
    Scope,
    Slot,
    Value,
    alternatives,
    one_of,
)

STEPS = 10_000
"""Nodes evaluated for one entry point, or one statement of a module, after which what is left of it is unknown."""

MODULE_STEPS = 10 * STEPS
"""Steps of a module's import after which each further statement gets no more than a definition needs."""

STATEMENT_STEPS = 500


class Observer(Protocol):
    """Is told of every call, and of where the runs of entry points begin and end."""

    def __call__(self, machine: Machine, call: Call) -> None: ...

    def begin(self, machine: Machine, frame: Frame) -> None: ...

    def finish(self, machine: Machine, frame: Frame) -> None: ...


class Machine:
    """Runs modules and functions abstractly."""

    def __init__(self, program: Program, observers: Sequence[Observer] = ()) -> None:
        self.program = program
        self.observers = list(observers)
        self.journal = Journal()
        self.steps = 0
        self.limit = STEPS
        self.limits_reached = 0
        self.exhausted = 0  # how often a run, or a part of it, ended since its steps were spent
        self.unfinished: set[str] = set()  # the modules whose import ended so
        self.as_main: str | None = None  # the path of the module that runs as the program
        self.exact = False  # whether loops over known items are run for each of them
        self.is_eager: Callable[[Class], bool] = lambda cls: False  # whose constructor is run at once
        self.leads: Callable[[Function], bool] = lambda function: True  # whether it is worth all the steps there are
        self.start_method: str | None = None  # what the run so far has set by set_start_method
        self.entry_path = ""  # the file whose code is being run
        self.worker_depth = 0  # how deep the run is inside what other processes would do
        self.workers: list[Worker] = []  # the other processes inside whose side the run is, the innermost last
        self.handed_out: list[Value] = []  # what those who call the entry point, or who are not seen, get of the run
        self.called: set[int] = set()
        self.chosen_calls: set[Span] = set()  # where a call was seen of which it hangs on the path what is called
        self.elsewhere: dict[tuple[Instance, str], Value | None] = {}  # what other methods leave in attributes
        self.made: list[Cell] = []
        self.local_functions: list[Function] = []
        self.watched: tuple[Frame, list[Value | str]] | None = None
        self.raised: list[tuple[Value, Span, Frame]] = []

    # -- the state ------------------------------------------------------------------------------------------------

    def write(self, cell: Cell, key: Key, value: Value, place: Span | None = None) -> None:
        """Put a value under `key`."""
        self.journal.write(cell, key, Slot(value, place))

    def remove(self, cell: Cell, key: Key) -> None:
        if key in cell.slots:
            self.journal.write(cell, key, None)

    def add(self, cell: Cell, key: Key, value: Value, place: Span | None = None) -> None:
        """Put a value beside what stands under `key` already."""
        before = cell.get(key)
        self.write(cell, key, value if before is None else one_of((before, value)), place)

    def branches(self, paths: Iterable[Callable[[], bool]]) -> bool:
        """Run each path from the state as it is now; join the states in which those that live on end.

        Return whether any does.
        """
        ends: list[Changes] = []
        for path in paths:
            mark = self.journal.mark()
            alive = path()
            changes = self.journal.undo(mark)
            if alive:
                ends.append(changes)
        self.journal.join(ends)
        return bool(ends)

    def for_each(self, value: Value, action: Callable[[Value], Value]) -> Value:
        """Apply `action` to every alternative of `value`, each from the state as it is now; join what they give."""
        if not isinstance(value, OneOf):
            return action(value)
        results: list[Value] = []

        def path(alternative: Value) -> Callable[[], bool]:
            def run() -> bool:
                results.append(action(alternative))
                return True

            return run

        self.branches([path(alternative) for alternative in alternatives(value)])
        return one_of(results)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Take back whatever happens in this block."""
        made = len(self.made)
        try:
            with self.later():
                yield
        finally:
            del self.made[made:]

    @contextmanager
    def later(self) -> Iterator[None]:
        """Take back what this block writes: it may run, but not before what is looked at now."""
        mark = self.journal.mark()
        try:
            yield
        finally:
            self.journal.undo(mark)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let the writes in this block stand, whatever becomes of the path that is being run."""
        journal, self.journal = self.journal, Journal()
        try:
            yield
        finally:
            self.journal = journal

    @contextmanager
    def exactly(self) -> Iterator[None]:
        """Run loops over known items for each of them: in what says how an object is saved, it matters which."""
        exact, self.exact = self.exact, True
        try:
            yield
        finally:
            self.exact = exact

    @contextmanager
    def unobserved(self) -> Iterator[None]:
        """Tell nobody of the calls in this block."""
        observers, self.observers = self.observers, []
        try:
            yield
        finally:
            self.observers = observers

    @contextmanager
    def thoroughly(self) -> Iterator[None]:
        """Give every call in this block the steps that there are, also of what leads to no boundary."""
        leads, self.leads = self.leads, lambda function: True
        try:
            yield
        finally:
            self.leads = leads

    @contextmanager
    def watch(self, frame: Frame) -> Iterator[list[Value | str]]:
        """Give the errors that are sure to be raised in this block, which `frame` runs: exceptions, or their texts."""
        outer, self.watched = self.watched, (frame, [])
        try:
            yield self.watched[1]
        finally:
            self.watched = outer

    def fault(self, error: Value | str, frame: Frame) -> None:
        """Note an error that is raised, or will be."""
        if self.watched is None:
            return
        kind = builtin_exception(error.partition(":")[0]) if isinstance(error, str) else None
        if frame.is_certain(self.watched[0], kind):
            self.watched[1].append(error)

    @contextmanager
    def budget(self, steps: int) -> Iterator[None]:
        """Allow no more than `steps` steps within this block, nor more than are left."""
        limit = self.limit
        self.limit = min(limit, self.steps + steps)
        try:
            yield
        finally:
            self.limit = limit

    # -- running --------------------------------------------------------------------------------------------------

    def spent(self) -> bool:
        """Count one step; tell whether the limit is reached."""
        self.steps += 1
        if self.steps == self.limit:
            self.limits_reached += 1
            self.exhausted += 1
        return self.steps >= self.limit

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """Return what an expression may be."""
        if self.spent():
            return UNKNOWN
        handler = expressions.HANDLERS.get(type(node))
        return UNKNOWN if handler is None else handler(self, node, frame)

    def execute(self, body: Sequence[ast.stmt], frame: Frame) -> bool:
        """Run statements in order; return whether the end can be reached."""
        for statement in body:
            if self.spent():
                return True
            handler = statements.HANDLERS.get(type(statement))
            if handler is not None and not handler(self, statement, frame):
                return False
        return True

    def call(self, function: Value, arguments: Arguments, span: Span, frame: Frame) -> Value:
        """Call a value; return what it gives back."""
        if not isinstance(function, OneOf):
            return calls.call(self, function, arguments, span, frame)
        if len(function.values) > 1:
            self.chosen_calls.add(span)
        return self.for_each(function, lambda one: calls.call(self, one, arguments, span, frame))

    def attribute(self, value: Value, name: str, span: Span, frame: Frame) -> Value:
        """Return `value.name`."""
        if not isinstance(value, OneOf):
            return attributes.get(self, value, name, span, frame)
        return one_of([attributes.get(self, one, name, span, frame) for one in alternatives(value)])

    def notify(self, call: Call) -> None:
        for observer in self.observers:
            observer(self, call)

    def forget_run(self) -> None:
        """Drop what is kept of a run for those who look at it at its end."""
        for kept in (self.handed_out, self.called, self.made, self.local_functions, self.raised, self.elsewhere):
            kept.clear()

    # -- modules --------------------------------------------------------------------------------------------------

    def module_scope(self, module: Module) -> Scope:
        """Return a module's variables after its import. What it imports is not run before a name of it is asked for."""
        scope, fresh = self.program.scope(module)
        if fresh:
            self.run_module(module, scope)
        return scope

    def run_module(self, module: Module, scope: Scope) -> Frame:
        """Run a module as an import does. It keeps its state whatever becomes of the path that asked for it."""
        outer = self.journal, self.steps, self.limit
        self.journal = Journal()
        since = scope.born
        frame = Frame(module, scope, importing=True)
        taken = 0
        try:
            for statement in module.tree.body:
                self.steps, self.limit = 0, STEPS if taken < MODULE_STEPS else STATEMENT_STEPS
                alive = self.execute([statement], frame)
                taken += self.steps
                if self.steps >= self.limit:
                    self.unfinished.add(module.path)
                if not alive:
                    break
        finally:
            self.journal, self.steps, self.limit = outer
            settle(scope, since)
        return frame

    def module_member(self, module_value: ModuleValue, name: str) -> Value | None:
        """Return what a module of the program holds under `name`: a variable, a name imported there and not followed
        yet, or a submodule."""
        if module_value.path is None:
            return None
        module = self.program.module(module_value.path, module_value.name)
        if module is None:
            return UNKNOWN
        scope = self.module_scope(module)
        value = scope.get(name) or self._starred(scope, name)
        if value is not None:
            return value
        if module.is_package:
            submodule = self.program.find_submodule(f"{module.name}.{name}", module.path)
            if submodule is not None:
                return submodule
        return UNKNOWN if scope.get("__getattr__") is not None else None

    def _starred(self, scope: Scope, name: str) -> Value | None:
        """Look a name up in the modules of `from … import *`, and in those that they star in turn."""
        seen = {id(scope)}
        waiting = list(scope.stars)
        while waiting:
            star = waiting.pop()
            module = self.program.module(star.path, star.name) if star.path is not None else None
            if module is None:
                continue
            starred = self.module_scope(module)
            if id(starred) in seen:
                continue
            seen.add(id(starred))
            value = starred.get(name)
            if value is not None:
                return value
            waiting.extend(starred.stars)
        return None

    def resolve(self, value: Value) -> Value:
        """Return what an imported name stands for; other values stand for themselves."""
        return statements.resolve_import(self, value)
