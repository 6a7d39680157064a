"""What can't be sent to another process, as data: path, type, error, the line that set it, the rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from mpsafe_lint.knowledge import errors
from mpsafe_lint.knowledge.rules import BY_KIND, code_of
from mpsafe_lint.knowledge.types import row_of
from mpsafe_lint.pickling.walk import Part, walk
from mpsafe_lint.runtime import places
from mpsafe_lint.runtime.objects import SERIALIZERS, START_METHODS, as_if, objects_of, short, type_name
from mpsafe_lint.runtime.places import Place

_HOLDING = """
builtins collections functools types argparse itertools operator contextlib enum typing string unittest.mock
multiprocessing.process multiprocessing.context concurrent.futures.process
"""
_HOLDERS = frozenset(_HOLDING.split())
"""Modules of the standard library whose objects hold what a program puts into them: a path goes through them. Of all
others, a thread or a logging handler say, the program made the whole, and the path ends there."""

_TOO_DEEP = "nest it less deeply, or send it in pieces"


@dataclass(frozen=True)
class Failure:
    """One value that can't be saved, or can't be loaded again.

    `path` names it from the object on; `steps` are the same in the grammar of the linter's chains: `.attr`, `[0]`,
    `['k']`, `<func>`, `<args>`, `<self>`, `<closure x>`. `inside` are the steps from there to what pickle names, where
    that lies inside a library's object.
    `error` is the text as a traceback ends with it. `kind` and `code` are those of the rule.
    `set_at` is the line of the program that put the value there; `origin` the one that defines it, for a function, a
    class or a generator. `phase` is `save` or `load`.
    """

    path: str
    steps: tuple[str, ...]
    type: str
    error: str
    kind: str
    code: str
    advice: str
    set_at: Place | None = None
    origin: Place | None = None
    inside: tuple[str, ...] = ()
    phase: str = "save"
    value: object = field(default=None, compare=False, repr=False)

    @property
    def line(self) -> Place | None:
        """The line that set the value, else the one that defines it."""
        return self.set_at or self.origin

    def __str__(self) -> str:
        what = f"{BY_KIND[self.kind].noun} cannot be pickled" if self.phase == "save" else "it cannot be loaded again"
        lines = [f"{self.path}: {what} ({self.error})"]
        lines.append(f"  value   {short(self.value)}" + (f", in it {''.join(self.inside)}" if self.inside else ""))
        if self.set_at is not None:
            lines.append(f"  set at  {self.set_at}")
        if self.origin is not None and self.origin[:2] != (self.set_at or ())[:2]:
            lines.append(f"  made at {self.origin}")
        lines.append(f"  {self.code}: {self.advice}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Explanation(Sequence[Failure]):
    """All failures of one object, in the order in which pickle would meet them. It is false where there are none."""

    root: str
    serializer: str
    start_method: str | None
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.failures

    def __len__(self) -> int:
        return len(self.failures)

    def __getitem__(self, index: Any) -> Any:
        return self.failures[index]

    def __str__(self) -> str:
        how = f"{self.serializer}, {self.start_method}" if self.start_method else self.serializer
        count = len(self.failures)
        head = f"{self.root} ({how}): {f'{count} failure' + 's' * (count > 1) if count else 'can be sent'}"
        return "\n".join([head, *map(str, self.failures), *(f"note: {note}" for note in self.notes)])


def explain(
    obj: object, serializer: str = "multiprocessing", start_method: str | None = None, check_load: bool = False
) -> Explanation:
    """Return every value in `obj` that can't be sent to another process.

    `start_method` None is what a pool, an executor or a queue does: it sends to a process that runs. `spawn` and
    `forkserver` are for what a process gets while it is being started, such as `args` or a DataLoader's dataset: locks
    and queues of multiprocessing can be sent then. Under `fork` that is inherited, so that nothing is pickled.
    `check_load` also loads the object in a fresh spawned process, which imports the main module as usual.
    Raises ValueError for an unknown serializer or start method, ModuleNotFoundError for one that isn't installed.
    """
    if serializer not in SERIALIZERS:
        raise ValueError(f"unknown serializer {serializer!r}: one of {', '.join(SERIALIZERS)}")
    if start_method is not None and start_method not in START_METHODS:
        raise ValueError(f"unknown start method {start_method!r}: one of {', '.join(START_METHODS)}, or None")
    if start_method is not None and serializer != "multiprocessing":
        raise ValueError(f"a start method is for serializer 'multiprocessing', not for {serializer!r}")
    root = root_name(obj)
    if start_method == "fork":
        note = "what a process gets at its start is inherited under fork: nothing is pickled"
        return Explanation(root, serializer, start_method, notes=(note,))
    failures = find_failures(obj, root, serializer, start_method)
    notes: tuple[str, ...] = ()
    if check_load and failures:
        notes = ("not loaded, since it can't be saved",)
    elif check_load:
        from mpsafe_lint.runtime.loading import load_failures

        found, notes = load_failures(obj, serializer, start_method)
        failures = [failure_of(obj, root, path, error, "load") for path, error in found]
    return Explanation(root, serializer, start_method, tuple(failures), notes)


def find_failures(obj: object, root: str, serializer: str, start_method: str | None) -> list[Failure]:
    """Return what can't be saved, described: one failure for each culprit."""
    failures: dict[tuple[str, ...], Failure] = {}
    for path, reason in find_refusals(obj, serializer, start_method):
        failure = failure_of(obj, root, path, reason)
        failures.setdefault(failure.steps, failure)
    return list(failures.values())


def find_refusals(
    obj: object, serializer: str, start_method: str | None
) -> list[tuple[Sequence[Part[object]], Exception]]:
    """Return what can't be saved: nothing, where the real pickler takes the object; else what the walk finds in it."""
    with as_if(start_method) if serializer == "multiprocessing" else nullcontext():
        graph = objects_of(serializer)
        try:
            graph.attempt(obj)
        except Exception as error:
            refused = error.with_traceback(None)
        else:
            return []
        found: list[tuple[Sequence[Part[object]], Exception]] = [
            (refusal.path, refusal.reason) for refusal in walk(graph, obj)
        ]
    if str(refused) not in {str(reason) for _, reason in found}:
        found.append(((), refused))  # too deep for the walk, say: the place is not known, but it fails
    return found


def root_name(obj: object) -> str:
    """Return what a path begins with: the class of an instance, else `obj`."""
    kind = type(obj)
    return "obj" if kind.__module__ == "builtins" else kind.__name__


def failure_of(
    root: object, name: str, path: Sequence[Part[object]], error: BaseException | str, phase: str = "save"
) -> Failure:
    """Describe the failure at the end of `path`, with its place in the program's source."""
    text = error if isinstance(error, str) else error_text(error)
    values = [root, *(part.value for part in path)]
    cut = _culprit(values, path)
    value, steps = values[cut], tuple(part.step for part in path[:cut] if part.step)
    leaf = values[-1] if phase == "save" else value
    kind = kind_of(value, leaf, text, phase)
    advice = BY_KIND[kind].advice
    if "recursion depth exceeded while pickling" in text:
        advice = _TOO_DEEP
    elif kind == "unloadable" and not isinstance(value, BaseException):
        advice = "let __reduce__ or __getstate__ give what its class needs to make it anew"
    origin = places.definition(value)
    if origin is None and phase == "load":
        origin = places.making(type(value), text)
    return Failure(
        path=name + "".join(steps),
        steps=steps,
        type=type_name(value if isinstance(value, type) else type(value)),
        error=text,
        kind=kind,
        code=code_of(kind, kept=any(step.startswith(".") for step in steps)),
        advice=advice,
        set_at=setting(values, path[:cut]),
        origin=origin,
        inside=tuple(part.step for part in path[cut:] if part.step),
        phase=phase,
        value=value,
    )


def error_text(error: BaseException) -> str:
    """Return an exception as the last line of a traceback has it."""
    kind = type(error)
    name = (
        kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    )
    try:
        text = str(error)
    except Exception:
        text = "<its __str__ fails>"
    return f"{name}: {text}" if text else name


def kind_of(value: object, leaf: object, text: str, phase: str) -> str:
    """Return the rule's kind: that of the leaf which pickle names, or of the library's object round it."""
    exception, _, message = text.partition(": ")
    found = errors.match(message, exception.rpartition(".")[2], saving=phase == "save")
    kind = found.kind if found else ""
    if phase == "load":
        return kind if kind == "misnamed" else "unloadable"
    if kind == "local-function" and value is leaf and places.has_other_name(leaf):
        return "misnamed"  # the wrapper that a decorator made
    if isinstance(leaf, type) and kind in ("misnamed", "local-function", "local-class"):
        inside = "<locals>" in leaf.__qualname__ or places.made_in_function(leaf)
        return "local-class" if inside and value is leaf else _kind_of_type(type(value)) or kind
    return _kind_of_type(type(value)) or kind or "internal"


def _kind_of_type(kind: type) -> str:
    """Return what the table of types says of a type, under its own name or the public one without its inner module."""
    name = type_name(kind)
    package, _, last = name.rpartition(".")
    public = f"{package.rpartition('.')[0]}.{last}".lstrip(".")
    row = row_of(name) or (row_of(public) if package else None)
    return row.rule if row is not None else ""


def _culprit(values: Sequence[object], path: Sequence[Part[object]]) -> int:
    """Return how many steps lead to the last value that the program itself put there.

    What lies below, inside an object of the standard library, is no concern of its author: unless pickle names a
    function or class of the program there.
    """
    leaf = places.definition(values[-1])
    if leaf is not None and not places.is_library(leaf.path):
        return len(path)
    own = not _is_closed(type(values[0]))
    cut = 0
    for index, part in enumerate(path):
        owner = values[index]
        if part.step and not _is_holder(type(owner)):
            own = not _is_closed(type(owner))
            if own and part.step.startswith("."):
                place = places.attribute(owner, part.step[1:], (), part.value)
                own = place is None or not places.is_standard_file(place.path)
        if own:
            cut = index + 1
    return cut


def _is_holder(kind: type) -> bool:
    return kind.__module__ in _HOLDERS


def _is_closed(kind: type) -> bool:
    return places.is_standard(kind) and not _is_holder(kind)


def setting(values: Sequence[object], path: Sequence[Part[object]]) -> Place | None:
    """Return the line that set the end of a path, or the last step before it that can be told: the program's first."""
    fallback: Place | None = None
    for index in reversed(range(len(path))):
        step, owner = path[index].step, values[index]
        place: Place | None = None
        if step.startswith("."):
            end = index + 1
            while end < len(path) and path[end].step.startswith("["):
                end += 1
            items = tuple(part.step for part in path[index + 1 : end])
            place = places.attribute(owner, step[1:], items, values[end])
        elif step.startswith("<closure "):
            place = places.captured(owner, step[9:-1], values[index + 1])  # type: ignore[arg-type]
        if place is not None and not places.is_library(place.path):
            return place
        fallback = fallback or place
    return fallback


def numbered(failures: Sequence[Failure]) -> Iterator[str]:
    """Yield each failure as indented text, numbered where there are several."""
    for number, failure in enumerate(failures, 1):
        first, *rest = str(failure).split("\n")
        mark = f"{number}. " if len(failures) > 1 else ""
        yield "\n".join([f"  {mark}{first}", *(f"  {line}" for line in rest)])
