"""Files: which belong to the project, what they hold, which module each is, and what the target environment has."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from mpsafe_lint.config import Config, ConfigError
from mpsafe_lint.files.discovery import find_root
from mpsafe_lint.files.environment import find_environment
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.roots import ImportRoots
from mpsafe_lint.files.source import Source, SourceError, decode, read
from mpsafe_lint.files.writing import write_source


def tree(root: Path, *names: str) -> Path:
    """Make empty files."""
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return root


# --- the root -------------------------------------------------------------------------------------------------------


def test_root_is_the_nearest_configuration(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "a/mpsafe.toml", "a/b/pyproject.toml", "a/b/c.py")
    assert find_root([tmp_path / "a" / "b" / "c.py"]).path == tmp_path / "a"


def test_root_is_else_the_repository(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "pkg/__init__.py", "pkg/m.py")
    assert find_root([tmp_path / "pkg" / "m.py"]).path == tmp_path


def test_root_is_else_above_the_top_package(tmp_path: Path) -> None:
    tree(tmp_path, "x/pkg/__init__.py", "x/pkg/sub/__init__.py", "x/pkg/sub/m.py")
    root = find_root([tmp_path / "x" / "pkg" / "sub"])
    assert (root.path, root.marked) == (tmp_path / "x", False)


def test_root_of_several_paths_is_common_to_them(tmp_path: Path) -> None:
    tree(tmp_path, "mpsafe.toml", "a/mpsafe.toml", "a/x.py", "b/y.py")
    assert find_root([tmp_path / "a" / "x.py", tmp_path / "b" / "y.py"]).path == tmp_path


# --- discovery ------------------------------------------------------------------------------------------------------


def project_of(path: Path, *given: str, config: Config | None = None, **options: bool) -> Project:
    return Project.load([path / name for name in given or (".",)], config or Config(), **options)  # type: ignore[arg-type]


def test_excluded_by_default(tmp_path: Path) -> None:
    tree(tmp_path, "mpsafe.toml", "m.py", "m.pyi", "m.txt", "venv/x.py", "a/.venv/y.py", "build/z.py", "a/dist.py")
    assert project_of(tmp_path).files == ("a/dist.py", "m.py")


def test_excluded_by_globs(tmp_path: Path) -> None:
    tree(tmp_path, "mpsafe.toml", "a/x.py", "a/y_gen.py", "b/x.py", "b/c/x.py", "c/x.py")
    config = Config(extend_exclude=("*_gen.py", "b/*/x.py", "/c"))
    assert project_of(tmp_path, config=config).files == ("a/x.py", "b/x.py")


def test_gitignore(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "a.py", "b.py", "sub/a.py", "sub/c.py", "sub/d.py", "out/deep/e.py")
    (tmp_path / ".gitignore").write_text("/b.py\nout/\nd.py\n")
    (tmp_path / "sub" / ".gitignore").write_text("/c.py\n!d.py\n")
    assert project_of(tmp_path).files == ("a.py", "sub/a.py", "sub/d.py")


def test_gitignore_above_the_root(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "p/mpsafe.toml", "p/a.py", "p/b.py", "a.py")
    (tmp_path / ".gitignore").write_text("/p/b.py\n/a.py\n")
    assert project_of(tmp_path / "p").files == ("a.py",)


def test_named_paths_are_taken_though_excluded(tmp_path: Path) -> None:
    tree(tmp_path, "mpsafe.toml", "a.py", "build/b.py", "build/sub/c.py", "tool")
    assert project_of(tmp_path, "build/b.py").given == {"build/b.py"}
    assert project_of(tmp_path, "build").given == {"build/b.py", "build/sub/c.py"}
    assert project_of(tmp_path, "tool").files == ("a.py", "tool")
    forced = project_of(tmp_path, "build/b.py", "build", "a.py", force_exclude=True)
    assert (forced.given, forced.files) == ({"a.py"}, ("a.py",))


def test_given_is_part_of_the_project(tmp_path: Path) -> None:
    tree(tmp_path, "mpsafe.toml", "a/x.py", "ab/x.py", "a/b/y.py")
    project = project_of(tmp_path, "a")
    assert project.given == {"a/x.py", "a/b/y.py"}
    assert project.files == ("a/b/y.py", "a/x.py", "ab/x.py")


def test_a_guessed_root_is_not_searched_whole(tmp_path: Path) -> None:
    tree(tmp_path, "script.py", "beside.py", "pkg/__init__.py", "pkg/data/m.py", "photos/tool.py", "src/p/m.py")
    taken = ("beside.py", "pkg/__init__.py", "pkg/data/m.py", "script.py", "src/p/m.py")
    assert project_of(tmp_path, "script.py").files == taken
    assert "photos/tool.py" in project_of(tmp_path).files


def test_links(tmp_path: Path) -> None:
    outside = tree(tmp_path / "outside", "secret.py", "more/x.py")
    root = tree(tmp_path / "root", "mpsafe.toml", "a.py", "sub/b.py")
    (root / "loop").symlink_to(root)
    (root / "sub" / "up").symlink_to("..")
    (root / "away").symlink_to(outside)
    (root / "stolen.py").symlink_to(outside / "secret.py")
    (root / "same.py").symlink_to("a.py")
    (root / "gone.py").symlink_to("nowhere.py")
    assert project_of(root).files == ("a.py", "gone.py", "same.py", "sub/b.py")


def test_what_is_no_file(tmp_path: Path) -> None:
    tree(tmp_path, "mpsafe.toml", "folder.py/inner.py")
    os.mkfifo(tmp_path / "pipe.py")
    assert project_of(tmp_path).files == ("folder.py/inner.py",)
    with pytest.raises(SourceError, match="no regular file"):
        read(tmp_path / "pipe.py", "pipe.py")


def test_a_name_that_is_no_utf8(tmp_path: Path) -> None:
    tree(tmp_path, "mpsafe.toml")
    name = os.fsdecode(b"caf\xe9.py")
    (tmp_path / name).write_text("x = 1\n")
    project = project_of(tmp_path)
    assert project.files == (name,) and project.source(name).text == "x = 1\n"


# --- sources --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "encoding", "text", "newline"),
    [
        (b"x = 1\n", "utf-8", "x = 1\n", "\n"),
        (b"\xef\xbb\xbfx = '\xc3\xa9'\r\n", "utf-8", "x = 'é'\r\n", "\r\n"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "iso-8859-1", "# -*- coding: latin-1 -*-\nx = 'é'\n", "\n"),
        (
            b"#!/bin/x\n# vim: set fileencoding=cp1252 :\n'\x80'",
            "cp1252",
            "#!/bin/x\n# vim: set fileencoding=cp1252 :\n'€'",
            "\n",
        ),
        (b"a\rb\r", "utf-8", "a\rb\r", "\r"),
        (b"a\r\nb\nc\r\n", "utf-8", "a\r\nb\nc\r\n", "\r\n"),
        (b"", "utf-8", "", "\n"),
    ],
)
def test_decoding_and_back(data: bytes, encoding: str, text: str, newline: str) -> None:
    source = decode(data, "m.py")
    assert (source.encoding, source.text, source.newline) == (encoding, text, newline)
    assert source.encode(source.text) == data
    assert "".join(source.lines) == text


def test_lines_are_those_of_python() -> None:
    assert Source("m.py", "a\x0cb\x1cc\u2028d\r\ne\rf").lines == ("a\x0cb\x1cc\u2028d\r\n", "e\r", "f")


@pytest.mark.parametrize(
    ("data", "said", "line"),
    [
        (b"x = 1\ny = '\xe9'\n", "is not valid utf-8: byte 0xe9", 2),
        (b"'\xe9'\n", "is not valid utf-8: byte 0xe9", 1),
        (b"# coding: klingon\n", "unknown encoding", 1),
        (b"\xef\xbb\xbf# coding: latin-1\n", "encoding problem", 1),
        (b"# coding: ascii\n\n\n'\xe9'\n", "is not valid ascii: byte 0xe9", 4),
        (b"# coding: rot13\n", "rot13", 1),
    ],
)
def test_what_cannot_be_decoded(data: bytes, said: str, line: int) -> None:
    with pytest.raises(SourceError) as caught:
        decode(data, "m.py")
    assert said in str(caught.value) and caught.value.line == line and "\n" not in str(caught.value)


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        read(tmp_path / "m.py", "m.py")


def test_overlay(tmp_path: Path) -> None:
    tree(tmp_path, "mpsafe.toml", "a.py")
    project = Project.load([], Config(), overlay={str(tmp_path / "a.py"): "x", str(tmp_path / "new.py"): "y"})
    assert project.given == {"a.py", "new.py"} and project.files == ("a.py", "new.py")
    assert [project.source(path).text for path in project.files] == ["x", "y"]


def test_writing_keeps_what_is_not_text(tmp_path: Path) -> None:
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_bytes(b"\xef\xbb\xbfx = 1\r\n")
    real.chmod(0o754)
    link.symlink_to("real.py")
    source = read(link, "link.py")
    write_source(link, source, source.text + "y = 'é'\r\n")
    assert link.is_symlink() and real.stat().st_mode & 0o777 == 0o754
    assert real.read_bytes() == b"\xef\xbb\xbfx = 1\r\ny = '\xc3\xa9'\r\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.py", "real.py"]


def test_writing_refuses(tmp_path: Path) -> None:
    file = tmp_path / "m.py"
    file.write_bytes(b"# coding: ascii\n")
    source = read(file, "m.py")
    with pytest.raises(SourceError, match="cannot be written as ascii"):
        write_source(file, source, "é")
    file.write_bytes(b"# coding: ascii\nx = 2\n")
    with pytest.raises(SourceError, match="changed since it was read"):
        write_source(file, source, "y")
    assert file.read_bytes() == b"# coding: ascii\nx = 2\n"


# --- modules --------------------------------------------------------------------------------------------------------

REPOSITORY = ImportRoots(
    [
        "setup.py",
        "conftest.py",
        "src/pkg/__init__.py",
        "src/pkg/data/__init__.py",
        "src/pkg/data/sets.py",
        "src/pkg/util.py",
        "src/space/part/__init__.py",
        "src/space/loose.py",
        "tests/helper.py",
        "tests/test_x.py",
        "packages/other/other/__init__.py",
        "packages/other/other/core.py",
        "one/twin/__init__.py",
        "two/twin/__init__.py",
        "lib/extra/m.py",
        "flat/__init__.py",
        "flat/m.py",
    ],
    ["lib"],
)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("setup.py", "setup"),
        ("src/pkg/__init__.py", "pkg"),
        ("src/pkg/data/sets.py", "pkg.data.sets"),
        ("src/space/part/__init__.py", "space.part"),
        ("src/space/loose.py", "space.loose"),
        ("tests/test_x.py", "test_x"),
        ("packages/other/other/core.py", "other.core"),
        ("one/twin/__init__.py", "twin"),
        ("two/twin/__init__.py", "twin"),
        ("lib/extra/m.py", "extra.m"),
        ("flat/m.py", "flat.m"),
    ],
)
def test_module_names(path: str, name: str) -> None:
    assert REPOSITORY.module_name(path) == name


@pytest.mark.parametrize(
    ("dotted", "importing", "path"),
    [
        ("helper", "tests/test_x.py", "tests/helper.py"),
        ("helper", "src/pkg/util.py", None),
        ("pkg", "tests/test_x.py", "src/pkg/__init__.py"),
        ("pkg.data.sets", "setup.py", "src/pkg/data/sets.py"),
        ("pkg.data", "src/pkg/util.py", "src/pkg/data/__init__.py"),
        ("util", "src/pkg/data/sets.py", None),
        ("pkg.nothing", "setup.py", None),
        ("pkg.util.x", "setup.py", None),
        ("space", "setup.py", None),
        ("space.part", "setup.py", "src/space/part/__init__.py"),
        ("extra.m", "src/pkg/util.py", "lib/extra/m.py"),
        ("flat.m", "tests/test_x.py", "flat/m.py"),
        ("other.core", "packages/other/other/__init__.py", "packages/other/other/core.py"),
        ("other.core", "tests/test_x.py", None),
        ("twin", "one/twin/__init__.py", "one/twin/__init__.py"),
        ("twin", "two/twin/__init__.py", "two/twin/__init__.py"),
    ],
)
def test_modules_by_name(dotted: str, importing: str, path: str | None) -> None:
    assert REPOSITORY.find_module(dotted, importing) == path


def test_top_packages_and_namespaces() -> None:
    assert REPOSITORY.find_top("other.core") == "packages/other/other/core.py"
    assert REPOSITORY.find_top("twin") is None
    assert REPOSITORY.is_namespace("space", "setup.py") and not REPOSITORY.is_namespace("pkg", "setup.py")


# --- the environment ------------------------------------------------------------------------------------------------


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    root = tree(
        tmp_path,
        "mpsafe.toml",
        ".venv/bin/python",
        *(
            f".venv/lib/python3.12/site-packages/{name}"
            for name in (
                "lib/__init__.py",
                "lib/core.py",
                "lib/_fast.cpython-312-x86_64-linux-gnu.so",
                "single.py",
                "space/one/__init__.py",
                "editable.pth",
                "shadow.abi3.so",
                "shadow.py",
            )
        ),
        "elsewhere/dev/__init__.py",
        "elsewhere/space/two.py",
    )
    (root / ".venv" / "pyvenv.cfg").write_text("home = /nowhere/bin\nversion = 3.12.4\n")
    pth = root / ".venv/lib/python3.12/site-packages/editable.pth"
    pth.write_text(f"# comment\nimport sys; sys.exit('never run')\n{root / 'elsewhere'}\n/not/there\n")
    return root


def test_a_venv_in_the_root(venv: Path) -> None:
    environment = find_environment(venv, None)
    site = venv / ".venv" / "lib" / "python3.12" / "site-packages"
    assert (environment.prefix, environment.version) == (venv / ".venv", (3, 12))
    assert environment.find_module("lib.core") == str(site / "lib" / "core.py")
    assert environment.find_module("single") == str(site / "single.py")
    assert environment.find_module("dev") == str(venv / "elsewhere" / "dev" / "__init__.py")
    assert environment.find_module("space.one") == str(site / "space" / "one" / "__init__.py")
    assert environment.find_module("space.two") == str(venv / "elsewhere" / "space" / "two.py")
    kinds = {
        name: environment.locate(name).kind for name in ("lib._fast", "shadow", "space", "sys", "lib.no", "single.x")
    }
    assert kinds == {
        "lib._fast": "extension",
        "shadow": "extension",
        "space": "namespace",
        "sys": "builtin",
        "lib.no": "missing",
        "single.x": "missing",
    }
    assert environment.find_module("pytest") is None
    assert environment.find_module("json") is not None


@pytest.mark.parametrize("python", [".venv", ".venv/bin/python"])
def test_python_by_prefix_or_interpreter(venv: Path, python: str) -> None:
    (venv / ".venv").rename(venv / "env")
    assert find_environment(venv, python.replace(".venv", "env")).prefix == venv / "env"


def test_our_own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    environment = find_environment(tmp_path, None)
    assert (str(environment.prefix), environment.version) == (sys.prefix, sys.version_info[:2])
    assert environment.find_module("pytest") == pytest.__file__


def test_an_active_environment(venv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(venv / ".venv"))
    assert find_environment(venv / "elsewhere", None).prefix == venv / ".venv"


@pytest.mark.parametrize("python", ["nothing/here", "elsewhere", "no-such-python"])
def test_no_environment(venv: Path, python: str) -> None:
    with pytest.raises(ConfigError, match="is no Python environment"):
        find_environment(venv, python)


def test_a_project_before_its_environment(venv: Path) -> None:
    tree(
        venv, "src/lib/__init__.py", "src/other/__init__.py", "deep/in/single/__init__.py", "deep/in/alone/__init__.py"
    )
    project = Project.load([venv], Config())
    site = venv / ".venv" / "lib" / "python3.12" / "site-packages"
    assert project.find_module("lib", "src/other/__init__.py") == "src/lib/__init__.py"
    assert project.find_module("single", "src/other/__init__.py") == str(site / "single.py")
    assert project.find_module("alone", "src/other/__init__.py") == "deep/in/alone/__init__.py"
    assert project.find_module("dev", "src/other/__init__.py") == "elsewhere/dev/__init__.py"
    assert project.find_module("lib.core", str(site / "lib" / "__init__.py")) == str(site / "lib" / "core.py")
    for name, missing in [("lib._fast", False), ("space", False), ("deep", False), ("deep.in", False), ("sys", False)]:
        assert project.is_missing(name, "src/other/__init__.py") is missing, name
    assert project.is_missing("nothing", "src/other/__init__.py") and project.is_missing(
        "deep.no", "src/other/__init__.py"
    )
