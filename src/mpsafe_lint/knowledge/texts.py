"""What Python prints where pickle refuses a function, a class or an instance: the texts by version.

Measured on CPython 3.8 to 3.13; on 3.14 and 3.15 under WebAssembly. Addresses, which differ from run to run, are left
out of a message as `0x…`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mpsafe_lint.findings import ErrorText

Texts = tuple[ErrorText, ...]
ByName = Callable[[str, str, str], Texts]
"""Gives the texts for a module, a qualified name in it, and what Python shows for the object."""

_INLINED = re.compile(r"<(?:list|set|dict)comp>\.")
"""Comprehensions were functions up to 3.11, and so a part of the names in them."""


def _with_comprehensions(texts: ByName) -> ByName:
    """Name the comprehension that an object was made in for those Pythons whose names have it."""

    def make(module: str, name: str, shown: str) -> Texts:
        if not _INLINED.search(name):
            return texts(module, name, shown)
        after = texts(module, _INLINED.sub("", name), _INLINED.sub("", shown))
        return _between(texts(module, name, shown), 0, 11) + _between(after, 12, 99)

    return make


def _between(texts: Texts, first: int, last: int) -> Texts:
    """Leave what holds for the Pythons 3.`first` to 3.`last`."""
    cut = []
    for error in texts:
        begin, end = _minors(error.python)
        begin, end = max(begin, first), min(end, last)
        if begin <= end:
            cut.append(ErrorText(_range(begin, end), error.text))
    return tuple(cut)


def _minors(python: str) -> tuple[int, int]:
    first, _, last = python.rstrip("+").replace("3.", "").partition("-")
    return int(first or 0), 99 if not python or python.endswith("+") else int(last or first)


def _range(first: int, last: int) -> str:
    if last == 99:
        return f"3.{first}+" if first else ""
    return f"3.{last}" if first == last else f"3.{max(first, 8)}-3.{last}"


@_with_comprehensions
def local_object(module: str, name: str, shown: str) -> Texts:
    """Return the texts for what is defined inside a function."""
    return (
        ErrorText("3.8-3.12", f"AttributeError: Can't pickle local object '{name}'"),
        ErrorText("3.13", f"AttributeError: Can't get local object '{name}'"),
        ErrorText("3.14+", f"_pickle.PicklingError: Can't pickle local object {shown}"),
    )


@_with_comprehensions
def missing_name(module: str, name: str, shown: str) -> Texts:
    """Return the texts for what is not found under its name, as a lambda outside a function."""
    refused = f"_pickle.PicklingError: Can't pickle {shown}"
    return (
        ErrorText("3.8-3.13", f"{refused}: attribute lookup {name} on {module} failed"),
        ErrorText("3.14+", f"{refused}: it's not found as {module}.{name}"),
    )


def missing_module(module: str, name: str, shown: str) -> Texts:
    """Return the texts for what says that it belongs to a module that there isn't."""
    refused = f"_pickle.PicklingError: Can't pickle {shown}"
    return (
        ErrorText("3.8-3.13", f"{refused}: import of module '{module}' failed"),
        ErrorText("3.14+", f"{refused}: No module named '{module}'"),
    )


def other_object(module: str, name: str, shown: str) -> Texts:
    """Return the text for what is found to be something else under its name."""
    return (ErrorText("", f"_pickle.PicklingError: Can't pickle {shown}: it's not the same object as {module}.{name}"),)


def made_dataclass(name: str) -> Texts:
    """Return the text for what `make_dataclass` made: up to 3.11 it belongs to the module `types`."""
    return _between(missing_name("types", name, f"<class 'types.{name}'>"), 8, 11)


def missing_in_worker(module: str, name: str) -> Texts:
    """Return the texts for what is defined in a main block, or in a notebook (`__main__`): a worker doesn't have it."""
    no_file = (("3.8-3.11", "(built-in)"), ("3.12-3.13", "(<class '_frozen_importlib.BuiltinImporter'>)"))
    shown = no_file if module == "__main__" else (("3.8-3.13", "from '…'"),)
    return (
        *(
            ErrorText(python, f"AttributeError: Can't get attribute '{name}' on <module '{module}' {where}>")
            for python, where in shown
        ),
        ErrorText("3.14+", f"AttributeError: module '{module}' has no attribute '{name}'"),
    )


MODULE: Texts = (ErrorText("", "TypeError: cannot pickle 'module' object"),)


def not_callable(type_name: str) -> Texts:
    """Return the text for what is called and can't be."""
    return (ErrorText("", f"TypeError: '{type_name}' object is not callable"),)


def bound_attribute(cls: str, name: str) -> Texts:
    """Return the text for a bound method that its class doesn't have under the method's name."""
    return (ErrorText("", f"AttributeError: '{cls}' object has no attribute '{name}'"),)


def bad_reduction(type_name: str) -> Texts:
    """Return the texts for a `__reduce__` that gives neither a string nor a tuple."""
    text = "_pickle.PicklingError: __reduce__ must return a string or tuple"
    return (ErrorText("3.8-3.13", text), ErrorText("3.14+", f"{text}, not {type_name}"))


def bad_call(function: str, problem: str) -> Texts:
    """Return the texts for a call, in the receiving process, whose arguments don't fit. `function` is qualified."""
    return (
        ErrorText("3.8-3.9", f"TypeError: {function.rpartition('.')[2]}() {problem}"),
        ErrorText("3.10+", f"TypeError: {function}() {problem}"),
    )


def no_member(cls: str) -> Texts:
    """Return the text for an enum that has no member with the value that was saved."""
    return (ErrorText("", f"ValueError: … is not a valid {cls}"),)


def frozen_field(name: str) -> Texts:
    """Return the text for a frozen dataclass with `__slots__`: its state can't be put back."""
    return (ErrorText("", f"dataclasses.FrozenInstanceError: cannot assign to field '{name}'"),)


RECURSION: Texts = (ErrorText("", "RecursionError: maximum recursion depth exceeded"),)
