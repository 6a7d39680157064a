"""Unified diffs of repaired files."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_NO_END = "\\ No newline at end of file\n"


def unified(path: str, old: str, new: str) -> str:
    """Return the diff of one file, as `patch` takes it: line ends other than `\\n` stay in the lines."""
    return "".join(_lines(path, old, new))


def _lines(path: str, old: str, new: str) -> Iterator[str]:
    for line in difflib.unified_diff(_LINE.findall(old), _LINE.findall(new), path, path):
        yield line if line.endswith("\n") else f"{line}\n{_NO_END}"
