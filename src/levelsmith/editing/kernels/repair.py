"""The compiled part of a repair: what each of many changes of one cell would make of a board."""

from __future__ import annotations

from levelsmith.kernels.boards import fetch_board, with_tile
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.score import score


@kernel
def try_changes(like, game, objective, packed, cells, tiles, scores):
    """Writes scores of a packed board with a tile put into a cell: cells, tiles and scores `[changes]`."""
    for i in range(len(cells)):
        scores[i] = score(game, objective, with_tile(fetch_board(like, packed), cells[i], tiles[i]))
