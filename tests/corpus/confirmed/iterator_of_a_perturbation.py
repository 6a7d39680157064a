# nemo_toolkit nemo/collections/asr/parts/preprocessing/perturb.py:703 MPS104
# TypeError: cannot pickle 'generator' object
from torch.utils.data import DataLoader, Dataset, IterableDataset


class RandomizedChain(IterableDataset):
    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        for dataset in self.datasets:
            yield from dataset


class NoisePerturbation:
    def __init__(self, datasets):
        self._audiodataset = RandomizedChain(datasets)
        self._data_iterator = iter(self._audiodataset)

    def perturb(self, data):
        return data + next(self._data_iterator)


class Speech(Dataset):
    def __init__(self, rows, augmentor):
        self.rows = rows
        self.augmentor = augmentor

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.augmentor.perturb(self.rows[index])


if __name__ == "__main__":
    dataset = Speech([1, 2], NoisePerturbation([[0], [1]]))
    print(list(DataLoader(dataset, num_workers=1, multiprocessing_context="spawn")))
