"""What a step is to the search for plans and to environments: a key that stays down for a while."""

from __future__ import annotations

import numpy as np

from levelsmith.games.loderunner.game.kernels import men
from levelsmith.games.loderunner.game.kernels.game import tick
from levelsmith.kernels.compile import part

WAIT_TICKS = 5  # of a wait
MOVE_TICKS = 16  # of a move, at most, unless he falls
FALL_TICKS = 401  # of any


@part
def along(man, key):
    """Returns how far a man is beyond the middle of his cell, in the direction of a key."""
    if key == men.LEFT:
        return -man[men.DX]
    if key == men.RIGHT:
        return man[men.DX]
    return -man[men.DY] if key == men.UP else man[men.DY]


@part
def press(game, key, once):
    """Presses a key until the runner is a cell further, stands again, has dug or has waited; for a tick if
    `once`.

    Returns how the game stands, or -1 where the key does nothing, unless `once`.
    """
    man = game.men[0]
    at, dy, dx, beyond = man[men.AT], man[men.DY], man[men.DX], along(man, key)
    stands = np.int64(men.PLAYING)
    for i in range(FALL_TICKS):
        stands = tick(game, key if i == 0 else -1)
        if once:
            return stands
        if i == 0 and key >= men.DIG_LEFT and game.counts[men.DIG_AT] == 0:
            return np.int64(-1)
        if stands != men.PLAYING:
            return stands
        if key == men.NO_KEY:
            if i + 1 == WAIT_TICKS:
                return stands
            continue
        if key >= men.DIG_LEFT:
            if game.counts[men.DIG_AT] == 0:
                return stands
            continue
        if man[men.AT] == at and man[men.DY] == dy and man[men.DX] == dx:
            return np.int64(-1) if i == 0 else stands
        if game.counts[men.FALLING] == 0:
            arrived = along(man, key) >= 0 and (man[men.AT] != at or beyond < 0)
            if i >= MOVE_TICKS or arrived:
                return stands
        dy, dx = man[men.DY], man[men.DX]
        if man[men.AT] != at:
            at, beyond = man[men.AT], np.int32(-1)
    return stands
