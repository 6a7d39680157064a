"""Which variable a name stands for: the scopes of a module, what binds their names and what reads them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(eq=False, slots=True)
class Scope:
    """The variables of a module, a class body, a function or a comprehension.

    `bindings` holds for each name the nodes that bind it here, `reads` those that read it here (whatever scope the
    name belongs to), both in the order of the source. `declared` are its `global` and `nonlocal` names.
    """

    node: ast.AST
    kind: str
    parent: Scope | None
    bindings: dict[str, list[ast.AST]] = field(default_factory=dict)
    reads: dict[str, list[ast.Name]] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)

    def owner(self, name: str) -> Scope | None:
        """Return the scope that holds the variable `name` as it is seen from here; None for builtins and unknowns."""
        if self.declared.get(name) == "global":
            return self.top if name in self.top.bindings else None
        if name in self.bindings and name not in self.declared:
            return self
        scope = self.parent
        while scope is not None:
            if scope.kind != "class" and name in scope.bindings and name not in scope.declared:
                return scope
            if scope.declared.get(name) == "global":
                return scope.top if name in scope.top.bindings else None
            scope = scope.parent
        return None

    @property
    def top(self) -> Scope:
        """The module's scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def chain(self) -> Iterator[Scope]:
        """Yield this scope and those round it, the module's last."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent


class Scopes:
    """All scopes of a module. `of` maps every node to the scope in which it is evaluated."""

    def __init__(self, tree: ast.Module) -> None:
        self.top = Scope(tree, "module", None)
        self.all = [self.top]
        self.of: dict[ast.AST, Scope] = {tree: self.top}
        self.own: dict[ast.AST, Scope] = {tree: self.top}
        self._waiting: list[tuple[ast.AST, Scope]] = []
        self._push(self.top, *tree.body)
        while self._waiting:
            self._enter(*self._waiting.pop())
        for scope in self.all:
            for bound in scope.bindings.values():
                bound.sort(key=position)
            for read in scope.reads.values():
                read.sort(key=position)

    def references(self, owner: Scope, name: str) -> list[ast.Name]:
        """Return every read of the variable `name` of `owner`, from whatever scope, in the order of the source."""
        found = [
            read
            for scope in self.all
            if name in scope.reads and scope.owner(name) is owner
            for read in scope.reads[name]
        ]
        return sorted(found, key=position)

    def bindings(self, owner: Scope, name: str) -> list[ast.AST]:
        """Return all nodes that bind the variable, those behind `nonlocal` and `global` among them."""
        found = list(owner.bindings.get(name, ()))
        found += [
            bound
            for scope in self.all
            if name in scope.declared and name in scope.bindings and self._declared_owner(scope, name) is owner
            for bound in scope.bindings[name]
        ]
        return sorted(found, key=position)

    @staticmethod
    def _declared_owner(scope: Scope, name: str) -> Scope | None:
        if scope.declared[name] == "global":
            return scope.top
        return scope.parent.owner(name) if scope.parent else None

    def inside(self, node: ast.AST) -> list[Scope]:
        """Return the scope of a function, lambda or class, and all scopes within it."""
        own = self.own[node]
        return [scope for scope in self.all if own in scope.chain()]

    def _push(self, scope: Scope, *nodes: ast.AST | None) -> None:
        self._waiting.extend((node, scope) for node in nodes if node is not None)

    def _open(self, node: ast.AST, kind: str, parent: Scope) -> Scope:
        scope = self.own[node] = Scope(node, kind, parent)
        self.all.append(scope)
        return scope

    @staticmethod
    def _bind(scope: Scope, name: str, node: ast.AST) -> None:
        scope.bindings.setdefault(name, []).append(node)

    def _enter(self, node: ast.AST, scope: Scope) -> None:
        self.of[node] = scope
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                scope.reads.setdefault(name, []).append(node)
            case ast.Name(id=name):
                self._bind(scope, name, node)
            case ast.AugAssign(target=ast.Name() as target):
                scope.reads.setdefault(target.id, []).append(target)
                self._push(scope, target, node.value)
            case ast.NamedExpr():
                self._push(scope, node.value)
                self._push(next(s for s in scope.chain() if s.kind != "comprehension"), node.target)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._function(node, scope)
            case ast.ClassDef():
                self._bind(scope, node.name, node)
                self._push(scope, *node.decorator_list, *node.bases, *node.keywords)
                self._push(self._open(node, "class", scope), *node.body)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, scope)
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    self.of[alias] = scope
                    self._bind(scope, alias.asname or alias.name.partition(".")[0], alias)
            case ast.Global(names=names):
                scope.declared.update(dict.fromkeys(names, "global"))
            case ast.Nonlocal(names=names):
                scope.declared.update(dict.fromkeys(names, "nonlocal"))
            case _:
                if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
                    self._bind(scope, node.name, node)
                elif isinstance(node, ast.MatchMapping) and node.rest:
                    self._bind(scope, node.rest, node)
                self._push(scope, *ast.iter_child_nodes(node))

    def _function(self, node: Function | ast.Lambda, scope: Scope) -> None:
        own = self._open(node, "function", scope)
        if not isinstance(node, ast.Lambda):
            self._bind(scope, node.name, node)
            self._push(scope, *node.decorator_list, node.returns)
        self._push(scope, *node.args.defaults, *node.args.kw_defaults)
        for arg in parameters(node.args):
            self.of[arg] = own
            self._bind(own, arg.arg, arg)
            self._push(scope, arg.annotation)
        self._push(own, *([node.body] if isinstance(node, ast.Lambda) else node.body))

    def _comprehension(self, node: Comprehension, scope: Scope) -> None:
        own = self._open(node, "comprehension", scope)
        first = node.generators[0]
        for generator in node.generators:
            self.of[generator] = own
            self._push(own, generator.target, *generator.ifs)
            self._push(scope if generator is first else own, generator.iter)
        self._push(own, *([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]))


def parameters(args: ast.arguments) -> list[ast.arg]:
    """Return all parameters, `*args` and `**kwargs` too, in their order."""
    star = [args.vararg] if args.vararg else []
    double = [args.kwarg] if args.kwarg else []
    return [*args.posonlyargs, *args.args, *star, *args.kwonlyargs, *double]


def defaults(args: ast.arguments) -> list[tuple[str, ast.expr]]:
    """Return the parameters that have a default, each with it."""
    positional = [*args.posonlyargs, *args.args]
    optional = positional[len(positional) - len(args.defaults) :]
    pairs = [*zip(optional, args.defaults, strict=True), *zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    return [(arg.arg, value) for arg, value in pairs if value is not None]


def position(node: ast.AST) -> tuple[int, int]:
    """Return where a node begins, for comparing; columns are `ast`'s bytes."""
    return (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


def end_position(node: ast.AST) -> tuple[int, int]:
    """Return where a node ends, for comparing."""
    return (getattr(node, "end_lineno", 0) or 0, getattr(node, "end_col_offset", 0) or 0)
