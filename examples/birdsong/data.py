"""The recordings, as a dataset."""

import threading

import torch
from torch.utils.data import Dataset


class Recordings(Dataset):
    def __init__(self, path, settings):
        self.settings = settings
        self.file = open(path, "rb")
        self.lock = threading.Lock()

    def __len__(self):
        return len(self.settings.names)

    def __getitem__(self, index):
        name = sorted(self.settings.names)[index]
        with self.lock:
            self.file.seek(index)
            samples = self.file.read(self.settings.lengths[name])
        return torch.tensor(list(samples)), self.settings.label(name)
