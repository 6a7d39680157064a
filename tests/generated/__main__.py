"""Generate many programs, lint and really pickle them: `python -m tests.generated --count 5000`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from generated.checking import Judged, Random, judge
from generated.writer import write


def main() -> int:
    """Print every wrong verdict and the figures; return 1 where a verdict is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.generated", description=__doc__)
    parser.add_argument("--count", type=int, default=5000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow")
    given = parser.parse_args()
    found: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.seed, given.seed + given.count):
            judged = judge(write(Random(seed)), Path(folder))
            found.update(_counted(judged))
            unknown.update(() if judged.definite else set(judged.why))
            if not judged.broken and (judged.wrong or judged.wrong_text):
                print(f"==== seed {seed}\n{judged}")
    whole = given.count - found["broken"]
    print("unknown:", ", ".join(f"{why} ({count})" for why, count in unknown.most_common(8)))
    print(
        f"{given.count} programs, {found['broken']} of them broken; {found['definite'] / whole:.1%} with a definite "
        f"verdict, {found['fails'] / whole:.1%} fail; {found['wrong']} wrong, {found['text']} with another text"
    )
    return 1 if found["wrong"] or found["text"] else 0


def _counted(judged: Judged) -> list[str]:
    if judged.broken:
        return ["broken"]
    counted = {"definite": judged.definite, "fails": judged.fails, "wrong": judged.wrong, "text": judged.wrong_text}
    return [name for name, holds in counted.items() if holds]


if __name__ == "__main__":
    sys.exit(main())
