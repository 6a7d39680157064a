"""`make_mp_safe` copies: what can be made picklable is, what can't is told, and the original stays."""

from __future__ import annotations

import itertools
import pickle
import threading
from collections import OrderedDict, deque, namedtuple
from dataclasses import dataclass
from typing import Any

import pytest

from mpsafe_lint.runtime import NotSafeError, explain, make_mp_safe

Point = namedtuple("Point", "x y")


class Names(list):
    pass


class Table(dict):
    pass


@dataclass(frozen=True)
class Settings:
    names: Any
    table: Any


class Slotted:
    __slots__ = ("items",)


class Node:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def letters() -> Any:
    yield from "abc"


def forever() -> Any:
    while True:
        yield 1


def failing() -> Any:
    yield 1
    raise OSError("gone")


def test_views_become_lists_everywhere() -> None:
    ranges = {"car": 50, "cone": 30}
    slotted = Slotted()
    slotted.items = ranges.items()
    original = Node(
        settings=Settings(ranges.keys(), Table(inner=OrderedDict(a=1).values())),
        point=Point(ranges.values(), [ranges.keys()]),
        names=Names([ranges.keys()]),
        queue=deque([ranges.keys()], maxlen=3),
        slotted=slotted,
        choice={1: (ranges.keys(), {2})},
    )
    copy, report = make_mp_safe(original)
    assert explain(copy).ok and not report.failures
    assert copy.settings == Settings(["car", "cone"], {"inner": [1]}) and type(copy.settings.table) is Table
    assert copy.point == Point([50, 30], [["car", "cone"]]) and type(copy.point) is Point
    assert copy.names == [["car", "cone"]] and type(copy.names) is Names
    assert copy.queue == deque([["car", "cone"]]) and copy.queue.maxlen == 3
    assert copy.slotted.items == [("car", 50), ("cone", 30)] and copy.choice == {1: (["car", "cone"], {2})}
    assert {one.path for one in report.changes} >= {"Node.settings.names", "Node.point.x", "Node.slotted.items"}
    assert type(original.settings.names) is type(ranges.keys()) and original.names[0] is not copy.names[0]


def test_shared_references_and_cycles() -> None:
    items = {"a": [1]}
    original = Node(items=items, values=items.values(), again=None)
    original.again = [original.values, original]
    copy, _ = make_mp_safe(original)
    assert copy.values == [[1]] and copy.values[0] is copy.items["a"] and copy.items["a"] is not items["a"]
    assert copy.again[0] is copy.values and copy.again[1] is copy


def test_iterators_are_read() -> None:
    original = Node(
        letters=letters(),
        squares=(number * number for number in range(3)),
        mapped=map(str, letters()),
        zipped=zip(letters(), {1: 2}.values(), strict=False),
        pairs=itertools.pairwise("abc"),
        nested=iter([letters()]),
    )
    copy, report = make_mp_safe(original)
    assert (copy.letters, copy.squares, copy.mapped) == (["a", "b", "c"], [0, 1, 4], ["a", "b", "c"])
    assert (copy.zipped, copy.pairs) == ([("a", 2)], [("a", "b"), ("b", "c")])
    assert list(copy.nested) == [["a", "b", "c"]] and not report.failures


def test_inside_sets_and_as_keys_tuples() -> None:
    view = {1: "a"}.values()
    copy, report = make_mp_safe([{view}, {view: 1}])
    assert copy == [{("a",)}, {("a",): 1}] and report.changes[0].became == "a tuple of 1"
    unhashable = {1: ["a"]}.values()
    copy, report = make_mp_safe({unhashable})
    assert copy == {unhashable} and len(report.failures) == 1 and "can't be hashed" in report.notes[0]


def test_what_can_not_be_made_safe_is_told_and_shared() -> None:
    original = Node(lock=threading.Lock(), fn=lambda: 1, view={}.keys())
    copy, report = make_mp_safe(original)
    assert copy.lock is original.lock and copy.fn is original.fn and copy.view == []
    assert [one.path for one in report.failures] == ["Node.lock", "Node.fn"]
    assert "Node.view: dict_keys became a list of 0" in str(report) and "MPS108" in str(report)
    with pytest.raises(NotSafeError, match=r"(?s)2 left that cannot be sent:.*Node\.lock.*Node\.fn") as caught:
        make_mp_safe(original, strict=True)
    assert [one.path for one in caught.value.failures] == ["Node.lock", "Node.fn"]
    assert make_mp_safe([1, {}.keys()], strict=True).value == [1, []]


@pytest.mark.parametrize(
    ("endless", "note"),
    [
        (forever(), "generator has no end"),
        (failing(), "reading it fails: OSError: gone"),
        (zip(itertools.count(), map(id, letters()), (one for one in itertools.count()), strict=False), None),
    ],
)
def test_what_has_no_end_is_left(endless: Any, note: str | None) -> None:
    _, report = make_mp_safe(Node(it=endless))
    assert [one for one in report.notes if note and note in one] or (note is None and not report.failures)
    assert bool(report.failures) is (note is not None)


def test_an_endless_generator_that_does_not_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mpsafe_lint.runtime.safe.ITEMS", 100)
    _, report = make_mp_safe([(one for one in itertools.count())])
    assert "taken for endless: it gave more than 100 items" in report.notes[0] and len(report.failures) == 1


def test_tensors_and_arrays_are_not_copied() -> None:
    numpy = pytest.importorskip("numpy")
    original = Node(array=numpy.zeros(3), view={}.keys())
    copy, _ = make_mp_safe(original)
    assert copy.array is original.array and copy.view == []


def test_nothing_to_do() -> None:
    original = {"a": [1, 2]}
    copy, report = make_mp_safe(original)
    assert copy == original and copy is not original and copy["a"] is not original["a"]
    assert str(report) == "nothing to change" and pickle.loads(pickle.dumps(copy)) == original


def test_what_can_not_be_copied_is_given_back() -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    copy, report = make_mp_safe(deep)
    assert copy is deep and "not copied: RecursionError" in report.notes[0] and len(report.failures) == 1
    del copy, report
    while deep:
        deep = deep.pop()
