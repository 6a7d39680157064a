"""Train on recordings of birds."""

from multiprocessing import Pool

import torch
from data import Recordings
from settings import load_settings
from torch.utils.data import DataLoader


def loudest(names, rate):
    def peak(name):
        return max(ord(letter) for letter in name) / rate

    with Pool(2) as pool:
        return max(pool.map(peak, names))


def main():
    settings = load_settings()
    recordings = Recordings(settings, "birdsong.log")
    loader = DataLoader(
        recordings,
        batch_size=3,
        num_workers=2,
        collate_fn=lambda batch: (torch.nn.utils.rnn.pad_sequence([sound for sound, _ in batch]), [n for _, n in batch]),
    )
    for sounds, labels in loader:
        print(tuple(sounds.shape), labels)
    print(loudest(settings.species, settings.rate))


if __name__ == "__main__":
    main()
