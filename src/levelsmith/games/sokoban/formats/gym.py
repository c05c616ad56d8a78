"""The two arrays of gym-sokoban: `room_fixed` (walls, floor, goals) and `room_state` (what stands there now).

0 wall, 1 floor, 2 goal, 3 box on goal, 4 box, 5 player. A player on a goal is 5 in the state and 2 in the
fixed part; a 6, which gym-sokoban draws for it, is read too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError, listed, quoted
from levelsmith.registry import games

STATE = {
    "wall": 0,
    "floor": 1,
    "goal": 2,
    "box on goal": 3,
    "box": 4,
    "player": 5,
    "player on goal": 5,
}
WALL, FLOOR, GOAL, PLAYER, PLAYER_ON_GOAL = 0, 1, 2, 5, 6
FIXED = {name: GOAL if "goal" in name else min(number, FLOOR) for name, number in STATE.items()}


def to_gym(level: Level) -> tuple[Grid, Grid]:
    """`(room_fixed, room_state)` of a Sokoban level, each `[H, W]`.

    >>> import levelsmith
    >>> fixed, state = to_gym(levelsmith.parse("#+$.#", game="sokoban"))
    >>> fixed.tolist(), state.tolist()
    ([[0, 2, 1, 2, 0]], [[0, 5, 4, 2, 0]])
    """
    if level.game != "sokoban":
        raise LevelsmithError(f"expected a level of sokoban, got one of {level.game}")
    names = level.tiles.names
    fixed, state = (np.array([numbers[name] for name in names], np.uint8) for numbers in (FIXED, STATE))
    return fixed[level.grid], state[level.grid]


def from_gym(fixed: ArrayLike, state: ArrayLike) -> Level:
    """The level of `room_fixed` and `room_state`; where they contradict each other, the cell is named."""
    tiles = games.get("sokoban").tiles
    room, now = _numbers("room_fixed", fixed, GOAL), _numbers("room_state", state, PLAYER_ON_GOAL)
    if room.shape != now.shape:
        raise LevelsmithError(f"expected two arrays of one shape, got {room.shape} and {now.shape}")
    now = np.where((now == PLAYER_ON_GOAL) & (room == GOAL), PLAYER, now)
    grid = np.full(room.shape, len(tiles), np.uint8)
    for name in STATE:
        grid[(room == FIXED[name]) & (now == STATE[name])] = tiles.index_of(name)
    if grid.max() == len(tiles):
        row, column = map(int, np.argwhere(grid == len(tiles))[0])
        raise LevelsmithError(
            f"room_fixed {room[row, column]} and room_state {now[row, column]} contradict each other "
            f"at row {row}, column {column}"
        )
    return Level("sokoban", tiles, grid)


def _numbers(name: str, array: ArrayLike, highest: int) -> NDArray[np.int64]:
    try:
        numbers = np.asarray(array)
    except ValueError:  # rows of different lengths
        raise LevelsmithError(f"expected {name} as a table of numbers, got rows of other lengths") from None
    if numbers.ndim != 2 or numbers.size == 0 or numbers.dtype.kind not in "iuf":
        raise LevelsmithError(
            f"expected {name} as numbers of shape (height, width), got {numbers.dtype} {numbers.shape}"
        )
    strange = numbers[~np.isin(numbers, range(highest + 1))]
    if strange.size:
        allowed = listed(map(str, range(highest + 1)))
        raise LevelsmithError(f"expected {name} of {allowed}, got {quoted(strange[0])}")
    return numbers.astype(np.int64)
