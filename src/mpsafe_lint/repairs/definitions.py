"""The text of a function at module level, and the expressions that stand for it where it was."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from mpsafe_lint.repairs import moving
from mpsafe_lint.repairs.captures import Member
from mpsafe_lint.repairs.edits import Patch, apply
from mpsafe_lint.repairs.scopes import Function, defaults, end_position, parameters, position
from mpsafe_lint.repairs.tree import Declined, Tree


class Definition:
    """Writes the definition of a member at module level; `partial` is what functools.partial is called in the file."""

    def __init__(self, tree: Tree, member: Member, partial: str) -> None:
        self.tree = tree
        self.member = member
        self.partial = partial
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
        lines += [inner + line for line in import_lines(tree, self.member.imports)]
        lines += [""] if self.member.imports else []
        lines += [f"{inner}return {body}{self.member.comment}"]
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
        start, end = moving.line_bounds(tree, node)
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
        if leading := self._leading():
            patch = _inserted(tree, after, parameters(node.args), leading)
            self.patches.append(Patch(patch.start, patch.end, self._shifted(patch.text)))
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
        body = node.body[1:] if moving.is_docstring(node.body[0]) and len(node.body) > 1 else node.body
        if body[0].lineno == node.lineno:
            raise Declined("it uses a local import, and is written on one line", "import that at module level")
        place = tree.starts[tree.first_line(body[0]) - 1]
        indentation = tree.indentation(body[0].lineno)
        inner = indentation[len(tree.indentation(node.lineno)) :]
        text = "".join(f"{inner}{line}{tree.newline}" for line in import_lines(tree, self.member.imports))
        if not isinstance(body[0], (ast.Import, ast.ImportFrom)):
            text += tree.newline
        self.patches.append(Patch(place, place, text))

    def _reindented(self, start: int, end: int, shift: int, floor: str) -> str:
        """Return a part of the file, with its lines moved by `shift` columns, and the members' names replaced."""
        self.patches += moving.reindentation(self.tree, start, end, shift, floor, self.member.node)
        return self._patched(start, end)

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
                if within(self.tree, read, self.member.node):
                    for patch in replaced(self.tree, read, other, self.partial):
                        yield Patch(patch.start, patch.end, self._shifted(patch.text))

    def _shifted(self, text: str) -> str:
        """Return a text that is put into the definition, with its lines where those of the definition come."""
        depth = len(self.tree.indentation(self.member.node.lineno))
        if isinstance(self.member.node, ast.Lambda):
            return text
        return re.sub(rf"((?:\r\n|\r|\n)[ \t]*)[ \t]{{{depth}}}", r"\1", text)


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


def import_lines(tree: Tree, aliases: Iterable[ast.alias]) -> list[str]:
    """Return the import statements for names that statements of the file import."""
    found: dict[str, list[str]] = {}
    for alias in aliases:
        statement = tree.parents[alias]
        name = f"{alias.name} as {alias.asname}" if alias.asname else alias.name
        if isinstance(statement, ast.ImportFrom):
            found.setdefault(f"from {'.' * statement.level}{statement.module or ''} import ", []).append(name)
        else:
            found[f"import {name}"] = [""]
    return [head + ", ".join(names) for head, names in found.items()]


def within(tree: Tree, node: ast.AST, outer: ast.AST) -> bool:
    return node is outer or any(ancestor is outer for ancestor in tree.ancestors(node))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _inserted(tree: Tree, opening: int, old: Sequence[ast.AST], items: Iterable[str]) -> Patch:
    """Return the patch that puts items behind an opening bracket, each on a line of its own where the old ones are."""
    space = re.compile(r"[ \t\f]*((?:\r\n|\r|\n)\s*)").match(tree.text, opening)
    if space and old:
        glue = f",{space[1]}" if _on_lines_of_their_own(tree, old) else ", "
        return Patch(space.end(), space.end(), "".join(item + glue for item in items))
    return Patch(opening, opening, ", ".join(items) + (", " if old else ""))


def _on_lines_of_their_own(tree: Tree, items: Sequence[ast.AST]) -> bool:
    """Whether items begin on different lines, or are one alone with a comma behind that keeps it apart."""
    lines = {position(item)[0] for item in items}
    return len(lines) > 1 or (len(items) == 1 and tree.line(end_position(items[0])[0]).rstrip().endswith(","))


def replaced(tree: Tree, node: ast.expr, member: Member, partial: str) -> list[Patch]:
    """Return the patches that put a member's new name in the place of `node`, with what it captures bound."""
    start, end = tree.layout.brackets(node)
    if member.closed:
        return [Patch(start, end, member.new)]
    parent = tree.parents[node]
    if isinstance(parent, ast.Call) and not member.bound:
        if parent.func is node:
            opening = tree.text.index("(", end) + 1
            arguments = [*parent.args, *parent.keywords]
            return [Patch(start, end, member.new), _inserted(tree, opening, arguments, member.captures)]
        if parent.args[:1] == [node] and tree.code(parent.func) == partial:
            own_line = not tree.line(tree.place(start)[0])[: tree.place(start)[1]].strip()
            glue = f",{tree.newline}{tree.indentation(tree.place(start)[0])}" if own_line else ", "
            return [Patch(start, end, glue.join([member.new, *member.captures]))]
    return [Patch(start, end, with_captures(tree, member, partial))]


def with_captures(tree: Tree, member: Member, partial: str) -> str:
    """Return the expression that makes a member callable as the old function was."""
    if member.closed:
        return member.new
    words = [f"{name}={tree.code(value)}" for name, value in member.bound.items()]
    return f"{partial}({', '.join([member.new, *member.captures, *words])})"
