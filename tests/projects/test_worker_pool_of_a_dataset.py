"""A Dataset starts its own workers: their target is a function made in a function, or a method of the Dataset."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from real.linting import lint
from real.processes import Run, Warm
from shell.running import run

LIMIT = 120.0  # seconds; only a program that never rests gets that far

NESTED = """\
import argparse
import os
from multiprocessing import Process, Queue

from torch.utils.data import DataLoader, Dataset


def get_dataset(args):
    def preprocess(queue_in, queue_res, args):
        while True:
            path = queue_in.get()
            if path is None:
                break
            name = os.path.basename(path)
            queue_res.put((path, len(name) * args.scale))

    class FileDataset(Dataset):
        def __init__(self, paths):
            queue_in, queue_res = Queue(), Queue()
            workers = [
                Process(target=preprocess, args=(queue_in, queue_res, args)) for _ in range(args.workers)
            ]
            for worker in workers:
                worker.start()
            for path in paths:
                queue_in.put(path)
            for _ in workers:
                queue_in.put(None)
            self.items = sorted(queue_res.get() for _ in paths)
            for worker in workers:
                worker.join()

        def __len__(self):
            return len(self.items)

        def __getitem__(self, index):
            return self.items[index]

    return FileDataset(args.paths)


if __name__ == "__main__":
    dataset = get_dataset(argparse.Namespace(paths=["a/one", "b/three"], scale=2, workers=2))
    print(len(dataset), *DataLoader(dataset, collate_fn=list))
"""
PRINTED = "2 [('a/one', 6)] [('b/three', 10)]\n"

HANDED_IN = """\
import argparse
import multiprocessing as mp

from torch.utils.data import DataLoader, Dataset


class FileDataset(Dataset):
    def __init__(self, paths, worker, args):
        self.queue_in, self.queue_res = mp.Queue(), mp.Queue()
        self.workers = []
        for _ in range(args.workers):
            process = mp.Process(target=worker, args=(self.queue_in, self.queue_res, args), daemon=True)
            process.start()
            self.workers.append(process)
        for path in paths:
            self.queue_in.put(path)
        self.items = sorted(self.queue_res.get() for _ in paths)
        self.close()

    def close(self):
        for _ in self.workers:
            self.queue_in.put(None)
        for worker in self.workers:
            worker.join()

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


def get_dataset(args):
    def preprocess(queue_in, queue_res, args):
        for path in iter(queue_in.get, None):
            queue_res.put((path, len(path.split("/")[-1]) * args.scale))

    return FileDataset(args.paths, preprocess, args)


if __name__ == "__main__":
    dataset = get_dataset(argparse.Namespace(paths=["a/one", "b/three"], scale=2, workers=2))
    print(len(dataset), *DataLoader(dataset, collate_fn=list))
"""

METHOD = """\
import argparse
from multiprocessing import Process, Queue

from torch.utils.data import DataLoader, Dataset


class FileDataset(Dataset):
    def __init__(self, args):
        self.args = args
        queue_in, queue_res = Queue(), Queue()
        workers = [Process(target=self.preprocess, args=(queue_in, queue_res)) for _ in range(args.workers)]
        for worker in workers:
            worker.start()
        for path in args.paths:
            queue_in.put(path)
        for _ in workers:
            queue_in.put(None)
        self.items = sorted(queue_res.get() for _ in args.paths)
        for worker in workers:
            worker.join()

    def preprocess(self, queue_in, queue_res):
        for path in iter(queue_in.get, None):
            queue_res.put((path, len(path.split("/")[-1]) * self.args.scale))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


if __name__ == "__main__":
    dataset = FileDataset(argparse.Namespace(paths=["a/one", "b/three"], scale=2, workers=2))
    print(len(dataset), *DataLoader(dataset, collate_fn=list))
"""
KEEPS_ITS_WORKERS = METHOD.replace("workers = [", "self.workers = workers = [")
KEEPS_A_LAMBDA = METHOD.replace("self.args = args\n", "self.args = args\n        self.key = lambda path: path[-1]\n")


def indented(text: str) -> str:
    """Put the class of METHOD into a function."""
    head, body = text.split("class FileDataset", 1)
    body, main = body.split("\n\nif __name__", 1)
    inner = textwrap.indent(f"class FileDataset{body}", "    ") + "\n    return FileDataset(args)\n"
    main = main.replace("FileDataset(", "get_dataset(")
    return f"{head}def get_dataset(args):\n{inner}\n\nif __name__{main}"


def places(findings: list[dict[str, Any]]) -> list[tuple[int, str, str]]:
    return [(one["line"], one["code"], one["boundary"]) for one in findings]


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def spawned(warm: Warm, text: str, folder: Path) -> Run:
    with warm.start({"main.py": text}, "spawn", folder) as child:
        return child.wait(LIMIT)


@pytest.mark.parametrize("text", [NESTED, HANDED_IN], ids=["nested", "handed in"])
def test_a_function_in_a_function(text: str, tmp_path: Path, warm: Warm, capsys: pytest.CaptureFixture[str]) -> None:
    """It fails under spawn, as is reported, and runs when it is repaired."""
    project = tmp_path / "project"
    findings = lint({"main.py": text}, project, capsys, "--select", "MPS1,MPS2")
    assert places(findings) == [(line_of(text, "def preprocess"), "MPS203", "process-target")]
    ended = spawned(warm, text, tmp_path / "before")
    assert ended.outcome == "error" and "Can't pickle local object 'get_dataset.<locals>.preprocess'" in ended.stderr

    assert run("--isolated", project, cwd=tmp_path, program="fix").returncode == 0
    repaired = (project / "main.py").read_text()
    ended = spawned(warm, repaired, tmp_path / "after")
    assert (ended.outcome, ended.stdout, ended.stderr, ended.left) == ("ok", PRINTED, "", ()), repaired
    assert lint({"main.py": repaired}, project, capsys, "--select", "MPS1,MPS2") == []


def test_a_method(tmp_path: Path, warm: Warm, capsys: pytest.CaptureFixture[str]) -> None:
    """The other remedy works where the whole self pickles."""
    assert lint({"main.py": METHOD}, tmp_path / "project", capsys, "--select", "MPS1,MPS2") == []
    ended = spawned(warm, METHOD, tmp_path / "spawn")
    assert (ended.outcome, ended.stdout, ended.stderr, ended.left) == ("ok", PRINTED, "", ())


@pytest.mark.parametrize(
    ("text", "part", "code", "error"),
    [
        (indented(METHOD), "class FileDataset", "MPS206", "local object 'get_dataset.<locals>.FileDataset'"),
        (KEEPS_A_LAMBDA, "lambda", "MPS102", "local object 'FileDataset.__init__.<locals>.<lambda>'"),
        (KEEPS_ITS_WORKERS, "workers = [", "MPS111", "weakref"),
    ],
    ids=["local class", "lambda", "its workers"],
)
def test_a_method_whose_self_does_not_pickle(
    text: str, part: str, code: str, error: str, tmp_path: Path, warm: Warm, capsys: pytest.CaptureFixture[str]
) -> None:
    findings = lint({"main.py": text}, tmp_path / "project", capsys, "--select", "MPS1,MPS2")
    assert places(findings) == [(line_of(text, part), code, "process-target")]
    ended = spawned(warm, text, tmp_path / "spawn")
    assert ended.outcome == "error" and error in ended.stderr
