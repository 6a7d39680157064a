# fairseq fairseq-0.12.2/fairseq/tasks/fairseq_task.py:39 MPS114
# RecursionError: maximum recursion depth exceeded
from torch.utils.data import DataLoader


class StatefulContainer:
    def __init__(self):
        self._state = {}
        self._factories = {}

    def __getattr__(self, name):
        if name not in self._state and name in self._factories:
            self._state[name] = self._factories[name]()
        if name in self._state:
            return self._state[name]
        raise AttributeError(f"Task state has no factory for attribute {name}")


class Task:
    def __init__(self):
        self.state = StatefulContainer()

    def get_batch_iterator(self, dataset, num_workers):
        return DataLoader(
            dataset, collate_fn=self._collate_fn, num_workers=num_workers, multiprocessing_context="spawn"
        )

    def _collate_fn(self, items):
        return items[0]


if __name__ == "__main__":
    print(list(Task().get_batch_iterator([1, 2], 1)))
