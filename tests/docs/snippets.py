"""Reads the pages of the docs, and does what they say.

A page is a session in a folder of its own; where it speaks of `examples/`, a copy of that is there. Its fenced blocks are
done in order:

    ```python title="jobs.py"      the file is written (any language)
    ```console                     each line behind `$ ` is run, and prints the lines below it
    ```pycon                       a doctest

A line `…` in what a command prints stands for any lines. Other blocks are for readers alone.

`python tests/docs/snippets.py PAGE …` writes what the commands print into the pages.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(?P<pad> *)```(?P<language>\w+)(?P<info>[^\n]*)\n(?P<text>.*?)^(?P=pad)```$", re.M | re.S)
TITLE = re.compile(r'title="([^"]+)"')
ELISION = "…"


@dataclass(frozen=True)
class Block:
    """A fenced block. `start` and `end` are where its text stands in the page; `pad` is how far it is indented."""

    language: str
    title: str
    text: str
    start: int
    end: int
    pad: str = ""


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    found = []
    for match in FENCE.finditer(page):
        title = TITLE.search(match["info"])
        text = re.sub(rf"^{match['pad']}", "", match["text"], flags=re.M)
        found.append(Block(match["language"], title[1] if title else "", text, *match.span("text"), match["pad"]))
    return found


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block, with what it prints there."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def agrees(said: str, output: str) -> bool:
    """Tell whether a command printed what the page says."""
    parts = [re.escape(part) for part in re.split(rf"^{ELISION}\n", said, flags=re.M)]
    return re.fullmatch("(?:.*\n)*?".join(parts), output) is not None


def run(command: str, folder: Path) -> str:
    """Run a command as a reader would who has installed the project; return what it printed."""
    own = os.path.dirname(sys.executable)
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    environment |= {"PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
    )
    return done.stdout


def play(page: str, folder: Path) -> Iterator[tuple[Block, str]]:
    """Do what a page says; yield each console block and doctest with what it printed, commands included."""
    if "examples/" in page:
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for block in blocks(page):
        if block.title:
            file = folder / block.title
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            yield block, "".join(f"$ {command}\n{run(command, folder)}" for command, _ in commands(block.text))
        elif block.language == "pycon":
            yield block, _doctest(block.text, folder)


def _doctest(text: str, folder: Path) -> str:
    """Run a doctest; return its text where it holds, and else what doctest says of it."""
    test = doctest.DocTestParser().get_doctest(text, {}, "page", None, 0)
    said: list[str] = []
    before = os.getcwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    finally:
        sys.path.remove(str(folder))
        os.chdir(before)
    return "".join(said) or text


def differences(page: str, folder: Path) -> Iterator[str]:
    """Yield what was printed where it isn't what the page says."""
    for block, printed in play(page, folder):
        if block.language == "pycon":
            if printed != block.text:
                yield printed
            continue
        for (command, said), (_, output) in zip(commands(block.text), commands(printed), strict=True):
            if not agrees(said, output):
                yield f"$ {command}\n{output}"


def update(page: str, folder: Path) -> str:
    """Return a page with what its commands print now; a block with an elision stays."""
    for block, printed in reversed(list(play(page, folder))):
        if block.language == "console" and f"\n{ELISION}\n" not in block.text:
            indented = re.sub(r"^(?=.)", block.pad, printed, flags=re.M)
            page = page[: block.start] + indented + page[block.end :]
    return page


if __name__ == "__main__":
    import tempfile

    for name in sys.argv[1:]:
        path = Path(name)
        with tempfile.TemporaryDirectory() as folder:
            path.write_text(update(path.read_text(encoding="utf-8"), Path(folder)), encoding="utf-8")
