"""Hands something to another process by the way that its argument names. Lines are known by their last comment."""

import multiprocessing as mp
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor


class Config:
    def __init__(self):
        self.names = {"a": 1}.keys()  # names


class Worker(mp.Process):
    def __init__(self):
        super().__init__()
        self.guard = threading.Lock()  # guard

    def run(self):
        pass


class UnfitError(Exception):
    def __init__(self, part, reason):
        super().__init__(f"{part}: {reason}")  # unfit


class Job:
    def __init__(self):
        self.steps = None
        self.steps = (step for step in "abc")  # steps

    def run(self, number=0):
        return number


def use(*values):
    return len(values)


def viewed(number):
    return [{"n": number}.items()]  # viewed


def unfit(number):
    raise UnfitError(number, "too small")


def put(queue):
    queue.put({"names": Config().names})  # put
    queue.put("end")
    time.sleep(1)  # the end of the process would drop what is still waiting


def target():
    local = lambda: 1  # local  # noqa: E731
    mp.Process(target=local).start()


def args():
    config = Config()
    mp.Process(target=use, args=(1, [config])).start()


def kwargs():
    lock = threading.Lock()  # lock
    mp.Process(target=use, kwargs={"lock": lock}).start()


def attribute():
    Worker().start()


def pool_task():
    with mp.Pool(1) as pool:
        pool.map(Job().run, [1, 2])


def pool_item():
    with mp.Pool(1) as pool:
        pool.apply(use, (3, Config()))


def unheard():
    pool = mp.Pool(1)
    pool.apply_async(use, (Config(),))  # unheard
    pool.close()
    pool.join()


def result():
    with mp.Pool(1) as pool:
        print(pool.map(viewed, [1]))


def initializer():
    with mp.Pool(1, initializer=use, initargs=(Config(),)) as pool:
        pool.map(use, [1])


def executor_task():
    with ProcessPoolExecutor(1) as executor:
        executor.submit(use, Config()).result()  # submit


def executor_map():
    with ProcessPoolExecutor(1) as executor:
        list(executor.map(lambda one: one, [1]))  # mapped


def executor_result():
    with ProcessPoolExecutor(1) as executor:
        executor.submit(viewed, 1).result()


def executor_exception():
    with ProcessPoolExecutor(1) as executor:
        executor.submit(unfit, 1).result()


def pool_exception():
    with mp.Pool(1) as pool:
        pool.map(unfit, [1])


def queue():
    items = mp.Queue()
    process = mp.Process(target=put, args=(items,))
    process.start()
    print(items.get(timeout=20))
    process.join()


def pipe():
    ours, _ = mp.Pipe()
    ours.send(Config())


def handled():
    ours, _ = mp.Pipe()
    for _ in range(5):
        try:
            ours.send(Config())
        except TypeError:
            continue
    print("went on")


def missing():
    process = mp.Process(target=use, args=(only_here,))
    process.start()
    process.join()


def fine():
    items = mp.Queue()
    with mp.Pool(1) as pool, ProcessPoolExecutor(1) as executor:
        items.put(pool.map(use, [1, 2]))
        print(items.get(timeout=20), executor.submit(use, 1).result(), sys.argv[1:])
    sys.exit(7)


if __name__ == "__main__":

    def only_here():
        pass

    globals()[sys.argv[1]]()
