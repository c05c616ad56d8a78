"""What each thread of a GPU has for itself of simulated play and of the metrics."""

from __future__ import annotations

from levelsmith.games.sokoban.play.kernels.play import Play
from levelsmith.games.sokoban.rules.kernels.board import PUSHES, Alone, Board, Measured
from levelsmith.kernels.problem import ROOM, ROOM_FROM, implement, lane, own

ROOM[Alone] = Alone._fields
ROOM[Board] = ("box_at", "distance", "changes", "joined")
ROOM_FROM[Measured] = PUSHES
ROOM[Play] = (
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


@implement(lane, Play)
def play_lane(many, i):
    return Play(
        many.board,
        many.row,
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


@implement(lane, Measured)
def measured_lane(many, i):
    board, room = many.board, many.alone
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
        Alone(
            own(room.beside, i).value,
            own(room.goals, i).value,
            own(room.part_of, i).value,
            own(room.distance, i).value,
            own(room.alive, i).value,
            own(room.queue, i).value,
            own(room.at, i).value,
            own(room.cost, i).value,
            own(room.match, i).value,
            own(room.held, i).value,
        ),
    )
