"""The vq of Lode Runner: makes one as it ships, from levels that `construct` draws.

python tools/models.py FILE            draws levels, leaves out what is like another, trains, writes the model

Seven minutes with a GPU and sixteen cores. The levels are the same everywhere, the model on the same kind of
processor.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from random import Random

import numpy as np

from levelsmith import learn
from levelsmith.core import Grid, Level
from levelsmith.games.loderunner.construct.maker import draw
from levelsmith.games.loderunner.rules.rules import EMPTY, PLAYER
from levelsmith.registry import games

GAME = games.get("loderunner")
SIZE = GAME.default_size
SEED = 1
DRAWN = 36_000
STREAM = 100  # levels of one stream of random numbers
AT_ONCE = 1000  # levels that are compared at once
LIKENESS = 0.5  # how like another one at most a level may be, by Jaccard's measure
TRAINING = {"model": "vq", "batch": 64, "steps": 7000, "patience": 7000, "validation": 0.03}


def drawn(count: int) -> Grid:
    """Returns levels that `construct` draws, without their players, unplayed. → `[count, H, W]`"""
    with ProcessPoolExecutor() as workers:
        grids = np.concatenate(list(workers.map(stream, range(count // STREAM), chunksize=1)))
    return np.where(grids == PLAYER, EMPTY, grids).astype(np.uint8)


def stream(number: int) -> Grid:
    dice = Random(1_000_003 * SEED + number)
    grids: list[Grid] = []
    while len(grids) < STREAM:
        grid = draw(SIZE, dice)
        if grid is not None:
            grids.append(grid)
    return np.stack(grids)


def varied(grids: Grid, likeness: float = LIKENESS) -> Grid:
    """Returns the levels but for those too like one before them, or its mirror image."""
    kinds = np.arange(1, len(GAME.tiles))
    kept = np.zeros((0, grids[0].size * len(kinds)), np.float32)
    chosen: list[Grid] = []
    for first in range(0, len(grids), AT_ONCE):
        block = grids[first : first + AT_ONCE]
        images = [(each[..., None] == kinds).reshape(len(block), -1) for each in (block, block[:, :, ::-1])]
        images = [image.astype(np.float32) for image in images]
        others = np.concatenate([kept, images[0]])
        like = np.maximum(*(jaccard(image, others, len(kinds)) for image in images))
        stays = np.ones(len(others), bool)
        for i in range(len(block)):
            before = np.flatnonzero(stays[: len(kept) + i])
            stays[len(kept) + i] = not len(before) or like[i, before].max() <= likeness
        new = stays[len(kept) :]
        chosen += list(block[new])
        kept = np.concatenate([kept, images[0][new]])
    return np.stack(chosen)


def jaccard(ours: np.ndarray, theirs: np.ndarray, kinds: int) -> np.ndarray:
    """Returns cells of the same tile over those not empty in both. `[A, cells * kinds]` → `[A, B]`"""
    filled = [each.reshape(len(each), -1, kinds).sum(2) for each in (ours, theirs)]
    both = filled[0] @ filled[1].T
    return ours @ theirs.T / np.maximum(filled[0].sum(1)[:, None] + filled[1].sum(1) - both, 1.0)


def main(path: str) -> None:
    grids = varied(drawn(DRAWN))
    print(f"{len(grids)} of {DRAWN} levels differ enough", flush=True)
    levels = [Level(GAME.name, GAME.tiles, grid) for grid in grids]
    for event in learn.follow(GAME.name, levels, output=path, **TRAINING):
        if isinstance(event, learn.TrainingProgress):
            print(f"step {event.step} of {event.steps}: {event.row[1:]}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
