"""The rule pages tell the truth: their examples do what they claim, and the rules find what is marked in them."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mpsafe_lint.knowledge import rules

from .linting import lint
from .pages import SECTIONS, Example, Page, Version, includes, pages, pattern
from .processes import METHODS, Child, Run, Warm, start

LIMIT = 60.0  # seconds; only a program that never rests gets that far
Launch = Callable[[dict[str, str], str, Path], Child]
VALUE_KINDS = {rule.kind for rule in rules.VALUES}
VERSIONS = [(3, minor) for minor in range(10, 15)]
ALL = pages()
EXAMPLES = [example for page in ALL for example in page.examples]
PLAIN = [example for example in EXAMPLES if not example.needs_torch]
TORCH = [example for example in EXAMPLES if example.needs_torch]


def named(examples: list[Example]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("example", examples, ids=lambda example: example.name)


def differs(example: Example, method: str, run: Run, version: Version) -> Iterator[str]:
    """Say how a run differs from what its example claims."""
    here = method in example.methods
    claims = example.claims if here else {"prints": example.claims.get("else", "")}
    error = example.error(version) if here else None
    outcome = "hang" if "hangs" in claims else "error" if error and "goes-on" not in claims else "ok"
    if run.outcome != outcome:
        yield f"{run.outcome}, not {outcome}"
    if error and not pattern(error).search(run.stderr):
        yield f"its error is not {error!r}"
    if not error and "hangs" not in claims and run.stderr:
        yield "it prints to stderr"
    if bool(run.left) != ("leaves" in claims):
        yield f"processes left: {run.left}"
    if outcome == "ok" and run.stdout != claims.get("prints"):
        yield f"it does not print {claims.get('prints')!r}"


def check_truth(
    example: Example, folder: Path, launch: Callable[[dict[str, str], str, Path], Child], version: Version
) -> None:
    """Run an example under each start method, all at once, and compare."""

    def run(method: str) -> Run:
        with launch(example.files, method, folder / method) as child:
            return child.wait(LIMIT)

    with ThreadPoolExecutor() as threads:
        runs = dict(zip(METHODS, threads.map(run, METHODS), strict=True))
    assert not [
        f"{method}: {fault}\n{run.stdout}{run.stderr}"
        for method, run in runs.items()
        for fault in differs(example, method, run, version)
    ]


@named(PLAIN)
def test_truth(example: Example, tmp_path: Path, python: str, version: Version) -> None:
    check_truth(example, tmp_path, partial(start, python=python), version)


@named(TORCH)
def test_truth_with_torch(example: Example, tmp_path: Path, warm: Warm) -> None:
    check_truth(example, tmp_path, warm.start, sys.version_info[:3])  # the interpreter that has torch is this one


EVALUATE = """
import importlib, json, pickle, sys, traceback
for name, expression in json.loads(sys.argv[1]):
    names = {part: importlib.import_module(part) for part in name}
    try:
        pickle.loads(pickle.dumps(eval(expression, names)))
        print("it pickles")
    except Exception as error:
        print(traceback.format_exception_only(error)[0].strip())
"""


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_error_texts(page: Page, python: str, version: Version) -> None:
    """Each text in a table is what Python says of the value beside it, or else of an example of that page."""
    rows = list(page.error_texts(version))
    values = [value.strip("`") for value, _ in rows if value.startswith("`")]
    imports = [sorted(filter(importlib.util.find_spec, free_names(value))) for value in values]
    command = [python, "-c", EVALUATE, json.dumps(list(zip(imports, values, strict=True)))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    said = dict(zip(values, done.stdout.splitlines(), strict=True))
    examples = [error for example in page.examples if (error := example.error(version))]
    for value, text in rows:
        texts = [said[value.strip("`")]] if value.startswith("`") else examples
        assert any(pattern(text).search(one) for one in texts), (value, text, texts)


def free_names(expression: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}


def test_one_page_for_each_rule() -> None:
    assert {page.name for page in ALL} == set(rules.BY_KIND)


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_form(page: Page) -> None:
    codes = sorted({rules.code_of(page.name), rules.code_of(page.name, kept=True)})
    assert page.title == f"# {page.name} ({', '.join(codes)})"
    assert tuple(page.sections) == SECTIONS
    assert all(text.strip() for text in page.sections.values())


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_examples_show_every_code(page: Page) -> None:
    """A page's bad examples show each of its codes, where an example of it is possible, and the good ones none."""
    codes = {rules.code_of(page.name), rules.code_of(page.name, kept=True)} - {"MPS901"}
    assert {code for example in page.examples if example.bad for _, _, code in example.marks} == codes
    assert all(example.marks for example in page.examples if example.bad)
    assert not [example.name for example in page.examples if not example.bad and example.marks]
    assert any(not example.bad for example in page.examples) or not codes


def report(example: Example, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return what is reported for an example, with the rule of its page switched on."""
    codes = f"{rules.code_of(example.page)},{rules.code_of(example.page, kept=True)}"
    return lint(example.files, folder, capsys, "--extend-select", codes)


@named(EXAMPLES)
def test_what_is_found(example: Example, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bad example is reported with the codes and at the lines that are marked, a good one not at all."""
    found = report(example, tmp_path / "project", capsys)
    assert sorted((Path(one["path"]).name, one["line"], one["code"]) for one in found) == example.marks


@named([example for example in EXAMPLES if example.bad and example.page in VALUE_KINDS])
def test_what_is_said(example: Example, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A finding names the start methods and the error under which its program really fails."""
    findings = report(example, tmp_path / "project", capsys)
    assert findings, "nothing is found"
    finding = findings[0]
    assert sorted(finding["start_methods"]) == sorted(example.methods)
    assert (finding["outcome"] in ("hangs", "lost")) == ("hangs" in example.claims)
    for version in VERSIONS:
        said = [error["text"] for error in finding["errors"] if includes(error["python"] or "all", version)]
        claimed = example.error(version)
        assert not claimed or any(is_same_error(text, claimed) for text in said), (version, said, claimed)


def is_same_error(said: str, claimed: str) -> bool:
    """Whether two texts may be one: as it is raised, or as part of the error of a pool that could not send a result."""
    kind, _, text = said.removeprefix("_pickle.").partition(": ")
    return bool((kind in claimed and pattern(text).search(claimed)) or pattern(claimed).search(said))
