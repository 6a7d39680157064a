"""argparse: what its parsers are told to put into the namespace that they give."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mpsafe_lint.findings import Span
from mpsafe_lint.values.frames import Frame
from mpsafe_lint.values.values import (
    ANY,
    UNKNOWN,
    Arguments,
    Constant,
    Container,
    External,
    Opaque,
    Value,
    is_unknown,
    one_of,
)

if TYPE_CHECKING:
    from mpsafe_lint.values.machine import Machine

Method = Callable[["Machine", Opaque, Arguments, Span, Frame], "Value | None"]
"""What a method of a library's object gives; None where the tables are to say."""

_PARSER = "<parser>"
"""Where a group, or the parser of a subcommand, keeps the parser that it is part of."""

_ADDED = "added "
"""Ahead of the name of an attribute, in a parser's slots: what the namespace will hold under it."""


def _add_argument(machine: Machine, owner: Opaque, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Keep what an argument's `type` makes of a text, and its default."""
    name = _destination(arguments)
    given = arguments.keywords
    convert = given.get("type")
    values = [one for one in (given.get("default"), given.get("const")) if one is not None]
    if convert is not None:
        values.append(_converted(machine, convert, span, frame))
    if name and any(not isinstance(one, Constant) and not is_unknown(one) for one in values):
        held = one_of(values)
        if "nargs" in given:
            container = Container("list", span)
            machine.write(container, ANY, held)
            held = container
        machine.write(_root(owner), f"{_ADDED}{name}", held, span)
    return Opaque("argparse.Action", span)


def _converted(machine: Machine, convert: Value, span: Span, frame: Frame) -> Value:
    if isinstance(convert, Opaque) and convert.type == "argparse.FileType":
        mode = convert.arguments.get(0, "mode")
        return machine.call(External("open"), Arguments((UNKNOWN, *([mode] if mode else []))), span, frame)
    return machine.call(convert, Arguments((Opaque("str", span),)), span, frame)


def _destination(arguments: Arguments) -> str:
    """Return the attribute that an argument becomes; empty where that is not known."""
    told = arguments.keywords.get("dest")
    flags = [one.value for one in arguments.positional if isinstance(one, Constant) and isinstance(one.value, str)]
    if isinstance(told, Constant):
        return str(told.value)
    long = [flag for flag in flags if flag.startswith("--")]
    return (long or flags or [""])[0].lstrip("-").replace("-", "_")


def _set_defaults(machine: Machine, owner: Opaque, arguments: Arguments, span: Span, frame: Frame) -> Value:
    for name, value in arguments.keywords.items():
        machine.add(_root(owner), f"{_ADDED}{name}", value, span)
    return Constant(None)


def _part(type_name: str) -> Method:
    def make(machine: Machine, owner: Opaque, arguments: Arguments, span: Span, frame: Frame) -> Value:
        part = Opaque(type_name, span)
        machine.write(part, _PARSER, _root(owner))
        return part

    return make


def _root(owner: Opaque) -> Opaque:
    whole = owner.get(_PARSER)
    return whole if isinstance(whole, Opaque) else owner


def _parse_args(machine: Machine, owner: Opaque, arguments: Arguments, span: Span, frame: Frame) -> Value:
    """Return the namespace, with what the arguments are known to become."""
    namespace = Opaque("argparse.Namespace", span, arguments)
    for key, slot in list(_root(owner).slots.items()):
        if isinstance(key, str) and key.startswith(_ADDED):
            machine.write(namespace, key.removeprefix(_ADDED), slot.value, slot.place)
    return namespace


def _parse_known_args(machine: Machine, owner: Opaque, arguments: Arguments, span: Span, frame: Frame) -> Value:
    both = Container("tuple", span)
    machine.write(both, 0, _parse_args(machine, owner, arguments, span, frame))
    machine.write(both, 1, UNKNOWN)
    return both


METHODS: dict[str, Method] = {
    "argparse.ArgumentParser.add_argument": _add_argument,
    "argparse.ArgumentParser.add_argument_group": _part("argparse._ArgumentGroup"),
    "argparse.ArgumentParser.add_mutually_exclusive_group": _part("argparse._ArgumentGroup"),
    "argparse.ArgumentParser.add_subparsers": _part("argparse._SubParsersAction"),
    "argparse.ArgumentParser.parse_args": _parse_args,
    "argparse.ArgumentParser.parse_known_args": _parse_known_args,
    "argparse.ArgumentParser.set_defaults": _set_defaults,
    "argparse._ArgumentGroup.add_argument": _add_argument,
    "argparse._SubParsersAction.add_parser": _part("argparse.ArgumentParser"),
}
"""By the name of a method, what it gives."""
