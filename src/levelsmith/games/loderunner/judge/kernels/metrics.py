"""The compiled metrics of Lode Runner's boards."""

from __future__ import annotations

from levelsmith.games.loderunner.judge.kernels.judge import (
    BEST,
    BRICK,
    EMPTY,
    ENEMY,
    GOLD,
    LADDER,
    PLAYER,
    REACHED,
    ROPE,
    SOLID,
    CompiledLodeRunner,
    judge,
)
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import implement, metric

# The first metrics are counts of tiles; the rest in this order.
COUNTS = 7
GROUND_SHARE, LADDER_SHARE, ROPE_SHARE, DENSITY = range(7, 11)
COLLECTABLE, GOLD_SHARE, CONNECTIVITY, PLAYABLE = range(11, 15)
COMPILED = 15  # metrics; those of a solution follow and are 0 here


@part
def value(game, k):
    """Returns the k-th metric of the board that was judge."""
    counts, found = game.counts, game.found
    total = float(game.height * game.width)
    ground = counts[BRICK] + counts[SOLID]
    if k < COUNTS:
        if k == 3:
            return float(ground)
        # gold, enemies, players, -, ladders, ropes, empty
        return float(counts[(GOLD, ENEMY, PLAYER, BRICK, LADDER, ROPE, EMPTY)[k]])
    if k == GROUND_SHARE:
        return ground / total
    if k == LADDER_SHARE:
        return counts[LADDER] / total
    if k == ROPE_SHARE:
        return counts[ROPE] / total
    if k == DENSITY:
        return 1.0 - (counts[EMPTY] + counts[PLAYER]) / total
    if k == COLLECTABLE:
        return float(found[BEST])
    if k == GOLD_SHARE:
        return found[BEST] / counts[GOLD] if counts[GOLD] > 0 else 0.0
    if k == CONNECTIVITY:
        return found[REACHED] / (total - ground) if ground < total else 0.0
    if k == PLAYABLE:
        all_gold = 0 < counts[GOLD] == found[BEST]
        return 1.0 if all_gold and counts[PLAYER] == 1 else 0.0
    return 0.0


@implement(metric, CompiledLodeRunner)
def loderunner_metric(game, cells, k):
    judge(game, cells)
    return value(game, k)


@kernel
def measure_grids(game, grids, out):
    """Writes all metrics of boards `[B, cells]` into `out` `[B, metrics]`."""
    for i in range(len(grids)):
        judge(game, grids[i])
        for k in range(COMPILED):
            out[i, k] = value(game, k)
