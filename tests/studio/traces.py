"""What the rule books say, written down for the browser's rules to be held against."""

from __future__ import annotations

import numpy as np

from levelsmith import load, parse
from levelsmith.games.loderunner.rules import chase
from levelsmith.games.loderunner.rules import rules as loderunner
from levelsmith.games.sokoban.formats import lurd
from levelsmith.games.sokoban.rules import rules as sokoban
from levelsmith.registry import games
from reference import binary

SOKOBAN, LODERUNNER, BINARY = (games.get(name).tiles for name in ("sokoban", "loderunner", "binary"))
PACKED = ["3r2U(ld)", "2(3(dr)R)", "12l", "u d\nL R", "", "2(", ")", "3", "0r", "x", "2()r"]
# Two ways of the same length lead to the runner.
EVEN = "...M..G\n#bbbbb#\n#.....#\n#..E..#\nbbbbbbb"


def traces(seed=0):
    random = np.random.default_rng(seed)
    return {
        "sokoban": [room(random) for _ in range(12)],
        "lurd": [[text, unpacked(text)] for text in PACKED],
        "plans": [plan(level) for level in load("loderunner:corpus")[::20]],
        "chases": [pursuit(random, level.grid) for level in load("loderunner:corpus")[7::100]]
        + [pursuit(random, den(random)) for _ in range(20)]
        + [pursuit(random, parse(EVEN, "loderunner").grid) for _ in range(3)],
        "binary": [cave(random) for _ in range(30)],
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


def unpacked(text):
    try:
        return lurd.moves(text)
    except sokoban.LevelsmithError:
        return None


def plan(level):
    """The plan of a level, with enemies that stand still."""
    board = loderunner.LodeRunnerBoard(level.grid)
    shown = [rows(LODERUNNER, loderunner.drawn(board, at)) for at in loderunner.replay(level, level.solution)]
    return {"text": level.text, "plan": level.solution, "shown": shown}


def den(random):
    """Floors of brick with little between them and enemies close by: holes are dug and fallen into."""
    height, width = 9, 9
    grid = random.choice(6, (height, width), p=[0.72, 0.06, 0.02, 0.06, 0.06, 0.08]).astype(np.uint8)
    grid[2::2] = np.where(random.random((4, width)) < 0.85, loderunner.BRICK, loderunner.LADDER)
    grid[1, : random.integers(3)] = loderunner.GOLD
    things = random.permutation(2 * width)[:5]
    grid.flat[things] = [loderunner.PLAYER, loderunner.GOLD, *[loderunner.ENEMY] * 3]
    return grid


def pursuit(random, grid, ticks=150):
    """A runner who digs where he can, else goes this way and that, and enemies after him."""
    board = loderunner.LodeRunnerBoard(grid)
    now, steps = chase.begin(board), []
    while len(steps) < ticks:
        near = dict(outcomes(board, now))
        possible = [move for move, after in near.items() if isinstance(after, chase.Chase)]
        letters = possible if possible and random.random() < 0.8 else list(near)
        move = str(random.choice(letters))
        for _ in range(40 if move == "." and random.random() < 0.1 else random.integers(1, 6)):
            after = dict(outcomes(board, now, move))[move]
            reason = after if isinstance(after, str) else None
            now = now if reason else after
            at = now.position
            holes = sorted([*cell, left] for cell, left in at.holes.items())
            steps.append(
                [move, reason, at.runner, sorted(at.gold), holes, at.ticks, list(now.enemies), now.caught]
            )
    return {"text": rows(LODERUNNER, grid), "steps": steps}


def outcomes(board, now, moves="lrudLR."):
    """Of each move the chase after it, or the reason why there is none."""
    for move in moves:
        try:
            yield move, chase.step(board, now, move)
        except loderunner.Blocked as blocked:
            yield move, str(blocked)


def cave(random):
    """A map and its metrics, by the slow twin of the compiled ones."""
    height, width = random.integers(1, 13, 2)
    grid = (random.random((height, width)) < random.random()).astype(np.uint8)
    if random.random() < 0.5:  # with a border that has two openings
        grid[[0, -1]] = grid[:, [0, -1]] = 1
        grid[random.integers(height), 0] = grid[random.integers(height), -1] = 0
    empty, path, regions, _, way = map(int, binary.metrics(grid)[:5])
    return {"text": rows(BINARY, grid), "empty": empty, "path": path, "regions": regions, "way": way}
