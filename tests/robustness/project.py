"""A project in a folder of its own, and what is reported of it: in bounded time, and without a fault of the tool."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shell.running import run

from mpsafe_lint.check import check
from mpsafe_lint.config import Config
from mpsafe_lint.files.project import Project as Analysed

SECONDS = 10.0
"""CPU time that one project may take; most take a hundredth of it."""

PROCESS = """\
from multiprocessing import Process

if __name__ == "__main__":
    Process(target=lambda: None).start()
"""
"""A program with one fault, in its line 4."""


@contextmanager
def bounded() -> Iterator[None]:
    before = time.process_time()
    yield
    assert time.process_time() - before < SECONDS


@dataclass(frozen=True)
class Project:
    """A project's root."""

    folder: Path

    def write(self, files: Mapping[str, str | bytes]) -> Project:
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self

    def lint(self, *options: str | Path) -> list[dict[str, Any]]:
        """Return what the command reports, in bounded time and with no finding about the tool itself."""
        with bounded():
            done = run("--isolated", "--output-format", "json", *options, self.folder, cwd=self.folder)
        assert done.returncode in (0, 1), done.stderr
        assert "Traceback" not in done.stderr
        findings: list[dict[str, Any]] = json.loads(done.stdout)
        assert not [one["message"] for one in findings if one["code"] == "MPS901"]
        return findings

    def places(self, *options: str | Path) -> list[str]:
        """Return path, line and code of what the command reports."""
        return [f"{one['path']}:{one['line']} {one['code']}" for one in self.lint(*options)]

    def analysed(self) -> list[str]:
        """Return path, line and code of the values that the analysis finds, without planning repairs."""
        with bounded():
            findings = check(Analysed.load([self.folder], Config()), Config()).findings
        assert not [one.message for one in findings if one.code == "MPS901"]
        return [f"{one.span.path}:{one.span.line} {one.code}" for one in findings if one.code[3] in "12"]

    def messages(self) -> dict[str, str]:
        """Return the message about each file that can't be analysed; each is one line."""
        said = {one["path"]: one["message"] for one in self.lint() if one["code"] == "MPS900"}
        assert not [message for message in said.values() if "\n" in message]
        return said
