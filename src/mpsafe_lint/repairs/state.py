"""Locks, pools and processes that an object keeps: left out of its state, and made anew where that is as good."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.repairs import lookup, moving
from mpsafe_lint.repairs.edits import Patch
from mpsafe_lint.repairs.scopes import Function
from mpsafe_lint.repairs.tree import Declined, Tree, tree_of

_AS_GOOD = frozenset(
    "threading.Lock threading.RLock threading.Condition threading.Semaphore threading.BoundedSemaphore threading.local "
    "_thread.allocate_lock concurrent.futures.ThreadPoolExecutor".split()
)
"""Makers whose fresh object does in another process what the old one did in this."""

_EMPTY_ANEW = frozenset(
    "threading.Event threading.Barrier queue.Queue queue.LifoQueue queue.PriorityQueue queue.SimpleQueue".split()
)
"""Makers of objects that can be made anew, without what they held."""

_OWN_PICKLING = ("__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__")

_ENTRIES = {
    "dataset-attribute": ("__getitem__", "__getitems__", "__iter__", "__len__"),
    "process-attribute": ("run",),
}


@dataclass(frozen=True, slots=True)
class Held:
    """An attribute that holds what can't be pickled, and the class that sets it."""

    tree: Tree
    cls: ast.ClassDef
    name: str
    value: ast.expr
    whole: bool  # the attribute is the value, rather than a container of it


def held(finding: Finding, project: Project) -> Held:
    """Return the attribute that keeps the finding's value. Raises Declined where that is not seen."""
    tree = tree_of(project, finding.span.path)
    node = tree.find(finding.span, ast.expr)
    if not isinstance(node, ast.expr):
        raise Declined("no expression stands there")
    parent = tree.parents[node]
    targets = parent.targets if isinstance(parent, ast.Assign) else []
    for target in targets:
        cls = lookup.method_class(tree, target)
        if isinstance(target, ast.Attribute) and cls and lookup.is_self(tree, target.value):
            return Held(tree, cls, target.attr, node, True)
    last = next((step.text for step in reversed(finding.chain) if step.text.startswith(".")), "")
    cls = lookup.method_class(tree, node)
    if last and cls and lookup.sets_attribute(tree, cls, last[1:]):
        return Held(tree, cls, last[1:], node, False)
    raise Declined("which attribute keeps it is not seen", "leave it out in __getstate__ of the class that keeps it")


def repair_thread_object(finding: Finding, project: Project) -> Repair:
    """Leave a lock, a thread or an executor out of the state. Raises Declined."""
    it = held(finding, project)
    maker = lookup.qualified(it.tree, it.value.func) if isinstance(it.value, ast.Call) else ""
    again = it.whole and maker in _AS_GOOD | _EMPTY_ANEW and _can_be_made_again(it)
    cautions = []
    if again:
        if maker in _EMPTY_ANEW:
            cautions.append(f"the other process gets a new {maker.rpartition('.')[2]}, without what this one holds")
    elif use := _worker_use(finding, project, it):
        raise Declined(f"the other process uses it ({use})", _advice(it))
    else:
        cautions.append("it is None in the other process")
    return _leave_out(finding, project, it, again, cautions)


def repair_mp_object(finding: Finding, project: Project) -> Repair:
    """Leave a pool or processes out of the state, where the other process has no use for them. Raises Declined."""
    it = held(finding, project)
    if use := _worker_use(finding, project, it):
        raise Declined(f"the other process uses it ({use})", "hand it over when the process starts (args=, initargs=)")
    cautions = [] if _is_sent_itself(finding) else ["whether the other process uses it can't be seen"]
    return _leave_out(finding, project, it, False, cautions)


def _advice(it: Held) -> str:
    return f'leave it out in __getstate__: state = self.__dict__.copy(); state["{it.name}"] = None'


def _can_be_made_again(it: Held) -> bool:
    """Whether the expression that made the value means the same in __setstate__."""
    scopes = it.tree.scopes
    for node in ast.walk(it.value):
        if isinstance(node, ast.Name):
            owner = scopes.of[node].owner(node.id)
            if owner is not None and owner is not scopes.top and not lookup.is_self(it.tree, node):
                return False
    return True


# --- what the other process uses


def _is_sent_itself(finding: Finding) -> bool:
    """Whether the object that keeps the value is what is sent, or the `self` of the method that is."""
    attributes = [step for step in finding.chain if step.text.startswith(".")]
    return len(attributes) <= 1


def _worker_use(finding: Finding, project: Project, it: Held) -> str:
    """Return which method that runs in the other process uses the attribute; empty where none is seen to."""
    for tree, function in worker_methods(finding, project, it):
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and node.attr == it.name and lookup.is_self(tree, node.value):
                return f"{function.name}, line {node.lineno}"
    return ""


def worker_methods(finding: Finding, project: Project, it: Held) -> Iterator[tuple[Tree, Function]]:
    """Yield the methods of the class that run in the other process, as far as can be seen."""
    family = lookup.family(project, it.tree, it.cls)
    methods = {
        (tree, function)
        for tree, cls in family
        for function in cls.body
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    if not _is_sent_itself(finding):
        yield from (pair for pair in methods if pair[1].name not in ("__init__", "__del__", "close", "__exit__"))
        return
    waiting = list(_entries(finding, project, {function.name for _, function in methods}))
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for tree, function in methods:
            if function.name == name:
                yield tree, function
                waiting += [
                    node.attr
                    for node in ast.walk(function)
                    if isinstance(node, ast.Attribute) and lookup.is_self(tree, node.value)
                ]


def _entries(finding: Finding, project: Project, methods: set[str]) -> Iterator[str]:
    """Yield the names of the methods with which the other process begins."""
    if finding.boundary in _ENTRIES:
        yield from _ENTRIES[finding.boundary]
        return
    for crossing in (finding.crossing, *finding.also):
        if crossing is None:
            continue
        tree = tree_of(project, crossing.span.path)
        lines = range(crossing.span.line, crossing.span.end_line + 1)
        for node in ast.walk(tree.ast):
            if isinstance(node, ast.Attribute) and node.attr in methods and node.lineno in lines:
                yield node.attr
    if finding.boundary and finding.boundary.startswith("process"):
        yield "run"


def _copied(project: Project, it: Held) -> str:
    """Return where the project copies objects in a file that knows the class: a copy would lose the attribute too."""
    for tree in lookup.files_with(project, r"\bcopy\b"):
        if it.cls.name in tree.words:
            for node in ast.walk(tree.ast):
                if isinstance(node, ast.Call) and lookup.qualified(tree, node.func) in ("copy.copy", "copy.replace"):
                    return f"{tree.path}:{node.lineno}"
    return ""


# --- __getstate__ and __setstate__


def _leave_out(finding: Finding, project: Project, it: Held, again: bool, cautions: list[str]) -> Repair:
    _refuse_own_pickling(project, it)
    if where := _copied(project, it):
        cautions.append(f"copy.copy() leaves it out too ({where})")
    patches = [_getstate(project, it, again)]
    if again:
        patches.append(_setstate(project, it))
    what = f"__getstate__ leaves out `{it.name}`" + (", and __setstate__ makes it anew" if again else "")
    caution = "; ".join(cautions)
    return Repair("leave-out", "unsafe" if caution else "safe", it.tree.edits(patches), what, caution)


def _refuse_own_pickling(project: Project, it: Held) -> None:
    for _, cls in lookup.ancestry(project, it.tree, it.cls):
        for name in _OWN_PICKLING:
            if lookup.method(cls, name):
                raise Declined(f"{cls.name} has a {name} of its own", f"leave `{it.name}` out there")
    if "__slots__" in it.tree.scopes.own[it.cls].bindings:
        raise Declined(f"{it.cls.name} has __slots__", f"write __getstate__ and __setstate__ without `{it.name}`")


def _base_has(project: Project, it: Held, name: str) -> bool:
    bases = list(lookup.ancestry(project, it.tree, it.cls))[1:]
    return any(lookup.method(cls, name) for _, cls in bases)


def _getstate(project: Project, it: Held, again: bool) -> Patch:
    """Return the patch that leaves the attribute out, in the __getstate__ that there is or in a new one."""
    drop = _drop(it, again)
    existing = lookup.method(it.cls, "__getstate__")
    if existing is None:
        state = "super().__getstate__()" if _base_has(project, it, "__getstate__") else "self.__dict__.copy()"
        return _new_method(it, "__getstate__(self)", [f"state = {state}", drop.format("state"), "return state"])
    last = existing.body[-1]
    name = last.value.id if isinstance(last, ast.Return) and isinstance(last.value, ast.Name) else ""
    made = [n for n in existing.body if isinstance(n, ast.Assign) and [ast.unparse(t) for t in n.targets] == [name]]
    if not name or len(made) != 1 or not re.search(r"__dict__|__getstate__|vars\(", it.tree.code(made[0].value)):
        raise Declined(f"{it.cls.name} has a __getstate__ of its own form", f"leave `{it.name}` out there")
    start = it.tree.starts[it.tree.first_line(last) - 1]
    return Patch(start, start, it.tree.indentation(last.lineno) + drop.format(name) + it.tree.newline)


def _drop(it: Held, again: bool) -> str:
    """Return the statement that leaves the attribute out; `{}` stands for the state."""
    init = lookup.method(it.cls, "__init__")
    always = init is not None and any(
        isinstance(n, ast.Assign) and any(isinstance(t, ast.Attribute) and t.attr == it.name for t in n.targets)
        for n in init.body
    )
    if again:
        return f'del {{}}["{it.name}"]' if always else f'{{}}.pop("{it.name}", None)'
    return f'{{}}["{it.name}"] = {_empty_value(it)}'


def _empty_value(it: Held) -> str:
    """Return what the attribute holds while it holds nothing: what the class sets it to before, or None."""
    for node in ast.walk(it.cls):
        if isinstance(node, ast.Assign) and any(
            isinstance(t, ast.Attribute) and t.attr == it.name for t in node.targets
        ):
            match node.value:
                case ast.List(elts=[]) | ast.Dict(keys=[]) | ast.Tuple(elts=[]):
                    return ast.unparse(node.value)
                case ast.ListComp():
                    return "[]"
    return "None"


def _setstate(project: Project, it: Held) -> Patch:
    """Return the patch that makes the attribute anew, in the __setstate__ that there is or in a new one."""
    tree, newline = it.tree, it.tree.newline
    line = f"self.{it.name} = {tree.code(it.value)}"
    existing = lookup.method(it.cls, "__setstate__")
    if existing is None:
        base = _base_has(project, it, "__setstate__")
        load = "super().__setstate__(state)" if base else "self.__dict__.update(state)"
        return _new_method(it, "__setstate__(self, state)", [load, line])
    last = existing.body[-1]
    if isinstance(last, (ast.Return, ast.Raise)):
        raise Declined(f"{it.cls.name} has a __setstate__ of its own form", f"make `{it.name}` anew there")
    end = moving.line_bounds(tree, last)[1]
    self_name = lookup.first_parameter(existing) or "self"
    return Patch(end, end, newline + tree.indentation(last.lineno) + line.replace("self", self_name, 1))


def _new_method(it: Held, signature: str, lines: list[str]) -> Patch:
    """Return the patch that adds a method below the last of those that make or pickle the object."""
    return add_method(it.tree, it.cls, signature, lines)


def add_method(tree: Tree, cls: ast.ClassDef, signature: str, lines: list[str], decorator: str = "") -> Patch:
    """Return the patch that adds a method to a class: below its __init__, or below all else."""
    newline = tree.newline
    after: ast.stmt = cls.body[-1]
    for name in ("__init__", "__getstate__"):
        after = lookup.method(cls, name) or after
    if cls.body[0].lineno == cls.lineno:
        raise Declined(f"{cls.name} is written on one line", f"add {signature.partition('(')[0]} to it")
    outer = tree.indentation(cls.body[0].lineno)
    inner = outer + tree.indent
    end = moving.line_bounds(tree, after)[1]
    head = [outer + decorator] if decorator else []
    text = newline.join([*head, f"{outer}def {signature}:", *(inner + line for line in lines)])
    return Patch(end, end, newline * 2 + text)
