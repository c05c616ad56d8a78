"""Lode Runner levels joined: beside each other, with a ladder between them where they need one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.judge.judge import judge
from levelsmith.games.loderunner.rules.rules import EMPTY, GOLD, LADDER, PLAYER, SOLID


def joined(game: Any, whole: Level, room: Level) -> Level:
    """Returns both with the player of the first, in the first way for which the agent finds a plan."""
    game.check_start(whole)
    for grid in _ways(whole.grid, np.where(room.grid == PLAYER, EMPTY, room.grid)):
        if grid.shape[1] <= game.largest[1] and judge(grid).playable:
            level = replace(whole, grid=grid, solution=None)
            plan = game.prove(level)
            if plan is not None:
                return replace(level, solution=plan)
    raise LevelsmithError(
        "the agent finds no plan for both, as they are or with a ladder in between; try another order\n"
        + room.text
    )


def _ways(left: Grid, right: Grid) -> Iterator[Grid]:
    """As they are; with a ladder from top to bottom between them; or in place of a last or a first column."""
    height = max(len(left), len(right))
    left, right = _on_ground(left, height), _on_ground(right, height)
    ladder = np.full((height, 1), LADDER, np.uint8)
    yield np.hstack([left, right])
    yield np.hstack([left, ladder, right])
    if not np.isin(left[:, -1], (GOLD, PLAYER)).any():
        yield np.hstack([left[:, :-1], ladder, right])
    if not (right[:, 0] == GOLD).any():
        yield np.hstack([left, ladder, right[:, 1:]])


def _on_ground(grid: Grid, height: int) -> Grid:
    """As high as that, with solid above."""
    above = np.full((height - len(grid), grid.shape[1]), SOLID, np.uint8)
    return np.vstack([above, grid])
