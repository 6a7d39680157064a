"""Watches the calls of a run for those that hand values to another process."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace

from mpsafe_lint.config import Config
from mpsafe_lint.crossings import datasets, joblib, loaders, processes, tables
from mpsafe_lint.crossings.sending import Sighting, sightings
from mpsafe_lint.findings import Crossing, Span, Step
from mpsafe_lint.knowledge.boundaries import ALWAYS, NOT_FORK, PROCESS_CLASSES, Boundary
from mpsafe_lint.pickling.abstract import AbstractGraph
from mpsafe_lint.pickling.opinion import Opinion, opinion
from mpsafe_lint.values.frames import Call, Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import Cell, Opaque, Value


@dataclass(slots=True)
class Crossings:
    """What the runs of a program were seen to send.

    `loaded` says of each dataset class whether the loaders seen to get an instance have workers; `seen` of which
    crossing classes an instance that somebody made was looked at. `pending` holds processes and loaders that were made
    and have not been started yet, with the call that made them; `sent` what was sent, `used` the datasets that the
    parent reads itself. `joblib_configs` are the blocks round what is run that set a backend.
    """

    config: Config
    asks_for_fork: bool = False
    uses_manager: frozenset[str] = frozenset()
    found: list[Sighting] = field(default_factory=list)
    opinions: list[tuple[Crossing, Opinion]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    loaded: dict[str, set[bool]] = field(default_factory=lambda: defaultdict(set))
    pending: dict[int, tuple[Cell, Call]] = field(default_factory=dict)
    sent: set[int] = field(default_factory=set)
    used: set[int] = field(default_factory=set)
    extra_calls: dict[str, Boundary] = field(default_factory=dict)
    joblib_configs: list[tuple[Frame, Opaque]] = field(default_factory=list)

    def __call__(self, machine: Machine, call: Call) -> None:
        """Look at one call of the run."""
        families = (processes.watch, loaders.watch, joblib.watch)
        if any(watch(self, machine, call) for watch in families):
            return
        tables.watch(self, machine, call)
        datasets.note_used(self, machine, call)

    def begin(self, machine: Machine, frame: Frame) -> None:
        """Begin a run."""

    def finish(self, machine: Machine, frame: Frame) -> None:
        """End a run: what was made and not seen to be started may be started elsewhere, as it is now."""
        for cell, call in list(self.pending.values()):
            if id(cell) in self.sent:
                continue
            send = processes.send if call.name in PROCESS_CLASSES else loaders.send
            send(self, machine, cell, call)
        if not machine.worker_depth:
            datasets.send_built(self, machine, frame)
        self.pending.clear()
        self.sent.clear()
        self.used.clear()

    def send(
        self,
        machine: Machine,
        value: Value,
        call: Call,
        *,
        boundary: str,
        sent: str,
        serializer: str,
        methods: tuple[str, ...],
        outcome: str = "raises",
        unloadable: str = "raises",
        step: str = "",
        sent_class: str | None = None,
        span: Span | None = None,
    ) -> None:
        """Walk a value that is sent, and keep what is refused."""
        methods = self.possible(machine, call, methods)
        if not methods or _is_expected_to_fail(call, boundary):
            return
        where = span or call.span
        graph = self.graph(machine, call, serializer, where)
        crossing = Crossing(where, boundary, serializer, sent, methods, outcome)
        prefix = [Step(step)] if step else []
        with machine.trial():
            known = opinion(graph, value)
            if call.span in machine.chosen_calls:  # a thread may stand beside the process, and what suits it
                known = known.whatever_is_chosen(value)
            self.opinions.append((crossing, known))
            for sighting in sightings(known, value, crossing, unloadable, prefix, sent_class):
                under = sighting.refused.methods
                if under:
                    meant = tuple(one for one in self._allowed(machine, call) if one in under)
                    sighting = replace(sighting, crossing=replace(sighting.crossing, methods=meant))
                if sighting.crossing.methods:
                    self.found.append(sighting)

    def graph(self, machine: Machine, call: Call, serializer: str, where: Span) -> AbstractGraph:
        """Return how the serializer sees the values of this run."""
        files = {where.path, machine.entry_path}
        return AbstractGraph(
            machine,
            call.frame,
            serializer,
            self.config.targets,
            managers=bool(files & self.uses_manager),
            safe_types=frozenset(self.config.safe_types),
            other_context=machine.start_method is None and processes.own_context(call) in NOT_FORK,
        )

    def possible(self, machine: Machine, call: Call, methods: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the start methods that the program may run with; a context that it asks for itself counts."""
        allowed = self._allowed(machine, call)
        if methods == ALWAYS:
            return methods if set(methods) & set(allowed) else ()
        return tuple(method for method in methods if method in allowed)

    def _allowed(self, machine: Machine, call: Call) -> tuple[str, ...]:
        """Return the start methods that the program may run with there."""
        chosen = processes.chosen_method(self, machine, call)
        return (chosen,) if chosen else self.config.start_methods


def _is_expected_to_fail(call: Call, boundary: str) -> bool:
    """Tell whether the program looks whether it fails: a test of it, or `pickle.dumps` in a `try` that catches."""
    if any(guard.kind == "raises" for frame in call.frame.stack() for guard in frame.guards):
        return True
    return boundary == "pickle-call" and any(guard.kind == "try" for guard in call.frame.guards)
