"""However a boundary is imported, the verdict stays."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from real.linting import lint
from real.processes import Warm, start

from .route import Route, difference
from .test_routes import Launch, ended, places

PROCESS = """
if __name__ == "__main__":
    process = {name}(target=lambda: print("done"))  # MPS202 process-target
    process.start()
    process.join()
"""
POOL = """
if __name__ == "__main__":
    with {name}(1) as pool:
        print(pool.map(lambda n: n + 1, [1]))  # MPS202 pool-task
"""
EXECUTOR = """
if __name__ == "__main__":
    with {name}(1) as executor:
        print(executor.submit(lambda n: n + 1, 1).result())  # MPS202 executor-task
"""
REEXPORT = """
# file: parallel.py
from multiprocessing import Pool as WorkerPool
from multiprocessing import Process

__all__ = ["Process", "WorkerPool"]
# file: compat.py
from backend import *
# file: backend.py
from concurrent.futures import ProcessPoolExecutor as Executor
# file: main.py
"""

FORMS = [
    (PROCESS, "from multiprocessing import Process", "Process"),
    (PROCESS, "from multiprocessing import Process as P", "P"),
    (PROCESS, "import multiprocessing", "multiprocessing.Process"),
    (PROCESS, "import multiprocessing as mp", "mp.Process"),
    (PROCESS, "import multiprocessing.pool", "multiprocessing.Process"),
    (PROCESS, "import multiprocessing.context", "multiprocessing.context.Process"),
    (PROCESS, "from multiprocessing import context", "context.Process"),
    (PROCESS, "from multiprocessing.context import Process", "Process"),
    (PROCESS, "from multiprocessing import *", "Process"),
    (PROCESS, "from multiprocessing import get_context", "get_context().Process"),
    (PROCESS, "import multiprocessing as mp\n\nctx = mp.get_context()", "ctx.Process"),
    (PROCESS, "try:\n    from multiprocessing import Process\nexcept ImportError:\n    Process = None", "Process"),
    (PROCESS, "import multiprocessing\n\nProcess = multiprocessing.Process", "Process"),
    (PROCESS, "import importlib\n\nmp = importlib.import_module('multiprocessing')", "mp.Process"),
    (PROCESS, REEXPORT + "from parallel import Process", "Process"),
    (PROCESS, REEXPORT + "import parallel", "parallel.Process"),
    (POOL, "from multiprocessing import Pool", "Pool"),
    (POOL, "import multiprocessing.pool as mpp", "mpp.Pool"),
    (POOL, "from multiprocessing.pool import Pool", "Pool"),
    (POOL, "from multiprocessing import pool as p", "p.Pool"),
    (POOL, "import multiprocessing as mp", "mp.get_context().Pool"),
    (POOL, REEXPORT + "from parallel import WorkerPool", "WorkerPool"),
    (EXECUTOR, "from concurrent.futures import ProcessPoolExecutor", "ProcessPoolExecutor"),
    (EXECUTOR, "import concurrent.futures", "concurrent.futures.ProcessPoolExecutor"),
    (EXECUTOR, "import concurrent.futures as cf", "cf.ProcessPoolExecutor"),
    (EXECUTOR, "from concurrent import futures", "futures.ProcessPoolExecutor"),
    (EXECUTOR, "import concurrent.futures.process", "concurrent.futures.process.ProcessPoolExecutor"),
    (EXECUTOR, "from concurrent.futures.process import ProcessPoolExecutor as PPE", "PPE"),
    (EXECUTOR, REEXPORT + "from compat import Executor", "Executor"),
    (EXECUTOR, REEXPORT + "import compat", "compat.Executor"),
]
TORCH_FORMS = [
    (PROCESS, "import torch.multiprocessing as mp", "mp.Process"),
    (PROCESS, "from torch.multiprocessing import Process", "Process"),
    (PROCESS, "import torch\nimport torch.multiprocessing", "torch.multiprocessing.Process"),
    (PROCESS, "from torch import multiprocessing", "multiprocessing.Process"),
    (PROCESS, "import torch.multiprocessing as mp", "mp.get_context().Process"),
    (POOL, "import torch.multiprocessing as mp", "mp.Pool"),
    (POOL, "from torch.multiprocessing import Pool", "Pool"),
]


def forms(table: list[tuple[str, str, str]]) -> pytest.MarkDecorator:
    made = [
        Route(f"{imports.splitlines()[-1]} {name}", f"{imports}\n{use.format(name=name)}")
        for use, imports, name in table
    ]
    return pytest.mark.parametrize("route", made, ids=lambda route: route.name)


def check(
    route: Route, folder: Path, capsys: pytest.CaptureFixture[str], launch: Launch, version: tuple[int, ...]
) -> None:
    findings = lint(route.files, folder / "project", capsys, "--select", "MPS1,MPS2")
    assert places(findings) == route.marks
    run = ended(launch, route.files, "spawn", folder / "spawn")
    assert not difference(findings, run, "spawn", version), run.stderr


@forms(FORMS)
def test_form(
    route: Route, tmp_path: Path, capsys: pytest.CaptureFixture[str], python: str, version: tuple[int, ...]
) -> None:
    check(route, tmp_path, capsys, partial(start, python=python), version)


@forms(TORCH_FORMS)
def test_form_of_torch(
    route: Route, tmp_path: Path, capsys: pytest.CaptureFixture[str], warm: Warm, version: tuple[int, ...]
) -> None:
    check(route, tmp_path, capsys, warm.start, version)
