"""What the tests share: which Python runs the example programs, and an interpreter that has torch imported."""

from __future__ import annotations

import copyreg
import json
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.reduction import ForkingPickler

import pytest
from real.processes import Warm


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--example-python", default=sys.executable, help="the Python that runs the example programs (without torch)"
    )


@pytest.fixture(scope="session")
def python(request: pytest.FixtureRequest) -> str:
    """The Python that runs the example programs."""
    return request.config.getoption("--example-python")


@pytest.fixture(scope="session")
def version(python: str) -> tuple[int, ...]:
    """The version of the Python that runs the example programs."""
    command = [python, "-c", "import json, sys; print(json.dumps(sys.version_info[:3]))"]
    return tuple(json.loads(subprocess.check_output(command)))


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """An interpreter that has torch imported, for programs that need it."""
    with Warm() as server:
        yield server


@pytest.fixture(autouse=True)
def plain_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget that distributed was imported, by another test: it has tblib save tracebacks and exceptions."""
    for kind, reducer in list(copyreg.dispatch_table.items()):
        if str(getattr(reducer, "func", reducer).__module__).startswith("tblib"):
            monkeypatch.delitem(copyreg.dispatch_table, kind)


@pytest.fixture(autouse=True)
def plain_reducers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget that `multiprocessing.managers` was imported, by another test: it makes multiprocessing send dict views."""
    for view in ({}.keys(), {}.values(), {}.items()):
        monkeypatch.delitem(ForkingPickler._extra_reducers, type(view), raising=False)
