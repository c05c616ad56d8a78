"""The solver of PuzzleScript games: shortest solutions, proofs that there is none, or which limit was met.

States are met nearest first, whatever the rules are; the first win takes the fewest keys. Where all states
have been met and none is won, the level has no solution.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Cancel, Effort, Level, Verdict
from levelsmith.errors import RefusedError, option
from levelsmith.games.puzzlescript.kernels.codes import CHECKPOINT, RESTART, WIN
from levelsmith.games.puzzlescript.kernels.spread import (
    FOUND,
    GOING_ON,
    IS_FULL,
    IS_WON,
    LOOKED_AT,
    LOOSE,
    NOBODY,
    SETS,
    TALLIES,
    TURNS,
    WINNING,
    Search,
    begin,
    fill_table,
    spread,
)
from levelsmith.games.puzzlescript.live import KEYS
from levelsmith.levels.spending import SolverLimit, Spending

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.game import PuzzleGame

MOST_SETS, SLOTS = 40_000, 1 << 16  # of objects in a cell, that are told apart
FIRST_ROOM = 1 << 12  # states
STATE_BYTES = 17  # of a state besides its cells: parent, key, and places in the table
GROWING = 1.5  # while room is made, what was there before is there twice
FIRST_PORTION = 1  # states looked at before the clock is: a turn may take a second
PORTION_SECONDS = 0.05
LETTERS = {key: letter for letter, key in KEYS.items()}


def solve(
    game: PuzzleGame, level: Level, effort: Effort, any: bool, moves: bool, cancel: Cancel | None
) -> Verdict:
    """Solves a level with the fewest keys, or says that nobody can, or which limit was reached."""
    check_solvable(game, any, moves)
    clock = Spending(effort, cancel)
    status, optimal, solution, limit = "unsolvable", False, None, None
    tally = np.zeros(TALLIES, np.int64)
    try:
        solution = Hunt(game, level, clock, tally).run()
        sure = bool(tally[LOOSE] == 0)
        if solution is not None:
            status, optimal = "solved", sure
            clock.aside(partial(game.verify, replace(level, solution=solution)))
        elif not sure:
            status, limit = "unknown", "endless turns"
    except SolverLimit as reached:
        status, limit = "unknown", str(reached)
    statistics: dict[str, Any] = {"states": clock.states, "seconds": round(clock.seconds, 6)}
    statistics["turns"] = int(tally[TURNS])
    if limit is not None:
        statistics["limit"] = limit
    return Verdict(
        status, optimal, solution, {} if solution is None else {"moves": len(solution)}, statistics
    )


def check_solvable(game: PuzzleGame, any: bool, moves: bool) -> None:
    """Raises RefusedError for a game, or a wish, that the solver is not made for."""
    if any or moves:
        asked = option("any" if any else "moves")
        raise RefusedError(f"levels of {game.name} are solved with the fewest keys anyway; leave out {asked}")
    if why := why_not(game):
        raise RefusedError(f"{game.name} {why}: its levels cannot be solved")


def why_not(game: PuzzleGame) -> str | None:
    """Returns what keeps the solver from levels of a game; None for most."""
    tables = game.program.tables
    if tables.realtime:
        return "goes on in real time"
    if tables.draws:
        return "draws random numbers"
    if not len(tables.wins.kind) and not (tables.rules.commands & WIN).any():
        return "has no win condition"
    return None


class Hunt:
    """The search through the states of one level."""

    def __init__(self, game: PuzzleGame, level: Level, clock: Spending, tally: NDArray[np.int64]):
        commands = game.program.tables.rules.commands
        marks = (commands & CHECKPOINT).any() and (commands & RESTART).any()
        self.clock, self.tally, self.engine = clock, tally, game.engine_at(level.grid)
        self.keys = np.array([KEYS[letter] for letter in game.letters], np.int64)
        self.length, words = level.grid.size * (2 if marks else 1), self.engine.state.objects.shape[1]
        bytes_of_state = GROWING * (2 * self.length + STATE_BYTES)
        self.most = int((clock.effort.memory - 8 * words * (SLOTS + MOST_SETS)) / bytes_of_state)
        self.search = Search(
            np.zeros((SLOTS, words), np.uint64),
            np.full(SLOTS, NOBODY, np.int32),
            np.zeros((MOST_SETS, words), np.uint64),
            np.zeros((0, self.length), np.uint16),
            np.zeros(0, np.int32),
            np.zeros(0, np.uint8),
            np.full(1, NOBODY, np.int32),
            np.zeros(self.length, np.uint16),
            tally,
        )
        clock.aside(self._begin)  # which may take the compiler

    def _begin(self) -> None:
        self._grow(FIRST_ROOM)
        begin(self.engine.state, self.search)
        spread(self.engine.rules, self.engine.state, self.search, self.keys, 0)

    def run(self) -> str | None:
        """Returns the shortest solution; None where there is none."""
        portion, rules, state = FIRST_PORTION, self.engine.rules, self.engine.state
        while True:
            self.clock.check()
            started = time.perf_counter()
            came = spread(rules, state, self.search, self.keys, portion)
            taken = time.perf_counter() - started
            self.clock.states = int(self.tally[FOUND])
            if came == IS_WON:
                return self._solution()
            if came == IS_FULL:
                self._grow(2 * len(self.search.parent))
            elif came != GOING_ON:
                return None
            portion = max(1, min(2 * portion, int(portion * PORTION_SECONDS / max(taken, 1e-6))))

    def _grow(self, room: int) -> None:
        """Makes room for so many states, or as many as there is memory for."""
        search, room = self.search, min(room, self.most)
        met = len(search.parent)
        if room <= met or self.tally[SETS] == MOST_SETS:
            raise SolverLimit("memory")
        states, parent, key = (
            np.empty((room, self.length), np.uint16),
            np.empty(room, np.int32),
            np.empty(room, np.uint8),
        )
        states[:met], parent[:met], key[:met] = search.states, search.parent, search.key
        table = np.full(1 << (room + room // 2).bit_length(), NOBODY, np.int32)
        self.search = search._replace(states=states, parent=parent, key=key, table=table)
        fill_table(self.search)

    def _solution(self) -> str:
        """Returns the keys that lead to the state looked at, and the one that wins."""
        search = self.search
        state, keys = int(self.tally[LOOKED_AT]), [int(self.tally[WINNING])]
        while search.parent[state] != NOBODY:
            keys.append(int(search.key[state]))
            state = int(search.parent[state])
        return "".join(LETTERS[key] for key in reversed(keys))
