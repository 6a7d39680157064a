"""The configuration: `[tool.mpsafe-lint]` in pyproject.toml, or mpsafe.toml."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mpsafe_lint.knowledge.rules import BY_KIND, TOOL, Rule, all_codes

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

Version = tuple[int, int]

KNOWN_VERSIONS: tuple[Version, ...] = tuple((3, minor) for minor in range(8, 15))
DEFAULT_VERSIONS: tuple[Version, ...] = tuple((3, minor) for minor in range(10, 15))
START_METHODS = ("fork", "spawn", "forkserver")
SERIALIZERS = ("pickle", "cloudpickle", "dill")

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mpsafe_cache",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)

REPORTING_KEYS = frozenset(
    {"select", "ignore", "extend_select", "per_file_ignores", "fixable", "unfixable", "unsafe_fixes"}
)
"""Keys that are taken from the configuration file nearest to a file; all others come from the root alone."""


@lru_cache(maxsize=1)
def _rules() -> dict[str, Rule]:
    """Every code with its rule."""
    return all_codes()


class ConfigError(Exception):
    """The configuration can't be used. The message is one line that names file, key and remedy."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """A further boundary: `argument` (a name or a position) of a call of `call` (a qualified name) is sent."""

    call: str
    argument: str | int
    serializer: str = "pickle"


@dataclass(frozen=True, slots=True)
class Config:
    """What the user asked for. `folder` is where the file lies that said so: globs are relative to it.

    `select` is None where nothing was selected: the rules that are on by default. `target_version` holds the versions
    that are targeted, empty where nothing says so, and `start_method` the start methods, likewise.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    src: tuple[str, ...] = ()
    python: str | None = None
    target_version: tuple[Version, ...] = ()
    start_method: tuple[str, ...] = ()
    cache_dir: str | None = None
    fixable: tuple[str, ...] = ("ALL",)
    unfixable: tuple[str, ...] = ()
    unsafe_fixes: bool = False
    crossing_classes: tuple[str, ...] = ()
    boundaries: tuple[Boundary, ...] = ()
    safe_types: tuple[str, ...] = ()
    baseline: str | None = None
    folder: Path | None = None

    @property
    def targets(self) -> tuple[Version, ...]:
        """The Pythons that the analysed code is meant for, oldest first."""
        return self.target_version or DEFAULT_VERSIONS

    @property
    def start_methods(self) -> tuple[str, ...]:
        """The start methods that the analysed code may be run with."""
        return self.start_method or START_METHODS

    def selects(self, code: str) -> bool:
        """Whether findings of `code` are wanted. The longest prefix wins; of two equal ones the one that ignores.

        What a selection leaves out may still be a file that wasn't analysed: MPS900 and MPS901 have to be ignored.
        """
        rule = _rules()[code]
        wanted = _specificity(code, (*(self.select or ()), *self.extend_select))
        if rule.default and (self.select is None or rule in TOOL):
            wanted = max(wanted, 0)
        return wanted > _specificity(code, self.ignore)

    def repairs(self, code: str) -> bool:
        """Whether findings of `code` may be repaired."""
        return _specificity(code, self.fixable) > _specificity(code, self.unfixable)


def _specificity(code: str, selectors: Iterable[str]) -> int:
    """Return the length of the longest of `selectors` that matches `code`, and -1 where none does."""
    return max(
        (len(code) if s in BY_KIND else len(s.removeprefix("ALL")) for s in selectors if matches(s, code)), default=-1
    )


def matches(selector: str, code: str) -> bool:
    """Whether `selector` (`ALL`, a prefix of a code, or a kind) stands for `code`.

    The bare `MPS` stands for the rules that are on by default, so that it means here what it means in flake8, where
    the plugin leaves the others out.

    >>> matches("MPS1", "MPS101"), matches("lambda", "MPS202"), matches("MPS", "MPS401"), matches("ALL", "MPS401")
    (True, True, False, True)
    """
    if selector == "ALL":
        return True
    rule = _rules()[code]
    return selector == rule.kind or (code.startswith(selector) and (selector != "MPS" or rule.default))


def unknown_selector(selector: str) -> str | None:
    """Return None where `selector` is known, and else a message that names the nearest known one."""
    if selector == "ALL" or selector in BY_KIND or _is_prefix(selector):
        return None
    known = ["ALL", *BY_KIND, *_rules()]
    known += sorted({code[:length] for code in _rules() for length in (3, 4, 5)})
    return f"unknown rule {selector!r}{_nearest(selector, known)}"


def _is_prefix(selector: str) -> bool:
    return selector.startswith("MPS") and any(code.startswith(selector) for code in _rules())


def _nearest(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.5)
    return f"; did you mean {by_lower[close[0]]!r}?" if close else ""


@lru_cache(maxsize=256)
def globs(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Return a matcher for patterns as in a .gitignore. Raises ConfigError for one that can't be read."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise ConfigError(f"not a pattern: {str(error).splitlines()[0]}") from None


# --- reading values -------------------------------------------------------------------------------------------------


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise ConfigError("must be a list of strings")
    return tuple(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError("must be a string")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ConfigError("must be true or false")
    return value


def selectors(value: Any) -> tuple[str, ...]:
    """Read a list of codes, prefixes and kinds."""
    words = tuple(word.strip() for word in _texts(value))
    for word in words:
        if message := unknown_selector(word):
            raise ConfigError(message)
    return words


def patterns(value: Any) -> tuple[str, ...]:
    """Read a list of patterns."""
    globs(_texts(value))
    return _texts(value)


def _per_file(value: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, Mapping):
        raise ConfigError("must be a table of glob = [codes]")
    globs(tuple(value))
    return tuple((glob, selectors(codes)) for glob, codes in value.items())


_SPECIFIER = re.compile(r"\s*[<>=!~]")


def versions(value: Any) -> tuple[Version, ...]:
    """Read `"3.11"`, `"py311"`, a list of these, or a specifier such as `">=3.10,<3.14"`."""
    if isinstance(value, str):
        words = [value] if _SPECIFIER.match(value) else value.split(",")
    else:
        words = list(_texts(value))
    found: set[Version] = set()
    for word in words:
        if match := re.fullmatch(r"(?:py)?3\.?(\d{1,2})", word.strip()):
            found.add((3, int(match[1])))
        elif _SPECIFIER.match(word):
            found.update(matching_versions(word))
        else:
            raise ConfigError(f"{word!r} is no Python version: write '3.12', 'py312' or '>=3.10'")
    if unknown := sorted(found - set(KNOWN_VERSIONS)):
        oldest, newest = (f"3.{v[1]}" for v in (KNOWN_VERSIONS[0], KNOWN_VERSIONS[-1]))
        raise ConfigError(f"3.{unknown[0][1]} is not known: {oldest} to {newest} are")
    if not found:
        raise ConfigError(f"{value!r} names no known Python version")
    return tuple(sorted(found))


def matching_versions(specifier: str) -> tuple[Version, ...]:
    """Return the known versions of which some release satisfies a version specifier (PEP 440).

    >>> matching_versions(">=3.12.1, <4, !=3.13.*")
    ((3, 12), (3, 14))
    """
    clauses = [
        re.fullmatch(r"\s*(~=|[<>=!]=?=?)\s*v?(\d+(?:\.\d+)*)(\.\*)?\S*\s*", c)
        for c in specifier.split(",")
        if c.strip()
    ]
    if not clauses or None in clauses:
        raise ConfigError(f"{specifier!r} is no version specifier")
    parsed = [(c[1], tuple(int(n) for n in c[2].split(".")), bool(c[3])) for c in clauses if c]
    return tuple(
        version
        for version in KNOWN_VERSIONS
        if any(all(_satisfies((*version, micro), *clause) for clause in parsed) for micro in range(30))
    )


def _satisfies(release: tuple[int, ...], operator: str, bound: tuple[int, ...], wildcard: bool) -> bool:
    if wildcard:
        return (release[: len(bound)] == bound) == (operator != "!=")
    bound3 = (*bound, 0, 0)[: max(3, len(bound))]
    return {
        ">=": release >= bound3,
        ">": release > bound3,
        "<=": release <= bound3,
        "<": release < bound3,
        "==": release == bound3,
        "===": release == bound3,
        "!=": release != bound3,
        "~=": release >= bound3 and release[: len(bound) - 1] == bound[:-1],
    }[operator]


def start_methods(value: Any) -> tuple[str, ...]:
    """Read one start method, or a list of them."""
    words = [value] if isinstance(value, str) else list(_texts(value))
    for word in words:
        if word not in START_METHODS:
            raise ConfigError(f"{word!r} is no start method{_nearest(word, START_METHODS)}")
    return tuple(method for method in START_METHODS if method in words)


def _boundaries(value: Any) -> tuple[Boundary, ...]:
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise ConfigError("must be a list of tables with call, argument and serializer")
    return tuple(_boundary(item) for item in value)


def _boundary(item: Mapping[str, Any]) -> Boundary:
    for key in item:
        if key not in ("call", "argument", "serializer"):
            raise ConfigError(f"unknown key {key!r}{_nearest(key, ('call', 'argument', 'serializer'))}")
    call, argument, serializer = item.get("call"), item.get("argument"), item.get("serializer", "pickle")
    if not isinstance(call, str) or not isinstance(argument, (str, int)) or isinstance(argument, bool):
        raise ConfigError("needs call (a qualified name) and argument (a name or a position)")
    if serializer not in SERIALIZERS:
        raise ConfigError(f"{serializer!r} is no serializer: use one of {', '.join(SERIALIZERS)}")
    return Boundary(call, argument, serializer)


_READERS: dict[str, Callable[[Any], Any]] = {
    "select": selectors,
    "ignore": selectors,
    "extend-select": selectors,
    "per-file-ignores": _per_file,
    "exclude": patterns,
    "extend-exclude": patterns,
    "src": _texts,
    "python": _text,
    "target-version": versions,
    "start-method": start_methods,
    "cache-dir": _text,
    "fixable": selectors,
    "unfixable": selectors,
    "unsafe-fixes": _flag,
    "crossing-classes": _texts,
    "boundaries": _boundaries,
    "safe-types": _texts,
    "baseline": _text,
}
KEYS = tuple(_READERS)


def read(key: str, value: Any) -> Any:
    """Return what the value of a key stands for. Raises ConfigError where it is none for this key."""
    return _READERS[key](value)


# --- reading files --------------------------------------------------------------------------------------------------


def read_toml(path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file; a ConfigError says why it can't be read."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid TOML: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None


def config_file(folder: Path) -> Path | None:
    """Return the configuration file of a folder: mpsafe.toml, else a pyproject.toml that has the table."""
    own, shared = folder / "mpsafe.toml", folder / "pyproject.toml"
    if own.is_file():
        return own
    if shared.is_file() and "mpsafe-lint" in _tools(read_toml(shared)):
        return shared
    return None


def _tools(document: Mapping[str, Any]) -> Mapping[str, Any]:
    tools = document.get("tool", {})
    return tools if isinstance(tools, Mapping) else {}


def load(file: Path) -> Config:
    """Read one configuration file. Raises ConfigError, which names file and key."""
    document = read_toml(file)
    table: Any = document
    where = f"{file}"
    if file.name == "pyproject.toml":
        table, where = _tools(document).get("mpsafe-lint", {}), f"{file}: [tool.mpsafe-lint]"
    if not isinstance(table, Mapping):
        raise ConfigError(f"{where} must be a table")
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in KEYS:
            raise ConfigError(f"{where}: unknown key {key!r}{_nearest(key, KEYS)}")
        try:
            values[key.replace("-", "_")] = read(key, value)
        except ConfigError as error:
            raise ConfigError(f"{where}: {key}: {error}") from None
    return Config(**values, folder=file.parent)


def load_root(root: Path, file: Path | None = None, isolated: bool = False) -> Config:
    """Return the configuration of a project: of its root, or of `file` where that is named.

    What the project says in `project.requires-python` stands in for a missing `target-version`.
    """
    file = None if isolated else file or config_file(root)
    config = load(file) if file else Config(folder=root)
    if isolated or config.target_version or not (root / "pyproject.toml").is_file():
        return config
    project = read_toml(root / "pyproject.toml").get("project", {})
    required = project.get("requires-python") if isinstance(project, Mapping) else None
    if not isinstance(required, str):
        return config
    try:
        return replace(config, target_version=matching_versions(required))
    except ConfigError as error:
        raise ConfigError(f"{root / 'pyproject.toml'}: [project]: requires-python: {error}") from None


class Reporting:
    """The configuration that decides what is reported of a file: that of the folder nearest to it.

    `overrides` (from the command line) win over every file. With `nearest=False` the root's is used throughout.
    """

    def __init__(self, root: Path, config: Config, overrides: Mapping[str, Any], nearest: bool = True) -> None:
        self._overrides = {key: value for key, value in overrides.items() if key in REPORTING_KEYS}
        if "per_file_ignores" in self._overrides:
            self._overrides["folder"] = root
        self._nearest = nearest
        self._root = root
        self._configs: dict[Path, Config] = {root: config}

    def of(self, path: str) -> Config:
        """Return the configuration for a file; `path` is relative to the root, or absolute."""
        return self._of_folder((self._root / path).parent)

    def ignores(self, path: str, code: str) -> bool:
        """Whether `per-file-ignores` of the nearest configuration leaves `code` out in a file."""
        config = self.of(path)
        if not config.per_file_ignores:
            return False
        file, folder = self._root / path, config.folder or self._root
        name = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else path
        return any(
            any(matches(selector, code) for selector in codes) and globs((glob,)).match_file(name)
            for glob, codes in config.per_file_ignores
        )

    def _of_folder(self, folder: Path) -> Config:
        if folder not in self._configs:
            if not self._nearest or not folder.is_relative_to(self._root):
                return self._configs[self._root]
            file = config_file(folder)
            self._configs[folder] = replace(load(file), **self._overrides) if file else self._of_folder(folder.parent)
        return self._configs[folder]


def as_toml(config: Config) -> str:
    """Return a configuration as a TOML file would say it, with what is targeted spelt out; a key without a value is a
    comment.
    """
    config = replace(config, target_version=config.targets, start_method=config.start_methods)
    lines = []
    for key in KEYS:
        value = getattr(config, key.replace("-", "_"))
        lines.append(f"# {key}: not set" if value is None else f"{key} = {_toml(key, value)}")
    return "\n".join(lines) + "\n"


def _toml(key: str, value: Any) -> str:
    if key == "target-version":
        value = [f"{major}.{minor}" for major, minor in value]
    if key == "per-file-ignores":
        return "{" + ", ".join(f"{json.dumps(glob)} = {json.dumps(codes)}" for glob, codes in value) + "}"
    if key == "boundaries":
        tables = (", ".join(f"{f.name} = {json.dumps(getattr(item, f.name))}" for f in fields(item)) for item in value)
        return "[" + ", ".join(f"{{{table}}}" for table in tables) + "]"
    return json.dumps(value)
