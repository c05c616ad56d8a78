"""The representation `rooms`: walls and goals are varied, and the boxes start as far from them as can be.

For every candidate all positions that can be solved are met by pulls from the goals, nearest first; the level
starts at the last of them. So its optimum is known exactly, and the search is for walls and goals alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from levelsmith.core import Canvas, Game, Grid, Parameter, Parameters, Values
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban import kernels, pull_kernels, room_kernels, room_step_kernels, stroll_kernels
from levelsmith.games.sokoban.play import grid_of
from levelsmith.games.sokoban.rules import BOX, BOX_ON_GOAL, GOAL, PLAYER, PLAYER_ON_GOAL, WALL
from levelsmith.games.sokoban.walk import lurd
from levelsmith.kernels import problem
from levelsmith.kernels.bits import both, either, empty, from_members, minus

# A tree search does best without random changes at its leaves: every one costs a whole search by pulls.
TREE_SEARCH = {
    "mcts.c": 0.01,
    "mcts.length": 0,
    "mcts.trees": 1,
    "mcts.patience": 1000,
    "mcts.bootstrap": 0.5,
    "mcts.cycle": 4000,
    "plan.length": 0,
}

MOST_PUSHES = 10_000  # that are counted


class RoomsRepresentation:
    name = "rooms"
    summary = "vary walls and goals; the boxes start as many pushes away as can be"
    offers = frozenset({"steps", "variation"})
    parameters: Parameters = (
        Parameter("boxes", 3, "boxes of a level", low=1, high=kernels.MOST_BOXES),
        Parameter("longest", 1000, "pushes at most: no start is farther away", low=1, high=MOST_PUSHES),
        Parameter("walls", 0.3, "share of walls in a random candidate", low=0.0, high=1.0),
        Parameter("states", 1_000_000, "positions that are met at most for a candidate", low=1),
        Parameter("depth", 100, "changes on a path of a tree search at most", low=1, high=100_000),
    )

    def fitting(self, wants: Iterable[Any]) -> dict[str, Any]:
        """Settings that suit it and ranges: where pushes have a most, a start farther away is of no use."""
        wants = list(wants)
        for want in wants:
            if want.metric == "pushes" and want.low > MOST_PUSHES:
                raise LevelsmithError(
                    f"expected at most {MOST_PUSHES:,} pushes, got {want.range}; ask for fewer"
                )
        most = [int(want.high) for want in wants if want.metric == "pushes" and want.high < math.inf]
        exact = [int(want.low) for want in wants if want.metric == "boxes" and want.low == want.high]
        return {
            **TREE_SEARCH,
            **({"rooms.longest": max(1, min(*most, MOST_PUSHES))} if most else {}),
            **({"rooms.boxes": exact[0]} if exact else {}),
        }

    def build(self, game: Game, canvas: Canvas, values: Values, needs: str) -> Any:
        if game.name != "sokoban":
            raise LevelsmithError(f"rooms makes levels of sokoban alone, but {game.name} was asked for")
        height, width = canvas.size
        cells, boxes = height * width, values["boxes"]
        if not kernels.fits(canvas.size):
            raise LevelsmithError(f"expected a board of at most 256 cells for rooms, got {width}x{height}")
        if 2 * boxes + 1 > cells:
            most = (cells - 1) // 2
            raise LevelsmithError(
                f"expected at most {most} boxes on {width}x{height}: each needs a goal elsewhere, got {boxes}"
            )
        free = np.ones(canvas.size, np.bool_) if canvas.locked is None else ~canvas.locked
        start = canvas.start if canvas.start is not None else np.zeros(canvas.size, np.uint8)

        def as_set(mask: Any) -> Any:
            return from_members(np.flatnonzero(mask), cells)

        board = kernels.make(canvas.size)
        rooms = room_kernels.Rooms(
            board=board,
            pulls=pull_kernels.make(canvas.size, boxes, values["states"]),
            strolls=stroll_kernels.make(canvas.size),
            row=2 * len(from_members((), cells)),
            boxes=boxes,
            most_pushes=values["longest"],
            wall_share=values["walls"],
            walls=as_set(start == WALL),
            goals=as_set(np.isin(start, (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL))),
            free=as_set(free),
            locks=_locks(board, [as_set(start == tile) for tile in range(len(game.tiles))], as_set(~free)),
            given=canvas.start is not None,
            path=np.zeros(values["longest"], np.uint16),
            pair_start=np.zeros(cells, np.int16),
            pair_goal=np.zeros(cells, np.int16),
        )
        return room_step_kernels.make(rooms, values["depth"]) if needs == "steps" else rooms

    def grid(self, built: Any, board: Any) -> Grid:
        return grid_of(built.board, board)

    def proof(self, built: Any, row: Any) -> str | None:
        """The shortest solution, as LURD; None where the candidate has no level."""
        puzzle = problem.board(built, problem.unpack(built, row)).value
        if puzzle.boxes == 0:
            return None
        pushes = [(int(push) >> 2, int(push) & 3) for push in built.path[: puzzle.pushes]]
        return lurd(grid_of(built.board, puzzle), pushes)


def _locks(board: Any, start: Any, locked: Any) -> pull_kernels.Locks:
    """What must stay besides walls and goals. start: words by tile."""
    boxes, players = either(start[BOX], start[BOX_ON_GOAL]), either(start[PLAYER], start[PLAYER_ON_GOAL])
    floor = kernels.reached(board, players, minus(board.every, start[WALL]))
    seats = both(players, locked)
    return pull_kernels.Locks(
        locked,
        both(boxes, locked),
        both(floor, locked),
        minus(board.every, locked) if empty(seats) else seats,
    )


ROOMS = RoomsRepresentation()
