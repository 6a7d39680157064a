"""`--diff-base`: what is new since a revision, with real git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from shell.running import fresh, run

JOB = "from multiprocessing import Process\n\n\ndef {name}():\n    Process(target=lambda: {text}).start()\n"


def git(*arguments: str, cwd: Path) -> str:
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", *arguments]
    environment = {**os.environ, **own}
    return subprocess.run(
        command, cwd=cwd, check=True, capture_output=True, text=True, timeout=30, env=environment
    ).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git("init", "-q", cwd=tmp_path)
    (tmp_path / "mpsafe.toml").touch()
    (tmp_path / "old.py").write_text(JOB.format(name="old", text="1"))
    git("add", ".", cwd=tmp_path)
    git("commit", "-qm", "first", cwd=tmp_path)
    git("tag", "first", cwd=tmp_path)
    return tmp_path


def new(*arguments: str, cwd: Path, base: str = "first") -> list[str]:
    """Return the places of what is new."""
    done = run("--output-format", "concise", "--diff-base", base, *arguments, cwd=cwd)
    assert done.returncode == (1 if done.stdout else 0), done.stderr
    return [line.partition(": ")[0] for line in done.stdout.splitlines()]


def test_only_what_is_new_is_reported(repository: Path) -> None:
    assert new(cwd=repository) == []
    (repository / "old.py").write_text("import os\n\n" + JOB.format(name="old", text="1"))  # it moved
    (repository / "new.py").write_text(JOB.format(name="new", text="2"))
    done = fresh("--diff-base", "first", cwd=repository)
    assert done.returncode == 1 and done.stdout.startswith("new.py:5:20: MPS202 ")
    assert done.stderr.startswith("1 finding, new since first, in 2 files")
    git("add", ".", cwd=repository)
    git("commit", "-qm", "second", cwd=repository)
    assert new(cwd=repository) == ["new.py:5:20"]
    assert new(cwd=repository, base="HEAD~1") == ["new.py:5:20"]
    assert new(cwd=repository, base="HEAD") == []
    assert git("status", "--short", cwd=repository) == ""


def test_a_file_that_was_renamed_is_not_new(repository: Path) -> None:
    git("mv", "old.py", "renamed.py", cwd=repository)
    assert new(cwd=repository) == []


def test_a_second_one_of_the_same_form_is_new(repository: Path) -> None:
    with (repository / "old.py").open("a") as file:
        file.write("    Process(target=lambda: 1).start()\n")
    assert new(cwd=repository) == ["old.py:6:20"]


def test_what_a_comment_silenced_is_new_without_it(repository: Path) -> None:
    text = JOB.format(name="old", text="1")
    (repository / "old.py").write_text(text.replace(".start()", ".start()  # noqa: MPS202"))
    git("commit", "-qam", "silenced", cwd=repository)
    (repository / "old.py").write_text(text)
    assert new(cwd=repository, base="HEAD") == ["old.py:5:20"]


def test_a_fault_that_another_file_makes_is_new(repository: Path) -> None:
    """The whole project is compared: the file in which the finding stands did not change."""
    (repository / "tasks.py").write_text("def make():\n    return lambda: 0\n")
    git("add", ".", cwd=repository)
    git("commit", "-qm", "tasks", cwd=repository)
    (repository / "main.py").write_text(JOB.format(name="run", text="0").replace("lambda: 0", "make()"))
    text = (repository / "main.py").read_text()
    (repository / "main.py").write_text(f"from tasks import make\n{text}")
    assert new(cwd=repository, base="HEAD") == ["tasks.py:2:12"]


def test_a_root_below_the_top_links_and_files_that_cannot_be_read(repository: Path) -> None:
    inner = repository / "inner"
    inner.mkdir()
    (inner / "mpsafe.toml").touch()
    (inner / "job é.py").write_text(JOB.format(name="job", text="3"))
    (inner / "link.py").symlink_to("job é.py")
    (inner / "dangling.py").symlink_to("../nothing.py")
    (inner / "latin.py").write_bytes(b"x = '\xe9'\n")
    git("add", ".", cwd=repository)
    git("commit", "-qm", "inner", cwd=repository)
    assert new("--ignore", "MPS900", cwd=inner, base="HEAD") == []
    assert new("--ignore", "MPS900", cwd=inner) == ["job é.py:5:20", "link.py:5:20"]


def test_an_excluded_file_that_is_named(repository: Path) -> None:
    (repository / "build").mkdir()
    (repository / "build" / "job.py").write_text(JOB.format(name="job", text="3"))
    git("add", "-f", ".", cwd=repository)
    git("commit", "-qm", "build", cwd=repository)
    assert new("build/job.py", cwd=repository) == ["build/job.py:5:20"]
    assert new("build/job.py", cwd=repository, base="HEAD") == []


def test_repairs_of_what_is_new_alone(repository: Path) -> None:
    (repository / "new.py").write_text(JOB.format(name="new", text="2"))
    assert run("--diff-base", "first", "--fix", cwd=repository).returncode == 0
    assert "lambda" in (repository / "old.py").read_text() and "lambda" not in (repository / "new.py").read_text()


def test_bad_revisions(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "mpsafe.toml").touch()
    (outside / "a.py").touch()
    for folder, base, said in (
        (repository, "none", "--diff-base none: git knows no such revision"),
        (repository, "--all", "--diff-base --all: git knows no such revision"),
        (repository, "HEAD:old.py", "--diff-base HEAD:old.py: git knows no such revision"),
        (outside, "HEAD", "--diff-base HEAD: not a git repository"),
    ):
        done = run(f"--diff-base={base}", cwd=folder)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr and done.stderr.count("\n") == 1


def test_without_git(repository: Path) -> None:
    done = fresh("--diff-base", "first", cwd=repository, PATH="/nowhere")
    assert done.returncode == 2 and done.stderr.endswith("--diff-base: git cannot be run: No such file or directory\n")
