"""Running commands: in a process of their own, or in this one, which takes a tenth of the time."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from mpsafe_lint.cli import fix_main, lint_main

MAINS = {"lint": lint_main, "fix": fix_main}


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def fresh(*arguments: str | Path, cwd: Path, program: str = "lint", stdin: bytes = b"", **env: str) -> Done:
    """Run `mpsafe-lint` or `mpsafe-fix` in a process of its own. What it printed must hold no traceback."""
    code = f"import sys; from mpsafe_lint.cli import {program}_main; sys.exit({program}_main())"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, timeout=60, env={**os.environ, **env})
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def run(*arguments: str | Path, cwd: Path, program: str = "lint", stdin: bytes = b"") -> Done:
    """Run `mpsafe-lint` or `mpsafe-fix` in this process."""
    return here(MAINS[program], arguments, cwd, stdin)


def here(main: Callable[[Sequence[str]], int], arguments: Sequence[str | Path], cwd: Path, stdin: bytes = b"") -> Done:
    """Call the main function of a command as if it had been started in `cwd`."""
    streams = [io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="") for data in (stdin, b"", b"")]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
    for stream in streams:
        stream.seek(0)
    return Done(status, streams[1].read(), streams[2].read())


def is_gone(group: int, seconds: int) -> bool:
    """Tell whether a group of processes has ended, or ends within so many seconds."""
    for _ in range(10 * seconds):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
