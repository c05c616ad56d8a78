"""The judge of Lode Runner on a GPU: the functions of the processor, one board a thread at a time.

A thread works in rows of its own, of which those that hold cells or numbers of them are half as wide as on
the processor. The board that it judges is also the one that it has seen last.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from levelsmith.games.loderunner.judge.kernels.judge import KNOWN, OUTSIDE, CompiledLodeRunner, judge
from levelsmith.games.loderunner.judge.kernels.metrics import value
from levelsmith.kernels.gpu import free_bytes, gpu_kernel, measured, on_device, processors

THREADS_A_PROCESSOR = 512
SHARE_OF_MEMORY = 0.5
BYTES_A_CELL = 14


@gpu_kernel()
def measure_grids(game, grids, out):
    """Writes all metrics of boards `[B, cells]` into `out` `[B, metrics]`."""
    i, threads = cuda.grid(1), game.tile.shape[1]
    if i >= threads:
        return
    counts = cuda.local.array(OUTSIDE, np.int64)
    found = cuda.local.array(4, np.int64)
    tile, free, worth = game.tile[:, i], game.open[:, i], game.worth[:, i]
    for at in range(len(tile)):
        tile[at], free[at], worth[at] = OUTSIDE, 0, 0
    for board in range(i, len(grids), threads):
        own = CompiledLodeRunner(
            game.height,
            game.width,
            game.rules,
            tile,
            free,
            worth,
            game.number[:, i],
            game.low[:, i],
            game.most[:, i],
            game.left[:, i],
            game.path[:, i],
            game.waiting[:, i],
            game.step,
            game.first,
            game.turn,
            game.jumps,
            grids[board],
            counts,
            found,
        )
        found[KNOWN] = 0
        judge(own, grids[board])
        for k in range(out.shape[1]):
            out[board, k] = value(own, k)


def with_workspaces(game: CompiledLodeRunner, threads: int) -> CompiledLodeRunner:
    """Copies the game to the GPU with a workspace for each of so many threads, which lies together in memory.

    All share the jumps, of which there are none.
    """
    cells = len(game.tile)

    def rows(kind: Any) -> Any:
        return cuda.device_array((cells, threads), kind, order="F")

    bytes_ = {name: rows(np.uint8) for name in ("tile", "open", "worth", "left")}
    numbers = {name: rows(np.int16) for name in ("number", "low", "most", "path", "waiting")}
    first = on_device(game.first)
    shared = {"step": on_device(game.step), "first": first, "turn": first}
    none = on_device(np.zeros((1, 2), np.int32))
    return game._replace(**bytes_, **numbers, **shared, jumps=none, seen=none, counts=none, found=none)


def measure(game: CompiledLodeRunner, grids: Any, metrics: int) -> NDArray[np.float64]:
    """Returns the metrics of boards `[B, cells]`; those of a solution are 0."""
    fitting = free_bytes() * SHARE_OF_MEMORY // (BYTES_A_CELL * len(game.tile))
    threads = int(max(1, min(len(grids), processors() * THREADS_A_PROCESSOR, fitting)))
    return measured(measure_grids, threads, with_workspaces(game, threads), grids, metrics)
