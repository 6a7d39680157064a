"""Small modules with one value that can't be sent, each with an expression whose value the repair must not change.

`send` stands for another process: it gives back what it gets, and in a repaired module does so by way of pickle.
"""

from __future__ import annotations

import itertools
import pickle
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A marked source, the kind and the boundary of its finding, and what shows that it still does what it did."""

    name: str
    kind: str
    source: str
    shows: str
    boundary: str | None = "pool-task"
    chain: tuple[str, ...] = ()
    safe: bool = True


PROGRAMS = [
    Program(
        "captures of several kinds, defaults, stars, annotations, decorators, comments, docstring",
        "local-function",
        '''\
"""What this is about."""
import os
from functools import wraps


def shout(function):
    @wraps(function)
    def louder(*args, **kwargs):
        return function(*args, **kwargs).upper()

    return louder


class Reader:
    """Reads."""

    def __init__(self, root):
        self.root = root

    def load(self, names, *, scale=2):
        suffix = "!"

        # joins a name
        # with its root
        ⟦def read(name, *args: int, pad: "int" = 3, **kw) -> str:
            """Read it.

            Carefully.
            """
            text = """a
  b
"""
            return self.root + name * scale + text + suffix + str((args, pad, kw))  # done

        # after
        return [send(read)(name, 1, scale=5) for name in names] + [read("x")]


def _unused():
    return os.sep
''',
        'Reader("r").load(["a", "b"])',
    ),
    Program(
        "recursion through a helper that moves as well",
        "local-function",
        """\
def main(xs):
    step = 1

    def helper(n):
        return work(n - step)

    ⟦def work(n):
        return n * helper(n) if n > 0 else 1

    return [send(work)(x) for x in xs] + [helper(3)]
""",
        "main([1, 4])",
    ),
    Program(
        "a factory that returns its closure",
        "local-function",
        """\
import random


class Env:
    def __init__(self, seed):
        self.number = random.Random(seed).random()


def make(seed, *, scale=3):
    ⟦def build():
        return Env(seed).number * scale

    return build


def show():
    return [send(build)() for build in [make(1), make(2, scale=1)]]
""",
        "show()",
    ),
    Program(
        "no captures, used at several places and called directly",
        "local-function",
        """\
import functools


def run(xs):
    ⟦def double(x, by=2):
        return x * by

    first = double(1)
    return first, [send(double)(x) for x in xs], send(functools.partial(double, by=3))(5)
""",
        "run([1, 2])",
    ),
    Program(
        "a partial over a closure becomes one partial",
        "local-function",
        """\
from functools import partial


def loader(count, seed):
    ⟦def worker(base, number):
        return (seed, base, number)

    return send(partial(worker, count))(7)
""",
        "loader(1, 2)",
    ),
    Program(
        "bound after the definition, before the use",
        "local-function",
        """\
def main():
    ⟦def work(x):
        return x + offset

    offset = 10
    return send(work)(1)
""",
        "main()",
    ),
    Program(
        "a default that only its place can evaluate",
        "local-function",
        """\
def main(base):
    scale = base * 2

    ⟦def work(x, factor=scale, more=1):
        return x * factor + more + base

    return send(work)(3), send(work)(3, more=5)
""",
        "main(4)",
    ),
    Program(
        "local imports move along",
        "local-function",
        """\
def main(x):
    import math as m
    from os import path

    ⟦def work(y):
        \"\"\"Work.\"\"\"
        return m.floor(y) + len(path.join("a", "b")) + x

    return send(work)(2.5)
""",
        "main(1)",
    ),
    Program(
        "the last statement of a branch",
        "local-function",
        """\
def main(x):
    if x:
        ⟦def work(y):
            return y + x
    else:
        def work(y):
            return y

    return send(work)(2)
""",
        "main(1)",
    ),
    Program(
        "the name is taken at module level, in the function and in a string",
        "local-function",
        """\
def _work():
    return "_main_work"


def main(x):
    ⟦def work(y):
        return y + x

    return send(work)(2), _work()
""",
        "main(1)",
    ),
    Program(
        "an annotation of the class that it stands in",
        "local-function",
        """\
class Node:
    def __init__(self, value):
        self.value = value

    def go(self):
        ⟦def grow(node: Node) -> Node:
            return Node(node.value + 1)

        return send(grow)(self).value
""",
        "Node(1).go()",
    ),
    Program(
        "async, decorated function and nested class",
        "local-function",
        """\
import asyncio


class Outer:
    class Inner:
        async def go(self, x):
            ⟦async def work(y):
                await asyncio.sleep(0)
                return x + y

            return await send(work)(2)


def show():
    return asyncio.run(Outer.Inner().go(1))
""",
        "show()",
    ),
    Program(
        "a generator function with a comprehension and a walrus",
        "local-function",
        """\
def main(xs):
    limit = 3

    ⟦def work(ys):
        for y in ys:
            if (z := y * 2) < limit * 2:
                yield [w + limit for w in range(z)]

    return list(send(work)(xs))
""",
        "main([1, 2, 5])",
    ),
    Program(
        "match, except, with and del bind names of its own",
        "local-function",
        """\
def main(cap):
    ⟦def work(x):
        match x:
            case {"a": found, **rest}:
                return found, rest, cap
            case [first, *others]:
                return first, others
        try:
            raise ValueError(x)
        except ValueError as error:
            return str(error)

    return send(work)({"a": 1, "b": 2}), send(work)([1, 2]), send(work)(3)
""",
        "main(9)",
    ),
    Program(
        "lambda, keyword argument, captured parameter",
        "lambda",
        """\
import os


def train(pad, data):
    return Loader(
        data,
        collate_fn=⟦lambda batch: [x + pad for x in batch]⟧,  # joins them
        workers=2,
    ).run()


class Loader:
    def __init__(self, data, collate_fn, workers):
        self.data, self.collate_fn = data, collate_fn

    def run(self):
        return send(self.collate_fn)(self.data), os.sep
""",
        "train(1, [1, 2])",
        "dataloader-argument",
    ),
    Program(
        "lambda over several lines, with brackets and without",
        "lambda",
        """\
def main(root):
    return apply(
        [1, 2],
        (⟦lambda img: img +  # the offset
            root⟧),
    )


def apply(xs, transform):
    return [
        send(transform)(x) for x in xs
    ]
""",
        "main(5)",
    ),
    Program(
        "lambda with a call over several lines",
        "lambda",
        """\
def main(root):
    fn = dict(
        a=⟦lambda img: max(
            img,
            root,
        )⟧,
    )
    return send(fn)["a"](3)
""",
        "main(5)",
    ),
    Program(
        "lambda default of a method",
        "lambda",
        """\
class Data:
    def __init__(self, items, convert=⟦lambda item: item * 2⟧, *, other=1):
        self.items, self.convert = items, convert

    def first(self):
        return self.convert(self.items[0])


def show():
    return send(Data([4])).first()
""",
        "show()",
        "dataset-attribute",
        (".convert",),
    ),
    Program(
        "name = lambda at module level",
        "lambda",
        """\
import os

double = ⟦lambda x, y=2, *a, k=1, **kw: (x * y, a, k, kw)⟧  # twice
other = os.sep


def show():
    return send(double)(3, k=4, z=1)
""",
        "show()",
    ),
    Program(
        "name = lambda in a function, used twice",
        "lambda",
        """\
def show(xs, n):
    shift = ⟦lambda x: x + n⟧
    return [send(shift)(x) for x in xs], sorted(xs, key=shift)
""",
        "show([3, 1], 2)",
    ),
    Program(
        "lambda with every sort of parameter",
        "lambda",
        """\
def show(key):
    fn = None
    fn = fn or (⟦lambda a, /, b, *rest, key=key, flag=True, **kw: (a, b, rest, key, flag, kw)⟧)
    return send(fn)(1, 2, 3, flag=False, z=4)
""",
        "show(7)",
    ),
    Program(
        "captured name that a caller may use as a keyword",
        "lambda",
        """\
def show(seed):
    return send(⟦lambda **kw: (seed, sorted(kw))⟧)(seed=3)
""",
        "show(7)",
    ),
    Program(
        "loop variable, at once",
        "lambda",
        """\
def show(xs):
    found = []
    for x in xs:
        found.append(⟪send(⟦lambda y: x + y⟧)⟫(1))
    return found
""",
        "show([1, 2])",
    ),
    Program(
        "loop variable as a default",
        "lambda",
        """\
def show(xs):
    functions = []
    for x in xs:
        functions.append(⟦lambda y, x=x: x + y⟧)
    return [send(f)(1) for f in functions]
""",
        "show([1, 2])",
    ),
    Program(
        "self is captured",
        "lambda",
        """\
class Model:
    def __init__(self, scale):
        self.scale = scale
        self.transform = ⟦lambda x: x * self.scale⟧

    def show(self):
        return send(self.transform)(3)
""",
        "Model(4).show()",
        "dataset-attribute",
        (".transform",),
    ),
    Program(
        "default factory: a type",
        "lambda",
        """\
from collections import defaultdict


def show():
    counts = defaultdict(⟦lambda: 0⟧)
    counts["a"] += 1
    return dict(send(counts)), type(counts.default_factory())
""",
        "show()",
    ),
    Program(
        "default factory: a nested one",
        "lambda",
        """\
from collections import defaultdict


def show():
    table = defaultdict(⟦lambda: defaultdict(list)⟧)
    table["a"]["b"].append(1)
    return send(table)["a"], send(table)["c"]["d"]
""",
        "show()",
    ),
    Program(
        "an item",
        "lambda",
        """\
import pickle


def show(xs):
    return [send(⟦lambda pair: pair[-1]⟧)(x) for x in xs], pickle.__name__
""",
        "show([(1, 2)])",
    ),
    Program(
        "several attributes",
        "lambda",
        """\
def show(xs):
    return [send(⟦lambda z: (z.real, z.imag)⟧)(x) for x in xs]
""",
        "show([1j, 2])",
    ),
    Program(
        "a call that is handed on",
        "lambda",
        """\
def longest(text, count, *, reverse=True):
    return sorted(text.split(), key=len, reverse=reverse)[:count]


def show(text, count):
    return send(⟦lambda: longest(text, count)⟧)(), send(lambda_free)(text)


def lambda_free(text):
    return longest(text, 1)
""",
        'show("a bbb cc", 2)',
    ),
    Program(
        "a call with keywords and the lambda's own argument last",
        "lambda",
        """\
def scaled(by, offset, x, *, sign=1):
    return sign * (x * by + offset)


def show(by):
    return send(⟦lambda x: scaled(by, 2, x, sign=-1)⟧)(5)
""",
        "show(3)",
    ),
    Program(
        "a call that evaluates something is no partial",
        "lambda",
        """\
def scaled(by, x):
    return x * by


def show(items):
    job = ⟦lambda x: scaled(len(items), x)⟧
    before = send(job)(5)
    return before
""",
        "show([3, 4])",
    ),
    Program(
        "view, iterated, measured, searched",
        "dict-view",
        """\
class Config:
    def __init__(self, table):
        self.table = table
        self.names = ⟦self.table.keys()⟧

    def show(self):
        other = send(self)
        return [n for n in other.names], len(other.names), "a" in other.names, sorted(self.names)
""",
        'Config({"a": 1, "b": 2}).show()',
        "dataset-attribute",
        (".names",),
    ),
    Program(
        "view used as a set",
        "dict-view",
        """\
class Config:
    def __init__(self, table):
        self.names = ⟦table.keys()⟧

    def show(self, others):
        return send(self).names & others, len(self.names), "a" in self.names
""",
        'Config({"a": 1, "b": 2}).show({"a"})',
        "dataset-attribute",
        (".names",),
    ),
    Program(
        "view returned by a task",
        "dict-view",
        """\
import collections


def count(page):
    words = collections.Counter(page.split())
    return ⟦words.items()⟧


def show(pages):
    total = 0
    for page in pages:
        for word, times in ⟪send(count(page))⟫:
            total += times
    return total
""",
        'show(["a b", "a"])',
        "result",
    ),
    Program(
        "generator expression in a dict",
        "generator",
        """\
def read(rows):
    values = ⟦(int(row) for row in rows if row)⟧
    return {"name": 1, "values": values}


def show():
    part = ⟪send(read(["1", "", "2"]))⟫
    return sum(part["values"])
""",
        "show()",
        "queue-item",
    ),
    Program(
        "generator expression as the only argument",
        "generator",
        """\
def show(rows):
    first = Holder⟦(int(row) for row in rows)⟧
    return sum(send(first).values)


class Holder:
    def __init__(self, values):
        self.values = values
""",
        'show(["1", "2"])',
        "dataset-attribute",
        (".values",),
    ),
    Program(
        "call of a generator function",
        "generator",
        """\
def squares(n):
    i = 0
    while True:
        if i == n:
            return
        yield i * i
        i += 1


class Holder:
    def __init__(self, n):
        self.values = ⟦squares(n)⟧

    def total(self):
        return sum(self.values)


def show():
    return send(Holder(4)).total()
""",
        "show()",
        "dataset-attribute",
        (".values",),
    ),
    Program(
        "generator of which the next item is asked for",
        "generator",
        """\
class Holder:
    def __init__(self, n):
        self.values = ⟦(i + n for i in range(n))⟧

    def total(self):
        first = next(self.values)
        return first, sum(self.values)


def show():
    return send(Holder(4)).total()
""",
        "show()",
        "dataset-attribute",
        (".values",),
    ),
    Program(
        "named tuple made in a function",
        "local-class",
        """\
import collections


def pairs(xs):
    Pair = collections.namedtuple("Pair", "first second")
    return [⟦Pair⟧(a, a + 1) for a in xs]


def show():
    return [(p.first, p.second, type(p).__name__) for p in send(pairs([1, 2]))]
""".replace("⟦Pair⟧(a", "Pair(a").replace(
            'Pair = collections.namedtuple("Pair", "first second")',
            'Pair = ⟦collections.namedtuple("Pair", "first second")⟧',
        ),
        "show()",
        "process-args",
    ),
    Program(
        "class made in a function, with a base that stands above",
        "local-class",
        '''\
class Base:
    kind = "base"


def make(x):
    """Make one."""

    # one of them
    ⟦class Special(Base):
        """Special."""

        def __init__(self, value):
            super().__init__()
            self.value = value

        def show(self):
            return self.kind, self.value, __class__.__name__

    return Special(x)


def show():
    return send(make(3)).show()
''',
        "show()",
        "process-args",
    ),
    Program(
        "wrapper without functools.wraps",
        "misnamed",
        """\
import logging


def logged(level):
    def decorate(function):
        ⟦def call(*args):
            logging.debug(level)
            return function(*args)

        return call

    return decorate


@logged(3)
def work(x):
    return x + 1


def show():
    return send(work)(2)
""",
        "show()",
    ),
    Program(
        "a lock in an object",
        "thread-object",
        """\
import threading


class Cache:
    def __init__(self, slope):
        self.slope = slope
        self.lock = ⟦threading.Lock()⟧

    def get(self, x):
        with self.lock:
            return x * self.slope


def show():
    return send(Cache(2).get)(4)
""",
        "show()",
        "pool-task",
        ("<self>", ".lock"),
    ),
    Program(
        "a second lock, in an object that leaves out a first",
        "thread-object",
        """\
import threading


class Cache:
    def __init__(self, slope):
        self.slope = slope
        self.first = threading.Lock()
        self.second = ⟦threading.RLock()⟧

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["first"]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.first = threading.Lock()

    def get(self, x):
        with self.first, self.second:
            return x * self.slope


def show():
    return send(Cache(2).get)(4)
""",
        "show()",
        "pool-task",
        ("<self>", ".second"),
    ),
    Program(
        "an exception that keeps its arguments",
        "unloadable",
        """\
class Missing(Exception):
    def __init__(self, name, places):
        ⟦super().__init__(f"{name} is missing")⟧
        self.name = name
        self.where = places


def show():
    error = send(Missing("a", [1]))
    return str(error), error.name, error.where
""",
        "show()",
        "result",
    ),
    Program(
        "a file that the worker side alone reads",
        "file-handle",
        """\
import os


class Data:
    def __init__(self, path, mode="r"):
        self.name = path
        self.handle = ⟦open(path, mode, encoding="utf-8")⟧  # the lines

    def __len__(self):
        return len(self.name)

    def _line(self, index):
        return self.handle.readlines()[index:]

    def __getitem__(self, index):
        return self._line(index)


def show():
    return send(Data(os.devnull))[0]
""",
        "show()",
        "dataset-attribute",
        (".handle",),
        safe=False,
    ),
    Program(
        "a module kept as an attribute",
        "module",
        """\
import json


class Reader:
    def __init__(self, path):
        self.path = path
        self.codec = ⟦json⟧

    def read(self, text):
        return self.codec.loads(text), self.path


def show():
    return send(Reader("p")).read("[1]")
""",
        "show()",
        "dataset-attribute",
        (".codec",),
    ),
]

_NUMBERS = itertools.count()


def round_trip(value: object) -> object:
    """Send a value through pickle, by the protocol that multiprocessing uses."""
    return pickle.loads(pickle.dumps(value))


def value_of(source: str, shows: str, send: Callable[[object], object]) -> object:
    """Return what a module shows. It is importable while it runs, so that pickle finds what it defines."""
    module = types.ModuleType(f"program_{next(_NUMBERS)}")
    sys.modules[module.__name__] = module
    try:
        module.__dict__["send"] = send
        exec(compile(source, module.__name__, "exec"), module.__dict__)
        return eval(shows, module.__dict__)
    finally:
        del sys.modules[module.__name__]
