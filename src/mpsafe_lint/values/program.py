"""The modules of the program: found by name in the project and in the target environment, parsed once, run once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from weakref import ref

from mpsafe_lint.files.project import Project
from mpsafe_lint.files.source import SourceError
from mpsafe_lint.knowledge import libraries
from mpsafe_lint.modules.module import Module, parse
from mpsafe_lint.values.values import ModuleValue, Scope


class Program:
    """Finds and parses modules. `unresolved` counts the names that were asked for and are not to be had."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.unresolved: Counter[str] = Counter()
        self.unknown_calls = 0
        self._paths: dict[tuple[str, str, bool], str | None] = {}  # by name, and the folder of the file that asks
        self._modules: dict[str, Module | None] = {}
        self._released: dict[str, ref[Module]] = {}
        self.errors: dict[str, SyntaxError | SourceError] = {}

    def find(self, name: str, importer: Module) -> ModuleValue:
        """Return the module called `name` as `importer` sees it; one that has no source is known by name alone."""
        path = self._path(name, importer.path)
        if path is None and not self.is_known(name, importer):
            self.unresolved[name] += 1
        return ModuleValue(name, path, importer.path)

    def is_known(self, name: str, importer: Module) -> bool:
        """Tell whether there is a module of that name, with a source or without."""
        return libraries.is_known_by_name(name) or not self.project.is_missing(name, importer.path)

    def find_submodule(self, name: str, importer: str) -> ModuleValue | None:
        """Return the module called `name`, if there is one with a source, or a folder of modules."""
        path = self._path(name, importer)
        if path is None and not self._is_namespace(name, importer):
            return None
        return ModuleValue(name, path, importer)

    def _is_namespace(self, name: str, importer: str) -> bool:
        if importer in self.project.file_set and self.project.roots.is_namespace(name, importer):
            return True
        return not libraries.is_known_by_name(name) and self.project.environment.locate(name).kind == "namespace"

    def _path(self, name: str, importer: str) -> str | None:
        key = name, importer.rpartition("/")[0], importer in self.project.file_set
        if key not in self._paths:
            self._paths[key] = self._find_path(name, importer)
        return self._paths[key]

    def _find_path(self, name: str, importer: str) -> str | None:
        if importer in self.project.file_set and (own := self.project.roots.find_module(name, importer)):
            return own
        return None if libraries.is_known_by_name(name) else self.project.find_module(name, importer)

    def module(self, path: str, name: str | None = None) -> Module | None:
        """Return the parsed file, or None where it can't be read or parsed (`errors` then says why)."""
        if path not in self._modules:
            released = self._released.pop(path, None)
            alive = released() if released is not None else None
            self._modules[path] = alive or self._parse(path, name)
        return self._modules[path]

    def held(self) -> set[str]:
        """Return the files whose modules are kept."""
        return set(self._modules)

    def release(self, paths: Iterable[str]) -> None:
        """Keep modules only as long as something refers to them: whoever asks for one later has it parsed again."""
        for path in paths:
            module = self._modules.get(path)
            if module is not None:
                self._released[path] = ref(module)
                del self._modules[path]

    def scope(self, module: Module) -> tuple[Scope, bool]:
        """Return the module's variables, and whether the module still has to be run."""
        fresh = module.scope is None
        scope = module.scope = module.scope or Scope(module, None, "")
        return scope, fresh

    def _parse(self, path: str, name: str | None) -> Module | None:
        in_project = path in self.project.file_set
        try:
            source = self.project.source(path)
            name = self.project.module_name(path) if in_project or name is None else name
            return parse(source, name, in_project=in_project)
        except (SourceError, SyntaxError) as error:
            self.errors[path] = error
            return None
