# monai monai/data/video_dataset.py:127 MPS115
# TypeError: cannot pickle 'cv2.VideoCapture' object
import cv2
from torch.utils.data import DataLoader, Dataset


class VideoDataset(Dataset):
    def __init__(self, video_source, multiprocessing=False):
        self.video_source = video_source
        self.multiprocessing = multiprocessing
        if not multiprocessing:
            self.cap = self.open_video(video_source)

    @staticmethod
    def open_video(video_source):
        return cv2.VideoCapture(video_source)

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return 0


if __name__ == "__main__":
    print(list(DataLoader(VideoDataset("film.avi"), num_workers=1, multiprocessing_context="spawn")))
