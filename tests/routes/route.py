"""A route: a small program, and what should be reported of it.

A comment `# MPS102 dataset-attribute` at the end of a line says that this code is reported there, as crossing at this
boundary; nothing else is. Lines `# file: name.py` divide a program into files; what stands above the first is main.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from real.pages import files as divided
from real.pages import includes, pattern
from real.processes import Run

MARK = re.compile(r"# (MPS\d{3}) ([a-z-]+)$")
Place = tuple[str, int, str, str]


@dataclass(frozen=True)
class Route:
    """A program under its name, which says by what way the value reaches the other process."""

    name: str
    text: str

    @property
    def files(self) -> dict[str, str]:
        return divided(self.text.lstrip())

    @property
    def marks(self) -> list[Place]:
        """Path, line, code and boundary of every finding that is expected."""
        return sorted(
            (path, line, mark[1], mark[2])
            for path, text in self.files.items()
            for line, source in enumerate(text.splitlines(), 1)
            if (mark := MARK.search(source))
        )


def routes(programs: Mapping[str, str]) -> list[Route]:
    return [Route(name, text) for name, text in programs.items()]


def difference(findings: list[dict[str, Any]], run: Run, method: str, version: tuple[int, ...]) -> str:
    """Say how a run under a start method differs from what is reported of the program; "" where it doesn't.

    A finding says that the program fails, and with which text; without one it ends well, and has printed something.
    A single start method is one that the program asks for itself, whatever the default is.
    """
    fails = [one for one in findings if method in one["start_methods"] or len(one["start_methods"]) == 1]
    if not fails:
        return "" if run.outcome == "ok" and run.stdout and not run.left else f"{run.outcome}, and nothing is reported"
    wanted = {"raises": ["error"], "hangs": ["hang"], "lost": ["ok", "hang"]}
    if not any(run.outcome in wanted[one["outcome"]] for one in fails):
        return f"{run.outcome}, and what is reported {fails[0]['outcome']}"
    texts = [
        error["text"].partition(": ")[2].replace("0x…", "…")
        for one in fails
        for error in one["errors"]
        if includes(error["python"] or "all", version)
    ]
    printed = run.stderr.replace("\\'", "'")  # a pool quotes the error of a result that can't be sent
    told = any(pattern(text).search(printed) for text in texts)
    return "" if told or run.outcome == "hang" else f"its error is none of {texts}"
