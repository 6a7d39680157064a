"""Which files a project has: its root, and the Python files under it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pathspec

from mpsafe_lint.config import DEFAULT_EXCLUDE, Config, ConfigError, config_file, globs

SUFFIXES = (".py", ".ipynb")
"""What the names of files end with that are looked for."""

_BUILT = frozenset({"build", "dist"})
"""Names of folders that hold what is built, unless they are packages inside packages."""


@dataclass(frozen=True, slots=True)
class Root:
    """The root of a project. Where nothing marks it (no configuration, no .git), `marked` is False: it is a guess."""

    path: Path
    marked: bool


def find_root(paths: Sequence[Path]) -> Root:
    """Return the root that given paths have in common.

    That is the nearest ancestor with a configuration, else with `.git`, else the parent of the top package.
    """
    absolute = [Path(os.path.abspath(path)) for path in paths] or [Path.cwd()]
    folders = [path if path.is_dir() else path.parent for path in absolute]
    start = Path(os.path.commonpath(folders)) if len({f.anchor for f in folders}) == 1 else folders[0]
    ancestors = [start, *start.parents]
    for folder in ancestors:
        if _is_configured(folder):
            return Root(folder, True)
    for folder in ancestors:
        if (folder / ".git").exists():
            return Root(folder, True)
    return Root(next(folder for folder in ancestors if not (folder / "__init__.py").is_file()), False)


def _is_configured(folder: Path) -> bool:
    try:
        return config_file(folder) is not None
    except ConfigError:
        return True  # whoever reads it will say what is wrong with it


class Discovery:
    """Finds the Python files under a root, and leaves out what `exclude` and `.gitignore` name.

    Links to folders are not followed, links to files only where they stay inside the root: so a loop is no danger, and
    nothing outside is read.
    """

    def __init__(self, root: Root, config: Config) -> None:
        self._root = root.path
        self._marked = root.marked
        self._real_root = os.path.realpath(root.path)
        self._exclude = globs((*config.exclude, *config.extend_exclude))
        named = {pattern.strip("/") for pattern in config.extend_exclude}
        self._excludes_defaults = config.exclude == DEFAULT_EXCLUDE and not named & _BUILT

    def project_files(self) -> list[str]:
        """Return the files of the project, as posix paths relative to the root."""
        return list(self._walk("", self._ignores_above(), only_packages=not self._marked))

    def below(self, path: str) -> list[str]:
        """Return the files below one folder that was named itself, and so may be one that is excluded."""
        if self.is_excluded(path):
            return list(self._walk(path, [], base=f"{path}/"))
        return list(self._walk(path, self._ignores_of_ancestors(path)))

    def is_excluded(self, path: str) -> bool:
        """Whether `exclude` or a `.gitignore` leaves a path out, by itself or by a folder above it."""
        parts = path.split("/") if path else []
        for depth in range(len(parts)):
            entry = "/".join(parts[: depth + 1])
            is_folder = depth + 1 < len(parts) or os.path.isdir(self._root / entry)
            if self._excludes(entry, is_folder, self._ignores_of_ancestors(entry)):
                return True
        return False

    def _walk(
        self, folder: str, ignores: list[_Ignore], *, base: str = "", only_packages: bool = False
    ) -> Iterator[str]:
        """Yield the files below a folder. What `exclude` says is taken of paths below `base`."""
        try:
            with os.scandir(self._root / folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except PermissionError:
            yield folder  # it is told as a file that can't be read
            return
        except OSError:
            return  # vanished meanwhile
        ignores = ignores + self._ignore_of(folder)
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not (entry.name.endswith(SUFFIXES) and self._is_ours(entry)):
                continue
            if self._excludes(path, is_folder, ignores, base):
                continue
            if not is_folder:
                yield path
            elif not only_packages or _is_package(entry.path) or entry.name == "src":
                # a guessed root may be a home folder: from there, only packages are taken
                yield from self._walk(path, ignores, base=base)

    def _is_ours(self, entry: os.DirEntry[str]) -> bool:
        """Whether an entry is a file, and inside the root if it is a link. A dangling link is ours: it is reported."""
        if not entry.is_symlink():
            return entry.is_file()
        target = os.path.realpath(entry.path)
        return Path(target).is_relative_to(self._real_root) and (os.path.isfile(target) or not os.path.exists(target))

    def _excludes(self, path: str, is_folder: bool, ignores: Iterable[_Ignore], base: str = "") -> bool:
        name = path + "/" if is_folder else path
        if self._exclude.match_file(self._without_code(name.removeprefix(base), base)):
            return True
        verdict = False
        for ignore in ignores:
            said = ignore.says(name)
            verdict = verdict if said is None else said
        return verdict

    def _without_code(self, name: str, base: str) -> str:
        """Leave out of a path the folders that have the name of what is built, and are packages inside packages."""
        parts = name.split("/")
        if not self._excludes_defaults or _BUILT.isdisjoint(parts[:-1]):
            return name
        folders = [self._root / base / "/".join(parts[: i + 1]) for i in range(len(parts) - 1)]
        left = [
            part
            for part, folder in zip(parts, folders, strict=False)
            if part not in _BUILT or not (_is_package(str(folder)) and _is_package(str(folder.parent)))
        ]
        return "/".join([*left, parts[-1]])

    def _ignore_of(self, folder: str) -> list[_Ignore]:
        return _Ignore.read(self._root / folder / ".gitignore", f"{folder}/" if folder else "", "")

    def _ignores_of_ancestors(self, path: str) -> list[_Ignore]:
        """The .gitignore files that speak of a path: those of the folders that hold it."""
        folders = ["/".join(path.split("/")[:depth]) for depth in range(len(path.split("/")) if path else 0)]
        return [*self._ignores_above(), *(ignore for folder in folders for ignore in self._ignore_of(folder))]

    def _ignores_above(self) -> list[_Ignore]:
        """The .gitignore files between the top of the repository and the root."""
        top = next((folder for folder in (self._root, *self._root.parents) if (folder / ".git").exists()), None)
        if top is None:
            return []
        found = _Ignore.read(top / ".git" / "info" / "exclude", "", _prefix(top, self._root))
        between = [folder for folder in reversed(self._root.parents) if folder.is_relative_to(top)]
        for folder in between:
            found += _Ignore.read(folder / ".gitignore", "", _prefix(folder, self._root))
        return found


@dataclass(frozen=True)
class _Ignore:
    """One .gitignore. `base` is its folder below the root; `above` is the way from its folder down to the root."""

    patterns: pathspec.GitIgnoreSpec
    base: str
    above: str

    @staticmethod
    def read(file: Path, base: str, above: str) -> list[_Ignore]:
        """Return the file's patterns, or nothing where there is none."""
        try:
            lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        except OSError:
            return []
        return [_Ignore(_spec(lines), base, above)]

    def says(self, path: str) -> bool | None:
        """Whether it ignores a path below the root; None where it says nothing of it."""
        return self.patterns.check_file(self.above + path.removeprefix(self.base)).include


def _prefix(folder: Path, root: Path) -> str:
    relative = root.relative_to(folder).as_posix()
    return "" if relative == "." else f"{relative}/"


def _spec(lines: Iterable[str]) -> pathspec.GitIgnoreSpec:
    """Read patterns one by one, so that one that git couldn't read either spoils no other."""
    spec = pathspec.GitIgnoreSpec([])
    for line in lines:
        try:
            spec += pathspec.GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
    return spec


def _is_package(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "__init__.py"))
