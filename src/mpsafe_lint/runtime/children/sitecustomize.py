"""Watches what this Python pickles, then runs the sitecustomize that would have been found without this one.

Its folder is on PYTHONPATH of the traced program; it takes itself off sys.path again.
"""

import importlib
import os
import sys


def _watch(here: str) -> None:
    root = here
    for _ in range(3):  # children, runtime, mpsafe_lint
        root = os.path.dirname(root)
    sys.path.insert(0, root)
    try:
        from mpsafe_lint.runtime.watch import install
    finally:
        sys.path.remove(root)
    install()


def _run_the_other(here: str) -> None:
    ours = sys.modules.pop(__name__)
    try:
        importlib.import_module(__name__)
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault(__name__, ours)


_here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [path for path in sys.path if os.path.abspath(path) != _here]
_watch(_here)
_run_the_other(_here)
