"""Dict views, generators and iterators: a list in their place."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.repairs import finite, lookup, moving, readers, style
from mpsafe_lint.repairs.edits import Patch
from mpsafe_lint.repairs.tree import Declined, Tree, tree_of

_VIEWS = frozenset({"keys", "values", "items"})
_CHANGING = "update pop popitem clear setdefault".split()


def repair_view(finding: Finding, project: Project) -> Repair:
    """Keep a list of what a dict view shows; a set where the view is used as one. Raises Declined."""
    tree, node = _expression(finding, project)
    reading = readers.read(project, tree, finding, node)
    keys = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys"
    cautions = list(reading.unknown)
    kind = "list"
    if reading.combined:
        if not keys and not _is_items(node):
            raise Declined("it is used as a set", "keep a set(...) where its items can be hashed")
        kind = "set"
        if reading.iterated:
            cautions.append("it is used as a set, and a set keeps no order")
    if reading.stepped or reading.driven:
        cautions.append("next() is called on it")
    if changed := _follows_its_dict(project, tree, node):
        cautions.append(f"a view follows its dict, which is changed later ({changed})")
    return _wrapped(tree, node, kind, cautions)


def repair_lazy(finding: Finding, project: Project) -> Repair:
    """Keep a list of what a generator or an iterator gives. Raises Declined."""
    tree, node = _expression(finding, project)
    if endless := finite.endless(project, tree, node):
        raise Declined(f"it never ends ({endless})", _in_the_worker(finding, tree, node))
    if finite.is_asynchronous(project, tree, node):
        raise Declined("it is asynchronous", "collect its items in a list with `async for`")
    reading = readers.read(project, tree, finding, node)
    if reading.driven:
        raise Declined("its generator methods are used", _in_the_worker(finding, tree, node))
    cautions = list(reading.unknown)
    if finite.unsure(project, tree, node):
        cautions.append("whether it ends, and what it costs to read it all, is not known")
    if reading.tested:
        cautions.append(f"it is tested, and an empty list is false ({reading.tested[0]})")
    if reading.stepped:
        if isinstance(node, ast.GeneratorExp):
            return _iterator_of_list(tree, node, cautions)
        return _wrapped(tree, node, "iter(list", cautions)
    reads = [*reading.iterated, *reading.searched]
    if len(reads) > 1:
        places = ", ".join(dict.fromkeys(reads[:2]))
        cautions.append(f"it is read more than once, and a list starts over each time ({places})")
    if isinstance(node, ast.GeneratorExp):
        return _bracketed(tree, node, cautions)
    return _wrapped(tree, node, "list", cautions)


def _expression(finding: Finding, project: Project) -> tuple[Tree, ast.expr]:
    tree = tree_of(project, finding.span.path)
    node = tree.find(finding.span, ast.expr)
    if not isinstance(node, ast.expr):
        raise Declined("no expression stands there", "keep a list")
    inner = node
    while isinstance(inner, ast.Await):
        inner = inner.value
    return tree, inner


def _is_items(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "items"


def _repair(tree: Tree, name: str, patches: list[Patch], cautions: list[str]) -> Repair:
    caution = "; ".join(dict.fromkeys(cautions))
    text = f"keeps a {name}"
    return Repair(f"keep-{name}", "unsafe" if caution else "safe", tree.edits(patches), text, caution)


def _wrapped(tree: Tree, node: ast.expr, kind: str, cautions: list[str]) -> Repair:
    """Put `list(…)` round an expression, or what means the same where `list` is another thing here."""
    start, end = tree.bounds(node)
    scope = tree.scopes.of[node]
    names = re.findall(r"\w+", kind)
    if any(scope.owner(name) is not None for name in names):
        if kind != "list":
            raise Declined(f"`{names[0]}` is the name of something else here", f"rename `{names[0]}`")
        opening, closing = "[*", "]"
    else:
        opening, closing = f"{kind}(", ")" * len(names)
    patches = style.restyled(tree, [Patch(start, start, opening), Patch(end, end, closing)], [node])
    return _repair(tree, names[-1], patches, cautions)


def _bracketed(tree: Tree, node: ast.GeneratorExp, cautions: list[str]) -> Repair:
    """Make a list comprehension of a generator expression, whose brackets may be those of a call."""
    start, end = tree.bounds(node)
    parent = tree.parents[node]
    if isinstance(parent, ast.Call) and parent.args == [node] and tree.bounds(parent)[1] == end:
        patches = _bracketed_argument(tree, start + 1, end - 1)
    else:
        patches = [Patch(start, start + 1, "["), Patch(end - 1, end, "]")]
    return _repair(tree, "list", patches, cautions)


def _bracketed_argument(tree: Tree, start: int, end: int) -> list[Patch]:
    """Put brackets round the only argument of a call: on lines of their own, where it has lines of its own."""
    text = tree.text[start:end]
    inner_start, inner_end = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
    first, last = tree.place(inner_start)[0], tree.place(inner_end)[0]
    if first == tree.place(start)[0] or first == last:
        return [Patch(inner_start, inner_start, "["), Patch(inner_end, inner_end, "]")]
    indentation = tree.indentation(first)
    opening = f"[{tree.newline}{indentation}{tree.indent}"
    closing = f"{tree.newline}{indentation}]"
    moved = moving.reindentation(tree, inner_start, inner_end, len(tree.indent))
    return [Patch(inner_start, inner_start, opening), *moved, Patch(inner_end, inner_end, closing)]


def _iterator_of_list(tree: Tree, node: ast.GeneratorExp, cautions: list[str]) -> Repair:
    """Make `iter([…])` of a generator expression: what asks it for the next item goes on as before."""
    if tree.scopes.of[node].owner("iter") is not None:
        raise Declined("`iter` is the name of something else here", "rename `iter`")
    repair = _bracketed(tree, node, cautions)
    first, *others, last = repair.edits
    first, last = replace(first, text="iter(" + first.text), replace(last, text=last.text + ")")
    return replace(repair, edits=(first, *others, last), summary="keeps an iterator of a list")


def _in_the_worker(finding: Finding, tree: Tree, node: ast.expr) -> str:
    attribute = next((step.text for step in reversed(finding.chain) if step.text.startswith(".")), "")
    where = (
        f"make it where it is read, as {tree.code(node)}" if "\n" not in tree.code(node) else "make it where it is read"
    )
    if finding.boundary == "dataset-attribute":
        kept = f", and do not keep it as {attribute} beforehand" if attribute else ""
        return f"{where}: in __iter__ or __getitem__, which run in the worker{kept}"
    return f"{where}, in the other process"


def _follows_its_dict(project: Project, tree: Tree, node: ast.expr) -> str:
    """Return where the dict of a view is changed after the view was made, as far as that can be seen; else nothing."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _VIEWS):
        return ""
    source = node.func.value
    if isinstance(source, ast.Name):
        owner = tree.scopes.of[source].owner(source.id)
        for name in tree.scopes.references(owner, source.id) if owner else []:
            if _changes(tree, name) and (name.lineno > node.lineno or _same_loop(tree, name, node)):
                return f"line {name.lineno}"
    elif isinstance(source, ast.Attribute):
        cls = lookup.method_class(tree, source) if lookup.is_self(tree, source.value) else None
        here = lookup.enclosing_function(tree, node)
        for other, read in lookup.attribute_reads(project, source.attr, (tree, cls) if cls else None):
            same = lookup.enclosing_function(other, read) is here
            if _changes(other, read) and not (same and read.lineno <= node.lineno):
                return f"{other.path}:{read.lineno}"
    return ""


def _changes(tree: Tree, read: ast.expr) -> bool:
    """Whether a read of a dict serves to change its keys or values."""
    parent = tree.parents[read]
    if isinstance(parent, ast.Subscript) and parent.value is read:
        return not isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.AugAssign):
        return parent.target is read
    if isinstance(parent, ast.Attribute) and parent.attr in _CHANGING:
        outer = tree.parents[parent]
        return isinstance(outer, ast.Call) and outer.func is parent
    return False


def _same_loop(tree: Tree, first: ast.AST, second: ast.AST) -> bool:
    loops = [n for n in tree.ancestors(first) if isinstance(n, (ast.For, ast.AsyncFor, ast.While))]
    return any(outer in loops for outer in tree.ancestors(second))
