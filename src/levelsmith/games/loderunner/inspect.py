"""What `levelsmith check` finds in a Lode Runner level besides whether it can be won."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from levelsmith.contracts import Found
from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.judge.judge import out_of_reach
from levelsmith.games.loderunner.rules.rules import GOLD, PLAYER, LodeRunnerBoard

INSPECTIONS = {
    "no-player": ("error", "there is not one player"),
    "no-gold": ("error", "there is no gold"),
    "gold-out-of-reach": ("error", "gold that nobody can reach, whatever is dug and wherever the guards are"),
}


def faults(level: Level) -> Iterator[Found]:
    """Yields what keeps a grid from being a level that can be begun."""
    players = [(int(row), int(col)) for row, col in np.argwhere(level.grid == PLAYER)]
    if len(players) != 1:
        yield Found("no-player", f"expected one player, got {len(players)}", players[1] if players else None)
    elif not (level.grid == GOLD).any():
        yield Found("no-gold", "expected gold, got none", players[0])
    else:
        try:
            LodeRunnerBoard(level.grid)
        except LevelsmithError as error:
            yield Found("malformed", str(error), players[0])


def inspect(name: str, level: Level) -> list[Found]:
    """Returns what is found of one kind."""
    if name != "gold-out-of-reach":
        return []
    return [Found(name, "nobody can reach this gold", cell) for cell in out_of_reach(level.grid)]
