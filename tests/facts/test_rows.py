"""Measured values of the standard library: what the linter says of each is what happens, on every Python."""

from __future__ import annotations

import pytest

from facts.rows import UNKNOWN, Analysis, Said, analyse, differences, opinions, reported, rows
from mpsafe_lint.knowledge.rules import BY_KIND

ROWS = rows()
NEWER_SYNTAX = {"template_string", "typing_type_alias"}
"""Rows that older Pythons can't parse."""


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    """The programs of all rows, linted."""
    return analyse(ROWS, tmp_path_factory.mktemp("rows"))


@pytest.fixture(scope="module")
def said(analysis: Analysis) -> Said:
    """The opinions on them."""
    return opinions(analysis)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_definite_opinion_is_right(row, said: Said) -> None:
    wrong = [str(one) for one in differences(row, said) if one.said != UNKNOWN]
    assert not wrong, "\n".join(wrong)


def test_nine_in_ten_have_a_definite_opinion(said: Said, record_property) -> None:
    unknown = {row.name for row in ROWS if any(one.said == UNKNOWN for one in differences(row, said))}
    definite = 1 - len(unknown) / len(ROWS)
    print(f"\n{len(ROWS)} rows, {definite:.1%} with a definite opinion on every route, serializer and Python")
    record_property("definite", definite)
    assert definite >= 0.9


def test_what_is_refused_is_reported_and_nothing_else(analysis: Analysis, said: Said) -> None:
    refused = {key for key, known in said.items() if any(opinion.refusals for opinion in known)}
    assumed = {key for key, known in said.items() if all(one.reason.assumed for o in known for one in o.refusals)}
    assert refused - assumed == reported(analysis)


def test_no_program_of_a_row_crashes_the_analysis(analysis: Analysis) -> None:
    failed = {one.span.path.partition("/")[0] for one in analysis.findings if one.code.startswith("MPS9")}
    assert failed <= NEWER_SYNTAX


def test_every_rule_of_a_row_exists() -> None:
    assert {rule for row in ROWS for rule in row.rule.split()} <= set(BY_KIND)
    assert all(row.rule for row in ROWS if any(outcome != "ok" for outcome in row.truth.values()))
