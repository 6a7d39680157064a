"""What only shows when a program runs: which value can't cross to another process, by which path, set by which line.

Nothing is imported until a function is called, and nothing beyond the standard library then.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mpsafe_lint.runtime.checks import NotSafeError, assert_mp_safe
    from mpsafe_lint.runtime.explanation import Explanation, Failure, explain
    from mpsafe_lint.runtime.logs import ErrorExplanation, explain_error
    from mpsafe_lint.runtime.safe import Report, SafeCopy, make_mp_safe
    from mpsafe_lint.runtime.watch import install

__all__ = [
    "ErrorExplanation",
    "Explanation",
    "Failure",
    "NotSafeError",
    "Report",
    "SafeCopy",
    "assert_mp_safe",
    "explain",
    "explain_error",
    "install",
    "make_mp_safe",
]

_MODULES = {
    "checks": ("NotSafeError", "assert_mp_safe"),
    "explanation": ("Explanation", "Failure", "explain"),
    "logs": ("ErrorExplanation", "explain_error"),
    "safe": ("Report", "SafeCopy", "make_mp_safe"),
    "watch": ("install",),
}


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
