"""How a value is read, wherever it goes in the project: iterated, measured, searched, asked for the next item …"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding
from mpsafe_lint.repairs import lookup
from mpsafe_lint.repairs.scopes import Function, Scope, parameters
from mpsafe_lint.repairs.tree import Tree

LIMIT = 400
"""Places that are looked at for one value. Beyond that its name is too common to tell."""

Key = str | int | None
"""Where in a container the value lies: a constant key, a position, or None for anywhere."""

_ITERATING = frozenset(
    "list tuple set frozenset sorted sum min max any all enumerate zip map filter dict iter reversed "
    "Counter deque OrderedDict chain product islice zip_longest accumulate groupby starmap takewhile dropwhile "
    "compress combinations combinations_with_replacement permutations pairwise batched tee reduce tqdm trange track "
    "fromiter nlargest nsmallest merge mean fmean median stdev variance".split()
)
_ITERATING_METHODS = frozenset(
    "extend update join writelines writerow writerows union intersection difference symmetric_difference issubset "
    "issuperset isdisjoint fromkeys from_iterable intersection_update difference_update symmetric_difference_update "
    "executemany extendleft tqdm islice chain product sample choices".split()
)
_MEASURING = frozenset({"len"})
_SHOWING = frozenset("print str repr format ascii pprint debug info warning error critical exception log".split())
_COPYING = frozenset("list tuple sorted set frozenset deque reversed iter".split())
_KEEPING = frozenset("append add insert setdefault appendleft".split())
_SENDING = frozenset(
    "put put_nowait send apply apply_async map map_async imap imap_unordered starmap starmap_async submit "
    "run_in_executor Process".split()
)
_RECEIVING = frozenset({"get", "get_nowait", "recv"})
_GENERATOR_METHODS = frozenset({"send", "throw", "close", "gi_frame", "gi_running"})


@dataclass
class Reading:
    """How a value is read. `unknown` says in a few words what can't be told; the places are lines, for messages."""

    iterated: list[str] = field(default_factory=list)
    measured: list[str] = field(default_factory=list)
    searched: list[str] = field(default_factory=list)
    tested: list[str] = field(default_factory=list)
    stepped: list[str] = field(default_factory=list)
    combined: list[str] = field(default_factory=list)
    driven: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def read(project: Project, tree: Tree, finding: Finding, node: ast.expr) -> Reading:
    """Follow a value through the project and say how it is read."""
    return _Reader(project, finding).read(tree, node)


class _Reader:
    def __init__(self, project: Project, finding: Finding) -> None:
        self.project = project
        self.finding = finding
        self.origin: ast.AST | None = None
        self.found = Reading()
        self._waiting: deque[tuple[Tree, ast.AST, tuple[Key, ...]]] = deque()
        self._seen: set[tuple[int, tuple[Key, ...]]] = set()

    def read(self, tree: Tree, node: ast.expr) -> Reading:
        self.origin = node
        self._push(tree, node)
        while self._waiting:
            here, value, keys = self._waiting.popleft()
            if len(self._seen) > LIMIT:
                self.found.unknown.append("it is used in too many places to tell")
                break
            step = self._container if keys else self._value
            step(here, value, here.parents[value], keys)
        return self.found

    def _push(self, tree: Tree, node: ast.AST, keys: tuple[Key, ...] = ()) -> None:
        mark = (id(node), keys)
        if mark not in self._seen and len(keys) <= 4:
            self._seen.add(mark)
            self._waiting.append((tree, node, keys))

    # --- the value itself

    def _value(self, tree: Tree, node: ast.AST, parent: ast.AST, keys: tuple[Key, ...]) -> None:
        place = f"{tree.path}:{getattr(node, 'lineno', 0)}"
        match parent:
            case ast.For(iter=it) | ast.AsyncFor(iter=it) | ast.comprehension(iter=it) if it is node:
                self._iterated(tree, node, place)
            case ast.Starred() | ast.YieldFrom():
                self._iterated(tree, node, place)
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test) | ast.IfExp(test=test) if (
                test is node
            ):
                self.found.tested.append(place)
            case ast.UnaryOp(op=ast.Not()):
                self.found.tested.append(place)
            case ast.comprehension():
                self.found.tested.append(place)
            case ast.BoolOp(values=values):
                if values[-1] is not node:
                    self.found.tested.append(place)
                self._push(tree, parent)
            case ast.Compare():
                self._compared(parent, node, place)
            case ast.BinOp(op=op) | ast.AugAssign(op=op):
                known = isinstance(op, (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor))
                (self.found.combined if known else self.found.unknown).append(
                    place if known else f"it is calculated with ({place})"
                )
            case ast.Attribute(attr=name):
                self._attribute_of(name, place)
            case ast.FormattedValue():
                self.found.unknown.append(f"its text is shown ({place})")
            case ast.Expr() | ast.Delete() | ast.Subscript():
                pass
            case _:
                self._moves(tree, node, parent, keys, place)

    def _iterated(self, tree: Tree, node: ast.AST, place: str) -> None:
        """Note a reading from beginning to end: twice where a loop comes back to the same value."""
        again = self.origin is not node and any(
            isinstance(loop, (ast.For, ast.AsyncFor, ast.While)) and not self._made_in(tree, node, loop)
            for loop in _loops(tree, node)
        )
        self.found.iterated += [place] * (2 if again else 1)

    def _made_in(self, tree: Tree, node: ast.AST, loop: ast.AST) -> bool:
        """Whether a turn of a loop makes the value that it reads: there, or by what the name is bound to there."""
        inside = {id(inner) for inner in ast.walk(loop)}
        if id(self.origin) in inside:
            return True
        if not isinstance(node, ast.Name):
            return not isinstance(node, ast.Attribute)
        owner = tree.scopes.of[node].owner(node.id)
        return owner is not None and any(id(bound) in inside for bound in tree.scopes.bindings(owner, node.id))

    def _compared(self, parent: ast.Compare, node: ast.AST, place: str) -> None:
        sides = [parent.left, *parent.comparators]
        index = _index(sides, node)
        operators = parent.ops[max(0, index - 1) : index + 1]
        if all(isinstance(op, (ast.Is, ast.IsNot)) for op in operators):
            return
        if index and isinstance(parent.ops[index - 1], (ast.In, ast.NotIn)):
            self.found.searched.append(place)
        else:
            self.found.unknown.append(f"it is compared ({place})")

    def _attribute_of(self, name: str, place: str) -> None:
        if name == "isdisjoint":
            self.found.combined.append(place)
        elif name == "__next__":
            self.found.stepped.append(place)
        elif name in _GENERATOR_METHODS:
            self.found.driven.append(place)
        else:
            self.found.unknown.append(f"its .{name} is used ({place})")

    # --- a container that holds it

    def _container(self, tree: Tree, node: ast.AST, parent: ast.AST, keys: tuple[Key, ...]) -> None:
        key, rest = keys[0], keys[1:]
        match parent:
            case ast.Subscript(value=value, slice=index) if value is node:
                if isinstance(parent.ctx, ast.Load) and _may_be(index, key):
                    self._push(tree, parent, keys if isinstance(index, ast.Slice) else rest)
            case ast.For(iter=it, target=target) | ast.AsyncFor(iter=it, target=target) if it is node:
                self._unpack(tree, target, rest)
            case ast.comprehension(iter=it, target=target) if it is node:
                self._unpack(tree, target, rest)
            case ast.Attribute(attr=name):
                call = tree.parents[parent]
                if isinstance(call, ast.Call) and call.func is parent:
                    self._container_method(tree, call, name, keys)
            case _:
                self._moves(tree, node, parent, keys, f"{tree.path}:{getattr(node, 'lineno', 0)}")

    def _container_method(self, tree: Tree, call: ast.Call, name: str, keys: tuple[Key, ...]) -> None:
        key, rest = keys[0], keys[1:]
        if name in ("get", "pop") and (not call.args or _may_be(call.args[0], key)):
            self._push(tree, call, rest)
        elif name == "values":
            self._push(tree, call, (None, *rest))
        elif name == "items":
            self._push(tree, call, (None, 1, *rest))
        elif name == "copy":
            self._push(tree, call, keys)

    # --- where it goes on to

    def _moves(self, tree: Tree, node: ast.AST, parent: ast.AST, keys: tuple[Key, ...], place: str) -> None:
        match parent:
            case ast.Assign(targets=targets):
                for target in targets:
                    self._assigned(tree, target, keys, place)
            case ast.AnnAssign(target=target):
                self._assigned(tree, target, keys, place)
            case ast.NamedExpr(target=target):
                self._assigned(tree, target, keys, place)
                self._push(tree, parent, keys)
            case ast.IfExp() | ast.Await():
                self._push(tree, parent, keys)
            case ast.Starred():
                self._push(tree, tree.parents[parent], keys)
            case ast.BoolOp():
                self._push(tree, parent, keys)
            case ast.Dict(values=values) if node in values:
                key = parent.keys[_index(values, node)]
                self._push(tree, parent, (_constant(key), *keys) if key is not None else keys)
            case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
                index = None if any(isinstance(e, ast.Starred) for e in elts) else _index(elts, node)
                self._push(tree, parent, (index if isinstance(parent, ast.Tuple) else None, *keys))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self._push(tree, parent, (None, *keys))
            case ast.keyword(arg=name):
                call = tree.parents[parent]
                if isinstance(call, ast.Call):
                    self._argument(tree, call, node, name if name else -1, keys, place)
            case ast.Call(args=args) if node in args:
                self._argument(tree, parent, node, _index(args, node), keys, place)
            case ast.Return() | ast.Yield():
                keys = (None, *keys) if isinstance(parent, ast.Yield) else keys
                self._returned(tree, lookup.enclosing_function(tree, node), keys)
            case ast.Lambda() | ast.arguments():
                if not self._crossing_holds(tree, parent):
                    self.found.unknown.append(f"where it goes is not seen ({place})")
            case ast.Expr() | ast.Delete() | ast.Compare() | ast.If() | ast.While() | ast.UnaryOp():
                pass
            case _:
                self.found.unknown.append(f"where it goes is not seen ({place})")

    def _assigned(self, tree: Tree, target: ast.expr, keys: tuple[Key, ...], place: str) -> None:
        match target:
            case ast.Name(id=name):
                owner = tree.scopes.of[target].owner(name)
                if owner is not None and owner.kind == "class":
                    self._attribute(tree, owner.node, name, keys)
                elif owner is not None:
                    self._variable(tree, owner, name, keys)
            case ast.Attribute(attr=name):
                cls = lookup.method_class(tree, target) if lookup.is_self(tree, target.value) else None
                self._attribute(tree, cls, name, keys)
            case ast.Subscript(value=value, slice=index):
                self._kept_in(tree, value, (_constant(index), *keys))
            case ast.Tuple() | ast.List():
                if keys:
                    self._unpack(tree, target, keys)
                else:
                    self.found.iterated.append(place)
            case ast.Starred(value=value):
                self._assigned(tree, value, keys, place)

    def _unpack(self, tree: Tree, target: ast.expr, keys: tuple[Key, ...]) -> None:
        """A value with `keys` left is assigned to `target`, perhaps several names at once."""
        if isinstance(target, (ast.Tuple, ast.List)):
            if not keys:
                self.found.iterated.append(f"{tree.path}:{target.lineno}")
            for index, element in enumerate(target.elts if keys else ()):
                if keys[0] is None or keys[0] == index:
                    self._unpack(tree, element, keys[1:])
        else:
            self._assigned(tree, target, keys, f"{tree.path}:{target.lineno}")

    def _variable(self, tree: Tree, owner: Scope, name: str, keys: tuple[Key, ...]) -> None:
        for read in tree.scopes.references(owner, name):
            self._push(tree, read, keys)
        if owner.kind == "module":
            for other in lookup.files_with(self.project, rf"import\b[^#\n]*\b{name}\b|\.{name}\b"):
                if other is not tree:
                    self._imported_variable(tree, other, name, keys)

    def _imported_variable(self, tree: Tree, other: Tree, name: str, keys: tuple[Key, ...]) -> None:
        stem = _stem(tree.path)
        for node in ast.walk(other.ast):
            match node:
                case ast.ImportFrom(module=str() as module, names=names) if module.rpartition(".")[2] == stem:
                    for alias in names:
                        if alias.name == name:
                            for read in other.scopes.references(other.scopes.of[alias], alias.asname or name):
                                self._push(other, read, keys)
                case ast.Attribute(value=value, attr=attribute, ctx=ast.Load()) if attribute == name:
                    if lookup.qualified(other, value).rpartition(".")[2] == stem:
                        self._push(other, node, keys)

    def _attribute(self, tree: Tree, cls: ast.AST | None, name: str, keys: tuple[Key, ...]) -> None:
        holder = (tree, cls) if isinstance(cls, ast.ClassDef) else None
        for other, node in lookup.attribute_reads(self.project, name, holder):
            parent = other.parents[node]
            if not (isinstance(parent, ast.Call) and parent.func is node):
                self._push(other, node, keys)

    def _kept_in(self, tree: Tree, container: ast.expr, keys: tuple[Key, ...]) -> None:
        """The value becomes part of what `container` names."""
        match container:
            case ast.Name(id=name):
                owner = tree.scopes.of[container].owner(name)
                if owner is not None:
                    self._variable(tree, owner, name, keys)
            case ast.Attribute(attr=name):
                own = lookup.method_class(tree, container) if lookup.is_self(tree, container.value) else None
                self._attribute(tree, own, name, keys)
            case ast.Subscript(value=value, slice=index):
                self._kept_in(tree, value, (_constant(index), *keys))

    # --- functions

    def _argument(
        self, tree: Tree, call: ast.Call, node: ast.AST, where: int | str, keys: tuple[Key, ...], place: str
    ) -> None:
        func = call.func
        name = lookup.dotted(func).rpartition(".")[2] or (func.attr if isinstance(func, ast.Attribute) else "")
        targets = lookup.definitions(self.project, tree, func)
        exact = [d for d in targets if not isinstance(func, ast.Attribute) or len(targets) <= 3]
        is_method = isinstance(func, ast.Attribute)
        if self._crossing_holds(tree, call) or (name in _SENDING and not exact and (is_method or name == "Process")):
            self._sent(tree, call, node, where, keys)
        elif isinstance(func, ast.Name) and exact:
            self._parameters(exact, call, where, keys, place)
        elif name in _KEEPING and is_method:
            assert isinstance(func, ast.Attribute)
            self._kept_in(tree, func.value, (None, *keys))
        elif keys and name in _COPYING:
            self._push(tree, call, keys)
        elif not keys and self._builtin_read(tree, node, name, where, is_method, place):
            pass
        elif exact:
            self._parameters(exact, call, where, keys, place)
        elif not keys or not (name in _ITERATING or name in _MEASURING):
            self.found.unknown.append(f"it is passed to {name or 'a function'}() ({place})")

    def _builtin_read(
        self, tree: Tree, node: ast.AST, name: str, where: int | str, is_method: bool, place: str
    ) -> bool:
        """Note what a known function does with the value; False where it isn't known."""
        if name == "next" and where == 0:
            self.found.stepped.append(place)
        elif name in _MEASURING:
            self.found.measured.append(place)
        elif name == "bool":
            self.found.tested.append(place)
        elif name in _SHOWING:
            self.found.unknown.append(f"its text is shown ({place})")
        elif name in _ITERATING or (is_method and name in _ITERATING_METHODS):
            self._iterated(tree, node, place)
        else:
            return False
        return True

    def _parameters(
        self, targets: Iterable[lookup.Definition], call: ast.Call, where: int | str, keys: tuple[Key, ...], place: str
    ) -> None:
        """Follow the value into the parameter that it becomes."""
        for tree, target in targets:
            function: ast.AST | None = target
            if isinstance(target, ast.ClassDef):
                inits = [
                    (t, m)
                    for t, c in lookup.ancestry(self.project, tree, target)
                    if (m := lookup.method(c, "__init__"))
                ]
                if not inits:
                    self._field(tree, target, where, keys, place)
                    continue
                tree, function = inits[0]
            assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
            name = _parameter(tree, function, where)
            if name is None:
                self.found.unknown.append(f"it is passed to {function.name}() ({place})")
                continue
            self._variable(tree, tree.scopes.own[function], name, keys)

    def _field(self, tree: Tree, cls: ast.ClassDef, where: int | str, keys: tuple[Key, ...], place: str) -> None:
        """Follow the value into the field of a dataclass or a named tuple."""
        fields = [n.target.id for n in cls.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]
        name = where if isinstance(where, str) else fields[where] if 0 <= where < len(fields) else None
        if name in fields:
            self._attribute(tree, cls, str(name), keys)
        else:
            self.found.unknown.append(f"it is passed to {cls.name}() ({place})")

    def _returned(self, tree: Tree, function: Function | ast.Lambda | None, keys: tuple[Key, ...]) -> None:
        """Follow the value to the callers of the function that returns it."""
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return
        if function.name in ("__iter__", "__next__", "__aiter__"):
            self.found.stepped.append(f"{tree.path}:{function.lineno}")
            return
        if any(lookup.dotted(d).rpartition(".")[2] in ("property", "cached_property") for d in function.decorator_list):
            self._attribute(tree, lookup.method_class(tree, function.body[0]), function.name, keys)
            return
        for other in lookup.files_with(self.project, rf"\b{function.name}\b"):
            for node in ast.walk(other.ast):
                name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
                if name != function.name or not isinstance(getattr(node, "ctx", None), ast.Load):
                    continue
                parent = other.parents[node]
                if isinstance(parent, ast.Call) and parent.func is node:
                    if self._is_call_of(other, node, function):
                        self._push(other, parent, keys)
                elif isinstance(parent, (ast.Call, ast.keyword)):
                    self._results(other, parent, keys)

    def _is_call_of(self, tree: Tree, func: ast.AST, function: Function) -> bool:
        assert isinstance(func, ast.expr)
        found = [d for _, d in lookup.definitions(self.project, tree, func)]
        return not found or function in found

    def _results(self, tree: Tree, call: ast.AST, keys: tuple[Key, ...]) -> None:
        """Follow what a pool or an executor gives back for a task."""
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return
        name = call.func.attr
        if name in ("map", "imap", "imap_unordered", "starmap"):
            self._push(tree, call, (None, *keys))
        elif name in ("apply", "run_in_executor"):
            self._push(tree, call, keys)
        elif name in ("apply_async", "submit", "map_async", "starmap_async"):
            keys = (None, *keys) if name.startswith(("map", "starmap")) else keys
            outer = tree.parents[call]
            waited = (
                tree.parents[outer] if isinstance(outer, ast.Attribute) and outer.attr in ("get", "result") else None
            )
            if isinstance(waited, ast.Call):
                self._push(tree, waited, keys)

    # --- other processes

    def _crossing_holds(self, tree: Tree, node: ast.AST) -> bool:
        """Whether a node is the call at which the value is handed to another process, or part of it."""
        crossing = self.finding.crossing
        if crossing is None or crossing.span.path != tree.path or self.finding.boundary == "dataset-attribute":
            return False
        line, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0
        return isinstance(node, (ast.Call, ast.Lambda)) and line <= crossing.span.line <= end

    def _sent(self, tree: Tree, call: ast.Call, node: ast.AST, where: int | str, keys: tuple[Key, ...]) -> None:
        """Follow the value into the process that gets it, where that can be seen."""
        func = call.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        if isinstance(func, ast.Attribute) and name in ("put", "put_nowait", "send"):
            self._received(func.value, keys)
            return
        target = next((k.value for k in call.keywords if k.arg == "target"), None)
        index: int | None = None
        if target is not None or name in ("apply", "apply_async"):
            target = target or (call.args[0] if call.args else None)
            in_tuple = keys and isinstance(keys[0], int)
            index, keys = (int(keys[0] or 0), keys[1:]) if in_tuple else (None, keys)
        elif name in ("submit", "run_in_executor") and isinstance(where, int):
            skip = 1 if name == "submit" else 2
            target = call.args[skip - 1] if len(call.args) >= skip else None
            index = where - skip
        if target is None or index is None or index < 0:
            return
        for other, function in lookup.definitions(self.project, tree, target):
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                parameter = _parameter(other, function, index)
                if parameter:
                    self._variable(other, other.scopes.own[function], parameter, keys)

    def _received(self, queue: ast.expr, keys: tuple[Key, ...]) -> None:
        """Follow an item to where a queue of the same name is read."""
        name = lookup.dotted(queue).rpartition(".")[2]
        if not name:
            return
        for tree in lookup.files_with(self.project, rf"\b{name}\s*\.\s*(?:get|get_nowait|recv)\b"):
            for node in ast.walk(tree.ast):
                match node:
                    case ast.Call(func=ast.Attribute(value=value, attr=attribute)) if attribute in _RECEIVING:
                        if lookup.dotted(value).rpartition(".")[2] == name:
                            self._push(tree, node, keys)


def _loops(tree: Tree, node: ast.AST) -> Iterator[ast.AST]:
    """Yield what encloses a read in its function, but for the loop whose source it is."""
    child = node
    for outer in tree.ancestors(node):
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            return
        if not (isinstance(outer, (ast.For, ast.AsyncFor)) and outer.iter is child):
            yield outer
        child = outer


def _parameter(tree: Tree, function: Function, where: int | str) -> str | None:
    args = function.args
    if isinstance(where, str):
        return where if where in {arg.arg for arg in parameters(args)} else None
    positional = [*args.posonlyargs, *args.args]
    if isinstance(tree.parents[function], ast.ClassDef) and lookup.first_parameter(function):
        where += 1
    return positional[where].arg if 0 <= where < len(positional) else None


def _index(items: Sequence[ast.expr], node: ast.AST) -> int:
    return next(index for index, item in enumerate(items) if item is node)


def _constant(node: ast.expr | None) -> Key:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, (str, int)) else None


def _may_be(index: ast.expr, key: Key) -> bool:
    constant = _constant(index)
    return constant is None or key is None or constant == key


def _stem(path: str) -> str:
    parts = path.removesuffix(".py").split("/")
    return parts[-2] if parts[-1] == "__init__" and len(parts) > 1 else parts[-1]
