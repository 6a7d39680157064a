"""Watches what multiprocessing pickles, and says more than its error does where that fails.

Only what fails costs anything: a pickler's `dump` and `loads` get a `try` round them. Modules are watched once they are
imported; none is imported for that. In this process a report follows the traceback that it belongs to: it is printed
after an uncaught exception, at the end of the process, or a moment later where nothing of that comes.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing costs more than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, ModuleType
    from typing import Any

SECONDS = 0.3
"""How long a report waits for the traceback that it should follow."""

ENDING = 30
"""How many seconds the end of a process may wait for a report that is being made."""

REPORTS = 20
"""How many different failures are told in one process; the others are counted."""

_CALLERS = 20
"""Frames that are looked through for the program's line that submits a task."""

_PUTS = 200
"""Items of queues whose lines are kept: more than wait for their thread, as a rule."""

_puts: list[tuple[int, str, int]] = []
"""The identities of the items that were put into queues last, and where."""

_HERE = os.path.dirname(os.path.abspath(__file__))
_installed = False


def install() -> None:
    """Watch this process, and the Python processes that it starts from now on. A second call does nothing.

    Children are reached by a `sitecustomize` on PYTHONPATH, so not those that are started with -E, -I or -S.
    """
    global _installed
    if _installed:
        return
    _installed = True
    children = os.path.join(_HERE, "children")
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if children not in paths:
        os.environ["PYTHONPATH"] = os.pathsep.join([children, *paths])
    for name, change in _CHANGES.items():
        module = sys.modules.get(name)
        if module is not None:
            change(module)
    sys.meta_path.insert(0, _Importer())
    before = sys.excepthook

    def excepthook(*error: Any) -> None:
        before(*error)
        flush(raised=error[1])

    sys.excepthook = excepthook
    import atexit

    atexit.register(flush, final=True)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget)


class _Importer:
    """Changes a module right after it was imported for the first time."""

    def __init__(self) -> None:
        self._finding: set[str] = set()

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> Any:
        """Find the module as usual, and have its loader change it."""
        if name not in _CHANGES or name in self._finding:
            return None
        from importlib.util import find_spec

        self._finding.add(name)
        try:
            spec = find_spec(name)
        finally:
            self._finding.discard(name)
        loader = getattr(spec, "loader", None)
        execute = getattr(loader, "exec_module", None)
        if loader is None or execute is None:
            return spec

        def exec_module(module: ModuleType) -> None:
            loader.__dict__.pop("exec_module", None)
            execute(module)
            _CHANGES[name](module)

        loader.exec_module = exec_module
        return spec


# What is changed in the modules.


def _watch_pickler(module: Any) -> None:
    """multiprocessing.reduction: all that is sent goes through this class."""
    pickler = module.ForkingPickler
    save, load = pickler.dump, pickler.loads

    def dump(self: Any, obj: object) -> None:
        try:
            save(self, obj)
        except Exception as error:
            _cannot_save(error, obj, "multiprocessing", sys._getframe(1))
            raise

    def loads(data: Any, *args: Any, **options: Any) -> Any:
        try:
            return load(data, *args, **options)
        except Exception as error:
            _cannot_load(error, data, sys._getframe(1))
            raise

    pickler.dump, pickler.loads = dump, staticmethod(loads)


def _watch_loky(module: Any) -> None:
    """The reduction of loky, which pickles with cloudpickle."""
    save = module.dump

    def dump(obj: object, file: Any, *args: Any, **options: Any) -> None:
        try:
            save(obj, file, *args, **options)
        except Exception as error:
            name = module.get_loky_pickler_name()
            _cannot_save(error, obj, name if name in ("pickle", "dill") else "cloudpickle", sys._getframe(1))
            raise

    module.dump = dump


def _watch_processes(module: Any) -> None:
    """multiprocessing.process: a child prints its traceback, and ends without exit handlers."""
    run = module.BaseProcess._bootstrap

    def _bootstrap(self: Any, *args: Any, **options: Any) -> Any:
        try:
            return run(self, *args, **options)
        finally:
            flush(final=True)

    module.BaseProcess._bootstrap = _bootstrap


def _watch_spawn(module: Any) -> None:
    """multiprocessing.spawn: a child that can't load what it was started with ends there."""
    run = module._main

    def _main(*args: Any, **options: Any) -> Any:
        try:
            return run(*args, **options)
        except Exception as error:
            _cannot_load(error, b"", sys._getframe(1))
            raise

    module._main = _main


def _watch_pool(module: Any) -> None:
    for name in ("apply_async", "_map_async", "imap", "imap_unordered"):
        _keep_callers(module.Pool, name)


def _watch_executor(module: Any) -> None:
    _keep_callers(module.ProcessPoolExecutor, "submit")


def _watch_queues(module: Any) -> None:
    """Note where items were put last, since a thread pickles them later."""
    put, note, frame_of = module.Queue.put, _puts.append, sys._getframe

    def noted(self: Any, obj: object, *args: Any, **options: Any) -> Any:
        caller = frame_of(1)
        note((id(obj), caller.f_code.co_filename, caller.f_lineno))
        if len(_puts) > 2 * _PUTS:
            del _puts[:-_PUTS]
        return put(self, obj, *args, **options)

    _stand_in(module.Queue, "put", noted)


def _keep_callers(kind: Any, name: str) -> None:
    """Have a method note in its result where it was called, since the task is pickled in another thread."""
    method = getattr(kind, name)

    def call(self: Any, /, *args: Any, **options: Any) -> Any:
        result = method(self, *args, **options)
        if hasattr(result, "__dict__"):  # not a generator, which joins the chunks of imap
            result._mpsafe_called = _callers(sys._getframe(1), _CALLERS)
        return result

    _stand_in(kind, name, call)


def _stand_in(kind: Any, name: str, function: Any) -> None:
    """Put a function in the place of a method, under its name."""
    method = getattr(kind, name)
    function.__name__, function.__qualname__, function.__doc__ = name, method.__qualname__, method.__doc__
    function.__module__, function.__wrapped__ = method.__module__, method
    setattr(kind, name, function)


def _callers(frame: FrameType | None, count: int) -> list[tuple[str, int]]:
    lines: list[tuple[str, int]] = []
    while frame is not None and len(lines) < count:
        lines.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return lines


_CHANGES: dict[str, Callable[[Any], None]] = {
    "multiprocessing.reduction": _watch_pickler,
    "multiprocessing.process": _watch_processes,
    "multiprocessing.spawn": _watch_spawn,
    "multiprocessing.pool": _watch_pool,
    "multiprocessing.queues": _watch_queues,
    "concurrent.futures.process": _watch_executor,
    "loky.backend.reduction": _watch_loky,
    "joblib.externals.loky.backend.reduction": _watch_loky,
}


# What is told.

_waiting: list[Any] = []  # reports that follow a traceback which may still come
_tellers: list[Any] = []  # threads that make a report
_told: dict[Any, Any] = {}  # by what makes two failures the same one
_untold = 0
_local: Any = None


def _cannot_save(error: Exception, obj: object, serializer: str, frame: FrameType) -> None:
    if _is_telling():
        return
    feeding, called = _submitted(obj, frame)

    def make() -> Any:
        from mpsafe_lint.runtime import reports

        return reports.not_saved(error, obj, serializer, frame, called)

    if feeding:  # a queue drops all other items if its thread is still busy at the exit
        _aside(lambda: _tell(make))
    else:
        _tell(make)


def _submitted(obj: Any, frame: FrameType | None) -> tuple[bool, Callable[[], list[tuple[str, int]]]]:
    """Tell whether this is the thread of a program's queue, and where the object was submitted, if by another thread.

    That may be noted only a moment later, since it fails before the call that submits it returns.
    """
    noted = [(path, line) for item, path, line in reversed(_puts) if item == id(obj)]
    result: Any = None
    feeding = False
    while frame is not None:
        if frame.f_code.co_name == "_handle_tasks" and isinstance(obj, tuple) and obj:
            result = frame.f_locals.get("cache", {}).get(obj[0])
        elif frame.f_code.co_name == "_feed":
            feeding = type(obj).__name__ != "_CallItem"  # who submitted a task waits for it
            queue = getattr(frame.f_locals.get("onerror"), "__self__", None)  # an executor's
            task = getattr(queue, "pending_work_items", {}).get(getattr(obj, "work_id", None))
            result = getattr(task, "future", None)
        frame = frame.f_back
    return feeding, lambda: getattr(result, "_mpsafe_called", None) or noted


def _aside(tell: Callable[[], None]) -> None:
    import threading

    thread = threading.Thread(target=tell, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # no thread can be started while the interpreter ends
        tell()
    else:
        _tellers.append(thread)


def _cannot_load(error: Exception, data: Any, frame: FrameType) -> None:
    if _is_telling():
        return

    def make() -> Any:
        from mpsafe_lint.runtime import reports

        return reports.not_loaded(error, data, frame)

    _tell(make)


def _is_telling() -> bool:
    return getattr(_state(), "telling", False)


def _state() -> Any:
    """Return what holds `telling`, for each thread: a report in the making may pickle, and isn't told of."""
    global _local
    if _local is None:
        import threading

        _local = threading.local()
    return _local


def _tell(make: Callable[[], Any]) -> None:
    """Make a report, and print it in its turn. Nothing that goes wrong here may reach the program."""
    global _untold
    state = _state()
    state.telling = True
    try:
        if len(_told) >= REPORTS:
            _untold += 1
            return
        report = make()
        if report is None:
            return
        known = _told.setdefault(report.key, report)
        if known is not report:
            known.times += 1
            return
        _waiting.append(report)
        if report.at_once:
            flush()
        else:
            _flush_later()
    except Exception as problem:
        _write(f"mpsafe-trace: no explanation: {type(problem).__name__}: {problem}\n")
    finally:
        state.telling = False


def _flush_later() -> None:
    import threading

    timer = threading.Timer(SECONDS, flush)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:  # no thread can be started while the interpreter ends
        flush()


def flush(raised: BaseException | None = None, final: bool = False) -> None:
    """Print the reports that wait. `raised` is an exception whose traceback was just printed; `final`: it's the end."""
    global _untold
    while final and _tellers:
        _tellers.pop().join(ENDING)
    told_before = [report for report in _told.values() if report not in _waiting]
    while _waiting:
        try:
            report = _waiting.pop(0)
        except IndexError:  # another thread was faster
            break
        report.printed = report.times
        _write(str(report))
    if raised is not None:
        for report in told_before:
            if report.belongs_to(raised):
                _write(f"mpsafe-trace: this is the failure told above: {report.title}\n")
    if final:
        if _untold:
            _write(f"mpsafe-trace: {_untold} more failures in this process\n")
            _untold = 0
        for report in _told.values():
            if report.times > report.printed:
                _write(f"mpsafe-trace: {report.times - report.printed} times more: {report.title}\n")
                report.printed = report.times


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except Exception:  # closed, or replaced by something that can't be written to
        if sys.__stderr__ is not None and not sys.__stderr__.closed:
            sys.__stderr__.write(text)


def _forget() -> None:
    """A forked child tells its own failures alone."""
    global _untold
    _untold = 0
    _waiting.clear()
    _tellers.clear()
    _told.clear()
