"""The solver of PuzzleScript games: shortest solutions, proofs that there is none, or which limit was met.

It plays what decides whether a level is won (`essence.py`), and the whole game where that does not do.

States are met in the order of the fewest keys that a solution through them may have, as far as the rules say
(`bounds.py`); the first win takes the fewest keys. States that the rules prove hopeless are left out. Where
all others have been met and none is won, the level has no solution.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Cancel, Effort, Level, Verdict
from levelsmith.errors import LevelsmithError, RefusedError, option
from levelsmith.games.puzzlescript.bounds import empty_guide, make_guide
from levelsmith.games.puzzlescript.kernels.codes import CHECKPOINT, INPUTS, RESTART
from levelsmith.games.puzzlescript.kernels.spread import (
    BITS,
    FOUND,
    GOING_ON,
    HELD,
    HOPELESS,
    IS_FULL,
    IS_WON,
    LEAST,
    LOOKED_AT,
    LOOSE,
    MOST_BITS,
    NEXT_KEY,
    NOBODY,
    PARENT,
    TALLIES,
    TURNS,
    WINNING,
    Search,
    begin,
    fill_table,
    spread,
)
from levelsmith.games.puzzlescript.live import KEYS, NO_KEY, number_of
from levelsmith.games.puzzlescript.traits import why_not
from levelsmith.levels.spending import SolverLimit, Spending

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.game import PuzzleGame

FIRST_ROOM = 1 << 12  # states
STATE_BYTES = 29  # of a state besides its words: links, key, and places in the table
GROWING = 1.5  # while room is made, what was there before is there twice
FIRST_PORTION = 1  # states looked at before the clock is: a turn may take a second
PORTION_SECONDS = 0.05
MOST_PAIRED = 2048  # sets in places of which pairs are noted
NO_LIMIT = 1 << 62  # of states
NO_GRAPH = np.zeros((0, 0), np.int32)
LAST_BYTE = 255  # of a number, which is what is kept of a key
LETTERS = {number_of(letter) & LAST_BYTE: letter for letter in KEYS}


def solve(
    game: PuzzleGame,
    level: Level,
    effort: Effort,
    any: bool,
    moves: bool,
    cancel: Cancel | None,
    plain: bool = False,
    paired: bool = False,
) -> Verdict:
    """Solves a level with the fewest keys, or says that nobody can, or which limit was reached: then it tells
    how many keys a solution takes at `least`. With `any`, half of the limits go to a solution that may not be
    the shortest, as with `paired`.

    In a game in real time a turn without a key is a key, too: its solution tells when to wait.

    With `plain` the whole game is played, and no bounds are used: every state that keys lead to is met,
    nearest first. With `paired` only those are met in which two places hold what they never held together
    before: they are few and lead far, but what is found may not be shortest, and nothing is proved.
    """
    check_solvable(game, moves)
    if any:
        effort = replace(
            effort,
            seconds=None if effort.seconds is None else effort.seconds / 2,
            states=None if effort.states is None else max(1, effort.states // 2),
        )
        found = solve(game, level, effort, False, False, cancel, plain, paired=True)
        if found.solution is not None:
            return found
    clock = Spending(effort, cancel)
    status, optimal, solution, limit = "unsolvable", False, None, None
    hunt = Hunt(game, level, clock, plain, paired, whole=plain)
    try:
        try:
            solution = _proved(hunt, game, level)
        except (DoubtError, LevelsmithError):
            if hunt.whole:
                raise
            hunt = Hunt(game, level, clock, plain, paired)
            solution = _proved(hunt, game, level)
        sure = bool(hunt.tally[LOOSE] == 0) and not paired
        if solution is not None:
            status, optimal = "solved", sure
        elif not sure:
            status, limit = "unknown", "pairs" if paired else "endless turns"
    except SolverLimit as reached:
        status, limit = "unknown", str(reached)
    statistics: dict[str, Any] = {"states": clock.states, "seconds": round(clock.seconds, 6)}
    statistics |= {
        "turns": int(hunt.tally[TURNS]),
        "hopeless": int(hunt.tally[HOPELESS]),
        "bound": hunt.bound,
    }
    if limit is not None:
        statistics["limit"] = limit
        if hunt.tally[LOOSE] == 0 and not paired:
            statistics["least"] = int(hunt.tally[LEAST])
    return Verdict(
        status, optimal, solution, {} if solution is None else {"moves": len(solution)}, statistics
    )


def _proved(hunt: Hunt, game: PuzzleGame, level: Level) -> str | None:
    """Returns the shortest solution, which was played, or None where there is none."""
    solution = hunt.run()
    if solution is not None:
        hunt.clock.aside(partial(game.verify, replace(level, solution=solution)))
    return solution


def check_solvable(game: PuzzleGame, moves: bool = False) -> None:
    """Raises RefusedError for a game, or a wish, that the solver is not made for."""
    if moves:
        told = f"leave out {option('moves')}"
        raise RefusedError(f"levels of {game.name} are solved with the fewest keys anyway; {told}")
    if why := why_not(game.program.tables):
        raise RefusedError(f"{game.name} {why}: its levels cannot be solved")


def graph_of(
    game: PuzzleGame, level: Level, room: int, cancel: Cancel | None = None
) -> NDArray[np.int32] | None:
    """Returns what each key leads to in every state of a level, the start first, by the number of a state or
    WINS. `[states, keys]` None where there are more states than there is room for, or turns do not end."""
    hunt = Hunt(game, level, Spending(Effort(states=room, seconds=None), cancel), plain=True)
    graph = np.zeros((room + len(hunt.keys), len(hunt.keys)), np.int32)
    try:
        hunt.run(graph)
    except SolverLimit:
        return None
    return None if hunt.tally[LOOSE] else graph[: int(hunt.tally[FOUND])]


class DoubtError(Exception):
    """Raised where rules that were left out would have mattered."""


class Hunt:
    """The search through the states of one level.

    Args:
        game: the game.
        level: the level.
        clock: what limits the search.
        plain: whether nothing is left out that cannot be won.
        paired: whether states are left out in which no two places hold what they never held together before.
        whole: whether rules that do not decide are played, too, and things told apart that are alike.
    """

    def __init__(
        self,
        game: PuzzleGame,
        level: Level,
        clock: Spending,
        plain: bool,
        paired: bool = False,
        whole: bool = True,
    ):
        engine = game.engine_at(level.grid, whole)
        tables = engine.tables
        commands = tables.rules.commands
        marks = (commands & CHECKPOINT).any() and (commands & RESTART).any()
        self.clock, self.engine, self.whole = clock, engine, tables is game.program.tables
        self.tally = np.zeros(TALLIES, np.int64)
        self.keys = np.array([number_of(letter) for letter in game.letters], np.int64)
        ways = [INPUTS[key] for key in self.keys if key != NO_KEY]
        self.guide = empty_guide(0, 0, level.grid.size)
        if not plain:
            self.guide = make_guide(self.engine.rules, self.engine.state, tables.outlined, ways)
        self.bound = "moves" if (self.guide.moves > 0).any() else "none"
        places, words = level.grid.size * (2 if marks else 1), tables.words
        self.search = Search(
            np.full(8, NOBODY, np.int32),
            np.zeros((places, words), np.uint64),
            np.zeros(places, np.int32),
            np.zeros(places, np.int32),
            np.zeros((places, 4), np.int32),
            np.zeros(places, np.int32),
            np.zeros((places, MOST_BITS), np.int32),
            np.zeros((0, 2), np.int32),
            np.zeros(places, np.int32),
            np.zeros(words, np.uint64),
            np.zeros((2, 0), np.uint64),
            np.zeros(places, np.int32),
            np.zeros((0, 0), np.uint64),
            np.zeros((0, 4), np.int32),
            np.zeros(0, np.uint8),
            np.full(1, NOBODY, np.int32),
            np.full(1 << 12, NOBODY, np.int32),
            np.zeros((MOST_PAIRED, MOST_PAIRED // 64) if paired else (0, 0), np.uint64),
            np.zeros(places, np.int32),
            self.tally,
        )

    def _begin(self) -> None:
        self._widen()
        self._make_room(FIRST_ROOM)
        self.tally[NEXT_KEY] = len(self.keys)
        begin(self.engine.state, self.search, self.guide)
        spread(self.engine.rules, self.engine.state, self.search, self.guide, self.keys, 0, 0, NO_GRAPH)

    def run(self, graph: NDArray[np.int32] = NO_GRAPH) -> str | None:
        """Returns the shortest solution; None where there is none, or where a graph is written."""
        self._begin()
        portion, rules, state = FIRST_PORTION, self.engine.rules, self.engine.state
        limit = self.clock.effort.states or NO_LIMIT
        while True:
            self.clock.check()
            started = time.perf_counter()
            came = spread(rules, state, self.search, self.guide, self.keys, portion, limit, graph)
            taken = time.perf_counter() - started
            self.clock.states = max(1, int(self.tally[FOUND]))  # the start is met, even if it is hopeless
            if self.engine.in_doubt:
                raise DoubtError
            if came == IS_WON:
                return self._solution()
            if came == IS_FULL:
                self._grow()
            elif came != GOING_ON:
                return None
            portion = max(1, min(2 * portion, int(portion * PORTION_SECONDS / max(taken, 1e-6))))

    def _grow(self) -> None:
        """Makes more room of every kind that is used up."""
        search, tally = self.search, self.tally
        if tally[HELD] == len(search.place):
            held, place, code = (doubled(one) for one in (search.held, search.place, search.code))
            self.search = self.search._replace(held=held, place=place, code=code)
        if search.codes.max() == 1 << MOST_BITS:
            raise SolverLimit("memory")
        if search.codes.max() == search.by_code.shape[1]:
            by_code = np.concatenate((search.by_code, np.zeros_like(search.by_code)), axis=1)
            self.search = self.search._replace(by_code=by_code)
        if tally[BITS] == len(search.owner):
            self._widen()
        if self.search is search and tally[FOUND] < len(search.key):  # a solution of so many keys
            queues = np.full(2 * len(search.queues), NOBODY, np.int32)
            queues[: len(search.queues)] = search.queues
            self.search = search._replace(queues=queues)
        self._make_room(len(search.key) * (2 if tally[FOUND] == len(search.key) else 1))

    def _widen(self) -> None:
        """Makes room for more bits in a state."""
        search, words = self.search, max(1, 2 * self.search.packed.shape[1])
        states = np.zeros((len(search.states), words), np.uint64)
        packed = np.zeros((2, words), np.uint64)
        owner = np.zeros((64 * words, 2), np.int32)
        for new, old in ((states, search.states), (packed, search.packed), (owner.T, search.owner.T)):
            new[:, : old.shape[1]] = old
        self.search = search._replace(states=states, packed=packed, owner=owner)

    def _make_room(self, room: int) -> None:
        """Makes room for so many states, or as many as there is memory for."""
        search, words = self.search, self.search.packed.shape[1]
        aside = sum(one.nbytes for one in (search.held, search.by_code, search.queues))
        most = int((self.clock.effort.memory - aside) / (GROWING * (8 * words + STATE_BYTES)))
        met, room = int(self.tally[FOUND]), min(room, most)
        if room <= met:
            raise SolverLimit("memory")
        states, links, key = (
            np.empty((room, words), np.uint64),
            np.empty((room, 4), np.int32),
            np.empty(room, np.uint8),
        )
        states[:met], links[:met], key[:met] = search.states[:met], search.links[:met], search.key[:met]
        table = np.full(1 << (room + room // 2).bit_length(), NOBODY, np.int32)
        slot = np.full(1 << (2 * len(search.place)).bit_length(), NOBODY, np.int32)
        self.search = search._replace(states=states, links=links, key=key, table=table, slot=slot)
        fill_table(self.search)

    def _solution(self) -> str:
        """Returns the keys that lead to the state looked at, and the one that wins."""
        last = LETTERS[int(self.tally[WINNING]) & LAST_BYTE]
        return self.keys_to(int(self.tally[LOOKED_AT])) + last

    def keys_to(self, state: int) -> str:
        """Returns the keys that lead to a state."""
        search, keys = self.search, list[int]()
        while search.links[state, PARENT] != NOBODY:
            keys.append(int(search.key[state]))
            state = int(search.links[state, PARENT])
        return "".join(LETTERS[key & LAST_BYTE] for key in reversed(keys))


def doubled(rows: NDArray[Any]) -> NDArray[Any]:
    """Returns an array with room for twice as many rows."""
    return np.concatenate((rows, np.zeros_like(rows)))
