"""Starts that are posed as people do it: boxes in a row, or the same from left to right as their room is.

Nobody knows of such a start whether it can be solved: that is for the solver to say.
"""

from __future__ import annotations

from random import Random

from levelsmith.games.sokoban.metrics.solution import goal_distance
from levelsmith.games.sokoban.rules.kernels.board import SELDOM
from levelsmith.games.sokoban.rules.rules import Cell, SokobanBoard
from levelsmith.games.sokoban.warehouse.built import grid_of
from levelsmith.games.sokoban.warehouse.plan import PICTURE, ROW, Plan, Start, run_of


def posed(dice: Random, plan: Plan, pose: str) -> Start | None:
    """Returns boxes in a row, or mirrored like the plan, each so far from the goals that it is not pushed
    seldom; None where they find no place."""
    height, width = plan.floor.shape
    floor = [(row, column) for row in range(height) for column in range(width) if plan.floor[row, column]]
    outside = next(cell for cell in floor if cell not in plan.goals)
    places = goal_distance(SokobanBoard(grid_of(plan, Start(plan.goals, outside))))
    free = {cell for cell, far in places.items() if far > SELDOM}
    boxes = _in_a_row(dice, plan, free) if pose == ROW else _mirrored(dice, plan, free)
    if boxes is None:
        return None
    left = [cell for cell in floor if cell not in boxes]
    middle = [cell for cell in left if 2 * cell[1] == width - 1] if pose == PICTURE else []
    return Start(sorted(boxes), dice.choice(middle or left)) if left else None


def _in_a_row(dice: Random, plan: Plan, free: set[Cell]) -> list[Cell] | None:
    allowed = plan.floor & False
    for cell in free:
        allowed[cell] = True
    return run_of(dice, allowed, len(plan.goals), sorted(free))


def _mirrored(dice: Random, plan: Plan, free: set[Cell]) -> list[Cell] | None:
    last, number = plan.floor.shape[1] - 1, len(plan.goals)
    pairs = sorted(cell for cell in free if 2 * cell[1] < last and (cell[0], last - cell[1]) in free)
    single = sorted(cell for cell in free if 2 * cell[1] == last)
    if len(pairs) < number // 2 or len(single) < number % 2:
        return None
    chosen = dice.sample(pairs, number // 2)
    return [*chosen, *((row, last - column) for row, column in chosen), *dice.sample(single, number % 2)]
