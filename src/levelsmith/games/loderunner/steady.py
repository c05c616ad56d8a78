"""How often the keys of a plan win where chance decides, as in the original game.

There it draws two numbers: for how many cells a guard carries gold, evenly from 12 to 37, and in which column
the look for a free cell begins where a guard is born again who was killed, evenly among all. Our rules take
the tick in place of both. Nothing else is drawn.
"""

from __future__ import annotations

import numpy as np

from levelsmith.core import Level
from levelsmith.kernels.random import all_seeded

REPLAYS = 100
SEED = 50  # of the draws, the same for every plan


def steady(level: Level, plan: str) -> float:
    """Returns the share of 100 replays of a plan against guards that it wins, with draws of their own."""
    from levelsmith.games.loderunner.game import game as played  # compiled, once it is asked for
    from levelsmith.games.loderunner.rules.plan import read

    keys, won = played.keys_of(read(plan)), 0
    begun = played.CompiledGame(level.text.splitlines())
    for dice in all_seeded(np.random.SeedSequence(SEED).spawn(REPLAYS)):
        game = begun.with_dice(dice)
        wins = game.press_on(keys) == "won"
        if (game.board.dice == dice).all():  # nothing was drawn, so all replays are this one
            return float(wins)
        won += wins
    return won / REPLAYS
