"""The pieces that levels are built of: slabs, walls, ladders with a footing, ropes with two ends.

Rows and columns are counted from the left upper corner of a part, ends are included, and what lies outside of
the part is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid
from levelsmith.games.loderunner.rules.rules import BRICK, EMPTY, LADDER, ROPE, SOLID, Cell

T = TypeVar("T")


class Misfit(Exception):  # noqa: N818 - it says what became of the drawing
    """A style has no room for what it wanted to draw."""


class Sketch:
    """A part of a level that is being drawn, with the cells where gold would be worth a trip."""

    def __init__(self, grid: Grid, dice: Random, half: bool = False):
        self.grid = grid  # [H, W], perhaps a window of a larger one
        self.dice = dice
        self.half = half  # the right edge is where the mirror image begins
        self.height, self.width = int(grid.shape[0]), int(grid.shape[1])
        self.prizes: list[Cell] = []  # of the whole level, by the cells of the whole
        self.corner = (0, 0)  # of the window

    def between(self, low: int, high: int) -> int:
        return low if high <= low else self.dice.randint(low, high)

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def pick(self, choices: Sequence[T]) -> T:
        return choices[int(self.dice.random() * len(choices))]

    def need(self, height: int, width: int) -> None:
        if self.height < height or self.width < width:
            raise Misfit

    def part(self, top: int, left: int, bottom: int, right: int, half: bool = False) -> Sketch:
        """Returns a window to draw another style in."""
        if not (0 <= top <= bottom < self.height and 0 <= left <= right < self.width):
            raise Misfit
        part = Sketch(self.grid[top : bottom + 1, left : right + 1], self.dice, half)
        part.prizes, part.corner = self.prizes, (self.corner[0] + top, self.corner[1] + left)
        return part

    def prize(self, row: int, column: int) -> None:
        """Gold would be worth a trip here."""
        self.prizes.append((self.corner[0] + row, self.corner[1] + column))

    def pocket(self, row: int, column: int) -> None:
        """Gold belongs here before all other places."""
        self.prizes.insert(0, (self.corner[0] + row, self.corner[1] + column))

    def inside(self, row: int, column: int) -> bool:
        return 0 <= row < self.height and 0 <= column < self.width

    def hard(self, row: int, column: int) -> bool:
        """Tells whether a cell carries a runner; below the part is ground."""
        return row >= self.height or bool(self.inside(row, column) and hard(self.grid[row, column]))

    def block(self, top: int, left: int, bottom: int, right: int, tile: int = BRICK) -> None:
        self.grid[max(top, 0) : max(bottom + 1, 0), max(left, 0) : max(right + 1, 0)] = tile

    def slab(self, row: int, left: int, right: int, thick: int = 1) -> None:
        self.block(row, left, row + thick - 1, right)

    def wall(self, column: int, top: int, bottom: int) -> None:
        self.block(top, column, bottom, column)

    def clear(self, top: int, left: int, bottom: int, right: int) -> None:
        self.block(top, left, bottom, right, EMPTY)

    def floor(self, thick: int = 1) -> None:
        self.slab(self.height - thick, 0, self.width - 1, thick)

    def frame(self, top: int, left: int, bottom: int, right: int) -> None:
        """The outline of a rectangle."""
        self.slab(top, left, right)
        self.slab(bottom, left, right)
        self.wall(left, top, bottom)
        self.wall(right, top, bottom)

    def ladder(self, column: int, top: int, bottom: int) -> None:
        self.block(top, column, bottom, column, LADDER)

    def climb(self, row: int, column: int) -> bool:
        """Returns a ladder from a slab's top through it and the air below, to the ground; not beside
        another one."""
        if not self.inside(row, column):
            return False
        end = row
        while self.inside(end, column) and self.hard(end, column):
            end += 1
        begin = end
        while self.inside(end, column) and not self.hard(end, column) and self.grid[end, column] != LADDER:
            end += 1
        beside = self.grid[row:end, max(column - 1, 0) : column + 2]
        if end == begin or (beside == LADDER).any():
            return False
        self.ladder(column, row, end - 1)
        return True

    def rope(self, row: int, left: int, right: int) -> None:
        """A rope through the cells of a row that are empty."""
        if not 0 <= row < self.height:
            return
        cells = self.grid[row, max(left, 0) : max(right + 1, 0)]
        cells[cells == EMPTY] = ROPE

    def bridge(self, row: int, left: int, right: int, posts: bool) -> None:
        """A rope between two slabs of one row, at the height of hands or between posts on their ends."""
        if right - left < 2 or row < 2:
            return
        if posts and row >= 3 and self.hard(row, left) and self.hard(row, right):
            self.ladder(left, row - 2, row - 1)
            self.ladder(right, row - 2, row - 1)
            self.rope(row - 2, left + 1, right - 1)
        else:
            self.rope(row - 1, left + 1, right - 1)

    def rows(self, step: int, top: int = 2) -> list[int]:
        """Returns the rows of slabs above the floor, from below: so many apart, here and there one more."""
        uneven = self.chance(0.5)
        found = []
        row = self.height - 1 - step
        while row >= top:
            found.append(row)
            row -= step + (uneven and self.chance(0.4))
        return found


def hard(grid: Grid) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (grid == BRICK) | (grid == SOLID)
    return found


def standing(grid: Grid) -> NDArray[np.bool_]:
    """Returns the cells that are empty and lie on brick or solid."""
    ground = np.ones_like(grid, bool)
    ground[:-1] = hard(grid)[1:]
    found: NDArray[np.bool_] = (grid == EMPTY) & ground
    return found


def surfaces(grid: Grid) -> list[list[Cell]]:
    """Standing cells side by side, as runs from the left; the lowest rows first."""
    found: list[list[Cell]] = []
    for row, column in sorted(np.argwhere(standing(grid)).tolist(), key=lambda cell: (-cell[0], cell[1])):
        if found and found[-1][-1] == (row, column - 1):
            found[-1].append((row, column))
        else:
            found.append([(row, column)])
    return found


def faults(grid: Grid) -> list[str]:
    """Returns what nobody would draw on purpose: ladders and ropes that hang in the air, bricks all alone."""
    found = []
    ground = np.pad(hard(grid), 1, constant_values=True)  # cell (r, c) is at (r + 1, c + 1)
    tiles = np.pad(grid, 1, constant_values=SOLID)
    ladder, rope = tiles == LADDER, tiles == ROPE
    for row, column in np.argwhere(ladder).tolist():
        if not ((ladder | ground)[row + 1, column] or ladder[row + 1, [column - 1, column + 1]].any()):
            found.append(f"a ladder without footing at row {row}, column {column}")
        if not ladder[row - 1, column]:
            near = slice(column - 1, column + 2)
            held = ground[row, near].any() or rope[row, near].any() or row <= 2
            if not held and not ladder[row - 1 : row + 1, [column - 1, column + 1]].any():
                found.append(f"a ladder to nowhere at row {row}, column {column}")
            if ground[row - 1, column] and row > 1:
                found.append(f"a ladder under a ceiling at row {row}, column {column}")
    for row, column in np.argwhere(rope).tolist():
        for side in (-1, 1):
            end = (row, column + side)
            if not (rope[end] or ladder[end] or ground[end] or ground[row + 1, column + side]):
                found.append(f"a loose rope at row {row}, column {column}")
    alone = ground[1:-1, 1:-1] & ~(
        ground[:-2, 1:-1] | ground[2:, 1:-1] | ground[1:-1, :-2] | ground[1:-1, 2:]
    )
    alone &= ~(ladder[1:-1, :-2] | ladder[1:-1, 2:])
    found += [f"a brick alone at row {r + 1}, column {c + 1}" for r, c in np.argwhere(alone).tolist()]
    return found
