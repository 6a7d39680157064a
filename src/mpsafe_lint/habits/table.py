"""The rules, by when they are asked: at an event, when a function returns, at the end of a run, and once a module."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mpsafe_lint.habits import advice, ending, globals_, pools, queues, results, sentinels, starting, targets
from mpsafe_lint.habits.trace import Event, Trace
from mpsafe_lint.modules.module import Module
from mpsafe_lint.values.frames import Call
from mpsafe_lint.values.machine import Machine

if TYPE_CHECKING:
    from mpsafe_lint.habits.observer import Habits

ON_EVENT: tuple[Callable[[Habits, Machine, Event], None], ...] = (
    starting.note_daemon,
    starting.no_main_guard,
    starting.daemon_children,
    queues.join_before_drain,
    queues.queue_empty_loop,
    targets.target_called,
    pools.closed_pool,
    pools.early_pool,
    globals_.note_changes,
    ending.note_thread,
    advice.lazy_value,
    advice.tensor_pickle,
)

ON_RETURN: tuple[Callable[[Habits, Machine, Call], None], ...] = (
    pools.note_left,
    globals_.note_reads,
)

AT_END: tuple[Callable[[Habits, Machine, Trace], None], ...] = (
    queues.emptied_by_worker,
    sentinels.endless_worker,
    sentinels.endless_listener,
    sentinels.endless_parent,
    sentinels.deaf_worker,
    sentinels.unheard_flag,
    sentinels.missing_sentinel,
    sentinels.lost_sentinel,
    results.lost_error,
    globals_.global_not_shared,
    ending.never_joined,
    ending.fork_with_threads,
    ending.orphaned_children,
    advice.shared_memory_leak,
    advice.loader_rebuilt,
)

OF_MODULE: tuple[Callable[[Habits, Machine, Module], None], ...] = (advice.shared_memory_of_torch,)
