"""Queues that are joined before they are read (MPS302), or read until they are empty (MPS304)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import check

JOINS = {
    "one process after another": """
        from multiprocessing import Process, Queue

        def paint(pictures, name):
            pictures.put(name * 100_000)

        def main():
            pictures = Queue()
            painters = []
            for name in ["sea", "sky"]:
                painter = Process(target=paint, args=(pictures, name))
                painters.append(painter)
                painter.start()
            for painter in painters:
                painter.join()  # MPS302
            results = []
            for _ in painters:
                results.append(pictures.get())
            return results

        if __name__ == "__main__":
            print(len(main()))
        """,
    "a list made by a comprehension, and a loop until the queue is empty": """
        import multiprocessing as mp

        def paint(pictures, name):
            pictures.put(name * 100_000)

        def main():
            pictures = mp.Queue()
            painters = [mp.Process(target=paint, args=(pictures, name)) for name in ["sea", "sky"]]
            [painter.start() for painter in painters]
            [painter.join() for painter in painters]  # MPS302
            found = []
            while not pictures.empty():
                found.append(pictures.get())
            print(len(found))

        if __name__ == "__main__":
            main()
        """,
    "in methods and another file": """
        from gallery import Gallery

        if __name__ == "__main__":
            gallery = Gallery()
            gallery.open()
            gallery.wait()
            print(gallery.collect(4))
        # file: gallery.py
        from multiprocessing import get_context

        def paint(pictures):
            for size in range(4):
                pictures.put(bytes(size))

        class Gallery:
            def __init__(self):
                context = get_context("spawn")
                self.pictures = context.Queue()
                self.painter = context.Process(target=paint, kwargs={"pictures": self.pictures})

            def open(self):
                self.painter.start()

            def wait(self):
                self.painter.join()  # MPS302

            def collect(self, count):
                return [self.pictures.get() for _ in range(count)]
        """,
    "a process of a class of its own": """
        from multiprocessing import Process, Queue

        class Painter(Process):
            def __init__(self, pictures):
                super().__init__()
                self.pictures = pictures

            def run(self):
                self.pictures.put("sea" * 100_000)

        if __name__ == "__main__":
            pictures = Queue()
            painter = Painter(pictures)
            painter.start()
            painter.join()  # MPS302
            print(len(pictures.get()))
        """,
    "read first": """
        from multiprocessing import Process, Queue

        def paint(pictures):
            pictures.put("sea" * 100_000)

        if __name__ == "__main__":
            pictures = Queue()
            painters = [Process(target=paint, args=(pictures,)) for _ in range(2)]
            for painter in painters:
                painter.start()
            found = [pictures.get() for _ in painters]
            for painter in painters:
                painter.join()
            print(len(found))
        """,
    "a join with a timeout": """
        from multiprocessing import Process, Queue

        def paint(pictures):
            pictures.put("sea" * 100_000)

        if __name__ == "__main__":
            pictures = Queue()
            painter = Process(target=paint, args=(pictures,))
            painter.start()
            painter.join(timeout=5)
            print(len(pictures.get()))
            painter.join()
        """,
    "another process reads": """
        from multiprocessing import Process, Queue

        def paint(pictures):
            for name in ["sea", "sky"]:
                pictures.put(name * 100_000)
            pictures.put("end")

        def frame(pictures, framed):
            while (picture := pictures.get()) != "end":
                framed.put(len(picture))

        if __name__ == "__main__":
            pictures, framed = Queue(), Queue()
            painter = Process(target=paint, args=(pictures,))
            framer = Process(target=frame, args=(pictures, framed))
            painter.start()
            framer.start()
            painter.join()
            print(framed.get(), framed.get())
            framer.join()
        """,
    "a thread may read": """
        from multiprocessing import Process, Queue
        from threading import Thread

        def paint(pictures):
            pictures.put("sea" * 100_000)

        def show(pictures, shown):
            shown.append(pictures.get())

        if __name__ == "__main__":
            pictures, shown = Queue(), []
            thread = Thread(target=show, args=(pictures, shown))
            thread.start()
            painter = Process(target=paint, args=(pictures,))
            painter.start()
            painter.join()
            thread.join()
            print(pictures.get(), shown)
        """,
    "one small answer": """
        from multiprocessing import Process, Queue

        def check(answers):
            answers.put(True)

        if __name__ == "__main__":
            answers = Queue()
            checker = Process(target=check, args=(answers,))
            checker.start()
            checker.join()
            print(answers.get())
        """,
    "a queue of threads": """
        from queue import Queue
        from threading import Thread

        def paint(pictures):
            pictures.put("sea" * 100_000)

        pictures = Queue()
        painter = Thread(target=paint, args=(pictures,))
        painter.start()
        painter.join()
        print(len(pictures.get()))
        """,
    "a manager's queue": """
        from multiprocessing import Manager, Process

        def paint(pictures):
            pictures.put("sea" * 100_000)

        if __name__ == "__main__":
            with Manager() as manager:
                pictures = manager.Queue()
                painter = Process(target=paint, args=(pictures,))
                painter.start()
                painter.join()
                print(len(pictures.get()))
        """,
    "read on one path, joined on the other": """
        import sys
        from multiprocessing import Process, Queue

        def paint(pictures):
            pictures.put("sea" * 100_000)

        if __name__ == "__main__":
            pictures = Queue()
            painter = Process(target=paint, args=(pictures,))
            painter.start()
            if len(sys.argv) > 1:
                painter.terminate()
                painter.join()
            else:
                print(pictures.get())
                painter.join()
        """,
}

LOOPS = {
    "the parent collects while a worker still works": """
        from multiprocessing import Process, Queue

        def count(numbers, limit):
            for number in range(limit):
                numbers.put(number)

        def main():
            numbers = Queue()
            counters = [Process(target=count, args=(numbers, 10)) for _ in range(2)]
            for counter in counters:
                counter.start()
            total = 0
            while not numbers.empty():  # MPS304
                total += numbers.get()
            print(total)
            for counter in counters:
                counter.join()

        if __name__ == "__main__":
            main()
        """,
    "by its size, or by a break": """
        from multiprocessing import Process, Queue

        def count(numbers):
            numbers.put("one" * 1000)

        def by_size():
            numbers = Queue()
            Process(target=count, args=(numbers,)).start()
            while numbers.qsize() > 0:  # MPS304
                print(numbers.get())

        def by_break():
            numbers = Queue()
            Process(target=count, args=(numbers,)).start()
            while True:  # MPS304
                if numbers.empty():
                    break
                print(numbers.get())

        if __name__ == "__main__":
            by_size()
            by_break()
        """,
    "workers share what the parent fills": """
        from multiprocessing import JoinableQueue, Process

        def wash(plates):
            while not plates.empty():  # MPS304
                print(plates.get())

        if __name__ == "__main__":
            plates = JoinableQueue()
            for plate in ["blue", "red"]:
                plates.put(plate)
            washers = [Process(target=wash, args=(plates,)) for _ in range(2)]
            for washer in washers:
                washer.start()
            for washer in washers:
                washer.join()
        """,
    "a method of a process": """
        from multiprocessing import Process, Queue

        class Washer(Process):
            def __init__(self, plates):
                super().__init__()
                self.plates = plates

            def run(self):
                while not self.plates.empty():  # MPS304
                    print(self.plates.get_nowait())

        if __name__ == "__main__":
            plates = Queue()
            plates.put("blue")
            washer = Washer(plates)
            washer.start()
            washer.join()
        """,
    "what is left is thrown away": """
        from multiprocessing import Process, Queue

        def count(numbers):
            for number in range(10):
                numbers.put(number)

        if __name__ == "__main__":
            numbers = Queue()
            counter = Process(target=count, args=(numbers,))
            counter.start()
            print(numbers.get())
            counter.terminate()
            while not numbers.empty():
                numbers.get()
            counter.join()
        """,
    "asked again and again": """
        import time
        from multiprocessing import Process, Queue

        def count(numbers):
            for number in range(10):
                numbers.put(number)

        if __name__ == "__main__":
            numbers = Queue()
            counter = Process(target=count, args=(numbers,))
            counter.start()
            while counter.is_alive():
                while not numbers.empty():
                    print(numbers.get())
                time.sleep(0.1)
            while counter.is_alive() or not numbers.empty():
                print(numbers.get())
        """,
    "a queue in one process": """
        from multiprocessing import Queue

        def drain(numbers):
            while not numbers.empty():
                print(numbers.get())

        if __name__ == "__main__":
            numbers = Queue()
            numbers.put(1)
            drain(numbers)
        """,
    "a method that is called from time to time": """
        from multiprocessing import Process, Queue

        def count(numbers):
            for number in range(10):
                numbers.put(number)

        class Window:
            def __init__(self):
                self.numbers = Queue()
                self.counter = Process(target=count, args=(self.numbers,))
                self.counter.start()

            def tick(self):
                while not self.numbers.empty():
                    print(self.numbers.get())
        """,
    "a queue of threads": """
        import queue
        import threading

        def count(numbers):
            numbers.put(1)

        numbers = queue.Queue()
        threading.Thread(target=count, args=(numbers,)).start()
        while not numbers.empty():
            print(numbers.get())
        """,
}


@pytest.mark.parametrize("name", JOINS)
def test_join_before_drain(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(JOINS[name], tmp_path, capsys)


@pytest.mark.parametrize("name", LOOPS)
def test_queue_empty_loop(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(LOOPS[name], tmp_path, capsys)
