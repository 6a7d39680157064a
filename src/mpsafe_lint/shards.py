"""A share of the work for each machine: what its entry points were seen to do, as data that the merge finishes.

A share is some of the files whose entry points are run. What all of them together decide is left to `joined`: which
crossing classes nobody makes an instance of, which datasets no loader with workers gets, which habits another run
clears, by which way a finding is shown, and its fingerprint.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from mpsafe_lint.analysis import Analysis
from mpsafe_lint.check import Done, Run, in_order
from mpsafe_lint.config import Config, ConfigError
from mpsafe_lint.crossings.observer import Crossings
from mpsafe_lint.crossings.sending import Sighting
from mpsafe_lint.deep import deeply
from mpsafe_lint.files import source
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import digest_of
from mpsafe_lint.findings import Finding, Span
from mpsafe_lint.habits.observer import Habits
from mpsafe_lint.habits.observer import Sighting as Habit
from mpsafe_lint.jobs import Jobs, elsewhere
from mpsafe_lint.plain import read
from mpsafe_lint.values.program import Program

CLEARED_BY_OTHERS = frozenset({"lost-error", "never-joined", "shared-memory-leak"})
"""Habits that the run of another entry point may see to be none."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one unit of work was seen to do. `classes` are the crossing classes of which it looked at an instance that
    it made itself, as nobody else was seen to make one."""

    path: str
    found: tuple[Sighting, ...]
    habits: tuple[Habit, ...]
    failures: tuple[Finding, ...]
    unresolved: dict[str, int]
    classes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """What one shard found out.

    `runs` holds the units of its share, the import of all files first where that is among them; `ends` its look at
    crossing classes of which no run of it made an instance. `of_all` tells the units of all shards from other ones.
    """

    number: int
    shards: int
    of_all: str
    files: int
    parsed: tuple[str, ...]
    runs: tuple[Seen, ...]
    ends: tuple[Seen, ...]
    seen: tuple[str, ...]
    cleared: tuple[tuple[str, Span], ...]
    loaded: dict[str, tuple[bool, ...]]


@dataclass(frozen=True, slots=True)
class Origin:
    """Which project was looked at, and how. `folder` is its root, `inside` the way to it from the current folder;
    `paths` are the PATHs below the root, `contents` the digests of its files."""

    folder: str
    inside: str
    paths: tuple[str, ...]
    force_exclude: bool
    settings: dict[str, str]
    contents: dict[str, str]


# --- a share --------------------------------------------------------------------------------------------------------


def run_share(
    project: Project,
    config: Config,
    shard: tuple[int, int],
    *,
    jobs: Jobs = 1,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Share:
    """Run the entry points of a shard's share of the files."""
    number, shards = shard
    run = deeply(lambda: Run(project, config))
    imported = _seen("", run.crossings.found, run.habits.found.values(), run.failures, run.program.unresolved)
    files = _share_of(_by_size(run.files, project), shard)
    runs = [imported] if number == 1 else []
    for done, one in enumerate(_runs(run, files, jobs), 1):
        runs.append(_as_seen(files[done - 1], one))
        progress(done, len(files))
    seen = sorted(run.crossings.seen)
    return Share(
        number,
        shards,
        digest_of(repr((run.files, sorted(run.sending))).encode("utf-8", "surrogatepass")),
        len(run.readable),
        tuple(sorted(run.parsed)),
        tuple(runs),
        tuple(_ends(run, _share_of(sorted(run.sending), shard))),
        tuple(seen),
        tuple(sorted(run.habits.cleared)),
        {name: tuple(sorted(said)) for name, said in run.crossings.loaded.items()},
    )


def _share_of(units: Sequence[str], shard: tuple[int, int]) -> list[str]:
    """Deal units out like cards."""
    number, shards = shard
    return list(units[number - 1 :: shards])


def _by_size(files: Iterable[str], project: Project) -> list[str]:
    """Put large files first, so that what is dealt out is much the same."""
    return sorted(files, key=lambda path: (-len(project.source(path).text), path))


def _runs(run: Run, files: Sequence[str], jobs: Jobs) -> Iterator[Done]:
    seen_elsewhere = elsewhere(run, files, jobs)
    if seen_elsewhere is None:
        for path in files:
            yield deeply(lambda path=path: run.seen_in(path))  # type: ignore[misc]
        return
    for done in seen_elsewhere:
        run.take(done)
        yield done


def _ends(run: Run, files: Iterable[str]) -> Iterator[Seen]:
    for path in files:
        before = set(run.crossings.seen)
        done = deeply(lambda path=path: run.seen_in(path, at_end=True))  # type: ignore[misc]
        if classes := run.crossings.seen - before:
            yield _as_seen(path, done, sorted(classes))


def _as_seen(path: str, done: Done, classes: Iterable[str] = ()) -> Seen:
    return _seen(path, done.found, (habit for _, habit in done.habits), done.failures, done.unresolved, classes)


def _seen(
    path: str,
    found: Iterable[Sighting],
    habits: Iterable[Habit],
    failures: Iterable[Finding],
    unresolved: Mapping[str, int],
    classes: Iterable[str] = (),
) -> Seen:
    return Seen(path, tuple(found), tuple(habits), tuple(failures), dict(unresolved), tuple(classes))


# --- what shares come to --------------------------------------------------------------------------------------------


def joined(shares: Sequence[Share], project: Project, config: Config) -> Analysis:
    """Return what one run of the whole project would have found."""
    by_path = lambda one: one.path  # noqa: E731
    runs = sorted((one for share in shares for one in share.runs), key=by_path)
    seen = {name for share in shares for name in share.seen}
    for end in sorted((one for share in shares for one in share.ends), key=by_path):
        if not seen.issuperset(end.classes):
            found = tuple(one for one in end.found if one.sent_class not in seen)
            runs.append(replace(end, found=found))
            seen.update(end.classes)
    return _analysis(runs, shares, project, config)


def certain(share: Share, project: Project, config: Config) -> Analysis:
    """Return what no other shard can overrule."""
    if share.shards == 1:
        return joined([share], project, config)

    def is_certain(sighting: Sighting) -> bool:
        return sighting.sent_class is None or True in share.loaded.get(sighting.sent_class, ())

    runs = [
        replace(
            one,
            found=tuple(filter(is_certain, one.found)),
            habits=tuple(habit for habit in one.habits if habit.kind not in CLEARED_BY_OTHERS),
        )
        for one in share.runs
    ]
    return _analysis(runs, [share], project, config)


def _analysis(runs: Iterable[Seen], shares: Sequence[Share], project: Project, config: Config) -> Analysis:
    crossings = Crossings(config)
    habits = Habits(crossings, project.file_set)
    failures: list[Finding] = []
    unresolved: Counter[str] = Counter()
    for one in runs:
        crossings.found += one.found
        failures += one.failures
        unresolved.update(one.unresolved)
        for habit in one.habits:
            habits.found.setdefault((habit.kind, habit.span), habit)
    for share in shares:
        habits.cleared |= set(share.cleared)
        for name, said in share.loaded.items():
            crossings.loaded[name] |= set(said)
    found = deeply(lambda: in_order(crossings, habits, failures, Program(project)))
    return Analysis(found, shares[0].files, dict(unresolved))


# --- as data --------------------------------------------------------------------------------------------------------


def as_json(share: Share, origin: Origin) -> dict[str, Any]:
    """Return what `from_json` reads."""
    return {"origin": asdict(origin), "share": asdict(share)}


def from_json(data: dict[str, Any]) -> tuple[Share, Origin]:
    """Return what `as_json` was given. Raises KeyError, TypeError or ValueError for what it didn't write."""
    return read(Share, data["share"]), read(Origin, data["origin"])


def origin_of(project: Project, config: Config, paths: Sequence[str], force_exclude: bool) -> Origin:
    """Say what is looked at."""
    root = project.root
    return Origin(
        str(root),
        os.path.relpath(root),
        tuple(Path(os.path.relpath(path, root)).as_posix() for path in paths),
        force_exclude,
        _settings(project, config),
        {path: _digest_at(root, path) for path in project.files},
    )


def _settings(project: Project, config: Config) -> dict[str, str]:
    """Return what the analysis was asked, by the names that the configuration has for it."""
    version = project.environment.version
    return {
        "the Python of the environment": ".".join(map(str, version)) if version else "",
        "target-version": " ".join(f"{major}.{minor}" for major, minor in config.targets),
        "start-method": " ".join(config.start_methods),
        "src": " ".join(config.src),
        "crossing-classes": " ".join(config.crossing_classes),
        "boundaries": " ".join(map(str, config.boundaries)),
        "safe-types": " ".join(config.safe_types),
    }


def folder_of(origin: Origin) -> Path | None:
    """Return where the project is now: where it was, from here, or else where it was on that machine; rather where its
    files are as they were. None where it is in neither place."""
    places = [Path(os.path.abspath(origin.inside)), Path(origin.folder)]
    same = (one for one in places if all(_digest_at(one, path) == said for path, said in origin.contents.items()))
    some = (one for one in places if any((one / path).is_file() for path in origin.contents))
    return next(same, None) or next(some, None)


def _digest_at(folder: Path, path: str) -> str:
    try:
        return source.read(folder / path, path).digest[:16]
    except source.SourceError as error:
        return str(error)


def compare(origin: Origin, now: Origin) -> None:
    """Raise ConfigError where a project isn't any more what a shard was made of."""
    for key, value in now.settings.items():
        if origin.settings.get(key) != value:
            was = origin.settings.get(key) or "none"
            raise ConfigError(f"made with another {key}: {was}, now {value or 'none'}; give --merge the same options")
    for path in sorted(origin.contents.keys() | now.contents.keys()):
        if origin.contents.get(path) != now.contents.get(path):
            raise ConfigError(f"{path} is not what it was then: merge in the checkout that the shards were run in")
