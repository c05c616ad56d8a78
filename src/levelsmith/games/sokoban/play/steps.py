"""A level in the making: the five actions of simulated play (Kartal et al. 2016), one by one.

The same functions that searches run compiled are called here as plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from levelsmith.contracts import Game
from levelsmith.core import Canvas, Grid, Size, settle
from levelsmith.errors import LevelsmithError

MOST_CELLS = 100
OPEN_SHARE = 0.6  # of the cells, when boxes are placed
CELLS_A_BOX = 8
PUSHES = 24
TRIES = 12
FREEZE, MOVE, EVALUATE = 2, 3, 4  # places in the actions below; the first two are those of play
ACTIONS = ("delete an obstacle", "place a box", "freeze the board", "push a box", "evaluate the level")


def steps(game: Game, size: Size, seed: int) -> dict[str, Any]:
    """Returns the actions of one play, each with the board after it; the last board is the level."""
    height, width = size
    if not (min(height, width) >= 3 and height * width <= MOST_CELLS):
        raise LevelsmithError(
            f"expected a size from 3x3 to {MOST_CELLS} cells to step through, got {width}x{height}"
        )
    with np.errstate(over="ignore"):  # words wrap around, as they do compiled
        sequences = (np.random.SeedSequence(seed, spawn_key=(attempt,)) for attempt in range(TRIES))
        plays = [_played(game, size, sequence) for sequence in sequences]
    told, solution = max(plays, key=lambda play: len(play[1] or ""))  # many end with a box in a corner
    return {"steps": told, "actions": list(ACTIONS), "solution": solution}


def _played(
    game: Game, size: Size, sequence: np.random.SeedSequence
) -> tuple[list[dict[str, str]], str | None]:
    from levelsmith.games.sokoban.play.kernels import play
    from levelsmith.games.sokoban.play.representation import PLAY, grid_of
    from levelsmith.kernels.bits import to_members
    from levelsmith.kernels.problem import apply, board, initial, legal, pack
    from levelsmith.kernels.random import seeded

    values = settle("play", PLAY.parameters, {"least_play": 1, "once": False})
    built = PLAY.build(game, Canvas(size), values, "steps")
    rng = np.random.default_rng(sequence)
    state = initial(built, seeded(sequence))
    told = []
    while state.phase != play.OVER:
        actions = [int(action) for action in to_members(legal(built, state).value)]
        action = _chosen(actions, built.shift, state, size, rng)
        last = action >> built.shift == play.LAST_KIND
        if state.phase == play.BUILDING:
            kind = FREEZE if last else action >> built.shift
        else:
            kind = EVALUATE if last else MOVE
        state = apply(built, state, action)
        over = state.phase == play.OVER
        grid = grid_of(built.board, board(built, state).value) if over else _grid(game, state, size)
        told.append({"action": ACTIONS[kind], "text": "\n".join(game.tiles.rows(grid))})
    row = np.zeros(built.words, np.uint64)
    pack(built, state, row)
    return told, PLAY.proof(built, row)


def _chosen(actions: list[int], shift: int, state: Any, size: Size, rng: np.random.Generator) -> int:
    """Returns a random action of the kind whose turn it is: dig, then place boxes, then freeze; push, then
    end."""
    from levelsmith.games.sokoban.play.kernels import play
    from levelsmith.kernels.bits import to_members

    cells = size[0] * size[1]
    kinds = {action >> shift for action in actions}
    if state.phase == play.PLAYING:
        over = state.pushes >= PUSHES or kinds == {play.LAST_KIND}
        fitting = [a for a in actions if (a >> shift == play.LAST_KIND) == over]
        return int(rng.choice(fitting))
    dug = cells - len(to_members(state.walls))
    boxes = max(1, round(OPEN_SHARE * cells / CELLS_A_BOX))
    turn = [play.DELETE] if dug < OPEN_SHARE * cells else [play.PLACE] if state.number < boxes else []
    kind = next(kind for kind in (*turn, play.LAST_KIND, *kinds) if kind in kinds)
    return int(rng.choice([a for a in actions if a >> shift == kind]))


def _grid(game: Game, state: Any, size: Size) -> Grid:
    """Returns a board on its way, with the wall around it."""
    from levelsmith.kernels.bits import to_members

    index = game.tiles.index_of
    inside = np.full(size[0] * size[1], index("floor"), np.uint8)
    inside[to_members(state.walls)] = index("wall")
    inside[to_members(state.boxes)] = index("box")
    inside[int(state.player)] = index("player")
    return np.pad(inside.reshape(size), 1, constant_values=index("wall"))
