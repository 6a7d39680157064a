"""The cache: what it gives is what a run without it gives, or it isn't used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mpsafe_lint import cached, check
from mpsafe_lint.cli import lint_main
from mpsafe_lint.files import cache
from speed.projects import write


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, in which the commands run."""
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(write(tmp_path / "project"))
    return tmp_path / "project"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One item for each run that had to be made."""
    made: list[str] = []
    real = check.needed

    def needed(*given: object, **named: object) -> object:
        made.append("run")
        return real(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(check, "needed", needed)
    return made


def lint(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Run the command; return what it says, the note of what it could not resolve included."""
    lint_main(list(options))
    said = capsys.readouterr()
    return said.out + said.err


def test_a_second_run_finds_what_the_first_one_found(
    folder: Path, runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    first = lint(capsys)
    assert lint(capsys) == first == lint(capsys, "--no-cache")
    assert len(runs) == 2
    assert (folder / ".mpsafe_cache/.gitignore").read_text() == "*\n"


def test_what_is_selected_needs_no_other_run(folder: Path, runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    lint(capsys)
    assert "MPS101" in lint(capsys, "--select", "MPS101", "farm/animals.py")
    assert len(runs) == 1


def test_flake8_reads_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lint(capsys)
    entries = sorted((folder / ".mpsafe_cache").glob("*.json"))
    before = [entry.stat().st_mtime_ns for entry in entries]
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "MPS", "farm"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=folder)
    assert "MPS101" in done.stdout
    assert [entry.stat().st_mtime_ns for entry in sorted((folder / ".mpsafe_cache").glob("*.json"))] == before


CHANGES = {
    "a changed file": lambda folder: (folder / "farm/readers.py").write_text("class Reader:\n    clean = str.strip\n"),
    "a changed file of the same length and time": lambda folder: _same_length(folder / "farm/readers.py"),
    "a new file": lambda folder: (folder / "torch.py").write_text("class utils: pass\n"),
    "a deleted file": lambda folder: (folder / "farm/readers.py").unlink(),
    "a renamed file": lambda folder: (folder / "farm/readers.py").rename(folder / "farm/writers.py"),
    "other settings": lambda folder: (folder / "mpsafe.toml").write_text('start-method = ["fork"]\n'),
}


def _same_length(file: Path) -> None:
    before = file.stat()
    file.write_text(file.read_text().replace("lambda text: text.strip()", "str.strip                "))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_is_seen(name: str, folder: Path, runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    first = lint(capsys)
    CHANGES[name](folder)
    again = lint(capsys)
    assert len(runs) == 2
    assert again == lint(capsys, "--no-cache")
    assert again != first


def test_a_library_that_changes_is_seen(
    folder: Path, tmp_path: Path, runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    library = tmp_path / "env/lib/python3.11/site-packages"
    library.mkdir(parents=True)
    (folder / "farm/readers.py").write_text("from shed import Reader\n")
    options = ("--python", str(tmp_path / "env"), "--output-format", "concise")
    assert "MPS201" not in lint(capsys, *options, "farm/animals.py").replace("use.py", "")
    lambdas = "class Reader:\n    def __init__(self):\n        self.clean = lambda text: text\n"
    (library / "shed.py").write_text(lambdas)  # it was looked for, and was not there
    found = lint(capsys, *options)
    assert "lambda" in found.replace("use.py", "")
    (library / "shed.py").write_text(lambdas.replace("lambda text: text", "str"))
    assert lint(capsys, *options) != found
    assert len(runs) == 3


@pytest.mark.parametrize(
    "damage", [b"", b"{}", b"nonsense", b"\xff\xfe", None], ids=["empty", "foreign", "text", "bytes", "half-written"]
)
def test_a_damaged_entry_is_not_used(
    damage: bytes | None, folder: Path, runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    first = lint(capsys)
    for entry in (folder / ".mpsafe_cache").glob("*.json"):
        data = entry.read_bytes()
        entry.write_bytes(data[: len(data) // 2] if damage is None else damage)
    assert lint(capsys) == first == lint(capsys)
    assert len(runs) == 2


def test_an_entry_of_another_shape_is_not_used(
    folder: Path, runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    first = lint(capsys)
    for entry in (folder / ".mpsafe_cache").glob("*.json"):
        data = json.loads(entry.read_bytes().partition(b"\n")[2])
        data["data"] = {"analysis": {"findings": [{"code": 1}], "files": 1, "unresolved": {}}, "parsed": []}
        text = json.dumps(data).encode()
        entry.write_bytes(cache.digest_of(text).encode() + b"\n" + text)
    assert lint(capsys) == first
    assert len(runs) == 2


@pytest.mark.parametrize("of", ["tool", "python"])
def test_another_version_uses_no_entry_of_this_one(
    of: str, folder: Path, runs: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lint(capsys)
    if of == "tool":
        monkeypatch.setattr(cache, "_tool", lambda: ("0", "0"))
    else:
        monkeypatch.setattr(sys, "version", "3.99")
    lint(capsys)
    assert len(runs) == 2


def test_a_folder_that_cannot_be_written_is_no_fault(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / ".mpsafe_cache").write_text("a file where the folder should be")
    first = lint(capsys)
    assert lint(capsys) == first == lint(capsys, "--no-cache")


def test_two_runs_at_once_do_no_harm(folder: Path) -> None:
    command = [sys.executable, "-m", "mpsafe_lint", "--output-format", "concise"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) for _ in range(2)]
    said = [one.communicate(timeout=60)[0] for one in both]
    assert said[0] == said[1] != ""
    assert not list((folder / ".mpsafe_cache").glob(".*.tmp"))


def test_a_root_that_is_a_guess_gets_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "alone.py").write_text("x = 1\n")
    lint(capsys, str(tmp_path / "alone.py"))
    assert [one.name for one in tmp_path.iterdir()] == ["alone.py"]


def test_the_folder_can_be_named(
    folder: Path, tmp_path: Path, runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    named = ("--cache-dir", str(tmp_path / "kept"))
    assert lint(capsys, *named) == lint(capsys, *named)
    assert len(runs) == 1
    assert (tmp_path / "kept/.gitignore").exists()
    assert not (folder / ".mpsafe_cache").exists()


def test_repairs_are_planned_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And read without the library that plans them."""
    lint(capsys)
    code = "import sys; from mpsafe_lint.cli import lint_main; lint_main([]); print('libcst' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=folder)
    assert done.stdout.splitlines()[-1] == "False"
    assert "[*]" in done.stdout


def test_syntax_errors_of_given_files_come_with_it(
    folder: Path, runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "farm/plain.py").write_text("def add(:\n")
    lint(capsys)
    assert "MPS900" in lint(capsys, "farm/plain.py")
    assert len(runs) == 1
    assert cached.PARSED_WHOLE > 1
