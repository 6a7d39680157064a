"""What a generated program does, and what the linter says of it."""

from __future__ import annotations

import contextlib
import gc
import io
import itertools
import os
import pickle
import random
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from generated.writer import Style, Written
from mpsafe_lint.check import check
from mpsafe_lint.config import Config
from mpsafe_lint.files.project import Project
from mpsafe_lint.pickling.opinion import Opinion

T = TypeVar("T")
HERE = sys.version_info[:2]
UNKNOWN = "unknown"
BROKEN = "broken"


@dataclass
class Random:
    """Chooses at random, and keeps what it chose."""

    seed: int

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self.picked: list[int] = []

    def pick(self, options: Sequence[T]) -> T:
        index = self._random.randrange(len(options))
        self.picked.append(index)
        return options[index]


@dataclass
class Replay:
    """Chooses again what was chosen before; the first option where nothing is left."""

    picked: Sequence[int]
    position: int = 0

    def pick(self, options: Sequence[T]) -> T:
        index = self.picked[self.position] if self.position < len(self.picked) else 0
        self.position += 1
        return options[min(index, len(options) - 1)]


# -- what happens ------------------------------------------------------------------------------------------------------


def outcomes(program: Written) -> set[str]:
    """Run a program under each setting of its conditions, and send what it makes. Return `ok`, and the errors, those
    of loading with `load ` before them; `broken` where the program itself fails."""
    settings = itertools.product((False, True), repeat=program.flags)
    return {_outcome(program, " ".join(str(i) for i, on in enumerate(setting) if on)) for setting in settings}


def _outcome(program: Written, flags: str) -> str:
    os.environ["FLAGS"] = flags
    with _modules(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        sys.stdout = sys.__stdout__
        try:
            for name in ("parts", "target"):
                if f"{name}.py" in program.files:
                    _load(name, program.files[f"{name}.py"])
            value = sys.modules["target"].make()
        except Exception as error:
            return f"{BROKEN}: {_shown(error)}"
        return _sent(value)


def _sent(value: object) -> str:
    try:
        data = bytes(ForkingPickler.dumps(value))
    except Exception as error:
        return _shown(error)
    try:
        pickle.loads(data)
    except Exception as error:
        return f"load {_shown(error)}"
    return "ok"


@contextlib.contextmanager
def _modules() -> Iterator[None]:
    """Forget the modules of the program afterwards."""
    try:
        yield
    finally:
        for name in ("parts", "target"):
            sys.modules.pop(name, None)
        gc.collect(0)


def _load(name: str, text: str) -> None:
    module = ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, f"{name}.py", "exec", dont_inherit=True), module.__dict__)


def _shown(error: BaseException) -> str:
    kind = type(error)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{module}{kind.__qualname__}: {re.sub('0x[0-9a-f]+', '0x…', str(error))}"


# -- what is said ------------------------------------------------------------------------------------------------------


def opinion(program: Written, folder: Path) -> Opinion | None:
    """Lint a program for this Python; return what is said of what it sends, None where that isn't seen."""
    config = Config(target_version=(HERE,))
    overlay = {folder / name: text for name, text in program.files.items()}
    analysis = check(Project.load([], config, overlay=overlay), config)
    failed = [one.message for one in analysis.findings if one.code.startswith("MPS9")]
    assert not failed, failed
    sent = [one for crossing, one in analysis.opinions if crossing.boundary == "pickle-call"]
    return sent[0] if sent else None


def said(opinion: Opinion | None) -> str:
    """Return the verdict in the form of `outcomes`."""
    if opinion is None:
        return UNKNOWN
    refused = opinion.refusal(HERE)
    if refused is None:
        return UNKNOWN if opinion.unknown else "ok"
    error = refused.error(HERE)
    assert error is not None
    return f"load {error.text}" if refused.only_in_worker else error.text


def says(program: Written, folder: Path) -> str:
    """Return the verdict without what depends on the spelling: `ok`, `unknown`, or the kind that is refused."""
    known = opinion(program, folder)
    refused = known.refusal(HERE) if known is not None else None
    return said(known) if refused is None else refused.kind


@dataclass(frozen=True)
class Judged:
    """A program, what happens (one outcome for each setting of its conditions), and what is said."""

    program: Written
    happens: frozenset[str]
    says: str
    why: tuple[str, ...] = ()

    @property
    def broken(self) -> bool:
        return any(one.startswith(BROKEN) for one in self.happens)

    @property
    def fails(self) -> bool:
        return self.happens != {"ok"}

    @property
    def definite(self) -> bool:
        return self.says != UNKNOWN

    @property
    def wrong(self) -> bool:
        """Whether a definite verdict isn't what happens: sent in every run, or refused in one at least."""
        return self.definite and (self.says != "ok") != self.fails

    @property
    def wrong_text(self) -> bool:
        """Whether it is refused, with another text than that of any run. What is not known may be refused before."""
        shown = self.definite and not self.wrong and self.fails and not self.why
        return shown and not any(agrees(self.says, one) for one in self.happens)

    def __str__(self) -> str:
        parts = [f"# {name}\n{text}" for name, text in self.program.files.items() if name != "main.py"]
        shown = "\n".join(parts)
        return f"{shown}\nhappens: {sorted(self.happens)}\nsays:    {self.says} {list(self.why) or ''}"


def agrees(said: str, happens: str) -> bool:
    """Compare texts. An ellipsis in what is said stands for what isn't known."""
    return re.fullmatch(".*".join(map(re.escape, said.split("…"))), happens, re.DOTALL) is not None


def judge(program: Written, folder: Path) -> Judged:
    """Run a program and lint it."""
    known = opinion(program, folder)
    return Judged(program, frozenset(outcomes(program)), said(known), tuple(known.unknown) if known else ())


STYLES = (
    Style(elsewhere=True),
    Style(between=True),
    Style(names="item", imports="module"),
    Style(imports="alias", aliased=True),
    Style(elsewhere=True, between=True, names="w", imports="module-alias"),
)
