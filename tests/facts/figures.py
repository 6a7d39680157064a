"""Print how many of the measured values get a definite and right opinion, and what is unknown of the others.

Run `python tests/facts/figures.py`, with names of rows to see these alone.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from facts.rows import UNKNOWN, Difference, analyse, differences, opinions, rows


def main(names: list[str]) -> None:
    """Print what differs, each once, and the figures."""
    table = [row for row in rows() if not names or row.name in names]
    with tempfile.TemporaryDirectory() as folder:
        said = opinions(analyse(table, Path(folder)))
    differing = {row.name: list(differences(row, said)) for row in table}
    for found in differing.values():
        for one in _distinct(found):
            print(one)
    unknown = [found for found in differing.values() if any(one.said == UNKNOWN for one in found)]
    wrong = [found for found in differing.values() if any(one.said != UNKNOWN for one in found)]
    reasons = Counter(next(why for one in found for why in one.why) for found in unknown)
    print("\nunknown: " + ", ".join(f"{why} ({count})" for why, count in reasons.most_common(10)))
    share = 1 - len(unknown) / len(table)
    print(f"{len(table)} rows, {len(table) - len(unknown)} with a definite opinion ({share:.1%}), {len(wrong)} wrong")


def _distinct(found: list[Difference]) -> list[Difference]:
    """Return one difference of those that say the same."""
    return list({(one.said, one.truth, one.why): one for one in reversed(found)}.values())


if __name__ == "__main__":
    main(sys.argv[1:])
