"""`explain` names every value that can't be sent, by its path, with the line that set it."""

from __future__ import annotations

import multiprocessing
import pickle
import socket
import sys
import threading
import types
from pathlib import Path
from typing import Any

import pytest
import samples

from mpsafe_lint.knowledge.rules import BY_KIND
from mpsafe_lint.runtime import Explanation, Failure, assert_mp_safe, explain

LINES = Path(samples.__file__).read_text().splitlines()


def line(mark: str) -> int:
    """The line of samples.py that ends in this comment."""
    found = [number for number, text in enumerate(LINES, 1) if f"  # {mark}" in f"{text} " + "\n"]
    assert len(found) == 1, mark
    return found[0]


def told(explanation: Explanation) -> list[tuple[str, str, int | None]]:
    """Path, code and line of each failure."""
    return [(one.path, one.code, one.line.line if one.line else None) for one in explanation]


def test_paths_through_attributes_and_lists() -> None:
    dataset = samples.Dataset()
    dataset.trainer.callbacks[1].start()
    explanation = explain(dataset)
    assert told(explanation) == [
        ("Dataset.config.names", "MPS101", line("names")),
        ("Dataset.trainer.callbacks[1]._thread", "MPS108", line("thread")),
    ]
    thread = explanation[1]
    assert thread.steps == (".trainer", ".callbacks", "[1]", "._thread")
    assert thread.type == "threading.Thread" and thread.inside[-1] in ("._lock", "._handle")
    assert thread.advice == BY_KIND["thread-object"].advice


def test_literals_partials_defaults_and_what_fills_a_list() -> None:
    assert told(explain(samples.Tables())) == [
        ("Tables.by_name['squares']", "MPS104", line("squares")),
        ("Tables.counts<func>", "MPS102", line("counts")),
        ("Tables.partial<args>['key']", "MPS101", line("partial")),
        ("Tables.streams[0]", "MPS104", line("streams")),
        ("Tables.streams[1]", "MPS104", line("streams")),
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (samples.Slotted(), ("Slotted.lock", "MPS108", line("lock"))),
        (samples.Frozen(), ("Frozen.names", "MPS101", line("frozen"))),
        (samples.Reduced({}.keys()), ("Reduced<args>[0]", "MPS201", None)),
        (samples.Trap(), ("Trap.view", "MPS101", line("trapped"))),
        (samples.set_from_outside(), ("Bare.opened", "MPS107", line("outside"))),
        (samples.made_in_function(), ("Point", "MPS206", line("namedtuple"))),
        ({"a": [{}.keys()]}, ("obj['a'][0]", "MPS201", None)),
        ([types], ("obj[0]", "MPS210", None)),
        ((samples.closure(),), ("obj[0]", "MPS202", line("closure"))),
        (samples.Pair(1, 2), ("Couple", "MPS212", line("bound to another name"))),
        (samples.Dataset().config.names.__len__, ("obj<self>", "MPS201", None)),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) and value and isinstance(value[0], str) else "",
)
def test_one_value(value: object, expected: tuple[str, str, int | None]) -> None:
    assert told(explain(value)) == [expected]


def test_what_reduces_itself_counts() -> None:
    assert explain(samples.Stateful()).ok
    assert explain(threading.Lock).ok and explain([1, "a", None, range(3), {2.5: (b"", ...)}]).ok


def test_a_local_class_and_what_its_instance_holds() -> None:
    failures = explain([samples.local_class()()])
    assert [(one.path, one.code) for one in failures] == [("obj[0]", "MPS206"), ("obj[0].view", "MPS101")]
    assert failures[0].origin and failures[0].origin.line == line("local class")


def test_shared_and_cyclic_values_are_told_once() -> None:
    view = {}.keys()
    cycle: list[Any] = [view]
    cycle.append(cycle)
    assert [one.path for one in explain({"one": cycle, "two": view})] == ["obj['one'][0]"]


def test_closures_go_along_with_cloudpickle() -> None:
    pytest.importorskip("cloudpickle")
    assert told(explain(samples.closure(), "cloudpickle")) == [("obj<closure lock>", "MPS208", line("captured"))]
    assert explain([lambda: 1, {}.keys()], "cloudpickle").ok


def test_dill() -> None:
    pytest.importorskip("dill")
    assert explain([lambda: 1, threading.Lock()], "dill").ok
    assert [one.path for one in explain([lambda: 1, (one for one in "a")], "dill")] == ["obj[1]"]


def test_start_methods() -> None:
    lock = multiprocessing.get_context("spawn").Lock()
    assert [one.kind for one in explain([lock])] == ["mp-object"]
    assert explain([lock], start_method="spawn").ok
    inherited = explain([threading.Lock()], start_method="fork")
    assert inherited.ok and "inherited" in str(inherited)


def test_handles_and_registered_reducers_are_those_of_multiprocessing() -> None:
    ours, theirs = multiprocessing.Pipe()
    with socket.socket() as opened:
        threads = threading.active_count()
        assert explain([ours, theirs, opened]).ok
        assert threading.active_count() == threads  # nothing was duplicated: that takes a thread which serves it
        assert [one.path for one in explain({"s": opened}, "pickle")] == ["obj['s']"]
    ours.close()
    theirs.close()
    assert explain(ours)[0].error == "OSError: handle is closed"


def test_data_in_bulk_is_not_copied() -> None:
    numpy = pytest.importorskip("numpy")
    import tracemalloc

    holder = samples.Reduced(numpy.zeros(4_000_000))
    tracemalloc.start()
    try:
        assert explain([holder, {}.keys()], "pickle").failures[0].path == "obj[1]"
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()
    objects = numpy.array([1, lambda: 1], dtype=object)
    assert [one.kind for one in explain(objects)] == ["lambda"]


def test_text_and_data() -> None:
    explanation = explain(samples.Dataset())
    failure = explanation[0]
    assert isinstance(failure, Failure) and len(explanation) == 1 and bool(explanation) and not explanation.ok
    text = str(explanation)
    assert "Dataset.config.names: dict view cannot be pickled (TypeError: cannot pickle 'dict_keys' object)" in text
    assert f"samples.py:{line('names')}: self.names = ranges.keys()" in text
    assert "MPS101: keep a list: list(...)" in text
    assert str(explain([])) == "obj (multiprocessing): can be sent"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("picle",), "unknown serializer 'picle': one of multiprocessing, pickle, cloudpickle, dill"),
        (("multiprocessing", "swap"), "unknown start method 'swap': one of fork, spawn, forkserver, or None"),
        (("pickle", "spawn"), "a start method is for serializer 'multiprocessing', not for 'pickle'"),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        explain([], *arguments)


class Raising:
    def __getstate__(self) -> Any:
        raise OSError("the disk is gone")


class ReducingBadly:
    def __reduce__(self) -> Any:
        return 5


class Recursing:
    def __getattr__(self, name: str) -> Any:
        return getattr(self, name + "_")


class Changing:
    """Grows whenever it is looked at."""

    def __init__(self) -> None:
        self.items = {"a": {}.keys()}

    def __getstate__(self) -> Any:
        self.items[f"k{len(self.items)}"] = {}.values()
        return self.__dict__


class Deleted:
    pass


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (Raising(), "OSError: the disk is gone"),
        (ReducingBadly(), "PicklingError: __reduce__ must return a string or tuple"),
    ],
)
def test_an_object_that_refuses_by_itself(value: object, error: str) -> None:
    failures = explain({"x": value})
    assert [one.path for one in failures] == ["obj['x']"] and error in failures[0].error


def test_an_object_whose_getattr_recurses() -> None:
    failures = explain([Recursing(), {}.keys()])
    assert "obj[1]" in [one.path for one in failures]


def test_an_object_that_changes_meanwhile() -> None:
    assert "Changing.items['a']" in [one.path for one in explain(Changing())]


def test_a_class_deleted_from_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Deleted()
    monkeypatch.delattr(sys.modules[__name__], "Deleted")
    failure = explain([gone])[0]
    assert (failure.path, failure.kind) == ("obj[0]", "misnamed")


def test_ten_thousand_lists_in_each_other() -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    failures = explain(deep)
    assert len(failures) == 1 and failures[0].error.startswith("RecursionError")
    del failures
    while deep:  # taken apart level by level, or its end recurses as well
        deep = deep.pop()


def test_beyond_the_walk_the_pickler_has_the_last_word() -> None:
    deep: list[Any] = [lambda: 1]
    for _ in range(150):
        deep = [deep]
    failures = explain(deep)
    assert [one.kind for one in failures] == ["lambda"] and failures[0].path == "obj"


def test_a_million_entries() -> None:
    entries: dict[int, Any] = dict.fromkeys(range(1_000_000), (1, "a"))
    entries[5] = {}.keys()
    assert [one.path for one in explain(entries)] == ["obj[5]"]


@pytest.mark.parametrize(
    ("value", "path", "mark", "error"),
    [
        (
            samples.TwoArgumentsError("lamp", 3),
            "TwoArgumentsError",
            "super",
            "missing 1 required positional argument: 'missing'",
        ),
        ({"inner": samples.Proxy([])}, "obj['inner']", None, "RecursionError"),
    ],
)
def test_what_saves_and_does_not_load(value: object, path: str, mark: str | None, error: str) -> None:
    assert explain(value).ok
    explanation = explain(value, check_load=True)
    failure = explanation[0]
    assert (failure.path, failure.kind, failure.phase) == (path, "unloadable", "load")
    assert error in failure.error and failure.origin is not None
    assert mark is None or failure.origin.line == line(mark)
    assert "cannot be loaded again" in str(explanation)


def test_what_loads() -> None:
    assert explain({"fine": samples.Bare()}, start_method="spawn", check_load=True).ok
    unsaved = explain([{}.keys()], check_load=True)
    assert not unsaved.ok and unsaved.notes


def test_assert_mp_safe() -> None:
    assert_mp_safe([1])
    with pytest.raises(AssertionError, match=r"Dataset\.config\.names") as caught:
        assert_mp_safe(samples.Dataset())
    assert [one.path for one in caught.value.failures] == ["Dataset.config.names"]
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
