"""Where the levels of an environment come from: a generator, a set, or files; from easy to hard."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from levelsmith.core import Grid, Level, Parameter, Size
from levelsmith.curricula.curriculum import Curriculum
from levelsmith.curricula.sources import Remembered, largest, stage_parts, staged
from levelsmith.envs.known import Dealt, Known
from levelsmith.envs.pool import CHUNK, Key, Pool, Supply
from levelsmith.errors import LevelsmithError, listed, quoted, unknown
from levelsmith.kernels.shuffle import deal
from levelsmith.levels.files import load
from levelsmith.levels.formats.text import parse
from levelsmith.levels.splits import Allowed, Shares
from levelsmith.making.driver import RAMP_STEPS
from levelsmith.making.plan import plan
from levelsmith.making.task import Task
from levelsmith.numbers import check_seed, whole_number
from levelsmith.registry import games, generators, generators_of, searches
from levelsmith.request import PLAY, Request, fields_of

Given = str | os.PathLike[str] | Level  # a file, a level, or the text of one
Files = Given | Sequence[Given]
OPTIONS = fields_of(PLAY)  # others are parameters and ranges


class Fixed(Supply):
    """A set of levels, each once before any comes again, in an order that the seed shuffles.

    With stages, the first part of the levels is the first stage.
    """

    def __init__(self, levels: Sequence[Level], known: Known, stages: int = 1):
        self.levels, self.known = levels, known
        self.stages = min(stages, len(levels))
        self.parts, self.size = stage_parts(len(levels), self.stages), largest(each.size for each in levels)
        self.dealt = Remembered(self._dealt)

    def take(self, keys: Sequence[Key]) -> list[Dealt]:
        parts = [self.parts[key.stage] for key in keys]
        columns = [key.seed for key in keys], [key.number for key in keys], [len(part) for part in parts]
        places = np.zeros(len(keys), np.int64)
        deal(*(np.array(column, np.int64) for column in columns), places)
        return [self.dealt(part[place]) for part, place in zip(parts, places.tolist(), strict=True)]

    def _dealt(self, index: int) -> Dealt:
        return self.known.of(self.levels[index], index)


class Guided(Supply):
    """The levels that a curriculum gives, whatever the seed of a board is."""

    def __init__(self, curriculum: Curriculum, known: Known):
        self.curriculum, self.known, self.size = curriculum, known, curriculum.size

    def take(self, keys: Sequence[Key]) -> list[Dealt]:
        levels = self.curriculum.sample(len(keys))
        return [self.known.of(playable(self.known.game, level)) for level in levels]


def supply(
    known: Known,
    boards: int,
    /,
    *,
    levels: Files | None = None,
    count: int | None = None,
    level_seed: int = 0,
    curriculum: str | bool | Curriculum | None = None,
    splits: Shares | None = None,
    split: str | None = None,
    unlike: Files = (),
    **choices: Any,
) -> Supply:
    """Returns the levels that were asked for, as `PlayedBoards` takes it; mistakes are named here."""
    game, level_seed = known.game, check_seed(level_seed)
    given = {name: value for name, value in choices.items() if value is not None}
    if isinstance(curriculum, Curriculum):
        asked = {"levels": levels, "count": count, "splits": splits, "split": split, **given}
        for name, value in (asked | {"unlike": unlike or None}).items():
            if value is not None:
                raise LevelsmithError(
                    f"levels come from the curriculum alone: leave out {name}, or curriculum"
                )
        return Guided(curriculum, known)
    if not isinstance(curriculum, str | bool | None):
        raise LevelsmithError(
            f"expected True, a metric of {game} or an object of levelsmith.curricula as the curriculum, "
            f"got {quoted(curriculum)}"
        )
    allowed = Allowed(splits, split, list(_loaded(game, unlike)))
    if levels is not None:
        if count is not None or given:
            name = "count" if count is not None else next(iter(given))
            raise LevelsmithError(f"levels come from the files alone: leave out {name}, or levels")
        there = [playable(game, level) for level in _loaded(game, levels)]
        found = [level for level, good in zip(there, allowed(there), strict=True) if good]
        if not found:
            kept_out = f" of {len(there)} that may appear" if there else ""
            raise LevelsmithError(f"expected at least one level to play, got none{kept_out}")
        return Fixed(found, known, RAMP_STEPS if curriculum else 1)
    tasks = _tasks(game, curriculum, {**known.kind.practice, **given})
    if count is None:
        return Pool(tasks, CHUNK if boards == 1 else 1, known, allowed)
    count = whole_number(count, "a count", 1, " levels")
    if count < len(tasks):
        raise LevelsmithError(f"expected a count of at least {len(tasks)}, got {count}")
    pool = Pool(tasks, 0, replace(known, exact=False), allowed)  # that is found out when a level is dealt
    keys = [Key(i * len(tasks) // count, level_seed, i) for i in range(count)]
    made = [dealt.level for dealt in pool.take(keys)]
    pool.close()
    return Fixed(made, known, len(tasks))


def _tasks(game: str, curriculum: str | bool | None, asked: dict[str, Any]) -> list[Task]:
    """Returns what makes the levels, for each stage from easy to hard."""
    named = Request(game, **{name: asked.pop(name) for name in OPTIONS if name in asked})
    maker = named.search or _maker_of(named.preset, game)
    own = [parameter.name for parameter in _parameters(game, maker)]
    for name in asked:
        if name not in own and name.replace("-", "_") not in games.get(game).metrics:
            raise unknown(f"option of {game}", name, [*own, *games.get(game).metrics])
    request = named.but(
        search=maker,
        set={name: value for name, value in asked.items() if name in own},
        want={name: value for name, value in asked.items() if name not in own},
        seed=0,
    )
    task = plan(request)
    if not curriculum:
        return [task]
    metric = curriculum if isinstance(curriculum, str) else next((w.metric for w in task.wants), "")
    return staged(request.but(ramp=metric))


def _parameters(game: str, maker: str) -> Sequence[Parameter]:
    """Returns what can be set of a maker: of a search, the parameters of the game's first objective too."""
    if maker in generators:
        return generators.get(maker).parameters
    objective = games.get(game).defaults.get("objective", "")
    return *searches.get(maker).parameters, *games.get(game).objectives[objective].parameters


def _maker_of(preset: str | None, game: str) -> str:
    from levelsmith import presets

    chosen = presets.load(preset).choices(game).get("search") if preset else None
    own = generators_of(games.get(game))
    return chosen or next(iter(own), None) or games.get(game).defaults["search"]


def _loaded(game: str, files: Files) -> Iterable[Level]:
    if isinstance(files, str | os.PathLike | Level):
        files = [files]
    for file in files if isinstance(files, Iterable) else [files]:
        if not isinstance(file, str | os.PathLike | Level):
            raise LevelsmithError(f"expected files or levels of {game}, got {quoted(file)}")
        for level in [as_level(game, file)] if _is_level(file) else load(file, game=game):  # type: ignore[arg-type]
            if level.game != game:
                raise LevelsmithError(f"expected levels of {game}, got one of {level.game} in {quoted(file)}")
            yield level


def _is_level(given: Any) -> bool:
    return isinstance(given, Level) or (isinstance(given, str) and "\n" in given)


def as_level(game: str, given: Any) -> Level:
    """Returns a level that was handed in as a value or as text."""
    if not _is_level(given):
        raise LevelsmithError(f"expected a level of {game}, or its text in rows, got {quoted(given)}")
    return given if isinstance(given, Level) else parse(given, game)


def playable(game: str, level: Level) -> Level:
    """Returns the level, once it is clear that it can be begun."""
    if level.game != game:
        raise LevelsmithError(f"expected a level of {game}, got one of {level.game}")
    games.get(game).check(level)
    games.get(game).check_start(level)
    return level


def padded(level: Level, size: Size, outside: int | None) -> Grid:
    """Returns the grid of a level in the corner of a larger one, of which the rest cannot be entered."""
    if level.size == size:
        return level.grid
    if outside is None or level.size[0] > size[0] or level.size[1] > size[1]:
        most = "" if outside is None else "at most "
        raise LevelsmithError(
            f"expected a level of {most}{size[1]}x{size[0]} cells, got {level.size[1]}x{level.size[0]}"
        )
    grid = np.full(size, outside, np.uint8)
    grid[: level.size[0], : level.size[1]] = level.grid
    return grid


def check_one_size(game: str, levels: Sequence[Level]) -> None:
    """Refuses levels of several sizes, of a game that has nothing to fill up the smaller ones with."""
    sizes = dict.fromkeys(f"{level.size[1]}x{level.size[0]}" for level in levels)
    if len(sizes) > 1:
        raise LevelsmithError(
            f"expected levels of one size, for {game} has no tile to fill up smaller ones with, got "
            f"{listed(sizes)}: name a level, such as level=1 or levels='{game}#1'"
        )


def shown(level: Level, grid: Grid) -> Level:
    """Returns a level as it stands now."""
    return replace(level, grid=grid, solution=None)
