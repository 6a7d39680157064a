# monai monai/data/wsi_reader.py:1498 MPS107
# TypeError: cannot pickle '_io.BufferedReader' object
from torch.utils.data import DataLoader, Dataset


class TiffFile:
    def __init__(self, path):
        self.handle = open(path, "rb")  # noqa: SIM115


class Reader:
    def read(self, filenames):
        slides = []
        for filename in filenames:
            slide = TiffFile(filename)
            slides.append(slide)
        return slides if len(filenames) > 1 else slides[0]


class Patches(Dataset):
    def __init__(self, paths):
        self.reader = Reader()
        self.objects = {}
        self.sizes = [self._size(path) for path in paths]

    def _object(self, path):
        if path not in self.objects:
            self.objects[path] = self.reader.read([path])
        return self.objects[path]

    def _size(self, path):
        return len(self._object(path).handle.read(4))

    def __len__(self):
        return len(self.sizes)

    def __getitem__(self, index):
        return self.sizes[index]


if __name__ == "__main__":
    print(list(DataLoader(Patches([__file__]), num_workers=1, multiprocessing_context="spawn")))
