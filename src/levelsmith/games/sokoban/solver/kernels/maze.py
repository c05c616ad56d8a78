"""The tables of a board that the solver looks up: parts, distances, squares that are alive."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ONE, U

FAR = 65_535  # pushes to a goal that cannot be reached
SHUT, MARK = 8, 9  # places in `tally`: cells that the player cannot walk to, the number of the last flood
NOWHERE = -1


class Maze(NamedTuple):
    """What stays while a level is solved; its cells are those that the player could reach without boxes."""

    beside: NDArray[np.int32]  # [cells + 1, 4] the next cell up, down, left, right; `cells` for a wall
    goals: NDArray[np.int32]  # [goals] their cells
    on_goal: NDArray[np.uint8]  # [cells + 1]
    part_of: NDArray[np.uint8]  # [cells, cells] with a box on the first, the part that the second is in
    distance: NDArray[np.uint16]  # [cells, 4, goals] pushes of a lone box, by the player's part
    alive: NDArray[np.uint8]  # [cells, 4] whether a box pushed there that way can still get to a goal
    rank: NDArray[np.int32]  # [cells + 1] of a goal, 0 for those to be filled first


@kernel
def survey(maze, workspace, pulls):
    """Fills the tables of a maze: parts, distances, squares that no box may be pushed to.

    Distances are in pushes to a goal, or in pulls where the search is by pulls.
    """
    beside, part_of, distance, queue = maze.beside, maze.part_of, maze.distance, workspace.queue
    cells = len(part_of)
    for box in range(cells):
        parts = part_of[box]
        parts[:] = 0
        if not divides(beside, box):
            continue
        parts[:] = 255
        number = 0
        for d in range(4):
            first = beside[box, d]
            if first < cells and parts[first] == 255:
                parts[first] = number
                queue[0] = first
                end = 1
                begin = 0
                while begin < end:
                    here = queue[begin]
                    begin += 1
                    for e in range(4):
                        there = beside[here, e]
                        if there < cells and there != box and parts[there] == 255:
                            parts[there] = number
                            queue[end] = there
                            end += 1
                number += 1
    for j in range(len(maze.goals)):
        distance[:, :, j] = FAR
        goal = maze.goals[j]
        end = 0
        for number in range(4):
            distance[goal, number, j] = 0
            queue[end] = goal * 4 + number
            end += 1
        begin = 0
        while begin < end:  # takes the box away from the goal, by what undoes a push or a pull
            cell, number = queue[begin] >> 2, queue[begin] & 3
            begin += 1
            for d in range(4):
                near = beside[cell, d ^ 1]
                if near == cells or part_of[cell, near] != number:
                    continue
                before, player = (beside[cell, d], cell) if pulls else (near, beside[near, d ^ 1])
                if before == cells or player == cells:
                    continue
                side = part_of[before, player]
                if distance[before, side, j] == FAR:
                    distance[before, side, j] = distance[cell, number, j] + 1
                    queue[end] = before * 4 + side
                    end += 1
    for cell in range(cells):
        for d in range(4):
            maze.alive[cell, d] = 0
            player = beside[cell, d ^ 1]
            if player < cells:
                for j in range(len(maze.goals)):
                    if distance[cell, part_of[cell, player], j] != FAR:
                        maze.alive[cell, d] = 1


@part
def divides(beside, box):
    """Returns whether a box divides the cells beside it; if not, the player has one part."""
    cells = len(beside) - 1
    sides = links = 0
    for d in range(4):
        sides += beside[box, d] < cells
    for d in range(2):
        for e in range(2, 4):
            links += beside[box, d] < cells and beside[box, e] < cells and beside[beside[box, d], e] < cells
    return sides - links > 1


@part
def mark_region(maze, workspace, start):
    """Marks the cells that can be walked to from a cell with the number in the tally; returns how many."""
    beside, marks, occupied, queue = maze.beside, workspace.marks, workspace.occupied, workspace.queue
    mark = workspace.tally[MARK]
    marks[start] = mark
    queue[0] = start
    begin, end = 0, 1
    while begin < end:
        here = queue[begin]
        begin += 1
        for d in range(4):
            there = beside[here, d]
            if marks[there] != mark and not occupied[there]:
                marks[there] = mark
                queue[end] = there
                end += 1
    return end


@part
def first_cell(maze, workspace, start):
    """Returns the lowest cell that the player can walk to; notes in the tally how many it cannot reach."""
    beside, marks, occupied, queue = maze.beside, workspace.marks, workspace.occupied, workspace.queue
    workspace.tally[MARK] += 1
    mark = workspace.tally[MARK]
    cells = len(maze.part_of)
    found = np.int64(start)
    marks[start] = mark
    marks[cells] = mark
    queue[0] = start
    begin, end = 0, 1
    while begin < end:
        here = queue[begin]
        begin += 1
        for d in range(4):
            there = beside[here, d]
            if marks[there] != mark and not occupied[there]:
                marks[there] = mark
                queue[end] = there
                end += 1
                if there < found:
                    found = np.int64(there)
    workspace.tally[SHUT] = cells - len(workspace.at) - end
    return found


@part
def bit(cell):
    """Returns the bit of a cell in its word."""
    return ONE << U(cell & 63)
