"""The language server, driven by a real client over stdin and stdout."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from shell.running import run

MAIN = "from multiprocessing import Process\nfrom helpers import make\n\n\ndef main():\n    Process(target=make()).start()\n"
HELPERS = "def make():\n    '𝄞'; return lambda: 1\n"
SERVER = "import sys; from mpsafe_lint.cli import lint_main; sys.exit(lint_main())"
WAIT = 30


class Editor:
    """A client that remembers what it was told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("editor", "1")
        self.told: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.messages: list[str] = []
        self._news = asyncio.Event()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def diagnostics(params: lsp.PublishDiagnosticsParams) -> None:
            self.told[params.uri] = params
            self._news.set()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def message(params: lsp.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self._news.set()

    async def start(self, capabilities: lsp.ClientCapabilities, command: Sequence[str]) -> lsp.InitializeResult:
        await self.client.start_io(*command)
        params = lsp.InitializeParams(capabilities=capabilities, root_uri=self.folder.as_uri())
        result = await asyncio.wait_for(self.client.initialize_async(params), WAIT)
        self.client.initialized(lsp.InitializedParams())
        return result

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> None:
        item = lsp.TextDocumentItem(self.uri(name), "python", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def type(self, name: str, text: str, version: int) -> None:
        document = lsp.VersionedTextDocumentIdentifier(version, self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until what was told is so."""

        async def wait() -> None:
            while not holds():
                await self._news.wait()
                self._news.clear()

        await asyncio.wait_for(wait(), WAIT)

    async def diagnostics(self, name: str, version: int = 1) -> list[lsp.Diagnostic]:
        """Return what is said of a version of a document."""
        await self.until(lambda: self.uri(name) in self.told and self.told[self.uri(name)].version == version)
        return list(self.told[self.uri(name)].diagnostics)

    async def fixes(self, name: str, where: lsp.Range) -> list[lsp.CodeAction]:
        document = lsp.TextDocumentIdentifier(self.uri(name))
        params = lsp.CodeActionParams(document, where, lsp.CodeActionContext([]))
        found = await asyncio.wait_for(self.client.text_document_code_action_async(params), WAIT)
        return [action for action in found or [] if isinstance(action, lsp.CodeAction)]

    async def stop(self) -> int:
        """End the server as the protocol says; return its exit code."""
        await asyncio.wait_for(self.client.shutdown_async(None), WAIT)
        self.client.exit(None)
        process = self.client._server
        assert process is not None
        code = await asyncio.wait_for(process.wait(), WAIT)
        assert process.stderr is not None and await process.stderr.read() == b""
        await self.client.stop()
        return code


def session(
    folder: Path,
    act: Callable[[Editor], Awaitable[None]],
    *encodings: str,
    versions: bool = True,
    program: str = SERVER,
    command: Sequence[str] = (),
) -> None:
    """Do something in an editor, whose server then ends well."""
    workspace = lsp.WorkspaceClientCapabilities(
        workspace_edit=lsp.WorkspaceEditClientCapabilities(document_changes=versions)
    )
    general = lsp.GeneralClientCapabilities(position_encodings=list(encodings) or None)

    started = (sys.executable, "-c", program, "--server")

    async def main() -> None:
        editor = Editor(folder)
        await editor.start(lsp.ClientCapabilities(workspace=workspace, general=general), command or started)
        await act(editor)
        assert await editor.stop() == 0

    asyncio.run(asyncio.wait_for(main(), 2 * WAIT))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "mpsafe.toml").touch()
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "helpers.py").write_text("def make():\n    return print\n")
    return tmp_path


def applied(text: str, edits: list[lsp.TextEdit]) -> str:
    """Apply edits of ASCII texts."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        start, end = (starts[place.line] + place.character for place in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def test_it_says_what_is_found_as_one_types(project: Path) -> None:
    async def act(editor: Editor) -> None:
        editor.open("helpers.py", (project / "helpers.py").read_text())
        assert await editor.diagnostics("helpers.py") == []
        editor.type("helpers.py", HELPERS, 2)  # it is not on disk
        [found] = await editor.diagnostics("helpers.py", 2)
        assert (found.code, found.source, found.severity) == ("MPS202", "mpsafe-lint", lsp.DiagnosticSeverity.Error)
        assert found.message.startswith("lambda sent as target cannot be pickled")
        assert found.range.start == lsp.Position(1, 17) and found.range.end == lsp.Position(1, 26)  # 𝄞 is two units
        [crossing] = found.related_information or []
        assert crossing.location.uri == editor.uri("main.py") and crossing.location.range.start == lsp.Position(5, 4)
        assert crossing.message == "target is sent to the new process, under spawn and forkserver"
        editor.type("helpers.py", "def make():\n    return print\n", 3)
        assert await editor.diagnostics("helpers.py", 3) == []

    session(project, act)


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 19), ("utf-16", 17), ("utf-32", 16)])
def test_columns_are_in_the_units_of_the_editor(project: Path, encoding: str, column: int) -> None:
    async def act(editor: Editor) -> None:
        editor.open("helpers.py", HELPERS)
        [found] = await editor.diagnostics("helpers.py")
        assert found.range.start == lsp.Position(1, column)

    session(project, act, encoding)


@pytest.mark.parametrize("versions", [True, False])
def test_a_quick_fix_repairs(project: Path, versions: bool) -> None:
    text = "def make():\n    return lambda: 1\n"

    async def act(editor: Editor) -> None:
        editor.open("helpers.py", text)
        [found] = await editor.diagnostics("helpers.py")
        [fix] = await editor.fixes("helpers.py", found.range)
        assert fix.kind == lsp.CodeActionKind.QuickFix and fix.is_preferred and fix.edit is not None
        assert fix.title.startswith("MPS202: ") and [one.code for one in fix.diagnostics or []] == ["MPS202"]
        if versions:
            [change] = fix.edit.document_changes or []
            assert isinstance(change, lsp.TextDocumentEdit) and change.text_document.version == 1
            edits = [edit for edit in change.edits if isinstance(edit, lsp.TextEdit)]
        else:
            edits = list((fix.edit.changes or {})[editor.uri("helpers.py")])
        editor.type("helpers.py", applied(text, edits), 2)
        assert await editor.fixes("helpers.py", found.range) == []  # it has not been analysed yet
        assert await editor.diagnostics("helpers.py", 2) == []
        nowhere = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1))
        assert await editor.fixes("helpers.py", nowhere) == []

    session(project, act, versions=versions)


def test_one_document_makes_a_finding_in_another(project: Path) -> None:
    async def act(editor: Editor) -> None:
        editor.open("helpers.py", "def make():\n    return lambda: 1\n")
        assert len(await editor.diagnostics("helpers.py")) == 1
        editor.open("main.py", "x = 1\n")
        assert await editor.diagnostics("main.py") == []
        await editor.until(lambda: not editor.told[editor.uri("helpers.py")].diagnostics)
        document = lsp.TextDocumentIdentifier(editor.uri("main.py"))
        editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
        await editor.until(lambda: len(editor.told[editor.uri("helpers.py")].diagnostics) == 1)

    session(project, act)


def test_a_mistake_in_the_configuration_is_said_once(project: Path) -> None:
    (project / "mpsafe.toml").write_text("slect = []\n")

    async def act(editor: Editor) -> None:
        editor.open("main.py", MAIN)
        assert await editor.diagnostics("main.py") == []
        editor.type("main.py", MAIN + "\n", 2)
        assert await editor.diagnostics("main.py", 2) == []
        [message] = editor.messages
        assert message.endswith("mpsafe.toml: unknown key 'slect'; did you mean 'select'?")
        (project / "mpsafe.toml").write_text("")
        (project / "helpers.py").write_text("def make():\n    return lambda: 1\n")
        changes = lsp.DidChangeWatchedFilesParams(
            [lsp.FileEvent(editor.uri("mpsafe.toml"), lsp.FileChangeType.Changed)]
        )
        editor.client.workspace_did_change_watched_files(changes)
        editor.open("helpers.py", "def make():\n    return lambda: 1\n")
        assert len(await editor.diagnostics("helpers.py")) == 1

    session(project, act)


def test_what_cannot_be_parsed_and_what_is_no_file(project: Path) -> None:
    async def act(editor: Editor) -> None:
        untitled = lsp.TextDocumentItem("untitled:Untitled-1", "python", 1, HELPERS)
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(untitled))
        editor.open("broken.py", "if x\n")
        [found] = await editor.diagnostics("broken.py")
        assert (found.code, found.range.start) == ("MPS900", lsp.Position(0, 4))
        editor.open("new.py", MAIN.replace("make()", "lambda: 1"))  # of which there is no file
        assert [one.code for one in await editor.diagnostics("new.py")] == ["MPS202"]
        assert "untitled:Untitled-1" not in editor.told

    session(project, act)


def test_excluded_and_silenced(project: Path) -> None:
    (project / "mpsafe.toml").write_text('extend-exclude = ["old"]\nbaseline = "known.json"\n')
    (project / "helpers.py").write_text("def make():\n    return lambda: 1\n")
    run("--write-baseline", cwd=project)

    async def act(editor: Editor) -> None:
        editor.open("old/job.py", MAIN.replace("make()", "lambda: 1"))
        editor.open("helpers.py", (project / "helpers.py").read_text())
        editor.open("new.py", MAIN.replace("make()).start()", "lambda: 2).start()  # noqa"))
        for name in ("old/job.py", "helpers.py", "new.py"):
            assert await editor.diagnostics(name) == []

    session(project, act)


def test_an_analysis_that_fails_is_said_and_the_next_one_comes(project: Path) -> None:
    failing = (
        "import mpsafe_lint.check as module\nbefore = module.check\n"
        "def check(project, config):\n"
        "    if 'fail' in project.source('main.py').text:\n        raise RuntimeError('no luck')\n"
        "    return before(project, config)\n"
        f"module.check = check\n{SERVER}"
    )

    async def act(editor: Editor) -> None:
        editor.open("main.py", "fail = 1\n")
        await editor.until(lambda: bool(editor.messages))
        assert editor.messages == ["mpsafe-lint: the analysis failed: RuntimeError: no luck"]
        editor.type("main.py", MAIN.replace("make()", "lambda: 1"), 2)
        assert len(await editor.diagnostics("main.py", 2)) == 1

    session(project, act, program=failing)


def test_it_ends_while_it_works(project: Path) -> None:
    (project / "long.py").write_text("\n".join(f"x{n} = [lambda: {n}]" for n in range(60_000)))

    async def act(editor: Editor) -> None:
        editor.open("main.py", MAIN)
        await asyncio.sleep(1)

    session(project, act)


def test_bad_requests(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("--server", "main.py", cwd=project)
    assert done.returncode == 2 and "--server: takes no PATH" in done.stderr
    monkeypatch.delitem(sys.modules, "mpsafe_lint.server.server", raising=False)
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    done = run("--server", cwd=project)
    assert done.returncode == 2 and "pip install 'mpsafe-lint[lsp]'" in done.stderr and done.stderr.count("\n") == 1


# --- what the docs say of editors ----------------------------------------------------------------------------------------

PAGE = (Path(__file__).resolve().parents[2] / "docs/ci.md").read_text()
HERE = f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}"


def commands() -> dict[str, list[str]]:
    """Return the command that each editor's snippet starts."""
    lua = re.search(r"cmd = \{(.*?)\}", PAGE)
    settings = json.loads(PAGE.partition("```json\n")[2].partition("```")[0])
    pycharm = re.search(r"\*\*PyCharm\*\*:[^`]*`([^`]+)`", PAGE)
    assert lua and pycharm
    return {
        "neovim": json.loads(f"[{lua[1]}]"),
        "vscode": [settings["glspc.server.command"], *settings["glspc.server.commandArguments"]],
        "pycharm": shlex.split(pycharm[1]),
    }


@pytest.mark.parametrize("editor", ["neovim", "vscode", "pycharm"])
def test_the_commands_of_the_docs_start_a_server(editor: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found on PATH, as an editor does it."""
    monkeypatch.setenv("PATH", HERE)
    command = commands()[editor]
    assert command[0] == "mpsafe-lint" and shutil.which(command[0])

    async def act(editor: Editor) -> None:
        editor.open("helpers.py", HELPERS)
        [found] = await editor.diagnostics("helpers.py")
        assert found.code == "MPS202" and await editor.fixes("helpers.py", found.range)

    session(project, act, command=command)


@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_vim_reads_a_line_by_the_errorformat_of_the_docs(project: Path) -> None:
    errorformat = re.search(r"`errorformat` `([^`]+)`", PAGE)
    assert errorformat
    (project / "helpers.py").write_text(HELPERS)
    (project / "out").write_text(run("-q", "--output-format", "concise", cwd=project).stdout)
    told = "map(getqflist(), {_, one -> [bufname(one.bufnr), one.lnum, one.col, one.text, one.valid]})"
    script = (
        f"let &errorformat = '{errorformat[1]}'\ncgetfile out\ncall writefile([json_encode({told})], 'told')\nqa!\n"
    )
    (project / "script.vim").write_text(script)
    subprocess.run(["vim", "-u", "NONE", "-es", "-S", "script.vim"], cwd=project, timeout=30, stdin=subprocess.DEVNULL)
    [[path, line, column, text, valid]] = json.loads((project / "told").read_text())
    assert (path, line, column, valid) == ("helpers.py", 2, 17, 1) and text.startswith("MPS202 ")
