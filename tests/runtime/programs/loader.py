"""A DataLoader whose dataset and collate function can't be sent."""

from torch.utils.data import DataLoader, Dataset


class Frames(Dataset):
    def __init__(self, names):
        self.settings = {"names": names}  # settings

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return index


if __name__ == "__main__":
    frames = Frames({"car": 1}.keys())
    for batch in DataLoader(frames, num_workers=1, collate_fn=lambda batch: batch):  # collate
        print(batch)
