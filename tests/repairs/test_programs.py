"""Every repair, held against pickle: what failed works then, and does what it did."""

from __future__ import annotations

import ast
import pickle

import pytest
from marked import MARKS, edited, finding_of
from programs import PROGRAMS, Program, round_trip, value_of

from mpsafe_lint.findings import Repair
from mpsafe_lint.repairs import plan

BY_NAME = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)


def repaired(program: Program, source: str | None = None) -> tuple[Repair, str]:
    finding, project = finding_of({"main.py": source or program.source}, program.kind, program.boundary, program.chain)
    repair = plan(finding, project)
    assert isinstance(repair, Repair), repair
    return repair, edited(dict(project.overlay), repair)["main.py"]


@BY_NAME
def test_works_and_does_what_it_did(program: Program) -> None:
    before = MARKS.sub("", program.source)
    expected = value_of(before, program.shows, lambda value: value)
    if program.kind != "unloadable":  # that is saved, and fails when it is loaded
        with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
            value_of(before, program.shows, round_trip)
    repair, after = repaired(program)
    assert (repair.applicability == "safe") is program.safe, repair
    assert value_of(after, program.shows, round_trip) == expected, after
    assert value_of(after, program.shows, lambda value: value) == expected


@BY_NAME
def test_keeps_comments_and_strings(program: Program) -> None:
    before = MARKS.sub("", program.source)
    _, after = repaired(program)
    for line in before.splitlines():
        if "#" in line:
            assert line[line.index("#") :] in after
    for node in ast.walk(ast.parse(before)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value:
            lines = [line.strip() for line in node.value.splitlines()]
            assert any(
                isinstance(n, ast.Constant)
                and isinstance(n.value, str)
                and [line.strip() for line in n.value.splitlines()] == lines
                for n in ast.walk(ast.parse(after))
            )


@BY_NAME
@pytest.mark.parametrize("newline", ["\r\n", "\r"], ids=["CRLF", "CR"])
def test_keeps_line_ends(program: Program, newline: str) -> None:
    _, plain = repaired(program)
    _, after = repaired(program, program.source.replace("\n", newline))
    assert after == plain.replace("\n", newline)


@BY_NAME
def test_keeps_tabs(program: Program) -> None:
    _, plain = repaired(program)
    _, after = repaired(program, program.source.replace("    ", "\t"))
    assert after == plain.replace("    ", "\t")


@BY_NAME
def test_keeps_the_lack_of_a_last_line_end(program: Program) -> None:
    _, plain = repaired(program)
    _, after = repaired(program, program.source.rstrip("\n"))
    assert after == plain.rstrip("\n")


@BY_NAME
def test_keeps_form_feeds(program: Program) -> None:
    source = "\f" + program.source.replace("\n\n\n", "\n\n\f\n")
    _, after = repaired(program, source)
    ast.parse(after)
    assert after.count("\f") == source.count("\f")
    assert after.startswith("\f")


@BY_NAME
def test_counts_columns_in_code_points(program: Program) -> None:
    _, plain = repaired(program)
    _, after = repaired(program, program.source.replace("main", "mäin").replace("show", "shöw"))
    assert after == plain.replace("main", "mäin").replace("show", "shöw")
