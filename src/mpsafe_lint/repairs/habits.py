"""Repairs of habits: where processes are started, what they are given, and in which order they are ended."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.repairs import finite, lookup, moving, style
from mpsafe_lint.repairs.captures import main_guard
from mpsafe_lint.repairs.edits import Patch, apply
from mpsafe_lint.repairs.tree import Declined, Tree, tree_of

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_GUARD = 'if __name__ == "__main__":'
_CHANNEL = {"target": "args", "initializer": "initargs"}


def guard(finding: Finding, project: Project) -> Repair:
    """Put the statements that start processes, and all below them, under a main guard. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    body = tree.ast.body
    first = _top_statement_at(tree, finding)
    tail = body[body.index(first) :]
    if any(isinstance(statement, _DEFINITIONS) for statement in tail):
        raise Declined("functions or classes are defined below it", f"move them above, and the rest below {_GUARD}")
    for name, where in _read_by_functions(tree, tail):
        raise Declined(
            f"`{name}` is read by {where}", f"hand `{name}` over as an argument, and put the rest below {_GUARD}"
        )
    first = _first_of_preparation(tree, first)
    imported = _imported_elsewhere(project, tree)
    start = moving.line_bounds(tree, first)[0]
    blank = "" if first is body[0] or tree.blank_above(tree.first_line(first)) else tree.newline
    patches = [Patch(start, start, blank + _GUARD + tree.newline)]
    patches += moving.reindentation(tree, start, len(tree.text), len(tree.indent))
    caution = f"{imported} imports it, and would not run this any more" if imported else ""
    applicability = "unsafe" if caution else "safe"
    return Repair("main-guard", applicability, tree.edits(patches), "starts processes below a main guard", caution)


def _top_statement_at(tree: Tree, finding: Finding) -> ast.stmt:
    line = finding.span.line
    for statement in tree.ast.body:
        if tree.first_line(statement) <= line <= (statement.end_lineno or statement.lineno):
            if main_guard(statement):
                break
            return statement
    raise Declined("the statement is not at module level", f"put what starts processes below {_GUARD}")


def _first_of_preparation(tree: Tree, first: ast.stmt) -> ast.stmt:
    """Return the first of the assignments above that work for the main process alone: no worker is to repeat that."""
    body = tree.ast.body
    found = index = body.index(first)
    for number in reversed(range(index)):
        statement = body[number]
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or not tree.alone(statement):
            break
        if not any(isinstance(node, ast.Name) for node in ast.walk(statement.value or ast.Constant(None))):
            break  # a constant: its place is above
        if _may_be_found_by_name(tree, statement) or any(_read_by_functions(tree, body[number:])):
            break
        if any(isinstance(node, ast.Call) for node in ast.walk(statement)):
            found = number
    return body[found]


def _may_be_found_by_name(tree: Tree, statement: ast.Assign | ast.AnnAssign) -> bool:
    """Whether an assignment may make a class or a decorated function, which a worker looks for under its name."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    match statement.value:
        case ast.Call(args=[ast.Name(id=name)], keywords=[]):
            bound = tree.scopes.top.bindings.get(name, [])
            if any(isinstance(node, _DEFINITIONS) for node in bound):
                return True
        case ast.Call(args=[ast.Constant(value=str() as name), *_]) if name in names:
            return True
    return any(name[:1].isupper() and not name.isupper() for name in names)


def _read_by_functions(tree: Tree, tail: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield the variables that the statements bind and that functions read, which a worker would look for in vain."""
    inside = {id(node) for statement in tail for node in ast.walk(statement)}
    top = tree.scopes.top
    bound = [
        name
        for name, nodes in top.bindings.items()
        if any(id(node) in inside for node in nodes) and all(id(node) in inside for node in nodes)
    ]
    for name in bound:
        for read in tree.scopes.references(top, name):
            function = lookup.enclosing_function(tree, read)
            if function is not None and id(function) not in inside:
                yield name, getattr(function, "name", "a lambda") + "()"


def _imported_elsewhere(project: Project, tree: Tree) -> str:
    name = project.module_name(tree.path).rpartition(".")[2]
    for other in lookup.files_with(project, rf"import\b.*\b{name}\b|from\s+[\w.]*\b{name}\s+import"):
        if other is not tree:
            return other.path
    return ""


def pass_target(finding: Finding, project: Project) -> Repair:
    """Hand over a function and its arguments, rather than its result. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    node = tree.find(finding.span, ast.Call)
    word = tree.parents[node] if node is not None else None
    call = tree.parents[word] if word is not None else None
    if not (isinstance(node, ast.Call) and isinstance(word, ast.keyword) and isinstance(call, ast.Call)):
        raise Declined("the argument is not given by keyword", "write target=f, args=(x,)")
    channel = _CHANNEL.get(word.arg or "")
    if channel is None or any(other.arg in (channel, "kwargs") for other in call.keywords):
        raise Declined("the call has arguments for it already", f"write {word.arg}=f, and put its arguments there")
    if any(keyword.arg is None for keyword in node.keywords) or (node.keywords and channel == "initargs"):
        raise Declined("it is called with keywords", "bind them with functools.partial")
    func, args = tree.code(node.func), [tree.code(argument) for argument in node.args]
    text = func + (f", {channel}=({', '.join(args)}{',' if len(args) == 1 else ''})" if args else "")
    if node.keywords:
        pairs = ", ".join(f'"{keyword.arg}": {tree.code(keyword.value)}' for keyword in node.keywords)
        text += f", kwargs={{{pairs}}}"
    caution = _may_return_function(project, tree, node)
    edits = tree.edits([Patch(*tree.bounds(node), text)])
    return Repair("pass-target", "unsafe" if caution else "safe", edits, f"hands over {func} itself", caution)


def _may_return_function(project: Project, tree: Tree, call: ast.Call) -> str:
    """Say why the call may be meant: it may return the function to be run."""
    found = [f for _, f in lookup.definitions(project, tree, call.func)]
    returns = [n for function in found for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]
    if found and not returns:
        return ""
    return f"{tree.code(call.func)}() may return the function that is meant"


def lower_pool(finding: Finding, project: Project) -> Repair:
    """Open a pool below the definitions of what it runs. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    body = tree.ast.body
    top = next((s for s in body if s.lineno <= finding.span.line <= (s.end_lineno or s.lineno)), None)
    if top is None:
        raise Declined("the statement is not at module level", "open the pool below the functions that it runs")
    guarded = main_guard(top)
    statements = top.body if isinstance(top, ast.If) and guarded else [top]
    opening = next((s for s in statements if s.lineno <= finding.span.line <= (s.end_lineno or s.lineno)), None)
    if not isinstance(opening, ast.Assign) or not tree.alone(opening):
        raise Declined("it is no plain assignment", "open the pool below the functions that it runs")
    index = body.index(top)
    last = max((i for i, s in enumerate(body) if isinstance(s, _DEFINITIONS)), default=-1)
    if last < index or last + 1 >= len(body):
        raise Declined("nothing uses it below the functions", "open the pool where it is used, in a with statement")
    target = body[last + 1]
    name = ast.unparse(opening.targets[0])
    between = [n for s in body[index + 1 : last + 1] for n in ast.walk(s)]
    at_once = [
        n for n in between if isinstance(n, ast.Name) and n.id == name and tree.scopes.of.get(n) is tree.scopes.top
    ]
    if at_once:
        raise Declined(f"`{name}` is used above the last function", "open the pool below the functions that it runs")
    if guarded and not (isinstance(target, ast.If) and main_guard(target)):
        raise Declined("there is no main block below", "open the pool in a main block below the functions that it runs")
    return _lowered(tree, top if len(statements) == 1 else opening, opening, target, guarded)


def _lowered(tree: Tree, gone: ast.stmt, opening: ast.stmt, target: ast.stmt, guarded: bool) -> Repair:
    start, end = moving.line_bounds(tree, opening)
    place_of = target.body[0] if isinstance(target, ast.If) and guarded else target
    shift = len(tree.indentation(place_of.lineno)) - len(tree.indentation(opening.lineno))
    text = apply(tree.text, moving.reindentation(tree, start, end, shift), start, end)
    place = tree.starts[tree.first_line(place_of) - 1]
    patches = [moving.removal(tree, gone), Patch(place, place, text + tree.newline)]
    return Repair("lower-pool", "safe", tree.edits(patches), "the pool is opened below the functions that it runs")


def read_in_pool(finding: Finding, project: Project) -> Repair:
    """Read the results of `imap` while the pool is open. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    advice = "read the results inside the with block"
    node = tree.find(finding.span, ast.Name)
    owner = tree.scopes.of[node].owner(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(node, ast.Name) or owner is None:
        raise Declined("what it reads is not seen", advice)
    bindings = tree.scopes.bindings(owner, node.id)
    made = tree.parents[bindings[0]] if len(bindings) == 1 else None
    match made:
        case ast.Assign(value=ast.Call(func=ast.Attribute(attr="imap" | "imap_unordered")) as call):
            if endless := finite.endless(project, tree, call.args[1] if len(call.args) > 1 else call):
                raise Declined(f"it never ends ({endless})", advice)
            start, end = tree.bounds(call)
            if tree.scopes.of[call].owner("list") is not None:
                raise Declined("`list` is the name of something else here", advice)
            edits = tree.edits([Patch(start, start, "list("), Patch(end, end, ")")])
            return Repair("read-in-pool", "safe", edits, "reads all results while the pool is open")
    raise Declined("its results can't be read at once", advice)


def drain_first(finding: Finding, project: Project) -> Repair:
    """Read a queue before the processes that fill it are joined. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    offset = tree.places.offset(finding.span.line, finding.span.column)
    holding = [
        n for n in ast.walk(tree.ast) if isinstance(n, ast.stmt) and tree.bounds(n)[0] <= offset < tree.bounds(n)[1]
    ]
    join = next((n for n in holding if _is_join(n)), None)
    advice = "read as many results as were put, then join"
    if join is None:
        raise Declined("the join is not a statement of its own", advice)
    siblings = moving.block(tree, join)
    index = siblings.index(join)
    drain = siblings[index + 1] if index + 1 < len(siblings) else None
    if drain is None or not _is_drain(drain):
        raise Declined("the statement below it does not read the queue", advice)
    first, second = moving.line_bounds(tree, join), moving.line_bounds(tree, drain)
    texts = [tree.text[slice(*bounds)] for bounds in (first, second)]
    patches = [Patch(*first, texts[1]), Patch(*second, texts[0])]
    return Repair("drain-first", "safe", tree.edits(patches), "reads the queue, then joins")


def _is_join(node: ast.stmt) -> bool:
    """Whether a statement joins: `p.join()`, or a loop of nothing else."""
    match node:
        case ast.For(body=[inner], orelse=[]):
            return _is_join(inner)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="join"))):
            return True
    return False


def _is_drain(node: ast.stmt) -> bool:
    """Whether a statement reads a queue a known number of times: no loop on its state."""
    calls = [n.func.attr for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    return "get" in calls and "empty" not in calls and not any(isinstance(n, ast.While) for n in ast.walk(node))


_ASKING = {"apply_async": "get", "map_async": "get", "starmap_async": "get", "submit": "result"}


def ask_results(finding: Finding, project: Project) -> Repair:
    """Keep what a task is submitted for, and ask for it where the pool is waited for. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    advice = "keep the result, and call .get() or .result() on it"
    call = tree.find(finding.span, ast.Call)
    statement = tree.parents[call] if call is not None else None
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=pool, attr=submit))) if submit in _ASKING:
            pass
        case _:
            raise Declined("the submit is not a statement of its own", advice)
    loop = tree.parents[statement]
    in_loop = isinstance(loop, (ast.For, ast.AsyncFor)) and statement in loop.body and tree.alone(statement)
    outer = loop if in_loop and isinstance(loop, ast.stmt) else statement
    wait = _waiting_statement(tree, outer, ast.unparse(pool))
    if wait is None:
        raise Declined("where the pool is waited for is not seen", advice)
    name = _local_name(tree, ("results", "pending", "submitted") if in_loop else ("result", "pending"))
    start, end = tree.bounds(statement)
    below = moving.line_bounds(tree, wait)[1]
    indentation, newline = tree.indentation(wait.lineno), tree.newline
    if in_loop:
        above = moving.line_bounds(tree, outer)[0]
        one = _local_name(tree, ("result", "one", "submitted_one"))
        patches = [
            Patch(above, above, f"{tree.indentation(outer.lineno)}{name} = []{newline}"),
            Patch(start, start, f"{name}.append("),
            Patch(end, end, ")"),
            Patch(below, below, f"{newline}{indentation}for {one} in {name}:{newline}"),
            Patch(below, below, f"{indentation}{tree.indent}{one}.{_ASKING[submit]}()"),
        ]
    else:
        asked = f"{newline}{indentation}{name}.{_ASKING[submit]}()"
        patches = [Patch(start, start, f"{name} = "), Patch(below, below, asked)]
    edits = tree.edits(style.restyled(tree, patches, [statement]))
    return Repair("ask-results", "safe", edits, "asks for the results, so that an error is raised")


def _waiting_statement(tree: Tree, outer: ast.stmt, pool: str) -> ast.stmt | None:
    """Return the statement below `outer`, in its block, that waits for all tasks of a pool."""
    siblings = moving.block(tree, outer)
    for statement in siblings[siblings.index(outer) + 1 :]:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=value, attr="join" | "shutdown"))):
                if ast.unparse(value) == pool:
                    return statement
    return None


def _local_name(tree: Tree, candidates: tuple[str, ...]) -> str:
    """Return the first name that the file doesn't use, numbered where all are in use."""
    numbered = (f"{candidates[0]}_{number}" for number in range(2, len(tree.words) + 3))
    return next(name for name in (*candidates, *numbered) if name not in tree.words)
