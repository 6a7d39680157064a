"""The rows of libraries that the tests need anyway, against real objects."""

from __future__ import annotations

import ast
import importlib
from typing import Any

import pytest

from knowledge import objects
from knowledge.test_makers import fits, told
from knowledge.test_types import real_streams, sent
from knowledge.test_types import told as told_of
from mpsafe_lint.knowledge import makers

EXPRESSIONS = """
numpy.ndarray                                 numpy.zeros(3)
numpy.matrix                                  numpy.matrix([1])
numpy.ma.MaskedArray                          numpy.ma.array([1])
numpy.recarray                                numpy.rec.array([(1, 2)])
numpy.random.SeedSequence                     numpy.random.SeedSequence()
numpy.iinfo                                   numpy.iinfo("i4")
numpy.finfo                                   numpy.finfo("f4")
numpy.errstate                                numpy.errstate()
numpy.poly1d                                  numpy.poly1d([1])
numpy.ndindex                                 numpy.ndindex(3)
numpy.float64                                 numpy.float64(1)
numpy.datetime64                              numpy.datetime64("2020")
numpy.random.Generator                        numpy.random.default_rng()
numpy.random.RandomState                      numpy.random.RandomState()
numpy.memmap                                  numpy.memmap("mapped", mode="w+", shape=(3,))
numpy.lib.npyio.NpzFile                       npz()
collections.abc.KeysView[npz]                 npz().keys()
collections.abc.ValuesView[npz]               npz().values()
collections.abc.ItemsView[npz]                npz().items()
numpy.nditer                                  numpy.nditer(numpy.zeros(3))
numpy.flatiter                                numpy.zeros(3).flat
numpy.broadcast                               numpy.broadcast(1, 2)
numpy.ndenumerate                             numpy.ndenumerate(numpy.zeros(3))
numpy.vectorize                               numpy.vectorize(len)
numpy.ufunc                                   numpy.sin
torch.Tensor                                  torch.zeros(3)
torch.Tensor[non-leaf]                        torch.zeros(3, requires_grad=True) * 2
torch.nn.Parameter                            torch.nn.Parameter(torch.zeros(1))
torch.nn.Module                               torch.nn.Linear(1, 1)
torch.nn.ModuleList                           torch.nn.ModuleList()
torch.nn.ModuleDict                           torch.nn.ModuleDict()
torch.nn.Sequential                           torch.nn.Sequential()
torch.nn.ParameterList                        torch.nn.ParameterList()
torch.nn.ParameterDict                        torch.nn.ParameterDict()
torch.utils.data.TensorDataset                torch.utils.data.TensorDataset(torch.zeros(1))
torch.utils.data.ConcatDataset                torch.utils.data.ConcatDataset([[1]])
torch.utils.data.Subset                       torch.utils.data.Subset([1], [0])
torch.utils.data.RandomSampler                torch.utils.data.RandomSampler([1])
torch.utils.data.SequentialSampler            torch.utils.data.SequentialSampler([1])
torch.utils.data.BatchSampler                 torch.utils.data.BatchSampler([0], 1, False)
torch.utils.data.DataLoader                   torch.utils.data.DataLoader([1])
torch.utils.data.DataLoader[workers]          torch.utils.data.DataLoader([1], num_workers=1)
torch.utils.data.DataLoader[generator]        torch.utils.data.DataLoader([1], generator=torch.Generator())
torch.utils.data.RandomSampler[generator]     torch.utils.data.RandomSampler([1], generator=torch.Generator())
torch.utils.data.dataloader._SingleProcessDataLoaderIter  iter(torch.utils.data.DataLoader([1]))
torch.Generator                               torch.Generator()
torch.device                                  torch.device("cpu")
torch.dtype                                   torch.float32
torch.Size                                    torch.Size([1])
torch.finfo                                   torch.finfo(torch.float32)
torch.iinfo                                   torch.iinfo(torch.int32)
torch.no_grad                                 torch.no_grad()
torch.autocast                                torch.autocast("cpu")
torch.optim.Optimizer                         torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=1)
torch.storage.TypedStorage                    torch.zeros(1).storage()
torch.UntypedStorage                          torch.zeros(1).untyped_storage()
torch.futures.Future                          torch.futures.Future()
torch.distributions.Distribution              torch.distributions.Normal(0.0, 1.0)
joblib.Parallel                               joblib.Parallel(n_jobs=1)
joblib.Memory                                 joblib.Memory("joblib")
"""

EXAMPLES = """
numpy.zeros(3)
numpy.zeros(3).tolist()
numpy.zeros(3).astype("f4")
numpy.zeros(3).shape
numpy.zeros(3).dtype
numpy.zeros(3).flat
numpy.zeros(3).T
numpy.zeros(3).data
numpy.zeros(3).tobytes()
numpy.array([1])
numpy.arange(3)
numpy.concatenate([[1], [2]])
numpy.where([1])
numpy.split(numpy.zeros(2), 2)
numpy.random.rand(2)
numpy.random.permutation(3)
numpy.random.default_rng()
numpy.random.default_rng().permutation(3)
numpy.load("saved.npy")
numpy.load("saved.npz")
numpy.load("saved.npz").files
numpy.load("saved.npz").keys()
numpy.load("saved.npz")["arr_0"]
numpy.load("saved.npy", mmap_mode="r")
numpy.memmap("mapped", mode="w+", shape=(3,))
numpy.dtype("f4")
numpy.nditer(numpy.zeros(3))
numpy.ndenumerate(numpy.zeros(3))
torch.tensor([1])
torch.tensor([1]).numpy()
torch.tensor([1]).tolist()
torch.tensor([1]).shape
torch.tensor([1]).to("cpu")
torch.tensor([1]).detach()
torch.tensor([1]).unbind()
torch.tensor([1])[0]
torch.from_numpy(numpy.zeros(1))
torch.cat([torch.zeros(1)])
torch.arange(3)
torch.split(torch.zeros(2), 1)
torch.Generator()
torch.Generator().manual_seed(1)
torch.float32
torch.nn.Linear(1, 1)
torch.nn.Linear(1, 1).parameters()
torch.nn.Linear(1, 1).named_parameters()
torch.nn.Linear(1, 1).children()
torch.nn.Linear(1, 1).state_dict()
torch.nn.Linear(1, 1).state_dict().keys()
torch.nn.Linear(1, 1).to("cpu")
torch.nn.ModuleDict().keys()
torch.nn.ParameterDict().items()
torch.nn.modules.linear.Linear(1, 1)
torch.optim.SGD([torch.zeros(1)], lr=1)
torch.optim.SGD([torch.zeros(1)], lr=1).state_dict()
torch.optim.SGD([torch.zeros(1)], lr=1).param_groups
torch.utils.data.DataLoader([1])
torch.utils.data.TensorDataset(torch.zeros(1))
torch.utils.data.random_split([1, 2], [1, 1])
torch.utils.data.dataset.Subset([1], [0])
torch.multiprocessing.Queue()
torch.multiprocessing.get_context("spawn").Lock()
torch.finfo(torch.float32)
torch.device("cpu")
torch.no_grad()
joblib.Parallel(n_jobs=1)
"""

TABLE = dict(line.split(maxsplit=1) for line in EXPRESSIONS.strip().splitlines())


@pytest.fixture(scope="module", autouse=True)
def libraries(folder: None) -> None:
    """Save two arrays; import what the expressions name."""
    import numpy

    numpy.savez("saved.npz", numpy.zeros(1))
    numpy.save("saved.npy", numpy.zeros(1))
    for module in ("torch.utils.data", "torch.futures", "torch.distributions", "joblib"):
        importlib.import_module(module)


def build(expression: str) -> Any:
    def npz() -> Any:
        return objects.build('numpy.load("saved.npz")')

    return objects.build(expression, npz=npz)


@pytest.mark.parametrize("name", TABLE)
def test_an_object_does_what_its_row_tells(name: str) -> None:
    value = build(TABLE[name])
    for serializer in ("pickle", "forking", "cloudpickle"):
        with real_streams():
            outcome = sent(name, value, serializer)
        assert (serializer, outcome) == (serializer, told_of(name, serializer))


@pytest.mark.parametrize("expression", EXAMPLES.strip().splitlines())
def test_a_call_gives_what_the_tables_tell(expression: str) -> None:
    expected = told(ast.parse(expression, mode="eval").body)
    assert expected is not None, "the tables don't know"
    value = build(expression)
    assert fits(value, expected), f"{type(value)} is no {expected}"


@pytest.mark.parametrize("name", TABLE)
def test_iterating_gives_what_the_tables_tell(name: str) -> None:
    expected = makers.iterator_of(name)
    if expected is not None and "workers" not in name:
        assert fits(iter(build(TABLE[name])), expected)
