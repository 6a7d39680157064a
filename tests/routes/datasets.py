"""Routes into a Dataset that a DataLoader sends to its workers."""

DIRECT = {
    "a view": """
from torch.utils.data import DataLoader, Dataset


class Species(Dataset):
    def __init__(self, counts):
        self.counts = dict(counts)
        self.names = self.counts.keys()  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.counts[list(self.names)[index]]


if __name__ == "__main__":
    print(*DataLoader(Species({"wren": 3, "owl": 1}), num_workers=1))
""",
    "a lambda": """
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __init__(self, size):
        self.size = size
        self.transform = lambda x: x * x  # MPS102 dataset-attribute

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.transform(index)


if __name__ == "__main__":
    print(*DataLoader(Squares(3), num_workers=1))
""",
    "a local function": """
from torch.utils.data import DataLoader, Dataset


class Shifted(Dataset):
    def __init__(self, size, by):
        self.size = size

        def shift(value):  # MPS103 dataset-attribute
            return value + by

        self.shift = shift

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.shift(index)


if __name__ == "__main__":
    print(*DataLoader(Shifted(3, by=10), num_workers=1))
""",
    "a generator expression": """
from torch.utils.data import DataLoader, IterableDataset


class Lengths(IterableDataset):
    def __init__(self, lines):
        self.lengths = (len(line) for line in lines)  # MPS104 dataset-attribute

    def __iter__(self):
        yield from self.lengths


if __name__ == "__main__":
    print(*DataLoader(Lengths(["ab", "cde"]), num_workers=1))
""",
    "a call of a generator function": """
from torch.utils.data import DataLoader, IterableDataset


def windows(values, width):
    for start in range(len(values) - width + 1):
        yield sum(values[start : start + width])


class Windows(IterableDataset):
    def __init__(self, values):
        self.windows = windows(values, 2)  # MPS104 dataset-attribute

    def __iter__(self):
        return iter(self.windows)


if __name__ == "__main__":
    print(*DataLoader(Windows([1, 2, 3]), num_workers=1))
""",
    "a call of a generator method": """
from torch.utils.data import DataLoader, IterableDataset


class Blocks(IterableDataset):
    def __init__(self, size):
        self.size = size
        self.stream = self.read()  # MPS104 dataset-attribute

    def read(self):
        for block in range(self.size):
            yield block

    def __iter__(self):
        return self.stream


if __name__ == "__main__":
    print(*DataLoader(Blocks(2), num_workers=1))
""",
    "a view of an annotated parameter": """
from typing import Dict

from torch.utils.data import DataLoader, Dataset


class Labels(Dataset):
    def __init__(self, table: Dict[str, int]):
        self.pairs = table.items()  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, index):
        return list(self.pairs)[index][1]


if __name__ == "__main__":
    print(*DataLoader(Labels({"cat": 0, "dog": 1}), num_workers=1))
""",
}

BY_AN_EXPRESSION = {
    "a local name": """
from torch.utils.data import DataLoader, Dataset


class Scores(Dataset):
    def __init__(self, scores):
        best = max(scores.values())
        scale = lambda score: score / best  # MPS102 dataset-attribute
        self.scores = list(scores.values())
        self.scale = scale

    def __len__(self):
        return len(self.scores)

    def __getitem__(self, index):
        return self.scale(self.scores[index])


if __name__ == "__main__":
    print(*DataLoader(Scores({"a": 1.0, "b": 2.0}), num_workers=1))
""",
    "a list": """
from torch.utils.data import DataLoader, Dataset


class Steps(Dataset):
    def __init__(self, size):
        self.size = size
        self.steps = [abs, lambda x: x + 1]  # MPS102 dataset-attribute

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        for step in self.steps:
            index = step(index)
        return index


if __name__ == "__main__":
    print(*DataLoader(Steps(2), num_workers=1))
""",
    "a dict": """
from torch.utils.data import DataLoader, Dataset


class Readers(Dataset):
    def __init__(self, files):
        self.files = files
        self.readers = {
            "int": int,
            "sum": lambda text: sum(map(int, text)),  # MPS102 dataset-attribute
        }

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        kind, text = self.files[index]
        return self.readers[kind](text)


if __name__ == "__main__":
    print(*DataLoader(Readers([("int", "12"), ("sum", "12")]), num_workers=1))
""",
    "a tuple of a tuple": """
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, table):
        self.columns = ("names", (table.keys(), len(table)))  # MPS101 dataset-attribute

    def __len__(self):
        return self.columns[1][1]

    def __getitem__(self, index):
        return list(self.columns[1][0])[index]


if __name__ == "__main__":
    print(*DataLoader(Pairs({"x": 1, "y": 2}), num_workers=1))
""",
    "a comprehension": """
from torch.utils.data import DataLoader, Dataset


class Powers(Dataset):
    def __init__(self, size):
        self.size = size
        self.powers = [lambda x, n=n: x**n for n in range(3)]  # MPS102 dataset-attribute

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return [power(index) for power in self.powers]


if __name__ == "__main__":
    print(*DataLoader(Powers(2), num_workers=1))
""",
    "a dict comprehension": """
from torch.utils.data import DataLoader, Dataset


class Index(Dataset):
    def __init__(self, groups):
        self.groups = groups
        self.members = {name: group.values() for name, group in groups.items()}  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.groups)

    def __getitem__(self, index):
        return sum(list(self.members.values())[index])


if __name__ == "__main__":
    print(*DataLoader(Index({"a": {"x": 1}, "b": {"y": 2, "z": 3}}), num_workers=1))
""",
    "a conditional expression": """
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, size, train):
        self.size = size
        self.augment = (lambda image: -image) if train else None  # MPS102 dataset-attribute

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.augment(index) if self.augment else index


if __name__ == "__main__":
    print(*DataLoader(Images(2, train=True), num_workers=1))
""",
    "an or": """
from torch.utils.data import DataLoader, Dataset


class Tokens(Dataset):
    def __init__(self, texts, tokenize=None):
        self.texts = texts
        self.tokenize = tokenize or (lambda text: len(text.split()))  # MPS102 dataset-attribute

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, index):
        return self.tokenize(self.texts[index])


if __name__ == "__main__":
    print(*DataLoader(Tokens(["a b", "c"]), num_workers=1))
""",
    "a walrus": """
from torch.utils.data import DataLoader, Dataset


class Codes(Dataset):
    def __init__(self, codes):
        if (names := codes.keys()):  # MPS101 dataset-attribute
            self.names = names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return sorted(self.names)[index]


if __name__ == "__main__":
    print(*DataLoader(Codes({"a": 1}), num_workers=1))
""",
    "unpacking": """
from torch.utils.data import DataLoader, Dataset


class Corpus(Dataset):
    def __init__(self, vocabulary):
        self.words, self.ids = vocabulary.keys(), list(vocabulary.values())  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, index):
        return self.ids[index]


if __name__ == "__main__":
    print(*DataLoader(Corpus({"the": 5, "of": 3}), num_workers=1))
""",
    "star-unpacking": """
from torch.utils.data import DataLoader, Dataset


def stages():
    return [
        int,
        lambda x: x + 1,  # MPS102 dataset-attribute
        lambda x: x * 2,
    ]


class Staged(Dataset):
    def __init__(self, size):
        self.size = size
        self.first, *self.rest = stages()[:2]

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        for stage in (self.first, *self.rest):
            index = stage(index)
        return index


if __name__ == "__main__":
    print(*DataLoader(Staged(2), num_workers=1))
""",
    "functools.partial": """
from functools import partial

from torch.utils.data import DataLoader, Dataset


def apply(function, value):
    return function(value)


class Applied(Dataset):
    def __init__(self, size):
        self.size = size
        self.step = partial(apply, lambda x: x + 2)  # MPS102 dataset-attribute

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.step(index)


if __name__ == "__main__":
    print(*DataLoader(Applied(2), num_workers=1))
""",
    "a bound method, with its self": """
from torch.utils.data import DataLoader, Dataset


class Vocabulary:
    def __init__(self, words):
        self.ids = {word: i for i, word in enumerate(words)}
        self.known = self.ids.keys()  # MPS101 dataset-attribute

    def lookup(self, word):
        return self.ids[word]


class Sentence(Dataset):
    def __init__(self, words, lookup):
        self.words = words
        self.lookup = lookup

    def __len__(self):
        return len(self.words)

    def __getitem__(self, index):
        return self.lookup(self.words[index])


if __name__ == "__main__":
    vocabulary = Vocabulary(["a", "b"])
    print(*DataLoader(Sentence(["b", "a"], vocabulary.lookup), num_workers=1))
""",
    "a match": """
from torch.utils.data import DataLoader, Dataset


class Resized(Dataset):
    def __init__(self, size, mode):
        self.size = size
        match mode:
            case "half":
                self.resize = lambda x: x // 2  # MPS102 dataset-attribute
            case _:
                self.resize = abs

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.resize(index)


if __name__ == "__main__":
    print(*DataLoader(Resized(3, "half"), num_workers=1))
""",
    "a container that is filled later": """
from torch.utils.data import DataLoader, Dataset


class Chain(Dataset):
    def __init__(self, size):
        self.size = size
        self.stages = []
        self.stages.append(int)
        self.stages.append(lambda x: x - 1)  # MPS102 dataset-attribute

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        for stage in self.stages:
            index = stage(index)
        return index


if __name__ == "__main__":
    print(*DataLoader(Chain(3), num_workers=1))
""",
    "a dict that is filled in a loop": """
from torch.utils.data import DataLoader, Dataset


class Columns(Dataset):
    def __init__(self, tables):
        self.columns = {}
        for name, table in tables.items():
            self.columns[name] = table.keys()  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.columns)

    def __getitem__(self, index):
        return len(list(self.columns.values())[index])


if __name__ == "__main__":
    print(*DataLoader(Columns({"a": {"x": 1}, "b": {"y": 1, "z": 2}}), num_workers=1))
""",
    "a context manager": """
from contextlib import contextmanager

from torch.utils.data import DataLoader, Dataset


@contextmanager
def table():
    names = {"a": 1, "b": 2}
    yield names.keys()  # MPS101 dataset-attribute


class Names(Dataset):
    def __init__(self):
        with table() as names:
            self.names = names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return sorted(self.names)[index]


if __name__ == "__main__":
    print(*DataLoader(Names(), num_workers=1))
""",
}

BY_A_CALL = {
    "a helper that returns it": """
from torch.utils.data import DataLoader, Dataset


def scaler(factor):
    return lambda value: value * factor  # MPS102 dataset-attribute


class Scaled(Dataset):
    def __init__(self, size):
        self.size = size
        self.scale = scaler(3)

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.scale(index)


if __name__ == "__main__":
    print(*DataLoader(Scaled(2), num_workers=1))
""",
    "a factory of closures in another module": """
# file: readers.py
def reader(separator):
    def read(line):  # MPS103 dataset-attribute
        return len(line.split(separator))

    return read
# file: main.py
from torch.utils.data import DataLoader, Dataset

from readers import reader


class Lines(Dataset):
    def __init__(self, lines):
        self.lines = lines
        self.read = reader(",")

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        return self.read(self.lines[index])


if __name__ == "__main__":
    print(*DataLoader(Lines(["a,b", "c"]), num_workers=1))
""",
    "a constructor's parameter": """
from torch.utils.data import DataLoader, Dataset


class Mapped(Dataset):
    def __init__(self, size, transform=None):
        self.size = size
        self.transform = transform

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.transform(index)


if __name__ == "__main__":
    even = Mapped(3, transform=lambda x: 2 * x)  # MPS102 dataset-attribute
    other = Mapped(2, transform=abs)
    print(*DataLoader(even, num_workers=1), *DataLoader(other, num_workers=1))
""",
    "the default of a parameter": """
from torch.utils.data import DataLoader, Dataset


class Filtered(Dataset):
    def __init__(self, values, keep=lambda value: value > 1):  # MPS102 dataset-attribute
        self.values = values
        self.keep = keep

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.keep(self.values[index])


if __name__ == "__main__":
    print(*DataLoader(Filtered([1, 2]), num_workers=1))
""",
    "**kwargs handed on": """
from torch.utils.data import DataLoader, Dataset


class Base(Dataset):
    def __init__(self, size, transform=None):
        self.size = size
        self.transform = transform

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.transform(index)


class Named(Base):
    def __init__(self, name, **kwargs):
        super().__init__(**kwargs)
        self.name = name


if __name__ == "__main__":
    named = Named("train", size=2, transform=lambda x: x + 5)  # MPS102 dataset-attribute
    print(*DataLoader(named, num_workers=1))
""",
    "setattr over **options": """
from torch.utils.data import DataLoader, Dataset


class Optioned(Dataset):
    def __init__(self, size, **options):
        self.size = size
        for name, value in options.items():
            setattr(self, name, value)

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.step(index)


if __name__ == "__main__":
    print(*DataLoader(Optioned(2, step=lambda x: x + 1), num_workers=1))  # MPS102 dataset-attribute
""",
    "setattr": """
from torch.utils.data import DataLoader, Dataset


class Set(Dataset):
    def __init__(self, rows):
        setattr(self, "rows", rows.values())  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return list(self.rows)[index]


if __name__ == "__main__":
    print(*DataLoader(Set({"a": 4, "b": 5}), num_workers=1))
""",
    "self.__dict__.update": """
from torch.utils.data import DataLoader, Dataset


class Updated(Dataset):
    def __init__(self, size):
        self.__dict__.update(size=size, step=lambda x: x + 1)  # MPS102 dataset-attribute

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.step(index)


if __name__ == "__main__":
    print(*DataLoader(Updated(2), num_workers=1))
""",
    "an item of self.__dict__": """
from torch.utils.data import DataLoader, Dataset


class Recorded(Dataset):
    def __init__(self, rows):
        self.rows = rows
        self.__dict__["names"] = rows.keys()  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return sorted(self.names)[index]


if __name__ == "__main__":
    print(*DataLoader(Recorded({"a": 1, "b": 2}), num_workers=1))
""",
    "set from outside": """
from torch.utils.data import DataLoader, Dataset


class Plain(Dataset):
    transform = None

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.transform(index) if self.transform else index


def main():
    train, test = Plain(3), Plain(1)
    train.transform = lambda x: x * 10  # MPS102 dataset-attribute
    for dataset in (train, test):
        print(*DataLoader(dataset, num_workers=1))


if __name__ == "__main__":
    main()
""",
    "a setter method": """
from torch.utils.data import DataLoader, Dataset


class Settable(Dataset):
    def __init__(self, size):
        self.size = size
        self.transform = None

    def set_transform(self, transform):
        self.transform = transform
        return self

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.transform(index)


if __name__ == "__main__":
    dataset = Settable(2).set_transform(lambda x: x + 3)  # MPS102 dataset-attribute
    print(*DataLoader(dataset, num_workers=1))
""",
    "a method that __init__ calls": """
from torch.utils.data import DataLoader, Dataset


class Built(Dataset):
    def __init__(self, table):
        self.table = table
        self._build()

    def _build(self):
        self.order = self.table.keys()  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.table)

    def __getitem__(self, index):
        return self.table[sorted(self.order)[index]]


if __name__ == "__main__":
    print(*DataLoader(Built({"a": 7, "b": 8}), num_workers=1))
""",
    "several assignments on different paths": """
from torch.utils.data import DataLoader, Dataset


class Modes(Dataset):
    def __init__(self, size, mode):
        self.size = size
        if mode == "double":
            self.step = lambda x: 2 * x  # MPS102 dataset-attribute
        elif mode == "shift":
            self.step = lambda x: x + 1  # MPS102 dataset-attribute
        else:
            self.step = abs

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.step(index)


def load(mode):
    return DataLoader(Modes(2, mode), num_workers=1)


if __name__ == "__main__":
    for mode in "double shift none".split():
        print(*load(mode))
""",
    "a closure that captures a view": """
from torch.utils.data import DataLoader, Dataset


class Ranked(Dataset):
    def __init__(self, ranks):
        self.size = len(ranks)
        names = ranks.keys()

        def name(index):  # MPS103 dataset-attribute
            return sorted(names)[index]

        self.name = name

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.name(index)


if __name__ == "__main__":
    print(*DataLoader(Ranked({"a": 1, "b": 2}), num_workers=1))
""",
    "an async task's result": """
import asyncio

from torch.utils.data import DataLoader, Dataset


async def fetch():
    await asyncio.sleep(0)
    return {"a": 1, "b": 2}.keys()  # MPS101 dataset-attribute


class Fetched(Dataset):
    def __init__(self):
        self.names = asyncio.run(fetch())

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return sorted(self.names)[index]


if __name__ == "__main__":
    print(*DataLoader(Fetched(), num_workers=1))
""",
}

BY_A_CLASS = {
    "a base class in another module": """
# file: base.py
from torch.utils.data import Dataset


class Tabular(Dataset):
    def __init__(self, table):
        self.table = table
        self.columns = table.keys()  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.columns)
# file: main.py
from torch.utils.data import DataLoader

import base


class Prices(base.Tabular):
    def __getitem__(self, index):
        return self.table[list(self.columns)[index]]


if __name__ == "__main__":
    print(*DataLoader(Prices({"tea": 3, "oil": 9}), num_workers=1))
""",
    "a chain of bases through a package's __init__": """
# file: bases.py
from torch.utils.data import Dataset as TorchDataset


class Dataset(TorchDataset):
    def __len__(self):
        return 2
# file: common.py
from bases import Dataset


class Common(Dataset):
    pass
# file: main.py
from common import Common
from torch.utils.data import DataLoader


class Special(Common):
    def __init__(self):
        self.step = lambda x: x + 1  # MPS102 dataset-attribute

    def __getitem__(self, index):
        return self.step(index)


if __name__ == "__main__":
    print(*DataLoader(Special(), num_workers=1))
""",
    "super().__init__": """
from torch.utils.data import DataLoader, Dataset


class Base(Dataset):
    def __init__(self, step):
        self.step = step

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.step(index)


class Doubled(Base):
    def __init__(self):
        super().__init__(lambda x: 2 * x)  # MPS102 dataset-attribute


class Plain(Base):
    def __init__(self):
        super().__init__(abs)


if __name__ == "__main__":
    print(*DataLoader(Doubled(), num_workers=1), *DataLoader(Plain(), num_workers=1))
""",
    "a mixin": """
from torch.utils.data import DataLoader, Dataset


class Cached:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.key = lambda index: f"row-{index}"  # MPS102 dataset-attribute


class Rows(Dataset):
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size


class CachedRows(Cached, Rows):
    def __getitem__(self, index):
        return self.key(index)


if __name__ == "__main__":
    print(*DataLoader(CachedRows(2), num_workers=1))
""",
    "a hook of the subclass that the base calls": """
from torch.utils.data import DataLoader, Dataset


class Base(Dataset):
    def __init__(self):
        self.transforms = self.default_transforms()

    def default_transforms(self):
        return []

    def __len__(self):
        return 2

    def __getitem__(self, index):
        for transform in self.transforms:
            index = transform(index)
        return index


class Negative(Base):
    def default_transforms(self):
        return [lambda x: -x]  # MPS102 dataset-attribute


if __name__ == "__main__":
    print(*DataLoader(Negative(), num_workers=1), *DataLoader(Base(), num_workers=1))
""",
    "a dataclass field": """
from dataclasses import dataclass
from typing import Callable

from torch.utils.data import DataLoader, Dataset


@dataclass
class Options:
    size: int
    scale: Callable = lambda x: x * 4  # MPS102 dataset-attribute


class Optional(Dataset):
    def __init__(self, options):
        self.options = options

    def __len__(self):
        return self.options.size

    def __getitem__(self, index):
        return self.options.scale(index)


if __name__ == "__main__":
    print(*DataLoader(Optional(Options(2)), num_workers=1))
""",
    "a default_factory": """
from collections.abc import Callable
from dataclasses import dataclass, field

from torch.utils.data import DataLoader, Dataset


@dataclass
class Pipeline(Dataset):
    size: int
    steps: list[Callable] = field(default_factory=lambda: [abs, lambda x: x + 1])  # MPS102 dataset-attribute

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        for step in self.steps:
            index = step(index)
        return index


if __name__ == "__main__":
    print(*DataLoader(Pipeline(2), num_workers=1))
""",
    "__post_init__": """
from dataclasses import dataclass

from torch.utils.data import DataLoader, Dataset


@dataclass
class Catalogue(Dataset):
    prices: dict

    def __post_init__(self):
        self.names = self.prices.keys()  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return sorted(self.names)[index]


if __name__ == "__main__":
    print(*DataLoader(Catalogue({"tea": 3, "oil": 9}), num_workers=1))
""",
    "an object that it holds": """
from torch.utils.data import DataLoader, Dataset


class Config:
    def __init__(self, ranges):
        self.ranges = ranges
        self.names = ranges.keys()  # MPS101 dataset-attribute


class Scenes(Dataset):
    def __init__(self, config):
        self.config = config

    def __len__(self):
        return len(self.config.ranges)

    def __getitem__(self, index):
        return self.config.ranges[list(self.config.names)[index]]


if __name__ == "__main__":
    print(*DataLoader(Scenes(Config({"car": 50, "bus": 40})), num_workers=1))
""",
    "an object at depth, from another module": """
# file: parts.py
class Rules:
    def __init__(self):
        self.rules = {"even": lambda x: x % 2 == 0}  # MPS102 dataset-attribute


class Checker:
    def __init__(self, rules):
        self.rules = rules

    def check(self, value):
        return self.rules.rules["even"](value)


def make_checkers():
    return [Checker(Rules())]
# file: main.py
from torch.utils.data import DataLoader, Dataset

import parts


class Checked(Dataset):
    def __init__(self, values):
        self.values = values
        self.checkers = parts.make_checkers()

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return all(checker.check(self.values[index]) for checker in self.checkers)


if __name__ == "__main__":
    print(*DataLoader(Checked([1, 2]), num_workers=1))
""",
    "a property of another object": """
from torch.utils.data import DataLoader, Dataset


class Store:
    def __init__(self, rows):
        self._rows = rows

    @property
    def names(self):
        return self._rows.keys()  # MPS101 dataset-attribute


class Named(Dataset):
    def __init__(self, store):
        self.names = store.names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return sorted(self.names)[index]


if __name__ == "__main__":
    print(*DataLoader(Named(Store({"a": 1, "b": 2})), num_workers=1))
""",
    "a registry of classes": """
# file: registry.py
DATASETS = {}


def register(name):
    def decorator(cls):
        DATASETS[name] = cls
        return cls

    return decorator


def build_dataset(config):
    options = dict(config)
    return DATASETS[options.pop("type")](**options)
# file: sets.py
from torch.utils.data import Dataset

from registry import register


@register("toy")
class Toy(Dataset):
    def __init__(self, size):
        self.size = size
        self.step = lambda x: x + 1  # MPS102 dataset-attribute

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.step(index)
# file: main.py
from torch.utils.data import DataLoader

import sets  # noqa: F401
from registry import build_dataset

if __name__ == "__main__":
    print(*DataLoader(build_dataset({"type": "toy", "size": 2}), num_workers=1))
""",
    "an argument that goes through a registry": """
# file: registry.py
class Registry:
    def __init__(self):
        self.classes = {}

    def register(self, cls):
        self.classes[cls.__name__] = cls
        return cls

    def build(self, name, **options):
        return self.classes[name](**options)


TRANSFORMS = Registry()
# file: main.py
from torch.utils.data import DataLoader, Dataset

from registry import TRANSFORMS


@TRANSFORMS.register
class Apply:
    def __init__(self, function):
        self.function = function

    def __call__(self, value):
        return self.function(value)


class Applied(Dataset):
    def __init__(self):
        self.transform = TRANSFORMS.build("Apply", function=lambda x: x + 1)  # MPS102 dataset-attribute

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.transform(index)


if __name__ == "__main__":
    print(*DataLoader(Applied(), num_workers=1))
""",
    "a Compose-like wrapper": """
from torch.utils.data import DataLoader, Dataset


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, value):
        for transform in self.transforms:
            value = transform(value)
        return value


class Images(Dataset):
    def __init__(self, size, transform):
        self.size = size
        self.transform = transform

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.transform(index)


if __name__ == "__main__":
    transform = Compose([abs, Compose([lambda x: x / 2])])  # MPS102 dataset-attribute
    print(*DataLoader(Images(2, transform), num_workers=1))
""",
    "__slots__": """
from torch.utils.data import DataLoader, Dataset


class Record:
    __slots__ = ("fields",)

    def __init__(self, fields):
        self.fields = fields.items()  # MPS101 dataset-attribute


class Records(Dataset):
    def __init__(self):
        self.records = [Record({"a": 1})]

    def __len__(self):
        return len(self.records)

    def __getitem__(self, index):
        return len(self.records[index].fields)


if __name__ == "__main__":
    print(*DataLoader(Records(), num_workers=1))
""",
    "a class made in a function": """
from torch.utils.data import DataLoader, Dataset


def load(size):
    class Local(Dataset):  # MPS206 dataset-attribute
        def __len__(self):
            return size

        def __getitem__(self, index):
            return index

    return DataLoader(Local(), num_workers=1)


if __name__ == "__main__":
    print(*load(2))
""",
    "a named tuple": """
from typing import NamedTuple

from torch.utils.data import DataLoader, Dataset


class Entry(NamedTuple):
    name: str
    keys: object


class Entries(Dataset):
    def __init__(self, tables):
        self.entries = [Entry(name, table.keys()) for name, table in tables.items()]  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.entries)

    def __getitem__(self, index):
        return len(self.entries[index].keys)


if __name__ == "__main__":
    print(*DataLoader(Entries({"a": {"x": 1}}), num_workers=1))
""",
}

AROUND = {
    "a Subset": """
from torch.utils.data import DataLoader, Dataset, Subset


class Numbers(Dataset):
    def __init__(self, size):
        self.size = size
        self.step = lambda x: x + 1  # MPS102 dataset-attribute

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.step(index)


if __name__ == "__main__":
    print(*DataLoader(Subset(Numbers(4), [1, 3]), num_workers=1))
""",
    "a ConcatDataset": """
from torch.utils.data import ConcatDataset, DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self, size, step):
        self.size = size
        self.step = step

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.step(index)


if __name__ == "__main__":
    parts = [Numbers(1, abs), Numbers(2, lambda x: x + 1)]  # MPS102 dataset-attribute
    print(*DataLoader(ConcatDataset(parts), num_workers=1))
""",
    "random_split": """
import torch
from torch.utils.data import DataLoader, Dataset, random_split


class Numbers(Dataset):
    def __init__(self, values):
        self.values = values.values()  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return list(self.values)[index]


if __name__ == "__main__":
    train, _ = random_split(Numbers({"a": 1, "b": 2}), [1, 1], torch.Generator().manual_seed(0))
    print(len(list(DataLoader(train, num_workers=1))))
""",
    "a dataset of its own that wraps another": """
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self):
        self.names = {"a": 1, "b": 2}.keys()  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return sorted(self.names)[index]


class Repeated(Dataset):
    def __init__(self, inner, times):
        self.inner = inner
        self.times = times

    def __len__(self):
        return len(self.inner) * self.times

    def __getitem__(self, index):
        return self.inner[index % len(self.inner)]


if __name__ == "__main__":
    print(*DataLoader(Repeated(Numbers(), 2), num_workers=1))
""",
    "no loader is seen": """
# file: library.py
from torch.utils.data import Dataset


class Numbers(Dataset):
    def __init__(self, table):
        self.names = table.keys()  # MPS101 dataset-attribute

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return sorted(self.names)[index]
# file: main.py
import importlib

from torch.utils.data import DataLoader

if __name__ == "__main__":
    numbers = vars(importlib.import_module("lib" + "rary"))["Numb" + "ers"]
    print(*DataLoader(numbers({"a": 1}), num_workers=1))
""",
    "a loader that is made in a function and read elsewhere": """
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self, step):
        self.step = step

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.step(index)


def make_loader(step, workers):
    return DataLoader(Numbers(step), batch_size=2, num_workers=workers)


class Trainer:
    def __init__(self, workers):
        self.loader = make_loader(lambda x: x + 1, workers)  # MPS102 dataset-attribute

    def fit(self):
        for batch in self.loader:
            print(batch)


if __name__ == "__main__":
    Trainer(1).fit()
""",
    "a keyword dict for the loader": """
from torch.utils.data import DataLoader, Dataset

OPTIONS = dict(batch_size=2, num_workers=1)


class Numbers(Dataset):
    def __init__(self):
        self.step = lambda x: x + 1  # MPS102 dataset-attribute

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.step(index)


if __name__ == "__main__":
    print(*DataLoader(Numbers(), **OPTIONS))
""",
    "num_workers from the command line": """
import argparse

from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self):
        self.step = lambda x: x + 1  # MPS102 dataset-attribute

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.step(index)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    print(*DataLoader(Numbers(), num_workers=args.workers))
""",
}

FILES_OPENED_FIRST = {
    "a file that __init__ opens": """
from torch.utils.data import DataLoader, Dataset


class Lines(Dataset):
    def __init__(self, path):
        self.file = open(path)  # MPS107 dataset-attribute

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return len(self.file.readline())


if __name__ == "__main__":
    print(*DataLoader(Lines(__file__), num_workers=1))
""",
    "what another method stores, of an object that nobody is seen to make": """
from torch.utils.data import DataLoader


class Module:
    def __init__(self, items):
        self.items = items
        self.collate = None

    def setup(self):
        self.collate = lambda batch: batch  # MPS202 dataloader-argument

    def loader(self):
        return DataLoader(self.items, collate_fn=self.collate, num_workers=1)


def run(name):
    module = globals()[name]([1, 2])
    module.setup()
    return list(module.loader())


if __name__ == "__main__":
    print(run("Module"))
""",
    "a lambda that captures what holds another": """
from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    def __init__(self):
        self.read = lambda index: self.items[index]()  # MPS102 dataset-attribute
        self.items = [lambda: self.read]  # MPS102 dataset-attribute

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return len(self.items)


if __name__ == "__main__":
    print(list(DataLoader(Table(), num_workers=1)))
""",
    "a file that __len__ opens": """
from torch.utils.data import DataLoader, Dataset


class Lines(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = None

    def open(self):
        if self.file is None:
            self.file = open(self.path)  # MPS107 dataset-attribute
        return self.file

    def __len__(self):
        self.open().seek(0)
        return min(1, len(self.file.read()))

    def __getitem__(self, index):
        self.open().seek(0)
        return len(self.file.readline())


if __name__ == "__main__":
    print(*DataLoader(Lines(__file__), shuffle=True, num_workers=1))
""",
    "a file that __len__ opens, at the second epoch": """
from torch.utils.data import DataLoader, Dataset


class Lines(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = None

    def open(self):
        if self.file is None:
            self.file = open(self.path)  # MPS107 dataset-attribute
        return self.file

    def __len__(self):
        self.open().seek(0)
        return min(1, len(self.file.read()))

    def __getitem__(self, index):
        self.open().seek(0)
        return len(self.file.readline())


if __name__ == "__main__":
    loader = DataLoader(Lines(__file__), num_workers=1)
    for _ in range(2):
        print(*loader)
""",
    "a file that the parent's code opens": """
from torch.utils.data import DataLoader, Dataset


class Lines(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = None

    def __len__(self):
        return 1

    def __getitem__(self, index):
        if self.file is None:
            self.file = open(self.path)  # MPS107 dataset-attribute
        self.file.seek(0)
        return len(self.file.readline())


if __name__ == "__main__":
    lines = Lines(__file__)
    print("the first:", lines[0])
    print(*DataLoader(lines, num_workers=1))
""",
}

DATASETS = DIRECT | BY_AN_EXPRESSION | BY_A_CALL | BY_A_CLASS | AROUND | FILES_OPENED_FIRST
