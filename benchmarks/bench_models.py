"""Models of Lode Runner: how much of a level its code holds, how like samples are to levels, faults of each.

What is decoded at temperature 0.9 from the codes of 60 levels of the corpus, by Jaccard's measure; of 300
samples how like they are to the corpus, and counts of what leads nowhere or hangs in the air; of codes
halfway between two samples how many levels can be played from the best start, and their gold. A cell gives
footing where it is not hard and is ladder or rope or has hard or ladder below it; outside is solid.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from timing import best_of

import levelsmith
from levelsmith import learn
from levelsmith.games.loderunner.rules.rules import BRICK, EMPTY, ENEMY, GOLD, LADDER, PLAYER, ROPE, SOLID
from levelsmith.registry import games

SHOWN = 60  # levels encoded
DRAWN = 300  # samples: of 60, faults that half of the levels have are counted to a third or so
TEMPERATURE = 0.9
LONG = 3  # a floor runs through where it fills one part of so many of the width


def measurements() -> Iterator[tuple[str, float, str]]:
    corpus = grids_of(levelsmith.load("loderunner:corpus"))
    sets = {"corpus": corpus}
    folder = Path(os.environ.get("LEVELSMITH_DATA", "")) / "loderunner-vglc" / "levels"
    if os.environ.get("LEVELSMITH_DATA") and folder.is_dir():
        sets["originals"] = grids_of(levelsmith.load(folder, game="loderunner"))
    images = np.concatenate([corpus, corpus[:, :, ::-1]])
    for name in ("vq", "vae", "ae"):
        model = learn.load(name, game="loderunner")
        for what, levels in sets.items():
            yield from reconstruction(f"{name}, {what}", model, levels[:SHOWN])
        drawn = grids_of(model.sample(DRAWN, seed=1, temperature=TEMPERATURE))
        near = jaccards(drawn, images).max(1)
        yield f"{name}, samples: like the next of the corpus", near.mean(), ""
        yield f"{name}, samples: the same, of the likest", near.max(), ""
        yield from structure(f"{name}, samples", drawn)
        yield from halfway(name, model)
        taken = best_of(3, lambda model=model: model.sample(SHOWN, seed=2))
        yield f"{name}: a sample", 1000 * taken / SHOWN, "ms"
    for what, levels in sets.items():
        yield from structure(what, levels)


def grids_of(levels) -> np.ndarray:
    """Returns levels as an array without their players, whom no model places. → `[N, H, W]`"""
    grids = np.stack([level.grid for level in levels])
    return np.where(grids == PLAYER, EMPTY, grids)


def reconstruction(what: str, model, levels: np.ndarray) -> Iterator[tuple[str, float, str]]:
    game = levelsmith.load("loderunner:corpus")[0]
    given = [levelsmith.Level(game.game, game.tiles, grid) for grid in levels]
    back = grids_of(model.decode(model.encode(given), temperature=TEMPERATURE, seed=1))
    like = jaccards(back, levels)
    own, number = np.diag(like), len(levels)
    yield f"{what}, decoded from its code: like itself", own.mean(), ""
    yield f"{what}, the same: like the others", (like.sum() - own.sum()) / (number * (number - 1)), ""
    yield (
        f"{what}, the same: itself the next of {number}",
        100 * (like.argmax(1) == range(number)).mean(),
        "%",
    )


def halfway(name: str, model) -> Iterator[tuple[str, float, str]]:
    codes = model.encode(model.sample(SHOWN, seed=1))
    game = games.get("loderunner")
    levels = [game.with_start(level) for level in model.decode((codes[::2] + codes[1::2]) / 2)]
    measured = levelsmith.measure(levels)
    yield f"{name}, halfway: playable of {len(levels)}", sum(each["playable"] for each in measured), "levels"
    yield f"{name}, halfway: gold", float(np.mean([each["gold"] for each in measured])), "pieces"


def jaccards(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Returns cells with the same tile over those not empty in both. `[A, H, W]`, `[B, H, W]` → `[A, B]`"""
    out = np.zeros((len(ours), len(theirs)))
    for row, grid in zip(out, ours, strict=True):
        same = ((theirs == grid) & (grid != EMPTY)).sum((1, 2))
        row[:] = same / np.maximum(((theirs != EMPTY) | (grid != EMPTY)).sum((1, 2)), 1)
    return out


def structure(what: str, grids: np.ndarray) -> Iterator[tuple[str, float, str]]:
    each = [faults(grid) for grid in grids]
    for name in each[0]:
        yield f"{what}: {name}", float(np.mean([found[name] for found in each])), "a level"


def faults(grid: np.ndarray) -> dict[str, float]:
    """Returns how often a level has each fault, floors that run through, and whether it mirrors itself."""
    width = grid.shape[1]
    wide = np.pad(grid, 1, constant_values=SOLID)
    hard, ladder = np.isin(wide, (BRICK, SOLID)), wide == LADDER
    footing = np.zeros_like(hard)
    footing[:-1] = ~hard[:-1] & (np.isin(wide[:-1], (LADDER, ROPE)) | (hard | ladder)[1:])
    found = dict.fromkeys(
        ("ladders", "ladder tops to nowhere", "hanging bottoms", "ladders of one cell"), 0.0
    )
    for x, top, bottom in runs(ladder.T):
        rows = [top] if hard[top - 1, x] else [top, top - 1]
        found["ladders"] += 1
        found["ladder tops to nowhere"] += not any(footing[y, x - 1] or footing[y, x + 1] for y in rows)
        beside = footing[bottom, x - 1] or footing[bottom, x + 1]
        found["hanging bottoms"] += not (hard[bottom + 1, x] or beside)
        found["ladders of one cell"] += top == bottom
    ends = [
        sum(not (hard | ladder | footing)[y, x] for x in (left - 1, right + 1))
        for y, left, right in runs(wide == ROPE)
    ]
    found |= {"ropes": len(ends), "ropes with an end in the air": ends.count(1), "with both": ends.count(2)}
    for name, tile in (("enemies", ENEMY), ("gold", GOLD)):
        found[f"{name} in mid-air"] = float(((wide == tile) & ~footing).sum())
    inside = hard[1:-1, 1:-1]
    near = np.pad(inside, 1).astype(int)
    near = near[:-2, 1:-1] + near[2:, 1:-1] + near[1:-1, :-2] + near[1:-1, 2:]
    found["lone bricks"] = float((inside & (near == 0)).sum())
    above = np.vstack([np.zeros((1, width), bool), inside[:-1]])
    floors = [right - left + 1 for _, left, right in runs((inside | (grid == LADDER)) & ~above)]
    found["floors that run through"] = sum(length >= width // LONG for length in floors)
    plan = np.where(np.isin(grid, (GOLD, ENEMY)), EMPTY, grid)
    found["its own mirror image"] = float(jaccards(plan[None], plan[None, :, ::-1])[0, 0] >= 0.8)
    return found


def runs(cells: np.ndarray) -> list[tuple[int, int, int]]:
    """Returns row, first and last column of every run of cells in a row."""
    steps = np.diff(np.pad(cells.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, first = np.nonzero(steps == 1)
    last = np.nonzero(steps == -1)[1] - 1
    return list(zip(rows.tolist(), first.tolist(), last.tolist(), strict=True))
