"""Modules kept as an attribute: the module itself where the attribute is used."""

from __future__ import annotations

import ast

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.repairs import lookup, moving
from mpsafe_lint.repairs.edits import Patch
from mpsafe_lint.repairs.tree import Declined, tree_of


def repair(finding: Finding, project: Project) -> Repair:
    """Use a module by the name of its import, and keep no attribute. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    node = tree.find(finding.span, ast.Name)
    statement = tree.statement(node) if node is not None else None
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=owner, attr=attribute)], value=ast.Name(id=module)) if (
            lookup.is_self(tree, owner) and tree.alone(statement)
        ):
            pass
        case _:
            raise Declined(
                "which module it is is decided when the program runs",
                "keep the module's name, and import it where it is used",
            )
    imported = tree.scopes.of[statement].owner(module)
    if imported is not tree.scopes.top or not all(isinstance(b, ast.alias) for b in imported.bindings[module]):
        raise Declined(
            f"`{module}` is not imported at module level", f"import {module} at module level, or where it is used"
        )
    cls = lookup.method_class(tree, statement)
    assert cls is not None
    patches = [moving.removal(tree, statement)]
    for other, read in lookup.attribute_reads(project, attribute, (tree, cls)):
        known = other is tree and lookup.is_self(other, read.value)
        if not known or not isinstance(other.parents[read], ast.Attribute):
            raise Declined(
                f".{attribute} is used elsewhere ({other.path}:{read.lineno})",
                f"use {module} there, and keep no attribute",
            )
        if other.scopes.of[read].owner(module) is not imported:
            raise Declined(f"`{module}` means something else on line {read.lineno}", f"rename that `{module}`")
        patches.append(Patch(*tree.bounds(read), module))
    stores = [
        n
        for n in ast.walk(tree.ast)
        if isinstance(n, ast.Attribute) and n.attr == attribute and not isinstance(n.ctx, ast.Load)
    ]
    if len(stores) != 1:
        raise Declined(f".{attribute} is set at {len(stores)} places", f"use {module} itself")
    return Repair("use-import", "safe", tree.edits(patches), f"uses {module} itself, and keeps no .{attribute}")
