"""The metrics of any Sokoban level, plainly: the compiled ones must give the same.

Those of form say how a level is built, as people see it at a glance. A room is all floor inside the walls.
Its open areas are the cells in 2x2 squares of floor, as far as they hang together; what lies in no such
square is a corridor, be it a door of one cell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Mask
from levelsmith.core import Grid, Level
from levelsmith.games.sokoban.rules.kernels.board import METRICS
from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL, FLOOR, GOAL, PLAYER_ON_GOAL, WALL
from levelsmith.games.sokoban.rules.rules import STEPS, Cell, cells_of, pairs, replay

Pair = tuple[Cell, Cell]  # where a box starts, where it ends


def inside(grid: Grid) -> Grid:
    """Returns the board without the wall around it; floor outside that nobody can reach counts as wall."""
    closed = filled(grid)
    ring = np.concatenate([closed[0], closed[-1], closed[:, 0], closed[:, -1]])
    if min(closed.shape) < 3 or (ring != WALL).any():
        return closed
    return closed[1:-1, 1:-1]


def filled(grid: Grid) -> Grid:
    """Returns the grid with floor that touches the edge, and that nothing else is on, as wall."""
    closed = grid.copy()
    height, width = grid.shape
    edge = [(row, column) for row in range(height) for column in (0, width - 1)]
    edge += [(row, column) for row in (0, height - 1) for column in range(width)]
    region = {cell for cell in edge if grid[cell] == FLOOR}
    waiting = list(region)
    while waiting:
        row, column = waiting.pop()
        for down, right in STEPS.values():
            there = (row + down, column + right)
            if 0 <= there[0] < height and 0 <= there[1] < width and there not in region:
                if grid[there] != FLOOR:
                    if grid[there] != WALL:
                        return closed  # somebody is out there: the level is open, not its outside
                    continue
                region.add(there)
                waiting.append(there)
    for cell in region:
        closed[cell] = WALL
    return closed


def by_solution(level: Level) -> NDArray[np.float64]:
    """Returns all metrics of a level that need no more than where its solution leaves each box; a solution
    that does not solve it is refused."""
    replay(level, level.solution or "")
    board = inside(level.grid)
    shift = (level.size[0] - board.shape[0]) // 2
    played = [((a - shift, b - shift), (c - shift, d - shift)) for (a, b), (c, d) in pairs(level)]
    return measured(board, played)


def measured(board: Grid, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Returns all metrics of the inside of a level whose boxes end as the pairs say, in the order of
    `METRICS`."""
    found = dict.fromkeys(METRICS, 0.0)
    if not pairs:
        return np.zeros(len(METRICS))
    walls = board == WALL
    starts, goals = {start for start, _ in pairs}, {goal for _, goal in pairs}
    height, width = board.shape
    found["boxes"] = len(pairs)
    found["solved"] = len(starts & goals)
    for row, column in product(range(height - 2), range(width - 2)):
        found["blocks"] += len(set(walls[row : row + 3, column : column + 3].flat)) == 2
    for row, column in product(range(height - 1), range(width - 1)):
        (a, b), (c, d) = walls[row : row + 2, column : column + 2]
        found["diagonals"] += a == d and b == c and a != b
    for row, column in product(range(height), range(width)):
        if walls[row, column] or (row, column) in starts:
            continue
        for down, right in STEPS.values():
            there = (row + down, column + right)
            on_board = 0 <= there[0] < height and 0 <= there[1] < width
            found["border"] += not on_board
            found["terrain"] += on_board and walls[there]
    for start, goal in pairs:
        rows, columns = sorted((start[0], goal[0])), sorted((start[1], goal[1]))
        area = [*product(range(rows[0], rows[1] + 1), range(columns[0], columns[1] + 1))]
        blocked = sum(bool(walls[cell]) for cell in area)
        boxes = sum(cell in starts for cell in area) - 1
        targets = sum(cell in goals for cell in area) - 1
        found["boxes_between"] += boxes
        found["goals_between"] += targets
        found["walls_between"] += blocked
        found["box_density"] += boxes / (len(area) - blocked)
        found["goal_density"] += targets / (len(area) - blocked)
    found |= form_of(~walls, goals)
    return np.array([found[name] for name in METRICS])


def form_of(room: Mask, goals: Collection[Cell]) -> dict[str, float]:
    """Returns the metrics of form that need no solution. room: `[H, W]`, the floor."""
    floor: set[Cell] = {(row, column) for row, column in np.argwhere(room).tolist()}
    wide = open_cells(room)
    whole = trimmed(room)
    return {
        "goal_groups": len(groups(goals)),
        "lone_goals": sum(not beside(goal) & set(goals) for goal in goals) / len(goals),
        "areas": len(groups(wide)),
        "corridors": 1 - len(wide) / len(floor),
        "entrances": len(entrances(floor, wide, set(goals))),
        "mirror_share": max(_alike(whole, whole[:, ::-1]), _alike(whole, whole[::-1])),
        "turn_share": _alike(whole, whole[::-1, ::-1]),
        "compactness": float(whole.mean()),
    }


def beside(cell: Cell) -> set[Cell]:
    """Returns the four cells around one."""
    return {(cell[0] + down, cell[1] + right) for down, right in STEPS.values()}


def groups(cells: Iterable[Cell]) -> list[set[Cell]]:
    """Returns cells in groups that hang together."""
    left, found = set(cells), []
    while left:
        group, newest = set[Cell](), {left.pop()}
        while newest:
            group |= newest
            newest = {there for cell in newest for there in beside(cell)} & left
            left -= newest
        found.append(group)
    return found


def open_cells(room: Mask) -> set[Cell]:
    """Returns the floor that lies in 2x2 squares of floor."""
    squares = room[:-1, :-1] & room[:-1, 1:] & room[1:, :-1] & room[1:, 1:]
    return {
        (row + down, column + right)
        for row, column in np.argwhere(squares).tolist()
        for down in (0, 1)
        for right in (0, 1)
    }


def entrances(floor: set[Cell], wide: set[Cell], goals: set[Cell]) -> set[Cell]:
    """Returns the cells of corridors by which areas with goals are entered; a goal is never one."""
    inside = {cell for area in groups(wide | goals) if area & goals for cell in area}
    return {there for cell in inside for there in beside(cell)} & (floor - wide - goals)


def trimmed(room: Mask) -> Mask:
    """Returns the rectangle around a room."""
    rows, columns = np.flatnonzero(room.any(axis=1)), np.flatnonzero(room.any(axis=0))
    return room[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _alike(one: Mask, other: Mask) -> float:
    return float((one == other).mean())


def nearest_pairs(board: Grid) -> list[Pair]:
    """Returns each box with a goal so that the sum of their distances is least, where no solution tells."""
    boxes = sorted(cells_of(board, BOX, BOX_ON_GOAL))
    goals = sorted(cells_of(board, GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL))
    turned = len(boxes) > len(goals)
    rows, columns = (goals, boxes) if turned else (boxes, goals)
    cost = [[abs(a[0] - b[0]) + abs(a[1] - b[1]) for b in columns] for a in rows]
    matched = [(rows[i], columns[j]) for i, j in enumerate(assignment(cost))]
    return [(goal, box) for box, goal in matched] if turned else matched


def assignment(cost: Sequence[Sequence[int]]) -> list[int]:
    """Returns the column of each row, all different, with the least sum (the Hungarian method, rows <=
    columns)."""
    rows, columns = len(cost), len(cost[0]) if cost else 0
    of_row, of_column = [0.0] * (rows + 1), [0.0] * (columns + 1)
    row_of = [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_of[0] = row
        column = 0
        least, came = [float("inf")] * (columns + 1), [0] * (columns + 1)
        done = [False] * (columns + 1)
        while row_of[column]:
            done[column] = True
            here, delta, following = row_of[column], float("inf"), 0
            for j in range(1, columns + 1):
                if done[j]:
                    continue
                reduced = cost[here - 1][j - 1] - of_row[here] - of_column[j]
                if reduced < least[j]:
                    least[j], came[j] = reduced, column
                if least[j] < delta:
                    delta, following = least[j], j
            for j in range(columns + 1):
                if done[j]:
                    of_row[row_of[j]] += delta
                    of_column[j] -= delta
                else:
                    least[j] -= delta
            column = following
        while column:
            row_of[column] = row_of[came[column]]
            column = came[column]
    found = [0] * rows
    for column, row in enumerate(row_of):
        if row and column:
            found[row - 1] = column - 1
    return found
