"""Which Python knows the syntax at which the running one gives up."""

from __future__ import annotations

import re
import sys

_SINCE = (
    ((3, 11), re.compile(r"^\s*except\s*\*")),
    ((3, 12), re.compile(r"^\s*(?:type\s+\w+\s*(?:\[.*\]\s*)?=|(?:async\s+)?(?:def|class)\s+\w+\s*\[)")),
    ((3, 12), re.compile(r"""[fF][rR]?(['"])[^'"]*\{[^{}'"]*\1[^{}]*\}""")),
    ((3, 14), re.compile(r"""\b(?:t|T|[rR][tT]|[tT][rR])["']""")),
    ((3, 14), re.compile(r"^\s*except\s+[A-Z][\w.]*\s*,\s*[A-Z]")),
)
"""Syntax that came later than 3.10, as a line with it looks. Source: "What's New in Python" of each version."""


def known_since(error: SyntaxError) -> tuple[int, int] | None:
    """Return the first Python that takes the line of an error, where it is newer than the running one."""
    line = error.text or ""
    return next((since for since, form in _SINCE if since > sys.version_info[:2] and form.search(line)), None)
