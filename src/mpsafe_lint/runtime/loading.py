"""What is saved and doesn't load again, found by loading it in a fresh spawned process."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mpsafe_lint.pickling.walk import Part
from mpsafe_lint.runtime.objects import Objects, objects_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

SECONDS = 60
"""How long one value may take to load, with the imports that it needs."""

_VALUES = 200
"""How many values are loaded one by one to find the culprit."""

Path = tuple[Part[object], ...]


class LoadingError(Exception):
    """The process that should load ended, or hung, before it said anything."""


class _Parcel:
    """Something that is pickled with its process, and unpickled only when the process asks for it."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __reduce__(self) -> Any:
        from multiprocessing.reduction import ForkingPickler

        return bytes, (bytes(ForkingPickler.dumps(self.value)),)


def load_failures(
    obj: object, serializer: str, start_method: str | None
) -> tuple[list[tuple[Path, str]], tuple[str, ...]]:
    """Return the paths to what doesn't load, each with the error text, and notes on what could not be tried."""
    try:
        with _loader(start_method, obj if start_method else None) as loader:
            data = None if start_method else _dumps(obj, serializer)
            error = loader.load(data)
            if error is None:
                return [], ()
            return list(_narrowed(loader, objects_of(serializer), obj, error, serializer)), ()
    except LoadingError as failure:
        return [], (str(failure),)
    except (AssertionError, RuntimeError, OSError) as problem:  # no process can be started here
        return [], (f"could not be loaded: {type(problem).__name__}: {problem}".split("\n")[0],)


class _Loader:
    """A process that loads what it is sent."""

    def __init__(self, connection: Connection, process: Any) -> None:
        self._connection = connection
        self._process = process

    def load(self, data: bytes | None) -> str | None:
        """Load `data`, or what the process was started with (None); return the error or None. Raises LoadingError."""
        try:
            self._connection.send_bytes(data or b"")
            if not self._connection.poll(SECONDS):
                raise LoadingError(f"not loaded within {SECONDS} s")
            return self._connection.recv_bytes().decode() or None
        except (EOFError, OSError):
            self._process.join(5)
            raise LoadingError(
                f"the process that should load it ended with exit code {self._process.exitcode}:"
                ' does the main module start processes outside of `if __name__ == "__main__":`?'
            ) from None


@contextmanager
def _loader(start_method: str | None, obj: object) -> Iterator[_Loader]:
    import multiprocessing

    context = multiprocessing.get_context(start_method or "spawn")
    ours, theirs = context.Pipe()
    parcel = _Parcel(obj) if start_method else b""
    process = context.Process(target=_serve, args=(theirs, parcel), daemon=True)  # type: ignore[attr-defined]
    try:
        process.start()
        theirs.close()
        yield _Loader(ours, process)
    finally:
        ours.close()
        theirs.close()
        if process.pid is not None:
            process.join(5)
            if process.is_alive():
                process.kill()
                process.join()
        process.close()


def _serve(connection: Connection, first: bytes) -> None:
    """Load what comes, say what went wrong, until the other end is closed."""
    while True:
        try:
            data = connection.recv_bytes() or first
        except EOFError:
            return
        try:
            pickle.loads(data)
        except BaseException as error:
            from mpsafe_lint.runtime.explanation import error_text

            connection.send_bytes((error_text(error) or type(error).__name__).encode("utf-8", "replace"))
        else:
            connection.send_bytes(b"")


def _narrowed(loader: _Loader, graph: Objects, root: object, error: str, serializer: str) -> Iterator[tuple[Path, str]]:
    """Yield the innermost values that don't load by themselves."""
    tried = 0
    seen = {id(root)}
    waiting: list[tuple[object, Path, str]] = [(root, (), error)]
    while waiting:
        value, path, why = waiting.pop()
        inner: list[tuple[object, Path, str]] = []
        for part in graph.save(value).parts:
            if id(part.value) in seen or tried >= _VALUES or isinstance(part.value, type):
                continue
            seen.add(id(part.value))
            tried += 1
            try:
                found = loader.load(_dumps(part.value, serializer))
            except LoadingError:
                raise
            except Exception:  # can't be saved outside of the start of a process
                continue
            if found is not None:
                inner.append((part.value, (*path, part), found))
        if inner:
            waiting.extend(reversed(inner))
        else:
            yield path, why


def _dumps(value: object, serializer: str) -> bytes:
    if serializer == "multiprocessing":
        from multiprocessing.reduction import ForkingPickler

        return bytes(ForkingPickler.dumps(value))
    if serializer == "pickle":
        return pickle.dumps(value)
    from importlib import import_module

    return bytes(import_module(serializer).dumps(value))
