"""The pytest plugin: a fixture, a marker, and no cost where neither is used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mpsafe_lint

SOURCE = str(Path(mpsafe_lint.__file__).parents[1])

TESTS = """\
import multiprocessing
import threading

import pytest


class Dataset:
    def __init__(self):
        self.guard = threading.Lock()


def test_fails(assert_mp_safe):
    assert_mp_safe([1])
    assert_mp_safe({"data": Dataset()})


@pytest.mark.mp_start_method
def test_spawn():
    assert multiprocessing.get_start_method() == "spawn"


@pytest.mark.mp_start_method("forkserver")
def test_forkserver():
    assert multiprocessing.get_start_method() == "forkserver"


def test_as_before():
    assert multiprocessing.get_start_method(allow_none=True) is None
"""


def run_pytest(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_them.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "mpsafe_lint.runtime.pytest_plugin", "-p", "no:cacheprovider"]
    env = {**os.environ, "PYTHONPATH": SOURCE, "PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [*command, "--strict-markers", "-q", str(folder)],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_fixture_and_marker(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, TESTS)
    assert "1 failed, 3 passed" in done.stdout, done.stdout + done.stderr
    assert "obj['data'].guard: thread object cannot be pickled (TypeError: cannot pickle '_thread.lock'" in done.stdout
    assert "test_them.py:9: self.guard = threading.Lock()" in done.stdout


def test_a_loader_under_spawn(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = (
        "import pytest\n"
        "from torch.utils.data import DataLoader\n"
        "@pytest.mark.mp_start_method('spawn')\n"
        "def test_it():\n"
        "    for _ in DataLoader([1], num_workers=1, collate_fn=lambda batch: batch):\n"
        "        pass\n"
    )
    done = run_pytest(tmp_path, text)
    assert "1 failed" in done.stdout and "local object" in done.stdout, done.stdout + done.stderr


def test_an_unknown_start_method(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "import pytest\n@pytest.mark.mp_start_method('swap')\ndef test_it():\n    pass\n")
    assert "mp_start_method: unknown start method 'swap': one of fork, spawn, forkserver" in done.stdout + done.stderr
    assert "INTERNALERROR" not in done.stdout + done.stderr


def test_the_plugin_and_the_package_import_nothing_of_their_own() -> None:
    code = (
        "import pytest, sys\n"
        "before = set(sys.modules)\n"
        "import mpsafe_lint.runtime.pytest_plugin\n"
        "print(sorted(set(sys.modules) - before))\n"
    )
    env = os.environ | {"PYTHONPATH": SOURCE}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout == "['mpsafe_lint', 'mpsafe_lint.runtime', 'mpsafe_lint.runtime.pytest_plugin']\n", done.stderr
    code = (
        "import os, sys\n"
        "before = set(sys.modules)\n"
        "from mpsafe_lint.runtime import watch\n"
        "watch.install()\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)
    allowed = {"__future__", "atexit", "mpsafe_lint", "mpsafe_lint.runtime", "mpsafe_lint.runtime.watch"}
    assert set(done.stdout.split()) <= allowed, done.stdout + done.stderr
