"""Measured values of the standard library, and the smallest programs that send each."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mpsafe_lint.check import Analysis, check
from mpsafe_lint.config import KNOWN_VERSIONS, Config
from mpsafe_lint.files.project import Project
from mpsafe_lint.knowledge.types import covers
from mpsafe_lint.pickling.opinion import Opinion, Verdict

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SENDS = """
import multiprocessing as _mp
import pickle as _pickle
_spawn = _mp.get_context("spawn")
_queue = _spawn.SimpleQueue()
"""

SEND = """\
    _pickle.dumps({value})
    _queue.put({value})
    _spawn.Process(target=print, args=({value},)).start()
"""

MAIN = 'if __name__ == "__main__":\n'


@dataclass(frozen=True)
class Row:
    """A measured value. `rule` names its kind, or those of the leaves that different Pythons come upon first. `truth`
    says by serializer and Python what was seen: `ok`, an error, or `load` and an error."""

    name: str
    rule: str
    setup: str
    expression: str
    truth: dict[tuple[str, tuple[int, int]], str]

    @property
    def folder(self) -> str:
        return self.name


def rows() -> list[Row]:
    """Return the table."""
    text = (Path(__file__).parent / "rows.toml").read_text("utf-8")
    return [_row(one) for one in tomllib.loads(text)["row"]]


def _row(data: dict[str, Any]) -> Row:
    truth = {}
    for pythons, outcome, *serializers in data["truth"]:
        for serializer in (serializers or ["pickle forking spawning"])[0].split():
            for version in KNOWN_VERSIONS:
                if covers(pythons, version):
                    truth[serializer, version] = outcome
    return Row(data["name"], data["rule"], data.get("setup", "").strip("\n"), data["expr"], truth)


# -- programs -----------------------------------------------------------------------------------------------------


def programs(row: Row) -> dict[str, str]:
    """Return files that send the value: as it is, through a variable, through a helper elsewhere, in an attribute."""
    sent_by = "def make():\n{}" + MAIN + "    make()\n"
    module = f"{row.setup}\n\n\ndef make():\n    return {row.expression}\n"
    variable = f"    value = {row.expression}\n" + SEND.format(value="value")
    made = "    value = make()\n" + SEND.format(value="value")
    holder = "class Holder:\n    def __init__(self, value):\n        self.value = value\n\n\n"
    kept = "    holder = Holder(make())\n" + SEND.format(value="holder")
    return {
        "rowmod.py": module,
        "direct.py": f"{SENDS}{row.setup}\n\n\n" + sent_by.format(SEND.format(value=row.expression)),
        "variable.py": f"{SENDS}{row.setup}\n\n\n" + sent_by.format(variable),
        "helper.py": f"{SENDS}from rowmod import make\n\n\n{MAIN}{made}",
        "attribute.py": f"{SENDS}from rowmod import make\n\n\n{holder}{MAIN}{kept}",
    }


ROUTES = ("direct", "variable", "helper", "attribute")


def analyse(table: list[Row], folder: Path) -> Analysis:
    """Lint the programs of all rows, as one project, for every Python."""
    overlay = {
        folder / row.folder / name: text for row in table for name, text in programs(row).items()
    }
    config = Config(target_version=KNOWN_VERSIONS)
    return check(Project.load([], config, overlay=overlay), config)


def opinions(analysis: Analysis) -> dict[tuple[str, str, str], list[Opinion]]:
    """Return what is said of each value, by row, route and serializer."""
    found: dict[tuple[str, str, str], list[Opinion]] = {}
    for crossing, opinion in analysis.opinions:
        folder, _, file = crossing.span.path.rpartition("/")
        if crossing.boundary in ("pickle-call", "queue-item", "process-args"):
            found.setdefault((folder, file.removesuffix(".py"), crossing.serializer), []).append(opinion)
    return found


# -- verdicts -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """A verdict that isn't the truth, or none at all (`said` is `unknown`)."""

    row: str
    route: str
    serializer: str
    version: tuple[int, int]
    said: str
    truth: str
    why: tuple[str, ...] = ()


def differences(row: Row, said: dict[tuple[str, str, str], list[Opinion]]) -> Iterator[Difference]:
    """Yield where the linter differs from the measured truth, on any route, under any serializer and Python."""
    for route in ROUTES:
        for (serializer, version), truth in row.truth.items():
            known = said.get((row.folder, route, serializer), [])
            expected = truth.replace("rowmod", "__main__") if route in ("direct", "variable") else truth
            text, why = verdict(known, version, row.rule)
            if not agrees(text, expected):
                yield Difference(row.name, route, serializer, version, text, expected, why)


def verdict(known: list[Opinion], version: tuple[int, int], rule: str) -> tuple[str, tuple[str, ...]]:
    """Return what the opinions on one value come to, in the form of the truth."""
    if not known:
        return "unknown", ("not seen to be sent",)
    for opinion in known:
        refused = opinion.refusal(version)
        if refused is not None:
            error = refused.error(version)
            assert error is not None
            text = f"load {error.text}" if refused.only_in_worker else error.text
            return (text, ()) if refused.kind in rule.split() else (f"{refused.kind}: {text}", ())
    unknown = tuple(why for opinion in known for why in opinion.unknown)
    if any(opinion.verdict(version) is Verdict.UNKNOWN for opinion in known):
        return "unknown", unknown
    return "ok", ()


def agrees(text: str, truth: str) -> bool:
    """Compare two texts; the truth was cut where it ends with an ellipsis."""
    return text.startswith(truth[:-1]) if truth.endswith("…") else text == truth
