"""The order in which goals had better be filled, found by pulling boxes away from the filled board."""

from __future__ import annotations

import numpy as np

from levelsmith.games.sokoban.solver.kernels.maze import MARK, first_cell, mark_region
from levelsmith.kernels.compile import kernel, part


@kernel
def order_goals(maze, workspace, seen, reached, starts, most_pulls):
    """Ranks the goals: with a box on each, those of the last rank can leave first, then those before them.

    A box leaves by pulls to where boxes start, others in its way, the player from the largest region.
    Those leave that come to half as many starts as the best one. The order is a hint and no more.

    Args:
        maze: of the level; its ranks are written.
        workspace: with the boxes where they start.
        seen: scratch `[4 * cells]` of zeros.
        reached: scratch `[4 * cells]`.
        starts: scratch `[goals]`.
        most_pulls: after so many, goals that have no rank yet are left without.
    """
    rank, occupied, goals = maze.rank, workspace.occupied, maze.goals
    number = len(goals)
    for j in range(number):
        rank[goals[j]] = 0
        occupied[goals[j]] = 1
    turn, most, stamp, pulls = number, 1, 0, 0
    while most > 0:
        most = 0
        outside = largest_region(maze, workspace)
        for j in range(number):
            starts[j] = 0
            if occupied[goals[j]]:
                stamp += 1
                pulls += pull(maze, workspace, seen, reached, stamp, goals[j], outside, most_pulls - pulls)
                starts[j] = starts_seen(workspace, seen, stamp, goals[j])
            most = max(most, starts[j])
        if pulls >= most_pulls:
            break
        for j in range(number):
            if starts[j] > 0 and 2 * starts[j] >= most:
                rank[goals[j]] = turn
                occupied[goals[j]] = 0
        turn -= 1
    occupied[:] = 0


@part
def largest_region(maze, workspace):
    """Returns a cell of the largest region without boxes."""
    marks, occupied = workspace.marks, workspace.occupied
    cells = len(maze.part_of)
    workspace.tally[MARK] += 1
    mark = workspace.tally[MARK]
    marks[cells] = mark
    largest, found = 0, 0
    for start in range(cells):
        if occupied[start] or marks[start] == mark:
            continue
        end = mark_region(maze, workspace, start)
        if end > largest:
            largest, found = end, start
    return found


@part
def pull(maze, workspace, seen, reached, stamp, goal, outside, most):
    """Pulls the box on a goal wherever it can go, and stamps that; returns how many pulls there were."""
    beside, occupied, marks = maze.beside, workspace.occupied, workspace.marks
    cells = len(maze.part_of)
    occupied[goal] = 0
    here, stands = np.int64(goal), np.int64(outside)
    number, done = 0, -1
    while True:
        occupied[here] = 1
        first_cell(maze, workspace, stands)
        mark = workspace.tally[MARK]
        occupied[here] = 0
        for d in range(4):
            to = beside[here, d]
            player = beside[to, d]
            if to == cells or player == cells or occupied[to] or occupied[player]:
                continue
            if marks[to] == mark and seen[to * 4 + d] != stamp:
                seen[to * 4 + d] = stamp
                reached[number] = to * 4 + d
                number += 1
        done += 1
        if done >= number or done >= most:
            break
        here = np.int64(reached[done] >> 2)
        stands = np.int64(beside[here, reached[done] & 3])
    occupied[goal] = 1
    return number


@part
def starts_seen(workspace, seen, stamp, goal):
    """Returns how many cells where boxes start are stamped."""
    starts = 0
    for i in range(len(workspace.at)):
        cell = workspace.at[i]
        there = cell != goal and (
            seen[cell * 4] == stamp
            or seen[cell * 4 + 1] == stamp
            or seen[cell * 4 + 2] == stamp
            or seen[cell * 4 + 3] == stamp
        )
        starts += 1 if there else 0
    return starts
