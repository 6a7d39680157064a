"""Functions and methods whose result depends on their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

Arguments = Mapping[int | str, object]
"""Given arguments by position or by name: the value of a constant, `Of` for an object of a type that is known, anything
but str, int, bool and None for others."""


@dataclass(frozen=True, slots=True)
class Of:
    """An argument that is no constant, but an object of a library's type."""

    type: str


Choice = Callable[[Arguments | None], str | None]


def given(arguments: Arguments | None, position: int, name: str, default: object = None) -> object:
    """Return an argument: its value, or the default where it isn't given."""
    if arguments is None:
        return ...
    return arguments.get(name, arguments.get(position, default))


def by_mode(position: int, default: str, text: str, binary: Mapping[str, str], unknown: str | None = None) -> Choice:
    """Choose by the mode of an opened file: `text`, or by the first of `r`, `w`, `+` that `binary` knows."""

    def choose(arguments: Arguments | None) -> str | None:
        mode = given(arguments, position, "mode", default)
        if not isinstance(mode, str):
            return unknown
        mode = mode or default
        return text if "t" in mode else _binary(mode, binary)

    return choose


def _binary(mode: str, binary: Mapping[str, str]) -> str:
    if "+" in mode and "+" in binary:
        return binary["+"]
    return binary["w"] if any(letter in mode for letter in "wax") and "w" in binary else binary["r"]


def opened(mode_at: int, buffering_at: int, default: str = "r") -> Choice:
    """Choose the class of `_io` that open() gives."""

    def choose(arguments: Arguments | None) -> str | None:
        mode = given(arguments, mode_at, "mode", default)
        if not isinstance(mode, str):
            return "file"
        if "b" not in mode:
            return "_io.TextIOWrapper" if mode.startswith("r") and "+" not in mode else "_io.TextIOWrapper[w]"
        if given(arguments, buffering_at, "buffering", -1) == 0:
            return "_io.FileIO"
        return _binary(mode, {"r": "_io.BufferedReader", "w": "_io.BufferedWriter", "+": "_io.BufferedRandom"})

    return choose


def opened_by_codecs(arguments: Arguments | None) -> str | None:
    """Choose what codecs.open gives: with an encoding a file of its own."""
    if arguments is not None and given(arguments, 2, "encoding") is None:
        return opened(1, 4)(arguments)
    return "codecs.StreamReaderWriter"


def if_given(position: int, name: str, without: str | None, others: str | None) -> Choice:
    """Choose by whether an argument is given, and is not None or False."""

    def choose(arguments: Arguments | None) -> str | None:
        return others if given(arguments, position, name) not in (None, False) else without

    return choose


def any_given(names: str, without: str | None, others: str | None) -> Choice:
    """Choose by whether one of several keyword arguments is given, and is not None or False."""

    def choose(arguments: Arguments | None) -> str | None:
        if arguments is None:
            return without
        return others if any(arguments.get(name) not in (None, False) for name in names.split()) else without

    return choose


def count(more_than: int, without: str | None, others: str | None) -> Choice:
    """Choose by the number of positional arguments."""

    def choose(arguments: Arguments | None) -> str | None:
        return others if arguments is not None and more_than in arguments else without

    return choose


def context(arguments: Arguments | None) -> str:
    """Choose the context of multiprocessing by its name."""
    contexts = {"spawn": "SpawnContext", "fork": "ForkContext", "forkserver": "ForkServerContext"}
    method = given(arguments, 0, "method")
    name = contexts.get(method, "DefaultContext") if isinstance(method, str) else "DefaultContext"
    return f"multiprocessing.context.{name}"


def shared(locked: str, raw: str) -> Choice:
    """Choose what Value and Array give: with `lock=False` the raw object."""

    def choose(arguments: Arguments | None) -> str | None:
        return raw if arguments is not None and arguments.get("lock") is False else locked

    return choose


def archive(arguments: Arguments | None) -> str | None:
    """Choose what zipfile.ZipFile gives."""
    mode = given(arguments, 1, "mode", "r")
    if given(arguments, 0, "file") == Of("_io.BytesIO"):
        return "zipfile.ZipFile[memory]"
    if not isinstance(mode, str):
        return "zipfile.ZipFile" if arguments is None else "zipfile.ZipFile[w]"
    return "zipfile.ZipFile" if mode == "r" else "zipfile.ZipFile[w]"


def loader(arguments: Arguments | None) -> str:
    """Choose what torch's DataLoader gives: by whether it has a generator, then by whether it may have workers."""
    if arguments is not None and arguments.get("generator") is not None:
        return "torch.utils.data.DataLoader[generator]"
    workers = given(arguments, 5, "num_workers", 0)
    return "torch.utils.data.DataLoader" if workers == 0 else "torch.utils.data.DataLoader[workers]"


def loaded_array(arguments: Arguments | None) -> str | None:
    """Choose what numpy.load gives: by mmap_mode, then by the suffix of the file; else it may be either."""
    if given(arguments, 1, "mmap_mode") not in (None, ...):
        return "numpy.memmap"
    path = given(arguments, 0, "file")
    if isinstance(path, str) and path.endswith(".npz"):
        return "numpy.lib.npyio.NpzFile"
    return "numpy.ndarray" if isinstance(path, str) and path.endswith(".npy") else "numpy.ndarray[loaded]"


_READ_WRITE: Final = {
    "gzip": {"r": "gzip.GzipFile", "w": "gzip.GzipFile[w]"},
    "bz2": {"r": "bz2.BZ2File", "w": "bz2.BZ2File[w]"},
    "lzma": {"r": "lzma.LZMAFile", "w": "lzma.LZMAFile[w]"},
    "tarfile": {"r": "tarfile.TarFile", "w": "tarfile.TarFile[w]"},
}
_TEMPORARY: Final = {
    "r": "tempfile._TemporaryFileWrapper[r]",
    "w": "tempfile._TemporaryFileWrapper[w]",
    "+": "tempfile._TemporaryFileWrapper",
}
_WRAPPED: Final = "_io.TextIOWrapper[wrapped]"
_READER: Final = "pandas.io.parsers.readers.TextFileReader"
_RASTER: Final = {"r": "rasterio.io.DatasetReader", "w": "rasterio.io.DatasetWriter"}
_CONTAINER: Final = {"r": "av.container.InputContainer", "w": "av.container.OutputContainer"}

CALLS: Final[dict[str, Choice]] = {
    "open": opened(1, 2),
    "os.fdopen": opened(1, 2),
    "codecs.open": opened_by_codecs,
    "tempfile.TemporaryFile": opened(0, 1, "w+b"),
    "gzip.open": by_mode(1, "rb", _WRAPPED, _READ_WRITE["gzip"]),
    "bz2.open": by_mode(1, "rb", _WRAPPED, _READ_WRITE["bz2"]),
    "lzma.open": by_mode(1, "rb", _WRAPPED, _READ_WRITE["lzma"]),
    "gzip.GzipFile": by_mode(1, "rb", "gzip.GzipFile", _READ_WRITE["gzip"], "gzip.GzipFile"),
    "bz2.BZ2File": by_mode(1, "r", "bz2.BZ2File", _READ_WRITE["bz2"], "bz2.BZ2File"),
    "lzma.LZMAFile": by_mode(1, "r", "lzma.LZMAFile", _READ_WRITE["lzma"], "lzma.LZMAFile"),
    "tarfile.open": by_mode(1, "r", "tarfile.TarFile", _READ_WRITE["tarfile"], "tarfile.TarFile"),
    "tarfile.TarFile": by_mode(1, "r", "tarfile.TarFile", _READ_WRITE["tarfile"], "tarfile.TarFile"),
    "zipfile.ZipFile": archive,
    "tempfile.NamedTemporaryFile": by_mode(0, "w+b", "tempfile._TemporaryFileWrapper[text]", _TEMPORARY),
    "wave.open": by_mode(1, "rb", "wave.Wave_read", {"r": "wave.Wave_read", "w": "wave.Wave_write"}),
    "glob.iglob": any_given("recursive", "generator[finite]", "glob.iglob[recursive]"),
    "itertools.repeat": if_given(1, "times", "itertools.repeat", "itertools.repeat[times]"),
    "itertools.islice": count(2, "itertools.islice[stop]", "itertools.islice"),
    "weakref.WeakSet": if_given(0, "data", "weakref.WeakSet", "weakref.WeakSet[filled]"),
    "weakref.WeakKeyDictionary": if_given(0, "dict", "weakref.WeakKeyDictionary", "weakref.WeakKeyDictionary[filled]"),
    "_io.TextIOWrapper": lambda arguments: _WRAPPED,
    "iter": count(1, None, "callable_iterator"),
    "multiprocessing.get_context": context,
    "multiprocessing.Value": shared("multiprocessing.sharedctypes.Synchronized", "multiprocessing.RawValue"),
    "multiprocessing.Array": shared("multiprocessing.sharedctypes.SynchronizedArray", "multiprocessing.RawArray"),
    "numpy.load": loaded_array,
    "numpy.where": count(1, "tuple[numpy.ndarray]", "numpy.ndarray"),
    "pandas.read_csv": any_given("chunksize iterator", "pandas.DataFrame", _READER),
    "pandas.read_table": any_given("chunksize iterator", "pandas.DataFrame", _READER),
    "pandas.read_json": any_given("chunksize", "pandas.DataFrame", "pandas.api.typing.JsonReader"),
    "pandas.read_sql": any_given("chunksize", "pandas.DataFrame", "generator[finite]"),
    "pandas.read_sql_query": any_given("chunksize", "pandas.DataFrame", "generator[finite]"),
    "torch.utils.data.DataLoader": loader,
    "torch.utils.data.RandomSampler": if_given(
        3, "generator", "torch.utils.data.RandomSampler", "torch.utils.data.RandomSampler[generator]"
    ),
    "torch.utils.data.WeightedRandomSampler": if_given(
        3, "generator", "torch.utils.data.WeightedRandomSampler", "torch.utils.data.WeightedRandomSampler[generator]"
    ),
    "torch.utils.data.SubsetRandomSampler": if_given(
        1, "generator", "torch.utils.data.SubsetRandomSampler", "torch.utils.data.SubsetRandomSampler[generator]"
    ),
    "sqlalchemy.orm.Session": if_given(0, "bind", "sqlalchemy.orm.Session[unbound]", "sqlalchemy.orm.Session"),
    "sqlalchemy.orm.sessionmaker": if_given(
        0, "bind", "sqlalchemy.orm.sessionmaker", "sqlalchemy.orm.sessionmaker[bound]"
    ),
    "tqdm.tqdm": any_given("disable", "tqdm.tqdm", None),
    "tqdm.trange": any_given("disable", "tqdm.tqdm", None),
    "rasterio.open": by_mode(1, "r", "rasterio.io.DatasetReader", _RASTER),
    "av.open": by_mode(1, "r", "av.container.InputContainer", _CONTAINER, "av.container.InputContainer"),
}

METHODS: Final[dict[str, Choice]] = {
    "pathlib.Path.open": opened(0, 1),
    "zipfile.ZipFile.open": by_mode(
        1, "r", "zipfile.ZipExtFile", {"r": "zipfile.ZipExtFile", "w": "zipfile._ZipWriteFile"}
    ),
    "multiprocessing.context.BaseContext.Value": CALLS["multiprocessing.Value"],
    "multiprocessing.context.BaseContext.Array": CALLS["multiprocessing.Array"],
    "multiprocessing.context.BaseContext.get_context": context,
    "socket.socket.makefile": opened(0, 1),
}
