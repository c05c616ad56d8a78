"""Steps from each cell to each other while nobody moves, bricks dug on the way: what a hunt is led by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.game.kernels import men
from levelsmith.kernels.compile import kernel, part

FAR = 10_000  # where no way leads
DIG_STEPS = 4  # of a way into a brick
UNKNOWN = -1  # steps of a cell from which none were counted yet


class Ways(NamedTuple):
    """The ways out of the cells of a level, and the steps from those cells that were asked for."""

    offset: NDArray[np.int64]  # [ways] from a cell to where a way leads: aside, up, or down in three ways
    steps: NDArray[np.int64]  # [cells, ways] of each way out of a cell; 0 where there is none
    far: NDArray[np.int16]  # [cells, cells] steps from a cell to another; UNKNOWN to itself: not yet counted
    queue: NDArray[np.int64]  # [cells]


def make_ways(tile: NDArray[np.uint8], dug: NDArray[np.uint8], stride: int) -> Ways:
    """Returns the ways of a level without men, of whose bricks those that are `dug` can be."""
    offset = np.array([-1, 1, -stride, stride, stride - 1, stride + 1])
    below, brick = np.roll(tile, -stride), tile == men.BRICK
    shut = np.isin(tile, (men.SOLID, men.RING)) | (brick & (dug == 0))
    stands = np.isin(tile, (men.LADDER, men.ROPE)) | np.isin(
        below, (men.BRICK, men.SOLID, men.RING, men.LADDER)
    )
    steps = np.zeros((len(tile), len(offset)), np.int64)
    for way, there in enumerate(offset):
        into, closed, trap = (np.roll(each, -there) for each in (brick, shut, tile == men.TRAP))
        if there == -stride:
            steps[:, way] = (tile == men.LADDER) & ~into
        elif there == stride or abs(there) == 1:
            steps[:, way] = np.where(into, DIG_STEPS * brick, 1) * (stands | (there == stride))
        else:  # a hole dug on that side
            beside = np.roll(tile, stride - there)
            steps[:, way] = DIG_STEPS * (
                stands & into & ~brick & np.isin(beside, (men.EMPTY, men.GOLD, men.HIDDEN))
            )
        steps[shut | closed | (trap & (there != stride)), way] = 0
    far = np.full((len(tile), len(tile)), UNKNOWN, np.int16)
    far[shut] = FAR
    return Ways(offset, steps, far, np.zeros(len(tile), np.int64))


@kernel
def measure_all(ways):
    """Counts the steps from every cell."""
    for source in range(len(ways.far)):
        measure_from(ways, source)


@part
def measure_from(ways, source):
    """Counts the steps from a cell, unless they are known."""
    far, queue = ways.far[source], ways.queue
    if far[source] != UNKNOWN:
        return
    for at in range(len(far)):
        far[at] = FAR
    far[source] = 0
    queue[0] = source
    first, last = 0, 1
    while first != last:
        at = queue[first]
        first = (first + 1) % len(far)
        here, steps = far[at], ways.steps[at]
        for way in range(len(steps)):
            there = at + ways.offset[way]
            if steps[way] > 0 and here + steps[way] < far[there]:
                far[there] = here + steps[way]
                queue[last] = there
                last = (last + 1) % len(far)
