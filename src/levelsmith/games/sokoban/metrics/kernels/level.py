"""The compiled metrics of a Sokoban level and of the solution that it carries."""

from __future__ import annotations

import numpy as np

from levelsmith.games.sokoban.metrics.kernels.difficulty import OFFSET, WEIGHTS
from levelsmith.games.sokoban.metrics.kernels.form import form_metric, walked_over
from levelsmith.games.sokoban.rules.kernels import board as sokoban
from levelsmith.games.sokoban.solver.kernels.matching import least_pushes
from levelsmith.kernels.bits import (
    added,
    both,
    cleared,
    count,
    either,
    empty,
    has,
    member_from,
    minus,
    removed,
)
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.maths import exp, log1p
from levelsmith.kernels.problem import implement, metric

BY_WALKS, BY_DETOUR = WEIGHTS["walks"], WEIGHTS["detour"]
JOINED, PULL = range(2)  # rows of `Board.joined`
BOX_WALLS = len(sokoban.METRICS)  # a part of scores, and no metric: walls beside boxes


@implement(metric, sokoban.Measured)
def sokoban_metric(game, cells, k):
    """Returns the k-th metric; 0 for a board without boxes, where there is nothing to play."""
    if cells.boxes == 0:
        return 0.0
    if k == BOX_WALLS:
        return box_walls(game.board, cells)
    if k >= sokoban.PUSHES:
        return solution_metric(game.board, game.alone, cells, k)
    return board_metric(game.board, cells, k)


@part
def box_walls(board, puzzle):
    """Returns how often a box has a wall on one of its four sides: what `contacts` is of empty cells."""
    total = np.int64(0)
    for direction in range(4):
        total += count(both(puzzle.starts, sokoban.shifted(board, puzzle.walls, direction)))
    return float(total)


@part
def board_metric(board, puzzle, k):
    """Returns a metric that needs no more than the pairs of boxes and goals."""
    if k == sokoban.BOXES:
        return float(puzzle.boxes)
    if k == sokoban.SOLVED:
        return float(count(both(puzzle.starts, puzzle.goals)))
    if k == sokoban.BLOCKS:
        mixed = count(board.corners) - sokoban.uniform_windows(board, puzzle.walls)
        return float(mixed - sokoban.uniform_windows(board, minus(board.every, puzzle.walls)))
    if k == sokoban.TERRAIN:
        return float(sokoban.contacts(board, puzzle))
    if k == sokoban.BORDER:
        return float(sokoban.border_contacts(board, puzzle))
    if k == sokoban.DIAGONALS:
        return float(sokoban.diagonal_squares(board, puzzle.walls))
    if k >= sokoban.GOAL_GROUPS:
        return form_metric(board, puzzle, k)
    return sokoban.between(board, puzzle, k)


@kernel
def solution_metric(board, alone, puzzle, k):
    """Returns a metric of the level's solution. A kernel, not a part: it is long, and seldom called."""
    if k == sokoban.DEAD_SHARE:
        return dead_share(board, puzzle)
    if k == sokoban.COUNTERINTUITIVE:
        goal_distances(board, puzzle)
    for box in range(puzzle.boxes):
        board.box_at[puzzle.start_of[box]] = box
        board.joined[PULL, box] = 0
        for other in range(puzzle.boxes):
            board.changes[box, other] = 0
    boxes, player = puzzle.starts, np.int64(puzzle.player)
    used = added(either(boxes, puzzle.goals), player)
    last_box, last_direction = np.int64(-1), np.int64(-1)
    pushes = moves = lines = changes = sessions = away = np.int64(0)
    for i in range(puzzle.pushes):
        cell, direction = np.int64(puzzle.path[i]) >> 2, np.int64(puzzle.path[i]) & 3
        if not has(boxes, cell):
            continue
        to, back = cell + sokoban.stride(board, direction), cell - sokoban.stride(board, direction)
        box = board.box_at[cell]
        pushes += 1
        if k in (sokoban.MOVES, sokoban.DIFFICULTY):
            moves += 1 + steps_between(board, player, back, minus(minus(board.every, puzzle.walls), boxes))
        if k == sokoban.UNUSED_FLOOR:
            open_cells = minus(minus(board.every, puzzle.walls), boxes)
            used = added(either(used, walked_over(board, player, back, open_cells)), to)
        board.joined[PULL, box] += 1
        lines += 1 if box != last_box or direction != last_direction else 0
        sessions += 1 if player != back or last_box < 0 else 0
        away += 1 if board.distance[to] > board.distance[cell] else 0
        if last_box >= 0 and box != last_box:
            changes += 1
            board.changes[box, last_box] += 1
            board.changes[last_box, box] += 1
        boxes = added(removed(boxes, cell), to)
        board.box_at[to] = box
        player, last_box, last_direction = cell, box, direction
    if k in (sokoban.DETOUR, sokoban.DIFFICULTY):
        detour = pushes - pushes_alone(board, alone, puzzle)
        return (
            difficulty_of(board, puzzle, pushes, moves, detour) if k == sokoban.DIFFICULTY else float(detour)
        )
    if k == sokoban.UNUSED_FLOOR:
        return 1.0 - count(used) / count(minus(board.every, puzzle.walls))
    if k == sokoban.SELDOM_PUSHED:
        seldom = np.int64(0)
        for box in range(puzzle.boxes):
            seldom += 1 if board.joined[PULL, box] <= sokoban.SELDOM else 0
        return seldom / puzzle.boxes
    if k == sokoban.DECOMPOSITION:
        return float(least_cut(board, puzzle.boxes))
    if k == sokoban.PUSHES:
        return float(pushes)
    if k == sokoban.MOVES:
        return float(moves)
    if k == sokoban.BOX_LINES:
        return float(lines)
    if k == sokoban.BOX_CHANGES:
        return float(changes)
    return float(sessions if k == sokoban.SESSIONS else away)


@part
def difficulty_of(board, puzzle, pushes, moves, detour):
    """Returns the difficulty as `difficulty.py` estimates it from a solution."""
    if pushes == 0:
        return 0.0
    floor = count(
        sokoban.reached(board, sokoban.only(board, puzzle.player), minus(board.every, puzzle.walls))
    )
    total = OFFSET + BY_WALKS * log1p((moves - pushes) / floor) + BY_DETOUR * log1p(float(detour))
    return 100.0 / (1.0 + exp(-total))


@part
def pushes_alone(board, workspace, puzzle):
    """Returns the fewest pushes of all boxes if none were ever in the way of another."""
    cells = count(board.every)
    floor = sokoban.reached(board, sokoban.only(board, puzzle.player), minus(board.every, puzzle.walls))
    for direction in range(4):
        onward = both(floor, sokoban.shifted(board, floor, direction ^ 1))
        for cell in range(cells):
            there = cell + sokoban.stride(board, direction) if has(onward, cell) else cells
            workspace.beside[cell, direction] = there
    boxes = list_cells(both(puzzle.starts, floor), workspace.at)
    list_cells(both(puzzle.goals, floor), workspace.goals)
    alone = sokoban.PushWorkspace(
        workspace.beside,
        workspace.goals[:boxes],
        workspace.part_of,
        workspace.distance,
        workspace.alive,
        workspace.queue,
        workspace.at[:boxes],
        workspace.cost,
        workspace.match,
        workspace.held,
    )
    return least_pushes(alone, puzzle.player)


@part
def list_cells(cells, members):
    """Writes the cells of a set in order; returns how many there are."""
    number = np.int64(0)
    cell = member_from(cells, 0)
    while cell >= 0:
        members[number] = cell
        number += 1
        cell = member_from(cells, cell + 1)
    return number


@part
def steps_between(board, start, end, open_cells):
    """Returns the fewest steps of the player from one cell to another that it can reach."""
    steps = np.int64(0)
    seen = sokoban.only(board, start)
    while not has(seen, end) and steps < count(board.every):
        seen = both(either(seen, sokoban.around(board, seen)), open_cells)
        steps += 1
    return steps


@part
def goal_distances(board, puzzle):
    """Writes the fewest pushes of a lone box from each cell to the nearest goal; returns cells with a way."""
    floor = minus(board.every, puzzle.walls)
    known, newest = puzzle.goals, puzzle.goals
    pushes = np.int64(0)
    while not empty(newest):
        cell = member_from(newest, 0)
        while cell >= 0:
            board.distance[cell] = pushes
            cell = member_from(newest, cell + 1)
        wider = cleared(floor)
        for direction in range(4):  # of the push; the player stands behind the box
            wider = either(
                wider,
                both(sokoban.shifted(board, newest, direction ^ 1), sokoban.shifted(board, floor, direction)),
            )
        newest = minus(both(wider, floor), known)
        known = either(known, newest)
        pushes += 1
    return known


@part
def dead_share(board, puzzle):
    """Returns the share of the cells within reach, boxes aside, from which no goal can be reached."""
    floor = sokoban.reached(board, sokoban.only(board, puzzle.player), minus(board.every, puzzle.walls))
    return count(minus(floor, goal_distances(board, puzzle))) / count(floor)


@part
def least_cut(board, boxes):
    """Returns the least weight between two groups of the boxes that were pushed (Stoer and Wagner, 1997)."""
    weight, joined, pull = board.changes, board.joined[JOINED], board.joined[PULL]
    least = np.int64(-1)
    left = np.int64(0)
    for box in range(boxes):  # 2 where a box is out: never pushed, or merged into another
        pushed = False
        for other in range(boxes):
            pushed = pushed or weight[box, other] > 0
        joined[box] = 0 if pushed else 2
        left += 1 if pushed else 0
    while left > 1:
        for box in range(boxes):
            pull[box] = 0
            joined[box] = 2 if joined[box] == 2 else 0
        before = last = np.int64(-1)
        for _ in range(left):
            tightest = np.int64(-1)
            for box in range(boxes):
                if joined[box] == 0 and (tightest < 0 or pull[box] > pull[tightest]):
                    tightest = np.int64(box)
            joined[tightest] = 1
            before, last = last, tightest
            for box in range(boxes):
                pull[box] += weight[tightest, box] if joined[box] == 0 else 0
        least = pull[last] if least < 0 else min(least, pull[last])
        for box in range(boxes):
            if box != before and box != last:
                weight[before, box] += weight[last, box]
                weight[box, before] = weight[before, box]
        joined[last] = 2
        left -= 1
    return max(least, 0)
