"""A small project, of which some files matter and others don't."""

from __future__ import annotations

from pathlib import Path

from mpsafe_lint.config import Config
from mpsafe_lint.files.project import Project

FILES = {
    "farm/__init__.py": "",
    "farm/base.py": """
        from torch.utils.data import Dataset as TorchDataset

        class Base(TorchDataset):
            def __init__(self, names):
                self.names = names
        """,
    "farm/animals.py": """
        from farm import base as b
        from farm.readers import Reader

        class Animals(b.Base):
            def __init__(self):
                super().__init__(dict(a=1).keys())
                self.reader = Reader()
        """,
    "farm/readers.py": """
        class Reader:
            def __init__(self):
                self.clean = lambda text: text.strip()
        """,
    "farm/pools.py": """
        from multiprocessing import Pool

        def spread(function, items):
            with Pool(2) as pool:
                return pool.map(function, items)
        """,
    "farm/use.py": """
        from farm.pools import spread

        def clean(texts):
            return spread(lambda text: text.strip(), texts)
        """,
    "farm/registry.py": """
        KNOWN = {}

        def register(function):
            KNOWN[function.__name__] = function
            return function
        """,
    "farm/registered.py": """
        from farm.registry import register

        @register
        def shout(text):
            return text.upper()
        """,
    "farm/plain.py": """
        def add(a, b):
            return a + b
        """,
    "farm/other.py": """
        from farm.plain import add

        class Sum:
            def of(self, items):
                total = 0
                for one in items:
                    total = add(total, one)
                return total
        """,
}
"""A dataset class that inherits through two files, one that holds a reader, a pool behind a function, a registry, and
two files that lead nowhere."""


def write(folder: Path) -> Path:
    """Write the project into a folder."""
    import textwrap

    (folder / "mpsafe.toml").write_text("")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(text))
    return folder


def load(folder: Path) -> Project:
    """Return the project of a folder."""
    return Project.load([folder], Config())
