"""What is found in the documents that an editor has open."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from mpsafe_lint.check import check
from mpsafe_lint.config import ConfigError, Reporting, load_root
from mpsafe_lint.files.discovery import Discovery, Root, find_root
from mpsafe_lint.files.project import Project, relative
from mpsafe_lint.findings import Finding
from mpsafe_lint.repairs import attach
from mpsafe_lint.reports.report import Report
from mpsafe_lint.suppress import show
from mpsafe_lint.suppress.baseline import entries

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in the open documents of one project, each finding with its repair; or why none could be."""

    report: Report | None
    documents: frozenset[Path]
    error: str = ""

    def findings(self, document: Path) -> list[Finding]:
        """Return the findings that stand in a document."""
        if self.report is None:
            return []
        return [one for one in self.report.findings if self.report.project.root / one.span.path == document]


def look(texts: Mapping[Path, str]) -> list[Looked]:
    """Analyse the projects that documents belong to, as if the files held these texts."""
    by_root: dict[Root, list[Path]] = {}
    for path in texts:
        by_root.setdefault(find_root([path]), []).append(path)
    return [_look(root, {path: texts[path] for path in paths}) for root, paths in by_root.items()]


def _look(root: Root, texts: Mapping[Path, str]) -> Looked:
    documents = frozenset(texts)
    try:
        config = load_root(root.path)
        discovery = Discovery(root, config)
        overlay = {path: text for path, text in texts.items() if not discovery.is_excluded(relative(path, root.path))}
        project = Project.load([], config, root=root, overlay={str(path): text for path, text in overlay.items()})
        reporting = Reporting(root.path, config, {})
        known = entries(config, root.path)
        shown = show(check(project, config).findings, project, reporting, baseline=known).findings
    except ConfigError as error:
        return Looked(None, documents, str(error))
    here = _standing_in(shown, documents, root.path)
    return Looked(Report(attach(here, project), project, reporting, folder=root.path), documents)


def _standing_in(findings: Iterable[Finding], documents: frozenset[Path], root: Path) -> list[Finding]:
    return [finding for finding in findings if root / finding.span.path in documents]


async def in_background(action: Callable[[], Result]) -> Result:
    """Call `action` in a thread that keeps nobody from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(set_it: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(lambda: None if future.cancelled() else set_it())

    def run() -> None:
        try:
            result = action()
        except BaseException as error:
            failure = error
            settle(lambda: future.set_exception(failure))
        else:
            settle(lambda: future.set_result(result))

    threading.Thread(target=run, name="mpsafe-lint server", daemon=True).start()
    return await future
