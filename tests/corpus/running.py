"""A run of the linter over a package: what it finds, and what it costs."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpus.packages import Package

COMMAND = "from mpsafe_lint.cli import lint_main; import sys; sys.exit(lint_main())"
OPTIONS = ("--isolated", "--no-cache", "--jobs", "1", "--exit-zero", "--output-format", "json")
PATIENCE = 10
"""Seconds of the clock for a second of CPU time that a run may take: others may use the machine."""
COUNTED = re.compile(r"findings? in ([\d,]+) files?")
UNRESOLVED = re.compile(r"([\d,]+) names? could not be resolved")


@dataclass(frozen=True)
class Run:
    """What a run over a package says and costs."""

    package: str
    version: str
    files: int
    """Those that there are."""
    counted: int
    """Those that the linter says it has looked at."""
    seconds: float
    """CPU time."""
    megabytes: int
    """Memory at its peak."""
    closing: list[str]
    """What it says at the end: how much it found, and what it could not resolve."""
    ended: bool
    findings: list[dict[str, Any]]

    @property
    def unresolved(self) -> int:
        """How many names it could not resolve: of libraries that aren't installed, most of them."""
        found = UNRESOLVED.search("\n".join(self.closing))
        return int(found[1].replace(",", "")) if found else 0

    def write(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        (folder / f"{self.package}.json").write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    @classmethod
    def read(cls, package: Package, folder: Path) -> Run | None:
        """Return what was written of a package, or nothing."""
        path = folder / f"{package.name}.json"
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def lint(package: Package, cache: Path, seconds: int) -> Run:
    """Lint a package, for at most so many seconds of CPU time."""
    folder = cache / package.name
    output, error = cache / "output", cache / "error"
    with output.open("wb") as out, error.open("wb") as err:
        command = [sys.executable, "-c", COMMAND, *OPTIONS, "."]
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err, preexec_fn=lambda: _limit(seconds))
        timer = threading.Timer(PATIENCE * seconds, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    ended = process.returncode == 0
    said = error.read_text(encoding="utf-8", errors="replace")
    counted = COUNTED.search(said)
    return Run(
        package=package.name,
        version=package.version,
        files=sum(1 for _ in package.files(cache)),
        counted=int(counted[1].replace(",", "")) if counted else 0,
        seconds=round(usage.ru_utime + usage.ru_stime, 1),
        megabytes=usage.ru_maxrss // 1024,
        closing=said.strip().splitlines()[-10:],
        ended=ended,
        findings=[_brief(one) for one in json.loads(output.read_text(encoding="utf-8"))] if ended else [],
    )


def _limit(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def _brief(finding: dict[str, Any]) -> dict[str, Any]:
    """Keep what a reader of a finding needs."""
    return {
        name: finding[name] for name in ("path", "line", "code", "boundary", "message", "crossing", "chain", "also")
    }
