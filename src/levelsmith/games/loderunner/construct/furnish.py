"""What goes into a drawn level: solid plates in its brickwork, more ropes, a player, gold, enemies."""

from __future__ import annotations

from math import ceil, inf
from random import Random
from typing import NamedTuple

import numpy as np

from levelsmith.core import Grid
from levelsmith.games.loderunner.construct import excavate
from levelsmith.games.loderunner.construct.pieces import hard, surfaces
from levelsmith.games.loderunner.judge.judge import out_of_reach
from levelsmith.games.loderunner.judge.steps import NEAR, steps_between
from levelsmith.games.loderunner.rules.rules import (
    BRICK,
    EMPTY,
    ENEMY,
    GOLD,
    LADDER,
    PLAYER,
    ROPE,
    SOLID,
    Cell,
)

REACHED = 0.85  # share of the standing cells that a runner who digs must reach
OPEN = 0.5  # and of those that one who does not dig must reach
SMALL = 12  # cells of a slab that is rather taken away than left out of reach
LEAST_GOLD, MOST_GOLD = 4, 40
SPREAD = 0.1  # of the gold: by how much its share for digging may miss
MOST_ENEMIES = 5
TALL, TOP = 18, 0.05  # rows of a level whose top third is used, and the share of its cells that is
GROUNDED = 0.5  # share of players who start on the ground, as in the original game


def materials(grid: Grid, dice: Random) -> None:
    """Turns some brick into solid plates, by one rule for the whole level."""
    rule = dice.choice(["none", "floor", "ends", "bands", "bands", "beat"])
    height, width = grid.shape
    share = dice.uniform(0.3, 0.6)
    for row in range(height):
        band = dice.random() < share
        for left, right in _slabs(grid, row):
            if right - left < 3:
                continue
            cells = grid[row, left : right + 1]
            if (rule == "floor" and row == height - 1) or (rule == "bands" and band and row < height - 1):
                cells[:] = SOLID
            elif rule == "ends" and right - left < width - 1:
                cells[[0, -1]] = SOLID
            elif rule == "beat" and band:
                away = np.minimum(np.arange(len(cells)), np.arange(len(cells))[::-1])
                cells[away // 2 % 2 == 1] = SOLID


def _slabs(grid: Grid, row: int) -> list[tuple[int, int]]:
    """Returns the runs of brick in a row that one can stand on and that have nothing hard under them."""
    height, _ = grid.shape
    wall = hard(grid)
    open_above = ~wall[row - 1] if row else np.ones(grid.shape[1], bool)
    open_below = ~wall[row + 1] if row + 1 < height else np.ones(grid.shape[1], bool)
    free = np.pad((grid[row] == BRICK) & open_above & open_below, 1)
    change = np.flatnonzero(free[1:] != free[:-1])
    return [(int(a), int(b) - 1) for a, b in zip(change[::2], change[1::2], strict=True)]


def ropes(grid: Grid, dice: Random, mirrored: bool) -> None:
    """Hangs ropes over gaps between ledges, ladders and walls of one height, by chance and not too close."""
    share = dice.choice([0.0, 0.3, 0.6, 0.9])
    width = grid.shape[1]
    for row in range(2, grid.shape[0] - 2):
        for left, right in _gaps(grid, row):
            ledges = sum(_is_ledge(grid, row, column) for column in (left - 1, right + 1))
            ladders = sum(grid[row, column] == LADDER for column in (left - 1, right + 1))
            near = grid[row - 2 : row + 3, left : right + 1] == ROPE
            likely = share if ledges else share / 5
            if ledges + ladders == 0 or near.any() or dice.random() >= likely:
                continue
            grid[row, left : right + 1] = ROPE
            if mirrored:
                grid[row, width - 1 - right : width - left] = ROPE


def _gaps(grid: Grid, row: int) -> list[tuple[int, int]]:
    """Returns the runs of 3 to 14 cells in a row with air in them, above and below, not at the edges."""
    wall = hard(grid)
    air = np.pad((grid[row] == EMPTY) & ~wall[row - 1] & ~wall[row + 1] & (grid[row + 1] != LADDER), 1)
    change = np.flatnonzero(air[1:] != air[:-1])
    runs = zip(change[::2].tolist(), (change[1::2] - 1).tolist(), strict=True)
    return [(a, b) for a, b in runs if 2 <= b - a <= 13 and a > 0 and b < grid.shape[1] - 1]


def _is_ledge(grid: Grid, row: int, column: int) -> bool:
    return bool(grid[row, column] == EMPTY and hard(grid)[row + 1, column])


class Wishes(NamedTuple):
    """Between which a few metrics shall lie."""

    share: tuple[float, float] = (0.0, 1.0)  # of the gold that no walk without a dig collects
    gold: tuple[float, float] = (0.0, inf)
    enemies: tuple[float, float] = (0.0, inf)


def number_within(number: int, span: tuple[float, float], most: int, dice: Random) -> int:
    """Returns a number, or where it does not lie in a range another one that does, if `most` lets it."""
    low, high = ceil(span[0]), int(min(span[1], most))
    return number if span[0] <= number <= span[1] or low > high else dice.randint(low, high)


def furnished(
    grid: Grid, prizes: list[Cell], dice: Random, mirrored: bool, share: float, wishes: Wishes
) -> bool:
    """Adds a player, rooms to dig for, gold and enemies; False where too much of the level would be out of
    reach, or too little of the gold is for digging.

    Args:
        share: of the gold that no walk without a dig shall collect.
    """
    runs = surfaces(grid)
    if not runs:
        return False
    player = _player(grid, runs, dice, mirrored)
    grid[player] = PLAYER
    number = number_within(_number_of_gold(grid, dice), wishes.gold, MOST_GOLD, dice)
    excavate.turn_aside(grid, dice, mirrored, round(excavate.drawn_share(dice, excavate.JOINTS)))
    wanted = -(-round(share * number) // excavate.GOLD_A_ROOM)
    shut = excavate.rooms(grid, dice, mirrored, -(-wanted // 2) if mirrored else wanted)
    runs = surfaces(grid)
    spots = {cell for run in runs for cell in run} - {player}
    lost = _unreached(grid, spots, "dig")
    if _removed(grid, spots, lost):
        runs = surfaces(grid)
        spots = {cell for run in runs for cell in run}
        lost = _unreached(grid, spots, "dig")
    dug, deep, walked = (
        spots - lost,
        *(spots - _unreached(grid, spots, rules) for rules in ("relaxed", "no-dig")),
    )
    if len(dug) < REACHED * len(spots) or len(walked) < OPEN * len(spots):
        return False
    runs = [run for run in ([cell for cell in run if cell in walked] for run in runs) if run]
    dug_for = round(share * number)
    deep -= walked
    hidden = [*dict.fromkeys(cell for cell in [*prizes, *shut] if cell in deep), *sorted(deep)]
    _place(grid, _spread(hidden, dice), deep, dug_for, mirrored)
    placed = int((grid == GOLD).sum())
    others = number - placed if share == 0 else min(number - placed, round(placed / share) - placed)
    _place_gold(grid, prizes, runs, walked, others, dice, mirrored)
    total = int((grid == GOLD).sum())
    most, least = (round((share + side * SPREAD) * total) for side in (1, -1))
    excavate.without_too_much(grid, dice, mirrored, most if share else 0, _least(grid))
    if excavate.dig_gold(grid) < least:
        return False
    _place_enemies(grid, runs, player, dice, mirrored, wishes)
    return enough(grid) and bool((grid == ENEMY).any())


def _number_of_gold(grid: Grid, dice: Random) -> int:
    cells = grid.size
    low, high = min(6, max(2, cells // 12)), min(MOST_GOLD - 6, max(3, cells // 25))
    return dice.randint(low, max(low, high)) + dice.randint(0, 4)


def _spread(cells: list[Cell], dice: Random) -> list[Cell]:
    """Returns cells in an order in which neighbours mostly stay together: rooms are filled one by one."""
    groups: list[list[Cell]] = []
    for cell in cells:
        near = [g for g in groups if any(cell[0] == r and abs(cell[1] - c) == 1 for r, c in g)]
        near[0].append(cell) if near else groups.append([cell])
    dice.shuffle(groups)
    some = [cell for group in groups for cell in group[: excavate.GOLD_A_ROOM]]
    return some + [cell for group in groups for cell in group[excavate.GOLD_A_ROOM :]]


def _removed(grid: Grid, spots: set[Cell], lost: set[Cell]) -> bool:
    """Takes away small slabs on which nobody can ever stand; whether there were any."""
    wall, any_removed = hard(grid), False
    for row, column in sorted(lost):
        slab: set[Cell] = set()
        todo = [(row + 1, column)]
        while todo and len(slab) <= SMALL:
            cell = todo.pop()
            if cell[0] < grid.shape[0] and 0 <= cell[1] < grid.shape[1] and wall[cell] and cell not in slab:
                slab.add(cell)
                todo += [(cell[0] + i, cell[1] + j) for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        tops = {(row - 1, column) for row, column in slab} & spots
        if slab and len(slab) <= SMALL and tops <= lost:
            any_removed = True
            for cell in slab:
                grid[cell] = EMPTY
                wall[cell] = False
    return any_removed


def uses_top(grid: Grid) -> bool:
    """Tells whether something is in the top third, where a level is so high that nothing there is a waste."""
    third = grid[: len(grid) // 3]
    return len(grid) < TALL or bool((third != EMPTY).sum() >= TOP * third.size)


def enough(grid: Grid) -> bool:
    return bool((grid == GOLD).sum() >= _least(grid))


def _least(grid: Grid) -> int:
    return min(LEAST_GOLD, grid.size // 20)


def without_deep(grid: Grid) -> Grid:
    """Returns the level without the gold that a runner who digs through one layer of brick cannot reach."""
    grid = grid.copy()
    for cell in out_of_reach(grid, "dig"):
        grid[cell] = EMPTY
    return grid


def _unreached(grid: Grid, cells: set[Cell], rules: str) -> set[Cell]:
    trial = grid.copy()
    for cell in cells:
        trial[cell] = GOLD
    return set(out_of_reach(trial, rules))


def _player(grid: Grid, runs: list[list[Cell]], dice: Random, mirrored: bool) -> Cell:
    """On the ground, or as often in any row; in a symmetrical level in the middle of the ground."""
    lowest = [run for run in runs if run[0][0] == runs[0][0][0]]
    wide = [run for run in runs if len(run) >= 3]
    if not wide or dice.random() < GROUNDED:
        where = max(lowest, key=len)
        if mirrored or dice.random() < 0.3:
            return min(where, key=lambda cell: abs(2 * cell[1] - grid.shape[1] + 1))
        return dice.choice(where)
    row = dice.choice(sorted({run[0][0] for run in wide}))
    return dice.choice(dice.choice([run for run in wide if run[0][0] == row]))


def _place_gold(
    grid: Grid,
    prizes: list[Cell],
    runs: list[list[Cell]],
    within: set[Cell],
    number: int,
    dice: Random,
    mirrored: bool,
) -> None:
    """First where a style wants it, then by one rule on the other surfaces, up to a number."""
    wanted = list(dict.fromkeys(cell for cell in prizes if cell in within))
    pockets = wanted[: len(wanted) // 3]
    rest = wanted[len(wanted) // 3 :]
    dice.shuffle(rest)
    rule = dice.choice(["middle", "ends", "row", "none"])
    plain: list[Cell] = []
    for run in dice.sample(runs, len(runs)):
        if len(run) >= 3:
            middle = len(run) // 2
            plain += {
                "middle": [run[middle]],
                "ends": [run[0], run[-1]],
                "row": run[middle - 1 : middle + 2],
                "none": [],
            }[rule]
    _place(grid, [*pockets, *rest, *plain], within, number, mirrored)


def _place(grid: Grid, cells: list[Cell], within: set[Cell], number: int, mirrored: bool) -> None:
    """Lays gold into cells as they come, up to a number."""
    placed = 0
    for row, column in cells:
        pair = {(row, column), (row, grid.shape[1] - 1 - column)} if mirrored else {(row, column)}
        if placed + len(pair) > number:
            break
        if pair <= within and all(grid[cell] == EMPTY for cell in pair):
            for cell in pair:
                grid[cell] = GOLD
            placed += len(pair)


def _place_enemies(
    grid: Grid, runs: list[list[Cell]], player: Cell, dice: Random, mirrored: bool, wishes: Wishes
) -> None:
    """On wide surfaces away from the player, each on its own; in pairs where the level is symmetrical."""
    height, width = grid.shape
    number = min(MOST_ENEMIES, max(1, round(grid.size / 704 * dice.choice([2, 3, 3, 3, 4, 5]))))
    number = number_within(number, wishes.enemies, MOST_ENEMIES, dice)
    away = min(height, width) // 3
    steps = steps_between(grid, player)
    placed: list[Cell] = []
    open_ = [cell for run in runs for cell in run if grid[cell] == EMPTY]
    # in a small level, as far as can be
    far = min(NEAR + 1, max((int(steps[cell]) for cell in open_), default=0))
    within = {cell for cell in open_ if steps[cell] >= far}
    for run in dice.sample(runs, len(runs)):
        free = [cell for cell in run if cell in within]
        if not free:
            continue
        cell = free[dice.choice([0, len(free) // 2, len(free) - 1])]
        pair = [cell, (cell[0], width - 1 - cell[1])] if mirrored else [cell]
        if len(placed) + len(pair) > number and placed:
            pair = [cell]
        if len(placed) + len(pair) > number:
            break
        apart = [abs(row - at[0]) + abs(column - at[1]) for row, column in placed for at in pair]
        if (not apart or min(apart) >= away) and all(other in within for other in pair):
            for other in pair:
                grid[other] = ENEMY
            placed += pair
