"""Finds the most pushes that a small Sokoban board can take, by looking at every board of a size.

`python research/exhaust.py 4x4 3` goes through all layouts of walls inside a size, connected and up to
turning, mirroring and moving, with all goals for so many boxes. From each it pulls the boxes to every
position that can be solved. Layouts that fall apart need not be looked at: boxes out of reach stay where they
are, as walls do, so that they are boards with fewer boxes. With `--every N` only each N-th layout is looked
at, to tell how long all would take; what is found then is no bound.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Size
from levelsmith.kernels.compile import kernel, part

MOST_CELLS = 25
MOST_BOXES = 4
WORD = 64  # goals that are pulled from at once
REGIONS = 6  # of a set of boxes, in the mean, at most
TELL_SECONDS = 60.0
DEPTH, FLOOR, GOALS, POSITION = range(4)  # of a record


class Space(NamedTuple):
    """All positions of a layout, and the pulls between them."""

    binomials: NDArray[np.int64]  # [cells + 1, boxes + 1]
    index: NDArray[np.int64]  # [bits] of a cell among those of the floor
    sets: NDArray[np.int64]  # [sets] the boxes
    first: NDArray[np.int64]  # [sets + 1] its first position; the others follow
    regions: NDArray[np.int64]  # [positions] where the player can be
    pulls: NDArray[np.int64]  # [positions + 1] the first of its pulls
    to: NDArray[np.int32]  # [pulls] the position that one leads to
    set_of: NDArray[np.int32]  # [positions]
    met: NDArray[np.int64]  # [positions] a bit for each of 64 goals: whether it was met
    newest: NDArray[np.int64]  # [positions] met by the last pulls
    coming: NDArray[np.int64]  # [positions] met by these


def space_for(cells: int, boxes: int) -> Space:
    sets = math.comb(cells, boxes)
    positions = REGIONS * sets
    binomials = [[math.comb(n, k) for k in range(boxes + 2)] for n in range(cells + 1)]
    return Space(
        np.array(binomials, np.int64),
        np.zeros(64, np.int64),
        np.zeros(sets, np.int64),
        np.zeros(sets + 1, np.int64),
        np.zeros(positions, np.int64),
        np.zeros(positions + 1, np.int64),
        np.zeros(4 * boxes * positions, np.int32),
        np.zeros(positions, np.int32),
        np.zeros(positions, np.int64),
        np.zeros(positions, np.int64),
        np.zeros(positions, np.int64),
    )


@part
def shifted(cells, step):
    return cells << step if step > 0 else cells >> -step


@part
def reached(start, within, stride):
    """Returns the cells that can be walked to. Behind each row lies a column of wall, so that none wraps."""
    seen = start
    while True:
        wider = (seen | seen << 1 | seen >> 1 | seen << stride | seen >> stride) & within
        if wider == seen:
            return seen
        seen = wider


@kernel
def list_layouts(height, width, least, found):
    """Writes the layouts of at least so many cells, one of those that are alike; returns how many."""
    stride, number = width + 1, 0
    for pattern in range(1 << (height * width)):
        if pattern & ((1 << width) - 1) == 0:
            continue  # its first row is wall: it is another one, moved
        cells, left, size = 0, False, 0
        for row in range(height):
            bits = pattern >> (row * width) & ((1 << width) - 1)
            cells |= bits << (row * stride)
            left = left or bits & 1 == 1
        rest = cells
        while rest:
            rest &= rest - 1
            size += 1
        if not left or size < least or reached(cells & -cells, cells, stride) != cells:
            continue
        if is_first(cells, height, width):
            found[number] = cells
            number += 1
    return number


@part
def is_first(cells, height, width):
    """Returns whether no way to turn or mirror a layout that keeps its size gives a smaller number."""
    stride = width + 1
    last_row, last_column = 0, 0
    for row in range(height):
        for column in range(width):
            if cells >> (row * stride + column) & 1:
                last_row, last_column = max(last_row, row), max(last_column, column)
    ways = 8 if height == width else 4
    for way in range(1, ways):
        image = 0
        for row in range(last_row + 1):
            for column in range(last_column + 1):
                if cells >> (row * stride + column) & 1:
                    down = last_row - row if way & 1 else row
                    right = last_column - column if way & 2 else column
                    image |= 1 << (right * stride + down if way & 4 else down * stride + right)
        if image < cells:
            return False
    return True


@part
def set_number(space, boxes):
    """Returns the number of a set of boxes among all of as many."""
    number, i = 0, 1
    while boxes:
        low = boxes & -boxes
        boxes ^= low
        number += space.binomials[space.index[bit_of(low)], i]
        i += 1
    return number


@part
def bit_of(single):
    """Returns the place of the only bit of a number."""
    place = 0
    while single > 1:
        single >>= 1
        place += 1
    return place


@kernel
def enter_positions(space, floor, boxes, stride):
    """Enters all positions of a layout and their pulls; returns how many sets of boxes there are."""
    cells, rest = 0, floor
    while rest:
        low = rest & -rest
        space.index[bit_of(low)] = cells
        cells += 1
        rest ^= low
    sets = space.binomials[cells, boxes]
    compact, positions = (1 << boxes) - 1, 0
    for number in range(sets):
        mask, rest, i = 0, floor, 0
        while rest:
            low = rest & -rest
            rest ^= low
            if compact >> i & 1:
                mask |= low
            i += 1
        space.sets[number], space.first[number] = mask, positions
        left = floor & ~mask
        while left:
            region = reached(left & -left, floor & ~mask, stride)
            space.regions[positions], space.set_of[positions] = region, number
            positions += 1
            left &= ~region
        low = compact & -compact
        ripple = compact + low
        compact = ripple | ((compact ^ ripple) >> 2) // low
    space.first[sets] = positions
    pulls = 0
    for number in range(sets):
        here = space.sets[number]
        for position in range(space.first[number], space.first[number + 1]):
            space.pulls[position] = pulls
            region = space.regions[position]
            for way in range(4):
                step = 1 if way == 0 else -1 if way == 1 else stride if way == 2 else -stride
                stands = region & shifted(region, -step) & shifted(here, step)
                while stands:
                    stand = stands & -stands
                    stands ^= stand
                    behind, box = shifted(stand, step), shifted(stand, -step)
                    other = set_number(space, here ^ box ^ stand)
                    there = space.first[other]
                    while space.regions[there] & behind == 0:
                        there += 1
                    space.to[pulls] = there
                    pulls += 1
    space.pulls[positions] = pulls
    return sets


@kernel
def keep_farthest(space, sets, floor, records):
    """Pulls from all goals, 64 of them at once, a bit for each; keeps the farthest position in the first
    record, in the second the farthest without a box on a goal."""
    positions = space.first[sets]
    for begin in range(0, sets, WORD):
        for position in range(positions):
            space.met[position] = space.newest[position] = space.coming[position] = 0
        for number in range(begin, min(begin + WORD, sets)):
            for position in range(space.first[number], space.first[number + 1]):
                space.met[position] = space.newest[position] = np.int64(1) << (number - begin)
        depth, some = 0, True
        while some:
            some, depth = False, depth + 1
            for position in range(positions):
                bits = space.newest[position]
                if bits == 0:
                    continue
                space.newest[position] = 0
                for pull in range(space.pulls[position], space.pulls[position + 1]):
                    there = space.to[pull]
                    fresh = bits & ~space.met[there]
                    if fresh:
                        space.met[there] |= fresh
                        space.coming[there] |= fresh
                        some = True
            if some and depth > records[1, DEPTH]:
                note_records(space, positions, begin, floor, depth, records)
            for position in range(positions):
                space.newest[position], space.coming[position] = space.coming[position], 0


@part
def note_records(space, positions, begin, floor, depth, records):
    """Writes positions that were first met after so many pulls, more than any before."""
    for position in range(positions):
        bits = space.coming[position]
        for i in range(WORD):
            if bits >> i & 1:
                goals = space.sets[begin + i]
                if depth > records[0, DEPTH]:
                    write(records[0], depth, floor, goals, position)
                if depth > records[1, DEPTH] and space.sets[space.set_of[position]] & goals == 0:
                    write(records[1], depth, floor, goals, position)


@part
def write(record, depth, floor, goals, position):
    record[DEPTH], record[FLOOR], record[GOALS], record[POSITION] = depth, floor, goals, position


def drawn(record: NDArray[np.int64], boxes: int, size: Size) -> str:
    """Returns the level of a record, as text."""
    (height, width), (_, floor, goals, position) = size, record
    space = space_for(height * width, boxes)
    enter_positions(space, floor, boxes, width + 1)
    there, player = space.sets[space.set_of[position]], space.regions[position] & -space.regions[position]
    kinds = {0: "#", 1: " ", 3: ".", 5: "$", 7: "*", 9: "@", 11: "+"}

    def tile(row: int, column: int) -> str:
        at = row * (width + 1) + column
        return kinds[sum(int(cells >> at & 1) << i for i, cells in enumerate((floor, goals, there, player)))]

    inside = ["".join(tile(row, column) for column in range(width)) for row in range(height)]
    edge = "#" * (width + 2)
    return "\n".join([edge, *(f"#{line}#" for line in inside), edge])


def searched(size: Size, boxes: int, every: int) -> tuple[int, NDArray[np.int64], int]:
    """Returns how many layouts were looked at, the two records, and how many sets of goals there were."""
    height, width = size
    space, records = space_for(height * width, boxes), np.zeros((2, 4), np.int64)
    found = np.zeros(1 << max(0, height * width - 2), np.int64)
    layouts = found[: list_layouts(height, width, boxes + 2, found)][::every]
    looked, told = 0, time.process_time()
    for number, floor in enumerate(layouts, start=1):
        sets = enter_positions(space, floor, boxes, width + 1)
        keep_farthest(space, sets, floor, records)
        looked += sets
        if time.process_time() - told > TELL_SECONDS:
            told = time.process_time()
            print(f"{number:,} of {len(layouts):,} layouts: {records[0, DEPTH]} pushes", flush=True)
    return len(layouts), records, looked


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("size", help="of the inside, such as 4x4")
    parser.add_argument("boxes", type=int)
    parser.add_argument("--every", type=int, default=1, help="look at each N-th layout only")
    asked = parser.parse_args()
    found = re.fullmatch(r"(\d)x(\d)", asked.size)
    size = (int(found[2]), int(found[1])) if found else (0, 0)
    if not (1 <= asked.boxes <= MOST_BOXES and 1 <= size[0] * size[1] <= MOST_CELLS and asked.every >= 1):
        sys.exit(
            f"exhaust: expected a size of at most {MOST_CELLS} cells, such as 5x5, and 1 to {MOST_BOXES} "
            f"boxes, got {asked.size} and {asked.boxes}"
        )
    started = time.process_time()
    layouts, records, looked = searched(size, asked.boxes, asked.every)
    taken = time.process_time() - started
    part = "" if asked.every == 1 else f", one in {asked.every}"
    print(f"{layouts:,} layouts of {asked.size}{part}, {looked:,} sets of goals, {taken:.0f} s of processor")
    for record, where in zip(records, ("", " without a box on a goal"), strict=True):
        print(f"the farthest start{where}: {record[DEPTH]} pushes")
        if record[DEPTH]:
            print(drawn(record, asked.boxes, size))


if __name__ == "__main__":
    import exhaust  # what is compiled in a script itself is not kept

    exhaust.main()
