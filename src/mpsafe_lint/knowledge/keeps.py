"""What objects of libraries keep of the arguments of their constructors, and so take along when they are sent."""

from __future__ import annotations

Kept = tuple[str, int | None, str]
"""The attribute that it is kept in, the position of the argument (None: by keyword alone), its name."""

_TRANSFORMS: tuple[Kept, ...] = (("transforms", 0, "transforms"),)
_PROCESS: tuple[Kept, ...] = (
    ("_target", 1, "target"),
    ("_name", 2, "name"),
    ("_args", 3, "args"),
    ("_kwargs", 4, "kwargs"),
)
_VISION: tuple[Kept, ...] = (
    ("root", 0, "root"),
    ("transforms", None, "transforms"),
    ("transform", None, "transform"),
    ("target_transform", None, "target_transform"),
)

# Sources: the constructors in CPython's multiprocessing/process.py and threading.py, torch/utils/data, torchvision,
# torchaudio, monai and albumentations.
KEEPS: dict[str, tuple[Kept, ...]] = {
    "multiprocessing.Process": _PROCESS,
    "multiprocessing.process.BaseProcess": _PROCESS,
    "torch.utils.data.Subset": (("dataset", 0, "dataset"), ("indices", 1, "indices")),
    "torch.utils.data.ConcatDataset": (("datasets", 0, "datasets"),),
    "torch.utils.data.ChainDataset": (("datasets", 0, "datasets"),),
    "torch.utils.data.StackDataset": (("datasets", 0, "datasets"),),
    "torch.utils.data.TensorDataset": (("tensors", 0, "tensors"),),
    "torch.utils.data.DataLoader": (
        ("dataset", 0, "dataset"),
        ("collate_fn", 6, "collate_fn"),
        ("worker_init_fn", 10, "worker_init_fn"),
    ),
    "torchvision.transforms.Compose": _TRANSFORMS,
    "torchvision.transforms.RandomApply": _TRANSFORMS,
    "torchvision.transforms.RandomChoice": _TRANSFORMS,
    "torchvision.transforms.RandomOrder": _TRANSFORMS,
    "torchvision.transforms.Lambda": (("lambd", 0, "lambd"),),
    "torchvision.transforms.v2.Compose": _TRANSFORMS,
    "torchvision.transforms.v2.RandomApply": _TRANSFORMS,
    "torchvision.transforms.v2.RandomChoice": _TRANSFORMS,
    "torchvision.transforms.v2.RandomOrder": _TRANSFORMS,
    "torchvision.transforms.v2.Lambda": (("lambd", 0, "lambd"),),
    "torchvision.datasets.VisionDataset": (
        ("root", 0, "root"),
        ("transforms", 1, "transforms"),
        ("transform", 2, "transform"),
        ("target_transform", 3, "target_transform"),
    ),
    "torchvision.datasets.ImageFolder": (
        ("root", 0, "root"),
        ("transform", 1, "transform"),
        ("target_transform", 2, "target_transform"),
        ("loader", 3, "loader"),
    ),
    "torchvision.datasets.DatasetFolder": (
        ("root", 0, "root"),
        ("loader", 1, "loader"),
        ("extensions", 2, "extensions"),
        ("transform", 3, "transform"),
        ("target_transform", 4, "target_transform"),
    ),
    "monai.transforms.Compose": _TRANSFORMS,
    "monai.transforms.Lambda": (("func", 0, "func"),),
    "monai.data.Dataset": (("data", 0, "data"), ("transform", 1, "transform")),
    "albumentations.Compose": _TRANSFORMS,
    "albumentations.OneOf": _TRANSFORMS,
    "albumentations.SomeOf": _TRANSFORMS,
    "albumentations.Sequential": _TRANSFORMS,
    "albumentations.Lambda": (("image", 0, "image"), ("mask", 1, "mask"), ("keypoints", 2, "keypoints")),
}

LISTED = frozenset({("torch.utils.data.ConcatDataset", "datasets")})
"""Attributes that keep a list of what the argument gives. Source: torch/utils/data/dataset.py."""

BECOMES: dict[str, str] = {
    "contextlib.ExitStack.callback": "contextlib.ExitStack[callback]",
    "contextlib.ExitStack.push": "contextlib.ExitStack[callback]",
    "concurrent.futures.ProcessPoolExecutor.submit": "concurrent.futures.ProcessPoolExecutor[started]",
    "concurrent.futures.ProcessPoolExecutor.map": "concurrent.futures.ProcessPoolExecutor[started]",
    "asyncio.Lock.__enter__": "asyncio.Lock that may have been waited for",
    "asyncio.Lock.acquire": "asyncio.Lock that may have been waited for",
    "asyncio.Semaphore.__enter__": "asyncio.Semaphore that may have been waited for",
    "asyncio.Event.wait": "asyncio.Event that may have been waited for",
    "asyncio.Queue.get": "asyncio.Queue that may have been waited for",
}
"""The variant of its type that an object is, once a method of it was called. Source: measured."""

BECOMES_AFTER: dict[str, str] = {"multiprocessing.Process.start": "multiprocessing.Process[started]"}
"""The same of a method that sends the object itself, as it was before."""

SHOWS: dict[str, str] = {
    f"numpy.ndarray[loaded].{name}": "numpy.lib.npyio.NpzFile" for name in "close f files items keys values zip".split()
}
"""The type that an object is of, as an attribute tells that only this type has. Source: numpy/lib/_npyio_impl.py."""

_VISION_DATASETS = "torchvision.datasets."


def kept_arguments(name: str) -> tuple[Kept, ...]:
    """Return what objects of the library class `name` keep of their arguments; nothing where it is not known."""
    kept = KEEPS.get(name)
    if kept is not None:
        return kept
    return _VISION if name.startswith(_VISION_DATASETS) else ()
