"""Where a partial can't stand for the function that it binds arguments of."""

from __future__ import annotations

import ast

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding
from mpsafe_lint.repairs import lookup
from mpsafe_lint.repairs.scopes import Function
from mpsafe_lint.repairs.tree import Tree


def difference(project: Project, tree: Tree, finding: Finding, node: Function | ast.Lambda) -> str:
    """Say what would tell a partial from the function; empty where nothing is seen to."""
    return _asks_for_name(project, tree, finding, node) or _becomes_method(project, tree, node)


def _asks_for_name(project: Project, tree: Tree, finding: Finding, node: ast.AST) -> str:
    """Say what asks a function for its `__name__`, which a partial doesn't have; empty where nothing is seen to."""
    known = {step.text[1:] for step in finding.chain if step.text.startswith(".")}
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        known.add(node.name)
    for outer in tree.ancestors(node):
        if isinstance(outer, ast.keyword) and outer.arg:
            known.add(outer.arg)
        if isinstance(outer, ast.stmt):
            break
    for name in sorted(known):
        for other in lookup.files_with(project, rf"\b{name}\.__(?:qual)?name__\b"):
            return f"{other.path} asks for {name}.__name__, which a partial does not have"
    return ""


def _becomes_method(project: Project, tree: Tree, node: Function | ast.Lambda) -> str:
    """Say what makes a function an attribute of a class, where a partial gets no `self`; empty where nothing does."""
    outer = lookup.enclosing_function(tree, node)
    maker = outer.name if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)) else ""
    given = [(tree, read) for read in _uses(tree, node)]
    for other in lookup.files_with(project, rf"\b{maker}\b") if maker else ():
        for read in ast.walk(other.ast):
            if isinstance(read, (ast.Name, ast.Attribute)) and lookup.dotted(read).rpartition(".")[2] == maker:
                call = other.parents[read]
                given.append((other, call if isinstance(call, ast.Call) and call.func is read else read))
    for other, value in given:
        if _is_put_in_class(project, other, value):
            return f"it becomes a method ({other.path}:{value.lineno}), and a partial is given no `self`"
    return ""


def _uses(tree: Tree, node: Function | ast.Lambda) -> list[ast.expr]:
    """Return where a function is read: a lambda in its place, and under the name that it is given."""
    parent = tree.parents[node]
    if isinstance(node, ast.Lambda):
        targets = parent.targets if isinstance(parent, ast.Assign) else []
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        return [node, *(read for name in names for read in tree.scopes.references(tree.scopes.of[node], name))]
    return list(tree.scopes.references(tree.scopes.of[node], node.name))


def _is_put_in_class(project: Project, tree: Tree, value: ast.expr) -> bool:
    """Whether an expression decorates a method, or is assigned in the body of a class or to one of its attributes."""
    match tree.parents[value]:
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators) as function:
            return value in decorators and isinstance(tree.parents[function], ast.ClassDef)
        case ast.Assign(targets=targets):
            return tree.scopes.of[value].kind == "class" or any(
                isinstance(target, ast.Attribute) and _is_class(project, tree, target.value) for target in targets
            )
        case ast.Call(func=ast.Name(id="setattr"), args=[holder, _, given]):
            return given is value and _is_class(project, tree, holder)
    return False


def _is_class(project: Project, tree: Tree, node: ast.expr) -> bool:
    if lookup.dotted(node) == "cls":
        return True
    return any(isinstance(found, ast.ClassDef) for _, found in lookup.definitions(project, tree, node))
