"""Readers of a queue that wait for an end which never comes (MPS303)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import check

ENDLESS = {
    "a flag that the parent sets in its own copy": """
        import time
        from multiprocessing import Process, Value

        class Ticker(Process):
            def __init__(self, ticks):
                super().__init__()
                self.ticks = ticks
                self.running = True

            def run(self):
                while self.running:  # MPS303
                    self.ticks.value += 1
                    time.sleep(0.01)

            def stop(self):
                self.running = False

        class Clock:
            def __init__(self, ticks):
                self.ticks = ticks
                self.stopped = False

            def tick(self):
                while not self.stopped:
                    self.step()

            def step(self):
                self.ticks.value += 1
                self.stopped = self.ticks.value > 3

        if __name__ == "__main__":
            ticks = Value("i", 0)
            clock = Process(target=Clock(ticks).tick)
            clock.start()
            clock.join()
            ticker = Ticker(ticks)
            ticker.start()
            ticker.stop()
            ticker.join()
        """,
    "it is left by what it calls": """
        import sys
        from contextlib import contextmanager
        from multiprocessing import Process, Queue

        class Stop(Exception):
            pass

        def handle(order, done):
            if order == "stop":
                sys.exit(0)
            done.put(order)

        def raise_stop(order):
            if order == "stop":
                raise Stop

        def by_exit(orders, done):
            while True:
                handle(orders.get(), done)

        def by_exception(orders, done):
            try:
                while True:
                    raise_stop(orders.get())
            except Stop:
                pass

        def by_the_item(orders, done):
            while True:
                task = orders.get()
                task(done)

        def by_a_table(orders, done):
            handlers = {"stop": sys.exit, "go": print}
            while True:
                handlers[orders.get()]()

        def run(target, item):
            orders, done = Queue(), Queue()
            worker = Process(target=target, args=(orders, done))
            worker.start()
            orders.put(item)
            worker.join()

        if __name__ == "__main__":
            for target in (by_exit, by_exception, by_a_table):
                run(target, "stop")
            run(by_the_item, sys.exit)
        """,
    "it listens at a pipe": """
        from multiprocessing import Pipe, Process

        def serve(connection):
            while True:  # MPS303
                connection.send(connection.recv() + 1)

        if __name__ == "__main__":
            here, there = Pipe()
            server = Process(target=serve, args=(there,))
            server.start()
            here.send(1)
            print(here.recv())
            server.join()
        """,
    "it listens at a pipe whose other end is closed": """
        from multiprocessing import Pipe, Process

        def serve(connection):
            while True:
                connection.send(connection.recv() + 1)

        if __name__ == "__main__":
            here, there = Pipe()
            server = Process(target=serve, args=(there,))
            server.start()
            there.close()
            here.send(1)
            print(here.recv())
            here.close()
            server.join()
        """,
    "the parent reads more than there will be": """
        from multiprocessing import Process, Queue

        def write(letters, count):
            for i in range(count):
                letters.put(i)

        def write_on(letters):
            while True:
                letters.put("again")

        def read_on(letters):
            while True:
                print(letters.get())

        def main():
            letters = Queue()
            writer = Process(target=write, args=(letters, 2))
            writer.start()
            while True:  # MPS303
                print(letters.get())

        def serve():
            letters = Queue()
            Process(target=write_on, args=(letters,)).start()
            read_on(letters)

        if __name__ == "__main__":
            main()
        """,
    "another worker fills the queue": """
        from multiprocessing import Process, Queue

        def write(letters):
            for i in range(10):
                letters.put(i)

        def fold(letters):
            while True:  # MPS303
                print(letters.get())

        if __name__ == "__main__":
            letters = Queue()
            writer = Process(target=write, args=(letters,))
            folder = Process(target=fold, args=(letters,))
            writer.start()
            folder.start()
            writer.join()
            folder.join()
        """,
    "a loop without a way out": """
        from multiprocessing import Process, Queue

        def fold(letters, done):
            while True:  # MPS303
                done.put(letters.get().upper())

        def main():
            letters, done = Queue(), Queue()
            folder = Process(target=fold, args=(letters, done))
            folder.start()
            letters.put("dear")
            print(done.get())
            folder.join()

        if __name__ == "__main__":
            main()
        """,
    "it is no daemon, so that Python waits for it": """
        from multiprocessing import Process, Queue

        class Folder(Process):
            def __init__(self, letters, done):
                super().__init__()
                self.letters = letters
                self.done = done

            def run(self):
                while 1:  # MPS303
                    letter = self.letters.get()
                    self.done.put(letter.upper())

        if __name__ == "__main__":
            letters, done = Queue(), Queue()
            for _ in range(2):
                Folder(letters, done).start()
            letters.put("dear")
            print(done.get())
        """,
    "the reading is in a function of its own": """
        from multiprocessing import Process, Queue

        def next_letter(letters):
            return letters.get()

        def fold(letters, done):
            while True:  # MPS303
                letter = next_letter(letters)
                try:
                    done.put(letter.upper())
                except Exception as error:
                    done.put(str(error))

        if __name__ == "__main__":
            letters, done = Queue(), Queue()
            folder = Process(target=fold, args=(letters, done), daemon=True)
            folder.start()
            letters.put("dear")
            print(done.get())
            folder.join()
        """,
    "a daemon that nobody joins ends with its parent": """
        from multiprocessing import Process, Queue

        def fold(letters, done):
            while True:
                done.put(letters.get().upper())

        if __name__ == "__main__":
            letters, done = Queue(), Queue()
            folder = Process(target=fold, args=(letters, done))
            folder.daemon = True
            folder.start()
            letters.put("dear")
            print(done.get())
        """,
    "a worker that is terminated": """
        from multiprocessing import Process, Queue

        def fold(letters, done):
            while True:
                done.put(letters.get().upper())

        if __name__ == "__main__":
            letters, done = Queue(), Queue()
            folders = [Process(target=fold, args=(letters, done)) for _ in range(2)]
            for folder in folders:
                folder.start()
            letters.put("dear")
            print(done.get())
            for folder in folders:
                folder.terminate()
                folder.join()
        """,
    "a program that runs for ever": """
        import sys
        from multiprocessing import Process, Queue

        def fold(letters):
            while True:
                print(letters.get().upper())

        if __name__ == "__main__":
            letters = Queue()
            folder = Process(target=fold, args=(letters,))
            folder.start()
            while True:
                letters.put(sys.stdin.readline())
            folder.join()
        """,
    "ways out": """
        import queue
        import sys
        from multiprocessing import Process, Queue

        def by_return(letters):
            while True:
                if len(letters.get()) > 3:
                    return

        def by_exception(letters):
            while True:
                if letters.get() == "stop":
                    raise SystemExit

        def by_timeout(letters):
            while True:
                try:
                    letters.get(timeout=1)
                except queue.Empty:
                    break

        def by_exit(letters):
            while True:
                if not letters.get():
                    sys.exit()

        def by_interrupt(letters):
            try:
                while True:
                    letters.get()
            except KeyboardInterrupt:
                pass

        if __name__ == "__main__":
            letters = Queue()
            for target in (by_return, by_exception, by_timeout, by_exit, by_interrupt):
                reader = Process(target=target, args=(letters,))
                reader.start()
                letters.put("stop")
                letters.put("")
                reader.join()
        """,
    "threads": """
        import queue
        import threading

        def fold(letters):
            while True:
                print(letters.get())

        letters = queue.Queue()
        thread = threading.Thread(target=fold, args=(letters,))
        thread.start()
        letters.put("dear")
        thread.join()
        """,
    "an error in the work is told and raised again": """
        from multiprocessing import Process, Queue

        def fold(letters, errors):
            while True:  # MPS303
                letter = letters.get()
                try:
                    print(letter.upper())
                except Exception as error:
                    errors.put(str(error))
                    raise

        if __name__ == "__main__":
            letters, errors = Queue(), Queue()
            folder = Process(target=fold, args=(letters, errors))
            folder.start()
            letters.put("dear")
            folder.join()
        """,
    "an error raised again ends the loop where it may be that of get": """
        from multiprocessing import Process, Queue

        def fold(letters, errors):
            while True:
                try:
                    print(letters.get(timeout=1).upper())
                    print(letters.get().upper())
                except Exception as error:
                    errors.put(str(error))
                    raise

        if __name__ == "__main__":
            letters, errors = Queue(), Queue()
            folder = Process(target=fold, args=(letters, errors))
            folder.start()
            letters.put("dear")
            folder.join()
        """,
}

MISSING = {
    "one of the items of a loop": """
        from multiprocessing import Process, Queue

        def fold(letters):
            while (letter := letters.get()) is not None:
                print(letter)

        def one_end(items):
            letters = Queue()
            folders = [Process(target=fold, args=(letters,)) for _ in range(2)]
            for folder in folders:
                folder.start()
            for item in ["a", "b", None]:
                letters.put(item)  # MPS303
            for folder in folders:
                folder.join()

        def two_ends():
            letters = Queue()
            folders = [Process(target=fold, args=(letters,)) for _ in range(2)]
            for folder in folders:
                folder.start()
            for item in ["a", None, None]:
                letters.put(item)
            for folder in folders:
                folder.join()

        if __name__ == "__main__":
            one_end(2)
            two_ends()
        """,
    "another process puts them": """
        from multiprocessing import Process, Queue

        def write(letters, ends):
            letters.put("dear")
            for _ in range(ends):
                letters.put(None)

        def write_one(letters):
            letters.put("dear")
            letters.put(None)  # MPS303

        def fold(letters):
            while (letter := letters.get()) is not None:
                print(letter)

        def run(target, *more):
            letters = Queue()
            folders = [Process(target=fold, args=(letters,)) for _ in range(2)]
            writer = Process(target=target, args=(letters, *more))
            for process in (*folders, writer):
                process.start()
            for process in (*folders, writer):
                process.join()

        if __name__ == "__main__":
            run(write, 2)
            run(write_one)
        """,
    "one sentinel, and items of which nothing is known": """
        from multiprocessing import Process, Queue, cpu_count

        def wash(plates):
            while True:
                plate = plates.get()
                if plate is None:
                    break
                print(plate)

        def main(stack):
            plates = Queue()
            washers = [Process(target=wash, args=(plates,)) for _ in range(cpu_count() * 2)]
            for washer in washers:
                washer.start()
            for plate in stack:
                plates.put(plate)
            plates.put(None)  # MPS303
            for washer in washers:
                washer.join()
        """,
    "the sentinels may be among the items": """
        from multiprocessing import Process, Queue, cpu_count

        def wash(plates):
            while True:
                plate = plates.get()
                if plate is None:
                    break
                print(plate)

        def main(stack, is_last):
            plates = Queue()
            washers = [Process(target=wash, args=(plates,)) for _ in range(cpu_count() * 2)]
            for washer in washers:
                washer.start()
            for plate in stack:
                plates.put(plate)
            if is_last:
                plates.put(None)
            for washer in washers:
                washer.join()
        """,
    "nobody puts the sentinel": """
        from multiprocessing import Process, Queue

        def wash(plates):
            while True:  # MPS303
                plate = plates.get()
                if plate is None:
                    break
                print(plate)

        if __name__ == "__main__":
            plates = Queue()
            washers = [Process(target=wash, args=(plates,)) for _ in range(2)]
            for washer in washers:
                washer.start()
            for plate in ["blue", "red"]:
                plates.put(plate)
            for washer in washers:
                washer.join()
        """,
    "another word than the one that is waited for": """
        from multiprocessing import Process, Queue

        STOP = "stop"

        def wash(plates):
            for plate in iter(plates.get, STOP):  # MPS303
                print(plate)

        def main():
            plates = Queue()
            washer = Process(target=wash, args=(plates,))
            washer.start()
            plates.put("blue")
            plates.put("end")
            washer.join()

        if __name__ == "__main__":
            main()
        """,
    "an object that is another one when it comes out of the queue": """
        from multiprocessing import Process, Queue

        END = object()

        def wash(plates):
            while (plate := plates.get()) is not END:  # MPS303
                print(plate)

        if __name__ == "__main__":
            plates = Queue()
            washer = Process(target=wash, args=(plates,))
            washer.start()
            plates.put("blue")
            plates.put(END)
            washer.join()
        """,
    "fewer than workers": """
        from multiprocessing import Process, Queue

        def wash(plates):
            for plate in iter(plates.get, None):
                print(plate)

        def main(count):
            plates = Queue()
            washers = []
            for _ in range(count):
                washer = Process(target=wash, args=(plates,))
                washer.start()
                washers.append(washer)
            for plate in ["blue", "red"]:
                plates.put(plate)
            plates.put(None)  # MPS303
            for washer in washers:
                washer.join()

        if __name__ == "__main__":
            main(3)
        """,
    "three workers, two sentinels": """
        from multiprocessing import Process, Queue

        WASHERS = 3

        def wash(plates):
            while True:
                plate = plates.get()
                if not plate:
                    return
                print(plate)

        def main():
            plates = Queue()
            washers = [Process(target=wash, args=(plates,)) for _ in range(WASHERS)]
            for washer in washers:
                washer.start()
            for plate in ["blue", "red"]:
                plates.put(plate)
            for _ in range(WASHERS - 1):
                plates.put("")  # MPS303
            for washer in washers:
                washer.join()

        if __name__ == "__main__":
            main()
        """,
    "one for each": """
        from multiprocessing import Process, Queue

        def wash(plates):
            while (plate := plates.get()) is not None:
                print(plate)

        def main(count):
            plates = Queue()
            washers = [Process(target=wash, args=(plates,)) for _ in range(count)]
            for washer in washers:
                washer.start()
            for plate in ["blue", "red"]:
                plates.put(plate)
            for _ in range(count):
                plates.put(None)
            for washer in washers:
                washer.join()

        if __name__ == "__main__":
            main(3)
        """,
    "one, which each hands on": """
        from multiprocessing import Process, Queue

        def wash(plates):
            while True:
                plate = plates.get()
                if plate is None:
                    plates.put(None)
                    break
                print(plate)

        def main(count):
            plates = Queue()
            washers = [Process(target=wash, args=(plates,)) for _ in range(count)]
            for washer in washers:
                washer.start()
            plates.put("blue")
            plates.put(None)
            for washer in washers:
                washer.join()

        if __name__ == "__main__":
            main(3)
        """,
    "what is put isn't known": """
        import sys
        from multiprocessing import Process, Queue

        def wash(plates):
            while (plate := plates.get()) is not None:
                print(plate)

        def main(plates_to_wash):
            plates = Queue()
            washer = Process(target=wash, args=(plates,))
            washer.start()
            for plate in plates_to_wash:
                plates.put(plate)
            washer.join()

        if __name__ == "__main__":
            main([*sys.argv, None])
        """,
    "somebody else may put it": """
        from multiprocessing import Process, Queue

        from elsewhere import closing_time

        def wash(plates):
            while (plate := plates.get()) is not None:
                print(plate)

        if __name__ == "__main__":
            plates = Queue()
            washer = Process(target=wash, args=(plates,))
            washer.start()
            closing_time(plates)
            washer.join()
        """,
    "methods that are called by somebody else": """
        from multiprocessing import Process, Queue

        def wash(plates):
            while (plate := plates.get()) is not None:
                print(plate)

        class Kitchen:
            def __init__(self):
                self.plates = Queue()
                self.washer = Process(target=wash, args=(self.plates,))
                self.washer.start()

            def wait(self):
                self.plates.put("blue")
                self.washer.join()
        """,
}

LOST = {
    "what stands above it isn't known to fail": """
        import math
        import time
        from multiprocessing import Process, Queue

        def describe(row):
            return f"{row:.2f}".strip()

        def weigh(parcels, weights):
            counts = {}
            for number, parcel in enumerate(parcels):
                time.sleep(0.01)
                counts[parcel] = counts.get(parcel, 0) + 1
                weights.put((number, math.sqrt(parcel), parcel**2, describe(parcel)))
            weights.put(None)

        def weigh_texts(parcels, weights):
            for parcel in parcels:
                try:
                    weights.put(int(parcel))
                except ValueError:
                    weights.put(-1)
            weights.put(None)

        def weigh_lines(parcels, weights):
            for parcel in parcels:
                weights.put(parcel.split()[1])
            weights.put(None)  # MPS303

        def weigh_by(scale, parcels, weights):
            for parcel in parcels:
                weights.put(scale(parcel))
            weights.put(None)  # MPS303

        def run(target, *args):
            weights = Queue()
            scale = Process(target=target, args=(*args, weights))
            scale.start()
            print(list(iter(weights.get, None)))
            scale.join()

        if __name__ == "__main__":
            run(weigh, [1, 2])
            run(weigh_texts, ["1", "x"])
            run(weigh_lines, ["1 kg"])
            run(weigh_by, abs, [1])
        """,
    "the parent counts ends": """
        from multiprocessing import Process, Queue

        def weigh(parcels, weights):
            for parcel in parcels:
                weights.put(int(parcel))
            weights.put(None)  # MPS303

        def main():
            weights = Queue()
            scales = [Process(target=weigh, args=(parcels, weights)) for parcels in (["1"], ["2", "3"])]
            for scale in scales:
                scale.start()
            finished = total = 0
            while finished < len(scales):
                weight = weights.get()
                if weight is None:
                    finished += 1
                else:
                    total += weight
            for scale in scales:
                scale.join()
            print(total)

        if __name__ == "__main__":
            main()
        """,
    "a break after the last one": """
        from multiprocessing import Process, SimpleQueue

        class Scale(Process):
            def __init__(self, parcels, weights):
                super().__init__()
                self.parcels, self.weights = parcels, weights

            def run(self):
                self.weigh()
                self.weights.put("done")  # MPS303

            def weigh(self):
                for parcel in self.parcels:
                    self.weights.put(int(parcel))

        if __name__ == "__main__":
            weights = SimpleQueue()
            scales = [Scale(["1"], weights), Scale(["2"], weights)]
            for scale in scales:
                scale.start()
            ends = 0
            while True:
                weight = weights.get()
                if weight == "done":
                    ends += 1
                    if ends == 2:
                        break
                    continue
                print(weight)
            for scale in scales:
                scale.join()
        """,
    "in a finally": """
        from multiprocessing import Process, Queue

        def weigh(parcels, weights):
            try:
                for parcel in parcels:
                    weights.put(int(parcel))
            finally:
                weights.put(None)

        if __name__ == "__main__":
            weights = Queue()
            scale = Process(target=weigh, args=(["1"], weights))
            scale.start()
            print(sum(iter(weights.get, None)))
            scale.join()
        """,
    "every error is caught before": """
        from multiprocessing import Process, Queue

        def weigh(parcels, weights):
            for parcel in parcels:
                try:
                    weights.put(int(parcel))
                except Exception as error:
                    weights.put(repr(error))
            weights.put(None)

        def weigh_or_tell(parcels, weights):
            try:
                for parcel in parcels:
                    weights.put(int(parcel))
                weights.put(None)
            except ValueError:
                weights.put(None)
                raise

        if __name__ == "__main__":
            for target in (weigh, weigh_or_tell):
                weights = Queue()
                scale = Process(target=target, args=(["1"], weights))
                scale.start()
                print(list(iter(weights.get, None)))
                scale.join()
        """,
    "a context manager puts it": """
        from contextlib import contextmanager
        from multiprocessing import Process, Queue

        @contextmanager
        def ending(weights):
            try:
                yield
            finally:
                weights.put(None)

        class Ending:
            def __init__(self, weights):
                self.weights = weights

            def __enter__(self):
                return self

            def __exit__(self, *error):
                self.weights.put(None)

        def weigh(parcels, weights):
            with Ending(weights):
                for parcel in parcels:
                    weights.put(int(parcel))

        def weigh_too(parcels, weights):
            with ending(weights):
                for parcel in parcels:
                    weights.put(int(parcel))

        if __name__ == "__main__":
            for target in (weigh, weigh_too):
                weights = Queue()
                scale = Process(target=target, args=(["1"], weights))
                scale.start()
                print(list(iter(weights.get, None)))
                scale.join()
        """,
    "the reader has a timeout": """
        import queue
        from multiprocessing import Process, Queue

        def weigh(parcels, weights):
            for parcel in parcels:
                weights.put(int(parcel))
            weights.put(None)

        if __name__ == "__main__":
            weights = Queue()
            scale = Process(target=weigh, args=(["1"], weights))
            scale.start()
            while True:
                try:
                    weight = weights.get(timeout=10)
                except queue.Empty:
                    if scale.is_alive():
                        continue
                    break
                if weight is None:
                    break
                print(weight)
            scale.join()
        """,
    "nothing above it can fail": """
        from multiprocessing import Process, Queue

        def greet(names, greetings):
            for name in names:
                greetings.put(name)
            greetings.put(None)

        if __name__ == "__main__":
            greetings = Queue()
            greeter = Process(target=greet, args=(["Ann"], greetings))
            greeter.start()
            print(list(iter(greetings.get, None)))
            greeter.join()
        """,
}


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_worker(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(ENDLESS[name], tmp_path, capsys)


@pytest.mark.parametrize("name", MISSING)
def test_missing_sentinel(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(MISSING[name], tmp_path, capsys)


@pytest.mark.parametrize("name", LOST)
def test_lost_sentinel(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(LOST[name], tmp_path, capsys)
