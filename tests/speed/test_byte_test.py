"""Files whose text says that they can hold nothing of interest are neither parsed nor run, and nothing is lost by it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mpsafe_lint.cached import PARSED_WHOLE
from mpsafe_lint.check import check, needed
from mpsafe_lint.config import Config
from mpsafe_lint.files.project import Project
from speed.projects import load, write

LIBRARY = Path(ast.__file__).parent


def test_what_leads_nowhere_is_not_parsed(tmp_path: Path) -> None:
    _, parsed = needed(load(write(tmp_path)), Config())
    assert {"farm/plain.py", "farm/other.py"}.isdisjoint(parsed)


def test_what_matters_is(tmp_path: Path) -> None:
    """Classes that inherit through other files, callers of what leads to a boundary, what changes a registry."""
    _, parsed = needed(load(write(tmp_path)), Config())
    assert {"farm/base.py", "farm/animals.py", "farm/pools.py", "farm/use.py", "farm/registered.py"} <= parsed


def test_the_findings_are_those_of_all_files(tmp_path: Path) -> None:
    project = load(write(tmp_path))
    found = check(project, Config()).findings
    assert [one.kind for one in found] == ["dict-view", "lambda", "lambda"]
    assert found == check(project, Config(), whole=True).findings


@pytest.mark.parametrize("name", ["multiprocessing", "concurrent", "logging", "asyncio"])
def test_so_they_are_in_the_standard_library(name: str, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(LIBRARY / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    project = load(tmp_path)
    assert check(project, Config()).findings == check(project, Config(), whole=True).findings


def test_a_syntax_error_is_told_of_given_files(tmp_path: Path) -> None:
    (write(tmp_path) / "farm/plain.py").write_text("def add(:\n")
    given = Project.load([tmp_path / "farm/plain.py"], Config())
    assert [one.code for one in check(given, Config()).findings if one.code == "MPS900"] == ["MPS900"]


def test_where_they_are_many_it_is_told_of_those_that_matter(tmp_path: Path) -> None:
    folder = write(tmp_path)
    for number in range(PARSED_WHOLE):
        (folder / f"farm/more{number}.py").write_text("")
    (folder / "farm/plain.py").write_text("def add(:\n")
    (folder / "farm/pools.py").write_text("from multiprocessing import Pool\ndef add(:\n")
    failed = [one.span.path for one in check(load(folder), Config()).findings if one.code == "MPS900"]
    assert failed == ["farm/pools.py"]
