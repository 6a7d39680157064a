"""A value that is sent: walk it as pickle would, and keep what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mpsafe_lint.findings import Crossing, Span, Step
from mpsafe_lint.pickling.abstract import Refused
from mpsafe_lint.pickling.opinion import Opinion
from mpsafe_lint.pickling.walk import Part, Refusal
from mpsafe_lint.values.values import Bound, Class, Container, Function, Instance, Opaque, Partial, Value


@dataclass(frozen=True, slots=True)
class Sighting:
    """One origin seen to be sent by one crossing.

    `owner` names the class that keeps the value and `attribute` under which name, where one does. `sent_class` is the
    class whose instance is sent, where the crossing is taken for granted since instances of it are made to be sent.
    """

    refused: Refused
    origin: Span
    crossing: Crossing
    chain: tuple[Step, ...]
    owner: str
    attribute: str
    sent_class: str | None = None

    @property
    def kept(self) -> bool:
        """Whether the value is kept in an object that is sent."""
        return any(step.text.startswith(".") for step in self.chain)


def sightings(
    known: Opinion,
    root: Value,
    crossing: Crossing,
    unloadable: str,
    prefix: Sequence[Step] = (),
    sent_class: str | None = None,
) -> list[Sighting]:
    """Return what can't be sent of `root`. `unloadable` is the outcome where it can be saved, and not loaded again."""
    found: list[Sighting] = []
    for refusal in known.refusals:
        where = replace(crossing, outcome=unloadable) if refusal.reason.only_in_worker else crossing
        sighting = _sighting(refusal, root, where, prefix, sent_class)
        if refusal.reason.assumed and not sighting.kept:
            continue
        found.append(sighting)
    return found


def _sighting(
    refusal: Refusal[Value, Refused], root: Value, crossing: Crossing, prefix: Sequence[Step], sent_class: str | None
) -> Sighting:
    steps = [*prefix]
    owner, attribute = "", ""
    holder = root
    for part in refusal.path:
        if part.step:
            steps.append(Step(part.step, _place(part)))
        if part.step.startswith("."):
            owner, attribute = name_of(holder), part.step[1:]
        holder = part.value
    if sent_class is not None:
        crossing = replace(crossing, span=_first_place(steps) or crossing.span)
    last_place = next((step.span for step in reversed(steps) if step.span is not None), None)
    origin = refusal.reason.origin or last_place or crossing.span
    return Sighting(refusal.reason, origin, crossing, tuple(steps), owner, attribute, sent_class)


def _first_place(steps: Sequence[Step]) -> Span | None:
    """Where no loader is seen, the crossing stands where the object that is sent gets what can't be sent."""
    return next((step.span for step in steps if step.text.startswith(".") and step.span is not None), None)


def _place(part: Part[Value]) -> Span | None:
    return part.place if isinstance(part.place, Span) else None


def name_of(value: Value) -> str:
    """Return what a message calls a value: the name of its class, or its own."""
    if isinstance(value, Instance):
        return value.cls.name.rpartition(".")[2]
    if isinstance(value, (Opaque, Container)):
        return value.type.rpartition(".")[2]
    if isinstance(value, (Function, Class)):
        return value.name.rpartition(".")[2]
    if isinstance(value, Bound):
        return f"{name_of(value.self)}.{value.name}"
    return "partial" if isinstance(value, Partial) else ""
