"""Steps from each cell to each other while nobody moves, bricks dug on the way: what a hunt is led by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.game.kernels.men import (
    BRICK,
    EMPTY,
    GOLD,
    HIDDEN,
    LADDER,
    RING,
    ROPE,
    SOLID,
    TRAP,
    is_floor,
)
from levelsmith.kernels.compile import kernel, part

FAR = 10_000  # where no way leads
DIG_STEPS = 4  # of a way into a brick
LEFT, RIGHT, UP, DOWN, DOWN_LEFT, DOWN_RIGHT, WAYS = range(7)  # ways out of a cell, and their number


UNKNOWN = -1  # steps of a cell from which none were counted yet


class Ways(NamedTuple):
    """A level, and the steps from those of its cells that were asked for."""

    tile: NDArray[np.uint8]  # [cells] without men
    dug: NDArray[np.uint8]  # [cells] the bricks that can be dug
    stride: int
    far: NDArray[np.int16]  # [cells, cells] steps from a cell to another; UNKNOWN to itself: not yet counted
    queue: NDArray[np.int32]  # [cells]


def make_ways(tile: NDArray[np.uint8], dug: NDArray[np.uint8], stride: int) -> Ways:
    far = np.full((len(tile), len(tile)), UNKNOWN, np.int16)
    return Ways(tile, dug, stride, far, np.zeros(len(tile), np.int32))


@kernel
def measure_all(ways):
    """Counts the steps from every cell."""
    for source in range(len(ways.tile)):
        measure_from(ways, source)


@part
def measure_from(ways, source):
    """Counts the steps from a cell, unless they are known."""
    tile, dug, far, queue = ways.tile, ways.dug, ways.far[source], ways.queue
    if far[source] != UNKNOWN:
        return
    for at in range(len(tile)):
        far[at] = FAR
    if is_shut(tile, dug, source):
        return
    far[source] = 0
    queue[0] = source
    first, last = 0, 1
    while first != last:
        at = np.int64(queue[first])
        first = (first + 1) % len(tile)
        here = np.int64(far[at])
        for way in range(WAYS):
            steps = steps_of(tile, dug, at, way, ways.stride)
            there = at + offset_of(way, ways.stride)
            if steps > 0 and here + steps < far[there]:
                far[there] = here + steps
                queue[last] = there
                last = (last + 1) % len(tile)


@part
def offset_of(way, stride):
    if way == LEFT:
        return -1
    if way == RIGHT:
        return 1
    if way == UP:
        return -stride
    if way == DOWN:
        return stride
    return stride - 1 if way == DOWN_LEFT else stride + 1


@part
def is_shut(tile, dug, at):
    return tile[at] in (SOLID, RING) or (tile[at] == BRICK and dug[at] == 0)


@part
def steps_of(tile, dug, at, way, stride):
    """Returns the steps of a way out of a cell, or 0 where there is none."""
    there = at + offset_of(way, stride)
    if is_shut(tile, dug, there) or (tile[there] == TRAP and way != DOWN):
        return 0
    here_brick, brick = tile[at] == BRICK, tile[there] == BRICK
    stands = tile[at] in (LADDER, ROPE) or is_floor(tile[at + stride])
    if way == UP:
        return 1 if tile[at] == LADDER and not brick else 0
    if way == DOWN:
        return (DIG_STEPS if here_brick else 0) if brick else 1
    if not stands:
        return 0
    if way in (LEFT, RIGHT):
        return (DIG_STEPS if here_brick else 0) if brick else 1
    if not brick or here_brick:
        return 0
    beside = tile[at + (-1 if way == DOWN_LEFT else 1)]
    return DIG_STEPS if beside in (EMPTY, GOLD, HIDDEN) else 0
