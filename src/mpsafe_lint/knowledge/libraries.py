"""Libraries that are known by their names alone: their source is not read, since the tables say what matters."""

from __future__ import annotations

import sys

KNOWN_BY_NAME = frozenset(
    """
    torch numpy scipy pandas sklearn matplotlib PIL cv2 h5py lmdb zarr tables netCDF4 rasterio pyarrow polars duckdb
    sqlalchemy psycopg2 pymysql pymongo redis boto3 botocore requests urllib3 httpx aiohttp grpc zmq av soundfile
    librosa tqdm joblib ray dask distributed pyspark multiprocess pathos cloudpickle dill loky tensorflow jax flax
    keras cupy numba sympy yaml pytest setuptools pip google django flask fastapi pydantic attr attrs click rich
    networkx shapely fsspec s3fs gcsfs paramiko psutil wandb mlflow tensorboard celery kombu IPython ipykernel
    transformers datasets accelerate lightning pytorch_lightning sentencepiece tokenizers spacy nltk gensim xgboost
    lightgbm catboost statsmodels skimage imageio decord ffmpeg pydub omegaconf hydra docker kubernetes
    """.split()
)
"""Top-level packages. A class of theirs is a base, an argument or a boundary that the tables name; reading their
source would cost more than it tells."""


def is_known_by_name(module: str) -> bool:
    """Tell whether a module belongs to the standard library or to a library that the tables cover."""
    top = module.partition(".")[0]
    return top in sys.stdlib_module_names or top in KNOWN_BY_NAME
