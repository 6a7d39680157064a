"""DataLoaders: the dataset and the functions given to one are sent when it is iterated, if it has workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mpsafe_lint.crossings import datasets
from mpsafe_lint.crossings.processes import run_in_worker, worker_side
from mpsafe_lint.crossings.sending import name_of
from mpsafe_lint.knowledge.boundaries import ALWAYS, DATALOADER, LOADER_CLASSES, NOT_FORK
from mpsafe_lint.values import attributes, iteration
from mpsafe_lint.values.frames import Call
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import (
    ANY,
    NONE,
    UNKNOWN,
    Arguments,
    Cell,
    Constant,
    Container,
    Instance,
    Opaque,
    Value,
    alternatives,
)

if TYPE_CHECKING:
    from mpsafe_lint.crossings.observer import Crossings

LOADERS = LOADER_CLASSES


def watch(crossings: Crossings, machine: Machine, call: Call) -> bool:
    """Note loaders that are made, and send those that are iterated."""
    owner, _, method = call.name.rpartition(".")
    if call.name in LOADERS or (owner in LOADERS and method == "__init__"):
        loader = call.result if call.name in LOADERS else call.receiver
        if isinstance(loader, Cell):
            crossings.pending[id(loader)] = (loader, call)
        return True
    if owner in LOADERS and method == "__iter__" and call.receiver is not None:
        for one in alternatives(call.receiver):
            made = crossings.pending.get(id(one))
            if made is not None and id(one) not in crossings.sent and isinstance(one, Cell):
                send(crossings, machine, one, made[1], call)
        return True
    return False


def may_have_workers(given: Arguments) -> bool:
    """Tell whether a loader with these arguments may start workers. Without `num_workers` it has none."""
    count = given.get(5, "num_workers")
    if count is None:
        return False
    return any(not (isinstance(one, Constant) and one.value in (0, None)) for one in alternatives(count))


def send(crossings: Crossings, machine: Machine, loader: Cell, call: Call, iterated: Call | None = None) -> None:
    """Send what a loader, made by `call`, hands to its workers, as it is now; `iterated` is where that was seen."""
    crossings.sent.add(id(loader))
    given = call.arguments
    workers = may_have_workers(given) and bool(crossings.possible(machine, call, NOT_FORK))
    dataset = given.get(0, "dataset")
    if dataset is not None:
        datasets.note_loaded(crossings, machine, dataset, call, workers)
    if not workers:
        return
    if dataset is not None:
        for one in alternatives(dataset):
            if iterated is None or _is_measured_before(given, iterated):
                datasets.measure(machine, one, call)
            _send_dataset(crossings, machine, one, call)
    if not given.gives(5, "num_workers"):
        return  # whether `**` brings workers is not known: for a dataset, which is made for them, that is enough
    for sent in DATALOADER.sends[1:]:
        value = given.get(sent.position, sent.name)
        if value is not None:
            crossings.send(
                machine,
                value,
                call,
                boundary=sent.boundary,
                sent=sent.name or "",
                serializer="spawning",
                methods=NOT_FORK,
            )
    if dataset is not None:
        datasets.measure(machine, dataset, call)
        _send_batches(crossings, machine, loader, dataset, call)


def _is_measured_before(given: Arguments, iterated: Call) -> bool:
    """Tell whether the length of the dataset is asked for before workers start: a sampler that doesn't take the items
    in their order needs it, and the first iteration leaves it to the second."""
    samplers = enumerate(("shuffle", "sampler", "batch_sampler"), 2)
    in_order = all(given.get(i, name) in _NOT_GIVEN for i, name in samplers)
    turns = (guard.kind for frame in iterated.frame.stack() for guard in frame.guards)
    return not in_order or any(kind in ("loop", "endless-loop") for kind in turns)


_NOT_GIVEN = (None, NONE, Constant(False))


def _send_dataset(crossings: Crossings, machine: Machine, dataset: Value, call: Call) -> None:
    if isinstance(dataset, Cell):
        crossings.sent.add(id(dataset))
    if isinstance(dataset, Instance):
        crossings.seen.add(dataset.cls.qualified_name)
    keeps = isinstance(dataset, (Instance, Opaque))
    crossings.send(
        machine,
        dataset,
        call,
        boundary="dataset-attribute" if keeps else "dataloader-argument",
        sent=name_of(dataset) if keeps else "dataset",
        serializer="spawning",
        methods=NOT_FORK,
    )


def _send_batches(crossings: Crossings, machine: Machine, loader: Cell, dataset: Value, call: Call) -> None:
    """Run what a worker runs. What comes back from it is the collated batch; without a collate function of one's own,
    torch's makes tensors of it, or fails at once."""
    collate = call.arguments.get(6, "collate_fn")
    batch_size = call.arguments.get(1, "batch_size")
    own = collate is not None and collate != NONE
    with worker_side(machine, loader, call):
        run_in_worker(machine, call.arguments.get(10, "worker_init_fn"), Arguments((Opaque("int", call.span),)), call)
        batch = _items(machine, dataset, call)
        if not own and batch_size != NONE:
            return
        if batch_size != NONE:
            items = Container("list", call.span)
            machine.write(items, ANY, batch)
            batch = items
        if own and collate is not None:
            batch = run_in_worker(machine, collate, Arguments((batch,)), call)
        crossings.send(
            machine,
            batch,
            call,
            boundary="result",
            sent="batch",
            serializer="forking",
            methods=ALWAYS,
            outcome="hangs",
        )


def _items(machine: Machine, dataset: Value, call: Call) -> Value:
    for one in alternatives(dataset):
        if not isinstance(one, Instance):
            continue
        for name in ("__getitem__", "__iter__"):
            method = attributes.find_in_class(one.cls, name)
            if method is not None:
                given = Arguments((one, UNKNOWN)) if name == "__getitem__" else Arguments((one,))
                item = run_in_worker(machine, method, given, call)
                return item if name == "__getitem__" else iteration.item_of(machine, item, call.frame, call.span)
    return UNKNOWN
