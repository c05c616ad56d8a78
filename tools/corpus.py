"""The Lode Runner corpus: makes it anew, wins it anew, or tells what is in it, beside other levels.

python tools/corpus.py make            writes 300 levels of today's `construct` in its place
python tools/corpus.py win             gives each level a plan that wins it against its guards
python tools/corpus.py FILE            prints their figures beside those of the levels of a file or folder
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import levelsmith
from levelsmith.core import Effort, Level
from levelsmith.files import write_files
from levelsmith.games.loderunner.construct.maker import STATES, STYLES
from levelsmith.games.loderunner.judge.steps import NEAR, NEVER, steps_between
from levelsmith.games.loderunner.placing import with_enemies
from levelsmith.games.loderunner.rules.plan import is_timed
from levelsmith.games.loderunner.rules.rules import ENEMY, PLAYER
from levelsmith.levels.formats.format import MAIN
from levelsmith.levels.formats.text import FORMAT
from levelsmith.registry import games

SEED = 1
POOL = 40  # levels built in each style
COUNT = 300  # levels chosen from all of them
ROWS = (0, 4), (5, 10), (11, 16), (17, 21)  # of the original levels, which have 22
PLACES, WIN_STATES = 12, 300_000  # where enemies are tried in turn, and how long each time
GAME = games.get("loderunner")
HEADER = f"""\
; {COUNT} Lode Runner levels built by levelsmith, of {POOL} in each style those that differ most, and won
; against their guards (python tools/corpus.py win; plans are keys with the ticks that they stay).
"""


def make() -> None:
    pools = {style: built(style) for style in STYLES}
    _write(varied(pools, COUNT))


def win() -> None:
    """Keeps all levels as they are, but for enemies who start too near the player or cannot be beaten."""
    before = levelsmith.load("loderunner:corpus")
    won = [each if is_timed(each.solution or "") else _won(each) for each in before]
    moved = sum(not np.array_equal(a.grid, b.grid) for a, b in zip(before, won, strict=True))
    lost = [each.title for each in won if each.solution is None]
    print(f"{len(won) - len(lost)} of {len(won)} won, {moved} with enemies in other places; not won: {lost}")
    _write(won)


def _won(level: Level) -> Level:
    """Returns the level with a plan, its enemies in other places if need be."""
    for turn in range(PLACES):
        placed = replace(level, grid=with_enemies(level.grid, True, turn), solution=None)
        found = GAME.solve(placed, Effort(states=WIN_STATES, seconds=None)).solution
        if found is not None:
            return replace(placed, solution=found)
    return replace(level, solution=None)


def _write(levels: Sequence[Level]) -> None:
    write_files({GAME.packs["corpus"]: HEADER.encode() + FORMAT.write(levels, "corpus", {})[MAIN]})


def built(style: str) -> list[Level]:
    made = levelsmith.generate("loderunner", search="construct", set={"style": style}, count=POOL, seed=SEED)
    print(f"{style}: {made.evaluations / POOL:.1f} candidates a level", flush=True)
    return [replace(level, title=f"{style} {level.provenance['run']}") for level in made.levels]


def varied(pools: dict[str, list[Level]], count: int) -> list[Level]:
    """Each pool in turn gives the level that is farthest from all that are chosen."""
    chosen: list[Level] = []
    left = {name: list(levels) for name, levels in pools.items()}
    away = {name: np.full(len(levels), np.inf) for name, levels in pools.items()}
    while len(chosen) < count:
        name = list(left)[len(chosen) % len(left)]
        chosen.append(left[name][int(away[name].argmax())])
        for other, levels in left.items():
            grids = np.array([level.grid for level in levels])
            away[other] = np.minimum(away[other], (grids != chosen[-1].grid).mean(axis=(1, 2)))
    return chosen


def apart(grids: NDArray[np.uint8]) -> float:
    """The mean share of cells in which two of the grids differ."""
    same = sum(
        float(((grids == tile).sum(axis=0, dtype=np.int64) ** 2).sum()) for tile in range(len(GAME.tiles))
    )
    count, cells = len(grids), grids[0].size
    return (count * count - same / cells) / (count * (count - 1))


def figures(levels: Sequence[Level]) -> list[str]:
    grids = np.array([level.grid for level in levels])
    counts = {name: (grids == i).sum(axis=(1, 2)) for i, name in enumerate(GAME.tiles.names)}
    told = [f"{len(levels)}", f"{solved(levels)}", f"{apart(grids):.3f}"]
    told += [f"{counts[name].min()} to {counts[name].max()}" for name in ("gold", "enemy")]
    told += [f"{counts[name].mean() / grids[0].size:.2%}" for name in GAME.tiles.names]
    return [*told, *_starts(grids)]


def _starts(grids: NDArray[np.uint8]) -> list[str]:
    """Where players start, and how near the nearest enemy is."""
    players = [(grid, np.argwhere(grid == PLAYER)) for grid in grids]
    single = [(grid, (int(cells[0][0]), int(cells[0][1]))) for grid, cells in players if len(cells) == 1]
    rows = np.array([cell[0] for _, cell in single])
    steps = [steps_between(grid, cell)[grid == ENEMY].min(initial=NEVER) for grid, cell in single]
    shares = [f"{np.mean((rows >= first) & (rows <= last)):.0%}" for first, last in ROWS]
    return [*shares, f"{sum(near <= NEAR for near in steps)}"]


def solved(levels: Sequence[Level]) -> int:
    """How many the agent plans; the rule book plays each plan, and the plan that a level carries."""
    good = 0
    for level in levels:
        GAME.verify(level)
        if (level.grid == PLAYER).sum() != 1:  # as in one of the originals
            continue
        verdict = GAME.solve(level, Effort(states=STATES, seconds=None), guards="still")
        if verdict.solution is not None:
            GAME.verify(replace(level, solution=verdict.solution))
            good += 1
    return good


def report(folder: str | None) -> None:
    names = ["levels", "solved by the agent", "mean Hamming distance", "gold", "enemies"]
    names += [f"share of {name}" for name in GAME.tiles.names]
    names += [f"players in rows {first + 1}..{last + 1}" for first, last in ROWS]
    names += [f"an enemy within {NEAR} steps"]
    sets = [levelsmith.load("loderunner:corpus")]
    if folder:
        sets.append(levelsmith.load(folder, game="loderunner"))
    columns = [figures(levels) for levels in sets]
    print(" " * 24 + "".join(f"{title:>12}" for title in ("corpus", "others")[: len(sets)]))
    for name, *values in zip(names, *columns, strict=True):
        print(f"{name:<24}" + "".join(f"{value:>12}" for value in values))


if __name__ == "__main__":
    words = sys.argv[1:]
    if words in (["make"], ["win"]):
        {"make": make, "win": win}[words[0]]()
    else:
        try:
            report(words[0] if words else None)
        except levelsmith.LevelsmithError as error:
            sys.exit(f"{error}")
