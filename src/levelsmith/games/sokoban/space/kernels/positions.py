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

FOUND, SEEN, PUSHES, DEAD, MARK = range(5)  # of `tally`
TALLIES = 5
NOBODY = -1  # in a slot of the table


class Positions(NamedTuple):
    """Positions in the order in which they were found; those up to SEEN have been looked at."""

    boxes: NDArray[np.int16]  # [room, boxes] their cells, in order
    player: NDArray[np.int16]  # [room] the first cell that he can walk to
    first: NDArray[np.int64]  # [room + 1] where the pushes of a position begin in `to`
    to: NDArray[np.int32]  # [4 * boxes * room] the position that a push leads to
    table: NDArray[np.int32]  # [a power of two] the positions by their keys
    occupied: NDArray[np.uint8]  # [cells + 1]
    marks: NDArray[np.int64]  # [2, cells + 1] of the position that is looked at, and of the one after a push
    queue: NDArray[np.int32]  # [cells]
    tally: NDArray[np.int64]  # [TALLIES]


@part
def flood(maze, positions, which, start):
    """Marks the cells that the player can walk to with the next number; returns the first of them."""
    marks, queue, cells = positions.marks[which], positions.queue, len(maze.part_of)
    positions.tally[MARK] += 1
    mark, least = positions.tally[MARK], start
    marks[start] = mark
    queue[0] = start
    begin, end = 0, 1
    while begin < end:
        here = queue[begin]
        begin += 1
        least = min(least, here)
        for d in range(4):
            there = maze.beside[here, d]
            if there < cells and not positions.occupied[there] and marks[there] != mark:
                marks[there] = mark
                queue[end] = there
                end += 1
    return least


@part
def place_of(positions, row):
    """Returns the slot of the position in a row: its own, or a free one."""
    boxes = positions.boxes
    key = U(positions.player[row]) + U(1)
    for i in range(boxes.shape[1]):
        key = (key ^ U(boxes[row, i])) * U(0xFF51AFD7ED558CCD)
        key ^= key >> U(29)
    last = U(len(positions.table) - 1)
    slot = (key >> U(7)) & last
    while True:
        other = positions.table[np.int64(slot)]
        if other == NOBODY:
            return np.int64(slot)
        same = positions.player[other] == positions.player[row]
        for i in range(boxes.shape[1]):
            same = same and boxes[other, i] == boxes[row, i]
        if same:
            return np.int64(slot)
        slot = (slot + U(1)) & last


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
    boxes, occupied, tally, cells = positions.boxes, positions.occupied, positions.tally, len(maze.part_of)
    number, room = boxes.shape[1], len(positions.player) - 1  # the last row is where the next one is tried
    for i in range(number):
        occupied[boxes[0, i]] = 1
    positions.player[0] = flood(maze, positions, 0, player)
    for i in range(number):
        occupied[boxes[0, i]] = 0
    positions.table[place_of(positions, 0)] = 0
    tally[FOUND] = 1
    while tally[SEEN] < tally[FOUND]:
        here = tally[SEEN]
        for i in range(number):
            occupied[boxes[here, i]] = 1
        flood(maze, positions, 0, np.int64(positions.player[here]))
        walked = tally[MARK]
        for i in range(number):
            box = np.int64(boxes[here, i])
            for d in range(4):
                there, behind = np.int64(maze.beside[box, d]), maze.beside[box, d ^ 1]
                if (
                    there == cells
                    or behind == cells
                    or occupied[there]
                    or positions.marks[0, behind] != walked
                ):
                    continue
                if not maze.alive[there, d]:
                    tally[DEAD] += 1
                    continue
                new = tally[FOUND]
                for j in range(number):
                    boxes[new, j] = boxes[here, j]
                move_box(boxes, new, i, there)
                occupied[box], occupied[there] = 0, 1
                positions.player[new] = flood(maze, positions, 1, box)
                occupied[box], occupied[there] = 1, 0
                slot = place_of(positions, new)
                if positions.table[slot] == NOBODY:
                    if new == room:
                        return False
                    positions.table[slot] = new
                    tally[FOUND] += 1
                positions.to[tally[PUSHES]] = positions.table[slot]
                tally[PUSHES] += 1
        for i in range(number):
            occupied[boxes[here, i]] = 0
        tally[SEEN] += 1
        positions.first[tally[SEEN]] = tally[PUSHES]
    return True
