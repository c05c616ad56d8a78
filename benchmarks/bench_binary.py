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
from timing import best_of

from levelsmith.games.binary import kernels
from levelsmith.kernels.bits import packed
from levelsmith.registry import games
from levelsmith.search.task import plan

MAPS = 20_000
SIZE = (10, 10)
SEARCHED = 100_000


def probe():
    """The program to beat, where LEVELSMITH_PROBES names its folder."""
    folder = os.environ.get("LEVELSMITH_PROBES")
    if folder is None:
        return None
    sys.path.insert(0, folder)
    with contextlib.redirect_stdout(io.StringIO()):  # it measures itself when it is imported
        import binary_metrics
    return binary_metrics


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


def search_rates() -> Iterator[tuple[str, float, str]]:
    """The rate of a whole search against that of scoring alone, on the maps that the search itself meets."""
    for name in ("bfs", "dfs", "best", "astar", "hc"):
        task = plan("binary", search=name, objective="path-length", set={"goal": 74, "fill": 0.5}, seed=1)
        search = task.start()
        search.advance(0)
        started = time.perf_counter()
        while search.evaluations < SEARCHED and not search.exhausted:
            search.advance(SEARCHED - search.evaluations)
        seconds = time.perf_counter() - started
        yield f"{name}, path length on 10x10", search.evaluations / seconds, "evaluations/s"
        if name == "hc":
            continue
        rows, out = search.front.nodes[:SEARCHED], np.zeros(SEARCHED)
        kernels.measure_one(task.problem(games.get("binary")).game, rows[:2], kernels.PATH, out)
        scoring = best_of(
            3, lambda rows=rows, out=out: kernels.measure_one(kernels.make(SIZE), rows, kernels.PATH, out)
        )
        yield f"{name}, share of the rate of scoring the same maps", scoring / seconds, ""


def measurements() -> Iterator[tuple[str, float, str]]:
    yield from search_rates()
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
