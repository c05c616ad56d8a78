"""Levels that are drawn whole, one candidate after the other, until one will do: what such makers share.

What cannot be used is thrown away and the next candidate drawn from the same random numbers, so that a seed
always gives the same level.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from random import Random
from typing import Any

import numpy as np

from levelsmith.contracts import Game, GameMaker, MeasuredBySolution, Resumable
from levelsmith.core import NOT_WON, Batch, Cancel, Grid, Level, Made, Progress, Size, Term, Values

TELL_SECONDS = 1.0  # how often progress is told while no level comes


class DrawnWhole(GameMaker):
    """Makes levels of a size, each by a run of its own that draws until one meets all terms."""

    chunk = 25
    not_won = 0  # candidates so far that were thrown away for want of a plan against guards

    def __init__(self, game: Game, size: Size, values: Values, terms: Sequence[Term]):
        self.of: Any = game
        self.size, self.values, self.terms = size, values, terms

    def meets(self, level: Level) -> bool:
        if not self.terms:
            return True
        game = self.of
        if isinstance(game, MeasuredBySolution):
            row = game.measure_level(level)
        else:
            row = game.measure(level.grid[None])[0]
        metrics = dict(zip(game.metrics, row, strict=True))
        return all(term.low <= metrics[term.metric] <= term.high for term in self.terms)

    def stacked(self, grids: Sequence[Grid]) -> Grid:
        """Returns the grids of levels as one array `[N, H, W]`."""
        return np.array(grids, np.uint8).reshape(-1, *self.size)

    @abstractmethod
    def start(self, seed: np.random.SeedSequence) -> Draw:
        """Returns one run, to be advanced."""

    def make(
        self,
        runs: Sequence[int],
        seeds: Sequence[np.random.SeedSequence],
        evaluations: int | None,
        cancel: Callable[[], bool],
    ) -> Iterator[Made]:
        made: list[tuple[int, Level, Draw]] = []
        begun = told = time.perf_counter()
        for run, seed in zip(runs, seeds, strict=True):
            draw = self.start(seed)
            while draw.level is None and draw.evaluations < (evaluations or 0) and not cancel():
                draw.advance(1)
                now = time.perf_counter()
                if now - told > TELL_SECONDS:
                    told = now
                    yield Progress(run, draw.evaluations, now - begun, 0.0, None)
            if draw.level is not None:
                made.append((run, draw.level, draw))
        grids = self.stacked([level.grid for _, level, _ in made])
        yield Batch(
            np.array([run for run, _, _ in made], np.int64),
            grids,
            tuple(level.solution or "" for _, level, _ in made),
            np.array([mirrored_key(grid) for grid in grids], np.uint64),
            np.array([draw.evaluations for _, _, draw in made], np.int64),
            np.array([draw.not_won for _, _, draw in made], np.int64),
        )

    def known(self, levels: Sequence[Level]) -> set[int]:
        return {mirrored_key(level.grid) for level in levels}


def mirrored_key(grid: Grid) -> int:
    """Returns a number that a grid and its mirror image share."""
    sides = (grid.tobytes(), grid[:, ::-1].tobytes())
    return int.from_bytes(blake2b(min(sides), digest_size=8).digest(), "little")


class Drawer(DrawnWhole):
    """Makes levels by candidates that know nothing of the last."""

    @abstractmethod
    def candidate(self, dice: Random) -> Level | None:
        """Draws the next candidate; returns None where it is of no use."""

    def start(self, seed: np.random.SeedSequence) -> Draw:
        return Candidates(self, seed)


class Draw(Resumable):
    """One level that is being drawn, advanced as a search is."""

    evaluations: int = 0
    score: float = 0.0
    exhausted: bool = False
    # To ask in the midst of a candidate that takes long: a yes ends the run, which forgets the candidate.
    cancel: Cancel | None = None

    def __init__(self, drawer: DrawnWhole, seed: np.random.SeedSequence):
        self.drawer = drawer
        self.dice = Random(int.from_bytes(seed.generate_state(8).astype("<u4").tobytes(), "little"))
        self.level: Level | None = None
        self.not_won = 0

    def best(self) -> Grid:
        return np.zeros(self.drawer.size, np.uint8) if self.level is None else self.level.grid

    def proof(self) -> str | None:
        return None if self.level is None else self.level.solution

    def statistics(self) -> dict[str, Any]:
        return {NOT_WON: self.not_won} if self.not_won else {}


class Candidates(Draw):
    """One level that is being drawn, candidate by candidate."""

    drawer: Drawer

    def advance(self, evaluations: int) -> None:
        """Draws that many candidates, or fewer where one will do."""
        for _ in range(0 if self.exhausted else evaluations):
            self.evaluations += 1
            before = self.drawer.not_won
            self.level = self.drawer.candidate(self.dice)
            self.not_won += self.drawer.not_won - before
            if self.level is not None:
                self.score, self.exhausted = 1.0, True
                return
