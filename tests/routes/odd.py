"""Values that are unlike what their place suggests: kept under keys, cached, given by a parser or a manager."""

WITHOUT_TORCH = {
    "a lambda as a key": """
from multiprocessing import Process


def count(table):
    print(len(table))


def main():
    table = {(lambda: 1): 2}  # MPS202 process-args
    process = Process(target=count, args=(table,))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
""",
    "instances of a local class as keys": """
from multiprocessing import Process


def count(table):
    print(len(table))


def main():
    class Name:  # MPS206 process-args
        pass

    table = {Name(): number for number in range(2)}
    process = Process(target=count, args=(table,))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
""",
    "a method that is cached in the constructor": """
import functools
from multiprocessing import Pool


class Prices:
    def __init__(self, table):
        self.table = table
        self.lookup = functools.lru_cache(maxsize=None)(self._lookup)  # MPS112 pool-task

    def _lookup(self, name):
        return self.table[name]


def cost(job):
    prices, name = job
    return prices.lookup(name)


if __name__ == "__main__":
    prices = Prices({"tea": 2})
    print(prices.lookup("tea"))
    with Pool(1) as pool:
        print(pool.map(cost, [(prices, "tea")]))
""",
    "a cached function under another name": """
import functools
from multiprocessing import Process


def double(number):
    print(2 * number)


quick = functools.cache(double)  # MPS212 process-target

if __name__ == "__main__":
    process = Process(target=quick, args=(2,))
    process.start()
    process.join()
""",
    "a file that a parser opens": """
import argparse
from multiprocessing import Process


def write(args):
    print("written", file=args.log)


def main():
    parser = argparse.ArgumentParser()
    group = parser.add_argument_group("output")
    group.add_argument("-o", "--log", type=argparse.FileType("w"), default="-")
    group.add_argument("--copy-to", type=argparse.FileType("w"), default="/dev/null")  # MPS107 process-args
    args = parser.parse_args([])
    args.log = None
    process = Process(target=write, args=(args,))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
""",
    "what a subcommand's defaults hold": """
import argparse
from multiprocessing import Process


def run(args):
    print(args.function(2))


def main():
    parser = argparse.ArgumentParser()
    parser.add_subparsers().add_parser("double").set_defaults(function=lambda number: 2 * number)  # MPS102 process-args
    process = Process(target=run, args=(parser.parse_args(["double"]),))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
""",
    "parts of a view of memory": """
from multiprocessing import Pool


def main():
    view = memoryview(b"abcdef")  # MPS213 pool-task
    with Pool(1) as pool:
        print(pool.map(len, [view[at : at + 2] for at in range(0, 6, 2)]))


if __name__ == "__main__":
    main()
""",
    "an enum made in a function and named in the main block": """
import enum
from multiprocessing import Process


def levels(names):
    return enum.Enum("Level", names)  # MPS212 process-args


def show(level):
    print(level.name)


if __name__ == "__main__":
    Level = levels("LOW HIGH")
    process = Process(target=show, args=(Level.HIGH,))
    process.start()
    process.join()
    raise SystemExit(process.exitcode)
""",
    "a getter that asks itself inside a try": """
from multiprocessing import Process


class Settings:
    def __init__(self, values):
        self._values = dict(values)

    def __getattr__(self, name):  # MPS214 process-args
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(name) from None


def show(settings):
    print(settings.unit)


if __name__ == "__main__":
    process = Process(target=show, args=(Settings({"unit": "km"}),))
    process.start()
    process.join()
    raise SystemExit(process.exitcode)
""",
    "what a manager's objects are given": """
import threading
from multiprocessing import Manager

if __name__ == "__main__":
    with Manager() as manager:
        manager.dict({"a": 1}).update(lock=threading.Lock())  # MPS208 manager
""",
    "an item of a manager's dict": """
from multiprocessing import Manager


class Store:
    def __init__(self, manager):
        self.items = manager.dict()

    def put(self, key, value):
        self.items[key] = value


if __name__ == "__main__":
    with Manager() as manager:
        Store(manager).put("upper", lambda text: text.upper())  # MPS202 manager
""",
    "an attribute of a manager's namespace": """
from multiprocessing import Manager

if __name__ == "__main__":
    with Manager() as manager:
        manager.Namespace().log = open("/dev/null")  # MPS207 manager
""",
    "a dict that asks for its attributes before it has them": """
from multiprocessing import Process


class Table(dict):
    def __init__(self, columns):
        super().__init__()
        self.columns = columns

    def __setitem__(self, key, value):  # MPS214 process-args
        if key not in self.columns:
            raise KeyError(key)
        super().__setitem__(key, value)


def show(table):
    print(sorted(table))


if __name__ == "__main__":
    table = Table(["a"])
    table["a"] = 1
    process = Process(target=show, args=(table,))
    process.start()
    process.join()
    raise SystemExit(process.exitcode)
""",
    "a method that is put on one object": """
import types
from multiprocessing import Process


class Robot:
    def __init__(self, name):
        self.name = name

    def show(self):
        print(self.name)


def loud(self):  # MPS112 process-target
    return self.name.upper()


def main():
    robot = Robot("r")
    robot.shout = types.MethodType(loud, robot)
    process = Process(target=robot.show)
    process.start()
    process.join()
    raise SystemExit(process.exitcode)


if __name__ == "__main__":
    main()
""",
    "a local function that is decorated": """
import functools
from multiprocessing import Pool


def loud(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)

    return inner


def run(rows, factor=2):
    @loud
    def scale(row):  # MPS203 pool-task
        return row * factor

    with Pool(1) as pool:
        return pool.map(scale, rows)


if __name__ == "__main__":
    print(run([1, 2]))
""",
    "another object hands it over": """
from concurrent.futures import ProcessPoolExecutor


class Model:
    def __init__(self, rows):
        self.observers = []
        self.rows = rows

    def subscribe(self, function):
        self.observers.append(function)

    def total(self):
        return sum(self.rows)


class View:
    def __init__(self, model):
        model.subscribe(lambda event: self.refresh(event))  # MPS102 executor-task

    def refresh(self, event):
        print(event)


if __name__ == "__main__":
    model = Model([1, 2])
    view = View(model)
    with ProcessPoolExecutor(1) as executor:
        print(executor.submit(model.total).result())
""",
}
SILENT = {
    "a process that its own object keeps": """
from multiprocessing import Process, Queue


class Counter:
    def __init__(self, number):
        self.found = Queue()
        self.process = Process(target=self.count, args=(number,))

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *error):
        self.process.join()

    def count(self, number):
        self.found.put(number * 2)


if __name__ == "__main__":
    with Counter(3) as counter:
        print(counter.found.get())
""",
    "a list is made of what is none": """
from multiprocessing import Process


def show(rows):
    print(sorted(rows))


def run(rows):
    if not isinstance(rows, list):
        rows = list(rows)
    process = Process(target=show, args=(rows,))
    process.start()
    process.join()


if __name__ == "__main__":
    run(number for number in range(3))
    run({1: "a"}.keys())
""",
    "a parameter that a dataclass doesn't store": """
from dataclasses import InitVar, dataclass
from multiprocessing import Process


@dataclass
class Scale:
    factor: float = 0
    build: InitVar[object] = None

    def __post_init__(self, build):
        self.factor = build(3)

    def show(self):
        print(self.factor)


if __name__ == "__main__":
    process = Process(target=Scale(build=lambda number: number * 2).show)
    process.start()
    process.join()
""",
    "text with a weight": """
from multiprocessing import Pool


class Tag(str):
    def __new__(cls, value, weight=1):
        tag = super().__new__(cls, value)
        tag.weight = weight
        return tag


def weight(tag):
    return tag, tag.weight


if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.map(weight, [Tag("x", 4)]))
""",
    "a descriptor of the program's own": """
import functools
import pickle
import types


class Available:
    def __init__(self, function, check):
        self.function, self.check = function, check
        functools.update_wrapper(self, function)

    def __get__(self, owner, cls=None):
        return self.function if owner is None else types.MethodType(self.function, owner)


def available_if(check):
    return lambda function: Available(function, check)


class Estimator:
    @available_if(lambda estimator: True)
    def work(self):
        return 1


if __name__ == "__main__":
    print(pickle.loads(pickle.dumps(Estimator().work))())
""",
    "what its own __setattr__ leaves out": """
import weakref
from multiprocessing import Process


class Part:
    def __init__(self, **given):
        for key, value in given.items():
            setattr(self, key, value)

    def __setattr__(self, key, value):
        if key[:1] == "_":
            self.__dict__[key] = weakref.ref(value)
        elif not callable(value):
            object.__setattr__(self, key, value)

    def __getstate__(self):
        return {key: value for key, value in self.__dict__.items() if key[:1] != "_"}

    def show(self):
        print(sorted(self.__dict__))


if __name__ == "__main__":
    whole = Part(name="a")
    process = Process(target=Part(_whole=whole, name="b", made=lambda: 1).show)
    process.start()
    process.join()
""",
    "the lock's place is taken by a word": """
import threading
from multiprocessing import Process


class Store:
    def __init__(self, lock=None):
        self.lock = lock and "locked"

    def show(self):
        print(self.lock)


if __name__ == "__main__":
    process = Process(target=Store(threading.Lock()).show)
    process.start()
    process.join()
""",
    "the groups of a match, or None": """
import re
from multiprocessing import Pool


def parts(line):
    match = re.search(r"(\\d+) (\\w+)", line)
    return match and match.groups()


if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.map(parts, ["3 km", "far"]))
""",
    "a cached function under its own name": """
import functools
from multiprocessing import Pool


@functools.lru_cache(maxsize=None)
def double(number):
    return 2 * number


quick = double

if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.map(quick, [1, 2]))
""",
    "joblib in a block that sets another backend": """
import threading

import joblib


def held(lock):
    with lock:
        return True


if __name__ == "__main__":
    lock = threading.Lock()
    with joblib.parallel_config(backend="threading"):
        print(joblib.Parallel(n_jobs=2)(joblib.delayed(held)(lock) for _ in range(2)))
""",
}
