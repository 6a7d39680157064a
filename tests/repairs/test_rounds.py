"""The rounds, with the real analysis and real files: what is written, what is taken back, what is left."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mpsafe_lint.config import Config, Reporting
from mpsafe_lint.files import writing
from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Edit, Finding, NotRepaired, Repair, Span
from mpsafe_lint.repairs import rounds
from mpsafe_lint.repairs.rounds import FixResult, fix

POOL = """\
from multiprocessing import Pool


def main(xs, k):
    with Pool(2) as pool:
        return pool.map(lambda x: x + k, xs)


if __name__ == "__main__":
    print(main([1, 2], 3))
"""
REPAIRED = """\
import functools
from multiprocessing import Pool


def _task(k, x):
    return x + k


def main(xs, k):
    with Pool(2) as pool:
        return pool.map(functools.partial(_task, k), xs)


if __name__ == "__main__":
    print(main([1, 2], 3))
"""
UNSAFE = """\
from multiprocessing import Pool


class Table:
    def __init__(self, rows):
        self.names = rows.keys()

    def show(self, name):
        return f"{self.names} {name}"


def main(rows):
    with Pool(2) as pool:
        return pool.map(Table(rows).show, ["a"])


if __name__ == "__main__":
    main({"a": 1})
"""


def repair_all(
    folder: Path, *named: str, unsafe: bool = False, write: bool = True, overlay: dict[str, str] | None = None
) -> FixResult:
    (folder / "mpsafe.toml").touch()
    config = Config(folder=folder, unsafe_fixes=unsafe)
    overlaid = {folder / path: text for path, text in (overlay or {}).items()}
    project = Project.load([folder / name for name in named] or [folder], config, overlay=overlaid)
    reporting = Reporting(folder, config, {})
    return fix(project, config, reporting=reporting, choose=lambda findings, project: findings, write=write)


def test_writes_and_changes_nothing_the_second_time(tmp_path: Path) -> None:
    file = tmp_path / "main.py"
    file.write_text(POOL)
    result = repair_all(tmp_path)
    assert file.read_text() == REPAIRED
    assert [finding.kind for finding in result.applied] == ["lambda"]
    assert (result.remaining, result.failures) == ((), ())
    assert [(change.path, change.old, change.new) for change in result.changes] == [("main.py", POOL, REPAIRED)]
    again = repair_all(tmp_path)
    assert (again.changes, again.applied) == ((), ())
    assert file.read_text() == REPAIRED


def test_writes_nothing_when_it_only_shows(tmp_path: Path) -> None:
    file = tmp_path / "main.py"
    file.write_text(POOL)
    result = repair_all(tmp_path, write=False)
    assert file.read_text() == POOL
    assert result.changes[0].new == REPAIRED


def test_several_in_one_call_and_one_file(tmp_path: Path) -> None:
    source = """\
from multiprocessing import Pool


def main(xs, k):
    with Pool(2, initializer=lambda: print(k + 1)) as pool:
        return pool.map(lambda x: x + k, xs), pool.map(lambda y: y * k, xs), pool.map(lambda x: x + k, xs)
"""
    file = tmp_path / "main.py"
    file.write_text(source)
    result = repair_all(tmp_path)
    assert len(result.applied) == 4
    assert not result.remaining
    text = file.read_text()
    assert text.count("import functools\n") == 1
    assert [line for line in text.splitlines() if line.startswith("def ")] == [
        "def _initializer(k):",
        "def _task(k, x):",
        "def _main_task(k, y):",
        "def main(xs, k):",
    ]


@pytest.mark.parametrize(
    ("before", "encoding"),
    [
        (b"# caf\xe9\n", "latin-1"),
        (b"", "utf-8-sig"),
        ("# naïve ∀\n".encode(), "utf-8"),
    ],
    ids=["latin-1", "BOM", "utf-8"],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_keeps_encoding_and_line_ends(tmp_path: Path, before: bytes, encoding: str, newline: str) -> None:
    cookie = "# -*- coding: latin-1 -*-\n" if encoding == "latin-1" else ""
    head = cookie.encode() + before
    bom = b"\xef\xbb\xbf" if encoding == "utf-8-sig" else b""
    end = newline.encode()
    file = tmp_path / "main.py"
    file.write_bytes(bom + (head + POOL.encode()).replace(b"\n", end))
    assert not repair_all(tmp_path).failures
    assert file.read_bytes() == bom + (head + REPAIRED.encode()).replace(b"\n", end)


def test_keeps_mode_and_link(tmp_path: Path) -> None:
    real = tmp_path / "real" / "main.py"
    real.parent.mkdir()
    real.write_text(POOL)
    real.chmod(0o750)
    link = tmp_path / "main.py"
    link.symlink_to(real)
    result = repair_all(tmp_path, "main.py")
    assert not result.failures
    assert link.is_symlink()
    assert real.read_text() == REPAIRED
    assert stat.S_IMODE(real.stat().st_mode) == 0o750


def test_leaves_a_link_out_of_the_project_alone(tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere.py"
    outside.write_text(POOL)
    root = tmp_path / "root"
    root.mkdir()
    (root / "main.py").symlink_to(outside)
    result = repair_all(root, "main.py")
    assert [(failure.path, failure.reason) for failure in result.failures] == [
        ("main.py", "is a link that leads out of the project; left alone")
    ]
    assert outside.read_text() == POOL
    assert not result.changes
    assert [type(finding.repair) for finding in result.remaining] == [NotRepaired]


@pytest.mark.parametrize(("number", "text"), [(errno.ENOSPC, "No space left"), (errno.EACCES, "Permission denied")])
def test_a_file_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, text: str) -> None:
    for name in ("bad.py", "good.py"):
        (tmp_path / name).write_text(POOL)
    replace = os.replace

    def full(source: str, target: Path) -> None:
        if target.name == "bad.py":
            raise OSError(number, os.strerror(number))
        replace(source, target)

    monkeypatch.setattr(writing.os, "replace", full)
    result = repair_all(tmp_path)
    assert [failure.path for failure in result.failures] == ["bad.py"]
    assert text in result.failures[0].reason
    assert (tmp_path / "bad.py").read_text() == POOL
    assert (tmp_path / "good.py").read_text() == REPAIRED
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.py", "good.py", "mpsafe.toml"]
    assert [finding.span.path for finding in result.applied] == ["good.py"]
    assert [finding.span.path for finding in result.remaining] == ["bad.py"]


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    (tmp_path / "mpsafe.toml").touch()
    (tmp_path / "good.py").write_text(POOL)
    large = POOL + f"TEXT = '{'x' * 50_000}'\n"
    (tmp_path / "large.py").write_text(large)
    run = (
        "import resource\n"
        "from mpsafe_lint.cli import fix_main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "raise SystemExit(fix_main(['.']))\n"
    )
    done = subprocess.run([sys.executable, "-c", run], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "mpsafe-fix: error: large.py: cannot be written: File too large\n" in done.stderr
    assert "    6 |         return pool.map(lambda x: x + k, xs)\n" in done.stdout
    assert (tmp_path / "good.py").read_text() == REPAIRED
    assert (tmp_path / "large.py").read_text() == large
    assert sorted(path.name for path in tmp_path.glob("*.py*")) == ["good.py", "large.py"]
    assert not list(tmp_path.glob(".large*"))


def test_repairs_that_overlap(tmp_path: Path) -> None:
    source = """\
from multiprocessing import Pool


def main(xs, k):
    with Pool(2) as pool:

        def work(x):
            return lambda y: y + x

        return pool.map(lambda x: lambda: (x, k), xs), pool.map(work, xs)


if __name__ == "__main__":
    found = main([1, 2], 3)
    print([f() for f in found[0]], [f(10) for f in found[1]])
"""
    file = tmp_path / "main.py"
    file.write_text(source)
    result = repair_all(tmp_path)
    assert len(result.applied) == 4
    assert (result.remaining, result.failures) == ((), ())
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[(1, 3), (2, 3)] [11, 12]\n", done.stderr
    assert not repair_all(tmp_path).changes


def test_a_file_that_changed_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "main.py"
    file.write_text(POOL)
    check = rounds.check

    def slow(project: Project, config: Config) -> rounds.Analysis:
        found = check(project, config)
        file.write_text("edited = True\n")
        return found

    monkeypatch.setattr(rounds, "check", slow)
    result = repair_all(tmp_path)
    assert [failure.reason for failure in result.failures] == ["changed since it was read; left alone"]
    assert file.read_text() == "edited = True\n"


def test_unsafe_repairs_only_when_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "main.py"
    file.write_text(UNSAFE)
    result = repair_all(tmp_path)
    assert file.read_text() == UNSAFE
    assert [getattr(finding.repair, "applicability", None) for finding in result.remaining] == ["unsafe"]
    result = repair_all(tmp_path, unsafe=True)
    assert file.read_text() == UNSAFE.replace("rows.keys()", "list(rows.keys())")
    assert not result.remaining


def test_only_files_that_are_given(tmp_path: Path) -> None:
    (tmp_path / "tables.py").write_text(
        "class Table:\n    def __init__(self, rows):\n        self.names = rows.keys()\n\n"
        "    def show(self, name):\n        return name in self.names\n"
    )
    (tmp_path / "main.py").write_text(
        "from multiprocessing import Pool\n\nfrom tables import Table\n\n\ndef main(rows):\n"
        '    with Pool(2) as pool:\n        return pool.map(Table(rows).show, ["a"])\n'
    )
    result = repair_all(tmp_path, "main.py")
    assert not result.changes
    assert result.remaining[0].repair == NotRepaired("tables.py was not named", "name tables.py as well")
    assert [change.path for change in repair_all(tmp_path).changes] == ["tables.py"]


def test_the_overlay_is_repaired_and_not_written(tmp_path: Path) -> None:
    file = tmp_path / "main.py"
    file.write_text("pass\n")
    result = repair_all(tmp_path, overlay={"main.py": POOL})
    assert result.changes[0].new == REPAIRED
    assert file.read_text() == "pass\n"


# --- repairs that are no good


def planned(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let every repair write `text` in the place of the value."""

    def plan(finding: Finding, project: Project) -> Repair | NotRepaired:
        return Repair("test", "safe", (Edit(finding.span, text),), "replaced")

    monkeypatch.setattr(rounds, "plan", plan)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lambda x: (", "the repaired file would not parse"),
        ("lambda x: x + k", "its repair changes nothing"),
        ("lambda x: x - k", "its repair was tried and brings another finding (lambda)"),
        ("(lambda x: x + k)", "its repair was tried and did not help"),
    ],
)
def test_a_repair_that_is_no_good_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    file = tmp_path / "main.py"
    file.write_text(POOL)
    planned(monkeypatch, text)
    result = repair_all(tmp_path)
    assert file.read_text() == POOL
    assert not result.changes
    assert not result.applied
    assert [finding.repair.reason for finding in result.remaining if isinstance(finding.repair, NotRepaired)] == [
        reason
    ]


def test_repairs_that_never_end_are_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "main.py"
    file.write_text(POOL)
    numbers = iter(range(10_000))

    def plan(finding: Finding, project: Project) -> Repair:
        place = Span(finding.span.path, 1, 0, 1, 0)
        return Repair("test", "safe", (Edit(place, f"n = {next(numbers)}\n"),), "grows")

    monkeypatch.setattr(rounds, "plan", plan)
    result = repair_all(tmp_path)
    assert next(numbers) < 100
    assert file.read_text() == POOL
    assert not result.applied
