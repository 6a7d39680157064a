"""What mpsafe-trace costs while nothing fails: a DataLoader epoch, run with and without it by turns.

    python benchmarks/trace_overhead.py [--rounds 7] [--batches 2000] [--workers 1] [--method fork]

Each run is a Python of its own and times one epoch of that many batches; the first epoch of each run warms up. Prints the
times of both, their medians and minima, and the overhead in percent of each. Needs torch.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

EPOCH = """\
import sys, time
import torch
from torch.utils.data import DataLoader, Dataset

class Rows(Dataset):
    def __init__(self, count):
        self.count = count
    def __len__(self):
        return self.count
    def __getitem__(self, index):
        return torch.full((16,), float(index)), index

if __name__ == "__main__":
    torch.multiprocessing.set_start_method(sys.argv[3])
    loader = DataLoader(Rows(8 * int(sys.argv[1])), batch_size=8, num_workers=int(sys.argv[2]), persistent_workers=True)
    for _ in range(2):
        begin = time.perf_counter()
        batches = sum(1 for _ in loader)
        seconds = time.perf_counter() - begin
    print(batches, seconds)
"""


def epoch(script: Path, traced: bool, options: argparse.Namespace) -> float:
    """Run one program and return the seconds of its last epoch. Raises if it fails, or reads another number of batches."""
    arguments = [str(script), str(options.batches), str(options.workers), options.method]
    command = [sys.executable, *(["-m", "mpsafe_lint.runtime"] if traced else []), *arguments]
    source = str(Path(__file__).resolve().parents[1] / "src")
    env = os.environ | {"PYTHONPATH": source}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600, check=True)
    batches, seconds = done.stdout.split()
    if int(batches) != options.batches or "mpsafe-trace" in done.stderr:
        raise RuntimeError(f"{batches} batches\n{done.stderr}")
    return float(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--batches", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--method", default="fork", choices=["fork", "spawn", "forkserver"])
    options = parser.parse_args()
    script = Path(os.environ.get("TMPDIR", "/tmp")) / f"mpsafe_epoch_{os.getpid()}.py"
    script.write_text(EPOCH)
    times: dict[bool, list[float]] = {False: [], True: []}
    try:
        for number in range(options.rounds):
            for traced in (False, True) if number % 2 else (True, False):
                times[traced].append(epoch(script, traced, options))
    finally:
        script.unlink()
    for traced, seconds in times.items():
        label = "with   " if traced else "without"
        print(f"{label} median {statistics.median(seconds):.3f} s, least {min(seconds):.3f} s:", end=" ")
        print(*(f"{one:.3f}" for one in seconds))
    for name, of in (("median", statistics.median), ("least", min)):
        print(f"overhead, {name}: {100 * (of(times[True]) / of(times[False]) - 1):+.1f} %")


if __name__ == "__main__":
    main()
