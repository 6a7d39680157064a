# monai monai/apps/datasets.py:739 MPS206
# AttributeError: Can't pickle local object 'CrossValidation.get_dataset.<locals>._NsplitsDataset'
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = self._split_datalist(rows)

    def _split_datalist(self, rows):
        return rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


class CrossValidation:
    def __init__(self, dataset_cls, nfolds, **dataset_params):
        self.dataset_cls = dataset_cls
        self.nfolds = nfolds
        self.dataset_params = dataset_params

    def get_dataset(self, fold):
        nfolds = self.nfolds

        class _NsplitsDataset(self.dataset_cls):
            def _split_datalist(self, rows):
                return rows[fold::nfolds]

        return _NsplitsDataset(**self.dataset_params)


if __name__ == "__main__":
    dataset = CrossValidation(Rows, 2, rows=[1, 2, 3]).get_dataset(0)
    print(list(DataLoader(dataset, num_workers=1, multiprocessing_context="spawn")))
