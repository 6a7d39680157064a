"""A run of the linter over a package: what it finds, and what it costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpus.packages import Package

COMMAND = "from mpsafe_lint.cli import lint_main; import sys; sys.exit(lint_main())"
OPTIONS = ("--isolated", "--no-cache", "--jobs", "1", "--exit-zero", "--output-format", "json")


@dataclass(frozen=True)
class Run:
    """What a run over a package says and costs."""

    package: str
    version: str
    files: int
    seconds: float
    """CPU time."""
    megabytes: int
    """Memory at its peak."""
    closing: str
    """The last line of standard error; what stopped the run where it didn't end."""
    ended: bool
    findings: list[dict[str, Any]]

    def write(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        (folder / f"{self.package}.json").write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    @classmethod
    def read(cls, package: Package, folder: Path) -> Run | None:
        """Return what was written of a package, or nothing."""
        path = folder / f"{package.name}.json"
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def lint(package: Package, cache: Path, seconds: int) -> Run:
    """Lint a package, for at most so many seconds."""
    folder = cache / package.name
    output, error = cache / "output", cache / "error"
    with output.open("wb") as out, error.open("wb") as err:
        command = [sys.executable, "-c", COMMAND, *OPTIONS, "."]
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err)
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    ended = process.returncode == 0
    said = error.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    return Run(
        package=package.name,
        version=package.version,
        files=sum(1 for _ in package.files(cache)),
        seconds=round(usage.ru_utime + usage.ru_stime, 1),
        megabytes=usage.ru_maxrss // 1024,
        closing="".join(said) if ended else f"exit code {process.returncode}: {''.join(said)}",
        ended=ended,
        findings=[_brief(one) for one in json.loads(output.read_text(encoding="utf-8"))] if ended else [],
    )


def _brief(finding: dict[str, Any]) -> dict[str, Any]:
    """Keep what a reader of a finding needs."""
    return {name: finding[name] for name in ("path", "line", "code", "boundary", "message", "crossing", "chain", "also")}
