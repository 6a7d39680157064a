"""Files and connections: no automatic change, but the lines that open them in the worker, for that very attribute."""

from __future__ import annotations

import ast

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.knowledge.rules import BY_KIND
from mpsafe_lint.repairs.edits import Patch, apply
from mpsafe_lint.repairs.state import Held, held
from mpsafe_lint.repairs.tree import Declined


def repair(finding: Finding, project: Project) -> Repair:
    """Show the lazy form. Always raises Declined: only a person knows when it may be opened."""
    reason = "when it is opened is for you to decide"
    try:
        it = held(finding, project)
    except Declined:
        raise Declined(reason, BY_KIND[finding.kind].advice) from None
    if not it.whole:
        raise Declined(reason, BY_KIND[finding.kind].advice)
    value = _with_self(it)
    private = f"_opened_{it.name.lstrip('_')}"
    lines = [
        "open it on first use, in the process that reads it:",
        f"    self.{private} = None  # in __init__, with what the call below needs kept as attributes",
        "",
        "    @property",
        f"    def {it.name}(self):",
        f"        if self.{private} is None:",
        f"            self.{private} = {value}",
        f"        return self.{private}",
    ]
    raise Declined(reason, "\n".join(lines))


def _with_self(it: Held) -> str:
    """Return the expression that opens it, on one line, with the constructor's variables taken from `self`."""
    scopes = it.tree.scopes
    local = [
        node
        for node in ast.walk(it.value)
        if isinstance(node, ast.Name) and (owner := scopes.of[node].owner(node.id)) and owner.kind == "function"
    ]
    first = [node for node in local if node.id != "self"]
    patches = [Patch(start, start, "self.") for start in (it.tree.bounds(node)[0] for node in first)]
    return " ".join(apply(it.tree.text, patches, *it.tree.bounds(it.value)).split())
