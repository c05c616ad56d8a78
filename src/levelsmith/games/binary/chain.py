"""Binary maps joined: beside each other, with a door where no way leads across yet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.levels.chain import beside

EMPTY, WALL = range(2)


def joined(game: Any, whole: Level, room: Level) -> Level:
    """Returns both as one region."""
    for level in (whole, room):
        regions = int(game.measure(level.grid[None])[0][list(game.metrics).index("regions")])
        if regions != 1:
            raise LevelsmithError(f"expected maps of one region, got one of {regions}\n{level.text}")
    pair = beside(whole.grid, room.grid, whole.grid == EMPTY, room.grid == EMPTY, WALL, EMPTY)
    if pair is None:
        raise AssertionError("a map with an empty cell has a first and a last one in some row")
    return replace(whole, grid=pair.grid)
