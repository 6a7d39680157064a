"""Where the program set a value: lines of its source, found without running any of it.

For an attribute the assignments in the source of its class, and of the classes that it inherits from, are looked up,
else those in the loaded modules of the program. Where there are several, the one whose right side fits the value wins.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
import sysconfig
import types
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

_FILLING = frozenset(["append", "add", "extend", "insert", "appendleft", "update", "setdefault", "put"])
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


class Place(NamedTuple):
    """A line of source: its file, its number from 1, and its text without indentation."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        path = os.path.relpath(self.path) if _is_below(self.path, os.getcwd()) else self.path
        return f"{path}:{self.line}: {self.text}" if self.text else f"{path}:{self.line}"


class _Setting(NamedTuple):
    """Something that sets or fills a name: the target's attribute or name, the value (None: unknown), and the node."""

    name: str
    value: ast.expr | None
    node: ast.stmt | ast.expr
    own: bool  # set on the first parameter of a method
    fills: bool = False


class _Source(NamedTuple):
    """A file that was parsed. `scopes` holds classes and functions by qualified name."""

    path: str
    scopes: dict[str, list[ast.AST]]
    tree: ast.Module


# Whose code is it?


@lru_cache(maxsize=1)
def _library_roots() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    roots = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib") if paths.get(key)}
    return (here, *sorted({root for path in roots for root in (path, os.path.realpath(path))}))


@lru_cache(maxsize=1000)
def is_library(path: str) -> bool:
    """Tell whether a file is part of the standard library, of an installed package, or of no file at all."""
    if path.startswith("<frozen"):
        return True
    parts = path.replace("\\", "/").split("/")
    if "site-packages" in parts or "dist-packages" in parts:
        return True
    return any(_is_below(path, root) for root in _library_roots())


def is_standard_file(path: str) -> bool:
    """Tell whether a file is part of the standard library."""
    return is_library(path) and not {"site-packages", "dist-packages"} & set(path.replace("\\", "/").split("/"))


def is_standard(kind: type) -> bool:
    """Tell whether a class belongs to the standard library or is built in."""
    return str(getattr(kind, "__module__", "")).partition(".")[0] in sys.stdlib_module_names - {"__main__"}


def in_library(kind: type) -> bool:
    """Tell whether a class belongs to a library: it is built in, or its module's file does."""
    if is_standard(kind):
        return True
    path = _file_of_class(kind)
    return path is not None and is_library(path)


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


# Where is it defined?


def definition(value: object) -> Place | None:
    """Return the line that defines a function, a class, or what a generator or coroutine runs; None for the rest."""
    code = _code_of(value)
    if code is not None:
        node = next(_functions_of(code), None)  # without its decorators, where the code object has these too
        return at(code.co_filename, code.co_firstlineno if node is None else node.lineno)
    if isinstance(value, type):
        return _class_place(value)
    return None


def made_in_function(kind: type) -> bool:
    """Tell whether a class was made by a call inside a function, as `namedtuple()` may be."""
    source = _source_of_class(kind)
    if source is None:
        return False
    call = _making_call(source, kind.__name__)
    return call is not None and any(
        isinstance(scope, _FUNCTION) and scope.lineno <= call.lineno <= (scope.end_lineno or 0)
        for scopes in source.scopes.values()
        for scope in scopes
    )


def making(kind: type, error: str = "") -> Place | None:
    """Return the line of a class's own `super().__init__()`, else of its `__init__`, else that of the class; where it
    asks itself for ever, the line of its `__getattr__`."""
    getter = _code_of(getattr(kind, "__getattr__", None)) if error.startswith("RecursionError") else None
    if getter is not None and not is_library(getter.co_filename):
        return at(getter.co_filename, getter.co_firstlineno)
    code = next((_code_of(base.__dict__["__init__"]) for base in kind.__mro__ if "__init__" in base.__dict__), None)
    if code is None or is_library(code.co_filename):
        return _class_place(kind)
    for scope in _functions_of(code):
        for node in ast.walk(scope):
            if isinstance(node, ast.Call) and _last_name(node.func) == "__init__":
                return at(code.co_filename, node.lineno)
    return at(code.co_filename, code.co_firstlineno)


def _code_of(value: object) -> types.CodeType | None:
    for name in ("__code__", "gi_code", "cr_code", "ag_code"):
        code = getattr(value, name, None) if _is_running(value) else None
        if isinstance(code, types.CodeType):
            return code
    wrapped = getattr(value, "__wrapped__", None) if type(value).__name__ == "_lru_cache_wrapper" else None
    return wrapped.__code__ if isinstance(wrapped, types.FunctionType) else None


def _is_running(value: object) -> bool:
    return isinstance(value, (types.FunctionType, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType))


def _class_place(kind: type) -> Place | None:
    source = _source_of_class(kind)
    if source is None:
        return None
    for node in source.scopes.get(kind.__qualname__, ()):
        if isinstance(node, ast.ClassDef):
            return at(source.path, node.lineno)
    call = _making_call(source, kind.__name__)
    return None if call is None else at(source.path, call.lineno)


def _making_call(source: _Source, name: str) -> ast.Call | None:
    """Find the call that makes a class of that name: `namedtuple("Pair", …)`, `type("Pair", …)`, `Enum("Pair", …)`."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and first.value == name:
                return node
    return None


# Where is it set?


def attribute(owner: object, name: str, steps: tuple[str, ...], value: object) -> Place | None:
    """Return the line that set the attribute `name` of `owner`, or put `value` into it by the item `steps` below.

    Lines of the program go before those of libraries.
    """
    kind = owner if isinstance(owner, type) else type(owner)
    found: list[tuple[int, Place]] = []
    for base in kind.__mro__:
        source = _source_of_class(base)
        if source is None:
            continue
        for node in source.scopes.get(base.__qualname__, ()):
            if isinstance(node, ast.ClassDef):
                found += _rated(source, _settings_in_class(node), name, steps, value)
    if not any(rating > 0 for rating, _ in found):
        for source in _program_sources(name):
            outside = (setting for setting in _settings(source.tree) if not setting.own)
            found += _rated(source, outside, name, steps, value)
    found = [(rating, place) for rating, place in found if rating > _NO]
    if not found:
        return None
    return max(enumerate(found), key=lambda item: (not is_library(item[1][1].path), item[1][0], item[0]))[1][1]


def captured(function: types.FunctionType, name: str, value: object) -> Place | None:
    """Return the line that set a variable which `function` captures, in the function round it."""
    source = _source(function.__code__.co_filename)
    outer = function.__qualname__.rpartition(".<locals>.")[0]
    scopes = source.scopes.get(outer, ()) if source else ()
    return _best_variable(source, scopes, name, value) if source else None


def variable(value: object, frames: Iterable[types.FrameType]) -> Place | None:
    """Return the line that set a variable of the program to `value`, in one of the calls that are going on."""
    for frame in frames:
        if is_library(frame.f_code.co_filename) or frame.f_code.co_filename.startswith("<"):
            continue
        source = _source(frame.f_code.co_filename)
        names = [name for name, held in list(frame.f_locals.items()) if held is value] if source else []
        for name in names:
            module = frame.f_code.co_name == "<module>"
            scopes = [source.tree] if module else list(_functions_of(frame.f_code))  # type: ignore[union-attr]
            place = _best_variable(source, scopes, name, value)  # type: ignore[arg-type]
            if place is not None:
                return place
    return None


def _best_variable(source: _Source, scopes: Iterable[ast.AST], name: str, value: object) -> Place | None:
    found: list[tuple[int, Place]] = []
    for scope in scopes:
        found += _rated(source, _settings(scope, names=True), name, (), value)
    found = [(rating, place) for rating, place in found if rating > _NO]
    return max(enumerate(found), key=lambda item: (item[1][0], item[0]))[1][1] if found else None


def _functions_of(code: types.CodeType) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the function in the source that a code object was made from."""
    source = _source(code.co_filename)
    for scopes in source.scopes.values() if source else ():
        for scope in scopes:
            if not isinstance(scope, _FUNCTION) or scope.name != code.co_name:
                continue
            if code.co_firstlineno in (scope.lineno, _first_line(scope)):
                yield scope


def returned(function: object, steps: tuple[str, ...], value: object) -> Place | None:
    """Return the `return` of a function that fits `value`, else the line of its `def`."""
    code = _code_of(function)
    if code is None:
        return None
    best: tuple[int, int] | None = None
    for scope in _functions_of(code):
        for node in _own_nodes(scope):
            if isinstance(node, ast.Return) and node.value is not None:
                rating = _fit(_descend(node.value, steps), value)
                if best is None or rating >= best[0]:
                    best = rating, node.lineno
    return at(code.co_filename, best[1] if best else code.co_firstlineno)


def of_frame(frame: types.FrameType | None) -> Place | None:
    """Return the innermost line of the program on a stack of calls."""
    while (
        frame is not None and frame.f_code.co_name != "_bootstrap"
    ):  # below that a forked child has its parent's calls
        if not is_library(frame.f_code.co_filename) and not frame.f_code.co_filename.startswith("<"):
            return at(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def _rated(
    source: _Source, settings: Iterable[_Setting], name: str, steps: tuple[str, ...], value: object
) -> Iterator[tuple[int, Place]]:
    for setting in settings:
        if setting.name != name or (setting.fills and not steps):
            continue
        expression = setting.value if setting.fills else _descend(setting.value, steps)
        line = expression.lineno if expression is not setting.value and expression is not None else setting.node.lineno
        place = at(source.path, line)
        if place is not None:
            yield _fit(expression, value) + (0 if setting.own else -1), place


def _descend(expression: ast.expr | None, steps: tuple[str, ...]) -> ast.expr | None:
    """Follow item steps into a literal: `['k']` into a dict, `[0]` into a list. None where it can't be followed."""
    for step in steps:
        if isinstance(expression, (ast.List, ast.Tuple)) and step[1:-1].isdigit():
            index = int(step[1:-1])
            expression = expression.elts[index] if index < len(expression.elts) else None
        elif isinstance(expression, ast.Dict):
            pairs = zip(expression.keys, expression.values, strict=True)
            expression = next(
                (item for key, item in pairs if isinstance(key, ast.Constant) and f"[{key.value!r}]" == step), None
            )
        else:
            return expression if isinstance(expression, (ast.Call, ast.Name)) else None
    return expression


_NO = -10
"""The rating of an expression that can't have made the value."""


def _fit(expression: ast.expr | None, value: object) -> int:
    """Rate how well an expression fits a value: above 0 it fits, at 0 it may, at `_NO` it can't be."""
    if isinstance(expression, (ast.IfExp, ast.BoolOp)):
        choices = expression.values if isinstance(expression, ast.BoolOp) else [expression.body, expression.orelse]
        return max(_fit(choice, value) for choice in choices)
    if isinstance(expression, ast.Await):
        return _fit(expression.value, value)
    if isinstance(expression, ast.Constant):
        return _NO if type(expression.value) is not type(value) else 2
    if isinstance(expression, (ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp)):
        return 1 if isinstance(value, (list, dict, set, tuple)) else -2
    if isinstance(expression, ast.Lambda):
        code = _code_of(value)
        return 3 if code is not None and expression.lineno == code.co_firstlineno else -2
    if isinstance(expression, ast.GeneratorExp):
        return 3 if isinstance(value, (types.GeneratorType, types.AsyncGeneratorType)) else -2
    if isinstance(expression, ast.Call):
        return 2 if _last_name(expression.func).lower() in _names_of(value) else 0
    if isinstance(expression, (ast.Name, ast.Attribute)):
        return 2 if _last_name(expression).lower() in _names_of(value) else 0
    return 0


def _names_of(value: object) -> set[str]:
    """Return the names, in lower case, by which an expression that makes `value` may be recognised."""
    names = {base.__name__ for base in type(value).__mro__ if base is not object}
    for attribute_name in ("__name__", "__qualname__"):
        name = getattr(value, attribute_name, None) if isinstance(value, _NAMED) else None
        if isinstance(name, str):
            names |= set(name.split("."))
    kind = type(value).__name__
    names.add(kind.rpartition("_")[2])  # dict_keys: keys(), odict_items: items()
    if "BufferedIOBase" in names or "TextIOWrapper" in names or "IOBase" in names or "_IOBase" in names:
        names.add("open")
    if kind == "Connection":
        names.add("connect")
    return {name.lower() for name in names}


_NAMED = (
    type,
    types.FunctionType,
    types.ModuleType,
    types.GeneratorType,
    types.CoroutineType,
    types.AsyncGeneratorType,
)


def _last_name(expression: ast.expr) -> str:
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


# Reading source.


def _settings_in_class(node: ast.ClassDef) -> Iterator[_Setting]:
    for child in node.body:
        if isinstance(child, _FUNCTION):
            yield from _settings(child)
        elif isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):  # a dataclass's field
            yield _Setting(child.target.id, None, child, False)


def _settings(scope: ast.AST, names: bool = False) -> Iterator[_Setting]:
    """Yield what sets attributes below `scope`; with `names`, what sets variables there."""
    first = _first_parameter(scope)
    for node in ast.walk(scope):
        if isinstance(node, _FUNCTION) and node is not scope and _first_parameter(node):
            first = _first_parameter(node)
        for target, value in _targets(node):
            if isinstance(target, ast.Attribute):
                yield _Setting(target.attr, value, _statement(node, target), _is_name(target.value, first))
            elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Attribute):
                owner = target.value
                yield _Setting(owner.attr, value, _statement(node, target), _is_name(owner.value, first), fills=True)
            elif names and isinstance(target, ast.Name):
                yield _Setting(target.id, value, _statement(node, target), True)
        if isinstance(node, ast.Call):
            yield from _setting_calls(node, first)


def _targets(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yield the targets that a node assigns to, each with the value where that is one expression."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _unpacked(target, node.value)
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield from _unpacked(node.target, None)
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            if item.optional_vars is not None:
                yield from _unpacked(item.optional_vars, item.context_expr)


def _unpacked(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, value
        return
    paired = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
    for index, part in enumerate(target.elts):
        yield from _unpacked(part, value.elts[index] if paired else None)  # type: ignore[union-attr]


def _setting_calls(call: ast.Call, first: str) -> Iterator[_Setting]:
    """Yield what `setattr(self, "x", …)`, `object.__setattr__(self, "x", …)` and `self.x.append(…)` set."""
    function = call.func
    if _last_name(function) in ("setattr", "__setattr__") and len(call.args) >= 2:
        name = call.args[-2]
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            own = len(call.args) == 2 or _is_name(call.args[0], first)
            yield _Setting(name.value, call.args[-1], call, own)
    elif (
        isinstance(function, ast.Attribute) and function.attr in _FILLING and isinstance(function.value, ast.Attribute)
    ):
        owner = function.value
        own = _is_name(owner.value, first)
        yield from (_Setting(owner.attr, argument, call, own, fills=True) for argument in call.args)


def _statement(node: ast.AST, target: ast.expr) -> ast.stmt | ast.expr:
    return node if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) else target


def _first_parameter(scope: ast.AST) -> str:
    if not isinstance(scope, _FUNCTION):
        return ""
    parameters = [*scope.args.posonlyargs, *scope.args.args]
    return parameters[0].arg if parameters else ""


def _is_name(expression: ast.expr, name: str) -> bool:
    return bool(name) and isinstance(expression, ast.Name) and expression.id == name


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions and classes inside it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, (*_FUNCTION, ast.ClassDef, ast.Lambda)):
            waiting[:0] = ast.iter_child_nodes(node)


def _first_line(scope: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([scope.lineno, *(decorator.lineno for decorator in scope.decorator_list)])


def _file_of_class(kind: type) -> str | None:
    """Return the file that a class comes from: that of its methods, since a notebook's module has none."""
    for value in list(kind.__dict__.values()):
        code = _code_of(value)
        if code is not None and getattr(value, "__module__", None) == kind.__module__ and code.co_filename[:1] != "<":
            return code.co_filename
    return getattr(sys.modules.get(kind.__module__), "__file__", None)


def _source_of_class(kind: type) -> _Source | None:
    path = _file_of_class(kind)
    return None if path is None else _source(path)


@lru_cache(maxsize=200)
def _source(path: str) -> _Source | None:
    """Parse a file; None where there is no source."""
    text = "".join(linecache.getlines(path))
    if not text:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    scopes: dict[str, list[ast.AST]] = {}
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        if isinstance(node, (*_FUNCTION, ast.ClassDef)):
            name = f"{prefix}{node.name}"
            scopes.setdefault(name, []).append(node)
            prefix = f"{name}." if isinstance(node, ast.ClassDef) else f"{name}.<locals>."
        waiting.extend((child, prefix) for child in ast.iter_child_nodes(node))
    return _Source(path, scopes, tree)


def has_other_name(value: object) -> bool:
    """Tell whether a module of the program holds a value under some name of its own."""
    return any(held is value for module, _ in _program_modules() for held in list(vars(module).values()))


def _program_modules() -> Iterator[tuple[types.ModuleType, str]]:
    for module in list(sys.modules.values()):
        path: Any = getattr(module, "__file__", None) if isinstance(module, types.ModuleType) else None
        if isinstance(path, str) and path.endswith(".py") and not is_library(path):
            yield module, path


def _program_sources(name: str) -> Iterator[_Source]:
    """Yield the loaded modules of the program whose text has `.name` in it."""
    for _, path in _program_modules():
        source = _source(path) if any(f".{name}" in line for line in linecache.getlines(path)) else None
        if source is not None:
            yield source


def at(path: str, line: int) -> Place | None:
    """Return a line with its text; None where there is no such file."""
    text = linecache.getline(path, line).strip()
    return Place(path, line, text) if text or os.path.exists(path) else None


def is_endless(generator: object) -> bool:
    """Tell whether a generator's function has a `while True` that nothing leaves."""
    code = _code_of(generator)
    scopes = _functions_of(code) if code is not None else ()
    return any(isinstance(node, ast.While) and _never_ends(node) for scope in scopes for node in _own_nodes(scope))


def _never_ends(loop: ast.While) -> bool:
    if not (isinstance(loop.test, ast.Constant) and loop.test.value):
        return False
    return not any(isinstance(node, (ast.Break, ast.Return, ast.Raise)) for node in _own_nodes(loop))
