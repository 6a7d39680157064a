"""A copy of an object in which what can be made picklable is."""

from __future__ import annotations

import copy
import itertools
import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from mpsafe_lint.pickling.walk import Part, Refusal, Saved, walk
from mpsafe_lint.runtime import places
from mpsafe_lint.runtime.checks import NotSafeError
from mpsafe_lint.runtime.explanation import Failure, error_text, find_failures, kind_of, root_name
from mpsafe_lint.runtime.objects import Objects, as_if, is_opaque, type_name

T = TypeVar("T")

ITEMS = 1_000_000
"""How many items an iterator may give. One that gives more is taken for endless."""

_LISTED = ("dict-view", "generator", "iterator")
_LAZY = (map, filter, zip, enumerate, reversed)
_ENDLESS = (itertools.count, itertools.cycle)


@dataclass(frozen=True)
class Change:
    """What was replaced: its path, its type, and what it became."""

    path: str
    type: str
    became: str

    def __str__(self) -> str:
        return f"{self.path}: {self.type} became {self.became}"


@dataclass(frozen=True)
class Report:
    """What was changed in a copy, what is left that can't be sent, and notes on why it was left."""

    changes: tuple[Change, ...] = ()
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [*map(str, self.changes), *map(str, self.failures), *(f"note: {note}" for note in self.notes)]
        return "\n".join(lines) or "nothing to change"


class SafeCopy(NamedTuple, Generic[T]):
    """A copy, and what was done to it."""

    value: Any
    report: Report


def make_mp_safe(obj: T, strict: bool = False) -> SafeCopy[T]:
    """Return a deep copy of `obj` in which dict views and one-shot iterators are lists, with a report.

    Shared references stay shared and cycles stay cycles. Tensors, arrays, open connections and what can't be made
    picklable are not copied: the copy refers to the same ones. The original keeps its views; but an iterator can be
    read only once, so that one which was made a list is at its end there. In a set, or as a key, it becomes a tuple.
    With `strict`, raises NotSafeError if something is left that can't be sent. If the object can't be copied at all,
    `value` is the object itself, and the report says why.
    """
    plan = _Plan(obj)
    try:
        value: Any = plan.copy(obj)
    except Exception as error:
        plan.changes.clear()
        plan.notes.append(f"not copied: {error_text(error)}")
        value = obj
    failures = find_failures(value, root_name(obj), "multiprocessing", None)
    report = Report(tuple(plan.changes), tuple(failures), tuple(plan.notes))
    if strict and failures:
        raise NotSafeError(f"{len(failures)} left that cannot be sent:\n" + "\n".join(map(str, failures)), failures)
    return SafeCopy(value, report)


class _Recorder(Objects):
    """Notes what a copy should share with the original."""

    def __init__(self) -> None:
        super().__init__()
        self.shared: list[object] = []

    def save(self, value: object) -> Saved[object, Exception]:
        try:
            if is_opaque(value, self._table):
                self.shared.append(value)
        except OSError:  # a connection that is closed: refused below
            pass
        return super().save(value)


@dataclass
class _Listing:
    """An iterator or a view, and the items that it gave. `hashed` says that its place takes no list."""

    value: object
    items: list[Any]
    hashed: bool


@dataclass
class _Plan:
    """What to replace in an object, and what to leave as it is."""

    root: object
    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    listings: list[_Listing] = field(default_factory=list)
    shared: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        known: set[int] = set()
        waiting: list[tuple[object, str]] = [(self.root, root_name(self.root))]
        with as_if(None):
            while waiting:
                root, name = waiting.pop()
                graph = _Recorder()
                for refusal in list(walk(graph, root)):
                    listing = self._listing(root, name, refusal, known)
                    if listing is not None:
                        self.listings.append(listing)
                        waiting.append((listing.items, f"{name}{_text(refusal.path)}"))
                self.shared += graph.shared

    def copy(self, obj: object) -> object:
        """Copy as planned. Raises what copying raises."""
        memo: dict[int, Any] = {id(value): value for value in self.shared}
        lists = [(listing, memo.setdefault(id(listing.value), [])) for listing in self.listings if not listing.hashed]
        for listing in self.listings:
            if listing.hashed:
                memo[id(listing.value)] = tuple(copy.deepcopy(listing.items, memo))
        result = copy.deepcopy(obj, memo)
        for listing, items in lists:
            items.extend(copy.deepcopy(item, memo) for item in listing.items)
        return result

    def _listing(
        self, root: object, name: str, refusal: Refusal[object, Exception], known: set[int]
    ) -> _Listing | None:
        """Return the outermost value on the path that can be a list; else leave the refused one as it is."""
        values = [root, *(part.value for part in refusal.path)]
        for index, value in enumerate(values):
            last = index == len(values) - 1
            if not (_is_lazy(value) or (last and _is_listed(value, refusal.reason))):
                continue
            if id(value) in known:
                return None
            known.add(id(value))
            path = f"{name}{_text(refusal.path[:index])}"
            items = self._read(value, path)
            if items is None:
                break
            hashed = index > 0 and _is_hashed(values[index - 1], value)
            if hashed and not all(isinstance(item, Hashable) for item in items):
                self.notes.append(f"{path}: it lies in a set or is a key, and its items can't be hashed")
                break
            became = "a tuple" if hashed else "a list"
            self.changes.append(Change(path, type_name(type(value)), f"{became} of {len(items)}"))
            return _Listing(value, items, hashed)
        self.shared.append(values[-1])
        return None

    def _read(self, value: Any, path: str) -> list[Any] | None:
        """Return the items of a view or an iterator; None with a note where it has no end, or fails."""
        if isinstance(value, _ENDLESS) or _repeats(value) or places.is_endless(value):
            self.notes.append(f"{path}: {type_name(type(value))} has no end")
            return None
        try:
            items = list(itertools.islice(value, ITEMS + 1))
        except Exception as error:
            self.notes.append(f"{path}: reading it fails: {error_text(error)}")
            return None
        if len(items) > ITEMS:
            self.notes.append(f"{path}: taken for endless: it gave more than {ITEMS:,} items, and lacks them now")
            return None
        return items


def _text(path: Sequence[Part[object]]) -> str:
    return "".join(part.step for part in path)


def _is_lazy(value: object) -> bool:
    return type(value) in _LAZY or type(value).__module__ == "itertools"


def _is_listed(value: object, error: Exception) -> bool:
    kind = type(value)
    if kind.__module__.partition(".")[0] not in sys.stdlib_module_names or not hasattr(kind, "__iter__"):
        return False
    return kind_of(value, value, error_text(error), "save") in _LISTED


def _is_hashed(owner: Any, value: object) -> bool:
    """Tell whether a value is an element of a set or a key of a dict."""
    if isinstance(owner, (set, frozenset)):
        return True
    return isinstance(owner, dict) and any(key is value for key in owner)


def _repeats(value: object) -> bool:
    if not isinstance(value, itertools.repeat):
        return False
    try:
        value.__length_hint__()
    except TypeError:
        return True
    return False
