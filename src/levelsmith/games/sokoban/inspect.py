"""What `levelsmith check` finds in a Sokoban level besides whether it can be solved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from levelsmith.contracts import Found, Inspected
from levelsmith.core import Cancel, Effort, Level, Verdict
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.metrics.board import filled
from levelsmith.games.sokoban.rules.kernels.tiles import (
    BOX,
    BOX_ON_GOAL,
    FLOOR,
    GOAL,
    PLAYER,
    PLAYER_ON_GOAL,
)
from levelsmith.games.sokoban.rules.rules import (
    STEPS,
    Cell,
    SokobanBoard,
    SokobanState,
    cells_of,
    check,
    drawn,
    pairs,
    reachable,
    region,
    replay,
)
from levelsmith.games.sokoban.solver.solve import solve
from levelsmith.games.touching import cells_where, groups
from levelsmith.levels.spending import Spending

INSPECTIONS = {
    "more-boxes": ("error", "boxes and goals are not as many"),
    "no-player": ("error", "there is not one player"),
    "open-edge": ("error", "the player can walk out of the level"),
    "idle-box": ("warning", "a box that the solution never pushes: it could be a wall"),
    "unreached-floor": ("warning", "floor inside the walls that nobody can ever reach"),
    "lost-at-start": ("off", "a first push after which nobody can win any more"),
}
STATES = 100_000  # that are looked at after each first push


def faults(level: Level) -> Iterator[Found]:
    """Yields what keeps a grid from being a level."""
    grid = level.grid
    players = sorted(cells_of(grid, PLAYER, PLAYER_ON_GOAL))
    if len(players) != 1:
        where = players[1] if players else None
        yield Found("no-player", f"expected one player, got {len(players)}", where)
        return
    boxes, goals = cells_of(grid, BOX, BOX_ON_GOAL), cells_of(grid, GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL)
    try:
        check(grid)
    except LevelsmithError as error:
        name = "open-edge" if len(boxes) == len(goals) else "more-boxes"
        yield Found(name, str(error), min(boxes, default=None) if name == "more-boxes" else players[0])


def inspect(name: str, level: Level, verdict: Verdict, effort: Effort, cancel: Cancel | None) -> Inspected:
    """Returns what is found of one kind."""
    if name == "idle-box" and verdict.solution:
        return Inspected(list(_idle(level, verdict.solution)))
    if name == "unreached-floor":
        return Inspected(list(_unreached(level)))
    if name == "lost-at-start" and verdict.solution:
        return _lost(name, level, effort, cancel)
    return Inspected([])


def _idle(level: Level, solution: str) -> Iterator[Found]:
    solved = replace(level, solution=solution)
    board, position = SokobanBoard(level.grid), None
    pushed: set[Cell] = set()
    for _, after in board.play(replay(solved, solution)):
        before = board.start if position is None else position
        pushed |= before.boxes - after.boxes
        position = after
    for start, end in pairs(solved):
        if start == end and start not in pushed:
            yield Found("idle-box", "this box is never pushed by the solution: a wall would do", start)


def _unreached(level: Level) -> Iterator[Found]:
    """Yields one finding for each group of floor behind walls, at its first cell."""
    board = SokobanBoard(level.grid)
    inside = np.isin(filled(level.grid), (FLOOR, GOAL))
    for group in groups(cells_where(inside) - reachable(board)):
        cells = "this cell" if len(group) == 1 else f"these {len(group)} cells"
        yield Found("unreached-floor", f"nobody can ever reach {cells}", min(group))


def _lost(name: str, level: Level, effort: Effort, cancel: Cancel | None) -> Inspected:
    """Returns one finding for each first push after which the level is proved to be lost, at the box."""
    board, found, complete = SokobanBoard(level.grid), [], True
    clock = Spending(effort, cancel)
    for cell in sorted(region(board, board.start)):
        for move in STEPS:
            after = board.step(SokobanState(cell, board.start.boxes), move)
            if after is None or after.boxes == board.start.boxes:
                continue
            there = replace(level, grid=drawn(board, after), solution=None, provenance={})
            left = None if effort.seconds is None else max(0.001, effort.seconds - clock.seconds)
            status = solve(there, replace(effort, states=STATES, seconds=left), any=True).status
            complete &= status != "unknown"
            if status == "unsolvable":
                way = {"u": "up", "d": "down", "l": "left", "r": "right"}[move]
                box = next(iter(board.start.boxes - after.boxes))
                found.append(Found(name, f"if this box is pushed {way} first, nobody can win", box))
    return Inspected(found, complete=complete)
