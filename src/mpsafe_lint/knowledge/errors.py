r"""The error texts that end a program when a value can't cross a process boundary, and what each of them is about.

Texts of saving and of loading were measured, natively on CPython 3.8 to 3.13 and under WebAssembly on 3.14 and 3.15;
those of libraries on 3.11 alone. The rest is from the sources named beside it. Texts are matched whole, in this order.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class ErrorRow(NamedTuple):
    """One error text.

    `kind` is that of the rule (see `rules`); empty where the text alone doesn't tell: then the type or the name in it
    does (`kind_of`), or there is no rule for it. `exceptions` are class names as a traceback prints them, without
    their module. `pythons` is a range, as in `findings.ErrorText`: empty for all. `phase` is `save`, `load` or `run`.
    `common` says that the text is also printed by programs that have nothing to do with pickle: it counts only where
    something else speaks for pickle.
    """

    name: str
    kind: str
    phase: str
    exceptions: tuple[str, ...]
    pythons: str
    pattern: str
    common: bool = False


_ATTRIBUTE, _TYPE, _VALUE, _RUNTIME = ("AttributeError",), ("TypeError",), ("ValueError",), ("RuntimeError",)
_PICKLING = ("PicklingError",)
_ADDRESS = "0x[0-9a-fA-F]+"

ROWS = (
    ErrorRow("local-lambda", "lambda", "save", _ATTRIBUTE, "3.8-3.13",
             r"Can't (?:pickle|get) local object '(?P<qualname>[^']*<lambda>)'"),
    ErrorRow("local-object", "", "save", _ATTRIBUTE, "3.8-3.13",
             r"Can't (?:pickle|get) local object '(?P<qualname>[^']*)'"),
    ErrorRow("local-lambda", "lambda", "save", _PICKLING, "3.14+",
             rf"Can't pickle local object <function (?P<qualname>\S*<lambda>) at {_ADDRESS}>"),
    ErrorRow("local-function", "local-function", "save", _PICKLING, "3.14+",
             rf"Can't pickle local object <function (?P<qualname>\S+) at {_ADDRESS}>"),
    ErrorRow("local-class", "local-class", "save", _PICKLING, "3.14+",
             r"Can't pickle local object <(?:class|enum) '(?P<qualname>[^']+)'>"),
    ErrorRow("local-object", "", "save", _PICKLING, "3.14+", r"Can't pickle local object <(?P<object>.+)>"),
    ErrorRow("module-lambda", "lambda", "save", _PICKLING, "",
             rf"Can't pickle <function (?P<qualname>(?:[\w.]+\.)?<lambda>) at {_ADDRESS}>: "
             r"(?:attribute lookup \S+ on (?P<module>\S+) failed|it's not found as (?P<path>\S+))"),
    ErrorRow("module-lambda", "lambda", "save", _PICKLING, "",
             r"Can't pickle (?P<object><.+>): "
             r"(?:attribute lookup <lambda> on (?P<module>\S+) failed|it's not found as (?P<path>\S*<lambda>))"),
    ErrorRow("rebound-name", "misnamed", "save", _PICKLING, "",
             r"Can't pickle (?P<object>.+): it's not the same object as (?P<path>\S+)"),
    ErrorRow("missing-name", "misnamed", "save", _PICKLING, "",
             r"Can't pickle (?P<object>.+): "
             r"(?:attribute lookup (?P<name>.+) on (?P<module>\S+) failed|it's not found as (?P<path>.+))"),
    ErrorRow("missing-module", "misnamed", "save", _PICKLING, "",
             r"Can't pickle (?P<object>.+): "
             r"(?:import of module '(?P<module>[^']+)' failed|No module named '(?P<module2>[^']+)')"),
    ErrorRow("by-type", "", "save", _TYPE, "", r"cannot pickle '?(?P<type>[^' ]+)'? (?:object|objects|instances)"),
    ErrorRow("slots-old-protocol", "internal", "save", _TYPE, "",
             r"(?:cannot pickle '(?P<cls>\w+)' object: )?a class that defines __slots__ without defining __getstate__ "
             r"cannot be pickled(?: with protocol [01])?"),
    ErrorRow("inherit-only", "mp-object", "save", _RUNTIME, "",
             r"(?P<cls>\w+) objects should only be shared between processes through inheritance"),
    ErrorRow("fork-context", "mp-object", "save", _RUNTIME, "3.11+",
             r"A SemLock created in a fork context is being shared with a process in a spawn context\. .*"),
    ErrorRow("pool", "mp-object", "save", ("NotImplementedError",), "",
             r"pool objects cannot be passed between processes or pickled"),
    ErrorRow("authkey", "mp-object", "save", _TYPE, "",
             r"Pickling an AuthenticationString object is disallowed for security reasons"),
    ErrorRow("ctypes-pointer", "native-object", "save", _VALUE, "",
             r"ctypes objects containing pointers cannot be pickled"),
    ErrorRow("logger-unregistered", "misnamed", "save", _PICKLING, "", r"logger cannot be pickled"),
    ErrorRow("system-random", "native-object", "save", ("NotImplementedError",), "",
             r"System entropy source does not have state\."),
    ErrorRow("zoneinfo-from-file", "native-object", "save", _PICKLING, "3.9+",
             r"Cannot pickle a ZoneInfo file from a file stream\."),
    ErrorRow("picklebuffer", "internal", "save", _PICKLING, "3.8-3.13",
             r"PickleBuffer can only (?:be )?pickled with protocol >= 5"),
    ErrorRow("reduce-bad-value", "internal", "save", _PICKLING, "",
             r"__reduce__ must return a string or tuple(?:, not (?P<type>\S+))?"),
    ErrorRow("not-callable", "internal", "save", _TYPE, "", r"'NoneType' object is not callable", common=True),
    ErrorRow("newobj-class", "internal", "save", _PICKLING, "3.8-3.13",
             r"args\[0\] from __newobj__ args has the wrong class"),
    ErrorRow("too-deep", "internal", "save", ("RecursionError",), "",
             r"maximum recursion depth exceeded while pickling an object"),
    ErrorRow("cython-cinit", "connection", "save", _TYPE, "", r"no default __reduce__ due to non-trivial __cinit__"),
    ErrorRow("cython-pointer", "connection", "save", _TYPE, "",
             r"(?P<attrs>(?:self\.\w+,?)+) cannot be converted to a Python object for pickling"),
    ErrorRow("h5py", "connection", "save", _TYPE, "", r"h5py objects cannot be pickled"),
    ErrorRow("netcdf4", "connection", "save", ("NotImplementedError",), "",
             r"(?P<cls>Dataset|Variable|Group) is not picklable"),
    ErrorRow("torch-script", "native-object", "save", ("PickleError",), "", r"ScriptFunction cannot be pickled"),
    ErrorRow("torch-script", "native-object", "save", _RUNTIME, "",
             r"Tried to serialize object (?P<cls>\S+) which does not have a __getstate__ method defined!"),
    ErrorRow("torch-loader-iterator", "iterator", "save", ("NotImplementedError",), "",
             r"\('\{\} cannot be pickled', '(?P<cls>_\w+DataLoaderIter)'\)"),
    ErrorRow("torch-non-leaf", "internal", "save", _RUNTIME, "",
             r"Cowardly refusing to serialize non-leaf tensor which requires_grad.*"),
    ErrorRow("pil-closed", "file-handle", "save", _VALUE, "", r"Operation on closed image"),
    ErrorRow("fsspec-write", "file-handle", "save", _VALUE, "", r"Cannot serialise open write-mode local file"),
    ErrorRow("getattr-keyerror", "unloadable", "save", ("KeyError",), "3.8-3.10", r"'__getstate__'"),
    # What the receiver prints.
    ErrorRow("missing-name", "misnamed", "load", _ATTRIBUTE, "3.8-3.13",
             r"Can't get attribute '(?P<name>[^']+)' on <module '(?P<module>[^']+)'.*>"),
    ErrorRow("missing-name", "misnamed", "load", _ATTRIBUTE, "3.14+",
             r"module '(?P<module>[^']+)' has no attribute '(?P<name>[^']+)'", common=True),
    ErrorRow("missing-name", "misnamed", "load", _ATTRIBUTE, "3.14+",
             r"Can't resolve path '(?P<name>[^']+)' on module '(?P<module>[^']+)'"),
    ErrorRow("init-args", "unloadable", "load", _TYPE, "",
             r"(?:(?P<cls>[\w.<>]+)\.)?__init__\(\) (?:missing \d+ required (?:positional|keyword-only) arguments?: .+"
             r"|takes .+ positional arguments? but \d+ (?:was|were) given)", common=True),
    ErrorRow("new-args", "unloadable", "load", _TYPE, "",
             r"(?:(?P<cls>[\w.<>]+)\.)?__new__\(\) missing \d+ required positional arguments?: .+", common=True),
    ErrorRow("bound-lambda", "unloadable", "load", _ATTRIBUTE, "",
             r"'(?P<cls>\w+)' object has no attribute '<lambda>'"),
    ErrorRow("private-method", "unloadable", "load", _ATTRIBUTE, "",
             r"'(?P<cls>\w+)' object has no attribute '__(?P<name>\w+?)(?<!__)'", common=True),
    ErrorRow("slots-state", "unloadable", "load", _ATTRIBUTE, "",
             r"'(?P<cls>\w+)' object has no attribute '__dict__'.*", common=True),
    ErrorRow("recursion", "unloadable", "load", ("RecursionError",), "",
             r"maximum recursion depth exceeded.*", common=True),
    ErrorRow("frozen", "unloadable", "load", ("FrozenInstanceError",), "",
             r"cannot assign to field '(?P<name>\w+)'", common=True),
    ErrorRow("gone", "unloadable", "load", ("FileNotFoundError",), "",
             r"\[Errno 2\] No such file or directory.*", common=True),
    ErrorRow("cython-args", "unloadable", "load", _TYPE, "", r"__cinit__\(\) takes exactly .+", common=True),
    ErrorRow("torch-descriptor", "unloadable", "load", _RUNTIME, "",
             r"unable to resize file <filename not specified> to the right size: Invalid argument \(22\)"),
    # What else ends, or wedges, a program that uses processes. Source: Lib/multiprocessing/spawn.py, process.py,
    # pool.py, connection.py and Lib/concurrent/futures/process.py of CPython 3.8 to 3.13.
    ErrorRow("bootstrapping", "no-main-guard", "run", _RUNTIME, "",
             r"An attempt has been made to start a new process before the"
             r"(?: current process has finished its bootstrapping phase\..*)?"),
    ErrorRow("daemon", "daemon-children", "run", ("AssertionError",), "",
             r"daemonic processes are not allowed to have children"),
    ErrorRow("pool-closed", "closed-pool", "run", _VALUE, "", r"Pool not running"),
    ErrorRow("result-handler", "unloadable", "load", ("AssertionError",), "3.8-3.13",
             r"Cannot have cache with result_handl?er not alive"),
    ErrorRow("result-not-sent", "unloadable", "load", ("BrokenProcessPool",), "",
             r"A result has failed to un-serialize\. .*"),
    ErrorRow("task-not-loaded", "unloadable", "load", ("BrokenProcessPool", "TerminatedWorkerError"), "",
             r"A task has failed to un-serialize\. .*"),
)  # fmt: skip

_REPORTED = {
    "dict-view": "dict_items dict_keys dict_values odict_items odict_keys odict_values",
    "generator": "generator async_generator",
    "iterator": "_csv.reader _elementtree._element_iterator _sre.SRE_Scanner _struct.unpack_iterator unpack_iterator"
    " memory_iterator numpy.flatiter numpy.nditer posix.ScandirIterator nt.ScandirIterator",
    "file-handle": "TextIOWrapper BufferedRandom BufferedReader BufferedWriter BufferedRWPair FileIO",
    "thread-object": "_thread.lock _thread.RLock _thread._local _thread._ThreadHandle _queue.SimpleQueue",
    "connection": "socket select.epoll select.poll select.kqueue sqlite3.Connection sqlite3.Cursor sqlite3.Blob"
    " Environment Transaction Cursor DuckDBPyConnection _cffi_backend.__CDataOwn",
    "module": "module",
    "internal": "coroutine coroutine_wrapper frame traceback code cell mappingproxy memoryview FrameLocalsProxy weakref"
    " weakref.ReferenceType WeakMethod property staticmethod classmethod getset_descriptor functools.KeyWrapper super"
    " Context ContextVar Token _contextvars.Context _contextvars.ContextVar _contextvars.Token"
    " _asyncio.Future _asyncio.Task",
}
"""Types that `cannot pickle '…' object` names. All others are native objects. Files lost their module in 3.12
(`_io.TextIOWrapper` before), context variables got theirs in 3.10."""

KIND_OF_TYPE = {name: kind for kind, names in _REPORTED.items() for name in names.split()}

NOTE = re.compile(
    r"when serializing (?:(?P<sequence>list|tuple) item (?P<index>\d+)|(?P<set>set|frozenset) element"
    r"|dict item (?P<key>.+)|(?P<owner>[\w.<>]+) item (?P<item>.+)"
    r"|(?P<cls>[\w.<>]+) (?P<part>state|class|object|reconstructor arguments|reconstructor|__new__ arguments))"
)
"""The notes that pickle adds from 3.14 on, innermost first (gh-122213). A dict key adds none."""


class Match(NamedTuple):
    """A text that was recognised: its row, its kind (empty where there is no rule) and the names found in it."""

    row: ErrorRow
    kind: str
    names: dict[str, str]


def match(text: str, exception: str = "", saving: bool = False, pickling: bool = True) -> Match | None:
    """Recognise str(exception), or return None.

    `exception` is the bare name of its class, if known. `saving` leaves out what only loading and running print.
    `pickling` says that the text comes out of pickle for certain, so that common texts count too.

    >>> match("cannot pickle '_io.TextIOWrapper' object").kind
    'file-handle'
    >>> match("Can't get local object 'main.<locals>.Pair'").kind
    'local-class'
    """
    for row in ROWS:
        if (saving and row.phase != "save") or (row.common and not pickling):
            continue
        if exception and exception not in row.exceptions:
            continue
        found = re.fullmatch(row.pattern, text, re.DOTALL)
        if found:
            names = {key: value for key, value in found.groupdict().items() if value is not None}
            return Match(row, row.kind or kind_of(row, names), names)
    return None


def kind_of(row: ErrorRow, names: dict[str, str]) -> str:
    """Tell the kind where the row leaves it open.

    3.8 to 3.13 don't say whether a local object is a function or a class: a capital letter is taken for a class.
    """
    if row.name == "by-type":
        reported = names["type"]
        if reported.startswith("itertools."):
            return "iterator"
        return KIND_OF_TYPE.get(reported) or KIND_OF_TYPE.get(reported.removeprefix("_io."), "native-object")
    if row.name == "local-object":
        last = names.get("qualname", "").rpartition(".")[2]
        return "local-class" if last.lstrip("_")[:1].isupper() else "local-function"
    return ""
