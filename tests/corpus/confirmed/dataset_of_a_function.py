# mosaicml-streaming streaming/text/convert/c4.py:85 MPS206
# AttributeError: Can't pickle local object 'get.<locals>.Sharded'
from torch.utils.data import DataLoader, IterableDataset


def get(split):
    class Sharded(IterableDataset):
        def __init__(self):
            self.dataset = [split, split]

        def __iter__(self):
            return iter(self.dataset)

    return Sharded()


def each(dataset, num_workers):
    yield from DataLoader(dataset=dataset, num_workers=num_workers, multiprocessing_context="spawn")


if __name__ == "__main__":
    print(list(each(get("train"), 1)))
