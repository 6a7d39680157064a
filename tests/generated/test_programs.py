"""Generated programs are linted and really pickled: the verdicts agree, whatever the spelling."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generated.checking import STYLES, Random, Replay, judge, outcomes, says
from generated.found import FOUND
from generated.writer import Style, Written, main_file, write

T = TypeVar("T")

COUNT = 300
"""Programs that the suite generates of each sort; `python -m tests.generated` makes more."""


class Drawn:
    """Lets hypothesis choose, so that it can find the smallest program that goes wrong."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def pick(self, options: Sequence[T]) -> T:
        return options[self._draw(st.integers(0, len(options) - 1))]


@st.composite
def programs(draw: st.DrawFn) -> Written:
    """Draw a program."""
    return write(Drawn(draw))


@settings(
    max_examples=COUNT, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), print_blob=False
)
@given(program=programs())
def test_what_is_said_is_what_happens(program: Written, tmp_path_factory: pytest.TempPathFactory) -> None:
    judged = judge(program, tmp_path_factory.getbasetemp() / "program")
    assert judged.broken or not (judged.wrong or judged.wrong_text), str(judged)


def test_most_verdicts_are_definite_and_many_programs_fail(tmp_path: Path) -> None:
    judged = [judge(write(Random(seed)), tmp_path) for seed in range(COUNT)]
    whole = [one for one in judged if not one.broken]
    wrong = [str(one) for one in whole if one.wrong or one.wrong_text]
    assert not wrong, wrong[0]
    assert len(whole) > 0.95 * len(judged)
    assert sum(one.definite for one in whole) > 0.8 * len(whole)
    assert sum(one.fails for one in whole) > 0.4 * len(whole)


@pytest.mark.parametrize("seed", range(COUNT, COUNT + 40))
def test_the_verdict_stays_when_the_program_is_spelt_otherwise(seed: int, tmp_path: Path) -> None:
    chooser = Random(seed)
    verdict = says(write(chooser), tmp_path / "first")
    for number, style in enumerate(STYLES):
        program = write(Replay(chooser.picked), style)
        assert says(program, tmp_path / str(number)) == verdict, style


@pytest.mark.parametrize("name", FOUND)
def test_what_was_once_wrong(name: str, tmp_path: Path) -> None:
    text = f"from __future__ import annotations\n{FOUND[name]}"
    judged = judge(Written({"target.py": text, "main.py": main_file(Style())}, 0), tmp_path)
    assert judged.definite and not judged.wrong and not judged.wrong_text, str(judged)


def test_a_program_that_is_spelt_otherwise_does_the_same() -> None:
    for seed in range(20):
        chooser = Random(seed)
        happens = outcomes(write(chooser))
        for style in STYLES:
            other = outcomes(write(Replay(chooser.picked), style))
            assert {one == "ok" for one in other} == {one == "ok" for one in happens}
