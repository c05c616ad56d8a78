"""Checks of the optional sides of a game or a search: what it claims, it must keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf

import numpy as np

from levelsmith.contracts import (
    Game,
    Keeping,
    Mask,
    MeasuredBySolution,
    Mendable,
    Nudgeable,
    Openable,
    Playable,
    Populated,
    Provable,
    Search,
    Solvable,
    WithRuleSets,
    WithStart,
    WithTrail,
)
from levelsmith.core import Effort, Grid, Level, Verdict
from levelsmith.errors import LevelsmithError
from levelsmith.levels.formats.text import parse
from levelsmith.registry import formats, representations
from levelsmith.testing.promise import CheckFailed, must

GRIDS = 300  # that are drawn in order to find a few that are levels
LEVELS = 3
STATES = 2_000  # that a solver may look at


def check_declared(game: Game) -> None:
    """Checks the names that a game's attributes hold: of metrics, tiles, tags, representations and files."""
    name, tags = game.name, {tag for tile in game.tiles for tag in tile.tags}
    pairs = [metric for pair in game.never_above for metric in pair]
    aimed = [aim.metric for aim in game.aims]
    _known(f"ranges of {name}", [*game.ranges, *game.always, *game.usual, *pairs, *aimed], game.metrics)
    _known(f"bounds of {name}", game.most(game.default_size), game.metrics)
    tiles = [*game.mix, *game.keeps, *game.alike, *game.alike.values(), *game.channels, *game.placed_after]
    tiles += [tile for peer in game.peers.values() for tile in peer.tiles]
    _known(f"lists of tiles of {name}", tiles, game.tiles.names)
    _known(f"aims of {name}", [tag for aim in game.aims for tag in aim.same], tags)
    _known(f"representations of {name}", game.takes or (), representations)
    _known(f"the text format of {name}", [game.text_format], formats)
    must(game.border >= 0, f"the border of {name} is a number of cells, got {game.border}")
    missing = [str(path) for path in game.packs.values() if not path.is_file()]
    must(not missing, f"the packs of {name} are there, but {missing} are not")
    odd = [key for key in game.settings if "." not in key]
    must(not odd, f"settings of {name} are called part.parameter, got {odd}")


def _known(what: str, named: Iterable[str], known: Iterable[str]) -> None:
    strange = sorted(set(named) - set(known))
    must(not strange, f"{what} name what there is, got {strange}")


def check_sides(game: Game) -> None:
    """Checks each optional side that a game has, on a few random levels, small and of its default size."""
    must(not isinstance(game, Solvable) or isinstance(game, Playable), f"{game.name} replays what it solves")
    if isinstance(game, WithRuleSets):
        for rules in game.rule_sets:
            must(game.under(rules).name == game.name, f"{game.name} is the same game under {rules}")
    rng = np.random.default_rng(0)
    for level in _levels(game, rng):
        _check_level(game, level)
        free = rng.random(level.size) < 0.5
        for owner, grid in _changed(game, level.grid, free, rng):
            stays = grid.shape == level.grid.shape and np.array_equal(grid[~free], level.grid[~free])
            must(stays, f"{owner} of {game.name} changes free cells alone")
        if isinstance(game, Openable):
            _known(f"mends of {game.name}", game.mends(level.grid), game.tiles.names)
        _check_solution(game, level)
    if game.example is not None and isinstance(game, Playable):
        text, solution = game.example
        game.verify(replace(parse(text, game.name), solution=solution))


def _levels(game: Game, rng: np.random.Generator) -> Iterator[Level]:
    """Yields random grids that are levels; of a game where such are rare, none perhaps."""
    found = 0
    for number in range(GRIDS):
        height, width = game.smallest if number % 2 else game.default_size
        shape = (height + 2 * game.border, width + 2 * game.border)
        level = Level(game.name, game.tiles, rng.integers(0, len(game.tiles), shape, np.uint8))
        try:
            game.check(level)
        except LevelsmithError:
            continue
        yield level
        found += 1
        if found == LEVELS:
            return


def _check_level(game: Game, level: Level) -> None:
    """Checks what a game says of a level."""
    grid, name = level.grid, game.name
    must(game.closed(level).size == level.size, f"{name} leaves a level that it closes as large as it was")
    same = game.canonical(grid) == game.canonical(grid.copy())
    must(isinstance(game.canonical(grid), bytes) and same, f"equal grids of {name} have the same bytes")
    must(isinstance(game.details(level), dict), f"the details of {name} are a dict")
    headline = game.headline(level)
    must(isinstance(headline, str) and "\n" not in headline, f"the headline of {name} is one line")
    must(_inside(level, game.path(level) or []), f"the path of {name} lies inside the level")
    if isinstance(game, MeasuredBySolution):
        shape = game.measure_level(level).shape
        must(shape == (len(game.metrics),), f"{name} measures each metric of a level, got {shape}")
    if isinstance(game, WithStart):
        must(game.completed(grid).shape == grid.shape, f"{name} completes a grid and leaves its size")


def _inside(level: Level, cells: Iterable[tuple[int, int]]) -> bool:
    height, width = level.size
    return all(0 <= row < height and 0 <= col < width for row, col in cells)


def _changed(game: Game, grid: Grid, free: Mask, rng: np.random.Generator) -> Iterator[tuple[str, Grid]]:
    """Yields what each side of a game that changes levels makes of a grid."""
    if isinstance(game, Nudgeable):
        yield "nudged", game.nudged(grid, free, rng)
    if isinstance(game, Openable):
        yield "opened", game.opened(grid, free)
        yield "settled", game.settled(grid, free)
    if isinstance(game, Mendable):
        yield "sealed", game.sealed(grid, free)
        for _, mended in zip(range(LEVELS), game.mendings(grid, free), strict=False):
            yield "mendings", mended


def _check_solution(game: Game, level: Level) -> None:
    """Checks that a game's rules accept what its solver finds, and nothing else."""
    solution = None
    if isinstance(game, Solvable):
        try:
            game.check_start(level)
            verdict = game.solve(level, Effort(states=STATES, seconds=None))
        except LevelsmithError:
            return  # it has no player, or nothing to do
        must(verdict.status in Verdict.STATUSES, f"{game.name} solves with a status, got {verdict.status!r}")
        solution = verdict.solution
        told = (verdict.status == "solved") == (solution is not None)
        must(told, f"{game.name} gives a solution of what it solves, and of nothing else")
    if isinstance(game, Provable) and solution is None:
        solution = game.prove(level)
    if not isinstance(game, Playable):
        return
    _refuses(game, Level(level.game, level.tiles, level.grid, solution="\N{SNOWMAN}"))
    if solution is None:
        return
    solved = Level(level.game, level.tiles, level.grid, solution=solution)
    try:
        game.verify(solved)
    except LevelsmithError as error:
        raise CheckFailed(f"broken promise: {game.name} replays what it solves, but {error}") from error
    first = next(game.frames(solved))
    must(np.array_equal(first, level.grid), f"the first frame of {game.name} is the level")
    if isinstance(game, WithTrail):
        must(_inside(level, game.trail(solved)), f"the trail of {game.name} lies inside the level")


def _refuses(game: Playable, level: Level) -> None:
    try:
        game.verify(level)
    except LevelsmithError:
        return
    raise CheckFailed(f"broken promise: {level.game} refuses a solution that is none")


def check_kept(name: str, run: Search) -> None:
    """Checks what a search that has just begun keeps besides its best, where it claims to."""
    if isinstance(run, Keeping):
        run.keep(-inf)
        run.advance(50)
        kept = list(run.taken())
        must(bool(kept), f"{name} keeps what is above the bar")
        must(max(score for score, *_ in kept) <= run.score, f"nothing that {name} keeps is above its best")
        must(not list(run.taken()), f"what {name} keeps is taken once")
        run.keep(inf)
    run.advance(50)
    if isinstance(run, Populated):
        members = list(run.everyone())
        must(bool(members), f"{name} has a population")
        must(max(score for score, *_ in members) <= run.score, f"no member of {name} is above its best")
