"""The server: analyses what is open whenever it changed, and a short while nothing more did."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from mpsafe_lint import __version__
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.server.analysis import Looked, in_background, look
from mpsafe_lint.server.answers import Answers

DELAY = 0.3
"""Seconds for which nothing must change before it is analysed."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What was told of a document as it was in a version."""

    version: int | None
    answers: Answers
    findings: Sequence[tuple[Finding, lsp.Diagnostic]]


class Server(LanguageServer):
    """Looks at all open documents together: a change in one may make a finding in another."""

    def __init__(self) -> None:
        super().__init__("mpsafe-lint", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self._changes = 0
        self._task: asyncio.Task[None] | None = None
        self._told: dict[str, _Told] = {}
        self._said: set[str] = set()

    def changed(self) -> None:
        """Note that something is no longer as it was."""
        self._changes += 1
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._analyse())

    def closed(self, uri: str) -> None:
        """Forget a document, and let the editor forget what was said of it."""
        self._told.pop(uri, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        self.changed()

    def actions(self, uri: str, where: lsp.Range) -> list[lsp.CodeAction]:
        """Return the quick fixes for a place; none while the document isn't what was analysed."""
        told = self._told.get(uri)
        versions = self._versions()
        if told is None or versions.get(_path(uri)) != told.version:
            return []
        workspace = self.client_capabilities.workspace
        can_version = workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes
        return [
            told.answers.action(
                finding, diagnostic, told.answers.edit(finding.repair, versions if can_version else None)
            )
            for finding, diagnostic in told.findings
            if isinstance(finding.repair, Repair) and _overlap(diagnostic.range, where)
        ]

    async def _analyse(self) -> None:
        """Analyse until nothing changes any more."""
        seen = -1
        while seen != self._changes:
            seen = self._changes
            await asyncio.sleep(DELAY)
            if seen != self._changes:
                continue
            documents = self.workspace.text_documents
            uris = {_path(uri): uri for uri in documents if _is_ours(uri)}
            versions = self._versions()
            texts = {path: documents[uri].source for path, uri in uris.items()}
            try:
                found = await in_background(partial(look, texts))
            except Exception as error:
                self._complain({f"the analysis failed: {type(error).__name__}: {error}"})
                continue
            self._complain({looked.error for looked in found if looked.error})
            for looked in found:
                self._tell(looked, {path: uris[path] for path in looked.documents}, versions)

    def _complain(self, reasons: set[str]) -> None:
        """Say what is wrong, once."""
        for reason in sorted(reasons - self._said):
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"mpsafe-lint: {reason}"))
        self._said = reasons

    def _tell(self, looked: Looked, uris: dict[Path, str], versions: dict[Path, int | None]) -> None:
        for path, uri in uris.items():
            if uri not in self.workspace.text_documents:
                continue  # closed meanwhile
            diagnostics: list[lsp.Diagnostic] = []
            if looked.report is not None:
                encoding = self.workspace.position_encoding or lsp.PositionEncodingKind.Utf16
                answers = Answers(looked.report, str(getattr(encoding, "value", encoding)))
                findings = [(finding, answers.diagnostic(finding)) for finding in looked.findings(path)]
                self._told[uri] = _Told(versions[path], answers, findings)
                diagnostics = [diagnostic for _, diagnostic in findings]
            else:
                self._told.pop(uri, None)
            params = lsp.PublishDiagnosticsParams(uri, diagnostics, versions[path])
            self.text_document_publish_diagnostics(params)

    def _versions(self) -> dict[Path, int | None]:
        return {_path(uri): document.version for uri, document in self.workspace.text_documents.items()}


def make() -> Server:
    """Return a server that has yet to be started."""
    server = Server()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(_: lsp.DidOpenTextDocumentParams) -> None:
        server.changed()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def edited(_: lsp.DidChangeTextDocumentParams) -> None:
        server.changed()

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(_: lsp.DidSaveTextDocumentParams) -> None:
        server.changed()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def changed(_: lsp.DidChangeWatchedFilesParams) -> None:
        server.changed()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    kinds = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, kinds)
    async def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return server.actions(params.text_document.uri, params.range)

    return server


def _path(uri: str) -> Path:
    from pygls.uris import to_fs_path

    return Path(to_fs_path(uri) or uri)


def _is_ours(uri: str) -> bool:
    """Tell whether a document is a file of Python: not a buffer without a name, nor a cell of a notebook."""
    return uri.startswith("file:") and _path(uri).suffix == ".py"


def _overlap(one: lsp.Range, other: lsp.Range) -> bool:
    def place(position: lsp.Position) -> tuple[int, int]:
        return position.line, position.character

    return place(one.start) <= place(other.end) and place(other.start) <= place(one.end)
