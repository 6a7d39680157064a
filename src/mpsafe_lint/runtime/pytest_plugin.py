"""A pytest plugin: the fixture `assert_mp_safe`, the marker `mp_start_method`. It imports nothing until then."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers",
        'mp_start_method(name="spawn"): run the test with this start method of multiprocessing as the default, for its'
        " DataLoaders, pools and processes too",
    )


@pytest.fixture
def assert_mp_safe() -> Callable[..., None]:
    """A function that fails the test, with all paths, if its argument can't be sent to another process."""
    from mpsafe_lint.runtime.checks import assert_mp_safe

    return assert_mp_safe


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Change the default start method while a marked test and its fixtures run."""
    marker = item.get_closest_marker("mp_start_method")
    if marker is None:
        yield
        return
    import multiprocessing

    name = marker.kwargs.get("name") or next(iter(marker.args), "spawn")
    if name not in multiprocessing.get_all_start_methods():
        known = ", ".join(multiprocessing.get_all_start_methods())
        raise pytest.UsageError(f"{item.nodeid}: mp_start_method: unknown start method {name!r}: one of {known}")
    before = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method(name, force=True)
    try:
        yield
    finally:
        multiprocessing.set_start_method(before, force=True)
