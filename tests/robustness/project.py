"""A project in a folder of its own, and what is reported of it: within bounded time, and without a fault of the tool."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shell.running import run

SECONDS = 10.0
"""CPU time that one project may take."""

PROCESS = """\
from multiprocessing import Process

if __name__ == "__main__":
    Process(target=lambda: None).start()
"""
"""A program with one fault, in its line 4."""


@dataclass(frozen=True)
class Project:
    """A folder. `wrong` are the places of what is found, `unread` the messages about files that can't be analysed."""

    folder: Path

    def write(self, files: Mapping[str, str | bytes]) -> Project:
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self

    def lint(self, *options: str | Path, seconds: float = SECONDS) -> list[dict[str, Any]]:
        """Return the findings, in a bounded time and without one about the tool itself."""
        before = time.process_time()
        done = run("--isolated", "--output-format", "json", *options, self.folder, cwd=self.folder)
        assert time.process_time() - before < seconds
        assert done.returncode in (0, 1), done.stderr
        assert "Traceback" not in done.stderr
        findings: list[dict[str, Any]] = json.loads(done.stdout)
        assert not [one["message"] for one in findings if one["code"] == "MPS901"]
        return findings

    def places(self, *options: str | Path, seconds: float = SECONDS) -> list[str]:
        """Return path, line and code of what is found."""
        return [f"{one['path']}:{one['line']} {one['code']}" for one in self.lint(*options, seconds=seconds)]

    def messages(self) -> dict[str, str]:
        """Return the message about each file that can't be analysed; each is one line."""
        said = {one["path"]: one["message"] for one in self.lint() if one["code"] == "MPS900"}
        assert not [message for message in said.values() if "\n" in message]
        return said
