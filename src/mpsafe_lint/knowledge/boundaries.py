"""Where values leave the process: which argument of which call is handed over, by which serializer, and when.

Sources: CPython's multiprocessing, concurrent.futures and asyncio; torch's utils/data and multiprocessing; the
documentation of joblib, ray, dask, pyspark, multiprocess and datasets.
"""

from __future__ import annotations

from dataclasses import dataclass

ALWAYS = ("spawn", "forkserver", "fork")
NOT_FORK = ("spawn", "forkserver")


@dataclass(frozen=True, slots=True)
class Sent:
    """One argument that is handed over.

    `step` begins the chain. `how` says what of the argument goes: `whole`, each of its `items`, the items of its items
    (`starred`: the iterable of starmap), `rest` for all positional arguments from here on, `keywords` for all keyword
    arguments that are not named.
    """

    boundary: str
    name: str | None
    position: int | None
    step: str = ""
    how: str = "whole"


@dataclass(frozen=True, slots=True)
class Boundary:
    """A call that hands values over. `task` names the argument that is run there, and whose result comes back.

    `outcome` is what happens to a value that can't be saved, `unloadable` to one, or to a result, that is saved and
    can't be loaded.
    """

    sends: tuple[Sent, ...]
    serializer: str = "forking"
    methods: tuple[str, ...] = ALWAYS
    outcome: str = "raises"
    task: Sent | None = None
    spread: tuple[str, ...] = ()
    unloadable: str = "raises"


def _task(boundary: str, name: str, position: int = 0) -> Sent:
    return Sent(boundary, name, position, "<func>")


def _pool(name: str, *arguments: Sent) -> Boundary:
    task = _task("pool-task", name)
    return Boundary((task, *arguments), task=task, unloadable="hangs")


_ITEMS = Sent("pool-task", "iterable", 1, "<args>", "items")
_STARRED = Sent("pool-task", "iterable", 1, "<args>", "starred")
_ARGS = Sent("pool-task", "args", 1, "<args>")
_KWDS = Sent("pool-task", "kwds", 2, "<args>")

POOL_METHODS: dict[str, Boundary] = {
    "map": _pool("func", _ITEMS),
    "map_async": _pool("func", _ITEMS),
    "imap": _pool("func", _ITEMS),
    "imap_unordered": _pool("func", _ITEMS),
    "starmap": _pool("func", _STARRED),
    "starmap_async": _pool("func", _STARRED),
    "apply": _pool("func", _ARGS, _KWDS),
    "apply_async": _pool("func", _ARGS, _KWDS),
}


def _executor(boundary: str) -> dict[str, Boundary]:
    task = _task(boundary, "fn")
    rest = Sent(boundary, None, 1, "<args>", "rest")
    keywords = Sent(boundary, None, None, "<args>", "keywords")
    items = Sent(boundary, None, 1, "<args>", "rest-items")
    return {
        "submit": Boundary((task, rest, keywords), task=task),
        "map": Boundary((task, items), task=task),
    }


def _initializer(boundary: str, position: int, methods: tuple[str, ...] = NOT_FORK) -> Boundary:
    return Boundary(
        (
            Sent(boundary, "initializer", position, "<func>"),
            Sent(boundary, "initargs", position + 1, "<args>"),
        ),
        serializer="spawning",
        methods=methods,
    )


PROCESS = Boundary(
    (
        Sent("process-target", "target", 1, "<func>"),
        Sent("process-args", "args", 3, "<args>"),
        Sent("process-args", "kwargs", 4, "<args>"),
    ),
    serializer="spawning",
    methods=NOT_FORK,
    task=Sent("process-target", "target", 1, "<func>"),
)

_TORCH_SPAWN = Boundary(
    (_task("torch-spawn", "fn"), Sent("torch-spawn", "args", 1, "<args>")),
    serializer="spawning",
    methods=NOT_FORK,
    task=_task("torch-spawn", "fn"),
)

DATALOADER = Boundary(
    (
        Sent("dataset-attribute", "dataset", 0),
        Sent("dataloader-argument", "collate_fn", 6, ".collate_fn"),
        Sent("dataloader-argument", "worker_init_fn", 10, ".worker_init_fn"),
    ),
    serializer="spawning",
    methods=NOT_FORK,
)

QUEUE_PUT = Boundary((Sent("queue-item", "obj", 0),), outcome="lost")
SIMPLE_PUT = Boundary((Sent("queue-item", "obj", 0),))
_PIPE = Boundary((Sent("pipe", "obj", 0),))
_PICKLE = Boundary((Sent("pickle-call", "obj", 0),), serializer="pickle")
_CLOUD_TASK = Boundary((_task("dask-task", "func"),), serializer="cloudpickle", task=_task("dask-task", "func"))


def _methods_of(type_name: str, methods: dict[str, Boundary]) -> dict[str, Boundary]:
    return {f"{type_name}.{method}": boundary for method, boundary in methods.items()}


_EXECUTOR = _executor("executor-task")

CALLS: dict[str, Boundary] = {
    **_methods_of("multiprocessing.Pool", POOL_METHODS),
    "multiprocessing.Pool": _initializer("pool-initializer", 1),
    **_methods_of("concurrent.futures.ProcessPoolExecutor", _EXECUTOR),
    "concurrent.futures.ProcessPoolExecutor": _initializer("executor-initializer", 2),
    "torch.multiprocessing.spawn": _TORCH_SPAWN,
    "torch.multiprocessing.start_processes": _TORCH_SPAWN,
    "multiprocessing.Queue.put": QUEUE_PUT,
    "multiprocessing.Queue.put_nowait": QUEUE_PUT,
    "multiprocessing.JoinableQueue.put": QUEUE_PUT,
    "multiprocessing.SimpleQueue.put": SIMPLE_PUT,
    "multiprocessing.managers.AutoProxy.put": Boundary((Sent("manager", "obj", 0),), outcome="raises"),
    **{
        f"multiprocessing.managers.{owner}.__setitem__": Boundary((Sent("manager", "obj", 1),))
        for owner in ("DictProxy", "ListProxy", "ArrayProxy")
    },
    **{
        f"multiprocessing.managers.{owner}.__setattr__": Boundary((Sent("manager", "obj", 1),))
        for owner in ("NamespaceProxy", "ValueProxy")
    },
    **{
        f"multiprocessing.managers.SyncManager.{maker}": Boundary((Sent("manager", "obj", at),))
        for maker, at in {"dict": 0, "list": 0, "Value": 1}.items()
    },
    "multiprocessing.managers.ListProxy.append": Boundary((Sent("manager", "obj", 0),)),
    "multiprocessing.managers.ListProxy.extend": Boundary((Sent("manager", "obj", 0),)),
    "multiprocessing.managers.AutoProxy.put_nowait": Boundary((Sent("manager", "obj", 0),)),
    "multiprocessing.managers.ListProxy.insert": Boundary((Sent("manager", "obj", 1),)),
    "multiprocessing.managers.ValueProxy.set": Boundary((Sent("manager", "obj", 0),)),
    "multiprocessing.managers.DictProxy.update": Boundary(
        (Sent("manager", "obj", 0), Sent("manager", None, None, how="keywords"))
    ),
    "multiprocessing.managers.DictProxy.setdefault": Boundary((Sent("manager", "obj", 1),)),
    "multiprocessing.managers.BaseManager.register": Boundary(
        (Sent("manager", "callable", 1, "<func>"),), serializer="spawning", methods=NOT_FORK
    ),
    "multiprocessing.connection.Connection.send": _PIPE,
    "pickle.dump": _PICKLE,
    "pickle.dumps": _PICKLE,
    "torch.save": _PICKLE,
    "dask.distributed.Client.submit": _CLOUD_TASK,
    "distributed.Client.submit": _CLOUD_TASK,
}

PROCESS_CLASSES = frozenset({"multiprocessing.Process", "multiprocessing.process.BaseProcess"})
"""Classes that send themselves when they are started."""

DATASET_CLASSES = frozenset(
    {
        "torch.utils.data.Dataset",
        "torch.utils.data.IterableDataset",
        "torch.utils.data.IterDataPipe",
        "torch.utils.data.MapDataPipe",
        "torch.utils.data.TensorDataset",
        "torch.utils.data.ConcatDataset",
        "torch.utils.data.ChainDataset",
        "torch.utils.data.StackDataset",
        "torch.utils.data.Subset",
        "torchvision.datasets.VisionDataset",
        "torchvision.datasets.DatasetFolder",
        "torchvision.datasets.ImageFolder",
        "torch_geometric.data.Dataset",
        "torch_geometric.data.InMemoryDataset",
        "mmengine.dataset.BaseDataset",
        "mmengine.dataset.base_dataset.BaseDataset",
        "monai.data.Dataset",
        "litdata.StreamingDataset",
        "streaming.StreamingDataset",
        "fairseq.data.FairseqDataset",
        "kaolin.io.dataset.Dataset",
        "torchtext.data.Dataset",
    }
)
"""Classes whose instances a DataLoader sends to its workers, by their canonical names."""

LOADER_CLASSES = frozenset({"torch.utils.data.DataLoader", "torch_geometric.loader.DataLoader"})


def is_dataset_class(name: str) -> bool:
    """Tell whether `name` is a class whose instances are made to be sent to the workers of a DataLoader."""
    return name in DATASET_CLASSES or name.startswith(("torchvision.datasets.", "torchaudio.datasets."))


_OTHER_LIBRARIES = frozenset(
    """datasets h5py xarray tensorflow tensorflow_datasets mxnet paddle jax grain netCDF4 pydicom rasterio pyarrow ray
    google azureml dask zarr great_expectations kedro intake pooch""".split()
)


def is_other_library(name: str) -> bool:
    """Tell whether a class comes from a library whose datasets are not torch's."""
    return name.partition(".")[0] in _OTHER_LIBRARIES
