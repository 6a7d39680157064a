"""Watches a run for what it does with processes and their like, and asks the rules."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from mpsafe_lint.crossings.observer import Crossings
from mpsafe_lint.crossings.processes import chosen_method
from mpsafe_lint.findings import ErrorText, Finding, Span
from mpsafe_lint.habits import starting, table
from mpsafe_lint.habits.globals_ import Name, Shared
from mpsafe_lint.habits.quiet import quietly
from mpsafe_lint.habits.reach import MOST, reachable
from mpsafe_lint.habits.reading import OTHERWISE, Reading, reading_by_iter, reading_of, reads_all
from mpsafe_lint.habits.syntax import Syntax
from mpsafe_lint.habits.trace import Event, Place, Subject, Trace, family_of, places
from mpsafe_lint.knowledge.boundaries import ALWAYS
from mpsafe_lint.knowledge.rules import code_of
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values import attributes
from mpsafe_lint.values.frames import Call, Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.statements import main_blocks
from mpsafe_lint.values.values import (
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

READS = frozenset({("queue", "get"), ("queue", "iter"), ("pipe", "recv")})
"""What waits for an item of a queue or a message, by family and name."""

SUBMITS = {
    "pool": ("apply_async", "map_async", "starmap_async", "imap", "imap_unordered"),
    "executor": ("submit", "map"),
}
"""The methods, by family, that give a result to be asked for later."""

FUNCTIONS = {
    "torch.multiprocessing.spawn": ("spawn", "start"),
    "torch.multiprocessing.start_processes": ("spawn", "start"),
    "signal.signal": ("signal", "signal"),
    "os.kill": ("signal", "kill"),
    "os.killpg": ("signal", "kill"),
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
        *("print", "len", "isinstance", "issubclass", "repr", "str", "id", "type", "hasattr", "getattr"),
        *("bool", "iter", "zip", "enumerate", "map", "filter", "range", "reversed", "functools.partial", "super"),
        *("callable", "int", "float", "format", "vars"),
    }
)
"""Functions after which what they were given is still seen: they keep nothing, or the machine knows what they keep."""


HANDED_TO_WORKERS = ("process", "pool", "executor", "spawn")
"""Families whose calls hand what they are given to workers, whose side is run."""


WHOLE_RUN = 100_000
"""Values that are looked at for what a whole run gives away."""

FORKSERVER_SINCE = (3, 14)
"""The Python from which on Linux has another default than fork."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A habit at a place. `methods` are the start methods under which it matters; `error` is what Python then prints,
    where it prints anything."""

    kind: str
    span: Span
    message: str
    methods: tuple[str, ...]
    outcome: str | None = None
    error: str = ""


@dataclass(slots=True)
class Habits:
    """What the runs of a program were seen to do with processes. `postponed` is what a generator does after a yield:
    it is taken to be done at the end, as a context manager does it.

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
    shared: dict[tuple[int, Span], Shared] = field(default_factory=dict)
    postponed: list[Event] = field(default_factory=list)
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
        if call.frame.importing and isinstance(call.result, Instance) and starting.constructor_starts(call.result):
            _ = call.result.slots  # constructs it, where that was put off
        events = list(self._events(machine, call))
        if not events and not self.made:
            return
        trace = self.trace_of(call.frame, opens=bool(events))
        if events and _follows_a_yield(call.frame):
            self.postponed += events
        else:
            self._take(machine, trace, events)
        if call.callee is not None:
            for on_return in table.ON_RETURN:
                on_return(self, machine, call)
        elif trace.events:
            self._let_go(trace, call, events)

    def _take(self, machine: Machine, trace: Trace, events: Iterable[Event]) -> None:
        for event in events:
            trace.add(event)
            for on_event in table.ON_EVENT:
                on_event(self, machine, event)

    def finish(self, machine: Machine, frame: Frame) -> None:
        """End a run: ask the rules that look at the whole of it."""
        for event in self.postponed:
            self._take(machine, self.trace_of(event.call.frame, opens=True), [event])
        self.postponed.clear()
        is_program = machine.as_main is not None
        trace = self._with_import(machine, self.trace, frame.module) if is_program else self.trace
        if trace.events:
            given_away = [*machine.handed_out, *_finalised(machine)]
            if not is_program:
                given_away += _module_variables(machine)
            self.escape(trace, given_away, WHOLE_RUN)
            trace.complete = trace.complete and machine.exhausted == self._exhausted
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
        if not main_blocks(module):
            self.escape(whole, _used_by_functions(machine.module_scope(module), module))
        return whole

    def trace_of(self, frame: Frame, opens: bool = False) -> Trace:
        """Return the trace that a frame's events belong to."""
        root = frame
        while root.caller is not None:
            root = root.caller
        if not root.importing:
            return self.trace
        return (
            self.imports.setdefault(root.module.path, Trace()) if opens else self.imports.get(root.module.path, Trace())
        )

    # -- events ---------------------------------------------------------------------------------------------------

    def _events(self, machine: Machine, call: Call) -> Iterable[Event]:
        """Yield what a call does to objects of the families."""
        receiver = call.receiver
        if call.callee is None:
            if isinstance(receiver, (Opaque, Instance)) and (family := self._family(receiver)):
                yield from self._of_method(machine, call, family, receiver)
            elif call.arguments.positional:
                yield from self._of_arguments(machine, call)
        made = call.result
        is_new = isinstance(made, (Opaque, Instance)) and made.site == call.span and id(made) not in self.made
        if is_new and (family := family_of(made)):
            yield self._event(machine, call, "new", family, made)  # type: ignore[arg-type]

    def _of_method(self, machine: Machine, call: Call, family: str, receiver: Subject) -> Iterable[Event]:
        name = call.name.rpartition(".")[2]
        yield self._event(machine, call, name, family, receiver)
        if name in SUBMITS.get(family, ()) and isinstance(call.result, Opaque):
            self._results[id(call.result)] = call.result
            yield self._event(machine, call, "new", "result", call.result)

    def _of_arguments(self, machine: Machine, call: Call) -> Iterable[Event]:
        """Yield what functions do to the objects that they are given."""
        first = call.arguments.positional[0]
        if call.name in FUNCTIONS:
            family, name = FUNCTIONS[call.name]
            yield self._event(machine, call, name, family, Opaque(call.name, call.span))
        elif call.name == "iter" and len(call.arguments.positional) > 1:
            queue = first.self if isinstance(first, Bound) else None
            if isinstance(queue, Opaque) and self._family(queue) == "queue":
                yield self._event(machine, call, "iter", "queue", queue)
        elif call.name == "multiprocessing.Process.__init__" and isinstance(first, Instance) and family_of(first):
            yield self._event(machine, call, "__init__", "process", first)
        elif call.name.endswith(".run_in_executor"):
            for one in alternatives(first):
                if isinstance(one, Opaque) and self._family(one) == "executor":
                    yield self._event(machine, call, "submit", "executor", one)
        elif call.name in READERS:
            for one in call.arguments.values():
                if isinstance(one, Opaque) and id(one) in self._results:
                    yield self._event(machine, call, "read", "result", one)

    def _family(self, value: Subject) -> str | None:
        return "result" if id(value) in self._results else family_of(value)

    def _event(self, machine: Machine, call: Call, name: str, family: str, subject: Subject) -> Event:
        worker = machine.workers[-1] if machine.workers else None
        path = places(call, worker)
        reading = self._reading(machine, call, name) if (family, name) in READS else None
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
        path = places(call, machine.workers[-1] if machine.workers else None)
        for i, place in enumerate(path):
            node = self.node_at(place.frame.module, place.span)
            if node is None:
                return None
            reading = reading_of(
                self.syntax(place.frame.module),
                node,
                lambda one, frame=place.frame: quietly(machine, one, frame),  # type: ignore[misc]
            )
            if reading is not None:
                whole = not reading.yields or (i + 1 < len(path) and self._is_iterated(path[i + 1]))
                return reading if whole else replace(reading, ends=OTHERWISE)
        return None

    def _is_iterated(self, place: Place) -> bool:
        """Whether a call gives a generator that is iterated there to its end."""
        node = self.node_at(place.frame.module, place.span)
        return node is not None and reads_all(self.syntax(place.frame.module), node)

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
        self.escape(trace, call.arguments.values())
        if isinstance(call.receiver, Function):
            self.escape(trace, [call.receiver])

    def _only_waits(self, call: Call) -> bool:
        """Whether a call waits for results, and nobody takes what it gives."""
        if call.name != "concurrent.futures.wait":
            return False
        node = self.node_at(call.frame.module, call.span)
        return node is not None and isinstance(self.syntax(call.frame.module).parents.get(node), ast.Expr)

    def escape(self, trace: Trace, values: Iterable[Value], most: int = MOST) -> None:
        """Note that objects can be used by code that isn't seen."""
        trace.escaped |= {id(cell) for cell in reachable(values, most)}

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
        call: Call | None,
        methods: tuple[str, ...] = ALWAYS,
        outcome: str | None = None,
        error: str = "",
    ) -> None:
        """Report a habit, unless the program never runs with the start methods under which it matters. `call` tells
        the context that it asks for, where one does."""
        possible = self.crossings.possible(machine, call, methods) if call is not None else methods
        if possible:
            self.say(Sighting(kind, span, f"{message} ({error})" if error else message, possible, outcome, error))

    def say(self, sighting: Sighting) -> None:
        """Keep what is seen in the project's own files."""
        if sighting.span.path in self.files:
            self.found.setdefault((sighting.kind, sighting.span), sighting)

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
                errors=(ErrorText("", one.error),) if one.error else (),
                methods=one.methods,
                outcome=one.outcome,
            )
            for key, one in self.found.items()
            if key not in self.cleared
        ]


def _follows_a_yield(frame: Frame) -> bool:
    """Tell whether a call comes after a yield of its function, or of one that led there: others go on in between."""
    return any(one.yields and not one.comprehension for one in frame.stack())


def _runs_known_code(process: Subject) -> bool:
    """Tell whether what a process runs is a function of the program."""
    if isinstance(process, Instance) and isinstance(attributes.find_in_class(process.cls, "run"), Function):
        return True
    target = process.get("_target") if isinstance(process, Instance) else process.arguments.get(1, "target")
    return target is not None and all(_is_known_code(one) for one in alternatives(target))


def _is_known_code(value: Value) -> bool:
    if isinstance(value, Partial):
        return all(_is_known_code(one) for one in alternatives(value.function))
    if isinstance(value, Instance):
        return isinstance(attributes.find_in_class(value.cls, "__call__"), Function)
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
