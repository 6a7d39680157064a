"""Measured values of the standard library, and the smallest programs that send each."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mpsafe_lint.check import Analysis, check
from mpsafe_lint.config import KNOWN_VERSIONS, Config
from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Crossing
from mpsafe_lint.knowledge.types import covers
from mpsafe_lint.pickling.opinion import Opinion, Verdict

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Version = tuple[int, int]
Said = dict[tuple[str, str, str], list[Opinion]]
"""The opinions on each value, by row, route and serializer. Code that is run from several entry points has several."""

BOUNDARIES = {"pickle": "pickle-call", "forking": "queue-item", "spawning": "process-args"}

BEFORE = """\
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

GUARD = 'if __name__ == "__main__":\n'
CALLED = "def make():\n{}" + GUARD + "    make()\n"
HOLDER = "class Holder:\n    def __init__(self, value):\n        self.value = value\n\n\n"


@dataclass(frozen=True)
class Row:
    """A measured value. `rule` names its kind, or those of the leaves that different Pythons come upon first.

    `truth` says by serializer and Python what was seen: `ok`, an error, or `load` and an error.
    """

    name: str
    rule: str
    setup: str
    expression: str
    truth: dict[tuple[str, Version], str]


def rows() -> list[Row]:
    """Return the table."""
    text = (Path(__file__).parent / "rows.toml").read_text("utf-8")
    return [_row(one) for one in tomllib.loads(text)["row"]]


def _row(data: dict[str, Any]) -> Row:
    truth = {}
    for pythons, outcome, *serializers in data["truth"]:
        for serializer in (serializers or [" ".join(BOUNDARIES)])[0].split():
            for version in KNOWN_VERSIONS:
                if covers(pythons, version):
                    truth[serializer, version] = outcome
    return Row(data["name"], data["rule"], data.get("setup", "").strip("\n"), data["expr"], truth)


# -- programs ------------------------------------------------------------------------------------------------------

ROUTES = ("direct", "variable", "helper", "attribute")
"""How the value gets to where it is sent: as it is, through a variable, through a function in another file, as an
attribute of an object. The first two stand in the main program, which goes by the name of `__main__`."""


def programs(row: Row) -> dict[str, str]:
    """Return the files of the four routes, and the module with the helper."""
    top = f"{BEFORE}{row.setup}\n\n\n"
    variable = f"    value = {row.expression}\n" + SEND.format(value="value")
    imports = f"{BEFORE}from rowmod import make\n\n\n"
    return {
        "rowmod.py": f"{row.setup}\n\n\ndef make():\n    return {row.expression}\n",
        "direct.py": top + CALLED.format(SEND.format(value=row.expression)),
        "variable.py": top + CALLED.format(variable),
        "helper.py": f"{imports}{GUARD}    value = make()\n" + SEND.format(value="value"),
        "attribute.py": f"{imports}{HOLDER}{GUARD}    holder = Holder(make())\n" + SEND.format(value="holder"),
    }


def analyse(table: Sequence[Row], folder: Path) -> Analysis:
    """Lint the programs of all rows, as one project, for every Python."""
    overlay = {folder / row.name / name: text for row in table for name, text in programs(row).items()}
    config = Config(target_version=KNOWN_VERSIONS)
    return check(Project.load([], config, overlay=overlay), config)


def opinions(analysis: Analysis) -> Said:
    """Return what is said of each value."""
    found: Said = {}
    for crossing, opinion in analysis.opinions:
        if crossing.boundary == BOUNDARIES.get(crossing.serializer):
            found.setdefault((*_place(crossing), crossing.serializer), []).append(opinion)
    return found


def reported(analysis: Analysis) -> set[tuple[str, str, str]]:
    """Return for which values, by row, route and serializer, there is a finding."""
    crossings = [one for finding in analysis.findings for one in (finding.crossing, *finding.also) if one is not None]
    seen = [one for one in crossings if one.boundary == BOUNDARIES.get(one.serializer)]
    return {(*_place(crossing), crossing.serializer) for crossing in seen}


def _place(crossing: Crossing) -> tuple[str, str]:
    folder, _, file = crossing.span.path.rpartition("/")
    return folder, file.removesuffix(".py")


# -- verdicts ------------------------------------------------------------------------------------------------------

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Difference:
    """A verdict that isn't the truth. `said` is an error, `ok` or `unknown`, then with what is not known in `why`."""

    row: str
    route: str
    serializer: str
    version: Version
    said: str
    truth: str
    why: tuple[str, ...] = ()

    def __str__(self) -> str:
        version = ".".join(map(str, self.version))
        why = f" ({', '.join(dict.fromkeys(self.why))})" if self.why else ""
        place = f"{self.row}, {self.route}, {self.serializer}, {version}"
        return f"{place}:\n    said:  {self.said}{why}\n    truth: {self.truth}"


def differences(row: Row, said: Said) -> Iterator[Difference]:
    """Yield where the linter differs from the measured truth, on any route, under any serializer and Python."""
    for route in ROUTES:
        for (serializer, version), truth in row.truth.items():
            known = said.get((row.name, route, serializer), [])
            expected = truth.replace("rowmod", "__main__") if route in ("direct", "variable") else truth
            text, why = verdict(known, version, row.rule)
            if not agrees(text, expected):
                yield Difference(row.name, route, serializer, version, text, expected, why)


def verdict(known: Sequence[Opinion], version: Version, rule: str) -> tuple[str, tuple[str, ...]]:
    """Return what the opinions on one value come to, in the form of the truth, and what is not known of it. A refusal
    under another rule than the row's is shown with that."""
    if not known:
        return UNKNOWN, ("not seen to be sent",)
    refused = next((one for one in (opinion.refusal(version) for opinion in known) if one is not None), None)
    if refused is not None:
        error = refused.error(version)
        assert error is not None
        text = f"load {error.text}" if refused.only_in_worker else error.text
        return text if refused.kind in rule.split() else f"{refused.kind}: {text}", ()
    if any(opinion.verdict(version) is Verdict.UNKNOWN for opinion in known):
        return UNKNOWN, tuple(why for opinion in known for why in opinion.unknown)
    return "ok", ()


def agrees(text: str, truth: str) -> bool:
    """Compare two texts; the truth was cut, or depends on how Python was built, where it ends with an ellipsis."""
    return text.startswith(truth[:-1]) if truth.endswith("…") else text == truth
