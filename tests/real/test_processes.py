"""The harness says how a program ended, and leaves nothing of it alive."""

from __future__ import annotations

from pathlib import Path

import pytest

from .processes import METHODS, Run, Warm, session, start

LIMIT = 30.0  # seconds


def run(text: str, folder: Path, limit: float = LIMIT) -> Run:
    with start({"main.py": text}, "spawn", folder) as child:
        ended = child.wait(limit)
    assert not session(child.pid)
    return ended


def test_ok(tmp_path: Path) -> None:
    assert run("print('harvest')", tmp_path / "program") == Run("ok", 0, "harvest\n", "", ())


def test_error(tmp_path: Path) -> None:
    ended = run("print('sown')\n1 / 0", tmp_path / "program")
    assert (ended.outcome, ended.status, ended.stdout, ended.left) == ("error", 1, "sown\n", ())
    assert ended.stderr.endswith("ZeroDivisionError: division by zero\n")


def test_hang_of_who_waits(tmp_path: Path) -> None:
    ended = run("print('sown')\nimport threading\nthreading.Event().wait()", tmp_path / "program")
    assert (ended.outcome, ended.status, ended.stdout) == ("hang", None, "sown\n")


def test_hang_of_who_is_busy(tmp_path: Path) -> None:
    """Work is no hang, before the limit."""
    assert run("while True: pass", tmp_path / "program", limit=4).outcome == "hang"
    assert (
        run("import time\nend = time.time() + 3.5\nwhile time.time() < end: pass", tmp_path / "program").outcome == "ok"
    )


def test_what_is_left(tmp_path: Path) -> None:
    ended = run("import subprocess\nprint(subprocess.Popen(['sleep', '60']).pid)", tmp_path / "program")
    assert (ended.outcome, [str(pid) for pid in ended.left]) == ("ok", ended.stdout.split())


TELL = """
import multiprocessing

def tell():
    print(multiprocessing.get_start_method(), __name__)

if __name__ == "__main__":
    tell()
    child = multiprocessing.Process(target=tell)
    child.start()
    child.join()
"""


@pytest.mark.parametrize("method", METHODS)
def test_start_method_is_the_default(method: str, tmp_path: Path, warm: Warm) -> None:
    imported_as = "__main__" if method == "fork" else "__mp_main__"
    for launch in (start, warm.start):
        with launch({"main.py": TELL}, method, tmp_path / "program") as child:
            assert child.wait(LIMIT).stdout == f"{method} __main__\n{method} {imported_as}\n"


def test_warm_programs_end_as_others_do(tmp_path: Path, warm: Warm) -> None:
    with warm.start(
        {"main.py": "import atexit\natexit.register(print, 'end')\n1 / 0"}, "fork", tmp_path / "a"
    ) as child:
        ended = child.wait(LIMIT)
    assert (ended.outcome, ended.status, ended.stdout, ended.left) == ("error", 1, "end\n", ())
    with warm.start({"main.py": "import threading\nthreading.Event().wait()"}, "fork", tmp_path / "b") as child:
        assert child.wait(LIMIT).outcome == "hang"
    assert not session(child.pid)
