"""Any Sokoban grid is measured, compiled as plainly: levels, and what lacks a player, a goal or a box."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith.games.sokoban import GAME
from levelsmith.games.sokoban.metrics.grids import measured
from levelsmith.games.sokoban.metrics.truth import EASY_STATES
from levelsmith.games.sokoban.rules.kernels.tiles import BOX, FLOOR, GOAL, PLAYER, WALL
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import metric


def grids(size, number, rng):
    """Random tiles of random shares, and of every third what is often a level."""
    for i in range(number):
        shares = rng.dirichlet(np.full(7, rng.choice([0.2, 1.0, 5.0])))
        grid = rng.choice(7, size, p=shares).astype(np.uint8)
        if i % 3 == 0:
            grid = rng.choice([FLOOR, FLOOR, FLOOR, WALL], size).astype(np.uint8)
            boxes = rng.integers(4)
            tiles = [PLAYER] + [BOX, GOAL] * boxes
            grid.flat[rng.permutation(grid.size)[: len(tiles)]] = tiles[: grid.size]
        yield grid


@kernel
def rows_of(game, boards, out):
    for i in range(len(boards)):
        for k in range(out.shape[1]):
            out[i, k] = metric(game, boards[i], k)


@pytest.mark.slow
def test_compiled_metrics_are_the_plain_ones():
    size = (8, 9)
    boards = np.array([*grids(size, 200, np.random.default_rng(1))])
    found = np.zeros((len(boards), len(GAME.metrics)))
    rows_of(GAME.compiled_grids(size), boards.reshape(len(boards), -1), found)
    plain = np.array([measured(GAME, EASY_STATES, board) for board in boards])
    assert np.array_equal(found, plain)
    columns = dict(zip(GAME.metrics, plain.T, strict=True))
    assert (columns["pushes"] > 0).sum() > 5
    assert (columns["boxes_between"] > 0).sum() > 50


@pytest.mark.usefixtures("without_numba")
@pytest.mark.parametrize("size", [(2, 2), (3, 4), (12, 13), (17, 16)])
def test_so_they_are_on_boards_of_other_sizes(size):
    game = GAME.compiled_grids(size)
    for board in grids(size, 6, np.random.default_rng(2)):
        plain = measured(GAME, EASY_STATES, board)
        assert [metric(game, board.ravel(), k) for k in range(len(plain))] == plain
