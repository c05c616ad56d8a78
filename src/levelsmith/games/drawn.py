"""Levels that are drawn whole, one candidate after the other, until one will do: what such generators share.

What cannot be used is thrown away and the next candidate drawn from the same random numbers, so that a seed
always gives the same level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from random import Random
from typing import ClassVar

import numpy as np

from levelsmith.contracts import Game, Generator, MeasuredBySolution
from levelsmith.core import Grid, Level, Parameters, Size, Term, Values
from levelsmith.levels.batch import Batch


class Drawer:
    """Draws levels of a size until one meets all terms; see `levels.batch.Maker`."""

    portion = 25

    def __init__(self, game: Game, size: Size, values: Values, terms: Sequence[Term]):
        self.game, self.size, self.values, self.terms = game, size, values, terms

    def drawn(self, dice: Random) -> Level | None:
        """The next candidate; None where it is of no use."""
        raise NotImplementedError

    def meets(self, level: Level) -> bool:
        if not self.terms:
            return True
        game = self.game
        if isinstance(game, MeasuredBySolution):
            row = game.measure_level(level)
        else:
            row = game.measure(level.grid[None])[0]
        metrics = dict(zip(self.game.metrics, row, strict=True))
        return all(term.low <= metrics[term.metric] <= term.high for term in self.terms)

    def make(
        self,
        runs: Sequence[int],
        seeds: Sequence[np.random.SeedSequence],
        evaluations: int,
        cancel: Callable[[], bool],
    ) -> Batch:
        made: list[tuple[int, Level, int]] = []
        for run, seed in zip(runs, seeds, strict=True):
            site = Site(self, seed)
            while site.level is None and site.evaluations < evaluations and not cancel():
                site.advance(1)
            if site.level is not None:
                made.append((run, site.level, site.evaluations))
        grids = np.array([level.grid for _, level, _ in made], np.uint8).reshape(-1, *self.size)
        return Batch(
            np.array([run for run, _, _ in made], np.int64),
            grids,
            tuple(level.solution or "" for _, level, _ in made),
            np.array([_key(grid) for grid in grids], np.uint64),
            np.array([spent for _, _, spent in made], np.int64),
        )

    def known(self, levels: Sequence[Level]) -> set[int]:
        return {_key(level.grid) for level in levels}


def _key(grid: Grid) -> int:
    """A number that a grid and its mirror image share."""
    sides = (grid.tobytes(), grid[:, ::-1].tobytes())
    return int.from_bytes(blake2b(min(sides), digest_size=8).digest(), "little")


class Site:
    """One level that is being drawn."""

    def __init__(self, drawer: Drawer, seed: np.random.SeedSequence):
        self.drawer = drawer
        self.dice = Random(int.from_bytes(seed.generate_state(8).astype("<u4").tobytes(), "little"))
        self.evaluations = 0
        self.level: Level | None = None

    def advance(self, evaluations: int) -> None:
        for _ in range(evaluations):
            if self.level is not None:
                return
            self.evaluations += 1
            self.level = self.drawer.drawn(self.dice)


class Drawn(Generator):
    """One level of a drawer, under the driver of all searches."""

    drawer: ClassVar[type[Drawer]]
    parameters: ClassVar[Parameters] = ()

    def __init__(
        self,
        game: Game,
        size: Size,
        seed: np.random.SeedSequence,
        values: Values,
        terms: Sequence[Term] = (),
    ):
        self.size = size
        self.site = Site(self.drawer(game, size, values, terms), seed)

    @property
    def evaluations(self) -> int:
        return self.site.evaluations

    @property
    def exhausted(self) -> bool:
        return self.site.level is not None

    @property
    def score(self) -> float:
        return float(self.exhausted)

    def advance(self, evaluations: int) -> None:
        self.site.advance(evaluations)

    def best(self) -> Grid:
        return np.zeros(self.size, np.uint8) if self.site.level is None else self.site.level.grid

    def proof(self) -> str | None:
        return None if self.site.level is None else self.site.level.solution
