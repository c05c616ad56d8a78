"""Proofs that a few boxes around a region which the player cannot enter can never be brought to goals.

All other boxes are taken away, which only makes it easier. If even then the player can never enter the
region, nor all the boxes come to goals, then no solution follows. What was proved is kept for the level.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.solver.kernels.maze import MARK, NOWHERE, bit, first_cell
from levelsmith.kernels.compile import part
from levelsmith.kernels.words import ONE, ZERO, U, lowest

MOST_POSITIONS = 1_000  # of a proof
MOST_FENCE = 14  # boxes
KEPT = 1 << 16  # verdicts
OPEN, DEAD = 0, 1
VERDICTS, POSITIONS = 0, 1  # places in `counts`


class Corrals(NamedTuple):
    """Verdicts so far, and scratch for one proof."""

    counts: NDArray[np.int64]  # [2] verdicts, and positions met in all proofs
    boxes: NDArray[np.uint64]  # [KEPT, words]
    where: NDArray[np.int64]  # [KEPT] the first cells of the player's region and of the corral, in one number
    verdict: NDArray[np.uint8]  # [KEPT]
    table: NDArray[np.int32]  # [2 * KEPT] by hash
    fence: NDArray[np.int32]  # [boxes] cells
    position: NDArray[np.uint64]  # [MOST_POSITIONS + 64, words] boxes of a proof
    player: NDArray[np.int32]  # [MOST_POSITIONS + 64]
    places: NDArray[np.int32]  # [4 * MOST_POSITIONS] by hash
    key: NDArray[np.uint64]  # [words]


@part
def dead_corral(maze, workspace, corrals, player):
    """Returns whether some region that the player cannot enter is proved to stay shut for good.

    The boxes are in the workspace, and the regions are marked.
    """
    region, occupied, at = workspace.region, workspace.occupied, workspace.at
    cells = len(maze.part_of)
    known = 0
    for first in range(cells):
        if region[first] <= known:
            continue
        known = region[first]
        number = fence_of(maze, workspace, corrals, known)
        for _ in range(2):
            if number > MOST_FENCE:
                break
            for i in range(len(at)):
                occupied[at[i]] = 0
            verdict = judge(maze, workspace, corrals, number, player, first, known)
            for i in range(len(at)):
                occupied[at[i]] = 1
            if verdict == DEAD:
                return True
            wider = widened(maze, workspace, corrals, number)
            if wider == number:
                break
            number = wider
    return False


@part
def fence_of(maze, workspace, corrals, known):
    """Writes the boxes beside a region into `fence`; returns how many they are."""
    number = 0
    for i in range(len(workspace.at)):
        box = workspace.at[i]
        for d in range(4):
            if workspace.region[maze.beside[box, d]] == known:
                corrals.fence[number] = box
                number += 1
                break
    return number


@part
def widened(maze, workspace, corrals, number):
    """Adds the boxes beside those of the fence to it; returns how many there are then."""
    held = workspace.held
    for k in range(number):
        held[corrals.fence[k]] = 1
    wider = number
    for i in range(len(workspace.at)):
        box = workspace.at[i]
        if held[box]:
            continue
        for d in range(4):
            beside = maze.beside[box, d]
            if held[beside] == 1:
                corrals.fence[wider] = box
                wider += 1
                break
    for k in range(number):
        held[corrals.fence[k]] = 0
    return wider


@part
def judge(maze, workspace, corrals, number, player, first, known):
    """Returns the verdict on the boxes of the fence, with no others on the board."""
    key, fence = corrals.key, corrals.fence
    key[:] = ZERO
    home = True
    for k in range(number):
        key[fence[k] >> 6] |= bit(fence[k])
        home = home and maze.on_goal[fence[k]] == 1
        workspace.occupied[fence[k]] = 1
    if home:
        for k in range(number):
            workspace.occupied[fence[k]] = 0
        return OPEN
    stands = first_cell(maze, workspace, player)
    for k in range(number):
        workspace.occupied[fence[k]] = 0
    where = np.int64(stands) * len(maze.part_of) + first
    mask = len(corrals.table) - 1
    place = np.int64(hashed_position(key, where) & U(mask))
    while corrals.table[place] != NOWHERE:
        one = corrals.table[place]
        if corrals.where[one] == where and same(corrals.boxes, one, key):
            return np.int64(corrals.verdict[one])
        place = (place + 1) & mask
    verdict = prove(maze, workspace, corrals, stands, known)
    if corrals.counts[VERDICTS] < KEPT:
        one = corrals.counts[VERDICTS]
        corrals.counts[VERDICTS] += 1
        corrals.table[place] = one
        corrals.where[one], corrals.verdict[one] = where, verdict
        for j in range(len(key)):
            corrals.boxes[one, j] = key[j]
    return verdict


@part
def same(rows, one, key):
    equal = True
    for j in range(len(key)):
        equal = equal and rows[one, j] == key[j]
    return equal


@part
def hashed_position(boxes, where):
    value = U(where) * U(0x9E3779B97F4A7C15)
    for i in range(len(boxes)):
        value = (value ^ boxes[i]) * U(0xBF58476D1CE4E5B9)
        value ^= value >> U(29)
    value *= U(0x94D049BB133111EB)
    return value ^ (value >> U(32))


@part
def prove(maze, workspace, corrals, stands, known):
    """Returns DEAD where all positions of the boxes in `key` are met and none opens the corral."""
    key, occupied = corrals.key, workspace.occupied
    beside, marks, region = maze.beside, workspace.marks, workspace.region
    cells, words = len(maze.part_of), len(corrals.key)
    corrals.places[:] = NOWHERE
    for j in range(words):
        corrals.position[0, j] = key[j]
    corrals.player[0] = stands
    corrals.places[np.int64(hashed_position(key, np.int64(stands)) & U(len(corrals.places) - 1))] = 0
    end = np.int64(1)
    now = np.int64(0)
    verdict = DEAD
    while now < end and verdict == DEAD:
        for j in range(words):
            word = corrals.position[now, j]
            while word != ZERO:
                occupied[64 * j + lowest(word)] = 1
                word &= word - ONE
        first_cell(maze, workspace, np.int64(corrals.player[now]))
        mark = workspace.tally[MARK]
        for cell in range(cells):
            if region[cell] == known and marks[cell] == mark:
                verdict = OPEN
                break
        for j in range(words):
            if verdict == OPEN:
                break
            word = corrals.position[now, j]
            while word != ZERO and verdict == DEAD:
                box = 64 * j + lowest(word)
                word &= word - ONE
                first_cell(maze, workspace, np.int64(corrals.player[now]))
                mark = workspace.tally[MARK]
                sides = 0
                for d in range(4):
                    behind, to = beside[box, d ^ 1], beside[box, d]
                    free = behind < cells and to < cells and not occupied[behind] and not occupied[to]
                    if free and marks[behind] == mark and maze.alive[to, d]:
                        sides |= 1 << d
                for d in range(4):
                    if not sides >> d & 1:
                        continue
                    to = np.int64(beside[box, d])
                    occupied[box], occupied[to] = 0, 1
                    stopped = add_position(maze, workspace, corrals, now, end, box, to)
                    occupied[box], occupied[to] = 1, 0
                    if stopped < 0:
                        verdict = OPEN
                        break
                    end = stopped
        for j in range(words):
            word = corrals.position[now, j]
            while word != ZERO:
                occupied[64 * j + lowest(word)] = 0
                word &= word - ONE
        now += 1
    corrals.counts[POSITIONS] += end
    return verdict


@part
def add_position(maze, workspace, corrals, now, end, box, to):
    """Adds the position after a push; returns how many there are, or -1 where nothing can be proved."""
    words = len(corrals.key)
    position = corrals.position[end]
    home = True
    for j in range(words):
        position[j] = corrals.position[now, j]
    position[box >> 6] ^= bit(box)
    position[to >> 6] ^= bit(to)
    for j in range(words):
        word = position[j]
        while word != ZERO:
            home = home and maze.on_goal[64 * j + lowest(word)] == 1
            word &= word - ONE
    if home or end >= MOST_POSITIONS:
        return np.int64(-1)
    if jammed(maze, workspace, to):
        return end
    stands = first_cell(maze, workspace, np.int64(box))
    mask = len(corrals.places) - 1
    place = np.int64(hashed_position(position, np.int64(stands)) & U(mask))
    while corrals.places[place] != NOWHERE:
        one = corrals.places[place]
        if corrals.player[one] == stands and same(corrals.position, one, position):
            return end
        place = (place + 1) & mask
    corrals.places[place] = end
    corrals.player[end] = stands
    return end + 1


@part
def jammed(maze, workspace, box):
    """Returns whether a box just pushed is in a square of walls and boxes, some of them off the goals."""
    beside, occupied, on_goal = maze.beside, workspace.occupied, maze.on_goal
    cells = len(maze.part_of)
    for d in range(2):
        for e in range(2, 4):
            one, two = beside[box, d], beside[box, e]
            if one < cells and not occupied[one]:
                continue
            if two < cells and not occupied[two]:
                continue
            if one < cells:
                three = beside[one, e]
            elif two < cells:
                three = beside[two, d]
            else:
                return on_goal[box] == 0
            if three < cells and not occupied[three]:
                continue
            if (
                on_goal[box] == 0
                or (one < cells and on_goal[one] == 0)
                or (two < cells and on_goal[two] == 0)
            ):
                return True
            if three < cells and on_goal[three] == 0:
                return True
    return False
