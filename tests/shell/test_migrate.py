"""`--migrate 3.14`: what worked under fork, and will fail under forkserver."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shell.running import fresh, run

PROGRAM = """\
import itertools
from multiprocessing import Pool, Process, get_context

import tasks


def start(names):
    Process(target=tasks.work, args=({1: 2}.keys(),)).start()
    Process(target=tasks.work, args=([1, 2],)).start()


def send(pool):
    pool.map(lambda n: n + 1, [1])
    pool.map(tasks.work, [itertools.count()])


def stay():
    get_context("fork").Process(target=lambda: None).start()


if __name__ == "__main__":
    start([])
    with Pool(2) as pool:
        send(pool)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "mpsafe.toml").write_text('target-version = "3.12"\nstart-method = "spawn"\n')
    (tmp_path / "main.py").write_text(PROGRAM)
    (tmp_path / "tasks.py").write_text("def work(items):\n    pass\n")
    return tmp_path


def test_what_breaks_and_what_is_broken(project: Path) -> None:
    done = run("--migrate", "3.14", "--output-format", "json", cwd=project)
    assert (done.returncode, done.stderr) == (1, "")
    found = json.loads(done.stdout)
    assert [(one["code"], one["line"]) for one in found["breaking"]] == [("MPS201", 8), ("MPS205", 14)]
    assert [(one["code"], one["line"]) for one in found["failing"]] == [("MPS202", 13)]
    assert found["crossings"]["breaking"] == 2 and found["crossings"]["failing"] == 1
    assert found["crossings"]["safe"] >= 2
    parts = [found["crossings"][name] for name in ("safe", "unknown", "breaking", "failing")]
    assert found["crossings"]["total"] == sum(parts)
    assert found["breaking"][0]["fix"]["applicability"] == "safe"
    assert "_pickle.PicklingError" in found["failing"][0]["message"]  # as 3.14 says it


def test_the_report_for_people(project: Path) -> None:
    done = fresh("--migrate", "3.14", cwd=project)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "   2  worked under fork, and will fail" in lines
    assert "   1  fail under fork as well" in lines
    assert any(line.startswith("works under fork, and will fail: 2 findings, ") for line in lines)
    assert any(line.startswith("main.py:8:") and "MPS201 [*]" in line for line in lines)
    assert "stay" not in done.stdout


def test_a_program_that_stays_as_it_is(project: Path) -> None:
    (project / "main.py").write_text(PROGRAM.replace("{1: 2}.keys()", "[]").replace("itertools.count()", "1"))
    done = run("--migrate", "3.14", "-o", "report.txt", cwd=project)
    assert (done.returncode, done.stdout) == (0, "")
    assert "works under fork, and will fail" not in (project / "report.txt").read_text()


def test_habits_that_only_fork_allows(project: Path) -> None:
    (project / "main.py").write_text(PROGRAM.partition("if __name__")[0] + "start([])\n")
    found = json.loads(run("--migrate", "3.14", "--output-format", "json", cwd=project).stdout)
    assert "MPS301" in [one["code"] for one in found["breaking"]]


def test_what_a_main_block_defines_is_there_under_fork(project: Path) -> None:
    main = "def job(n):\n        return n\n\n    with Pool(2) as pool:\n        pool.map(job, [1])\n"
    program = f"from multiprocessing import Pool\n\nif __name__ == '__main__':\n    {main}"
    (project / "main.py").write_text(program)
    found = json.loads(run("--migrate", "3.14", "--output-format", "json", cwd=project).stdout)
    assert [one["code"] for one in found["breaking"]] == ["MPS212"] and found["failing"] == []
    assert found["breaking"][0]["start_methods"] == ["forkserver"]
    assert run("--start-method", "fork", cwd=project).returncode == 0


def test_what_is_pickled_before_as_well_is_safe(project: Path) -> None:
    """A pool's tasks are pickled under fork, too, and what is started by spawn: the move changes nothing there."""
    text = (
        "from multiprocessing import Process, get_context\nimport tasks\n\n\n"
        "def send(pool, names):\n    pool.map(tasks.work, names)\n\n\n"
        "def start(names):\n"
        "    get_context('spawn').Process(target=tasks.work, args=(names,)).start()\n"
        "    get_context('spawn').Process(target=lambda: None).start()\n\n\n"
        "def begin(names):\n    Process(target=tasks.work, args=(names,)).start()\n"
    )
    (project / "main.py").write_text(text)
    found = json.loads(run("--migrate", "3.14", "--output-format", "json", cwd=project).stdout)
    assert [one["line"] for one in found["unknown"]] == [15]
    assert found["breaking"] == [] and [one["line"] for one in found["failing"]] == [11]
    assert "  main.py:15:5: args, sent to the new process" in run("--migrate", "3.14", cwd=project).stdout.splitlines()


def test_a_place_is_as_safe_as_what_is_seen_to_be_sent_there(project: Path) -> None:
    """That a function is run by itself as well, with parameters of which nothing is known, makes it no unknown place."""
    text = "from multiprocessing import Process\nimport tasks\n\n\ndef begin(names):\n    Process(target=tasks.work, args=(names,)).start()\n"
    (project / "main.py").write_text(text)
    assert _counts(project)["unknown"] == 1
    (project / "main.py").write_text(f"{text}\n\nif __name__ == '__main__':\n    begin([1])\n")
    assert _counts(project)["unknown"] == 0


@pytest.mark.parametrize("text", [PROGRAM, PROGRAM.replace("[1, 2],)", "names,)")], ids=["known", "not known"])
def test_several_jobs_count_what_one_counts(project: Path, text: str) -> None:
    (project / "main.py").write_text(text)
    (project / "more.py").write_text(text)
    assert _counts(project, "--jobs", "2") == _counts(project, "--jobs", "1")
    assert _counts(project)["total"] > 8


def _counts(project: Path, *arguments: str) -> dict[str, int]:
    counts = json.loads(run("--migrate", "3.14", "--output-format", "json", *arguments, cwd=project).stdout)[
        "crossings"
    ]
    assert isinstance(counts, dict)
    return counts


def test_what_is_not_reported(project: Path) -> None:
    arguments = ("--migrate", "3.14", "--output-format", "json")
    found = json.loads(run(*arguments, "tasks.py", cwd=project).stdout)
    assert found["crossings"] == {"safe": 0, "unknown": 0, "breaking": 0, "failing": 0, "total": 0}
    assert run(*arguments, "--ignore", "MPS2", cwd=project).returncode == 0
    assert run(*arguments, "--exit-zero", cwd=project).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["3.13"], "invalid choice: '3.13'"),
        (["3.14", "--fix"], "--migrate: not together with --fix"),
        (["3.14", "--add-noqa"], "--migrate: not together with --add-noqa"),
        (["3.14", "--output-format", "sarif"], "--output-format: sarif is a form of reports alone"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_requests(project: Path, arguments: list[str], said: str) -> None:
    done = run("--migrate", *arguments, cwd=project)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and done.stderr.count("\n") == 1
