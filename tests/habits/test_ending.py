"""What is off by default: processes nobody waits for (MPS306), forks with threads (MPS312), orphans (MPS313), advice."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import check

UNJOINED = {
    "a process, a pool and an executor": """
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import Pool, Process

        def report(rows):
            print(rows)

        def main():
            for rows in (1, 2):
                Process(target=report, args=(rows,)).start()  # MPS306
            pool = Pool(2)  # MPS306
            print(pool.map(len, ["a"]))
            executor = ProcessPoolExecutor()  # MPS306
            print(executor.submit(len, "a").result())

        if __name__ == "__main__":
            main()
        """,
    "joined in another function, through a list": """
        from multiprocessing import Process

        def report(rows):
            print(rows)

        def start(rows):
            process = Process(target=report, args=(rows,))
            process.start()
            return process

        def wait(processes):
            for process in processes:
                process.join()

        if __name__ == "__main__":
            wait([start(rows) for rows in (1, 2)])
        """,
    "handed out": """
        import atexit
        from multiprocessing import Pool, Process

        def report(rows):
            print(rows)

        class Office:
            def open(self):
                self.process = Process(target=report, args=(1,))
                self.process.start()

        def start():
            process = Process(target=report, args=(1,))
            process.start()
            return process

        def pool_of_two():
            pool = Pool(2)
            atexit.register(pool.terminate)
            pool.map(report, [1])
        """,
    "a process of the system": """
        import subprocess

        import psutil

        process = subprocess.Popen(["ls"])
        psutil.Process(process.pid).resume()
        """,
}

FORKED = {
    "a thread that is joined before, and a lock of its own": """
        import multiprocessing
        import threading

        lock = threading.Lock()
        other = threading.Lock()

        def refresh():
            with lock:
                pass

        def clean():
            with other:
                pass

        def convert():
            with lock:
                print("done")

        if __name__ == "__main__":
            thread = threading.Thread(target=refresh)
            thread.start()
            thread.join()
            threading.Thread(target=clean).start()
            worker = multiprocessing.get_context("fork").Process(target=convert)
            worker.start()
            worker.join()
        """,
    "a lock that is handed to both": """
        import multiprocessing
        import threading

        def refresh(lock):
            lock.acquire()
            lock.release()

        def convert(lock):
            with lock:
                print("done")

        if __name__ == "__main__":
            lock = threading.Lock()
            threading.Thread(target=refresh, args=(lock,)).start()
            context = multiprocessing.get_context("fork")
            worker = context.Process(target=convert, args=(lock,))
            worker.start()  # MPS312
            worker.join()
        """,
}

ORPHANS = {
    "an error in what the parent does meanwhile": """
        from multiprocessing import Process, Queue

        def label(orders):
            while (order := orders.get()) is not None:
                print(order)

        def main(lines):
            orders = Queue()
            printers = [Process(target=label, args=(orders,)) for _ in range(2)]
            for printer in printers:
                printer.start()  # MPS313
            for line in lines:
                orders.put(int(line))
            for _ in printers:
                orders.put(None)
            for printer in printers:
                printer.join()
        """,
    "a daemon, a finally, or nothing that fails": """
        from multiprocessing import Process, Queue

        def label(orders):
            while (order := orders.get()) is not None:
                print(order)

        def with_daemon(lines):
            orders = Queue()
            printer = Process(target=label, args=(orders,), daemon=True)
            printer.start()
            for line in lines:
                orders.put(int(line))
            orders.put(None)
            printer.join()

        def with_finally(lines):
            orders = Queue()
            printer = Process(target=label, args=(orders,))
            printer.start()
            try:
                for line in lines:
                    orders.put(int(line))
            finally:
                orders.put(None)
                printer.join()

        def with_kill(lines):
            orders = Queue()
            printer = Process(target=label, args=(orders,))
            printer.start()
            try:
                for line in lines:
                    orders.put(int(line))
                orders.put(None)
                printer.join()
            except Exception:
                printer.kill()
                raise

        def plainly(lines):
            orders = Queue()
            printer = Process(target=label, args=(orders,))
            printer.start()
            for line in lines:
                orders.put(line)
            orders.put(None)
            printer.join()
        """,
    "a target that is an object, and tells its errors": """
        from multiprocessing import Process, Queue

        class Printer:
            def __init__(self, orders, errors):
                self.orders = orders
                self.errors = errors

            def __call__(self):
                while True:
                    order = self.orders.get()
                    if order is None:
                        break
                    try:
                        print(order.upper())
                    except Exception as error:
                        self.errors.put(error)
                        raise

        def main(lines):
            orders, errors = Queue(), Queue()
            printer = Process(target=Printer(orders, errors))
            printer.start()  # MPS313
            for line in lines:
                orders.put(line.split()[0])
            orders.put(None)
            printer.join()
        """,
    "the sentinel is put by a function that may fail before": """
        from multiprocessing import Process, Queue

        def print_labels(orders):
            while (order := orders.get()) is not None:
                print(order)

        def fill(orders, lines):
            for line in lines:
                orders.put(int(line))
            orders.put(None)

        def stop(orders):
            orders.put(None)

        def main(lines):
            orders = Queue()
            printer = Process(target=print_labels, args=(orders,))
            printer.start()  # MPS313
            fill(orders, lines)
            printer.join()

        def stop_at_once():
            orders = Queue()
            printer = Process(target=print_labels, args=(orders,))
            printer.start()
            stop(orders)
            printer.join()
        """,
}

ADVICE = {
    "what is kept in a dataset": """
        from torch.utils.data import DataLoader, Dataset

        class Lines(Dataset):
            def __init__(self, lines):
                self.lines = list(lines)
                self.lengths = map(len, self.lines)  # MPS401
                self.order = range(len(self.lines))

            def __len__(self):
                return len(self.lines)

            def __getitem__(self, index):
                return self.lines[self.order[index]]

        if __name__ == "__main__":
            print(list(DataLoader(Lines(["a", "b"]), num_workers=2)))
        """,
    "a model, and numbers": """
        import pickle

        import torch

        if __name__ == "__main__":
            model = torch.nn.Linear(2, 3)
            with open("model.pkl", "wb") as file:
                pickle.dump(model.state_dict(), file)  # MPS402
                pickle.dump([model], file)  # MPS402
                pickle.dump({"epoch": 3}, file)
                torch.save(model, file)
        """,
    "a block that is unlinked elsewhere, or attached": """
        from multiprocessing import shared_memory

        class Frame:
            def __init__(self):
                self.block = shared_memory.SharedMemory(create=True, size=16)

            def close(self):
                self.block.close()
                self.block.unlink()

        def attach(name):
            block = shared_memory.SharedMemory(name=name)
            print(block.size)
            block.close()

        def leak():
            block = shared_memory.SharedMemory(None, True, 16)  # MPS403
            block.close()

        if __name__ == "__main__":
            frame = Frame()
            attach(frame.block.name)
            frame.close()
        """,
    "a loader for each epoch, or for each part": """
        from torch.utils.data import DataLoader

        def train(items, epochs):
            for _ in range(epochs):
                loader = DataLoader(items, num_workers=2)  # MPS404
                for batch in loader:
                    print(batch)

        def by_part(parts):
            for part in parts:
                for batch in DataLoader(part, num_workers=2):
                    print(batch)

        def once(items, epochs):
            loader = DataLoader(items, num_workers=2)
            for _ in range(epochs):
                for batch in loader:
                    print(batch)
        """,
    "an array is no tensor": """
        import pickle
        import torch

        def save(parts, path):
            whole = torch.cat(parts)
            with open(path, "wb") as out:
                pickle.dump({"array": whole.numpy(), "numbers": whole.tolist()}, out)
                pickle.dump({"tensor": whole}, out)  # MPS402
        """,
}

CASES = [
    ("MPS306", UNJOINED),
    ("MPS312", FORKED),
    ("MPS313", ORPHANS),
    ("MPS4", ADVICE),
]


@pytest.mark.parametrize(("codes", "program"), [(c, name) for c, programs in CASES for name in programs])
def test_off_by_default(codes: str, program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(dict(CASES)[codes][program], tmp_path, capsys, "--select", codes)
