"""One board of a game, played by the compiled interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.kernels.codes import PLAY, RESTARTED, STOPPED
from levelsmith.games.puzzlescript.kernels.state import (
    CELLS,
    FIRED,
    ON_WIN,
    TARGET,
    TOLD,
    make_board,
)
from levelsmith.games.puzzlescript.kernels.turn import place, play_keys
from levelsmith.games.puzzlescript.random import Random
from levelsmith.games.puzzlescript.tables import Tables, Words


def endless(cells: int) -> LevelsmithError:
    """Returns the error of a turn that is given up."""
    return LevelsmithError(f"expected rules that come to an end, got a turn that does not on {cells} cells")


class Kept(NamedTuple):
    """A board between two turns."""

    board: Words  # [cells, W]
    target: Words  # [cells, W] where a restart goes
    rng: NDArray[np.uint8]  # [258]


class Kernel:
    """Plays one board."""

    def __init__(self, tables: Tables, height: int, width: int):
        self.rules = tables.interpreted
        self.state = make_board(tables, self.rules, height, width)

    @property
    def on_win(self) -> int:
        return int(self.state.control[ON_WIN])

    @on_win.setter
    def on_win(self, what: int) -> None:
        self.state.control[ON_WIN] = what

    @property
    def told(self) -> int:
        return int(self.state.control[TOLD])

    @told.setter
    def told(self, rule: int) -> None:
        self.state.control[TOLD] = rule

    @property
    def fired(self) -> list[int]:
        """The rules that have changed or commanded anything so far."""
        return [int(rule) for rule in np.flatnonzero(self.state.control[FIRED:])]

    def load(self, board: Words, seed: str | None = None) -> None:
        """Puts the board of a level down, and begins with new random numbers if there is a seed."""
        place(self.rules, self.state, board, True)
        if seed is not None:
            self.state.rng[:] = Random(seed).begun()

    def board(self) -> Words:
        """Returns the objects of each cell. `[cells, W]`"""
        return np.array(self.state.objects, np.uint64)

    def kept(self) -> Kept:
        """Returns all that later turns depend on."""
        return Kept(self.board(), np.array(self.state.kept[TARGET]), np.array(self.state.rng))

    def go_back(self, kept: Kept) -> None:
        """Goes back to where `kept` was returned."""
        self.load(kept.target)
        self.put(kept.board)
        self.state.rng[:] = kept.rng

    def put(self, board: Words) -> None:
        """Replaces the board, as undo does."""
        place(self.rules, self.state, board, False)

    def restart(self) -> int:
        """Goes back to the checkpoint or the start of the level; returns what comes of the start turn."""
        return int(self.play([-1], RESTARTED, settle=False)[0])

    def turn(self, key: int | None, kind: int = PLAY) -> int:
        """Plays one turn, of a key or of time alone; returns what comes of it, as bits."""
        return int(self.play([-1 if key is None else key], kind, settle=False)[0])

    def play(self, keys: Sequence[int], kind: int = PLAY, settle: bool = True) -> NDArray[np.int64]:
        """Plays keys one after the other, up to a win; returns what came of each that was played."""
        given = np.asarray(keys, np.int64)
        outcomes = np.zeros(len(given), np.int64)
        played = play_keys(self.rules, self.state, given, np.full_like(given, kind), settle, outcomes)
        if outcomes[: int(played)].any() and outcomes[int(played) - 1] & STOPPED:
            raise endless(int(self.state.control[CELLS]))
        return outcomes[: int(played)]
