"""The example project: its faults are real, and the repaired one runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from real.processes import Run, Warm

from .snippets import ROOT, play

LIMIT = 60.0  # seconds
NAMES = ("data.py", "settings.py", "sounds.raw")
PRINTED = "0.0011250000000000001 seconds\n[[116, 119, 0, 0], [119, 101, 101, 116], [101, 101, 116, 0]]\n"
FAULTS = {
    "MPS101": ("settings.py", "list(lengths.keys())", "lengths.keys()", "TypeError: cannot pickle 'dict_keys' object"),
    "MPS107": (
        "data.py",
        "self._file = None",
        'self._file = open(path, "rb")',
        "TypeError: cannot pickle '_io.BufferedReader' object",
    ),
    "MPS108": ("data.py", 'del state["lock"]', "pass", "TypeError: cannot pickle '_thread.lock' object"),
    "MPS202": (
        "train.py",
        "collate_fn=_collate_fn",
        "collate_fn=lambda batch: _collate_fn(batch)",
        "AttributeError: Can't pickle local object 'main.<locals>.<lambda>'",
    ),
}
"""Each fault by what brings it back into the repaired project, and the error that comes of it."""


@pytest.fixture(scope="module")
def repaired(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The project after what the start page tells a newcomer to do."""
    folder = tmp_path_factory.mktemp("start")
    for _ in play((ROOT / "docs" / "index.md").read_text(encoding="utf-8"), folder):
        pass
    return read(folder / "examples" / "birdsong")


def read(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text(encoding="utf-8") for name in (*NAMES, "train.py")}


def run(warm: Warm, files: dict[str, str], method: str, folder: Path) -> Run:
    """Run train.py. One worker for the pool is enough, and the time that another takes is saved."""
    files = {**files, "main.py": files["train.py"].replace("Pool(2)", "Pool(1)")}
    with warm.start(files, method, folder) as child:
        return child.wait(LIMIT)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_the_repaired_project_runs(method: str, warm: Warm, repaired: dict[str, str], tmp_path: Path) -> None:
    done = run(warm, repaired, method, tmp_path / "project")
    assert (done.outcome, done.stdout) == ("ok", PRINTED), done.stderr


@pytest.mark.parametrize("code", FAULTS)
def test_each_fault_stops_it(code: str, warm: Warm, repaired: dict[str, str], tmp_path: Path) -> None:
    """Under spawn; under fork it goes unnoticed."""
    name, good, bad, error = FAULTS[code]
    assert good in repaired[name]
    faulty = {**repaired, name: repaired[name].replace(good, bad)}
    done = run(warm, faulty, "spawn", tmp_path / "spawn")
    assert done.outcome == "error" and error in done.stderr
    assert run(warm, faulty, "fork", tmp_path / "fork").stdout == PRINTED


def test_the_task_stops_it_everywhere(warm: Warm, tmp_path: Path) -> None:
    done = run(warm, read(ROOT / "examples" / "birdsong"), "fork", tmp_path / "fork")
    assert done.outcome == "error" and "Can't pickle local object 'durations.<locals>.seconds'" in done.stderr
