"""The lists of the corpus are well formed, and a part of torch is linted as it was reviewed."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
import torch
from shell.running import run

from mpsafe_lint.knowledge.rules import BY_KIND, all_codes

from .packages import HERE, packages
from .reviewed import DEPENDS, FAILS, FALSE, OK, TRUE, Judged, judged, snapshot

VERSIONS = {package.name: package.version for package in packages()}


def test_packages() -> None:
    assert len(VERSIONS) >= 40
    assert all(version[0].isdigit() for version in VERSIONS.values())


@pytest.mark.parametrize(("calls", "count"), [(judged("judged.csv"), 100), (judged("judged_more.csv"), 60)])
def test_judged_calls(calls: list[Judged], count: int) -> None:
    assert len(calls) == count == len({(one.package, one.path, one.line) for one in calls})
    for one in calls:
        assert one.package in VERSIONS and one.reason, one
        assert one.verdict in (FAILS, OK, DEPENDS), one
        assert (one.kind in BY_KIND and one.culprit.rpartition(":")[2].isdigit()) == (one.verdict == FAILS), one


def test_snapshot() -> None:
    reviewed = snapshot()
    assert reviewed == sorted(reviewed)
    for one in reviewed:
        assert one.package in VERSIONS and one.code in all_codes() and one.reason, one
        assert one.verdict in (TRUE, FALSE, DEPENDS), one


def test_what_is_said_of_true_findings() -> None:
    """The documentation counts as the snapshot does."""
    counted = Counter(one.verdict for one in snapshot())
    page = (HERE.parents[1] / "docs" / "corpus.md").read_text(encoding="utf-8")
    assert f"{counted[TRUE]} of {counted.total()} are true" in page


PARTS = ("utils/data", "multiprocessing", "distributed/elastic/multiprocessing")
"""What of torch starts processes, and is small."""


def test_a_part_of_torch(tmp_path: Path) -> None:
    """torch is here, in the version of the snapshot, so it is held against that without a network."""
    installed = Path(torch.__file__).parent
    assert torch.__version__.partition("+")[0] == VERSIONS["torch"]
    for part in PARTS:
        shutil.copytree(installed / part, tmp_path / "torch" / part, ignore=lambda _, names: _no_sources(names))
    for folder in (path for path in (tmp_path / "torch").rglob("*") if path.is_dir()):
        (folder / "__init__.py").touch()
    (tmp_path / ".git").mkdir()
    done = run("--isolated", "--no-cache", "--exit-zero", "--output-format", "json", ".", cwd=tmp_path)
    files = sum(1 for _ in tmp_path.rglob("*.py"))
    assert files > 50 and f"findings in {files} files" in done.stderr
    found = {(one["path"], one["line"], one["code"]) for one in json.loads(done.stdout)}
    reviewed = {(one.path, one.line, one.code) for one in snapshot() if one.package == "torch"}
    assert found == {one for one in reviewed if one[0].startswith(tuple(f"torch/{part}/" for part in PARTS))}


def _no_sources(names: list[str]) -> list[str]:
    return [name for name in names if ("." in name and not name.endswith(".py")) or name == "__pycache__"]
