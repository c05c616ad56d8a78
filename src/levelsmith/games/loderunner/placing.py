"""Where men start in a level: the player on one of the best cells, enemies away from him.

What is drawn is drawn from the grid itself, so that the same grid always gets the same men.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from random import Random

import numpy as np

from levelsmith.core import Grid
from levelsmith.games.loderunner.judge.judge import judge, judge_all
from levelsmith.games.loderunner.judge.steps import NEAR, footing, steps_between
from levelsmith.games.loderunner.rules.rules import EMPTY, ENEMY, PLAYER, Cell

GROUNDED = 0.75  # share of players who start in the lowest row that they can: originals' are low, too
LEAST_ENEMIES, MOST_ENEMIES = 1, 5
PLACES = 4  # where enemies are tried in turn before a level is given up


def with_player(grid: Grid, rules: str, enough: float) -> Grid:
    """Returns the grid with a player on a cell from which as much can be collected as from the first best
    one; the same grid where nobody can stand.

    Args:
        enough: the connectivity from which on more is no better.
    """
    first = judge(grid, rules, best_start=True)
    if first.start is None:
        return grid
    cells = [first.start, *map(tuple, np.argwhere(footing(grid) & (grid == EMPTY)).tolist())]
    tried = np.repeat(grid[None], len(cells), axis=0)
    tried[np.arange(len(cells)), *np.transpose(cells)] = PLAYER
    good = [
        cell
        for cell, told in zip(cells, judge_all(tried, rules), strict=True)
        if told.gold_collectable >= first.gold_collectable
        and told.connectivity >= min(enough, first.connectivity)
    ]
    dice = _dice(grid, "player")
    if dice.random() < GROUNDED:
        good = [cell for cell in good if cell[0] == max(good)[0]]
    grid = grid.copy()
    grid[dice.choice(good or cells[:1])] = PLAYER
    return grid


def with_enemies(grid: Grid, counted: bool, turn: int = 0) -> Grid:
    """Returns the grid with enemies who stand on something, more than eight steps from the player.

    Those who do stay; others are put elsewhere, in a small level as far away as can be.

    Args:
        counted: their number was asked for and stays; else there are one to five.
        turn: 0, or how often the level was not won: then all of them are put elsewhere.
    """
    players = np.argwhere(grid == PLAYER)
    if len(players) != 1:
        return grid
    steps = steps_between(grid, (int(players[0, 0]), int(players[0, 1])))
    stands = footing(grid)
    enemies: list[Cell] = [(row, column) for row, column in np.argwhere(grid == ENEMY).tolist()]
    number = len(enemies) if counted else min(MOST_ENEMIES, max(LEAST_ENEMIES, len(enemies)))
    stay = [] if turn else [cell for cell in enemies if stands[cell] and steps[cell] > NEAR]
    dice = _dice(grid, f"enemies {turn}")
    stay = sorted(dice.sample(stay, min(number, len(stay))))
    bare = np.where(grid == ENEMY, EMPTY, grid).astype(np.uint8)
    free: list[Cell] = [(row, column) for row, column in np.argwhere((bare == EMPTY) & stands).tolist()]
    free = [cell for cell in free if cell not in stay]
    dice.shuffle(free)
    free.sort(key=lambda cell: min(int(steps[cell]), NEAR + 1))
    for cell in [*stay, *free[len(free) - (number - len(stay)) :]][:number]:
        bare[cell] = ENEMY
    return bare


def other_places(grid: Grid) -> Iterator[Grid]:
    """Yields the grid with its enemies in other places, a few times."""
    for turn in range(1, PLACES):
        yield with_enemies(grid, True, turn)


def _dice(grid: Grid, what: str) -> Random:
    return Random(blake2b(grid.tobytes() + what.encode(), digest_size=8).digest())
