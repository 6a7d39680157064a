"""Reports: each format from the same findings."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pydantic_sarif import model as sarif_model

from mpsafe_lint.check import Analysis
from mpsafe_lint.config import Config, Reporting
from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Crossing, Edit, ErrorText, Finding, NotRepaired, Repair, Span, Step
from mpsafe_lint.reports import FORMATS, render, statistics
from mpsafe_lint.reports.closing import closing_lines
from mpsafe_lint.reports.diff import unified
from mpsafe_lint.reports.report import Report
from mpsafe_lint.suppress.baseline import Entry

ORIGIN = Span("classes.py", 3, 21, 3, 44)
EDITS = (Edit(Span("classes.py", 3, 21, 3, 21), "list("), Edit(Span("classes.py", 3, 44, 3, 44), ")"))
VIEW = Finding(
    code="MPS101",
    kind="dict-view",
    span=ORIGIN,
    message="dict view kept in Settings.names cannot be pickled (TypeError: cannot pickle 'dict_keys' object)",
    boundary="dataset-attribute",
    errors=(ErrorText("", "TypeError: cannot pickle 'dict_keys' object"),),
    methods=("spawn", "forkserver"),
    serializer="pickle",
    outcome="raises",
    crossing=Crossing(
        Span("data,set.py", 1, 0, 1, 5), "dataset-attribute", "pickle", "Frames", ("spawn", "forkserver")
    ),
    chain=(Step(".settings", Span("data,set.py", 1, 4, 1, 8)), Step(".names", ORIGIN)),
    also=(Crossing(Span("data,set.py", 1, 2, 1, 5), "process-target", "pickle", "target", ("spawn", "forkserver")),),
    repair=Repair("list", "safe", EDITS, "keeps a list"),
    fingerprint="abc123",
)
SENDING = Finding(
    code="MPS202",
    kind="lambda",
    span=Span("data,set.py", 2, 10, 4, 1),
    message="lambda cannot be pickled (PicklingError: 100% <lambda>\x1b)",
    boundary="pool-task",
    errors=(ErrorText("3.8-3.13", "PicklingError: a"), ErrorText("3.14+", "PicklingError: b")),
    methods=("fork", "spawn", "forkserver"),
    serializer="cloudpickle",
    outcome="raises",
    crossing=Crossing(
        Span("data,set.py", 2, 0, 4, 2), "pool-task", "cloudpickle", "func", ("fork", "spawn", "forkserver")
    ),
    repair=Repair(
        "function", "unsafe", (Edit(Span("data,set.py", 1, 0, 1, 0), "def _f(): ...\n"),), "_f", "n is rebound"
    ),
    fingerprint="def456",
)
HABIT = Finding("MPS303", "no-sentinel", Span("data,set.py", 5, 0, 5, 9), "the worker never ends", repair=None)
STUCK = Finding(
    "MPS108", "thread-object", Span("gone.py", 1, 0, 1, 1), "lock", repair=NotRepaired("it is used", "drop it")
)
ALL = (VIEW, SENDING, HABIT, STUCK)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "classes.py").write_text(
        "class Settings:\n    def f(self):\n        self.names = self.class_range.keys()\n"
    )
    (tmp_path / "data,set.py").write_text("frames = 1\nrun('日本',\tlambda:\n 1\n )\nwhile 1:\x1b pass\n")
    return Project.load([tmp_path], Config())


def report(project: Project, findings: Sequence[Finding] = ALL, color: bool = False, **keys: object) -> Report:
    config = Config(**keys)  # type: ignore[arg-type]
    return Report(findings, project, Reporting(project.root, config, {}), color, folder=project.root)


def test_full(project: Project) -> None:
    assert render("full", report(project)).splitlines() == [
        "classes.py:3:22: MPS101 [*] dict view kept in Settings.names cannot be pickled"
        " (TypeError: cannot pickle 'dict_keys' object)",
        "    3 |         self.names = self.class_range.keys()",
        "      |                      ^^^^^^^^^^^^^^^^^^^^^^^ fix: list(self.class_range.keys())",
        "      = sent to worker processes as Frames.settings.names (data,set.py:1), under spawn and forkserver",
        "      = also sent to the new process as target (data,set.py:1), under spawn and forkserver",
        "",
        "data,set.py:2:11: MPS202 lambda cannot be pickled (PicklingError: 100% <lambda>\x1b)",
        "    2 | run('日本',\tlambda:",
        "      |            \t^^^^^^^ unsafe fix: _f",
        "      = sent to worker processes as func (data,set.py:2), under every start method, by cloudpickle",
        "      = Python 3.8-3.13: PicklingError: a; Python 3.14+: PicklingError: b",
        "      = unsafe: n is rebound",
        "",
        "data,set.py:5:1: MPS303 the worker never ends",
        "    5 | while 1:\N{REPLACEMENT CHARACTER} pass",
        "      | ^^^^^^^^^",
        "      = help: put one sentinel for each worker, and leave the loop on it",
        "",
        "gone.py:1:1: MPS108 lock",
        "      = help: drop it (not repaired: it is used)",
    ]


def test_lines_to_paste_stand_below_their_heading(project: Project) -> None:
    held = replace(STUCK, repair=NotRepaired("it is used", "drop it:\n    del a\n\n    del b"))
    offered = replace(STUCK, repair=Repair("drop", "unsafe", (), "dropped", "later", "drop it:\n    del a"))
    assert render("full", report(project, [held, offered])).splitlines() == [
        "gone.py:1:1: MPS108 lock",
        "      = help: drop it (not repaired: it is used):",
        "            del a",
        "",
        "            del b",
        "",
        "gone.py:1:1: MPS108 lock",
        "      = unsafe: later",
        "      = help: drop it:",
        "            del a",
    ]


def test_a_long_line_is_cut_round_the_finding(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("a = [" + "1, " * 500 + "here, " + "2, " * 500 + "]\n")
    column = 5 + 1500
    project = Project.load([tmp_path], Config())
    found = Finding("MPS101", "dict-view", Span("m.py", 1, column, 1, column + 4), "m")
    _, excerpt, carets, _ = render("full", report(project, [found])).splitlines()
    start = carets.index("^")
    assert excerpt[start : start + 4] == "here" and carets.count("^") == 4
    assert len(excerpt) < 180 and excerpt.count("…") == 2


def test_colours_only_where_wanted(project: Project) -> None:
    for name in ("full", "concise"):
        plain, painted = (render(name, report(project, [VIEW], color=color)) for color in (False, True))
        assert "\x1b[" not in plain and "\x1b[1;31mMPS101\x1b[0m" in painted


def test_concise(project: Project) -> None:
    lines = render("concise", report(project)).splitlines()
    assert [line.split(" ")[0] for line in lines] == [
        "classes.py:3:22:",
        "data,set.py:2:11:",
        "data,set.py:5:1:",
        "gone.py:1:1:",
    ]


def test_the_mark_follows_what_would_be_repaired(project: Project) -> None:
    def marked(**keys: object) -> list[str]:
        lines = render("concise", report(project, **keys)).splitlines()
        return [line.split()[1] for line in lines if "[*]" in line]

    assert marked() == ["MPS101"]
    assert marked(unsafe_fixes=True) == ["MPS101", "MPS202"]
    assert marked(unsafe_fixes=True, unfixable=("dict-view",)) == ["MPS202"]


def test_json(project: Project) -> None:
    first, second, third, fourth = json.loads(render("json", report(project)))
    assert first == {
        "path": "classes.py",
        "line": 3,
        "column": 22,
        "end_line": 3,
        "end_column": 45,
        "code": "MPS101",
        "kind": "dict-view",
        "boundary": "dataset-attribute",
        "message": VIEW.message,
        "errors": [{"python": "", "text": "TypeError: cannot pickle 'dict_keys' object"}],
        "start_methods": ["spawn", "forkserver"],
        "serializer": "pickle",
        "outcome": "raises",
        "crossing": {
            "path": "data,set.py",
            "line": 1,
            "column": 1,
            "text": "Frames",
            "boundary": "dataset-attribute",
            "serializer": "pickle",
            "start_methods": ["spawn", "forkserver"],
            "outcome": "raises",
        },
        "chain": [
            {"path": "data,set.py", "line": 1, "column": 5, "text": ".settings"},
            {"path": "classes.py", "line": 3, "column": 22, "text": ".names"},
        ],
        "also": [
            {
                "path": "data,set.py",
                "line": 1,
                "column": 3,
                "text": "target",
                "boundary": "process-target",
                "serializer": "pickle",
                "start_methods": ["spawn", "forkserver"],
                "outcome": "raises",
            }
        ],
        "fix": {
            "name": "list",
            "applicability": "safe",
            "summary": "keeps a list",
            "caution": "",
            "edits": [
                {"path": "classes.py", "line": 3, "column": 22, "end_line": 3, "end_column": 22, "text": "list("},
                {"path": "classes.py", "line": 3, "column": 45, "end_line": 3, "end_column": 45, "text": ")"},
            ],
        },
        "fingerprint": "abc123",
    }
    assert second["fix"]["applicability"] == "unsafe"
    assert (third["boundary"], third["crossing"], third["fix"], fourth["fix"]) == (None, None, None, None)


def test_github(project: Project) -> None:
    lines = render("github", report(project)).splitlines()
    assert lines[0].startswith(
        "::error title=mpsafe-lint (MPS101),file=classes.py,line=3,endLine=3,col=22,endColumn=45::"
    )
    assert lines[1].startswith("::error title=mpsafe-lint (MPS202),file=data%2Cset.py,line=2,endLine=4,col=11::")
    assert "100%25 <lambda>" in lines[1]


def test_gitlab(project: Project) -> None:
    issues = json.loads(render("gitlab", report(project)))
    assert issues[0] == {
        "check_name": "MPS101",
        "description": f"MPS101 {VIEW.message}",
        "fingerprint": "abc123",
        "severity": "major",
        "location": {"path": "classes.py", "lines": {"begin": 3, "end": 3}},
    }
    assert len({issue["fingerprint"] for issue in issues}) == 4


def test_junit(project: Project) -> None:
    root = ElementTree.fromstring(render("junit", report(project)).encode())
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "4", "4")
    assert [(s.get("name"), s.get("tests")) for s in root] == [
        ("classes.py", "1"),
        ("data,set.py", "2"),
        ("gone.py", "1"),
    ]
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None and failure.get("type") == "MPS101" and failure.get("message") == VIEW.message
    empty = ElementTree.fromstring(render("junit", report(project, [])).encode())
    assert (empty.get("tests"), empty.get("failures"), len(empty.findall("testsuite/testcase"))) == ("1", "0", 1)


def test_sarif(project: Project) -> None:
    log = json.loads(render("sarif", report(project)))
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert (log["version"], run["columnKind"]) == ("2.1.0", "unicodeCodePoints")
    assert [rule["id"] for rule in rules] == ["MPS101", "MPS108", "MPS202", "MPS303"]
    assert all(rule["help"]["text"] and rule["help"]["markdown"].startswith("#") for rule in rules)
    first, second, third, fourth = run["results"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    region = {"startLine": 3, "startColumn": 22, "endLine": 3, "endColumn": 45}
    place = {"artifactLocation": {"uri": "classes.py", "uriBaseId": "SRCROOT"}, "region": region}
    assert first["locations"] == [{"physicalLocation": place}]
    assert first["partialFingerprints"] == {"mpsafe/v1": "abc123"}
    steps = first["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["message"]["text"] for step in steps] == [
        "Frames is sent to worker processes, under spawn and forkserver",
        "Frames.settings",
        "Frames.settings.names",
        VIEW.message,
    ]
    assert steps[0]["location"]["physicalLocation"]["artifactLocation"]["uri"] == "data%2Cset.py"
    assert len(first["relatedLocations"]) == 1
    (change,) = first["fixes"][0]["artifactChanges"]
    assert [edit["insertedContent"]["text"] for edit in change["replacements"]] == ["list(", ")"]
    assert change["replacements"][0]["deletedRegion"] == {**region, "endColumn": 22}
    assert "unsafe: n is rebound" in second["fixes"][0]["description"]["text"]
    assert "codeFlows" not in third and "fixes" not in third
    assert fourth["properties"]["advice"] == "drop it (not repaired: it is used)"


def test_sarif_keeps_to_the_schema(project: Project) -> None:
    """The model is made from the schema of 2.1.0; it takes no property that the schema doesn't name."""
    schema = sarif_model.StaticAnalysisResultsFormatSarifVersion210JsonSchema
    for findings in (ALL, ()):
        schema.model_validate_json(render("sarif", report(project, findings)))
    with pytest.raises(ValueError, match="ruleIdx"):
        schema.model_validate_json(render("sarif", report(project)).replace('"ruleIndex"', '"ruleIdx"'))


def test_paths_outside_the_current_folder_are_absolute(project: Project, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    here = Report([VIEW], project, Reporting(project.root, Config(), {}), folder=inner)
    assert render("concise", here).startswith(f"{tmp_path}/classes.py:3:22: ")
    uri = json.loads(render("sarif", here))["runs"][0]["results"][0]["locations"][0]["physicalLocation"][
        "artifactLocation"
    ]
    assert uri == {"uri": f"file://{tmp_path}/classes.py"}


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_found(project: Project, name: str) -> None:
    text = render(name, report(project, []))
    assert text == "" if name in ("full", "concise", "github") else text.endswith("\n")


def test_statistics(project: Project) -> None:
    findings = [HABIT, VIEW, HABIT]
    assert statistics.render(report(project, findings)) == "2  MPS303  [ ]  no-sentinel\n1  MPS101  [*]  dict-view\n"
    assert json.loads(statistics.render(report(project, findings), as_json=True))[1] == {
        "code": "MPS101",
        "kind": "dict-view",
        "count": 1,
        "fixable": 1,
    }


def test_closing_lines(project: Project) -> None:
    analysis = Analysis(ALL, 2, {"b.c": 1, "a": 1, "torchx": 7, "d": 1, "e": 1, "f": 1})
    stale = [Entry("x", "MPS101", "old.py", "")]
    assert list(closing_lines(report(project), analysis, stale)) == [
        "4 findings in 2 files; 1 can be repaired with --fix [*], 1 more with --unsafe-fixes",
        "note: 1 entry of the baseline no longer occurs: MPS101 in old.py",
        f"note: 6 names could not be resolved in {project.environment}: torchx (7), a (1), b.c (1), d (1), e (1), …",
    ]
    assert list(closing_lines(report(project, []), Analysis((), 1, {}), ())) == ["0 findings in 1 file"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("a\nb\nc\n", "a\nB\nc\n"), ("a\r\nb\r\n", "a\r\nB\r\n"), ("a\nb", "a\nB"), ("a", "a\nb\n"), ("a\x0cb\n", "c\n")],
)
def test_a_diff_can_be_applied(tmp_path: Path, old: str, new: str) -> None:
    (tmp_path / "m.py").write_bytes(old.encode())
    diff = unified("m.py", old, new).encode()
    subprocess.run(["git", "apply", "--whitespace=nowarn"], input=diff, cwd=tmp_path, check=True, timeout=30)
    assert (tmp_path / "m.py").read_bytes() == new.encode()


def test_reports_are_imported_when_asked_for() -> None:
    code = "import sys, mpsafe_lint.reports; print([n for n in sys.modules if n.startswith('mpsafe_lint.reports.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "[]\n"
