"""Files and folders of all kinds: what can't be analysed is one clear line, and the rest goes on."""

from __future__ import annotations

import errno
import os
import random
import socket
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from shell.running import fresh

from mpsafe_lint.check import check
from mpsafe_lint.config import Config
from mpsafe_lint.files.project import Project as Loaded

from .project import PROCESS, Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with one program that has a fault, below a folder of its own."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return Project(tmp_path / "project").write({"main.py": PROCESS})


FOUND = "main.py:4 MPS202"


def test_syntax_error(project: Project) -> None:
    project.write({"broken.py": "def f(:\n    pass\n", "python2.py": "print 'x'\n"})
    assert project.places() == ["broken.py:1 MPS900", FOUND, "python2.py:1 MPS900"]
    assert project.messages()["broken.py"] == "cannot be parsed: invalid syntax"


NEWER = [
    ((3, 11), "try:\n    pass\nexcept* ValueError:\n    pass\n"),
    ((3, 12), "type Pair = tuple[int, int]\n"),
    ((3, 12), "def first[T](items: list[T]) -> T:\n    return items[0]\n"),
    ((3, 12), "class Box[T]:\n    pass\n"),
    ((3, 12), "names = {'a': 1}\ntext = f'{names['a']}'\n"),
    ((3, 14), "text = t'{1}'\n"),
    ((3, 14), "try:\n    pass\nexcept ValueError, TypeError:\n    pass\n"),
]


@pytest.mark.parametrize(("version", "text"), NEWER)
def test_newer_syntax(version: tuple[int, int], text: str, project: Project) -> None:
    """The message says which Python knows it."""
    project.write({"newer.py": text})
    if sys.version_info >= version:
        assert project.places() == [FOUND]
    else:
        assert project.messages()["newer.py"].endswith(f" (syntax of Python {version[0]}.{version[1]})")


def test_unreadable(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write({"secret.py": PROCESS})
    read_bytes = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "secret.py":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert project.places() == [FOUND, "secret.py:1 MPS900"]
    assert project.messages()["secret.py"] == "cannot be read: Permission denied"


UNPRIVILEGED = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.getuid() == 0 else []
"""How a command is run for which permissions count: to root they say nothing."""


def test_folders_without_permission(project: Project) -> None:
    """What can't be seen is told; the rest goes on."""
    project.write({"closed/a.py": PROCESS, "listed/a.py": PROCESS})
    folder = project.folder
    (folder / "listed").chmod(0o444)  # its names can be read, its files can't be opened
    (folder / "closed").chmod(0)
    command = [*UNPRIVILEGED, sys.executable, "-c", "from mpsafe_lint.cli import lint_main; exit(lint_main())"]
    options = ["--isolated", "--output-format", "concise", "."]
    try:
        done = subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True, timeout=60)
    finally:
        for name in ("listed", "closed"):
            (folder / name).chmod(0o700)
    assert "Traceback" not in done.stderr, done.stderr
    found, *others = sorted(done.stdout.splitlines(), key=lambda line: not line.startswith("main.py:4:20: MPS202"))
    assert found.startswith("main.py:4:20: MPS202")
    assert others == [f"{path}:1:1: MPS900 cannot be read: Permission denied" for path in ("closed", "listed/a.py")]


def test_vanished(project: Project) -> None:
    """A file is gone between the search for files and their reading."""
    project.write({"gone.py": PROCESS, "user.py": "import gone\n"})
    loaded = Loaded.load([project.folder], Config())
    (project.folder / "gone.py").unlink()
    findings = check(loaded, Config()).findings
    assert [(one.span.path, one.message) for one in findings if one.code == "MPS900"] == [
        ("gone.py", "cannot be read: no such file")
    ]


def test_what_is_no_file(project: Project) -> None:
    """A link that leads in a circle, a FIFO and a socket: nothing waits for them."""
    folder = project.folder
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "self.py").symlink_to("self.py")
    os.mkfifo(folder / "fifo.py")
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(folder)  # the path of a socket may not be long
        try:
            listener.bind("socket.py")
        finally:
            os.chdir(here)
        assert [place for place in project.places() if not place.startswith("self.py")] == [FOUND]
        given = [folder / "fifo.py", folder / "socket.py"]
        assert all(f"{path.name}:1 MPS900" in project.places(path) for path in given)


def test_names_that_are_no_utf8(project: Project) -> None:
    names = [os.fsdecode(name) for name in (b"caf\xe9.py", b"d\xe9j\xe0/vu.py", b"new\nline.py", "snake🐍.py".encode())]
    project.write(dict.fromkeys(names, PROCESS))
    assert len(project.places()) == len(names) + 1


def test_random_bytes(project: Project) -> None:
    source = random.Random(1)
    lines = [source.randbytes(20).replace(b"\n", b"") for _ in range(100_000)]
    project.write({"many.py": b"\n".join(lines), "one.py": source.randbytes(100_000).replace(b"\n", b"")})
    project.write({"text.py": "".join(source.choices("()[]{}:=\"'#\\\n\t .,azAZ09@", k=100_000))})
    assert project.places() == [FOUND, "many.py:1 MPS900", "one.py:1 MPS900", "text.py:2 MPS900"]


def test_stubs(project: Project) -> None:
    """Stubs are no part of the program: neither analysed, nor in the way of what they stand beside."""
    stubs = {f"package/module{i}.pyi": "class Base: ...\n" for i in range(50)}
    project.write(stubs)
    project.write({"package/__init__.py": "", "package/module1.py": "from torch.utils.data import Dataset as Base\n"})
    project.write(
        {
            "sets.py": "from package.module1 import Base\n\n\nclass Rows(Base):\n"
            "    def __init__(self, rows):\n        self.names = rows.keys()\n"
        }
    )
    assert project.places() == [FOUND, "sets.py:6 MPS101"]


def test_many_empty_files(project: Project) -> None:
    project.write({f"f{i % 50}/m{i}.py": b"" for i in range(5_000)})
    assert project.places() == [FOUND]


# -- nothing is imported ------------------------------------------------------------------------------------------


MARK = "from pathlib import Path\n\nPath({path!r}).touch()\n"


def test_nothing_is_imported(project: Project, tmp_path: Path) -> None:
    """Neither the project, nor a library, nor an extension that bears the name of a standard module, nor a .pth."""
    mark = tmp_path / "mark"
    touch = MARK.format(path=str(mark))
    prefix = tmp_path / "environment"
    site = Path(sysconfig.get_path("purelib", vars={"base": str(prefix)}))
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    Project(site).write(
        {
            "marking/__init__.py": f"{touch}\nfrom marking._fast import speed\nfrom marking.array import array\n",
            f"marking/_fast{suffix}": b"no library",
            f"marking/array{suffix}": b"no library",
            f"array{suffix}": b"no library",
            "marking.pth": f"import pathlib; pathlib.Path({str(mark)!r}).touch()\n",
            "sitecustomize.py": touch,
        }
    )
    Project(prefix).write({"pyvenv.cfg": f"home = {sys.base_prefix}/bin\nversion = {sys.version.split()[0]}\n"})
    project.write(
        {
            "conftest.py": touch,
            "setup.py": touch,
            "sitecustomize.py": touch,
            "multiprocessing_hooks/__init__.py": touch,
            "user.py": f"{touch}\nimport array\nimport multiprocessing_hooks\nfrom marking import array, speed\n\n\n"
            "class Sub(array):\n    pass\n\n\nprint(speed(1), Sub())\n",
        }
    )
    done = fresh("--python", prefix, "--isolated", ".", cwd=project.folder)
    assert done.returncode == 1 and "main.py:4" in done.stdout
    assert not mark.exists()
