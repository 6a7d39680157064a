"""Lambdas and local functions: to module level, with what they capture bound by functools.partial."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.repairs import idioms, imports, misnamed, moving, names, partials, style
from mpsafe_lint.repairs.captures import Member, collect, crosses_at_once, in_main_block, rebound
from mpsafe_lint.repairs.definitions import Definition, replaced, with_captures, within
from mpsafe_lint.repairs.edits import Patch
from mpsafe_lint.repairs.scopes import Function, Scope, position
from mpsafe_lint.repairs.tree import Declined, Tree, tree_of

_EXCUSE = re.compile(r"#\s*noqa(?::\s*E731)?", re.IGNORECASE)
_STATELESS_DECORATORS = re.compile(
    r"(?:torch\.)?(?:no_grad|inference_mode|enable_grad)\b|(?:contextlib\.)?contextmanager$"
)


def repair(finding: Finding, project: Project) -> Repair:
    """Move a lambda or a local function to module level. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    node = tree.find(finding.span, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)
    if not isinstance(node, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)):
        raise Declined("no function begins there", "define it at module level")
    if isinstance(node, ast.Lambda):
        if target := _module_level_name(tree, node):
            return _to_def(tree, node, target)
        differs = partials.difference(project, tree, finding, node)
        if not differs and (found := idioms.idiom(project, tree, finding, node)):
            text, patches = found
            patches = style.restyled(tree, [*patches, Patch(*tree.layout.brackets(node), text)], [node])
            return Repair("idiom", "safe", tree.edits(patches), f"replaced by {text}")
    else:
        if tree.scopes.of[node].kind == "class":
            raise Declined("it is a method of a class that is made in a function", "move the class to module level")
        if tree.scopes.of[node].kind == "module":
            raise Declined("it stands at module level already", "make sure that its name there means this function")
        wrapped = misnamed.wrapped_parameter(tree, node)
        if wrapped and misnamed.is_used_as_decorator(project, tree, node):
            return misnamed.add_wraps(tree, node, wrapped)
        differs = partials.difference(project, tree, finding, node)
    return _Move(project, tree, finding, node, differs).repair()


# --- name = lambda


def _module_level_name(tree: Tree, node: ast.Lambda) -> str:
    """Return the name to which a lambda alone is assigned outside functions, classes and the main block."""
    statement = tree.parents[node]
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) if (
            tree.scopes.of[statement].kind == "module" and tree.alone(statement) and not in_main_block(tree, statement)
        ):
            return name
    return ""


def _to_def(tree: Tree, node: ast.Lambda, name: str) -> Repair:
    """Turn `name = lambda …` into `def name(…)`, in its place."""
    statement = tree.statement(node)
    first, last = tree.first_line(statement), tree.last_line(statement)
    gap = tree.gap if isinstance(tree.parents[statement], ast.Module) else 1
    block = moving.block(tree, statement)
    newline = tree.newline
    before = after = ""
    if statement is not block[0]:
        before = newline * max(0, gap - tree.blank_above(first))
    if statement is not block[-1]:
        following = next(n for n in range(last + 1, len(tree.source.lines) + 1) if not tree.is_blank(n))
        after = newline * max(0, gap - (following - last - 1))
    start, end = tree.bounds(statement)
    if (behind := tree.comment_behind(statement)) and not _comment(tree, node):
        end = behind[1]
    above = tree.starts[first - 1]
    below = tree.starts[last]
    text = Definition(tree, Member(node, None, name, new=name), "").lambda_text(tree.indentation(statement.lineno))
    patches = [Patch(above, above, before), Patch(start, end, text.lstrip(" \t")), Patch(below, below, after)]
    edits = tree.edits(patch for patch in patches if patch.text)
    return Repair("name-lambda", "safe", edits, f"`{name} = lambda` became `def {name}`")


# --- moving


class _Move:
    """One repair that moves a function, and the local ones that it calls, above the statement that they come from."""

    def __init__(
        self, project: Project, tree: Tree, finding: Finding, node: Function | ast.Lambda, differs: str
    ) -> None:
        self.project = project
        self.tree = tree
        self.finding = finding
        self.node = node
        self.differs = differs
        self.members = collect(tree, node)
        self.by_node = {member.node: member for member in self.members}
        self.patches: list[Patch] = []
        self.cautions: list[str] = []
        self.partial = ""
        self.staying: list[Member] = []
        self.removed: list[ast.stmt] = []
        self.style = style.style_of(tree)

    def repair(self) -> Repair:
        """Return the repair. Raises Declined."""
        self._refuse()
        anchor = self.tree.top_statement(self.node)
        added: list[Patch] = []
        if any(not member.closed for member in self.members):
            scope = self.tree.scopes.of[self.node]
            self.partial, added = imports.reference(self.tree, "functools", "partial", scope, anchor)
        self._name_members()
        texts = [text for member in self.members if (text := self._definition(member))]
        if texts:
            needed = {name for member in self.members for name in member.needs}
            used_later = self.tree.scopes.of[self.node].kind == "function"
            below = moving.needs_below(self.tree, needed, anchor, used_later)
            self.patches.append(moving.insertion(self.tree, anchor, texts, below))
        for member in self.members:
            self._replace(member)
        self._remove_imports()
        self.patches += moving.removals(self.tree, self.removed)
        uses = [use for member in self.members for use in (self._uses(member) if member.owner else [member.node])]
        self.patches = style.restyled(self.tree, self.patches, uses)
        if any(self.partial + "(" in patch.text for patch in self.patches):
            self.patches = [*added, *self.patches]
        main = self.by_node[self.node]
        how = "moved to module level as" if not isinstance(self.node, ast.Lambda) else "became the function"
        summary = f"{how} {main.new}"
        if main.captures:
            summary += f", with {_listed(main.captures)} bound"
        caution = "; ".join(dict.fromkeys(self.cautions))
        return Repair("move-function", "unsafe" if caution else "safe", self.tree.edits(self.patches), summary, caution)

    def _leaves_its_name(self, member: Member) -> bool:
        """Whether nothing in the file has the function's local name but the function itself and what refers to it."""
        if member.owner is None or len(self.tree.scopes.bindings(member.owner, member.name)) != 1:
            return False
        reads = self.tree.scopes.references(member.owner, member.name)
        return len(re.findall(rf"\b{member.name}\b", self.tree.text)) == len(reads) + 1

    def _refuse(self) -> None:
        """Decline what can't be moved; note what is only possible with a caution."""
        bad = [name for member in self.members for name in member.captures if name in self.finding.unpicklable_captures]
        if bad:
            raise Declined(
                f"it captures `{bad[0]}`, which cannot be pickled either",
                f"hand over what `{bad[0]}` is made from, and make it in the worker",
            )
        for member in self.members:
            for decorator in getattr(member.node, "decorator_list", []):
                if not _STATELESS_DECORATORS.match(self.tree.code(decorator)):
                    self.cautions.append("its decorator is applied once, on import, not at every call")
            if member.owner is not None:
                for read in self.tree.scopes.references(member.owner, member.name):
                    parent = self.tree.parents[read]
                    if isinstance(parent, ast.Attribute) and (
                        not member.closed or not isinstance(parent.ctx, ast.Load)
                    ):
                        raise Declined(
                            f"`{member.name}.{parent.attr}` is used", "keep that in a variable, or write a class"
                        )
            if not member.closed and self.differs:
                self.cautions.append(self.differs)

    # --- above

    def _definition(self, member: Member) -> str:
        """Return the text of the new definition; empty where the file has the same function already."""
        text = Definition(self.tree, member, self.partial).text()
        text = self.style.of_text(text)
        if len(self.members) > 1:
            return text
        above = self.tree.ast.body[: self.tree.ast.body.index(self.tree.top_statement(self.node))]
        for node in above:
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("_") or node.decorator_list:
                continue
            if self.tree.code(node) == re.sub(rf"\b{re.escape(member.new)}\b", node.name, text):
                member.new = node.name
                return ""
        return text

    # --- where it was

    def _name_members(self) -> None:
        """Choose the new names. Where the old local name stays, the new one is another."""
        for member in self.members:
            member.new = f"_{member.name}"
        self.staying = [member for member in self.members if member.owner is not None and self._stays(member)]
        for member in self.members:
            hint = member.name or names.hint(self.project, self.tree, member.node)  # type: ignore[arg-type]
            free = member.name if member not in self.staying and self._leaves_its_name(member) else ""
            others = {other.new for other in self.members if other is not member}
            if isinstance(member.node, ast.Lambda) and member.owner and member not in self.staying:
                member.comment = _comment(self.tree, member.node)
            member.new = names.fresh(self.tree, hint, member.node, others, free)

    def _uses(self, member: Member) -> list[ast.Name]:
        """Return where a member is referred to outside of what moves."""
        assert member.owner is not None
        return [
            read
            for read in self.tree.scopes.references(member.owner, member.name)
            if not any(within(self.tree, read, moved) for moved in self.by_node)
        ]

    def _stays(self, member: Member) -> bool:
        """Whether the local name is kept, bound to the new function."""
        tree, reads = self.tree, self._uses(member)
        if not reads and not any(member in other.calls for other in self.members):
            raise Declined("its use is not seen", "define it at module level")
        assert member.owner is not None
        statement = tree.statement(member.node)
        removable = len(tree.scopes.bindings(member.owner, member.name)) == 1 and tree.alone(statement)
        removable = removable and len(moving.block(tree, statement)) > 1 and "# type:" not in _comment(tree, statement)
        return not (removable and (member.closed or self._fits_at_uses(member, reads)))

    def _replace(self, member: Member) -> None:
        """Put the new function in the place of the old one: where it is used, or under its local name."""
        tree = self.tree
        statement = tree.statement(member.node)
        if member.owner is None:
            assert isinstance(member.node, ast.Lambda)
            self._check(member, member.node)
            self.patches += replaced(tree, member.node, member, self.partial)
        elif member in self.staying:
            self._check(member, member.node)
            self.patches.append(self._local_binding(member, statement))
        else:
            for read in self._uses(member):
                self.patches += replaced(tree, read, member, self.partial)
            self.removed.append(statement)

    def _remove_imports(self) -> None:
        """Delete the local imports that only what moves has used."""
        tree = self.tree
        moved = {alias: None for member in self.members for alias in member.imports}
        for statement in dict.fromkeys(tree.parents[alias] for alias in moved):
            assert isinstance(statement, (ast.Import, ast.ImportFrom))
            removable = tree.alone(statement) and len(moving.block(tree, statement)) > 1
            if removable and all(alias in moved and self._moves_along(alias) for alias in statement.names):
                self.removed.append(statement)

    def _moves_along(self, alias: ast.alias) -> bool:
        """Whether only what moves reads what is imported."""
        name = alias.asname or alias.name.partition(".")[0]
        reads = self.tree.scopes.references(self.tree.scopes.of[alias], name)
        return all(any(within(self.tree, read, moved) for moved in self.by_node) for read in reads)

    def _fits_at_uses(self, member: Member, reads: list[ast.Name]) -> bool:
        """Whether what it captures is bound where it is used, rather than once under its local name."""
        if member.bound:
            return False
        problems = [self._problem(member, read) for read in reads]
        if len(reads) <= 1:
            for problem in problems:
                if problem:
                    raise problem
            return not self._too_long(member, reads) or self._problem(member, member.node) is not None
        return not any(problems) and self._problem(member, member.node) is not None

    def _too_long(self, member: Member, reads: Iterable[ast.Name]) -> bool:
        """Whether binding the captured values where it is used makes a line longer than the file's are."""
        growth = len(with_captures(self.tree, member, self.partial)) - len(member.name)
        return any(len(self.tree.line(read.lineno)) + growth > self.style.width for read in reads)

    def _check(self, member: Member, at: ast.AST) -> None:
        if problem := self._problem(member, at):
            raise problem

    def _problem(self, member: Member, at: ast.AST) -> Declined | None:
        """Say what is wrong with binding the captured variables at `at`, if anything is."""
        for name, owner in member.captures.items():
            found = rebound(self.tree, owner, name, at)
            if found is None:
                continue
            bound, in_loop = found
            if _bound_before(self.tree, owner, name, at) and crosses_at_once(self.tree, self.finding, at):
                continue
            line = getattr(bound, "lineno", 0)
            what = "in the next turn of the loop" if in_loop else f"on line {line}"
            signature = ", ".join([*member.captures, *names.parameter_names(member.node)])
            bound_call = f"{self.partial or 'functools.partial'}({member.new}, {', '.join(member.captures)})"
            return Declined(
                f"`{name}` is bound again {what}, and the function would not see that",
                f"define {member.new}({signature}) at module level, "
                f"and hand over {bound_call} once `{name}` has its value",
            )
        return None

    def _local_binding(self, member: Member, statement: ast.stmt) -> Patch:
        """Return the patch that leaves the local name, bound to the new function."""
        tree = self.tree
        value = with_captures(tree, member, self.partial)
        if isinstance(member.node, ast.Lambda):
            return Patch(*tree.layout.brackets(member.node), value)
        start, end = moving.line_bounds(tree, statement)
        first = tree.first_line(statement)
        line = f"{tree.indentation(first)}{member.name} = {value}"
        if statement is moving.block(tree, statement)[0]:
            start = tree.starts[first - 1 - tree.blank_above(first)]
        return Patch(start, end, self.style.of_text(line))


def _comment(tree: Tree, node: ast.AST) -> str:
    """Return the comment behind the statement of a lambda, but for one that excuses the lambda."""
    bounds = tree.comment_behind(tree.statement(node))
    text = tree.text[slice(*bounds)] if bounds else ""
    return "" if _EXCUSE.fullmatch(text.strip()) else text


def _bound_before(tree: Tree, owner: Scope, name: str, at: ast.AST) -> bool:
    return owner.kind == "comprehension" or position(tree.scopes.bindings(owner, name)[0]) < position(at)


def _listed(items: Iterable[str]) -> str:
    *most, last = (f"`{item}`" for item in items)
    return f"{', '.join(most)} and {last}" if most else last
