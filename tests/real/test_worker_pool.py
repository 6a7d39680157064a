"""Worker pools that people are told to copy: they end, whatever ends them, and leave no process behind."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest

from .linting import lint
from .pages import PAGES, ROOT, examples, read
from .processes import METHODS, Child, Process, Quiet, Run, session, start, until

LIMIT = 30.0  # seconds
FUNCTION, METHOD = examples("worker-pool", (ROOT / "docs" / "worker-pool.md").read_text(encoding="utf-8"))
RECIPE = read(PAGES / "orphaned-children.md").examples[-1]
POOL = {"pool.py": FUNCTION.files["main.py"]}
PROGRAMS = {
    "function": FUNCTION.files,
    "method": METHOD.files | POOL,
    "recipe": RECIPE.files,
}
every = pytest.mark.parametrize("program", PROGRAMS)
with_answers = pytest.mark.parametrize("program", ["function", "method"])


@contextmanager
def running(files: dict[str, str], method: str, folder: Path) -> Iterator[tuple[Child, BinaryIO]]:
    """Run a program whose standard input stays open; yields it, and the file to write its input into."""
    reading, writing = os.pipe()
    with open(writing, "wb", 0) as stdin, start(files, method, folder / method, stdin=reading) as child:
        os.close(reading)
        yield child, stdin


def rests(child: Child) -> None:
    """Wait until its workers are there, and wait for tasks."""
    quiet = Quiet(child.pid)
    assert until(lambda: len(workers(child)) == 2 and quiet.lasts(0.5), LIMIT)


def workers(child: Child) -> list[Process]:
    """The processes of a program that are neither its first one nor helpers of multiprocessing."""
    others = [one for one in session(child.pid) if one.pid != child.pid]
    server = {one.pid for one in others if one.parent == child.pid and b"forkserver" in command(one)}
    return [one for one in others if one.pid not in server and b"resource_tracker" not in command(one)]


def command(process: Process) -> bytes:
    try:
        return Path(f"/proc/{process.pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def under_each(scenario: Callable[[str], Run]) -> dict[str, Run]:
    """Play a scenario under each start method at once, and return how the programs ended."""
    with ThreadPoolExecutor() as threads:
        return dict(zip(METHODS, threads.map(scenario, METHODS), strict=True))


@every
def test_ends_with_its_input(program: str, tmp_path: Path) -> None:
    def scenario(method: str) -> Run:
        with running(PROGRAMS[program], method, tmp_path) as (child, stdin):
            stdin.write(b"8x6\n4x2\n")
            stdin.close()
            return child.wait(LIMIT)

    printed = {
        "function": ["4x3 2x1 2 halved"],
        "method": ["24x18 12x6 2 scaled"],
        "recipe": ["label for 4x2", "label for 8x6", "no more orders"],
    }
    for run in under_each(scenario).values():
        assert (run.outcome, run.stderr, run.left) == ("ok", "", ())
        assert sorted(run.stdout.splitlines()) == printed[program]


@every
def test_nothing_is_found(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(PROGRAMS[program], tmp_path / "project", capsys, "--select", "ALL") == []


@every
def test_ctrl_c_ends_it(program: str, tmp_path: Path) -> None:
    def scenario(method: str) -> Run:
        with running(PROGRAMS[program], method, tmp_path) as (child, stdin):
            stdin.write(b"8x6\n")
            rests(child)
            os.killpg(child.pid, signal.SIGINT)  # as a terminal does, to all of its foreground group
            return child.wait(LIMIT)

    for run in under_each(scenario).values():
        assert (run.status, run.left) == (-signal.SIGINT, ())
        assert complaints(run).count("Traceback") == 1
        assert complaints(run).endswith("KeyboardInterrupt\n")


@every
def test_sigterm_ends_it(program: str, tmp_path: Path) -> None:
    def scenario(method: str) -> Run:
        with running(PROGRAMS[program], method, tmp_path) as (child, stdin):
            stdin.write(b"8x6\n")
            rests(child)
            os.kill(child.pid, signal.SIGTERM)
            return child.wait(LIMIT)

    for run in under_each(scenario).values():
        assert (run.status, complaints(run), run.left) == (128 + signal.SIGTERM, "", ())


def complaints(run: Run) -> str:
    """What a program printed to stderr, but for warnings of the resource tracker, which may come after a kill."""
    return re.sub(r"^.*UserWarning: resource_tracker: .*\n.*\n", "", run.stderr, flags=re.MULTILINE)


@with_answers
def test_error_comes_back(program: str, tmp_path: Path) -> None:
    def scenario(method: str) -> Run:
        with running(PROGRAMS[program], method, tmp_path) as (child, stdin):
            stdin.write(b"8x6\n4xtwo\n")
            stdin.close()
            return child.wait(LIMIT)

    for run in under_each(scenario).values():
        assert (run.outcome, run.left) == ("error", ())
        assert "RuntimeError: task 1 failed" in run.stderr
        assert "ValueError: invalid literal for int() with base 10: 'two'" in run.stderr


@with_answers
def test_killed_workers_end_it(program: str, tmp_path: Path) -> None:
    def scenario(method: str) -> Run:
        with running(PROGRAMS[program], method, tmp_path) as (child, stdin):
            rests(child)
            for worker in workers(child):
                os.kill(worker.pid, signal.SIGKILL)
            stdin.write(b"8x6\n")
            stdin.close()
            return child.wait(LIMIT)

    for run in under_each(scenario).values():
        assert (run.outcome, run.left) == ("error", ())
        assert "RuntimeError: a worker died with exit code " in run.stderr


def test_recipe_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    def scenario(method: str) -> Run:
        with running(RECIPE.files, method, tmp_path) as (child, _):
            rests(child)
            os.kill(child.pid, signal.SIGKILL)
            until(lambda: not session(child.pid), LIMIT)
            return child.wait(LIMIT)

    for run in under_each(scenario).values():
        assert (run.status, run.left) == (-signal.SIGKILL, ())


WAITING = """
import sys
from multiprocessing import Process, Queue

if __name__ == "__main__":
    orders = Queue()
    for _ in range(2):
        Process(target=orders.get, daemon={daemon}).start()
    sys.stdin.read()
"""


@pytest.mark.parametrize(
    ("daemon", "way", "ends"),
    [
        (True, "end", ("ok", 0)),
        (True, "ctrl-c", ("error", 0)),
        (True, "SIGTERM", ("error", 2)),
        (True, "SIGKILL", ("error", 2)),
        (False, "end", ("hang", 2)),
        (False, "ctrl-c", ("error", 0)),
        (False, "SIGTERM", ("error", 2)),
        (False, "SIGKILL", ("error", 2)),
    ],
)
def test_who_outlives_the_parent(daemon: bool, way: str, ends: tuple[str, int], tmp_path: Path) -> None:
    """The table on the page of MPS313: how the program ends, and how many of its two waiting workers then live."""
    with running({"main.py": WAITING.format(daemon=daemon)}, "fork", tmp_path) as (child, stdin):
        rests(child)
        if way == "end":
            stdin.close()
        elif way == "ctrl-c":
            os.killpg(child.pid, signal.SIGINT)
        else:
            os.kill(child.pid, signal.Signals[way])
        assert (child.wait(LIMIT).outcome, len(workers(child))) == ends
