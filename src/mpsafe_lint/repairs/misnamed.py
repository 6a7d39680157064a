"""Functions and classes that pickle can't find under their name: wrapped without functools.wraps, misspelt, guarded."""

from __future__ import annotations

import ast

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.repairs import imports, lookup, moving
from mpsafe_lint.repairs.captures import collect, in_main_block
from mpsafe_lint.repairs.classes import typename_of
from mpsafe_lint.repairs.edits import Patch, apply
from mpsafe_lint.repairs.scopes import Function, parameters
from mpsafe_lint.repairs.tree import Declined, Tree, tree_of

_NAMED = "make its name at module level mean this very object"


def repair(finding: Finding, project: Project) -> Repair:
    """Let a function or class be found under its name. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    node = tree.find(finding.span, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    if node is None:
        node = tree.find(finding.span, ast.Assign, ast.Call)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return _function(project, tree, node)
    if isinstance(node, ast.ClassDef):
        if tree.scopes.of[node].kind == "module" and in_main_block(tree, node):
            return _above_guard(tree, node)
        raise Declined("another object has its name", _NAMED)
    return _typename(tree, node)


def _function(project: Project, tree: Tree, node: Function) -> Repair:
    if wrapped := wrapped_parameter(tree, node):
        return add_wraps(tree, node, wrapped)
    if tree.scopes.of[node].kind == "module" and in_main_block(tree, node):
        return _above_guard(tree, node)
    for decorator in node.decorator_list:
        for other, wrapper in _wrappers(project, tree, decorator):
            if wrapped := wrapped_parameter(other, wrapper):
                return add_wraps(other, wrapper, wrapped)
    raise Declined("another object has its name", _NAMED)


# --- functools.wraps


def wrapped_parameter(tree: Tree, node: ast.AST) -> str:
    """Return the parameter that a wrapper stands for: of the decorator round it, which returns it; else nothing."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ""
    scope = tree.scopes.of[node]
    decorator = scope.node
    if not isinstance(decorator, (ast.FunctionDef, ast.AsyncFunctionDef)) or len(parameters(decorator.args)) != 1:
        return ""
    wrapped = parameters(decorator.args)[0].arg
    returned = any(
        isinstance(n, ast.Return) and isinstance(n.value, ast.Name) and n.value.id == node.name
        for n in ast.walk(decorator)
    )
    own = tree.scopes.inside(node)
    called = any(
        isinstance(parent := tree.parents[read], ast.Call) and parent.func is read
        for read in tree.scopes.references(scope, wrapped)
        if tree.scopes.of[read] in own
    )
    already = any("wraps" in tree.code(d) or "update_wrapper" in tree.code(d) for d in node.decorator_list)
    already = already or "update_wrapper" in tree.code(decorator)
    return wrapped if returned and called and not already else ""


def is_used_as_decorator(project: Project, tree: Tree, wrapper: Function) -> bool:
    """Whether the function that returns a wrapper, or the one round that, decorates something in the project."""
    names = [
        outer.name for outer in tree.ancestors(wrapper) if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    return any(any(lookup.files_with(project, rf"@\s*(?:[\w.]+\.)?{name}\b")) for name in names)


def add_wraps(tree: Tree, wrapper: Function, wrapped: str) -> Repair:
    """Decorate a wrapper with `functools.wraps`."""
    text, patches = imports.reference(tree, "functools", "wraps", tree.scopes.of[wrapper])
    start = tree.starts[wrapper.lineno - 1]
    line = f"{tree.indentation(wrapper.lineno)}@{text}({wrapped}){tree.newline}"
    edits = tree.edits([*patches, Patch(start, start, line)])
    return Repair("add-wraps", "safe", edits, f"{wrapper.name} takes the name of {wrapped}, by functools.wraps")


def _wrappers(project: Project, tree: Tree, decorator: ast.expr) -> list[tuple[Tree, Function]]:
    """Return the functions that a decorator of the project may put in the place of what it decorates."""
    func = decorator.func if isinstance(decorator, ast.Call) else decorator
    return [
        (other, node)
        for other, function in lookup.definitions(project, tree, func)
        for node in ast.walk(function)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node is not function
    ]


# --- defined below the main guard


def _above_guard(tree: Tree, node: moving.Definition) -> Repair:
    """Move a function, with those that it calls, out of the main block and above it, where a worker finds it."""
    moved: list[moving.Definition] = [node]
    needed = moving.names_needed_at_once(tree, node)
    if not isinstance(node, ast.ClassDef):
        members = collect(tree, node)
        for member in members:
            if not member.closed or member.imports:
                name = next(iter([*member.captures, *member.bound, *(a.asname or a.name for a in member.imports)]))
                raise Declined(
                    f"it uses `{name}`, which only the main block has", f"hand `{name}` in, or define it above"
                )
        moved = [member.node for member in members if not isinstance(member.node, ast.Lambda)]
        needed |= {name for member in members for name in member.needs}
        if len(moved) != len(members):
            raise Declined("it calls a lambda of the main block", "define that above the main block")
    anchor = tree.top_statement(node)
    if late := [
        name for name in needed if all(in_main_block(tree, b) for b in tree.scopes.top.bindings.get(name, [node]))
    ]:
        raise Declined(f"it uses `{late[0]}`, which only the main block has", f"define `{late[0]}` above")
    texts = []
    for one in moved:
        start, end = moving.line_bounds(tree, one)
        inner = moving.reindentation(tree, start, end, -len(tree.indentation(one.lineno)), of=one)
        texts.append(apply(tree.text, inner, start, end))
    below = moving.needs_below(tree, needed, anchor, False)
    patches = [moving.insertion(tree, anchor, texts, below), *(moving.removal(tree, one) for one in moved)]
    return Repair("above-guard", "safe", tree.edits(patches), "defined above the main block")


# --- the name of a named tuple


def _typename(tree: Tree, node: ast.AST | None) -> Repair:
    """Give a class that a call makes the name that it is bound to."""
    statement = tree.statement(node) if node is not None else None
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if tree.scopes.of[statement].kind == "module":
            typename = typename_of(value)
            if typename is not None and typename.value != name:
                start, end = tree.bounds(typename)
                quote = tree.text[end - 1]
                edits = tree.edits([Patch(start, end, f"{quote}{name}{quote}")])
                caution = f"its repr shows {name} then, instead of {typename.value!s}"
                return Repair("typename", "unsafe", edits, f"the class is called {name}", caution)
    raise Declined("what its name should be is not seen", _NAMED)
