"""What the levels of an author teach about others of the same game: what stands how often, and where.

A level is changed thing by thing, as a designer would: a thing is moved, two cells are swapped, a cell gets
what stands elsewhere as often as the author has it, a patch is copied from another level. What is made has as
many players as some level of the author, of every other thing no fewer and no more than some level has, and
the same edge, with the corridors that lead through it. A thing that the author has in the same cells in all
levels of a size stays there. Where walls close the players in, they do so still, and what lies beyond stays.
How strange a level is, is told by the squares of 2x2 cells that no level of the author has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Mask
from levelsmith.core import Grid
from levelsmith.errors import unknown
from levelsmith.games.puzzlescript.alike import Crowd
from levelsmith.games.puzzlescript.bounds import Changes
from levelsmith.games.puzzlescript.cells import CellSets

NEAR = 2  # how far things are moved, mostly
OFTEN_NEAR = 0.6
OWN = 0.5  # how often a tile that is put is one that the level has already
PATCH = 3  # cells along a side of what is copied, at least
PATCHES = 3  # of the largest size that lie side by side in a level
MOST_CLOSED = 0.75  # of the levels that things must close the players in to be walls
SETTLED = 3  # levels at least that tell what is the same in all of them
MOSTLY = 0.5  # where so much of an edge is the same thing, such as wall, that stays
SCENERY = 0.2  # a thing in so large a share of the cells of levels may be there as often as it comes


class Taught:
    """The author's levels, and the changes of levels that they teach.

    Args:
        cells: the tiles of the game.
        grids: the author's levels.
        keep: things that stay where they are, by their names or by a name of the legend for several.
        counts: of which things there shall be so many cells, at least and at most; others as the author has.
        others: the levels to be unlike; by default the author's.
        edges: whether what the author has along edges alone may come to stand inside, such as walls.
    """

    def __init__(
        self,
        cells: CellSets,
        grids: Sequence[Grid],
        keep: Collection[str] = (),
        counts: Mapping[str, tuple[float, float]] | None = None,
        others: Sequence[Grid] | None = None,
        edges: bool = False,
    ):
        self.cells, self.grids = cells, grids
        self.writable = np.zeros(len(cells.tiles), np.bool_)
        self.writable[list(cells.characters)] = True
        self.others = Crowd(grids if others is None else others)
        self.kept = sum({1 << number for name in keep for number in _members(cells, name)})
        self.holds = np.array(
            [[found >> i & 1 for i in range(len(cells.names))] for found in cells.sets], np.int64
        )  # [tiles, objects]
        self.low, self.high = self._limits(counts or {})
        self.players = np.array([cells.is_player(found) for found in cells.sets])
        self.walls = self._walls()
        self.frame = [self._depth([np.rot90(grid, side) for grid in grids]) for side in range(4)]
        standing = self._standing()
        self.stands = np.array([found & standing for found in cells.sets], object)  # [tiles]
        self.insides = [self.inside(grid) for grid in grids]
        self.pools = [grid[inside] for grid, inside in zip(grids, self.insides, strict=True)]
        self.copied = [np.ones_like(inside) for inside in self.insides] if edges else self.insides
        self.squares = np.unique(np.concatenate([self._squares(grid) for grid in grids]))

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

    def _walls(self) -> Mask:
        """Returns the tiles with the things that close the players in, in most levels of the author, and that
        no rule moves or takes away: those that leave the most room; none where nothing does."""
        changes = Changes(self.cells.program.tables)
        single = [[i] for i, name in enumerate(self.cells.names) if name]
        named = [_members(self.cells, entry.name) for entry in self.cells.program.source.properties]
        players = [self.players[grid] for grid in self.grids]
        best, walls = sum(int(one.sum()) for one in players), np.zeros_like(self.players)
        for things in (*single, *named):
            fixed = [i for thing in things for i in changes.fixed(thing) if not self.cells.grounds >> i & 1]
            tiles: Mask = np.any(self.holds[:, fixed], axis=1)
            rooms = [room_of(one, tiles[grid]) for one, grid in zip(players, self.grids, strict=True)]
            found = [int(room.sum()) for room in rooms if room is not None]
            if len(found) >= MOST_CLOSED * len(rooms) and sum(found) > best:
                best, walls = sum(found), tiles
        return walls

    def _depth(self, grids: Sequence[Grid]) -> int:
        """Returns how many rows at the top of all levels are what the edge is made of, but for one cell each:
        corridors lead through them."""
        depths = []
        for grid in grids:
            edge = self._edge_tile(grid)
            others = [int((row != edge).sum()) > 1 for row in grid]
            depths.append(0 if edge is None else [*others, True].index(True))
        return min(depths) if len(depths) >= SETTLED else 0

    def _standing(self) -> int:
        """Returns the things that stand in the same cells in all levels of a size, where that says something;
        none where there would be too little else."""
        sizes = Counter(grid.shape for grid in self.grids)
        several = [grid for grid in self.grids if sizes[grid.shape] > 1]
        if len(several) < max(SETTLED, len(self.grids) / 2):
            return 0
        firsts = {grid.shape: self.holds[grid] for grid in reversed(several)}
        same = np.all([(self.holds[grid] == firsts[grid.shape]).all(axis=(0, 1)) for grid in several], axis=0)
        there = np.any([self.holds[grid].any(axis=(0, 1)) for grid in several], axis=0)
        things = [i for i in np.flatnonzero(there).tolist() if not self.cells.grounds >> i & 1]
        enough = sum(not same[i] for i in things) > 1
        return sum(1 << i for i in things if same[i] and enough)

    def is_closed(self, grid: Grid) -> bool:
        """Returns whether the players are closed in, where they are in most levels of the author."""
        return not self.walls.any() or room_of(self.players[grid], self.walls[grid]) is not None

    @property
    def choices(self) -> int:
        """How many kinds of cells of the levels have nothing in them that stays."""
        tiles = np.unique(np.concatenate(self.pools)).tolist()
        return sum(not self.cells.sets[tile] & self.kept for tile in tiles)

    def surplus(self, grid: Grid) -> float:
        """Returns how many cells have too much or too little, a gap in the walls as one."""
        there = self.holds[grid].sum(axis=(0, 1))
        cells = np.maximum(0, there - self.high).sum() + np.maximum(0, self.low - there).sum()
        return float(cells) + (not self.is_closed(grid))

    def is_fair(self, before: Grid, after: Grid) -> bool:
        """Returns whether a change leaves no more amiss than there was: nothing where nothing was."""
        typed: Mask = self.writable[after] | (after == before)
        return bool(typed.all()) and self.surplus(after) <= self.surplus(before)

    def free(self, grid: Grid) -> Mask:
        """Returns which cells of a level may change: not its edge, nor what is kept."""
        free = self.inside(grid)
        if self.kept:
            free &= ~np.array([bool(found & self.kept) for found in self.cells.sets])[grid]
        return free

    def inside(self, grid: Grid) -> Mask:
        """Returns all cells but the edge, the corridors through it, and what lies beyond walls that close the
        players in."""
        inside = self.board(grid)
        for side, depth in enumerate(self.frame):
            np.rot90(inside, side)[:depth] = False
        room = room_of(self.players[grid], self.walls[grid]) if self.walls.any() else None
        return inside if room is None else inside & _grown(room)

    def board(self, grid: Grid) -> Mask:
        """Returns all cells but the edge, where that is the same all around or mostly the same thing."""
        board = np.ones(grid.shape, np.bool_)
        if self._edge_tile(grid) is not None:
            board[[0, -1], :] = board[:, [0, -1]] = False
        return board

    def _edge_tile(self, grid: Grid) -> int | None:
        """Returns the tile that the edge of a level is made of; None for an edge that may change."""
        if min(grid.shape) <= 2:
            return None
        edge = np.concatenate([grid[0], grid[-1], grid[1:-1, 0], grid[1:-1, -1]])
        tiles, counts = np.unique(edge, return_counts=True)
        tile = int(tiles[counts.argmax()])
        share = MOSTLY if self.walls[tile] or self.cells.stops_players(self.cells.sets[tile]) else 1.0
        return tile if counts.max() >= share * counts.sum() else None

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
            tiles = self.pools[dice.randrange(len(self.pools))]
            if dice.random() < OWN or not len(tiles):
                tiles = grid[free]
            new[y, x] = tiles[dice.randrange(len(tiles))]
        else:
            self._copy(new, free, y, x, dice)
        if self.kept:
            new = np.where(self._keeps(grid) | self._keeps(new), grid, new)
        return np.where(self.stands[grid] == self.stands[new], new, grid)

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
        number = dice.randrange(len(self.grids))
        source, copied = self.grids[number], self.copied[number]
        most = max(PATCH, min(grid.shape) // PATCHES)
        height = min(dice.randint(1, most), source.shape[0], grid.shape[0] - y)
        width = min(dice.randint(1, most), source.shape[1], grid.shape[1] - x)
        top, left = dice.randint(0, source.shape[0] - height), dice.randint(0, source.shape[1] - width)
        place, patch = np.s_[y : y + height, x : x + width], np.s_[top : top + height, left : left + width]
        grid[place] = np.where(free[place] & copied[patch], source[patch], grid[place])

    def strange(self, grid: Grid) -> float:
        """Returns the share of the squares of 2x2 cells that no level of the author has."""
        found = self._squares(grid)
        return float((~np.isin(found, self.squares)).mean()) if len(found) else 0.0

    def _squares(self, grid: Grid) -> NDArray[np.int64]:
        """Returns a number for each square of 2x2 cells."""
        tiles = grid.astype(np.int64)
        left, right = tiles[:, :-1], tiles[:, 1:]
        rows = left * len(self.cells.tiles) + right
        return (rows[:-1] * len(self.cells.tiles) ** 2 + rows[1:]).ravel()

    def unlike(self, grid: Grid, cells: Mask | None = None) -> float:
        """Returns the share of the board, or of some cells of it, that differs from the nearest of the other
        levels of that size, turned or mirrored or not."""
        return self.others.nearest(grid, self.board(grid) if cells is None else cells)[0]


def room_of(players: Mask, walls: Mask) -> Mask | None:
    """Returns the cells that the players can reach past no wall; None where the edge is one of them."""
    height, width = players.shape
    shut, left = walls.tolist(), list(zip(*map(list, players.nonzero()), strict=True))
    room = players.copy()
    while left:
        y, x = left.pop()
        if y in (0, height - 1) or x in (0, width - 1):
            return None
        for down, right in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
            if not shut[down][right] and not room[down, right]:
                room[down, right] = True
                left.append((down, right))
    return room


def _grown(room: Mask) -> Mask:
    """Returns a room, which leaves the edge free, with the cells around it."""
    rows = room.copy()
    rows[1:] |= room[:-1]
    rows[:-1] |= room[1:]
    grown = rows.copy()
    grown[:, 1:] |= rows[:, :-1]
    grown[:, :-1] |= rows[:, 1:]
    return grown


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
