"""Error texts, and whole logs, lead to the rule."""

from __future__ import annotations

import doctest
import pickle
import re
from collections.abc import Callable
from types import ModuleType

import pytest

from mpsafe_lint.knowledge import errors
from mpsafe_lint.knowledge.rules import BY_KIND
from mpsafe_lint.runtime import explain_error, logs

TEXTS = [
    # as tracebacks end under some Python, and the kind behind it
    ("AttributeError: Can't pickle local object 'make.<locals>.<lambda>'", "lambda"),
    ("AttributeError: Can't get local object 'make.<locals>.inner'", "local-function"),
    ("AttributeError: Can't pickle local object 'make.<locals>.Pair'", "local-class"),
    ("_pickle.PicklingError: Can't pickle local object <function make.<locals>.<lambda> at 0x7f3a5c0b9d00>", "lambda"),
    ("_pickle.PicklingError: Can't pickle local object <function f.<locals>.g at 0x7f3a5c0b9d00>", "local-function"),
    ("_pickle.PicklingError: Can't pickle local object <class 'mod.f.<locals>.c'>", "local-class"),
    ("_pickle.PicklingError: Can't pickle local object <enum 'E'>", "local-class"),
    (
        "_pickle.PicklingError: Can't pickle <function <lambda> at 0x7f>: attribute lookup <lambda> on m failed",
        "lambda",
    ),
    ("_pickle.PicklingError: Can't pickle <function <lambda> at 0x7f>: it's not found as m.<lambda>", "lambda"),
    ("_pickle.PicklingError: Can't pickle <function f at 0x7f>: it's not the same object as m.f", "misnamed"),
    ("_pickle.PicklingError: Can't pickle <class 'm.C'>: attribute lookup C on m failed", "misnamed"),
    ("_pickle.PicklingError: Can't pickle <class 'no.C'>: import of module 'no' failed", "misnamed"),
    ("_pickle.PicklingError: Can't pickle <class 'no.C'>: No module named 'no'", "misnamed"),
    ("TypeError: cannot pickle 'dict_keys' object", "dict-view"),
    ("TypeError: cannot pickle 'odict_items' object", "dict-view"),
    ("TypeError: cannot pickle 'generator' object", "generator"),
    ("TypeError: cannot pickle 'itertools.chain' object", "iterator"),
    ("TypeError: cannot pickle '_io.TextIOWrapper' object", "file-handle"),
    ("TypeError: cannot pickle 'TextIOWrapper' instances", "file-handle"),
    ("TypeError: cannot pickle 'BufferedReader' instances", "file-handle"),
    ("TypeError: cannot pickle '_thread.lock' object", "thread-object"),
    ("TypeError: cannot pickle '_thread._ThreadHandle' object", "thread-object"),
    ("TypeError: cannot pickle 'sqlite3.Connection' object", "connection"),
    ("TypeError: h5py objects cannot be pickled", "connection"),
    ("TypeError: cannot pickle 'module' object", "module"),
    ("TypeError: cannot pickle code objects", "internal"),
    ("TypeError: cannot pickle memoryview objects", "internal"),
    ("TypeError: cannot pickle 're.Match' object", "native-object"),
    ("TypeError: cannot pickle 'some.NewType' object", "native-object"),
    ("RuntimeError: Lock objects should only be shared between processes through inheritance", "mp-object"),
    ("NotImplementedError: pool objects cannot be passed between processes or pickled", "mp-object"),
    ("AttributeError: Can't get attribute 'f' on <module '__main__' (built-in)>", "misnamed"),
    ("RecursionError: maximum recursion depth exceeded while pickling an object", "internal"),
    ("AssertionError: daemonic processes are not allowed to have children", "daemon-children"),
    ("ValueError: Pool not running", "closed-pool"),
]


@pytest.mark.parametrize(("text", "kind"), TEXTS)
def test_a_line(text: str, kind: str) -> None:
    found = explain_error(text)
    assert found is not None and (found.kind, found.text) == (kind, text)
    assert found.advice == BY_KIND[kind].advice and found.codes
    bare = explain_error(text.partition(": ")[2])
    assert bare is not None and bare.kind == kind


def test_codes() -> None:
    value = explain_error("TypeError: cannot pickle 'dict_keys' object")
    habit = explain_error("AssertionError: daemonic processes are not allowed to have children")
    assert value and value.codes == ("MPS101", "MPS201") and habit and habit.codes == ("MPS305",)
    assert "MPS101 or MPS201: keep a list: list(...)" in str(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Traceback (most recent call last):",
        "ValueError: invalid literal for int() with base 10: 'x'",
        "TypeError: Thing.__init__() missing 1 required positional argument: 'b'",
        "FileNotFoundError: [Errno 2] No such file or directory: 'data.csv'",
        "AttributeError: module 'numpy' has no attribute 'float'",
        "RecursionError: maximum recursion depth exceeded",
    ],
)
def test_what_has_nothing_to_do_with_pickle(text: str) -> None:
    assert explain_error(text) is None


def test_common_texts_count_where_pickle_is_at_work() -> None:
    log = (
        '  File "/usr/lib/python3.12/multiprocessing/connection.py", line 251, in recv\n'
        "    return _ForkingPickler.loads(buf.getbuffer())\n"
        "TypeError: OutOfStock.__init__() missing 1 required positional argument: 'missing'\n"
    )
    found = explain_error(log)
    assert found is not None and (found.kind, found.phase) == ("unloadable", "load")
    assert found.names == {"cls": "OutOfStock"}


def test_a_log_with_notes() -> None:
    log = """\
epoch 3
Traceback (most recent call last):
  File "train.py", line 40, in <module>
  File "/usr/lib/python3.14/multiprocessing/reduction.py", line 60, in dump
    ForkingPickler(file, protocol).dump(obj)
TypeError: cannot pickle 'dict_keys' object
when serializing list item 0
when serializing dict item 'a'
when serializing dict item 'cfg'
when serializing data.Holder state
when serializing data.Holder object
when serializing tuple item 1
when serializing dict item '_args'
when serializing multiprocessing.context.SpawnProcess state
when serializing multiprocessing.context.SpawnProcess object
"""
    found = explain_error(log)
    assert found is not None and found.path == "._args[1].cfg['a'][0]" and found.codes == ("MPS101",)


def test_what_a_pool_says_of_a_result() -> None:
    reason = """'TypeError("cannot pickle 'generator' object")'"""
    line = f"multiprocessing.pool.MaybeEncodingError: Error sending result: '<x>'. Reason: {reason}"
    found = explain_error(line)
    assert found is not None and found.kind == "generator"


def test_a_text_that_begins_on_the_next_line() -> None:
    log = "RuntimeError: \n        An attempt has been made to start a new process before the\n        current process"
    found = explain_error(log)
    assert found is not None and found.codes == ("MPS301",)


def test_an_exception() -> None:
    with pytest.raises(Exception) as caught:
        pickle.dumps(lambda: 1)
    found = explain_error(caught.value)
    assert found is not None and found.kind == "lambda"


def test_a_group_of_exceptions() -> None:
    found = explain_error(
        "    | TypeError: cannot pickle '_thread.lock' object\n    +------------------------------------"
    )
    assert found is not None and found.kind == "thread-object"


@pytest.mark.parametrize("row", errors.ROWS, ids=lambda row: row.name)
def test_rows(row: errors.ErrorRow) -> None:
    re.compile(row.pattern)
    assert row.kind in BY_KIND or row.name in ("by-type", "local-object")
    assert row.phase in ("save", "load", "run") and row.exceptions
    assert re.fullmatch(r"(3\.\d+(-3\.\d+|\+)?)?", row.pythons)


@pytest.mark.parametrize("kind", sorted(set(errors.KIND_OF_TYPE.values())))
def test_kinds_of_types(kind: str) -> None:
    assert kind in BY_KIND


@pytest.mark.parametrize("module", [errors, logs])
def test_examples(module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    run: Callable[..., doctest.TestResults] = doctest.testmod
    assert run(module).attempted and not run(module).failed
