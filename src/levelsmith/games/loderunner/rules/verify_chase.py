"""Lode Runner in the program that checks a dataset without levelsmith: plans against guards who chase."""

from __future__ import annotations

import os
import re
import sys

from levelsmith.levels.dataset.verify import Fault, Rows

SYMBOLS = ".bB#-GEMth"  # of the tiles
GOLD, RUNNER = 5, 7
PRESS = re.compile(r"([lrudLR.])([1-9][0-9]{0,4})")  # a key, and the ticks that it stays down
LONGEST = 30_000  # ticks of a game


def play(grid: Rows, moves: str) -> None:
    """Raises Fault unless keys with ticks, such as r45 L12 .5, win against guards who chase."""
    here = os.path.dirname(os.path.abspath(__file__))
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        from rulebook.game import Game  # type: ignore[import-not-found]
    except ImportError:
        raise SystemExit("verify.py: the folder rulebook is missing, which lies beside it") from None
    presses = [PRESS.fullmatch(word) for word in moves.split()]
    if None in presses or not presses:
        raise Fault("expected keys with their ticks, such as r45 L12 .5")
    keys = [(press[1], int(press[2])) for press in presses if press]
    if sum(ticks for _, ticks in keys) > LONGEST:
        raise Fault(f"the solution has more than {LONGEST} ticks")
    if sum(row.count(RUNNER) for row in grid) != 1 or not any(GOLD in row for row in grid):
        raise Fault("it has not one player, or no gold")
    game = Game(["".join(SYMBOLS[tile] for tile in row) for row in grid])
    for key, ticks in keys:
        for tick in range(ticks):
            if game.status == "playing":
                game.tick(key if tick == 0 else None)
    if game.status != "won":
        raise Fault(f"the solution does not win against the guards: {game.status}, {game.left} gold left")


def counts_of(solution: str) -> dict[str, int]:
    """Returns the keys of a plan."""
    return {"moves": len(solution.split())}
