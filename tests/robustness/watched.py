"""Running a command in a child that notes what it does to the world: what it imports, executes, writes and starts.

The notes are those of Python's own audit events, so that nothing of the command is replaced.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PRELUDE = """\
import json, os, sys

notes, program, arguments = [], {program!r}, {arguments!r}

def note(event, args):
    if event == "import":
        notes.append((event, str(args[1] or args[0])))
    elif event == "exec":
        notes.append((event, args[0].co_filename))
    elif event == "open" and isinstance(args[0], (str, bytes)) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        notes.append(("write", os.path.abspath(os.fsdecode(args[0]))))
    elif event in ("os.rename", "os.link", "os.symlink"):
        notes.append(("write", os.path.abspath(os.fsdecode(args[1]))))
    elif event in ("os.mkdir", "os.remove", "os.rmdir", "os.chmod", "os.chown", "os.truncate", "os.utime"):
        notes.append(("write", os.path.abspath(os.fsdecode(args[0]))))
    elif event in ("pickle.find_class", "marshal.loads", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn",
                   "ctypes.dlopen", "socket.connect"):
        notes.append((event, str(args[0])))

import mpsafe_lint.cli, mpsafe_lint.check, mpsafe_lint.repairs, libcst.matchers, libcst.metadata  # theirs, not noted

sys.addaudithook(note)
try:
    status = getattr(mpsafe_lint.cli, program)(arguments)
except SystemExit as end:
    status = end.code
noted = list(dict.fromkeys(notes))
print(json.dumps([status, noted]), file=sys.__stderr__)
"""


@dataclass(frozen=True)
class Watched:
    """How a command ended, what it printed, and what it did: pairs of an event and a path or a name."""

    status: int
    stdout: str
    notes: list[tuple[str, str]]

    def of(self, *events: str, below: Path | None = None) -> list[str]:
        """Return the paths or names of some events; with `below`, those in a folder."""
        return [what for event, what in self.notes if event in events and (not below or _is_below(what, below))]


def _is_below(path: str, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(folder.resolve()) or Path(path).is_relative_to(folder)


def watched(program: str, *arguments: str | Path, cwd: Path) -> Watched:
    """Run `lint_main` or `fix_main` in a child that notes what it does."""
    code = PRELUDE.format(program=program, arguments=[str(one) for one in arguments])
    done = subprocess.run([sys.executable, "-B", "-c", code], cwd=cwd, capture_output=True, text=True, timeout=60)
    *_, last = done.stderr.splitlines()
    status, notes = json.loads(last)
    return Watched(status, done.stdout, [(event, what) for event, what in notes])
