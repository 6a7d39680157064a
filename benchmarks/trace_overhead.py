"""What mpsafe-trace costs while nothing fails: epochs of a DataLoader with and without it, by turns in one run.

    python benchmarks/trace_overhead.py [--rounds 10] [--batches 2000] [--method fork]

Under fork the workers of each epoch inherit what is watched in the parent at that moment; under spawn they import it.
Prints medians of the time on the clock and of the CPU time of parent and worker, and the overhead of the median and of
the least. On a busy machine only the CPU time tells anything. Needs torch.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import time
from multiprocessing.queues import Queue
from multiprocessing.reduction import ForkingPickler
from pathlib import Path

import torch
from torch.utils.data import DataLoader, Dataset

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
WATCHED = ((ForkingPickler, "dump"), (ForkingPickler, "loads"), (Queue, "put"))


class Rows(Dataset):
    """Small tensors: the less there is to do, the more the overhead shows."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        return torch.full((16,), float(index)), index


def cpu() -> float:
    """Seconds that this process and its children that have ended were computing."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def epoch(batches: int, method: str) -> tuple[float, float]:
    """Return the seconds of one epoch, on the clock and of CPU time. The worker starts and ends in it."""
    loader = DataLoader(Rows(8 * batches), batch_size=8, num_workers=1, multiprocessing_context=method)
    begin, computed = time.perf_counter(), cpu()
    count = sum(1 for _ in loader)
    assert count == batches
    return time.perf_counter() - begin, cpu() - computed


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--batches", type=int, default=2000)
    parser.add_argument("--method", default="fork", choices=["fork", "spawn", "forkserver"])
    options = parser.parse_args()
    before = [kind.__dict__.get(name) for kind, name in WATCHED]
    path = os.environ.get("PYTHONPATH", "")

    from mpsafe_lint.runtime import install

    install()
    after, watched_path = [kind.__dict__[name] for kind, name in WATCHED], os.environ["PYTHONPATH"]

    def switch(on: bool) -> None:
        for (kind, name), old, new in zip(WATCHED, before, after, strict=True):
            if on or old is not None:
                setattr(kind, name, new if on else old)
            elif name in kind.__dict__:
                delattr(kind, name)  # it was inherited
        os.environ["PYTHONPATH"] = watched_path if on else path

    switch(False)
    epoch(options.batches, options.method)
    times: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    for number in range(options.rounds):
        for on in (False, True) if number % 2 else (True, False):
            switch(on)
            times[on].append(epoch(options.batches, options.method))
            switch(False)
    for index, name in enumerate(("clock", "CPU")):
        without, watched = ([one[index] for one in times[on]] for on in (False, True))
        print(
            f"{name}: median {statistics.median(without):.3f} s without, {statistics.median(watched):.3f} s with;",
            end=" ",
        )
        ratios = [100 * (of(watched) / of(without) - 1) for of in (statistics.median, min)]
        print(f"overhead {ratios[0]:+.1f} % (of the least: {ratios[1]:+.1f} %)")


if __name__ == "__main__":
    main()
