"""What is wrong with a Sokoban level, in numbers, and the small changes that might mend it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Effort, Grid, Level
from levelsmith.games.sokoban.edits.nudges import ALONE, TOOK, WITH_GOAL
from levelsmith.games.sokoban.metrics.board import filled
from levelsmith.games.sokoban.metrics.solution import goal_distance
from levelsmith.games.sokoban.rules.kernels.tiles import (
    BOX,
    BOX_ON_GOAL,
    FLOOR,
    GOAL,
    PLAYER,
    PLAYER_ON_GOAL,
    WALL,
)
from levelsmith.games.sokoban.rules.rules import STEPS, Cell, SokobanBoard, cells_of, reachable

BOXES, GOALS, PLAYERS = (BOX, BOX_ON_GOAL), (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL), (PLAYER, PLAYER_ON_GOAL)
FEWEST = 2  # boxes of a level that is furnished
NEAR = 2  # how far a box or a goal is moved
STATES = 100_000  # that the solver may look at to say that locked cells are hopeless


def counts(grid: Grid) -> tuple[int, int, int]:
    """Boxes, goals and players."""
    boxes, goals, players = (int(np.isin(grid, tiles).sum()) for tiles in (BOXES, GOALS, PLAYERS))
    return boxes, goals, players


def trouble(grid: Grid) -> float:
    """Returns how far a grid is from a level whose boxes could all get home alone; 0 is worth a solver's
    time."""
    boxes, goals, players = counts(grid)
    found = abs(players - 1) + abs(boxes - goals) + (boxes == 0)
    if found:
        return 10.0 * found
    board = SokobanBoard(grid)
    room = reachable(board)
    last_row, last_column = board.height - 1, board.width - 1
    gaps = sum(row in (0, last_row) or column in (0, last_column) for row, column in room)
    distance = goal_distance(board)
    stuck = sum(box not in distance for box in board.start.boxes)
    shut = sum(cell not in room for cell in board.start.boxes | board.goals)
    return gaps + 0.1 * (stuck + shut)


def mendings(grid: Grid, free: NDArray[np.bool_]) -> Iterator[Grid]:
    """Copies with one cell changed, or with one thing moved."""
    boxes, goals, players = counts(grid)
    for cell in zip(*(index.tolist() for index in free.nonzero()), strict=True):
        for tile in _tiles(int(grid[cell]), boxes, goals, players):
            yield _with(grid, {cell: tile})
    if boxes == goals and players == 1:
        yield from _moved(grid, free)


def _tiles(tile: int, boxes: int, goals: int, players: int) -> Iterator[int]:
    """Yields what may be put where a tile is; only what the counts want more of is put."""
    if tile == WALL:
        yield FLOOR
        return
    if tile == FLOOR:
        yield WALL
    thing = tile not in (FLOOR, GOAL)
    if goals < boxes and tile in WITH_GOAL:
        yield WITH_GOAL[tile]
    if not thing and boxes < goals:
        yield BOX_ON_GOAL if tile == GOAL else BOX
    if not thing and players == 0:
        yield PLAYER_ON_GOAL if tile == GOAL else PLAYER
    if (tile in BOXES and boxes > goals) or (tile in PLAYERS and players > 1):
        yield TOOK[tile]
    if tile in ALONE and goals > boxes:
        yield ALONE[tile]


def _moved(grid: Grid, free: NDArray[np.bool_]) -> Iterator[Grid]:
    """Copies with a box, a goal or the player elsewhere."""
    places = [cell for cell in sorted(cells_of(grid, FLOOR, GOAL)) if free[cell]]
    for cell in sorted(cells_of(grid, BOX, BOX_ON_GOAL, PLAYER, PLAYER_ON_GOAL)):
        tile = int(grid[cell])
        thing = ALONE.get(tile, tile)
        for there in places:
            if free[cell] and (thing == PLAYER or _near(cell, there)):
                onto = WITH_GOAL[thing] if grid[there] == GOAL else thing
                yield _with(grid, {cell: TOOK[tile], there: onto})
    for cell in sorted(cells_of(grid, *GOALS)):
        for there in sorted(cells_of(grid, FLOOR, BOX, PLAYER)):
            if free[cell] and free[there] and _near(cell, there):
                yield _with(grid, {cell: ALONE[int(grid[cell])], there: WITH_GOAL[int(grid[there])]})


def _near(cell: Cell, there: Cell) -> bool:
    return max(abs(cell[0] - there[0]), abs(cell[1] - there[1])) <= NEAR


def _with(grid: Grid, tiles: dict[Cell, int]) -> Grid:
    grid = grid.copy()
    for cell, tile in tiles.items():
        grid[cell] = tile
    return grid


def furnished(grid: Grid, free: NDArray[np.bool_], rng: np.random.Generator) -> Grid | None:
    """Returns a copy with a player, and as many boxes as goals, at least `FEWEST`, put into free cells at
    random.

    What is free at the edge, or beside what lies outside, becomes wall; None where there is too little room.
    """
    closed = filled(np.where(free, WALL, grid).astype(np.uint8))
    outside = np.pad((closed == WALL) & (grid != WALL) & ~free, 1, constant_values=True)
    beside = np.lib.stride_tricks.sliding_window_view(outside, (3, 3)).any((2, 3))
    grid = grid.copy()
    grid[beside & free] = WALL
    boxes, goals, players = counts(grid)
    wanted = max(boxes, goals, FEWEST)
    missing = [PLAYER] * (players == 0) + [GOAL] * (wanted - goals) + [BOX] * (wanted - boxes)
    places = np.argwhere(free & (grid == FLOOR))
    if players > 1 or len(places) < len(missing):
        return None
    for (row, column), tile in zip(rng.permutation(places), missing, strict=False):
        grid[row, column] = tile
    return grid


def sealed(grid: Grid, free: NDArray[np.bool_]) -> Grid:
    """Returns a copy in which free floor that the player can never get to is wall."""
    room = np.zeros(grid.shape, np.bool_)
    room[tuple(zip(*reachable(SokobanBoard(grid)), strict=True))] = True
    return np.where(free & (grid == FLOOR) & ~room, WALL, grid).astype(np.uint8)


def hopeless(level: Level, free: NDArray[np.bool_]) -> str | None:
    """Tells why no level can be made of the cells that must stay; what may change is taken as floor.

    Taking walls away never makes a level unsolvable.
    """
    kept = np.where(free, FLOOR, level.grid).astype(np.uint8)
    boxes, goals, players = counts(kept)
    if players > 1:
        return f"{players} locked cells are the player; unlock all but one"
    spare = int(free.sum())
    if players == 0 and spare == 0:
        return "no cell is left for the player; unlock one"
    if abs(boxes - goals) > spare - (players == 0):
        return f"{boxes} boxes and {goals} goals are locked, and too few cells are left for the others"
    height, width = kept.shape
    for row, column in sorted(cells_of(kept, BOX)):
        wall = {
            move: not (0 <= row + down < height and 0 <= column + right < width)
            or kept[row + down, column + right] == WALL
            for move, (down, right) in STEPS.items()
        }
        if (wall["u"] or wall["d"]) and (wall["l"] or wall["r"]):
            return f"the locked box at {column},{row} is in a corner of locked walls; unlock one of them"
    if players == 1 and boxes == goals > 0:
        from levelsmith.games.sokoban.solver.solve import solve

        walled = Level(level.game, level.tiles, np.pad(kept, 1, constant_values=WALL))
        if solve(walled, Effort(states=STATES, seconds=None)).status == "unsolvable":
            return "the locked cells alone make it unsolvable, whatever the others are; unlock some"
    return None
