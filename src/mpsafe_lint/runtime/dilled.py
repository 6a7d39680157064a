"""Real objects as dill sees them. Its pickler is Python: it runs on one object, and is kept from its parts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from mpsafe_lint.pickling.walk import Part, Saved
from mpsafe_lint.runtime.objects import Objects, Sink, attributes, captured, is_opaque, saved_as_data, worth_walking


class DillObjects(Objects):
    """An `ObjectGraph` of what dill saves. Parts that dill makes up itself have the step `<args>`."""

    def __init__(self) -> None:
        super().__init__("dill")
        self._shallow = _shallow_class()

    def save(self, value: object) -> Saved[object, Exception]:
        """Say what dill does with `value`."""
        if _is_of_module(value):
            return Saved()
        saved = saved_as_data(value)
        if saved is not None or is_opaque(value, {}, subclasses=False):
            return saved or Saved()
        pickler = self._shallow(Sink())
        try:
            pickler.dump(value)
        except KeyError:  # dill misses what it would have noted of the parts below
            pass
        except Exception as error:
            return Saved(refusal=error.with_traceback(None))
        self._kept += pickler.below
        return Saved(parts=worth_walking([*captured(value), *_labelled(pickler.below)]))


def _is_of_module(value: object) -> bool:
    """Tell whether a dict holds the globals of a module: the other side has that as well."""
    name = value.get("__name__") if type(value) is dict else None
    return isinstance(name, str) and value is getattr(sys.modules.get(name), "__dict__", None)


def _labelled(below: list[object]) -> Iterator[Part[object]]:
    for value in below:
        if type(value) is dict:
            yield from attributes(value.items())
        else:
            yield Part("<args>" if type(value) is tuple else "", value)


def _shallow_class() -> Any:
    base: Any = import_module("dill").Pickler

    class Shallow(base):  # type: ignore[misc]
        """Saves one object, and notes what it would save next."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self.below: list[object] = []
            self._inside = False

        def save(self, obj: object, *arguments: Any, **options: Any) -> None:
            if self._inside:
                self.below.append(obj)
                return
            self._inside = True
            super().save(obj, *arguments, **options)

    return Shallow
