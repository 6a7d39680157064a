"""Whole programs: they fail in real processes, are repaired where the analysis says so, and work in real processes."""

from __future__ import annotations

from pathlib import Path

import pytest
from real.processes import Run, Warm, start
from test_rounds import repair_all

PROGRAMS = {
    "pool of its own in a function, closure over several variables": {
        "main.py": """\
from multiprocessing import get_context


def load(paths, scale):
    context = get_context("spawn")
    jobs, results = context.Queue(), context.Queue()
    shift = scale * 2

    def preprocess(number):
        while (path := jobs.get()) is not None:
            results.put((path, len(path) * scale + shift))

    workers = [context.Process(target=preprocess, args=(number,)) for number in range(2)]
    for worker in workers:
        worker.start()
    for path in paths:
        jobs.put(path)
    for _ in workers:
        jobs.put(None)
    found = sorted(results.get() for _ in paths)
    for worker in workers:
        worker.join()
    return found


if __name__ == "__main__":
    print(load(["a", "bb", "ccc"], 2))
""",
        "stdout": "[('a', 6), ('bb', 8), ('ccc', 10)]\n",
    },
    "helpers, recursion, a table of functions and a generator in two modules": {
        "main.py": """\
from concurrent.futures import ProcessPoolExecutor

from steps import Pipeline, make_step


def main(base):
    def power(x, n):
        return 1 if n == 0 else x * power(x, n - 1)

    def job(x):
        return power(x, base)

    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(job, [1, 2, 3])))
        print(list(executor.map(make_step(10), [1, 2])))
        print(list(executor.map(Pipeline({"a": 1, "b": 2}).run, [1, 5])))


if __name__ == "__main__":
    main(3)
""",
        "steps.py": """\
class Pipeline:
    def __init__(self, table):
        self.names = table.keys()
        self.values = (value * 2 for value in table.values())
        self.steps = {"first": lambda x: x + 1, "second": abs}

    def run(self, x):
        for step in self.steps.values():
            x = step(x)
        return x, [name for name in self.names], sum(self.values)


def make_step(offset):
    return lambda x: x + offset
""",
        "stdout": "[1, 8, 27]\n[11, 12]\n[(2, ['a', 'b'], 6), (6, ['a', 'b'], 6)]\n",
    },
    "a method hands on closures over self and a loop variable": {
        "main.py": """\
import multiprocessing


class Scorer:
    def __init__(self, weights):
        self.weights = weights

    def scores(self, words):
        def score(word):
            return sum(self.weights.get(letter, 0) for letter in word)

        with multiprocessing.Pool(2) as pool:
            pending = []
            for bonus in (0, 10):
                pending.append(pool.map_async(lambda word: score(word) + bonus, words))
            return [result.get(5) for result in pending]


if __name__ == "__main__":
    print(Scorer({"a": 1, "b": 2}).scores(["ab", "bb"]))
""",
        "stdout": "[[3, 4], [13, 14]]\n",
    },
    "results and items of a queue": {
        "main.py": """\
import multiprocessing as mp


def words(text):
    for word in text.split():
        yield word


def count(text, results):
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    results.put({"text": text, "counts": found.items(), "words": words(text)})


def main():
    results = mp.Queue()
    process = mp.Process(target=count, args=("a b a", results))
    process.start()
    part = results.get(timeout=5)
    process.join()
    print(part["text"], sorted(part["counts"]), list(part["words"]))


if __name__ == "__main__":
    main()
""",
        "stdout": "a b a [('a', 2), ('b', 1)] ['a', 'b', 'a']\n",
    },
}

DATASET = {
    "main.py": """\
from collections import defaultdict

import torch
from torch.utils.data import DataLoader, Dataset


class Clips(Dataset):
    def __init__(self, table, scale=None, cast=lambda x: float(x)):
        self.table = table
        self.keys = table.keys()
        self.scale = scale or (lambda x: x * 2)
        self.cast = cast
        self.seen = defaultdict(lambda: defaultdict(int))

    def __len__(self):
        return len(self.keys)

    def __getitem__(self, index):
        self.seen[index]["n"] += 1
        return self.scale(self.cast(self.table[sorted(self.keys)[index]]))


def loader(table, pad):
    def collate(batch):
        return torch.tensor(batch + [pad])

    return DataLoader(Clips(table), batch_size=2, num_workers=1, collate_fn=collate)


if __name__ == "__main__":
    for batch in loader({"a": "1", "b": "2", "c": "3"}, 7.0):
        print(batch.tolist())
""",
    "stdout": "[2.0, 4.0, 7.0]\n[6.0, 7.0]\n",
}


def repaired(files: dict[str, str], folder: Path) -> dict[str, str]:
    """Return the files of a program as they are after all safe repairs; a second time nothing changes."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    result = repair_all(folder)
    assert not result.failures
    assert [(finding.span, finding.kind, finding.repair) for finding in result.remaining] == []
    assert not repair_all(folder).changes
    return {name: (folder / name).read_text() for name in files}


def check(bad: Run, good: list[Run], stdout: str) -> None:
    assert bad.outcome != "ok", bad
    for run in good:
        assert (run.outcome, run.stdout) == ("ok", stdout), run.stderr


@pytest.mark.parametrize("name", PROGRAMS)
def test_works_once_it_is_repaired(name: str, tmp_path: Path) -> None:
    files = dict(PROGRAMS[name])
    stdout = files.pop("stdout")
    with start(files, "spawn", tmp_path / "before") as child:
        bad = child.wait(60)
    after = repaired(files, tmp_path / "repaired")
    good = []
    for method in ("spawn", "fork"):
        with start(after, method, tmp_path / method) as child:
            good.append(child.wait(60))
    check(bad, good, stdout)


def test_a_dataset_works_once_it_is_repaired(tmp_path: Path, warm: Warm) -> None:
    files = dict(DATASET)
    stdout = files.pop("stdout")
    with warm.start(files, "spawn", tmp_path / "before") as child:
        bad = child.wait(120)
    after = repaired(files, tmp_path / "repaired")
    good = []
    for method in ("spawn", "fork"):
        with warm.start(after, method, tmp_path / method) as child:
            good.append(child.wait(120))
    check(bad, good, stdout)
