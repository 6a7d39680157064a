"""Other libraries: what their functions, methods and attributes give."""

from __future__ import annotations

from typing import Final

from mpsafe_lint.knowledge.makers.stdlib import Names

MAKES: Final[Names] = {}
METHODS: Final[dict[str, Names]] = {}
ATTRIBUTES: Final[dict[str, Names]] = {}
VALUES: Final[Names] = {}
BASES: Final[dict[str, str]] = {}
ITERATED: Final[Names] = {}
ITERATORS: Final[Names] = {}
ITEMS: Final[Names] = {}
