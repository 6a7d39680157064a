"""Asserting that something can be sent."""

from __future__ import annotations

from collections.abc import Sequence

from mpsafe_lint.runtime.explanation import Failure, explain


class NotSafeError(AssertionError):
    """Something can't be sent to another process. `failures` says what, by which path."""

    def __init__(self, message: str, failures: Sequence[Failure] = ()) -> None:
        super().__init__(message)
        self.failures = tuple(failures)

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (str(self),)  # the failures hold what can't be sent


def assert_mp_safe(
    obj: object, serializer: str = "multiprocessing", start_method: str | None = None, check_load: bool = False
) -> None:
    """Raise NotSafeError, with all paths in its text, if `obj` can't be sent. The arguments are those of `explain`."""
    explanation = explain(obj, serializer, start_method, check_load)
    if not explanation.ok:
        raise NotSafeError(str(explanation), explanation.failures)
