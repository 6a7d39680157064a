"""Classes made in a function: to module level, where they need nothing of the function."""

from __future__ import annotations

import ast
import builtins

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.repairs import moving, names
from mpsafe_lint.repairs.captures import free_names
from mpsafe_lint.repairs.edits import Patch, apply
from mpsafe_lint.repairs.scopes import Scope
from mpsafe_lint.repairs.tree import Declined, Tree, tree_of

_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def repair(finding: Finding, project: Project) -> Repair:
    """Move a local class to module level. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    statement, name = _statement(tree, finding)
    scope = tree.scopes.of[statement]
    if scope.kind != "function":
        raise Declined("it is not made in a function", "make sure that its name at module level means this class")
    if len(tree.scopes.bindings(scope, name)) != 1 or not tree.alone(statement):
        raise Declined(f"`{name}` is bound more than once", "define it at module level")
    _refuse_captures(tree, statement)
    new = name
    patches: list[Patch] = []
    cautions = _shared_state(tree, statement, name)
    if _is_taken(tree, scope, name):
        new = names.fresh(tree, name, statement)
        new = "_" + name if "_" + name not in tree.words else new
        patches = _renamed(tree, scope, statement, name, new)
        cautions.append(f"its name becomes {new}, which its repr shows")
    anchor = tree.top_statement(statement)
    below = moving.needs_below(tree, moving.names_needed_at_once(tree, statement), anchor, True)
    start, end = moving.line_bounds(tree, statement)
    shift = -len(tree.indentation(statement.lineno))
    inner = moving.reindentation(tree, start, end, shift, of=statement)
    text = apply(tree.text, [*inner, *_within(patches, start, end)], start, end)
    outside = [patch for patch in patches if not start <= patch.start < end]
    edits = [moving.insertion(tree, anchor, [text], below), *outside, moving.removal(tree, statement)]
    caution = "; ".join(cautions)
    summary = f"moved to module level{'' if new == name else f' as {new}'}"
    return Repair("move-class", "unsafe" if caution else "safe", tree.edits(edits), summary, caution)


def _within(patches: list[Patch], start: int, end: int) -> list[Patch]:
    return [patch for patch in patches if start <= patch.start < end]


def _statement(tree: Tree, finding: Finding) -> tuple[ast.stmt, str]:
    """Return the statement that makes the class, and the name that it gives it."""
    node = tree.find(finding.span, ast.ClassDef, ast.Assign) or tree.find(finding.span, ast.Call, ast.Name)
    if isinstance(node, ast.ClassDef):
        return node, node.name
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        owner = tree.scopes.of[node].owner(node.func.id)
        found = tree.scopes.bindings(owner, node.func.id) if owner and owner.kind == "function" else []
        if len(found) == 1 and isinstance(found[0], ast.ClassDef):
            return found[0], node.func.id
    statement = tree.statement(node) if node is not None else None
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call()):
            return statement, name
    raise Declined("the statement that makes it is not seen", "define it at module level")


def _refuse_captures(tree: Tree, statement: ast.stmt) -> None:
    """Decline a class that needs a variable of the function that makes it."""
    needed = free_names(tree, statement) if isinstance(statement, ast.ClassDef) else {}
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and tree.scopes.of.get(node):
            owner = tree.scopes.of[node].owner(node.id)
            if owner is not None and owner is tree.scopes.of[statement]:
                needed[node.id] = owner
    own = statement.name if isinstance(statement, ast.ClassDef) else ""
    needed.pop(own, None)
    if needed:
        name = min(needed)
        bound = tree.scopes.bindings(needed[name], name)
        if any(isinstance(b, ast.alias) for b in bound):
            raise Declined(
                f"it uses the local import of `{name}`", f"import `{name}` at module level, and move the class"
            )
        raise Declined(
            f"it uses `{name}` of the function round it", f"move it to module level, and hand `{name}` to its __init__"
        )


def _is_taken(tree: Tree, scope: Scope, name: str) -> bool:
    """Whether the name means something else at module level, or is looked up there by other code."""
    if name in tree.scopes.top.bindings or hasattr(builtins, name):
        return True
    return any(name in other.reads and other.owner(name) is None for other in tree.scopes.all)


def _renamed(tree: Tree, scope: Scope, statement: ast.stmt, name: str, new: str) -> list[Patch]:
    patches = [Patch(*tree.bounds(read), new) for read in tree.scopes.references(scope, name)]
    if isinstance(statement, ast.ClassDef):
        start = tree.text.index(name, tree.bounds(statement)[0] + len("class"))
        patches.append(Patch(start, start + len(name), new))
    elif isinstance(statement, ast.Assign):
        patches.append(Patch(*tree.bounds(statement.targets[0]), new))
        typename = typename_of(statement.value)
        if typename is not None:
            start, end = tree.bounds(typename)
            quote = tree.text[end - 1]
            patches.append(Patch(start, end, f"{quote}{new}{quote}"))
    return patches


def typename_of(call: ast.expr) -> ast.Constant | None:
    """Return the name that a call such as `namedtuple("Point", …)` or `type("Point", …)` gives its class."""
    match call:
        case ast.Call(args=[ast.Constant(value=str()) as typename, *_]):
            return typename
    return None


def _shared_state(tree: Tree, statement: ast.stmt, name: str) -> list[str]:
    """Say what a class that is made once would share, which one made at every call does not."""
    body = statement.body if isinstance(statement, ast.ClassDef) else []
    if any(isinstance(n, (ast.Assign, ast.AnnAssign)) and isinstance(n.value, _MUTABLE) for n in body):
        return ["what its attributes hold is shared by all calls of the function then"]
    for node in ast.walk(tree.ast):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=attribute, ctx=ast.Store()):
                inside = any(outer is statement for outer in tree.ancestors(node))
                if owner == name or (owner == "cls" and inside):
                    return [f"`{owner}.{attribute}` is shared by all calls of the function then"]
    return []
