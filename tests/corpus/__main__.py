"""Lint released packages and hold what is found against what was read: `python -m tests.corpus -h`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus.calls import draw
from corpus.confirming import confirm
from corpus.packages import Package, fetch, packages
from corpus.reviewed import CALLS, changes, failing, missed, snapshot, table
from corpus.running import Run, lint


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.corpus", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="fetch    download and unpack\ndraw     print calls that start processes, to be judged by reading\n"
        "run      lint them all, then compare\ncompare  what the last run found, with what was read\n"
        "confirm  run programs that have the shape of findings",
    )  # fmt: skip
    parser.add_argument("command", choices=["fetch", "draw", "run", "compare", "confirm"])
    parser.add_argument("cache", type=Path, nargs="?", help="a folder for the packages and what is found in them")
    parser.add_argument("names", nargs="*", help="packages; all of packages.toml without it")
    parser.add_argument("--seconds", type=int, default=900, help="CPU time that the run over a package may take")
    parser.add_argument("--count", type=int, default=100, help="how many calls are drawn")
    parser.add_argument("--seed", type=int, default=9, help="how they are drawn")
    parser.add_argument("--sent", action="store_true", help="draw of those alone by which something may be sent")
    given = parser.parse_args()
    if given.command == "confirm":
        return confirm()
    if given.cache is None:
        parser.error("a folder is needed")
    cache = given.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    chosen = packages(given.names)
    if given.command == "compare":
        return compare(chosen, cache)
    for package in chosen:
        fetch(package, cache)
    if given.command == "draw":
        for call in draw(chosen, cache, given.count, given.seed, sent=given.sent):
            print(call.package, call.path, call.line, call.called, sep=",")
    if given.command == "run":
        for package in chosen:
            run = lint(package, cache, given.seconds)
            run.write(cache / "findings")
            print(
                f"{run.package}: {run.files} files, {run.seconds} s, {run.megabytes} MB, {len(run.findings)} findings",
                flush=True,
            )
        return compare(chosen, cache)
    return 0


def compare(chosen: list[Package], cache: Path) -> int:
    """Print the table, what is missed, and what differs from the snapshot; return 1 where something does."""
    read = (Run.read(package, cache / "findings") for package in chosen)
    runs = [run for run in read if run]
    differing = changes(runs, snapshot())
    print(*table(runs, snapshot()), sep="\n")
    for name in CALLS:
        fail = failing(runs, name)
        silent = missed(runs, fail)
        print(f"\n{name}: of {len(fail)} calls that fail, {len(fail) - len(silent)} are found; missed:")
        print(*(f"- {one.package} {one.path}:{one.line}: {one.reason} ({one.culprit})" for one in silent), sep="\n")
    print(*differing, sep="\n")
    broken = [finding for run in runs for finding in run.findings if finding["code"] == "MPS901"]
    return 1 if differing or broken or not all(run.ended for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
