"""The Lode Runner corpus: makes it anew, or tells what is in it, beside other levels.

python tools/corpus.py make            writes the 300 levels that ship with levelsmith
python tools/corpus.py FOLDER          prints their figures beside those of the levels in a folder
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import levelsmith
from levelsmith.atomic import write_files
from levelsmith.core import Effort, Level
from levelsmith.games.loderunner.construct.maker import STATES, STYLES
from levelsmith.games.loderunner.rules.rules import PLAYER
from levelsmith.levels.formats.format import MAIN
from levelsmith.levels.formats.text import FORMAT
from levelsmith.registry import games

SEED = 1
POOL = 80  # levels built in each style
COUNT = 300  # levels chosen from all of them
GAME = games.get("loderunner")
HEADER = f"""\
; {COUNT} Lode Runner levels built by levelsmith and played by its agent: of {POOL} in each style those that
; differ most. python tools/corpus.py make writes this file; a level called temple 17 comes from
; levelsmith generate loderunner --search construct --style temple --seed {SEED} --skip 17
"""


def make() -> None:
    pools = {style: built(style) for style in STYLES}
    data = HEADER.encode() + FORMAT.write(varied(pools, COUNT), "corpus", {})[MAIN]
    write_files({GAME.packs["corpus"]: data})


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
    return told + [f"{counts[name].mean() / grids[0].size:.2%}" for name in GAME.tiles.names]


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
    sets = [levelsmith.load("loderunner:corpus")]
    if folder:
        sets.append(levelsmith.load(folder, game="loderunner"))
    columns = [figures(levels) for levels in sets]
    print(" " * 24 + "".join(f"{title:>12}" for title in ("corpus", "others")[: len(sets)]))
    for name, *values in zip(names, *columns, strict=True):
        print(f"{name:<24}" + "".join(f"{value:>12}" for value in values))


if __name__ == "__main__":
    words = sys.argv[1:]
    make() if words == ["make"] else report(words[0] if words else None)
