"""Finds the positions of a level that pushes lead to, each once, and the pushes between them.

Positions in which the player can walk from one to the other are the same. Pushes onto squares from which no
box gets to a goal are counted and not followed: everybody sees that they lose.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import U

FOUND, PUSHES, DEAD = range(3)  # of `tally`
TALLIES = 3
NOBODY = -1  # in a slot of the table, and behind the last of the positions that have the same boxes


class Positions(NamedTuple):
    """Positions in the order in which they were found. Of those with the same boxes, the first one counts."""

    boxes: NDArray[np.int16]  # [room + 1, boxes] their cells, in order
    player: NDArray[np.int16]  # [room + 1] the first cell that he can walk to
    same: NDArray[np.int32]  # [room + 1] the first position with the same boxes
    after: NDArray[np.int32]  # [room + 1] the next one with the same boxes
    walks: NDArray[np.int16]  # [room + 1, cells] of a first one: from each cell the first that is walked to
    first: NDArray[np.int64]  # [room + 2] where the pushes of a position begin in `to`
    to: NDArray[np.int32]  # [4 * boxes * (room + 1)] the position that a push leads to
    table: NDArray[np.int32]  # [a power of two] first positions by the key of their boxes
    queue: NDArray[np.int32]  # [cells]
    tally: NDArray[np.int64]  # [TALLIES]


@part
def mark_walks(maze, positions, row):
    """Finds out where the player can walk to from where, between the boxes of a position."""
    walks, queue, cells = positions.walks[row], positions.queue, len(maze.part_of)
    for cell in range(cells):
        walks[cell] = NOBODY
    for i in range(positions.boxes.shape[1]):
        walks[positions.boxes[row, i]] = cells
    for cell in range(cells):
        if walks[cell] != NOBODY:
            continue
        walks[cell] = cell
        queue[0] = cell
        begin, end = 0, 1
        while begin < end:
            here = queue[begin]
            begin += 1
            for d in range(4):
                there = maze.beside[here, d]
                if there < cells and walks[there] == NOBODY:
                    walks[there] = cell
                    queue[end] = there
                    end += 1


@part
def place_of(positions, row):
    """Returns the slot of the boxes in a row: their own, or a free one."""
    boxes = positions.boxes
    key = U(1)
    for i in range(boxes.shape[1]):
        key = (key ^ U(boxes[row, i])) * U(0xFF51AFD7ED558CCD)
        key ^= key >> U(29)
    last = U(len(positions.table) - 1)
    slot = (key >> U(7)) & last
    while True:
        other = positions.table[np.int64(slot)]
        if other == NOBODY:
            return np.int64(slot)
        same = True
        for i in range(boxes.shape[1]):
            same = same and boxes[other, i] == boxes[row, i]
        if same:
            return np.int64(slot)
        slot = (slot + U(1)) & last


@part
def number_of(maze, positions, cell):
    """Returns the number of the position in the row behind the last, with the player on a cell: that of one
    which was found before, or else the next; it is added where there is room."""
    new = positions.tally[FOUND]
    slot = place_of(positions, new)
    first = np.int64(positions.table[slot])
    if first == NOBODY:
        mark_walks(maze, positions, new)
        positions.player[new] = positions.walks[new, cell]
        if new < len(positions.player) - 1:
            positions.table[slot] = positions.same[new] = new
            positions.tally[FOUND] += 1
        return new
    player, last = positions.walks[first, cell], first
    while positions.player[last] != player:
        if positions.after[last] == NOBODY:
            if new < len(positions.player) - 1:
                positions.after[last], positions.same[new], positions.player[new] = new, first, player
                positions.tally[FOUND] += 1
            return new
        last = np.int64(positions.after[last])
    return last


@part
def move_box(boxes, row, i, there):
    """Moves a box of a position to a cell, and keeps their order."""
    while i > 0 and boxes[row, i - 1] > there:
        boxes[row, i] = boxes[row, i - 1]
        i -= 1
    while i + 1 < boxes.shape[1] and boxes[row, i + 1] < there:
        boxes[row, i] = boxes[row, i + 1]
        i += 1
    boxes[row, i] = there


@kernel
def explore(maze, positions, player):
    """Finds positions from that of the first row on, until all are found or there is no more room.

    Returns whether all were found.
    """
    boxes, tally, cells = positions.boxes, positions.tally, len(maze.part_of)
    number, room = boxes.shape[1], len(positions.player) - 1  # the last row is where the next one is tried
    number_of(maze, positions, player)
    here = np.int64(0)
    while here < tally[FOUND]:
        walks, from_here = positions.walks[positions.same[here]], positions.player[here]
        for i in range(number):
            box = np.int64(boxes[here, i])
            for d in range(4):
                there, behind = np.int64(maze.beside[box, d]), np.int64(maze.beside[box, d ^ 1])
                if there == cells or behind == cells or walks[there] == cells or walks[behind] != from_here:
                    continue
                if not maze.alive[there, d]:
                    tally[DEAD] += 1
                    continue
                new = tally[FOUND]
                for j in range(number):
                    boxes[new, j] = boxes[here, j]
                move_box(boxes, new, i, there)
                after = number_of(maze, positions, box)
                if after == room:
                    return False
                positions.to[tally[PUSHES]] = after
                tally[PUSHES] += 1
        here += 1
        positions.first[here] = tally[PUSHES]
    return True
