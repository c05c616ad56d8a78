"""The maker `caves`, plainly: rock by chance, worn by counting, openings by sets of cells."""

from math import sqrt

import numpy as np

from levelsmith.games.binary.caves import APART, CHAMBERS, OPEN_SHARE, long_enough
from levelsmith.games.binary.cells import EMPTY, WALL, Cells, way

ROCK_IN_CHAMBER, ROCK_BETWEEN, ROCK_AT_DOOR = 0.2, 0.95, 0.3  # chances
WEARING = 2  # times that the walls are worn
DEEPEST = 3  # cells of rock that an opening may go through
SIDES = ((0, 1), (1, 0), (1, 2), (2, 1))


class Sets(Cells):
    """Sets of cells, taken apart and put together."""

    def place(self, bit):
        """Returns the row and the column of a cell."""
        row, column = divmod(bit.bit_length() - 1, self.stride)
        return row, column

    def grid(self, empty):
        """Returns a map with these cells empty."""
        total = self.height * self.stride
        data = np.frombuffer(empty.to_bytes(-(-total // 8), "little"), np.uint8)
        bits = np.unpackbits(data, bitorder="little", count=total)
        return np.where(bits.reshape(self.height, self.stride)[:, : self.width], EMPTY, WALL).astype(np.uint8)

    def regions(self, cells):
        """Yields the connected regions of a set."""
        while cells:
            region = 0
            for ring in self.rings(cells & -cells, cells):
                region |= ring
            yield region
            cells &= ~region

    def border(self):
        """Returns the places along the four edges, without the corners."""
        rows, columns = range(1, self.height - 1), range(1, self.width - 1)
        return [
            *((row, column) for column in (0, self.width - 1) for row in rows),
            *((row, column) for row in (0, self.height - 1) for column in columns),
        ]


def draw(size, dice, chamber=0, loops=0.1):
    """Returns a cave; None where too little of it hangs together or the way through it is short."""
    cells = Sets(size)
    empty = cells.empty(_worn(_rock(size, dice, chamber, loops)).astype(np.uint8))
    largest = max(cells.regions(empty), key=int.bit_count, default=0)
    if largest.bit_count() < OPEN_SHARE * (size[0] - 2) * (size[1] - 2):
        return None
    opened = _opened(cells, largest)
    grid = None if opened is None else cells.grid(opened)
    return None if grid is None or way(grid) < long_enough(size, chamber) else grid


def _maze(rows, columns, dice, loops):
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


def _beside(place, rows, columns):
    row, column = place
    for there in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
        if 0 <= there[0] < rows and 0 <= there[1] < columns:
            yield there


def _rock(size, dice, chamber, loops):
    """Rock by chance: much between chambers, little in them, none on the straight way through a door."""
    height, width = size
    side = chamber or min(max(round(sqrt(min(size))), CHAMBERS[0]), CHAMBERS[1])
    rows, columns = (max(1, round((length - 2) / side)) for length in size)
    tops = [1 + round(i * (height - 2) / rows) for i in range(rows + 1)]
    lefts = [1 + round(i * (width - 2) / columns) for i in range(columns + 1)]
    doors = _maze(rows, columns, dice, loops)
    chance = np.ones(size)
    chance[1:-1, 1:-1] = ROCK_IN_CHAMBER

    def stack(at, door):
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


def _worn(rock):
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


def _opened(cells, cave):
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


def _farthest(cells, cave, start, ends):
    last = start
    for ring in cells.rings(start, cave):
        if ring & ends:
            last = ring & ends
    return last & -last


def _tunnels(cells, cave):
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
