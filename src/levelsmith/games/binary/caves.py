"""The maker `caves`: chambers joined by a maze, worn smooth, with an entry and an exit far apart.

A maze over a coarse grid of chambers says where rock stands between two of them. Cells are drawn from that,
and then each becomes what most of the nine cells around it are, a few times over (cellular automata, as in
Johnson, Yannakakis and Togelius, "Cellular automata for real-time generation of infinite cave levels", 2010).
The largest region stays, and two openings are cut into the solid border where the way between them is long.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import sqrt
from random import Random
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level, Parameter, Parameters, Size
from levelsmith.errors import LevelsmithError, option
from levelsmith.games.binary.cells import Cells, way
from levelsmith.games.drawn import Drawer

SMALLEST: Size = (6, 6)  # less is no cave
AUTOMATIC = 0
CHAMBERS = (4, 7)  # cells across, on small maps and on large ones
ROCK_IN_CHAMBER, ROCK_BETWEEN, ROCK_AT_DOOR = 0.2, 0.95, 0.3  # chances
WEARING = 2  # times that the walls are worn
DEEPEST = 3  # cells of rock that an opening may go through
WAY_PER_SIDE, WAY_SHARE = 1.1, 0.18  # of height + width; of the cells inside, for small maps
OPEN_SHARE = 0.3  # of the cells inside, at least
APART = 0.3  # of height + width, that the openings lie apart as the crow flies
SHORTEST = 0.5  # of height + width, that the way has where the chambers are of the asker's choice
# What caves are like, so that a search is asked for others: at most so much of height + width and of the
# cells inside; shares of the cells inside; shares of all neighbours.
LONGEST, LONGEST_SHARE, OPEN, SMOOTH = 1.7, 0.25, (0.35, 0.65), (0.75, 0.92)

SIDES = ((0, 1), (1, 0), (1, 2), (2, 1))

Place = tuple[int, int]
Door = frozenset[Place]  # between two chambers


def long_enough(size: Size, chamber: int = AUTOMATIC) -> int:
    """Returns the steps that the way through a cave has at least."""
    height, width = size
    if chamber != AUTOMATIC:
        return round(SHORTEST * (height + width))
    return round(min(WAY_PER_SIDE * (height + width), WAY_SHARE * (height - 2) * (width - 2)))


def draw(size: Size, dice: Random, chamber: int = AUTOMATIC, loops: float = 0.1) -> NDArray[np.uint8] | None:
    """Returns a cave; None where too little of it hangs together or the way through it is short."""
    cells = Cells(size)
    empty = cells.empty(_worn(_rock(size, dice, chamber, loops)).astype(np.uint8))
    largest = max(cells.regions(empty), key=int.bit_count, default=0)
    if largest.bit_count() < OPEN_SHARE * (size[0] - 2) * (size[1] - 2):
        return None
    opened = _opened(cells, largest)
    grid = None if opened is None else cells.grid(opened)
    return None if grid is None or way(grid) < long_enough(size, chamber) else grid


def _maze(rows: int, columns: int, dice: Random, loops: float) -> set[Door]:
    """Returns the doors of a maze in which one way leads from each chamber to each other, and of a few
    more."""
    at = (dice.randrange(rows), dice.randrange(columns))
    seen, walk, doors = {at}, [at], set()
    while walk:
        fresh = [place for place in _beside(walk[-1], rows, columns) if place not in seen]
        if not fresh:
            walk.pop()
            continue
        place = dice.choice(fresh)
        doors.add(frozenset((walk[-1], place)))
        seen.add(place)
        walk.append(place)
    every = [(row, column) for row in range(rows) for column in range(columns)]
    for place in every:
        for other in _beside(place, rows, columns):
            if other > place and dice.random() < loops:
                doors.add(frozenset((place, other)))
    return doors


def _beside(place: Place, rows: int, columns: int) -> Iterator[Place]:
    row, column = place
    for there in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
        if 0 <= there[0] < rows and 0 <= there[1] < columns:
            yield there


def _rock(size: Size, dice: Random, chamber: int, loops: float) -> NDArray[np.bool_]:
    """Rock by chance: much between chambers, little in them, none on the straight way through a door."""
    height, width = size
    side = chamber or min(max(round(sqrt(min(size))), CHAMBERS[0]), CHAMBERS[1])
    rows, columns = (max(1, round((length - 2) / side)) for length in size)
    tops = [1 + round(i * (height - 2) / rows) for i in range(rows + 1)]
    lefts = [1 + round(i * (width - 2) / columns) for i in range(columns + 1)]
    doors = _maze(rows, columns, dice, loops)
    chance = np.ones(size)
    chance[1:-1, 1:-1] = ROCK_IN_CHAMBER

    def stack(at: NDArray[np.float64], door: bool) -> None:
        """Two cells of rock across a seam; `at` is a line of cells through it, the seam in the middle."""
        wobble = dice.choice((-1, 0, 0, 1)) if side > CHAMBERS[0] else 0
        middle = len(at) // 2 + wobble
        at[middle - 1 : middle + 1] = (
            np.maximum(at[middle - 1 : middle + 1], ROCK_AT_DOOR) if door else ROCK_BETWEEN
        )

    for row in range(rows):
        for column in range(columns):
            place, below, right = (row, column), (row + 1, column), (row, column + 1)
            if row + 1 < rows:
                for x in range(max(1, lefts[column] - 1), min(width - 1, lefts[column + 1] + 1)):
                    seam = tops[row + 1]
                    stack(chance[seam - 2 : seam + 2, x], frozenset((place, below)) in doors)
            if column + 1 < columns:
                for y in range(max(1, tops[row] - 1), min(height - 1, tops[row + 1] + 1)):
                    seam = lefts[column + 1]
                    stack(chance[y, seam - 2 : seam + 2], frozenset((place, right)) in doors)
    rock = np.array([dice.random() for _ in range(height * width)]).reshape(size) < chance
    for door in doors:
        (a, b), (c, d) = sorted(door)
        from_y, to_y = ((tops[i] + tops[i + 1]) // 2 for i in (a, c))
        from_x, to_x = ((lefts[i] + lefts[i + 1]) // 2 for i in (b, d))
        rock[from_y : to_y + 1, from_x : to_x + 1] = False
    return rock


def _worn(rock: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Returns the walls when each cell has become what most of the nine around it are; the border stays
    solid."""
    height, width = rock.shape
    for _ in range(WEARING):
        wide = np.pad(rock, 1, constant_values=True).astype(np.int8)
        around = sum(wide[i : i + height, j : j + width] for i in range(3) for j in range(3))
        rock = np.asarray(around >= 5)
        rock[[0, -1]] = True
        rock[:, [0, -1]] = True
    inside = np.s_[1:-1, 1:-1]
    beside = sum(rock.astype(np.int8)[i : height + i - 2, j : width + j - 2] for i, j in SIDES)
    rock[inside] = (rock[inside] & (beside >= 2)) | (beside >= 3)  # without bumps and nooks of one cell
    return rock


def _opened(cells: Cells, cave: int) -> int | None:
    """Returns the cave with two openings to the outside, as far apart as a few sweeps find them."""
    ways = dict(_tunnels(cells, cave))  # cell of the cave -> what to dig from there to the outside
    if not ways:
        return None
    ends = 0
    for cell in ways:
        ends |= cell
    here = next(iter(ways))
    for _ in range(3):
        here, there = _farthest(cells, cave, here, ends), here
    (a, b), (c, d) = cells.place(here), cells.place(there)
    if abs(a - c) + abs(b - d) < APART * (cells.height + cells.width):
        return None
    return cave | ways[here] | ways[there]


def _farthest(cells: Cells, cave: int, start: int, ends: int) -> int:
    last = start
    for ring in cells.rings(start, cave):
        if ring & ends:
            last = ring & ends
    return last & -last


def _tunnels(cells: Cells, cave: int) -> Iterator[tuple[int, int]]:
    """Straight ways in from the border: the cell of the cave that each comes to, and the rock to be dug."""
    for row, column in cells.border():
        down = 1 if row == 0 else -1 if row == cells.height - 1 else 0
        right = 0 if down else 1 if column == 0 else -1
        dug = 0
        for step in range(DEEPEST + 1):
            y, x = row + step * down, column + step * right
            if not (0 <= y < cells.height and 0 <= x < cells.width):
                break
            bit = cells.bit(y, x)
            if cave & bit:
                yield bit, dug
                break
            dug |= bit


class Caves(Drawer):
    game = "binary"
    summary = "caves with a solid border, an entry and an exit far apart, and smooth walls"
    parameters: ClassVar[Parameters] = (
        Parameter("chamber", AUTOMATIC, "cells across a chamber; 0 to suit the size", low=0, high=64),
        Parameter(
            "loops", 0.1, "share of the walls between chambers that get a door besides", low=0.0, high=1.0
        ),
    )
    batches = False
    default_size: ClassVar[Size] = (14, 20)

    def candidate(self, dice: Random) -> Level | None:
        grid = draw(self.size, dice, self.values["chamber"], self.values["loops"])
        if grid is None:
            return None
        level = Level(self.of.name, self.of.tiles, grid)
        return level if self.meets(level) else None

    @staticmethod
    def serves(size: Size, wants: Collection[Any]) -> bool:
        """Tells whether caves have such a size, and often enough lie in the ranges (`making.wants.Want`).

        Refuses a way through that no cave has.
        """
        if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
            return False
        sides, inside = size[0] + size[1], (size[0] - 2) * (size[1] - 2)
        longest = max(0.6 * sides, min(LONGEST * sides, LONGEST_SHARE * inside))
        path = (SHORTEST * sides, longest)
        for want in wants:
            if want.metric == "way" and want.low > longest:
                raise LevelsmithError(
                    f"expected a way of at most {longest:.0f} on {size[1]}x{size[0]}, got {want.low:g}; "
                    f"ask for a larger {option('size')}"
                )
        usual = {
            "empty": (OPEN[0] * inside, OPEN[1] * inside),
            "path": path,
            "way": path,
            "regions": (1, 1),
            "openings": (2, 2),
            "smoothness": SMOOTH,
        }
        return all(want.low <= usual[want.metric][1] and want.high >= usual[want.metric][0] for want in wants)
