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
}
SILENT = {
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
