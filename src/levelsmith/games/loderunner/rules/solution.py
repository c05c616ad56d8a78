"""What can be counted about a plan, from the level and its moves alone."""

from __future__ import annotations

from typing import Any

from levelsmith.core import Level
from levelsmith.games.loderunner.rules.game import Game
from levelsmith.games.loderunner.rules.men import FREE, GUARD, HOLE, NUMBERS, REBORN, Guard, Man
from levelsmith.games.loderunner.rules.plan import STEP, check_won, is_timed, played, read
from levelsmith.games.loderunner.rules.rules import (
    DIGS,
    LADDER,
    ROPE,
    LodeRunnerBoard,
    LodeRunnerState,
    replay,
)

Metrics = dict[str, int | float]
NEAR = 2  # times the distance at which a guard catches the runner


def measured(level: Level, plan: str) -> Metrics:
    """Returns the metrics of a plan; one that leaves gold, or does not win against the guards, is refused."""
    if is_timed(plan):
        return fought(level, plan)[0]
    return walked(level, plan, replay(level, plan))


def walked(level: Level, plan: str, positions: list[LodeRunnerState]) -> Metrics:
    """Returns the metrics of a plan while nobody moves, of which the positions are known."""
    board = LodeRunnerBoard(level.grid)
    tiles = [board.tile(position.runner) for position in positions[1:]]
    return {
        "moves": len(plan),
        "ticks": positions[-1].ticks,
        "digs": sum(plan.count(letter) for letter in DIGS),
        "ladder_use": tiles.count(LADDER) / max(1, len(plan)),
        "rope_use": tiles.count(ROPE) / max(1, len(plan)),
        **dict.fromkeys(("trapped", "buried", "heads"), 0),
    }


def fought(level: Level, plan: str) -> tuple[Metrics, dict[str, Any]]:
    """Returns the metrics of a plan against guards, and what happened between the runner and them."""
    presses = read(plan)
    tiles, traps, buried, near, heads = list[int](), 0, 0, 0, 0
    modes: list[str] = []
    close = set[int]()
    order: list[list[int]] = []
    ticks = left = 0
    carrier: int | None = None
    for game in played(level, plan):
        ticks = game.ticks
        tiles.append(game.tile[game.runner.row][game.runner.column])
        now = [guard.mode for guard in game.guards]
        traps += _became(HOLE, modes, now)
        buried += _became(REBORN, modes, now)
        below = _carrier(game)
        heads += below is not None and below != carrier
        closer = {i for i, guard in enumerate(game.guards) if _is_near(game, guard)}
        near += len(closer - close)
        if game.left < left:
            order.append([game.runner.column, game.runner.row])
        modes, close, left, carrier = now, closer, game.left, below
    check_won(game)
    metrics = {
        "moves": len(presses),
        "ticks": -(-ticks // STEP),
        "digs": sum(key in DIGS for key, _ in presses),
        "ladder_use": tiles[1:].count(LADDER) / max(1, ticks),
        "rope_use": tiles[1:].count(ROPE) / max(1, ticks),
        "trapped": traps,
        "buried": buried,
        "heads": heads,
    }
    return metrics, {"gold_order": order, "near_misses": near}


def _carrier(game: Game) -> int | None:
    """Returns which guard the runner stands on, where nothing else carries him."""
    row, column = game.runner.cell
    if game.falling or game.tile[row][column] in (LADDER, ROPE) or row + 1 == game.height:
        return None
    if game.now[row + 1][column] != GUARD or game.tile[row + 1][column] == LADDER:
        return None
    return next((i for i, guard in enumerate(game.guards) if guard.cell == (row + 1, column)), None)


def _became(mode: str, before: list[str], now: list[str]) -> int:
    return sum(b != mode and n == mode for b, n in zip(before, now, strict=False))


def _is_near(game: Game, guard: Guard) -> bool:
    """Tells whether a guard on the loose is hardly farther away than he catches from."""
    if guard.mode != FREE:
        return False
    runner: Man = game.runner
    vertical = (guard.row - runner.row) * NUMBERS.height + guard.dy - runner.dy
    horizontal = (guard.column - runner.column) * NUMBERS.width + guard.dx - runner.dx
    return abs(vertical) <= NEAR * NUMBERS.catch_y and abs(horizontal) <= NEAR * NUMBERS.catch_x
