"""Notebooks: linted by cell and line, repaired in place."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_sarif import model as sarif_model

from mpsafe_lint.files.notebooks import Notebook, decode_notebook
from mpsafe_lint.files.source import SourceError
from shell.running import fresh, run

IMPORTS = "%matplotlib inline\nfrom multiprocessing import Process"
WORKER = """\
class Worker(Process):
    def __init__(self, counts):
        super().__init__()
        self.names = counts.keys()  # é

    def run(self):
        print(list(self.names))
"""
START = "Worker({'a': 1}).start()"
POOL = """\
from concurrent.futures import ProcessPoolExecutor
import multiprocessing


def double(n):
    return 2 * n


with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("METHOD")) as pool:
    print(pool.submit(double, 2).result())
"""


def document(*cells: str | list[str], **metadata: Any) -> dict[str, Any]:
    """Return a notebook with a text and code cells: the first is cell 2."""
    code = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [{"data": {"text/plain": ["{'source': [1]}"]}, "output_type": "execute_result"}],
            "source": cell if isinstance(cell, list) else cell.splitlines(keepends=True),
        }
        for cell in cells
    ]
    text = {"cell_type": "markdown", "metadata": {}, "source": ["# self.names = counts.keys()"]}
    return {"cells": [text, *code], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def dump(notebook: dict[str, Any], **form: Any) -> bytes:
    return (json.dumps(notebook, **{"indent": 1, "ensure_ascii": False, **form}) + "\n").encode()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "mpsafe.toml").touch()
    (tmp_path / "train.ipynb").write_bytes(dump(document(IMPORTS, WORKER, START)))
    return tmp_path


# --- linting --------------------------------------------------------------------------------------------------------


def test_cell_and_line_are_named(project: Path) -> None:
    done = fresh("--select", "MPS1", cwd=project)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("train.ipynb:cell 3:4:22: MPS101 [*] dict view kept in Worker.names ")
    assert lines[1] == "    4 |         self.names = counts.keys()  # é"
    assert lines[2] == "      |                      ^^^^^^^^^^^^^ fix: list(counts.keys())"
    assert "as Worker.names (train.ipynb:cell 4:1)" in lines[3]


def test_every_format_names_the_place(project: Path) -> None:
    def report(form: str) -> str:
        return run("--select", "MPS1", "--output-format", form, cwd=project).stdout

    file = (project / "train.ipynb").read_text().splitlines()
    number = file.index('    "        self.names = counts.keys()  # é\\n",') + 1
    [finding] = json.loads(report("json"))
    assert [finding[key] for key in ("path", "cell", "line", "column", "end_line")] == ["train.ipynb", 3, 4, 22, 4]
    assert finding["crossing"]["cell"] == 4 and finding["fix"]["edits"][0]["cell"] == 3
    assert report("concise").startswith("train.ipynb:cell 3:4:22: MPS101 [*]")
    assert f"file=train.ipynb,line={number}," in report("github")
    assert json.loads(report("gitlab"))[0]["location"]["lines"] == {"begin": number, "end": number}
    assert f'line="{number}"' in report("junit") and "cell 3:4:22" in report("junit")
    sarif = report("sarif")
    sarif_model.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate_json(sarif)
    result = json.loads(sarif)["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == number and "fixes" not in result


def test_what_spawned_workers_do_not_have(project: Path) -> None:
    (project / "train.ipynb").write_bytes(dump(document(POOL.replace("METHOD", "spawn"))))
    done = run("--target-version", "3.11", cwd=project)
    assert "train.ipynb:cell 2:5:1: MPS212 misnamed object sent as fn cannot be loaded again" in done.stdout
    assert "Can't get attribute 'double' on <module '__main__' (built-in)>" in done.stdout
    assert "help: define it in a .py file beside the notebook, and import it from there" in done.stdout
    (project / "tasks.py").write_text("def double(n):\n    return 2 * n\n")
    moved = POOL.replace("METHOD", "spawn").replace("def double(n):\n    return 2 * n\n", "from tasks import double\n")
    (project / "train.ipynb").write_bytes(dump(document(moved)))
    assert run(cwd=project).returncode == 0


@pytest.mark.parametrize(("method", "works"), [("fork", True), ("spawn", False)])
def test_real_processes_agree(project: Path, method: str, works: bool) -> None:
    """A kernel's main module has no file, like that of `python -c`."""
    code = POOL.replace("METHOD", method)
    (project / "train.ipynb").write_bytes(dump(document(code)))
    done = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, timeout=60)
    assert (done.returncode == 0) is works
    assert works or "Can't get attribute 'double' on <module '__main__'" in done.stderr or "has no attr" in done.stderr
    assert (run("--start-method", method, cwd=project).returncode == 0) is works


def test_a_lambda_is_not_made_a_function_that_workers_do_not_have(project: Path) -> None:
    (project / "train.ipynb").write_bytes(dump(document(IMPORTS, "Process(target=lambda: 1).start()")))
    done = run(cwd=project)
    assert "cell 3:1:16: MPS202 lambda" in done.stdout and "beside the notebook" in done.stdout
    assert run("--check", cwd=project, program="fix").returncode == 0


def test_nobody_imports_a_notebook(project: Path) -> None:
    """So that a process may be started at its top."""
    (project / "train.ipynb").write_bytes(dump(document(IMPORTS, "Process(target=print).start()")))
    assert run(cwd=project).returncode == 0
    (project / "train.py").write_text("from multiprocessing import Process\nProcess(target=print).start()\n")
    assert "train.py:2:1: MPS301" in run(cwd=project).stdout


def test_a_notebook_imports_from_its_folder(project: Path) -> None:
    (project / "views.py").write_text("def names(d):\n    return d.keys()\n")
    cells = (
        "from multiprocessing import Process\nfrom views import names",
        "Process(target=print, args=(names({}),)).start()",
    )
    (project / "train.ipynb").write_bytes(dump(document(*cells)))
    assert "views.py:2:12: MPS201" in run("views.py", cwd=project).stdout


def test_comments_silence(project: Path) -> None:
    assert run("--add-noqa", "--select", "MPS1", cwd=project).stderr == "silenced 1 finding by comments\n"
    text = (project / "train.ipynb").read_text()
    assert '"        self.names = counts.keys()  # é  # noqa: MPS101\\n",' in text
    assert run("--select", "MPS1", cwd=project).returncode == 0


def test_the_page_shows_the_lines_of_the_cell(project: Path) -> None:
    (project / "train.ipynb").write_bytes(dump(document(IMPORTS, f"%time f()\n{WORKER}", START)))
    page = run("--output-format", "html", "--select", "MPS212", cwd=project).stdout
    assert "<i>    1 </i>%time f()\n<i>    2 </i><mark>class Worker(Process):</mark>\n" in page
    assert "mpsafe-lint: cell" not in page and "mpsafe-lint: magic" not in page


def test_which_notebooks(project: Path) -> None:
    (project / ".ipynb_checkpoints").mkdir()
    (project / ".ipynb_checkpoints" / "train.ipynb").write_text("{}")
    assert run("--show-files", cwd=project).stdout == f"{project / 'train.ipynb'}\n"
    for language in ({"language_info": {"name": "R"}}, {"kernelspec": {"language": "julia"}}):
        (project / "train.ipynb").write_bytes(dump(document(IMPORTS, WORKER, START, **language)))
        assert run(cwd=project).returncode == 0
    for language in ({"language_info": {"name": "python"}}, {"kernelspec": {"name": "python3"}}, {"kernelspec": 3}):
        (project / "train.ipynb").write_bytes(dump(document(IMPORTS, WORKER, START, **language)))
        assert run(cwd=project).returncode == 1


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "place", "said"),
    [
        (b"", "1:1", "is no notebook: Expecting value"),
        (b'{"cells": [\n  {"source": [}\n', "2:1", "is no notebook: Expecting value"),
        (b"[1, 2]", "1:1", "is no notebook of format 4: it has no list of cells"),
        (b'{"worksheets": [], "nbformat": 3}', "1:1", "is no notebook of format 4: it has no list of cells"),
        (b'{"cells": [\n{"cell_type": "code"}]}', "2:1", "is no notebook of format 4: cell 1 has no source"),
        (b'{"cells": [{"cell_type": "code", "source": [1]}]}', "1:1", "cell 1 has no source"),
        (b'{"cells": ["\xff"]}', "1:1", "is not valid utf-8: byte 0xff"),
        (b'{"a":' * 100_000, "1:1", "is no notebook: "),
        (dump(document("x = 1", "if x\n    pass")), "cell 3:1:5", "cannot be parsed: expected ':'"),
        (dump(document("'mpsafe-lint: cell 2'\n")), "1:1", "looks like one of those that mpsafe-lint puts between"),
    ],
    ids=["empty", "json", "list", "format-3", "no-source", "source", "bytes", "deep", "syntax", "mark"],
)
def test_a_broken_notebook_is_reported_and_the_rest_goes_on(project: Path, data: bytes, place: str, said: str) -> None:
    (project / "broken.ipynb").write_bytes(data)
    for form in ("concise", "json", "sarif", "github", "gitlab", "junit", "full"):
        done = run("--select", "MPS1", "--output-format", form, cwd=project)
        assert done.returncode == 1 and "MPS900" in done.stdout and "MPS101" in done.stdout
    lines = run("--output-format", "concise", cwd=project).stdout.splitlines()
    assert lines[0].startswith(f"broken.ipynb:{place}: MPS900 ") and said in lines[0]
    assert "MPS900" not in lines[1]
    run(cwd=project, program="fix")
    assert (project / "broken.ipynb").read_bytes() == data


def test_a_notebook_that_is_named_and_is_none_is_an_error(project: Path) -> None:
    (project / "broken.ipynb").write_bytes(b'{"cells": [\n  {"source": [}\n')
    error = "broken.ipynb, line 2: is no notebook: Expecting value; restore it, or leave it out"
    for program, arguments in (
        ("lint", []),
        ("lint", ["--fix"]),
        ("lint", ["--output-format", "json"]),
        ("lint", ["--migrate", "3.14"]),
        ("lint", ["--write-baseline"]),
        ("lint", ["--shard", "1/2"]),
        ("fix", []),
        ("fix", ["--check"]),
    ):
        done = run(*arguments, "broken.ipynb", cwd=project, program=program)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"mpsafe-{program}: error: {error}\n")
    beside = run("--select", "MPS1", "--output-format", "concise", "broken.ipynb", "train.ipynb", cwd=project)
    assert beside.returncode == 2 and beside.stdout.startswith("train.ipynb:cell 3:4:22: MPS101 ")
    assert beside.stdout.count("\n") == 1 and beside.stderr.splitlines()[-1] == f"mpsafe-lint: error: {error}"
    assert run("--ignore", "MPS900", "broken.ipynb", cwd=project).returncode == 0
    assert not (project / "mpsafe-baseline.json").exists()


def test_a_carriage_return_in_a_line(project: Path) -> None:
    (project / "train.ipynb").write_bytes(
        dump(document("x = 1\ré = 2", "\ré", IMPORTS, START.replace("Worker(", "print(")))
    )
    assert run("train.ipynb", cwd=project).returncode in (0, 1)


def test_a_named_notebook_with_a_cell_that_can_not_be_parsed_is_one(project: Path) -> None:
    (project / "broken.ipynb").write_bytes(dump(document("x = 1", "if x\n    pass")))
    done = run("--output-format", "concise", "broken.ipynb", cwd=project)
    assert done.returncode == 1 and done.stdout.startswith("broken.ipynb:cell 3:1:5: MPS900 ")


# --- repairing ------------------------------------------------------------------------------------------------------


def as_text(notebook: dict[str, Any]) -> dict[str, Any]:
    """Give the cells their source as one text, as the format allows."""
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


@pytest.mark.parametrize(
    "data",
    [
        dump(document(IMPORTS, WORKER, START)),
        dump(document(IMPORTS, WORKER, START), indent=None),
        dump(document(IMPORTS, WORKER, START), indent="\t", separators=(" , ", " : ")),
        dump(document(IMPORTS, WORKER, START), ensure_ascii=True),
        dump(as_text(document(IMPORTS, WORKER, START))),
        dump(as_text(document(IMPORTS, WORKER, START)), ensure_ascii=True),
        dump(document(IMPORTS, WORKER, START)).replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + dump(document(IMPORTS, WORKER, START)).rstrip(),
        dump(document(IMPORTS, WORKER.rstrip("\n"), START, "")).replace(b'"names', b'"\\u006eames'),
        dump(document(IMPORTS, [WORKER], [])),
        dump(
            {"nbformat": 4, **document(IMPORTS, f"%%time\n!ls \\\n -l\nx = !ls\nprint?\n{WORKER}", "%%bash\nif", START)}
        ),
    ],
    ids=["usual", "compact", "spaced", "ascii", "text", "ascii-text", "crlf", "bom", "escapes", "one-item", "magics"],
)
def test_nothing_but_the_repair_changes(project: Path, data: bytes) -> None:
    (project / "train.ipynb").write_bytes(data)
    done = run("--select", "MPS1", cwd=project, program="fix")
    assert done.stderr == "repaired 1 finding in 1 file; 0 left\n"
    written = (project / "train.ipynb").read_bytes()
    assert written == data.replace(b"= counts.keys()", b"= list(counts.keys())").replace(
        b"# self.names = list(counts.keys())", b"# self.names = counts.keys()"
    )
    assert run("--select", "MPS1", "--check", cwd=project, program="fix").returncode == 0


def test_a_repair_of_more_lines(project: Path) -> None:
    cell = WORKER.replace("counts.keys()  # é", "threading.Lock()").replace("self.names))", "range(3)))").rstrip("\n")
    (project / "train.ipynb").write_bytes(dump(document(f"{IMPORTS}\nimport threading", cell, START)))
    before = json.loads((project / "train.ipynb").read_text())
    assert run("--select", "MPS1", cwd=project, program="fix").stderr == "repaired 1 finding in 1 file; 0 left\n"
    after = json.loads((project / "train.ipynb").read_text())
    code = "".join(after["cells"][2].pop("source"))
    del before["cells"][2]["source"]
    assert after == before
    assert "def __getstate__(self):" in code and not code.endswith("\n") and "mpsafe-lint" not in code


def test_a_diff_of_a_notebook_can_be_applied(project: Path) -> None:
    before = (project / "train.ipynb").read_bytes()
    diff = run("--select", "MPS1", "--diff", cwd=project, program="fix").stdout
    assert diff.count("\n-") == 1 and (project / "train.ipynb").read_bytes() == before
    subprocess.run(["git", "apply", "-p0"], input=diff.encode(), cwd=project, check=True, timeout=30)
    applied = (project / "train.ipynb").read_bytes()
    (project / "train.ipynb").write_bytes(before)
    run("--select", "MPS1", cwd=project, program="fix")
    assert applied == (project / "train.ipynb").read_bytes()


def test_a_buffer(project: Path) -> None:
    data = (project / "train.ipynb").read_bytes()
    (project / "train.ipynb").unlink()
    arguments = ("--select", "MPS1", "--stdin-filename", "train.ipynb", "-")
    assert run(*arguments, cwd=project, stdin=data).stdout.startswith("train.ipynb:cell 3:4:22: MPS101 ")
    done = run(*arguments, cwd=project, stdin=data, program="fix")
    assert done.stdout.encode() == data.replace(
        b'"        self.names = counts', b'"        self.names = list(counts'
    ).replace(b"()  # \xc3", b"())  # \xc3")
    broken = run(*arguments, cwd=project, stdin=b"{")
    assert broken.returncode == 2 and broken.stderr.startswith("mpsafe-lint: error: stdin, line 1: is no notebook")


def test_a_change_that_reaches_over_cells_is_not_written() -> None:
    data = dump(document(IMPORTS, WORKER))
    notebook = decode_notebook(data, "a.ipynb")
    assert isinstance(notebook, Notebook) and notebook.encode(notebook.text) == data
    with pytest.raises(SourceError, match="reaches from one cell into another"):
        notebook.encode(notebook.text.replace("'mpsafe-lint: cell 3'\n", ""))


def test_lines_of_a_notebook_are_those_of_its_cells() -> None:
    notebook = decode_notebook(dump(document("a = 1\nb = 2\n", "", "c = (1\n %2)\n%ls")), "a.ipynb")
    places = [notebook.place(line + 1) for line, text in enumerate(notebook.text.splitlines()) if "=" in text]
    assert places == [(2, 1), (2, 2), (4, 1)]
    assert notebook.text.endswith("\n %2)\npass  # mpsafe-lint: magic: %ls\n")


TEXT = st.text(st.sampled_from("ab =():'\"\\%!?#\t\n\r\x0c\u2028é𝄞"), max_size=30)


@settings(deadline=None, max_examples=200)
@given(st.lists(TEXT, min_size=1, max_size=4), st.data())
def test_a_line_is_changed_and_every_other_byte_stays(cells: list[str], data: st.DataObject) -> None:
    """Whatever is in the cells, and however the file is laid out."""
    chosen = data.draw(st.integers(0, len(cells) - 1))
    cells[chosen] = f"x = 1\n{cells[chosen]}"
    form = data.draw(st.fixed_dictionaries({"indent": st.sampled_from([None, 1, "\t"]), "ensure_ascii": st.booleans()}))
    written = document(*([line + "\n" for line in cell.split("\n")] for cell in cells))
    raw = dump(as_text(written) if data.draw(st.booleans()) else written, **form)
    notebook = decode_notebook(raw, "a.ipynb")
    assert notebook.encode(notebook.text) == raw
    marks = notebook.text.index(f"'mpsafe-lint: cell {chosen + 2}'\n") + len("'mpsafe-lint: cell 0'\n")
    changed = notebook.text[:marks] + notebook.text[marks:].replace("x = 1", "x = 12345", 1)
    before, after = json.loads(raw), json.loads(notebook.encode(changed))
    sources = [["".join(cell.pop("source")) for cell in one["cells"]] for one in (before, after)]
    assert before == after
    sources[0][chosen + 1] = sources[0][chosen + 1].replace("x = 1", "x = 12345", 1).strip("\n")
    sources[1][chosen + 1] = sources[1][chosen + 1].strip("\n")
    assert sources[0] == sources[1]
