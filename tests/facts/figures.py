"""Print how many of the measured values get a definite and right opinion: `python tests/facts/figures.py`."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from facts.rows import analyse, differences, opinions, rows


def main(names: list[str]) -> None:
    """Print the figures, or what differs for the rows that are named."""
    table = [row for row in rows() if not names or row.name in names]
    with tempfile.TemporaryDirectory() as folder:
        said = opinions(analyse(table, Path(folder)))
    differing = {row.name: list(differences(row, said)) for row in table}
    unknown = Counter(name for name, found in differing.items() if any(one.said == "unknown" for one in found))
    wrong = [name for name, found in differing.items() if any(one.said != "unknown" for one in found)]
    for found in differing.values():
        shown = set()
        for one in found:
            if (one.route, one.said, one.truth) not in shown:
                shown.add((one.route, one.said, one.truth))
                version = ".".join(map(str, one.version))
                print(f"{one.row} {one.route} {one.serializer} {version}: {one.said} {list(one.why) or ''}\n    truth: {one.truth}")
    definite = len(table) - len(unknown)
    print(f"{len(table)} rows, {definite} with a definite opinion ({definite / len(table):.1%}), {len(wrong)} wrong")


if __name__ == "__main__":
    main(sys.argv[1:])
