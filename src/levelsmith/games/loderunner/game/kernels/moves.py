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
FALL_TICKS = 400


@part
def along(man, key):
    """Returns how far a man is beyond the middle of his cell, in the direction of a key."""
    if key == LEFT:
        return -man[DX]
    if key == RIGHT:
        return man[DX]
    return -man[DY] if key == UP else man[DY]


@part
def wait(game):
    stands = tick(game, NO_KEY)
    for _ in range(WAIT_TICKS - 1):
        if stands == PLAYING:
            stands = tick(game, -1)
    return stands


@part
def press(game, key):
    """Presses a key until the runner is a cell further, stands again, has dug or has waited.

    Returns how the game stands, or -1 where the key does nothing.
    """
    if key == NO_KEY:
        return wait(game)
    man = game.men[0]
    at, dy, dx, beyond = man[AT], man[DY], man[DX], along(man, key)
    stands = tick(game, key)
    if key >= DIG_LEFT:
        if game.counts[DIG_AT] == 0:
            return np.int64(-1)
        while stands == PLAYING and game.counts[DIG_AT] != 0:
            stands = tick(game, -1)
        return stands
    for i in range(FALL_TICKS):
        if stands != PLAYING:
            return stands
        if man[AT] == at and man[DY] == dy and man[DX] == dx:
            return np.int64(-1) if i == 0 else stands
        if game.counts[FALLING] == 0:
            arrived = along(man, key) >= 0 and (man[AT] != at or beyond < 0)
            if i >= MOVE_TICKS or arrived:
                return stands
        dy, dx = man[DY], man[DX]
        if man[AT] != at:
            at, beyond = man[AT], np.int32(-1)
        stands = tick(game, -1)
    return stands
