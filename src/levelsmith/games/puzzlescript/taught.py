"""What the levels of an author teach about others of the same game: what stands how often, and where.

A level is changed thing by thing, as a designer would: a thing is moved, two cells are swapped, a cell gets
what stands elsewhere as often as the author has it, a patch is copied from another level. What is made has as
many players as some level of the author, of every other thing no fewer and no more than some level has, and
the same cells along its edge.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Mask
from levelsmith.core import Grid
from levelsmith.errors import unknown
from levelsmith.games.puzzlescript.cells import CellSets

NEAR = 2  # how far things are moved, mostly
OFTEN_NEAR = 0.6
PATCH = 3  # cells along a side of what is copied
SCENERY = 0.2  # a thing in so large a share of the cells of levels may be there as often as it comes


class Taught:
    """The author's levels, and the changes of levels that they teach.

    Args:
        cells: the tiles of the game.
        grids: the author's levels.
        keep: things that stay where they are, by their names or by a name of the legend for several.
        counts: of which things there shall be so many cells, at least and at most; others as the author has.
        others: the levels to be unlike; by default the author's.
    """

    def __init__(
        self,
        cells: CellSets,
        grids: Sequence[Grid],
        keep: Collection[str] = (),
        counts: Mapping[str, tuple[float, float]] | None = None,
        others: Sequence[Grid] | None = None,
    ):
        self.cells, self.grids = cells, grids
        self.writable = np.zeros(len(cells.tiles), np.bool_)
        self.writable[list(cells.characters)] = True
        self.others = grids if others is None else others
        self.kept = sum({1 << number for name in keep for number in _members(cells, name)})
        self.holds = np.array(
            [[found >> i & 1 for i in range(len(cells.names))] for found in cells.sets], np.int64
        )  # [tiles, objects]
        self.low, self.high = self._limits(counts or {})
        self.pool = np.concatenate([grid[inside(grid)] for grid in grids])

    def _limits(
        self, counts: Mapping[str, tuple[float, float]]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns how many cells there are of each object, at least and at most."""
        there = np.array([self.holds[grid].sum(axis=(0, 1)) for grid in self.grids], np.float64)
        share = there.sum(axis=0) / sum(grid.size for grid in self.grids)
        low, high = there.min(axis=0), there.max(axis=0)
        ground = [bool(self.cells.grounds >> i & 1) for i in range(len(self.cells.names))]
        free = (share > SCENERY) | ground
        low[free], high[free] = 0, np.inf
        for name, (least, most) in counts.items():
            low[_number(self.cells, name)], high[_number(self.cells, name)] = least, most
        return low, high

    @property
    def choices(self) -> int:
        """How many kinds of cells of the levels have nothing in them that stays."""
        return sum(not self.cells.sets[tile] & self.kept for tile in np.unique(self.pool).tolist())

    def suits(self, grid: Grid) -> bool:
        """Returns whether a grid has of everything as much as it may, and characters for all cells."""
        if not self.writable[grid].all():
            return False
        there = self.holds[grid].sum(axis=(0, 1))
        return bool(((self.low <= there) & (there <= self.high)).all())

    def surplus(self, grid: Grid) -> float:
        """Returns how many cells have too much or too little."""
        there = self.holds[grid].sum(axis=(0, 1))
        return float(np.maximum(0, there - self.high).sum() + np.maximum(0, self.low - there).sum())

    def free(self, grid: Grid) -> Mask:
        """Returns which cells of a level may change: not an edge that is the same all around."""
        free = inside(grid)
        if self.kept:
            free &= ~np.array([bool(found & self.kept) for found in self.cells.sets])[grid]
        return free

    def changed(self, grid: Grid, free: Mask, dice: Random) -> Grid:
        """Returns a copy with a few of its free cells changed; now and then none."""
        places = np.argwhere(free).tolist()
        if not places:
            return grid
        new, kind = grid.copy(), dice.random()
        y, x = dice.choice(places)
        if kind < 0.4:
            self._move(new, (y, x), self._other(places, y, x, dice), dice)
        elif kind < 0.6:
            other = tuple(self._other(places, y, x, dice))
            new[y, x], new[other] = grid[other], grid[y, x]
        elif kind < 0.85:
            new[y, x] = self.pool[dice.randrange(len(self.pool))]
        else:
            self._copy(new, free, y, x, dice)
        if self.kept:
            new = np.where(self._keeps(grid) | self._keeps(new), grid, new)
        return new

    def _keeps(self, grid: Grid) -> Mask:
        return np.array([bool(found & self.kept) for found in self.cells.sets])[grid]

    @staticmethod
    def _other(places: list[list[int]], y: int, x: int, dice: Random) -> list[int]:
        """Returns another place, mostly one near by."""
        if dice.random() < OFTEN_NEAR:
            near = [at for at in places if abs(at[0] - y) <= NEAR and abs(at[1] - x) <= NEAR]
            return dice.choice(near)
        return dice.choice(places)

    def _move(self, grid: Grid, start: tuple[int, int], end: Sequence[int], dice: Random) -> None:
        """Moves a thing to a cell, and what of its layer is there back, where both cells are tiles then."""
        cells, goal = self.cells, (end[0], end[1])
        here, there = cells.sets[grid[start]], cells.sets[grid[goal]]
        things = cells.objects(here & ~cells.grounds)
        if not things or start == goal:
            return
        thing = 1 << dice.choice(things)
        layer = cells.layer(thing)
        after = here & ~thing | there & layer, there & ~layer | thing
        left, come = (cells.index.get(found) for found in after)
        if left is not None and come is not None:
            grid[start], grid[goal] = left, come

    def _copy(self, grid: Grid, free: Mask, y: int, x: int, dice: Random) -> None:
        """Copies a patch of another level to a place."""
        source = dice.choice(self.grids)
        height = min(dice.randint(1, PATCH), source.shape[0], grid.shape[0] - y)
        width = min(dice.randint(1, PATCH), source.shape[1], grid.shape[1] - x)
        top, left = dice.randint(0, source.shape[0] - height), dice.randint(0, source.shape[1] - width)
        place = np.s_[y : y + height, x : x + width]
        grid[place] = np.where(free[place], source[top : top + height, left : left + width], grid[place])

    def unlike(self, grid: Grid) -> float:
        """Returns the share of the cells, the edge aside, that differ from the nearest of the other levels
        of that size, in a mirror or not."""
        changing = inside(grid)
        if not changing.any():
            return 1.0
        same = [other for other in self.others if other.shape == grid.shape]
        images = [image for one in same for image in (one, one[:, ::-1], one[::-1])]
        return min((float((image != grid)[changing].mean()) for image in images), default=1.0)


def inside(grid: Grid) -> Mask:
    """Returns all cells but an edge that is the same all around."""
    edge = np.zeros(grid.shape, np.bool_)
    if min(grid.shape) > 2:
        edge[[0, -1], :] = edge[:, [0, -1]] = True
        edge &= len(np.unique(grid[edge])) == 1
    return ~edge


def _members(cells: CellSets, name: str) -> list[int]:
    """Returns the numbers of the objects that a name stands for: its own, or those of the legend."""
    source = cells.program.source
    called = {entry.name for entry in (*source.synonyms, *source.properties, *source.aggregates)}
    _, members = source.members(name.lower())
    if not members:
        raise unknown("object", name, [*(one for one in cells.names if one), *sorted(called)])
    return [cells.names.index(one) for one in members if one in cells.names]


def _number(cells: CellSets, name: str) -> int:
    """Returns the number of an object by its name."""
    names = [one for one in cells.names if one]
    if name.lower() not in names:
        raise unknown("object", name, names)
    return cells.names.index(name.lower())
