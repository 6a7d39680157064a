"""What Python prints where pickle refuses a function or a class: the texts by version.

Measured on CPython 3.8 to 3.13; on 3.14 and 3.15 under WebAssembly. Addresses, which differ from run to run, are left
out of a message as `0x…`.
"""

from __future__ import annotations

from mpsafe_lint.findings import ErrorText

Texts = tuple[ErrorText, ...]


def local_object(module: str, qualified_name: str, kind: str) -> Texts:
    """Return the texts for what is defined inside a function. `kind` is `function` or `class`."""
    shown = f"<class '{module}.{qualified_name}'>" if kind == "class" else f"<function {qualified_name} at 0x…>"
    return (
        ErrorText("3.8-3.12", f"AttributeError: Can't pickle local object '{qualified_name}'"),
        ErrorText("3.13", f"AttributeError: Can't get local object '{qualified_name}'"),
        ErrorText("3.14+", f"_pickle.PicklingError: Can't pickle local object {shown}"),
    )


def missing_name(module: str, qualified_name: str, kind: str) -> Texts:
    """Return the texts for what is not found under its name, as a lambda outside a function."""
    shown = _shown(module, qualified_name, kind)
    return (
        ErrorText(
            "3.8-3.13",
            f"_pickle.PicklingError: Can't pickle {shown}: attribute lookup {qualified_name} on {module} failed",
        ),
        ErrorText("3.14+", f"_pickle.PicklingError: Can't pickle {shown}: it's not found as {module}.{qualified_name}"),
    )


def other_object(module: str, qualified_name: str, kind: str) -> Texts:
    """Return the text for what is found to be something else under its name."""
    shown = _shown(module, qualified_name, kind)
    text = f"_pickle.PicklingError: Can't pickle {shown}: it's not the same object as {module}.{qualified_name}"
    return (ErrorText("", text),)


def missing_in_worker(module: str, name: str) -> Texts:
    """Return the texts for what is defined in a main block: a worker that imports the main module doesn't have it."""
    return (
        ErrorText("3.8-3.13", f"AttributeError: Can't get attribute '{name}' on <module '{module}' from '…'>"),
        ErrorText("3.14+", f"AttributeError: module '{module}' has no attribute '{name}'"),
    )


MODULE: Texts = (ErrorText("", "TypeError: cannot pickle 'module' object"),)


def bound_attribute(cls: str, name: str) -> Texts:
    """Return the text for a bound method that its class doesn't have under the method's name."""
    return (ErrorText("", f"AttributeError: '{cls}' object has no attribute '{name}'"),)


def _shown(module: str, qualified_name: str, kind: str) -> str:
    return f"<class '{module}.{qualified_name}'>" if kind == "class" else f"<function {qualified_name} at 0x…>"
