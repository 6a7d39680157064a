"""What says better than a function what a lambda does: `int`, `operator.itemgetter(0)`, `f`, `partial(f, x)`."""

from __future__ import annotations

import ast
import builtins
import sys

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding
from mpsafe_lint.repairs import imports, lookup
from mpsafe_lint.repairs.captures import (
    FRAME_READERS,
    crosses_at_once,
    in_main_block,
    is_local,
    moving_function,
    rebound,
)
from mpsafe_lint.repairs.edits import Patch
from mpsafe_lint.repairs.scopes import Scope, defaults, parameters
from mpsafe_lint.repairs.tree import Tree

Found = tuple[str, list[Patch]]

_EMPTY = {"list": ast.List, "dict": ast.Dict, "tuple": ast.Tuple}


def idiom(project: Project, tree: Tree, finding: Finding, node: ast.Lambda) -> Found | None:
    """Return the expression that replaces a lambda, and the imports that it needs; None where there is no idiom."""
    if defaults(node.args):
        return None
    return _factory(tree, node) or _getter(tree, node) or _call(project, tree, finding, node)


def _factory(tree: Tree, node: ast.Lambda) -> Found | None:
    """`lambda: 0` → `int`, `lambda: []` → `list` …: types that make their empty value."""
    if parameters(node.args):
        return None
    name = ""
    match node.body:
        case ast.Constant(value=value) if type(value) in (int, float, str, bytes, bool, complex) and not value:
            name = type(value).__name__
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            name = next(n for n, kind in _EMPTY.items() if isinstance(node.body, kind))
        case ast.Call(func=ast.Name(id="set" | "list" | "dict" | "tuple" as made), args=[], keywords=[]):
            name = made
    if not name or tree.scopes.of[node].owner(name) is not None:
        return None
    if isinstance(node.body, ast.Constant) and isinstance(node.body.value, float) and str(node.body.value) != "0.0":
        return None  # -0.0
    return name, []


def _getter(tree: Tree, node: ast.Lambda) -> Found | None:
    """`lambda x: x[0]` → `itemgetter(0)`, `lambda x: x.a` → `attrgetter("a")`; of several `lambda x: (x[0], x[2])`."""
    if len(parameters(node.args)) != 1 or len(node.args.args) != 1:
        return None
    name = node.args.args[0].arg
    parts = node.body.elts if isinstance(node.body, ast.Tuple) and len(node.body.elts) > 1 else [node.body]
    items = [_item(tree, part, name) for part in parts]
    attributes = [_attribute(part, name) for part in parts]
    if all(items):
        text, patches = imports.reference(tree, "operator", "itemgetter", tree.scopes.of[node])
        return f"{text}({', '.join(str(item) for item in items)})", patches
    if all(attributes):
        text, patches = imports.reference(tree, "operator", "attrgetter", tree.scopes.of[node])
        quoted = (f'"{attribute}"' for attribute in attributes)
        return f"{text}({', '.join(quoted)})", patches
    return None


def _item(tree: Tree, node: ast.expr, name: str) -> str | None:
    match node:
        case ast.Subscript(value=ast.Name(id=found), slice=index) if found == name:
            constant = index.operand if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub) else index
            return tree.code(index) if isinstance(constant, ast.Constant) and constant.value is not ... else None
    return None


def _attribute(node: ast.expr, name: str) -> str | None:
    head, _, rest = lookup.dotted(node).partition(".")
    private = any(part.startswith("__") and not part.endswith("__") for part in rest.split("."))
    return rest if head == name and rest and not private else None


def _call(project: Project, tree: Tree, finding: Finding, node: ast.Lambda) -> Found | None:
    """`lambda x: f(x)` → `f`; `lambda x: f(a, x)` → `partial(f, a)`, where that means the same."""
    call = node.body
    if not isinstance(call, ast.Call) or not _stands_still(project, tree, call.func):
        return None
    rest = _leading_arguments(node, call)
    if rest is None or any(word.arg is None for word in call.keywords):
        return None
    values = [*rest, *(word.value for word in call.keywords)]
    if not all(_known_before(project, tree, finding, node, value) for value in values):
        return None
    func = tree.code(call.func)
    if not values:
        return func, []
    partial, patches = imports.reference(tree, "functools", "partial", tree.scopes.of[node])
    bound = [*(tree.code(value) for value in rest), *(f"{word.arg}={tree.code(word.value)}" for word in call.keywords)]
    return f"{partial}({', '.join([func, *bound])})", patches


def _leading_arguments(node: ast.Lambda, call: ast.Call) -> list[ast.expr] | None:
    """Return the arguments before those that the lambda hands on as they come; None where it does more than that."""
    args = node.args
    if args.kwonlyargs or args.posonlyargs or args.kwarg or args.vararg:
        return None
    own = [arg.arg for arg in args.args]
    split = len(call.args) - len(own)
    handed_on = [a.id if isinstance(a, ast.Name) else None for a in call.args[split:]] if split >= 0 else []
    rest = call.args[: max(split, 0)]
    elsewhere = [*rest, *(word.value for word in call.keywords)]
    used = {n.id for value in elsewhere for n in ast.walk(value) if isinstance(n, ast.Name)}
    if handed_on != own or used & set(own) or any(isinstance(value, ast.Starred) for value in rest):
        return None
    return rest


def _stands_still(project: Project, tree: Tree, func: ast.expr) -> bool:
    """Whether a callee is a function or class that pickle finds by its name, and that nothing rebinds."""
    root = func
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    owner = tree.scopes.of[root].owner(root.id)
    if owner is None:
        special = root.id in FRAME_READERS or root.id in ("globals", "super")
        return root is func and callable(getattr(builtins, root.id, None)) and not special
    bindings = tree.scopes.bindings(owner, root.id)
    if owner.kind != "module" or len(bindings) != 1 or in_main_block(tree, bindings[0]):
        return False
    bound = bindings[0]
    if isinstance(bound, ast.alias):
        return _from_known_library(tree, bound) or bool(lookup.definitions(project, tree, func))
    plain = isinstance(bound, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not bound.decorator_list
    return plain and root is func


def _from_known_library(tree: Tree, alias: ast.alias) -> bool:
    """Whether an import is one of the standard library, whose functions pickle finds."""
    statement = tree.parents[alias]
    module = (statement.module or "") if isinstance(statement, ast.ImportFrom) else alias.name
    relative = isinstance(statement, ast.ImportFrom) and statement.level > 0
    return not relative and module.partition(".")[0] in sys.stdlib_module_names


def _known_before(project: Project, tree: Tree, finding: Finding, node: ast.Lambda, value: ast.expr) -> bool:
    """Whether an argument may be evaluated where the lambda stands, rather than when it is called."""
    match value:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Name(id=name):
            owner = tree.scopes.of[value].owner(name)
            if owner is None:
                return _stands_still(project, tree, value)
            if name in finding.unpicklable_captures:
                return False
            return _settled(tree, finding, node, owner, name)
    return _stands_still(project, tree, value) and isinstance(value, (ast.Name, ast.Attribute))


def _settled(tree: Tree, finding: Finding, node: ast.Lambda, owner: Scope, name: str) -> bool:
    bindings = tree.scopes.bindings(owner, name)
    if not is_local(tree, owner, name):
        return len(bindings) == 1 and isinstance(bindings[0], (ast.FunctionDef, ast.ClassDef))
    if any(isinstance(b, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias)) for b in bindings):
        return False
    if moving_function(tree, owner, name) is not None:
        return False
    found = rebound(tree, owner, name, node)
    return found is None or (found[1] and crosses_at_once(tree, finding, node))
