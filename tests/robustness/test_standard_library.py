"""The standard library's own modules, as a project: each is analysed, and none brings the analysis to fall."""

from __future__ import annotations

import json
import random
import shutil
import sysconfig
from pathlib import Path

from shell.running import run

SAMPLE = 150
LARGEST = 60_000  # bytes; what is larger takes its time, and is of the same kind


def test_standard_library(tmp_path: Path) -> None:
    library = Path(sysconfig.get_path("stdlib"))
    excluded = {"site-packages", "test", "tests", "idlelib", "lib2to3", "config-3"}
    modules = sorted(
        path
        for path in library.rglob("*.py")
        if not excluded & set(path.relative_to(library).parts) and 500 < path.stat().st_size < LARGEST
    )
    (tmp_path / ".git").mkdir()
    for path in random.Random(3).sample(modules, SAMPLE):
        copy = tmp_path / path.relative_to(library)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    done = run("--isolated", "--exit-zero", "--output-format", "json", tmp_path, cwd=tmp_path)
    assert [one for one in json.loads(done.stdout) if one["code"].startswith("MPS9")] == []
    assert f" in {SAMPLE} files" in done.stderr
