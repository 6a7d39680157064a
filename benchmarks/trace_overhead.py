"""What mpsafe-trace costs while nothing fails: an epoch of a DataLoader with it beside one without, in one run.

    python benchmarks/trace_overhead.py [--rounds 6] [--batches 2000] [--slice 100] [--method fork]

Two loaders with a worker each go through their epochs by turns, a slice of batches at a time, one watched in parent and
worker, the other not. Prints the time of an epoch made of slices as the median, the fastest tenth and the fastest of
them, and the overhead of each: on a busy machine the fast ones tell most. Needs torch.
"""

from __future__ import annotations

import argparse
import os
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


class Switch:
    """Turns watching on and off. `install` has been called; what it changed is kept here."""

    def __init__(self) -> None:
        before = [kind.__dict__.get(name) for kind, name in WATCHED]
        path = os.environ.get("PYTHONPATH", "")

        from mpsafe_lint.runtime import install

        install()
        self.states = {
            False: (before, path),
            True: ([kind.__dict__[name] for kind, name in WATCHED], os.environ["PYTHONPATH"]),
        }

    def turn(self, on: bool) -> None:
        """Watch this process and the children that it starts from now on, or don't."""
        values, os.environ["PYTHONPATH"] = self.states[on]
        for (kind, name), value in zip(WATCHED, values, strict=True):
            if value is not None:
                setattr(kind, name, value)
            elif name in kind.__dict__:
                delattr(kind, name)  # it was inherited


def epochs(switch: Switch, first: bool, batches: int, size: int, method: str) -> dict[bool, list[float]]:
    """Go through one epoch with and one without, and return the seconds of their slices.

    `first` says which of the two loaders is made first: the second is slower, whichever it is.
    """
    iterators = {}
    for on in (first, not first):
        switch.turn(on)
        loader = DataLoader(Rows(8 * batches), batch_size=8, num_workers=1, multiprocessing_context=method)
        iterators[on] = iter(loader)
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for number in range(batches // size):
        for on in (False, True) if number % 2 else (True, False):
            switch.turn(on)
            begin = time.perf_counter()
            for _ in range(size):
                next(iterators[on])
            seconds[on].append(time.perf_counter() - begin)
    return seconds


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--batches", type=int, default=2000)
    parser.add_argument("--slice", type=int, default=100)
    parser.add_argument("--method", default="fork", choices=["fork", "spawn", "forkserver"])
    options = parser.parse_args()
    switch = Switch()
    slices: dict[bool, list[float]] = {False: [], True: []}
    for number in range(options.rounds):
        first = bool(number % 2)
        for on, seconds in epochs(switch, first, options.batches, options.slice, options.method).items():
            slices[on] += seconds
    measures = {
        "median": statistics.median,
        "fastest tenth": lambda times: statistics.mean(sorted(times)[: max(1, len(times) // 10)]),
        "fastest": min,
    }
    for name, measure in measures.items():
        without, watched = (measure(slices[on]) * options.batches / options.slice for on in (False, True))
        print(f"{name}: {without:.3f} s without, {watched:.3f} s with: {100 * (watched / without - 1):+.1f} %")


if __name__ == "__main__":
    main()
