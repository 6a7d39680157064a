"""What was on its way when pickling failed: which boundary, and what its author calls the thing that was sent.

Libraries pack what they are given: a pool's task is a tuple, a process has its arguments in `_args`. A path is named
from what the program handed over: `args[0]`, `func`, `initargs[0]`.
"""

from __future__ import annotations

import re
import types
from collections.abc import Sequence
from typing import Any, NamedTuple

from mpsafe_lint.pickling.walk import Part
from mpsafe_lint.runtime import places
from mpsafe_lint.runtime.explanation import root_name


class Sent(NamedTuple):
    """Where a value crosses: `boundary` is one of the linter's, `names` give steps within what is pickled a name.

    `raises` says that the error comes up in the program where it sends; else it goes another way, or none.
    """

    boundary: str
    names: tuple[tuple[str, str], ...] = ()
    raises: bool = True

    def named(self, root: object, path: Sequence[Part[object]]) -> tuple[str, int]:
        """Return the name of what was handed over, and how many steps of the path lead there."""
        steps = [part.step for part in path]
        text = "".join(steps)
        for pattern, name in self.names:
            found = re.match(pattern, text)
            if found:
                used, length = 0, 0
                while length < found.end():
                    length += len(steps[used])
                    used += 1
                return found.expand(name), used
        return root_name(root), 0


_POOL_TASK = ((r"\[2\]", "func"), (r"\[3\]", "args"), (r"\[4\]", "kwds"))
_POOL_MAP = ((r"\[3\]\[0\]\[0\]", "func"), (r"\[3\]\[0\]\[1\]\[\d+\]", "an item of iterable"))
_EXECUTOR_TASK = ((r"\.fn", "fn"), (r"\.args", "args"), (r"\.kwargs", "kwargs"))
_EXECUTOR_MAP = (
    (r"\.fn<args>\[0\]|\.fn<func>", "fn"),
    (r"\.args\[0\]\[\d+\]\[\d+\]", "an item of iterables"),
)
_JOBLIB_TASK = (
    (r"\.fn<args>\[0\]\[\d+\]\[0\]", "func"),
    (r"\.fn<args>\[0\]\[\d+\]\[1\]", "args"),
    (r"\.fn<args>\[0\]\[\d+\]\[2\]", "kwargs"),
    *_EXECUTOR_TASK,
)

_CALLS = {
    ("multiprocessing.pool", "_handle_tasks"): Sent("pool-task", _POOL_TASK, raises=False),
    ("multiprocessing.queues", "_feed"): Sent("queue-item", (("", "item"),), raises=False),
    ("multiprocessing.managers", "_callmethod"): Sent("manager", ((r"\[2\]", "args"), (r"\[3\]", "kwds"))),
    ("multiprocessing.queues", "put"): Sent("queue-item", (("", "item"),)),
    ("multiprocessing.connection", "send"): Sent("pipe", (("", "item"),)),
}
"""By the function that sends. The first one found in the stack of calls tells, in this order."""

_WORKERS = {
    # functions that libraries run in their processes, by module and name: the boundary of each parameter
    ("multiprocessing.pool", "worker"): {"": "pool-initializer"},
    ("concurrent.futures.process", "_process_worker"): {"": "executor-initializer"},
    ("torch.multiprocessing.spawn", "_wrap"): {"": "torch-spawn"},
    ("torch.utils.data._utils.worker", "_worker_loop"): {"": "dataloader-argument", "dataset": "dataset-attribute"},
}
_PARAMETERS = {"init_fn": "worker_init_fn"}
"""What the library calls one of its parameters, and what its users do."""


def what_is_sent(root: object, frame: types.FrameType | None) -> Sent:
    """Tell the boundary from what is pickled, and from the calls that led there."""
    names = {base.__module__ + "." + base.__name__ for base in type(root).__mro__}
    if "multiprocessing.process.BaseProcess" in names:
        return _process(root)
    if type(root).__name__ == "_CallItem":
        return _executor_task(root)
    calls: dict[tuple[str, str], types.FrameType] = {}
    while frame is not None:
        calls.setdefault((frame.f_globals.get("__name__", ""), frame.f_code.co_name), frame)
        frame = frame.f_back
    for (module, function), found in calls.items():
        task = _RESULTS.get((module.removeprefix("joblib.externals."), function))
        if task is not None:
            return _result(task(found.f_locals))
    for key, sent in _CALLS.items():
        if key in calls:
            is_map = key[1] == "_handle_tasks" and getattr(_second(root), "__name__", "") in ("mapstar", "starmapstar")
            return sent._replace(names=_POOL_MAP) if is_map else sent
    return Sent("other")


def _second(root: object) -> object:
    return root[2] if isinstance(root, tuple) and len(root) == 5 else None


def _process(process: Any) -> Sent:
    """A process: its target, its arguments, and its attributes where it is of a class of its own."""
    target = process.__dict__.get("_target")
    code = getattr(target, "__code__", None)
    worker = _WORKERS.get((getattr(target, "__module__", ""), getattr(target, "__name__", "")))
    if worker is None or code is None:
        names = ((r"\._target", "target"), (r"\._args", "args"), (r"\._kwargs", "kwargs"))
        return Sent("process", names)
    parameters = code.co_varnames[: code.co_argcount]
    dataset = process._args[1] if "dataset" in parameters and len(process._args) > 1 else None
    named = [
        (rf"\._args\[{index}\]", type(dataset).__name__ if name == "dataset" else _PARAMETERS.get(name, name))
        for index, name in enumerate(parameters)
    ]
    return Sent(next(iter(worker.values())), tuple(reversed(named)))


def boundary_of(sent: Sent, root: object, path: Sequence[Part[object]]) -> str:
    """Return the boundary that one path crosses: a process's target, arguments and attributes have one each."""
    steps = [part.step for part in path]
    first = steps[0] if steps else ""
    if sent.boundary == "process":
        return {"._target": "process-target", "._args": "process-args", "._kwargs": "process-args"}.get(
            first, "process-attribute"
        )
    if sent.boundary == "dataloader-argument" and steps[1:2] == ["[1]"]:
        return "dataset-attribute"
    return sent.boundary


def _executor_task(item: Any) -> Sent:
    function = item.fn
    if type(function).__name__ == "BatchedCalls":
        return Sent("joblib-task", _JOBLIB_TASK, raises=False)
    inner = getattr(function, "func", None)
    is_map = getattr(inner, "__name__", "") == "_process_chunk"
    return Sent("executor-task", _EXECUTOR_MAP if is_map else _EXECUTOR_TASK, raises=False)


_RESULTS: dict[tuple[str, str], Any] = {
    ("multiprocessing.pool", "worker"): lambda here: (here.get("func"), here.get("args")),
    ("concurrent.futures.process", "_process_worker"): lambda here: _call_of(here.get("call_item")),
    ("loky.process_executor", "_process_worker"): lambda here: _call_of(here.get("call_item")),
}
"""By the function that runs tasks in a worker: the task that it runs, from its local variables."""


def _call_of(item: Any) -> tuple[object, object]:
    return getattr(item, "fn", None), getattr(item, "args", None)


def task_of(frame: types.FrameType | None) -> object:
    """Return the function whose result is being sent back, or None."""
    while frame is not None:
        module = frame.f_globals.get("__name__", "").removeprefix("joblib.externals.")
        found = _RESULTS.get((module, frame.f_code.co_name))
        if found is not None:
            return _innermost(*found(frame.f_locals))
        frame = frame.f_back
    return None


def _innermost(function: Any, args: Any) -> object:
    """Return the program's function in what a library calls for it."""
    if getattr(function, "__name__", "") in ("mapstar", "starmapstar") and args:
        return args[0][0]
    if type(function).__name__ == "BatchedCalls" and function.items:
        return function.items[0][0]
    if getattr(getattr(function, "func", None), "__name__", "") == "_process_chunk":
        return function.args[0]
    return function


def _result(task: tuple[object, object]) -> Sent:
    function = _innermost(*task)
    chunk = r"\[\d+\]" if function is not task[0] and not hasattr(function, "items") else ""
    name = getattr(function, "__qualname__", None) or getattr(getattr(function, "func", None), "__qualname__", "task")
    names = ((rf"(\[2\]\[1\]|\.result){chunk}", f"{name}()"), (r"\[2\]\[1\]|\.result|\.exception|", f"{name}()"))
    return Sent("result", names, raises=False)


def line_of_task(function: object, path: Sequence[Part[object]], value: object) -> places.Place | None:
    """Return the `return` of a task's function that fits what could not be sent back."""
    steps = tuple(part.step for part in path)
    function = getattr(function, "func", function)
    return places.returned(getattr(function, "__func__", function), steps, value)
