"""A Sokoban level in the making: the five actions of simulated play (Kartal et al. 2016), one by one.

The same functions that searches run compiled are called here as plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from levelsmith.core import Canvas, Grid, settle
from levelsmith.errors import LevelsmithError
from levelsmith.registry import games
from levelsmith.search.task import parse_size

MOST_CELLS = 100
OPEN_SHARE = 0.5  # of the cells, when boxes are placed
CELLS_A_BOX = 12
PUSHES = 24
ACTIONS = ("delete an obstacle", "place a box", "freeze the board", "push a box", "evaluate the level")


def steps(size: str = "5x5", seed: int = 0) -> dict[str, Any]:
    """The actions of one play, each with the board after it; the last board is the level."""
    from levelsmith.games.sokoban import play_kernels as play
    from levelsmith.games.sokoban.play import PLAY, grid_of
    from levelsmith.kernels.bits import to_members
    from levelsmith.kernels.problem import apply, board, initial, legal, pack
    from levelsmith.kernels.random import seeded

    height, width = parse_size(size)
    cells = height * width
    if not (min(height, width) >= 3 and cells <= MOST_CELLS):
        raise LevelsmithError(f"expected a size from 3x3 to {MOST_CELLS} cells to step through, got {size}")
    game = games.get("sokoban")
    values = settle("play", PLAY.parameters, {"least_play": 1, "once": False})
    sequence = np.random.SeedSequence(seed)
    rng = np.random.default_rng(sequence)
    told: list[dict[str, str]] = []
    with np.errstate(over="ignore"):  # words wrap around, as they do compiled
        built = PLAY.build(game, Canvas((height, width)), values, "steps")
        state = initial(built, seeded(sequence))
        kind, boxes = 0, max(1, round(OPEN_SHARE * cells / CELLS_A_BOX))
        while state.phase != play.OVER:
            actions = [int(action) for action in to_members(legal(built, state).value)]
            kinds = [action >> built.shift for action in actions]
            dug = cells - len(to_members(state.walls))
            if state.phase == play.BUILDING:
                kind = play.DELETE if dug < OPEN_SHARE * cells else play.PLACE
                if (state.number >= boxes and play.LAST_KIND in kinds) or kind not in kinds:
                    kind = play.LAST_KIND if play.LAST_KIND in kinds else kinds[0]
                shown = 2 if kind == play.LAST_KIND else kind
            else:
                moves = [k for k in kinds if k != play.LAST_KIND]
                over = state.pushes >= PUSHES or not moves
                kind = play.LAST_KIND if over else int(rng.choice(moves))
                shown = 4 if kind == play.LAST_KIND else 3
            fitting = [a for a, k in zip(actions, kinds, strict=True) if k == kind]
            state = apply(built, state, int(rng.choice(fitting)))
            over = state.phase == play.OVER
            grid = (
                grid_of(built.board, board(built, state).value) if over else _grid(game, state, height, width)
            )
            told.append({"action": ACTIONS[shown], "text": "\n".join(game.tiles.rows(grid))})
        row = np.zeros(built.row, np.uint64)
        pack(built, state, row)
        return {"steps": told, "actions": list(ACTIONS), "solution": PLAY.proof(built, row)}


def _grid(game: Any, state: Any, height: int, width: int) -> Grid:
    """A board on its way, with the wall around it."""
    from levelsmith.kernels.bits import to_members

    index = game.tiles.index_of
    inside = np.full(height * width, index("floor"), np.uint8)
    inside[to_members(state.walls)] = index("wall")
    inside[to_members(state.boxes)] = index("box")
    inside[int(state.player)] = index("player")
    return np.pad(inside.reshape(height, width), 1, constant_values=index("wall"))
