"""The compiled part of CompiledOrchard: two metrics on a board of bits, a bit set for each tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.bits import both, count, down, either, fetch, from_members, pack_masks, up
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import implement, metric

if TYPE_CHECKING:
    from levelsmith.core import Grid, Size


class CompiledOrchard(NamedTuple):
    width: int
    not_left: tuple  # words: every cell but those of the first column
    not_right: tuple  # words: every cell but those of the last column


def make(size: Size) -> CompiledOrchard:
    height, width = size
    cells = np.arange(height * width)
    return CompiledOrchard(
        width,
        from_members(cells[cells % width != 0], cells.size),
        from_members(cells[cells % width != width - 1], cells.size),
    )


@part
def beside(game, trees):
    """Returns the cells with a tree above, below, left or right of them."""
    sideways = either(up(both(trees, game.not_right), 1), down(both(trees, game.not_left), 1))
    return either(sideways, either(up(trees, game.width), down(trees, game.width)))


@implement(metric, CompiledOrchard)
def orchard_metric(game, cells, k):
    if k == 0:
        return float(count(cells))
    return float(count(both(cells, beside(game, cells))))


@kernel
def _measure(game, rows, out):
    for i in range(len(rows)):
        cells = fetch(game.not_left, rows[i], 0)
        for k in range(2):
            out[i, k] = metric(game, cells, k)


def measure(grids: Grid) -> NDArray[np.float64]:
    """Returns both metrics of each grid. grids: `[B, H, W]` -> `[B, 2]`"""
    batch, height, width = grids.shape
    out = np.zeros((batch, 2))
    _measure(make((height, width)), pack_masks(grids.reshape(batch, -1)), out)
    return out
