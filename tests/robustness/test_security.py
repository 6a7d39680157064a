"""Code that is analysed is never run, and nothing is written but what is repaired and the cache."""

from __future__ import annotations

import json
import os
import pickle
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from shell.running import run

from mpsafe_lint.files.source import digest_of

from .project import PROCESS, Project
from .watched import Watched, watched

TOUCH = "from pathlib import Path\n\nPath({mark!r}).touch()\n"
EXTENSION = sysconfig.get_config_var("EXT_SUFFIX")
FOUND = "main.py:4:20: MPS202"
BENIGN = frozenset({"import", "exec", "write", "marshal.loads"})
"""What any program does; where it does it is looked at by itself."""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with one program that has a fault, below a folder of its own."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return Project(tmp_path / "project").write({"main.py": PROCESS})


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that is there when code was run."""
    return tmp_path / "mark"


def check_nothing_ran(done: Watched, mark: Path, *folders: Path) -> None:
    assert not mark.exists()
    assert [what for folder in folders for what in done.of("import", "exec", "ctypes.dlopen", below=folder)] == []
    assert [note for note in done.notes if note[0] not in BENIGN] == []


# -- analysing runs nothing ---------------------------------------------------------------------------------------


def environment(prefix: Path, files: dict[str, str | bytes]) -> Path:
    """Make a virtual environment with these files in its site-packages."""
    site = Path(sysconfig.get_path("purelib", vars={"base": str(prefix)}))
    version = sys.version.split()[0]
    Project(prefix).write({"pyvenv.cfg": f"home = {sys.base_prefix}/bin\nversion = {version}\n"})
    Project(site).write(files)
    return prefix


def test_a_library_that_a_pth_file_leads_to(project: Project, mark: Path, tmp_path: Path) -> None:
    """It is read, for the class that the project derives from, and not imported."""
    touch = TOUCH.format(mark=str(mark))
    Project(tmp_path / "elsewhere").write(
        {
            "marking/__init__.py": f"{touch}\nfrom marking.base import Base\n",
            "marking/base.py": f"{touch}\nfrom torch.utils.data import Dataset\n\n\nclass Base(Dataset):\n    pass\n",
        }
    )
    paths = f"{tmp_path / 'elsewhere'}\nimport pathlib; pathlib.Path({str(mark)!r}).touch()\n"
    prefix = environment(tmp_path / "environment", {"marking.pth": paths, "sitecustomize.py": touch})
    rows = "class Rows(Base):\n    def __init__(self, rows):\n        self.names = rows.keys()\n"
    project.write({"sets.py": f"from marking import Base\n\n\n{rows}"})
    done = watched("lint_main", "--isolated", "--python", prefix, ".", cwd=project.folder)
    assert "sets.py:6:22: MPS101" in done.stdout and FOUND in done.stdout
    check_nothing_ran(done, mark, project.folder, prefix, tmp_path / "elsewhere")


@pytest.mark.parametrize("name", ["array", "json", "multiprocessing", "torch"])
def test_extensions_that_bear_a_known_name(name: str, project: Project, mark: Path, tmp_path: Path) -> None:
    """A package named as a standard module or as torch, with an extension in it, in the project and in a library."""
    touch = TOUCH.format(mark=str(mark))
    files: dict[str, str | bytes] = {
        f"{name}/__init__.py": f"{touch}\nfrom {name}._fast import Fast\nfrom {name}.extension import *\n",
        f"{name}/_fast{EXTENSION}": b"no library",
        f"{name}/extension.so": b"no library",
        f"{name}.so": b"no library",
    }
    prefix = environment(tmp_path / "environment", files)
    project.write({f"package/{path}": content for path, content in files.items()})
    use = (
        f"from {name}._fast import Fast\nfrom {name} import extension\n\n\nclass Sub(Fast, extension.Base):\n    pass\n"
    )
    project.write({"package/__init__.py": touch, "package/absolute.py": f"{use}\n\nprint(Sub().x, {name!r})\n"})
    project.write({"package/relative.py": use.replace(f"from {name}", f"from .{name}") + "\n\nSub()\n"})
    done = watched("lint_main", "--isolated", "--python", prefix, ".", cwd=project.folder)
    assert FOUND in done.stdout
    check_nothing_ran(done, mark, project.folder, prefix)


def test_what_looks_as_if_it_had_to_be_evaluated(project: Project, mark: Path) -> None:
    """Decorators, defaults, annotations, formatted texts and calls of `exec`: all are only read."""
    touch = f"__import__('pathlib').Path({str(mark)!r}).touch()"
    project.write(
        {
            "tricks.py": f"@{touch}\ndef decorated(x: '{touch}' = {touch}) -> {touch!r}:\n    return x\n\n\n"
            f"exec({touch!r})\neval({touch!r})\ncompile({touch!r}, 'x', 'exec')\nx = f'{{ {touch!r} }}'\n"
            f"y = type('Y', (), {{'z': {touch}}})\n\n\nclass Meta(type({touch})):\n    pass\n",
            "setup.py": touch,
            "conftest.py": touch,
            "usercustomize.py": touch,
        }
    )
    for program in ("lint_main", "fix_main"):
        done = watched(program, "--isolated", ".", cwd=project.folder)
        check_nothing_ran(done, mark, project.folder)


# -- nothing is written elsewhere ---------------------------------------------------------------------------------


def contents(folder: Path) -> dict[str, bytes | str]:
    """Return all that lies in a folder: the bytes of files, the targets of links."""
    return {
        str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


@pytest.mark.parametrize("program", ["lint_main", "fix_main"])
def test_what_is_written(program: str, project: Project) -> None:
    """The cache in the root and, by the repair, the file that has a fault."""
    project.write({"other.py": "x = 1\n", "package/__init__.py": "", "package/module.py": "y = 2\n"})
    done = watched(program, ".", cwd=project.folder)
    written = done.of("write")
    outside = [path for path in written if not Path(path).is_relative_to(project.folder)]
    assert outside == []
    inside = {Path(path).relative_to(project.folder).parts[0] for path in written}
    assert {name for name in inside if not name.startswith(".main.py.")} <= {".mpsafe_cache", "main.py"}
    if program == "lint_main":
        assert "main.py" not in inside


def test_a_root_that_nothing_marks_gets_no_cache(tmp_path: Path) -> None:
    Project(tmp_path).write({"package/__init__.py": "", "package/main.py": PROCESS})
    assert watched("lint_main", "package", cwd=tmp_path).of("write") == []


@pytest.mark.parametrize("given", [(".",), ("linked.py", "folder"), ("inside/linked.py",)], ids=" ".join)
def test_a_repair_follows_no_link_out_of_the_tree(given: tuple[str, ...], project: Project, tmp_path: Path) -> None:
    outside = Project(tmp_path / "outside").write({"main.py": PROCESS, "folder/main.py": PROCESS})
    before = contents(outside.folder)
    project.write({"inside/__init__.py": "", "inside/real.py": PROCESS})
    links = {"linked.py": "../outside/main.py", "inside/linked.py": str(outside.folder / "main.py")}
    for name, target in links.items():
        (project.folder / name).symlink_to(target)
    (project.folder / "folder").symlink_to("../outside/folder", target_is_directory=True)
    run("--unsafe-fixes", *given, cwd=project.folder, program="fix")
    assert contents(outside.folder) == before
    assert all((project.folder / name).is_symlink() for name in (*links, "folder"))


def test_a_repair_follows_a_link_inside_the_tree(project: Project) -> None:
    (project.folder / "linked.py").symlink_to("main.py")
    run(".", cwd=project.folder, program="fix")
    assert (project.folder / "linked.py").is_symlink()
    assert "lambda" not in (project.folder / "main.py").read_text()


# -- the cache ----------------------------------------------------------------------------------------------------


class Payload:
    """Leaves a mark when it is loaded by pickle."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {self.mark}",)


def cached(project: Project) -> list[Path]:
    return sorted((project.folder / ".mpsafe_cache").glob("*.json"))


def test_the_cache_is_json(project: Project) -> None:
    run(".", cwd=project.folder)
    assert len(cached(project)) >= 1
    assert [path.name for path in (project.folder / ".mpsafe_cache").iterdir() if path.suffix != ".json"] == [
        ".gitignore"
    ]
    for path in cached(project):
        digest, _, text = path.read_bytes().partition(b"\n")
        assert digest_of(text).encode() == digest
        json.loads(text)


def sealed(text: bytes) -> bytes:
    """Return an entry with the digest that its contents should have."""
    return digest_of(text).encode() + b"\n" + text


CRAFTED: dict[str, Callable[[Path], bytes]] = {
    "pickle": lambda mark: pickle.dumps(Payload(mark)),
    "code": lambda mark: f"__import__('os').system('touch {mark}')".encode(),
    "yaml": lambda mark: f"!!python/object/apply:os.system ['touch {mark}']".encode(),
    "nothing": lambda mark: b"",
    "a list": lambda mark: b"[]",
    "an empty entry": lambda mark: b"{}",
    "data of another shape": lambda mark: b'{"files": {}, "folders": {}, "data": [1]}',
    "no data": lambda mark: b'{"files": {}, "folders": {}, "data": {}}',
    "an analysis of another shape": lambda mark: b'{"files": {}, "folders": {}, "data": {"analysis": 1, "parsed": 2}}',
    "pickle in an entry": lambda mark: json.dumps(
        {"files": {}, "folders": {}, "data": {"analysis": pickle.dumps(Payload(mark), 0).decode(), "parsed": []}}
    ).encode(),
    "files elsewhere": lambda mark: b'{"files": {"../../../etc/passwd": ""}, "folders": {"/": ""}, "data": {}}',
    "deep": lambda mark: b"[" * 100_000,
    "no UTF-8": lambda mark: b"\xff\xfe\x00",
}


@pytest.mark.parametrize("seal", [bytes, sealed])
@pytest.mark.parametrize("name", CRAFTED)
def test_a_crafted_cache_runs_nothing(name: str, seal: Callable[[bytes], bytes], project: Project, mark: Path) -> None:
    """It is passed over, and the findings are those of a run without it."""
    first = run(".", cwd=project.folder)
    for path in cached(project):
        path.write_bytes(seal(CRAFTED[name](mark)))
    assert run(".", cwd=project.folder) == first
    assert not mark.exists()


def test_a_crafted_cache_in_the_right_shape(project: Project, mark: Path) -> None:
    """Its texts are only shown, its paths lead to no file elsewhere, and a repair in it is done to no other file."""
    run(".", cwd=project.folder)
    outside = project.folder.parent / "outside.py"
    outside.write_text(PROCESS)
    for path in cached(project):
        text = path.read_bytes().partition(b"\n")[2].decode()
        text = text.replace('"main.py"', '"../outside.py"').replace('"summary": "', f'"summary": "$(touch {mark})')
        entry = json.loads(text)
        entry["files"] = {"main.py": digest_of(PROCESS.encode())}
        path.write_bytes(sealed(json.dumps(entry).encode()))
    done = watched("fix_main", ".", cwd=project.folder)
    assert outside.read_text() == PROCESS
    check_nothing_ran(done, mark, project.folder)
