# espnet espnet/asr/pytorch_backend/asr_mix.py:337 MPS202
# espnet espnet/tts/pytorch_backend/tts.py:450 MPS202
# AttributeError: Can't pickle local object 'train.<locals>.<lambda>'
import torch


class ChainerDataLoader:
    def __init__(self, **kwargs):
        self.loader = torch.utils.data.dataloader.DataLoader(**kwargs)


def train(workers):
    return ChainerDataLoader(
        dataset=[1, 2],
        batch_size=1,
        num_workers=workers,
        collate_fn=lambda x: x[0],
        multiprocessing_context="spawn",
    )


if __name__ == "__main__":
    print(list(train(1).loader))
