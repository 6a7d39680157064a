"""The rows that the page for contributors shows are rows of the tables."""

from __future__ import annotations

from mpsafe_lint.knowledge import boundaries
from mpsafe_lint.knowledge.boundaries import Boundary
from mpsafe_lint.knowledge.types import row

from .snippets import ROOT, blocks

PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")


def shown(word: str) -> str:
    return next(block.text for block in blocks(PAGE) if block.language == "python" and word in block.text)


def test_a_type() -> None:
    made = eval(shown("TypeRow"), vars(row))
    assert made.texts("pickle") == row.CANNOT and made.rule == "native-object"


def test_a_boundary() -> None:
    made = eval(f"{{{shown('Boundary')}}}", vars(boundaries))
    assert [type(value) for value in made.values()] == [Boundary]


def test_folders_exist() -> None:
    package = ROOT / "src" / "mpsafe_lint"
    named = [line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    assert named and not [name for name in named if not (package / name).is_dir()]
