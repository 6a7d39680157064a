"""Where in the project a function, a class or an attribute is defined and used, found by name and by import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import SourceError
from mpsafe_lint.repairs.scopes import Function, Scope
from mpsafe_lint.repairs.tree import Tree, tree_of

Definition = tuple[Tree, Function | ast.ClassDef]

_HOPS = 6


def files_with(project: Project, pattern: str) -> Iterator[Tree]:
    """Yield the project's files in whose text a pattern is found; those that can't be read or parsed are left out."""
    found = _compiled(pattern)
    for path in project.files:
        try:
            if found.search(project.source(path).text):
                yield tree_of(project, path)
        except (SourceError, SyntaxError):
            continue


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def method_class(tree: Tree, node: ast.AST) -> ast.ClassDef | None:
    """Return the class whose `self` a node can see: that of the method round it."""
    inner = node
    for outer in tree.ancestors(node):
        if isinstance(outer, ast.ClassDef) and isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return outer
        inner = outer if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else inner
    return None


def enclosing_function(tree: Tree, node: ast.AST) -> Function | ast.Lambda | None:
    """Return the function or lambda whose code a node is part of."""
    scope = tree.scopes.of.get(node)
    for outer in scope.chain() if scope else ():
        if isinstance(outer.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return outer.node
    return None


def first_parameter(function: ast.AST | None) -> str:
    """Return the name of a method's `self`; empty where it has none."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ""
    arguments = [*function.args.posonlyargs, *function.args.args]
    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list)
    return arguments[0].arg if arguments and not static else ""


def is_self(tree: Tree, node: ast.expr) -> bool:
    """Whether an expression is the `self` of the method round it."""
    if not isinstance(node, ast.Name) or method_class(tree, node) is None:
        return False
    owner = tree.scopes.of[node].owner(node.id)
    return (
        owner is not None
        and first_parameter(owner.node) == node.id
        and owner.parent is not None
        and (owner.parent.kind == "class")
    )


def dotted(node: ast.AST) -> str:
    """Return `a.b.c` for a name or a chain of attributes, and empty for all else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def qualified(tree: Tree, node: ast.AST) -> str:
    """Return the name under which the library knows what `node` names, by the imports of the file alone.

    Builtins have their bare names; what is no import and no builtin is empty.
    """
    name = dotted(node)
    head, _, rest = name.partition(".")
    if not head:
        return ""
    scope = tree.scopes.of.get(_root(node))
    owner = scope.owner(head) if scope else None
    if owner is None:
        return name
    bound = tree.scopes.bindings(owner, head)
    if not all(isinstance(b, ast.alias) for b in bound):
        return ""
    alias = bound[-1]
    assert isinstance(alias, ast.alias)
    statement = tree.parents[alias]
    if isinstance(statement, ast.ImportFrom):
        base = f"{'.' * statement.level}{statement.module or ''}.{alias.name}".lstrip(".")
    else:
        base = alias.name if alias.asname else alias.name.partition(".")[0]
    return f"{base}.{rest}" if rest else base


def _root(node: ast.AST) -> ast.AST:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def definitions(project: Project, tree: Tree, func: ast.expr) -> list[Definition]:
    """Return what a call's `func` may be, among the functions and classes of the project."""
    if isinstance(func, ast.Name):
        return _of_name(project, tree, tree.scopes.of[func], func.id)
    if not isinstance(func, ast.Attribute):
        return []
    own = method_class(tree, func)
    receiver = func.value
    if own is not None and (is_self(tree, receiver) or _is_super(receiver)):
        classes = list(ancestry(project, tree, own))
        classes = classes[1:] if _is_super(receiver) else classes
        own_methods: list[Definition] = [(t, m) for t, c in classes if (m := method(c, func.attr))]
        return own_methods[:1]
    if isinstance(receiver, ast.Name):
        module = _module_of(project, tree, receiver)
        if module is not None:
            return _of_name(project, module, module.scopes.top, func.attr)
    return methods_called(project, func.attr)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _of_name(project: Project, tree: Tree, scope: Scope, name: str, hops: int = _HOPS) -> list[Definition]:
    owner = scope.owner(name)
    if owner is None:
        return []
    found: list[Definition] = []
    for bound in tree.scopes.bindings(owner, name):
        if isinstance(bound, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append((tree, bound))
        elif isinstance(bound, ast.alias) and hops:
            statement = tree.parents[bound]
            if isinstance(statement, ast.ImportFrom):
                other = _imported_file(project, tree, statement.module or "", statement.level)
                if other is not None:
                    found += _of_name(project, other, other.scopes.top, bound.name, hops - 1)
    return found


def _module_of(project: Project, tree: Tree, name: ast.Name) -> Tree | None:
    """Return the project's file that a name stands for, where it is an imported module."""
    owner = tree.scopes.of[name].owner(name.id)
    bindings = tree.scopes.bindings(owner, name.id) if owner else []
    if len(bindings) != 1 or not isinstance(bindings[0], ast.alias):
        return None
    alias, statement = bindings[0], tree.parents[bindings[0]]
    if isinstance(statement, ast.ImportFrom):
        base = statement.module or ""
        return _imported_file(project, tree, f"{base}.{alias.name}" if base else alias.name, statement.level)
    return _imported_file(project, tree, alias.name, 0) if alias.asname or "." not in alias.name else None


def _imported_file(project: Project, tree: Tree, module: str, level: int) -> Tree | None:
    if level:
        package = project.module_name(tree.path).split(".")
        drop = level - tree.path.endswith("__init__.py")
        package = package[: len(package) - drop] if drop else package
        module = ".".join([*package, module] if module else package)
    if not module:
        return None
    path = project.find_module(module, tree.path)
    if path is None or path not in project.file_set:
        return None
    try:
        return tree_of(project, path)
    except (SourceError, SyntaxError):
        return None


def method(cls: ast.AST, name: str) -> Function | None:
    """Return a method that a class defines itself."""
    body = cls.body if isinstance(cls, ast.ClassDef) else []
    return next((n for n in body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name == name), None)


def methods_called(project: Project, name: str) -> list[Definition]:
    """Return all methods of the project that have a name."""
    found: list[Definition] = [
        (tree, node)
        for tree in files_with(project, rf"def\s+{re.escape(name)}\b")
        for node in ast.walk(tree.ast)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.name == name
        and isinstance(tree.parents[node], ast.ClassDef)
    ]
    return found


def ancestry(project: Project, tree: Tree, cls: ast.ClassDef) -> Iterator[tuple[Tree, ast.ClassDef]]:
    """Yield a class and its bases in the project, the nearest first."""
    seen: set[ast.AST] = set()
    waiting = [(tree, cls)]
    while waiting:
        here, current = waiting.pop(0)
        if current in seen:
            continue
        seen.add(current)
        yield here, current
        for base in current.bases:
            waiting += [(t, d) for t, d in definitions(project, here, base) if isinstance(d, ast.ClassDef)]


def descendants(project: Project, cls: ast.ClassDef) -> Iterator[tuple[Tree, ast.ClassDef]]:
    """Yield the classes of the project that name a class, or one of these, as a base."""
    seen: set[ast.AST] = {cls}
    waiting = [cls.name]
    while waiting:
        name = waiting.pop()
        for tree in files_with(project, rf"class\s+\w+\s*\([^)]*\b{re.escape(name)}\b"):
            for node in ast.walk(tree.ast):
                if not isinstance(node, ast.ClassDef) or node in seen:
                    continue
                if any(dotted(base).rpartition(".")[2] == name for base in node.bases):
                    seen.add(node)
                    waiting.append(node.name)
                    yield tree, node


def family(project: Project, tree: Tree, cls: ast.ClassDef) -> list[tuple[Tree, ast.ClassDef]]:
    """Return a class, its bases and its subclasses in the project."""
    return [*ancestry(project, tree, cls), *descendants(project, cls)]


def sets_attribute(tree: Tree, cls: ast.ClassDef, attribute: str) -> bool:
    """Whether a class binds an attribute, on `self` or in its body."""
    return attribute in tree.scopes.own[cls].bindings or any(
        isinstance(node, ast.Attribute)
        and node.attr == attribute
        and not isinstance(node.ctx, ast.Load)
        and is_self(tree, node.value)
        for node in ast.walk(cls)
    )


def attribute_reads(
    project: Project, attribute: str, holder: tuple[Tree, ast.ClassDef] | None
) -> Iterator[tuple[Tree, ast.Attribute]]:
    """Yield the reads of an attribute in the project that may be those of an instance of `holder`."""
    return attribute_uses(project, attribute, holder, ast.Load)


def attribute_uses(
    project: Project, attribute: str, holder: tuple[Tree, ast.ClassDef] | None, *contexts: type[ast.expr_context]
) -> Iterator[tuple[Tree, ast.Attribute]]:
    """Yield where an attribute of an instance of `holder` may be read (`ast.Load`), set (`ast.Store`) or deleted.

    Left out are those of a class that has an attribute of that name itself and is no relative, and modules' names.
    """
    relatives = {cls for _, cls in family(project, *holder)} if holder else set()
    for tree in files_with(project, rf"\.\s*{re.escape(attribute)}\b"):
        for node in ast.walk(tree.ast):
            if not isinstance(node, ast.Attribute) or node.attr != attribute or not isinstance(node.ctx, contexts):
                continue
            own = method_class(tree, node)
            if own is not None and is_self(tree, node.value):
                if own not in relatives and sets_attribute(tree, own, attribute):
                    continue
            elif isinstance(node.value, ast.Name):
                owner = tree.scopes.of[node.value].owner(node.value.id)
                bound = tree.scopes.bindings(owner, node.value.id) if owner else []
                if bound and all(isinstance(b, ast.alias) for b in bound):
                    continue
            yield tree, node
