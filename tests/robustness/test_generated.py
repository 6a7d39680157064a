"""Programs that nobody would write: the analysis never fails on them, and what is repaired can still be compiled."""

from __future__ import annotations

import warnings
from pathlib import Path
from random import Random

import hypothesmith
import pytest
from hypothesis import HealthCheck, given, settings
from shell.running import run

from .project import PROCESS, Project
from .wild import program

WILD = 60
"""Seeds that are tried; others are tried by `python -m tests.robustness`."""


def check(text: str, folder: Path) -> None:
    """Lint and repair a program, twice."""
    project = Project(folder).write({"main.py": text, ".git/config": ""})
    project.lint("--extend-select", "MPS3,MPS4")
    file = folder / "main.py"
    repaired = []
    for _ in range(2):
        done = run("--isolated", "--unsafe-fixes", ".", cwd=folder, program="fix")
        assert done.returncode == 0 and "Traceback" not in done.stderr, done
        assert "MPS901" not in done.stdout
        repaired.append(file.read_bytes())
        assert compilable(file.read_bytes()), f"{text}\n==== repaired\n{file.read_text()}"
    assert repaired[0] == repaired[1]


def compilable(text: str | bytes) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "main.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
    return True


@pytest.mark.parametrize("seed", range(WILD))
def test_wild_programs(seed: int, tmp_path: Path) -> None:
    """Names that the analysis knows, in any expression, and below them a fault that is repaired."""
    text = f"{program(Random(seed))}\n{PROCESS}"
    if compilable(text):
        check(text, tmp_path)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@settings(max_examples=50, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(text=hypothesmith.from_grammar())
def test_any_syntax(text: str, tmp_path: Path) -> None:
    """What Python's grammar allows, between a fault above it and a fault below it."""
    check(f"{PROCESS}\n\n{text}\n\n\n{PROCESS}", tmp_path)
