"""A project: its root, its files, the environment that it runs in, and the texts of its files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from mpsafe_lint.config import Config
from mpsafe_lint.files.discovery import Discovery, Root, find_root
from mpsafe_lint.files.environment import Environment, find_environment
from mpsafe_lint.files.roots import ImportRoots
from mpsafe_lint.files.source import Source, SourceError, decode_text, read

__all__ = ["Project", "Source", "SourceError"]


@dataclass
class Project:
    """All Python files under a root.

    `files` are posix paths relative to the root, sorted; `given` are those of them that the user named, by themselves
    or by a folder. `overlay` holds the texts of files that are taken as if they were on disk (an editor's buffer).
    """

    root: Path
    files: tuple[str, ...]
    environment: Environment
    given: frozenset[str] = frozenset()
    overlay: Mapping[str, str] = field(default_factory=dict)
    src: tuple[str, ...] = ()
    _sources: dict[str, Source] = field(default_factory=dict, repr=False)

    @classmethod
    def load(
        cls,
        paths: Sequence[Path | str],
        config: Config,
        *,
        root: Root | None = None,
        overlay: Mapping[str, str] | None = None,
        force_exclude: bool = False,
    ) -> Project:
        """Find the project to which `paths` belong; each is a file or a folder.

        A path that is excluded is taken all the same when it was named itself, unless `force_exclude`. The keys of
        `overlay` are paths as well: a text for a file that need not exist, and that is given.
        Raises ConfigError where the environment that the configuration names is none.
        """
        named = [Path(path) for path in paths]
        texts = {Path(path): text for path, text in (overlay or {}).items()}
        root = root or find_root([*named, *texts])
        discovery = Discovery(root, config)
        files = set(discovery.project_files())
        given: set[str] = set()
        for path in named:
            inside = relative(path, root.path)
            if force_exclude and inside and discovery.is_excluded(inside):
                continue
            given |= _named_files(path, inside, files, discovery)
        inside_texts = {relative(path, root.path): text for path, text in texts.items()}
        given |= set(inside_texts)
        return cls(
            root=root.path,
            files=tuple(sorted(files | given)),
            environment=find_environment(root.path, config.python),
            given=frozenset(given),
            overlay=inside_texts,
            src=config.src,
        )

    def source(self, path: str) -> Source:
        """Return a file's text; `path` is relative to the root, or absolute for a library's. Raises SourceError."""
        if path not in self._sources:
            if path in self.overlay:
                self._sources[path] = decode_text(self.overlay[path], path)
            else:
                self._sources[path] = read(self.root / path, path)
        return self._sources[path]

    @property
    def sources_read(self) -> tuple[str, ...]:
        """The files whose text was asked for, those of libraries among them."""
        return tuple(self._sources)

    def overlaid(self, texts: Mapping[str, str]) -> Project:
        """Return the project as if some of its files had other texts. Raises SourceError for one that can't be read."""
        sources = {path: self.source(path).with_text(text) for path, text in texts.items()}
        return replace(self, overlay={**self.overlay, **texts}, _sources={**self._sources, **sources})

    def module_name(self, path: str) -> str:
        """Return the name under which a file of the project is imported."""
        return self.roots.module_name(path)

    @cached_property
    def roots(self) -> ImportRoots:
        """Which module a file is, and the other way round."""
        return ImportRoots(self.files, self.src)

    def find_module(self, dotted: str, importing: str) -> str | None:
        """Return the file that `import dotted` loads in the file `importing`.

        A file of the project is relative to its root, one of a library is absolute. None where there is no source.
        """
        if importing in self.file_set and (found := self.roots.find_module(dotted, importing)):
            return found
        library = self.environment.locate(dotted)
        if library.kind == "missing":
            return self.roots.find_top(dotted)
        if library.kind != "source" or library.path is None:
            return None
        own = relative(Path(library.path), self.root)
        return own if own in self.file_set else library.path

    def is_missing(self, dotted: str, importing: str) -> bool:
        """Whether nothing has that name: no source, and no extension, builtin or namespace package either."""
        if self.environment.locate(dotted).kind != "missing" or self.find_module(dotted, importing):
            return False
        return importing not in self.file_set or not self.roots.is_namespace(dotted, importing)

    @cached_property
    def file_set(self) -> frozenset[str]:
        """The files, for asking whether a path is one of them."""
        return frozenset(self.files)


def relative(path: Path, root: Path) -> str:
    """Return a path as findings name it: relative to the root, with `/`; absolute where it lies outside."""
    absolute = Path(os.path.abspath(path))
    if not absolute.is_relative_to(root):
        return absolute.as_posix()
    inside = absolute.relative_to(root).as_posix()
    return "" if inside == "." else inside


def _named_files(path: Path, inside: str, files: Iterable[str], discovery: Discovery) -> set[str]:
    if not path.is_dir():
        return set() if path.suffix == ".pyi" else {inside}
    below = {file for file in files if not inside or file.startswith(inside + "/")}
    return below | set(discovery.below(inside))
