"""The representation `play`: a level made by building a board and playing on it (Kartal et al. 2016).

It starts from solid rock around the player. Actions delete an obstacle, place a box, freeze the board, move,
and evaluate; the goals are where the boxes end, so every level can be solved.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from levelsmith.contracts import Game, Representation
from levelsmith.core import Canvas, Grid, Level, Parameter, Parameters, Size, Values
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.games.sokoban.play.kernels import play
from levelsmith.games.sokoban.play.kernels import threads as threads  # what a GPU needs is registered
from levelsmith.games.sokoban.rules.kernels import board as kernels
from levelsmith.games.sokoban.rules.kernels.tiles import (
    BOX,
    BOX_ON_GOAL,
    FLOOR,
    GOAL,
    PLAYER,
    PLAYER_ON_GOAL,
    WALL,
)
from levelsmith.games.sokoban.rules.walk import lurd
from levelsmith.kernels.bits import from_members, to_members
from levelsmith.kernels.problem import board, unpack
from levelsmith.kernels.words import WORD

IMMOVABLE = ("keep", "squares", "exact", "each")
POCKETS = ("keep", "fill")
BORDER = 1


class PlayRepresentation(Representation):
    name = "play"
    games = frozenset({"sokoban"})
    summary = "dig a board, place boxes, freeze it, push: solvable by construction"
    offers = frozenset({"steps"})
    defaults: Mapping[str, str] = {"search": "mcts", "objective": "koczorowski2023"}  # where it is asked for
    parameters: Parameters = (
        Parameter("moves", "pushes", "push any box in reach, or single steps", choices=("pushes", "steps")),
        Parameter("undo", True, "steps may take the last one back"),
        Parameter("least_boxes", 1, "boxes before the board may be frozen", low=0),
        Parameter("most_boxes", "third", "boxes at most: third or half of the cells, none, or a number"),
        Parameter("least_depth", 10, "actions before the board may be frozen", low=0),
        Parameter("least_play", 0, "actions before a level is evaluated, where boxes can be moved", low=0),
        Parameter("most_pushes", 200, "pushes at most", low=1, high=10_000),
        Parameter("immovable", "squares", "boxes that cannot move leave before freezing", choices=IMMOVABLE),
        Parameter("once", True, "a box that was pushed only once is left out"),
        Parameter("solved", False, "a box may start on a goal"),
        Parameter(
            "pockets", "fill", "floor that nobody can reach stays, or is filled with wall", choices=POCKETS
        ),
        Parameter("player", "middle", "where the player starts", choices=("middle", "anywhere")),
        Parameter("grow", 0, "the board widens after so many actions; 0 for all of it at once", low=0),
    )

    def build(self, game: Game, canvas: Canvas, values: Values, needs: str) -> Any:
        if not kernels.fits(canvas.size):
            raise LevelsmithError(
                f"expected a board of at most 256 cells for play, got {canvas.size[1]}x{canvas.size[0]}"
            )
        walls, boxes, player = _start(canvas, values["player"])
        free = np.ones(canvas.size, np.bool_) if canvas.locked is None else ~canvas.locked
        most = _most_boxes(values["most_boxes"], canvas.size)
        rules = np.zeros(play.RULES, np.int64)
        rules[play.LEAST_BOXES] = values["least_boxes"]
        rules[play.MOST_BOXES] = most
        rules[play.LEAST_DEPTH] = values["least_depth"]
        rules[play.LEAST_PLAY] = values["least_play"]
        rules[play.MOST_PUSHES] = values["most_pushes"]
        rules[play.IMMOVABLE] = IMMOVABLE.index(values["immovable"])
        rules[play.ONLY_PUSHES] = values["moves"] == "pushes"
        rules[play.UNDO] = values["undo"]
        rules[play.ONCE] = values["once"]
        rules[play.SOLVED_TOO] = values["solved"]
        rules[play.GROWTH] = values["grow"]
        rules[play.FILL] = POCKETS.index(values["pockets"])
        _check_limits(rules, walls & free, boxes)
        cells = canvas.size[0] * canvas.size[1]
        words = len(from_members((), cells))
        small = cells <= WORD // 2  # the slots of all four kinds travel by value

        def as_set(mask: Any) -> Any:
            return from_members(np.flatnonzero(mask), cells)

        def numbers() -> Any:
            return np.zeros(cells, np.int16)

        return play.Play(
            board=kernels.make(canvas.size),
            words=2 * words + -(-values["most_pushes"] // 4) + play.META,
            shift=5 if small else int(math.log2(WORD * words)),
            rules=tuple(rules.tolist()),
            walls=as_set(walls),
            boxes=as_set(boxes),
            free=as_set(free),
            slots=from_members((), 4 * WORD) if small else np.zeros(4 * words + 1, np.uint64),
            place=np.array([player, player], np.int64),
            start_of=numbers(),
            now_of=numbers(),
            pushes_of=numbers(),
            box_at=numbers(),
            pushes=np.zeros(values["most_pushes"], np.uint16),
            pair_start=numbers(),
            pair_goal=numbers(),
        )

    def fitting(self, wants: Iterable[Any], start: Level | None) -> dict[str, Any]:
        """Returns settings by which no more boxes are placed than a range allows."""
        most = [want.high for want in wants if want.metric == "boxes" and want.high < math.inf]
        return {"play.most_boxes": str(int(most[0]))} if most else {}

    def grid(self, built: Any, board: Any) -> Grid:
        return grid_of(built.board, board)

    def proof(self, built: Any, packed: Any) -> str | None:
        """Returns the pushes that made the level and the steps between them, as LURD; None where it has no
        boxes."""
        state = unpack(built, packed)
        puzzle = board(built, state).value
        if puzzle.boxes == 0:
            return None
        pushes = [(int(push) >> 2, int(push) & 3) for push in built.pushes[: state.pushes]]
        return lurd(grid_of(built.board, puzzle), pushes)


def grid_of(board: Any, puzzle: Any) -> Grid:
    """Returns a puzzle with its wall all around; the size of a level is that of the inside."""
    size = (board.height, board.width)
    grid = np.full((size[0] + 2 * BORDER, size[1] + 2 * BORDER), WALL, np.uint8)
    inside = np.full(size[0] * size[1], FLOOR, np.uint8)
    inside[to_members(puzzle.walls)] = WALL
    inside[to_members(puzzle.goals)] = GOAL
    for cell in to_members(puzzle.starts):
        inside[cell] = BOX_ON_GOAL if inside[cell] == GOAL else BOX
    player = int(puzzle.player)
    inside[player] = PLAYER_ON_GOAL if inside[player] == GOAL else PLAYER
    grid[BORDER:-BORDER, BORDER:-BORDER] = inside.reshape(size)
    return grid


def _most_boxes(asked: str, size: Size) -> int:
    cells = size[0] * size[1]
    shares = {"third": -(-cells // 3), "half": -(-cells // 2), "none": cells}
    if asked in shares:
        return shares[asked]
    if not asked.isdecimal() or len(asked) > 6:
        raise LevelsmithError(
            f"expected third, half, none or a whole number for most_boxes, got {quoted(asked)}"
        )
    return int(asked)


def _start(canvas: Canvas, player: str) -> tuple[Any, Any, int]:
    """Walls, boxes and the player's cell (-1 for anywhere) to begin with."""
    height, width = canvas.size
    middle = (height - 1) // 2 * width + (width - 1) // 2
    if canvas.start is None:
        walls = np.ones(canvas.size, np.bool_)
        return walls, ~walls, -1 if player == "anywhere" else middle
    grid = canvas.start
    players = np.flatnonzero(np.isin(grid, (PLAYER, PLAYER_ON_GOAL)))
    if len(players) > 1:
        raise LevelsmithError(f"expected at most one player in the start, got {len(players)}")
    if len(players) == 0 and grid.flat[middle] in (BOX, BOX_ON_GOAL):
        raise LevelsmithError("expected a player in the start, or a middle without a box")
    place = int(players[0]) if len(players) else (-1 if player == "anywhere" else middle)
    return grid == WALL, np.isin(grid, (BOX, BOX_ON_GOAL)), place


def _check_limits(rules: Any, diggable: Any, boxes: Any) -> None:
    least, most = rules[play.LEAST_BOXES], rules[play.MOST_BOXES]
    if least > most:
        raise LevelsmithError(f"expected least_boxes of at most most_boxes, got {least} and {most}")
    deepest = int(diggable.sum()) + max(0, int(most) - int(boxes.sum()))
    if rules[play.LEAST_DEPTH] > deepest:
        raise LevelsmithError(
            f"expected a least_depth of at most {deepest}, all that can be done before this board is frozen, "
            f"got {rules[play.LEAST_DEPTH]}"
        )


PLAY = PlayRepresentation()
