"""Classes as a program has them, whose attributes can't be sent. The tests know lines by their last comment."""

from __future__ import annotations

import functools
import threading
from collections import defaultdict, namedtuple
from dataclasses import dataclass, field
from typing import Any

Pair = namedtuple("Couple", "first second")  # bound to another name


class Config:
    def __init__(self, ranges: dict[str, float]) -> None:
        self.ranges = ranges
        self.names = None
        self.names = ranges.keys()  # names


class Heartbeat:
    def __init__(self) -> None:
        self._thread = None

    def start(self) -> None:
        self._thread = threading.Thread(target=print)  # thread


class Trainer:
    def __init__(self) -> None:
        self.callbacks: list[Any] = [1]
        self.callbacks.append(Heartbeat())


class Dataset:
    def __init__(self) -> None:
        self.config = Config({"car": 50.0})
        self.trainer = Trainer()


class Tables:
    def __init__(self) -> None:
        self.by_name = {
            "plain": 1,
            "squares": (number * number for number in range(3)),  # squares
        }
        self.counts = defaultdict(lambda: 0)  # counts
        self.partial = functools.partial(print, key={}.values())  # partial
        self.streams: list[Any] = []
        for number in range(2):
            self.streams.append(numbers(number))  # streams


class Slotted:
    __slots__ = ("lock", "never_set")

    def __init__(self) -> None:
        self.lock = threading.Lock()  # lock


@dataclass(frozen=True)
class Frozen:
    names: Any = field(default=None)  # field

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", {}.items())  # frozen


class Reduced:
    def __init__(self, handler: Any) -> None:
        self.handler = handler

    def __reduce__(self) -> Any:
        return Reduced, (self.handler,)


class Stateful:
    """What it holds can't be sent, what it says of itself can."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.name = "stateful"

    def __getstate__(self) -> Any:
        return {"name": self.name}


class Trap:
    """Every access but pickle's own is a mistake."""

    def __init__(self) -> None:
        self.view = {}.keys()  # trapped

    @property
    def lazy(self) -> Any:
        raise AssertionError("a property was triggered")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AssertionError(f"{name} was invented")


class Bare:
    """Its attributes are set from outside."""


class TwoArgumentsError(Exception):
    def __init__(self, article: str, missing: int) -> None:
        super().__init__(f"{missing} of {article}")  # super


class Proxy:
    def __init__(self, wrapped: Any) -> None:
        self.wrapped = wrapped

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)


def numbers(start: int) -> Any:
    yield from range(start, start + 3)


def local_class() -> Any:
    class Local:  # local class
        def __init__(self) -> None:
            self.view = {}.keys()

    return Local


def closure() -> Any:
    lock = threading.Lock()  # captured
    return lambda: lock  # closure


def made_in_function() -> Any:
    Point = namedtuple("Point", "x y")  # namedtuple
    return Point(1, 2)


def set_from_outside() -> Bare:
    bare = Bare()
    bare.opened = open(__file__)  # outside  # noqa: SIM115
    return bare
