"""The configuration: what is read, and what is said of what can't be."""

from __future__ import annotations

from pathlib import Path

import pytest

from mpsafe_lint.config import Config, ConfigError, Reporting, config_file, load, load_root, matching_versions, read
from mpsafe_lint.knowledge.rules import all_codes

EVERYTHING = """
select = ["MPS1", "lambda"]
ignore = ["MPS104"]
extend-select = ["MPS401"]
exclude = ["old"]
extend-exclude = ["*_gen.py"]
src = ["lib"]
python = ".venv"
target-version = ["3.12", "py313"]
start-method = "spawn"
cache-dir = ".c"
fixable = ["ALL"]
unfixable = ["MPS103"]
unsafe-fixes = true
crossing-classes = ["pkg.Base", "pkg.readers.*"]
safe-types = ["pkg.Handle"]
baseline = "known.json"

[per-file-ignores]
"tests/*" = ["MPS2"]

[[boundaries]]
call = "pkg.run"
argument = "task"
serializer = "cloudpickle"
"""


def test_every_key(tmp_path: Path) -> None:
    file = tmp_path / "mpsafe.toml"
    file.write_text(EVERYTHING)
    config = load(file)
    assert config.select == ("MPS1", "lambda")
    assert config.targets == ((3, 12), (3, 13))
    assert config.start_methods == ("spawn",)
    assert config.per_file_ignores == (("tests/*", ("MPS2",)),)
    assert [(b.call, b.argument, b.serializer) for b in config.boundaries] == [("pkg.run", "task", "cloudpickle")]
    assert config.folder == tmp_path
    defaults = Config()
    assert [k for k in config.__slots__ if getattr(config, k) == getattr(defaults, k)] == ["fixable"]


def test_table_in_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nrequires-python = ">=3.12"\n[tool.mpsafe-lint]\nselect = ["ALL"]\n'
    )
    config = load_root(tmp_path)
    assert (config.select, config.targets) == (("ALL",), ((3, 12), (3, 13), (3, 14)))


def test_pyproject_without_the_table_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.black]\n")
    assert config_file(tmp_path) is None
    (tmp_path / "mpsafe.toml").write_text("")
    assert config_file(tmp_path) == tmp_path / "mpsafe.toml"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('slect = ["MPS1"]', "unknown key 'slect'; did you mean 'select'?"),
        ('per_file_ignores = ""', "did you mean 'per-file-ignores'?"),
        ("zzz = 1", "unknown key 'zzz'"),
        ('select = ["MSP101"]', "select: unknown rule 'MSP101'; did you mean 'MPS101'?"),
        ('select = ["lamda"]', "did you mean 'lambda'?"),
        ('select = "MPS1"', "select: must be a list of strings"),
        ('unsafe-fixes = "yes"', "unsafe-fixes: must be true or false"),
        ('target-version = "2.7"', "target-version: '2.7' is no Python version"),
        ('target-version = "3.99"', "target-version: 3.99 is not known: 3.8 to 3.14 are"),
        ('start-method = "spwan"', "start-method: 'spwan' is no start method; did you mean 'spawn'?"),
        ('[[boundaries]]\ncall = "f"', "boundaries: needs call"),
        ('[[boundaries]]\ncall = "f"\nargument = 0\nserialiser = "dill"', "did you mean 'serializer'?"),
        ('[[boundaries]]\ncall = "f"\nargument = 0\nserializer = "json"', "'json' is no serializer"),
        ('exclude = ["!"]', "exclude: not a pattern"),
        ("select = [", "not valid TOML"),
    ],
)
def test_a_mistake_is_named_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "mpsafe.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(file)
    message = str(caught.value)
    assert message.startswith(str(file)) and said in message and "\n" not in message


def test_a_bad_specifier_of_the_project_is_named(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nrequires-python = "three"\n')
    with pytest.raises(ConfigError, match="requires-python: 'three' is no version specifier"):
        load_root(tmp_path)


@pytest.mark.parametrize(
    ("specifier", "minors"),
    [
        (">=3.10", [10, 11, 12, 13, 14]),
        (">=3.8,<3.11", [8, 9, 10]),
        (">3.12", [12, 13, 14]),
        ("<=3.9", [8, 9]),
        ("~=3.11", [11, 12, 13, 14]),
        ("~=3.11.2", [11]),
        ("==3.12.*", [12]),
        ("!=3.10.*, >=3.9, <3.12", [9, 11]),
        (">=3.13.1", [13, 14]),
        (">=3.15", []),
        (">=2.7, <4", [8, 9, 10, 11, 12, 13, 14]),
    ],
)
def test_version_specifiers(specifier: str, minors: list[int]) -> None:
    assert [minor for _, minor in matching_versions(specifier)] == minors


@pytest.mark.parametrize("text", ["3.12", "py312", "==3.12.*"])
def test_forms_of_a_target_version(text: str) -> None:
    assert read("target-version", text) == ((3, 12),)


def selected(**keys: object) -> set[str]:
    config = Config(**keys)  # type: ignore[arg-type]
    return {code for code in all_codes() if config.selects(code)}


def test_selection() -> None:
    default = {code for code, rule in all_codes().items() if rule.default}
    tool = {"MPS900", "MPS901"}
    assert selected() == default
    assert selected(select=("MPS",)) == default
    assert selected(select=("ALL",)) == set(all_codes())
    assert selected(select=("MPS102",)) == {"MPS102"} | tool
    assert selected(select=("lambda",)) == {"MPS102", "MPS202"} | tool
    assert selected(extend_select=("MPS4",)) == default | {c for c in all_codes() if c.startswith("MPS4")}
    assert selected(ignore=("MPS1",)) == {code for code in default if not code.startswith("MPS1")}
    assert selected(select=("MPS1",), ignore=("MPS10",), extend_select=("MPS102",)) >= {"MPS102", "MPS111"}
    assert "MPS101" not in selected(select=("MPS1",), ignore=("MPS10",), extend_select=("MPS102",))
    assert selected(select=("MPS1",), ignore=("MPS1",)) == tool
    assert selected(select=("MPS102",), ignore=("MPS9",)) == {"MPS102"}
    assert selected(select=()) == tool


def test_repairs_wanted() -> None:
    config = Config(fixable=("MPS1",), unfixable=("lambda",))
    assert [config.repairs(code) for code in ("MPS101", "MPS102", "MPS201")] == [True, False, False]


def test_reporting_keys_come_from_the_nearest_file(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "mpsafe.toml").write_text('ignore = ["MPS2"]\n[per-file-ignores]\n"b/x.py" = ["MPS101"]\n')
    root = Config(ignore=("MPS1",), folder=tmp_path)
    reporting = Reporting(tmp_path, root, {})
    assert reporting.of("top.py").ignore == ("MPS1",)
    assert reporting.of("a/b/x.py").ignore == ("MPS2",)
    assert reporting.ignores("a/b/x.py", "MPS101")
    assert not reporting.ignores("a/b/y.py", "MPS101")
    assert not reporting.ignores("b/x.py", "MPS101")
    assert Reporting(tmp_path, root, {}, nearest=False).of("a/b/x.py").ignore == ("MPS1",)
    overridden = Reporting(tmp_path, root, {"ignore": (), "per_file_ignores": (("a/b/*.py", ("MPS3",)),)})
    assert overridden.of("a/b/x.py").ignore == ()
    assert overridden.ignores("a/b/x.py", "MPS301") and not overridden.ignores("a/b/x.py", "MPS101")
