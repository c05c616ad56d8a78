"""Small changes of a Sokoban level: a box, goal, player or wall is moved, a wall put or taken away."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid
from levelsmith.games.sokoban.rules.kernels.tiles import (
    BOX,
    BOX_ON_GOAL,
    FLOOR,
    GOAL,
    PLAYER,
    PLAYER_ON_GOAL,
    WALL,
)

NEAR = 2  # how far something is moved, mostly
ALONE = {GOAL: FLOOR, BOX_ON_GOAL: BOX, PLAYER_ON_GOAL: PLAYER}  # a tile without its goal
WITH_GOAL = {without: tile for tile, without in ALONE.items()}
TOOK = {BOX: FLOOR, BOX_ON_GOAL: GOAL, PLAYER: FLOOR, PLAYER_ON_GOAL: GOAL}  # a tile without who is on it


def nudged(grid: Grid, free: NDArray[np.bool_], rng: np.random.Generator) -> Grid:
    """Returns a copy with one or two of its free cells changed; now and then none."""
    changed = grid.copy()
    kind = rng.random()
    if kind < 0.3:
        _move(changed, free, (BOX, BOX_ON_GOAL), (FLOOR, GOAL), rng)
    elif kind < 0.55:
        _move(changed, free, tuple(ALONE), (FLOOR, BOX, PLAYER), rng, goal=True)
    elif kind < 0.65:
        _move(changed, free, (PLAYER, PLAYER_ON_GOAL), (FLOOR, GOAL), rng)
    elif kind < 0.85:
        _move(changed, free, (WALL,), (FLOOR,), rng)
    else:
        cell = _picked(free & np.isin(grid, (WALL, FLOOR)), rng)
        if cell is not None:
            changed[cell] = FLOOR if grid[cell] == WALL else WALL
    return changed


def _move(
    grid: Grid,
    free: NDArray[np.bool_],
    what: tuple[int, ...],
    onto: tuple[int, ...],
    rng: np.random.Generator,
    goal: bool = False,
) -> None:
    """Moves one thing, or the goal below it, to another cell, mostly near by."""
    cell = _picked(free & np.isin(grid, what), rng)
    if cell is None:
        return
    places = free & np.isin(grid, onto)
    if rng.random() < 0.7:
        near = np.zeros_like(places)
        near[max(0, cell[0] - NEAR) : cell[0] + NEAR + 1, max(0, cell[1] - NEAR) : cell[1] + NEAR + 1] = True
        places &= near
    other = _picked(places, rng)
    if other is None:
        return
    tile, below = int(grid[cell]), int(grid[other])
    if goal:
        grid[cell], grid[other] = ALONE[tile], WITH_GOAL[below]
    elif tile == WALL:
        grid[cell], grid[other] = FLOOR, WALL
    else:
        thing = ALONE.get(tile, tile)
        grid[cell], grid[other] = TOOK[tile], WITH_GOAL[thing] if below == GOAL else thing


def _picked(places: NDArray[np.bool_], rng: np.random.Generator) -> tuple[int, int] | None:
    cells = np.argwhere(places)
    if not len(cells):
        return None
    row, column = cells[rng.integers(len(cells))]
    return int(row), int(column)
