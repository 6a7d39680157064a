"""Run small programs as real processes, say how each ended, and leave no process behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
METHODS = ("spawn", "forkserver", "fork")
TICK = 0.02  # seconds between two looks at a process
QUIET = 2.5  # seconds without any work after which a program counts as hanging
LINGER = 2.0  # seconds that helpers (forkserver, resource tracker) have to end after their program


@dataclass(frozen=True)
class Run:
    """How a program ended.

    `outcome` is `ok` (exit status 0), `error` (another one) or `hang`: it waits for what never comes, or was still
    busy at the limit. `left` are the processes that outlived it and had to be killed.
    """

    outcome: str
    status: int | None
    stdout: str
    stderr: str
    left: tuple[int, ...]


@dataclass(frozen=True)
class Process:
    """What /proc/PID/stat says of a process: `work` is the CPU time that it has used, in clock ticks."""

    pid: int
    state: str
    parent: int
    session: int
    work: int


def process(pid: int) -> Process | None:
    """Return what the system knows of a process, None if it is gone or only waits for its status to be read."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = stat[stat.rindex(")") + 2 :].split()
    if fields[0] in "ZX":
        return None
    return Process(pid, fields[0], int(fields[1]), int(fields[3]), int(fields[11]) + int(fields[12]))


def session(leader: int) -> list[Process]:
    """Return the living processes of a session, its leader included."""
    pids = (int(entry) for entry in os.listdir("/proc") if entry.isdigit())
    return [one for one in map(process, pids) if one and one.session == leader]


class Child:
    """A running program, a session of its own. Used in a `with`: at its end no process of the session lives."""

    def __init__(self, folder: Path, pid: int, poll: Callable[[], int | None]) -> None:
        self.folder = folder
        self.pid = pid
        self.poll = poll  # returns the exit status, None while it runs

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        if not until(lambda: not self.kill() and self.poll() is not None, 20):
            fail(f"processes of {self.folder} can't be killed")

    def kill(self) -> list[Process]:
        """Kill what lives of the session, and return it."""
        living = session(self.pid)
        for one in living:
            with suppress(ProcessLookupError):
                os.kill(one.pid, signal.SIGKILL)
        return living

    def wait(self, limit: float) -> Run:
        """Wait until the program ends, hangs, or has run for `limit` seconds."""
        quiet = Quiet(self.pid)
        until(lambda: self.poll() is not None or quiet.lasts(QUIET), limit)
        status = self.poll()
        outcome = "hang" if status is None else "error" if status else "ok"
        left: list[Process] = []
        if outcome != "hang":
            until(lambda: not session(self.pid), LINGER)
            left = session(self.pid)
        return Run(outcome, status, self.read("stdout"), self.read("stderr"), tuple(one.pid for one in left))

    def wait_for(self, text: str, limit: float = 30.0) -> None:
        """Wait until the program has printed this text."""
        until(lambda: text in self.read("stdout") or self.poll() is not None, limit)
        if text not in self.read("stdout"):
            fail(f"{text!r} was not printed:\n{self.read('stdout')}{self.read('stderr')}")

    def read(self, stream: str) -> str:
        return (self.folder / stream).read_text(errors="replace")


class Quiet:
    """Watches whether the processes of a session do anything."""

    def __init__(self, leader: int) -> None:
        self.leader = leader
        self.seen: object = None
        self.since = time.monotonic()

    def lasts(self, seconds: float) -> bool:
        """Whether for so long every process has slept, none has come or gone, and none has used the CPU."""
        processes = session(self.leader)
        # A waiting pool looks after its workers now and then: that is a tick of work, in which nothing gets on.
        seen = tuple((one.pid, one.work // 4) for one in processes)
        if seen != self.seen or any(one.state != "S" for one in processes):
            self.seen, self.since = seen, time.monotonic()
        return time.monotonic() - self.since >= seconds


def until(condition: Callable[[], object], limit: float) -> bool:
    """Wait until the condition holds; return whether it did within `limit` seconds."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(TICK)
    return True


def fail(message: str) -> None:
    raise AssertionError(message)


def settings(method: str) -> dict[str, str]:
    """Return the environment variables that make a start method the default of a program and of its children."""
    return {
        "START_METHOD": method,
        "PYTHONPATH": str(HERE / "startmethod"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
    }


def write(files: Mapping[str, str], folder: Path) -> Path:
    """Write the files of a program into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder.resolve()


def start(
    files: Mapping[str, str],
    method: str,
    folder: Path,
    python: str = sys.executable,
    stdin: int = subprocess.DEVNULL,
) -> Child:
    """Start main.py of a program in a folder of its own. `stdin` is a descriptor."""
    folder = write(files, folder)
    with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
        popen = subprocess.Popen(
            [python, "main.py"],
            cwd=folder,
            env=os.environ | settings(method),
            stdin=stdin,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
    return Child(folder, popen.pid, popen.poll)


class Warm:
    """Starts programs as children of one interpreter that has torch imported. See warm.py."""

    def __init__(self) -> None:
        self.server = subprocess.Popen(
            [sys.executable, HERE / "warm.py"],
            env=os.environ | settings("spawn"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.turn = threading.Lock()

    def __enter__(self) -> Warm:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.communicate(timeout=30)

    def ask(self, request: dict[str, object]) -> dict[str, int | None]:
        assert self.server.stdin and self.server.stdout
        with self.turn:
            print(json.dumps(request), file=self.server.stdin, flush=True)
            answer: dict[str, int | None] = json.loads(self.server.stdout.readline())
        return answer

    def start(self, files: Mapping[str, str], method: str, folder: Path) -> Child:
        """Start main.py of a program in a folder of its own."""
        folder = write(files, folder)
        for stream in ("stdout", "stderr"):
            (folder / stream).touch()
        pid = self.ask({"folder": str(folder), "main": "main.py", "env": settings(method)})["pid"]
        assert pid
        ended: list[int] = []  # a status can be read only once

        def poll() -> int | None:
            if not ended and (status := self.ask({"wait": pid})["status"]) is not None:
                ended.append(status)
            return ended[0] if ended else None

        return Child(folder, pid, poll)
