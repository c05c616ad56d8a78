"""What can be counted about a plan, from the level and its moves alone."""

from __future__ import annotations

from levelsmith.core import Level
from levelsmith.games.loderunner.rules.rules import DIGS, LADDER, ROPE, LodeRunnerBoard, replay


def measured(level: Level, plan: str) -> dict[str, int | float]:
    """Returns the metrics of a plan; one that leaves gold is refused."""
    positions = replay(level, plan)
    board = LodeRunnerBoard(level.grid)
    tiles = [board.tile(position.runner) for position in positions[1:]]
    return {
        "moves": len(plan),
        "ticks": positions[-1].ticks,
        "digs": sum(plan.count(letter) for letter in DIGS),
        "ladder_use": tiles.count(LADDER) / max(1, len(plan)),
        "rope_use": tiles.count(ROPE) / max(1, len(plan)),
    }
