"""`--executor dask`: what the workers of a cluster find is what this machine finds."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mpsafe_lint.check import Run
from shell.running import Done, is_gone, run

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.timeout(120)

REPORT = ("--no-cache", "--output-format", "json")
LINT = "import sys; from mpsafe_lint.cli import lint_main; sys.exit(lint_main())"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("farm")
    (folder / "mpsafe.toml").write_text('select = ["ALL"]\ntarget-version = "3.12"\n')
    (folder / "pools.py").write_text(
        "from multiprocessing import Pool\n\n\ndef spread(function, items):\n"
        "    with Pool(2) as pool:\n        return pool.map(function, items)\n"
    )
    (folder / "data.py").write_text(
        "from torch.utils.data import Dataset\n\n\nclass Frames(Dataset):\n"
        "    def __init__(self):\n        self.names = {}.keys()\n"
    )
    for shed in range(6):
        text = f"from pools import spread\n\n\ndef sort{shed}(items):\n    return spread(lambda x: {shed}, items)\n"
        (folder / f"shed{shed}.py").write_text(text)
    return folder


@pytest.fixture(scope="module")
def expected(project: Path) -> str:
    """What is found here."""
    done = run(*REPORT, "--jobs", "1", cwd=project)
    assert len(json.loads(done.stdout)) == 7
    return done.stdout


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a cluster of two processes."""
    made = distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None, memory_limit=0
    )
    with made:
        yield made.scheduler_address.removeprefix("tcp://")


def refused(done: Done, said: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(said, done.stderr) and done.stderr.count("\n") == 1, done.stderr


def test_a_cluster_finds_what_one_process_finds(
    project: Path, expected: str, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here: list[str] = []
    monkeypatch.setattr(Run, "enter", lambda self, path: here.append(path))  # in this process alone
    done = run(*REPORT, "--executor", f"dask://{cluster}", cwd=project)
    assert (done.returncode, done.stdout, here) == (1, expected, [])


def test_a_cluster_serves_one_project_after_the_other(
    project: Path, expected: str, cluster: str, tmp_path: Path
) -> None:
    (tmp_path / "main.py").write_text(
        "from multiprocessing import Process\n\n\ndef f():\n    Process(target=lambda: 1).start()\n"
    )
    other = run(*REPORT, "--executor", f"dask://{cluster}", cwd=tmp_path)
    assert [one["code"] for one in json.loads(other.stdout)] == ["MPS202"]
    assert run(*REPORT, "--executor", f"dask://{cluster}", cwd=project).stdout == expected
    with distributed.Client(f"tcp://{cluster}", set_as_default=False) as client:
        kept = client.run(_kept)
        assert list(kept.values()) == [0, 0]


def _kept() -> int:
    from mpsafe_lint.cluster import _runs

    return len(_runs)


def test_a_shard_and_a_migration_on_a_cluster(project: Path, expected: str, cluster: str, tmp_path: Path) -> None:
    executor = ("--executor", f"dask://{cluster}")
    for number in (1, 2):
        report = ("--output-format", "json", "-o", str(tmp_path / f"{number}.json"))
        run("--shard", f"{number}/2", *report, *executor, cwd=project)
    merged = run("--merge", tmp_path / "1.json", tmp_path / "2.json", "--output-format", "json", cwd=project)
    assert merged.stdout == expected
    migrate = ("--migrate", "3.14", "--output-format", "json")
    assert run(*migrate, *executor, cwd=project).stdout == run(*migrate, cwd=project).stdout


@contextlib.contextmanager
def group(*command: str, cwd: Path, **env: str) -> Iterator[subprocess.Popen[str]]:
    """Start a process in a group of its own; nothing of the group is left at the end."""
    pipe = subprocess.PIPE
    environment = {**os.environ, **env}
    started = subprocess.Popen(
        command, cwd=cwd, stdout=pipe, stderr=pipe, text=True, env=environment, start_new_session=True
    )
    try:
        yield started
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.communicate(timeout=20)


def test_a_local_cluster_leaves_nothing_behind(project: Path, expected: str) -> None:
    with group(sys.executable, "-c", LINT, *REPORT, "--executor", "dask", "--jobs", "2", cwd=project) as lint:
        out, err = lint.communicate(timeout=60)
        assert (lint.returncode, out) == (1, expected), err
        assert re.fullmatch(r"7 findings in 8 files.*\n", err)
        assert is_gone(lint.pid, seconds=10)


def test_an_interrupt_leaves_nothing_behind(project: Path) -> None:
    slow = f"import mpsafe_lint.cluster as cluster; cluster._enter = lambda *_: __import__('time').sleep(60); {LINT}"
    with group(sys.executable, "-c", slow, *REPORT, "--executor", "dask", "--jobs", "2", cwd=project) as lint:
        for _ in range(200):
            if len(_members(lint.pid)) > 3:
                break
            time.sleep(0.1)
        time.sleep(3)
        os.killpg(lint.pid, signal.SIGINT)
        _, err = lint.communicate(timeout=40)
        assert (lint.returncode, err) == (130, "mpsafe-lint: interrupted\n")
        assert is_gone(lint.pid, seconds=10)


def _members(group: int) -> list[str]:
    return subprocess.run(["pgrep", "-g", str(group)], capture_output=True, text=True, timeout=10).stdout.split()


# --- what can't be --------------------------------------------------------------------------------------------------


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler without workers."""
    command = (sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    with group(*command, "--no-dashboard", "--scheduler-file", str(tmp_path / "file.json"), cwd=tmp_path):
        yield _address(tmp_path / "file.json")


def _address(file: Path) -> str:
    for _ in range(300):
        with contextlib.suppress(OSError, ValueError):
            return str(json.loads(file.read_text())["address"]).removeprefix("tcp://")
        time.sleep(0.1)
    raise AssertionError("no scheduler")


@contextlib.contextmanager
def worker(address: str, folder: Path, **env: str) -> Iterator[None]:
    command = (
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        f"tcp://{address}",
        "--no-dashboard",
        "--nworkers",
        "1",
    )
    with (
        group(*command, "--nthreads", "1", cwd=folder, **env),
        distributed.Client(f"tcp://{address}", set_as_default=False) as client,
    ):
        client.wait_for_workers(1, timeout=30)
        yield


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mpsafe_lint.cluster.PATIENCE", 2)


def test_no_scheduler(project: Path, patience: None) -> None:
    refused(
        run("--executor", "dask://127.0.0.1:9", cwd=project), "no scheduler of dask answers at dask://127.0.0.1:9: is"
    )
    refused(
        run("--executor", "dask://no.such.host.invalid:1", cwd=project), "no scheduler of dask answers at dask://no.s"
    )


def test_no_workers(project: Path, scheduler: str, patience: None) -> None:
    refused(run("--executor", f"dask://{scheduler}", cwd=project), "has no workers: start some with dask worker")


def test_a_worker_with_another_version(project: Path, scheduler: str, tmp_path: Path) -> None:
    about = tmp_path / "other/mpsafe_lint-0.0.9.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mpsafe-lint\nVersion: 0.0.9\n")
    with worker(scheduler, tmp_path, PYTHONPATH=str(about.parent)):
        done = run("--executor", f"dask://{scheduler}", cwd=project)
    refused(
        done, r"--executor: the worker tcp://\S+ has another \(0\.0\.9\) mpsafe-lint: install the same version there"
    )


def test_a_worker_that_dies(project: Path, scheduler: str, tmp_path: Path) -> None:
    """As one does that runs out of memory, each time that it gets the same work."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\nfrom importlib.abc import MetaPathFinder\n\n\nclass Dies(MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'mpsafe_lint.check':\n            os._exit(9)\n\n\nsys.meta_path.insert(0, Dies())\n"
    )
    with worker(scheduler, tmp_path, PYTHONPATH=str(tmp_path)):
        done = run("--executor", f"dask://{scheduler}", cwd=project)
    refused(done, "--executor: dask://.*, or all of its workers, ended before the work was done: ")


def test_dask_is_not_installed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    refused(
        run("--executor", "dask", cwd=project), r"--executor: dask is not installed: pip install 'mpsafe-lint\[dask\]'"
    )


@pytest.mark.parametrize(
    "text", ["ray", "dask:", "dask://", "dask://host", "dask://:1", "dask://host:port", "tcp://h:1"]
)
def test_no_executor(project: Path, text: str) -> None:
    refused(run("--executor", text, cwd=project), "is none: write dask, or dask://HOST:PORT")


def test_what_does_not_go_together(project: Path) -> None:
    refused(
        run("--executor", "dask://host:1", "--jobs", "2", cwd=project),
        "--jobs: not together with --executor dask://host:1",
    )
    refused(run("--executor", "dask", "--fix", cwd=project), "--fix: not together with --executor")


def test_nothing_of_dask_is_loaded_for_other_runs(project: Path) -> None:
    code = "import sys; from mpsafe_lint.cli import lint_main; lint_main(['--no-cache', '-q']); print('dask' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, timeout=60)
    assert done.stdout.endswith("False\n")
