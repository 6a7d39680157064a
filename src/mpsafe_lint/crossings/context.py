"""What holds for a program as a whole: whether it asks for fork, and where it uses a Manager."""

from __future__ import annotations

import re

from mpsafe_lint.config import Config
from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import SourceError
from mpsafe_lint.knowledge.boundaries import Boundary, Sent

_SET_METHOD = re.compile(r"""set_start_method\(\s*(?:method\s*=\s*)?['"](\w+)['"]""")
_MANAGER = re.compile(r"\bManager\s*\(|multiprocessing\.managers|multiprocessing import managers")


def asks_for_fork(project: Project) -> bool:
    """Tell whether the program sets fork as its start method, and never another one."""
    methods = {method for text in _texts(project).values() for method in _SET_METHOD.findall(text)}
    return methods == {"fork"}


def files_with_managers(project: Project) -> frozenset[str]:
    """Return the files that use a Manager: once `multiprocessing.managers` is imported, views are sent as lists."""
    return frozenset(path for path, text in _texts(project).items() if _MANAGER.search(text))


def _texts(project: Project) -> dict[str, str]:
    texts: dict[str, str] = {}
    for path in project.files:
        try:
            texts[path] = project.source(path).text
        except SourceError:
            continue
    return texts


def boundaries_of(config: Config) -> dict[str, Boundary]:
    """Return the boundaries that the configuration adds."""
    found: dict[str, Boundary] = {}
    for one in config.boundaries:
        by_name = isinstance(one.argument, str)
        sent = Sent(
            "other", one.argument if by_name else None, None if by_name else one.argument  # type: ignore[arg-type]
        )
        earlier = found[one.call].sends if one.call in found else ()
        serializer = "forking" if one.serializer == "pickle" else one.serializer
        found[one.call] = Boundary((*earlier, sent), serializer=serializer)
    return found
