"""Many boards that are played at once: what every game's arena has, and what comes out of a step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import part


class Out(NamedTuple):
    """What a step of all boards gives."""

    views: NDArray[np.uint8]  # [boards, cells], or with planes [boards, codes * cells], zeroed
    rewards: NDArray[np.float64]  # [boards]
    terminated: NDArray[np.bool_]  # [boards]
    truncated: NDArray[np.bool_]  # [boards]


def make_out(boards: int, cells: int, planes: int) -> Out:
    """Returns buffers for a step; `planes` is 0 for views of one number a cell."""
    return Out(
        np.zeros((boards, max(planes, 1) * cells), np.uint8),
        np.zeros(boards),
        np.zeros(boards, np.bool_),
        np.zeros(boards, np.bool_),
    )


@part
def show(view, cells, cell, code):
    """Writes what is seen in a cell: its code, or where there is a plane for each code a 1 in that one."""
    if len(view) == cells:
        view[cell] = code
    else:
        view[code * cells + cell] = 1
