"""Can pickle find a function or class again under its qualified name? It sends no more than that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mpsafe_lint.knowledge import importable, makers
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values import attributes
from mpsafe_lint.values.calls import looks_like_class
from mpsafe_lint.values.classes import DECORATED
from mpsafe_lint.values.expressions import BUILTINS
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.statements import main_blocks
from mpsafe_lint.values.values import UNKNOWN, Class, Constant, Descriptor, Function, Value, alternatives


class Importability(Enum):
    """What a look-up by name comes to."""

    FOUND = "found"
    LOCAL = "local"
    MISSING = "missing"
    OTHER = "other"
    MAIN_BLOCK = "main block"
    NO_MODULE = "no module"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Lookup:
    """The outcome, and the module and qualified name that were looked up, as Python prints them."""

    verdict: Importability
    module: str
    name: str


def importability(machine: Machine, value: Function | Class) -> Lookup:
    """Look a function or class up as pickle does. A function that functools.wraps was applied to goes by the name of
    what it wraps."""
    named = name_giver(value)
    name = _own(named, "__qualname__")
    module_name = _own(named, "__module__")
    if not isinstance(named, (Function, Class)) or name is None or module_name is None:
        return Lookup(Importability.UNKNOWN, value.module.name, value.name)
    module: Module | None = named.module
    shown = name_of_module(machine, named.module)
    if module_name not in (named.module.name, shown):
        module, shown = _find_module(machine, module_name, named.module), module_name
    if module is None:
        known = machine.program.is_known(module_name, named.module)
        return Lookup(Importability.UNKNOWN if known else Importability.NO_MODULE, shown, name)
    verdict = _look_up_name(machine, value, named, module, name)
    if verdict is Importability.FOUND and value.get(DECORATED) is not None:
        verdict = Importability.UNKNOWN
    return Lookup(verdict, shown, name)


def _look_up_name(
    machine: Machine, value: Function | Class, named: Function | Class, module: Module, name: str
) -> Importability:
    """Compare what the module holds under the name with the value; `named` is what bears the name."""
    if "<locals>" in name:
        return Importability.LOCAL
    found = _look_up(machine, module, name)
    if found is None:
        return Importability.LOCAL if isinstance(named, Class) and named.made_in_function else Importability.MISSING
    candidates = [_handed_out(one) for one in alternatives(found)]
    if any(one is value for one in candidates):
        return _in_main_block(machine, module, name)
    if any(one is UNKNOWN for one in candidates):
        return Importability.UNKNOWN
    return Importability.FOUND if _same_definition(value, candidates) else Importability.OTHER


def _own(value: Value, attribute: str) -> str | None:
    """Return the name that a function or class bears, also where the program has set it; None where it is unknown."""
    if not isinstance(value, (Function, Class)):
        return None
    given = value.get(attribute)
    if given is None:
        return value.name if attribute == "__qualname__" else value.module.name
    return given.value if isinstance(given, Constant) and isinstance(given.value, str) else None


def _find_module(machine: Machine, name: str, importer: Module) -> Module | None:
    found = machine.program.find(name, importer)
    return None if found.path is None else machine.program.module(found.path, found.name)


def name_of_module(machine: Machine, module: Module) -> str:
    """Return what Python calls a module: `__main__` where it is the program that runs, as its main guard tells."""
    is_program = module.path == machine.entry_path and bool(main_blocks(module))
    return "__main__" if is_program or module.path.endswith(".ipynb") else module.name


def is_sent_by_name(name: str) -> bool:
    """Tell whether what a library calls `name` is known to be something that pickle finds under that name."""
    known = name in BUILTINS or makers.result_of(name) is not None or looks_like_class(name)
    return known or importable.is_sent(name)


def name_giver(value: Function | Class) -> Value:
    """Follow functools.wraps: the wrapper has the name of what it wraps."""
    for _ in range(10):
        wrapped = value.get("__wrapped__") if isinstance(value, Function) else None
        if wrapped is None:
            return value
        if not isinstance(wrapped, Function):
            return wrapped
        value = wrapped
    return UNKNOWN


def _handed_out(value: Value) -> Value:
    """Return what a class gives for what its body holds."""
    unwrapped = isinstance(value, Descriptor) and value.kind in ("staticmethod", "classmethod")
    return value.function if isinstance(value, Descriptor) and unwrapped else value


def _same_definition(value: Function | Class, candidates: list[Value]) -> bool:
    """A definition that was run twice (in a loop, on two paths) is one and the same for the program."""
    return any(
        isinstance(one, (Function, Class)) and one.node is value.node and _shape(one) == _shape(value)
        for one in candidates
    )


def _shape(value: Function | Class) -> str:
    return value.shown if isinstance(value, Function) else ""


def _look_up(machine: Machine, module: Module, name: str) -> Value | None:
    head, *rest = name.split(".")
    value = machine.module_scope(module).get(head)
    for part in rest:
        if not isinstance(value, Class):
            return UNKNOWN if value is not None else None
        value = attributes.find_in_class(value, part)
    return None if value is None else machine.resolve(value)


def _in_main_block(machine: Machine, module: Module, name: str) -> Importability:
    """What gets its name in a main block, or in a notebook, is there in the parent alone."""
    if module.path.endswith(".ipynb"):
        return Importability.MAIN_BLOCK
    slot = machine.module_scope(module).slots.get(name.partition(".")[0])
    line = slot.place.line if slot is not None and slot.place is not None else 0
    in_guard = any(block.lineno <= line <= (block.end_lineno or 0) for block in main_blocks(module))
    return Importability.MAIN_BLOCK if in_guard else Importability.FOUND
