"""How a Sokoban level is built, as people see it at a glance, and how its solution uses it; plainly.

A room is all floor inside the walls. Its open areas are the cells in 2x2 squares of floor, as far as they
hang together; what lies in no such square is a corridor, be it a door of one cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

import numpy as np

from levelsmith.contracts import Mask
from levelsmith.games.sokoban.rules.kernels.board import SELDOM
from levelsmith.games.sokoban.rules.rules import STEPS, Cell, SokobanBoard, SokobanState


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


def used(board: SokobanBoard, solution: str) -> set[Cell]:
    """Returns the cells that the player or a box comes to, and those of the goals."""
    cells = {board.start.player, *board.start.boxes, *board.goals}
    for letter, position in board.play(solution):
        cells.add(position.player)
        if letter.isupper():
            down, right = STEPS[letter.lower()]
            cells.add((position.player[0] + down, position.player[1] + right))
    return cells


def used_by_pushes(board: SokobanBoard, solution: str) -> set[Cell]:
    """Returns the cells that boxes come to, the player on any shortest way between pushes, and those of the
    goals: so that a level and its mirror image agree, whoever walked."""
    cells, before = {board.start.player, *board.start.boxes, *board.goals}, board.start
    for letter, position in board.play(solution):
        if letter.isupper():
            down, right = STEPS[letter.lower()]
            row, column = position.player
            cells |= {(row, column), (row + down, column + right)}
            cells |= _ways(board, before, (row - down, column - right))
            before = position
    return cells


def _ways(board: SokobanBoard, before: SokobanState, end: Cell) -> set[Cell]:
    """Returns the cells of all shortest ways of the player to one that it can walk to."""
    layers, seen = [{before.player}], {before.player, *before.boxes}
    while end not in layers[-1]:
        near = {there for cell in layers[-1] for there in beside(cell)} - seen
        layers.append({cell for cell in near if not board.is_wall(cell)})
        seen |= layers[-1]
    ways, newest = {end}, {end}
    for layer in layers[-2::-1]:
        newest = {there for cell in newest for there in beside(cell)} & layer
        ways |= newest
    return ways


def seldom_pushed(order: Iterable[int], boxes: int) -> int:
    """Returns how many boxes are pushed at most twice. order: the box of each push."""
    counts = Counter(order)
    return sum(counts[box] <= SELDOM for box in range(boxes))
