"""What an import makes is there for good: it counts as older than the run in whose midst the import came."""

from __future__ import annotations

from collections.abc import Iterable

from mpsafe_lint.values.values import (
    Bound,
    Cell,
    Class,
    Descriptor,
    Function,
    Instance,
    Namespace,
    OneOf,
    Opaque,
    Partial,
    Scope,
    Value,
)


def settle(scope: Scope, since: int) -> None:
    """Make every object older than all marks of a journal that a module's variables hold and that came after `since`.
    A write to it is then taken back with the run that writes."""
    waiting: list[Value | Scope] = [scope]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Cell):
            if one.born < since:
                continue
            one.born = 0
            contents = one._contents if isinstance(one, Instance) else one.slots  # nothing is constructed for this
            waiting += [slot.value for slot in contents.values()]
        waiting += _parts(one)


def _parts(one: Value | Scope) -> Iterable[Value | Scope]:
    if isinstance(one, OneOf):
        return one.values
    if isinstance(one, (Instance, Opaque)):
        return one.arguments.values()
    if isinstance(one, Partial):
        return (one.function, *one.arguments.values())
    if isinstance(one, Bound):
        return (one.self, one.function)
    if isinstance(one, Function):
        return (*one.defaults, *(value for value in one.keyword_defaults if value is not None), one.scope)
    if isinstance(one, Class):
        return one.bases
    if isinstance(one, Namespace):
        return (one.instance,)
    return (one.function,) if isinstance(one, Descriptor) else ()
