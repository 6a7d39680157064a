"""Programs in which comments mark what is found: `# MPS303` at the end of a line, `# file: name.py` begins a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent

import pytest

from mpsafe_lint.cli import lint_main

FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
MARK = re.compile(r"# (MPS[34]\d\d(?: MPS[34]\d\d)*)$")

Found = list[tuple[str, int, str]]


def files_of(program: str) -> dict[str, str]:
    """Return the files of a program; what stands above the first `# file:` is main.py."""
    first, *rest = FILE.split(dedent(program).lstrip("\n"))
    named = dict(zip(rest[::2], rest[1::2], strict=True))
    return {"main.py": first} | named if first.strip() else named


def marks(files: dict[str, str]) -> Found:
    """Return file, line and code of what is marked."""
    return sorted(
        (name, number, code)
        for name, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := MARK.search(line))
        for code in mark[1].split()
    )


def check(program: str, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> None:
    """Assert that just the marked habits are found. MPS306, 312, 313 and MPS4xx are off unless options select them."""
    files = files_of(program)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert lint_main(["--isolated", "--exit-zero", "--output-format", "json", *options, str(folder)]) == 0
    found = json.loads(capsys.readouterr().out)
    habits = [one for one in found if one["code"].startswith(("MPS3", "MPS4", "MPS9"))]
    said = sorted((Path(one["path"]).name, one["line"], one["code"]) for one in habits)
    assert said == marks(files), [one["message"] for one in habits]
