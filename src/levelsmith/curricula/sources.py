"""Where a curriculum gets levels that were not played yet: a generator, or a set that is shuffled."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, Unpack, runtime_checkable

import numpy as np

from levelsmith.core import Level, Size
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.levels.files import load
from levelsmith.levels.splits import Allowed, Shares
from levelsmith.making.driver import RAMP_STEPS, runs_of
from levelsmith.making.numbered import ALL, make_numbered
from levelsmith.making.plan import plan
from levelsmith.making.run import maker_of
from levelsmith.making.task import Task
from levelsmith.registry import games
from levelsmith.request import Keywords, Request

NOT_HERE = ("count", "skip", "seed", "workers", "keep_above", "keep_gains", "device")
CHUNK = 64  # levels that are made in one go, at most


class Place(NamedTuple):
    """Names a level of a source: the seed of the curriculum, and a number that counts on."""

    seed: int
    number: int


@runtime_checkable
class Source(Protocol):
    """Levels by number; a seed and a number give the same level again."""

    size: Size  # of a board that has room for each of them
    stages: int  # from easy to hard
    allowed: Allowed

    def take(self, places: Sequence[Place], stage: int = 0) -> list[Level]:
        """Returns the levels of these numbers."""


Levels = Source | str | os.PathLike[str] | Level | Sequence["Source | str | os.PathLike[str] | Level"]


def staged(request: Request) -> list[Task]:
    """Returns what makes the levels that were asked for, with a ramp for each stage from easy to hard."""
    if request.ramp is None:
        return [plan(request)]
    return [step.task for step in runs_of(request.but(count=RAMP_STEPS)).steps]


def board_size(task: Task) -> Size:
    """Returns the size of the levels of a task with what stands around them."""
    border = 2 * games.get(task.game).border
    return task.size[0] + border, task.size[1] + border


def largest(sizes: Iterable[Size]) -> Size:
    """Returns the size of a board that has room for boards of all these sizes."""
    heights, widths = zip(*sizes, strict=True)
    return max(heights), max(widths)


def stage_parts(count: int, stages: int) -> list[range]:
    """Returns which of so many levels in a row are those of each stage."""
    return [range(a, b) for a, b in pairwise(count * i // stages for i in range(stages + 1))]


class Remembered:
    """A method that answers the same question once; in a copy or a pickle it has forgotten the answers.

    Args:
        method: one of the object that keeps this.
        most: answers that are kept, the last ones; None for all.
    """

    def __init__(self, method: Callable[..., Any], most: int | None = None):
        self.method, self.most = method, most
        self.answer = lru_cache(maxsize=most)(method)

    def __call__(self, *question: Any) -> Any:
        return self.answer(*question)

    def __reduce__(self) -> tuple[type[Remembered], tuple[Any, ...]]:
        return Remembered, (self.method, self.most)


class Fresh:
    """Levels that are made as they are asked for, each once.

    Args:
        game: its name.
        splits: the shares of train and test, or of train, validation and test, into which all levels fall.
        split: the one that the levels are of.
        asked: size, preset, search, set, want, evaluations, unlike … as for `levelsmith.generate`; `ramp` for
            `Ramp`.
    """

    def __init__(
        self,
        game: str,
        *,
        splits: Shares | None = None,
        split: str | None = None,
        **asked: Unpack[Keywords],
    ):
        for name in NOT_HERE:
            if name in asked:
                raise LevelsmithError(f"a curriculum has a seed and counts levels itself: leave out {name}")
        unlike = asked.pop("unlike", ())
        request = Request(game, **asked).but(seed=0)
        self.tasks = staged(request)
        self.allowed = Allowed(splits, split, unlike)
        self.stages, self.size = len(self.tasks), board_size(self.tasks[0])
        self.maker = Remembered(self._maker)

    def _maker(self, stage: int) -> Any:
        return maker_of(self.tasks[stage])

    def take(self, places: Sequence[Place], stage: int = 0) -> list[Level]:
        found: list[Level] = []
        for begin in range(0, len(places), CHUNK):
            some = places[begin : begin + CHUNK]
            made = make_numbered(self.tasks[stage], self.maker(stage), some, lambda: False, self.allowed)
            found += [made[place] for place in some]
        return found


class Chosen:
    """A set of levels, each once before any comes again, in an order that the seed shuffles.

    With stages, the first part of the levels is the first stage.
    """

    def __init__(self, levels: Sequence[Level], stages: int = 1):
        if not levels:
            raise LevelsmithError("expected at least one level for a curriculum, got none")
        if len({level.game for level in levels}) > 1:
            raise LevelsmithError("expected levels of one game for a curriculum, got several")
        self.stages = min(stages, len(levels))
        self.parts = [levels[part.start : part.stop] for part in stage_parts(len(levels), self.stages)]
        self.size = largest(level.size for level in levels)
        self.allowed = ALL
        self.order = Remembered(self._order, 64)

    def take(self, places: Sequence[Place], stage: int = 0) -> list[Level]:
        part = self.parts[stage]
        return [
            part[self.order(stage, place.seed, place.number // len(part))[place.number % len(part)]]
            for place in places
        ]

    def _order(self, stage: int, seed: int, turn: int) -> list[int]:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(turn,)))
        order: list[int] = rng.permutation(len(self.parts[stage])).tolist()
        return order


class Mixed:
    """Several sources in turn."""

    stages = 1

    def __init__(self, sources: Sequence[Source]):
        if any(source.stages > 1 for source in sources):
            raise LevelsmithError("expected one source with a ramp, got several sources")
        self.sources = sources
        self.size = largest(source.size for source in sources)
        self.allowed = sources[0].allowed
        if any(_barred(source) != _barred(sources[0]) for source in sources):
            raise LevelsmithError(
                "expected sources with the same splits, split and unlike, got different ones"
            )

    def take(self, places: Sequence[Place], stage: int = 0) -> list[Level]:
        found: dict[int, Level] = {}
        for i, source in enumerate(self.sources):
            where = [at for at, place in enumerate(places) if place.number % len(self.sources) == i]
            mine = [places[at]._replace(number=places[at].number // len(self.sources)) for at in where]
            found.update(zip(where, source.take(mine), strict=True))
        return [found[at] for at in range(len(places))]


def _barred(source: Source) -> tuple[Any, ...]:
    return source.allowed.splits, source.allowed.split, source.allowed.unlike.tobytes()


def source_of(levels: Levels, stages: int = 1) -> Source:
    """Returns the levels that were given as a source: one, several in turn, or files and levels as a set."""
    if isinstance(levels, Source):
        return levels
    if isinstance(levels, str | os.PathLike | Level):
        levels = [levels]
    if not isinstance(levels, Sequence) or isinstance(levels, Mapping):
        raise LevelsmithError(
            "expected levels, files or curricula.Fresh(…) as the levels of a curriculum, "
            f"got {quoted(levels)}"
        )
    sources = [each for each in levels if isinstance(each, Source)]
    if sources and len(sources) == len(levels):
        return Mixed(sources)
    if sources:
        raise LevelsmithError("expected sources of levels or levels, got both")
    found: list[Level] = []
    for each in levels:
        if not isinstance(each, str | os.PathLike | Level):
            raise LevelsmithError(f"expected a level or a file, got {quoted(each)}")
        found += [each] if isinstance(each, Level) else load(each)
    return Chosen(found, stages)
