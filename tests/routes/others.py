"""Routes through queues, pipes and other ways out of a process."""

WITHOUT_TORCH = {
    "queue: a view is lost": """
from multiprocessing import Process, Queue


def serve(queue):
    print(sorted(queue.get()))


if __name__ == "__main__":
    queue = Queue()
    process = Process(target=serve, args=(queue,))
    process.start()
    queue.put({"a": 1}.keys())  # MPS201 queue-item
    process.join()
""",
    "queue: what the worker puts": """
from multiprocessing import Process, Queue


def count(text, results):
    counts = {letter: text.count(letter) for letter in text}
    results.put(counts.items())  # MPS201 queue-item


if __name__ == "__main__":
    results = Queue()
    process = Process(target=count, args=("abb", results))
    process.start()
    print(sorted(results.get()))
    process.join()
""",
    "queue: a lambda in a tuple": """
import multiprocessing


def serve(tasks):
    for function, value in iter(tasks.get, None):
        print(function(value))


def main():
    tasks = multiprocessing.Queue()
    process = multiprocessing.Process(target=serve, args=(tasks,))
    process.start()
    tasks.put((abs, -1))
    tasks.put((lambda n: n + 1, 1))  # MPS202 queue-item
    tasks.put(None)
    process.join()


if __name__ == "__main__":
    main()
""",
    "queue: SimpleQueue.put raises": """
from multiprocessing import SimpleQueue

if __name__ == "__main__":
    queue = SimpleQueue()
    queue.put({"a": 1}.values())  # MPS201 queue-item
    print(sum(queue.get()))
""",
    "queue: a queue that is kept on self": """
from multiprocessing import Process, SimpleQueue


class Log:
    def __init__(self):
        self.queue = SimpleQueue()

    def write(self, **fields):
        self.queue.put(fields.items())  # MPS201 queue-item


def show(queue):
    print(sorted(queue.get()))


if __name__ == "__main__":
    log = Log()
    process = Process(target=show, args=(log.queue,), daemon=True)
    process.start()
    log.write(level=1)
    process.join()
""",
    "pipe: a lambda": """
from multiprocessing import Pipe

if __name__ == "__main__":
    here, there = Pipe()
    here.send(lambda n: n + 1)  # MPS202 pipe
    print(there.recv()(1))
""",
    "pipe: what the worker sends": """
import multiprocessing as mp


def tell(connection):
    connection.send({"a": 1, "b": 2}.keys())  # MPS201 pipe
    connection.close()


if __name__ == "__main__":
    here, there = mp.Pipe()
    process = mp.Process(target=tell, args=(there,))
    process.start()
    there.close()
    print(sorted(here.recv()))
    process.join()
""",
    "pickle: dumps": """
import pickle

if __name__ == "__main__":
    print(len(pickle.dumps({"names": {"a": 1}.keys()})))  # MPS201 pickle-call
""",
    "pickle: dump of an object": """
import io
import pickle


class Model:
    def __init__(self):
        self.activation = lambda x: max(x, 0)  # MPS102 pickle-call


def save(model, file):
    pickle.dump(model, file)


if __name__ == "__main__":
    save(Model(), io.BytesIO())
    print("saved")
""",
    "joblib: a lock": """
from threading import Lock

from joblib import Parallel, delayed


def work(lock, n):
    with lock:
        return n


if __name__ == "__main__":
    lock = Lock()  # MPS208 joblib-task
    print(Parallel(n_jobs=2)(delayed(work)(lock, n) for n in range(2)))
""",
    "joblib: a lambda with the multiprocessing backend": """
from joblib import Parallel, delayed

if __name__ == "__main__":
    tasks = (delayed(lambda n: n + 1)(n) for n in range(2))  # MPS202 joblib-task
    print(Parallel(n_jobs=2, backend="multiprocessing")(tasks))
""",
}

WITH_TORCH = {
    "torch spawn: a local function": """
import torch.multiprocessing as mp


def main(size):
    def train(rank):  # MPS203 torch-spawn
        print("rank", rank, "of", size, flush=True)

    mp.spawn(train, nprocs=size)


if __name__ == "__main__":
    main(1)
""",
    "torch spawn: a view in args": """
import torch.multiprocessing as mp


def train(rank, names):
    print(rank, sorted(names), flush=True)


if __name__ == "__main__":
    mp.spawn(train, args=({"a": 1}.keys(),), nprocs=1)  # MPS201 torch-spawn
""",
    "torch process: a lambda": """
import torch.multiprocessing as mp

if __name__ == "__main__":
    process = mp.Process(target=lambda: print("done"))  # MPS202 process-target
    process.start()
    process.join()
""",
    "loader: collate_fn": """
from torch.utils.data import DataLoader

if __name__ == "__main__":
    collate = lambda items: sum(items)  # MPS202 dataloader-argument
    print(*DataLoader([1, 2], batch_size=2, collate_fn=collate, num_workers=1))
""",
    "loader: a collate function that is made for it": """
from torch.utils.data import DataLoader


def make_collate(pad):
    def collate(items):  # MPS203 dataloader-argument
        return [item + [pad] for item in items]

    return collate


if __name__ == "__main__":
    print(*DataLoader([[1], [2]], batch_size=2, collate_fn=make_collate(0), num_workers=1))
""",
    "loader: a collate function that is an object": """
from torch.utils.data import DataLoader


class Collate:
    def __init__(self, fields):
        self.fields = fields
        self.names = fields.keys()  # MPS101 dataloader-argument

    def __call__(self, items):
        return {name: items for name in self.names}


if __name__ == "__main__":
    print(*DataLoader([1, 2], batch_size=2, collate_fn=Collate({"x": 0}), num_workers=1))
""",
    "loader: a method of the dataset as collate_fn": """
from torch.utils.data import DataLoader, Dataset


class Words(Dataset):
    def __init__(self, words):
        self.words = words
        self.key = lambda word: len(word)  # MPS102 dataset-attribute

    def __len__(self):
        return len(self.words)

    def __getitem__(self, index):
        return self.words[index]

    def collate(self, words):
        return sorted(words, key=self.key)


if __name__ == "__main__":
    words = Words(["aa", "b"])
    print(*DataLoader(words, batch_size=2, collate_fn=words.collate, num_workers=1))
""",
    "loader: worker_init_fn": """
import random

from torch.utils.data import DataLoader

if __name__ == "__main__":
    seed = 3
    loader = DataLoader(
        range(2),
        num_workers=1,
        worker_init_fn=lambda worker: random.seed(seed + worker),  # MPS202 dataloader-argument
    )
    print(*loader)
""",
    "loader: a list of views": """
from torch.utils.data import DataLoader

if __name__ == "__main__":
    rows = [(1, 2), {"b": 2}.values()]  # MPS201 dataloader-argument
    print(*DataLoader(rows, num_workers=1, collate_fn=len))
""",
    "loader: a subclass": """
from torch.utils.data import DataLoader


class BatchLoader(DataLoader):
    def __init__(self, dataset, pad=0, **kwargs):
        super().__init__(dataset, collate_fn=lambda items: [*items, pad], **kwargs)  # MPS202 dataloader-argument


if __name__ == "__main__":
    print(*BatchLoader([1, 2], pad=5, batch_size=2, num_workers=1))
""",
    "loader: a function that hands **kwargs on": """
from torch.utils.data import DataLoader


def make_loader(dataset, **kwargs):
    options = {"batch_size": 2, "num_workers": 1}
    options.update(kwargs)
    return DataLoader(dataset, **options)


if __name__ == "__main__":
    print(*make_loader([1, 2], collate_fn=lambda items: max(items)))  # MPS202 dataloader-argument
""",
    "loader: a batch with a view hangs": """
from torch.utils.data import DataLoader


def collate(items):
    return {item: 0 for item in items}.keys()  # MPS201 result


if __name__ == "__main__":
    for batch in DataLoader([1, 2], batch_size=2, num_workers=1, collate_fn=collate):
        print(list(batch))
""",
    "loader: items without a batch, that hold a view, hang": """
from torch.utils.data import DataLoader, Dataset


class Records(Dataset):
    def __init__(self, records):
        self.records = records

    def __len__(self):
        return len(self.records)

    def __getitem__(self, index):
        return self.records[index].items()  # MPS201 result


if __name__ == "__main__":
    for item in DataLoader(Records([{"a": 1}]), batch_size=None, num_workers=1):
        print(sorted(item))
""",
}
