"""What each thread of a GPU has for itself of simulated play and of the metrics."""

from __future__ import annotations

from levelsmith.games.sokoban.play.kernels.play import Play
from levelsmith.games.sokoban.rules.kernels.board import PUSHES, Board, Measured, PushWorkspace
from levelsmith.kernels.problem import WORKSPACE, WORKSPACE_FROM, implement, of_thread, own

WORKSPACE[PushWorkspace] = PushWorkspace._fields
WORKSPACE[Board] = ("box_at", "distance", "changes", "joined")
WORKSPACE_FROM[Measured] = PUSHES
WORKSPACE[Play] = (
    "slots",
    "place",
    "start_of",
    "now_of",
    "pushes_of",
    "box_at",
    "pushes",
    "pair_start",
    "pair_goal",
)


@implement(of_thread, Play)
def play_of_thread(many, i):
    return Play(
        many.board,
        many.words,
        many.shift,
        many.rules,
        many.walls,
        many.boxes,
        many.free,
        own(many.slots, i).value,
        own(many.place, i).value,
        own(many.start_of, i).value,
        own(many.now_of, i).value,
        own(many.pushes_of, i).value,
        own(many.box_at, i).value,
        own(many.pushes, i).value,
        own(many.pair_start, i).value,
        own(many.pair_goal, i).value,
    )


@implement(of_thread, Measured)
def measured_of_thread(many, i):
    board, alone = many.board, many.alone
    return Measured(
        Board(
            board.height,
            board.width,
            board.inverse,
            board.every,
            board.not_left,
            board.not_right,
            board.corners,
            board.from_row,
            board.from_column,
            own(board.box_at, i).value,
            own(board.distance, i).value,
            own(board.changes, i).value,
            own(board.joined, i).value,
        ),
        PushWorkspace(
            own(alone.beside, i).value,
            own(alone.goals, i).value,
            own(alone.part_of, i).value,
            own(alone.distance, i).value,
            own(alone.alive, i).value,
            own(alone.queue, i).value,
            own(alone.at, i).value,
            own(alone.cost, i).value,
            own(alone.match, i).value,
            own(alone.held, i).value,
        ),
    )
