"""What makes a level one of digging: rooms that only digging opens and leaves, and ladders that turn aside.

A room has a roof of brick that a runner can dig from above, walls, and a floor of brick with air below it, so
that he digs himself in and out. It is cut into a mass of brick, hung below a slab, or walled off between two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np

from levelsmith.core import Grid
from levelsmith.games.loderunner.construct.pieces import faults, hard, standing
from levelsmith.games.loderunner.judge.judge import judge, reached_cells
from levelsmith.games.loderunner.rules.rules import BRICK, EMPTY, GOLD, LADDER, ROPE, Cell

# The share of gold that takes a dig, from the lowest tenth of the original levels to the highest; and the
# places where ladders meet at a corner.
SHARES = (0.0, 0.0, 0.0, 0.15, 0.22, 0.31, 0.45, 0.57, 0.69, 0.91, 1.0)
JOINTS = (0, 0, 0, 0, 0, 0, 1, 1, 2, 11, 40)
WIDEST, HIGHEST = 8, 3  # cells of a room inside
DOUBLE = 0.2  # share of rooms below two layers of brick
GOLD_A_ROOM = 3  # that a room is meant for
LOSS = 0.08  # share of the cells that can be walked to that a room may cut off
TRIES = 60  # rooms or turns that are tried


@dataclass(frozen=True)
class Room:
    """A room by its walls, roof and floor, all of which are part of it."""

    top: int
    left: int
    bottom: int
    right: int
    roof: int = 1  # layers of brick above it

    @property
    def floor(self) -> list[Cell]:
        """The cells inside that lie on its floor."""
        return [(self.bottom - 1, column) for column in range(self.left + 1, self.right)]

    def mirrored(self, width: int) -> Room:
        """Returns the same room in the mirror image of a level so wide."""
        return replace(self, left=width - 1 - self.right, right=width - 1 - self.left)


def drawn_share(dice: Random, table: tuple[float, ...] = SHARES) -> float:
    """Returns a number that is spread as the table of tenths says."""
    place = dice.random() * (len(table) - 1)
    i = min(int(place), len(table) - 2)
    return table[i] + (place - i) * (table[i + 1] - table[i])


def rooms(grid: Grid, dice: Random, mirrored: bool, number: int) -> list[Cell]:
    """Adds rooms to a grid with a player, so many if there is room for them; returns the cells on their
    floors."""
    found: list[Cell] = []
    walked = _walked(grid)
    for room in _drawn(grid, dice, mirrored):
        if number <= 0:
            break
        if not (walked[room.top - 1, room.left + 1 : room.right].any() and _fits(grid, room)):
            continue
        tried = grid.copy()
        both = [room, room.mirrored(grid.shape[1])] if mirrored else [room]
        for each in both:
            _build(tried, each)
        if (tried == grid).all() or not all(_fits(grid, each) for each in both):
            continue
        cells = [cell for each in both for cell in each.floor]
        left = _walked(tried)
        inside = np.zeros(grid.shape, bool)
        inside[tuple(np.transpose(cells))] = True
        if (left & inside).any() or (walked & ~left & ~inside).sum() > LOSS * walked.sum():
            continue
        if len(faults(tried)) > len(faults(grid)):
            continue
        grid[:] = tried
        found += dict.fromkeys(cells)
        number -= 1
    return found


def _walked(grid: Grid) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Returns where one can stand after a walk without a dig."""
    found: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = standing(grid) & reached_cells(grid, "no-dig")
    return found


def _drawn(grid: Grid, dice: Random, mirrored: bool) -> list[Room]:
    """Returns rooms to try, with roofs where a runner may stand."""
    height, width = grid.shape
    last = (width // 2 if mirrored else width) - 1
    roofs = np.argwhere((grid[1:-3] == BRICK) & (grid[:-4] == EMPTY)).tolist()
    drawn = []
    for _ in range(TRIES * 6 if roofs else 0):
        row, column = dice.choice(roofs)
        roof = 2 if dice.random() < DOUBLE else 1
        high, wide = dice.randint(1, HIGHEST), dice.randint(2, WIDEST)
        left = column - dice.randint(1, wide)
        room = Room(row + 1, left, row + roof + high + 1, left + wide + 1, roof)
        if left >= 0 and room.right <= last and room.bottom < height - 1 and _fits(grid, room):
            drawn.append(room)
            if len(drawn) == TRIES:
                break
    return drawn


def _fits(grid: Grid, room: Room) -> bool:
    """Tells whether only air and brick is where a room shall be, and one can dig into and out of it."""
    cells = grid[room.top : room.bottom + 1, room.left : room.right + 1]
    if not ((cells == EMPTY) | (cells == BRICK)).all():
        return False
    inside = slice(room.left + 1, room.right)
    above, below = grid[room.top - 1, inside], grid[room.bottom + 1, inside]
    if not (grid[room.top, inside] == BRICK).all() or (above == LADDER).any():
        return False
    free = above == EMPTY
    enters = (free[1:] & free[:-1]).any()
    leaves = ((below == EMPTY) | (below == ROPE)).any()
    # no ladder ends below it, and nothing would hang in it or stand on what it takes away
    edges = grid[room.bottom + 1, room.left : room.right + 1]
    ends = ((edges == LADDER) & (cells[-1] == EMPTY)).any()
    return bool(enters and leaves and not ends)


def _build(grid: Grid, room: Room) -> None:
    grid[room.top : room.bottom + 1, room.left : room.right + 1] = BRICK
    grid[room.top + room.roof : room.bottom, room.left + 1 : room.right] = EMPTY


# ------------------------------------------------------------------------------------------------- ladders


def joints(grid: Grid) -> int:
    """Returns the squares of 2x2 cells with ladders in two opposite corners alone."""
    ladder = grid == LADDER
    a, b, c, d = ladder[:-1, :-1], ladder[:-1, 1:], ladder[1:, :-1], ladder[1:, 1:]
    return int(((a & d & ~b & ~c) | (b & c & ~a & ~d)).sum())


def turn_aside(grid: Grid, dice: Random, mirrored: bool, number: int) -> None:
    """Lets ladders of a grid with a player turn aside until so many meet at corners, as far as all that could
    be walked to still can."""
    before = reached_cells(grid, "no-dig") & ~hard(grid)
    width = grid.shape[1]
    for _ in range(TRIES):
        if joints(grid) >= number:
            return
        half = width // 2 if mirrored else width
        ladders = np.argwhere((grid[1:-1, :half] == LADDER) & (grid[2:, :half] == LADDER))
        if not len(ladders):
            return
        row, column = (int(each) for each in dice.choice(ladders))
        tried = grid.copy()
        side = dice.choice((-1, 1))
        if not _turned(tried, row + 1, column, side, half):
            continue
        if mirrored and not _turned(tried, row + 1, width - 1 - column, -side, width):
            continue
        reached = reached_cells(tried, "no-dig") | hard(tried)
        if (reached | (tried != grid))[before].all() and len(faults(tried)) <= len(faults(grid)):
            grid[:] = tried


def _turned(grid: Grid, row: int, column: int, side: int, width: int) -> bool:
    """Puts a ladder from a row upwards one cell aside; False where something is in the way."""
    there, beyond = column + side, column + 2 * side
    if not 0 <= there < width or grid[row, there] != EMPTY:
        return False
    top = row
    while top > 0 and grid[top - 1, column] == LADDER:
        top -= 1
    cells = grid[top : row + 1, there].copy()
    near = grid[
        top : row + 1, [max(0, min(column, there) - 1), min(grid.shape[1] - 1, max(column, there) + 1)]
    ]
    if not ((cells == EMPTY) | (cells == BRICK)).all() or (near == ROPE).any():
        return False
    if 0 <= beyond < grid.shape[1] and (grid[max(0, top - 1) : row + 2, beyond] == LADDER).any():
        return False
    if top > 0 and grid[top - 1, there] in (BRICK, LADDER):
        return False
    grid[top : row + 1, there] = LADDER
    grid[top : row + 1, column] = cells
    return True


# ---------------------------------------------------------------------------------------------------- gold


def dig_gold(grid: Grid) -> int:
    """Returns the gold that no walk without a dig collects."""
    return judge(grid, "relaxed").gold_collectable - judge(grid, "no-dig").gold_collectable


def without_too_much(grid: Grid, dice: Random, mirrored: bool, most: int, least: int) -> None:
    """Takes gold away that takes a dig, until at most so many pieces do; at least so many are left."""
    pieces = [(int(row), int(column)) for row, column in np.argwhere(grid == GOLD)]
    dice.shuffle(pieces)
    over = dig_gold(grid) - most
    for row, column in pieces:
        if over <= 0 or (grid == GOLD).sum() <= least:
            return
        pair = {(row, column), (row, grid.shape[1] - 1 - column)} if mirrored else {(row, column)}
        tried = grid.copy()
        for cell in pair:
            tried[cell] = EMPTY
        fewer = dig_gold(tried) - most
        if fewer < over:
            grid[:], over = tried, fewer
