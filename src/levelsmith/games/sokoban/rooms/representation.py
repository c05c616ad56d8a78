"""The representation `rooms`: walls and goals are varied, and the boxes start as far from them as can be.

For every candidate all positions that can be solved are met by pulls from the goals, nearest first; the level
starts at the last of them. So its optimum is known exactly, and the search is for walls and goals alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from levelsmith.contracts import Game, Representation
from levelsmith.core import Canvas, Grid, Level, Parameter, Parameters, Size, Values
from levelsmith.errors import LevelsmithError, option, quoted, setting
from levelsmith.games.sokoban.play.representation import BORDER, grid_of
from levelsmith.games.sokoban.rooms.kernels import rooms as room_kernels
from levelsmith.games.sokoban.rooms.kernels import steps
from levelsmith.games.sokoban.rules.kernels import board as kernels
from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL, GOAL, PLAYER, PLAYER_ON_GOAL, WALL
from levelsmith.games.sokoban.rules.walk import lurd
from levelsmith.games.sokoban.solver.kernels import pulls, strolls
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
FRAMED = frozenset({"blocks", "terrain", "border"})  # metrics that the walls around a room count for
MORE = 2  # boxes beyond the least, where a range has no end


class RoomsRepresentation(Representation):
    name = "rooms"
    games = frozenset({"sokoban"})
    summary = "vary walls and goals; the boxes start as many pushes away as can be"
    offers = frozenset({"steps", "variation"})
    parameters: Parameters = (
        Parameter("boxes", "2..4", "boxes of a level: a number, or a range to take it from"),
        Parameter("longest", 1000, "pushes at most: no start is farther away", low=1, high=MOST_PUSHES),
        Parameter("walls", 0.3, "share of walls in a random candidate", low=0.0, high=1.0),
        Parameter("states", 1_000_000, "positions that are met at most for a candidate", low=1),
        Parameter("open", 0.0, "share of a fresh board that is room at least", low=0.0, high=1.0),
        Parameter("trim", True, "a fresh level is cut to its room: no rows and columns of mere wall"),
        Parameter("depth", 100, "changes on a path of a tree search at most", low=1, high=100_000),
    )

    def fitting(self, wants: Iterable[Any], start: Level | None) -> dict[str, Any]:
        """Returns settings that suit it, ranges and a level to start from, which keeps its number of boxes.

        Where pushes have a most, a start farther away is of no use.
        """
        wants = list(wants)
        for want in wants:
            if want.metric == "pushes" and want.low > MOST_PUSHES:
                raise LevelsmithError(
                    f"expected at most {MOST_PUSHES:,} pushes, got {want.range}; ask for fewer"
                )
            if want.metric == "solved" and want.low > 0:
                raise LevelsmithError(
                    f"no level of rooms starts with a box on a goal, got solved {want.range}; "
                    "ask for the representation play"
                )
        most = [int(want.high) for want in wants if want.metric == "pushes" and want.high < math.inf]
        boxes = [w for w in wants if w.metric == "boxes" and (w.low > 1 or w.high < math.inf)]
        there = 0 if start is None else int(np.isin(start.grid, (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL)).sum())
        return {
            **TREE_SEARCH,
            **({"rooms.boxes": str(there)} if there else {}),
            **({"rooms.longest": max(1, min(*most, MOST_PUSHES))} if most else {}),
            **({"rooms.boxes": _asked(boxes[0])} if boxes else {}),
        }

    def no_level(self, size: Size, values: Values, locked: bool) -> str:
        """Tells that nothing was found; a candidate without a solution has no boxes, and is no level."""
        boxes = f"{values['boxes']} box{'es' if values['boxes'] != '1' else ''}"
        advice = "fewer locks, or other cells" if locked else "fewer boxes or a larger size"
        return f"no level of {boxes} on {size[1]}x{size[0]} was found: try {advice}"

    def finished(self, grid: Grid, values: Values, metrics: Collection[str]) -> Grid:
        """Returns a fresh level cut to its room, unless what was asked for counts the walls around it."""
        if not values["trim"] or FRAMED & frozenset(metrics):
            return grid
        room = grid != WALL
        rows, columns = np.flatnonzero(room.any(axis=1)), np.flatnonzero(room.any(axis=0))
        return grid[rows[0] - BORDER : rows[-1] + BORDER + 1, columns[0] - BORDER : columns[-1] + BORDER + 1]

    def build(self, game: Game, canvas: Canvas, values: Values, needs: str) -> Any:
        height, width = canvas.size
        cells = height * width
        if not kernels.fits(canvas.size):
            raise LevelsmithError(f"expected a board of at most 256 cells for rooms, got {width}x{height}")
        least, boxes = _boxes(values["boxes"], canvas, values["walls"])
        free = np.ones(canvas.size, np.bool_) if canvas.locked is None else ~canvas.locked
        start = canvas.start if canvas.start is not None else np.zeros(canvas.size, np.uint8)

        def as_set(mask: Any) -> Any:
            return from_members(np.flatnonzero(mask), cells)

        board = kernels.make(canvas.size)
        rooms = room_kernels.Rooms(
            board=board,
            pulls=pulls.make(canvas.size, boxes, values["states"]),
            strolls=strolls.make(canvas.size, values["states"]),
            words=2 * len(from_members((), cells)),
            least_boxes=least,
            boxes=boxes,
            least_open=math.ceil(values["open"] * cells),
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
        return steps.make(rooms, values["depth"]) if needs == "steps" else rooms

    def grid(self, built: Any, board: Any) -> Grid:
        return grid_of(built.board, board)

    def proof(self, built: Any, packed: Any) -> str | None:
        """Returns the shortest solution, as LURD; None where the candidate has no level."""
        puzzle = problem.board(built, problem.unpack(built, packed)).value
        if puzzle.boxes == 0:
            return None
        pushes = [(int(push) >> 2, int(push) & 3) for push in built.path[: puzzle.pushes]]
        return lurd(grid_of(built.board, puzzle), pushes)


def _asked(want: Any) -> str:
    """Returns the parameter `boxes` for a range that was asked for."""
    least = max(1, math.ceil(want.low))
    most = least + MORE if want.high == math.inf else max(least, int(min(want.high, kernels.MOST_BOXES)))
    return f"{least}..{most}"


def _boxes(text: str, canvas: Canvas, walls: float) -> tuple[int, int]:
    """Returns the fewest and the most boxes, of what was asked for, that there is room for on a board."""
    found = re.fullmatch(r"(\d{1,3})(?:\.\.(\d{1,3}))?", text)
    least, most = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= least <= most <= kernels.MOST_BOXES:
        raise LevelsmithError(
            f"expected a whole number from 1 to {kernels.MOST_BOXES} for boxes, or a range such as 2..4, "
            f"got {quoted(text)}"
        )
    height, width = canvas.size
    fitting = (height * width - 1) // 2
    if least > fitting:
        raise LevelsmithError(
            f"expected at most {fitting} box{'es' if fitting != 1 else ''} on {width}x{height}: "
            f"each needs a goal elsewhere, got {text}"
        )
    told_apart = fitting
    if canvas.start is None:
        floor = int(height * width * (1 - walls))
        too_many = (n for n in range(1, fitting + 1) if math.comb(floor, n) > pulls.MOST_SETS)
        told_apart = next(too_many, fitting + 1) - 1
    if least > told_apart:
        raise LevelsmithError(
            f"expected at most {told_apart} boxes on {width}x{height}, got {text}: their starts are too many "
            f"to tell which is farthest; try fewer boxes, a smaller {option('size')} or "
            f"{option('search', 'carve')} with {setting('optimal', False)}"
        )
    return least, min(most, fitting, told_apart)


def _locks(board: Any, start: Any, locked: Any) -> pulls.Locks:
    """Returns what must stay besides walls and goals. start: words by tile."""
    boxes, players = either(start[BOX], start[BOX_ON_GOAL]), either(start[PLAYER], start[PLAYER_ON_GOAL])
    floor = kernels.reached(board, players, minus(board.every, start[WALL]))
    seats = both(players, locked)
    return pulls.Locks(
        locked,
        both(boxes, locked),
        both(floor, locked),
        minus(board.every, locked) if empty(seats) else seats,
    )


ROOMS = RoomsRepresentation()
