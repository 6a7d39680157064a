"""Names for what moves to module level: private, telling, and new to the file."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Collection, Iterator

from mpsafe_lint.files.project import Project
from mpsafe_lint.repairs import lookup
from mpsafe_lint.repairs.scopes import Function, defaults, parameters
from mpsafe_lint.repairs.tree import Tree

_TASKS = frozenset(
    "map imap imap_unordered map_async starmap starmap_async apply apply_async submit run_in_executor spawn".split()
)
_ADDERS = frozenset("append add insert extend setdefault put".split())
_GENERIC = frozenset("wrapper wrapped inner decorator closure f".split())
"""What tells nothing without the function that it comes from."""

_FACTORY = re.compile(r"^(?:get|make|build|create|new|load|setup|init)_(?=\w)")


def fresh(tree: Tree, hint: str, near: ast.AST, others: Collection[str] = (), leaves: str = "") -> str:
    """Return a private name made from `hint` that occurs nowhere in the file, and is none of `others`.

    `near` is what it will replace: the function round that makes the name longer where it is in use already. `leaves`
    is a name that goes away.
    """
    stem = "_" + (snake(hint) or "function")
    for candidate in _candidates(stem, near, tree):
        free = (candidate not in tree.words or candidate == leaves) and candidate not in others
        if free and not keyword.iskeyword(candidate) and not hasattr(builtins, candidate):
            return candidate
    raise AssertionError("there is always a next number")


def _candidates(stem: str, near: ast.AST, tree: Tree) -> Iterator[str]:
    outer = enclosing(tree, near)
    longer = f"_{snake(outer.name)}{stem}" if outer is not None and snake(outer.name) not in ("", stem[1:]) else stem
    yield from (longer, stem) if stem[1:] in _GENERIC else (stem, longer)
    number = 2
    while True:
        yield f"{stem}_{number}"
        number += 1


def snake(name: str) -> str:
    """Return a name in lower case with underscores, without those at its ends; empty where it is no name.

    >>> snake("__collateFn"), snake("HTTPReader"), snake("a b")
    ('collate_fn', 'http_reader', '')
    """
    name = re.sub(r"([A-Z]+)([A-Z][a-z])|([a-z\\d])([A-Z])", r"\1\3_\2\4", name).lower().strip("_")
    return name if name.isidentifier() else ""


def enclosing(tree: Tree, node: ast.AST) -> Function | ast.ClassDef | None:
    """Return the named function round a node; for `__init__` and its like, and outside all functions, the class."""
    for outer in tree.ancestors(node):
        if isinstance(outer, ast.ClassDef):
            return outer
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)) and not outer.name.startswith("__"):
            return outer
    return None


def hint(project: Project, tree: Tree, node: ast.expr) -> str:
    """Return what a function that is given by the expression `node` should be called: from what it does, if that is
    nothing, else from where it goes."""
    if _is_identity(node):
        return "identity"
    child: ast.AST = node
    several = False
    for parent in tree.ancestors(node):
        if found := _hint_from(project, tree, parent, child):
            return singular(found) if several else found
        several = several or isinstance(parent, (ast.List, ast.ListComp, ast.Tuple, ast.Set, ast.GeneratorExp))
        if isinstance(parent, (ast.stmt, ast.Lambda)):
            break
        if isinstance(parent, ast.Call) and child is not parent.func and (callee := _plain_callee(parent)):
            return callee if callee.endswith("function") else f"{callee}_function"
        child = parent
    outer = enclosing(tree, node)
    return f"{outer.name}_function" if outer else "function"


def _is_identity(node: ast.expr) -> bool:
    match node:
        case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=ast.Name(id=body)):
            return name == body and len(parameters(node.args)) == 1
    return False


def _plain_callee(call: ast.Call) -> str:
    """Return the name of a function that takes another one; empty for a class, a container and a partial."""
    name = _target_name(call.func)
    keeps = name[:1].isupper() or name in ("partial", "list", "tuple", "dict", "set")
    return "" if keeps else snake(name)


def _hint_from(project: Project, tree: Tree, parent: ast.AST, child: ast.AST) -> str:
    match parent:
        case ast.keyword(arg=str() as name):
            return name
        case ast.arguments():
            return next((name for name, value in defaults(parent) if value is child), "")
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) | ast.NamedExpr(target=target):
            return _target_name(target)
        case ast.Dict(keys=keys, values=values) if child in values:
            key = keys[values.index(child)]
            return snake(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
        case ast.Return():
            outer = enclosing(tree, parent)
            return _FACTORY.sub("", outer.name.strip("_")) if outer and not isinstance(outer, ast.ClassDef) else ""
        case ast.Call(func=func, args=args) if child in args:
            return _hint_from_call(project, tree, func, args.index(child))
    return ""


def _target_name(target: ast.expr) -> str:
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str() as key)) if snake(key):
            return key
        case ast.Subscript(value=value):
            return singular(_target_name(value))
    return ""


def _hint_from_call(project: Project, tree: Tree, func: ast.expr, index: int) -> str:
    if isinstance(func, ast.Attribute) and func.attr in _TASKS and index == (func.attr == "run_in_executor"):
        return "task"
    if isinstance(func, ast.Attribute) and func.attr in _ADDERS:
        return singular(_target_name(func.value))
    if isinstance(func, ast.Name):
        if func.id == "defaultdict" and index == 0:
            return "default"
        return _parameter_name(project, tree, func, index)
    return "default" if isinstance(func, ast.Attribute) and func.attr == "defaultdict" and index == 0 else ""


def _parameter_name(project: Project, tree: Tree, callee: ast.Name, index: int) -> str:
    """Return what a function or class of the project calls its argument number `index`."""
    for other, definition in lookup.definitions(project, tree, callee):
        function: ast.AST | None = definition
        if isinstance(definition, ast.ClassDef):
            inits = (lookup.method(cls, "__init__") for _, cls in lookup.ancestry(project, other, definition))
            function, index = next(filter(None, inits), None), index + 1
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            args = [*function.args.posonlyargs, *function.args.args]
            return args[index].arg if index < len(args) else ""
    return ""


def singular(name: str) -> str:
    """Return the name of one of several.

    >>> singular("transforms"), singular("class"), singular("fn")
    ('transform', 'class', 'fn')
    """
    return name[:-1] if len(name) > 3 and name.endswith("s") and not name.endswith(("ss", "us", "is")) else name


def taken(node: Function | ast.Lambda) -> set[str]:
    """Return the names of a function's parameters."""
    return {arg.arg for arg in parameters(node.args)}


def parameter_names(node: Function | ast.Lambda) -> list[str]:
    """Return the names of a function's parameters, as a signature writes them, without defaults."""
    stars = {id(node.args.vararg): "*", id(node.args.kwarg): "**"}
    return [stars.get(id(arg), "") + arg.arg for arg in parameters(node.args)]
