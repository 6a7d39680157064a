"""What looks like a fault and is none: it doesn't cross, or it pickles."""

WITHOUT_TORCH = {
    "an item of the environment": """
import os
from multiprocessing import Process


class Client:
    def __init__(self, home=None):
        self.home = os.environ["HOME"] if home is None else home

    def start(self):
        process = Process(target=self.run)
        process.start()
        process.join()

    def run(self):
        print(type(self.home))


if __name__ == "__main__":
    Client().start()
""",
    "a function that captures an object that holds a function": """
import cloudpickle


class Node:
    def __init__(self):
        self.read = lambda: self.items
        self.items = [lambda: self.read]


if __name__ == "__main__":
    print(len(cloudpickle.dumps(Node())) > 0)
""",
    "a thread beside the process, with the queue that suits it": """
import multiprocessing
import queue
import sys
import threading


class Uploader:
    def __init__(self, in_processes):
        if in_processes:
            context = multiprocessing.get_context("spawn")
            self.queue, self.kind = context.Queue(), context.Process
        else:
            self.queue, self.kind = queue.Queue(), threading.Thread

    def run(self):
        workers = [self.kind(target=upload, kwargs={"queue": self.queue}) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()


def upload(queue):
    print("up")


if __name__ == "__main__":
    Uploader("--processes" in sys.argv).run()
""",
    "a test that it fails, and a try": """
import pickle
from contextlib import suppress


def is_picklable(value):
    try:
        pickle.dumps(lambda: value)
    except Exception:
        return False
    return True


if __name__ == "__main__":
    print(is_picklable(1))
    with suppress(Exception):
        pickle.dumps({}.keys())
""",
    "isinstance keeps it here": """
import sys
import threading
from multiprocessing import Process


def show(name):
    print(name)


def send(name):
    if isinstance(name, str):
        process = Process(target=show, args=(name,))
        process.start()
        process.join()


if __name__ == "__main__":
    send(threading.Lock() if "--lock" in sys.argv else "ann")
""",
    "a property that gives an attribute, and is asked first": """
import sys
from multiprocessing import Process


class Plain:
    def __init__(self, use):
        self.use = use
        self._system = None

    @property
    def system(self):
        if self._system is None and self.use:
            self._system = sys
        return self._system

    def __getstate__(self):
        if self.system is None:
            return self.__dict__
        return {**self.__dict__, "_system": None}


def show(plain):
    print(plain.system is sys)


if __name__ == "__main__":
    for use in (True, False):
        process = Process(target=show, args=(Plain(use),))
        process.start()
        process.join()
""",
    "a hook that asks for what need not be there": """
from multiprocessing import Process


class Traced:
    def __init__(self):
        self.trace = lambda: 1

    def __getstate__(self):
        kept = {name: getattr(self, name) for name in getattr(self, "__slots__", [])}
        return {"kept": kept, "doc": self.__doc__, "module": self.__module__}


def show(traced):
    print(type(traced))


if __name__ == "__main__":
    process = Process(target=show, args=(Traced(),))
    process.start()
    process.join()
""",
    "what __init_subclass__ gives the class": """
import pickle


class Service:
    def __init_subclass__(cls):
        cls.maker = staticmethod(lambda: cls())

    def send(self):
        return pickle.dumps(self)


class Logger(Service):
    pass


if __name__ == "__main__":
    print(len(Logger().send()) > 0)
""",
    "a property of the metaclass": """
import pickle


class Register(type):
    @property
    def family(cls):
        return cls.__name__


class Task(metaclass=Register):
    @property
    def family(self):
        return self.__class__.family

    def send(self):
        self.name = self.family
        return pickle.dumps(self)


if __name__ == "__main__":
    print(len(Task().send()) > 0)
""",
    "a list of the keys": """
from multiprocessing import Process


def report(names, pairs):
    print(names, pairs)


if __name__ == "__main__":
    ages = {"ann": 3}
    process = Process(target=report, args=(list(ages.keys()), tuple(ages.items())))
    process.start()
    process.join()
""",
    "views that are consumed at once": """
from multiprocessing import Pool


class Table:
    def __init__(self, rows):
        self.names = sorted(rows.keys())
        self.total = sum(rows.values())
        self.text = ",".join(rows.keys())
        self.first = next(iter(rows.values()))
        self.pairs = {key: value for key, value in rows.items()}
        self.size = len(rows.keys())
        self.has_a = "a" in rows.keys()


def show(table):
    return table.total


if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.map(show, [Table({"a": 1})]))
""",
    "the iterable of map": """
from multiprocessing import Pool


def double(n):
    return 2 * n


if __name__ == "__main__":
    counts = {"a": 1, "b": 2}
    with Pool(1) as pool:
        print(pool.map(double, counts.values()), pool.map(double, (n for n in range(2))))
        print(list(pool.imap(double, counts.values())), pool.starmap(max, {1: 2}.items()))
""",
    "callback and error_callback": """
from multiprocessing import Pool


def double(n):
    return 2 * n


def main():
    results = []
    with Pool(1) as pool:
        pool.apply_async(double, (1,), callback=lambda r: results.append(r), error_callback=lambda e: print(e)).wait()
        pool.map_async(double, [1, 2], callback=lambda r: results.extend(r)).wait()
    print(results)


if __name__ == "__main__":
    main()
""",
    "a future's callback": """
from concurrent.futures import ProcessPoolExecutor


def double(n):
    return 2 * n


if __name__ == "__main__":
    with ProcessPoolExecutor(1) as executor:
        executor.submit(double, 2).add_done_callback(lambda future: print(future.result()))
""",
    "a pool of threads": """
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.dummy import Pool as DummyPool
from multiprocessing.pool import ThreadPool

if __name__ == "__main__":
    with ThreadPool(1) as pool:
        print(pool.map(lambda n: n + 1, [1]))
    with DummyPool(1) as pool:
        print(pool.map(lambda n: n + 1, [1]))
    with ThreadPoolExecutor(1) as executor:
        print(list(executor.map(lambda n: n + 1, [1])), executor.submit(lambda: 2).result())
""",
    "run_in_executor with threads": """
import asyncio
from concurrent.futures import ThreadPoolExecutor


async def main():
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, lambda: 1))
    with ThreadPoolExecutor() as pool:
        print(await loop.run_in_executor(pool, lambda: 2))


if __name__ == "__main__":
    asyncio.run(main())
""",
    "a Process of the program's own": """
class Process:
    def __init__(self, target, args=()):
        self.target, self.args = target, args

    def start(self):
        self.target(*self.args)


class Pool:
    def map(self, function, values):
        return [function(value) for value in values]


if __name__ == "__main__":
    Process(target=lambda n: print(n), args=(1,)).start()
    print(Pool().map(lambda n: n + 1, [1]))
""",
    "a Pool of the program's own, in another module": """
# file: workers.py
class Pool:
    def __init__(self, size):
        self.size = size

    def map(self, function, values):
        return list(map(function, values))
# file: main.py
from workers import Pool

if __name__ == "__main__":
    pool = Pool(2)
    print(pool.map(lambda n: n + 1, [1]))
""",
    "a map of something that is no pool": """
class Frame:
    def __init__(self, values):
        self.values = values

    def apply(self, function):
        return Frame([function(value) for value in self.values])

    map = apply


if __name__ == "__main__":
    print(Frame([1]).apply(lambda n: n + 1).map(lambda n: n * 2).values)
""",
    "a lambda of the class": """
from multiprocessing import Process


class Worker(Process):
    scale = lambda self, n: n * 2
    key = staticmethod(lambda n: -n)

    def run(self):
        print(self.scale(2), self.key(3))


if __name__ == "__main__":
    worker = Worker()
    worker.start()
    worker.join()
""",
    "what __getstate__ leaves out": """
import threading
from multiprocessing import Pool


class Counter:
    def __init__(self, names):
        self.names = names
        self.lock = threading.Lock()
        self.key = lambda name: len(name)
        self.order = names.keys()

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["lock"]
        state.pop("key")
        state["order"] = None
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.lock = threading.Lock()


def count(counter):
    with counter.lock:
        return len(counter.names)


if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.map(count, [Counter({"a": 1})]))
""",
    "what __getstate__ doesn't take": """
from multiprocessing import Pool


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
        self.norm = lambda: abs(x) + abs(y)

    def __getstate__(self):
        return {"x": self.x, "y": self.y}


class Cached(Point):
    def __getstate__(self):
        return {key: value for key, value in self.__dict__.items() if key != "norm"}


def show(point):
    return point.x


if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.map(show, [Point(1, 2), Cached(3, 4)]))
""",
    "what __reduce__ leaves out": """
from multiprocessing import Pool


class Table:
    def __init__(self, path):
        self.path = path
        self.read = lambda: path.upper()

    def __reduce__(self):
        return (Table, (self.path,))


def read(table):
    return table.read()


if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.apply(read, (Table("a"),)))
""",
    "what copyreg registers": """
import copyreg
from multiprocessing import Pool


class Handle:
    def __init__(self, name):
        self.name = name
        self.open = lambda: name


def reduce_handle(handle):
    return Handle, (handle.name,)


copyreg.pickle(Handle, reduce_handle)


def use(handle):
    return handle.open()


if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.apply(use, (Handle("h"),)))
""",
    "a context of fork that the program asks for": """
import multiprocessing


def main():
    context = multiprocessing.get_context("fork")
    process = context.Process(target=lambda: print("child"), args=())
    process.start()
    process.join()


if __name__ == "__main__":
    main()
""",
    "set_start_method('fork')": """
import multiprocessing as mp

if __name__ == "__main__":
    mp.set_start_method("fork", force=True)
    process = mp.Process(target=lambda: print("child"))
    process.start()
    process.join()
""",
    "an executor with a context of fork": """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

NAMES = set()


def known(name):
    return name in NAMES


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(1, context, initializer=lambda: NAMES.add("a")) as executor:
        print(list(executor.map(known, ["a"])))
""",
    "what the worker makes itself": """
from multiprocessing import Process


class Worker(Process):
    def __init__(self, table):
        super().__init__()
        self.table = table

    def run(self):
        self.names = self.table.keys()
        self.key = lambda name: self.table[name]
        print(max(self.names, key=self.key))


if __name__ == "__main__":
    worker = Worker({"a": 1, "b": 2})
    worker.start()
    worker.join()
""",
    "a lambda that a task uses": """
from concurrent.futures import ProcessPoolExecutor


def best(rows):
    score = lambda row: row[1]
    view = dict(rows).keys()
    return max(rows, key=score)[0], len(view)


if __name__ == "__main__":
    with ProcessPoolExecutor(1) as executor:
        print(executor.submit(best, [("a", 1), ("b", 2)]).result())
""",
    "views of other mappings": """
from collections import ChainMap, UserDict
from collections.abc import Mapping
from multiprocessing import Process


class Frozen(Mapping):
    def __init__(self, items):
        self._items = dict(items)

    def __getitem__(self, key):
        return self._items[key]

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)


def show(*views):
    print([sorted(view) for view in views])


if __name__ == "__main__":
    views = (UserDict(a=1).keys(), ChainMap({"b": 2}).values(), Frozen({"c": 3}).items())
    process = Process(target=show, args=views)
    process.start()
    process.join()
""",
    "a socket as an argument": """
import socket
from multiprocessing import Process


def greet(connection):
    connection.sendall(b"hello")


if __name__ == "__main__":
    here, there = socket.socketpair()
    process = Process(target=greet, args=(there,))
    process.start()
    print(here.recv(5))
    process.join()
""",
    "a Queue and a Lock as arguments of a process": """
from multiprocessing import Lock, Process, Queue


class Worker(Process):
    def __init__(self, queue, lock):
        super().__init__()
        self.queue, self.lock = queue, lock

    def run(self):
        with self.lock:
            self.queue.put(2)


def work(queue, lock):
    with lock:
        queue.put(1)


if __name__ == "__main__":
    queue, lock = Queue(), Lock()
    for process in (Process(target=work, args=(queue, lock)), Worker(queue, lock)):
        process.start()
        print(queue.get())
        process.join()
""",
    "a Queue and a Lock as initargs": """
import multiprocessing

LOCK = QUEUE = None


def setup(lock, queue):
    global LOCK, QUEUE
    LOCK, QUEUE = lock, queue


def work(n):
    with LOCK:
        QUEUE.put(n)
    return n


if __name__ == "__main__":
    queue = multiprocessing.SimpleQueue()
    with multiprocessing.Pool(1, setup, (multiprocessing.Lock(), queue)) as pool:
        print(pool.map(work, [1]), queue.get())
""",
    "a view where a Manager is used": """
from multiprocessing import Manager, Process


def show(names, shared):
    shared.append(len(names))


if __name__ == "__main__":
    with Manager() as manager:
        shared = manager.list()
        process = Process(target=show, args=({"a": 1}.keys(), shared))
        process.start()
        process.join()
        print(list(shared))
""",
    "joblib sends lambdas": """
from joblib import Parallel, delayed

if __name__ == "__main__":
    names = {"a": 1}.keys()
    print(Parallel(n_jobs=2)(delayed(lambda n: (n, sorted(names)))(n) for n in range(2)))
""",
    "joblib with threads": """
from threading import Lock

from joblib import Parallel, delayed


def work(lock, n):
    with lock:
        return n


if __name__ == "__main__":
    lock = Lock()
    print(Parallel(n_jobs=2, prefer="threads")(delayed(work)(lock, n) for n in range(2)))
""",
    "a partial of a function of the module": """
import operator
from functools import partial
from multiprocessing import Pool


def power(exponent, base):
    return base**exponent


class Adder:
    def __init__(self, n):
        self.n = n

    def __call__(self, m):
        return self.n + m

    def add(self, m):
        return self.n + m

    @staticmethod
    def one(m):
        return m + 1

    @classmethod
    def make(cls, m):
        return cls(m).n


if __name__ == "__main__":
    with Pool(1) as pool:
        for function in (partial(power, 2), Adder(1), Adder(2).add, Adder.one, Adder.make, operator.neg, str.upper):
            print(pool.map(function, ["x"] if function is str.upper else [3]))
""",
    "a decorator with functools.wraps": """
import functools
from multiprocessing import Pool


def traced(function):
    @functools.wraps(function)
    def wrapper(*args):
        return "traced", function(*args)

    return wrapper


@traced
def double(n):
    return 2 * n


@functools.lru_cache(maxsize=None)
def triple(n):
    return 3 * n


if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.map(double, [1]), pool.map(triple, [1]))
""",
    "iterators of builtins": """
from multiprocessing import Process


def show(*iterators):
    print([list(iterator) for iterator in iterators])


if __name__ == "__main__":
    names = ["b", "a"]
    args = (map(str, [1]), filter(None, [0, 1]), zip(names, names), enumerate(names), reversed(names), iter(names))
    process = Process(target=show, args=args)
    process.start()
    process.join()
""",
    "classes that pickle": """
import enum
from collections import namedtuple
from dataclasses import dataclass, field
from multiprocessing import Process

Point = namedtuple("Point", "x y")


class Colour(enum.Enum):
    RED = 1


@dataclass(frozen=True)
class Options:
    colour: Colour
    names: list = field(default_factory=lambda: ["a"])


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


def show(*values):
    print(len(values))


if __name__ == "__main__":
    process = Process(target=show, args=(Point(1, 2), Options(Colour.RED), Slotted(3), Colour, Options))
    process.start()
    process.join()
""",
    "an exception with its arguments": """
from concurrent.futures import ProcessPoolExecutor


class BadRow(Exception):
    def __init__(self, row, column):
        super().__init__(row, column)
        self.row = row


def parse(row):
    raise BadRow(row, 3)


if __name__ == "__main__":
    with ProcessPoolExecutor(1) as executor:
        try:
            executor.submit(parse, 1).result()
        except BadRow as error:
            print(error)
""",
    "an exception that the task catches": """
from multiprocessing import Pool


class BadRow(Exception):
    def __init__(self, row, column):
        super().__init__(f"row {row}, column {column}")


def check(row):
    raise BadRow(row, 3)


def parse(row):
    try:
        check(row)
    except BadRow as error:
        return str(error)


if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.map(parse, [1]))
""",
    "the parent puts, the parent gets": """
import queue
import threading

if __name__ == "__main__":
    tasks = queue.Queue()
    thread = threading.Thread(target=lambda: print(tasks.get()()))
    thread.start()
    tasks.put(lambda: "done")
    thread.join()
""",
    "a lambda on a queue of another library": """
from collections import deque

if __name__ == "__main__":
    waiting = deque()
    waiting.append(lambda: print("later"))
    waiting.pop()()
""",
    "a lambda that is called before": """
from multiprocessing import Process


def show(text):
    print(text)


if __name__ == "__main__":
    form = lambda n: f"<{n}>"
    process = Process(target=show, args=(form(1),))
    process.start()
    process.join()
""",
    "replaced before the start": """
from multiprocessing import Process


class Worker(Process):
    def __init__(self, table):
        super().__init__()
        self.names = table.keys()
        self.names = list(self.names)
        self.check = lambda: None
        del self.check

    def run(self):
        print(self.names)


if __name__ == "__main__":
    worker = Worker({"a": 1})
    worker.start()
    worker.join()
""",
}

WITH_TORCH = {
    "datasets that are the values of a dict": """
from torch.utils.data import ConcatDataset, DataLoader

if __name__ == "__main__":
    parts = {"train": [1, 2], "test": [3]}
    print(len(list(DataLoader(ConcatDataset(parts.values()), num_workers=1))))
""",
    "a file that __len__ opens when the workers were started": """
from torch.utils.data import DataLoader, Dataset


class Lines(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = None

    def open(self):
        if self.file is None:
            self.file = open(self.path)
        return self.file

    def __len__(self):
        self.open().seek(0)
        return min(1, len(self.file.read()))

    def __getitem__(self, index):
        self.open().seek(0)
        return len(self.file.readline())


if __name__ == "__main__":
    print(*DataLoader(Lines(__file__), num_workers=1))
""",
    "a lambda of a Dataset's class": """
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    step = lambda self, x: x + 1
    steps = [lambda x: x * 2]

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.steps[0](self.step(index))


if __name__ == "__main__":
    print(*DataLoader(Numbers(), num_workers=1))
""",
    "views made in the worker": """
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows
        self.names = None

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        if self.names is None:
            self.names = self.rows.keys()
            self.first = lambda: next(iter(self.names))
        return self.rows[self.first()] + index


if __name__ == "__main__":
    print(*DataLoader(Rows({"a": 1, "b": 2}), num_workers=1))
""",
    "a file that is opened in the worker": """
from torch.utils.data import DataLoader, Dataset


class Lines(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = None

    def __len__(self):
        return 1

    def __getitem__(self, index):
        if self.file is None:
            self.file = open(self.path)
        return len(self.file.readline())


if __name__ == "__main__":
    print(*DataLoader(Lines(__file__), num_workers=1))
""",
    "a loader without workers": """
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self):
        self.step = lambda x: x + 1

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.step(index)


if __name__ == "__main__":
    print(*DataLoader(Numbers()), *DataLoader(Numbers(), num_workers=0, collate_fn=lambda items: items))
""",
    "a loader without workers, round a Subset": """
from torch.utils.data import ConcatDataset, DataLoader, Dataset, Subset


class Numbers(Dataset):
    def __init__(self):
        self.step = lambda x: x + 1

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.step(index)


class Doubled(Dataset):
    def __init__(self, source):
        self.source = source
        self.double = lambda x: 2 * x

    def __len__(self):
        return len(self.source)

    def __getitem__(self, index):
        return self.double(self.source[index])


if __name__ == "__main__":
    print(*DataLoader(ConcatDataset([Subset(Doubled(Numbers()), [1])])))
""",
    "a view that __getitem__ returns to a collate function": """
from torch.utils.data import DataLoader, Dataset


def collate(items):
    return [sorted(item) for item in items]


class Records(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return {"a": index, "b": 0}.keys()


if __name__ == "__main__":
    print(*DataLoader(Records(), num_workers=1, collate_fn=collate))
""",
    "a context of fork for a loader": """
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self):
        self.step = lambda x: x + 1

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.step(index)


if __name__ == "__main__":
    print(*DataLoader(Numbers(), num_workers=1, multiprocessing_context="fork"))
""",
    "a class that only sounds like a Dataset": """
from torch.utils.data import DataLoader


class Dataset:
    def __init__(self, rows):
        self.names = rows.keys()
        self.key = lambda name: rows[name]

    def values(self):
        return [self.key(name) for name in self.names]


if __name__ == "__main__":
    print(*DataLoader(Dataset({"a": 1}).values(), num_workers=1))
""",
    "what __getstate__ of a Dataset leaves out": """
import threading

from torch.utils.data import DataLoader, Dataset


class Guarded(Dataset):
    def __init__(self, rows):
        self.rows = rows
        self.lock = threading.Lock()

    def __getstate__(self):
        return {**self.__dict__, "lock": None}

    def __setstate__(self, state):
        self.__dict__ = state
        self.lock = threading.Lock()

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        with self.lock:
            return self.rows[index]


if __name__ == "__main__":
    print(*DataLoader(Guarded([1, 2]), num_workers=1))
""",
    "a sampler and its generator": """
import torch
from torch.utils.data import DataLoader, Sampler


class Backwards(Sampler):
    def __init__(self, size):
        self.size = size
        self.order = lambda: range(size)[::-1]

    def __len__(self):
        return self.size

    def __iter__(self):
        return iter(self.order())


if __name__ == "__main__":
    print(*DataLoader([1, 2], sampler=Backwards(2), generator=torch.Generator(), num_workers=1))
""",
    "one caller's lambda, another caller's loader": """
from torch.utils.data import DataLoader, Dataset


class Mapped(Dataset):
    def __init__(self, step):
        self.step = step

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.step(index)


def double(x):
    return 2 * x


if __name__ == "__main__":
    print(*DataLoader(Mapped(double), num_workers=1))
    local = Mapped(double)
    local.step = lambda x: x
    local.step = double
    print(*DataLoader(local, num_workers=1))
""",
}
