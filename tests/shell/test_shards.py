"""`--shard I/N` and `--merge`: what the shards find together is what one run of the whole project finds."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_sarif import model as sarif_model

import mpsafe_lint.habits
from mpsafe_lint.check import Run, check
from mpsafe_lint.config import Config
from mpsafe_lint.files.project import Project
from mpsafe_lint.shards import CLEARED_BY_OTHERS, certain, run_share
from shell.running import Done, fresh, run

DATASETS = """\
from torch.utils.data import Dataset


class Built(Dataset):  # fine as main.py makes it
    def __init__(self, clean=lambda text: text):
        self.clean = clean


class Unbuilt(Dataset):  # nobody makes one
    def __init__(self):
        self.names = {}.keys()


class Loaded(Dataset):  # only ever loaded without workers, which main.py tells
    def __init__(self):
        self.clean = lambda text: text

    def __len__(self):
        return 3


class Settings:
    def __init__(self, table):
        self.names = table.keys()
"""
FILES = {
    "datasets.py": DATASETS,
    "main.py": (
        "from torch.utils.data import DataLoader\nimport datasets\n\n\ndef clean(text):\n    return text\n\n\n"
        "def build():\n    return DataLoader(datasets.Built(clean), num_workers=2)\n\n\n"
        "def load():\n    return DataLoader(datasets.Loaded())\n"
    ),
    "far.py": "import datasets\n\n\ndef far():\n    return datasets.Loaded()\n",
    "keep.py": (
        "from multiprocessing import Process\nfrom datasets import Settings\n\n\nclass Keeper(Process):\n"
        "    def __init__(self):\n        super().__init__()\n        self.settings = Settings({})\n\n"
        "    def run(self):\n        print(self.settings)\n\n\ndef keep():\n    Keeper().start()\n"
    ),
    "send.py": (
        "from multiprocessing import Process, Pool\nfrom datasets import Settings\n\n\ndef send():\n"
        "    Process(target=print, args=(Settings({}).names,)).start()\n\n\ndef start(pool):\n"
        "    pool.map(lambda n: n, [1])\n    pool.map(lambda n: n, [2])  # noqa: MPS202\n\n\n"
        "def spread():\n    with Pool(2) as pool:\n        start(pool)\n"
    ),
    "send2.py": (
        "from multiprocessing import Process\nimport send, datasets, none_such\n\n\ndef again(pool):\n    send.start(pool)\n"
        "    Process(target=print, args=(datasets.Settings({}),)).start()  # noqa: MPS101\n"
    ),
    "begin.py": "from multiprocessing import Process\n\nProcess(target=print).start()\n",
    "wait.py": (
        "from multiprocessing import Process\n\n\nclass Crew:\n    def __init__(self):\n        self.worker = Process(target=print)\n"
        "        self.worker.start()\n\n    def end(self):\n        self.worker.join()\n"
    ),
    "hire.py": "from wait import Crew\n\n\ndef hire():\n    crew = Crew()\n    crew.end()\n\n\ndef lose():\n    Crew()\n",
    "broken.py": "if x\n",
}
SETTINGS = 'select = ["ALL"]\ntarget-version = "3.12"\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project in which each file has a part of what makes a finding."""
    folder = tmp_path / "farm"
    folder.mkdir()
    (folder / "mpsafe.toml").write_text(SETTINGS)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def shard(folder: Path, number: int, of: int, *more: str) -> Done:
    report = ("--output-format", "json", "--output-file", str(folder.parent / f"{number}-{of}.json"))
    return run("--shard", f"{number}/{of}", *report, *more, cwd=folder)


def shards(folder: Path, of: int, *more: str) -> list[str]:
    """Run all shards; return the files of their reports."""
    assert {shard(folder, number, of, *more).returncode for number in range(1, of + 1)} <= {0, 1}
    return [str(folder.parent / f"{number}-{of}.json") for number in range(1, of + 1)]


def whole(folder: Path, *arguments: str) -> Done:
    return run("--no-cache", *arguments, cwd=folder)


# --- equality -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", [1, 2, 3, 5, len(FILES) + 7])
def test_the_shards_together_find_what_one_run_finds(project: Path, of: int) -> None:
    expected = whole(project, "--output-format", "json")
    assert len(json.loads(expected.stdout)) > 6
    reports = shards(project, of)
    for files in (reports, reports[::-1], [*reports, reports[0]]):
        done = run("--merge", *files, "--output-format", "json", cwd=project)
        assert (done.returncode, done.stdout) == (1, expected.stdout)
        assert done.stderr.splitlines()[0] == expected.stderr.splitlines()[0]


@pytest.mark.parametrize("form", ["full", "concise", "github", "gitlab", "junit", "sarif", "html"])
def test_every_format_is_that_of_one_run(project: Path, form: str) -> None:
    done = run("--merge", *shards(project, 2), "--output-format", form, cwd=project)
    assert done.stdout == whole(project, "--output-format", form).stdout


def test_jobs_and_paths_of_a_shard(project: Path) -> None:
    expected = whole(project, "--output-format", "json", "keep.py", "datasets.py")
    reports = shards(project, 2, "--jobs", "2", "keep.py", "datasets.py")
    assert 0 < len(json.loads(expected.stdout)) < 6
    assert run("--merge", *reports, "--output-format", "json", cwd=project).stdout == expected.stdout


def test_merged_from_another_folder(project: Path) -> None:
    done = run("--merge", *shards(project, 2), "--output-format", "concise", cwd=project.parent)
    assert "farm/datasets.py:11:22: MPS101" in done.stdout
    assert "farm/main.py" not in done.stdout


def test_merged_in_another_checkout(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """As on another machine: the folder that the shards were run in is not there."""
    expected, reports = whole(project, "--output-format", "json"), shards(project, 2)
    other = shutil.copytree(project, tmp_path_factory.mktemp("other") / "farm")
    shutil.rmtree(project)
    assert run("--merge", *reports, "--output-format", "json", cwd=other).stdout == expected.stdout
    gone = run("--merge", *reports, cwd=project.parent)
    assert gone.returncode == 2 and "merge where the project is checked out" in gone.stderr


def test_a_shard_runs_its_share_alone(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[str] = []
    before = Run.enter
    monkeypatch.setattr(Run, "enter", lambda self, path: (entered.append(path), before(self, path)))
    shards(project, 3)
    shared, entered[:] = sorted(entered), []
    whole(project)
    assert shared == sorted(entered) and len(entered) > 5


# --- what only all of them decide -----------------------------------------------------------------------------------


def places(done: Done) -> list[str]:
    return [line.partition(" ")[0] + line.split()[1] for line in done.stdout.splitlines()]


def test_a_shard_reports_only_what_no_other_can_overrule(project: Path) -> None:
    expected = set(places(whole(project, "--output-format", "concise")))
    found: set[str] = set()
    for number in (1, 2, 3):
        done = run("--shard", f"{number}/3", "--output-format", "concise", cwd=project)
        assert done.returncode == (1 if done.stdout else 0)
        found |= set(places(done))
    assert "datasets.py:24:22:MPS201" in found  # another shard sees it kept in an object
    assert "datasets.py:24:22:MPS101" in found and found - expected == {"datasets.py:24:22:MPS201"}
    left = expected - found
    assert any("datasets.py:11" in place for place in left)  # nobody makes an Unbuilt: no shard knows that alone
    assert any("MPS902" in place for place in left)


def test_a_shard_says_that_more_hangs_on_the_others(project: Path) -> None:
    said = "".join(run("--shard", f"{number}/2", cwd=project).stderr for number in (1, 2))
    assert re.search(r"note: \d+ findings? more of this shard, on which --merge decides with the others", said)


def test_one_shard_of_one_is_sure_of_all(project: Path) -> None:
    expected = places(whole(project, "--output-format", "concise", "--ignore", "MPS902"))
    assert places(run("--shard", "1/1", "--output-format", "concise", cwd=project)) == expected


def test_which_habits_another_run_clears() -> None:
    texts = [file.read_text() for file in Path(mpsafe_lint.habits.__path__[0]).glob("*.py")]
    assert {kind for text in texts for kind in re.findall(r'\.clear\("([\w-]+)"', text)} == CLEARED_BY_OTHERS


def test_a_habit_that_another_shard_clears_is_none(project: Path) -> None:
    config = Config(select=("ALL",))
    loaded = Project.load([project], config)
    shares = [run_share(loaded, config, (number, len(FILES))) for number in range(1, len(FILES) + 1)]
    sure = {one.kind for share in shares for one in certain(share, loaded, config).findings}
    assert not sure & CLEARED_BY_OTHERS
    assert sure <= {one.kind for one in check(loaded, config).findings}


def test_baselines_are_settled_by_the_merge(project: Path) -> None:
    reports = shards(project, 2)
    baseline = ("--baseline", "known.json")
    assert run("--merge", *reports, *baseline, "--write-baseline", cwd=project).returncode == 0
    by_merge = (project / "known.json").read_bytes()
    assert whole(project, *baseline, "--write-baseline").returncode == 0
    assert (project / "known.json").read_bytes() == by_merge
    done = run("--merge", *reports, *baseline, cwd=project)
    assert (done.returncode, done.stdout) == (0, "")
    for number in (1, 2):
        assert "no longer occur" not in run("--shard", f"{number}/2", *baseline, cwd=project).stderr


# --- several projects -----------------------------------------------------------------------------------------------


@pytest.fixture
def projects(tmp_path: Path) -> Iterator[Path]:
    """A folder with two projects, and the reports of both."""
    for name, sent in (("barn", "{}.keys()"), ("mill", "lambda: 1")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "mpsafe.toml").touch()
        text = (
            f"from multiprocessing import Process\n\n\ndef main():\n    Process(target=print, args=({sent},)).start()\n"
        )
        (folder / "main.py").write_text(text)
        run("--output-format", "json", "-o", f"{name}.json", name, cwd=tmp_path)
    yield tmp_path


def test_reports_of_several_projects(projects: Path) -> None:
    done = run("--merge", "barn.json", "mill.json", "--output-format", "concise", cwd=projects)
    assert places(done) == ["barn/main.py:5:33:MPS201", "mill/main.py:5:33:MPS202"]
    assert done.returncode == 1 and done.stderr.startswith("2 findings in 2 reports; ")
    full = run("--merge", "mill.json", "barn.json", cwd=projects).stdout
    assert "    5 |     Process(target=print, args=({}.keys(),)).start()\n" in full and "fix: list({}.keys())" in full


def test_joined_lists_can_be_joined_again(projects: Path) -> None:
    run("--merge", "barn.json", "mill.json", "--output-format", "json", "-o", "both.json", cwd=projects)
    both = json.loads((projects / "both.json").read_text())
    assert both == [
        *json.loads((projects / "barn.json").read_text()),
        *json.loads((projects / "mill.json").read_text()),
    ]
    again = run("--merge", "both.json", "mill.json", "--output-format", "json", cwd=projects)
    assert json.loads(again.stdout) == both  # what two reports say counts once


@pytest.mark.parametrize("form", ["full", "concise", "json", "github", "gitlab", "junit", "sarif", "html"])
def test_every_format_of_a_list(projects: Path, form: str) -> None:
    expected = run("--output-format", form, "barn", cwd=projects).stdout
    done = run("--merge", "barn.json", "--output-format", form, "--exit-zero", cwd=projects)
    assert done.returncode == 0
    if form == "sarif":  # JSON doesn't say where the steps of a way end
        sarif_model.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate_json(done.stdout)
        assert re.sub(r'"endColumn": \d+', "", done.stdout) == re.sub(r'"endColumn": \d+', "", expected)
    else:
        assert done.stdout == expected


def test_shards_beside_lists(projects: Path, project: Path) -> None:
    reports = shards(project, 2)
    done = run("--merge", *reports, "barn.json", "--output-format", "json", cwd=projects)
    expected = json.loads(run("--no-cache", "--output-format", "json", "farm", cwd=projects).stdout)
    barn = json.loads((projects / "barn.json").read_text())
    assert json.loads(done.stdout) == [*barn, *expected]


def test_a_list_is_read_where_its_files_are_not(projects: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    source = ["from multiprocessing import Process\n", "Process(target=print, args=({}.keys(),)).start()\n"]
    cells = [cell | {"source": ["x = 1"]}, cell | {"source": source}]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (projects / "mill/train.ipynb").write_text(json.dumps(notebook))
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    expected = run("--output-format", "json", "-o", elsewhere / "mill.json", "mill", cwd=projects)
    assert expected.returncode == 1
    done = run("--merge", "mill.json", cwd=elsewhere)
    assert "mill/train.ipynb:cell 2:2:29: MPS201 [*]" in done.stdout and " |" not in done.stdout
    again = run("--merge", "mill.json", "--output-format", "json", cwd=elsewhere)
    assert again.stdout == (elsewhere / "mill.json").read_text()
    assert (
        "file=mill/train.ipynb,line=1,"
        in run("--merge", "mill.json", "--output-format", "github", cwd=elsewhere).stdout
    )


def test_statistics_of_reports(projects: Path) -> None:
    done = run("--merge", "barn.json", "mill.json", "--statistics", cwd=projects)
    assert done.stdout.splitlines() == ["1  MPS201  [*]  dict-view", "1  MPS202  [*]  lambda"]


# --- what can't be --------------------------------------------------------------------------------------------------


def refused(done: Done, said: str) -> None:
    assert (done.returncode, done.stdout) == (2, ""), done
    assert said in done.stderr and done.stderr.count("\n") == 1, done.stderr


@pytest.mark.parametrize("text", ["0/2", "3/2", "2", "a/b", "1/0", "1/", "-1/2", "1/2/3"])
def test_no_share(project: Path, text: str) -> None:
    refused(run(f"--shard={text}", cwd=project), f"argument --shard: '{text}' is no share: write I/N, 1/4 to 4/4")


@pytest.mark.parametrize(
    "option",
    ["--fix", "--diff", "--add-noqa", "--write-baseline", "--statistics", "--diff-base=HEAD", "--migrate=3.14"],
)
def test_what_a_shard_can_not_do(project: Path, option: str) -> None:
    refused(run("--shard", "1/2", option, cwd=project), "not together with --")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{", "x.json: not a report: Expecting property name"),
        ("\xff", "x.json: not a report: "),
        ("[" * 100_000, "x.json: not a report: "),
        ("{}", "x.json: not a report; --merge reads what --output-format json writes"),
        ("3", "x.json: not a report; "),
        ('{"version": "2.1.0", "runs": []}', "x.json: not a report; "),
        ('{"mpsafe-lint": "0.0.9", "work": {}}', "x.json: a report of mpsafe-lint 0.0.9, not "),
        ("[3]", "x.json: entry 1 is no finding of mpsafe-lint "),
        ('[{"path": "a.py"}]', "x.json: entry 1 is no finding of mpsafe-lint "),
    ],
    ids=["cut", "bytes", "deep", "object", "number", "sarif", "version", "entry", "keys"],
)
def test_no_report(project: Path, data: str, said: str) -> None:
    (project / "x.json").write_bytes(data.encode("latin-1"))
    refused(run("--merge", "x.json", cwd=project), said)


def changed(data: Any) -> Iterator[Any]:
    """Yield a document with one part of it replaced by something of another type, for each part."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(parts):
        for other in (None, 0, "x", [], {}, [3], {"a": 3}):
            data[key] = other
            yield data
        data[key] = value
        for _ in changed(value):
            yield data


def test_a_damaged_report_makes_no_traceback(projects: Path) -> None:
    document = json.loads((projects / "barn.json").read_text())
    tried = 0
    for damaged in changed(document):
        (projects / "damaged.json").write_text(json.dumps(damaged))
        for form in ("full", "html"):
            done = run("--merge", "damaged.json", "--output-format", form, "-q", cwd=projects)
            assert done.returncode in (0, 1) or done.stderr.startswith("mpsafe-lint: error: damaged.json: "), damaged
            tried += 1
    assert tried > 400


def test_a_damaged_shard_makes_no_traceback(project: Path) -> None:
    [report] = shards(project, 1)
    document = json.loads(Path(report).read_text())
    for name in ("runs", "ends"):
        document["work"]["share"][name] = document["work"]["share"][name][:2]
    for number, damaged in enumerate(changed(document)):
        if number % 23 == 0:
            Path(report).write_text(json.dumps(damaged))
            done = run("--merge", report, "-q", cwd=project)
            assert done.returncode in (0, 1) or done.stderr.count("\n") == 1, damaged


def test_no_reports_at_all(project: Path) -> None:
    refused(run("--merge", cwd=project), "--merge: name the reports as PATH")
    refused(run("--merge", "none.json", cwd=project), "none.json: cannot be read: No such file")
    refused(run("--merge", "--fix", "x.json", cwd=project), "--merge: not together with --fix")
    refused(run("--merge", "x.json", "--shard", "1/2", cwd=project), "--merge: not together with --shard")


def change(file: str, key: str, value: Any) -> None:
    """Change a report as another version might write it."""
    document = json.loads(Path(file).read_text())
    *way, last = key.split(".")
    inner = document[0] if isinstance(document, list) else document
    for name in way:
        inner = inner[name]
    inner[last] = value
    Path(file).write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("mpsafe-lint", "9.0", "a report of mpsafe-lint 9.0, not "),
        ("work", None, "not a report: it holds no work"),
        ("work.share.runs", 3, "not a report: damaged work"),
        ("work.share.new", 3, "not a report: damaged work"),
        ("work.share.of_all", "other", "not of the same work as"),
        ("work.origin.settings", {}, "made with another the Python of the environment"),
    ],
)
def test_a_shard_of_something_else(project: Path, key: str, value: Any, said: str) -> None:
    reports = shards(project, 2)
    change(reports[1], key, value)
    refused(run("--merge", *reports, cwd=project), said)


def test_a_list_of_another_version(projects: Path) -> None:
    change(str(projects / "barn.json"), "code", "MPS999")
    refused(run("--merge", "barn.json", "mill.json", cwd=projects), "barn.json: entry 1 is no finding of mpsafe-lint ")
    change(str(projects / "mill.json"), "crossing.start_methods", 3)
    refused(run("--merge", "mill.json", cwd=projects), "mill.json: entry 1 is no finding of mpsafe-lint ")


def test_a_list_is_taken_as_it_is(projects: Path) -> None:
    refused(run("--merge", "barn.json", "--select", "MPS1", cwd=projects), "--select: not with reports of several runs")
    refused(run("--merge", "barn.json", "--write-baseline", cwd=projects), "--write-baseline: not with reports of")


def test_a_shard_is_missing(project: Path) -> None:
    reports = shards(project, 3)
    refused(run("--merge", *reports[::2], cwd=project), "shard 2/3 is missing: --merge needs all of them")


def test_the_project_is_no_longer_the_same(project: Path) -> None:
    reports = shards(project, 2)
    refused(run("--merge", *reports, "--start-method", "spawn", cwd=project), "made with another start-method: fork ")
    (project / "far.py").write_text("")
    refused(run("--merge", *reports, cwd=project), "far.py is not what it was then: merge in the checkout that")


def test_in_processes_of_their_own(project: Path) -> None:
    for number in (1, 2):
        done = fresh("--shard", f"{number}/2", "--output-format", "json", "-o", f"../{number}.json", cwd=project)
        assert done.returncode in (0, 1)
    done = fresh("--merge", "../1.json", "../2.json", "--output-format", "json", cwd=project)
    assert done.stdout == whole(project, "--output-format", "json").stdout
