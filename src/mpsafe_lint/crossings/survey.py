"""Which files are worth parsing, as their texts have it.

A file that holds no word of a boundary, no class that may inherit from a crossing class, no name that leads to a
boundary, and nothing that changes other modules when it is imported, is neither parsed nor run, unless another file's
run asks for it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from mpsafe_lint.knowledge import libraries
from mpsafe_lint.knowledge.boundaries import DATASET_CLASSES, LOADER_CLASSES, PROCESS_CLASSES, is_dataset_class
from mpsafe_lint.modules import texts
from mpsafe_lint.modules.texts import Text, TextClass

WORDS = frozenset(
    """DataLoader ProcessPoolExecutor InterpreterPoolExecutor run_in_executor start_processes multiprocessing
    ddp_spawn notebook_launcher dataloader_num_workers num_proc""".split()
)
"""Words of a boundary, wherever they stand."""

PHRASES = re.compile(r"\btorch\.save\b|\.(?:Process|Pool)\(|\bclass\s+\w*Dataset\(")

LIBRARIES = frozenset(
    """multiprocessing multiprocess billiard concurrent pickle cloudpickle dill joblib ray dask distributed pyspark
    pathos loky torch.multiprocessing torch.utils.data sklearn.utils.parallel accelerate""".split()
)
"""Modules whose names, wherever they are imported under another one, are words of a boundary."""

COMMON = 4
"""Definitions of one name in the project above which the name tells nothing."""

_TOPS = "|".join(sorted(name for name in LIBRARIES if "." not in name))
_IMPORTS = re.compile(
    rf"^[ \t]*(?:from|import)\b[^\n]*(?:(?<![.\w])(?:{_TOPS})\b|\\\n)"
    r"|^[ \t]*(?:from|import)[ \t]+(?:torch\.utils|torch\.multiprocessing|sklearn\.utils)\b"
    r"|^[ \t]*from[ \t]+(?:torch|sklearn)[ \t]+import\b[^\n]*(?:\(|\b(?:utils|multiprocessing)\b)",
    re.MULTILINE,
)
_SEEDS = frozenset(name.rpartition(".")[2] for name in (*DATASET_CLASSES, *LOADER_CLASSES, *PROCESS_CLASSES)) | {
    "Process",
    "DataLoader",
}

_HARMLESS = frozenset(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)


def is_boundary_library(name: str) -> bool:
    """Tell whether what a module gives may be a boundary."""
    return name in LIBRARIES or name.partition(".")[0] in LIBRARIES or name.startswith("torch.multiprocessing.")


def has_phrase(text: str) -> bool:
    """Tell whether a text holds what is a boundary in the company of other characters alone."""
    parts = ("torch.save", "Process(", "Pool(", "Dataset(")  # to look for these first is faster
    return any(part in text for part in parts) and PHRASES.search(text) is not None


@dataclass(slots=True)
class Survey:
    """The files of a project by what their texts say.

    `count` tells how often each function or class name is defined. `telling` holds the names, each as itself, that tell
    something of who uses them: those of classes, and of functions that are not defined all over the place. `first` are
    the files that have to be parsed whatever the others say.
    """

    count: Counter[str] = field(default_factory=Counter)
    first: set[str] = field(default_factory=set)
    telling: dict[str, str] = field(default_factory=dict)
    _holding: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, files: Mapping[str, str], patterns: Collection[str], own_words: Collection[str] = ()) -> Survey:
        """Survey the texts of all files. `patterns` name crossing classes of the user's, `own_words` are words of
        boundaries of the user's."""
        survey = cls()
        read: dict[str, Text] = {}
        classes: set[str] = set()
        for path, text in files.items():
            survey.count.update(texts.defined(text))
            classes.update(texts.defined_classes(text))
            read[path] = texts.read(text)
            if read[path].acts or _IMPORTS.search(text) or has_phrase(text):
                survey.first.add(path)
        survey.telling = {name: name for name, times in survey.count.items() if times <= COMMON or name in classes}
        told = survey.telling.keys() | {_last_name(path) for path in files}
        for path, text in files.items():
            words = texts.words(text)
            if not (words.isdisjoint(WORDS) and words.isdisjoint(own_words)):
                survey.first.add(path)
            for word in words & told:
                survey._holding[word].append(path)
        survey.first |= _with_crossing_classes(read, patterns)
        return survey

    def holding(self, names: Iterable[str]) -> set[str]:
        """Return the files that hold any of some names of functions, classes and modules."""
        return {path for name in names for path in self._holding.get(name, ())}


def _last_name(path: str) -> str:
    """Return the last part of a module's name."""
    parts = path.removesuffix(".py").removesuffix("/__init__").rsplit("/", 1)
    return parts[-1]


def _with_crossing_classes(files: Mapping[str, Text], patterns: Collection[str]) -> set[str]:
    """Return the files with a class that may derive, through whatever files, from one whose instances are sent."""
    own = {one.name for text in files.values() for one in text.classes}
    crossing = set(_SEEDS) | {pattern.rpartition(".")[2] for pattern in patterns}
    wild = any(any(sign in name for sign in "*?[") for name in crossing)
    aliases = [(name, other) for text in files.values() for name, other in text.aliases]
    waiting = [(path, one, text) for path, text in files.items() for one in text.classes]
    found: set[str] = set()
    grown = True
    while grown:
        size = len(crossing)
        left = []
        for path, one, text in waiting:
            if wild or one.name in crossing or _may_cross(one, text, own, crossing):
                found.add(path)
                crossing.add(one.name)
            else:
                left.append((path, one, text))
        waiting = left
        crossing |= {other for name, other in aliases if name in crossing}
        grown = len(crossing) > size
    return found


def _may_cross(one: TextClass, text: Text, own: Collection[str], crossing: Collection[str]) -> bool:
    """Tell whether a base may be a crossing class: by its name, or since it comes from a library that would have to be
    read."""
    for base in one.bases:
        first, last = base.partition(".")[0], base.rpartition(".")[2]
        if last in crossing or first in crossing:
            return True
        origin = text.origins.get(first)
        if origin is None:
            if first not in own and first not in _HARMLESS:
                return True
        elif is_dataset_class(f"{origin}.{last}") or (last not in own and not libraries.is_known_by_name(origin)):
            return True
    return False
