"""The compiled metrics of binary maps on boards of bits: the bit of a cell is set where it is a wall.

The longest shortest path is exact, over all pairs of cells, without a search from every cell. Two cells that
lie within half the best length found so far of the same middle cannot be farther apart than that length, so
only cells beyond are searched from (the bound of iFUB: Crescenzi et al., 2013), and a search from one of them
excludes its surroundings too (Takes and Kosters, 2011).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from levelsmith.kernels.bits import (
    both,
    count,
    down,
    either,
    empty,
    fetch,
    first_of,
    from_members,
    minus,
    same,
    up,
)
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import implement, metric

if TYPE_CHECKING:
    from levelsmith.core import Size

EMPTY, PATH, REGIONS, OPENINGS, WAY, SMOOTHNESS = range(6)  # the order of the metrics
METRICS = 6
WIDEST = 63  # columns: a board is shifted by a row at once


class CompiledBinary(NamedTuple):
    """A map that fits a few words."""

    width: int
    every: tuple  # words: all cells
    not_left: tuple  # words: every cell but those of the first column
    not_right: tuple  # words: every cell but those of the last column
    border: tuple  # words: the cells along the four edges


def make(size: Size) -> CompiledBinary:
    height, width = size
    cells = np.arange(height * width)
    return CompiledBinary(
        width,
        from_members(cells, cells.size),
        from_members(cells[cells % width != 0], cells.size),
        from_members(cells[cells % width != width - 1], cells.size),
        from_members(border(size), cells.size),
    )


def border(size: Size) -> list[int]:
    """Returns the cells along the four edges, in order."""
    height, width = size
    return [
        cell
        for cell in range(height * width)
        if cell // width in (0, height - 1) or cell % width in (0, width - 1)
    ]


@part
def grown(game, cells, within):
    """Returns the cells and their neighbours, as far as they lie within a set."""
    sideways = either(up(both(cells, game.not_right), 1), down(both(cells, game.not_left), 1))
    return both(
        either(either(cells, sideways), either(up(cells, game.width), down(cells, game.width))), within
    )


@part
def spread(game, start, within):
    """Returns all that can be reached from a set, what is farthest, and how far that is."""
    seen = start
    last = start
    steps = 0
    while True:
        wider = grown(game, seen, within)
        if same(wider, seen):
            return seen, last, steps
        last = minus(wider, seen)
        seen = wider
        steps += 1


@part
def around(game, start, within, steps):
    """Returns the cells at most so many steps from a set, and those at exactly that distance."""
    seen = start
    last = start
    for _ in range(steps):
        wider = grown(game, seen, within)
        last = minus(wider, seen)
        seen = wider
    return seen, last


@part
def diameter(game, region, end, best):
    """Returns the longest shortest path in a connected region, or `best` if longer; `end` is at its rim."""
    _, far, length = spread(game, end, region)
    best = max(best, length)
    # A middle of the path between the two ends: half the way from both.
    half = length // 2
    _, from_end = around(game, end, region, half)
    _, from_far = around(game, first_of(far), region, length - half)
    middle = first_of(both(from_end, from_far))
    safe = best // 2
    inner, _ = around(game, middle, region, safe)
    left = minus(region, inner)
    while not empty(left):
        cell = first_of(left)
        _, _, reach = spread(game, cell, region)
        if reach > best:
            best = reach
            inner, _ = around(game, inner, region, best // 2 - safe)
            safe = best // 2
            left = minus(left, inner)
        excluded, _ = around(game, cell, region, best - reach)
        left = minus(left, excluded)
    return best


@part
def longest_path(game, open_cells):
    best = 0
    left = open_cells
    while not empty(left):
        region, rim, reach = spread(game, first_of(left), left)
        left = minus(left, region)
        best = max(best, reach)
        if 2 * reach > best and count(region) - 1 > best:
            best = diameter(game, region, first_of(rim), best)
    return best


@part
def regions(game, open_cells):
    found = 0
    left = open_cells
    while not empty(left):
        region, _, _ = spread(game, first_of(left), left)
        left = minus(left, region)
        found += 1
    return found


@part
def way(game, open_cells):
    """Returns the steps between the two openings in the border; 0 where there are not two, or no way."""
    ends = both(open_cells, game.border)
    if count(ends) != 2:
        return 0
    seen = first_of(ends)
    goal = minus(ends, seen)
    steps = 0
    while empty(both(seen, goal)):
        wider = grown(game, seen, open_cells)
        if same(wider, seen):
            return 0
        seen = wider
        steps += 1
    return steps


@part
def smoothness(game, cells):
    """Returns the share of neighbours, side by side or one above the other, that are alike."""
    left = game.not_right
    above = both(game.every, down(game.every, game.width))
    pairs = count(left) + count(above)
    if pairs == 0:
        return 1.0
    right, below = down(cells, 1), down(cells, game.width)
    unlike = count(both(either(minus(cells, right), minus(right, cells)), left))
    unlike += count(both(either(minus(cells, below), minus(below, cells)), above))
    return 1.0 - unlike / pairs


@implement(metric, CompiledBinary)
def binary_metric(game, cells, k):
    open_cells = minus(game.every, cells)
    if k == EMPTY:
        return float(count(open_cells))
    if k == PATH:
        return float(longest_path(game, open_cells))
    if k == REGIONS:
        return float(regions(game, open_cells))
    if k == OPENINGS:
        return float(count(both(open_cells, game.border)))
    if k == WAY:
        return float(way(game, open_cells))
    return smoothness(game, cells)


@kernel
def measure_all(game, boards, out):
    """Writes all metrics of packed boards `[B, words]` into `out` `[B, 6]`."""
    for i in range(len(boards)):
        cells = fetch(game.every, boards[i], 0)
        for k in range(METRICS):
            out[i, k] = metric(game, cells, k)


@kernel
def measure_one(game, boards, k, out):
    """Writes one metric of packed boards into `out` `[B]`; for benchmarks and experiments."""
    for i in range(len(boards)):
        out[i] = metric(game, fetch(game.every, boards[i], 0), k)
