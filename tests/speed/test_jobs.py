"""Several processes find what one finds, and leave nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from shell.running import is_gone

from mpsafe_lint.check import check
from mpsafe_lint.cli import lint_main
from mpsafe_lint.config import Config
from mpsafe_lint.jobs import FEW, number
from speed.projects import load, write

SHEDS = 12


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with some more files."""
    write(tmp_path)
    for shed in range(SHEDS):
        text = f"from farm.pools import spread\n\ndef sort{shed}(items):\n    return spread(lambda x: {shed}, items)\n"
        (tmp_path / f"farm/shed{shed}.py").write_text(text)
    return tmp_path


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_findings_are_those_of_one_job(jobs: int, folder: Path) -> None:
    one, several = check(load(folder), Config()), check(load(folder), Config(), jobs=jobs)
    assert len(one.findings) > SHEDS
    assert several.findings == one.findings
    assert several.files == one.files


def test_few_files_are_left_to_one() -> None:
    assert number(None, FEW) == 1
    assert number(None, FEW + 1) >= 1
    assert number(8, 3) == 3


def test_jobs_are_an_option(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for jobs in ("1", "2"):
        lint_main(["--no-cache", "--jobs", jobs, "--output-format", "json", str(folder)])
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1] != []


@pytest.mark.parametrize("number", ["0", "-1", "two", "1000"])
def test_a_wrong_number_is_said(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        lint_main([f"--jobs={number}"])
    assert "is no number of processes" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups are those of POSIX")
def test_an_interrupt_leaves_nothing_behind(folder: Path) -> None:
    """As a terminal does it: every process of the group gets the signal."""
    slow = (
        "import sys, time, mpsafe_lint.check as check\n"
        "from mpsafe_lint.cli import lint_main\n"
        "before = check.Run.enter\n"
        "def enter(self, path):\n    import os; os.write(1, b'in\\n')\n    time.sleep(30)\n"
        "check.Run.enter = enter\n"
        "sys.exit(lint_main(['--no-cache', '--jobs', '2']))\n"
    )
    command = [sys.executable, "-c", slow]
    pipe = subprocess.PIPE
    done = subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, cwd=folder, start_new_session=True, bufsize=1
    )
    assert done.stdout is not None
    assert done.stdout.readline() == "in\n"
    os.killpg(done.pid, signal.SIGINT)
    _, said = done.communicate(timeout=20)
    assert (done.returncode, said) == (130, "mpsafe-lint: interrupted\n")
    assert is_gone(done.pid, seconds=5)
