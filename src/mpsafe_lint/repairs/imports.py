"""How a file refers to something of the standard library, and the import that it needs for that."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

from mpsafe_lint.repairs.edits import Patch
from mpsafe_lint.repairs.scopes import Scope
from mpsafe_lint.repairs.tree import Declined, Tree

Import = ast.Import | ast.ImportFrom


def reference(
    tree: Tree, module: str, name: str, scope: Scope, definition: ast.stmt | None = None
) -> tuple[str, list[Patch]]:
    """Return how `module.name` is written in `scope`, and the patches that import it where the file doesn't yet.

    The form that the file uses goes first: `from functools import partial`, `import functools as ft` …
    A definition will be put above the statement `definition`, if there is one: the import keeps the distance from it.
    Raises Declined where the module's own name means something else there.
    """
    top = tree.scopes.top
    if found := _imported(tree, module, name, scope):
        return found, []
    for node in tree.ast.body:
        if not isinstance(node, ast.ImportFrom) or node.module != module or node.level:
            continue
        if _extensible(tree, node) and name not in tree.words:
            return name, [_extend(tree, node, name)]
    meanings = [bound for owner in {scope.owner(module), top} if owner for bound in owner.bindings.get(module, ())]
    if not all(_imports(tree, bound, module) for bound in meanings):
        raise Declined(f"`{module}` is the name of something else here", f"import {module} under another name")
    return f"{module}.{name}", [add(tree, module, definition)]


def _imports(tree: Tree, bound: ast.AST, module: str) -> bool:
    """Whether a binding is `import module`, be it in a block that may not run."""
    return isinstance(bound, ast.alias) and bound.name == module and isinstance(tree.parents[bound], ast.Import)


def _imported(tree: Tree, module: str, name: str, scope: Scope) -> str | None:
    """Return the expression by which the file knows `module.name` already, in `scope`."""
    forms = []
    for node in tree.ast.body:
        if isinstance(node, ast.ImportFrom) and node.module == module and not node.level:
            forms += [(0, alias.asname or alias.name, "") for alias in node.names if alias.name == name]
        elif isinstance(node, ast.Import):
            forms += [
                (1, alias.asname or alias.name, f".{name}")
                for alias in node.names
                if alias.name == module and (alias.asname or "." not in module)
            ]
    for _, bound, rest in sorted(forms):
        if len(tree.scopes.top.bindings[bound]) == 1 and scope.owner(bound) is tree.scopes.top:
            return bound + rest
    return None


def _extensible(tree: Tree, node: ast.ImportFrom) -> bool:
    start, end = tree.bounds(node)
    text = tree.text[start:end]
    return node.lineno == node.end_lineno and not any(sign in text for sign in "(*;\\")


def _extend(tree: Tree, node: ast.ImportFrom, name: str) -> Patch:
    """Return the patch that adds a name to `from module import …`, in the order of the names there."""
    names = [alias.name for alias in node.names]
    later = [alias for alias in node.names if alias.name > name] if names == sorted(names) else []
    if later:
        start = tree.bounds(later[0])[0]
        return Patch(start, start, f"{name}, ")
    end = tree.bounds(node.names[-1])[1]
    return Patch(end, end, f", {name}")


def add(tree: Tree, module: str, definition: ast.stmt | None = None) -> Patch:
    """Return the patch that puts `import module` into the import block, where the order of the block has it."""
    line = f"import {module}{tree.newline}"
    sections = _sections(tree)
    standard = [section for section in sections if any(_top(node) in sys.stdlib_module_names for node in section)]
    if standard:
        before, after = _neighbours(standard[0], module)
        if before is not None:
            start = tree.begin(tree.first_line(before))
            return Patch(start, start, line)
        assert after is not None
        return _below(tree, after, line)
    if sections:
        start = tree.begin(tree.first_line(sections[0][0]))
        return Patch(start, start, line + tree.newline)
    return _without_block(tree, line, definition)


def _sections(tree: Tree) -> list[list[Import]]:
    """Return the import statements of the first import block, in groups as blank lines divide them."""
    sections: list[list[Import]] = []
    previous: ast.stmt | None = None
    for node in tree.ast.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                continue
            if previous is None or tree.blank_above(tree.first_line(node)) or tree.blank_above(node.lineno):
                sections.append([])
            sections[-1].append(node)
            previous = node
        elif sections:
            break
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return []
    return sections


def _top(node: Import) -> str:
    if isinstance(node, ast.ImportFrom):
        return "" if node.level or not node.module else node.module.partition(".")[0]
    return node.names[0].name.partition(".")[0]


def _neighbours(section: Sequence[Import], module: str) -> tuple[Import | None, Import | None]:
    """Return the import before which `import module` goes; where there is none, the one after which it goes."""

    def name(node: Import) -> str:
        return (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name

    plain = [node for node in section if isinstance(node, ast.Import)]
    names = [name(node).lower() for node in section]
    kinds = [isinstance(node, ast.ImportFrom) for node in section]
    mixed = names == sorted(names) and kinds != sorted(kinds)
    candidates = list(section) if mixed else plain
    later = [node for node in candidates if name(node).lower() > module.lower()]
    if later:
        return later[0], None
    if candidates:
        return None, candidates[-1]
    return section[0], None


def _below(tree: Tree, node: ast.stmt, line: str) -> Patch:
    start = tree.starts[node.end_lineno or node.lineno]
    if start == len(tree.text) and not tree.text.endswith(("\n", "\r")):
        return Patch(start, start, tree.newline + line.rstrip("\r\n"))
    return Patch(start, start, line)


def _without_block(tree: Tree, line: str, definition: ast.stmt | None) -> Patch:
    """Return the patch for a file without imports: below its docstring and `__future__`, above all else."""
    head = [node for node in tree.ast.body[:1] if ast.get_docstring(tree.ast, clean=False) is not None]
    head += [node for node in tree.ast.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    if head:
        start = tree.starts[head[-1].end_lineno or 1]
        return Patch(start, start, tree.newline + line)
    first = tree.ast.body[0]
    start = tree.begin(tree.first_line(first))
    defines = isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or first is definition
    gap = tree.gap if defines else 1
    return Patch(start, start, line + tree.newline * gap)
