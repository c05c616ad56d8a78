"""The fewest pushes of a Sokoban level by a plain search, for the program that verifies certificates."""

from __future__ import annotations

from levelsmith.games.sokoban.rules.verify_part import (
    BOX,
    BOX_ON_GOAL,
    GOAL,
    PLAYER,
    PLAYER_ON_GOAL,
    WALL,
    flood,
)
from levelsmith.levels.certificate.verify_certificate import Rows, TooMany


def fewest(grid: Rows, most: int) -> int | None:
    """Returns the fewest pushes that bring every box to a goal; None where no pushes do.

    Positions are met in the order of their pushes. Cells from which no pushes bring a box to a goal are left
    out.
    """
    width = len(grid[0]) + 1
    flat = [WALL] * width
    for row in grid:
        flat += [*row, WALL]
    flat += [WALL] * width
    boxes = frozenset(i for i, tile in enumerate(flat) if tile in (BOX, BOX_ON_GOAL))
    goals = frozenset(i for i, tile in enumerate(flat) if tile in (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL))
    player = next(i for i, tile in enumerate(flat) if tile in (PLAYER, PLAYER_ON_GOAL))
    steps, alive = (-width, width, -1, 1), set(goals)
    waiting = list(goals)
    while waiting:  # from where a box can be pushed to a goal, one box alone
        here = waiting.pop()
        for step in steps:
            before, behind = here - step, here - 2 * step
            if 0 <= behind < len(flat) and WALL not in (flat[before], flat[behind]) and before not in alive:
                alive.add(before)
                waiting.append(before)

    def region(start: int, held: frozenset[int]) -> set[int]:
        return flood(start, width, lambda cell: flat[cell] != WALL and cell not in held)

    if boxes == goals:
        return 0
    first = (boxes, min(region(player, boxes)))
    seen, front, pushes = {first}, [first], 0
    while front:
        pushes, after = pushes + 1, []
        for held, place in front:
            walked = region(place, held)
            for box in held:
                for step in steps:
                    there = box + step
                    if box - step not in walked or there not in alive or there in held or flat[there] == WALL:
                        continue
                    moved = held - {box} | {there}
                    if moved == goals:
                        return pushes
                    position = (moved, min(region(box, moved)))
                    if position not in seen:
                        if len(seen) >= most:
                            raise TooMany
                        seen.add(position)
                        after.append(position)
        front = after
    return None
