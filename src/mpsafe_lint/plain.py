"""Data that JSON holds, read back into the dataclasses that it was written from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints


def read(kind: Any, data: Any) -> Any:
    """Return the value of type `kind` that `asdict` and JSON made `data` of. Raises TypeError or ValueError where it
    can't be one."""
    inner = get_args(kind)
    origin = get_origin(kind) or kind
    if origin in (Union, UnionType):
        first = next(one for one in inner if one is not NoneType)
        return None if data is None and NoneType in inner else read(first, data)
    if origin is tuple:
        kinds = inner[:1] * len(_of(list, data)) if inner[-1] is Ellipsis else inner
        return tuple(read(one, part) for one, part in zip(kinds, _of(list, data), strict=True))
    if origin is dict:
        return {read(inner[0], key): read(inner[1], value) for key, value in _of(dict, data).items()}
    if is_dataclass(kind):
        hints = _hints(kind)
        unknown = _of(dict, data).keys() - hints.keys()
        if unknown:
            raise ValueError(f"{min(unknown)!r} is unknown")
        return kind(**{name: read(hints[name], value) for name, value in data.items()})  # type: ignore[operator]
    return _of(kind, data)


def _of(kind: type, data: Any) -> Any:
    if type(data) is not kind:
        raise TypeError(f"{type(data).__name__} instead of {kind.__name__}")
    return data


_hints: Callable[[Any], dict[str, Any]] = cache(get_type_hints)
