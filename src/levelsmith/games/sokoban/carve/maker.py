"""The maker `carve`: rooms like Boxoban's by the thousand, each with its solution.

A random walk digs the room, goals lie anywhere in it, and boxes are pulled away from them. Every solution is
played in `rules.kernels.replay`, which shares no code with what makes it, before the level is handed out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from levelsmith.contracts import Game, GameMaker
from levelsmith.core import Batch, Level, Parameter, Parameters, Size, Term, Values, joined
from levelsmith.errors import LevelsmithError, listed, setting
from levelsmith.games.sokoban.carve.kernels import carve
from levelsmith.games.sokoban.carve.kernels.carve import LEVEL, MOST_MOVES
from levelsmith.games.sokoban.rules.kernels import board, replay
from levelsmith.games.sokoban.rules.kernels.board import METRICS, PUSHES
from levelsmith.games.sokoban.rules.keys import canonical_keys
from levelsmith.games.sokoban.solver.kernels import pulls, strolls
from levelsmith.kernels.bits import from_members
from levelsmith.kernels.random import all_seeded
from levelsmith.kernels.score import make as make_score

MOST_PUSHES = 1_000_000  # of a level
# What a solution that is not proved shortest says nothing about; pushes have a lower bound.
UNKNOWN = frozenset(METRICS[PUSHES:]) - {"pushes", "dead_share"}
PLAYABLE = Term("boxes", "ramp", low=1.0)  # what is asked for where nothing else is


class Order:
    """Levels that are being made, each from a seed of its own."""

    def __init__(self, seeds: Sequence[np.random.SeedSequence], size: Size):
        count, cells = len(seeds), (size[0] + 2) * (size[1] + 2)
        self.rngs = all_seeded(seeds)
        self.made = carve.CarvedLevels(
            np.zeros((count, cells), np.uint8),
            np.empty(count * (MOST_MOVES + 1), np.uint8),
            np.zeros(count, np.int64),
            np.zeros(3, np.int64),
        )

    def begin_again(self) -> None:
        """Forgets what was made; the next levels come from the next random numbers."""
        self.made.tries[:], self.made.at[:] = 0, 0

    @property
    def finished(self) -> int:
        """How many levels there are, or could not be made."""
        return int(self.made.at[LEVEL])


class Carve(GameMaker):
    """Digs rooms, and pulls boxes away from their goals, many levels at a time."""

    game = "sokoban"
    summary = "rooms like Boxoban's by the thousand, with a known optimum or, faster, any solution"
    parameters: ClassVar[Parameters] = (
        Parameter("boxes", 4, "boxes of a level", low=1, high=board.MOST_BOXES),
        Parameter("optimal", True, "the solution is proved to have the fewest pushes"),
        Parameter("longest", 40, "pushes at most, where no range says", low=1, high=1000),
        Parameter("floor", 0.47, "share of floor", low=0.0, high=1.0),
        Parameter("wide", 0.25, "chance that the walk which digs a room digs 2x2 cells", low=0.0, high=1.0),
        Parameter("turns", 0.35, "chance that it turns", low=0.0, high=1.0),
        Parameter("states", 200_000, "positions that are met at most for a proved optimum", low=1),
    )
    sure = ("boxes",)  # every level has some

    def __init__(self, game: Game, size: Size, values: Values, terms: Sequence[Term]):
        height, width = size
        cells, boxes = height * width, values["boxes"]
        if not board.fits(size):
            raise LevelsmithError(f"expected a board of at most 256 cells for carve, got {width}x{height}")
        if 2 * boxes + 2 > cells:
            most = (cells - 2) // 2
            raise LevelsmithError(f"expected at most {most} boxes on {width}x{height}, got {boxes}")
        if values["optimal"] and math.comb(int(cells * values["floor"]), boxes) > pulls.MOST_SETS:
            raise LevelsmithError(
                f"{boxes} boxes on {width}x{height} are too many for a proved optimum; "
                f"try {setting('optimal', False)}"
            )
        for term in terms:
            if term.metric == "boxes" and not term.low <= boxes <= term.high:
                raise LevelsmithError(
                    f"carve makes levels of one number of boxes, and {boxes} is not in the range; "
                    f"try {setting('boxes', round(term.low) if term.low > boxes else int(term.high))}"
                )
        unproved = {term.metric for term in terms} & UNKNOWN
        if unproved and not values["optimal"]:
            raise LevelsmithError(
                f"without a proved optimum nobody knows {listed(sorted(unproved))} of a level: "
                f"leave out {setting('optimal', False)} or the range"
            )
        least, most = _pushes(terms, values["longest"])
        self.of: Any = game
        self.judged = [term for term in terms if term.metric == "difficulty"]
        self.size = size
        self.chunk = 20 if values["optimal"] else 500
        self.compiled = game.compiled(size)
        self.objective = make_score(list(terms) or [PLAYABLE], list(game.metrics))
        self.carver = carve.CarveWorkspace(
            board=board.make(size),
            pulls=pulls.make(size, boxes, values["states"] if values["optimal"] else 1),
            strolls=strolls.make(size, values["states"] if values["optimal"] else 1),
            boxes=boxes,
            floor=values["floor"],
            wide=values["wide"],
            turns=values["turns"],
            optimal=values["optimal"],
            least=least,
            most=most,
            path=np.zeros(most, np.uint16),
            trail=np.zeros((most + 1) * len(from_members((), cells)), np.uint64),
            pair_start=np.zeros(cells, np.int16),
            pair_goal=np.zeros(cells, np.int16),
        )
        self.workspace = np.zeros((2, (height + 2) * (width + 2)), np.int64)

    def make(
        self,
        runs: Sequence[int],
        seeds: Sequence[np.random.SeedSequence],
        evaluations: int | None,
        cancel: Callable[[], bool],
    ) -> Iterator[Batch]:
        if self.judged:
            pairs = zip(runs, seeds, strict=True)
            yield joined([self._rated(run, seed, evaluations or 0, cancel) for run, seed in pairs])
            return
        order = Order(seeds, self.size)
        self._fill(order, evaluations or 0, cancel)
        yield self._batch(runs, order)

    def _fill(self, order: Order, most_tries: int, cancel: Callable[[], bool]) -> None:
        problem = self.carver, self.compiled, self.objective
        while order.finished < len(order.rngs) and not cancel():
            carve.fill(*problem, order.rngs, order.made, most_tries, self.chunk)

    def _rated(
        self, run: int, seed: np.random.SeedSequence, most_tries: int, cancel: Callable[[], bool]
    ) -> Batch:
        """Makes a level that lies in the ranges of what is only estimated while it is made."""
        order, tries = Order([seed], self.size), 0
        while True:
            self._fill(order, most_tries - tries, cancel)
            made = self._batch([run], order)
            if not len(made):
                return made
            tries += int(made.evaluations[0])
            row = dict(zip(METRICS, self.of.measure_solved(made.grids, made.solutions)[0], strict=True))
            if all(term.low <= row[term.metric] <= term.high for term in self.judged):
                return replace(made, evaluations=np.array([tries], np.int64))
            if tries == most_tries:
                return made.part(0, 0)
            order.begin_again()

    def _batch(self, runs: Sequence[int], order: Order) -> Batch:
        """Returns the finished levels of an order, after each was played."""
        made = order.made
        good = np.flatnonzero(made.tries[: order.finished])
        grids, moves = made.grids[good], made.moves[: made.at[carve.END]]
        played = replay.count_sound(grids, self.size[1] + 2, moves, self.workspace)
        if played != len(good):
            raise AssertionError(f"the solution of run {runs[good[played]]} does not solve it")
        grids = grids.reshape(-1, self.size[0] + 2, self.size[1] + 2)
        solutions = tuple(moves.tobytes().decode("ascii").splitlines())
        return Batch(np.asarray(runs)[good], grids, solutions, canonical_keys(grids), made.tries[good])

    def page_arguments(self) -> dict[str, Any]:
        """Returns what `fill` takes first, for pages to lay out as it is here."""
        return {"carver": self.carver, "game": self.compiled, "objective": self.objective}

    def known(self, levels: Sequence[Level]) -> set[int]:
        return {int(canonical_keys(level.grid[None])[0]) for level in levels}


def _pushes(terms: Sequence[Term], longest: int) -> tuple[int, int]:
    """Returns the least and the most pushes that are asked for."""
    least, most = 1, longest
    for term in terms:
        if term.metric == "pushes":
            least = max(1, math.ceil(term.low))
            most = max(longest, least) if term.high == math.inf else int(term.high)
    if least > most:
        raise LevelsmithError(f"expected a whole number from 1 in the range of pushes, got {least}..{most}")
    if most > MOST_PUSHES:  # room for so many is made
        raise LevelsmithError(f"expected a range of at most {MOST_PUSHES:,} pushes, got {least}..{most}")
    return least, most
