"""What cannot be told by looking: ladders out that come with the last gold, and floors that carry nobody."""

from __future__ import annotations

from random import Random

import numpy as np

from levelsmith.core import Grid
from levelsmith.games.loderunner.construct.pieces import standing
from levelsmith.games.loderunner.judge.judge import judge, reached_cells
from levelsmith.games.loderunner.rules.rules import BRICK, EMPTY, HIDDEN, TRAP

EXITS = 2  # ladders out, at most
MOST_TRAPS = 6
TRIES = 30  # floors that are tried


def exits(grid: Grid, dice: Random) -> bool:
    """Adds hidden ladders from floors that can be walked to up to the top; False where none has the room."""
    floors = standing(grid) & reached_cells(grid, "no-dig")
    free = np.logical_and.accumulate(np.isin(grid, (EMPTY, HIDDEN)), axis=0)
    places = [(int(row), int(column)) for row, column in np.argwhere(floors & free) if row >= 2]
    dice.shuffle(places)
    places.sort(key=lambda cell: cell[0] // 4)
    for row, column in places[: dice.randint(1, EXITS)]:
        grid[: row + 1, column] = HIDDEN
    return bool(places)


def traps(grid: Grid, dice: Random) -> bool:
    """Turns bricks of thin floors into traps where that takes no way and no gold; False where none is."""
    before, gold = reached_cells(grid, "no-dig"), judge(grid, "no-dig").gold_collectable
    thin = (grid[1:-1] == BRICK) & (grid[:-2] == EMPTY) & (grid[2:] == EMPTY)
    places = [(int(row) + 1, int(column)) for row, column in np.argwhere(thin & before[:-2])]
    dice.shuffle(places)
    made, wanted = 0, dice.randint(1, MOST_TRAPS)
    for cell in places[:TRIES]:
        grid[cell] = TRAP
        kept = (reached_cells(grid, "no-dig") | (grid == TRAP))[before].all()
        if kept and judge(grid, "no-dig").gold_collectable >= gold:
            made += 1
        else:
            grid[cell] = BRICK
        if made == wanted:
            break
    return made > 0
