"""What the solver may leave out without losing a shortest solution: frozen boxes, and all but one corral."""

from __future__ import annotations

import numpy as np

from levelsmith.games.sokoban.solver.kernels.maze import MARK
from levelsmith.kernels.compile import part

NONE = -1  # region of a box


@part
def walk(maze, workspace, player):
    """Marks the region of the player, with the steps to each cell of it; all else is in no region yet."""
    beside, region, steps, queue = maze.beside, workspace.region, workspace.steps, workspace.queue
    cells = len(maze.part_of)
    region[:] = NONE
    region[player], steps[player] = 0, 0
    queue[0] = player
    begin, end = 0, 1
    while begin < end:
        here = queue[begin]
        begin += 1
        for d in range(4):
            there = beside[here, d]
            if there < cells and region[there] == NONE and not workspace.occupied[there]:
                region[there], steps[there] = 0, steps[here] + 1
                queue[end] = there
                end += 1


@part
def freezes(maze, workspace, i):
    """Returns whether box i, just pushed, can never be moved again, so that a box stays off the goals.

    A box is held while no axis lets it move: a wall or a held box on either side, or only dead squares to go
    to. All boxes are taken to be held until one is found that is not, so what remains holds itself.
    """
    beside, alive = maze.beside, maze.alive
    held, occupied, at = workspace.held, workspace.occupied, workspace.at
    cells = len(maze.part_of)
    box = at[i]
    for axis in range(0, 4, 2):
        one, two = beside[box, axis], beside[box, axis + 1]
        clear = one < cells and two < cells and not occupied[one] and not occupied[two]
        if clear and (alive[one, axis] or alive[two, axis + 1]):
            return False
    for j in range(len(at)):
        held[at[j]] = 1
    changed = True
    while changed and held[box]:
        changed = False
        for j in range(len(at)):
            cell = at[j]
            if not held[cell]:
                continue
            for axis in range(0, 4, 2):
                one, two = beside[cell, axis], beside[cell, axis + 1]
                clear = one < cells and two < cells and not held[one] and not held[two]
                if clear and (alive[one, axis] or alive[two, axis + 1]):
                    held[cell] = 0
                    changed = True
                    break
    stuck = False
    if held[box]:
        for j in range(len(at)):
            if held[at[j]] and not maze.on_goal[at[j]]:
                stuck = True
        stuck = stuck or cut_off(maze, workspace)
    for j in range(len(at)):
        held[at[j]] = 0
    return stuck


@part
def cut_off(maze, workspace):
    """Returns whether held boxes, walls from now on, keep a goal from all boxes or a box from all goals."""
    beside, held, occupied, reached, queue = (
        maze.beside,
        workspace.held,
        workspace.occupied,
        workspace.corrals[2],
        workspace.queue,
    )
    cells = len(maze.part_of)
    for j in range(len(workspace.at)):
        reached[workspace.at[j]] = 0
    for j in range(len(maze.goals)):
        goal = maze.goals[j]
        if held[goal]:
            continue
        workspace.tally[MARK] += 1
        mark = workspace.tally[MARK]
        workspace.marks[goal] = mark
        queue[0] = goal
        begin, end = 0, 1
        boxes = 0
        while begin < end:  # pulls a box away from the goal
            here = queue[begin]
            begin += 1
            if occupied[here]:
                boxes += 1
                reached[here] = 1
            for d in range(4):
                there = beside[here, d]
                if there == cells or held[there] or workspace.marks[there] == mark:
                    continue
                player = beside[there, d]
                if player < cells and not held[player]:
                    workspace.marks[there] = mark
                    queue[end] = there
                    end += 1
        if boxes == 0:
            return True
    left = False
    for j in range(len(workspace.at)):
        left = left or (not held[workspace.at[j]] and not reached[workspace.at[j]])
    return left


# -------------------------------------------------------------------------------------------------- corrals


@part
def choose_corral(maze, workspace):
    """Returns whether some corral comes first, and if so, marks its regions in row 1 of `corrals`.

    A corral is a set of regions that the player cannot enter. Its boxes are those that touch it. If they can
    only be pushed into it, whatever happens outside, and all those pushes can be made now, and one of the
    boxes is off the goals, then any solution has a first such push, and it may as well be made at once:
    what a solution does before happens outside, where the push only makes room. So the other pushes can
    wait. Of several corrals the one with the fewest pushes is taken. (A PI-corral; the number of pushes of a
    solution stays what it is, the number of moves need not.)
    """
    beside, region, queue, occupied = maze.beside, workspace.region, workspace.queue, workspace.occupied
    cells = len(maze.part_of)
    regions = 0
    for first in range(cells):
        if region[first] != NONE or occupied[first]:
            continue
        regions += 1
        region[first] = regions
        queue[0] = first
        begin, end = 0, 1
        while begin < end:
            here = queue[begin]
            begin += 1
            for d in range(4):
                there = beside[here, d]
                if there < cells and region[there] == NONE and not occupied[there]:
                    region[there] = regions
                    queue[end] = there
                    end += 1
    fewest = np.int64(-1)
    for first in range(1, regions + 1):
        pushes = pushes_into(maze, workspace, regions, first)
        if pushes >= 0 and (fewest < 0 or pushes < fewest):
            fewest = pushes
            for r in range(regions + 1):
                workspace.corrals[1, r] = workspace.corrals[0, r]
    return fewest >= 0


@part
def pushes_into(maze, workspace, regions, first):
    """Returns how many pushes lead into the corral around a region; -1 where it need not come first.

    Where a box may be pushed to or from another region, that region joins the corral.
    """
    beside, region, occupied, at = maze.beside, workspace.region, workspace.occupied, workspace.at
    inside, touching = workspace.corrals[0], workspace.corrals[2]
    cells = len(maze.part_of)
    for r in range(regions + 1):
        inside[r] = 0
    inside[first] = 1
    pushes = np.int64(0)
    open_still = True
    while open_still:
        open_still = False
        pushes, needed = np.int64(0), False
        for i in range(len(at)):
            touching[at[i]] = 0
            for d in range(4):
                there = beside[at[i], d]
                if region[there] > 0 and inside[region[there]]:
                    touching[at[i]] = 1
        for i in range(len(at)):
            box = at[i]
            if not touching[box] or pushes < 0 or open_still:
                continue
            needed = needed or not maze.on_goal[box]
            for d in range(4):
                to, behind = beside[box, d], beside[box, d ^ 1]
                if to == cells or behind == cells or not maze.alive[to, d]:
                    continue
                if (occupied[to] and touching[to]) or (occupied[behind] and touching[behind]):
                    continue
                if region[behind] > 0 and inside[region[behind]]:
                    continue
                if region[behind] > 0:
                    inside[region[behind]] = 1
                    open_still = True
                elif region[to] > 0 and not inside[region[to]]:
                    inside[region[to]] = 1
                    open_still = True
                elif region[to] > 0 and region[behind] == 0:
                    pushes += 1
                else:
                    return np.int64(-1)
                if open_still:
                    break
        if not open_still and not needed:
            return np.int64(-1)
    return pushes
