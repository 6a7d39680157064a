"""The released packages of the corpus: which they are, and how they are unpacked."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
ANYWHERE = ("--python-version", "3.12", "--only-binary", ":all:")
"""What pip is told when it finds nothing for the Python that runs."""


@dataclass(frozen=True)
class Package:
    """A release on PyPI, and what pip has to be told to get it."""

    name: str
    version: str
    options: tuple[str, ...] = ()

    def files(self, cache: Path) -> Iterator[Path]:
        """Return its Python files, sorted."""
        yield from sorted(path for path in (cache / self.name).rglob("*.py") if path.is_file())


def packages(names: Sequence[str] = ()) -> list[Package]:
    """Return the packages of these names, or all."""
    listed = tomllib.loads((HERE / "packages.toml").read_text(encoding="utf-8"))
    known = [Package(name, version, tuple(listed["pip"].get(name, ()))) for name, version in listed["versions"].items()]
    unknown = set(names) - {package.name for package in known}
    if unknown:
        raise SystemExit(f"not in packages.toml: {', '.join(sorted(unknown))}")
    return [package for package in known if not names or package.name in names]


def fetch(package: Package, cache: Path) -> None:
    """Unpack a package into a folder of its name, downloaded where it isn't yet; none of it is run."""
    folder = cache / package.name
    if folder.exists():
        return
    downloads = cache / "downloads" / package.name
    if not downloads.exists():
        _download(package, downloads)
    (archive,) = downloads.iterdir()
    unfinished = cache / "downloads" / f"{package.name}.unpacked"
    shutil.rmtree(unfinished, ignore_errors=True)
    _unpack(archive, unfinished)
    unfinished.rename(folder)


def _download(package: Package, folder: Path) -> None:
    """Put the wheel of a package into a folder; a source distribution where there is no wheel."""
    unfinished = folder.with_name(f"{folder.name}.downloaded")
    for options in (package.options, ANYWHERE):
        shutil.rmtree(unfinished, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *options]
        done = subprocess.run([*pip, "--dest", str(unfinished), f"{package.name}=={package.version}"], timeout=900)
        if done.returncode == 0:
            unfinished.rename(folder)
            return
    raise SystemExit(f"{package.name} {package.version} can't be downloaded")


def _unpack(archive: Path, folder: Path) -> None:
    """Write the Python files of an archive into a folder."""
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder, [name for name in wheel.namelist() if name.endswith((".py", ".pyi"))])
    else:
        with tarfile.open(archive) as source:
            kept = [one for one in source.getmembers() if one.isfile() and one.name.endswith((".py", ".pyi"))]
            source.extractall(folder, kept, filter="data")
