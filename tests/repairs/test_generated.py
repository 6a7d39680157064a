"""Generated programs: a function that captures something, in many shapes, is moved and does what it did."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from marked import MARKS, edited, finding_of
from programs import round_trip, value_of

from mpsafe_lint.findings import Repair
from mpsafe_lint.repairs import plan

NAMES = ["alpha", "beta", "gamma", "delta"]
HEADS = [
    "",
    '"""Doc."""\n\n',
    "import functools\n\n\n",
    "import os\nfrom functools import partial, wraps\n\n\n",
    "# head\n\n",
]
USES = ["send(work)(5)", "[send(f)(5) for f in [work]]", "send(dict(a=work))['a'](5)", "send((work,))[0](5)", "work(5)"]


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a marked source, and the kind of its finding."""
    parameters = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=3))
    local = draw(st.lists(st.sampled_from(["one", "two"]), unique=True, max_size=2))
    captured = draw(st.lists(st.sampled_from([*parameters, *local]), unique=True)) if parameters or local else []
    helper = draw(st.sampled_from(["", "def", "lambda"]))
    helper_reads = draw(st.sampled_from([*captured, "7"]))
    own = draw(st.sampled_from(["x", "x, y=2", "x, *rest", "x, *, y=3", "x, /, y=1", "x, **more"]))
    default = draw(st.sampled_from(["", *[f", z={name}" for name in captured]]))
    own = own if "*" in own else own + default
    parts = ["x", *captured, *(["helper(x)"] if helper else [])]
    parts += [name for name in ("y", "z") if f"{name}=" in own] + (["rest"] if "*rest" in own else [])
    result = f"({', '.join(parts)},)"
    kind = draw(st.sampled_from(["lambda", "local-function"]))
    before = [f"{name} = [{index}, 'text']" for index, name in enumerate(local)]
    if helper == "def":
        before += ["def helper(v):", f"    return v, {helper_reads}"]
    elif helper == "lambda":
        before += [f"helper = lambda v: (v, {helper_reads})"]
    if kind == "lambda":
        work = [f"work = ⟦lambda {own}: {result}⟧"]
    else:
        doc = draw(st.sampled_from([[], ['    """Work.', "", "    More.", '    """']]))
        comment = draw(st.sampled_from([[], ["# does the work"]]))
        work = [*comment, f"⟦def work({own}):", *doc, f"    return {result}  # all"]
    gap = draw(st.sampled_from([[], [""]]))
    uses = draw(st.lists(st.sampled_from(USES), min_size=1, max_size=3))
    if all(use == "work(5)" for use in uses):
        uses.append(USES[0])
    body = [*before, *gap, *work, *gap, f"return {', '.join(uses)}"]
    arguments = ", ".join(str(index * 10) for index, _ in enumerate(parameters))
    if draw(st.booleans()):
        lines = ["class Outer:", f"    def main({', '.join(['self', *parameters])}):"]
        lines += ["        " + line if line else "" for line in body]
        shows = f"Outer().main({arguments})"
    else:
        lines = [f"def main({', '.join(parameters)}):", *("    " + line if line else "" for line in body)]
        shows = f"main({arguments})"
    tail = f"\n\n\ndef show():\n    return {shows}\n"
    return draw(st.sampled_from(HEADS)) + "\n".join(lines) + tail, kind


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_does_what_it_did(program: tuple[str, str]) -> None:
    source, kind = program
    before = MARKS.sub("", source)
    expected = value_of(before, "show()", lambda value: value)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        value_of(before, "show()", round_trip)
    finding, project = finding_of({"main.py": source}, kind, "pool-task")
    repair = plan(finding, project)
    assert isinstance(repair, Repair), repair
    assert repair.applicability == "safe"
    after = edited(dict(project.overlay), repair)["main.py"]
    assert value_of(after, "show()", round_trip) == expected, after
