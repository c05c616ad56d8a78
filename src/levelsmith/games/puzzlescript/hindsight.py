"""Goals that are put down in hindsight: a board is explored first, and they go where things came to stand.

Most games are won by `all X on Y` or `some X on Y`, where rules leave one side alone, such as marks on the
floor. One search through a board without an end, nearest states first, tells for every way the others can
come to stand how many keys that takes. Each of them is a level as soon as the goals are there. In the same
way `no X` is won where every X that was still there is missing at the start.

Rules may ask for goals, too. So what is found here is only likely: the solver has the last word.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Mask
from levelsmith.core import Cancel, Effort, Grid, Level
from levelsmith.games.puzzlescript.bounds import Changes, members
from levelsmith.games.puzzlescript.kernels.codes import ALL, NO, SOME, WIN
from levelsmith.games.puzzlescript.kernels.spread import COST, FOUND
from levelsmith.games.puzzlescript.solve import Hunt
from levelsmith.games.puzzlescript.tables import Words, as_int, object_words
from levelsmith.levels.spending import SolverLimit, Spending

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.game import PuzzleGame

MOST_CELLS = 40_000_000  # of all states that are looked at for a board


class Wish(NamedTuple):
    """What a win condition, or several of the same two things, asks of where things are put."""

    put: int  # objects that are put down in hindsight; none where what is left over is taken out
    met: int  # what comes to stand there in play
    covered: bool  # whether each that is put down has something on it
    reached: bool  # whether each thing stands on one that is put down


class Explored(NamedTuple):
    """The ways in which things can come to stand, each in the nearest state that has it, nearest first."""

    keys: NDArray[np.int64]  # [ways] fewest keys, or not many more where pairs alone are looked for
    there: NDArray[np.bool_]  # [wishes, ways, cells] where the things are
    states: int  # that were met
    first: NDArray[np.int64]  # [ways] the states
    hunt: Hunt  # that met them

    def keys_to(self, way: int) -> str:
        """Returns keys that lead to a way."""
        return self.hunt.keys_to(int(self.first[way]))


class Hindsight:
    """What of the win conditions of a game can be met by where its goals are put."""

    def __init__(self, game: PuzzleGame):
        self.cells = game.cells
        tables = game.program.tables
        self.wishes = [] if (tables.rules.commands & WIN).any() else self._wishes(game)
        never = tables.wins._replace(
            **{name: column[:0] for name, column in tables.wins._asdict().items()}
        )  # no condition is never won
        self.game = copy(game)
        self.game.cells = copy(game.cells)
        self.game.cells.program = replace(game.program, tables=replace(tables, wins=never))

    def _wishes(self, game: PuzzleGame) -> list[Wish]:
        wins, changes = game.program.tables.wins, Changes(game.program.tables)
        seen = 0
        for cell in self.cells.sets[: self.cells.tiles.kinds]:
            seen |= cell
        fixed = {o: changes.fixed(o) for o in members(seen)}
        found: dict[tuple[int, int], tuple[bool, bool]] = {}
        whats, wheres = (list(map(as_int, column)) for column in (wins.what, wins.where))
        for c, kind in enumerate(wins.kind.tolist()):
            what, where = whats[c], wheres[c]
            if (wins.what_all[c] and what.bit_count() > 1) or (wins.where_all[c] and where.bit_count() > 1):
                continue
            if kind == NO and wins.anywhere[c] and what & seen:
                found[0, what] = False, False
            elif kind in (ALL, SOME) and not wins.anywhere[c]:
                first = self._put(what, fixed)
                pair = (first, where) if first else (self._put(where, fixed), what)
                if pair[0]:
                    covered, reached = found.get(pair, (False, False))
                    all_of = kind == ALL
                    found[pair] = covered or (all_of and bool(first)), reached or (all_of and not first)
        return [Wish(*pair, *how) for pair, how in found.items()]

    @staticmethod
    def _put(wanted: int, fixed: dict[int, set[int]]) -> int:
        """Returns the objects of levels that rules leave where they are and that are one of those wanted, or
        become one; none where some of these move."""
        if any(not into for o, into in fixed.items() if wanted >> o & 1):
            return 0
        return sum(1 << o for o, into in fixed.items() if any(wanted >> one & 1 for one in into))

    def explore(
        self, grid: Grid, states: int, cancel: Cancel | None, paired: bool = False
    ) -> Explored | None:
        """Looks at the nearest states of a board, or with `paired` at those that have something new, far
        away; returns None where it is told to stop."""
        level = Level(self.game.name, self.game.tiles, grid)
        states = min(states, max(1, MOST_CELLS // (grid.size * len(self.wishes))))
        hunt = Hunt(self.game, level, Spending(Effort(states=states, seconds=None), cancel), True, paired)
        try:
            hunt.run()
        except SolverLimit as reached:
            if str(reached) == "cancelled":
                return None
        met = int(hunt.tally[FOUND])
        if not met:
            return None
        words = object_words([wish.met for wish in self.wishes], len(self.cells.names))
        there = _where(hunt, words, met, grid.size)
        rows = np.ascontiguousarray(np.packbits(there.transpose(1, 0, 2).reshape(met, -1), axis=1))
        _, first = np.unique(rows.view(f"V{rows.shape[1]}").ravel(), return_index=True)
        first = np.sort(first)[1:]  # without the start
        keys = hunt.search.links[first, COST].astype(np.int64)
        return Explored(keys, there[:, first], met, first, hunt)

    def fitting(self, grid: Grid, there: Mask) -> NDArray[np.bool_]:
        """Returns for which ways a board has as many goals as it takes, where it has any of a kind. `[ways]`

        Args:
            grid: the board.
            there: where things came to stand. `[wishes, ways, cells]`
        """
        sets = np.array(self.cells.sets, object)[grid]
        fits = np.ones(there.shape[1], np.bool_)
        for wish, places in zip(self.wishes, there.sum(axis=2), strict=True):
            goals = int(np.count_nonzero(sets & wish.put))
            if wish.put and goals:
                fits &= places >= (goals if wish.covered else 1)
            elif wish.put:
                fits &= wish.covered or wish.reached
            if wish.put and wish.reached:
                fits &= places <= goals
        return fits

    def put(self, grid: Grid, explored: Explored, way: int, dice: Random) -> Grid | None:
        """Returns a copy of a board with its goals where they are met in a way; None where they cannot be."""
        if not self.fitting(grid, explored.there[:, [way]]).all():
            return None
        sets: Any = np.array(self.cells.sets, object)[grid]
        height = grid.shape[0]
        goals: list[dict[tuple[int, int], int]] = [
            {
                (y, x): sets[y, x] & one.put
                for y, x in np.ndindex(height, grid.shape[1])
                if sets[y, x] & one.put
            }
            for one in self.wishes
        ]
        for wish, some in zip(self.wishes, goals, strict=True):
            for at in some:
                sets[at] &= ~wish.put
        for wish, some, there in zip(self.wishes, goals, explored.there[:, way], strict=True):
            places = [(int(i) % height, int(i) // height) for i in np.flatnonzero(there)]
            if not (
                self._put_down(sets, wish, places, some, dice) if wish.put else _taken_out(sets, wish, places)
            ):
                return None
        numbers = [self.cells.index.get(self._grounded(found), -1) for found in sets.ravel().tolist()]
        return None if -1 in numbers else np.array(numbers, np.uint8).reshape(grid.shape)

    def _grounded(self, found: int) -> int:
        return found if found & self.cells.grounds else found | self.cells.background

    def _put_down(
        self,
        sets: Any,
        wish: Wish,
        places: list[tuple[int, int]],
        goals: dict[tuple[int, int], int],
        dice: Random,
    ) -> bool:
        """Puts goals, which were taken from their cells, down at places; returns whether that will do."""
        dice.shuffle(places)
        places.sort(key=lambda at: bool(sets[at] & wish.met))  # first those where something came
        others = [at for at in goals if at not in places]
        dice.shuffle(others)
        if not (wish.covered or wish.reached):
            places = places[:1]  # one is enough
        for at, thing in zip([*places, *others], goals.values(), strict=False):
            layers = self.cells.layer(1 << (thing.bit_length() - 1))
            if thing.bit_count() > 1 or (sets[at] & layers & ~self.cells.grounds):
                return False
            sets[at] = sets[at] & ~layers | thing
        return True


def _taken_out(sets: Any, wish: Wish, places: list[tuple[int, int]]) -> bool:
    """Takes out at the start what is still there at the end; returns whether that will do."""
    for at in places:
        if not sets[at] & wish.met:
            return False
        sets[at] &= ~wish.met
    return True


def _where(hunt: Hunt, wanted: Words, met: int, cells: int) -> Mask:
    """Returns in which cells any of some objects is, state by state. `[wishes, states, cells]`

    Args:
        hunt: what met the states.
        wanted: `[wishes, W]` the objects.
        met: how many states there are.
        cells: of the board.
    """
    search = hunt.search
    has = np.array([(search.held & one).any(axis=1) for one in wanted])  # [wishes, sets]
    there = np.zeros((cells, len(wanted), met), np.bool_)
    for place in range(cells):
        code, bits = np.zeros(met, np.int64), int(search.codes[place] - 1).bit_length()
        for b in range(bits):
            bit = int(search.bits[place, b])
            value = search.states[:met, bit >> 6] >> np.uint64(bit & 63) & np.uint64(1)
            code |= value.astype(np.int64) << b
        there[place] = has[:, search.by_code[place, code] if bits else search.by_code[place, :1]]
    return there.transpose(1, 2, 0)
