"""Findings that are confirmed by running: programs of the same shape, with what they are to fail with."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus.packages import HERE
from corpus.running import COMMAND

ADDRESS = re.compile(r"0x[0-9a-f]+")
SECONDS = 120


@dataclass(frozen=True)
class Confirmed:
    """A program that has the shape of some findings."""

    path: Path
    findings: tuple[str, ...]
    """Package, path and line, and code of each."""
    text: str
    """What it prints at last: an error, or what is printed in spite of one."""

    @property
    def codes(self) -> set[str]:
        return {finding.split()[-1] for finding in self.findings}

    def run(self) -> str:
        """Return the lines that it prints."""
        done = subprocess.run([sys.executable, self.path], capture_output=True, text=True, timeout=SECONDS)
        return ADDRESS.sub("0x…", done.stdout + done.stderr)

    def linted(self) -> str:
        """Return what the linter says of it where it stands alone."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(self.path, folder)
            command = [sys.executable, "-c", COMMAND, "--isolated", "--no-cache", "--output-format", "concise", "."]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
        return done.stdout


def confirmed() -> Iterator[Confirmed]:
    """Return the programs; the comments at the top of each say what it stands for."""
    for path in sorted((HERE / "confirmed").glob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        *findings, text = [line[2:] for line in lines[: next(i for i, one in enumerate(lines) if one[0] != "#")]]
        yield Confirmed(path, tuple(findings), text)


def confirm() -> int:
    """Run the programs and lint them; print how each ends, and return 1 where one doesn't end as it should."""
    wrong = False
    for one in confirmed():
        printed, said = one.run(), one.linted()
        ends = any(line.startswith(one.text) for line in printed.splitlines())
        fits = ends and all(code in said for code in one.codes)
        wrong |= not fits
        print(f"{'as said' if fits else 'WRONG'}  {one.path.name}: {one.text}", *one.findings, sep="\n    ", flush=True)
        if not fits:
            print(printed, said, sep="\n")
    return int(wrong)
