# nemo_toolkit nemo/collections/common/parts/preprocessing/collections.py:679 MPS112
# _pickle.PicklingError: Can't pickle <class '__main__.SpeechLabelEntity'>: attribute lookup SpeechLabelEntity on __main__ failed
import collections

from torch.utils.data import DataLoader, Dataset


class SpeechLabel(collections.UserList):
    OUTPUT_TYPE = collections.namedtuple(typename="SpeechLabelEntity", field_names="audio_file label")

    def __init__(self, audio_files, labels):
        output_type = self.OUTPUT_TYPE
        data = []
        for audio_file, label in zip(audio_files, labels, strict=True):
            data.append(output_type(audio_file, label))
        super().__init__(data)


class AudioToLabel(Dataset):
    def __init__(self, audio_files, labels):
        self.collection = SpeechLabel(audio_files, labels)

    def __len__(self):
        return len(self.collection)

    def __getitem__(self, index):
        return self.collection[index].label


if __name__ == "__main__":
    print(list(DataLoader(AudioToLabel(["a.wav"], ["a"]), num_workers=1, multiprocessing_context="spawn")))
