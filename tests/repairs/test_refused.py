"""What is not repaired by itself, with the reason and the advice; and what is repaired with a caution alone."""

from __future__ import annotations

import pytest
from marked import edited, finding_of, refused, repaired

from mpsafe_lint.findings import NotRepaired, Repair
from mpsafe_lint.repairs import plan


@pytest.mark.parametrize(
    ("kind", "source", "reason"),
    [
        (
            "local-function",
            "def main(xs):\n    total = 0\n    ⟦def add(x):\n        nonlocal total\n        total += x\n    go(add)\n",
            "it changes `total` of the function round it (nonlocal)",
        ),
        (
            "lambda",
            "def main(xs):\n    for x in xs:\n        keep(⟦lambda: x⟧)\n",
            "`x` is bound again in the next turn of the loop, and the function would not see that",
        ),
        (
            "lambda",
            "def main(x):\n    f = [⟦lambda: x⟧]\n    x = 3\n    return f\n",
            "`x` is bound again on line 3, and the function would not see that",
        ),
        (
            "lambda",
            "def main(xs):\n    return [⟦lambda: x⟧ for x in xs]\n",
            "`x` is bound again in the next turn of the loop, and the function would not see that",
        ),
        (
            "local-function",
            "def main(x):\n    ⟦def f():\n        return x\n    def g():\n        nonlocal x\n        x += 1\n    g()\n    go(f)\n",
            "`x` is bound again on line 6, and the function would not see that",
        ),
        (
            "lambda",
            "def main():\n    q = make(⟦lambda: q⟧)\n    return q\n",
            "`q` is bound again on line 2, and the function would not see that",
        ),
        (
            "local-function",
            "class A(B):\n    def go(self):\n        ⟦def f():\n            return super().f()\n        send(f)\n",
            "it uses super() without arguments",
        ),
        (
            "local-function",
            "class A:\n    def go(self):\n        ⟦def f():\n            return __class__\n        send(f)\n",
            "it uses super() without arguments",
        ),
        (
            "lambda",
            "class A:\n    def go(self):\n        send(⟦lambda: self.__secret⟧)\n",
            "`__secret` is private to the class round it",
        ),
        ("lambda", "def main():\n    send(⟦lambda x: (yield x)⟧)\n", "it yields"),
        ("lambda", "def main(a):\n    send(⟦lambda: locals()⟧)\n", "it calls locals()"),
        (
            "local-function",
            "def main():\n    class K:\n        pass\n    ⟦def f():\n        return K()\n    send(f)\n",
            "it uses the local class `K`",
        ),
        (
            "local-function",
            "def main(deco):\n    @deco\n    ⟦def f():\n        return 1\n    send(f)\n",
            "its decorator uses the local `deco`",
        ),
        (
            "local-function",
            "def main():\n    from typing import List\n    ⟦def f(x: List):\n        return x\n    send(f)\n",
            "its annotation uses the local `List`",
        ),
        (
            "local-function",
            "def main(x):\n    ⟦def f():\n        return x\n    f.calls = 0\n    send(f)\n",
            "`f.calls` is used",
        ),
        ("local-function", "def main(x):\n    ⟦def f():\n        return x\n", "its use is not seen"),
        (
            "local-class",
            "def main(x):\n    ⟦class K:\n        def get(self):\n            return x\n    send(K())\n",
            "it uses `x` of the function round it",
        ),
        (
            "local-class",
            "def main():\n    import json\n    ⟦class K(json.JSONEncoder):\n        pass\n    send(K())\n",
            "it uses the local import of `json`",
        ),
        (
            "generator",
            "def numbers():\n    n = 0\n    while True:\n        yield n\n        n += 1\nq.put(⟦numbers()⟧)\n",
            "it never ends (the loop on line 3 of main.py)",
        ),
        (
            "generator",
            "import itertools\nq.put(⟦(n * 2 for n in itertools.count())⟧)\n",
            "it never ends (itertools.count())",
        ),
        (
            "generator",
            "from itertools import cycle as again\ndef f(xs):\n    for x in again(xs):\n        yield x\nq.put(⟦f([1])⟧)\n",
            "it never ends (itertools.cycle())",
        ),
        ("iterator", "import itertools\nq.put(⟦itertools.repeat(3)⟧)\n", "it never ends (itertools.repeat())"),
        (
            "generator",
            "async def f(xs):\n    q.put(⟦(x async for x in xs)⟧)\n",
            "it is asynchronous",
        ),
        (
            "generator",
            "def f(xs):\n    values = ⟦(x for x in xs)⟧\n    values.close()\n    q.put(values)\n",
            "its generator methods are used",
        ),
        (
            "module",
            "import a, b\nclass K:\n    def __init__(self, x):\n        self.codec = ⟦a if x else b⟧\n",
            "which module it is is decided when the program runs",
        ),
        (
            "module",
            "import json\nclass K:\n    def __init__(self):\n        self.codec = ⟦json⟧\nprint(K().codec.loads)\n",
            ".codec is used elsewhere (main.py:5)",
        ),
        (
            "unloadable",
            "class E(Exception):\n    def __init__(self, *, a):\n        ⟦super().__init__(a)⟧\n",
            "its constructor takes *args or keywords",
        ),
        (
            "unloadable",
            "class E:\n    ⟦def __init__(self):\n        pass\n    def __getattr__(self, key):\n        return self.d[key]\n",
            "its __getattr__ is called before it has any attributes",
        ),
        (
            "unloadable",
            "class B:\n    def __getattr__(self, key):\n        return self.d[key]\nclass E(B):\n"
            "    ⟦def __init__(self, a):\n        self.a = a\n",
            "its __getattr__ is called before it has any attributes",
        ),
        (
            "unloadable",
            "class E(Base):\n    def __init__(self, a):\n        ⟦super().__init__(a + 1)⟧\n",
            "how it is made again is for you to decide",
        ),
        (
            "misnamed",
            "@registry.add\n⟦def work(x):\n    return x\n",
            "another object has its name",
        ),
        (
            "misnamed",
            'if __name__ == "__main__":\n    k = 3\n    ⟦def work(x):\n        return x + k\n    go(work)\n',
            "it uses `k`, which only the main block has",
        ),
        ("internal", "q.put(⟦f()⟧)\n", "there is no repair for this kind"),
        ("no-sentinel", "def f(q):\n    ⟦while True:\n        q.get()\n", "there is no repair for this kind"),
        (
            "no-main-guard",
            "total = 0\ndef f():\n    return total\n⟦total = go()⟧\n",
            None,
        ),
        (
            "no-main-guard",
            "def f():\n    return pool\n⟦pool = go()⟧\n",
            "`pool` is read by f()",
        ),
        ("no-main-guard", "⟦go()⟧\ndef f():\n    pass\n", "functions or classes are defined below it"),
        (
            "join-before-drain",
            "⟦p.join()⟧\nwhile not q.empty():\n    print(q.get())\n",
            "the statement below it does not read the queue",
        ),
        ("lost-error", "pool.apply_async(f)\n⟦pool.apply_async(f)⟧\n", "where the pool is waited for is not seen"),
        ("lost-error", "print(⟦pool.apply_async(f)⟧)\npool.join()\n", "the submit is not a statement of its own"),
        ("target-called", "P(target=⟦f(x)⟧, args=(1,))\n", "the call has arguments for it already"),
    ],
)  # fmt: skip
def test_is_refused(kind: str, source: str, reason: str | None) -> None:
    if reason is None:
        repaired(source, kind)
        return
    answer = refused(source, kind)
    assert answer.reason == reason
    assert answer.advice


def test_the_advice_shows_the_binding() -> None:
    source = "def main(xs):\n    for x in xs:\n        keep(key=⟦lambda y: x + y⟧)\n"
    assert refused(source, "lambda").advice == (
        "define _key(x, y) at module level, and hand over functools.partial(_key, x) once `x` has its value"
    )


def test_captures_that_cannot_be_pickled() -> None:
    source = "def main(lock, k):\n    send(⟦lambda: (lock, k)⟧)\n"
    answer = refused(source, "lambda", bad=("lock",))
    assert answer.reason == "it captures `lock`, which cannot be pickled either"
    assert "make it in the worker" in answer.advice


def test_the_lines_that_open_a_file_lazily() -> None:
    source = """\
class Data:
    def __init__(self, path, mode):
        self.handle = ⟦open(path,
                            mode)⟧
"""
    assert refused(source, "file-handle", "dataset-attribute", chain=(".handle",)).advice.splitlines()[1:] == [
        "    self._opened_handle = None  # in __init__, with what the call below needs kept as attributes",
        "",
        "    @property",
        "    def handle(self):",
        "        if self._opened_handle is None:",
        "            self._opened_handle = open(self.path, self.mode)",
        "        return self._opened_handle",
    ]


@pytest.mark.parametrize(
    "more",
    [
        "    def __len__(self):\n        return len(self.handle)\n",
        "    def close(self):\n        self.handle.close()\n",
        "    def reopen(self):\n        self.handle = None\n",
        "    def __getattr__(self, name):\n        return 1\n",
        "    def __getitem__(self, i):\n        return self.read()\n    def read(self):\n        return self.handle\n"
        "    def show(self):\n        return self.read()\n",
        "print(Data('x').handle)\n",
    ],
    ids=["measured", "closed", "set again", "hooks", "read by others", "read outside"],
)
def test_a_file_that_not_only_the_worker_uses(more: str) -> None:
    source = (
        "class Data:\n    def __init__(self, path):\n        self.handle = ⟦open(path)⟧\n"
        "    def __iter__(self):\n        return iter(self.handle)\n"
    )
    repair, _ = repaired(source, "file-handle", "dataset-attribute", chain=(".handle",))
    assert (repair.applicability, repair.caution) == (
        "unsafe",
        "it is opened later, and in every process that reads it",
    )
    assert "            self._opened_handle = open(self._path)" in repair.advice.splitlines()
    answer = refused(source + more, "file-handle", "dataset-attribute", chain=(".handle",))
    assert answer.reason == "when it is opened is for you to decide"


def test_a_file_beside_one_of_another_class_under_the_same_name() -> None:
    source = (
        "class Log:\n    def __init__(self, path):\n        self.handle = open(path)\n        self.handle.write('')\n"
        "class Data:\n    def __init__(self, path):\n        self.handle = ⟦open(path)⟧\n"
        "    def __iter__(self):\n        return iter(self.handle)\n"
    )
    repair, _ = repaired(source, "file-handle", "dataset-attribute", chain=(".handle",))
    assert repair.name == "open-lazily"


def test_the_lines_that_connect_lazily_import_what_the_constructor_imports() -> None:
    source = """\
class Data:
    def __init__(self, path):
        import sqlite3

        self.path = path
        self.db = ⟦sqlite3.connect(path)⟧
"""
    assert refused(source, "connection", "dataset-attribute", chain=(".db",)).advice.splitlines()[5:8] == [
        "        if self._opened_db is None:",
        "            import sqlite3",
        "            self._opened_db = sqlite3.connect(self.path)",
    ]


@pytest.mark.parametrize(
    ("kind", "source", "caution"),
    [
        ("dict-view", "class A:\n    def __init__(self, d):\n        self.k = ⟦d.keys()⟧\n    def s(self):\n        return str(self.k)\n", "its text is shown"),
        ("dict-view", "class A:\n    def __init__(self, d):\n        self.k = ⟦d.keys()⟧\n    def s(self):\n        return unknown(self.k)\n", "it is passed to unknown()"),
        ("dict-view", "class A:\n    def __init__(self, d):\n        self.k = ⟦d.keys()⟧\n    def s(self, o):\n        return self.k == o\n", "it is compared"),
        ("dict-view", "class A:\n    def __init__(self, d):\n        self.d = d\n        self.k = ⟦self.d.keys()⟧\n    def s(self, o):\n        self.d[o] = 1\n", "a view follows its dict"),
        ("dict-view", "class A:\n    def __init__(self, d):\n        self.k = ⟦d.keys()⟧\n        d.update(a=1)\n", "a view follows its dict"),
        ("dict-view", "class A:\n    def __init__(self, d):\n        self.k = ⟦d.keys()⟧\n    def s(self, o):\n        return [x for x in self.k], self.k & o\n", "a set keeps no order"),
        ("generator", "class A:\n    def __init__(self, d):\n        self.g = ⟦(x for x in d)⟧\n    def s(self):\n        return list(self.g)\n    def t(self):\n        return list(self.g)\n", "a list starts over"),
        ("generator", "class A:\n    def __init__(self, d):\n        self.g = ⟦(x for x in d)⟧\n    def s(self):\n        return self.g or 3\n", "an empty list is false"),
        ("generator", "class A:\n    def __init__(self, d):\n        self.g = ⟦(x for x in d)⟧\n    def s(self):\n        for _ in d:\n            print(sum(self.g))\n", "a list starts over"),
        ("generator", "import etree\nclass A:\n    def __init__(self, d):\n        self.g = ⟦(x for x in etree.iterparse(d))⟧\n    def s(self):\n        return list(self.g)\n", "is not known"),
        ("iterator", "class A:\n    def __init__(self, d):\n        self.g = ⟦iter(d)⟧\n    def s(self):\n        return list(self.g)\n", "is not known"),
        ("lambda", "class A:\n    def __init__(self, k):\n        self.fn = ⟦lambda x: x + k⟧\n    def s(self):\n        return self.fn.__name__\n", "a partial does not have"),
        ("lambda", "class A:\n    @classmethod\n    def make(cls, k):\n        return ⟦lambda *a: k(*a)⟧\nsetattr(A, 'add', A.make(max))\n", "it becomes a method (main.py:5)"),
        ("local-function", "def make(k):\n    ⟦def f(self):\n        return k\n    return f\nclass A:\n    half = make(2)\n", "it becomes a method (main.py:6)"),
        ("local-function", "class A:\n    pass\ndef main(k):\n    ⟦def f(self):\n        return k\n    A.half = f\n", "it becomes a method (main.py:6)"),
        ("lambda", "def main(k):\n    class A:\n        half = ⟦lambda self: k⟧\n    return A\n", "it becomes a method (main.py:3)"),
        ("local-function", "import functools\ndef f(k):\n    @functools.lru_cache\n    ⟦def g(x):\n        return x\n    send(g)\n", "its decorator is applied once"),
        ("thread-object", "import threading\nclass A:\n    def __init__(self):\n        self.e = ⟦threading.Event()⟧\n", "a new Event"),
        ("thread-object", "import copy, threading\nclass A:\n    def __init__(self):\n        self.e = ⟦threading.Lock()⟧\nb = copy.copy(A())\n", "copy.copy()"),
        ("local-class", "def f():\n    ⟦class A:\n        found = []\n    send(A())\n", "shared by all calls"),
        ("local-class", "A = 1\ndef f():\n    ⟦class A:\n        pass\n    send(A())\n", "its name becomes _A"),
        ("misnamed", "import collections\nPoint = ⟦collections.namedtuple('P', 'x y')⟧\n", "its repr shows Point"),
        ("unloadable", "class E(Exception):\n    def __init__(self, a):\n        ⟦super().__init__(f'{a}!')⟧\n", "str() of"),
        ("target-called", "Process(target=⟦f(x)⟧)\n", "may return the function"),
    ],
)  # fmt: skip
def test_is_unsafe(kind: str, source: str, caution: str) -> None:
    chain = {"dict-view": (".k",), "generator": (".g",), "lambda": (".fn",), "thread-object": (".e",)}.get(kind, ())
    repair, _ = repaired(source, kind, "dataset-attribute" if chain else "pool-task", chain=chain)
    assert repair.applicability == "unsafe"
    assert caution in repair.caution


def test_the_whole_project_is_asked() -> None:
    files = {
        "base.py": "class Config:\n    def __init__(self, d):\n        self.names = ⟦d.keys()⟧\n",
        "use.py": "from base import Config\n\n\ndef show(c):\n    return [n for n in c.names], len(c.names)\n",
        "other.py": "class Other:\n    def __init__(self):\n        self.names = 3\n\n    def s(self):\n        return str(self.names)\n",
    }  # fmt: skip
    finding, project = finding_of(files, "dict-view", "dataset-attribute", (".names",))
    repair = plan(finding, project)
    assert isinstance(repair, Repair)
    assert repair.applicability == "safe"
    assert edited(dict(project.overlay), repair)["base.py"].endswith("self.names = list(d.keys())\n")

    files["sub.py"] = (
        "from base import Config\n\n\nclass Sub(Config):\n    def s(self):\n        return str(self.names)\n"
    )
    finding, project = finding_of(files, "dict-view", "dataset-attribute", (".names",))
    repair = plan(finding, project)
    assert isinstance(repair, Repair)
    assert repair.caution == "its text is shown (sub.py:6)"


def test_a_file_that_libcst_cannot_parse() -> None:
    finding, project = finding_of({"main.py": "send(⟦lambda: 0⟧)\n"}, "lambda")
    broken = finding_of({"main.py": "send(⟦lambda: 0⟧\n"}, "lambda")[1]
    assert isinstance(plan(finding, project), Repair)
    assert plan(finding, broken) == NotRepaired(
        "the file cannot be read",
        "define a function at module level, and bind captured values with functools.partial",
    )


@pytest.mark.parametrize(
    "deep",
    ["f(" * 90 + "0" + ")" * 90, "x" + ".f()" * 200, "+".join("1" for _ in range(900)), "(" * 80 + "0" + ")" * 80],
    ids=["nested calls", "chained calls", "a long sum", "brackets"],
)
def test_deep_code_is_repaired_or_declined(deep: str) -> None:
    source = f"y = {deep}\n\n\ndef main(k):\n    send(key=⟦lambda x: x + k⟧)\n"
    finding, project = finding_of({"main.py": source}, "lambda")
    repair = plan(finding, project)
    assert isinstance(repair, Repair) or repair.reason == "libcst cannot read this file"
