"""Run programs in children of one interpreter that has imported torch already.

Reads a JSON line {folder, main, env} from stdin, forks, and prints {pid}; for {wait: pid} prints {status}: the exit
status as subprocess gives it, or null while the program runs. The child is a session leader, its output goes to the
files `stdout` and `stderr` in its folder, and main.py runs in it as `python main.py` would run it.
"""

import json
import os
import sys
import types
from multiprocessing import context
from typing import Any

import torch.utils.data  # noqa: F401


def status_of(pid: int) -> "int | None":
    done, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if done else None


def serve() -> "dict[str, Any]":
    """Answer requests. Returns in each child, with its request, and ends the server when stdin ends."""
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        if "wait" in request:
            answer = {"status": status_of(request["wait"])}
        elif pid := os.fork():
            answer = {"pid": pid}
        else:
            return request
        print(json.dumps(answer), flush=True)
    sys.exit()


def become(folder: str, main: str, env: "dict[str, str]") -> types.ModuleType:
    """Make this process look as if `python main.py` had just been started in the folder."""
    os.setsid()
    os.chdir(folder)
    for descriptor, name, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, "stdout", os.O_WRONLY | os.O_CREAT),
        (2, "stderr", os.O_WRONLY | os.O_CREAT),
    ):
        opened = os.open(name, flags, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.update(env)
    context._default_context._default_context = context._concrete_contexts[env["START_METHOD"]]
    sys.argv[:] = [os.path.join(folder, main)]
    sys.path[0] = folder
    module = types.ModuleType("__main__")
    module.__file__ = sys.argv[0]
    sys.modules["__main__"] = module
    return module


if __name__ == "__main__":
    program = become(**serve())
    with open(sys.argv[0], encoding="utf-8") as file:
        code = compile(file.read(), sys.argv[0], "exec")
    exec(code, vars(program))
