"""Binary maps: exact metrics against a search from every tile, and against plain Python."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator

import numpy as np
from timing import best_of

from levelsmith.games.binary.kernels import small as kernels
from levelsmith.kernels.bits import pack_masks
from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request
from levelsmith.search.kernels.run import CURRENT

MAPS = 20_000
SIZE = (10, 10)
SEARCHED = 100_000
FRONTIER = ("bfs", "dfs", "best", "astar")


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


def spent(search, evaluations: int) -> float:
    """Seconds for so many more evaluations."""
    target = search.evaluations + evaluations
    started = time.perf_counter()
    while search.evaluations < target and not search.exhausted:
        search.advance(target - search.evaluations)
    return time.perf_counter() - started


def maps_met(name: str, task) -> np.ndarray:
    """Packed maps like those that the search scores: its nodes, or single changes of its candidates."""
    search = start_run(task)
    if name in FRONTIER:
        spent(search, SEARCHED)
        return search.front.nodes[:SEARCHED]
    draw = np.random.default_rng(0)
    rows = np.zeros((SEARCHED // 50, 2), np.uint64)
    for row in rows:
        spent(search, 50)
        if name in ("es", "ga"):
            row[:] = search.run.states[draw.integers(1, len(search.run.states))][:2]
        else:
            cell = int(draw.integers(SIZE[0] * SIZE[1]))
            row[:] = search.run.states[CURRENT][:2]
            row[cell // 64] ^= np.uint64(1 << cell % 64)
    return rows[len(rows) // 10 :]


def search_rates() -> Iterator[tuple[str, float, str]]:
    """The rate of a whole search, and against that of scoring alone."""
    chance = scoring_seconds(pack_masks(np.random.default_rng(0).random((MAPS, SIZE[0] * SIZE[1])) < 0.5))
    for name in (*FRONTIER, "mcts", "hc", "sa", "es", "ga"):
        set_all = {"path-length.goal": 74, "wide.fill": 0.5}  # a goal that none of them reaches
        task = plan(Request("binary", search=name, objective="path-length", set=set_all, seed=1))
        search = start_run(task)
        search.advance(0)
        seconds = spent(search, SEARCHED) / SEARCHED
        yield f"{name}, path length on 10x10", 1 / seconds, "evaluations/s"
        if name == "mcts":
            continue
        met = scoring_seconds(maps_met(name, task))
        yield f"{name}, share of the rate of scoring the maps it meets", met / seconds, ""
        yield f"{name}, share of the rate of scoring random maps, 50 % empty", chance / seconds, ""


def scoring_seconds(rows: np.ndarray) -> float:
    """Seconds to score one of these packed maps by its path."""
    game, out = kernels.make(SIZE), np.zeros(len(rows))
    kernels.measure_one(game, rows[:2], kernels.PATH, out)
    return best_of(3, lambda: kernels.measure_one(game, rows, kernels.PATH, out)) / len(rows)


def longer_by_20() -> Iterator[tuple[str, float, str]]:
    """14x14 maps with one region and a path 20 longer than that of the start map."""
    for name in ("ga", "es", "sa", "hc"):
        taken = []
        for seed in range(30):
            ask = {"size": (14, 14), "seed": seed}
            first = start_run(plan(Request("binary", search="bfs", **ask)))
            first.advance(1)
            goal = int(games.get("binary").measure(first.best()[None])[0, kernels.PATH]) + 20
            both = ["connectivity", "path-length"]
            search = start_run(
                plan(Request("binary", search=name, objective=both, set={"goal": goal}, **ask))
            )
            search.advance(0)
            started = time.perf_counter()
            while search.score < 1:
                search.advance(10_000)
            taken.append(time.perf_counter() - started)
        yield f"{name}, 14x14, one region, path + 20: median of 30", sorted(taken)[15] * 1000, "ms"


def bfs_memory() -> Iterator[tuple[str, float, str]]:
    program = (
        "import resource, sys\n"
        "from levelsmith.making.plan import plan\n"
        "from levelsmith.request import Request\n"
        "n = int(sys.argv[1])\n"
        "search = start_run(plan(Request('binary', search='bfs', seed=0, set={'goal': 74})))\n"
        "while search.evaluations < n: search.advance(n - search.evaluations)\n"
        "nodes, front = search.statistics()['nodes'], search.front\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
        "print((front.nodes[:nodes].nbytes + front.table.nbytes) / nodes)"
    )
    for n in (50_000, 5_000_000):
        told = subprocess.run([sys.executable, "-c", program, str(n)], capture_output=True).stdout.split()
        yield f"bfs, peak memory of the process at {n:,} evaluations", float(told[0]), "MiB"
        yield f"bfs, memory of its nodes and their table at {n:,}", float(told[1]), "bytes a node"


def measurements() -> Iterator[tuple[str, float, str]]:
    yield from search_rates()
    yield from longer_by_20()
    yield from bfs_memory()
    other = probe()
    draw = np.random.default_rng(0)
    game = kernels.make(SIZE)
    for share in (0.25, 0.5, 0.75):
        empty = draw.random((MAPS, SIZE[0] * SIZE[1])) < share
        rows, out = pack_masks(~empty), np.zeros(MAPS)
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
            theirs = pack_masks(empty)
            other.bench(theirs[:2], 0)
            slow = best_of(5, lambda theirs=theirs: other.bench(theirs, 0))
            yield f"path against a search from every tile, {named}", slow / path, "times"
