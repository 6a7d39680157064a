# asteroid asteroid/data/musdb18_dataset.py:106 MPS102
# _pickle.PicklingError: Can't pickle <function Tracks.<lambda> at 0x…>: attribute lookup Tracks.<lambda> on __main__ failed
from torch.utils.data import DataLoader, Dataset


class Tracks(Dataset):
    def __init__(self, tracks, source_augmentations=lambda audio: audio):
        self.tracks = tracks
        self.source_augmentations = source_augmentations

    def __len__(self):
        return len(self.tracks)

    def __getitem__(self, index):
        return self.source_augmentations(self.tracks[index])


if __name__ == "__main__":
    print(list(DataLoader(Tracks([1.0, 2.0]), num_workers=1, multiprocessing_context="spawn")))
