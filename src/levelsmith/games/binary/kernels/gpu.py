"""The metrics of many binary maps on a GPU: the functions of the processor, one map a thread."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from levelsmith.games.binary.kernels.small import CompiledBinary
from levelsmith.kernels.bits import added, cleared
from levelsmith.kernels.gpu import gpu_kernel, measured
from levelsmith.kernels.problem import metric


@gpu_kernel()
def measure_grids(game, grids, out):
    """Writes all metrics of maps `[B, cells]` into `out` `[B, metrics]`."""
    i = cuda.grid(1)
    if i >= len(grids):
        return
    walls = cleared(game.every)
    for cell in range(grids.shape[1]):
        if grids[i, cell] != 0:
            walls = added(walls, cell)
    for k in range(out.shape[1]):
        out[i, k] = metric(game, walls, k)


def measure(game: CompiledBinary, grids: Any, metrics: int) -> NDArray[np.float64]:
    """Returns the metrics of maps `[B, cells]`, which are copied as they are and packed by the threads."""
    return measured(measure_grids, len(grids), game, grids, metrics)
