"""Which boxes cannot be moved: now, ever, and by the 2x2 rules of Koczorowski (2023)."""

from __future__ import annotations

import numpy as np

from levelsmith.games.sokoban.rules.kernels.board import DOWN, LEFT, RIGHT, UP, row_of, shifted
from levelsmith.kernels.bits import both, either, member_from, minus, removed, same
from levelsmith.kernels.compile import part

NONE = -1


@part
def stuck(board, walls, boxes):
    """Returns boxes that no push can ever move: on both axes a wall, the edge or another of them is there."""
    held = boxes
    while True:
        fewer = blocked(board, walls, held)
        if same(fewer, held):
            return held
        held = fewer


@part
def blocked(board, walls, boxes):
    """Returns the boxes that cannot be pushed as they stand: on both axes one side is not free."""
    open_cells = minus(board.every, either(walls, boxes))
    across = both(shifted(board, open_cells, LEFT), shifted(board, open_cells, RIGHT))
    along = both(shifted(board, open_cells, UP), shifted(board, open_cells, DOWN))
    return minus(boxes, either(across, along))


@part
def without_squares(board, walls, boxes):
    """Takes a box out of each 2x2 square that holds it fast (Koczorowski 2023, section 2.3.5).

    Those are a box and three obstacles, two boxes side by side and two obstacles, four boxes; squares may
    reach over the edge, which is an obstacle. Of a square's boxes the first is taken, square after square;
    each makes a hole, so that no new square arises.
    """
    while True:
        cell = first_held(board, walls, boxes)
        if cell < 0:
            return boxes
        boxes = removed(boxes, cell)


@part
def first_held(board, walls, boxes):
    """Returns the first box of the first such square, or NONE; its role tells squares apart."""
    every, width = board.every, board.width
    passable = minus(every, walls)  # whatever is no obstacle
    to_left, to_right = shifted(board, passable, RIGHT), shifted(board, passable, LEFT)
    blocked_up = minus(boxes, shifted(board, passable, DOWN))
    blocked_down = minus(boxes, shifted(board, passable, UP))
    blocked_left, blocked_right = minus(boxes, to_left), minus(boxes, to_right)
    blocked_down_left = minus(boxes, shifted(board, to_left, UP))
    blocked_down_right = minus(boxes, shifted(board, to_right, UP))
    blocked_up_left = minus(boxes, shifted(board, to_left, DOWN))
    blocked_up_right = minus(boxes, shifted(board, to_right, DOWN))
    box_down, box_right = shifted(board, boxes, UP), shifted(board, boxes, LEFT)
    two = both(blocked_down_right, both(either(blocked_right, box_right), either(blocked_down, box_down)))
    two = minus(two, both(box_right, box_down))
    four = both(both(boxes, shifted(board, box_right, UP)), both(box_right, box_down))
    upper_left = either(two, four)
    # Where the box is not the upper left, what comes before it in the square is an obstacle.
    upper_right = both(both(blocked_left, blocked_down_left), either(blocked_down, box_down))
    lower_left = both(both(blocked_up, blocked_up_right), either(blocked_right, box_right))
    lower_right = both(both(blocked_up, blocked_up_left), blocked_left)
    best, first = np.int64(NONE), np.int64(0)
    for role in range(4):
        if role == 0:
            cell, back = member_from(upper_left, 0), 0
        elif role == 1:
            cell, back = member_from(upper_right, 0), 1
        elif role == 2:
            cell, back = member_from(lower_left, 0), width + 1
        else:
            cell, back = member_from(lower_right, 0), width + 2
        # Squares in reading order, on a board that is one column wider.
        square = cell + row_of(board, cell) - back
        if cell >= 0 and (best < 0 or square < first):
            best, first = cell, square
    return best
