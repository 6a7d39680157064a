"""Reads the rule pages: sections, tables of error texts, and examples with what they claim.

An example is a fenced block ```` ```python bad … ```` or ```` ```python good … ````. Its info string claims:

    error="…"             stderr holds this text (`…` stands for anything), and the exit status isn't 0
    error-3.13="…"        the same, from that Python on
    goes-on               it ends with exit status 0 all the same
    hangs                 the program never ends
    leaves                a process outlives it
    prints="…"            what it prints; where there is an error or a hang, this isn't looked at
    under="spawn fork"    the start methods under which all this happens (without it: under each)
    else="…"              what the program prints under the others, where it ends well

A comment `# MPS101` at the end of a line says that this code is reported on this line. Lines `# file: name.py` divide a
program into files; what stands above the first of them, or all, is main.py.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .processes import METHODS

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "src" / "mpsafe_lint" / "knowledge" / "pages"
SECTIONS = (
    "What it does",
    "Why it is bad",
    "Error texts by Python version",
    "Example",
    "Use instead",
    "Fix safety",
    "How to find it at run time",
    "Options",
    "References",
)

FENCE = re.compile(r"^```python (bad|good)\b([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
MARK = re.compile(r"# (MPS\d{3}(?: MPS\d{3})*)$")
ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
Version = tuple[int, ...]


@dataclass(frozen=True)
class Example:
    """A program, whether it is a bad one, and what it claims."""

    page: str
    number: int
    bad: bool
    claims: dict[str, str]
    files: dict[str, str]

    @property
    def name(self) -> str:
        return f"{self.page}-{self.number}-{'bad' if self.bad else 'good'}"

    @property
    def methods(self) -> tuple[str, ...]:
        """The start methods under which the claims hold."""
        return tuple(self.claims["under"].split()) if "under" in self.claims else METHODS

    @property
    def needs_torch(self) -> bool:
        return any(re.search(r"^(import|from) torch\b", text, re.MULTILINE) for text in self.files.values())

    @property
    def marks(self) -> list[tuple[str, int, str]]:
        """Path, line and code of every finding that is expected."""
        return sorted(
            (name, line, code)
            for name, text in self.files.items()
            for line, source in enumerate(text.splitlines(), 1)
            if (mark := MARK.search(source))
            for code in mark[1].split()
        )

    def error(self, version: Version) -> str | None:
        """The error text that is claimed for a version of Python."""
        texts = {}
        for claim, text in self.claims.items():
            if re.fullmatch(r"error(-\d+\.\d+)?", claim):
                texts[numbers(claim[6:])] = text
        since = [start for start in texts if start <= version]
        return texts[max(since)] if since else None


@dataclass(frozen=True)
class Page:
    name: str
    title: str
    sections: dict[str, str]
    examples: tuple[Example, ...]

    def error_texts(self, version: Version) -> Iterator[tuple[str, str]]:
        """The rows of the table of error texts that hold for a version: the value, and what Python prints."""
        for value, versions, text in ROW.findall(self.sections["Error texts by Python version"]):
            if text.startswith("`") and includes(versions, version):
                yield value, text.strip("`")


def numbers(version: str) -> Version:
    return tuple(int(part) for part in version.split(".") if part)


def includes(versions: str, version: Version) -> bool:
    """Whether `all`, `3.8-3.12` or `3.13+` includes a version."""
    first, _, last = versions.removesuffix("+").partition("-")
    return versions == "all" or numbers(first) <= version[:2] <= (numbers(last) or version[:2])


def pattern(text: str) -> re.Pattern[str]:
    """Return what finds a text in which `…` stands for anything."""
    return re.compile(".*".join(map(re.escape, text.split("…"))))


def claims(info: str) -> dict[str, str]:
    pairs = (word.partition("=") for word in shlex.split(info))
    return {name: value.replace("\\n", "\n") for name, _, value in pairs}


def files(text: str) -> dict[str, str]:
    first, *rest = FILE.split(text)
    named = dict(zip(rest[::2], rest[1::2], strict=True))
    return {"main.py": first} | named if first.strip() else named


def examples(name: str, text: str) -> tuple[Example, ...]:
    """Return the examples of a page, in their order."""
    found = FENCE.findall(text)
    return tuple(
        Example(name, number, kind == "bad", claims(info), files(code))
        for number, (kind, info, code) in enumerate(found, 1)
    )


def read(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    title, *parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return Page(path.stem, title.strip(), sections, examples(path.stem, text))


def pages() -> list[Page]:
    return [read(path) for path in sorted(PAGES.glob("*.md"))]
