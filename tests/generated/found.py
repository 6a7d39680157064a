"""Programs of which the linter once said something else than what happens, by what it got wrong."""

from __future__ import annotations

FOUND: dict[str, str] = {
    "an item of an exception's argument that can't be subscripted": """
class Broken(RuntimeError):
    def __init__(self, item):
        super().__init__(item[0])


def make():
    return Broken([1])
""",
    "a proxy that asks whether it has its own attribute": """
class Proxy:
    def __init__(self, wrapped):
        self.wrapped = wrapped

    def __getattr__(self, key):
        if "wrapped" not in self.__dict__:
            raise AttributeError(key)
        return getattr(self.wrapped, key)


def make():
    return Proxy(1)
""",
    "a proxy that answers everything with a number": """
class Proxy:
    def __init__(self, wrapped):
        self.wrapped = wrapped

    def __getattr__(self, key):
        return 1


def make():
    return Proxy("a")
""",
    "a match that is decided before the program runs": """
import sys


def make():
    match 1:
        case 1:
            found = 1
        case _:
            found = sys.stdout
    return found
""",
    "the type of a view": """
def make():
    return [{}.keys().__class__]
""",
    "a member of an enum whose value equals no copy of it": """
import enum


class Source(enum.Enum):
    LINES = map(str, [1])


def make():
    return Source.LINES
""",
    "what a loop leaves in its variable": """
def make():
    for last in [lambda: 0, 1]:
        pass
    return last
""",
    "what a loop empties": """
def make():
    left = [lambda: 0]
    while left:
        left.pop()
    return left
""",
    "a loop over numbers that comes to one of them": """
def make():
    found = lambda: 0
    for i in range(2):
        if i == 1:
            found = 2
    return found
""",
    "a handler of what can't go wrong": """
def make():
    try:
        found = 1
    except ValueError:
        found = lambda: 0
    return found
""",
    "a default that isn't needed, since the argument is given": """
import dataclasses
import threading


@dataclasses.dataclass
class Job:
    name: str
    lock: object = dataclasses.field(default_factory=threading.Lock)


def make():
    return Job("a", lock=max([1, 2]))
""",
    "a dataclass made anew from another one": """
import dataclasses
import threading


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    lock: object = None


def make():
    return dataclasses.replace(Job("a", threading.Lock()), lock=None)
""",
    "an item that is removed": """
import os


def make():
    kept = [os.environ]
    kept.remove(kept[0])
    return kept
""",
    "names that a comprehension leaves out": """
def make():
    options = {"_key": lambda: 0, "b": 1}
    return {name: value for name, value in options.items() if not name.startswith("_")}
""",
    "the else of a loop": """
def make():
    found = 1
    for i in range(2):
        pass
    else:
        found = lambda: 0
    return [found]
""",
    "what a class derived from UserDict holds": """
import collections


class Registry(collections.UserDict):
    pass


def make():
    return Registry(make=lambda: 0)
""",
    "the first of two": """
def make():
    return [next(iter([1, lambda: 0]))]
""",
    "what an enumerated loop passes over": """
def make():
    kept = []
    for i, value in enumerate([lambda: 0, 1]):
        if i == 0:
            continue
        kept.append(value)
    return kept
""",
    "a lambda in the first iterable of a comprehension": """
def make():
    return [[value] for value in [lambda: 0]]
""",
    "what of two objects can't be loaded first": """
class Inner:
    def __init__(self, wrapped):
        self.wrapped = wrapped

    def __getattr__(self, key):
        return getattr(self.wrapped, key)


class Outer(Exception):
    def __init__(self, *, cause):
        super().__init__(cause)


def make():
    return Outer(cause=Inner(1))
""",
    "the items of a dict come before its attributes": """
class Registry(dict):
    def __init__(self, first):
        super().__init__(first=first)
        self.second = iter(lambda: 0, 1)


def make():
    return Registry({}.keys())
""",
    "what filter drops": """
import collections


def make():
    return list(filter(None, [1, collections.defaultdict(lambda: 0)]))
""",
}
