# avalanche-lib examples/tvdetection/group_by_aspect_ratio.py:115 MPS202
# AttributeError: Can't pickle local object 'ratios.<locals>.<lambda>'
from torch.utils.data import DataLoader, SequentialSampler


def ratios(dataset):
    loader = DataLoader(
        dataset,
        batch_size=1,
        sampler=SequentialSampler(dataset),
        num_workers=2,
        collate_fn=lambda x: x[0],
        multiprocessing_context="spawn",
    )
    return [width / height for width, height in loader]


if __name__ == "__main__":
    print(ratios([(4, 3), (16, 9)]))
