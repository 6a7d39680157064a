"""Completion of the commands' options in a shell, by shtab, which the extra `completion` installs."""

from __future__ import annotations

import argparse

from mpsafe_lint.config import ConfigError
from mpsafe_lint.knowledge.rules import BY_KIND, all_codes


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script that makes a shell complete the options of a command. Raises ConfigError without shtab."""
    try:
        import shtab
    except ImportError:
        raise ConfigError("--print-completion: shtab is not installed: pip install 'mpsafe-lint[completion]'") from None
    for action in parser._actions:
        if action.metavar in ("PATH", "FILE"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar == "RULE":
            action.choices = ["ALL", *BY_KIND, *all_codes()]
    return f"{shtab.complete(parser, shell)}\n"
