"""The rows of types, against real objects: each is really pickled, and the text compared."""

from __future__ import annotations

import contextlib
import multiprocessing.context
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import popen_spawn_posix
from multiprocessing.reduction import ForkingPickler
from typing import Any

import cloudpickle
import pytest

from knowledge import objects
from mpsafe_lint.knowledge import rules, types
from mpsafe_lint.knowledge.types import libraries, stdlib

HERE = sys.version_info[:2]
EXPRESSIONS = objects.expressions()
ROWS = stdlib.ROWS + libraries.ROWS
STANDARD = {name for row in stdlib.ROWS for name in row.name.split()}

NOT_LOADED = {
    # Plain pickle sends the bare number of the descriptor, and the copy would close it.
    "multiprocessing.connection.Connection",
    # The copy would remove the folder.
    "tempfile.TemporaryDirectory",
}

BUILT_IN_ERRORS = sorted(name for name in STANDARD - set(EXPRESSIONS) - objects.newer() if objects.is_error(name))
"""Exceptions that take one argument: no expression is written out for them."""


class Popen:
    """Stands for the process that is being started, as far as pickling asks it."""

    DupFd = popen_spawn_posix._DupFd

    def duplicate_for_child(self, descriptor: int) -> int:
        return descriptor


def while_spawning(value: object) -> bytes:
    multiprocessing.context.set_spawning_popen(Popen())
    try:
        return bytes(ForkingPickler.dumps(value))
    finally:
        multiprocessing.context.set_spawning_popen(None)


DUMPS: dict[str, Callable[[object], bytes]] = {
    "pickle": pickle.dumps,
    "forking": lambda value: bytes(ForkingPickler.dumps(value)),
    "spawning": while_spawning,
    "cloudpickle": cloudpickle.dumps,
}


@contextlib.contextmanager
def real_streams() -> Iterator[None]:
    """Take pytest's own streams away: some objects hold them."""
    with contextlib.redirect_stdout(sys.__stdout__), contextlib.redirect_stderr(sys.__stderr__):
        captured, sys.stdin = sys.stdin, sys.__stdin__
        try:
            yield
        finally:
            sys.stdin = captured


def shown(error: BaseException) -> str:
    """Return an error as the last line of a traceback has it."""
    kind = type(error)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{module}{kind.__qualname__}: {re.sub('0x[0-9a-f]+', '0x…', str(error))}"


def sent(name: str, value: object, serializer: str = "pickle") -> str:
    """Send an object: empty where it arrives, else the error, with `load ` before it where it came there."""
    try:
        data = DUMPS[serializer](value)
    except Exception as error:
        return shown(error)
    if serializer == "spawning" or name in NOT_LOADED:
        return ""
    try:
        pickle.loads(data)
    except Exception as error:
        return f"load {shown(error)}"
    return ""


@pytest.fixture(autouse=True)
def plain_reducers() -> None:
    """Leave the reducers as they are: `multiprocessing.managers` is imported for its objects."""


def told(name: str, serializer: str = "pickle", subclass: str = "") -> str:
    """Return what the row tells, in the form of `sent`."""
    verdict = types.refusal(name, serializer, HERE, managers=True, subclass=subclass)
    assert not isinstance(verdict, types.Unknown)
    if verdict is None or (verdict.at_load and serializer == "spawning"):
        return ""
    return f"load {verdict.error.text}" if verdict.at_load else verdict.error.text


def row(name: str) -> types.TypeRow:
    found = types.row_of(name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_object_does_what_its_row_tells(name: str) -> None:
    with real_streams():
        value = objects.build(EXPRESSIONS[name])
        outcomes = {serializer: sent(name, value, serializer) for serializer in DUMPS}
    for serializer, outcome in outcomes.items():
        if serializer == "cloudpickle" and outcome.startswith("load "):
            # What fails first in the copy depends on what this process has imported.
            assert told(name, serializer).startswith("load ")
        else:
            assert (serializer, outcome) == (serializer, told(name, serializer))


@pytest.mark.parametrize("name", BUILT_IN_ERRORS)
def test_an_exception_keeps_its_argument(name: str) -> None:
    error = objects.build(name)("a")
    assert pickle.loads(pickle.dumps(error)).args == error.args
    assert row(name).walks


def test_every_type_of_the_standard_library_is_checked() -> None:
    checked = {*EXPRESSIONS, *objects.newer(), *objects.ABSENT, *BUILT_IN_ERRORS}
    assert checked ^ STANDARD == set()


def test_managers_make_lists_of_views() -> None:
    program = "from multiprocessing.reduction import ForkingPickler as P\nP.dumps({}.keys())"
    for managers in (False, True):
        ahead = "import multiprocessing.managers\n" if managers else ""
        run = subprocess.run([sys.executable, "-c", ahead + program], capture_output=True, text=True, timeout=60)
        verdict = types.refusal("dict_keys", "forking", HERE, managers=managers)
        last = run.stderr.strip().splitlines()[-1:]
        assert last == ([verdict.error.text] if isinstance(verdict, types.Refused) else [])


# --------------------------------------------------------------------------------------------------- subclasses

CALLS = {
    # Where the expression of a type is no call of its class.
    "_io.BufferedReader": "Derived_(io.BytesIO())",
    "_io.BufferedWriter": "Derived_(io.BytesIO())",
    "_io.BufferedRandom": "Derived_(io.BytesIO())",
    "_io.FileIO": "Derived_('text')",
    "_io.TextIOWrapper": "Derived_(io.BytesIO())",
    "_io.TextIOWrapper[w]": "Derived_(io.BytesIO())",
    "_io.TextIOWrapper[wrapped]": "Derived_(io.BytesIO())",
    "sqlite3.Connection": "Derived_(':memory:')",
    "sqlite3.Cursor": "Derived_(sqlite3.connect(':memory:'))",
    "random.SystemRandom": "Derived_()",
    "module": "Derived_('a')",
    "_asyncio.Future": "Derived_(loop=kept(asyncio.new_event_loop()))",
    "_asyncio.Task": "task(Derived_)",
    "zoneinfo.ZoneInfo[file]": "Derived_.from_file(io.BytesIO(zone()))",
}


def derived(name: str) -> Any:
    """Return an instance of a subclass of a type."""
    expression = EXPRESSIONS[name]
    called, parenthesis, arguments = expression.partition("(")
    if name in CALLS:
        cls, expression = type(objects.build(EXPRESSIONS[name])), CALLS[name]
    elif parenthesis and re.fullmatch(r"[\w.]+", called) and isinstance(objects.build(called), type):
        cls, expression = objects.build(called), f"Derived_({arguments}"
    else:
        value = objects.build(expression)
        value.__class__ = _subclass(type(value))
        return value
    return objects.build(expression, Derived_=_subclass(cls))


def _subclass(cls: type) -> type:
    """Derive a class that pickle finds by its name."""
    made = type("Derived_", (cls,), {"__module__": __name__})
    globals()["Derived_"] = made
    return made


@pytest.mark.parametrize("name", [name for name in EXPRESSIONS if row(name).inherited and told(name)])
def test_a_subclass_inherits_the_refusal(name: str) -> None:
    with real_streams():
        assert sent(name, derived(name)) == told(name, subclass="Derived_")


DERIVED = (
    "int float complex str bytes bytearray tuple list dict set frozenset collections.OrderedDict "
    "collections.defaultdict collections.Counter collections.deque collections.ChainMap collections.UserDict "
    "collections.UserList collections.UserString datetime.datetime datetime.date datetime.time datetime.timedelta "
    "decimal.Decimal decimal.Context fractions.Fraction pathlib.Path pathlib.PurePath array.array _io.BytesIO "
    "_io.StringIO functools.partial random.Random logging.LoggerAdapter logging.Formatter logging.Filter "
    "logging.NullHandler xml.etree.ElementTree.Element xml.etree.ElementTree.ElementTree configparser.ConfigParser "
    "types.SimpleNamespace ipaddress.IPv4Address ipaddress.IPv6Address ipaddress.IPv4Network ipaddress.IPv6Network "
    "string.Template string.Formatter map zip filter enumerate reversed unittest.TestCase email.message.Message "
    "email.message.EmailMessage ast.AST tempfile.TemporaryDirectory tempfile.SpooledTemporaryFile json.JSONEncoder "
    "argparse.Namespace object zoneinfo.ZoneInfo multiprocessing.shared_memory.SharedMemory "
    "multiprocessing.shared_memory.ShareableList"
)


@pytest.mark.parametrize("name", DERIVED.split())
def test_what_a_subclass_stores_in_self_is_saved_where_the_row_tells_so(name: str) -> None:
    expression = EXPRESSIONS[name]
    if expression.startswith("kept("):
        expression = expression[len("kept(") : -1]
    called, parenthesis, arguments = expression.partition("(")
    if not parenthesis or not re.fullmatch(r"[\w.]+", called):
        arguments = f"{expression})"
    cls = type(objects.build(EXPRESSIONS[name]))
    value = objects.build(f"Derived_({arguments}", Derived_=_subclass(cls))
    if "shared_memory" in name:
        objects.kept(value)
    value.extra = objects.kept(open("text"))  # noqa: SIM115
    assert ("TextIOWrapper" in sent(name, value)) is row(name).keeps_attributes


# --------------------------------------------------------------------------------------------------- parts


class Refusing:
    """Can't be pickled, but what iterating it gives can."""

    def __reduce__(self) -> str:
        raise ValueError("refused")

    def __iter__(self) -> Iterator[int]:
        return iter([1])

    def __bool__(self) -> bool:
        return True


class Yielding:
    """Can be pickled, but its iterator can't."""

    def __iter__(self) -> Iterator[int]:
        yield 1


PARTS = {
    # A call of the type, with PART for one of its arguments, and the position of that.
    "map(PART, [1])": 0,
    "map(str, PART)": 1,
    "map(pow, [1], PART)": 2,
    "filter(PART, [1])": 0,
    "filter(None, PART)": 1,
    "zip([1], PART)": 1,
    "enumerate(PART)": 0,
    "list(PART)": 0,
    "tuple(PART)": 0,
    "set(PART)": 0,
    "collections.deque(PART)": 0,
    "collections.defaultdict(None, {1: PART})": 1,
    "collections.ChainMap({1: PART})": 0,
    "functools.partial(print, PART)": 1,
    "collections.UserList(PART)": 0,
    "operator.itemgetter(PART)": 0,
    "operator.methodcaller('a', PART)": 1,
    "slice(PART)": 0,
    "contextlib.nullcontext(PART)": 0,
    "contextlib.closing(PART)": 0,
    "logging.LoggerAdapter(None, PART)": 1,
    "collections.abc.KeysView(PART)": 0,
    "ValueError(PART)": 0,
    "itertools.chain(PART)": 0,
    "itertools.repeat(PART)": 0,
    "itertools.cycle(PART)": 0,
    "itertools.islice(PART, 0, None)": 0,
    "itertools.accumulate(PART)": 0,
    "itertools.accumulate([1], PART)": 1,
    "itertools.groupby(PART)": 0,
    "itertools.groupby([1], PART)": 1,
    "itertools.starmap(PART, [])": 0,
    "itertools.starmap(print, PART)": 1,
    "itertools.takewhile(print, PART)": 1,
    "itertools.dropwhile(PART, [])": 0,
    "itertools.filterfalse(print, PART)": 1,
    "itertools.compress(PART, [1])": 0,
    "itertools.zip_longest([1], PART)": 1,
    "itertools.combinations(PART, 1)": 0,
    "itertools.permutations(PART)": 0,
    "itertools.product([1], PART)": 1,
}


@pytest.mark.parametrize(("call", "position"), PARTS.items())
def test_parts_are_held_as_the_row_tells(call: str, position: int) -> None:
    name = call.partition("(")[0]
    if told(name):
        assert told(name) == sent(name, objects.build(call, PART=[1]))
        return
    held = row(name).holds[min(position, len(row(name).holds) - 1)]
    parts: dict[str, Iterable[object]] = {"value": Refusing(), "iterator": Yielding(), "items": [Refusing()]}
    refused = {kind: bool(sent(name, objects.build(call, PART=part))) for kind, part in parts.items()}
    if "{1: PART}" in call:
        assert refused == {"value": True, "iterator": False, "items": True}
    else:
        assert refused == {"value": held == "value", "iterator": held == "iterator", "items": held != "nothing"}


@pytest.mark.parametrize("name", [name for name in EXPRESSIONS if row(name).finite == "always"])
def test_what_always_ends_can_be_listed(name: str) -> None:
    assert isinstance(list(objects.build(EXPRESSIONS[name])), list)


# --------------------------------------------------------------------------------------------------- the tables


@pytest.mark.parametrize("given", ROWS, ids=lambda given: given.name.split()[0])
def test_a_row_is_consistent(given: types.TypeRow) -> None:
    every = [given.errors, given.forking, given.spawning, given.managers, given.cloudpickle, given.dill]
    assert given.rule == "" or given.rule in {rule.kind for rule in rules.VALUES}
    assert bool(given.rule) == any(every), "a rule without an error, or an error without a rule"
    assert given.finite in {"", "always", "sources", "never"}
    assert set(given.holds) <= {"value", "iterator", "items", "nothing"}
    assert set(given.loads) <= set(types.SERIALIZERS)
    assert given.source
    for texts in every:
        for version in [(3, minor) for minor in range(8, 16)]:
            assert sum(types.covers(error.python, version) for error in texts or ()) <= 1, "two texts for one Python"


def test_no_type_has_two_rows() -> None:
    names = [name for given in ROWS for name in given.name.split()]
    assert sorted(names) == sorted(set(names))
    assert set(types.type_names()) == set(names)


def test_a_variant_without_a_row_is_its_type() -> None:
    assert types.errors_of("gzip.GzipFile[other]", "pickle") == types.errors_of("gzip.GzipFile", "pickle")
    assert types.row_of("no.such[type]") is None


def test_an_unknown_type_is_unknown_and_an_unknown_serializer_an_error() -> None:
    assert types.refusal("no.such", "pickle", HERE) is types.UNKNOWN
    assert types.errors_of("no.such", "pickle") == ()
    with pytest.raises(ValueError, match="unknown serializer 'json': one of pickle, forking"):
        types.refusal("dict_keys", "json", HERE)


@pytest.mark.parametrize(
    ("python", "inside", "outside"),
    [
        ("", [(3, 8), (3, 15)], []),
        ("3.8-3.13", [(3, 8), (3, 13), (3, 13, 5)], [(3, 7), (3, 14)]),
        ("3.14+", [(3, 14), (4, 0)], [(3, 13)]),
        ("3.13", [(3, 13)], [(3, 12), (3, 14)]),
    ],
)
def test_ranges(python: str, inside: list[tuple[int, ...]], outside: list[tuple[int, ...]]) -> None:
    assert all(types.covers(python, version) for version in inside)
    assert not any(types.covers(python, version) for version in outside)
