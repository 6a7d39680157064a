"""Exceptions that can't be made again from their `args`: a `__reduce__`, or their arguments handed on."""

from __future__ import annotations

import ast
import builtins

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.repairs import lookup, state
from mpsafe_lint.repairs.edits import Patch
from mpsafe_lint.repairs.scopes import Function
from mpsafe_lint.repairs.tree import Declined, Tree, tree_of


def repair(finding: Finding, project: Project) -> Repair:
    """Let an exception say what it is made from. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    cls = _class_at(tree, finding)
    init = lookup.method(cls, "__init__") if cls else None
    if cls is None or init is None:
        raise Declined("no class with an __init__ stands there", _ADVICE)
    _refuse_getattr(project, tree, cls)
    if not _is_exception(project, tree, cls):
        raise Declined("how it is made again is for you to decide", _ADVICE)
    for method in ("__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__"):
        if lookup.method(cls, method):
            raise Declined(f"{cls.name} has a {method} of its own", "let it hold the arguments of the constructor")
    parameters = _parameters(init)
    kept = {name: attribute for name in parameters if (attribute := kept_as(tree, cls, init, name))}
    if parameters and len(kept) == len(parameters):
        return _reduce(project, tree, cls, [kept[name] for name in parameters])
    return _hand_on(tree, cls, init, parameters)


_ADVICE = "give it a __reduce__ that returns type(self) and the arguments of its constructor"


def _refuse_getattr(project: Project, tree: Tree, cls: ast.ClassDef) -> None:
    for other, base in lookup.ancestry(project, tree, cls):
        if getattr_ := lookup.method(base, "__getattr__"):
            name = [*getattr_.args.args, ast.arg("name")][1].arg
            where = "" if base is cls else f" of {base.name} ({other.path}:{getattr_.lineno})"
            raise Declined(
                "its __getattr__ is called before it has any attributes",
                f'begin __getattr__{where} with: if {name}.startswith("__"): raise AttributeError({name})',
            )


def _is_exception(project: Project, tree: Tree, cls: ast.ClassDef) -> bool:
    """Whether a class is an exception, as far as the names of its bases tell."""
    bases = [lookup.dotted(base).rpartition(".")[2] for _, c in lookup.ancestry(project, tree, cls) for base in c.bases]
    known = (getattr(builtins, name, None) for name in bases)
    return any(name.endswith(("Error", "Exception", "Warning")) for name in bases) or any(
        isinstance(base, type) and issubclass(base, BaseException) for base in known
    )


def _class_at(tree: Tree, finding: Finding) -> ast.ClassDef | None:
    offset = tree.places.offset(finding.span.line, finding.span.column)
    holding = [
        node
        for node in ast.walk(tree.ast)
        if isinstance(node, ast.ClassDef) and tree.bounds(node)[0] <= offset < tree.bounds(node)[1]
    ]
    return holding[-1] if holding else None


def _parameters(init: Function) -> list[str]:
    args = init.args
    if args.vararg or args.kwarg or args.kwonlyargs:
        raise Declined("its constructor takes *args or keywords", _ADVICE)
    return [arg.arg for arg in [*args.posonlyargs, *args.args]][1:]


def kept_as(tree: Tree, cls: ast.ClassDef, init: Function, parameter: str) -> str:
    """Return the attribute that keeps a parameter of the constructor as it came; empty where none does."""
    scope = tree.scopes.own[init]
    if len(tree.scopes.bindings(scope, parameter)) != 1:
        return ""
    for statement in init.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=owner, attr=name)], value=ast.Name(id=found)) if (
                found == parameter and lookup.is_self(tree, owner)
            ):
                if _assignments(tree, cls, name) == 1:
                    return name
    return ""


def _assignments(tree: Tree, cls: ast.ClassDef, attribute: str) -> int:
    return sum(
        isinstance(node, ast.Attribute) and node.attr == attribute and not isinstance(node.ctx, ast.Load)
        for node in ast.walk(cls)
    )


def _reduce(project: Project, tree: Tree, cls: ast.ClassDef, attributes: list[str]) -> Repair:
    values = ", ".join(f"self.{name}" for name in attributes)
    line = f"return type(self), ({values}{',' if len(attributes) == 1 else ''})"
    others = [other.name for _, other in lookup.descendants(project, cls) if lookup.method(other, "__init__")]
    caution = f"{others[0]} has another constructor" if others else ""
    patch = state.add_method(tree, cls, "__reduce__(self)", [line])
    applicability = "unsafe" if caution else "safe"
    return Repair("reduce", applicability, tree.edits([patch]), "__reduce__ holds the constructor's arguments", caution)


def _hand_on(tree: Tree, cls: ast.ClassDef, init: Function, parameters: list[str]) -> Repair:
    """Hand the constructor's arguments to the base class, whose `args` pickle makes the exception from."""
    for node in ast.walk(init):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")):
                start = tree.text.index("(", tree.bounds(node.func)[1]) + 1
                end = tree.bounds(node)[1] - 1
                if not parameters or tree.text[start:end] == ", ".join(parameters):
                    break
                patch = Patch(start, end, ", ".join(parameters))
                caution = f"str() of a {cls.name} shows its arguments then, instead of its message"
                return Repair("hand-on", "unsafe", tree.edits([patch]), "its arguments go to super().__init__", caution)
    raise Declined("its arguments are not kept", _ADVICE)
