# lmms-eval lmms_eval/models/simple/cambrians.py:259 MPS206
# AttributeError: Can't pickle local object 'generate_until.<locals>.Dataset'
import torch


def generate_until(requests):
    class Dataset(torch.utils.data.Dataset):
        def __init__(self, requests):
            self.requests = requests

        def __len__(self):
            return len(self.requests)

        def __getitem__(self, index):
            return self.requests[index]

    dataset = Dataset(requests)
    loader = torch.utils.data.DataLoader(dataset, batch_size=1, num_workers=1, multiprocessing_context="spawn")
    return list(loader)


if __name__ == "__main__":
    print(generate_until(["a"]))
