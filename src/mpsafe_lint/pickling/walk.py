"""The walk that pickle makes through an object graph, over abstract values and over real objects alike."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Value = TypeVar("Value")
Refused = TypeVar("Refused")

DEPTH = 100
"""Steps from the root after which the walk goes no deeper: far beyond what people nest, short of what pickle takes."""


@dataclass(frozen=True, slots=True)
class Part(Generic[Value]):
    """What pickle saves next below a value. `step` is a step of the chain's grammar; empty where there is none."""

    step: str
    value: Value
    place: object = None  # where the program put it there, for who can tell


@dataclass(frozen=True, slots=True)
class Saved(Generic[Value, Refused]):
    """What pickle does with one value: it refuses it, or it saves its parts, in this order."""

    refusal: Refused | None = None
    parts: Sequence[Part[Value]] = ()


class ObjectGraph(Protocol[Value, Refused]):
    """How one serializer sees values: abstract ones in the analyzer, real ones in `runtime.explain`."""

    def key(self, value: Value) -> Hashable:
        """Identity: a shared or cyclic value is walked once, as pickle's memo does."""

    def save(self, value: Value) -> Saved[Value, Refused]:
        """Say what the serializer does with `value`."""


@dataclass(frozen=True, slots=True)
class Refusal(Generic[Value, Refused]):
    """A leaf that can't be saved, and the parts that lead to it."""

    path: tuple[Part[Value], ...]
    reason: Refused


def walk(graph: ObjectGraph[Value, Refused], root: Value) -> Iterator[Refusal[Value, Refused]]:
    """Yield every leaf below `root` that can't be saved, in the order in which pickle would meet them."""
    seen: set[Hashable] = set()
    waiting: list[tuple[Value, tuple[Part[Value], ...]]] = [(root, ())]
    while waiting:
        value, path = waiting.pop()
        key = graph.key(value)
        if key in seen or len(path) > DEPTH:
            continue
        seen.add(key)
        saved = graph.save(value)
        if saved.refusal is not None:
            yield Refusal(path, saved.refusal)
        waiting.extend((part.value, (*path, part)) for part in reversed(saved.parts))
