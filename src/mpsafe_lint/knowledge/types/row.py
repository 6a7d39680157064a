"""One type's row, and the texts that rows are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mpsafe_lint.findings import ErrorText

SERIALIZERS: Final = ("pickle", "forking", "spawning", "cloudpickle", "dill")
"""`pickle`: plain `pickle.dumps`. `forking`: what a queue, a pool or an executor sends to a live process. `spawning`:
what a process gets while it is being started under spawn or forkserver. `cloudpickle`, `dill`: what these send.
"""

Texts = tuple[ErrorText, ...]
"""Errors by Python range. Where no range covers a version, the type pickles there."""


@dataclass(frozen=True, slots=True)
class TypeRow:
    """What is known of one type. In the tables one row stands for several: there its name lists them.

    `rule` is the kind of value (see `rules`), or empty where it always pickles.
    `errors` are those of plain pickle, and of every serializer that has no texts of its own: `spawning` does as
    `forking` does, and all do as `pickle` does. `managers` holds for `forking` and `spawning` once the module
    multiprocessing.managers is imported. An empty tuple says that the serializer sends the type.
    `loads` names the serializers whose error comes when the bytes are loaded, not when they are made.
    `walks` says that pickle saves parts of it, items, arguments or attributes, that may be refused in their turn.
    `holds` says how the object keeps the positional arguments that it is made from, the last word for all that follow:
    `value` as they are, `iterator` as iter(argument), `items` one by one, `nothing` not at all.
    `finite` says whether list(object) ends: `always`, `sources` (if what it is made from does), `never`, or empty where
    that is unknown or it can't be iterated.
    `inherited` says that an instance of a subclass is refused as well, once the base is initialised.
    `keeps_attributes` is False where pickling is replaced, so that what a subclass stores in `self` isn't saved.
    """

    name: str
    rule: str
    errors: Texts = ()
    forking: Texts | None = None
    spawning: Texts | None = None
    managers: Texts | None = None
    cloudpickle: Texts | None = None
    dill: Texts | None = None
    loads: tuple[str, ...] = ()
    walks: bool = False
    holds: tuple[str, ...] = ()
    finite: str = ""
    inherited: bool = False
    keeps_attributes: bool = True
    source: str = "measured"

    def texts(self, serializer: str, managers: bool = False) -> Texts:
        """Return the errors under a serializer; `managers` says that multiprocessing.managers is imported."""
        chosen: tuple[Texts | None, ...]
        if serializer == "pickle":
            chosen = ()
        elif serializer == "forking":
            chosen = (self.managers if managers else None, self.forking)
        elif serializer == "spawning":
            chosen = (self.managers if managers else None, self.spawning, self.forking)
        elif serializer == "cloudpickle":
            chosen = (self.cloudpickle,)
        elif serializer == "dill":
            chosen = (self.dill,)
        else:
            raise ValueError(f"unknown serializer {serializer!r}: one of {', '.join(SERIALIZERS)}")
        return next((texts for texts in chosen if texts is not None), self.errors)


# In a text of a table `{name}` stands for the name of the type, `{last}` for its last part. Addresses are shown as 0x….


def text(*texts: str | tuple[str, str]) -> Texts:
    """Make errors from a text for all Pythons, or from pairs of a range and a text."""
    return tuple(ErrorText("", text) if isinstance(text, str) else ErrorText(*text) for text in texts)


def cannot(name: str, python: str = "") -> Texts:
    """Make the error for a type that has no way to be pickled."""
    return text((python, f"TypeError: cannot pickle '{name}' object"))


def instances(name: str) -> Texts:
    """Make the errors for a file of a class of `_io`."""
    return text(
        ("3.8-3.11", f"TypeError: cannot pickle '_io.{name}' object"),
        ("3.12+", f"TypeError: cannot pickle '{name}' instances"),
    )


def local(name: str, shown: str = "", last: str = "3.14+") -> Texts:
    """Make the errors for what a library defines inside a function; `last` is the range of the last text."""
    shown = shown or f"<function {name} at 0x…>"
    return text(
        ("3.8-3.12", f"AttributeError: Can't pickle local object '{name}'"),
        ("3.13", f"AttributeError: Can't get local object '{name}'"),
        (last, f"_pickle.PicklingError: Can't pickle local object {shown}"),
    )


def missing(shown: str, name: str, module: str) -> Texts:
    """Make the errors for a function or class that isn't found under its name."""
    return text(
        ("3.8-3.13", f"_pickle.PicklingError: Can't pickle {shown}: attribute lookup {name} on {module} failed"),
        ("3.14+", f"_pickle.PicklingError: Can't pickle {shown}: it's not found as {module}.{name}"),
    )


def shared(name: str) -> Texts:
    """Make the error of what multiprocessing hands over only while a process is being started."""
    return text(f"RuntimeError: {name} objects should only be shared between processes through inheritance")


SENT: Final[Texts] = ()
CANNOT: Final = cannot("{name}")
CANNOT_BARE: Final = cannot("{last}")
GENERATOR: Final = cannot("generator")
LOCK: Final = cannot("_thread.lock")
RLOCK: Final = cannot("_thread.RLock")
READER: Final = instances("BufferedReader")
WRITER: Final = instances("BufferedWriter")
RANDOM: Final = instances("BufferedRandom")
TEXT_FILE: Final = instances("TextIOWrapper")
