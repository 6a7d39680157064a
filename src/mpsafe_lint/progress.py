"""Saying on a terminal how far a long run is. Nothing of it goes into a pipe or a file."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds before anything is said."""

PACE = 0.1
"""Seconds between two changes of the line."""


class Progress:
    """A line on a terminal that is written over, and taken away at the end."""

    def __init__(self) -> None:
        self._wanted = sys.stderr.isatty()
        self._next = time.monotonic() + PATIENCE
        self._shown = False

    def __call__(self, done: int, of: int) -> None:
        """Say that so many files are done."""
        now = time.monotonic()
        if self._wanted and now >= self._next:
            self._next = now + PACE
            self._shown = True
            sys.stderr.write(f"\r\x1b[Kmpsafe-lint: {done} of {of} files")
            sys.stderr.flush()

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            self._shown = False
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


@contextmanager
def shown() -> Iterator[Progress]:
    """Show how far a run is for as long as it goes on."""
    progress = Progress()
    try:
        yield progress
    finally:
        progress.end()
