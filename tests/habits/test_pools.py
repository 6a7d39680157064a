"""Pools and executors: lost errors (MPS309), use after the end (MPS310), pools opened too early (MPS311)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import check

LOST = {
    "a list of results that nobody reads": """
        from multiprocessing import Pool

        def store(name):
            return {"jam": 1}[name]

        def main():
            pool = Pool(2)
            results = []
            for name in ["jam", "honey"]:
                results.append(pool.apply_async(store, (name,)))  # MPS309
            pool.close()
            pool.join()
            print("stored")

        if __name__ == "__main__":
            main()
        """,
    "a callback hears of results alone": """
        from multiprocessing import Pool

        def store(name):
            return {"jam": 1}[name]

        if __name__ == "__main__":
            pool = Pool(2)
            pool.map_async(store, ["jam", "honey"], callback=print)  # MPS309
            pool.close()
            pool.join()
        """,
    "an imap that nobody reads": """
        from multiprocessing import Pool

        def store(name):
            print({"jam": 1}[name])

        def main():
            with Pool(2) as pool:
                done = pool.imap(store, ["jam", "honey"])  # MPS309
                pool.close()
                pool.join()

        if __name__ == "__main__":
            main()
        """,
    "an executor kept in an object": """
        from concurrent.futures import ProcessPoolExecutor

        def store(name):
            return {"jam": 1}[name]

        class Cellar:
            def __init__(self):
                self.executor = ProcessPoolExecutor(2)

            def add(self, name):
                self.executor.submit(store, name)  # MPS309

            def close(self):
                self.executor.shutdown()

        if __name__ == "__main__":
            cellar = Cellar()
            cellar.add("jam")
            cellar.close()
        """,
    "a function of another file waits": """
        from concurrent.futures import ProcessPoolExecutor
        from waiting import wait_for

        def store(name):
            return {"jam": 1}[name]

        def main():
            with ProcessPoolExecutor(2) as executor:
                wait_for([executor.submit(store, name) for name in ["jam", "honey"]])

        if __name__ == "__main__":
            main()
        # file: waiting.py
        def wait_for(futures):
            for future in futures:
                future.result()
        """,
    "results that are asked for": """
        from concurrent.futures import ProcessPoolExecutor, as_completed
        from multiprocessing import Pool

        def store(name):
            return {"jam": 1}[name]

        def by_get(pool):
            results = [pool.apply_async(store, (name,)) for name in ["jam", "honey"]]
            return [result.get() for result in results]

        def by_dict(pool):
            results = {name: pool.apply_async(store, (name,)) for name in ["jam", "honey"]}
            for name, result in results.items():
                print(name, result.get())

        def by_iteration(pool):
            for place in pool.imap_unordered(store, ["jam"]):
                print(place)

        def by_completion(executor):
            futures = [executor.submit(store, "jam")]
            for future in as_completed(futures):
                print(future.result())

        def by_callback(executor):
            executor.submit(store, "jam").add_done_callback(print)

        if __name__ == "__main__":
            with Pool(2) as pool:
                by_get(pool)
                by_dict(pool)
                by_iteration(pool)
                pool.apply_async(store, ("honey",), error_callback=print)
            with ProcessPoolExecutor(2) as executor:
                by_completion(executor)
                by_callback(executor)
        """,
    "a result that is handed out": """
        from multiprocessing import Pool

        def store(name):
            return {"jam": 1}[name]

        def begin(pool, name):
            return pool.apply_async(store, (name,))

        class Cellar:
            def __init__(self):
                self.pool = Pool(2)
                self.results = []

            def add(self, name):
                self.results.append(self.pool.apply_async(store, (name,)))

            def give(self, name, box):
                box.append(self.pool.apply_async(store, (name,)))

            def send(self, name, channel):
                channel.last = self.pool.apply_async(store, (name,))
        """,
    "a task that tells every error, and what it returns": """
        import logging
        from multiprocessing import Pool

        def store(name):
            stored = ()
            try:
                stored = {"jam": 1}[name]
            except Exception as error:
                logging.exception(error)
                raise
            return name, stored

        def send(name):
            try:
                print({"jam": 1}[name])
            except Exception as error:
                raise ValueError(name) from error

        if __name__ == "__main__":
            with Pool(2) as pool:
                pool.apply_async(store, ("jam",))
                pool.apply_async(send, ("jam",))  # MPS309
                pool.close()
                pool.join()
        """,
    "a task that catches every error": """
        from multiprocessing import Pool

        def store(name):
            try:
                print({"jam": 1}[name])
            except Exception as error:
                print("failed", error)

        if __name__ == "__main__":
            with Pool(2) as pool:
                pool.apply_async(store, ("jam",))
                pool.close()
                pool.join()
        """,
    "threads": """
        from concurrent.futures import ThreadPoolExecutor
        from multiprocessing.pool import ThreadPool

        def store(name):
            return {"jam": 1}[name]

        with ThreadPoolExecutor() as executor:
            executor.submit(store, "jam")
        with ThreadPool(2) as pool:
            pool.apply_async(store, ("jam",))
            pool.close()
            pool.join()
        """,
}

CLOSED = {
    "a context manager closes it after the block": """
        from contextlib import asynccontextmanager, contextmanager
        from multiprocessing import Pool, Process, Queue

        @contextmanager
        def opened():
            pool = Pool(2)
            try:
                yield pool
            finally:
                pool.close()
                pool.join()

        @contextmanager
        def running(process):
            process.start()
            yield
            process.join()

        def fill(letters):
            for i in range(100):
                letters.put("a" * i)
            letters.put(None)

        if __name__ == "__main__":
            with opened() as pool:
                print(pool.map(len, ["a", "bc"]))
            letters = Queue()
            with running(Process(target=fill, args=(letters,))):
                print(list(iter(letters.get, None)))
        """,
    "the results come too late, however long one waits": """
        from multiprocessing import Pool

        def main():
            with Pool(2) as pool:
                results = [pool.apply_async(len, ("a",)) for _ in range(3)]
            return [result.get(timeout=5) for result in results]  # MPS310

        if __name__ == "__main__":
            main()
        """,
    "results of imap are returned out of the with": """
        from multiprocessing import Pool

        def count(texts):
            with Pool(2) as pool:
                return pool.imap(len, texts)

        def main():
            for number in count(["a", "bc"]):  # MPS310
                print(number)

        if __name__ == "__main__":
            main()
        """,
    "after terminate": """
        from multiprocessing import Pool

        def main():
            pool = Pool(2)
            result = pool.apply_async(len, ("a",))
            pool.terminate()
            print(result.get())  # MPS310

        if __name__ == "__main__":
            main()
        """,
    "a list comprehension below the with": """
        import multiprocessing

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(2) as pool:
                results = pool.imap_unordered(len, ["a"])
            print([result for result in results])  # MPS310
        """,
    "a task for a pool in an object": """
        from multiprocessing import Pool

        class Counter:
            def __init__(self):
                self.pool = Pool(2)

            def count(self, texts):
                return self.pool.map(len, texts)  # MPS310

            def close(self):
                self.pool.close()
                self.pool.join()

        if __name__ == "__main__":
            counter = Counter()
            print(counter.count(["a"]))
            counter.close()
            print(counter.count(["b"]))
        """,
    "a loop that closes it in its first turn": """
        from multiprocessing import Pool

        def main():
            pool = Pool(2)
            for texts in (["a"], ["b"]):
                print(pool.map(len, texts))  # MPS310
                pool.close()

        if __name__ == "__main__":
            main()
        """,
    "results are there after close and join": """
        from multiprocessing import Pool

        if __name__ == "__main__":
            with Pool(2) as pool:
                results = pool.imap(len, ["a"])
                single = pool.apply_async(len, ("a",))
                pool.close()
                pool.join()
            print(list(results), single.get())
        """,
    "closed on one path, used on the other": """
        import sys
        from multiprocessing import Pool

        def main():
            pool = Pool(2)
            if "--quick" in sys.argv:
                pool.close()
                return
            print(pool.map(len, ["a"]))
            pool.close()

        def again():
            pool = Pool(2)
            if "--fresh" in sys.argv:
                pool.terminate()
                pool = Pool(3)
            print(pool.map(len, ["a"]))

        if __name__ == "__main__":
            main()
            again()
        """,
    "a pool for each turn": """
        from multiprocessing import Pool

        if __name__ == "__main__":
            for texts in (["a"], ["b"]):
                pool = Pool(2)
                print(pool.map(len, texts))
                pool.close()
                pool.join()
        """,
    "the results of an executor, and what map has given": """
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import Pool

        def main():
            with ProcessPoolExecutor() as executor:
                numbers = executor.map(len, ["a"])
                future = executor.submit(len, "a")
            with Pool(2) as pool:
                lengths = pool.map(len, ["a"])
            print(list(numbers), future.result(), lengths)

        if __name__ == "__main__":
            main()
        """,
}

EARLY = {
    "a global pool above its task": """
        from multiprocessing import Pool

        pool = Pool(2)  # MPS301 MPS311

        def area(box):
            return box[0] * box[1]

        def main():
            print(pool.map(area, [(1, 2)]))
        """,
    "a function opens it, and a partial is run": """
        from functools import partial
        from multiprocessing import Pool

        def open_pool():
            return Pool(2)

        if __name__ == "__main__":
            pool = open_pool()  # MPS311

        def area(width, height):
            return width * height

        if __name__ == "__main__":
            print(pool.map(partial(area, 2), [1, 2]))
        """,
    "below its task, or with the task of another file": """
        from multiprocessing import Pool

        from boxes import volume

        if __name__ == "__main__":
            pool = Pool(2)

        def main():
            print(pool.map(volume, [(1, 2, 3)]))

        if __name__ == "__main__":
            main()
        # file: boxes.py
        # Boxes have
        # three
        # sides.
        def volume(box):
            return box[0] * box[1] * box[2]
        """,
    "an executor starts its workers with the first task": """
        from concurrent.futures import ProcessPoolExecutor

        if __name__ == "__main__":
            executor = ProcessPoolExecutor(2)

        def area(box):
            return box[0] * box[1]

        if __name__ == "__main__":
            print(list(executor.map(area, [(1, 2)])))
        """,
    "with spawn the workers import it": """
        import multiprocessing

        if __name__ == "__main__":
            pool = multiprocessing.get_context("spawn").Pool(2)

        def area(box):
            return box[0] * box[1]

        if __name__ == "__main__":
            print(pool.map(area, [(1, 2)]))
        """,
}


@pytest.mark.parametrize("name", LOST)
def test_lost_error(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(LOST[name], tmp_path, capsys)


@pytest.mark.parametrize("name", CLOSED)
def test_closed_pool(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(CLOSED[name], tmp_path, capsys)


@pytest.mark.parametrize("name", EARLY)
def test_early_pool(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(EARLY[name], tmp_path, capsys)
