"""A project as it was at a revision of git. Nothing is checked out: the texts come from git's own store."""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mpsafe_lint.config import Config, ConfigError
from mpsafe_lint.files.discovery import SUFFIXES, Discovery, Root
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import Source, SourceError, decode

_LINK = "120000"


def project_at(revision: str, project: Project, config: Config) -> Project:
    """Return a project as it was: its files then, all of them given, in the environment of today. Raises ConfigError.

    A file that could not be decoded then is left out.
    """
    git = _Git(project.root, revision)
    blobs = git.blobs()
    discovery = Discovery(Root(project.root, True), config)
    wanted = {
        path: blob
        for path, blob in blobs.items()
        if path in project.file_set or (path.endswith(SUFFIXES) and not discovery.is_excluded(path))
    }
    sources = dict(_decoded(wanted, git.contents(wanted.values())))
    files = tuple(sorted(sources))
    return replace(project, files=files, given=frozenset(files), overlay={}, _sources=sources)


def _decoded(blobs: Mapping[str, str], contents: Mapping[str, bytes]) -> Iterator[tuple[str, Source]]:
    for path, blob in blobs.items():
        try:
            yield path, decode(contents[blob], path)
        except SourceError:
            continue


class _Git:
    """Asks git about one revision of the repository that a folder lies in."""

    def __init__(self, folder: os.PathLike[str], revision: str) -> None:
        self._folder = folder
        self._revision = revision
        self._run("rev-parse", "--git-dir")
        name = f"{revision}^{{commit}}"
        found = self._run("rev-parse", "--verify", "--end-of-options", name, failed="git knows no such revision")
        self._commit = found.decode().strip()

    def blobs(self) -> dict[str, str]:
        """Return the blob of each file below the folder; that of a link is the blob of the file that it leads to."""
        entries: dict[str, tuple[str, str]] = {}
        for entry in os.fsdecode(self._run("ls-tree", "-r", "-z", self._commit)).split("\0")[:-1]:
            about, _, path = entry.partition("\t")
            mode, _, blob = about.split()
            entries[path] = mode, blob
        links = self.contents(blob for mode, blob in entries.values() if mode == _LINK)
        found = {}
        for path, (mode, blob) in entries.items():
            if mode == _LINK:
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), os.fsdecode(links[blob])))
                mode, blob = entries.get(target, (_LINK, ""))
            if mode != _LINK:
                found[path] = blob
        return found

    def contents(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """Return what is in blobs."""
        asked = list(dict.fromkeys(blobs))
        data = self._run("cat-file", "--batch", given="".join(f"{blob}\n" for blob in asked).encode())
        found, at = {}, 0
        for blob in asked:
            head, at = data[at : data.index(b"\n", at)], data.index(b"\n", at) + 1
            size = int(head.split()[-1])
            found[blob] = data[at : at + size]
            at += size + 1
        return found

    def _run(self, *arguments: str, given: bytes = b"", failed: str = "") -> bytes:
        try:
            done = subprocess.run(
                ["git", *arguments],
                cwd=self._folder,
                input=given,
                capture_output=True,
                env={**os.environ, "LC_ALL": "C"},
            )
        except OSError as error:
            raise ConfigError(f"--diff-base: git cannot be run: {error.strerror}") from None
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            reason = failed or (said[0].removeprefix("fatal: ") if said else f"git ended with {done.returncode}")
            raise ConfigError(f"--diff-base {self._revision}: {reason}")
        return done.stdout
