"""The solver's lower bound: the cheapest way to give each box a goal of its own, by pushes of a lone box.

A push changes the way of one box alone, by one at most, so the bound never falls by more than the push costs.
The assignment of the expanded state is made in full; that of each child only mends the row of its box.
(Kuhn's method with potentials, as in Jonker and Volgenant.)
"""

from __future__ import annotations

import numpy as np

from levelsmith.games.sokoban.solver.kernels.maze import survey
from levelsmith.kernels.compile import kernel, part

MOST_MATCHED = 128  # with more boxes the bound is the sum of the ways to the nearest goal
FAR = 65_535
BEYOND = 1 << 20  # more than the ways of all boxes together where each has one
# Rows of `match`: of boxes, of goals, and the box of each goal (one more than it), for the state; then as
# working copies; then what one augmentation needs.
OF_BOX, OF_GOAL, TAKEN, BOX_NOW, GOAL_NOW, TAKEN_NOW, SLACK, FROM = range(8)


@kernel
def least_pushes(alone, player):
    """Returns the bound by itself, of a `kernels.PushWorkspace`; -1 where some box has no goal to go to."""
    survey(alone, alone, False)
    match_all(alone, alone, player)
    if len(alone.at) <= MOST_MATCHED:
        return total(alone)
    pushes = np.int64(0)
    for i in range(len(alone.at)):
        pushes += alone.match[OF_BOX, i]
    return pushes if pushes < BEYOND else np.int64(-1)


@part
def match_all(maze, workspace, player):
    """Assigns every box of the state in the workspace anew, and keeps that for its children."""
    match, number = workspace.match, len(workspace.at)
    if number > MOST_MATCHED:
        for i in range(number):
            match[OF_BOX, i] = nearest(maze, workspace.at[i], maze.part_of[workspace.at[i], player])
        return
    for k in range(BOX_NOW, TAKEN_NOW + 1):
        for j in range(number + 1):
            match[k, j] = 0
    for i in range(number):
        write_ways(maze, workspace, i, maze.part_of[workspace.at[i], player])
        assign(workspace, i)
    for k in range(TAKEN + 1):
        for j in range(number + 1):
            match[k, j] = match[BOX_NOW + k, j]


@part
def match_again(maze, workspace, i, part_number):
    """Returns the bound of a child where box i was pushed; -1 where some box has no goal to go to."""
    match, number = workspace.match, len(workspace.at)
    if number > MOST_MATCHED:
        pushes = np.int64(nearest(maze, workspace.at[i], part_number))
        for j in range(number):
            if j != i:
                pushes += match[OF_BOX, j]
        return pushes if pushes < BEYOND else np.int64(-1)
    for k in range(TAKEN + 1):
        for j in range(number + 1):
            match[BOX_NOW + k, j] = match[k, j]
    match[BOX_NOW, i] = 0
    for j in range(1, number + 1):
        if match[TAKEN_NOW, j] == i + 1:
            match[TAKEN_NOW, j] = 0
    kept = workspace.ways
    for j in range(number):
        kept[j] = workspace.cost[i, j]
    write_ways(maze, workspace, i, part_number)
    assign(workspace, i)
    pushes = total(workspace)
    for j in range(number):
        workspace.cost[i, j] = kept[j]
    return pushes


@part
def nearest(maze, cell, part_number):
    """Returns the way to the nearest goal."""
    least = np.int64(BEYOND)
    for j in range(len(maze.goals)):
        pushes = np.int64(maze.distance[cell, part_number, j])
        if pushes < least and pushes != FAR:
            least = pushes
    return least


@part
def write_ways(maze, workspace, i, part_number):
    """Fills the row of costs of a box."""
    for j in range(len(maze.goals)):
        pushes = np.int64(maze.distance[workspace.at[i], part_number, j])
        workspace.cost[i, j] = BEYOND if pushes == FAR else pushes


@part
def assign(workspace, i):
    """Gives box i one of up to 256 goals, at the expense of others where that is cheapest."""
    cost, match, visited = workspace.cost, workspace.match, workspace.held
    number = len(workspace.at)
    of_box, of_goal, taken = match[BOX_NOW], match[GOAL_NOW], match[TAKEN_NOW]
    slack, came = match[SLACK], match[FROM]
    ways, best = cost[i], np.int64(2**40)
    for j in range(number):  # the number of a goal behind how far it is: of equal ones the first is least
        best = min(best, np.int64(ways[j] - of_goal[j + 1]) << 8 | j)
    least, goal = best >> 8, (best & 255) + 1
    if taken[goal] == 0:
        of_box[i] = least
        taken[goal] = i + 1
        return
    for j in range(number):
        slack[j + 1], came[j + 1], visited[j + 1] = ways[j] - of_goal[j + 1], 0, 0
    slack[0], visited[0], taken[0] = 0, 1, i + 1
    while taken[goal] != 0:
        visited[goal] = 1
        box = taken[goal] - 1
        before = least - of_box[box]
        least = np.int64(2**30)
        for j in range(1, number + 1):
            if not visited[j]:
                now = before + cost[box, j - 1] - of_goal[j]
                if now < slack[j]:
                    slack[j], came[j] = now, goal
                if slack[j] < least:
                    least, following = np.int64(slack[j]), j
        goal = following
    for j in range(number + 1):
        if visited[j]:
            of_box[taken[j] - 1] += least - slack[j]
            of_goal[j] -= least - slack[j]
            visited[j] = 0
    while goal != 0:
        taken[goal] = taken[came[goal]]
        goal = came[goal]


@part
def total(workspace):
    """Returns the pushes of the assignment; -1 where some box has no goal to go to."""
    pushes = np.int64(0)
    for j in range(1, len(workspace.at) + 1):
        one = np.int64(workspace.cost[workspace.match[TAKEN_NOW, j] - 1, j - 1])
        if one >= BEYOND:
            return np.int64(-1)
        pushes += one
    return pushes
