# fairseq fairseq-0.12.2/fairseq/examples/multilingual/data_scripts/download_wmt19_and_before.py:397 MPS309
# done, and nothing said of the error
import multiprocessing as mp
from functools import partial


def download(folder, url):
    raise OSError(f"{folder}/{url} can't be reached")


def download_multi(folder, urls):
    pool = mp.Pool(processes=2)
    download_f = partial(download, folder)
    downloaded_files = pool.imap_unordered(download_f, urls)  # noqa: F841
    pool.close()
    pool.join()


if __name__ == "__main__":
    mp.set_start_method("spawn")
    download_multi("wmt", ["a", "b"])
    print("done, and nothing said of the error")
