"""Import roots: which module a file of the project is, and which file a module name stands for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath


class ImportRoots:
    """Answers from the list of the project's files alone: nothing is looked up on disk.

    Paths are posix and relative to the project's root; `""` is the root itself. A module is looked for, in this order,
    in the importing file's own folder where that is no package (a script), in the parent of its top package, in `src`,
    in what the key `src` names, in the root, and at last among the project's top packages of that name where there is
    one alone (a repository of several projects).
    """

    def __init__(self, files: Iterable[str], src: Iterable[str] = ()) -> None:
        self._files = frozenset(files)
        self._packages = frozenset(_parent(path) for path in self._files if path.endswith("__init__.py"))
        self._folders = frozenset(folder for path in self._files for folder in _ancestors(path))
        wanted = [_clean(folder) for folder in ("src", *src)]
        self._roots = [f for f in dict.fromkeys(wanted) if f in self._folders and f not in self._packages]
        self._tops: dict[str, list[str]] = {}
        for package in sorted(self._packages):
            if _parent(package) not in self._packages:
                self._tops.setdefault(_name(package), []).append(_parent(package))

    def module_name(self, path: str) -> str:
        """Return the name under which a file is imported; that of a script is its stem."""
        folder = _parent(path)
        base = self._top(folder)
        # Under `src` the folders above the top package are a namespace package.
        for root in self._roots:
            if _is_below(base, root) and folder != root:
                base = root
                break
        relative = path[len(base) :].lstrip("/") if base else path
        parts = relative.removesuffix(".py").removesuffix(".ipynb").split("/")
        if parts[-1] == "__init__" and len(parts) > 1:
            parts.pop()
        return ".".join(parts)

    def find_module(self, dotted: str, importing: str) -> str | None:
        """Return the project's file that `import dotted` loads in the file `importing`, or None where there is none."""
        return self._find_below(self._search_path(importing), dotted.split("."))

    def find_top(self, dotted: str) -> str | None:
        """Return the file of a module whose top package is one of the project's and the only one of its name.

        To be asked after everything else: a folder deep in the project may have the name of a library.
        """
        parents = self._tops.get(dotted.split(".")[0], [])
        return self._find_below(parents, dotted.split(".")) if len(parents) == 1 else None

    def is_namespace(self, dotted: str, importing: str) -> bool:
        """Whether a name is a folder without `__init__.py` that holds files of the project."""
        return not self.find_module(dotted, importing) and bool(
            self._portions(self._search_path(importing), dotted.split("."))
        )

    def _search_path(self, importing: str) -> list[str]:
        folder = _parent(importing)
        own = [folder] if folder not in self._packages else [self._top(folder)]
        return list(dict.fromkeys([*own, *self._roots, ""]))

    def _top(self, folder: str) -> str:
        """Return the parent of the top package above `folder`, or the folder itself where it is no package."""
        while folder in self._packages and folder:
            folder = _parent(folder)
        return folder

    def _find_below(self, search: list[str], parts: list[str]) -> str | None:
        for depth, part in enumerate(parts):
            last = depth == len(parts) - 1
            found = next(filter(None, (self._regular(folder, part) for folder in search)), None)
            if found and last:
                return found
            if found and not found.endswith("__init__.py"):
                return None  # a module has no submodules
            search = [_parent(found)] if found else self._portions(search, [part])
        return None

    def _regular(self, folder: str, name: str) -> str | None:
        package, module = _join(folder, f"{name}/__init__.py"), _join(folder, f"{name}.py")
        return package if package in self._files else module if module in self._files else None

    def _portions(self, search: list[str], parts: list[str]) -> list[str]:
        for part in parts:
            search = [path for path in (_join(folder, part) for folder in search) if path in self._folders]
        return search


def _clean(folder: str) -> str:
    text = PurePosixPath(folder.replace("\\", "/")).as_posix()
    return "" if text == "." else text


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _is_below(folder: str, root: str) -> bool:
    return not root or folder == root or folder.startswith(root + "/")


def _ancestors(path: str) -> Iterable[str]:
    while path:
        path = _parent(path)
        yield path
