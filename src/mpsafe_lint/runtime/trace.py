"""mpsafe-trace: run a program unchanged, and say what could not cross to another process, and which line set it."""

from __future__ import annotations

import os
import sys

_USAGE = """\
usage: mpsafe-trace SCRIPT [ARGUMENT ...]
       mpsafe-trace -m MODULE [ARGUMENT ...]

Runs a Python program as `python SCRIPT` does. Where something can't be sent to another process, or can't be loaded
there, the usual traceback is followed by the path to the value, the line that set it, and what to do. The exit status
is the program's own."""


def main(argv: list[str] | None = None) -> int:
    """Run the program that `argv` names (default: the command line). Returns only where it can't be started, with 2.

    On Windows the program runs as a child, and its exit status is returned.
    """
    arguments = sys.argv[1:] if argv is None else argv
    if arguments[:1] in (["-h"], ["--help"]):
        print(_USAGE)
        return 0
    if arguments[:1] == ["--version"]:
        from mpsafe_lint import __version__

        print(f"mpsafe-trace {__version__}")
        return 0
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    problem = _problem(arguments)
    if problem:
        print(f"mpsafe-trace: {problem}", file=sys.stderr)
        return 2

    from mpsafe_lint.runtime.watch import install

    install()
    import subprocess

    flags: list[str] = getattr(subprocess, "_args_from_interpreter_flags", list)()
    command = [sys.executable, *flags, *arguments]
    if os.name != "nt":
        sys.stdout.flush()
        os.execv(sys.executable, command)
    return subprocess.call(command)


def _problem(arguments: list[str]) -> str:
    """Return in one line what keeps the program from being run and watched; empty where nothing does."""
    if not arguments or (arguments[0] == "-m" and len(arguments) < 2):
        return "no program to run: give a script, or -m and a module (see --help)"
    if sys.flags.ignore_environment or sys.flags.no_site:
        return "nothing can be watched by a Python that ignores PYTHONPATH or has no site: leave out -E, -I and -S"
    if arguments[0] == "-m":
        return ""
    if arguments[0].startswith("-"):
        return f"unknown option {arguments[0]}: give a script, or -m and a module (see --help)"
    if not os.path.exists(arguments[0]):
        return f"{arguments[0]}: no such file"
    if not os.access(arguments[0], os.R_OK):
        return f"{arguments[0]}: can't be read"
    return ""
