"""Routes to the workers of pools and executors: tasks, their arguments, initializers, and what tasks give back."""

TASKS = {
    "pool task: a lambda": """
from multiprocessing import Pool

if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.map(lambda n: n * n, [1, 2]))  # MPS202 pool-task
""",
    "pool task: a local function": """
from multiprocessing import Pool


def scale_all(values, factor):
    def scale(value):  # MPS203 pool-task
        return value * factor

    with Pool(1) as p:
        return p.map(scale, values)


if __name__ == "__main__":
    print(scale_all([1, 2], 3))
""",
    "pool task: starmap": """
import multiprocessing

if __name__ == "__main__":
    with multiprocessing.Pool(processes=1) as pool:
        print(pool.starmap(lambda a, b: a + b, [(1, 2)]))  # MPS202 pool-task
""",
    "pool task: imap_unordered": """
import multiprocessing as mp

if __name__ == "__main__":
    with mp.Pool(1) as pool:
        for result in pool.imap_unordered(lambda n: n + 1, range(2)):  # MPS202 pool-task
            print(result)
""",
    "pool task: apply_async": """
from multiprocessing import Pool


def main():
    pool = Pool(1)
    result = pool.apply_async(lambda: 3)  # MPS202 pool-task
    print(result.get())
    pool.close()
    pool.join()


if __name__ == "__main__":
    main()
""",
    "pool task: an argument of apply": """
from multiprocessing import Pool


def count(names):
    return len(names)


if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.apply(count, ({"a": 1}.keys(),)))  # MPS201 pool-task
""",
    "pool task: the items of map": """
from multiprocessing import Pool


def total(values):
    return sum(values)


if __name__ == "__main__":
    tables = [{"a": 1}, {"b": 2, "c": 3}]
    with Pool(1) as pool:
        print(pool.map(total, [table.values() for table in tables]))  # MPS201 pool-task
""",
    "pool task: the items of starmap": """
from multiprocessing import Pool


def apply(function, value):
    return function(value)


if __name__ == "__main__":
    tasks = [(lambda n: n + 1, 1), (abs, -2)]  # MPS202 pool-task
    with Pool(1) as pool:
        print(pool.starmap(apply, tasks))
""",
    "pool task: a partial of an object": """
from functools import partial
from multiprocessing import Pool


class Settings:
    def __init__(self, limits):
        self.limits = limits
        self.names = limits.keys()  # MPS101 pool-task


def check(settings, name):
    return name in settings.names


if __name__ == "__main__":
    settings = Settings({"cpu": 1})
    with Pool(1) as pool:
        print(pool.map(partial(check, settings), ["cpu", "gpu"]))
""",
    "pool task: a method takes the pool along": """
from multiprocessing import Pool


class Resizer:
    def __init__(self):
        self.pool = Pool(1)  # MPS111 pool-task

    def resize(self, n):
        return n // 2

    def run(self):
        results = self.pool.map(self.resize, [4, 6])
        self.pool.close()
        self.pool.join()
        return results


if __name__ == "__main__":
    print(Resizer().run())
""",
    "pool task: a pool that is kept on self": """
from multiprocessing import Pool


class Runner:
    def __init__(self, workers):
        self.pool = Pool(workers)

    def run(self, values):
        return self.pool.map(lambda v: v + 1, values)  # MPS202 pool-task

    def close(self):
        self.pool.close()
        self.pool.join()


if __name__ == "__main__":
    runner = Runner(1)
    print(runner.run([1]))
    runner.close()
""",
    "pool task: a pool in a global": """
from multiprocessing import Pool

POOL = None


def setup():
    global POOL
    POOL = Pool(1)


def run(values):
    return POOL.map(lambda v: v - 1, values)  # MPS202 pool-task


if __name__ == "__main__":
    setup()
    print(run([1, 2]))
    POOL.close()
    POOL.join()
""",
    "pool task: a pool as a parameter": """
from multiprocessing import Pool


def run(pool, values):
    return pool.map(lambda v: v * 5, values)  # MPS202 pool-task


if __name__ == "__main__":
    with Pool(1) as pool:
        print(run(pool, [1]))
""",
    "pool task: a function as a parameter": """
# file: parallel.py
from multiprocessing import Pool


def parallel(function, values, workers=1):
    with Pool(workers) as pool:
        return pool.map(function, values)
# file: main.py
from parallel import parallel

if __name__ == "__main__":
    print(parallel(abs, [-1]), parallel(lambda v: v + 1, [1]))  # MPS202 pool-task
""",
    "pool task: a pool of another module's class": """
# file: engine.py
from multiprocessing import Pool


class Engine:
    def __init__(self, workers=1):
        self._pool = Pool(workers)

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self._pool.close()
        self._pool.join()

    def each(self, function, values):
        return list(self._pool.imap(function, values))
# file: main.py
from engine import Engine

if __name__ == "__main__":
    with Engine() as engine:
        print(engine.each(lambda v: v * 2, [1, 2]))  # MPS202 pool-task
""",
    "pool task: a module-level lambda": """
from multiprocessing import Pool

halve = lambda n: n / 2  # MPS202 pool-task

if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.map(halve, [2]))
""",
    "pool task: a queue": """
from multiprocessing import Pool, Queue


def fill(queue):
    queue.put(1)


if __name__ == "__main__":
    queue = Queue()  # MPS211 pool-task
    with Pool(1) as pool:
        print(pool.apply(fill, (queue,)))
""",
    "pool task: a Lock": """
from multiprocessing import Lock, Pool


def work(lock, n):
    with lock:
        return n


if __name__ == "__main__":
    lock = Lock()  # MPS211 pool-task
    with Pool(1) as pool:
        print(pool.starmap(work, [(lock, 1)]))
""",
    "executor task: submit": """
from concurrent.futures import ProcessPoolExecutor

if __name__ == "__main__":
    with ProcessPoolExecutor(1) as executor:
        print(executor.submit(lambda: 1).result())  # MPS202 executor-task
""",
    "executor task: an argument of submit": """
from concurrent.futures import ProcessPoolExecutor, as_completed


def total(values, scale):
    return sum(values) * scale


if __name__ == "__main__":
    tables = {"x": {"a": 1}, "y": {"b": 2}}
    with ProcessPoolExecutor(max_workers=1) as executor:
        futures = [executor.submit(total, table.values(), scale=2) for table in tables.values()]  # MPS201 executor-task
        print(sorted(future.result() for future in as_completed(futures)))
""",
    "executor task: map": """
from concurrent.futures import ProcessPoolExecutor


def main():
    def work(n):  # MPS203 executor-task
        return n + 1

    with ProcessPoolExecutor(1) as executor:
        print(list(executor.map(work, range(2))))


if __name__ == "__main__":
    main()
""",
    "executor task: an executor that is kept on self": """
import concurrent.futures


class Service:
    def __init__(self):
        self.executor = concurrent.futures.ProcessPoolExecutor(1)

    def ask(self, question):
        return self.executor.submit(lambda: question.upper()).result()  # MPS202 executor-task

    def close(self):
        self.executor.shutdown()


if __name__ == "__main__":
    service = Service()
    print(service.ask("why"))
    service.close()
""",
    "executor task: a method takes a lock along": """
import threading
from concurrent.futures import ProcessPoolExecutor


class Counter:
    def __init__(self):
        self.lock = threading.Lock()  # MPS108 executor-task
        self.total = 0

    def count(self, n):
        return n + 1

    def run(self):
        with ProcessPoolExecutor(1) as executor:
            return list(executor.map(self.count, [1, 2]))


if __name__ == "__main__":
    print(Counter().run())
""",
    "executor task: run_in_executor": """
import asyncio
from concurrent.futures import ProcessPoolExecutor


async def main():
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(1) as pool:
        print(await loop.run_in_executor(pool, lambda: 2))  # MPS202 executor-task


if __name__ == "__main__":
    asyncio.run(main())
""",
    "executor task: an argument of run_in_executor": """
import asyncio
from concurrent.futures import ProcessPoolExecutor


def longest(names):
    return max(names, key=len)


async def main(table):
    loop = asyncio.get_event_loop()
    with ProcessPoolExecutor(1) as pool:
        print(await loop.run_in_executor(pool, longest, table.keys()))  # MPS201 executor-task


if __name__ == "__main__":
    asyncio.run(main({"a": 1, "bb": 2}))
""",
}

INITIALIZERS = {
    "pool initializer: a lambda": """
from multiprocessing import Pool


def square(n):
    return n * n


if __name__ == "__main__":
    with Pool(1, initializer=lambda: None) as pool:  # MPS202 pool-initializer
        print(pool.map(square, [2]))
""",
    "pool initializer: initargs": """
from multiprocessing import Pool

KNOWN = set()


def setup(names):
    KNOWN.update(names)


def known(name):
    return name in KNOWN


if __name__ == "__main__":
    table = {"a": 1}
    with Pool(1, setup, (table.keys(),)) as pool:  # MPS201 pool-initializer
        print(pool.map(known, ["a", "b"]))
""",
    "executor initializer: a local function": """
from concurrent.futures import ProcessPoolExecutor


def square(n):
    return n * n


def main(level):
    def setup():  # MPS203 executor-initializer
        print("level", level, flush=True)

    with ProcessPoolExecutor(1, initializer=setup) as executor:
        print(list(executor.map(square, [3])))


if __name__ == "__main__":
    main(2)
""",
    "executor initializer: initargs": """
from concurrent.futures import ProcessPoolExecutor

FORM = None


def setup(form):
    global FORM
    FORM = form


def show(n):
    return FORM(n)


if __name__ == "__main__":
    initargs = (lambda n: f"#{n}",)  # MPS202 executor-initializer
    with ProcessPoolExecutor(1, initializer=setup, initargs=initargs) as pool:
        print(list(pool.map(show, [1])))
""",
}

RESULTS = {
    "result: a view": """
from multiprocessing import Pool


def count(text):
    counts = {}
    for letter in text:
        counts[letter] = counts.get(letter, 0) + 1
    return counts.items()  # MPS201 result


if __name__ == "__main__":
    with Pool(1) as pool:
        print([sorted(pairs) for pairs in pool.map(count, ["abb"])])
""",
    "result: a generator function as a task": """
from concurrent.futures import ProcessPoolExecutor


def halves(n):
    while n:
        yield n
        n //= 2


if __name__ == "__main__":
    with ProcessPoolExecutor(1) as executor:
        print(list(executor.submit(halves, 4).result()))  # MPS204 result
""",
    "result: a lambda of a helper": """
from concurrent.futures import ProcessPoolExecutor


def adder(n):
    return lambda m: m + n  # MPS202 result


def fit(n):
    return {"n": n, "predict": adder(n)}


if __name__ == "__main__":
    with ProcessPoolExecutor(1) as executor:
        print([model["predict"](1) for model in executor.map(fit, [1, 2])])
""",
    "result: an attribute of an object": """
from multiprocessing import Pool


class Summary:
    def __init__(self, counts):
        self.words = counts.keys()  # MPS101 result


def summarise(text):
    return Summary(dict.fromkeys(text.split()))


if __name__ == "__main__":
    with Pool(1) as pool:
        print(sorted(pool.apply(summarise, ("b a b",)).words))
""",
    "result: an exception that can't be rebuilt": """
from concurrent.futures import ProcessPoolExecutor


class BadRow(Exception):
    def __init__(self, row, column):
        super().__init__(f"row {row}, column {column}")  # MPS214 result


def parse(row):
    raise BadRow(row, 3)


if __name__ == "__main__":
    with ProcessPoolExecutor(1) as executor:
        try:
            executor.submit(parse, 1).result()
        except BadRow as error:
            print(error)
""",
    "result: an exception that hangs a pool": """
from multiprocessing import Pool


class BadRow(Exception):
    def __init__(self, row, column):
        super().__init__(f"row {row}, column {column}")  # MPS214 result


def parse(row):
    raise BadRow(row, 3)


if __name__ == "__main__":
    with Pool(1) as pool:
        try:
            pool.apply(parse, (1,))
        except BadRow as error:
            print(error)
""",
}

POOLS = TASKS | INITIALIZERS | RESULTS
