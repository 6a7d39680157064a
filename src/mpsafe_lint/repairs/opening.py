"""Files and connections: the lines that open them in the worker, for that very attribute, or the change itself."""

from __future__ import annotations

import ast
import re

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.knowledge.rules import BY_KIND
from mpsafe_lint.repairs import lookup
from mpsafe_lint.repairs.definitions import import_lines
from mpsafe_lint.repairs.edits import Patch, apply
from mpsafe_lint.repairs.exceptions import kept_as
from mpsafe_lint.repairs.scopes import Function
from mpsafe_lint.repairs.state import Held, add_method, held, worker_methods
from mpsafe_lint.repairs.tree import Declined

_REASON = "when it is opened is for you to decide"
_ENTRIES = frozenset({"__getitem__", "__getitems__", "__iter__", "run"})


def repair(finding: Finding, project: Project) -> Repair:
    """Open it on first use, where all uses are in the worker. Raises Declined, with the lines that do so."""
    try:
        it = held(finding, project)
    except Declined:
        raise Declined(_REASON, BY_KIND[finding.kind].advice) from None
    if not it.whole:
        raise Declined(_REASON, BY_KIND[finding.kind].advice)
    lazy = _Lazy(it)
    statement = it.tree.statement(it.value)
    init = lookup.enclosing_function(it.tree, statement)
    if not isinstance(init, ast.FunctionDef) or not _is_used_in_worker_alone(finding, project, it, statement, init):
        raise Declined(_REASON, lazy.advice())
    keeping = lazy.keep_parameters(init)
    if keeping is None:
        raise Declined(_REASON, lazy.advice())
    tree = it.tree
    start, end = tree.bounds(statement)
    glue = tree.newline + tree.indentation(statement.lineno)
    before = glue.join([*keeping, f"self.{lazy.private} = None"])
    body = lazy.body(tree.indent)
    patches = [Patch(start, end, before), add_method(tree, it.cls, f"{it.name}(self)", body, "@property")]
    caution = "it is opened later, and in every process that reads it"
    summary = "opened on first use, by a property"
    return Repair("open-lazily", "unsafe", tree.edits(patches), summary, caution, lazy.advice())


class _Lazy:
    """The property that opens what an attribute holds, and keeps it under a private name."""

    def __init__(self, it: Held) -> None:
        self.it = it
        self.private = f"_opened_{it.name.lstrip('_')}"
        scopes = it.tree.scopes
        names = [node for node in ast.walk(it.value) if isinstance(node, ast.Name)]
        self.local = [node for node in names if (owner := scopes.of[node].owner(node.id)) and owner.kind == "function"]
        self.attributes: dict[str, str] = {}

    def advice(self) -> str:
        """Return the lines, for a person."""
        lines = [
            f"self.{self.private} = None  # in __init__, with what the call below needs kept as attributes",
            "",
            "@property",
            f"def {self.it.name}(self):",
            *("    " + line for line in self.body("    ")),
        ]
        return "\n".join(
            ["open it on first use, in the process that reads it:", *("    " + line if line else "" for line in lines)]
        )

    def body(self, indent: str) -> list[str]:
        """Return the lines of the property."""
        return [
            f"if self.{self.private} is None:",
            *(indent + line for line in import_lines(self.it.tree, self._imports())),
            f"{indent}self.{self.private} = {self._value()}",
            f"return self.{self.private}",
        ]

    def keep_parameters(self, init: ast.FunctionDef) -> list[str] | None:
        """Return the statements that keep what it is opened with; None where that is more than parameters."""
        tree, statements = self.it.tree, []
        for node in self._variables():
            name, scope = node.id, tree.scopes.own[init]
            if name in self.attributes:
                continue
            bindings = tree.scopes.bindings(scope, name)
            if tree.scopes.of[node].owner(name) is not scope or not all(isinstance(b, ast.arg) for b in bindings):
                return None
            attribute = kept_as(tree, self.it.cls, init, name)
            if not attribute:
                attribute = f"_{name.lstrip('_')}"
                statements.append(f"self.{attribute} = {name}")
                if re.search(rf"\.{attribute}\b", tree.text):
                    return None
            self.attributes[name] = attribute
        return statements

    def _bindings(self, node: ast.Name) -> list[ast.AST]:
        owner = self.it.tree.scopes.of[node].owner(node.id)
        return self.it.tree.scopes.bindings(owner, node.id) if owner else []

    def _imports(self) -> list[ast.alias]:
        found = {node.id: b for node in self.local for b in self._bindings(node) if isinstance(b, ast.alias)}
        return list(found.values())

    def _variables(self) -> list[ast.Name]:
        imported = {alias.asname or alias.name.partition(".")[0] for alias in self._imports()}
        return [node for node in self.local if node.id not in imported and not lookup.is_self(self.it.tree, node)]

    def _value(self) -> str:
        """Return the expression that opens it, on one line, with the constructor's variables taken from `self`."""
        tree = self.it.tree
        patches = [
            Patch(*tree.bounds(node), f"self.{self.attributes.get(node.id, node.id)}") for node in self._variables()
        ]
        text = re.sub(r"\s*(?:\r\n|\r|\n)\s*", " ", apply(tree.text, patches, *tree.bounds(self.it.value)))
        return re.sub(r"(?<=[(\[{]) | (?=[)\]}])", "", text)


def _is_used_in_worker_alone(
    finding: Finding, project: Project, it: Held, statement: ast.stmt, init: ast.FunctionDef
) -> bool:
    """Whether a class sets an attribute in its constructor, nothing else does, and only its worker side reads it."""
    tree = it.tree
    plain = isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.value is it.value
    if init.name != "__init__" or init not in it.cls.body or not plain or not tree.alone(statement):
        return False
    if "#" in tree.code(it.value) or tree.string_lines & set(range(statement.lineno, (statement.end_lineno or 0) + 1)):
        return False
    for other, cls in lookup.family(project, tree, it.cls):
        hooks = ("__getattr__", "__setattr__", "__getstate__", "__setstate__", "__reduce__", "__reduce_ex__")
        if "__slots__" in other.scopes.own[cls].bindings or any(lookup.method(cls, hook) for hook in hooks):
            return False
    stores = list(lookup.attribute_uses(project, it.name, (tree, it.cls), ast.Store, ast.Del))
    if len(stores) != 1 or len([step for step in finding.chain if step.text.startswith(".")]) != 1:
        return False
    own = _worker_side_alone(finding, project, it)
    reads = list(lookup.attribute_reads(project, it.name, (tree, it.cls)))
    return bool(reads) and all(_method_round(read, other.parents) in own for other, read in reads)


def _worker_side_alone(finding: Finding, project: Project, it: Held) -> set[Function]:
    """Return the methods that only the worker runs: its entries, and what these alone refer to."""
    found = {function for _, function in worker_methods(finding, project, it) if function.name != "__len__"}
    while True:
        shared = {
            function
            for function in found
            if function.name not in _ENTRIES
            and any(
                _method_round(read, other.parents) not in found
                for other, read in lookup.attribute_reads(project, function.name, (it.tree, it.cls))
            )
        }
        if not shared:
            return found
        found -= shared


def _method_round(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST | None:
    """Return the method whose code, or whose inner functions', a node is part of."""
    while (outer := parents.get(node)) is not None:
        if isinstance(outer, ast.ClassDef) and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return node
        node = outer
    return None
