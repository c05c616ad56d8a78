"""How benchmarks take the time."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_of(times: int, act: Callable[[], object]) -> float:
    """The seconds of the quickest of several calls: what disturbs a machine only ever slows it down."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        act()
        taken.append(time.perf_counter() - started)
    return min(taken)
