"""Types of other libraries."""

from __future__ import annotations

from typing import Final

from mpsafe_lint.knowledge.types.row import TypeRow

ROWS: Final[tuple[TypeRow, ...]] = ()
