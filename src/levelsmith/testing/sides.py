"""Checks of the optional sides of a game or a search: what it claims, it must keep."""

from __future__ import annotations

import contextlib
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
from levelsmith.core import SOLVED, Effort, Grid, Level, Verdict
from levelsmith.errors import LevelsmithError
from levelsmith.making.wants import collisions
from levelsmith.registry import formats, representations, searches
from levelsmith.testing.book import check_rule_book
from levelsmith.testing.problem import defaults_of, problem_of
from levelsmith.testing.promise import CheckFailed, must

GRIDS = 300  # that are drawn in order to find a few that are levels
LEVELS = 3
STATES = 2_000  # that a solver may look at
TRIES = 20  # levels that are given to it, in order to find a few that it solves
SEARCHES, EVALUATIONS = 3, 3_000  # that are spent where it solves none of them


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
    twice = collisions(game)
    must(not twice, f"no parameter of an objective of {name} is called as a metric is, got {twice}")
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
    if isinstance(game, Playable):
        _check_solutions(game, rng)


def _levels(game: Game, rng: np.random.Generator, begun: bool = False) -> Iterator[Level]:
    """Yields random grids that are levels, and can be begun; of a game where such are rare, none perhaps."""
    often = np.array([game.mix.get(name, 0 if game.mix else 1) for name in game.tiles.names], np.float64)
    found = 0
    for number in range(GRIDS):
        height, width = game.smallest if number % 2 else game.default_size
        shape = (height + 2 * game.border, width + 2 * game.border)
        if begun:
            grid = rng.choice(len(game.tiles), shape, p=often / often.sum()).astype(np.uint8)
        else:
            grid = rng.integers(0, len(game.tiles), shape, np.uint8)
        if begun and isinstance(game, WithStart):
            grid = game.completed(grid)
        level = Level(game.name, game.tiles, grid)
        try:
            game.check(level)
            if begun:
                game.check_start(level)
        except LevelsmithError:
            continue
        yield level
        found += 1
        if found == LEVELS and not begun:
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


def _check_solutions(game: Game, rng: np.random.Generator) -> None:
    """Checks that a game's rules accept what its solver finds, and nothing else, on a few levels of which at
    least one is solved: its example, random grids, or what a short search finds."""
    solved = 0
    if game.example is not None:
        text, solution = game.example
        check_replay(game, Level(game.name, game.tiles, _read(game, text), solution=solution), False)
        solved += 1
    for _, level in zip(range(TRIES), _levels(game, rng, begun=True), strict=False):
        solved += check_solution(game, level)
        if solved > LEVELS:
            break
    if not isinstance(game, Solvable | Provable):
        return
    if not solved:
        solved += any(check_solution(game, level) for level in _searched(game))
    must(
        solved > 0,
        f"a level of {game.name} shows that its solutions solve, but none was found that has one; "
        "give the game an `example`, a level as text and its solution",
    )


def _read(game: Game, text: str) -> Grid:
    """Returns a text as a grid of a game that need not be registered."""
    return np.array([[game.tiles.by_character[c] for c in row] for row in text.splitlines()], np.uint8)


def _searched(game: Game) -> Iterator[Level]:
    """Yields the best level of a short search for what the game asks of any level."""
    if not game.objectives:
        return
    objective = game.objectives[game.defaults["objective"]]
    kind, rep = searches.get(game.defaults["search"]), representations.get(game.defaults["representation"])
    terms = list(objective.terms(game.default_size, defaults_of(objective)))
    product = objective.combine == "product"
    problem = problem_of(game, rep, game.default_size, terms, kind.needs, product)
    for seed in range(SEARCHES):
        run = kind(problem, np.random.SeedSequence(seed), defaults_of(kind))
        while run.evaluations < EVALUATIONS and run.score < SOLVED and not run.exhausted:
            run.advance(EVALUATIONS - run.evaluations)
        grid = game.completed(run.best()) if isinstance(game, WithStart) else run.best()
        with contextlib.suppress(LevelsmithError):
            level = Level(game.name, game.tiles, grid)
            game.check(level)
            game.check_start(level)
            yield level


def check_solution(game: Game, level: Level) -> bool:
    """Checks what a game says of a level that can be begun; tells whether it has a solution."""
    solution, optimal = None, False
    try:
        if isinstance(game, Solvable):
            verdict = game.solve(level, Effort(states=STATES, seconds=None))
            must(
                verdict.status in Verdict.STATUSES,
                f"{game.name} solves with a status, got {verdict.status!r}",
            )
            solution, optimal = verdict.solution, verdict.optimal
            told = (verdict.status == "solved") == (solution is not None)
            must(told, f"{game.name} gives a solution of what it solves, and of nothing else")
        if isinstance(game, Provable) and solution is None:
            solution = game.prove(level)
    except LevelsmithError as error:
        raise CheckFailed(
            f"broken promise: {game.name} solves a level that can be begun, but {error}"
        ) from error
    _refuses(game, replace(level, solution="\N{SNOWMAN}"))
    if solution is None:
        return False
    check_replay(game, replace(level, solution=solution), optimal)
    return True


def check_replay(game: Game, level: Level, optimal: bool) -> None:
    """Checks that the rules of a game accept the solution of a level, and none that is cut short."""
    if not isinstance(game, Playable):
        return
    try:
        game.verify(level)
    except LevelsmithError as error:
        raise CheckFailed(f"broken promise: {game.name} replays what it solves, but {error}") from error
    check_rule_book(game, level)
    first = next(iter(game.frames(level)))
    must(np.array_equal(first, level.grid), f"the first frame of {game.name} is the level")
    if isinstance(game, WithTrail):
        must(_inside(level, game.trail(level)), f"the trail of {game.name} lies inside the level")
    if optimal and level.solution:
        _refuses(game, replace(level, solution=level.solution[:-1]))


def _refuses(game: Game, level: Level) -> None:
    if not isinstance(game, Playable):
        return
    try:
        game.verify(level)
    except LevelsmithError:
        return
    must(False, f"{level.game} refuses a solution that is none, here {level.solution!r}")


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
