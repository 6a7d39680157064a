"""Colours for a terminal."""

from __future__ import annotations

_CODES = {"bold": "1", "red": "1;31", "cyan": "36", "green": "32", "blue": "1;34", "magenta": "35"}


def paint(text: str, color: str, wanted: bool) -> str:
    """Return `text` in a colour, if colours are wanted."""
    return f"\x1b[{_CODES[color]}m{text}\x1b[0m" if wanted and text else text
