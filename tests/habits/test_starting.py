"""Daemons with children (MPS305), globals that are not shared (MPS307), functions that are called (MPS308)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import check

DAEMONS = {
    "a daemon process starts a process": """
        from multiprocessing import Process

        def chop(onion):
            print(onion)

        def cook(dish):
            helper = Process(target=chop, args=(dish,))
            helper.start()  # MPS305
            helper.join()

        if __name__ == "__main__":
            chef = Process(target=cook, args=("soup",), daemon=True)
            chef.start()
            chef.join()
        """,
    "the flag is set later, in a class": """
        from multiprocessing import Process

        def chop(onion):
            print(onion)

        class Chef(Process):
            def __init__(self):
                super().__init__()
                self.daemon = True

            def run(self):
                Process(target=chop, args=("onion",)).start()  # MPS305

        if __name__ == "__main__":
            chef = Chef()
            chef.start()
            chef.join()
        """,
    "a bound method as the task, an executor in it": """
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import Pool

        class Kitchen:
            def cook(self, dishes):
                return self.chop_all(dishes)  # MPS305

            def chop_all(self, dishes):
                with ProcessPoolExecutor(2) as executor:
                    return list(executor.map(len, dishes))

        if __name__ == "__main__":
            with Pool(2) as pool:
                print(pool.map(Kitchen().cook, [["soup"], ["pie"]]))
        """,
    "a manager in a task": """
        from multiprocessing import Manager, Pool

        def cook(dish):
            with Manager() as manager:  # MPS305
                return len(manager.list([dish]))

        if __name__ == "__main__":
            with Pool(2) as pool:
                print(pool.apply_async(cook, ("soup",)).get())
        """,
    "workers that are no daemons": """
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import Pool, Process

        def cook(dishes):
            with Pool(2) as pool:
                return pool.map(len, dishes)

        if __name__ == "__main__":
            with ProcessPoolExecutor(2) as executor:
                print(list(executor.map(cook, [["soup"]])))
            chef = Process(target=cook, args=(["pie"],))
            chef.start()
            chef.join()
        """,
    "threads in a task, and a task of threads": """
        from multiprocessing import Pool
        from multiprocessing.pool import ThreadPool

        def cook(dishes):
            with ThreadPool(2) as pool:
                return pool.map(len, dishes)

        def serve(dishes):
            with Pool(2) as pool:
                return pool.map(len, dishes)

        if __name__ == "__main__":
            with Pool(2) as pool:
                print(pool.map(cook, [["soup"]]))
            with ThreadPool(2) as pool:
                print(pool.map(serve, [["soup"]]))
        """,
    "only where it is asked to": """
        from multiprocessing import Pool, current_process

        def cook(dishes, helpers=0):
            if helpers:
                with Pool(helpers) as pool:
                    return pool.map(len, dishes)
            return list(map(len, dishes))

        def bake(dishes):
            if current_process().daemon:
                return list(map(len, dishes))
            with Pool(2) as pool:
                return pool.map(len, dishes)

        if __name__ == "__main__":
            with Pool(2) as pool:
                print(pool.map(cook, [["soup"]]))
                print(pool.map(bake, [["soup"]]))
        """,
    "a DataLoader in a task has workers or has none": """
        from multiprocessing import Pool

        from torch.utils.data import DataLoader

        def load(items):
            return list(DataLoader(items))

        def load_by_workers(items):
            return list(DataLoader(items, num_workers=2))  # MPS305

        if __name__ == "__main__":
            with Pool(2) as pool:
                print(pool.map(load, [[1, 2]]))
                print(pool.map(load_by_workers, [[1, 2]]))
        """,
    "the class says to Process what it is": """
        from multiprocessing import Process

        class Cook(Process):
            def __init__(self, dish):
                super().__init__(daemon=True)
                self.dish = dish

            def run(self):
                Process(target=print, args=(self.dish,)).start()  # MPS305

        class Baker(Process):
            def __init__(self, dish):
                Process.__init__(self, daemon=True)
                self.dish = dish

            def run(self):
                Process(target=print, args=(self.dish,)).start()  # MPS305

        class Guest(Process):
            def __init__(self, dish):
                super().__init__(daemon=False)
                self.dish = dish

            def run(self):
                Process(target=print, args=(self.dish,)).start()

        if __name__ == "__main__":
            for one in [Cook("soup"), Baker("bread"), Guest("salad")]:
                one.start()
                one.join()
        """,
}

GLOBALS = {
    "set by a function of the parent": """
        from multiprocessing import Process

        language = None

        def choose(name):
            global language
            language = name

        def greet(name):
            print(language, name)  # MPS307

        def main():
            choose("en")
            worker = Process(target=greet, args=("Ann",))
            worker.start()
            worker.join()

        if __name__ == "__main__":
            main()
        """,
    "bound in the main block alone": """
        import sys
        from multiprocessing import Pool

        def greet(name):
            return salute(name)

        def salute(name):
            return greeting + name  # MPS307

        if __name__ == "__main__":
            greeting = sys.argv[1]
            with Pool(2) as pool:
                print(pool.map(greet, ["Ann"]))
        """,
    "an attribute of a module, an object and a list": """
        import settings
        from multiprocessing import Pool

        def greet(name):
            return settings.greeting + name  # MPS307

        def address(name):
            return settings.titles[0] + name  # MPS307

        def sign(name):
            return name + settings.style.end  # MPS307

        def main():
            settings.greeting = "Hello "
            settings.titles.append("Ms ")
            settings.style.end = "!"
            with Pool(2) as pool:
                print(pool.map(greet, ["Ann"]), pool.map(address, ["Ann"]), pool.map(sign, ["Ann"]))

        if __name__ == "__main__":
            main()
        # file: settings.py
        greeting = ""
        titles = []

        class Style:
            def __init__(self):
                self.end = "."

        style = Style()
        """,
    "set at import": """
        from multiprocessing import Pool

        LANGUAGES = {}
        LANGUAGES["en"] = "Hello "

        def register(name, greeting):
            LANGUAGES[name] = greeting

        register("de", "Hallo ")

        def greet(name):
            return LANGUAGES["en"] + name

        if __name__ == "__main__":
            with Pool(2) as pool:
                print(pool.map(greet, ["Ann"]))
        """,
    "set by the worker itself": """
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import Pool

        language = None
        words = {}

        def choose(name):
            global language
            language = name

        def greet(name):
            return language + name

        def look_up(word):
            if word not in words:
                words[word] = len(word)
            return words[word]

        def load():
            global language
            if language is None:
                language = "en"
            return language

        def greet_lazily(name):
            return load() + name

        def main():
            choose("en ")
            look_up("tree")
            with Pool(2, choose, ("en ",)) as pool:
                print(pool.map(greet, ["Ann"]))
                print(pool.map(look_up, ["river"]))
            with ProcessPoolExecutor(initializer=choose, initargs=("de ",)) as executor:
                print(list(executor.map(greet, ["Ann"])))
                print(list(executor.map(greet_lazily, ["Ann"])))

        if __name__ == "__main__":
            main()
        """,
    "another key than the one that is read": """
        from multiprocessing import Pool

        SETTINGS = {"unit": "km", "verbose": False}

        def describe(distance):
            return f"{distance} {SETTINGS['unit']}"

        if __name__ == "__main__":
            SETTINGS["verbose"] = True
            with Pool(1) as pool:
                print(pool.map(describe, [3, 5]))
        """,
    "handed over, or read by the parent alone": """
        import sys
        from functools import partial
        from multiprocessing import Pool

        def greet(greeting, name):
            return greeting + name

        def show(names):
            print(greeting, names)

        if __name__ == "__main__":
            greeting = sys.argv[1]
            with Pool(2) as pool:
                show(pool.map(partial(greet, greeting), ["Ann"]))
        """,
    "with fork the worker has a copy": """
        import multiprocessing

        language = None

        def greet(name):
            return language + name

        def main():
            global language
            language = "en "
            with multiprocessing.get_context("fork").Pool(2) as pool:
                print(pool.map(greet, ["Ann"]))

        if __name__ == "__main__":
            main()
        """,
    "what the import makes is shared by nobody": """
        import multiprocessing as mp

        results = mp.Queue()
        found = mp.Value("i", 0)
        turn = mp.Lock()
        used_here = mp.Value("i", 0)
        handed_over = mp.Queue()

        def work(number, queue):
            with turn:
                used_here.value += 1
                found.value += number  # MPS307
                queue.put(number)
            results.put(number)  # MPS307

        if __name__ == "__main__":
            process = mp.Process(target=work, args=(3, handed_over))
            process.start()
            print(results.get(), handed_over.get(), found.value)
            process.join()
        """,
    "a fork shares what the import makes": """
        import multiprocessing as mp

        context = mp.get_context("fork")
        results = context.Queue()

        def work(number):
            results.put(number)

        if __name__ == "__main__":
            process = context.Process(target=work, args=(3,))
            process.start()
            print(results.get())
            process.join()
        """,
    "a worker fills it itself": """
        from multiprocessing import Pool, Process

        STATE = {}
        UNIT = "km"

        def prepare(unit):
            STATE["unit"] = unit

        def describe(distance):
            return f"{distance} {STATE['unit']}"

        def run(unit):
            STATE["unit"] = unit
            print(describe(3))

        def main():
            global UNIT
            UNIT = "km"
            prepare("miles")
            with Pool(1, initializer=prepare, initargs=("miles",)) as pool:
                print(pool.map(describe, [3, 5]))
            process = Process(target=run, args=("yards",))
            process.start()
            process.join()

        if __name__ == "__main__":
            main()
        """,
    "a worker that misses an item makes it": """
        from multiprocessing import Pool

        greetings = {}
        names = {}

        def learn(language):
            greetings[language] = "hello"
            names[language] = "Ann"

        def greet(language):
            try:
                return greetings[language]
            except KeyError:
                return "hello"

        def call(language):
            try:
                return names[language]  # MPS307
            except KeyError as error:
                raise LookupError(language) from error

        def main():
            learn("en")
            with Pool(2) as pool:
                print(pool.map(greet, ["en"]), pool.map(call, ["en"]))

        if __name__ == "__main__":
            main()
        """,
}

TARGETS = {
    "in a list of processes": """
        import multiprocessing as mp

        def paint(page):
            print(page)

        def main(pages):
            painters = [mp.Process(target=paint(page)) for page in pages]  # MPS308
            for painter in painters:
                painter.start()
            for painter in painters:
                painter.join()
        """,
    "a positional argument, a method, a task": """
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import Pool, Process

        class Painter:
            def paint(self, page):
                self.page = page

        def setup():
            print("ready")

        def size(page):
            return len("cover")

        if __name__ == "__main__":
            Process(None, Painter().paint("cover")).start()  # MPS308
            with Pool(2, setup()) as pool:  # MPS308
                print(pool.apply_async(size("cover"), ("cover",)).get())  # MPS308
            with ProcessPoolExecutor(initializer=setup()) as executor:  # MPS308
                print(executor.submit(size("cover")).result())  # MPS308
        """,
    "a call that returns a function": """
        import functools
        from multiprocessing import Pool, Process

        def paint(page, color):
            print(page, color)

        def painter_of(color):
            return functools.partial(paint, color=color)

        class Painter:
            def __call__(self):
                print("cover")

        def by_name(name):
            return {"paint": paint}[name]

        def chosen(color):
            if color == "red":
                return paint
            return None

        def main(color):
            Process(target=painter_of("red"), args=("cover",)).start()
            Process(target=Painter()).start()
            Process(target=by_name("paint"), args=("cover", "red")).start()
            Process(target=unknown_library.target("red")).start()
            Process(target=chosen(color)).start()
            Process(target=None).start()
        """,
    "a thread": """
        import threading

        def paint(page):
            print(page)

        threading.Thread(target=paint("cover")).start()
        """,
}


@pytest.mark.parametrize("name", DAEMONS)
def test_daemon_children(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(DAEMONS[name], tmp_path, capsys)


@pytest.mark.parametrize("name", GLOBALS)
def test_global_not_shared(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(GLOBALS[name], tmp_path, capsys)


@pytest.mark.parametrize("name", TARGETS)
def test_target_called(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(TARGETS[name], tmp_path, capsys)
