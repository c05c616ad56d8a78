"""One board of a game, played by the compiled interpreter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.kernels.codes import PLAY, RESTARTED, STOPPED
from levelsmith.games.puzzlescript.kernels.state import (
    CELLS,
    DOUBT,
    FEWER,
    FIRED,
    IN_DOUBT,
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
        self.tables = tables
        self._single = np.zeros((3, 1), np.int64)  # a key, a kind of turn and what comes of it

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("tables", "rules", "state", "_single")}

    @cached_property
    def _control(self) -> memoryview:
        """Single numbers are read and written faster here than in an array."""
        return memoryview(self.state.control)

    @cached_property
    def _one(self) -> tuple[memoryview, memoryview, memoryview, Callable[[], int], Callable[[], int]]:
        """A key, a kind of turn and what comes of it; what plays one turn, and what all until it settles."""
        one: list[Any] = list(self._single)
        key, kind, outcome = one
        turn, turns = (
            play_keys.prepared(self.rules, self.state, key, kind, settle, outcome) for settle in (False, True)
        )
        return memoryview(key), memoryview(kind), memoryview(outcome), turn, turns

    @cached_property
    def _placed(self) -> tuple[Words, Callable[[], None], Callable[[], None]]:
        """A board, and what puts it down, and what also makes it the place of restarts."""
        board = np.zeros_like(self.state.objects)
        put, load = (place.prepared(self.rules, self.state, board, target) for target in (False, True))
        return board, put, load

    def _place(self, given: Words, as_target: bool) -> None:
        board, put, load = self._placed
        board[:] = given
        (load if as_target else put)()

    @property
    def on_win(self) -> int:
        return self._control[ON_WIN]

    @on_win.setter
    def on_win(self, what: int) -> None:
        self._control[ON_WIN] = what

    @property
    def told(self) -> int:
        return self._control[TOLD]

    @told.setter
    def told(self, rule: int) -> None:
        self._control[TOLD] = rule

    @property
    def in_doubt(self) -> bool:
        """Whether rules that do not decide were left out, and it would have mattered."""
        return self._control[DOUBT] == IN_DOUBT

    def leave_out(self) -> None:
        """Notes that rules that do not decide are left out."""
        self._control[DOUBT] = FEWER

    @property
    def fired(self) -> list[int]:
        """The rules that have changed or commanded anything so far."""
        return [int(rule) for rule in np.flatnonzero(self.state.control[FIRED:])]

    def load(self, board: Words, seed: str | None = None) -> None:
        """Puts the board of a level down, and begins with new random numbers if there is a seed."""
        self._place(board, True)
        if seed is not None:
            self.state.rng[:] = Random(seed).begun()

    def board(self) -> Words:
        """Returns the objects of each cell. `[cells, W]`"""
        board: Words = self.state.objects.copy()
        return board

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
        self._place(board, False)

    def restart(self) -> int:
        """Goes back to the checkpoint or the start of the level; returns what comes of the start turn."""
        return self.turn(None, RESTARTED)

    def turn(self, key: int | None, kind: int = PLAY, settle: bool = False) -> int:
        """Plays one turn, of a key or of time alone; returns what comes of it, as bits."""
        keys, kinds, outcomes, turn, turns = self._one
        keys[0], kinds[0] = -1 if key is None else key, kind
        (turns if settle else turn)()
        outcome: int = outcomes[0]
        if outcome & STOPPED:
            raise endless(self._control[CELLS])
        return outcome

    def play(self, keys: Sequence[int], kind: int = PLAY, settle: bool = True) -> NDArray[np.int64]:
        """Plays keys one after the other, up to a win; returns what came of each that was played."""
        given = np.asarray(keys, np.int64)
        outcomes = np.zeros(len(given), np.int64)
        played = play_keys(self.rules, self.state, given, np.full_like(given, kind), settle, outcomes)
        if outcomes[: int(played)].any() and outcomes[int(played) - 1] & STOPPED:
            raise endless(int(self.state.control[CELLS]))
        return outcomes[: int(played)]
