"""Hold `explain` and the walk against what was measured of values: run by any Python from 3.10 on, without pytest.

    agree.py [--kinds] [SERIALIZER ...]
        serializers: pickle, forking, spawn, forking+managers (the four by default), cloudpickle, dill
        --kinds: one row of each kind, and none that needs a package

data/values.json: values, each with the outcomes of really pickling and loading it in another process, by CPython 3.10
to 3.13 and serializer, as [pythons, dumps, loads, message]. One that is left out does as pickle does; `missing` names
those that were not measured. Prints one line for each row that differs and a closing line; exit 1 where any differs.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import re
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

from mpsafe_lint.pickling.walk import walk
from mpsafe_lint.runtime import explain
from mpsafe_lint.runtime.objects import as_if, objects_of

DATA = Path(__file__).resolve().parent / "data" / "values.json"
PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
HOW = {
    "pickle": ("pickle", None),
    "forking": ("multiprocessing", None),
    "forking+managers": ("multiprocessing", None),
    "spawn": ("multiprocessing", "spawn"),
    "cloudpickle": ("cloudpickle", None),
    "dill": ("dill", None),
}
UNLIKE = {
    # what was measured depends on the machine or on the moment
    "xmlrpc_serverproxy": "asks the network while it is pickled",
    "torch_jit_traced_module": "names a number that counts up",
    "mp_AsyncResult": "drops its pool once the result is there",
}


def rows(one_of_a_kind: bool) -> Iterator[dict]:
    """Yield the rows that can be built here: last those that need a package, which is imported once for all."""
    kinds: set[str] = set()
    for row in sorted(json.loads(DATA.read_text()), key=lambda row: row.get("requires", [])):
        if row["name"] in UNLIKE or outcome(row, "pickle") is None or (one_of_a_kind and "requires" in row):
            continue
        if one_of_a_kind and row["kind"] in kinds:
            continue
        kinds.add(row["kind"])
        if all(importlib.util.find_spec(name) for name in row.get("requires", ())):
            yield row


def outcome(row: dict, serializer: str) -> list[str] | None:
    """Return what was measured here: the exception of dumps or `ok`, that of loads, and the message."""
    if serializer in row.get("missing", ()):
        return None
    for pythons, *result in row["truth"].get(serializer, row["truth"].get("pickle", ())):
        if PYTHON in pythons.split():
            return result
    return None


def build(row: dict, folder: Path) -> object:
    """Import the row's module afresh, and make its value."""
    (folder / "rowmod.py").write_text(f"{row.get('setup', '')}\n\ndef make():\n    return {row['expr']}\n")
    sys.modules.pop("rowmod", None)
    importlib.invalidate_caches()
    return importlib.import_module("rowmod").make()


def normal(text: str) -> str:
    """Return a message as it was kept: without addresses, 120 characters."""
    return re.sub(r"0x[0-9a-f]+", "0xADDR", text)[:120]


def difference(row: dict, serializer: str, folder: Path) -> str | None:
    """Return what differs for a row, or None."""
    measured = outcome(row, serializer)
    if measured is None:
        return None
    value = build(row, folder)
    name, method = HOW[serializer]
    explanation = explain(value, name, start_method=method)
    with as_if(method):
        refusals = list(walk(objects_of(name), value))
    if "cleanup" in row:
        exec(row["cleanup"], {**vars(sys.modules["rowmod"]), "value": value})
    if measured[0] == "ok":
        if explanation or refusals:
            return f"{row['name']}: it pickles, but {[str(item.reason) for item in refusals]} {explanation}"
        return None
    if not explanation:
        return f"{row['name']}: nothing found, but {measured}"
    expected = f"{measured[0].removeprefix('_pickle.')}: {normal(measured[2])}"
    texts = [normal(failure.error.removeprefix("_pickle.")) for failure in explanation]
    if not any(text.startswith(expected[:110]) for text in texts):
        return f"{row['name']}: {texts}, but {expected}"
    if not refusals and "recursion" not in measured[2]:
        return f"{row['name']}: the walk found nothing, but {measured}"
    return None


def apart(row: dict, serializers: list[str], folder: Path) -> list[str]:
    """Return the differences of a row, found in a process of its own: rows register reducers and start threads."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        signal.alarm(30)
        os.close(reader)
        for serializer in serializers:
            if serializer == "forking+managers":
                importlib.import_module("multiprocessing.managers")
            try:
                wrong = difference(row, serializer, folder)
            except Exception as error:
                wrong = f"{row['name']}: {type(error).__name__}: {error}"
            if wrong:
                os.write(writer, f"{serializer}: {wrong}\n\0".encode()[-4000:])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what the row has started
        found = [text for text in pipe.read().split("\0") if text]
    return [*found, f"{row['name']}: ended with status {status}\n"] if status else found


def main(arguments: list[str]) -> int:
    one_of_a_kind = "--kinds" in arguments
    serializers = [name for name in arguments if name != "--kinds"] or [
        "pickle",
        "forking",
        "spawn",
        "forking+managers",
    ]
    warnings.simplefilter("ignore")
    checked = 0
    found: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        sys.path.insert(0, name)
        sys.dont_write_bytecode = True
        os.chdir(name)
        explain([lambda: 0])  # imports what every row would import
        for row in rows(one_of_a_kind):
            for package in row.get("requires", ()):
                importlib.import_module(package)
            checked += sum(outcome(row, serializer) is not None for serializer in serializers)
            found += apart(row, serializers, Path(name))
    print("".join(found) + f"{PYTHON}: {checked} outcomes, {len(found)} differ")
    return 1 if found or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
