"""Spreading the entry points of a project over the workers of a dask cluster, which the extra `dask` installs.

A worker gets the project with the texts of its files, and reads the libraries from its own disk, at the same place.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib.metadata
import logging
import os
import platform
import signal
import threading
import uuid
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any

from mpsafe_lint import __version__
from mpsafe_lint.config import ConfigError
from mpsafe_lint.deep import deeply
from mpsafe_lint.jobs import Cluster, cores

if TYPE_CHECKING:
    from mpsafe_lint.check import Done, Run
    from mpsafe_lint.config import Config
    from mpsafe_lint.files.project import Project

PATIENCE = 10
"""Seconds for a scheduler to answer, and for it to have a worker."""

Work = tuple[str, "Project", "Config", bool]
"""What a worker needs to do what this process would do, under a name that no other run has."""


def spread(run: Run, files: Sequence[str], cluster: Cluster) -> Iterator[Done]:
    """Yield what the runs of each file's entry points were seen to do, in the order of the files. Raises ConfigError
    where there is no cluster, or none that can do it."""
    with _quietly(), _client(cluster) as client:
        _look_at_workers(client, run.project)
        work: Work = (uuid.uuid4().hex, run.project, run.config, run.whole)
        try:
            sent = client.scatter([work], broadcast=True, hash=False)
            executor = client.get_executor()
            results = [executor.submit(_enter, sent[0], path) for path in files]
            for result in results:
                yield result.result()
            client.run(_forget)
        except (CancelledError, asyncio.CancelledError):
            message = f"--executor: {_name(cluster)}, or all of its workers, ended before the work was done"
            raise ConfigError(f"{message}: look at its log, and start it again") from None
        except ConfigError:
            raise
        except Exception as error:
            reason = " ".join(str(error).split())
            raise ConfigError(f"--executor: {_name(cluster)} failed: {type(error).__name__}: {reason}") from None


def _name(cluster: Cluster) -> str:
    return f"dask://{cluster.address}" if cluster.address else "the local cluster"


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """What goes wrong is said by us, in one line."""
    levels = {logger: logger.level for logger in map(logging.getLogger, ("distributed", "asyncio"))}
    for logger in levels:
        logger.setLevel(logging.CRITICAL + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            gc.collect()  # a task that failed says so when it goes
            for logger, level in levels.items():
                logger.setLevel(level)


@contextlib.contextmanager
def _client(cluster: Cluster) -> Iterator[Any]:
    try:
        import dask
        import distributed
    except ImportError:
        raise ConfigError("--executor: dask is not installed: pip install 'mpsafe-lint[dask]'") from None
    timeouts = {"distributed.comm.timeouts.connect": PATIENCE, "distributed.comm.retry.count": 0}
    with contextlib.ExitStack() as stack:
        stack.enter_context(dask.config.set(timeouts))
        address = f"tcp://{cluster.address}"
        if cluster.address is None:
            address = stack.enter_context(_local(distributed, cluster.workers or cores())).scheduler_address
        try:
            make: Any = distributed.Client
            client = stack.enter_context(make(address, timeout=PATIENCE, set_as_default=False))
        except (OSError, ValueError, asyncio.TimeoutError):
            raise ConfigError(f"--executor: no scheduler of dask answers at {_name(cluster)}: is it started?") from None
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, asyncio.TimeoutError):
            raise ConfigError(f"--executor: {_name(cluster)} has no workers: start some with dask worker") from None
        yield client


def _local(distributed: Any, workers: int) -> Any:
    """Start a local cluster. Its processes leave interrupts to this one, and end with it."""
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if in_main else None  # who is started inherits that
    try:
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            dashboard_address=None,
            silence_logs=logging.CRITICAL + 1,
        )
    finally:
        if in_main:
            signal.signal(signal.SIGINT, before)


def _look_at_workers(client: Any, project: Project) -> None:
    """Raise ConfigError where a worker couldn't find what we find."""
    python = platform.python_version_tuple()[:2]
    prefix = str(project.environment.prefix)
    for what, asked, expected, remedy in (
        ("mpsafe-lint", (importlib.metadata.version, "mpsafe-lint"), __version__, "install the same version there"),
        ("Python", (platform.python_version_tuple,), python, "use the same one there"),
        (prefix, (os.path.isdir, prefix), True, "a worker reads the project's libraries from its own disk"),
    ):
        for worker, said in client.run(*asked, on_error="return").items():
            found = said[:2] if isinstance(said, (tuple, list)) else said
            if found == expected or (isinstance(found, list) and tuple(found) == expected):
                continue
            has = "no" if found is False or isinstance(found, Exception) else f"another ({_shown(found)})"
            raise ConfigError(f"--executor: the worker {worker} has {has} {what}: {remedy}")


def _shown(version: object) -> str:
    return ".".join(map(str, version)) if isinstance(version, (tuple, list)) else str(version)


# --- on the side of the workers -------------------------------------------------------------------------------------

_lock = threading.Lock()  # a worker may have several threads
_runs: dict[str, Run] = {}


def _enter(work: Work, path: str) -> Done:
    """Run the entry points of a file, in a project that was parsed for an earlier one."""
    from mpsafe_lint.check import Run

    name, project, config, whole = work
    with _lock:
        if name not in _runs:
            _runs.clear()
            _runs[name] = deeply(lambda: Run(project, config, whole))
        return deeply(lambda: _runs[name].seen_in(path))


def _forget() -> None:
    with _lock:
        _runs.clear()
