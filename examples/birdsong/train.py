"""Train on recordings of birds."""

from multiprocessing import Pool
from pathlib import Path

from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

from data import Recordings
from settings import load_settings


def durations(lengths, rate):
    def seconds(length):
        return length / rate

    with Pool(2) as pool:
        return pool.map(seconds, lengths)


def main():
    settings = load_settings()
    print(sum(durations(settings.lengths.values(), settings.rate)), "seconds")
    loader = DataLoader(
        Recordings(Path(__file__).with_name("sounds.raw"), settings),
        batch_size=3,
        num_workers=2,
        collate_fn=lambda batch: pad_sequence([samples for samples, _ in batch], batch_first=True),
    )
    for samples in loader:
        print(samples.tolist())


if __name__ == "__main__":
    main()
