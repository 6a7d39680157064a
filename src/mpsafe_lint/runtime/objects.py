"""Real objects as pickle sees them: which it refuses, and which parts of the others it saves next."""

from __future__ import annotations

import copyreg
import pickle
import sys
import types
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any

from mpsafe_lint.pickling.walk import Part, Saved

SERIALIZERS = ("multiprocessing", "pickle", "cloudpickle", "dill")
"""`multiprocessing`: its ForkingPickler, with what is registered there. `pickle`: plain `pickle.dumps`."""

START_METHODS = ("fork", "spawn", "forkserver")

_ATOMS = frozenset(
    [type(None), bool, int, float, complex, str, bytes, bytearray, type(...), type(NotImplemented), range]
)
_SAVED: Saved[object, Exception] = Saved()
_FEW = 100
"""Items up to which a small container is looked through at once rather than walked."""


class Sink:
    """Takes what a pickler writes, and keeps nothing."""

    def write(self, data: Any) -> int:
        """Forget `data`."""
        return len(data)


class _Starting:
    """Stands for a process that is being started, as what multiprocessing asks for while it pickles one."""

    def duplicate_for_child(self, handle: int) -> int:
        """Return the handle as it is: nothing is really started."""
        return handle

    def DupFd(self, handle: int) -> int:  # noqa: N802 (the name that multiprocessing calls)
        """Return the handle as it is: nothing is really started."""
        return handle


@contextmanager
def as_if(start_method: str | None) -> Iterator[None]:
    """Pickle as multiprocessing does while it starts a process, or outside of that (`start_method` None)."""
    from multiprocessing import context

    before = context.get_spawning_popen()
    context.set_spawning_popen(_Starting() if start_method else None)  # type: ignore[arg-type]
    try:
        yield
    finally:
        context.set_spawning_popen(before)


class Objects:
    """Real objects as one serializer sees them: an `ObjectGraph` for the walk.

    A pickler is asked for what it would do with a single object; its parts are left to the walk. Data in bulk (tensors,
    arrays) and handles that multiprocessing would duplicate are taken for saved, since pickling them costs or leaks.
    Raises ValueError for an unknown serializer, ModuleNotFoundError for one that isn't installed.
    """

    def __init__(self, serializer: str = "multiprocessing") -> None:
        self._class = pickler_class(serializer)
        self._pickler = self._class(Sink())
        self._table = getattr(self._pickler, "dispatch_table", copyreg.dispatch_table)
        self._override: Callable[[object], Any] | None = getattr(self._pickler, "reducer_override", None)
        self._kept: list[object] = []  # what reducing made: an id must not be given anew while the walk goes on

    def key(self, value: object) -> Hashable:
        """Identity, as in pickle's memo."""
        return id(value)

    def save(self, value: object) -> Saved[object, Exception]:
        """Say what pickle does with `value`: it refuses it with an exception, or saves its parts."""
        saved = saved_as_data(value)
        if saved is not None:
            return saved
        try:
            if is_opaque(value, self._table):
                return _SAVED
            reduced = self._reduce(value)
            self._kept.append(reduced)
            if isinstance(reduced, str):
                self.attempt(value)
                return _SAVED
            return self._parts(value, reduced)
        except Exception as error:
            return Saved(refusal=error.with_traceback(None))  # frames would keep what they hold alive

    def attempt(self, value: object) -> None:
        """Pickle `value` for good, parts and all, except for data in bulk. Raises what the pickler raises."""
        self._class(Sink()).dump(value)

    def _reduce(self, value: object) -> Any:
        """Return what `value` is reduced to: a tuple as of `__reduce__`, or a name if the pickler knows it itself."""
        if self._override is not None:
            reduced = self._override(value)
            if reduced is not NotImplemented:
                return reduced
        kind = type(value)
        if kind in (types.FunctionType, type, pickle.PickleBuffer):
            return ""
        reduce = self._table.get(kind)
        if reduce is not None:
            return reduce(value)
        if issubclass(kind, type):
            return ""
        try:
            reduce = value.__reduce_ex__
        except AttributeError:
            return value.__reduce__()
        return reduce(pickle.DEFAULT_PROTOCOL)

    def _parts(self, value: object, reduced: Any) -> Saved[object, Exception]:
        """Return the parts in a reduced value, in the order in which pickle saves them."""
        if not _is_well_formed(value, reduced):
            self.attempt(value)  # says what is wrong with it
            return _SAVED
        func, args, state, items, pairs, setter = (*reduced, None, None, None, None)[:6]
        items = list(items) if items is not None else []
        pairs = list(pairs) if pairs is not None else []
        self._kept += [items, pairs]
        parts = [*_made_from(value, func, args)]
        if setter is not None:
            parts.append(Part("<func>", setter))
        parts += [*_items(items), *_pairs(pairs), *_state(value, state)]
        return Saved(parts=worth_walking(parts))


def objects_of(serializer: str) -> Objects:
    """Return the objects as a serializer sees them. Raises as `Objects` does."""
    if serializer == "dill":
        from mpsafe_lint.runtime.dilled import DillObjects

        return DillObjects()
    return Objects(serializer)


def saved_as_data(value: object) -> Saved[object, Exception] | None:
    """Say what every pickler does with an atom or a builtin container; None for the rest."""
    kind = type(value)
    if kind in _ATOMS:
        return _SAVED
    if kind not in _CONTAINERS:
        return None
    try:
        return Saved(parts=worth_walking(_CONTAINERS[kind](value)))
    except RuntimeError as error:  # it changes all the time
        return Saved(refusal=error.with_traceback(None))


def worth_walking(parts: Iterable[Part[object]]) -> list[Part[object]]:
    """Leave out the parts that pickle for certain."""
    return [part for part in parts if not _is_plain(part.value)]


_PICKLERS = {
    "multiprocessing": ("multiprocessing.reduction", "ForkingPickler"),
    "pickle": ("pickle", "Pickler"),
    "cloudpickle": ("cloudpickle", "CloudPickler"),
    "dill": ("dill", "Pickler"),
}


def pickler_class(serializer: str) -> Any:
    """Return a pickler class of the serializer that takes data in bulk for saved. Raises as `Objects` does."""
    if serializer not in _PICKLERS:
        raise ValueError(f"unknown serializer {serializer!r}: one of {', '.join(SERIALIZERS)}")
    module, name = _PICKLERS[serializer]
    base: Any = getattr(import_module(module), name)

    class Probe(base):  # type: ignore[misc]
        """The serializer's pickler, except for data in bulk."""

        dump = pickle.Pickler.dump if serializer == "multiprocessing" else base.dump  # not the one that is watched

        def reducer_override(self, value: object) -> Any:
            if is_opaque(value, getattr(self, "dispatch_table", copyreg.dispatch_table), serializer != "dill"):
                return bool, ()
            override = getattr(super(), "reducer_override", None)
            return NotImplemented if override is None else override(value)

    return Probe


def is_opaque(value: object, table: Any = copyreg.dispatch_table, subclasses: bool = True) -> bool:
    """Tell whether `value` pickles for certain, but only by copying much or by duplicating a handle.

    `table` is the pickler's table of reducers; `subclasses` says that a memmap is sent as an array.
    Raises OSError for a connection that is closed.
    """
    kind = type(value)
    module = kind.__module__
    if module == "array" and kind.__name__ == "array":
        return True
    if module in ("multiprocessing.connection", "socket") and kind in table:
        value.fileno()  # type: ignore[attr-defined]
        return True
    torch = sys.modules.get("torch")
    tensor = getattr(torch, "Tensor", None)
    if tensor is not None and issubclass(kind, tensor):
        return bool(getattr(value, "is_leaf", True) or not getattr(value, "requires_grad", False) or kind not in table)
    if module in ("torch.storage", "torch") and kind.__name__.endswith("Storage"):
        return True
    array = getattr(sys.modules.get("numpy"), "ndarray", None)
    if array is not None and (issubclass(kind, array) if subclasses else kind is array):
        plain = kind.__reduce__ is array.__reduce__ and kind.__reduce_ex__ is array.__reduce_ex__
        return bool(plain and not value.dtype.hasobject)  # type: ignore[attr-defined]
    return False


def _is_plain(value: object) -> bool:
    """Tell whether `value` pickles for certain: an atom, or a small container of atoms."""
    kind = type(value)
    if kind in _ATOMS:
        return True
    return (kind is tuple or kind is list) and len(value) < _FEW and all(type(item) in _ATOMS for item in value)  # type: ignore[arg-type,attr-defined]


def _is_well_formed(value: object, reduced: Any) -> bool:
    """Tell whether a reduced value is one that pickle takes."""
    if type(reduced) is not tuple or not 2 <= len(reduced) <= 6:
        return False
    func, args = reduced[:2]
    if not callable(func) or type(args) is not tuple:
        return False
    if getattr(func, "__name__", "") in ("__newobj__", "__newobj_ex__"):
        return bool(args) and getattr(args[0], "__new__", None) is not None and args[0] is value.__class__
    return True


def _items(values: Any) -> Iterator[Part[object]]:
    return (Part(f"[{index}]", value) for index, value in enumerate(values) if type(value) not in _ATOMS)


def _pairs(pairs: Any) -> Iterator[Part[object]]:
    for key, value in pairs:
        if type(key) not in _ATOMS:
            yield Part(f"[{short(key)}]", key)
        if type(value) not in _ATOMS:
            yield Part(f"[{short(key)}]", value)


def _snapshot(value: Any) -> list[Any]:
    """Return the items of a container that another thread may change meanwhile."""
    for _ in range(10):
        try:
            return list(value)
        except RuntimeError:  # changed size during iteration
            continue
    return list(value)


_CONTAINERS: dict[type, Callable[[Any], Iterator[Part[object]]]] = {
    list: lambda value: _items(_snapshot(value)),
    tuple: _items,
    set: lambda value: _items(_snapshot(value)),
    frozenset: _items,
    dict: lambda value: _pairs(_snapshot(value.items())),
}


def _made_from(value: object, func: Any, args: tuple[Any, ...]) -> Iterator[Part[object]]:
    """Return the parts of a reduced value that are the function that makes it anew and the arguments of that."""
    kind = type(value)
    if isinstance(value, (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)):
        yield Part("<self>", value.__self__)
        yield from (Part("", part) for part in args if part is not value.__self__)
    elif issubclass(kind, partial):
        yield from _call(value.func, value.args, value.keywords)  # type: ignore[attr-defined]
    elif kind in (map, filter):
        yield from _call(args[0], args[1:], {})
    elif kind is types.FunctionType:
        yield from captured(value)
    elif getattr(func, "__name__", "") == "__newobj__":
        yield Part("", args[0])
        fields = getattr(kind, "_fields", None) if issubclass(kind, tuple) else None
        yield from attributes(zip(fields, value, strict=False)) if fields else _call(None, args[1:], {})  # type: ignore[call-overload]
    elif getattr(func, "__name__", "") == "__newobj_ex__":
        yield Part("", args[0])
        yield from _call(None, args[1], args[2])
    elif issubclass(kind, defaultdict):
        yield Part("", func)
        yield from (Part("<func>", factory) for factory in args)
    else:
        yield Part("" if func is kind else "<func>", func)
        yield from _call(None, args, {})


def _call(func: object, args: Any, keywords: dict[str, Any]) -> Iterator[Part[object]]:
    if func is not None:
        yield Part("<func>", func)
    yield from (Part(f"<args>{part.step}", part.value) for part in (*_items(args), *_pairs(keywords.items())))


def captured(function: Any) -> Iterator[Part[object]]:
    """Return what a function takes along that is sent by value: what it captures, and its defaults."""
    if not isinstance(function, types.FunctionType):
        return
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield Part(f"<closure {name}>", cell.cell_contents)
        except ValueError:  # not yet bound
            continue
    for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        yield Part("<defaults>", default)


def _state(value: object, state: Any) -> Iterator[Part[object]]:
    """Return the parts of a state. One that isn't made of attributes has no step of its own."""
    if state is None:
        return
    if isinstance(state, tuple) and len(state) == 2 and all(part is None or type(part) is dict for part in state):
        told = _TOLD if type(value) is types.FunctionType else ()
        for part in state:
            yield from attributes((key, item) for key, item in (part or {}).items() if key not in told)
    elif type(state) is dict:
        yield from attributes(_snapshot(state.items()))
    else:
        yield Part("", state)


_TOLD = ("__closure__", "__defaults__", "__kwdefaults__")
"""What of a function's state `captured` tells."""


def attributes(pairs: Any) -> Iterator[Part[object]]:
    """Return the parts of a state that is made of attributes."""
    for key, value in pairs:
        if type(value) not in _ATOMS:
            named = isinstance(key, str) and key.isidentifier()
            yield Part(f".{key}" if named else f"[{short(key)}]", value)


def short(value: object, limit: int = 60) -> str:
    """Return a repr that is safe to make: short, and of no object that may do something when asked for one."""
    kind = type(value)
    if kind in _ATOMS or isinstance(value, (type, types.FunctionType, types.ModuleType, types.GeneratorType)):
        try:
            text = repr(value)
        except Exception:
            text = object.__repr__(value)
        return text if len(text) <= limit else f"{text[: limit - 1]}…"
    return f"<{type_name(kind)} object>"


def type_name(kind: type) -> str:
    """Return the name of a type, with its module unless that is builtins."""
    module = getattr(kind, "__module__", None)
    return kind.__qualname__ if module in (None, "builtins") else f"{module}.{kind.__qualname__}"
