"""What a run does with processes, queues, pools and their like: events, in order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mpsafe_lint.crossings.processes import is_process_class
from mpsafe_lint.findings import Span
from mpsafe_lint.habits.reading import Reading
from mpsafe_lint.values.frames import Call, Frame, Guard, Worker
from mpsafe_lint.values.values import Constant, Instance, Opaque, Value

FAMILIES = {
    "multiprocessing.Queue": "queue",
    "multiprocessing.JoinableQueue": "queue",
    "multiprocessing.SimpleQueue": "queue",
    "multiprocessing.connection.Connection": "pipe",
    "multiprocessing.Process": "process",
    "multiprocessing.Pool": "pool",
    "concurrent.futures.ProcessPoolExecutor": "executor",
    "torch.utils.data.DataLoader": "loader",
    "torch_geometric.loader.DataLoader": "loader",
    "multiprocessing.Event": "flag",
    "multiprocessing.managers.SyncManager": "manager",
    "multiprocessing.shared_memory.SharedMemory": "memory",
    "threading.Thread": "thread",
    "_thread.lock": "lock",
    "_thread.RLock": "lock",
}
"""What the rules look at, by type. Queues, pools and executors of threads are none of their business. What a pool or an
executor gives for a task belongs to the family `result`; its type doesn't tell, for those of threads give the same."""


Subject = Opaque | Instance
"""What belongs to a family: an object of a library, or an instance of a class that derives from one of its."""


def family_of(value: object) -> str | None:
    """Return which family an object belongs to, where it belongs to any."""
    if isinstance(value, Opaque):
        return None if value.type.rpartition("]")[2].startswith(".") else FAMILIES.get(value.base_type)
    if isinstance(value, Instance) and is_process_class(value.cls):
        return "process"
    return None


@dataclass(frozen=True, slots=True)
class Place:
    """A call in one function of the stack: the frame, where the call stands, and in what."""

    frame: Frame
    span: Span
    guards: tuple[Guard, ...]

    @property
    def function_name(self) -> str:
        return self.frame.function.name.rpartition(".")[2] if self.frame.function is not None else ""


def places(call: Call, worker: Worker | None) -> tuple[Place, ...]:
    """Return the places that lead to a call, innermost first: on the worker's side up to where the worker begins."""
    found: list[Place] = []
    frame, span = call.frame, call.span
    outside = worker.call.frame if worker is not None else None
    while True:
        function = _function_frame(frame)
        found.append(Place(function, span, frame.guards))
        if function.caller in (None, outside) or function.call_span is None:
            return tuple(found)
        frame, span = function.caller, function.call_span


def _function_frame(frame: Frame) -> Frame:
    """Return the frame of the function or module that a comprehension or the body of a class stands in."""
    while (frame.comprehension or frame.scope.is_class) and frame.caller is not None:
        frame = frame.caller
    return frame


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something that happens to an object of a family. `name` is the method, or `new` where the object is made.

    `worker` is the process on whose side it happens, None for the parent; `reading` tells of a `get` which loop it
    stands in.
    """

    name: str
    family: str
    subject: Subject
    call: Call
    path: tuple[Place, ...]
    worker: Worker | None
    reading: Reading | None = None

    @property
    def span(self) -> Span:
        return self.call.span

    @property
    def guards(self) -> Iterator[Guard]:
        """What it stands in, from the call outwards to where the worker, or the run, begins."""
        return (guard for place in self.path for guard in reversed(place.guards))

    @property
    def site(self) -> tuple[Span, ...]:
        """The calls by which the program gets there: the same for each turn of a loop."""
        return tuple(place.span for place in self.path)

    def within(self, *kinds: str) -> bool:
        """Tell whether it stands in any of these guards."""
        return any(guard.kind in kinds for guard in self.guards)

    def in_loop(self) -> bool:
        return self.within("loop", "endless-loop")

    def times(self) -> int | None:
        """Return how often it happens, as far as loops tell; None where that is not known."""
        result = 1
        for guard in self.guards:
            if guard.kind == "endless-loop" or (guard.kind == "loop" and guard.times is None):
                return None
            result *= guard.times or 1
        return result


@dataclass(slots=True)
class Trace:
    """The events of a run. `escaped` holds the ids of the objects that went where the run can't see what becomes of
    them; `complete` is false where part of the run was left out."""

    events: list[Event] = field(default_factory=list)
    by_subject: dict[int, list[Event]] = field(default_factory=lambda: defaultdict(list))
    escaped: set[int] = field(default_factory=set)
    complete: bool = True

    def add(self, event: Event) -> None:
        self.events.append(event)
        self.by_subject[id(event.subject)].append(event)

    def of(self, subject: Subject, *names: str) -> list[Event]:
        """Return what happens to an object, of these names or of all."""
        return [one for one in self.by_subject.get(id(subject), ()) if not names or one.name in names]

    def all(self, family: str, *names: str) -> Iterator[Event]:
        return (one for one in self.events if one.family == family and (not names or one.name in names))

    def subjects(self, family: str) -> list[Subject]:
        """Return the objects of a family, in the order in which they turn up."""
        return list({id(one.subject): one.subject for one in self.events if one.family == family}.values())


def distinct(events: Iterable[Event]) -> list[Event]:
    """Return one event for each site."""
    return list({event.site: event for event in reversed(list(events))}.values())[::-1]


def constant(value: Value | None) -> object:
    """Return what a constant holds; ... for anything else."""
    return value.value if isinstance(value, Constant) else ...
