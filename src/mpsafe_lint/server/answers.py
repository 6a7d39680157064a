"""Findings and repairs in the words of the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from lsprotocol import types as lsp

from mpsafe_lint.files.source import SourceError
from mpsafe_lint.findings import Finding, Repair, Span
from mpsafe_lint.reports.report import Report, advice, chain_text, receiver, severity, when

_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}


class Answers:
    """Says what a report holds, with columns in the units that the editor counts in."""

    def __init__(self, report: Report, encoding: str) -> None:
        self._report = report
        self._encoding = encoding

    def diagnostic(self, finding: Finding) -> lsp.Diagnostic:
        """Return a finding, with the way to it as related places."""
        return lsp.Diagnostic(
            range=self.range(finding.span),
            message=f"{finding.message}\n{advice(finding)}",
            severity=_SEVERITIES[severity(finding.code)],
            code=finding.code,
            source="mpsafe-lint",
            related_information=list(self._way(finding)),
            data={"fingerprint": finding.fingerprint},
        )

    def action(self, finding: Finding, diagnostic: lsp.Diagnostic, edit: lsp.WorkspaceEdit) -> lsp.CodeAction:
        """Return the quick fix of a finding that has a repair."""
        repair = finding.repair
        assert isinstance(repair, Repair)
        safe = repair.applicability == "safe"
        title = f"{finding.code}: {repair.summary}"
        return lsp.CodeAction(
            title=title if safe else f"{title} (unsafe: {repair.caution or 'it may change what the program does'})",
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[diagnostic],
            is_preferred=safe,
            edit=edit,
        )

    def edit(self, repair: Repair, versions: Mapping[Path, int | None] | None) -> lsp.WorkspaceEdit:
        """Return the edits of a repair; with `versions`, for the documents as they are in these."""
        by_file: dict[Path, list[lsp.TextEdit]] = {}
        for edit in repair.edits:
            file = self._report.project.root / edit.span.path
            by_file.setdefault(file, []).append(lsp.TextEdit(self.range(edit.span), edit.text))
        if versions is None:
            return lsp.WorkspaceEdit(changes={file.as_uri(): edits for file, edits in by_file.items()})
        return lsp.WorkspaceEdit(
            document_changes=[
                lsp.TextDocumentEdit(
                    lsp.OptionalVersionedTextDocumentIdentifier(file.as_uri(), versions.get(file)), edits
                )
                for file, edits in by_file.items()
            ]
        )

    def range(self, span: Span) -> lsp.Range:
        """Return a span as the editor counts."""
        start = lsp.Position(span.line - 1, self._column(span.path, span.line, span.column))
        return lsp.Range(
            start, lsp.Position(span.end_line - 1, self._column(span.path, span.end_line, span.end_column))
        )

    def _way(self, finding: Finding) -> Iterator[lsp.DiagnosticRelatedInformation]:
        crossing = finding.crossing
        if crossing is None:
            return
        sent = f"{crossing.sent} is sent to {receiver(crossing)}, {when(crossing.methods)}"
        yield lsp.DiagnosticRelatedInformation(self._location(crossing.span), sent)
        for depth, step in enumerate(finding.chain):
            if step.span:
                text = chain_text(crossing, finding.chain[: depth + 1])
                yield lsp.DiagnosticRelatedInformation(self._location(step.span), text)
        for other in finding.also:
            text = f"also sent to {receiver(other)} as {other.sent}"
            yield lsp.DiagnosticRelatedInformation(self._location(other.span), text)

    def _location(self, span: Span) -> lsp.Location:
        return lsp.Location((self._report.project.root / span.path).as_uri(), self.range(span))

    def _column(self, path: str, line: int, column: int) -> int:
        """Convert a column from code points."""
        if self._encoding == "utf-32":
            return column
        try:
            lines = self._report.project.source(path).lines
        except SourceError:
            return column
        text = lines[line - 1][:column] if line <= len(lines) else ""
        if self._encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
