"""The target environment: the libraries that the analysed code will run with. Nothing in it is run or imported."""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass, field
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from mpsafe_lint.config import ConfigError, Version

_EXTENSION = re.compile(r"\.(?:[\w-]+\.)*(?:so|pyd|dylib)$")


@dataclass(frozen=True, slots=True)
class Module:
    """What a module name stands for in an environment.

    `kind` is `source` (with the path of its `.py`), `extension` (with that of the library), `namespace` (a folder
    without `__init__.py`), `builtin`, or `missing`.
    """

    kind: str
    path: str | None = None


_MISSING = Module("missing")


@dataclass
class Environment:
    """A Python with its libraries. `prefix` is what it is called in messages; `paths` are searched in their order."""

    prefix: Path
    version: Version
    paths: tuple[str, ...]
    _found: dict[str, Module] = field(default_factory=dict, repr=False)
    _listings: dict[str, dict[str, bool]] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        return f"{self.prefix} (Python {self.version[0]}.{self.version[1]})"

    def find_module(self, dotted: str) -> str | None:
        """Return the absolute path of the `.py` of a module, or None where it has none. Answers are kept."""
        found = self.locate(dotted)
        return found.path if found.kind == "source" else None

    def locate(self, dotted: str) -> Module:
        """Say what a module name stands for. Answers are kept."""
        if dotted not in self._found:
            self._found[dotted] = self._locate(dotted)
        return self._found[dotted]

    def _locate(self, dotted: str) -> Module:
        parent, _, name = dotted.rpartition(".")
        if not parent and name in sys.builtin_module_names:
            return Module("builtin")
        folders = self._portions(parent) if parent else list(self.paths)
        namespace = False
        for folder in folders:
            entries = self._entries(folder)
            if entries.get(name) and "__init__.py" in self._entries(os.path.join(folder, name)):
                return Module("source", os.path.join(folder, name, "__init__.py"))
            if extension := self._extension(folder, name):
                return Module("extension", extension)
            if entries.get(f"{name}.py") is False:
                return Module("source", os.path.join(folder, f"{name}.py"))
            namespace = namespace or entries.get(name, False)
        return Module("namespace") if namespace else _MISSING

    def _portions(self, package: str) -> list[str]:
        """Return the folders in which the submodules of a package lie."""
        found = self.locate(package)
        if found.kind == "source" and found.path and os.path.basename(found.path) == "__init__.py":
            return [os.path.dirname(found.path)]
        if found.kind != "namespace":
            return []
        above, _, name = package.rpartition(".")
        folders = self._portions(above) if above else self.paths
        return [os.path.join(folder, name) for folder in folders if self._entries(folder).get(name)]

    def _extension(self, folder: str, name: str) -> str | None:
        """Return an extension module's file: of any Python, since the target may be another than the running one."""
        for entry, is_folder in self._entries(folder).items():
            if not is_folder and entry.startswith(f"{name}.") and _EXTENSION.match(entry, len(name)):
                return os.path.join(folder, entry)
        package = os.path.join(folder, name)
        if self._entries(folder).get(name) and any(
            f"__init__{s}" in self._entries(package) for s in EXTENSION_SUFFIXES
        ):
            return package
        return None

    @property
    def folders_read(self) -> tuple[str, ...]:
        """The folders in which modules were looked for."""
        return tuple(self._listings)

    def names_in(self, folder: str) -> dict[str, bool]:
        """Return the names in a folder, each with whether it is a folder itself."""
        return self._entries(folder)

    def _entries(self, folder: str) -> dict[str, bool]:
        """Return the names in a folder, each with whether it is a folder; empty where it can't be read."""
        if folder not in self._listings:
            try:
                with os.scandir(folder) as found:
                    self._listings[folder] = {entry.name: entry.is_dir() for entry in found}
            except OSError:
                self._listings[folder] = {}
        return self._listings[folder]


def find_environment(root: Path, python: str | None) -> Environment:
    """Return the environment for a project: what `python` (an interpreter or a prefix) names, else `.venv` or `venv` in
    the root, else CONDA_PREFIX or VIRTUAL_ENV unless it is our own prefix, else our own prefix.

    Raises ConfigError where `python` is no Python.
    """
    if python is not None:
        return _named(root, python)
    for prefix in (root / ".venv", root / "venv"):
        if (prefix / "pyvenv.cfg").is_file():
            return _environment(prefix)
    for variable in ("CONDA_PREFIX", "VIRTUAL_ENV"):
        value = os.environ.get(variable)
        if value and os.path.realpath(value) != os.path.realpath(sys.prefix) and _libraries(Path(value)):
            return _environment(Path(value))
    return _environment(Path(sys.prefix), sys.version_info[:2])


def _named(root: Path, python: str) -> Environment:
    path = Path(os.path.expanduser(python))
    if os.path.basename(python) == python and not (root / path).exists():
        path = Path(shutil.which(python) or path)
    path = Path(os.path.abspath(root / path))
    version = None
    if path.is_file():
        named = re.search(r"(\d)\.(\d+)(?:\.exe)?$", os.path.realpath(path))
        version = (int(named[1]), int(named[2])) if named else None
        if not (path.parent.parent / "pyvenv.cfg").is_file():
            path = Path(os.path.realpath(path))
        path = path.parent.parent if path.parent.name in ("bin", "Scripts") else path.parent
    if not (path / "pyvenv.cfg").is_file() and not _libraries(path):
        raise ConfigError(f"python: {python!r} is no Python environment: name its interpreter or its folder")
    return _environment(path, version)


def _environment(prefix: Path, version: Version | None = None) -> Environment:
    settings = _venv_settings(prefix)
    version = _version_of(settings) or version or _newest(prefix) or sys.version_info[:2]
    base = _base_prefix(prefix, settings)
    sites = _site_folders(prefix, version)
    if base == prefix or settings.get("include-system-site-packages", "").lower() == "true":
        user = Path.home() / ".local" / "lib" / f"python{version[0]}.{version[1]}" / "site-packages"
        sites += [*_site_folders(base, version), *([user] if user.is_dir() else [])]
    standard = _standard_library(base, version)
    paths = [*standard, *dict.fromkeys(sites), *(extra for site in dict.fromkeys(sites) for extra in _linked(site))]
    distinct = {os.path.realpath(path): str(path) for path in reversed(paths)}  # lib64 is often a link to lib
    return Environment(prefix, version, tuple(reversed(distinct.values())))


def _venv_settings(prefix: Path) -> dict[str, str]:
    try:
        text = (prefix / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _version_of(settings: dict[str, str]) -> Version | None:
    match = re.match(r"(\d+)\.(\d+)", settings.get("version") or settings.get("version_info") or "")
    return (int(match[1]), int(match[2])) if match else None


def _base_prefix(prefix: Path, settings: dict[str, str]) -> Path:
    home = settings.get("home")
    if not home:
        return prefix
    folder = Path(os.path.realpath(home))
    return folder.parent if folder.name in ("bin", "Scripts") else folder


def _libraries(prefix: Path) -> list[Path]:
    """Return the library folders of a prefix that belong to one version of Python."""
    found = [
        folder for lib in ("lib", "lib64") for folder in (prefix / lib).glob("python[0-9].[0-9]*") if folder.is_dir()
    ]
    return found + [folder for folder in [prefix / "Lib"] if (folder / "site-packages").is_dir()]


def _newest(prefix: Path) -> Version | None:
    names = [re.fullmatch(r"python(\d)\.(\d+)", folder.name) for folder in _libraries(prefix)]
    return max(((int(name[1]), int(name[2])) for name in names if name), default=None)


def _site_folders(prefix: Path, version: Version) -> list[Path]:
    python = f"python{version[0]}.{version[1]}"
    candidates = [
        *(prefix / lib / python / "site-packages" for lib in ("lib", "lib64")),
        prefix / "local" / "lib" / python / "dist-packages",
        prefix / "lib" / python / "dist-packages",
        prefix / "lib" / "python3" / "dist-packages",
        prefix / "Lib" / "site-packages",
    ]
    return [folder for folder in candidates if folder.is_dir()]


def _standard_library(base: Path, version: Version) -> list[Path]:
    python = f"python{version[0]}.{version[1]}"
    for folder in (base / "lib" / python, base / "lib64" / python, base / "Lib", Path(os.__file__).parent):
        if (folder / "os.py").is_file():
            return [folder, folder / "lib-dynload"]
    return []


def _linked(site: Path) -> list[Path]:
    """Return the folders that the .pth files of a site folder add, as editable installs do. Their code isn't run."""
    found = []
    for file in sorted(site.glob("*.pth")):
        try:
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        for line in lines:
            if line.strip() and not line.startswith(("#", "import ", "import\t")):
                found.append(Path(os.path.abspath(site / line.strip())))
    return [folder for folder in found if folder.is_dir()]
