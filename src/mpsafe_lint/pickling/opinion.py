"""What is known of sending a value: refused, picklable, or unknown. Silence is no opinion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from mpsafe_lint.pickling.abstract import AbstractGraph, Refused
from mpsafe_lint.pickling.walk import Refusal, walk
from mpsafe_lint.values.values import OneOf, Value, alternatives


class Verdict(Enum):
    """What pickle does with a value."""

    REFUSED = "refused"
    PICKLABLE = "picklable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the walk through a value came upon: what is refused, in pickle's order, and why the rest is not all known.

    `unknown` names each thing of which nothing is known: a type, a function of a library, a value.
    """

    refusals: Sequence[Refusal[Value, Refused]]
    unknown: Sequence[str]

    def verdict(self, python: tuple[int, int]) -> Verdict:
        """Say what a Python does with the value."""
        if self.refusal(python) is not None:
            return Verdict.REFUSED
        return Verdict.UNKNOWN if self.unknown else Verdict.PICKLABLE

    def whatever_is_chosen(self, root: Value) -> Opinion:
        """Return the opinion without the refusals that hang on which of several values is sent."""
        sure = [one for one in self.refusals if _is_sure(one, root, self.refusals)]
        return Opinion(sure, (*self.unknown, "what is chosen") if len(sure) < len(self.refusals) else self.unknown)

    def refusal(self, python: tuple[int, int]) -> Refused | None:
        """Return the refusal that a Python meets first: nothing is loaded before all is saved."""
        met = [one for one in self.refusals if not one.reason.assumed and one.reason.error(python)]
        saving = next((one.reason for one in met if not one.reason.only_in_worker), None)
        return saving or _first_when_loaded(met)


def _is_sure(refusal: Refusal[Value, Refused], root: Value, all_refusals: Sequence[Refusal[Value, Refused]]) -> bool:
    """Tell whether each choice on the way to a refusal leads to one."""
    for depth, value in enumerate((root, *(part.value for part in refusal.path))):
        if isinstance(value, OneOf):
            beside = [one.path[depth] for one in all_refusals if one.path[:depth] == refusal.path[:depth]]
            if not all(any(part.value is one for part in beside) for one in alternatives(value)):
                return False
    return True


def _first_when_loaded(met: Sequence[Refusal[Value, Refused]]) -> Refused | None:
    """Return the refusal that is met first when all is loaded: what an object is made from comes before it, and what
    it keeps before its state is put back."""
    first = next(iter(met), None)
    while first is not None:
        inner = next((one for one in met if _comes_before(one, first)), None)
        if inner is None:
            return first.reason
        first = inner
    return None


def _comes_before(inner: Refusal[Value, Refused], outer: Refusal[Value, Refused]) -> bool:
    depth = len(outer.path)
    if len(inner.path) <= depth or inner.path[:depth] != outer.path:
        return False
    return outer.reason.late or inner.path[depth].step.startswith("<")


def opinion(graph: AbstractGraph, root: Value) -> Opinion:
    """Walk a value as pickle would; return what is known of sending it."""
    graph.unknown.clear()
    refusals = tuple(walk(graph, root))
    assumed = (f"assumed {one.reason.kind}" for one in refusals if one.reason.assumed)
    return Opinion(refusals, (*graph.unknown, *assumed))
