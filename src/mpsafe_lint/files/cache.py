"""The cache: what a run found, kept with all that it hangs on. It is right, or it isn't used.

An entry is looked up by what a run is asked (the tool, the Python, the settings, the files) and holds of everything
that the run looked at what it was like: the contents of files, of the project and of libraries, and the names in the
folders in which modules were looked for, which tells of those that were not there as well.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import mpsafe_lint
from mpsafe_lint.config import Config
from mpsafe_lint.files.discovery import Root
from mpsafe_lint.files.environment import Environment
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import SourceError, digest_of

FOLDER = ".mpsafe_cache"

ENTRIES = 20
"""Entries that are kept, the latest ones."""


def folder_for(root: Root, config: Config) -> Path | None:
    """Return the folder of a project's cache: the one that the settings name, else one in the root, unless the root is
    a guess."""
    if config.cache_dir is not None:
        return Path(os.path.abspath((config.folder or root.path) / os.path.expanduser(config.cache_dir)))
    return root.path / FOLDER if root.marked else None


class Cache:
    """The entry for one project and its settings, in a folder."""

    def __init__(self, folder: Path, project: Project, config: Config, label: str) -> None:
        self._project = project
        self._folder = folder
        self._file = folder / f"{_key(project, config, label)}.json"

    def load(self) -> dict[str, Any] | None:
        """Return what was stored, if all is still as it was then. What this tool didn't write is passed over."""
        try:
            digest, _, text = self._file.read_bytes().partition(b"\n")
            if digest_of(text).encode() != digest:
                return None
            entry = json.loads(text)
            data = entry["data"] if self._holds(entry) else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        return data if isinstance(data, dict) else None

    def _holds(self, entry: dict[str, Any]) -> bool:
        listed = entry["folders"].items()
        if any(_listing(self._project.environment, folder) != digest for folder, digest in listed):
            return False
        return all(_contents(self._project, path) == digest for path, digest in entry["files"].items())

    def store(self, data: dict[str, Any]) -> None:
        """Keep `data`, with what the project's files and its environment were asked for. Where that can't be written,
        nothing is kept."""
        project = self._project
        looked_at = {*project.files, *project.sources_read}
        entry = {
            "files": {path: _contents(project, path) for path in sorted(looked_at)},
            "folders": {one: _listing(project.environment, one) for one in sorted(project.environment.folders_read)},
            "data": data,
        }
        text = json.dumps(entry).encode("utf-8", "surrogatepass")
        with contextlib.suppress(OSError, ValueError):
            self._folder.mkdir(parents=True, exist_ok=True)
            ignore = self._folder / ".gitignore"
            if not ignore.exists():
                _write(ignore, b"*\n")
            _write(self._file, digest_of(text).encode() + b"\n" + text)
            self._forget_old()

    def _forget_old(self) -> None:
        entries = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in entries[ENTRIES:]:
            file.unlink(missing_ok=True)


def _write(file: Path, data: bytes) -> None:
    """Write a file so that nobody sees a part of it."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise


def _key(project: Project, config: Config, label: str) -> str:
    environment = project.environment
    parts = (
        _tool(),
        sys.version,
        label,
        str(project.root),
        project.files,
        sorted(project.overlay),
        project.src,
        (str(environment.prefix), environment.version, environment.paths),
        (config.targets, config.start_methods, config.crossing_classes, config.boundaries, config.safe_types),
    )
    return digest_of(repr(parts).encode("utf-8", "surrogatepass"))


@cache
def _tool() -> tuple[str, str]:
    """Return what tells one version of this tool from another, also while somebody works on it."""
    package = Path(mpsafe_lint.__file__).parent
    files = sorted(path for path in package.rglob("*.py"))
    stamps = [(path.relative_to(package).as_posix(), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return mpsafe_lint.__version__, digest_of(repr(stamps).encode())


def _contents(project: Project, path: str) -> str:
    """Return the digest of a file's contents, or why it can't be read."""
    try:
        return project.source(path).digest
    except SourceError as error:
        return f"{error.line}: {error}"


def _listing(environment: Environment, folder: str) -> str:
    return digest_of(repr(sorted(environment.names_in(folder).items())).encode("utf-8", "surrogatepass"))
