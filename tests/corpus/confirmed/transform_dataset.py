# espnet espnet/st/pytorch_backend/st.py:283 MPS102
# espnet espnet/tts/pytorch_backend/tts.py:435 MPS102
# espnet espnet/tts/pytorch_backend/tts.py:446 MPS102
# AttributeError: Can't pickle local object 'train.<locals>.<lambda>'
import torch


class TransformDataset(torch.utils.data.Dataset):
    def __init__(self, data, transform):
        self.data = data
        self.transform = transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.transform(self.data[index])


class ChainerDataLoader:
    @staticmethod
    def get_first_element(x):
        return x[0]

    def __init__(self, **kwargs):
        self.loader = torch.utils.data.dataloader.DataLoader(**kwargs)


def train(workers):
    converter = sum
    return ChainerDataLoader(
        dataset=TransformDataset([[1], [2]], lambda data: converter(data)),
        batch_size=1,
        num_workers=workers,
        collate_fn=ChainerDataLoader.get_first_element,
        multiprocessing_context="spawn",
    )


if __name__ == "__main__":
    print(list(train(1).loader))
