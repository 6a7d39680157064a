"""Routes to a Process: its target, its arguments, and the attributes of a Process of one's own."""

TARGETS = {
    "target: a lambda": """
from multiprocessing import Process

if __name__ == "__main__":
    process = Process(target=lambda: print("done"))  # MPS202 process-target
    process.start()
    process.join()
""",
    "target: a local function": """
import multiprocessing as mp


def run(name):
    def work():  # MPS203 process-target
        print("hello", name)

    process = mp.Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    run("wren")
""",
    "target: a local name": """
from multiprocessing import Process


def main():
    work = lambda n: print(n * n)  # MPS202 process-target
    process = Process(target=work, args=(4,))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
""",
    "target: what a helper in another module returns": """
# file: jobs.py
def job(name):
    def run():  # MPS203 process-target
        print("job", name)

    return run
# file: main.py
from multiprocessing import Process

from jobs import job

if __name__ == "__main__":
    processes = [Process(target=job(name)) for name in ("a", "b")]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
""",
    "target: a partial of a lambda": """
from functools import partial
from multiprocessing import Process

if __name__ == "__main__":
    process = Process(target=partial(lambda a, b: print(a + b), 1), args=(2,))  # MPS202 process-target
    process.start()
    process.join()
""",
    "target: a bound method takes its self along": """
from multiprocessing import Process


class Crawler:
    def __init__(self, pages):
        self.pages = pages
        self.waiting = pages.keys()  # MPS101 process-target

    def crawl(self):
        print(len(self.waiting))

    def start(self):
        process = Process(target=self.crawl)
        process.start()
        process.join()


if __name__ == "__main__":
    Crawler({"a": 1}).start()
""",
    "target: a method of an object of a local class": """
from multiprocessing import Process


def main():
    class Worker:  # MPS206 process-target
        def run(self):
            print("run")

    process = Process(target=Worker().run)
    process.start()
    process.join()


if __name__ == "__main__":
    main()
""",
    "target: a callable object": """
from multiprocessing import Process


class Printer:
    def __init__(self, form):
        self.form = form

    def __call__(self, value):
        print(self.form(value))


if __name__ == "__main__":
    process = Process(target=Printer(lambda value: f"<{value}>"), args=(1,))  # MPS102 process-target
    process.start()
    process.join()
""",
    "target: a parameter of the function that starts it": """
from multiprocessing import Process


def in_background(function, *args):
    process = Process(target=function, args=args)
    process.start()
    return process


if __name__ == "__main__":
    in_background(print, "one").join()
    in_background(lambda: print("two")).join()  # MPS202 process-target
""",
    "target: set on a process later": """
from multiprocessing import Process


def launch(tasks):
    processes = []
    for task in tasks:
        processes.append(Process(target=task))
    for process in processes:
        process.start()
    for process in processes:
        process.join()


if __name__ == "__main__":
    launch([print, lambda: print("x")])  # MPS202 process-target
""",
    "target: a table of functions": """
from multiprocessing import Process

TASKS = {
    "plain": print,
    "loud": lambda text: print(text.upper()),  # MPS202 process-target
}


def main(names):
    for name in names:
        process = Process(target=TASKS[name], args=("x",))
        process.start()
        process.join()


if __name__ == "__main__":
    main(["plain", "loud"])
""",
    "target: decorated without functools.wraps": """
from multiprocessing import Process


def logged(function):
    def wrapper(*args):  # MPS212 process-target
        print("calling", function.__name__)
        return function(*args)

    return wrapper


@logged
def work(n):
    print(n)


if __name__ == "__main__":
    process = Process(target=work, args=(1,))
    process.start()
    process.join()
""",
    "target: a lambda with a name in a module": """
from multiprocessing import Process

work = lambda n: print(n + 1)  # MPS202 process-target

if __name__ == "__main__":
    process = Process(target=work, args=(1,))
    process.start()
    process.join()
""",
}

ARGUMENTS = {
    "args: a view": """
from multiprocessing import Process


def report(names):
    print(sorted(names))


if __name__ == "__main__":
    ages = {"ann": 3, "bob": 4}
    process = Process(target=report, args=(ages.keys(),))  # MPS201 process-args
    process.start()
    process.join()
""",
    "args: a tuple that was built earlier": """
from multiprocessing import Process


def total(rows, scale):
    print(sum(rows) * scale)


def main():
    rows = {"a": 1, "b": 2}
    args = (rows.values(), 2)  # MPS201 process-args
    process = Process(target=total, args=args)
    process.start()
    process.join()


if __name__ == "__main__":
    main()
""",
    "args: a tuple that grows": """
from multiprocessing import Process


def show(name, form):
    print(form(name))


def main():
    args = ("wren",)
    args += (lambda name: name.title(),)  # MPS202 process-args
    process = Process(target=show, args=args)
    process.start()
    process.join()


if __name__ == "__main__":
    main()
""",
    "args: a dict in a list": """
from multiprocessing import Process


def run(options):
    print(options[0]["form"](3))


if __name__ == "__main__":
    process = Process(target=run, args=([{"form": lambda n: n * 2}],))  # MPS202 process-args
    process.start()
    process.join()
""",
    "args: an object from another module": """
# file: config.py
class Config:
    def __init__(self):
        self.levels = {"low": 1, "high": 2}
        self.names = self.levels.keys()  # MPS101 process-args


def load():
    return Config()
# file: main.py
from multiprocessing import Process

import config


def run(settings):
    print(len(settings.names))


if __name__ == "__main__":
    process = Process(target=run, args=(config.load(),))
    process.start()
    process.join()
""",
    "args: a generator": """
from multiprocessing import Process


def consume(lines):
    print(sum(lines))


if __name__ == "__main__":
    process = Process(target=consume, args=((len(line) for line in ("a", "bc")),))  # MPS204 process-args
    process.start()
    process.join()
""",
    "kwargs: a lambda": """
from multiprocessing import Process


def order(values, key):
    print(sorted(values, key=key))


if __name__ == "__main__":
    process = Process(target=order, args=([3, -5],), kwargs={"key": lambda value: -value})  # MPS202 process-args
    process.start()
    process.join()
""",
    "kwargs: a dict made of keywords": """
from multiprocessing import Process


def order(values, key=None):
    print(sorted(values, key=key))


def start(target, **kwargs):
    process = Process(target=target, args=([3, -5],), kwargs=kwargs)
    process.start()
    process.join()


if __name__ == "__main__":
    start(order, key=lambda value: -value)  # MPS202 process-args
""",
    "args: a lock of threads": """
from multiprocessing import Process
from threading import Lock


def work(lock):
    with lock:
        print("worked")


if __name__ == "__main__":
    process = Process(target=work, args=(Lock(),))  # MPS208 process-args
    process.start()
    process.join()
""",
    "args: an open file": """
from multiprocessing import Process


def count(file):
    print(len(file.read()) > 0)


if __name__ == "__main__":
    with open(__file__) as file:  # MPS207 process-args
        process = Process(target=count, args=(file,))
        process.start()
        process.join()
""",
}

SUBCLASSES = {
    "process attribute: a lambda": """
from multiprocessing import Process


class Worker(Process):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.step = lambda n: n + 1  # MPS102 process-attribute

    def run(self):
        print(self.step(self.n))


if __name__ == "__main__":
    worker = Worker(1)
    worker.start()
    worker.join()
""",
    "process attribute: a view, in a base class in another module": """
# file: base.py
import multiprocessing


class Base(multiprocessing.Process):
    def __init__(self, jobs):
        multiprocessing.Process.__init__(self)
        self.jobs = jobs
        self.names = jobs.keys()  # MPS101 process-attribute
# file: main.py
from base import Base


class Worker(Base):
    def run(self):
        print(sorted(self.names))


if __name__ == "__main__":
    worker = Worker({"a": 1})
    worker.start()
    worker.join()
""",
    "process attribute: a constructor's parameter": """
from multiprocessing import Process


class Worker(Process):
    def __init__(self, job):
        super().__init__(daemon=True)
        self.job = job

    def run(self):
        self.job()


if __name__ == "__main__":
    worker = Worker(lambda: print("job"))  # MPS102 process-attribute
    worker.start()
    worker.join()
""",
    "process attribute: set before the start": """
from multiprocessing import Process


class Worker(Process):
    callback = None

    def run(self):
        print(self.callback(2) if self.callback else 0)


if __name__ == "__main__":
    worker = Worker()
    worker.callback = lambda n: n * n  # MPS102 process-attribute
    worker.start()
    worker.join()
""",
    "process attribute: of a context": """
import multiprocessing

context = multiprocessing.get_context()


class Worker(context.Process):
    def __init__(self):
        super().__init__()
        self.rows = {"a": 1}.items()  # MPS101 process-attribute

    def run(self):
        print(len(self.rows))


if __name__ == "__main__":
    worker = Worker()
    worker.start()
    worker.join()
""",
    "process attribute: nobody is seen to start it": """
# file: library.py
from multiprocessing import Process


class Worker(Process):
    def __init__(self, table):
        super().__init__()
        self.names = table.keys()  # MPS101 process-attribute

    def run(self):
        print(len(self.names))
# file: main.py
import importlib

if __name__ == "__main__":
    worker = vars(importlib.import_module("lib" + "rary"))["Work" + "er"]({"a": 1})
    worker.start()
    worker.join()
""",
}

PROCESSES = TARGETS | ARGUMENTS | SUBCLASSES
