"""Makes the spawned children of a program forks of the program's own process, which has torch imported already.

All else is as multiprocessing has it: what a child gets is saved by the parent, goes through a pipe, and is loaded in
a process that has none of the program's modules. Only the seconds that an import of torch takes are spared.
"""

import contextlib
import os
import sys
import traceback
import types
from multiprocessing import util

start_interpreter = util.spawnv_passfds


def start(path, arguments, descriptors):
    """Do what `util.spawnv_passfds` does. `arguments` are python's options, `-c` and code, arguments of the code."""
    if arguments[-1] != "--multiprocessing-fork":
        return start_interpreter(path, arguments, descriptors)
    if pid := os.fork():
        return pid
    status = 1
    try:
        become_new(set(descriptors))
        exec(arguments[arguments.index("-c") + 1])
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)


def become_new(descriptors):
    """Forget the program: its open files, its modules, its arguments."""
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2 and descriptor not in descriptors:
            with contextlib.suppress(OSError):  # one was that of the listing
                os.close(descriptor)
    here = os.path.dirname(os.path.abspath(__file__))
    for name, module in list(sys.modules.items()):
        if os.path.dirname(getattr(module, "__file__", None) or "") == here:
            del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv[:] = ["-c", "--multiprocessing-fork"]


util.spawnv_passfds = start
