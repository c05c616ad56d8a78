"""What the rule books say, written down for what the browser plays by to be held against."""

from __future__ import annotations

import random as chance

import numpy as np

from guards import SITUATIONS, random_trace
from levelsmith import load
from levelsmith.games.loderunner.rules import rules as loderunner
from levelsmith.games.sokoban.rules import rules as sokoban
from levelsmith.registry import games
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.compiled import with_files

SOKOBAN, LODERUNNER = (games.get(name).tiles for name in ("sokoban", "loderunner"))
LARGE = "\n".join(
    ["#" * 20]
    + [f"#{row:<18}#" for row in ["", "", *["   $  $  $  $"] * 3, *["", "      . .  . . . ."] * 2, "@", ""]]
    + ["#" * 20]
)


def traces(seed=0):
    random = np.random.default_rng(seed)
    return {
        "sokoban": [room(random) for _ in range(12)],
        "compiled": {name: with_files(name) for name in ("sokoban", "loderunner")},
        "tiles": {name: game_entry(games.get(name))["tiles"] for name in ("sokoban", "loderunner")},
        "still": [ramble(random, level.grid) for level in load("loderunner:corpus")[7::100]]
        + [ramble(random, den(random)) for _ in range(20)],
        "guards": SITUATIONS + [random_trace(chance.Random(seed), f"random {seed}") for seed in range(40)],
    }


def rows(tiles, grid):
    return "\n".join(tiles.rows(grid))


def room(random):
    """A walk through a room of boxes, with moves that walls and boxes stop."""
    height, width = random.integers(4, 9, 2)
    grid = np.where(random.random((height, width)) < 0.15, sokoban.WALL, sokoban.FLOOR).astype(np.uint8)
    places = random.permutation(height * width)
    boxes = int(random.integers(1, 5))
    grid.flat[places[0]] = sokoban.PLAYER
    grid.flat[places[1 : boxes + 1]] = sokoban.BOX
    grid.flat[places[boxes + 1 : 2 * boxes + 1]] = sokoban.GOAL
    if random.random() < 0.5:
        grid.flat[places[2 * boxes + 1]] = sokoban.BOX_ON_GOAL
    board = sokoban.SokobanBoard(grid)
    position, steps = board.start, []
    for move in random.choice(list("udlr"), 120).tolist():
        after = board.step(position, move)
        position = after or position
        shown = rows(SOKOBAN, sokoban.drawn(board, position))
        near = sorted(sokoban.region(board, position))
        steps.append([move, after is not None, shown, board.is_solved(position), near])
    return {"text": rows(SOKOBAN, grid), "steps": steps}


def den(random):
    """Floors of brick with little between them: holes are dug and fallen into."""
    height, width = 9, 9
    grid = random.choice(6, (height, width), p=[0.72, 0.06, 0.02, 0.06, 0.06, 0.08]).astype(np.uint8)
    grid[2::2] = np.where(random.random((4, width)) < 0.85, loderunner.BRICK, loderunner.LADDER)
    grid[1, : random.integers(3)] = loderunner.GOLD
    things = random.permutation(2 * width)[:5]
    grid.flat[things] = [loderunner.PLAYER, loderunner.GOLD, *[loderunner.ENEMY] * 3]
    return grid


def ramble(random, grid, moves=150):
    """A runner who goes this way and that and digs where he can, while the enemies stand still."""
    board = loderunner.LodeRunnerBoard(grid)
    position, steps = board.start, []
    while len(steps) < moves:
        move = str(random.choice(list("lrudLR.")))
        for _ in range(40 if move == "." and random.random() < 0.1 else random.integers(1, 6)):
            try:
                position, reason = board.step(position, move), None
            except loderunner.Blocked as blocked:
                reason = str(blocked)
            shown = rows(LODERUNNER, loderunner.drawn(board, position))
            steps.append([move, reason, shown, position.ticks, not position.gold])
    return {"text": rows(LODERUNNER, grid), "steps": steps}
