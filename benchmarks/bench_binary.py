"""Binary maps: exact metrics against a search from every tile, and against plain Python."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections import deque
from collections.abc import Iterator

import numpy as np

from levelsmith.games.binary import kernels
from levelsmith.kernels.bits import packed

MAPS = 20_000
SIZE = (10, 10)


def probe():
    """The program to beat, where LEVELSMITH_PROBES names its folder."""
    folder = os.environ.get("LEVELSMITH_PROBES")
    if folder is None:
        return None
    sys.path.insert(0, folder)
    with contextlib.redirect_stdout(io.StringIO()):  # it measures itself when it is imported
        import binary_metrics
    return binary_metrics


def best_of(times: int, act) -> float:
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        act()
        taken.append(time.perf_counter() - started)
    return min(taken)


def plain(grid: np.ndarray) -> tuple[int, int]:
    """Path and regions as anyone would write them: a search from every empty cell."""
    height, width = grid.shape
    longest, regions, counted = 0, 0, set()
    for start in zip(*np.nonzero(grid == 0), strict=True):
        distance = {start: 0}
        queue = deque([start])
        while queue:
            y, x = queue.popleft()
            for there in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                inside = 0 <= there[0] < height and 0 <= there[1] < width
                if inside and there not in distance and grid[there] == 0:
                    distance[there] = distance[y, x] + 1
                    queue.append(there)
        longest = max(longest, *distance.values())
        regions += start not in counted
        counted |= distance.keys()
    return longest, regions


def measurements() -> Iterator[tuple[str, float, str]]:
    other = probe()
    draw = np.random.default_rng(0)
    game = kernels.make(SIZE)
    for share in (0.25, 0.5, 0.75):
        empty = draw.random((MAPS, SIZE[0] * SIZE[1])) < share
        rows, out = packed(~empty), np.zeros(MAPS)
        named = f"{share:.0%} empty"
        kernels.measure_one(game, rows[:2], kernels.PATH, out)
        path = best_of(5, lambda rows=rows, out=out: kernels.measure_one(game, rows, kernels.PATH, out))
        region = best_of(
            5, lambda rows=rows: kernels.measure_one(game, rows, kernels.REGIONS, np.zeros(MAPS))
        )
        yield f"path, {named}", path / MAPS * 1e6, "µs"
        yield f"regions, {named}", region / MAPS * 1e6, "µs"
        grids = (~empty[:100]).astype(np.uint8).reshape(-1, *SIZE)
        slow = best_of(1, lambda grids=grids: [plain(grid) for grid in grids]) / len(grids)
        yield f"regions and path against plain Python, {named}", slow / ((path + region) / MAPS), "times"
        if other is not None:
            theirs = packed(empty)
            other.bench(theirs[:2], 0)
            slow = best_of(5, lambda theirs=theirs: other.bench(theirs, 0))
            yield f"path against a search from every tile, {named}", slow / path, "times"
