"""Lambdas and local functions: to module level, with what they capture bound by functools.partial."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from mpsafe_lint.findings import Finding, Repair
from mpsafe_lint.files.project import Project
from mpsafe_lint.repairs import idioms, imports, names, readers
from mpsafe_lint.repairs.captures import Member, collect, crosses_at_once, defaults, rebound
from mpsafe_lint.repairs.scopes import Function, Scope, position
from mpsafe_lint.repairs.tree import Declined, Patch, Tree, tree_of

_STATELESS_DECORATORS = re.compile(r"(?:torch\.)?(?:no_grad|inference_mode|enable_grad)\b|(?:contextlib\.)?contextmanager$")


def repair(finding: Finding, project: Project) -> Repair:
    """Move a lambda or a local function to module level. Raises Declined."""
    tree = tree_of(project, finding.span.path)
    node = tree.find(finding.span, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)
    if not isinstance(node, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)):
        raise Declined("no function begins there", "define it at module level")
    if isinstance(node, ast.Lambda):
        if target := _module_level_name(tree, node):
            return _to_def(tree, node, target)
        named = readers.asks_for_name(project, tree, finding, node)
        if not named and (found := idioms.idiom(tree, finding, node)):
            text, patches = found
            start, end = tree.layout.brackets(node)
            return Repair("idiom", "safe", tree.edits([*patches, Patch(start, end, text)]), f"replaced by {text}")
    else:
        if tree.scopes.of[node].kind == "class":
            raise Declined("it is a method of a class that is made in a function", "move the class to module level")
        if tree.scopes.of[node].kind == "module":
            raise Declined("it stands at module level already", "make sure that its name there means this function")
        named = readers.asks_for_name(project, tree, finding, node)
    return _Move(tree, finding, node, named).repair()


# --- name = lambda


def _module_level_name(tree: Tree, node: ast.Lambda) -> str:
    """Return the name to which a lambda alone is assigned by a statement outside functions and classes."""
    statement = tree.parents[node]
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) if (
            tree.scopes.of[statement].kind == "module" and tree.alone(statement) and statement.value is node
        ):
            return name
    return ""


def _to_def(tree: Tree, node: ast.Lambda, name: str) -> Repair:
    """Turn `name = lambda …` into `def name(…)`, in its place."""
    statement = tree.statement(node)
    first, last = tree.first_line(statement), tree.last_line(statement)
    gap = tree.gap if isinstance(tree.parents[statement], ast.Module) else 1
    block = _block(tree, statement)
    newline = tree.newline
    before = after = ""
    if statement is not block[0]:
        before = newline * max(0, gap - tree.blank_above(first))
    if statement is not block[-1]:
        following = next(n for n in range(last + 1, len(tree.source.lines) + 1) if not tree.is_blank(n))
        after = newline * max(0, gap - (following - last - 1))
    start, end = tree.bounds(statement)
    above = tree.starts[first - 1]
    below = tree.starts[last]
    text = _Definition(tree, Member(node, None, name, new=name), {}).lambda_text(tree.indentation(statement.lineno))
    patches = [Patch(above, above, before), Patch(start, end, text.lstrip(" \t")), Patch(below, below, after)]
    edits = tree.edits(patch for patch in patches if patch.text)
    return Repair("name-lambda", "safe", edits, f"`{name} = lambda` became `def {name}`")


def _block(tree: Tree, statement: ast.stmt) -> list[ast.stmt]:
    parent = tree.parents[statement]
    for name in ("body", "orelse", "finalbody"):
        body = getattr(parent, name, None)
        if isinstance(body, list) and statement in body:
            return body
    return [statement]


# --- the text at module level


class _Definition:
    """Writes the definition of a member at module level; `members` are all that move, by their old definition."""

    def __init__(self, tree: Tree, member: Member, members: dict[ast.AST, Member]) -> None:
        self.tree = tree
        self.member = member
        self.members = members
        self.patches: list[Patch] = []

    def text(self) -> str:
        """Return the definition, without a line end after it."""
        return self.lambda_text("") if isinstance(self.member.node, ast.Lambda) else self._def_text(self.member.node)

    def lambda_text(self, indentation: str) -> str:
        """Return a `def` for a lambda."""
        tree, node, newline = self.tree, self.member.node, self.tree.newline
        assert isinstance(node, ast.Lambda)
        inner = indentation + tree.indent
        start, end = tree.layout.brackets(node.body)
        if tree.place(start)[0] == tree.place(end)[0]:
            start, end = tree.bounds(node.body)
        body = self._reindented(start, end, len(inner) - len(tree.indentation(tree.place(start)[0])), inner)
        if newline in body and not _parses(f"def f(): return {body}"):
            lines = body.split(newline)
            step = min(len(line) - len(line.lstrip()) for line in lines[1:] if line.strip())
            rest = [inner + tree.indent + line[step:] for line in lines[1:]]
            body = newline.join(["(", inner + tree.indent + lines[0], *rest, inner + ")"])
        lines = [f"{indentation}def {self.member.new}({self._lambda_parameters(node.args)}):"]
        lines += [inner + _import_text(tree, alias) for alias in self.member.imports]
        lines += [f"{inner}return {body}"]
        return newline.join(lines)

    def _lambda_parameters(self, args: ast.arguments) -> str:
        values = dict(defaults(args))
        kept = _kept_defaults(self.member)

        def one(arg: ast.arg) -> str:
            if arg.arg not in values:
                return arg.arg
            return f"{arg.arg}={self._plain(values[arg.arg]) if arg.arg in kept else 'None'}"

        def written(arg: ast.arg) -> str:
            return arg.arg if arg.arg in self.member.bound and arg.arg not in _stand_ins(self.member) else one(arg)

        parts = [written(arg) for arg in args.posonlyargs] + (["/"] if args.posonlyargs else [])
        parts += [written(arg) for arg in args.args]
        parts += [f"*{args.vararg.arg}"] if args.vararg else ["*"] if args.kwonlyargs else []
        parts += [written(arg) for arg in args.kwonlyargs] + ([f"**{args.kwarg.arg}"] if args.kwarg else [])
        return ", ".join([*self._leading(), *parts])

    def _leading(self) -> list[str]:
        """Return the parameters for the captured values; nobody can name them where any keyword is taken."""
        args = self.member.node.args
        captured = list(self.member.captures)
        return [*captured, "/"] if captured and args.kwarg and not args.posonlyargs else captured

    def _plain(self, node: ast.expr) -> str:
        return self._patched(*self.tree.layout.brackets(node))

    def _def_text(self, node: Function) -> str:
        tree = self.tree
        first, last = tree.first_line(node), tree.last_line(node)
        start, end = tree.starts[first - 1], tree.starts[last - 1] + len(tree.line(last))
        self._rename(node)
        self._import_locally(node)
        return self._reindented(start, end, -len(tree.indentation(node.lineno)), "")

    def _rename(self, node: Function) -> None:
        """Give it its new name, parameters for the captured values, and no default that can't be evaluated there."""
        tree = self.tree
        start = tree.bounds(node)[0]
        match = re.compile(r"(?:async\s+)?def\s+(\w+)").match(tree.text, start)
        assert match
        self.patches.append(Patch(match.start(1), match.end(1), self.member.new))
        after = tree.text.index("(", match.end(1)) + 1
        leading = self._leading()
        if leading:
            space = re.compile(r"[ \t\f]*(?:\r\n|\r|\n)\s*").match(tree.text, after)
            more = bool(names.taken(node))
            place = space.end() if space and more else after
            glue = f",{space[0].lstrip(' ')}" if space and more else ", "
            self.patches.append(Patch(place, place, glue.join(leading) + (glue if more else "")))
        stand_ins = _stand_ins(self.member)
        for name, default in self.member.bound.items():
            start, end = tree.layout.brackets(default)
            equals = tree.text.rindex("=", 0, start)
            while tree.text[equals - 1] in " \t":
                equals -= 1
            text = tree.text[equals:start] + "None" if name in stand_ins else ""
            self.patches.append(Patch(equals, end, text))

    def _import_locally(self, node: Function) -> None:
        """Let the function import for itself what the function round it has imported for it."""
        if not self.member.imports:
            return
        tree = self.tree
        body = node.body[1:] if _is_docstring(node.body[0]) and len(node.body) > 1 else node.body
        if body[0].lineno == node.lineno:
            raise Declined("it uses a local import, and is written on one line", "import that at module level")
        place = tree.starts[tree.first_line(body[0]) - 1]
        indentation = tree.indentation(body[0].lineno)
        text = "".join(f"{indentation}{_import_text(tree, alias)}{tree.newline}" for alias in self.member.imports)
        self.patches.append(Patch(place, place, text))

    def _reindented(self, start: int, end: int, shift: int, floor: str) -> str:
        """Return a part of the file, with its lines moved by `shift` columns, and the members' names replaced."""
        tree = self.tree
        for number in range(tree.place(start)[0], tree.place(end)[0] + 1):
            place = tree.starts[number - 1]
            if place < start or not shift or tree.is_blank(number):
                continue
            if number in tree.layout.string_lines and not self._in_docstring(number):
                continue
            old = tree.indentation(number)
            new = old[:shift] if shift < 0 else old + tree.indent[:1] * shift
            new = new if len(old) + shift >= len(floor) else floor
            if shift < 0 and -shift > len(old):
                new = floor
            self.patches.append(Patch(place, place + len(old), new))
        return self._patched(start, end)

    def _in_docstring(self, number: int) -> bool:
        node = self.member.node
        if isinstance(node, ast.Lambda):
            return False
        inner = [n for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
        strings = [n.body[0] for n in inner if _is_docstring(n.body[0])]
        depth = len(self.tree.indentation(node.lineno))
        for string in strings:
            lines = range(string.lineno + 1, (string.end_lineno or string.lineno) + 1)
            if number in lines:
                return all(len(self.tree.indentation(n)) >= depth or self.tree.is_blank(n) for n in lines)
        return False

    def _patched(self, start: int, end: int) -> str:
        """Return a part of the file with the patches inside it, and with what it calls by its new name."""
        inner = [patch for patch in self.patches if start <= patch.start and patch.end <= end]
        inner += [patch for patch in self._calls() if start <= patch.start and patch.end <= end]
        return apply(self.tree.text, inner, start, end)

    def _calls(self) -> Iterable[Patch]:
        for other in {id(m): m for m in (*self.member.calls, self.member)}.values():
            if other.owner is None:
                continue
            for read in self.tree.scopes.references(other.owner, other.name):
                if _within(self.tree, read, self.member.node):
                    yield replaced(self.tree, read, other, "functools.partial")


def _kept_defaults(member: Member) -> set[str]:
    return {name for name, _ in defaults(member.node.args)} - member.bound.keys()


def _stand_ins(member: Member) -> set[str]:
    """Return the bound defaults that need another one in their place, since a parameter before them has one."""
    args = member.node.args
    found: set[str] = set()
    optional = False
    for arg in [*args.posonlyargs, *args.args]:
        if arg.arg in member.bound and optional:
            found.add(arg.arg)
        optional = optional or arg.arg in _kept_defaults(member)
    return found


def _import_text(tree: Tree, alias: ast.alias) -> str:
    statement = tree.parents[alias]
    name = f"{alias.name} as {alias.asname}" if alias.asname else alias.name
    if isinstance(statement, ast.ImportFrom):
        return f"from {'.' * statement.level}{statement.module or ''} import {name}"
    return f"import {name}"


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _within(tree: Tree, node: ast.AST, outer: ast.AST) -> bool:
    return node is outer or any(ancestor is outer for ancestor in tree.ancestors(node))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def apply(text: str, patches: Iterable[Patch], start: int = 0, end: int | None = None) -> str:
    """Return the part of a text from `start` to `end` with the patches in it applied; of two that overlap the first."""
    pieces: list[str] = []
    at = start
    for patch in sorted(patches, key=lambda patch: (patch.start, patch.end)):
        if patch.start >= at:
            pieces += [text[at : patch.start], patch.text]
            at = patch.end
    return "".join([*pieces, text[at : len(text) if end is None else end]])


def replaced(tree: Tree, node: ast.expr, member: Member, partial: str) -> Patch:
    """Return the patch that puts a member's new name in the place of `node`, with what it captures bound."""
    start, end = tree.layout.brackets(node)
    if member.closed:
        return Patch(start, end, member.new)
    parent = tree.parents[node]
    captured = ", ".join(member.captures)
    if isinstance(parent, ast.Call) and not member.bound:
        if parent.func is node:
            opening = tree.text.index("(", end) + 1
            empty = not parent.args and not parent.keywords
            return Patch(start, opening, f"{member.new}({captured}{'' if empty else ', '}")
        if parent.args[:1] == [node] and tree.text[slice(*tree.bounds(parent.func))] == partial:
            return Patch(start, end, f"{member.new}, {captured}")
    bound = [*member.captures, *(f"{name}={tree.code(value)}" for name, value in member.bound.items())]
    return Patch(start, end, f"{partial}({', '.join([member.new, *bound])})")


# --- moving


class _Move:
    """One repair that moves a function, and the local ones that it calls, above the statement that they come from."""

    def __init__(self, tree: Tree, finding: Finding, node: Function | ast.Lambda, named: str) -> None:
        self.tree = tree
        self.finding = finding
        self.node = node
        self.named = named
        self.members = collect(tree, node)
        self.by_node = {member.node: member for member in self.members}
        self.patches: list[Patch] = []
        self.cautions: list[str] = []
        self.partial = ""

    def repair(self) -> Repair:
        """Return the repair. Raises Declined."""
        self._refuse()
        for member in self.members:
            hint = member.name or names.hint(self.tree, member.node)  # type: ignore[arg-type]
            member.new = names.fresh(self.tree, hint, member.node, {other.new for other in self.members})
        if any(not member.closed for member in self.members):
            self.partial, added = imports.reference(self.tree, "functools", "partial", self.tree.scopes.of[self.node])
            self.patches += added
        texts = []
        for member in self.members:
            text = self._reuse(member)
            texts += [text] if text else []
        if texts:
            self.patches += [self._insertion(texts)]
        for member in self.members:
            self._replace(member)
        main = self.by_node[self.node]
        how = "moved to module level as" if not isinstance(self.node, ast.Lambda) else "became the function"
        summary = f"{how} {main.new}"
        if main.captures:
            summary += f", with {_listed(main.captures)} bound"
        caution = "; ".join(dict.fromkeys(self.cautions))
        return Repair("move-function", "unsafe" if caution else "safe", self.tree.edits(self.patches), summary, caution)

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
            if not member.closed and self.named:
                self.cautions.append(self.named)

    # --- above

    def _reuse(self, member: Member) -> str:
        """Return the text of the new definition; empty where the file has the same function already."""
        text = _Definition(self.tree, member, {m.node: m for m in self.members}).text()
        anchor = self.tree.top_statement(self.node)
        for node in self.tree.ast.body[: self.tree.ast.body.index(anchor)]:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("_") and not node.decorator_list:
                if self.tree.code(node) == re.sub(rf"\b{re.escape(member.new)}\b", node.name, text):
                    member.new = node.name
                    return ""
        return text

    def _insertion(self, texts: list[str]) -> Patch:
        """Return the patch that puts the definitions above the top-level statement, or below it where they need that."""
        tree, newline = self.tree, self.tree.newline
        anchor = tree.top_statement(self.node)
        between = newline * (tree.gap + 1)
        body = between.join(texts)
        if self._needs_below(anchor):
            last = tree.last_line(anchor)
            place = tree.starts[last]
            lead = "" if tree.text[:place].endswith(("\n", "\r")) else newline
            tail = newline if lead == "" else ""
            return Patch(place, place, lead + newline * tree.gap + body + tail)
        first = tree.first_line(anchor)
        if first == 1 and anchor is tree.ast.body[0]:
            first = min([anchor.lineno, *(d.lineno for d in getattr(anchor, "decorator_list", []))])
        place = tree.starts[first - 1]
        above = tree.blank_above(first)
        lead = newline * max(0, tree.gap - above) if any(tree.line(n).strip() for n in range(1, first)) else ""
        return Patch(place, place, lead + body + between)

    def _needs_below(self, anchor: ast.stmt) -> bool:
        """Whether a decorator, a default or an annotation needs what is bound by the anchor or below it."""
        top = self.tree.scopes.top
        needed = {name for member in self.members for name in member.needs}
        late = [
            name for name in needed if name in top.bindings and position(top.bindings[name][0]) >= position(anchor)
        ]
        later = [name for name in late if self.tree.top_statement(top.bindings[name][0]) is not anchor]
        if later or (late and self.tree.scopes.of[self.node].kind != "function"):
            raise Declined(
                f"`{(later or late)[0]}` is defined below", f"define it at module level, below `{(later or late)[0]}`"
            )
        return bool(late)

    # --- where it was

    def _replace(self, member: Member) -> None:
        """Put the new function in the place of the old one: where it is used, or under its local name."""
        tree = self.tree
        if member.owner is None:
            assert isinstance(member.node, ast.Lambda)
            self._check(member, member.node)
            self.patches.append(replaced(tree, member.node, member, self.partial))
            return
        reads = [
            read
            for read in tree.scopes.references(member.owner, member.name)
            if not any(_within(tree, read, moved) for moved in self.by_node)
        ]
        statement = tree.statement(member.node)
        removable = len(tree.scopes.bindings(member.owner, member.name)) == 1 and tree.alone(statement)
        removable = removable and len(_block(tree, statement)) > 1
        if not reads and not any(member in other.calls for other in self.members):
            raise Declined("its use is not seen", "define it at module level")
        if removable and (member.closed or self._fits_at_uses(member, reads)):
            for read in reads:
                self.patches.append(replaced(tree, read, member, self.partial))
            self.patches.append(self._removal(statement))
            return
        self._check(member, member.node)
        self.patches.append(self._local_binding(member, statement))

    def _fits_at_uses(self, member: Member, reads: list[ast.Name]) -> bool:
        """Whether what it captures is bound where it is used, rather than once under its local name."""
        if member.bound:
            return False
        problems = [self._problem(member, read) for read in reads]
        if len(reads) <= 1:
            for problem in problems:
                if problem:
                    raise problem
            return True
        return not any(problems) and self._problem(member, member.node) is not None

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
            if in_loop and crosses_at_once(self.tree, self.finding, at):
                continue
            line = getattr(bound, "lineno", 0)
            what = "in the next turn of the loop" if in_loop else f"on line {line}"
            call = f"{self.partial or 'functools.partial'}({member.new}, {', '.join(member.captures)})"
            return Declined(
                f"`{name}` is bound again {what}, and the function would not see that",
                f"define {member.new}({', '.join([*member.captures, *names.parameter_names(member.node)])}) at module level, "
                f"and hand over {call} once `{name}` has its value",
            )
        return None

    def _removal(self, statement: ast.stmt) -> Patch:
        """Return the patch that deletes a definition, and the blank lines that divided it from what follows."""
        tree = self.tree
        first, last = tree.first_line(statement), tree.last_line(statement)
        if statement is _block(tree, statement)[-1]:
            first -= tree.blank_above(first)
        else:
            while tree.is_blank(last + 1):
                last += 1
        return Patch(tree.starts[first - 1], tree.starts[last], "")

    def _local_binding(self, member: Member, statement: ast.stmt) -> Patch:
        """Return the patch that leaves the local name, bound to the new function."""
        tree = self.tree
        value = member.new
        if not member.closed:
            bound = [*member.captures, *(f"{name}={tree.code(default)}" for name, default in member.bound.items())]
            value = f"{self.partial}({', '.join([member.new, *bound])})"
        if isinstance(member.node, ast.Lambda):
            return Patch(*tree.layout.brackets(member.node), value)
        first, last = tree.first_line(statement), tree.last_line(statement)
        start, end = tree.starts[first - 1] + len(tree.indentation(first)), tree.starts[last - 1] + len(tree.line(last))
        return Patch(start, end, f"{member.name} = {value}")


def _listed(items: Iterable[str]) -> str:
    *most, last = (f"`{item}`" for item in items)
    return f"{', '.join(most)} and {last}" if most else last
