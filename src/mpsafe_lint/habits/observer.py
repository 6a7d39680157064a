"""Watches a run for what it does with processes and their like, and asks the rules."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from mpsafe_lint.crossings.observer import Crossings
from mpsafe_lint.crossings.processes import chosen_method
from mpsafe_lint.findings import Finding, Span
from mpsafe_lint.habits import table
from mpsafe_lint.habits.globals_ import Name, Shared
from mpsafe_lint.habits.reach import given, reachable
from mpsafe_lint.habits.reading import Reading, reading_by_iter, reading_of
from mpsafe_lint.habits.syntax import Syntax
from mpsafe_lint.habits.trace import Event, Subject, Trace, family_of, places
from mpsafe_lint.knowledge.boundaries import ALWAYS
from mpsafe_lint.knowledge.rules import code_of
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values import attributes
from mpsafe_lint.values.frames import Call, Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.statements import is_main_guard
from mpsafe_lint.values.values import (
    UNKNOWN,
    Bound,
    Cell,
    Constant,
    Container,
    Function,
    Instance,
    Namespace,
    Opaque,
    Partial,
    Scope,
    Value,
    alternatives,
)

SUBMITS = {
    "pool": ("apply_async", "map_async", "starmap_async", "imap", "imap_unordered"),
    "executor": ("submit", "map"),
}
"""The methods, by family, that give a result to be asked for later."""

FUNCTIONS = {
    "torch.multiprocessing.spawn": ("spawn", "start"),
    "torch.multiprocessing.start_processes": ("spawn", "start"),
    "multiprocessing.Manager": ("manager", "new"),
    "signal.signal": ("signal", "signal"),
    "pickle.dump": ("pickle", "dump"),
}
"""Functions whose calls are events of a family of their own."""

READERS = frozenset(
    {
        *("list", "tuple", "set", "frozenset", "sorted", "sum", "min", "max", "any", "all", "dict", "next"),
        *("str.join", "collections.Counter", "collections.deque", "functools.reduce", "numpy.fromiter"),
    }
)
"""Functions that read what they are given."""

HARMLESS = READERS | frozenset(
    {
        *("print", "len", "isinstance", "issubclass", "repr", "str", "id", "type", "hasattr", "getattr", "setattr"),
        *("bool", "iter", "zip", "enumerate", "map", "filter", "range", "reversed", "functools.partial", "super"),
        *("callable", "int", "float", "format", "vars"),
    }
)
"""Functions after which what they were given is still seen: they keep nothing, or the machine knows what they keep."""


HANDED_TO_WORKERS = ("process", "pool", "executor", "spawn")
"""Families whose calls hand what they are given to workers, whose side is run."""


FORKSERVER_SINCE = (3, 14)
"""The Python from which on Linux has another default than fork."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A habit at a place. `methods` are the start methods under which it matters."""

    kind: str
    span: Span
    message: str
    methods: tuple[str, ...]
    outcome: str | None = None


@dataclass(slots=True)
class Habits:
    """What the runs of a program were seen to do with processes.

    `trace` holds the events of the run so far, `imports` those of each module's import. `made` tells of each object of
    a family where it was made; `prepared` which variables a pool's initializer sets; `shared` what the parent has
    changed, by the call that sets workers to work; `threads` which locks a thread takes. `cleared` holds places that
    one run sees to be right, whatever another one says.
    """

    crossings: Crossings
    files: frozenset[str]
    found: dict[tuple[str, Span], Sighting] = field(default_factory=dict)
    cleared: set[tuple[str, Span]] = field(default_factory=set)
    trace: Trace = field(default_factory=Trace)
    imports: dict[str, Trace] = field(default_factory=dict)
    made: dict[int, Event] = field(default_factory=dict)
    shared: dict[int, Shared] = field(default_factory=dict)
    prepared: dict[int, set[Name]] = field(default_factory=dict)
    threads: dict[int, list[Cell]] = field(default_factory=dict)
    _results: dict[int, Cell] = field(default_factory=dict)
    _syntax: dict[str, Syntax] = field(default_factory=dict)
    _exhausted: int = 0

    # -- what the machine tells -----------------------------------------------------------------------------------

    def begin(self, machine: Machine, frame: Frame) -> None:
        """Begin the run of an entry point."""
        self.trace = Trace()
        self._exhausted = machine.exhausted

    def __call__(self, machine: Machine, call: Call) -> None:
        """Look at one call of the run."""
        trace = self.trace_of(call.frame)
        events = list(self._events(machine, call))
        for event in events:
            trace.add(event)
            for on_event in table.ON_EVENT:
                on_event(self, machine, event)
        if call.callee is not None:
            for on_return in table.ON_RETURN:
                on_return(self, machine, call)
        elif trace.events:
            self._let_go(trace, call, events)

    def finish(self, machine: Machine, frame: Frame) -> None:
        """End a run: ask the rules that look at the whole of it."""
        trace = self.trace
        is_program = machine.as_main is not None
        if is_program:
            trace = self._with_import(machine, trace, frame.module)
        else:
            self.escape(trace, _module_variables(machine))
        self.escape(trace, [*machine.handed_out, *_finalised(machine)])
        trace.complete = trace.complete and machine.exhausted == self._exhausted
        if trace.events:
            for rule in table.AT_END:
                rule(self, machine, trace)
        if is_program:
            for rule_of_module in table.OF_MODULE:
                rule_of_module(self, machine, frame.module)
        self.trace = Trace()

    def _with_import(self, machine: Machine, trace: Trace, module: Module) -> Trace:
        """A module that runs as the program is one run: its import, then its main blocks."""
        whole = Trace(complete=module.path not in machine.unfinished)
        for part in (self.imports.get(module.path, Trace()), trace):
            for event in part.events:
                whole.add(event)
            whole.escaped |= part.escaped
        if not any(isinstance(node, ast.If) and is_main_guard(node.test) for node in module.tree.body):
            self.escape(whole, _used_by_functions(machine.module_scope(module), module))
        return whole

    def trace_of(self, frame: Frame) -> Trace:
        """Return the trace that a frame's events belong to."""
        root = frame
        while root.caller is not None:
            root = root.caller
        return self.imports.setdefault(root.module.path, Trace()) if root.importing else self.trace

    # -- events ---------------------------------------------------------------------------------------------------

    def _events(self, machine: Machine, call: Call) -> Iterable[Event]:
        """Yield what a call does to objects of the families."""
        _, _, name = call.name.rpartition(".")
        receiver = call.receiver
        if isinstance(receiver, (Opaque, Instance)) and call.callee is None and (family := self._family(receiver)):
            yield self._event(machine, call, name, family, receiver)
            if name in SUBMITS.get(family, ()) and isinstance(call.result, Opaque):
                self._results[id(call.result)] = call.result
                yield self._event(machine, call, "new", "result", call.result)
        elif call.name in FUNCTIONS:
            family, name = FUNCTIONS[call.name]
            subject = call.result if isinstance(call.result, Opaque) else Opaque(call.name, call.span)
            yield self._event(machine, call, name, family, subject)
        elif call.name == "iter" and len(call.arguments.positional) > 1:
            read = call.arguments.positional[0]
            if isinstance(read, Bound) and isinstance(read.self, Opaque) and self._family(read.self) == "queue":
                yield self._event(machine, call, "iter", "queue", read.self)
        elif call.name in READERS:
            for one in given(call.arguments):
                if isinstance(one, Opaque) and id(one) in self._results:
                    yield self._event(machine, call, "read", "result", one)
        made = call.result
        if (
            isinstance(made, (Opaque, Instance))
            and id(made) not in self.made
            and (family := family_of(made))
            and _is_new(call)
        ):
            yield self._event(machine, call, "new", family, made)

    def _family(self, value: Subject) -> str | None:
        return "result" if id(value) in self._results else family_of(value)

    def _event(self, machine: Machine, call: Call, name: str, family: str, subject: Subject) -> Event:
        worker = machine.workers[-1] if machine.workers else None
        path = places(call, worker)
        reading = self._reading(machine, call, name) if family == "queue" and name in ("get", "iter") else None
        event = Event(name, family, subject, call, path, worker, reading)
        if name == "new":
            self.made[id(subject)] = event
        return event

    def _reading(self, machine: Machine, call: Call, name: str) -> Reading | None:
        """Tell how the loop leaves in which a queue is read, in this function or in one that called it."""
        if name == "iter":
            node = self.node_at(call.frame.module, call.span)
            sentinel = call.arguments.positional[1]
            return None if node is None else reading_by_iter(self.syntax(call.frame.module), node, sentinel)
        for place in places(call, machine.workers[-1] if machine.workers else None):
            node = self.node_at(place.frame.module, place.span)
            if node is None:
                return None
            reading = reading_of(
                self.syntax(place.frame.module),
                node,
                lambda one, frame=place.frame: quietly(machine, one, frame),  # type: ignore[misc]
            )
            if reading is not None:
                return reading
        return None

    # -- what goes where it can't be seen -------------------------------------------------------------------------

    def _let_go(self, trace: Trace, call: Call, events: list[Event]) -> None:
        """What is handed to code that isn't run may be used by it."""
        if call.name in HARMLESS or isinstance(call.receiver, (Container, Constant, Namespace)):
            return
        started = [one for one in events if one.family == "process" and one.name == "start"]
        for event in started:
            if not _runs_known_code(event.subject):
                self.escape(trace, [event.subject])
        if any(one.family in HANDED_TO_WORKERS for one in events) or self._only_waits(call):
            return
        self.escape(trace, given(call.arguments))
        if isinstance(call.receiver, Function):
            self.escape(trace, [call.receiver])

    def _only_waits(self, call: Call) -> bool:
        """Whether a call waits for results, and nobody takes what it gives."""
        if call.name != "concurrent.futures.wait":
            return False
        node = self.node_at(call.frame.module, call.span)
        return node is not None and isinstance(self.syntax(call.frame.module).parents.get(node), ast.Expr)

    def escape(self, trace: Trace, values: Iterable[Value]) -> None:
        """Note that objects can be used by code that isn't seen."""
        trace.escaped |= {id(cell) for cell in reachable(values)}

    # -- what the rules ask ---------------------------------------------------------------------------------------

    def syntax(self, module: Module) -> Syntax:
        """Return a module's tree with its parents."""
        if module.path not in self._syntax:
            self._syntax[module.path] = Syntax.of(module)
        return self._syntax[module.path]

    def node_at(self, module: Module, span: Span) -> ast.expr | None:
        """Return the expression that stands at a span."""
        return self.syntax(module).expressions.get(span)

    def report(
        self,
        machine: Machine,
        kind: str,
        span: Span,
        message: str,
        call: Call,
        methods: tuple[str, ...] = ALWAYS,
        outcome: str | None = None,
    ) -> None:
        """Report a habit, unless the program never runs with the start methods under which it matters. `call` tells
        the context that it asks for."""
        possible = self.crossings.possible(machine, call, methods)
        if possible:
            self.say(kind, span, message, possible, outcome)

    def say(
        self, kind: str, span: Span, message: str, methods: tuple[str, ...] = ALWAYS, outcome: str | None = None
    ) -> None:
        """Report a habit of the project's own files."""
        if span.path in self.files:
            self.found.setdefault((kind, span), Sighting(kind, span, message, methods, outcome))

    def forks(self, machine: Machine, call: Call) -> bool:
        """Tell whether a process may be forked: where the code asks for it, or a targeted Python does it by itself."""
        if "fork" not in self.crossings.possible(machine, call, ("fork",)):
            return False
        asked = chosen_method(self.crossings, machine, call) == "fork"
        return asked or any(version < FORKSERVER_SINCE for version in self.crossings.config.targets)

    def clear(self, kind: str, span: Span) -> None:
        """Say that a place is right."""
        self.cleared.add((kind, span))

    def findings(self) -> list[Finding]:
        """Return what was found, and not cleared by another run."""
        return [
            Finding(
                code=code_of(one.kind),
                kind=one.kind,
                span=one.span,
                message=one.message,
                methods=one.methods,
                outcome=one.outcome,
            )
            for key, one in self.found.items()
            if key not in self.cleared
        ]


def quietly(machine: Machine, node: ast.expr, frame: Frame) -> Value:
    """Return what a plain expression may be, and tell nobody that it was asked for."""
    if not isinstance(node, (ast.Constant, ast.Name, ast.Attribute, ast.Tuple, ast.UnaryOp)):
        return UNKNOWN
    observers, machine.observers = machine.observers, []
    try:
        with machine.trial():
            return machine.evaluate(node, frame)
    finally:
        machine.observers = observers


def _is_new(call: Call) -> bool:
    """Tell whether the call made its result, rather than found it."""
    return getattr(call.result, "site", None) == call.span


def _runs_known_code(process: Subject) -> bool:
    """Tell whether what a process runs is a function of the program."""
    if isinstance(process, Instance):
        return isinstance(attributes.find_in_class(process.cls, "run"), Function)
    target = process.arguments.get(1, "target") if isinstance(process, Opaque) else None
    return target is not None and all(_is_known_code(one) for one in alternatives(target))


def _is_known_code(value: Value) -> bool:
    if isinstance(value, Partial):
        return all(_is_known_code(one) for one in alternatives(value.function))
    return isinstance(value, Function) or (isinstance(value, Bound) and _is_known_code(value.function))


def _finalised(machine: Machine) -> list[Value]:
    """Return the objects of the run that do something when they are no longer used."""
    made = (one for one in machine.made if isinstance(one, Instance))
    return [one for one in made if attributes.find_in_class(one.cls, "__del__") is not None]


def _module_variables(machine: Machine) -> list[Value]:
    """Return what the run has put into variables of modules."""
    return [
        slot.value
        for cell, _, slot in machine.journal.changes(0).values()
        if isinstance(cell, Scope) and cell.parent is None and slot is not None
    ]


def _used_by_functions(scope: Scope, module: Module) -> list[Value]:
    """Return the values of those variables of a module that its functions name."""
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    bodies = [node for node in module.tree.body if isinstance(node, definitions)]
    names = {one.id for node in bodies for one in ast.walk(node) if isinstance(one, ast.Name)}
    return [slot.value for name, slot in scope.slots.items() if name in names]
