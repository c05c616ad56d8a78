"""The plan of a warehouse: floor in an outline that people would draw, and goals that lie together.

A plan is an array `[H, W]` of floor, with a wall all around, and the list of its goals.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Size
from levelsmith.games.sokoban.rules.rules import STEPS, Cell

Floor = NDArray[np.bool_]
OUTLINES = ("hall", "rooms", "blocks", "passages", "corridors", "loops")
GOALS = ("cluster", "goalroom", "groups", "scattered")  # how they lie
ROW, PICTURE, OCCUPIED = "row", "picture", "occupied"  # how boxes start
FORMS = ("any", *GOALS, ROW, PICTURE, OCCUPIED, "corridors", "loops")
SYMMETRIES = ("any", "none", "mirror")
CELLS_A_PILLAR = 9
MOST_ROOMS = 4  # that narrow ways lead to
AISLE = 2  # rows of a goal room without goals, at most
SMALLEST = 4  # cells along a side of the inside
LARGE, SMALL = (0.85, 1.0), (0.65, 0.9)  # sides of a plan, in parts of what there is room for
CHANGES = (1, 1, 2, 3)  # cells at once, where a plan is changed
STRAIGHT = 0.3  # chance that goals lie in a row, where there is room for one


class Plan(NamedTuple):
    """The floor and the goals of a level."""

    floor: Floor  # [H, W] with the wall around it
    goals: list[Cell]
    mirrored: bool  # the same from left to right
    fixed: Floor  # [H, W] what a change leaves alone: the wall around it, the goals, the room built for them


class Start(NamedTuple):
    """Where a level on a plan begins."""

    boxes: list[Cell]
    player: Cell


class Theme(NamedTuple):
    """What a plan shall be like."""

    outline: str
    form: str
    mirrored: bool
    boxes: int
    sides: tuple[float, float]  # LARGE or SMALL
    pose: str = ""  # of the boxes at the start: ROW or PICTURE
    occupied: int = 0  # boxes that start on goals, and must come off
    idle: int = 0  # boxes that are pushed seldom, at most; at least one where there may be some

    @property
    def is_special(self) -> bool:
        """Whether its levels are such as come seldom by themselves."""
        return bool(self.pose) or self.occupied > 0 or self.idle > 0


def draw_plan(dice: Random, size: Size, theme: Theme) -> Plan | None:
    """Draws a plan whose inside is at most of a size; None where the goals found no place."""
    height, width = (_side(dice, side, theme.sides) for side in size)
    boxes, mirrored = theme.boxes, theme.mirrored
    if theme.pose == PICTURE and boxes % 2:
        width -= 1 - width % 2  # one of them stands in the middle
    floor = np.zeros((height + 2, width + 2), np.bool_)
    draw = DRAWN[theme.outline]
    draw(dice, floor[1:-1, 1:-1])
    goals: list[Cell] | None = []
    fixed = np.ones_like(floor)
    fixed[1:-1, 1:-1] = False
    if theme.form == "goalroom" and theme.pose != PICTURE:
        goals = _goal_room(dice, floor, boxes, mirrored, fixed)
    if mirrored:
        floor[:, : floor.shape[1] // 2] = floor[:, ::-1][:, : floor.shape[1] // 2]
    floor = _connected(floor, None if not goals else goals[0])
    if theme.pose == PICTURE:
        goals = _twins(dice, floor, boxes)
    elif theme.form == "scattered":
        goals = _scattered(dice, floor, boxes)
    elif theme.form == "cluster":
        goals = _cluster(dice, floor, boxes, mirrored)
    elif theme.form == "groups":
        goals = _groups(dice, floor, boxes)
    if goals is None or not all(floor[goal] for goal in goals) or floor.sum() < 3 * boxes + 4:
        return None
    if mirrored and (floor != floor[:, ::-1]).any():  # its halves do not hang together
        return None
    for goal in goals:
        fixed[goal] = True
    return _turned(
        Plan(floor, goals, mirrored, fixed), upside=dice.random() < 0.5, across=dice.random() < 0.5
    )


def _turned(plan: Plan, upside: bool, across: bool) -> Plan:
    """Returns the plan upside down, or with left and right exchanged."""
    last_row, last_column = plan.floor.shape[0] - 1, plan.floor.shape[1] - 1
    goals = [
        (last_row - row if upside else row, last_column - column if across else column)
        for row, column in plan.goals
    ]
    turn = np.s_[:: -1 if upside else 1, :: -1 if across else 1]
    return Plan(plan.floor[turn], goals, plan.mirrored, plan.fixed[turn])


def changed(dice: Random, plan: Plan) -> Plan | None:
    """Returns the plan with a few cells of wall turned into floor or of floor into wall; None where its goals
    or halves no longer hang together."""
    floor = plan.floor.copy()
    for _ in range(dice.choice(CHANGES)):
        near = np.argwhere(_widened(floor) & ~plan.fixed)
        if not len(near):
            return None
        row, column = near[dice.randrange(len(near))]
        floor[row, column] ^= True
        if plan.mirrored:
            floor[row, -1 - column] = floor[row, column]
    floor = _connected(floor, plan.goals[0])
    if not all(floor[goal] for goal in plan.goals) or (plan.mirrored and (floor != floor[:, ::-1]).any()):
        return None
    return plan._replace(floor=floor)


def _widened(floor: Floor) -> Floor:
    """Returns the floor and all cells that touch it, across corners too."""
    rows = floor | np.roll(floor, 1, 0) | np.roll(floor, -1, 0)  # the wall around it keeps edges apart
    return rows | np.roll(rows, 1, 1) | np.roll(rows, -1, 1)


def _side(dice: Random, most: int, sides: tuple[float, float]) -> int:
    """Draws the length of a side: most of what there is room for."""
    least = max(min(SMALLEST, most), round(sides[0] * most))
    return dice.randint(least, max(least, round(sides[1] * most)))


def _hall(dice: Random, inside: Floor) -> None:
    """Draws one hall with notches in its corners and pillars in it."""
    height, width = inside.shape
    inside[:] = True
    for _ in range(dice.randint(0, 3)):
        down, right = dice.randint(1, max(1, height // 3)), dice.randint(1, max(1, width // 3))
        rows = np.s_[:down] if dice.random() < 0.5 else np.s_[-down:]
        columns = np.s_[:right] if dice.random() < 0.5 else np.s_[-right:]
        inside[rows, columns] = False
    _pillars(dice, inside, height * width // CELLS_A_PILLAR)


def _rooms(dice: Random, inside: Floor) -> None:
    """Draws rooms: the inside split by walls with a door or two each."""
    height, width = inside.shape
    inside[:] = True
    _split(dice, inside, 1 + (height * width > 50) + (height * width > 110))
    _pillars(dice, inside, height * width // (2 * CELLS_A_PILLAR))


def _split(dice: Random, room: Floor, times: int) -> None:
    if room.shape[1] < room.shape[0]:
        room = room.T
    height, width = room.shape
    if width < 5 or times == 0:
        return
    at = dice.randint(2, width - 3)
    room[:, at] = False
    for door in dice.sample(range(height), min(height, dice.randint(1, 2))):
        room[door, at] = True
    _split(dice, room[:, :at], times - 1)
    _split(dice, room[:, at + 1 :], times - 1)


def _blocks(dice: Random, inside: Floor) -> None:
    """Draws rectangles that overlap, one after the other."""
    height, width = inside.shape
    row, column = height // 2, width // 2
    enough = 0.5 * height * width
    for _ in range(40):
        down, right = dice.randint(2, max(2, height // 2)), dice.randint(2, max(2, width // 2))
        top = min(max(0, row - dice.randrange(down)), height - min(down, height))
        left = min(max(0, column - dice.randrange(right)), width - min(right, width))
        inside[top : top + down, left : left + right] = True
        if inside.sum() >= enough:
            break
        cells = np.argwhere(inside)
        row, column = (int(x) for x in cells[dice.randrange(len(cells))])
    _pillars(dice, inside, height * width // (2 * CELLS_A_PILLAR))


def _passages(dice: Random, inside: Floor) -> None:
    """Draws two or three small rooms, and narrow ways from each to the next."""
    height, width = inside.shape
    last: Cell | None = None
    for _ in range(2 + (height * width > 60)):
        down, right = (dice.randint(2, max(2, side // 2)) for side in (height, width))
        top, left = dice.randint(0, height - down), dice.randint(0, width - right)
        inside[top : top + down, left : left + right] = True
        row, column = dice.randrange(top, top + down), dice.randrange(left, left + right)
        if last is not None:
            inside[min(row, last[0]) : max(row, last[0]) + 1, column] = True
            inside[last[0], min(column, last[1]) : max(column, last[1]) + 1] = True
        last = row, column
    _pillars(dice, inside, height * width // (4 * CELLS_A_PILLAR))


def _corridors(dice: Random, inside: Floor) -> None:
    """Draws two to four small rooms that do not touch, and narrow ways between them."""
    height, width = inside.shape
    taken = np.zeros_like(inside)
    rooms: list[Cell] = []
    for _ in range(40):
        down, right = (dice.randint(2, max(2, min(4, side // 2))) for side in (height, width))
        top, left = dice.randint(0, height - down), dice.randint(0, width - right)
        if taken[top : top + down, left : left + right].any():
            continue
        inside[top : top + down, left : left + right] = True
        taken[max(0, top - 2) : top + down + 2, max(0, left - 2) : left + right + 2] = True
        rooms.append((dice.randrange(top, top + down), dice.randrange(left, left + right)))
    for here, there in pairwise(rooms[:MOST_ROOMS]):
        _way(inside, here, there)
    if len(rooms) > 2 and dice.random() < 0.5:
        _way(inside, rooms[0], rooms[min(len(rooms), MOST_ROOMS) - 1])


def _way(inside: Floor, here: Cell, there: Cell) -> None:
    """Draws a narrow way: up or down first, then along the row."""
    inside[min(here[0], there[0]) : max(here[0], there[0]) + 1, here[1]] = True
    inside[there[0], min(here[1], there[1]) : max(here[1], there[1]) + 1] = True


def _loops(dice: Random, inside: Floor) -> None:
    """Draws a ring of narrow ways, at times with one across it, and two or three small rooms that lie on
    it."""
    height, width = inside.shape
    top, left = dice.randint(0, height // 5), dice.randint(0, width // 5)
    bottom, right = height - 1 - dice.randint(0, height // 5), width - 1 - dice.randint(0, width // 5)
    inside[[top, bottom], left : right + 1] = True
    inside[top : bottom + 1, [left, right]] = True
    if bottom - top >= 4 and dice.random() < 0.5:
        inside[dice.randint(top + 2, bottom - 2), left : right + 1] = True
    for _ in range(2 + (height * width > 60)):
        down, along = dice.randint(2, 3), dice.randint(2, 4)
        row = min(max(0, dice.choice((top, bottom)) - dice.randrange(down)), max(0, height - down))
        column = dice.randint(0, max(0, width - along))
        inside[row : row + down, column : column + along] = True


def _pillars(dice: Random, inside: Floor, number: int) -> None:
    """Puts walls into the room, alone or two together."""
    height, width = inside.shape
    for _ in range(number):
        row, column = dice.randrange(height), dice.randrange(width)
        inside[row, column] = False
        if dice.random() < 0.3:
            inside[row, min(width - 1, column + 1)] = False


DRAWN = {
    "hall": _hall,
    "rooms": _rooms,
    "blocks": _blocks,
    "passages": _passages,
    "corridors": _corridors,
    "loops": _loops,
}


def _goal_room(dice: Random, floor: Floor, boxes: int, mirrored: bool, fixed: Floor) -> list[Cell] | None:
    """Builds a room for the goals at the edge, with a door, and returns them, farthest from it first.

    A row or two at the door stay free: from there boxes are pushed to where they belong. All of it is noted
    in `fixed`.
    """
    height, width = floor.shape
    aisle = dice.randint(1, AISLE)
    shapes = [
        (down, right)
        for down in range(1, height - aisle - 4)
        for right in range(2, width - 2)
        if boxes <= down * right <= boxes + 1 and max(down, right) <= 4 * min(down, right)
    ]
    if mirrored:
        shapes = [shape for shape in shapes if shape[1] % 2 == width % 2]
    if not shapes:
        return None
    down, right = dice.choice(shapes)
    left = (width - right) // 2 if mirrored else dice.randint(1, width - 1 - right)
    top, deep = 1, down + aisle
    around = np.s_[top : top + deep + 1, max(1, left - 1) : left + right + 1]
    fixed[around], floor[around] = True, False
    floor[top : top + deep, left : left + right] = True
    door = left + right // 2 if mirrored else dice.randint(left, left + right - 1)
    for column in {door, width - 1 - door} if mirrored else {door}:
        floor[top + deep : top + deep + 3, column] = True
    floor[0], floor[-1], floor[:, 0], floor[:, -1] = False, False, False, False
    cells = [(row, column) for row in range(top, top + down) for column in range(left, left + right)]
    cells.sort(key=lambda cell: (cell[0], -abs(cell[1] - door)))
    goals = cells[:1]
    while len(goals) < boxes:  # side by side
        goals.append(next(cell for cell in cells if cell not in goals and set(_beside(cell)) & set(goals)))
    return goals


def _cluster(dice: Random, floor: Floor, boxes: int, mirrored: bool) -> list[Cell] | None:
    """Returns goals side by side: in a row, or grown from one, as compact as it goes."""
    cells = [(int(row), int(column)) for row, column in np.argwhere(floor)]
    if mirrored:
        middle = (floor.shape[1] - 1) / 2
        cells = [cell for cell in cells if abs(cell[1] - middle) < 1] or cells
    if dice.random() < STRAIGHT and (row := run_of(dice, floor, boxes, cells)):
        return row
    return _grown(dice, floor, boxes, cells)


def _scattered(dice: Random, floor: Floor, boxes: int) -> list[Cell] | None:
    """Returns goals none of which lies beside another, in nooks rather than in the open; None where there is
    no room."""
    cells = [(int(row), int(column)) for row, column in np.argwhere(floor)]
    cells.sort(key=lambda cell: (sum(bool(floor[there]) for there in _beside(cell)) > 2, dice.random()))
    goals: list[Cell] = []
    for cell in cells:
        if len(goals) < boxes and not set(_beside(cell)) & set(goals):
            goals.append(cell)
    return goals if len(goals) == boxes else None


def _twins(dice: Random, floor: Floor, boxes: int) -> list[Cell] | None:
    """Returns goals that are the same from left to right: a group and its mirror image, and between them one
    more where their number is odd; None where there is no room."""
    last = floor.shape[1] - 1
    half = floor.copy()
    half[:, (last + 1) // 2 :] = False
    goals: list[Cell] = []
    if boxes > 1:
        cells = [(int(row), int(column)) for row, column in np.argwhere(half)]
        found = _grown(dice, half, boxes // 2, cells)
        if found is None:
            return None
        goals = [*found, *((row, last - column) for row, column in found)]
    if boxes % 2:
        middle = [int(row) for row in np.flatnonzero(floor[:, last // 2])] if last % 2 == 0 else []
        if not middle:
            return None
        goals.append((dice.choice(middle), last // 2))
    return goals


def _groups(dice: Random, floor: Floor, boxes: int) -> list[Cell] | None:
    """Returns goals in two groups that do not touch, none of them alone where there are enough."""
    if boxes < 2:
        return None
    cells = [(int(row), int(column)) for row, column in np.argwhere(floor)]
    one = _grown(dice, floor, boxes // 2, cells)
    if one is None:
        return None
    taken = {there for cell in one for there in (cell, *_beside(cell))}
    left = floor.copy()
    for cell in taken:
        left[cell] = False
    other = _grown(dice, left, boxes - boxes // 2, [cell for cell in cells if cell not in taken])
    return None if other is None else one + other


def run_of(dice: Random, floor: Floor, boxes: int, cells: list[Cell]) -> list[Cell] | None:
    """Returns as many cells of the floor in a row, upright or level, as there are boxes, the first of
    them one of some cells; None where there is no such row."""
    for row, column in dice.sample(cells, len(cells)):
        if floor[row, column : column + boxes].sum() == boxes:
            return [(row, column + i) for i in range(boxes)]
        if floor[row : row + boxes, column].sum() == boxes:
            return [(row + i, column) for i in range(boxes)]
    return None


def _grown(dice: Random, floor: Floor, boxes: int, cells: list[Cell]) -> list[Cell] | None:
    """Returns goals side by side, grown from one of some cells; None where there is no room."""
    if not cells:
        return None
    goals = [dice.choice(cells)]
    while len(goals) < boxes:
        edge = [there for cell in goals for there in _beside(cell) if floor[there] and there not in goals]
        if not edge:
            return None
        row, column = goals[0]
        edge.sort(key=lambda cell: ((cell[0] - row) ** 2 + (cell[1] - column) ** 2, dice.random()))
        goals.append(edge[0])
    return goals


def _beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + down, cell[1] + right) for down, right in STEPS.values()]


def _connected(floor: Floor, seed: Cell | None) -> Floor:
    """Returns the part of the floor that hangs together with a cell, or the largest part."""
    left = floor.copy()
    best = np.zeros_like(floor)
    while left.any():
        begin = seed if seed is not None else tuple(int(x) for x in np.argwhere(left)[0])
        part = np.zeros_like(floor)
        waiting = [begin]
        while waiting:
            cell = waiting.pop()
            if left[cell]:
                left[cell], part[cell] = False, True
                waiting += _beside(cell)  # type: ignore[arg-type]
        if part.sum() > best.sum():
            best = part
        if seed is not None:
            break
    return best
