"""Habits that go through classes, containers, several processes and several files, and what looks like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import check

PROGRAMS = {
    "class based pool, method target": """
        import multiprocessing as mp

        class Resizer:
            def __init__(self, count):
                self.jobs = mp.Queue()
                self.done = mp.Queue()
                self.count = count

            def work(self):
                while True:
                    job = self.jobs.get()
                    if job is None:
                        break
                    self.done.put(job * 2)

            def start(self):
                self.workers = []
                for i in range(self.count):
                    w = mp.Process(target=self.work, name=f"w{i}")
                    w.start()
                    self.workers.append(w)

            def submit(self, job):
                self.jobs.put(job)

            def close(self):
                self.jobs.put(None)  # MPS303
                for w in self.workers:
                    w.join()

        if __name__ == "__main__":
            r = Resizer(4)
            r.start()
            for job in range(10):
                r.submit(job)
            print([r.done.get() for _ in range(10)])
            r.close()
        """,
    "class based pool nobody puts": """
        import multiprocessing as mp

        def work(jobs, done):
            for job in iter(jobs.get, "STOP"):  # MPS303
                done.put(job * 2)

        class Resizer:
            def __init__(self, count):
                self.jobs = mp.Queue()
                self.done = mp.Queue()
                self.workers = [mp.Process(target=work, args=(self.jobs, self.done)) for _ in range(count)]

            def __enter__(self):
                for w in self.workers:
                    w.start()
                return self

            def __exit__(self, *exc):
                for w in self.workers:
                    w.join()

            def map(self, items):
                for item in items:
                    self.jobs.put(item)
                return [self.done.get() for _ in items]

        def main():
            with Resizer(2) as r:
                print(r.map([1, 2, 3]))

        if __name__ == "__main__":
            main()
        """,
    "joinable queue with daemons": """
        from multiprocessing import JoinableQueue, Process

        def work(jobs):
            while True:
                job = jobs.get()
                print(job)
                jobs.task_done()

        if __name__ == "__main__":
            jobs = JoinableQueue()
            for _ in range(3):
                Process(target=work, args=(jobs,), daemon=True).start()
            for i in range(10):
                jobs.put(i)
            jobs.join()
        """,
    "joinable queue without daemons": """
        from multiprocessing import JoinableQueue, Process

        def work(jobs):
            while True:  # MPS303
                job = jobs.get()
                print(job)
                jobs.task_done()

        if __name__ == "__main__":
            jobs = JoinableQueue()
            for _ in range(3):
                Process(target=work, args=(jobs,)).start()
            for i in range(10):
                jobs.put(i)
            jobs.join()
        """,
    "event seen too late": """
        from multiprocessing import Event, Process, Queue

        def work(jobs, stop):
            while not stop.is_set():  # MPS303
                print(jobs.get())

        if __name__ == "__main__":
            jobs, stop = Queue(), Event()
            worker = Process(target=work, args=(jobs, stop))
            worker.start()
            for i in range(10):
                jobs.put(i)
            stop.set()
            worker.join()
        """,
    "event, then woken": """
        from multiprocessing import Event, Process, Queue

        def work(jobs, stop):
            while not stop.is_set():
                print(jobs.get())

        if __name__ == "__main__":
            jobs, stop = Queue(), Event()
            worker = Process(target=work, args=(jobs, stop))
            worker.start()
            for i in range(10):
                jobs.put(i)
            stop.set()
            jobs.put(None)
            worker.join()
        """,
    "queue as global, fork style": """
        import multiprocessing

        jobs = multiprocessing.Queue()

        def work():
            while True:  # MPS303
                print(jobs.get())  # MPS307

        def main():
            worker = multiprocessing.Process(target=work)
            worker.start()
            for i in range(10):
                jobs.put(i)
            worker.join()

        if __name__ == "__main__":
            main()
        """,
    "class config changed": """
        from multiprocessing import Pool

        class Config:
            unit = "km"

        def describe(distance):
            return f"{distance} {Config.unit}"  # MPS307

        if __name__ == "__main__":
            Config.unit = "miles"
            with Pool(1) as pool:
                print(pool.map(describe, [3, 5]))
        """,
    "dataset reads a global of the parent": """
        from torch.utils.data import DataLoader, Dataset

        scale = None

        class Squares(Dataset):
            def __len__(self):
                return 3

            def __getitem__(self, index):
                return index * scale  # MPS307

        def main():
            global scale
            scale = 3
            for batch in DataLoader(Squares(), num_workers=2):
                print(batch)

        if __name__ == "__main__":
            main()
        """,
    "wait only": """
        from concurrent.futures import ProcessPoolExecutor, wait
        from multiprocessing import Pool

        def store(name):
            return {"jam": 1}[name]

        def main():
            with ProcessPoolExecutor(2) as executor:
                futures = [executor.submit(store, name) for name in ["jam", "honey"]]  # MPS309
                wait(futures)
            with Pool(2) as pool:
                results = [pool.apply_async(store, (name,)) for name in ["jam", "honey"]]  # MPS309
                for result in results:
                    result.wait()

        if __name__ == "__main__":
            main()
        """,
    "wait and ask": """
        from concurrent.futures import ProcessPoolExecutor, wait

        def store(name):
            return {"jam": 1}[name]

        def main():
            with ProcessPoolExecutor(2) as executor:
                futures = [executor.submit(store, name) for name in ["jam", "honey"]]
                done, rest = wait(futures)
                for future in done:
                    print(future.result())

        if __name__ == "__main__":
            main()
        """,
    "initializer starts a process in each worker": """
        from multiprocessing import Pool, Process

        def watch():
            pass

        def prepare():
            watcher = Process(target=watch)
            watcher.start()  # MPS305

        if __name__ == "__main__":
            with Pool(2, initializer=prepare) as pool:
                print(pool.map(len, ["a"]))
        """,
    "dataset opens a pool in its init only": """
        from multiprocessing import Pool
        from torch.utils.data import DataLoader, Dataset

        class Squares(Dataset):
            def __init__(self):
                with Pool(2) as pool:
                    self.items = pool.map(len, ["a", "b"])

            def __len__(self):
                return 2

            def __getitem__(self, index):
                return self.items[index]

        if __name__ == "__main__":
            for batch in DataLoader(Squares(), num_workers=2):
                print(batch)
        """,
    "collate and worker_init start": """
        from multiprocessing import Pool, Process
        from torch.utils.data import DataLoader

        def double(x):
            return 2 * x

        def collate(batch):
            with Pool(2) as pool:  # MPS305
                return pool.map(double, batch)

        def init(number):
            Process(target=double, args=(2,)).start()  # MPS305

        if __name__ == "__main__":
            for batch in DataLoader([1, 2, 3], num_workers=2, collate_fn=collate, worker_init_fn=init):
                print(batch)
        """,
    "dict of processes": """
        from multiprocessing import Process, Queue

        def paint(pictures, name):
            pictures.put(name * 100_000)

        def main():
            queues = {}
            painters = {}
            for name in ["sea", "sky"]:
                queues[name] = Queue()
                painters[name] = Process(target=paint, args=(queues[name], name))
            for painter in painters.values():
                painter.start()
            for painter in painters.values():
                painter.join()  # MPS302
            return {name: queues[name].get() for name in queues}

        if __name__ == "__main__":
            print(len(main()))
        """,
    "one queue and one process in a tuple": """
        import multiprocessing

        def paint(pictures):
            pictures.put("x" * 100_000)

        def launch():
            pictures = multiprocessing.Queue()
            painter = multiprocessing.Process(target=paint, args=(pictures,))
            painter.start()
            return painter, pictures

        def main():
            jobs = [launch() for _ in range(3)]
            for painter, _ in jobs:
                painter.join()  # MPS302
            print([len(pictures.get()) for _, pictures in jobs])

        if __name__ == "__main__":
            main()
        """,
    "consumed by star, unpack, yield from, augmented": """
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import Pool

        def f(x):
            return x + 1

        def stars(pool):
            print(*pool.imap(f, [1, 2]))
            first, second = pool.imap(f, [1, 2])
            return [*pool.imap_unordered(f, [1])], first, second

        def each(pool):
            yield from pool.imap(f, [1])

        def collect(store, pool):
            store += [pool.apply_async(f, (1,))]
            store.results += [pool.apply_async(f, (1,))]
            return None

        def gather(pool, wait):
            jobs = [pool.apply_async(f, (i,)) for i in wait]
            wait(*jobs)

        if __name__ == "__main__":
            with Pool(2) as pool:
                print(stars(pool))
                print(list(each(pool)))
                collect(unknown, pool)
                gather(pool, unknown)
        """,
    "async": """
        import asyncio
        from concurrent.futures import ProcessPoolExecutor

        def f(x):
            return x + 1

        async def main():
            loop = asyncio.get_running_loop()
            with ProcessPoolExecutor() as pool:
                futures = [loop.run_in_executor(pool, f, i) for i in range(3)]
                print(await asyncio.gather(*futures))
                wrapped = asyncio.wrap_future(pool.submit(f, 1))
                print(await wrapped)

        if __name__ == "__main__":
            asyncio.run(main())
        """,
    "executor map nobody reads": """
        from concurrent.futures import ProcessPoolExecutor

        def f(x):
            print(1 / x)

        def main():
            with ProcessPoolExecutor() as pool:
                pool.map(f, [1, 0])  # MPS309

        if __name__ == "__main__":
            main()
        """,
    "class attribute pool": """
        from multiprocessing import Pool

        class Work:
            pool = Pool(2)  # MPS301

            def run(self):
                return self.pool.map(len, ["a"])
        """,
    "guards of other forms": """
        import sys
        from multiprocessing import Pool

        def main():
            with Pool(2) as pool:
                print(pool.map(len, ["a"]))

        if __name__ == "__main__" and len(sys.argv) > 1:
            main()
        __name__ == "__main__" and main()
        main() if __name__ == "__main__" else None
        if __name__ in ("__main__", "__mp_main__x"):
            main()
        if not __name__ == "__main__":
            print("imported")
        else:
            main()
        """,
    "imported module starts": """
        import settings

        if __name__ == "__main__":
            print(settings.cache)
        # file: settings.py
        from multiprocessing import Manager

        manager = Manager()  # MPS301
        cache = manager.dict()
        """,
    "object creation starts": """
        from engine import Engine

        engine = Engine(2)  # MPS301
        print(engine.run(["a"]))
        # file: engine.py
        import multiprocessing as mp

        class Engine:
            def __init__(self, n):
                self.pool = mp.Pool(n)

            def run(self, items):
                return self.pool.map(len, items)
        """,
    "under try and for": """
        from multiprocessing import Process

        def f():
            pass

        try:
            for i in range(3):
                p = Process(target=f)
                p.start()  # MPS301
                p.join()
        except KeyboardInterrupt:
            pass
        """,
    "for else sentinel": """
        from multiprocessing import Process, Queue

        def work(items, out):
            for item in items:
                out.put(int(item))
            else:
                out.put(None)  # MPS303

        if __name__ == "__main__":
            out = Queue()
            p = Process(target=work, args=(["1"], out))
            p.start()
            while True:
                item = out.get()
                if item is None:
                    break
                print(item)
            p.join()
        """,
    "parent reads in a for counted": """
        from multiprocessing import Process, Queue

        def work(items, out):
            for item in items:
                out.put(int(item))
            out.put(None)

        if __name__ == "__main__":
            out = Queue()
            p = Process(target=work, args=(["1"], out))
            p.start()
            for _ in range(2):
                print(out.get())
            p.join()
        """,
    "pipeline of two stages": """
        from multiprocessing import Process, Queue

        def first(source, middle):
            for item in iter(source.get, None):
                middle.put(item + 1)
            middle.put(None)

        def second(middle, out):
            try:
                for item in iter(middle.get, None):
                    out.put(str(item))
            finally:
                out.put(None)

        if __name__ == "__main__":
            source, middle, out = Queue(), Queue(), Queue()
            a = Process(target=first, args=(source, middle))
            b = Process(target=second, args=(middle, out))
            a.start()
            b.start()
            for i in range(3):
                source.put(i)
            source.put(None)
            print(list(iter(out.get, None)))
            a.join()
            b.join()
        """,
    "two queues, second worker never told": """
        from multiprocessing import Process, Queue

        def first(source, middle):
            for item in iter(source.get, None):
                middle.put(item + 1)

        def second(middle, out):
            for item in iter(middle.get, None):  # MPS303
                out.put(item)

        if __name__ == "__main__":
            source, middle, out = Queue(), Queue(), Queue()
            a = Process(target=first, args=(source, middle))
            b = Process(target=second, args=(middle, out))
            a.start()
            b.start()
            for i in range(3):
                source.put(i)
            source.put(None)
            print([out.get() for _ in range(3)])
            a.join()
            b.join()
        """,
    "match statement": """
        from multiprocessing import Process, Queue

        def work(jobs):
            while True:
                match jobs.get():
                    case None:
                        break
                    case job:
                        print(job)

        if __name__ == "__main__":
            jobs = Queue()
            ws = [Process(target=work, args=(jobs,)) for _ in range(2)]
            for w in ws:
                w.start()
            for w in ws:
                jobs.put(None)
            for w in ws:
                w.join()
        """,
    "torch spawn with queue": """
        import torch.multiprocessing as mp

        def work(rank, jobs):
            while True:
                job = jobs.get()
                if job is None:
                    return
                print(rank, job)

        if __name__ == "__main__":
            jobs = mp.Queue()
            for i in range(3):
                jobs.put(i)
            for _ in range(2):
                jobs.put(None)
            mp.spawn(work, args=(jobs,), nprocs=2)
        """,
    "lambda and nested": """
        from multiprocessing import Process, Queue

        def main():
            jobs = Queue()
            stop = "stop"

            def work():
                while True:
                    job = jobs.get()
                    if job == stop:
                        break
                    print(job)

            ws = [Process(target=work) for _ in range(2)]
            for w in ws:
                w.start()
            jobs.put("a")
            for _ in ws:
                jobs.put(stop)
            [w.join() for w in ws]

        if __name__ == "__main__":
            main()
        """,
    "sentinels by list multiplication and extend": """
        from multiprocessing import Process, Queue

        def work(jobs):
            for job in iter(jobs.get, None):
                print(job)

        def main(n=3):
            jobs = Queue()
            ws = [Process(target=work, args=(jobs,)) for _ in range(n)]
            for w in ws:
                w.start()
            for job in ["a", "b"] + [None] * n:
                jobs.put(job)
            for w in ws:
                w.join()

        if __name__ == "__main__":
            main()
        """,
    "commands in tuples, nobody sends the stop": """
        from multiprocessing import Process, Queue

        def serve(orders, answers):
            while True:  # MPS303
                command, value = orders.get()
                if command == "stop":
                    break
                if command == "double":
                    answers.put(value * 2)

        if __name__ == "__main__":
            orders, answers = Queue(), Queue()
            server = Process(target=serve, args=(orders, answers))
            server.start()
            for value in range(3):
                orders.put(("double", value))
            print([answers.get() for _ in range(3)])
            server.join()
        """,
    "commands in tuples, with the stop": """
        from multiprocessing import Process, Queue

        def serve(orders, answers):
            while True:
                order = orders.get()
                command = order[0]
                if command == "stop":
                    break
                answers.put(order[1] * 2)

        if __name__ == "__main__":
            orders, answers = Queue(), Queue()
            server = Process(target=serve, args=(orders, answers))
            server.start()
            for value in range(3):
                orders.put(("double", value))
            print([answers.get() for _ in range(3)])
            orders.put(("stop", None))
            server.join()
        """,
    "dict messages": """
        from multiprocessing import Process, Queue

        def serve(orders):
            while True:  # MPS303
                order = orders.get()
                if order["kind"] == "stop":
                    return
                print(order["value"])

        def main():
            orders = Queue()
            server = Process(target=serve, args=(orders,))
            server.start()
            orders.put({"kind": "print", "value": 3})
            orders.put({"kind": "end"})
            server.join()

        if __name__ == "__main__":
            main()
        """,
    "a final message in a tuple": """
        from multiprocessing import Process, Queue

        def work(numbers, answers):
            for number in numbers:
                answers.put(("answer", 1 / int(number)))
            answers.put(("done", None))  # MPS303

        def main():
            answers = Queue()
            workers = [Process(target=work, args=(part, answers)) for part in (["1"], ["2", "0"])]
            for worker in workers:
                worker.start()
            running = len(workers)
            while running:
                kind, value = answers.get()
                if kind == "done":
                    running -= 1
                else:
                    print(value)
            for worker in workers:
                worker.join()

        if __name__ == "__main__":
            main()
        """,
    "a class as the sentinel": """
        from multiprocessing import Process, Queue

        class Stop:
            pass

        class Job:
            def __init__(self, number):
                self.number = number

        def work(jobs):
            while True:
                job = jobs.get()
                if isinstance(job, Stop):
                    break
                print(job.number)

        def forgotten(jobs):
            while True:  # MPS303
                job = jobs.get()
                if isinstance(job, Stop):
                    break
                print(job.number)

        if __name__ == "__main__":
            jobs = Queue()
            worker = Process(target=work, args=(jobs,))
            worker.start()
            jobs.put(Job(1))
            jobs.put(Stop())
            worker.join()
            jobs = Queue()
            worker = Process(target=forgotten, args=(jobs,))
            worker.start()
            jobs.put(Job(1))
            worker.join()
        """,
    "a generator reads": """
        from multiprocessing import Process, Queue

        def items(queue):
            while True:  # MPS303
                item = queue.get()
                if item is None:
                    return
                yield item

        def work(jobs):
            for job in items(jobs):
                print(job)

        if __name__ == "__main__":
            jobs = Queue()
            worker = Process(target=work, args=(jobs,))
            worker.start()
            jobs.put("a")
            worker.join()
        """,
    "a generator whose reader may stop": """
        from multiprocessing import Process, Queue

        def items(queue):
            while True:
                yield queue.get()

        def work(jobs):
            for job in items(jobs):
                if len(job) > 3:
                    break
                print(job)

        if __name__ == "__main__":
            jobs = Queue()
            worker = Process(target=work, args=(jobs,))
            worker.start()
            jobs.put("abcd")
            worker.join()
        """,
    "target given to the base": """
        from multiprocessing import Process, Queue

        class Worker(Process):
            def __init__(self, jobs):
                super().__init__(target=self.loop, args=(jobs,))

            def loop(self, jobs):
                while True:  # MPS303
                    print(jobs.get())

        if __name__ == "__main__":
            jobs = Queue()
            worker = Worker(jobs)
            worker.start()
            jobs.put("a")
            worker.join()
        """,
    "item changed before it is asked": """
        from multiprocessing import Process, Queue

        def decode(data):
            return data or None

        def work(jobs):
            while True:
                job = jobs.get()
                job = decode(job)
                if job is None:
                    break
                print(job)

        if __name__ == "__main__":
            jobs = Queue()
            worker = Process(target=work, args=(jobs,))
            worker.start()
            jobs.put("a")
            jobs.put("")
            worker.join()
        """,
    "target called, result of arithmetic": """
        import sys
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import Process

        def work(count):
            total = 0
            for number in range(count):
                total += number * number
            return total

        def main(count):
            process = Process(target=work(count))  # MPS308
            process.start()
            process.join()

        if __name__ == "__main__":
            main(int(sys.argv[1]))
        """,
    "run in executor": """
        import asyncio
        from concurrent.futures import ProcessPoolExecutor

        limit = 1

        def work(number):
            return number + limit  # MPS307

        async def main():
            global limit
            limit = 5
            loop = asyncio.get_running_loop()
            with ProcessPoolExecutor() as executor:
                print(await loop.run_in_executor(executor, work, 3))

        asyncio.run(main())  # MPS301
        """,
    "run in executor of threads": """
        import asyncio
        from concurrent.futures import ThreadPoolExecutor

        def work(number):
            return number + 1

        async def main():
            loop = asyncio.get_running_loop()
            with ThreadPoolExecutor() as executor:
                print(await loop.run_in_executor(executor, work, 3))
                print(await loop.run_in_executor(None, work, 3))

        asyncio.run(main())
        """,
    "spawn context object with manager and counters": """
        import multiprocessing as mp

        def work(jobs, done, lock):
            while True:
                job = jobs.get()
                if job is None:
                    done.put(None)  # MPS303
                    return
                with lock:
                    done.put(int(job))

        def main():
            ctx = mp.get_context("spawn")
            jobs, done, lock = ctx.Queue(), ctx.Queue(), ctx.Lock()
            workers = [ctx.Process(target=work, args=(jobs, done, lock), daemon=True) for _ in range(3)]
            for w in workers:
                w.start()
            for job in ["1", "2"]:
                jobs.put(job)
            for _ in workers:
                jobs.put(None)
            ended = 0
            while ended < len(workers):
                if done.get() is None:
                    ended += 1
            for w in workers:
                w.join()

        if __name__ == "__main__":
            main()
        """,
    "the last word on the way out of the loop": """
        import multiprocessing as mp

        def work(jobs, done):
            while True:
                job = jobs.get()
                if job is None:
                    done.put(None)  # MPS303
                    return
                done.put(int(job))

        def careful(jobs, done):
            while True:
                job = jobs.get()
                if job is None:
                    done.put(None)
                    break
                try:
                    done.put(int(job))
                except Exception as error:
                    done.put(repr(error))

        def main(target):
            jobs, done = mp.Queue(), mp.Queue()
            workers = [mp.Process(target=target, args=(jobs, done)) for _ in range(3)]
            for w in workers:
                w.start()
            for job in ["1", "2"]:
                jobs.put(job)
            for _ in workers:
                jobs.put(None)
            ended = 0
            while ended < len(workers):
                if done.get() is None:
                    ended += 1
            for w in workers:
                w.join()

        if __name__ == "__main__":
            main(work)
            main(careful)
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_flows(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(PROGRAMS[name], tmp_path, capsys)
