"""Moving definitions to module level: their text, the place above, and what is left of the place they had."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from mpsafe_lint.repairs.edits import Patch
from mpsafe_lint.repairs.scopes import Scope, position
from mpsafe_lint.repairs.tree import Declined, Tree

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def block(tree: Tree, statement: ast.stmt) -> list[ast.stmt]:
    """Return the statements among which a statement stands."""
    parent = tree.parents[statement]
    for name in ("body", "orelse", "finalbody"):
        body = getattr(parent, name, None)
        if isinstance(body, list) and statement in body:
            return body
    return [statement]


def line_bounds(tree: Tree, statement: ast.stmt) -> tuple[int, int]:
    """Return the bounds of a statement's lines, with the comments that belong to it, without the last line end."""
    first, last = tree.first_line(statement), tree.last_line(statement)
    return tree.starts[first - 1], tree.starts[last - 1] + len(tree.line(last))


def reindentation(
    tree: Tree, start: int, end: int, shift: int, floor: str = "", of: ast.AST | None = None
) -> list[Patch]:
    """Return the patches that move the lines from `start` to `end` by `shift` columns, to `floor` at least.

    Lines inside strings stay, but for those of the docstrings of the definition `of` and of what is defined in it.
    """
    patches = []
    docstrings = _docstring_lines(tree, of) if of else set()
    for number in range(tree.place(start)[0], tree.place(end)[0] + 1):
        place = tree.starts[number - 1]
        if not start <= place < end or not shift or tree.is_blank(number):
            continue
        if number in tree.string_lines and number not in docstrings:
            continue
        old = tree.indentation(number)
        new = old[-shift:] if shift < 0 else old + tree.indent[:1] * shift
        patches.append(Patch(place, place + len(old), new if len(new) >= len(floor) else floor))
    return patches


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a statement, the first of a definition, is its docstring."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _docstring_lines(tree: Tree, of: ast.AST) -> set[int]:
    """Return the lines of docstrings that are indented as the code round them is."""
    found: set[int] = set()
    depth = len(tree.indentation(getattr(of, "lineno", 1)))
    for node in ast.walk(of):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and is_docstring(node.body[0]):
            lines = range(node.body[0].lineno + 1, (node.body[0].end_lineno or 0) + 1)
            if all(len(tree.indentation(number)) >= depth or tree.is_blank(number) for number in lines):
                found.update(lines)
    return found


def removal(tree: Tree, statement: ast.stmt, to: ast.stmt | None = None) -> Patch:
    """Return the patch that deletes a statement, and the fewer of the blank lines above and below it.

    With `to` it deletes all statements of the block up to that one.
    """
    end_statement = to or statement
    first, last = tree.first_line(statement), tree.last_line(end_statement)
    siblings = block(tree, statement)
    if statement is siblings[0] and end_statement is siblings[-1]:
        start, end = line_bounds(tree, statement)[0], line_bounds(tree, end_statement)[1]
        return Patch(start + len(tree.indentation(first)), end, "pass")
    above = tree.blank_above(first)
    below = 0
    while tree.is_blank(last + 1 + below):
        below += 1
    begins_block = statement is siblings[0] and not isinstance(tree.parents[statement], ast.Module)
    keeps_below = end_statement is siblings[-1] or (statement is not siblings[0] and above < below)
    first -= above if begins_block or keeps_below else 0
    last += below if begins_block or not keeps_below else 0
    end = tree.starts[last] if last < len(tree.starts) else len(tree.text)
    return Patch(tree.starts[first - 1], end, "")


def removals(tree: Tree, statements: Iterable[ast.stmt]) -> list[Patch]:
    """Return the patches that delete statements, those together that stand below each other."""
    groups: list[list[ast.stmt]] = []
    for statement in sorted(set(statements), key=position):
        siblings = block(tree, statement)
        index = siblings.index(statement)
        if groups and index and siblings[index - 1] is groups[-1][-1]:
            groups[-1].append(statement)
        else:
            groups.append([statement])
    return [removal(tree, group[0], group[-1]) for group in groups]


def insertion(tree: Tree, anchor: ast.stmt, texts: Sequence[str], below: bool) -> Patch:
    """Return the patch that puts definitions above (or below) a top-level statement, with the file's blank lines."""
    newline = tree.newline
    between = newline * (tree.gap + 1)
    body = between.join(texts)
    if below:
        last = tree.last_line(anchor)
        place = tree.starts[last] if last < len(tree.starts) else len(tree.text)
        ended = tree.text[:place].endswith(("\n", "\r"))
        return Patch(place, place, ("" if ended else newline) + newline * tree.gap + body + (newline if ended else ""))
    first = tree.first_line(anchor)
    place = tree.begin(first)
    begins = anchor is tree.ast.body[0] or not tree.text[:place].strip() or tree.begins_cell(first - 1)
    lead = "" if begins else newline * max(0, tree.gap - tree.blank_above(first))
    return Patch(place, place, lead + body + between)


def needs_below(tree: Tree, needed: Iterable[str], anchor: ast.stmt, used_later: bool) -> bool:
    """Whether a definition has to stand below `anchor`, since it needs the module's variables `needed` at once.

    `used_later` says that nothing uses it before the module is complete. Raises Declined where no place will do.
    """
    top = tree.scopes.top
    late = [name for name in needed if name in top.bindings and position(top.bindings[name][0]) >= position(anchor)]
    later = [name for name in late if tree.top_statement(top.bindings[name][0]) is not anchor]
    if later or (late and not used_later):
        name = (later or late)[0]
        raise Declined(f"`{name}` is defined below", f"define it at module level, below `{name}`")
    return bool(late)


def names_needed_at_once(tree: Tree, node: Definition | ast.stmt) -> set[str]:
    """Return the module's variables that are read when a class or an assignment is executed."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            scope = tree.scopes.of.get(part)
            if scope is not None and not _deferred(tree, scope, node) and scope.owner(part.id) is tree.scopes.top:
                found.add(part.id)
    return found


def _deferred(tree: Tree, scope: Scope, node: ast.AST) -> bool:
    """Whether code of a scope runs only when `node`, or a function inside it, is called."""
    for outer in scope.chain():
        if isinstance(outer.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return outer.node is node or any(ancestor is node for ancestor in tree.ancestors(outer.node))
    return False
