"""The compiled part of Sokoban that every way of making levels shares: boards of bits, and their metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.bits import (
    added,
    both,
    cleared,
    count,
    down,
    either,
    fetch,
    from_members,
    minus,
    same,
    up,
    words_for,
)
from levelsmith.kernels.compile import part

if TYPE_CHECKING:
    from levelsmith.core import Size

UP, DOWN, LEFT, RIGHT = range(4)
METRICS = (
    "boxes",
    "solved",
    "blocks",
    "terrain",
    "border",
    "boxes_between",
    "goals_between",
    "walls_between",
    "box_density",
    "goal_density",
    "diagonals",
    "goal_groups",
    "lone_goals",
    "areas",
    "corridors",
    "entrances",
    "mirror_share",
    "turn_share",
    "compactness",
    "pushes",
    "moves",
    "box_lines",
    "box_changes",
    "pushing_sessions",
    "counterintuitive",
    "detour",
    "decomposition",
    "dead_share",
    "unused_floor",
    "seldom_pushed",
    "difficulty",
)
BOXES, SOLVED, BLOCKS, TERRAIN, BORDER = range(5)
BOXES_BETWEEN, GOALS_BETWEEN, WALLS_BETWEEN, BOX_DENSITY, GOAL_DENSITY, DIAGONALS = range(5, 11)
GOAL_GROUPS, LONE_GOALS, AREAS, CORRIDORS, ENTRANCES, MIRROR_SHARE, TURN_SHARE, COMPACTNESS = range(11, 19)
PUSHES, MOVES, BOX_LINES, BOX_CHANGES, SESSIONS, COUNTERINTUITIVE, DETOUR = range(19, 26)
DECOMPOSITION, DEAD_SHARE, UNUSED_FLOOR, SELDOM_PUSHED, DIFFICULTY = range(26, 31)
SELDOM = 2  # a box that is pushed no more often than this is hardly there
MOST_BOXES = 128


class PushWorkspace(NamedTuple):
    """What `least_pushes` works on: parts of the solver's `Maze` and `SolverWorkspace`, which say more."""

    beside: NDArray[np.int32]  # [cells + 1, 4]
    goals: NDArray[np.int32]  # [boxes]
    part_of: NDArray[np.uint8]  # [cells, cells]
    distance: NDArray[np.uint16]  # [cells, 4, boxes]
    alive: NDArray[np.uint8]  # [cells, 4]
    queue: NDArray[np.int32]  # [4 * cells]
    at: NDArray[np.int32]  # [boxes]
    cost: NDArray[np.int32]  # [boxes, boxes]
    match: NDArray[np.int32]  # [8, boxes + 1]
    held: NDArray[np.uint8]  # [cells + 1]


class Board(NamedTuple):
    """The inside of a level; around it all is wall."""

    height: int
    width: int
    inverse: int  # what to multiply a cell with for its row: see `row_of`
    every: tuple  # words: all cells
    not_left: tuple  # words: every cell but those of the first column
    not_right: tuple  # words: every cell but those of the last column
    corners: tuple  # words: the cells that are the upper left of a 3x3 window
    from_row: NDArray[np.uint64]  # [height + 1, words] the cells at or below a row
    from_column: NDArray[np.uint64]  # [width + 1, words] the cells at or right of a column
    box_at: NDArray[np.int64]  # [cells] workspace: the number of the box that is there
    distance: NDArray[np.int64]  # [cells] workspace: pushes to the nearest goal
    changes: NDArray[np.int64]  # [MOST_BOXES, MOST_BOXES] workspace: how often one box comes after another
    joined: NDArray[np.int64]  # [2, MOST_BOXES] workspace of `least_cut`


class Measured(NamedTuple):
    """What the metrics work on; the board alone goes farther."""

    board: Board
    alone: PushWorkspace


class Puzzle(NamedTuple):
    """A level as the metrics take it: each box with its own goal."""

    walls: tuple  # words
    starts: tuple  # words: where the boxes start
    goals: tuple  # words
    boxes: int
    start_of: NDArray[np.int16]  # [cells] of box i
    goal_of: NDArray[np.int16]  # [cells] of box i
    player: int
    path: NDArray[np.uint16]  # a solution: cell of the box · 4 + direction; those of other boxes do not count
    pushes: int  # how many of `path` there are


def make(size: Size) -> Board:
    height, width = size
    cells = np.arange(height * width)
    rows, columns = cells // width, cells % width

    def chosen(mask):
        return from_members(cells[mask], cells.size)

    return Board(
        height,
        width,
        65536 // width + 1,
        chosen(cells >= 0),
        chosen(columns != 0),
        chosen(columns != width - 1),
        chosen((rows < height - 2) & (columns < width - 2)),
        np.array([chosen(rows >= row) for row in range(height + 1)], np.uint64),
        np.array([chosen(columns >= column) for column in range(width + 1)], np.uint64),
        np.zeros(cells.size, np.int64),
        np.zeros(cells.size, np.int64),
        np.zeros((MOST_BOXES, MOST_BOXES), np.int64),
        np.zeros((2, MOST_BOXES), np.int64),
    )


def measured(size: Size) -> Measured:
    cells = size[0] * size[1]
    boxes = min(cells, MOST_BOXES)
    alone = PushWorkspace(
        np.full((cells + 1, 4), cells, np.int32),
        np.zeros(boxes, np.int32),
        np.zeros((cells, cells), np.uint8),
        np.zeros((cells, 4, boxes), np.uint16),
        np.zeros((cells, 4), np.uint8),
        np.zeros(4 * cells, np.int32),
        np.zeros(boxes, np.int32),
        np.zeros((boxes, boxes), np.int32),
        np.zeros((8, boxes + 1), np.int32),
        np.zeros(cells + 1, np.uint8),
    )
    return Measured(make(size), alone)


def fits(size: Size) -> bool:
    """Returns whether a board of the size travels by value."""
    return words_for(size[0] * size[1]) in (1, 2, 4)


@part
def shifted(board, cells, direction):
    """Returns all cells moved by one step; what would leave the board is lost."""
    if direction == UP:
        return down(cells, board.width)
    if direction == DOWN:
        return both(up(cells, board.width), board.every)
    if direction == LEFT:
        return down(both(cells, board.not_left), 1)
    return up(both(cells, board.not_right), 1)


@part
def stride(board, direction):
    """Returns how far a step in a direction goes, in cells."""
    if direction == UP:
        return -board.width
    if direction == DOWN:
        return board.width
    return np.int64(-1) if direction == LEFT else np.int64(1)


@part
def row_of(board, cell):
    """Returns the row of a cell: exact for up to 256 cells, and faster than a division."""
    return (cell * board.inverse) >> 16


@part
def only(board, cell):
    """Returns the set of one cell."""
    return added(cleared(board.every), cell)


@part
def around(board, cells):
    """Returns the neighbours of a set, and what of the set is beside another member."""
    sideways = either(up(both(cells, board.not_right), 1), down(both(cells, board.not_left), 1))
    return both(either(sideways, either(up(cells, board.width), down(cells, board.width))), board.every)


@part
def reached(board, start, within):
    """Returns all cells of `within` that can be walked to from a set."""
    seen = start
    while True:
        wider = both(either(seen, around(board, seen)), within)
        if same(wider, seen):
            return seen
        seen = wider


@part
def rectangle(board, puzzle, box):
    """Returns the cells of the rectangle whose corners are a box and its goal."""
    start, goal = np.int64(puzzle.start_of[box]), np.int64(puzzle.goal_of[box])
    start_row, goal_row = row_of(board, start), row_of(board, goal)
    start_column, goal_column = start - start_row * board.width, goal - goal_row * board.width
    top, bottom = min(start_row, goal_row), max(start_row, goal_row)
    left, right = min(start_column, goal_column), max(start_column, goal_column)
    rows = minus(
        fetch(board.every, board.from_row[top], 0), fetch(board.every, board.from_row[bottom + 1], 0)
    )
    columns = minus(
        fetch(board.every, board.from_column[left], 0), fetch(board.every, board.from_column[right + 1], 0)
    )
    return both(rows, columns)


@part
def between(board, puzzle, k):
    """Sums over all boxes of what lies in their rectangles, apart from their own two corners."""
    total = 0.0
    for box in range(puzzle.boxes):
        inside = rectangle(board, puzzle, box)
        if k == WALLS_BETWEEN:
            total += count(both(inside, puzzle.walls))
            continue
        things = puzzle.starts if k in (BOXES_BETWEEN, BOX_DENSITY) else puzzle.goals
        others = float(count(both(inside, things)) - 1)
        if k in (BOX_DENSITY, GOAL_DENSITY):
            others /= count(minus(inside, puzzle.walls))
        total += others
    return total


@part
def uniform_windows(board, cells):
    """Returns how many 3x3 windows lie within a set."""
    across = both(cells, both(down(cells, 1), down(cells, 2)))
    whole = both(across, both(down(across, board.width), down(across, 2 * board.width)))
    return count(both(whole, board.corners))


@part
def diagonal_squares(board, walls):
    """Returns how many 2x2 squares have walls on two opposite corners and none on the other two."""
    open_cells = minus(board.every, walls)
    return slanted(board, walls, open_cells) + slanted(board, open_cells, walls)


@part
def slanted(board, corners, others):
    """Returns how many 2x2 squares have the first on the upper left and lower right, the second elsewhere."""
    falling = both(corners, shifted(board, shifted(board, corners, LEFT), UP))
    rising = both(shifted(board, others, LEFT), shifted(board, others, UP))
    return count(both(falling, rising))


@part
def contacts(board, puzzle):
    """Returns how often an empty cell has a wall on one of its four sides, within the board."""
    empty_cells = minus(minus(board.every, puzzle.walls), puzzle.starts)
    total = np.int64(0)
    for direction in range(4):
        total += count(both(empty_cells, shifted(board, puzzle.walls, direction)))
    return total


@part
def border_contacts(board, puzzle):
    """Returns how often an empty cell touches the edge of the board."""
    empty_cells = minus(minus(board.every, puzzle.walls), puzzle.starts)
    first_row = minus(board.every, fetch(board.every, board.from_row[1], 0))
    last_row = fetch(board.every, board.from_row[board.height - 1], 0)
    return (
        count(minus(empty_cells, board.not_left))
        + count(minus(empty_cells, board.not_right))
        + count(both(empty_cells, first_row))
        + count(both(empty_cells, last_row))
    )
