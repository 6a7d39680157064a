"""The plugin in real flake8: it says what the command says."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest
from flake8.main.cli import main as flake8_main
from flake8.utils import stdin_get_value

from shell.running import here, run

MAIN = """\
from multiprocessing import Pool, Process

from helpers import make_task


def main():
    Process(target=make_task()).start()
    with Pool(2) as pool:
        pool.map(lambda n: n + 1, [1])
        pool.map(lambda n: n + 2, [1])  # noqa: MPS202


if __name__ == "__main__":
    main()
"""
HELPERS = "é = 'ü'; make_task = None\n\n\ndef make_task():\n    é = 1; return lambda: é\n"
UNDER = """
import multiprocessing, sys
multiprocessing.set_start_method({method!r})
from flake8.main.cli import main
sys.exit(main())
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "mpsafe.toml").touch()
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "other.py").write_text("x = 1\n")
    return tmp_path


def flake8(*arguments: str, cwd: Path, stdin: str = "", method: str | None = None, own: bool = False) -> list[str]:
    """Return the lines that flake8 prints, without `./`, sorted; with `own`, or a method, from processes of its own."""
    if own or method:
        code = ["-c", UNDER.format(method=method)] if method else ["-m", "flake8"]
        command = [sys.executable, *code, *arguments]
        done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, text=True, timeout=120)
        assert done.stderr == ""
        return tidy(done.stdout)
    stdin_get_value.cache_clear()
    logging.getLogger("flake8").handlers.clear()
    return tidy(here(flake8_main, ["-j1", *arguments], cwd, stdin.encode()).stdout)


def mpsafe_lint(*arguments: str, cwd: Path) -> list[str]:
    """Return the lines that the command prints in its shortest form, without the mark of a repair, sorted."""
    done = run("--output-format", "concise", "--quiet", *arguments, cwd=cwd)
    assert done.stderr == ""
    return tidy(done.stdout.replace("[*] ", ""))


def tidy(text: str) -> list[str]:
    return sorted(line.removeprefix("./") for line in text.splitlines())


@pytest.fixture
def expected(project: Path) -> list[str]:
    lines = mpsafe_lint(cwd=project)
    assert [line.split(" ")[0] for line in lines] == ["helpers.py:5:19:", "main.py:9:18:"]
    return lines


@pytest.mark.parametrize("options", [["-j1"], ["-j2"], ["--select", "MPS,E9", "-j2"]], ids=" ".join)
def test_it_says_what_the_command_says(project: Path, expected: list[str], options: list[str]) -> None:
    assert flake8("--select", "MPS", *options, cwd=project, own=True) == expected


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_under_every_start_method(project: Path, expected: list[str], method: str) -> None:
    assert flake8("--select=MPS", "-j2", cwd=project, method=method) == expected


def test_a_finding_is_printed_in_the_file_where_it_stands(project: Path, expected: list[str]) -> None:
    assert flake8("--select=MPS", "helpers.py", cwd=project) == expected[:1]
    assert flake8("--select=MPS", "main.py", cwd=project) == expected[1:]
    assert flake8("--select=MPS", "other.py", cwd=project) == []


def test_from_another_folder(project: Path, expected: list[str]) -> None:
    inner = project / "inner"
    inner.mkdir()
    assert flake8("--select=MPS", "../helpers.py", cwd=inner) == [f"../{expected[0]}"]


def test_stdin(project: Path) -> None:
    text = MAIN.replace("make_task()", "print")
    arguments = ["--select=MPS", "--stdin-display-name", "main.py", "-"]
    assert [line.split(" ")[0] for line in flake8(*arguments, cwd=project, stdin=text)] == ["main.py:9:18:"]
    assert flake8(*arguments, cwd=project, stdin="import helpers\n") == []
    changed = HELPERS.replace("\n\n\n", "\n")
    arguments = ["--select=MPS", "--stdin-display-name", "helpers.py", "-"]
    assert [line.split(" ")[0] for line in flake8(*arguments, cwd=project, stdin=changed)] == ["helpers.py:3:19:"]
    assert flake8("--select=MPS", "-", cwd=project, stdin="x = 1\n") == []


def test_our_configuration_and_that_of_flake8(project: Path, expected: list[str]) -> None:
    (project / "mpsafe.toml").write_text('[per-file-ignores]\n"main.py" = ["MPS2"]\n')
    assert flake8("--select=MPS", cwd=project) == expected[:1]
    (project / ".flake8").write_text("[flake8]\nselect = MPS\nper-file-ignores =\n    helpers.py: MPS202\n")
    assert flake8(cwd=project) == []


def test_rules_that_are_off_by_default(project: Path) -> None:
    (project / "main.py").write_text(
        "from multiprocessing import Process\n\n\ndef work():\n    pass\n\n\ndef main():\n"
        "    process = Process(target=work)\n    process.start()\n"
    )
    (project / "helpers.py").unlink()
    for selection in ([], ["--extend-select", "MPS306"], ["--select", "MPS3"]):
        ours = mpsafe_lint(*selection, cwd=project)
        assert flake8(*(selection or ["--select", "MPS"]), cwd=project) == ours
    assert flake8("--select", "MPS306,MPS777", cwd=project) == mpsafe_lint("--select", "MPS306", cwd=project)


def test_a_file_that_cannot_be_parsed_is_left_to_flake8(project: Path, expected: list[str]) -> None:
    (project / "broken.py").write_text("def f(:\n")
    lines = flake8("--select=MPS,E9", cwd=project)
    assert lines[0].startswith("broken.py:1:") and " E999 " in lines[0] and lines[1:] == expected


def test_a_baseline(project: Path) -> None:
    (project / "mpsafe.toml").write_text('baseline = "known.json"\n')
    assert mpsafe_lint("--write-baseline", cwd=project) == []
    assert flake8("--select=MPS", cwd=project) == []


def test_a_bad_configuration_is_one_line(project: Path) -> None:
    (project / "mpsafe.toml").write_text("slect = []\n")
    done = here(flake8_main, [], project)
    assert done.returncode == 1 and "Traceback" not in done.stdout + done.stderr
    assert "unknown key 'slect'; did you mean 'select'?" in done.stdout


def test_nothing_is_analysed_where_nothing_is_asked_for(project: Path) -> None:
    (project / "mpsafe.toml").write_text("slect = []\n")
    assert flake8("--select=E9", cwd=project) == []
