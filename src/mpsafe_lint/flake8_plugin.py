"""The plugin for flake8. Importing it is cheap: whatever the analysis needs is imported when it starts."""

from __future__ import annotations

import os

from mpsafe_lint import __version__

TYPE_CHECKING = False  # as in typing, which flake8 has imported, and others may not have
if TYPE_CHECKING:
    import argparse
    import ast
    from collections.abc import Iterator
    from typing import Any, ClassVar

    from mpsafe_lint.findings import Finding


class Plugin:
    """Reports what the analysis of the whole project says of one file.

    flake8 reads the options in its main process, before it starts others: so the project is analysed there. Under fork
    the workers inherit what was found, under spawn and forkserver each reads the options again, and the cache.
    """

    name = "mpsafe-lint"
    version = __version__
    _found: ClassVar[dict[str, list[Finding]]] = {}

    def __init__(self, tree: ast.AST, filename: str) -> None:
        self._file = os.path.abspath(filename)

    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Analyse the project to which the files belong that flake8 was given."""
        cls._found = {}
        asked_for = _asked_for(options)
        if asked_for is None:
            return
        from flake8.exceptions import ExecutionError  # type: ignore[import-untyped, unused-ignore]

        from mpsafe_lint.config import ConfigError

        try:
            for file, finding in _analyse(options, asked_for):
                cls._found.setdefault(file, []).append(finding)
        except ConfigError as error:
            raise ExecutionError(f"mpsafe-lint: {error}") from None

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """Yield line, column (from 0: flake8 adds 1), text and source of each finding that stands in the file."""
        for finding in self._found.get(self._file, ()):
            yield finding.span.line, finding.span.column, f"{finding.code} {finding.message}", type(self)


def _asked_for(options: argparse.Namespace) -> tuple[str, ...] | None:
    """Return the selectors longer than `MPS` that flake8 was given, or None where it wants no rule of ours at all."""
    select = getattr(options, "select", None) or ()
    selectors = (*select, *(getattr(options, "extend_select", None) or ()))
    if select and not any(selector.startswith("MPS") or "MPS".startswith(selector) for selector in selectors):
        return None
    return tuple(selector for selector in selectors if selector.startswith("MPS") and selector != "MPS")


def _analyse(options: argparse.Namespace, asked_for: tuple[str, ...]) -> Iterator[tuple[str, Finding]]:
    """Yield each finding with the absolute path of its file. Rules that are off by default come only if asked for."""
    from dataclasses import replace
    from pathlib import Path

    from mpsafe_lint.cached import analyse
    from mpsafe_lint.config import Reporting, load_root, unknown_selector
    from mpsafe_lint.files.cache import folder_for
    from mpsafe_lint.files.discovery import find_root
    from mpsafe_lint.files.project import Project
    from mpsafe_lint.suppress import show
    from mpsafe_lint.suppress.baseline import entries

    names = options.filenames or ["."]  # what flake8 makes of it, later
    paths = [Path(name) for name in names if name != "-" and os.path.lexists(name)]
    overlay = _stdin(options)
    root = find_root([*paths, *map(Path, overlay)])
    config = load_root(root.path)
    known = tuple(selector for selector in asked_for if not unknown_selector(selector))
    overrides: dict[str, Any] = {"extend_select": (*config.extend_select, *known)} if known else {}
    config = replace(config, **overrides)
    project = Project.load(paths, config, root=root, overlay=overlay)
    reporting, known_findings = Reporting(root.path, config, overrides), entries(config, root.path)
    analysis = analyse(project, config, folder=folder_for(root, config), jobs=None)
    shown = show(analysis.findings, project, reporting, baseline=known_findings, noqa=False)
    for finding in shown.findings:
        if not finding.code.startswith("MPS9"):  # flake8 says itself what it can't parse
            yield os.path.abspath(root.path / finding.span.path), finding


def _stdin(options: argparse.Namespace) -> dict[str, str]:
    if "-" not in options.filenames:
        return {}
    from flake8.utils import stdin_get_value  # type: ignore[import-untyped, unused-ignore]

    return {options.stdin_display_name or "stdin": stdin_get_value()}
