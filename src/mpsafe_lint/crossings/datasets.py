"""Dataset classes: their instances are made to be sent, so they are looked at also where no loader is seen."""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

from mpsafe_lint.crossings.processes import is_process_class
from mpsafe_lint.crossings.sending import name_of
from mpsafe_lint.knowledge import makers
from mpsafe_lint.knowledge.boundaries import LOADER_CLASSES, NOT_FORK, is_dataset_class, is_other_library
from mpsafe_lint.modules.module import Module
from mpsafe_lint.pickling.opinion import opinion
from mpsafe_lint.values import attributes, classes
from mpsafe_lint.values.frames import Call, Frame
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import (
    UNKNOWN_ARGUMENTS,
    Arguments,
    Class,
    External,
    Instance,
    Value,
    alternatives,
)

if TYPE_CHECKING:
    from mpsafe_lint.crossings.observer import Crossings


def is_dataset(cls: Class, crossing_classes: tuple[str, ...] = ()) -> bool:
    """Tell whether a class derives from a Dataset of a library, or from a class that the user named."""
    names = [makers.canonical(one.qualified_name) if isinstance(one, Class) else one.name for one in cls.mro]
    if any(is_dataset_class(name) for name in names):
        return not is_dataset_class(makers.canonical(cls.qualified_name))
    return any(fnmatchcase(name, pattern) for name in names for pattern in crossing_classes) or _looks_like_one(cls)


def _looks_like_one(cls: Class) -> bool:
    """Tell whether a class of which a base is not known is a dataset by its name, or by the base's: in code that uses
    torch. Where a linter runs, the libraries of a program often are not."""
    names = [one.name for one in cls.mro if isinstance(one, External) and not is_other_library(one.name)]
    if not cls.complete:
        names.append(cls.name)
    return any(name.endswith("Dataset") for name in names) and any(
        _imports_torch(one.module) for one in cls.mro if isinstance(one, Class)
    )


@lru_cache(maxsize=256)
def _imports_torch(module: Module) -> bool:
    for node in module.tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
        if any(name.partition(".")[0].startswith(_TORCH) for name in names):
            return True
    return False


_TORCH = ("torch", "pytorch", "lightning", "monai", "mmengine", "mmcv", "timm", "fastai", "accelerate", "ignite")
"""How the names of libraries begin that are torch, or built on it."""


def sends_instances(cls: Class, crossing_classes: tuple[str, ...]) -> bool:
    """Tell whether instances of a class are sent, or hand what they are given to workers."""
    loader = any(name in LOADER_CLASSES for name in attributes.external_bases(cls))
    return loader or is_process_class(cls) or is_dataset(cls, crossing_classes)


def is_test_file(path: str) -> bool:
    """Tell whether a file holds tests, as pytest finds them: what they make is read there, if no loader gets it."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(name, pattern) for pattern in ("test_*.py", "*_test.py", "conftest.py"))


def note_used(crossings: Crossings, machine: Machine, call: Call) -> None:
    """Remember datasets that the parent reads itself: where no loader is seen, they are not made for one."""
    reads = call.name.rpartition(".")[2] in ("__getitem__", "__iter__", "__next__")
    if reads and isinstance(call.receiver, Instance) and not machine.worker_depth:
        crossings.used.add(id(call.receiver))


def note_loaded(crossings: Crossings, machine: Machine, dataset: Value, call: Call, sent: bool) -> None:
    """Remember of the classes of a dataset, and of what it holds, whether a loader sends them to workers."""
    graph = crossings.graph(machine, call, "spawning", call.span)
    with machine.trial():
        opinion(graph, dataset)
    for one in graph.alive:
        if isinstance(one, Instance):
            crossings.loaded[one.cls.qualified_name].add(sent)


def measure(machine: Machine, dataset: Value, call: Call) -> None:
    """Call `len(dataset)`, as the sampler does before workers start."""
    if isinstance(dataset, Instance):
        method = attributes.find_in_class(dataset.cls, "__len__")
        if method is not None:
            machine.call(method, Arguments((dataset,)), call.span, call.frame)


def send_built(crossings: Crossings, machine: Machine, frame: Frame) -> None:
    """At the end of a run, send the datasets that it made and that no loader was seen to get."""
    if is_test_file(machine.entry_path):
        return
    for cell in list(machine.made):
        if not isinstance(cell, Instance) or cell.synthetic or id(cell) in crossings.sent | crossings.used:
            continue
        if is_dataset(cell.cls, crossings.config.crossing_classes) and not _has_workers(cell.cls):
            _send(crossings, machine, cell, frame, "dataset-attribute")


def send_unbuilt(crossings: Crossings, machine: Machine, cls: Class, frame: Frame) -> None:
    """Send an instance of a crossing class as its constructor leaves it when it is given nothing that is known."""
    if is_dataset(cls, crossings.config.crossing_classes):
        boundary = "dataset-attribute"
    elif is_process_class(cls):
        boundary = "process-attribute"
    else:
        return
    if cls.qualified_name in crossings.seen or is_test_file(cls.module.path) or _has_workers(cls):
        return
    with machine.trial(), machine.thoroughly():
        made = classes.instantiate(machine, cls, UNKNOWN_ARGUMENTS, cls.span, frame)
        for one in alternatives(made):  # `__new__` may give something else
            if isinstance(one, Instance) and one.cls is cls:
                one.synthetic = True
                _send(crossings, machine, one, frame, boundary)


def _has_workers(cls: Class) -> bool:
    """Tell whether a dataset looks after workers of its own, as it gives a stream that has to be shut down: no loader
    need get it."""
    streams = any(base.endswith("IterableDataset") for base in attributes.external_bases(cls))
    return streams and attributes.find_in_class(cls, "shutdown") is not None


def _send(crossings: Crossings, machine: Machine, instance: Instance, frame: Frame, boundary: str) -> None:
    crossings.seen.add(instance.cls.qualified_name)
    call = Call(instance.cls.qualified_name, None, Arguments(), instance.site, frame, instance)
    measure(machine, instance, call)
    crossings.send(
        machine,
        instance,
        call,
        boundary=boundary,
        sent=name_of(instance),
        serializer="spawning",
        methods=NOT_FORK,
        sent_class=instance.cls.qualified_name,
        span=instance.cls.span if instance.synthetic else instance.site,
    )
    crossings.sent.add(id(instance))

