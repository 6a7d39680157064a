"""Runs mpsafe-lint over small programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mpsafe_lint.cli import lint_main

from .processes import write


def lint(
    files: Mapping[str, str], folder: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> list[dict[str, Any]]:
    """Return what mpsafe-lint reports for a program, which is written into a folder of its own."""
    write(files, folder)
    assert lint_main(["--isolated", "--exit-zero", "--output-format", "json", *options, str(folder)]) == 0
    findings: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return findings
