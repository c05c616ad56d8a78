"""A game against guards by the compiled rules, as a value in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.game.kernels import game, men
from levelsmith.games.loderunner.rules.plan import Press

NUMBERS = (*range(6), men.GUARD, men.RUNNER, men.TRAP, men.HIDDEN)  # of the tiles of a level in the game
TILES = np.array(NUMBERS, np.uint8)
SYMBOLS = {".": 0, " ": 0, "b": 1, "B": 2, "#": 3, "-": 4, "G": 5, "t": 6, "h": 7, "M": 8, "E": 9}
KEYS = ".lrudLR"  # by number
MODES = ("free", "hole", "climb", "reborn")
STATUSES = ("playing", "won", "dead")


def keys_of(presses: Sequence[Press]) -> NDArray[np.int8]:
    """Returns what is pressed at each tick, -1 where a key stays."""
    keys, first = np.full(sum(ticks for _, ticks in presses), -1, np.int8), 0
    for key, ticks in presses:
        keys[first] = KEYS.index(key)
        first += ticks
    return keys


class CompiledGame:
    """A game on a level; `tick` goes on with it."""

    def __init__(self, rows: Sequence[str], exit: bool | None = None):
        grid = np.array([[SYMBOLS[symbol] for symbol in row] for row in rows], np.uint8)
        height, width = grid.shape
        exit = bool((grid == men.HIDDEN).any()) if exit is None else exit
        self.board = men.make_game(height, width, int((grid == men.GUARD).sum()), exit)
        self.board.tile.reshape(height + 2, width + 2)[1:-1, 1:-1] = grid
        self.status = STATUSES[game.begin(self.board)]

    def tick(self, key: str | None = None) -> str:
        """Goes on by a tick, with another key if one is given, and returns how the game stands."""
        return self.press_on(np.array([-1 if key is None else KEYS.index(key)], np.int8))

    def press_on(self, keys: NDArray[np.int8]) -> str:
        """Goes on by a tick for each key, as `keys_of` gives them, and returns how the game stands."""
        _, stands = game.run(self.board, keys)
        self.status = STATUSES[stands]
        return self.status

    def copy(self) -> CompiledGame:
        """Returns the same game, to be gone on with on its own."""
        copied = object.__new__(CompiledGame)
        copied.board = men.GuardedGame._make(
            part.copy() if isinstance(part, np.ndarray) else part for part in self.board
        )
        copied.status = self.status
        return copied

    def with_dice(self, dice: NDArray[np.uint64]) -> CompiledGame:
        """Returns the same game with chance in place of the tick. dice: `[2]`, from `kernels.random`"""
        copied = self.copy()
        copied.board.dice[:] = dice
        return copied

    def state(self) -> dict[str, Any]:
        """Returns all that can be seen of it, as `rules.game.Game.state` does."""
        board, counts = self.board, self.board.counts.tolist()
        places, holes = board.men.tolist(), board.holes[: counts[men.HOLES]].tolist()
        dig = counts[men.DIG_AT]
        return {
            "tick": counts[men.TICK],
            "runner": self._place(places[0]),
            "falling": bool(counts[men.FALLING]),
            "guards": [
                [*self._place(man), MODES[man[men.MODE]], man[men.COUNT], man[men.WAIT]] for man in places[1:]
            ],
            "holes": sorted([*self._cell(at), fills - counts[men.TICK]] for at, fills in holes),
            "dig": [*self._cell(dig), counts[men.FRAME]] if dig else None,
            "left": counts[men.LEFT_GOLD],
            "gold": [self._cell(at) for at in np.flatnonzero(board.tile == men.GOLD).tolist()],
            "status": self.status,
        }

    def _cell(self, at: int) -> list[int]:
        row, column = divmod(at, self.board.width + 2)
        return [row - 1, column - 1]

    def _place(self, man: list[int]) -> list[int]:
        return [*self._cell(man[men.AT]), man[men.DY], man[men.DX]]
