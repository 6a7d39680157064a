"""A folder with the files that the expressions read, and an end to what they start."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator

import pytest

from knowledge import objects


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Work in a folder with the files that the expressions read."""
    before, folder = os.getcwd(), tmp_path_factory.mktemp("objects")
    objects.write_files(folder)
    os.chdir(folder)
    yield
    os.chdir(before)


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """End what an expression has started; warnings of deprecated modules are no matter here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
        objects.release()
