"""What a step is to the search for plans and to environments: a key that stays down for a while."""

from __future__ import annotations

import numpy as np

from levelsmith.games.loderunner.game.kernels.game import tick
from levelsmith.games.loderunner.game.kernels.men import (
    AT,
    DIG_AT,
    DIG_LEFT,
    DX,
    DY,
    FALLING,
    LEFT,
    NO_KEY,
    PLAYING,
    RIGHT,
    UP,
)
from levelsmith.kernels.compile import part

WAIT_TICKS = 5  # of a wait
MOVE_TICKS = 16  # of a move, at most, unless he falls
FALL_TICKS = 401  # of any


@part
def along(man, key):
    """Returns how far a man is beyond the middle of his cell, in the direction of a key."""
    if key == LEFT:
        return -man[DX]
    if key == RIGHT:
        return man[DX]
    return -man[DY] if key == UP else man[DY]


@part
def press(game, key, once):
    """Presses a key until the runner is a cell further, stands again, has dug or has waited; for a tick if
    `once`.

    Returns how the game stands, or -1 where the key does nothing, unless `once`.
    """
    man = game.men[0]
    at, dy, dx, beyond = man[AT], man[DY], man[DX], along(man, key)
    stands = np.int64(PLAYING)
    for i in range(FALL_TICKS):
        stands = tick(game, key if i == 0 else -1)
        if once:
            return stands
        if i == 0 and key >= DIG_LEFT and game.counts[DIG_AT] == 0:
            return np.int64(-1)
        if stands != PLAYING:
            return stands
        if key == NO_KEY:
            if i + 1 == WAIT_TICKS:
                return stands
            continue
        if key >= DIG_LEFT:
            if game.counts[DIG_AT] == 0:
                return stands
            continue
        if man[AT] == at and man[DY] == dy and man[DX] == dx:
            return np.int64(-1) if i == 0 else stands
        if game.counts[FALLING] == 0:
            arrived = along(man, key) >= 0 and (man[AT] != at or beyond < 0)
            if i >= MOVE_TICKS or arrived:
                return stands
        dy, dx = man[DY], man[DX]
        if man[AT] != at:
            at, beyond = man[AT], np.int32(-1)
    return stands
