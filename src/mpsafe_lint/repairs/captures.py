"""What a function takes from the scopes round it, and whether it can be given that beforehand."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from mpsafe_lint.findings import Finding
from mpsafe_lint.repairs.scopes import Function, Scope, defaults, end_position, parameters, position
from mpsafe_lint.repairs.tree import Declined, Tree

AT_ONCE = frozenset({"pool-task", "executor-task", "joblib-task", "queue-item", "pipe"})
"""Boundaries at which a value is saved as it is when it is handed over, under every start method."""

FRAME_READERS = frozenset({"locals", "vars", "eval", "exec", "dir"})
"""Builtins that see the variables of the function that calls them."""


@dataclass(eq=False)
class Member:
    """A function that moves to module level, by itself or since another one that moves calls it.

    `owner` holds the variable `name` that it is bound to; a lambda that is bound to none has neither. `captures` maps
    the variables that it reads to their scopes; `imports` are those that a local import binds, which moves along;
    `calls` are the other members that it refers to. `bound` are the defaults that only the old place can evaluate.
    `new` is its name at module level. `comment` stands behind a statement that goes away.
    """

    node: Function | ast.Lambda
    owner: Scope | None
    name: str
    captures: dict[str, Scope] = field(default_factory=dict)
    imports: list[ast.alias] = field(default_factory=list)
    calls: list[Member] = field(default_factory=list)
    bound: dict[str, ast.expr] = field(default_factory=dict)
    needs: set[str] = field(default_factory=set)
    new: str = ""
    comment: str = ""

    @property
    def closed(self) -> bool:
        """Whether it needs nothing from the place that it comes from."""
        return not self.captures and not self.bound


def main_guard(node: ast.AST) -> bool:
    """Whether a node is `if __name__ == "__main__":`."""
    match node:
        case ast.If(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            sides = [left, right]
            return any(isinstance(s, ast.Name) and s.id == "__name__" for s in sides) and any(
                isinstance(s, ast.Constant) and s.value == "__main__" for s in sides
            )
    return False


def in_main_block(tree: Tree, node: ast.AST) -> bool:
    """Whether a node stands below the main guard, where a spawned process never comes."""
    return main_guard(tree.top_statement(node))


def is_local(tree: Tree, owner: Scope | None, name: str) -> bool:
    """Whether a variable is out of reach of a function at module level."""
    if owner is None:
        return False
    if owner.kind == "module":
        return all(in_main_block(tree, bound) for bound in tree.scopes.bindings(owner, name))
    return True


def local_binding(tree: Tree, node: Function | ast.Lambda) -> tuple[Scope | None, str]:
    """Return the scope and the name that a function is bound to; a lambda only where it is all that is assigned."""
    scope = tree.scopes.of[node]
    if not isinstance(node, ast.Lambda):
        return scope, node.name
    match tree.parents[node]:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is node and scope.kind != "class":
            return scope.owner(name), name
    return None, ""


def collect(tree: Tree, node: Function | ast.Lambda) -> list[Member]:
    """Return the function and the local ones that have to move along, in the order of the source.

    Raises Declined where one of them can't be moved.
    """
    members: dict[ast.AST, Member] = {}
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current not in members:
            members[current] = Member(current, *local_binding(tree, current))
            waiting += _inspect(tree, members[current])
    for member in members.values():
        member.calls = [members[called] for called in _callees(tree, member) if members[called] is not member]
    _share_captures(tree, list(members.values()))
    return sorted(members.values(), key=lambda member: position(member.node))


def free_names(tree: Tree, node: ast.AST) -> dict[str, Scope]:
    """Return the variables that a function or class reads and that only the scopes round it have."""
    inside = tree.scopes.inside(node)
    found: dict[str, Scope] = {}
    for scope in inside:
        for name in scope.reads:
            owner = scope.owner(name)
            if owner is not None and owner not in inside and is_local(tree, owner, name):
                found[name] = owner
    return found


def moving_function(tree: Tree, owner: Scope, name: str) -> Function | ast.Lambda | None:
    """Return the local function that a variable stands for, where it stands for one alone."""
    bindings = tree.scopes.bindings(owner, name)
    if len(bindings) != 1:
        return None
    match bindings[0]:
        case ast.FunctionDef() | ast.AsyncFunctionDef() as function:
            return function
        case ast.Name() as target:
            match tree.parents[target]:
                case ast.Assign(targets=[_], value=ast.Lambda() as value):
                    return value
    return None


def _callees(tree: Tree, member: Member) -> list[ast.AST]:
    free = free_names(tree, member.node)
    found = [moving_function(tree, owner, name) for name, owner in free.items()]
    return [function for function in found if function is not None]


def _inspect(tree: Tree, member: Member) -> list[Function | ast.Lambda]:
    """Sort what a member reads from outside; return the functions that have to move with it."""
    _refuse_frame_use(tree, member.node)
    more: list[Function | ast.Lambda] = []
    for name, owner in free_names(tree, member.node).items():
        bindings = tree.scopes.bindings(owner, name)
        if function := moving_function(tree, owner, name):
            more.append(function)
        elif all(isinstance(bound, ast.alias) for bound in bindings) and len(bindings) == 1:
            member.imports += [bound for bound in bindings if isinstance(bound, ast.alias)]
        elif any(isinstance(bound, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) for bound in bindings):
            what = "class" if any(isinstance(bound, ast.ClassDef) for bound in bindings) else "function"
            raise Declined(f"it uses the local {what} `{name}`", f"move `{name}` to module level first")
        else:
            member.captures[name] = owner
    _inspect_definition(tree, member)
    return more


def _refuse_frame_use(tree: Tree, node: Function | ast.Lambda) -> None:
    """Decline what depends on where the function stands, apart from the variables that it reads."""
    inside = tree.scopes.inside(node)
    own = tree.scopes.own[node]
    for scope in inside:
        for name, how in scope.declared.items():
            owner = scope.parent.owner(name) if how == "nonlocal" and scope.parent else None
            if owner is not None and owner not in inside:
                raise Declined(
                    f"it changes `{name}` of the function round it (nonlocal)",
                    f"hand `{name}` in as an argument and return its new value; another process can't change it",
                )
        within_class = any(outer.kind == "class" for outer in scope.chain() if outer in inside and outer is not own)
        for word in ("super", "__class__"):
            for read in scope.reads.get(word, ()) if not within_class else ():
                call = tree.parents[read]
                if word == "__class__" or (isinstance(call, ast.Call) and call.func is read and not call.args):
                    raise Declined(
                        "it uses super() without arguments", "make it a method, or hand in what super() gives"
                    )
        for word in FRAME_READERS & scope.reads.keys():
            if scope.owner(word) is None and (
                (word != "dir" and word != "vars") or _without_arguments(tree, scope.reads[word])
            ):
                raise Declined(f"it calls {word}()", "hand in what it looks up")
    in_class = any(isinstance(outer, ast.ClassDef) for outer in tree.ancestors(node))
    for part in ast.walk(node):
        name = part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
        if in_class and name.startswith("__") and not name.endswith("__"):
            raise Declined(
                f"`{name}` is private to the class round it", f"give `{name}` one underscore, or use a method"
            )
        if isinstance(node, ast.Lambda) and isinstance(part, (ast.Yield, ast.YieldFrom)):
            raise Declined("it yields", "write a generator function at module level")


def _without_arguments(tree: Tree, reads: list[ast.Name]) -> bool:
    calls = [tree.parents[read] for read in reads]
    return any(isinstance(call, ast.Call) and not call.args for call in calls)


def _inspect_definition(tree: Tree, member: Member) -> None:
    """Sort what decorators, defaults and annotations read: they are evaluated where the function is defined."""
    node = member.node
    for argument, default in defaults(node.args):
        local = _local_names(tree, default, member)
        if local:
            member.bound[argument] = default
    if isinstance(node, ast.Lambda):
        return
    for decorator in node.decorator_list:
        if local := _local_names(tree, decorator, member):
            raise Declined(f"its decorator uses the local `{local[0]}`", "decorate a function at module level")
    deferred = any(
        isinstance(n, ast.ImportFrom) and n.module == "__future__" and any(a.name == "annotations" for a in n.names)
        for n in tree.ast.body
    )
    notes = [arg.annotation for arg in parameters(node.args)] + [node.returns]
    for annotation in notes if not deferred else ():
        if annotation is not None and (local := _local_names(tree, annotation, member)):
            raise Declined(
                f"its annotation uses the local `{local[0]}`", f"import or define `{local[0]}` at module level"
            )


def _local_names(tree: Tree, expression: ast.expr, member: Member) -> list[str]:
    """Return the local variables that an expression reads; note the module's variables for the order of things."""
    local: list[str] = []
    inside = {own for part in ast.walk(expression) if (own := tree.scopes.own.get(part))}
    for part in ast.walk(expression):
        if isinstance(part, ast.Name) and part in tree.scopes.of:
            owner = tree.scopes.of[part].owner(part.id)
            if owner in inside:
                continue
            if owner is not None and is_local(tree, owner, part.id):
                local.append(part.id)
            elif owner is not None:
                member.needs.add(part.id)
    return local


def _share_captures(tree: Tree, members: list[Member]) -> None:
    """Let every member capture what the members capture that it calls: it has to hand that on."""
    changed = True
    while changed:
        changed = False
        for member in members:
            for called in (*member.calls, *([member] if _calls_itself(tree, member) else [])):
                if called.bound:
                    raise Declined(
                        f"`{called.name}` has a default that only its place can evaluate", "hand that in as an argument"
                    )
                for name, owner in called.captures.items():
                    if member.captures.get(name, owner) is not owner or _binds(tree, member.node, name):
                        raise Declined(f"`{name}` means two things here", f"rename one `{name}`")
                    changed = changed or name not in member.captures
                    member.captures[name] = owner
    for member in members:
        member.imports.sort(key=position)
        ordered = sorted(member.captures, key=lambda name: _first_binding(tree, member.captures[name], name))
        member.captures = {name: member.captures[name] for name in ordered}


def _calls_itself(tree: Tree, member: Member) -> bool:
    if member.owner is None:
        return False
    reads = tree.scopes.references(member.owner, member.name)
    return any(member.node in tree.ancestors(read) for read in reads)


def _binds(tree: Tree, node: ast.AST, name: str) -> bool:
    return any(name in scope.bindings for scope in tree.scopes.inside(node))


def _first_binding(tree: Tree, owner: Scope, name: str) -> tuple[int, int]:
    return position(tree.scopes.bindings(owner, name)[0])


# --- when a variable has the value that the function would see


def rebound(tree: Tree, owner: Scope, name: str, at: ast.AST) -> tuple[ast.AST, bool] | None:
    """Return what binds a variable after `at` has read it, and whether it does so in the next turn of a loop only.

    None where the value that the variable has at `at` is the one that it keeps.
    """
    for bound in tree.scopes.bindings(owner, name):
        if isinstance(bound, ast.arg):
            continue
        if tree.scopes.of[bound] is not owner:
            return bound, False  # by nonlocal or global, whenever that runs
        if _loop_round(tree, owner, bound, at):
            return bound, True
        if position(bound) > position(at) or _assigns_result(tree, bound, at):
            return bound, False
    return None


def _assigns_result(tree: Tree, bound: ast.AST, at: ast.AST) -> bool:
    """Whether `bound` is a target of the very assignment whose value holds `at`: it is bound after."""
    statement = tree.statement(bound)
    return (
        isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        and (position(statement) <= position(at) < end_position(statement))
        and not isinstance(tree.parents[bound], ast.NamedExpr)
    )


def _loop_round(tree: Tree, owner: Scope, bound: ast.AST, at: ast.AST) -> bool:
    """Whether a loop of the scope holds both places, so that the binding comes again after the reading."""
    if owner.kind == "comprehension":
        return True
    for outer in tree.ancestors(bound):
        if outer is owner.node:
            return False
        if isinstance(outer, (ast.For, ast.AsyncFor, ast.While)) and _holds(outer, at) and not _in_else(outer, at):
            return True
    return False


def _holds(outer: ast.AST, inner: ast.AST) -> bool:
    return position(outer) <= position(inner) and end_position(inner) <= end_position(outer)


def _in_else(loop: ast.For | ast.AsyncFor | ast.While, at: ast.AST) -> bool:
    return bool(loop.orelse) and position(loop.orelse[0]) <= position(at)


def crosses_at_once(tree: Tree, finding: Finding, at: ast.AST) -> bool:
    """Whether what is made at `at` is saved before the next turn of the loop round it."""
    statement = tree.statement(at)
    crossing = finding.crossing
    if crossing is None or crossing.span.path != tree.path:
        return False
    here = statement.lineno <= crossing.span.line <= (statement.end_lineno or statement.lineno)
    if finding.boundary in AT_ONCE:
        return here
    if finding.boundary in ("process-target", "process-args") and here:
        return _started_at_once(tree, statement, at)
    return False


def _started_at_once(tree: Tree, statement: ast.stmt, at: ast.AST) -> bool:
    """Whether the process that a statement makes is started there, or by a later statement of the same block."""
    for outer in tree.ancestors(at):
        if isinstance(outer, ast.comprehension | ast.ListComp | ast.GeneratorExp):
            return False
        if isinstance(outer, ast.Attribute) and outer.attr == "start":
            return True
    match statement:
        case ast.Assign(targets=[target]):
            name = ast.unparse(target)
        case _:
            return False
    block = next(
        (
            body
            for field_name in ("body", "orelse", "finalbody")
            if isinstance(body := getattr(tree.parents[statement], field_name, None), list) and statement in body
        ),
        [],
    )
    calls = (
        ast.unparse(later.value.func)
        for later in block[block.index(statement) + 1 :]
        if isinstance(later, ast.Expr) and isinstance(later.value, ast.Call)
    )
    return f"{name}.start" in calls
