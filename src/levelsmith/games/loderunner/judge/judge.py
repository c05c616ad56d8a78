"""The static judge: what one walk from a level's player can collect and reach, under one of several rules.

`no-dig` is sound, and so is `dig` (through one layer of brick) but for gold on the very bricks to be dug and
holes that fill too soon: see the agent for plans. `mmneat` and `pcg-benchmark` are the rules of two other
programs, to compare with. `relaxed` digs anything that a runner gets to, at any time: what it refuses,
nobody can play.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError, unknown
from levelsmith.games.loderunner.judge.kernels import judge as kernels
from levelsmith.games.loderunner.judge.kernels.judge import GOLD, PLAYER, RULES
from levelsmith.games.loderunner.rules.rules import Cell

ANSWERS = 6  # columns of what the kernel tells
STARTS = 64  # free cells that a player is tried on


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a rule set says of a level from one start."""

    gold: int
    gold_collectable: int  # in one walk; with `pcg-benchmark` each by itself
    connectivity: float  # share of the cells that are neither brick nor solid
    start: Cell | None  # the player, or the best start where that was asked for or there is not one player
    players: int

    @property
    def playable(self) -> bool:
        """Whether its one player can collect all gold, of which there is some."""
        return self.players == 1 and 0 < self.gold == self.gold_collectable


def judge(grid: Grid, rules: str = "dig", best_start: bool = False) -> Judgement:
    """Returns the judgement of one grid `[H, W]`, from its player or the best start."""
    return judge_all(grid[None], rules, best_start)[0]


def judge_all(grids: Grid, rules: str = "dig", best_start: bool = False) -> list[Judgement]:
    """Returns the judgements of grids `[B, H, W]`."""
    if rules not in RULES:
        raise unknown("rule set", rules, RULES)
    batch, height, width = grids.shape
    game = kernels.make((height, width), RULES.index(rules))
    out = np.zeros((batch, ANSWERS), np.int64)
    kernels.judge_all(game, np.require(grids.reshape(batch, -1), requirements=["C", "W"]), best_start, out)
    return [
        Judgement(
            gold,
            collectable,
            reached / max(1, height * width - ground),
            None if start < 0 else (start // (width + 2) - 1, start % (width + 2) - 1),
            players,
        )
        for collectable, reached, start, gold, players, ground in out.tolist()
    ]


def with_best_start(level: Level, rules: str = "dig") -> Level:
    """Returns the level with its one player on the standing cell from which most gold can be collected."""
    start = judge(level.grid, rules, best_start=True).start
    if start is None:
        raise LevelsmithError(f"expected a cell where a player can stand, got none\n{level.text}")
    grid = np.where(level.grid == PLAYER, kernels.EMPTY, level.grid)
    grid[start] = PLAYER
    return replace(level, grid=grid, solution=None)


def reached_cells(grid: Grid, rules: str = "dig") -> NDArray[np.bool_]:
    """Returns the cells that can be reached from the player of a grid."""
    game = kernels.make((grid.shape[0], grid.shape[1]), RULES.index(rules))
    kernels.judge_all(
        game,
        np.require(grid.reshape(1, -1), requirements=["C", "W"]),
        False,
        np.zeros((1, ANSWERS), np.int64),
    )
    return np.asarray(game.number.reshape(grid.shape[0] + 2, -1)[1:-1, 1:-1] != 0)


def out_of_reach(grid: Grid, rules: str = "relaxed") -> list[Cell]:
    """Returns the gold of a grid that cannot be reached from its player, each by itself."""
    shut = (grid == GOLD) & ~reached_cells(grid, rules)
    return [(row, column) for row, column in np.argwhere(shut).tolist()]


def hopeless(grid: Grid, free: NDArray[np.bool_]) -> str | None:
    """Tells why nobody can play a level with the cells that must stay; what may change is taken as ladders,
    and so is the brick below, which can be dug where nothing lies on it."""
    open_ = free.copy()
    for row in range(1, len(grid)):
        open_[row] |= open_[row - 1] & (grid[row] == kernels.BRICK)
    grid = np.where(open_, kernels.LADDER, grid).astype(np.uint8)
    players = int((grid == PLAYER).sum())
    if players > 1:
        return f"{players} locked cells are the player; unlock all but one"
    if players == 0 and not free.any():
        return "no cell is left for the player; unlock one"
    shut = out_of_reach(grid) if players else _shut_from_anywhere(grid, free)
    if not shut:
        return None
    row, column = shut[0]
    return f"the locked gold at {column},{row} is out of reach, whatever is around; unlock cells beside it"


def _shut_from_anywhere(grid: Grid, free: NDArray[np.bool_]) -> list[Cell]:
    """Returns the gold out of reach from the best of a few free cells."""
    cells = np.argwhere(free)
    shut: list[Cell] | None = None
    for row, column in cells[:: -(-len(cells) // STARTS)].tolist():
        there = grid.copy()
        there[row, column] = PLAYER
        found = out_of_reach(there)
        if shut is None or len(found) < len(shut):
            shut = found
    return shut or []
