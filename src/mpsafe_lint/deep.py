"""A stack that is large enough: deeply nested code makes deep calls."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

STACK = 512 * 1024 * 1024
"""Bytes of stack. What isn't used costs nothing."""

RECURSION_LIMIT = 50_000

GARBAGE = 500_000
"""Objects after which garbage is looked for: syntax trees are many objects, and none of them is garbage."""

Result = TypeVar("Result")


def deeply(action: Callable[[], Result]) -> Result:
    """Call `action` in a thread of its own, whose stack is deep; return what it gives, or raise what it raises."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(action())
        except BaseException as error:
            errors.append(error)

    before = threading.stack_size(STACK), sys.getrecursionlimit(), gc.get_threshold()
    sys.setrecursionlimit(max(RECURSION_LIMIT, before[1]))
    gc.set_threshold(GARBAGE)
    try:
        thread = threading.Thread(target=run, name="mpsafe-lint", daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before[0])
        sys.setrecursionlimit(before[1])
        gc.set_threshold(*before[2])
    if errors:
        raise errors[0]
    return results[0]
