"""Whether a generator or an iterator ends, as far as its source tells."""

from __future__ import annotations

import ast

from mpsafe_lint.files.project import Project
from mpsafe_lint.knowledge import makers, types
from mpsafe_lint.repairs import lookup
from mpsafe_lint.repairs.scopes import Function
from mpsafe_lint.repairs.tree import Tree

_PASSING = frozenset(
    "map filter enumerate iter zip reversed itertools.chain itertools.starmap itertools.accumulate "
    "itertools.filterfalse itertools.dropwhile itertools.pairwise itertools.batched itertools.compress "
    "itertools.chain.from_iterable".split()
)
_HOPS = 6


def endless(project: Project, tree: Tree, node: ast.expr, hops: int = _HOPS) -> str:
    """Say what makes an iterable go on for ever; empty where nothing is seen to."""
    if not hops:
        return ""
    match node:
        case ast.GeneratorExp(generators=generators) | ast.ListComp(generators=generators):
            return next((e for g in generators if (e := endless(project, tree, g.iter, hops - 1))), "")
        case ast.Name(id=name):
            return _endless_variable(project, tree, node, name, hops)
        case ast.Call():
            return _endless_call(project, tree, node, hops)
    return ""


def _endless_variable(project: Project, tree: Tree, node: ast.Name, name: str, hops: int) -> str:
    owner = tree.scopes.of[node].owner(name)
    for bound in tree.scopes.bindings(owner, name) if owner else ():
        parent = tree.parents[bound]
        if isinstance(parent, ast.Assign) and (found := endless(project, tree, parent.value, hops - 1)):
            return found
    return ""


def _endless_call(project: Project, tree: Tree, call: ast.Call, hops: int) -> str:
    name = lookup.qualified(tree, call.func)
    if name == "iter" and len(call.args) == 2:
        return "iter() with a sentinel, which may not come"
    if name and _finite(tree, call) == "never":
        return f"{name}()"
    if name in _PASSING:
        found = [endless(project, tree, argument, hops - 1) for argument in call.args]
        whole = all(found) if name == "zip" else any(found)
        return next(filter(None, found), "") if whole else ""
    for other, function in lookup.definitions(project, tree, call.func):
        if isinstance(function, ast.ClassDef):
            continue
        if found_in := _endless_function(project, other, function, hops):
            return found_in
    return ""


def unsure(project: Project, tree: Tree, node: ast.expr) -> bool:
    """Whether a value comes from an iterator of which nothing is known: it may go on for ever, or cost much to read.

    What a library's function gives to a generator expression is taken for an iterator where its name says so.
    """
    if isinstance(node, ast.GeneratorExp):
        calls = [generator.iter for generator in node.generators if isinstance(generator.iter, ast.Call)]
        return any("iter" in lookup.dotted(call.func) and unsure(project, tree, call) for call in calls)
    if not isinstance(node, ast.Call) or lookup.definitions(project, tree, node.func):
        return False
    name = lookup.qualified(tree, node.func)
    if name == "iter":
        source = node.args[0] if node.args else node
        return isinstance(source, (ast.Name, ast.Attribute)) or unsure(project, tree, source)
    return bool(name) and not _finite(tree, node)


def is_asynchronous(project: Project, tree: Tree, node: ast.expr) -> bool:
    """Whether a value can only be read by `async for`."""
    if isinstance(node, ast.GeneratorExp):
        return any(generator.is_async for generator in node.generators)
    found = lookup.definitions(project, tree, node.func) if isinstance(node, ast.Call) else []
    return any(isinstance(function, ast.AsyncFunctionDef) for _, function in found)


def _finite(tree: Tree, call: ast.Call) -> str:
    """Return what the tables say of the object that a library's function gives: see `TypeRow.finite`."""
    positional: dict[int | str, object] = dict(enumerate(map(_value, call.args)))
    arguments = positional | {word.arg: _value(word.value) for word in call.keywords if word.arg}
    known = makers.result_of(lookup.qualified(tree, call.func), arguments)
    if known == "itertools.repeat":  # with a number of times it has a name of its own
        return "never"
    row = types.row_of(known) if known else None
    return row.finite if row else ""


def _value(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else ...


def _endless_function(project: Project, tree: Tree, function: Function, hops: int) -> str:
    for node in ast.walk(function):
        if tree.scopes.of.get(node) is not tree.scopes.own[function]:
            continue
        if (
            isinstance(node, ast.While)
            and isinstance(node.test, ast.Constant)
            and node.test.value
            and _no_way_out(node)
        ):
            return f"the loop on line {node.lineno} of {tree.path}"
        source: ast.expr | None = None
        if isinstance(node, (ast.For, ast.AsyncFor)) and _no_way_out(node):
            source = node.iter
        elif isinstance(node, (ast.YieldFrom, ast.Return)):
            source = node.value
        if source is not None and (found := endless(project, tree, source, hops - 1)):
            return found
    return ""


def _no_way_out(loop: ast.While | ast.For | ast.AsyncFor) -> bool:
    """Whether nothing leaves a loop: no break of its own, no return."""
    waiting: list[tuple[ast.AST, bool]] = [(statement, True) for statement in loop.body]
    while waiting:
        node, own = waiting.pop()
        if isinstance(node, ast.Return) or (isinstance(node, ast.Break) and own):
            return False
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        inner = own and not isinstance(node, (ast.While, ast.For, ast.AsyncFor))
        waiting += [(child, inner) for child in ast.iter_child_nodes(node)]
    return True
