# monai monai/data/dataset.py:1056 MPS108
# TypeError: cannot pickle '_thread.lock' object
import threading

from torch.utils.data import DataLoader, Dataset


class SmartCacheDataset(Dataset):
    def __init__(self, data):
        self.data = data
        self._update_lock = threading.Lock()
        self._round = 1

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.data[index]

    def update(self):
        with self._update_lock:
            self._round += 1


if __name__ == "__main__":
    print(list(DataLoader(SmartCacheDataset([1, 2]), num_workers=1, multiprocessing_context="spawn")))
