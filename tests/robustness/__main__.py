"""Lint and repair programs that make no sense, as the suite does a few: `python -m tests.robustness --first 60`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from robustness.test_generated import check, compilable
from robustness.wild import program


def main() -> int:
    """Print what goes wrong, with its seed; return 1 where something does."""
    parser = argparse.ArgumentParser(prog="python -m tests.robustness", description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=1000, help="how many seeds")
    given = parser.parse_args()
    tried = failed = 0
    for seed in range(given.first, given.first + given.count):
        text = program(Random(seed))
        if not compilable(text):
            continue
        tried += 1
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(text, Path(folder))
            except Exception as error:
                failed += 1
                print(f"==== seed {seed}: {''.join(traceback.format_exception(error)[-3:])}", flush=True)
    print(f"{tried} programs, {failed} go wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
