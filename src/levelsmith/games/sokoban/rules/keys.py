"""Numbers of Sokoban levels: alike are those that turning, mirroring, moving or walking about makes equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid
from levelsmith.games.sokoban.rules.kernels import replay
from levelsmith.games.sokoban.rules.kernels.tiles import BOX_ON_GOAL, FLOOR, PLAYER, PLAYER_ON_GOAL, WALL


def canonical_keys(grids: Grid) -> NDArray[np.uint64]:
    """Returns a number for each level. grids: `[N, H, W]`

    What the player can never get to does not count, nor do walls around the level or where it lies in the
    grid.
    """
    grids = np.pad(grids, ((0, 0), (1, 1), (1, 1)), constant_values=WALL)
    grids = np.where(~_in_reach(grids) & np.isin(grids, (FLOOR, BOX_ON_GOAL)), WALL, grids).astype(np.uint8)
    keys = np.zeros(len(grids), np.uint64)
    spans = np.stack([*_span((grids != WALL).any(2)), *_span((grids != WALL).any(1))], 1)
    shapes, which = np.unique(spans[:, 1::2] - spans[:, ::2], axis=0, return_inverse=True)
    for shape, (height, width) in enumerate(shapes.tolist()):
        places = np.flatnonzero(which.ravel() == shape)
        cut = [
            grids[i, top : top + height, left : left + width]
            for i, top, left in zip(
                places.tolist(), spans[places, 0].tolist(), spans[places, 2].tolist(), strict=True
            )
        ]
        cells = height * width
        found = np.zeros(len(places), np.uint64)
        replay.number_levels(
            np.ascontiguousarray(cut).reshape(len(places), cells),
            height,
            np.zeros((2, cells), np.int64),
            found,
        )
        keys[places] = found
    return keys


def _in_reach(grids: Grid) -> NDArray[np.bool_]:
    """Returns the cells that the player could walk to if boxes were no obstacle; all, where there is none.

    The edge of each grid must be wall.
    """
    ground = grids != WALL
    reach = np.isin(grids, (PLAYER, PLAYER_ON_GOAL))
    reach |= ground & ~reach.any((1, 2), keepdims=True)
    while True:
        more = reach.copy()
        more[:, 1:] |= reach[:, :-1]
        more[:, :-1] |= reach[:, 1:]
        more[:, :, 1:] |= reach[:, :, :-1]
        more[:, :, :-1] |= reach[:, :, 1:]
        more &= ground
        if np.array_equal(more, reach):
            return reach
        reach = more


def _span(filled: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns where the filled rows of each level begin and end, with a row around them; all where none is.

    filled: `[N, rows]`, the first and the last of them not.
    """
    first = np.where(filled.any(1), filled.argmax(1), 1) - 1
    last = filled.shape[1] - np.where(filled.any(1), filled[:, ::-1].argmax(1), 1) + 1
    return first, last
