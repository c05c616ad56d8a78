"""The compiled metrics of binary maps too large for a few words: breadth-first search with a queue of cells.

The longest shortest path is bounded as in `kernels.py`: only cells farther from a middle than half the best
length are searched from, and only while their own bound allows more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.binary.kernels import small
from levelsmith.kernels.bits import has
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import implement, metric

if TYPE_CHECKING:
    from levelsmith.core import Size


class LargeBinary(NamedTuple):
    """A map of any size, with the workspace of its searches."""

    height: int
    width: int
    queue: NDArray[np.int32]  # [cells] in the order they were reached
    members: NDArray[np.int32]  # [cells] a region, nearest to its middle first
    distance: NDArray[np.int32]  # [cells] from the start of the last search
    depth: NDArray[np.int32]  # [cells] from the middle of the region
    bound: NDArray[np.int32]  # [cells] no cell is farther away than this
    seen: NDArray[np.int32]  # [cells] the last search that came by
    counted: NDArray[np.uint8]  # [cells] whether a cell's region was dealt with
    searches: NDArray[np.int32]  # [1] how many searches there were
    border: NDArray[np.int32]  # the cells along the four edges


def make(size: Size) -> LargeBinary:
    cells = size[0] * size[1]
    queue, members, distance, depth, bound, seen = np.zeros((6, cells), np.int32)
    return LargeBinary(
        *(*size, queue, members, distance, depth, bound, seen),
        *(np.zeros(cells, np.uint8), np.zeros(1, np.int32), np.array(small.border(size), np.int32)),
    )


@part
def search(game, walls, start):
    """Fills queue and distance from a cell; how many cells were reached."""
    game.searches[0] += 1
    stamp = game.searches[0]
    width, last_row = game.width, game.height - 1
    game.queue[0] = start
    game.distance[start] = 0
    game.seen[start] = stamp
    reached = 1
    done = 0
    while done < reached:
        cell = np.int64(game.queue[done])
        done += 1
        row, column = cell // width, cell % width
        for side in range(4):
            if side == 0:
                there = cell - width if row > 0 else -1
            elif side == 1:
                there = cell + 1 if column < width - 1 else -1
            elif side == 2:
                there = cell + width if row < last_row else -1
            else:
                there = cell - 1 if column > 0 else -1
            if there >= 0 and game.seen[there] != stamp and not has(walls, there):
                game.seen[there] = stamp
                game.distance[there] = game.distance[cell] + 1
                game.queue[reached] = there
                reached += 1
    return reached


@part
def middle_of(game, length):
    """Returns a cell half way along a longest path of the last search, which ends at the queue's end."""
    stamp = game.searches[0]
    width = game.width
    cells = width * game.height
    cell = np.int64(game.queue[0])
    for i in range(cells):
        if game.distance[game.queue[i]] == length:
            cell = np.int64(game.queue[i])
            break
    while game.distance[cell] > length // 2:
        nearer = game.distance[cell] - 1
        for there in (cell - width, cell + width, cell - 1, cell + 1):
            inside = 0 <= there < cells and (there // width == cell // width or there % width == cell % width)
            if inside and game.seen[there] == stamp and game.distance[there] == nearer:
                cell = there
                break
    return cell


@part
def diameter(game, walls, reached, best):
    """Returns the longest shortest path in the region of the last search, if longer than `best`."""
    reached = search(game, walls, np.int64(game.queue[reached - 1]))
    length = game.distance[game.queue[reached - 1]]
    best = max(best, np.int64(length))
    reached = search(game, walls, middle_of(game, length))
    for i in range(reached):
        cell = game.queue[i]
        game.members[i] = cell
        game.depth[cell] = game.distance[cell]
        game.bound[cell] = game.width * game.height
    for i in range(reached - 1, -1, -1):
        cell = np.int64(game.members[i])
        if game.depth[cell] <= best // 2:
            break
        if game.bound[cell] <= best:
            continue
        search(game, walls, cell)
        reach = np.int64(game.distance[game.queue[reached - 1]])
        best = max(best, reach)
        for j in range(reached):
            there = game.queue[j]
            game.bound[there] = min(np.int64(game.bound[there]), game.distance[there] + reach)
    return best


@part
def survey(game, walls, with_path):
    """Returns the longest shortest path (where asked for) and the number of regions."""
    cells = game.width * game.height
    for cell in range(cells):
        game.counted[cell] = 0
    best = np.int64(0)
    found = 0
    for cell in range(cells):
        if game.counted[cell] or has(walls, cell):
            continue
        found += 1
        reached = search(game, walls, cell)
        for i in range(reached):
            game.counted[game.queue[i]] = 1
        if with_path:
            reach = np.int64(game.distance[game.queue[reached - 1]])
            best = max(best, reach)
            if 2 * reach > best and reached - 1 > best:
                best = diameter(game, walls, reached, best)
    return best, found


@part
def openings(game, walls):
    """Returns how many cells of the border are open, and the first and the last of them."""
    found, first, last = 0, np.int64(0), np.int64(0)
    for i in range(len(game.border)):
        cell = np.int64(game.border[i])
        if not has(walls, cell):
            first = cell if found == 0 else first
            last = cell
            found += 1
    return found, first, last


@part
def way(game, walls):
    """Returns the steps between the two openings in the border; 0 where there are not two, or no way."""
    found, first, last = openings(game, walls)
    if found != 2:
        return np.int64(0)
    search(game, walls, first)
    return np.int64(game.distance[last]) if game.seen[last] == game.searches[0] else np.int64(0)


@part
def smoothness(game, walls):
    """Returns the share of neighbours, side by side or one above the other, that are alike."""
    width, cells = game.width, game.width * game.height
    unlike = 0
    for cell in range(cells):
        here = has(walls, cell)
        if cell % width < width - 1 and has(walls, cell + 1) != here:
            unlike += 1
        if cell + width < cells and has(walls, cell + width) != here:
            unlike += 1
    return 1.0 - unlike / (2 * cells - width - game.height)


@implement(metric, LargeBinary)
def large_binary_metric(game, cells, k):
    if k == small.EMPTY:
        total = 0
        for cell in range(game.width * game.height):
            if not has(cells, cell):
                total += 1
        return float(total)
    if k == small.OPENINGS:
        return float(openings(game, cells)[0])
    if k == small.WAY:
        return float(way(game, cells))
    if k == small.SMOOTHNESS:
        return smoothness(game, cells)
    best, found = survey(game, cells, k == small.PATH)
    return float(best if k == small.PATH else found)


@kernel
def measure_all(game, boards, out):
    """Writes all metrics of packed boards `[B, words]` into `out` `[B, 6]`."""
    for i in range(len(boards)):
        for k in range(small.METRICS):
            if k != small.PATH and k != small.REGIONS:
                out[i, k] = metric(game, boards[i], k)
        best, found = survey(game, boards[i], True)
        out[i, small.PATH] = float(best)
        out[i, small.REGIONS] = float(found)


@kernel
def find_ends(game, walls, length, out):
    """Writes two cells that are `length` steps apart, the longest shortest path, into `out` `[2]`."""
    for cell in range(game.width * game.height):
        if has(walls, cell):
            continue
        reached = search(game, walls, cell)
        last = np.int64(game.queue[reached - 1])
        if game.distance[last] == length:
            out[0], out[1] = cell, last
            return
