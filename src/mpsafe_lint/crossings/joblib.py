"""joblib: `Parallel(…)(delayed(function)(…) for …)` sends each call, by what its backend sends with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mpsafe_lint.knowledge.boundaries import ALWAYS
from mpsafe_lint.values import iteration
from mpsafe_lint.values.frames import Call
from mpsafe_lint.values.machine import Machine
from mpsafe_lint.values.values import Arguments, Constant, Opaque, Value

if TYPE_CHECKING:
    from mpsafe_lint.crossings.observer import Crossings

PARALLEL = frozenset(
    {"joblib.Parallel.__call__", "joblib.parallel.Parallel.__call__", "sklearn.utils.parallel.Parallel.__call__"}
)
SERIALIZERS = {"loky": "cloudpickle", "multiprocessing": "forking"}
"""By backend; the others (threading, sequential, dask …) send nothing, or what they send is not known here."""


def watch(crossings: Crossings, machine: Machine, call: Call) -> bool:
    """Send the calls that a Parallel is given."""
    if call.name == "joblib.parallel_config.__enter__" and isinstance(call.receiver, Opaque):
        crossings.joblib_configs.append((call.frame, call.receiver))
    elif call.name == "joblib.parallel_config.__exit__":
        crossings.joblib_configs[-1:] = []
    if call.name not in PARALLEL or not isinstance(call.receiver, Opaque):
        return False
    around = [config for frame, config in crossings.joblib_configs if any(one is frame for one in call.frame.stack())]
    serializer = _serializer(call.receiver, around[-1].arguments if around else Arguments())
    iterable = call.arguments.get(0, "iterable")
    if serializer is not None and iterable is not None:
        task = iteration.item_of(machine, iterable, call.frame, call.span)
        crossings.send(
            machine, task, call, boundary="joblib-task", sent="task", serializer=serializer, methods=ALWAYS
        )
    return True


def _serializer(parallel: Opaque, config: Arguments) -> str | None:
    """Return what a Parallel sends with, in a block that sets another backend or number of jobs; None if nothing."""
    given = parallel.arguments
    jobs = given.get(0, "n_jobs") or config.get(None, "n_jobs")
    if jobs is None or jobs in (Constant(1), Constant(None)):
        return None
    if _constant(given.get(None, "prefer")) == "threads" or _constant(given.get(None, "require")) == "sharedmem":
        return None
    backend = given.get(1, "backend") or config.get(0, "backend")
    return SERIALIZERS.get(str(_constant(backend) or "loky")) if backend is None or _constant(backend) else None


def _constant(value: Value | None) -> object:
    return value.value if isinstance(value, Constant) else None
