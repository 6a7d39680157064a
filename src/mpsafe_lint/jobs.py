"""Spreading the entry points of a project over processes. Each process runs whole files, and says what it saw."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mpsafe_lint.config import ConfigError
from mpsafe_lint.deep import deeply
from mpsafe_lint.pickling.opinion import Opinion
from mpsafe_lint.pickling.walk import Part, Refusal
from mpsafe_lint.values.values import Constant, Value

if TYPE_CHECKING:
    from mpsafe_lint.check import Done, Run


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster of dask: the address of its scheduler, or a local one with so many workers where that is None."""

    address: str | None = None
    workers: int | None = None


Jobs = int | Cluster | None
"""Who runs the entry points: so many processes, a cluster, or as many processes as are useful."""

FEW = 60
"""Files to run up to which one process is enough, where nobody says how many there should be."""

_run: Run | None = None


def number(jobs: int | None, files: int) -> int:
    """Return how many processes to use. None leaves it to us."""
    if jobs is not None:
        return min(jobs, max(files, 1))
    return 1 if files <= FEW else cores()


def cores() -> int:
    """Return how many processes can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def elsewhere(run: Run, files: Sequence[str], jobs: Jobs) -> Iterator[Done] | None:
    """Return what the runs of each file's entry points were seen to do by others, in the order of the files; None where
    this process is to do it. Raises ConfigError where the others can't."""
    if isinstance(jobs, Cluster):
        from mpsafe_lint.cluster import spread as spread_over

        return spread_over(run, files, jobs)
    many = number(jobs, len(files))
    return spread(run, files, many) if many > 1 else None


def spread(run: Run, files: Sequence[str], jobs: int) -> Iterator[Done]:
    """Yield what the runs of each file's entry points were seen to do, in the order of the files.

    Where a process can be forked safely it inherits the parsed project; elsewhere each process parses it for itself.
    Raises ConfigError where a process dies.
    """
    global _run
    forks = sys.platform == "linux"
    context = multiprocessing.get_context("fork" if forks else "spawn")
    settings = None if forks else (run.project, run.config, run.whole)
    _run = run
    gc.freeze()  # what is inherited isn't looked through for garbage, and so stays shared
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, context, _begin, (settings,))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # no other thread of ours holds a lock while we fork
            results = [pool.submit(_enter, path) for path in files]
        for result in results:
            yield result.result()
    except BrokenProcessPool:
        raise ConfigError("a process of the analysis died: --jobs 1 does without") from None
    except BaseException:
        for child in set(multiprocessing.active_children()) - before:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        gc.unfreeze()
        _run = None


def _begin(settings: tuple[object, ...] | None) -> None:
    """Make a process ready. It leaves interrupts to the parent, and ends with it."""
    global _run
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if settings is not None:
        from mpsafe_lint.check import Run

        _run = deeply(lambda: Run(*settings))  # type: ignore[arg-type]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _enter(path: str) -> Done:
    run = _run
    assert run is not None
    return deeply(lambda: run.seen_in(path))


def without_values(opinion: Opinion) -> Opinion:
    """Return an opinion as plain data: a number in the place of each value on the way to a refusal."""
    numbers: dict[int, Value] = {}

    def numbered(part: Part[Value]) -> Part[Value]:
        return Part(part.step, numbers.setdefault(id(part.value), Constant(len(numbers))))

    refusals = [Refusal(tuple(map(numbered, one.path)), one.reason) for one in opinion.refusals]
    return Opinion(refusals, tuple(opinion.unknown))
