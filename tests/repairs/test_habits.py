"""Repairs of habits and of objects that hold locks and pools: the text before, and the text after."""

from __future__ import annotations

import pytest
from marked import edited, finding_of, refused, repaired

from mpsafe_lint.findings import Repair
from mpsafe_lint.repairs import plan

CASES = {
    "no-main-guard: from the first that starts to the end": (
        "no-main-guard",
        '''\
import corpus

LINES = ["a"]

# counts them
⟦total = corpus.count(LINES)⟧

for line in total:
    print("""
  as it is
""")  # the end
''',
        '''\
import corpus

LINES = ["a"]

if __name__ == "__main__":
    # counts them
    total = corpus.count(LINES)

    for line in total:
        print("""
  as it is
""")  # the end
''',
    ),
    "no-main-guard: with what only the main process needs": (
        "no-main-guard",
        """\
import corpus

SIZE = 3
Pair = namedtuple("Pair", "a b")


def count(lines):
    return len(lines) + SIZE


seed(SIZE)
LIMIT = 4
args = parse()
WIDTHS = [args.width]
⟦corpus.start(args, WIDTHS)⟧
""",
        """\
import corpus

SIZE = 3
Pair = namedtuple("Pair", "a b")


def count(lines):
    return len(lines) + SIZE


seed(SIZE)
LIMIT = 4

if __name__ == "__main__":
    args = parse()
    WIDTHS = [args.width]
    corpus.start(args, WIDTHS)
""",
    ),
    "no-main-guard: classes are found by their names": (
        "no-main-guard",
        """\
import corpus

Pair = namedtuple("Pair", "a b")
pair = Pair(1, corpus.size())
⟦corpus.start(pair)⟧
""",
        """\
import corpus

Pair = namedtuple("Pair", "a b")

if __name__ == "__main__":
    pair = Pair(1, corpus.size())
    corpus.start(pair)
""",
    ),
    "join-before-drain: the loop, then the reading": (
        "join-before-drain",
        """\
def main(workers, results):
    for worker in workers:
        ⟦worker.join()⟧
    # all of them
    found = [results.get() for _ in workers]
    return found
""",
        """\
def main(workers, results):
    # all of them
    found = [results.get() for _ in workers]
    for worker in workers:
        worker.join()
    return found
""",
    ),
    "target-called": (
        "target-called",
        """\
def work(a, b, c=1):
    print(a, b, c)


def main():
    p = Process(target=⟦work(1, 2, c=3)⟧, name="x")
    p.start()
""",
        """\
def work(a, b, c=1):
    print(a, b, c)


def main():
    p = Process(target=work, args=(1, 2), kwargs={"c": 3}, name="x")
    p.start()
""",
    ),
    "target-called: one argument": (
        "target-called",
        "def work(a):\n    print(a)\n\n\nProcess(target=⟦work(1)⟧)\n",
        "def work(a):\n    print(a)\n\n\nProcess(target=work, args=(1,))\n",
    ),
    "target-called: an initializer without arguments": (
        "target-called",
        "def work():\n    pass\n\n\nPool(initializer=⟦work()⟧)\n",
        "def work():\n    pass\n\n\nPool(initializer=work)\n",
    ),
    "early-pool: a plain statement": (
        "early-pool",
        """\
from multiprocessing import Pool

pool = ⟦Pool(2)⟧  # two


def area(box):
    return box


print(pool.map(area, [1]))
""",
        """\
from multiprocessing import Pool


def area(box):
    return box


pool = Pool(2)  # two
print(pool.map(area, [1]))
""",
    ),
    "early-pool: in a main block with other statements": (
        "early-pool",
        """\
from multiprocessing import Pool

if __name__ == "__main__":
    setup()
    pool = ⟦Pool(2)⟧


def area(box):
    return box


if __name__ == "__main__":
    # go
    print(pool.map(area, [1]))
""",
        """\
from multiprocessing import Pool

if __name__ == "__main__":
    setup()


def area(box):
    return box


if __name__ == "__main__":
    pool = Pool(2)
    # go
    print(pool.map(area, [1]))
""",
    ),
    "closed-pool": (
        "closed-pool",
        """\
def main(xs):
    with Pool(2) as pool:
        found = pool.imap(work, xs)
    return sum(⟦found⟧)
""",
        """\
def main(xs):
    with Pool(2) as pool:
        found = list(pool.imap(work, xs))
    return sum(found)
""",
    ),
    "lost-error: in a loop": (
        "lost-error",
        """\
def main(names):
    pool = Pool(2)
    # all of them
    for name in names:
        ⟦pool.apply_async(work, (name,))⟧  # one
    pool.close()
    pool.join()
    print("done")
""",
        """\
def main(names):
    pool = Pool(2)
    results = []
    # all of them
    for name in names:
        results.append(pool.apply_async(work, (name,)))  # one
    pool.close()
    pool.join()
    for result in results:
        result.get()
    print("done")
""",
    ),
    "lost-error: by itself, in an executor": (
        "lost-error",
        """\
def main(executor, result):
    ⟦executor.submit(work, result)⟧
    executor.shutdown()
""",
        """\
def main(executor, result):
    pending = executor.submit(work, result)
    executor.shutdown()
    pending.result()
""",
    ),
    "mp-object: a pool": (
        "mp-object",
        """\
class Population:
    \"\"\"Many.\"\"\"

    def __init__(self, size):
        self.size = size
        self.pool = ⟦Pool(2)⟧

    def distance(self, gene):
        return gene + self.size

    def best(self):
        return min(⟪self.pool.map(self.distance, [1])⟫)
""",
        """\
class Population:
    \"\"\"Many.\"\"\"

    def __init__(self, size):
        self.size = size
        self.pool = Pool(2)

    def __getstate__(self):
        state = self.__dict__.copy()
        state["pool"] = None
        return state

    def distance(self, gene):
        return gene + self.size

    def best(self):
        return min(self.pool.map(self.distance, [1]))
""",
    ),
    "mp-object: a list of processes": (
        "mp-object",
        """\
class Readers:
    def __init__(self, size):
        self.pool = []
        for _ in range(size):
            self.pool.append(⟦Process(target=read)⟧)

    def __getitem__(self, index):
        return index

    def close(self):
        for process in self.pool:
            process.join()
""",
        """\
class Readers:
    def __init__(self, size):
        self.pool = []
        for _ in range(size):
            self.pool.append(Process(target=read))

    def __getstate__(self):
        state = self.__dict__.copy()
        state["pool"] = []
        return state

    def __getitem__(self, index):
        return index

    def close(self):
        for process in self.pool:
            process.join()
""",
    ),
    "thread-object: set now and then, in a class without __init__": (
        "thread-object",
        """\
import threading


class Cache:
    def begin(self):
        if self.fresh:
            self.pool = ⟦threading.Lock()⟧
""",
        """\
import threading


class Cache:
    def begin(self):
        if self.fresh:
            self.pool = threading.Lock()

    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("pool", None)
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.pool = threading.Lock()
""",
    ),
    "misnamed: defined in the main block": (
        "misnamed",
        """\
from multiprocessing import Pool

if __name__ == "__main__":
    xs = [1]

    def helper(x):
        return x

    # squares
    ⟦def square(x):
        \"\"\"Square.\"\"\"
        return helper(x) ** 2

    print(Pool(2).map(square, xs))
""",
        """\
from multiprocessing import Pool


def helper(x):
    return x


# squares
def square(x):
    \"\"\"Square.\"\"\"
    return helper(x) ** 2


if __name__ == "__main__":
    xs = [1]

    print(Pool(2).map(square, xs))
""",
    ),
    "lambda: in the main block, with a variable of the main block": (
        "lambda",
        """\
from multiprocessing import Pool

if __name__ == "__main__":
    k = 3
    shift = ⟦lambda x: x + k⟧
    print(Pool(2).map(shift, [1]))
""",
        """\
import functools
from multiprocessing import Pool


def _shift(k, x):
    return x + k


if __name__ == "__main__":
    k = 3
    print(Pool(2).map(functools.partial(_shift, k), [1]))
""",
    ),
    "misnamed: the decorated function is the origin": (
        "misnamed",
        """\
from functools import partial


def logged(function):
    def call(*args):
        return function(*args)

    return call


@logged
⟦def work(x):
    return x


use = partial(work, 1)
""",
        """\
from functools import partial, wraps


def logged(function):
    @wraps(function)
    def call(*args):
        return function(*args)

    return call


@logged
def work(x):
    return x


use = partial(work, 1)
""",
    ),
    "local-class: used by several names": (
        "local-class",
        """\
import enum


def make():
    \"\"\"Make.\"\"\"
    Colour = ⟦enum.Enum("Colour", "RED BLUE")⟧

    return Colour.RED, Colour
""",
        """\
import enum


Colour = enum.Enum("Colour", "RED BLUE")


def make():
    \"\"\"Make.\"\"\"

    return Colour.RED, Colour
""",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_repairs(name: str) -> None:
    kind, before, after = CASES[name]
    boundary = {"a pool": "pool-task", "a list of processes": "dataset-attribute"}.get(name.partition(": ")[2])
    chain = (".pool",) if boundary else ()
    repair, text = repaired(before, kind, boundary, chain=chain)
    assert text == after
    assert repair.applicability == "safe", repair.caution


def test_a_task_that_gets_too_long_for_its_line() -> None:
    task = "apply_async(process_one_file, args=(annotation_file, result_queue))"
    source = f"for one in found:\n    pool.{task}\npool.join()\n"
    text = repaired(source.replace(f"pool.{task}", f"⟦pool.{task}⟧"), "lost-error")[1]
    assert f"    results.append(\n        pool.{task}\n    )\n" in text


def test_a_pool_that_the_other_process_uses() -> None:
    source = CASES["mp-object: a pool"][1].replace("return gene + self.size", "return self.pool, gene")
    answer = refused(source, "mp-object", "pool-task", chain=("<self>", ".pool"))
    assert answer.reason == "the other process uses it (distance, line 9)"


def test_a_thread_is_left_out_with_a_caution() -> None:
    source = CASES["mp-object: a pool"][1].replace("Pool(2)", "threading.Thread(target=self.go)")
    repair, text = repaired(source, "thread-object", "pool-task", chain=("<self>", ".pool"))
    assert repair.caution == "it is None in the other process"
    assert 'state["pool"] = None' in text


def test_a_module_that_others_import() -> None:
    files = {"main.py": "⟦go()⟧\n", "other.py": "import main\n"}
    finding, project = finding_of(files, "no-main-guard")
    repair = plan(finding, project)
    assert isinstance(repair, Repair)
    assert repair.caution == "other.py imports it, and would not run this any more"
    assert edited(dict(project.overlay), repair)["main.py"] == 'if __name__ == "__main__":\n    go()\n'
