"""What mpsafe-trace prints: where something was sent, and for each failure in it path, value, line and rule."""

from __future__ import annotations

import gc
import io
import pickle
import re
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from mpsafe_lint.knowledge import errors
from mpsafe_lint.knowledge.rules import BY_KIND, code_of
from mpsafe_lint.runtime import places
from mpsafe_lint.runtime.explanation import Failure, error_text, failure_of, find_refusals, numbered
from mpsafe_lint.runtime.logs import path_of_notes
from mpsafe_lint.runtime.sent import boundary_of, line_of_task, task_of, what_is_sent


@dataclass
class Report:
    """One failure of the running program. `sent_at` finds the line that sent it, which is known only later."""

    error: BaseException
    head: str
    failures: list[Failure]
    sent_at: Callable[[], places.Place | None] = lambda: None
    hint: str = ""
    at_once: bool = False
    times: int = 1
    printed: int = 0
    key: Any = field(init=False)

    def __post_init__(self) -> None:
        self.key = (self.head, tuple((re.sub(r"\d+", "#", one.path), one.code, one.line) for one in self.failures))

    @property
    def title(self) -> str:
        """The first failure in one line."""
        return f"{self.failures[0].path} ({self.failures[0].error})"

    def belongs_to(self, raised: BaseException | None) -> bool:
        """Tell whether an exception is the one that was told, or came of it."""
        seen: set[int] = set()
        while raised is not None and id(raised) not in seen:
            if raised is self.error:
                return True
            seen.add(id(raised))
            raised = raised.__cause__ or raised.__context__
        return False

    def __str__(self) -> str:
        place = self.sent_at()
        process = _process_name()
        times = f", {self.times} times" if self.times > 1 else ""
        lines = [f"mpsafe-trace{f' [{process}]' if process else ''}: {self.head}{times}"]
        if place is not None:
            lines.append(f"  sent at {place}")
        lines += numbered(self.failures)
        if self.hint:
            lines.append(f"  note: {self.hint}")
        return "\n" + "\n".join(lines) + "\n"


def _process_name() -> str:
    process = sys.modules.get("multiprocessing.process")
    if process is None or process.parent_process() is None:
        return ""
    return str(process.current_process().name)


# Saving.

_HEADS = {
    "process-target": "the target of a process",
    "process-args": "the arguments of a process",
    "process-attribute": "a process, with its attributes",
    "pool-task": "a task for a pool",
    "pool-initializer": "the initializer of a pool, or its arguments",
    "executor-task": "a task for an executor",
    "executor-initializer": "the initializer of an executor, or its arguments",
    "dataset-attribute": "a dataset, for a worker of a DataLoader",
    "dataloader-argument": "an argument of a DataLoader",
    "torch-spawn": "what torch.multiprocessing.spawn starts",
    "joblib-task": "a task for joblib",
    "queue-item": "an item for a queue",
    "manager": "a call of a manager",
    "pipe": "what goes through a pipe",
    "result": "what a task returned",
    "other": "an object",
}

_HINTS = {
    "queue-item": "Queue.put has returned without an error; the item is lost, and get() waits for it for ever",
}


def not_saved(
    error: Exception, obj: object, serializer: str, frame: types.FrameType, called: Callable[[], list[tuple[str, int]]]
) -> Report:
    """Return what to say of an object that could not be pickled.

    `frame` is the call that pickles it. `called` returns the calls, as files and lines, that submitted it.
    """
    method = _start_method(obj)
    sent = what_is_sent(obj, frame)
    task = task_of(frame) if sent.boundary == "result" else None
    found = find_refusals(obj, serializer, method)
    if not found:  # it changes meanwhile, or only that pickler refuses it
        found = [((), error)]
    failures: dict[tuple[str, int], Failure] = {}
    for path, reason in found:
        name, used = sent.named(obj, path)
        root = path[used - 1].value if used else obj
        failure = failure_of(root, name, path[used:], reason)
        if failure.set_at is None:
            line = line_of_task(task, path[used:], failure.value) if task is not None else None
            failure = replace(failure, set_at=line or places.variable(failure.value, _frames(frame, failure.value)))
        if not path:  # the walk has not found it: pickle's own notes may tell
            failure = replace(failure, path=failure.path + path_of_notes(getattr(error, "__notes__", [])))
        failures.setdefault((failure.path, id(failure.value)), failure)
    boundary = boundary_of(sent, obj, found[0][0])
    under = f" (under {method})" if method else ""
    return Report(
        error,
        f"{_HEADS[boundary]} cannot be pickled{under}",
        list(failures.values()),
        sent_at=_caller(frame, called),
        hint=_HINTS.get(boundary, "") if not sent.raises else "",
        at_once=boundary == "result" or _is_exiting(),
    )


def _frames(frame: types.FrameType | None, value: object) -> Iterator[types.FrameType]:
    """Yield the calls that are going on, those of this thread first, and at last those that are suspended."""
    while frame is not None:
        yield frame
        frame = frame.f_back
    for other in list(sys._current_frames().values()):
        here: types.FrameType | None = other
        while here is not None:
            yield here
            here = here.f_back
    for holder in gc.get_referrers(value):
        suspended = getattr(holder, "cr_frame", None) or getattr(holder, "gi_frame", None)
        if isinstance(suspended, types.FrameType):
            yield suspended


def _start_method(obj: object) -> str | None:
    """Return the start method of the process that is just being started, if one is."""
    from multiprocessing import context

    popen = context.get_spawning_popen()
    if popen is None:
        return None
    method = getattr(popen, "method", "spawn")
    return method if method in ("spawn", "forkserver") else "spawn"


def _is_exiting() -> bool:
    util = sys.modules.get("multiprocessing.util")
    return bool(util is not None and util.is_exiting())


def _caller(frame: types.FrameType, called: Callable[[], list[tuple[str, int]]]) -> Callable[[], places.Place | None]:
    """Return a function that finds the line of the program which sent something: in the stack, or as noted."""
    at_once = places.of_frame(frame)
    if at_once is not None:
        return lambda: at_once

    def find() -> places.Place | None:
        for path, line in called():
            if not places.is_library(path) and not path.startswith("<"):
                return places.at(path, line)
        return None

    return find


# Loading.


def not_loaded(error: Exception, data: Any, frame: types.FrameType) -> Report | None:
    """Return what to say of an object that was received and could not be made anew.

    `data` is what was received; empty for what a process is started with. None where that is not what failed.
    """
    text = error_text(error)
    exception, _, message = text.partition(": ")
    found = errors.match(message, exception.rpartition(".")[2])
    if found and found.row.name == "gone":
        return None  # its owner has ended meanwhile
    if not data and (found is None or found.row.phase != "load"):
        return None  # the main module could not be imported, say
    kind = found.kind if found and found.kind == "misnamed" else "unloadable"
    names = found.names if found else {}
    culprit = _culprit(error, data, names)
    name = culprit.__qualname__ if culprit is not None else names.get("name", "obj")
    origin = places.making(culprit, text) if culprit is not None else None
    advice = BY_KIND[kind].advice
    failure = Failure(name, (), name, text, kind, code_of(kind), advice, None, origin, (), "load", culprit)
    what = "what came from another process" if data else "what a process was started with"
    return Report(error, f"{what} cannot be loaded", [failure], hint=_loading_hint(frame))


def _loading_hint(frame: types.FrameType | None) -> str:
    """Say what becomes of the program, where it isn't told: it depends on the thread that receives."""
    while frame is not None:
        for function, hint in _LOADING_HINTS.items():
            if frame.f_code.co_name == function:
                return hint
        frame = frame.f_back
    return ""


_LOADING_HINTS = {
    "_handle_results": "the pool receives nothing any more: get(), map() and join() wait for ever",
    "wait_result_broken_or_wakeup": "the executor is broken by it: all its futures raise BrokenProcessPool",
}


def _culprit(error: BaseException, data: Any, names: dict[str, str]) -> type | None:
    """Return the class that can't be made anew: the one whose method failed, or that the error names."""
    trace = error.__traceback__
    while trace is not None:
        if not places.is_library(trace.tb_frame.f_code.co_filename):
            code = trace.tb_frame.f_code
            first = code.co_varnames[:1]
            owner = trace.tb_frame.f_locals.get(first[0]) if first else None
            if code.co_name in ("__init__", "__setstate__", "__new__", "__getattr__"):
                return owner if isinstance(owner, type) else type(owner)
        trace = trace.tb_next
    named = names.get("cls", "").rpartition(".")[2]
    return next((kind for kind in reversed(_classes_in(data)) if kind.__name__ == named), None)


def _classes_in(data: Any) -> list[type]:
    """Return the classes named in pickled data, without making anything of it: what it asks for is a dummy."""
    found: list[type] = []

    class Dummy:
        def __init__(self, *args: object, **options: object) -> None:
            pass

        def __setstate__(self, state: object) -> None:
            pass

        def __setitem__(self, key: object, value: object) -> None:
            pass

        def append(self, item: object) -> None:
            pass

    class Reader(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            value: Any = sys.modules.get(module)
            for part in name.split("."):
                value = getattr(value, part, None)
            if isinstance(value, type):
                found.append(value)
            return Dummy

    with suppress(Exception):
        Reader(io.BytesIO(bytes(data))).load()
    return found
