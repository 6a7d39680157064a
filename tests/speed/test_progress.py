"""A long run says how far it is, on a terminal alone."""

from __future__ import annotations

import io

import pytest

from mpsafe_lint import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr(progress, "PATIENCE", -1)
    import sys

    shown = progress.Progress()
    shown(3, 10)
    assert "3 of 10 files" in sys.stderr.getvalue()  # type: ignore[attr-defined]
    shown.end()
    assert sys.stderr.getvalue().endswith("\r\x1b[K")  # type: ignore[attr-defined]


def test_a_short_run_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    shown = progress.Progress()
    shown(3, 10)
    shown.end()
    assert terminal.getvalue() == ""


def test_a_pipe_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)
    monkeypatch.setattr(progress, "PATIENCE", -1)
    shown = progress.Progress()
    shown(3, 10)
    shown.end()
    assert pipe.getvalue() == ""
