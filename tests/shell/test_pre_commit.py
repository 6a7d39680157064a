"""The hooks, by real git and real pre-commit, in the environment that pre-commit makes for them: it has no torch."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PARTS = ("src", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
DATASET = """\
from torch.utils.data import Dataset


class Words(Dataset):
    def __init__(self, counts):
        self.words = counts.keys()
        self.size = len(self.words)

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return index
"""
CONFIGURATION = """\
repos:
- repo: {hooks}
  rev: {revision}
  hooks:
  - id: mpsafe-fix
  - id: mpsafe-lint
    args: [--output-format, concise]
"""


def git(*arguments: str, cwd: Path) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A repository that holds what is released, and its revision."""
    copy = tmp_path_factory.mktemp("hooks")
    for part in PARTS:
        source = REPOSITORY / part
        if source.is_dir():
            shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(source, copy / part)
    git("init", "-q", cwd=copy)
    git("add", ".", cwd=copy)
    git("commit", "-q", "-m", "release", cwd=copy)
    return copy, git("rev-parse", "HEAD", cwd=copy)


def test_a_commit_is_held_back_until_it_is_repaired(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, hooks: tuple[Path, str]
) -> None:
    (tmp_path / "words.py").write_text(DATASET)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "words.py").write_text(DATASET)
    (tmp_path / "mpsafe.toml").write_text('extend-exclude = ["old"]\n')
    (tmp_path / ".pre-commit-config.yaml").write_text(CONFIGURATION.format(hooks=hooks[0], revision=hooks[1]))
    git("init", "-q", cwd=tmp_path)
    git("add", ".", cwd=tmp_path)
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    environment |= {"PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("home")), "PRE_COMMIT_COLOR": "never"}

    def pre_commit(*arguments: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "pre_commit", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=280)
        return done.returncode, done.stdout + done.stderr

    status, said = pre_commit("run", "mpsafe-lint")
    assert status == 1 and "words.py:6:22: MPS101 [*] dict view kept in Words.words cannot be pickled" in said, said
    assert "old/words.py" not in said

    assert pre_commit("install")[0] == 0
    commit = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-m", "words"]
    held = subprocess.run(commit, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert held.returncode == 1 and "files were modified by this hook" in held.stderr, held.stderr
    assert (tmp_path / "words.py").read_text() == DATASET.replace("counts.keys()", "list(counts.keys())")
    assert (tmp_path / "old" / "words.py").read_text() == DATASET

    git("add", "-u", cwd=tmp_path)
    passed = subprocess.run(commit, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert passed.returncode == 0 and passed.stderr.count("Passed") == 2, passed.stderr
