"""The compiled part of `caves`: a maze of chambers, rock by chance, walls worn smooth, two openings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.binary.kernels.small import EMPTY
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.dice import choose_below, share

WALL = 1
ROCK_IN_CHAMBER, ROCK_BETWEEN, ROCK_AT_DOOR = 0.2, 0.95, 0.3  # chances
WOBBLES = (-1, 0, 0, 1)
WEARING = 2  # times that the walls are worn
DEEPEST = 3  # cells of rock that an opening may go through
FAR = -1  # a cell that was not reached, or that no opening leads to


class CavePlan(NamedTuple):
    """What a cave of a size is to be like, and the workspace of its making."""

    height: int
    width: int
    tops: NDArray[np.int64]  # [rows + 1] where chambers begin, and behind the last
    lefts: NDArray[np.int64]  # [columns + 1]
    wobbles: bool  # whether the walls between chambers do
    loops: float  # chance of a door beside those of the maze
    open_least: float  # cells of the largest region
    apart_least: float  # cells between the openings as the crow flies
    way_least: int  # steps from the one opening to the other
    right: NDArray[np.uint8]  # [chambers] whether a door leads to the next one
    below: NDArray[np.uint8]  # [chambers]
    seen: NDArray[np.uint8]  # [chambers]
    walk: NDArray[np.int32]  # [chambers]
    chance: NDArray[np.float64]  # [cells] of rock
    other: NDArray[np.uint8]  # [cells]
    queue: NDArray[np.int32]  # [cells]
    distance: NDArray[np.int32]  # [cells]
    entered: NDArray[np.int32]  # [cells] the cell of the border that one may be dug to from


@kernel
def draw_cave(plan, dice, grid):
    """Draws a cave into `grid` `[cells]`; returns False where too little of it hangs together or the way
    through it is short."""
    join_chambers(plan, dice)
    pile_rock(plan, dice, grid)
    wear(plan, grid)
    if keep_largest(plan, grid) < plan.open_least:
        return False
    return open_cave(plan, grid)


@part
def join_chambers(plan, dice):
    """Draws the doors of a maze in which one way leads from each chamber to each other, and of a few more."""
    rows, columns = len(plan.tops) - 1, len(plan.lefts) - 1
    plan.right[:], plan.below[:], plan.seen[:] = 0, 0, 0
    row = choose_below(dice, rows)
    plan.walk[0] = row * columns + choose_below(dice, columns)
    plan.seen[plan.walk[0]] = 1
    length = 1
    while length > 0:
        here = np.int64(plan.walk[length - 1])
        fresh = 0
        for side in range(4):
            there = beside(here, side, rows, columns)
            if there >= 0 and not plan.seen[there]:
                fresh += 1
        if fresh == 0:
            length -= 1
            continue
        left = choose_below(dice, fresh)
        for side in range(4):
            there = beside(here, side, rows, columns)
            if there >= 0 and not plan.seen[there]:
                if left == 0:
                    if side == 1 or side == 2:
                        plan.right[min(here, there)] = 1
                    else:
                        plan.below[min(here, there)] = 1
                    plan.seen[there] = 1
                    plan.walk[length] = there
                    length += 1
                    break
                left -= 1
    for here in range(rows * columns):
        if here % columns < columns - 1 and share(dice) < plan.loops:
            plan.right[here] = 1
        if here // columns < rows - 1 and share(dice) < plan.loops:
            plan.below[here] = 1


@part
def beside(here, side, rows, columns):
    """Returns a neighbour of a chamber, or a cell: above, left, right, below; -1 where there is none."""
    row, column = here // columns, here % columns
    if side == 0:
        return here - columns if row > 0 else np.int64(-1)
    if side == 1:
        return here - 1 if column > 0 else np.int64(-1)
    if side == 2:
        return here + 1 if column < columns - 1 else np.int64(-1)
    return here + columns if row < rows - 1 else np.int64(-1)


@part
def pile_rock(plan, dice, grid):
    """Draws rock: much between chambers, little in them, none on the straight way through a door."""
    height, width = plan.height, plan.width
    rows, columns = len(plan.tops) - 1, len(plan.lefts) - 1
    for cell in range(height * width):
        plan.chance[cell] = 1.0 if on_border(plan, cell) else ROCK_IN_CHAMBER
    for chamber in range(rows * columns):
        row, column = chamber // columns, chamber % columns
        if row + 1 < rows:
            for x in range(max(1, plan.lefts[column] - 1), min(width - 1, plan.lefts[column + 1] + 1)):
                seam = plan.tops[row + 1] * width + x
                stack(plan, dice, seam, width, plan.below[chamber])
        if column + 1 < columns:
            for y in range(max(1, plan.tops[row] - 1), min(height - 1, plan.tops[row + 1] + 1)):
                seam = y * width + plan.lefts[column + 1]
                stack(plan, dice, seam, 1, plan.right[chamber])
    for cell in range(height * width):
        grid[cell] = WALL if share(dice) < plan.chance[cell] else EMPTY
    for chamber in range(rows * columns):
        here = middle(plan, chamber)
        if plan.right[chamber]:
            for cell in range(here, middle(plan, chamber + 1) + 1):
                grid[cell] = EMPTY
        if plan.below[chamber]:
            for cell in range(here, middle(plan, chamber + columns) + 1, width):
                grid[cell] = EMPTY


@part
def stack(plan, dice, seam, step, door):
    """Sets the chance of two cells of rock across a seam."""
    first = seam - step
    if plan.wobbles:
        first += step * WOBBLES[choose_below(dice, len(WOBBLES))]
    for cell in (first, first + step):
        plan.chance[cell] = max(plan.chance[cell], ROCK_AT_DOOR) if door else ROCK_BETWEEN


@part
def middle(plan, chamber):
    """Returns the cell in the middle of a chamber."""
    columns = len(plan.lefts) - 1
    row, column = chamber // columns, chamber % columns
    y = (plan.tops[row] + plan.tops[row + 1]) // 2
    return y * plan.width + (plan.lefts[column] + plan.lefts[column + 1]) // 2


@part
def on_border(plan, cell):
    row, column = cell // plan.width, cell % plan.width
    return row == 0 or column == 0 or row == plan.height - 1 or column == plan.width - 1


@part
def wear(plan, grid):
    """Turns each cell into what most of the nine around it are, a few times over; the border stays solid."""
    height, width = plan.height, plan.width
    for turn in range(WEARING + 1):
        for cell in range(height * width):
            plan.other[cell] = grid[cell]
        for cell in range(height * width):
            if on_border(plan, cell):
                grid[cell] = WALL if turn < WEARING else grid[cell]
                continue
            sides = plan.other[cell - width] + plan.other[cell - 1]
            sides += plan.other[cell + 1] + plan.other[cell + width]
            if turn == WEARING:  # without bumps and nooks of one cell
                enough = 2 if plan.other[cell] else 3
                grid[cell] = WALL if sides >= enough else EMPTY
                continue
            corners = plan.other[cell - width - 1] + plan.other[cell - width + 1]
            corners += plan.other[cell + width - 1] + plan.other[cell + width + 1]
            grid[cell] = WALL if sides + corners + plan.other[cell] >= 5 else EMPTY


@part
def flood(plan, grid, start):
    """Writes the steps from a cell to all others that can be reached, `FAR` for the rest; returns how many
    those are."""
    plan.distance[:] = FAR
    plan.distance[start] = 0
    plan.queue[0] = start
    reached = 1
    done = 0
    while done < reached:
        here = np.int64(plan.queue[done])
        done += 1
        for side in range(4):
            there = beside(here, side, plan.height, plan.width)
            if there >= 0 and grid[there] == EMPTY and plan.distance[there] == FAR:
                plan.distance[there] = plan.distance[here] + 1
                plan.queue[reached] = there
                reached += 1
    return reached


@part
def keep_largest(plan, grid):
    """Fills all regions but the largest with rock; returns how many cells that has."""
    largest, start = 0, np.int64(0)
    plan.other[:] = 0  # what was counted
    for cell in range(len(grid)):
        if grid[cell] == EMPTY and not plan.other[cell]:
            reached = flood(plan, grid, cell)
            for i in range(reached):
                plan.other[plan.queue[i]] = 1
            if reached > largest:
                largest, start = reached, np.int64(cell)
    if largest > 0:
        flood(plan, grid, start)
        for cell in range(len(grid)):
            grid[cell] = WALL if plan.distance[cell] == FAR else EMPTY
    return largest


@part
def open_cave(plan, grid):
    """Cuts two openings as far apart as a few sweeps find them; returns whether the way between them is long
    enough."""
    here = find_tunnels(plan, grid)
    if here == FAR:
        return False
    there = here
    for _ in range(3):
        here, there = farthest(plan, grid, here), here
    width = plan.width
    apart = abs(here // width - there // width) + abs(here % width - there % width)
    if apart < plan.apart_least:
        return False
    for cell in (here, there):
        dig(plan, grid, cell)
    flood(plan, grid, np.int64(plan.entered[here]))
    return plan.distance[plan.entered[there]] >= plan.way_least


@part
def find_tunnels(plan, grid):
    """Finds the straight ways in from the border and writes them into `entered`, by the cell of the cave that
    each comes to; returns the first of these cells, or `FAR`."""
    height, width = plan.height, plan.width
    plan.entered[:] = FAR
    first = np.int64(FAR)
    for k in range(2 * (height - 2) + 2 * (width - 2)):
        border, step = border_cell(plan, k)
        cell = border
        for depth in range(DEEPEST + 1):
            if depth > 0 and on_border(plan, cell):
                break
            if grid[cell] == EMPTY:
                if first == FAR:
                    first = cell
                plan.entered[cell] = border
                break
            cell += step
    return first


@part
def border_cell(plan, k):
    """Returns the k-th cell of the border without its corners, left, right, above and below, and the step to
    the next cell inside."""
    tall, wide = plan.height - 2, plan.width - 2
    if k < tall:
        return (k + 1) * plan.width, np.int64(1)
    if k < 2 * tall:
        return (k - tall + 2) * plan.width - 1, np.int64(-1)
    if k < 2 * tall + wide:
        return np.int64(k - 2 * tall + 1), np.int64(plan.width)
    return (plan.height - 1) * plan.width + k - 2 * tall - wide + 1, np.int64(-plan.width)


@part
def farthest(plan, grid, start):
    """Returns the cell farthest from one of those that ways from the border come to."""
    flood(plan, grid, start)
    last = start
    for cell in range(len(grid)):
        if plan.entered[cell] != FAR and plan.distance[cell] > plan.distance[last]:
            last = np.int64(cell)
    return last


@part
def dig(plan, grid, cell):
    """Digs the straight way from the border to a cell of the cave."""
    at, width = np.int64(plan.entered[cell]), plan.width
    step = np.int64(1 if cell // width == at // width else width)
    if cell < at:
        step = -step
    while at != cell:
        grid[at] = EMPTY
        at += step
