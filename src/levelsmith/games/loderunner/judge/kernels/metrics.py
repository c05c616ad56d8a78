"""The compiled metrics of Lode Runner's boards."""

from __future__ import annotations

from levelsmith.games.loderunner.judge.kernels import digging, judge
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import implement, metric

# The first metrics are counts of tiles; the rest in this order.
COUNTS = 7
GROUND_SHARE, LADDER_SHARE, ROPE_SHARE, DENSITY = range(7, 11)
COLLECTABLE, GOLD_SHARE, CONNECTIVITY, PLAYABLE = range(11, 15)
DIG_GOLD, DIG_SHARE, TIMED_GOLD, LAYERS = range(15, 19)
COMPILED = 19  # metrics; those of a solution follow and are 0 here


@part
def value(game, k):
    """Returns the k-th metric of the board that was judge."""
    counts, found = game.counts, game.found
    total = float(game.height * game.width)
    ground = counts[judge.BRICK] + counts[judge.SOLID]
    if k < COUNTS:
        if k == 3:
            return float(ground)
        # The fourth, the ground, is counted above.
        counted = judge.GOLD, judge.ENEMY, judge.PLAYER, judge.BRICK, judge.LADDER, judge.ROPE, judge.EMPTY
        return float(counts[counted[k]])
    if k == GROUND_SHARE:
        return ground / total
    if k == LADDER_SHARE:
        return counts[judge.LADDER] / total
    if k == ROPE_SHARE:
        return counts[judge.ROPE] / total
    if k == DENSITY:
        return 1.0 - (counts[judge.EMPTY] + counts[judge.PLAYER]) / total
    if k == COLLECTABLE:
        return float(found[judge.BEST])
    if k == GOLD_SHARE:
        return found[judge.BEST] / counts[judge.GOLD] if counts[judge.GOLD] > 0 else 0.0
    if k == CONNECTIVITY:
        return found[judge.REACHED] / (total - ground) if ground < total else 0.0
    if k == PLAYABLE:
        all_gold = 0 < counts[judge.GOLD] == found[judge.BEST]
        return 1.0 if all_gold and counts[judge.PLAYER] == 1 else 0.0
    if k == DIG_GOLD:
        return float(digging.needed(game, digging.DIG_GOLD))
    if k == DIG_SHARE:
        gold = counts[judge.GOLD]
        return digging.needed(game, digging.DIG_GOLD) / gold if gold > 0 else 0.0
    if k == TIMED_GOLD:
        return float(digging.needed(game, digging.TIMED_GOLD))
    if k == LAYERS:
        return float(digging.needed(game, digging.LAYERS))
    return 0.0


@implement(metric, judge.CompiledLodeRunner)
def loderunner_metric(game, cells, k):
    judge.judge(game, cells)
    return value(game, k)


@kernel
def measure_grids(game, grids, out):
    """Writes all metrics of boards `[B, cells]` into `out` `[B, metrics]`."""
    for i in range(len(grids)):
        judge.judge(game, grids[i])
        for k in range(COMPILED):
            out[i, k] = value(game, k)
