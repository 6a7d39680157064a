"""Processes that are started while a module is imported (MPS301)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import check

PROGRAMS = {
    "the constructor of a class starts them": """
        from multiprocessing import Pool, Process

        class Kitchen:
            def __init__(self, dishes):
                self.cooks = [Process(target=print, args=(dish,)) for dish in dishes]
                for cook in self.cooks:
                    cook.start()

        kitchen = Kitchen(["soup", "bread"])  # MPS301

        for cook in kitchen.cooks:
            cook.join()
        # file: hall.py
        from multiprocessing import Pool

        class Hall:
            def __init__(self, tables):
                self.pool = Pool(tables)

        class Guest:
            def __init__(self, hall):
                self.hall = hall

        def main():
            Guest(Hall(3))

        guest = Guest(None)
        """,
    "a process is started": """
        from multiprocessing import Process

        def sweep(room):
            print(room)

        worker = Process(target=sweep, args=("hall",))
        worker.start()  # MPS301
        worker.join()
        """,
    "a pool opened by a with statement counts, and only the first statement is named": """
        import multiprocessing as mp

        with mp.Pool(2) as pool:  # MPS301
            print(pool.map(len, ["a"]))
        with mp.Pool(2) as pool:
            print(pool.map(len, ["b"]))
        """,
    "a function of the same file starts them": """
        from multiprocessing import Pool

        def measure(words):
            with Pool(1) as pool:
                return pool.map(len, words)

        def main():
            print(measure(["a", "bc"]))

        main()  # MPS301
        """,
    "a method of another file starts them": """
        from kitchen import Kitchen

        kitchen = Kitchen()
        print(  # MPS301
            kitchen.cook("soup")
        )
        # file: kitchen.py
        from multiprocessing import Process

        def boil(dish):
            print(dish)

        class Kitchen:
            def cook(self, dish):
                cook = Process(target=boil, args=(dish,))
                cook.start()
                cook.join()
        """,
    "a DataLoader with workers is iterated": """
        from torch.utils.data import DataLoader, Dataset

        class Squares(Dataset):
            def __len__(self):
                return 3

            def __getitem__(self, index):
                return index * index

        for batch in DataLoader(Squares(), num_workers=2):  # MPS301
            print(batch)
        """,
    "a DataLoader without workers starts nothing": """
        from torch.utils.data import DataLoader, Dataset

        class Squares(Dataset):
            def __len__(self):
                return 3

            def __getitem__(self, index):
                return index * index

        for batch in DataLoader(Squares()):
            print(batch)
        """,
    "an executor that is made and not used starts nothing": """
        from concurrent.futures import ProcessPoolExecutor

        executor = ProcessPoolExecutor(2)
        """,
    "an executor starts its workers with the first task": """
        from concurrent.futures import ProcessPoolExecutor

        executor = ProcessPoolExecutor(2)
        future = executor.submit(len, "abc")  # MPS301
        print(future.result())
        """,
    "a manager is a process": """
        from multiprocessing import Manager

        manager = Manager()  # MPS301
        names = manager.dict()
        """,
    "a subclass of Process": """
        from multiprocessing import Process

        class Baker(Process):
            def run(self):
                print("bread")

        baker = Baker()
        baker.start()  # MPS301
        baker.join()
        """,
    "below the guard": """
        from multiprocessing import Process

        def sweep(room):
            print(room)

        if __name__ == "__main__":
            worker = Process(target=sweep, args=("hall",))
            worker.start()
            worker.join()
        """,
    "a guard the other way round, and what is only defined": """
        from multiprocessing import Pool

        def measure(words):
            with Pool(1) as pool:
                return pool.map(len, words)

        if "__main__" == __name__:
            print(measure(["a", "bc"]))
        """,
    "threads need no guard": """
        from concurrent.futures import ThreadPoolExecutor
        from multiprocessing.pool import ThreadPool
        from multiprocessing.dummy import Pool
        from threading import Thread

        thread = Thread(target=print)
        thread.start()
        thread.join()
        with ThreadPool(2) as pool:
            print(pool.map(len, ["a"]))
        with Pool(2) as pool:
            print(pool.map(len, ["a"]))
        with ThreadPoolExecutor() as executor:
            print(list(executor.map(len, ["a"])))
        """,
    "a program that asks for fork imports nothing anew": """
        import multiprocessing

        context = multiprocessing.get_context("fork")

        def sweep(room):
            print(room)

        worker = context.Process(target=sweep, args=("hall",))
        worker.start()
        worker.join()
        """,
    "the module __main__ of a package is not imported by workers": """
        # file: __main__.py
        from multiprocessing import Pool

        with Pool(1) as pool:
            print(pool.map(len, ["a"]))
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_main_guard(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(PROGRAMS[name], tmp_path, capsys)
