"""The snippets for CI: the commands in them run, and leave behind what the step after them reads."""

from __future__ import annotations

import configparser
import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
import yaml

from .snippets import ROOT, blocks, run

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
FILES = {block.title: block.text for block in blocks(PAGE) if block.title}
INSTALL = "pip install mpsafe-lint"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one fault, in `src`."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.py").write_text("from multiprocessing import Pool\n\nPool().map(lambda: 1, [1])\n")
    (tmp_path / "mpsafe.toml").write_text('select = ["lambda"]\n')
    return tmp_path


@pytest.mark.parametrize("name", [".github/workflows/mpsafe.yml", ".github/workflows/mpsafe-sarif.yml"])
def test_github(name: str, project: Path) -> None:
    steps: list[dict[str, Any]] = yaml.safe_load(FILES[name])["jobs"]["lint"]["steps"]
    install, lint = [step["run"] for step in steps if "run" in step]
    assert install == INSTALL
    printed = run(f"{lint}; echo status $?", project)
    if "sarif" in lint:
        assert "status 0" in printed
        [uploaded] = [step["with"]["sarif_file"] for step in steps if "sarif_file" in step.get("with", {})]
        assert json.loads((project / uploaded).read_text())["runs"][0]["results"]
    else:
        assert "::error" in printed and "status 1" in printed


def test_shards_on_github(project: Path) -> None:
    """The steps of each job of the matrix, then those of the merge, with the reports in one folder as there."""
    jobs = yaml.safe_load(FILES[".github/workflows/mpsafe-shards.yml"])["jobs"]
    shards = jobs["shard"]["strategy"]["matrix"]["shard"]
    install, lint = [step["run"] for step in jobs["shard"]["steps"] if "run" in step]
    [kept] = [step["with"]["path"] for step in jobs["shard"]["steps"] if "path" in step.get("with", {})]
    assert install == INSTALL and f"/{len(shards)} " in lint
    for shard in shards:
        printed = run(f"{lint.replace('${{ matrix.shard }}', str(shard))}; echo status $?", project)
        assert "status 0" in printed and (project / kept.replace("${{ matrix.shard }}", str(shard))).is_file()
    install, merge = [step["run"] for step in jobs["merge"]["steps"] if "run" in step]
    whole = run("mpsafe-lint --no-cache --output-format github; echo status $?", project)
    assert "::error" in whole and "status 1" in whole
    assert run(f"{merge}; echo status $?", project) == whole


def test_gitlab(project: Path) -> None:
    job = yaml.safe_load(FILES[".gitlab-ci.yml"])["mpsafe-lint"]
    install, lint = job["script"]
    assert install == INSTALL and "status 1" in run(f"{lint}; echo status $?", project)
    assert len(json.loads((project / job["artifacts"]["reports"]["codequality"]).read_text())) == 1


def test_tox(project: Path) -> None:
    settings = configparser.ConfigParser()
    settings.read_string(FILES["tox.ini"])
    section = settings[f"testenv:{settings['tox']['env_list']}"]
    assert section["deps"] == "mpsafe-lint"
    assert "MPS202" in run(section["commands"].replace("{posargs:src}", "src"), project)


def test_nox(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stand-in for nox that runs what a session runs."""
    ran: list[tuple[str, ...]] = []
    nox = types.ModuleType("nox")
    nox.session = lambda function: function  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nox", nox)
    names: dict[str, Any] = {}
    exec(FILES["noxfile.py"], names)
    session = types.SimpleNamespace(posargs=[], install=lambda *_: None, run=lambda *command: ran.append(command))
    names["mpsafe"](session)
    assert "MPS202" in run(" ".join(ran[0]), project)
