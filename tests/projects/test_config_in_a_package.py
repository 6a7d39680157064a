"""A Dataset holds a config object whose class keeps a view: beside the program, and in an installed package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from real.linting import lint
from real.processes import Run, Warm, start, write
from shell.running import run

LIMIT = 120.0  # seconds; only a program that never rests gets that far

RANGES = """\
class DetectionRanges:
    def __init__(self, ranges, minimum):
        self.ranges = ranges
        self.minimum = minimum
        self.names = self.ranges.keys()

    @classmethod
    def from_dict(cls, content):
        return cls(content["ranges"], content["minimum"])

    def within(self, name, distance):
        return name in self.names and self.minimum <= distance <= self.ranges[name]
"""
CONFIGS = """\
import json
import os

from {package}ranges import DetectionRanges


def config_factory(name):
    folder = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(folder, "configs", name + ".json") if name.startswith("user_") else None
    if path is not None and os.path.exists(path):
        with open(path) as file:
            content = json.load(file)
    else:
        content = {{"ranges": {{"car": 50, "bus": 40}}, "minimum": 5}}
    return DetectionRanges.from_dict(content)
"""
SCENES = """\
from {package}configs import config_factory
from torch.utils.data import Dataset


class Scenes(Dataset):
    def __init__(self, scenes):
        self.scenes = scenes
        self.config = config_factory("detection")

    def __len__(self):
        return len(self.scenes)

    def __getitem__(self, index):
        return sum(self.config.within(name, distance) for name, distance in self.scenes[index])
"""
MAIN = """\
from torch.utils.data import DataLoader

from scenes import Scenes

if __name__ == "__main__":
    scenes = Scenes([[("car", 12), ("bus", 45)], [("car", 49), ("bus", 8), ("cone", 6)]])
    print([int(count) for count in DataLoader(scenes, num_workers=2)])
"""
ERROR = "TypeError: cannot pickle 'dict_keys' object"
PRINTED = "[1, 2]\n"


def program(package: str) -> dict[str, str]:
    return {"main.py": MAIN, "scenes.py": SCENES.format(package=package)}


def library(package: str) -> dict[str, str]:
    return {"ranges.py": RANGES, "configs.py": CONFIGS.format(package=package)}


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def steps(finding: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(step["text"], Path(step["path"]).name, step["line"]) for step in finding["chain"]]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target environment with a package `fieldkit` installed, and torch."""
    prefix = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", prefix], check=True, timeout=120)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(prefix)}))
    package = site / "fieldkit"
    write(library("fieldkit."), package)
    (package / "__init__.py").touch()
    (site / "fieldkit-1.0.dist-info").mkdir()
    (site / "torch.pth").write_text(sysconfig.get_path("purelib") + os.linesep)
    return prefix


def test_installed(environment: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The finding stands at the project's last step, and its chain goes on into the package."""
    files = program("fieldkit.")
    (finding,) = lint(files, tmp_path / "project", capsys, "--python", str(environment))
    line = line_of(files["scenes.py"], "config_factory(")
    assert (Path(finding["path"]).name, finding["line"], finding["code"]) == ("scenes.py", line, "MPS101")
    assert finding["boundary"] == "dataset-attribute"
    assert steps(finding) == [
        (".config", "scenes.py", line),
        (".names", "ranges.py", line_of(RANGES, ".keys()")),
    ]
    assert finding["fix"] is None
    with start(files, "spawn", tmp_path / "spawn", python=str(environment / "bin" / "python")) as child:
        ended = child.wait(LIMIT)
    assert ended.outcome == "error" and ended.stderr.endswith(ERROR + "\n")


def test_not_installed(tmp_path: Path) -> None:
    """Silence is not health: what could not be resolved is counted, and where it was looked for is said."""
    project = write(program("fieldkit."), tmp_path / "project")
    done = run("--isolated", project, cwd=tmp_path)
    assert done.returncode == 0
    assert "0 findings in 2 files\n" in done.stderr
    assert f"note: 1 name could not be resolved in {sys.prefix}" in done.stderr
    assert done.stderr.rstrip().endswith(": fieldkit.configs (1)")


def test_beside(tmp_path: Path, warm: Warm, capsys: pytest.CaptureFixture[str]) -> None:
    """The finding stands at the origin. Repaired, the Dataset goes to two spawned workers; before, it does not."""
    project = tmp_path / "project"
    files = program("") | library("")
    (finding,) = lint(files, project, capsys)
    line = line_of(RANGES, ".keys()")
    assert (Path(finding["path"]).name, finding["line"], finding["code"]) == ("ranges.py", line, "MPS101")
    assert steps(finding) == [
        (".config", "scenes.py", line_of(files["scenes.py"], "config_factory(")),
        (".names", "ranges.py", line),
    ]
    ended = spawned(warm, files, tmp_path / "before")
    assert ended.outcome == "error" and ended.stderr.endswith(ERROR + "\n")

    assert run("--isolated", project, cwd=tmp_path, program="fix").returncode == 0
    repaired = {name: (project / name).read_text() for name in files}
    assert repaired == files | {"ranges.py": RANGES.replace("self.ranges.keys()", "list(self.ranges.keys())")}
    ended = spawned(warm, repaired, tmp_path / "after")
    assert (ended.outcome, ended.stdout, ended.stderr, ended.left) == ("ok", PRINTED, "", ())


def spawned(warm: Warm, files: dict[str, str], folder: Path) -> Run:
    with warm.start(files, "spawn", folder) as child:
        return child.wait(LIMIT)


def test_json_names_the_place_in_the_package(environment: Path, tmp_path: Path) -> None:
    """A place in a library has an absolute path, one of the project a path relative to its root."""
    project = write(program("fieldkit."), tmp_path / "project")
    done = run("--isolated", "--exit-zero", "--python", environment, "--output-format", "json", project, cwd=tmp_path)
    (finding,) = json.loads(done.stdout)
    project_step, library_step = finding["chain"]
    assert Path(library_step["path"]).is_relative_to(environment)
    assert (tmp_path / project_step["path"]).samefile(project / "scenes.py")
