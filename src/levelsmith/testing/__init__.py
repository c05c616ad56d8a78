"""Checks of the contracts in `contracts.py`, to run on a game, search, format or other part of your own.

>>> from levelsmith.testing import check_game
>>> check_game("orchard")

Each check returns nothing when every promise is kept, or else raises `CheckFailed` and names the broken one.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, product
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from levelsmith.contracts import Game, GameMaker, MeasuredBySolution, Representation, Search
from levelsmith.core import Batch, Canvas, Grid, Level, Size, Term
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.bits import to_members
from levelsmith.kernels.problem import (
    apply,
    board,
    cross,
    done,
    initial,
    legal,
    mutate,
    neighbour,
    neighbours,
    pack,
    sample,
    unpack,
)
from levelsmith.kernels.random import seeded
from levelsmith.kernels.score import WEIGHT, make, shaped
from levelsmith.levels.formats.format import MAIN, Format, Source
from levelsmith.levels.formats.text import parse
from levelsmith.levels.look import THEMES
from levelsmith.levels.proof import WithShortest
from levelsmith.registry import Registry, formats, games, generators, representations, searches
from levelsmith.testing.problem import defaults_of, problem_of
from levelsmith.testing.promise import CheckFailed, must
from levelsmith.testing.sides import check_declared, check_kept, check_sides

__all__ = [
    "CheckFailed",
    "check_format",
    "check_game",
    "check_generator",
    "check_representation",
    "check_search",
]

OFFERS = frozenset({"steps", "variation"})
EVALUATIONS = 300  # how long each run of a search under test is
LONGEST_WALK = 100  # steps of a path that are looked at; a turtle may go on for ever
SEEDS = 3
T = TypeVar("T")
Start = Callable[[int], Search]  # a fresh run from a seed


def check_game(game: Game | str) -> None:
    """Checks tiles, sizes, metrics, objectives, looks and defaults of a game, its compiled metrics, and each
    optional side of it that `contracts.py` names."""
    game = _found(games, game)
    _check_tiles(game)
    small, usual, large = game.smallest, game.default_size, game.largest
    ordered = all(1 <= small[i] <= usual[i] <= large[i] for i in range(2))
    must(ordered, f"the sizes of {game.name} rise from smallest over default_size to largest")
    for size in (small, usual, large):
        _check_measure(game, size)
        _check_objectives(game, size)
    _check_look(game)
    check_declared(game)
    check_sides(game)
    if game.objectives:
        _check_defaults(game)
        _check_compiled(game)


def check_representation(representation: Representation | str, game: Game | str | None = None) -> None:
    """Checks that a representation gives grids of a game, and packs and changes its states as it promises.

    `game` is one that it serves, by default the first one registered that it takes.
    """
    rep = _found(representations, representation)
    must(frozenset() < rep.offers <= OFFERS, f"{rep.name} offers some of {sorted(OFFERS)}")
    must(all(name in games for name in rep.games), f"{rep.name} is made for known games, got {[*rep.games]}")
    served = _found(games, game) if game is not None else _first_served(rep)
    for size, seed, needs in product(
        (served.smallest, served.default_size), range(SEEDS), sorted(rep.offers)
    ):
        try:
            built = rep.build(served, Canvas(size), defaults_of(rep), needs)
        except LevelsmithError:
            must(size != served.default_size, f"{rep.name} takes the default size of {served.name}")
            continue  # it may be too small a board for it
        else:
            with np.errstate(over="ignore"):  # random words wrap around
                (_check_steps if needs == "steps" else _check_variation)(rep, built, served, size, seed)


def check_search(search: type[Search] | str, game: str = "", representation: str = "") -> None:
    """Checks that a search is repeatable, resumable at any evaluation, and honest about its score.

    It looks for levels of `game` or else of the one with the fewest metrics, in `representation` or else the
    first one that offers what it needs.
    """
    kind = _found(searches, search)
    name = kind.__name__
    must(kind.needs in OFFERS, f"{name} needs one of {sorted(OFFERS)}, got {kind.needs!r}")
    served = games.get(game) if game else min(games.working(), key=lambda served: len(served.metrics))
    size = served.default_size
    able = [r for r in representations if kind.needs in representations.get(r).offers]
    must(bool(able), f"some representation offers {kind.needs}, which {name} needs")
    rep = representations.get(representation or able[0])
    objective = served.objectives[served.defaults["objective"]]
    terms = list(objective.terms(size, defaults_of(objective)))
    problem = problem_of(served, rep, size, terms, kind.needs)

    def start(seed: int) -> Search:
        return kind(problem, np.random.SeedSequence(seed), defaults_of(kind))

    for run in _check_runs(name, start, served, size):
        claimed, worth = run.score, _worth(served, terms, _best(served, run))
        honest = math.isclose(claimed, worth, rel_tol=1e-9, abs_tol=1e-12)
        must(honest, f"the best grid of {name} has the score it claims, got {claimed} for one of {worth}")
    check_kept(name, start(0))


def check_generator(generator: type[GameMaker] | str, game: Game | str | None = None) -> None:
    """Checks that a maker of a game's own makes levels of its game, whatever else it makes beside them.

    `game` is one that it is made for, where that is a kind of games.
    """
    kind = _found(generators, generator)
    name, game = kind.__name__, _found(games, game or kind.game)

    def made(seeds: Sequence[int]) -> Batch:
        maker = kind(game, game.default_size, defaults_of(kind), ())
        sequences = [np.random.SeedSequence(seed) for seed in seeds]
        batches = [
            b for b in maker.make(seeds, sequences, EVALUATIONS, lambda: False) if isinstance(b, Batch)
        ]
        must(len(batches) == 1, f"{name} makes one batch of what it is asked for, got {len(batches)}")
        keys = maker.known(_levels(game, batches[0]))
        must(keys == set(batches[0].keys.tolist()), f"{name} knows the levels that it made")
        return batches[0]

    whole = made(range(SEEDS))
    must(len(whole) > 0, f"{name} makes a level in {EVALUATIONS} evaluations")
    for run, spent, level in zip(whole.runs, whole.evaluations, _levels(game, whole), strict=True):
        _check_grid(name, level.grid, game, game.default_size)
        must(0 < spent <= EVALUATIONS, f"{name} spends at most what it is given: {EVALUATIONS}, got {spent}")
        alone = _levels(game, made([int(run)]))
        must(alone == [level], f"{name} makes the same from the same seed, alone or among others")
        try:
            game.check(level)
        except LevelsmithError as error:
            must(False, f"{name} makes levels of {game.name}, but {error}")
    must(len(set(_levels(game, whole))) > 1, f"different seeds of {name} give different levels")


def _levels(game: Game, batch: Batch) -> list[Level]:
    return [Level(game.name, game.tiles, grid) for grid in batch.grids]


def check_format(format: Format | str, levels: Sequence[Level] | None = None) -> None:
    """Checks that levels survive a format, that it always writes the same bytes, and how it refuses others.

    It writes `levels`, by default random ones of each registered game; those that it refuses are left out.
    """
    chosen = _found(formats, format)
    dotted = [e for e in chosen.extensions if e.startswith(".")]
    must(dotted == [*chosen.extensions] != [], f"the extensions of {chosen.name} start with a dot")
    taken = 0
    for group in _groups(chosen, levels):
        try:
            written = chosen.write(group, "level", defaults_of(chosen))
        except LevelsmithError:
            continue  # a format may refuse a game that it cannot hold
        taken += 1
        _check_written(chosen, group, written)
    must(taken > 0, f"{chosen.name} takes some of the levels, but it refused them all")
    for data in (b"", b"\n \n", b"\xff\xfe\0\x80", np.random.default_rng(0).bytes(500), b"{[<;#" * 40):
        _parsed(chosen, data, Source("check", games.get(games.names[0])))
    must(_parsed(chosen, b"", Source("check")) is None, f"{chosen.name} refuses an empty file")


def _found(registry: Registry[T], named: T | str) -> T:
    return registry.get(named) if isinstance(named, str) else registry.complete(named)


def _random_grids(game: Game, size: Size, n: int) -> Grid:
    return np.random.default_rng(n).integers(0, len(game.tiles), (n, *size), dtype=np.uint8)


def _check_grid(owner: str, grid: Grid, game: Game, size: Size) -> None:
    border = 2 * game.border  # of a game whose size is that of the inside
    shape = (size[0] + border, size[1] + border)
    fits = isinstance(grid, np.ndarray) and grid.dtype == np.uint8 and grid.shape == shape
    must(fits, f"{owner} gives grids of uint8 and shape {shape}, got {np.shape(grid)}")
    must(int(grid.max()) < len(game.tiles), f"{owner} gives grids of the tiles of {game.name} alone")


def _check_tiles(game: Game) -> None:
    number = len(game.tiles)
    must(1 <= number <= 255, f"{game.name} has 1 to 255 tiles, got {number}")


def _check_measure(game: Game, size: Size) -> None:
    number = 5 if size != game.largest else 2
    grids = _random_grids(game, size, number)
    measured = game.measure(grids)
    shape = (len(grids), len(game.metrics))
    fits = measured.shape == shape and measured.dtype == np.float64
    must(fits, f"{game.name} measures float64 of shape {shape}, got {measured.dtype} {measured.shape}")
    must(bool(np.isfinite(measured).all()), f"the metrics of {game.name} are finite")
    untouched = np.array_equal(grids, _random_grids(game, size, number))
    must(untouched, f"{game.name} leaves the grids that it measures as they are")
    single = np.concatenate([game.measure(grids[i : i + 1]) for i in range(len(grids))])
    must(np.array_equal(single, measured), f"{game.name} measures a batch as it does each grid alone")


def _check_objectives(game: Game, size: Size) -> None:
    for name, objective in game.objectives.items():
        must(name == objective.name, f"the objective {name} of {game.name} is filed under its own name")
        terms = list(objective.terms(size, defaults_of(objective)))
        where = f"the objective {name} of {game.name} at {size[1]}x{size[0]}"
        weights = [term.weight for term in terms]
        must(sum(weights) > 0 and min(weights) >= 0, f"{where} has terms, with weights that make sense")
        for term in terms:
            must(term.metric in game.metrics, f"{where} counts known metrics, got {term.metric!r}")
            must(_well_formed(term), f"{where} has numbers that make sense for its shape, got {term}")


def _well_formed(term: Term) -> bool:
    if term.shape == "ramp":
        return term.zero <= term.low <= term.high <= term.end
    if term.shape == "inverse":
        return 0 < term.low < math.inf
    return math.isfinite(term.zero) and math.isfinite(term.low) and term.zero != term.low


def _check_look(game: Game) -> None:
    look, names = game.look(), set(game.tiles.names)
    must(set(look.sprites) == names, f"the sprites of {game.name} are those of its tiles")
    must(set(look.terminal) == names, f"the terminal colours of {game.name} are those of its tiles")
    must(set(look.palettes) == set(THEMES), f"{game.name} has a palette for each theme: {THEMES}")
    used = {shape.colour for sprite in look.sprites.values() for shape in sprite}
    used |= {colour for pair in look.terminal.values() for colour in pair}
    for theme, palette in look.palettes.items():
        must(used <= set(palette), f"the {theme} palette of {game.name} has every colour its sprites use")


def _check_defaults(game: Game) -> None:
    parts = {"search": [*searches], "representation": [*representations], "objective": [*game.objectives]}
    for kind, known in parts.items():
        named = game.defaults.get(kind)
        must(named in known, f"defaults of {game.name} name a known {kind}, got {named!r}")
    offers = representations.get(game.defaults["representation"]).offers
    served = searches.get(game.defaults["search"]).needs in offers
    must(served, f"the default representation of {game.name} serves its default search")


def _check_compiled(game: Game) -> None:
    """Lets a search score single metrics: what the compiled game says must be what `measure` says."""
    kind = searches.get(game.defaults["search"])
    rep = representations.get(game.defaults["representation"])
    for size, metric in product((game.smallest, game.default_size, game.largest), game.metrics):
        try:
            problem = problem_of(game, rep, size, [Term(metric, "linear", zero=0.0, low=1.0)], kind.needs)
        except LevelsmithError:
            continue  # a representation may be too small for the game's largest levels
        for seed in range(SEEDS):
            run = kind(problem, np.random.SeedSequence(seed), defaults_of(kind))
            run.advance(1)
            measured = _metrics(game, _best(game, run))[metric]
            known = 0.0 if math.isnan(measured) else measured  # nobody knows it without a solution
            same = math.isclose(run.score, known, rel_tol=1e-12)
            must(same, f"compiled, {metric} of {game.name} is as measured: {measured}, got {run.score}")


def _best(game: Game, run: Any) -> Level:
    """Returns the best level of a run, with its solution where the search knows one."""
    return Level(game.name, game.tiles, run.best(), solution=run.proof())


def _metrics(game: Game, level: Level) -> dict[str, float]:
    """Returns the metrics of a level as a search has them: by the solution that it carries."""
    if isinstance(game, WithShortest):
        measured = game.measure_carried(level)
    elif isinstance(game, MeasuredBySolution):
        measured = game.measure_level(level)
    else:
        measured = game.measure(level.grid[None])[0]
    return dict(zip(game.metrics, map(float, measured), strict=True))


def _worth(game: Game, terms: Sequence[Term], level: Level) -> float:
    """Returns the score of a level, from its measured metrics."""
    metrics, rows = _metrics(game, level), make(terms, list(game.metrics)).rows
    values, weights, parts = [], [], 0.0
    for row, term in zip(rows, terms, strict=True):
        if term.shape == "part":
            parts += metrics[term.metric] / term.low
            continue
        values.append(float(shaped(row, metrics[term.metric] + parts)))
        weights.append(float(row[WEIGHT]))
        parts = 0.0
    if min(values) >= 1 and all(term.shape != "linear" for term in terms):
        return 1.0
    return float(np.dot(weights, values))


def _first_served(rep: Representation) -> Game:
    for game in map(games.get, [*rep.games] or games):
        try:
            rep.build(game, Canvas(game.default_size), defaults_of(rep), min(rep.offers))
        except LevelsmithError:
            continue
        if game.compiled(game.default_size) is not None:
            return game
    raise CheckFailed(f"broken promise: {rep.name} serves some registered game; name the one it is for")


def _grid_of(rep: Representation, built: Any, state: Any) -> Grid:
    return rep.grid(built, board(built, state).value)


def _packed(rep: Representation, built: Any, state: Any) -> Any:
    """Returns the state packed, unpacked and packed again; both rows must agree, and so must the grids."""
    row, again = np.zeros(built.words, np.uint64), np.zeros(built.words, np.uint64)
    pack(built, state, row)
    before, restored = _grid_of(rep, built, state).copy(), unpack(built, row.copy())
    pack(built, restored, again)
    same = np.array_equal(row, again) and np.array_equal(before, _grid_of(rep, built, restored))
    must(same, f"{rep.name} unpacks the state that it packed")
    return row


def _check_steps(rep: Representation, built: Any, game: Game, size: Size, seed: int) -> None:
    words = seeded(np.random.SeedSequence(seed))
    one, two = (_packed(rep, built, initial(built, words.copy())) for _ in range(2))
    must(np.array_equal(one, two), f"initial of {rep.name} depends on its random numbers alone")
    state = initial(built, words)
    draw = np.random.default_rng(seed)
    for _ in range(LONGEST_WALK):
        _check_grid(rep.name, _grid_of(rep, built, state), game, size)
        restored = unpack(built, _packed(rep, built, state))
        actions = to_members(legal(built, state).value)
        ended = bool(done(built, state))
        kept = to_members(legal(built, restored).value) == actions and bool(done(built, restored)) == ended
        must(kept, f"a state of {rep.name} has the same legal actions, and the same end, after unpacking")
        if ended or not actions:
            return
        state = apply(built, state, np.int64(draw.choice(actions)))


def _check_variation(rep: Representation, built: Any, game: Game, size: Size, seed: int) -> None:
    words = seeded(np.random.SeedSequence(seed))
    rows = [_packed(rep, built, initial(built, words)), _packed(rep, built, sample(built, words))]
    changes: dict[str, Callable[[int], Any]] = {
        "mutate": lambda i: mutate(built, unpack(built, rows[-1].copy()), 0.1 * (i % 2), words),
        "neighbour": lambda i: neighbour(built, unpack(built, rows[-1].copy()), i % neighbours(built)),
    }
    for name, change in changes.items():
        grids = set()
        for i in range(30):
            grid = _grid_of(rep, built, unpack(built, rows[-1].copy()))
            _check_grid(rep.name, grid, game, size)
            grids.add(grid.tobytes())
            rows.append(_packed(rep, built, change(i)))
        must(len(grids) > 1, f"{name} of {rep.name} changes the grid, at least sometimes")
    for _ in range(5):
        row = _packed(rep, built, cross(built, rows[-1].copy(), rows[-1].copy(), words))
        must(np.array_equal(row, rows[-1]), f"a child of two equal candidates of {rep.name} is as they are")
        rows.append(_packed(rep, built, cross(built, rows[0].copy(), rows[-1].copy(), words)))
        _check_grid(rep.name, _grid_of(rep, built, unpack(built, rows[-1].copy())), game, size)


def _check_runs(name: str, start: Start, game: Game, size: Size) -> Iterator[Search]:
    """Checks how a search is advanced, and yields a finished run of each seed."""
    bests = set()
    for seed in range(SEEDS):
        must(start(seed).evaluations == 0, f"{name} has spent nothing before it is advanced")
        whole = _spend(name, start(seed), [EVALUATIONS])
        must(whole.evaluations > 0, f"{name} spends what advance gives it")
        _check_grid(name, whole.best(), game, size)
        must(isinstance(whole.statistics(), dict), f"statistics of {name} is a dict")
        for portions in ([EVALUATIONS], [1], [7], [0, 64, 0, 1, 100]):
            again = _spend(name, start(seed), portions)
            same = (whole.evaluations, whole.score) == (again.evaluations, again.score)
            same = same and np.array_equal(whole.best(), again.best())
            must(same, f"{name} gives the same from the same seed, here in portions of {portions}")
        bests.add(whole.best().tobytes())
        yield whole
    must(len(bests) > 1, f"different seeds of {name} give different levels")


def _spend(name: str, run: Search, portions: Sequence[int]) -> Search:
    """Advances up to `EVALUATIONS`, taking the portions in turn, and watches the count and the score."""
    idle = 0
    for given in cycle(portions):
        if run.evaluations >= EVALUATIONS or run.exhausted or idle > len(portions):
            break
        portion = min(given, EVALUATIONS - run.evaluations)
        before, score = run.evaluations, run.score
        run.advance(portion)
        spent = run.evaluations - before
        must(0 <= spent <= portion, f"{name} spends at most what advance gives: {portion}, got {spent}")
        must(not run.score < score, f"the score of {name} never falls, got {run.score} after {score}")
        must(portion > 0 or run.score == score, f"advance(0) changes nothing of {name}")
        idle = 0 if spent else idle + 1  # a solved search may spend nothing more
    return run


def _groups(chosen: Format, levels: Sequence[Level] | None) -> list[list[Level]]:
    """Returns levels in the portions that a file of the format holds."""
    groups = [list(levels)] if levels else [*map(_random_levels, games.working()), *_examples()]
    return groups if chosen.many else [[level] for group in groups for level in group]


def _random_levels(game: Game) -> list[Level]:
    return [Level(game.name, game.tiles, grid) for grid in _random_grids(game, game.default_size, 3)]


def _examples() -> Iterator[list[Level]]:
    """Yields levels with a solution, for formats that hold nothing else."""
    for game in games.working():
        if game.example is not None:
            text, solution = game.example
            yield [replace(parse(text, game.name), solution=solution)]


def _check_written(chosen: Format, group: list[Level], written: Mapping[str, bytes]) -> None:
    again = chosen.write(group, "level", defaults_of(chosen))
    must(dict(written) == dict(again), f"{chosen.name} writes the same bytes each time")
    must(MAIN in written, f"{chosen.name} writes a main file")
    game = games.get(group[0].game)
    with tempfile.TemporaryDirectory() as folder:
        for name, data in written.items():
            must(Path(name).name == name, f"{chosen.name} writes its files side by side, got {name!r}")
            Path(folder, name or "level" + chosen.extensions[0]).write_bytes(data)
        for asked in (game, None) if chosen.names_game else (game,):
            read = _parsed(chosen, written[MAIN], Source("check", asked, folder=Path(folder)))
            must(read == group, f"{chosen.name} reads back the {game.name} levels that it wrote")
        draw = np.random.default_rng(0)
        for _ in range(20):
            spoilt = bytearray(written[MAIN])
            spoilt[draw.integers(len(spoilt))] = draw.integers(256)
            del spoilt[draw.integers(len(spoilt) // 2, len(spoilt)) :]
            _parsed(chosen, bytes(spoilt), Source("check", game))


def _parsed(chosen: Format, data: bytes, source: Source) -> list[Level] | None:
    """Returns the levels in the bytes; None where the parser refuses them, as it may, with LevelsmithError
    alone."""
    try:
        return chosen.parse(data, source)
    except LevelsmithError:
        return None
    except Exception as error:
        came = f"{type(error).__name__}: {error}"
        raise CheckFailed(f"broken promise: {chosen.name} raises LevelsmithError only, got {came}") from error
