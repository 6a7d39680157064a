"""The command, as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shell.running import fresh, run

FAULTY = """\
from multiprocessing import Process


def main():
    process = Process(target=lambda: print(1))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""
CLEAN = "print('nothing is sent')\n"


def concise(*arguments: str | Path, cwd: Path, stdin: bytes = b"") -> list[str]:
    """Return the places and codes that are reported."""
    done = run("--output-format", "concise", *arguments, cwd=cwd, stdin=stdin)
    assert done.returncode == (1 if done.stdout else 0), done.stderr
    return [" ".join(line.split(" ", 2)[:2]) for line in done.stdout.splitlines()]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "mpsafe.toml").touch()
    (tmp_path / "faulty.py").write_text(FAULTY)
    (tmp_path / "clean.py").write_text(CLEAN)
    return tmp_path


# --- exit codes -----------------------------------------------------------------------------------------------------


def test_exit_0_where_nothing_was_found(project: Path) -> None:
    done = fresh("clean.py", cwd=project)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("0 findings in 2 files")


def test_exit_1_where_something_was_found(project: Path) -> None:
    done = fresh(cwd=project)
    assert done.returncode == 1
    assert done.stdout.startswith("faulty.py:5:30: MPS202 ")
    assert "    5 |     process = Process(target=lambda: print(1))\n" in done.stdout
    assert "      = sent to the new process as target" in done.stdout
    assert done.stderr.startswith("1 finding in 2 files")


def test_exit_zero_and_quiet(project: Path) -> None:
    done = fresh("--exit-zero", "--quiet", cwd=project)
    assert (done.returncode, done.stderr) == (0, "") and "MPS202" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing/here.py"], "no such file or folder: nothing/here.py"),
        (["--select", "MSP202"], "--select: unknown rule 'MSP202'; did you mean 'MPS202'?"),
        (["--ignore", "MPS1,lamda"], "--ignore: unknown rule 'lamda'; did you mean 'lambda'?"),
        (["--per-file-ignores", "MPS101"], "--per-file-ignores: 'MPS101' names no file"),
        (["--target-version", "2.7"], "--target-version: '2.7' is no Python version"),
        (["--start-method", "spoon"], "--start-method: 'spoon' is no start method"),
        (["--python", "nowhere"], "'nowhere' is no Python environment"),
        (["--output-format", "xml"], "invalid choice: 'xml'"),
        (["--no-such-option"], "unrecognized arguments: --no-such-option"),
        (["--config", "none.toml"], "none.toml: cannot be read: No such file"),
        (["--baseline", "none.json"], "none.json: cannot be read"),
        (["--output-file", "no/folder/report.txt"], "no/folder/report.txt cannot be written"),
        (["--explain", "MPS777"], "--explain: unknown rule 'MPS777'"),
        (["--stdin-filename", "x.py"], "--stdin-filename: only with -"),
        (["--statistics", "--output-format", "sarif"], "--output-format: sarif is a form of reports alone"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_exit_2_and_one_line_where_it_could_not_run(project: Path, arguments: list[str], said: str) -> None:
    done = run(*arguments, cwd=project)
    assert done.returncode == 2 and said in done.stderr
    assert done.stderr.startswith("mpsafe-lint: error: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("mpsafe.toml", "slect = []\n", "unknown key 'slect'; did you mean 'select'?"),
        ("mpsafe.toml", "select = [\n", "not valid TOML"),
        ("pyproject.toml", "[tool.mpsafe-lint\n", "not valid TOML"),
        ("pyproject.toml", "[tool]\nmpsafe-lint = 1\n", "[tool.mpsafe-lint] must be a table"),
        ("sub/mpsafe.toml", "ignore = ['MPS999']\n", "ignore: unknown rule 'MPS999'"),
    ],
)
def test_exit_2_for_a_bad_configuration(project: Path, name: str, text: str, said: str) -> None:
    (project / "mpsafe.toml").unlink()
    (project / ".git").mkdir()
    (project / "sub").mkdir()
    (project / "sub" / "faulty.py").write_text(FAULTY)
    (project / name).write_text(text)
    done = run(cwd=project)
    assert done.returncode == 2 and f"{project / name}: " in done.stderr and said in done.stderr
    assert done.stderr.count("\n") == 1 and done.stdout == ""
    if name != "sub/mpsafe.toml":
        assert run("--isolated", cwd=project).returncode == 1


# --- input ----------------------------------------------------------------------------------------------------------


def test_empty_files_and_folders(project: Path) -> None:
    (project / "empty.py").touch()
    assert fresh("empty.py", cwd=project).returncode == 0
    (project / "docs").mkdir()
    (project / "docs" / "notes.txt").write_text("x = (")
    done = fresh("docs", cwd=project)
    assert (done.returncode, done.stdout) == (0, "") and "warning: no Python files in docs" in done.stderr


def test_a_syntax_error_is_reported_and_the_rest_goes_on(project: Path) -> None:
    (project / "broken.py").write_text("x = 1\nif x\n    pass\n")
    assert concise(cwd=project) == ["broken.py:2:5: MPS900", "faulty.py:5:30: MPS202"]
    assert concise("broken.py", cwd=project) == ["broken.py:2:5: MPS900"]
    assert concise("--select", "MPS1", cwd=project) == ["broken.py:2:5: MPS900"]
    assert concise("--ignore", "MPS900", "broken.py", cwd=project) == []


@pytest.mark.parametrize(
    "data",
    [
        FAULTY.replace("\n", "\r\n").encode(),
        FAULTY.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + FAULTY.encode(),
        FAULTY.rstrip("\n").encode(),
        FAULTY.replace("from", "\x0cfrom", 1).encode(),
    ],
    ids=["crlf", "cr", "bom", "no-final-newline", "form-feed"],
)
def test_forms_of_text(project: Path, data: bytes) -> None:
    (project / "faulty.py").write_bytes(data)
    assert concise(cwd=project) == ["faulty.py:5:30: MPS202"]
    assert (project / "faulty.py").read_bytes() == data


def test_a_cookie_and_columns_in_characters(project: Path) -> None:
    text = "# coding: latin-1\n" + FAULTY.replace("process = Process(", "é = Process(args=('ü',), ").replace(
        "process.", "é."
    )
    (project / "faulty.py").write_bytes(text.encode("latin-1"))
    line = text.splitlines()[5]
    assert concise(cwd=project) == [f"faulty.py:6:{line.index('lambda') + 1}: MPS202"]
    assert "é = Process(args=('ü',)" in run(cwd=project).stdout


def test_files_that_cannot_be_read(project: Path) -> None:
    (project / "latin.py").write_bytes(b"x = 1\ny = '\xe9'\n")
    (project / "cookie.py").write_bytes(b"# coding: klingon\n")
    (project / "gone.py").symlink_to("nowhere.py")
    (project / "nul.py").write_bytes(b"x = 1\0\n")
    (project / "folder.py").mkdir()
    os.mkfifo(project / "pipe.py")
    done = fresh("--output-format", "concise", ".", "pipe.py", cwd=project)
    lines = done.stdout.splitlines()
    assert [line.split(" ")[1] for line in lines] == ["MPS900", "MPS202", "MPS900", "MPS900", "MPS900", "MPS900"]
    said = {line.split(":")[0]: line for line in lines}
    assert "unknown encoding" in said["cookie.py"]
    assert "no such file" in said["gone.py"]
    assert said["latin.py"].startswith("latin.py:2:") and "not valid utf-8: byte 0xe9" in said["latin.py"]
    assert "no regular file" in said["pipe.py"]


def test_a_name_that_is_no_utf8(project: Path) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    (project / name).write_text(FAULTY)
    for form in ("full", "json", "sarif", "junit", "github", "gitlab"):
        done = run("--output-format", form, "--select", "MPS2", cwd=project)
        assert done.returncode == 1 and "caf" in done.stdout


def test_stdin(project: Path) -> None:
    assert fresh("-", cwd=project, stdin=FAULTY.encode()).stdout.startswith("<stdin>:5:30: MPS202 ")
    assert concise("-", "--stdin-filename", "clean.py", cwd=project, stdin=FAULTY.encode()) == ["clean.py:5:30: MPS202"]
    assert concise("-", "--stdin-filename", "faulty.py", cwd=project, stdin=CLEAN.encode()) == []
    assert concise("-", "--stdin-filename", "new.py", cwd=project, stdin=b"") == []
    done = run("-", cwd=project, stdin=b"'\xe9'")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "mpsafe-lint: error: stdin, line 1: is not valid utf-8: byte 0xe9\n"


def test_given_paths_choose_what_is_printed(project: Path) -> None:
    (project / "maker.py").write_text("def make():\n    return lambda: 1\n")
    (project / "user.py").write_text(
        "from multiprocessing import Process\nfrom maker import make\n\n\n"
        "def main():\n    Process(target=make()).start()\n"
    )
    found = ["maker.py:2:12: MPS202"]
    assert concise("maker.py", cwd=project) == found
    assert concise("user.py", cwd=project) == found
    assert concise("clean.py", cwd=project) == []


# --- selecting and silencing ----------------------------------------------------------------------------------------


def test_selection(project: Path) -> None:
    for arguments, count in [
        (["--select", "MPS1"], 0),
        (["--select", "MPS2,MPS1"], 1),
        (["--select", "MPS1", "--select", "lambda"], 1),
        (["--ignore", "MPS202"], 0),
        (["--per-file-ignores", "faulty.py:MPS2"], 0),
        (["--per-file-ignores", "clean.py:MPS2,MPS1 other/*:ALL"], 1),
        (["--exclude", "faulty.py"], 0),
        (["--extend-exclude", "f*.py,nothing"], 0),
    ]:
        assert len(concise(*arguments, cwd=project)) == count, arguments


def test_options_win_over_the_configuration(project: Path) -> None:
    (project / "mpsafe.toml").write_text('ignore = ["MPS2"]\n')
    assert concise(cwd=project) == []
    assert len(concise("--ignore", "MPS1", cwd=project)) == 1
    assert len(concise("--isolated", cwd=project)) == 1
    (project / "other.toml").write_text('select = ["MPS2"]\n')
    assert len(concise("--config", "other.toml", cwd=project)) == 1


def test_the_nearest_configuration_decides_what_is_reported(project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "mpsafe.toml").write_text('ignore = ["MPS2"]\n')
    (project / "sub" / "faulty.py").write_text(FAULTY)
    assert concise(cwd=project) == ["faulty.py:5:30: MPS202"]
    assert len(concise("--ignore", "MPS3", cwd=project)) == 2


def test_a_comment_silences(project: Path) -> None:
    (project / "faulty.py").write_text(FAULTY.replace("print(1))", "print(1))  # noqa: MPS202"))
    assert concise(cwd=project) == []
    (project / "clean.py").write_text("x = 1  # noqa: MPS202, E501\n")
    assert concise("--extend-select", "MPS902", cwd=project) == ["clean.py:1:16: MPS902"]


def test_add_noqa(project: Path) -> None:
    done = run("--add-noqa", cwd=project)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "silenced 1 finding by comments\n")
    assert "print(1))  # noqa: MPS202\n" in (project / "faulty.py").read_text()
    assert concise(cwd=project) == []


def test_baseline(project: Path) -> None:
    assert run("--write-baseline", cwd=project).returncode == 0
    assert len(json.loads((project / "mpsafe-baseline.json").read_text())["findings"]) == 1
    assert len(concise(cwd=project)) == 1
    assert concise("--baseline", "mpsafe-baseline.json", cwd=project) == []
    (project / "mpsafe.toml").write_text('baseline = "mpsafe-baseline.json"\n')
    (project / "faulty.py").write_text("\n\n" + FAULTY)
    assert concise(cwd=project) == []
    (project / "new.py").write_text(FAULTY.replace("print(1)", "print(2)"))
    assert concise(cwd=project) == ["new.py:5:30: MPS202"]
    (project / "faulty.py").unlink()
    done = run("clean.py", cwd=project)
    assert "note: 1 entry of the baseline no longer occurs: MPS202 in faulty.py" in done.stderr
    assert run("--write-baseline", cwd=project).returncode == 0
    assert concise(cwd=project) == []


# --- output ---------------------------------------------------------------------------------------------------------


def test_output_file(project: Path) -> None:
    done = run("--output-format", "json", "--output-file", "report.json", cwd=project)
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads((project / "report.json").read_text())[0]["code"] == "MPS202"


def test_statistics(project: Path) -> None:
    assert run("--statistics", cwd=project).stdout.split() in (
        ["1", "MPS202", "[*]", "lambda"],
        ["1", "MPS202", "[", "]", "lambda"],
    )


def test_output_is_sorted_and_repeatable(project: Path) -> None:
    for name in ("b.py", "a.py", "sub.py"):
        (project / name).write_text(FAULTY)
    first, second = (fresh("sub.py", "b.py", "a.py", cwd=project, PYTHONHASHSEED=seed) for seed in "12")
    assert first.stdout == second.stdout
    assert [line.split(":")[0] for line in first.stdout.splitlines() if "MPS202" in line] == ["a.py", "b.py", "sub.py"]


def test_colours(project: Path) -> None:
    assert "\x1b[" not in run(cwd=project).stdout
    assert "\x1b[" in run("--color", "always", cwd=project).stdout


def test_a_reader_that_has_seen_enough(project: Path) -> None:
    code = "from mpsafe_lint.cli import lint_main; raise SystemExit(lint_main())"
    done = subprocess.run(
        f'{sys.executable} -c "{code}" --explain ALL | head -n 1',
        shell=True,
        cwd=project,
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("#") and done.stderr == ""


def test_explain(project: Path) -> None:
    for rule in ("MPS101", "mps201", "dict-view"):
        done = run("--explain", rule, cwd=project)
        assert done.returncode == 0 and done.stdout.startswith("# ") and "dict-view" in done.stdout.splitlines()[0]
    every = run("--explain", "ALL", cwd=project).stdout
    assert all(kind in every for kind in ("lambda", "no-sentinel", "unused-noqa"))
    assert "```python\n" in every and "```python " not in every


def test_show_settings_can_be_used_as_a_configuration(project: Path) -> None:
    (project / "mpsafe.toml").write_text(
        'select = ["MPS1"]\n[per-file-ignores]\n"a*" = ["MPS2"]\n[[boundaries]]\ncall = "f"\nargument = 0\n'
    )
    done = run("--show-settings", cwd=project)
    assert f"# root: {project}\n" in done.stdout and "# environment: " in done.stdout
    (project / "mpsafe.toml").write_text(done.stdout)
    assert run("--show-settings", cwd=project).stdout == done.stdout


def test_show_files(project: Path) -> None:
    assert run("--show-files", cwd=project).stdout == f"{project / 'clean.py'}\n{project / 'faulty.py'}\n"


def test_version_and_module(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mpsafe_lint", "--version"], capture_output=True, text=True, cwd=project
    )
    assert done.returncode == 0 and done.stdout.startswith("mpsafe-lint ")
    assert run("--version", cwd=project, program="fix").stdout == done.stdout


def test_nothing_heavy_is_imported_at_start() -> None:
    code = (
        "import sys, mpsafe_lint.cli, mpsafe_lint.flake8_plugin\n"
        "print([n for n in ('ast', 'libcst', 'astroid', 'flake8', 'pathspec', 'dataclasses', 'importlib.metadata')"
        " if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "[]\n"


# --- repairing ------------------------------------------------------------------------------------------------------

UNSAFE = """\
from multiprocessing import Process


class Worker(Process):
    def __init__(self, counts):
        super().__init__()
        self.names = counts.keys()

    def run(self):
        print(self.names.mapping)
"""


def test_fix_repairs_and_says_what_it_did(project: Path) -> None:
    done = fresh(cwd=project, program="fix")
    assert done.returncode == 0
    assert done.stdout.startswith("faulty.py:5:30: MPS202 lambda: ") and done.stdout.count("\n") == 1
    assert done.stderr == "repaired 1 finding in 1 file; 0 left\n"
    assert "lambda" not in (project / "faulty.py").read_text()
    assert run(cwd=project).returncode == 0
    again = run(cwd=project, program="fix")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "repaired 0 findings; 0 left\n")


def test_check_and_diff_change_nothing(project: Path) -> None:
    for arguments, status in [(["--check"], 1), (["--diff"], 0), (["--check", "--diff"], 1)]:
        done = run(*arguments, cwd=project, program="fix")
        assert done.returncode == status and done.stderr.endswith("would repair 1 finding in 1 file; 0 left\n")
        assert done.stdout.startswith("--- faulty.py\n+++ faulty.py\n" if "--diff" in arguments else "faulty.py:5:30: ")
    lint = run("--diff", cwd=project)
    assert (lint.returncode, lint.stdout) == (1, done.stdout)
    assert (project / "faulty.py").read_text() == FAULTY
    assert run("--check", "clean.py", cwd=project, program="fix").returncode == 0
    subprocess.run(["git", "apply", "-p0"], input=done.stdout, cwd=project, text=True, check=True)
    assert run("--check", cwd=project, program="fix").returncode == 0


def test_an_unsafe_repair_is_shown_and_applied_on_request(project: Path) -> None:
    (project / "faulty.py").write_text(UNSAFE)
    done = run(cwd=project, program="fix")
    assert done.returncode == 0 and done.stderr == "repaired 0 findings; 1 left\n"
    assert "left for a person:" in done.stdout and "unsafe fix: " in done.stdout and "= unsafe: " in done.stdout
    assert (project / "faulty.py").read_text() == UNSAFE
    assert "1 more with --unsafe-fixes" in run(cwd=project).stderr
    assert run("--unsafe-fixes", cwd=project, program="fix").stderr == "repaired 1 finding in 1 file; 0 left\n"
    assert (project / "faulty.py").read_text() != UNSAFE


def test_what_may_be_repaired(project: Path) -> None:
    for arguments in (["--unfixable", "lambda"], ["--fixable", "MPS1"], ["--select", "MPS1"], ["clean.py"]):
        assert run("--check", *arguments, cwd=project, program="fix").returncode == 0, arguments
    (project / "faulty.py").write_text(FAULTY.replace("print(1))", "print(1))  # noqa"))
    assert run("--check", cwd=project, program="fix").returncode == 0


def test_lint_with_fix_reports_what_is_left(project: Path) -> None:
    (project / "left.py").write_text(UNSAFE)
    done = run("--fix", "--output-format", "concise", cwd=project)
    assert done.returncode == 1 and done.stdout.startswith("left.py:7:22: MPS101 ") and done.stdout.count("\n") == 1
    assert "repaired 1 finding in 1 file; 1 left\n" in done.stderr
    assert run("--fix", "faulty.py", cwd=project).returncode == 0


def test_fix_of_stdin_prints_it(project: Path) -> None:
    data = b"# coding: latin-1\r\nx = '\xe9'\r\n" + FAULTY.replace("\n", "\r\n").encode()
    code = "import sys; from mpsafe_lint.cli import fix_main; sys.exit(fix_main())"
    command = [sys.executable, "-c", code, "-", "--stdin-filename", "faulty.py"]
    done = subprocess.run(command, input=data, cwd=project, capture_output=True, timeout=60)
    assert done.returncode == 0 and b"x = '\xe9'\r\n" in done.stdout and b"lambda" not in done.stdout
    assert done.stdout.count(b"\n") == done.stdout.count(b"\r\n")
    assert (project / "faulty.py").read_text() == FAULTY
    assert run("-", cwd=project, program="fix", stdin=CLEAN.encode()).stdout == CLEAN
    refused = run("-", "--fix", cwd=project, stdin=FAULTY.encode())
    assert refused.returncode == 2 and "mpsafe-fix - prints" in refused.stderr


def test_a_file_that_cannot_be_written(project: Path) -> None:
    outside = project.parent / f"{project.name}-outside.py"
    outside.write_text(FAULTY)
    (project / "faulty.py").unlink()
    (project / "faulty.py").symlink_to(outside)
    done = run("faulty.py", cwd=project, program="fix")
    assert done.returncode == 2 and done.stderr.startswith("mpsafe-fix: error: faulty.py: is a link that leads out")
    assert outside.read_text() == FAULTY


@pytest.mark.parametrize(
    ("arguments", "said"), [(["none.py"], "no such file"), (["--select", "MPS777"], "unknown rule")]
)
def test_fix_exits_2_where_it_could_not_run(project: Path, arguments: list[str], said: str) -> None:
    done = run(*arguments, cwd=project, program="fix")
    assert done.returncode == 2 and done.stderr.startswith("mpsafe-fix: error: ") and said in done.stderr
