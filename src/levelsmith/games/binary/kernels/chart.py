"""What a drawing of a map shows: its metrics, the region of each cell, a longest path, the way through."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.binary.kernels import small
from levelsmith.games.binary.kernels.large import find_ends, measure_all, openings, search
from levelsmith.kernels.bits import has
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ONE, WORD, U

WALL = 1
PATH, WAY = range(2)  # places in `Chart.lengths`


class Chart(NamedTuple):
    """What is told of one map. A cell is its number, row by row."""

    walls: NDArray[np.uint64]  # [1, words]
    metrics: NDArray[np.float64]  # [1, small.METRICS]
    ends: NDArray[np.int64]  # [2] of a longest path
    openings: NDArray[np.int64]  # [2] where there are two in the border, the one farther left first; else -1
    regions: NDArray[np.int32]  # [cells] the number of a cell's region, from 1; 0 for a wall
    path: NDArray[np.int32]  # [cells] the cells of a longest path, from end to end
    way: NDArray[np.int32]  # [cells] those of the way from the opening farther left to the other one
    lengths: NDArray[np.int64]  # [2] how many cells path and way have


@kernel
def draw_chart(game, tiles, chart):
    """Writes the chart of a map.

    Args:
        game: a `large.LargeBinary`; the cells along its four edges are written too.
        tiles: `[cells]`, 0 for an empty cell and 1 for a wall.
        chart: a `Chart`.
    """
    mark_border(game)
    walls = chart.walls[0]
    walls[:] = 0
    for cell in range(len(tiles)):
        if tiles[cell] == WALL:
            walls[cell // WORD] |= ONE << U(cell % WORD)
    measure_all(game, chart.walls, chart.metrics)
    if len(tiles) == 1:
        chart.metrics[0, small.SMOOTHNESS] = 1.0  # there are no neighbours
    number_regions(game, walls, chart.regions)
    chart.lengths[:] = 0
    if chart.metrics[0, small.EMPTY] > 0:
        find_ends(game, walls, np.int64(chart.metrics[0, small.PATH]), chart.ends)
        chart.lengths[PATH] = trace(game, walls, chart.ends[0], chart.ends[1], chart.path)
    found, first, last = openings(game, walls)
    chart.openings[:] = -1
    if found == 2:
        if last % game.width < first % game.width:
            first, last = last, first
        chart.openings[0], chart.openings[1] = first, last
        chart.lengths[WAY] = trace(game, walls, first, last, chart.way)


@part
def mark_border(game):
    """Writes the cells along the four edges."""
    found = 0
    for cell in range(game.height * game.width):
        row, column = cell // game.width, cell % game.width
        if row == 0 or column == 0 or row == game.height - 1 or column == game.width - 1:
            game.border[found] = cell
            found += 1


@part
def number_regions(game, walls, regions):
    """Writes the number of each cell's region, in the order of their first cells."""
    found = 0
    regions[:] = 0
    for cell in range(len(regions)):
        if regions[cell] == 0 and not has(walls, cell):
            found += 1
            for i in range(search(game, walls, cell)):
                regions[game.queue[i]] = found


@part
def trace(game, walls, start, end, path):
    """Writes the cells of a shortest path from a cell to another; returns how many, 0 where there is no way.

    Of several it is the one that a search finds which looks up, right, down and left.
    """
    reached = search(game, walls, start)
    if game.seen[end] != game.searches[0]:
        return np.int64(0)
    for i in range(reached):
        game.members[game.queue[i]] = i
    cells, width = game.height * game.width, game.width
    length, cell = np.int64(game.distance[end]), np.int64(end)
    for step in range(length, 0, -1):
        path[step] = cell
        first = np.int64(-1)
        for there in (cell - width, cell + 1, cell + width, cell - 1):
            inside = 0 <= there < cells and (there // width == cell // width or there % width == cell % width)
            if not inside or game.seen[there] != game.searches[0] or game.distance[there] != step - 1:
                continue
            if first < 0 or game.members[there] < game.members[first]:
                first = there
        cell = first
    path[0] = cell
    return length + 1
