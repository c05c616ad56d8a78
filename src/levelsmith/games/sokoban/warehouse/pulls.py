"""Boxes pulled away from their goals at random: where they end a level may start, and it can be solved.

Sets of cells are whole numbers, a bit for each cell, so that nothing has to be compiled.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from levelsmith.games.sokoban.rules.kernels.board import SELDOM
from levelsmith.games.sokoban.rules.rules import Cell
from levelsmith.games.sokoban.warehouse.plan import Plan, Start

GO_ON = 0.75  # chance that the same box is pulled again
AWAY = 0.7  # chance that it is pulled farther from the goals, where it can be
STRAIGHT = 0.6  # chance that it is pulled on in the same direction, where it can be
ONTO = 30  # pulls that may bring a box onto a goal
MANY = 150  # pulls that are tried at least, to get all boxes away


def reached(start: int, free: int, width: int) -> int:
    """Returns the cells that can be walked to."""
    seen = start
    while True:
        wider = (seen | seen << 1 | seen >> 1 | seen << width | seen >> width) & free
        if wider == seen:
            return seen
        seen = wider


def members(cells: int) -> list[int]:
    found = []
    while cells:
        low = cells & -cells
        found.append(low.bit_length() - 1)
        cells ^= low
    return found


def _far_off(goals: int, floor: int, width: int) -> dict[int, int]:
    """Returns how many steps each cell of the floor is from the nearest goal."""
    found: dict[int, int] = {}
    seen, steps = goals, 0
    newest = goals
    while newest:
        found.update(dict.fromkeys(members(newest), steps))
        newest = (newest << 1 | newest >> 1 | newest << width | newest >> width) & floor & ~seen
        seen |= newest
        steps += 1
    return found


def _moved(cells: int, step: int) -> int:
    return cells << step if step > 0 else cells >> -step


def _ways(boxes: int, region: int, width: int) -> list[tuple[int, int]]:
    """Returns every pull: the cell of a box, and the step that it makes towards the player."""
    return [
        (box, step)
        for step in (1, -1, width, -width)
        for box in members(boxes & _moved(region, -step) & _moved(region, -2 * step))
    ]


def _number(cells: Iterable[Cell], width: int) -> int:
    """Returns a set of cells as a number."""
    return sum(1 << (row * width + column) for row, column in cells)


def pulled_on(dice: Random, plan: Plan, start: Start, asked: int) -> Start | None:
    """Returns a start with so many pulls more; None where boxes get stuck."""
    width = plan.floor.shape[1]
    floor = sum(1 << i for i in plan.floor.ravel().nonzero()[0].tolist())
    boxes = _number(start.boxes, width)
    region = reached(_number([start.player], width), floor & ~boxes, width)
    last, toward = -1, 0
    for _ in range(asked):
        ways = _ways(boxes, region, width)
        if not ways:
            return None
        mine = [way for way in ways if way[0] == last and way[1] != -toward]
        box, toward = dice.choice(mine if mine and dice.random() < GO_ON else ways)
        last = box + toward
        boxes ^= 1 << box | 1 << last
        region = reached(1 << last + toward, floor & ~boxes, width)
    return _start(dice, boxes, region, width)


def _start(dice: Random, boxes: int, region: int, width: int) -> Start:
    player = dice.choice(members(region))
    return Start([divmod(cell, width) for cell in members(boxes)], divmod(player, width))


def pulled(dice: Random, plan: Plan, asked: int, idle: int = 0, occupied: int = 0) -> Start | None:
    """Pulls boxes about; returns where they are after as many pulls as asked for, once all are so far from
    the goals that none is pushed seldom, but for a few. None where they get stuck or do not get away.

    Args:
        dice: random numbers.
        plan: whose goals they are pulled off.
        asked: pulls.
        idle: boxes that may lie near the goals.
        occupied: boxes that are to be on goals, each other's or back on their own, in the end.
    """
    width = plan.floor.shape[1]
    floor = sum(1 << i for i in plan.floor.ravel().nonzero()[0].tolist())
    goals = _number(plan.goals, width)
    boxes, number = goals, {row * width + column: i for i, (row, column) in enumerate(plan.goals)}
    counts = [0] * len(plan.goals)
    outside = members(floor & ~boxes)
    if not outside:
        return None
    region = reached(1 << dice.choice(outside), floor & ~boxes, width)
    seen = {(boxes, region)}
    far_off = _far_off(goals, floor, width)
    last, toward = -1, 0
    for made in range(max(MANY, 3 * asked)):
        if made >= asked and sum(far_off[box] <= SELDOM for box in number) <= idle:
            break
        ways = _ways(boxes, region, width)
        if not ways:
            return None
        mine = [way for way in ways if way[0] == last and way[1] != -toward]
        if mine and dice.random() < GO_ON:
            ahead = [way for way in mine if way[1] == toward]
            choices = ahead if ahead and dice.random() < STRAIGHT else mine
        else:
            fewest = min(counts[number[box]] for box, _ in ways)
            choices = [way for way in ways if counts[number[way[0]]] <= fewest + dice.choice((0, 2, 5))]
        away = [way for way in choices if far_off[way[0] + way[1]] > far_off[way[0]]]
        box, step = dice.choice(away if away and dice.random() < AWAY else choices)
        after = boxes ^ (1 << box) ^ (1 << box + step)
        there = reached(1 << box + 2 * step, floor & ~after, width)
        if (after, there) in seen:
            last = -1
            continue
        seen.add((after, there))
        boxes, region = after, there
        number[box + step] = number.pop(box)
        counts[number[box + step]] += 1
        last, toward = box + step, step
    if sum(far_off[box] <= SELDOM for box in number) > idle:
        return None
    for _ in range(occupied):
        onto = _onto_goal(dice, boxes, region, floor, far_off, width)
        if onto is None:
            return None
        boxes, region = onto
    return _start(dice, boxes, region, width)


def _onto_goal(
    dice: Random, boxes: int, region: int, floor: int, far_off: dict[int, int], width: int
) -> tuple[int, int] | None:
    """Pulls a box that is on no goal nearer and nearer to one; returns the boxes and where the player can be
    once it is on one, or None."""
    mine = dice.choice([box for box in members(boxes) if far_off[box]])
    for _ in range(ONTO):
        ways = [way for way in _ways(boxes, region, width) if way[0] == mine]
        if not ways:
            return None
        box, step = min(ways, key=lambda way: (far_off[way[0] + way[1]], dice.random()))
        mine = box + step
        boxes ^= 1 << box | 1 << mine
        region = reached(1 << mine + step, floor & ~boxes, width)
        if far_off[mine] == 0:
            return boxes, region
    return None
