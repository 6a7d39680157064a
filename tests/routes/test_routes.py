"""Every route of a value to another process: what is reported of it is what really happens to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from real.linting import lint
from real.processes import Child, Run, Warm, start, until

from . import odd, others, silent
from .datasets import DATASETS
from .pools import POOLS
from .processes import PROCESSES
from .route import Place, Route, difference, routes

LIMIT = 120.0  # seconds; only a program that never rests gets that far
SPAWNED = (Path(__file__).parent / "spawned.py").read_text(encoding="utf-8")
Launch = Callable[[dict[str, str], str, Path], Child]
WITHOUT_TORCH = routes(
    PROCESSES | POOLS | others.WITHOUT_TORCH | silent.WITHOUT_TORCH | odd.WITHOUT_TORCH | odd.SILENT
)
WITH_TORCH = routes(DATASETS | others.WITH_TORCH | silent.WITH_TORCH)


def named(table: list[Route]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("route", table, ids=lambda route: route.name)


def places(findings: list[dict[str, Any]]) -> list[Place]:
    return sorted((Path(one["path"]).name, one["line"], one["code"], one["boundary"]) for one in findings)


def check(
    route: Route, folder: Path, capsys: pytest.CaptureFixture[str], launch: Launch, version: tuple[int, ...]
) -> None:
    """What is reported is what is marked, and under each start method the program does what is reported."""
    findings = lint(route.files, folder / "project", capsys, "--select", "MPS1,MPS2")
    assert places(findings) == route.marks
    for method in ("spawn", "fork"):
        run = ended(launch, route.files, method, folder / method, hangs=waits(findings))
        fault = difference(findings, run, method, version)
        assert not fault, f"{method}: {fault}\n{run.stdout}{run.stderr}"


def waits(findings: list[dict[str, Any]]) -> bool:
    return any(one["outcome"] in ("hangs", "lost") for one in findings)


def ended(launch: Launch, files: dict[str, str], method: str, folder: Path, *, hangs: bool = False) -> Run:
    """Run a program to its end. Whether it hangs is looked at only where it may: that takes time."""
    with launch(files, method, folder) as child:
        if not hangs:
            until(lambda: child.poll() is not None, LIMIT)
        return child.wait(LIMIT)


@named(WITHOUT_TORCH)
def test_route(
    route: Route, tmp_path: Path, capsys: pytest.CaptureFixture[str], python: str, version: tuple[int, ...]
) -> None:
    check(route, tmp_path, capsys, partial(start, python=python), version)


@named(WITH_TORCH)
def test_route_with_torch(
    route: Route, tmp_path: Path, capsys: pytest.CaptureFixture[str], warm: Warm, version: tuple[int, ...]
) -> None:
    def launch(files: dict[str, str], method: str, folder: Path) -> Child:
        main = "import spawned\n" + files["main.py"]
        return warm.start(files | {"main.py": main, "spawned.py": SPAWNED}, method, folder)

    check(route, tmp_path, capsys, launch, version)
