"""How benchmarks take the time."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_of(times: int, act: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """The seconds of the quickest of several calls: what disturbs a machine only ever slows it down."""
    taken = []
    for _ in range(times):
        started = clock()
        act()
        taken.append(clock() - started)
    return min(taken)
