"""What silences a finding: comments as flake8 reads them, and baselines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mpsafe_lint.config import Config, ConfigError, Reporting
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import decode
from mpsafe_lint.findings import Finding, Span
from mpsafe_lint.suppress import show
from mpsafe_lint.suppress.add_noqa import add_noqa
from mpsafe_lint.suppress.baseline import read, subtract, write
from mpsafe_lint.suppress.noqa import Noqa

FORMS = {
    "blank": "x = 1  # noqa\n",
    "no-space": "x = 1  #noqa\n",
    "two-spaces": "x = 1  #  noqa\n",
    "upper": "x = 1  # NOQA\n",
    "mixed": "x = 1  # NoQa : MPS101\n",
    "code": "x = 1  # noqa: MPS101\n",
    "code-without-space": "x = 1  # noqa:MPS101\n",
    "code-after-two-spaces": "x = 1  # noqa:  MPS101\n",
    "prefix": "x = 1  # noqa: MPS1\n",
    "letters": "x = 1  # noqa: MPS\n",
    "other-code": "x = 1  # noqa: E501\n",
    "lower-code": "x = 1  # noqa: mps101\n",
    "several": "x = 1  # noqa: E501,MPS101\n",
    "several-with-spaces": "x = 1  # noqa: E501 MPS101\n",
    "several-with-both": "x = 1  # noqa: E501 , MPS101, W1\n",
    "longer-code": "x = 1  # noqa: MPS1011\n",
    "trailing-text": "x = 1  # noqa: MPS101 because it is sent by fork\n",
    "text-for-code": "x = 1  # noqa: because\n",
    "after-text": "x = 1  # sent by fork # noqa: MPS101\n",
    "glued": "x = 1  # noqaMPS101\n",
    "dash": "x = 1  # noqa - MPS101\n",
    "next-line": "x = 1\n# noqa\n",
    "line-before": "# noqa\nx = 1\n",
    "closing-line": "x = [\n    1,\n]  # noqa: MPS101\n",
    "middle-line": "x = [\n    1,  # noqa: MPS101\n    2,\n]\n",
    "first-of-two": "x = [  # noqa: E501\n    1,  # noqa: MPS101\n]\n",
    "codes-go-on": "x = [  # noqa: E501,\n    MPS101]\n",
    "in-string": "x = '# noqa'\n",
    "multi-line-string": "x = '''\n# noqa: MPS101\n'''\n",
    "after-string": "x = '''\ntext\n'''  # noqa: MPS101\n",
    "backslash": "x = \\\n    1  # noqa\n",
    "inner-statement": "if True:  # noqa\n    x = 1\n",
    "compound": "x = 1; y = 2  # noqa\n",
    "crlf": "x = [\r\n    1]  # noqa: MPS101\r\n",
    "form-feed": "\x0cx = 1  # noqa\n",
    "last-line": "x = 1  # noqa",
    "file": "# flake8: noqa\nx = 1\n",
    "file-at-end": "x = 1\n    # flake8: noqa\n",
    "file-with-code": "# flake8: noqa: E501\nx = 1\n",
    "file-equals": "# FLAKE8=NOQA\nx = 1\n",
    "file-no-space": "#flake8:noqa\nx = 1\n",
    "file-behind-code": "x = 1  # flake8: noqa\n",
    "file-in-string": "x = 1\n'''\n# flake8: noqa\n'''\n",
    "file-and-text": "# flake8: noqa because\nx = 1\n",
    "bom": "\ufeffx = 1  # noqa\n",
    "tab": "x = 1\t#\tnoqa\n",
}


FLAKE8 = """
import ast, json, sys
from flake8.checker import FileChecker
from flake8.options.parse_args import parse_args
from flake8.plugins.finder import Checkers, LoadedPlugin, Plugin
from flake8.violation import Violation
import importlib.metadata

class Target:
    def __init__(self, tree):
        self.tree = tree
    def run(self):
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and node.id == "x":
                yield node.lineno, node.col_offset, "MPS101 x", type(self)

entry = importlib.metadata.EntryPoint("MPS", "t:Target", "flake8.extension")
plugin = LoadedPlugin(Plugin("t", "1", entry), Target, {"tree": True})
_, options = parse_args(["--isolated", "--select=X"])
silenced = {}
for name, file in json.load(sys.stdin).items():
    _, results, _ = FileChecker(filename=file, plugins=Checkers([plugin], [], []), options=options).run_checks()
    found = [Violation(code, file, *rest) for code, *rest in results if code == "MPS101"]
    silenced[name] = all(violation.is_inline_ignored(False) for violation in found)
print(json.dumps(silenced))
"""


@pytest.fixture(scope="module")
def flake8_says(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    """For each form, whether real flake8 silences a finding at `x`."""
    folder = tmp_path_factory.mktemp("forms")
    files = {}
    for name, text in FORMS.items():
        files[name] = str(folder / f"{name}.py")
        Path(files[name]).write_bytes(text.encode())
    command = [sys.executable, "-c", FLAKE8]
    done = subprocess.run(command, cwd=folder, input=json.dumps(files), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    answers: dict[str, bool] = json.loads(done.stdout)
    assert set(answers.values()) == {True, False}
    return answers


@pytest.mark.parametrize("form", FORMS)
def test_noqa_is_that_of_flake8(form: str, flake8_says: dict[str, bool]) -> None:
    source = decode(FORMS[form].encode(), "m.py")
    assert Noqa(source).suppresses(finding_at_x(source.lines)) == flake8_says[form]


def finding_at_x(lines: tuple[str, ...], code: str = "MPS101", path: str = "m.py") -> Finding:
    number = next(number for number, line in enumerate(lines, 1) if line.lstrip("\x0c ").startswith("x = "))
    return finding(code, path, number)


def finding(code: str, path: str, line: int, fingerprint: str = "") -> Finding:
    return Finding(code, "dict-view", Span(path, line, 0, line, 1), "a message", fingerprint=fingerprint)


# --- what is shown --------------------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "mpsafe.toml").touch()
    (tmp_path / "a.py").write_text("x = 1\ny = 2  # noqa: MPS1, MPS305, E501\nz = 3  # noqa\n")
    (tmp_path / "b.py").write_text("x = 1  # noqa: MPS2\n# 'noqa: MPS303'\n")
    return Project.load([tmp_path / "a.py"], Config())


def shown(project: Project, *findings: Finding, **keys: object) -> list[str]:
    config = Config(**keys)  # type: ignore[arg-type]
    result = show(findings, project, Reporting(project.root, config, {}))
    return [f"{f.code} {f.span.path}:{f.span.line}" for f in result.findings]


def test_silenced_by_comments(project: Project) -> None:
    found = [finding("MPS101", "a.py", line) for line in (1, 2, 3)] + [finding("MPS201", "a.py", 2)]
    assert shown(project, *found) == ["MPS101 a.py:1", "MPS201 a.py:2"]


def test_only_what_is_given_or_leads_there(project: Project) -> None:
    from dataclasses import replace

    from mpsafe_lint.findings import Crossing, Step

    elsewhere = finding("MPS301", "b.py", 2)
    crossing = Crossing(Span("b.py", 1, 0, 1, 1), "dataset-attribute", "pickle", "D", ("spawn",))
    here = Crossing(Span("a.py", 1, 0, 1, 1), "dataset-attribute", "pickle", "D", ("spawn",))
    assert shown(project, elsewhere) == []
    assert shown(project, replace(elsewhere, crossing=crossing)) == []
    for leads_here in (
        replace(elsewhere, crossing=here),
        replace(elsewhere, crossing=crossing, also=(here,)),
        replace(elsewhere, crossing=crossing, chain=(Step(".x", Span("a.py", 1, 0, 1, 1)), Step(".y"))),
    ):
        assert shown(project, leads_here) == ["MPS301 b.py:2"]


def test_unused_comments(project: Project) -> None:
    found = [finding("MPS101", "a.py", line) for line in (2, 3)]
    assert shown(project, *found, extend_select=("MPS902",)) == ["MPS902 a.py:2"]
    result = show(found, project, Reporting(project.root, Config(extend_select=("MPS9",)), {}))
    assert [(f.message, f.span.column) for f in result.findings] == [
        ("unused noqa: nothing here is reported as MPS305", 21)
    ]


def test_per_file_ignores(project: Project) -> None:
    found = [finding("MPS101", "a.py", 1), finding("MPS201", "a.py", 1)]
    assert shown(project, *found, per_file_ignores=(("*.py", ("MPS1",)),)) == ["MPS201 a.py:1"]
    assert shown(project, *found, per_file_ignores=(("b.py", ("MPS1",)),)) == ["MPS101 a.py:1", "MPS201 a.py:1"]


# --- adding comments ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1\n", "x = 1  # noqa: MPS101\n"),
        ("x = 1", "x = 1  # noqa: MPS101"),
        ("x = 1  \r\n", "x = 1  # noqa: MPS101\r\n"),
        ("x = 1  # text\n", "x = 1  # text  # noqa: MPS101\n"),
        ("x = [\n    1,\n]\n", "x = [  # noqa: MPS101\n    1,\n]\n"),
        ("x = '''\n'''\n", "x = '''\n'''  # noqa: MPS101\n"),
        ("x = \\\n    1\n", "x = \\\n    1  # noqa: MPS101\n"),
        ("x = 1  # noqa: E501\n", "x = 1  # noqa: E501, MPS101\n"),
        ("x = 1  # noqa: E501, because\n", "x = 1  # noqa: E501, MPS101, because\n"),
        ("x = [  # noqa: E501\n    1]\n", "x = [  # noqa: E501, MPS101\n    1]\n"),
        ("# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = '\xe9'  # noqa: MPS101\n"),
    ],
)
def test_add_noqa(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "m.py"
    file.write_bytes(before.encode("latin-1"))
    project = Project.load([file], Config())
    source = project.source("m.py")
    assert add_noqa([finding_at_x(source.lines)], project) == (1, [])
    assert file.read_bytes() == after.encode("latin-1")
    fresh = decode(file.read_bytes(), "m.py")
    assert Noqa(fresh).suppresses(finding_at_x(fresh.lines))


def test_two_codes_on_a_line(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("x = 1\n")
    project = Project.load([tmp_path], Config())
    found = [finding("MPS101", "m.py", 1), finding("MPS102", "m.py", 1), finding("MPS101", "m.py", 1)]
    assert add_noqa(found, project) == (3, [])
    assert (tmp_path / "m.py").read_text() == "x = 1  # noqa: MPS101, MPS102\n"


def test_a_string_that_looks_like_a_comment_is_left_alone(tmp_path: Path) -> None:
    text = "x = '# noqa: E501'\n"
    (tmp_path / "m.py").write_text(text)
    project = Project.load([tmp_path], Config())
    done, failures = add_noqa([finding("MPS101", "m.py", 1)], project)
    assert done == 0 and len(failures) == 1 and failures[0].startswith("m.py: 1 not silenced")
    assert (tmp_path / "m.py").read_text() == text


# --- baselines ------------------------------------------------------------------------------------------------------


def test_baseline_counts_by_fingerprint(tmp_path: Path) -> None:
    old = [finding("MPS101", "a.py", 1, "f"), finding("MPS101", "a.py", 5, "f"), finding("MPS102", "a.py", 7, "g")]
    write(tmp_path / "known.json", old)
    entries = read(tmp_path / "known.json")
    moved = [finding("MPS101", "b.py", line, "f") for line in (3, 4, 9)]
    new, stale = subtract(moved, entries)
    assert [f.span.line for f in new] == [9]
    assert [(entry.code, entry.path) for entry in stale] == [("MPS102", "a.py")]
    assert subtract(old, entries) == ([], [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not a baseline"),
        ("[]", "not a baseline"),
        ('{"mpsafe-baseline": 99, "findings": []}', "a baseline of format 99, not 1"),
        ('{"mpsafe-baseline": 1, "findings": [{"code": "MPS101"}]}', "damaged entries"),
        ('{"mpsafe-baseline": 1}', "damaged entries"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_baseline(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "known.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read(file)
    assert said in str(caught.value) and str(file) in str(caught.value) and "\n" not in str(caught.value)
