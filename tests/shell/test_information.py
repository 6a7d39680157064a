"""What the command tells without looking at a project: rules, error texts, completion."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mpsafe_lint import __version__
from mpsafe_lint.knowledge.rules import all_codes
from shell.running import run

LOG = b"epoch 3\nTraceback (most recent call last):\n  File 'x'\nTypeError: cannot pickle 'dict_keys' object\n"
COMPLETE = """\
source <("$1" -c 'import sys; from mpsafe_lint.cli import lint_main; sys.exit(lint_main())' --print-completion bash)
shift
COMP_WORDS=("mpsafe-lint" "$@") COMP_CWORD=$#
_shtab_mpsafe_lint
printf '%s\\n' "${COMPREPLY[@]}"
"""


def test_rules_as_json(tmp_path: Path) -> None:
    rules = json.loads(run("--explain", "ALL", "--output-format", "json", cwd=tmp_path).stdout)
    assert [rule["code"] for rule in rules] == sorted(all_codes())
    by_code = {rule["code"]: rule for rule in rules}
    view, unused = by_code["MPS101"], by_code["MPS902"]
    assert (view["kind"], view["default"], view["fixable"]) == ("dict-view", True, True)
    assert (unused["default"], unused["fixable"]) == (False, False)
    assert all(rule["page"].startswith(f"# {rule['kind']} (") for rule in rules)
    [one] = json.loads(run("--explain", "mps101", "--output-format", "json", cwd=tmp_path).stdout)
    assert one == view


def test_pages_go_to_a_file(tmp_path: Path) -> None:
    done = run("--explain", "lambda", "-o", "page.md", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "page.md").read_text().startswith("# lambda (MPS102, MPS202)\n")


def test_explain_error_reads_a_log(tmp_path: Path) -> None:
    (tmp_path / "job.log").write_bytes(LOG)
    for done in (run("--explain-error", cwd=tmp_path, stdin=LOG), run("--explain-error", "job.log", cwd=tmp_path)):
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("TypeError: cannot pickle 'dict_keys' object\n  dict view cannot be pickled\n")
        assert "MPS101 or MPS201: keep a list" in done.stdout
    found = json.loads(run("--explain-error", "--output-format", "json", "job.log", cwd=tmp_path).stdout)
    assert (found["kind"], found["codes"]) == ("dict-view", ["MPS101", "MPS201"])


def test_an_error_that_is_not_known(tmp_path: Path) -> None:
    for text in (b"", b"all is well\n", b"\xff\xfe\n"):
        done = run("--explain-error", cwd=tmp_path, stdin=text)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "mpsafe-lint: nothing in this text is known\n"
    assert run("--explain-error", "--output-format", "json", cwd=tmp_path, stdin=b"x").stdout == "null\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--explain", "MPS101", "--output-format", "sarif"], "sarif is a form of reports alone: use full or json"),
        (["--explain-error", "--output-format", "junit"], "junit is a form of reports alone"),
        (["--explain-error", "none.log"], "--explain-error: none.log cannot be read: No such file"),
        (["--explain", "lambda", "-o", "no/folder/x"], "no/folder/x cannot be written"),
        (["--print-completion", "fish"], "invalid choice: 'fish'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_requests(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = run(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and done.stderr.count("\n") == 1


# --- completion -----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["--output-f"], ["--output-format", "--output-file"]),
        (["--output-format", "s"], ["sarif"]),
        (["--explain", "dict"], ["dict-view"]),
        (["--explain", "MPS90"], ["MPS900", "MPS901", "MPS902"]),
        (["--baseline", "job"], ["job.json"]),
    ],
    ids=lambda words: " ".join(words),
)
def test_bash_completes(tmp_path: Path, words: list[str], completed: list[str]) -> None:
    (tmp_path / "job.json").touch()
    command = ["bash", "-c", COMPLETE, "bash", sys.executable, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert (done.stdout.split(), done.stderr) == (completed, "")


def test_completion_of_every_shell_and_command(tmp_path: Path) -> None:
    for shell in ("bash", "zsh", "tcsh"):
        for program in ("lint", "fix"):
            done = run("--print-completion", shell, cwd=tmp_path, program=program)
            assert done.returncode == 0 and f"mpsafe-{program}" in done.stdout


def test_completion_without_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    done = run("--print-completion", "bash", cwd=tmp_path)
    assert done.returncode == 2 and "pip install 'mpsafe-lint[completion]'" in done.stderr


# --- interrupting ---------------------------------------------------------------------------------------------------


def test_an_interrupt_ends_it_at_once(tmp_path: Path) -> None:
    """While the analysis runs, which is in a thread of its own."""
    (tmp_path / "mpsafe.toml").touch()
    (tmp_path / "long.py").write_text("\n".join(f"x{n} = [lambda: {n}]" for n in range(60_000)))
    code = (
        "import _thread, sys, threading, mpsafe_lint.check as check\n"
        "from mpsafe_lint.cli import lint_main\n"
        "before = check.needed\n"
        "def now(*given, **named):\n    threading.Timer(0.2, _thread.interrupt_main).start()\n    return before(*given, **named)\n"
        "check.needed = now\nsys.exit(lint_main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "mpsafe-lint: interrupted\n")


@pytest.mark.parametrize("program", ["lint", "fix"])
def test_the_version_is_said_before_anything_is_loaded(program: str, tmp_path: Path) -> None:
    code = (
        f"import atexit, sys\nfrom mpsafe_lint.cli import {program}_main as main\n"
        "atexit.register(lambda: print(sorted(name for name in sys.modules if name.startswith('mpsafe_lint'))))\n"
        "main(['--version'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    loaded = ["mpsafe_lint", "mpsafe_lint.cli", "mpsafe_lint.reports"]
    assert done.stdout == f"mpsafe-lint {__version__}\n{loaded}\n"
