"""The compiled part of simulated play: a board is dug, boxes are placed, it is frozen, boxes are pushed.

Where the boxes end are the goals, so that every level can be solved by the pushes that made it. A state keeps
its boxes and pushes in the arrays of `Play`; a packed state holds the pushes, and unpacking plays them again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.kernels import DOWN, LEFT, RIGHT, UP, Puzzle, around, reached, shifted
from levelsmith.kernels.bits import (
    U,
    added,
    both,
    cleared,
    count,
    either,
    empty,
    fetch,
    has,
    member_from,
    minus,
    nth,
    removed,
    same,
    store,
)
from levelsmith.kernels.compile import part
from levelsmith.kernels.problem import (
    Held,
    apply,
    board,
    done,
    implement,
    initial,
    legal,
    pack,
    reopened,
    unpack,
)
from levelsmith.kernels.random import below

BUILDING, PLAYING, OVER = range(3)  # phases
# Places in `rules`.
(
    LEAST_BOXES,
    MOST_BOXES,
    LEAST_DEPTH,
    LEAST_PLAY,
    MOST_PUSHES,
    IMMOVABLE,
    ONLY_PUSHES,
    UNDO,
    ONCE,
    GROWTH,
    SOLVED_TOO,
) = range(11)
RULES = 11
KEEP, SQUARES, EXACT = range(3)  # what happens to boxes that cannot be moved when the board is frozen
DELETE, PLACE = range(2)  # kinds of actions while building
LAST_KIND = 4  # to freeze while building, to evaluate while playing
NONE = -1
META = 2  # words of a packed state besides sets and pushes


class Play(NamedTuple):
    """Arrays are room to work in; a path holds one state at a time."""

    board: Any  # the kernels.Board
    row: int  # words a packed state takes
    shift: int  # 2 ** shift slots a kind of action
    rules: NDArray[np.int64]  # [RULES]
    walls: tuple  # words: the start
    boxes: tuple  # words: the start
    free: tuple  # words: cells that may change
    slots: NDArray[np.uint64]  # [4 * words + 1]
    place: NDArray[np.int64]  # [2] where the player starts: asked for (-1 for anywhere), in this run
    start_of: NDArray[np.int16]  # [cells] of box i, since the board was frozen
    now_of: NDArray[np.int16]  # [cells] of box i
    pushes_of: NDArray[np.int16]  # [cells] of box i
    box_at: NDArray[np.int16]  # [cells] the number of the box on a cell
    pushes: NDArray[np.uint16]  # [MOST_PUSHES] cell of the box · 4 + direction
    pair_start: NDArray[np.int16]  # [cells] of the boxes that a finished level has
    pair_goal: NDArray[np.int16]  # [cells]


class PlayState(NamedTuple):
    walls: tuple
    boxes: tuple  # where they are now
    frozen: tuple  # where they were when the board was frozen
    player: int
    phase: int
    pushes: int  # how many there were
    last: int  # the direction of the last step, where steps count; else NONE
    depth: int


@part
def player_set(rep, cell):
    return added(cleared(rep.board.every), cell)


@implement(initial, Play)
def play_initial(rep, rng):
    player = rep.place[0]
    if player < 0:
        open_cells = minus(minus(rep.board.every, rep.walls), rep.boxes)
        free = rep.free if empty(open_cells) else open_cells
        player = nth(free, below(rng, count(free)))
    rep.place[1] = player
    return fresh(rep)


@part
def fresh(rep):
    """The start of this run: solid rock but for the player's cell, or the board that was given."""
    player = rep.place[1]
    zero = np.int64(0)
    return PlayState(
        removed(rep.walls, player),
        rep.boxes,
        cleared(rep.boxes),
        player,
        np.int64(BUILDING),
        zero,
        np.int64(NONE),
        zero,
    )


@part
def within_growth(rep, depth):
    """The part of a growing board that may be dug at a depth: a square that widens."""
    board_ = rep.board
    player = rep.place[1]
    radius = 1 + depth // rep.rules[GROWTH]
    row, column = player // board_.width, player % board_.width
    top, left = max(row - radius, 0), max(column - radius, 0)
    bottom, right = min(row + radius + 1, board_.height), min(column + radius + 1, board_.width)
    rows = minus(
        fetch(board_.every, board_.from_row[top], 0), fetch(board_.every, board_.from_row[bottom], 0)
    )
    columns = minus(
        fetch(board_.every, board_.from_column[left], 0), fetch(board_.every, board_.from_column[right], 0)
    )
    return both(rows, columns)


@part
def put_kind(rep, kind, cells):
    """Makes the cells of a set the open slots of a kind of action."""
    store(cells, rep.slots, kind * len(rep.board.every))


@implement(legal, Play)
def play_legal(rep, state):
    slots = rep.slots
    for i in range(len(slots)):
        slots[i] = U(0)
    if state.phase == BUILDING:
        list_building(rep, state)
    elif state.phase == PLAYING:
        list_playing(rep, state)
    return Held(slots)


@part
def list_building(rep, state):
    rules = rep.rules
    open_cells = minus(rep.board.every, state.walls)
    diggable = both(both(state.walls, around(rep.board, open_cells)), rep.free)
    if rules[GROWTH] > 0:
        diggable = both(diggable, within_growth(rep, state.depth))
    put_kind(rep, DELETE, diggable)
    boxes = count(state.boxes)
    if boxes < rules[MOST_BOXES]:
        put_kind(rep, PLACE, both(minus(removed(open_cells, state.player), state.boxes), rep.free))
    if boxes >= rules[LEAST_BOXES] and state.depth >= rules[LEAST_DEPTH]:
        rep.slots[LAST_KIND * len(state.walls)] = U(1)


@part
def list_playing(rep, state):
    rules = rep.rules
    open_cells = minus(minus(rep.board.every, state.walls), state.boxes)
    any_move = False
    if state.pushes < rules[MOST_PUSHES]:
        here = player_set(rep, state.player)
        walked = reached(rep.board, here, open_cells) if rules[ONLY_PUSHES] > 0 else here
        for direction in range(4):
            # Boxes beside the player's cells with an open cell behind them.
            back = shifted(rep.board, open_cells, direction ^ 1)
            pushable = both(both(shifted(rep.board, walked, direction), state.boxes), back)
            if rules[ONLY_PUSHES] == 0:
                undoes = rules[UNDO] == 0 and state.last == direction ^ 1
                ahead = shifted(rep.board, here, direction)
                if not undoes:
                    pushable = either(pushable, both(ahead, open_cells))
            any_move = any_move or not empty(pushable)
            put_kind(rep, direction, pushable)
    if not any_move or state.depth >= rules[LEAST_PLAY]:
        rep.slots[LAST_KIND * len(state.walls)] = U(1)


@implement(apply, Play)
def play_apply(rep, state, action):
    kind, cell = action >> rep.shift, action & ((1 << rep.shift) - 1)
    walls, boxes, frozen = state.walls, state.boxes, state.frozen
    player, phase, pushes, last = state.player, state.phase, state.pushes, state.last
    if phase == BUILDING:
        if kind == DELETE:
            walls = removed(walls, cell)
        elif kind == PLACE:
            boxes = added(boxes, cell)
        else:
            boxes = movable(rep, walls, boxes)
            frozen = boxes
            phase = np.int64(PLAYING)
            number_boxes(rep, boxes)
    elif kind == LAST_KIND:
        phase = np.int64(OVER)
    else:
        if has(boxes, cell):
            rep.pushes[pushes] = cell * 4 + kind
            pushes += 1
            boxes = pushed(rep, boxes, cell, kind)
        player = cell
        last = kind
    return PlayState(walls, boxes, frozen, player, phase, pushes, last, state.depth + 1)


@part
def number_boxes(rep, boxes):
    cell = member_from(boxes, 0)
    i = 0
    while cell >= 0:
        rep.start_of[i] = cell
        rep.now_of[i] = cell
        rep.pushes_of[i] = 0
        rep.box_at[cell] = i
        i += 1
        cell = member_from(boxes, cell + 1)


@part
def pushed(rep, boxes, cell, direction):
    """The boxes after one of them was pushed."""
    width = rep.board.width
    to = cell - width
    if direction == DOWN:
        to = cell + width
    elif direction == LEFT:
        to = cell - 1
    elif direction == RIGHT:
        to = cell + 1
    box = rep.box_at[cell]
    rep.box_at[to] = box
    rep.now_of[box] = to
    rep.pushes_of[box] += 1
    return added(removed(boxes, cell), to)


@part
def movable(rep, walls, boxes):
    """The boxes without those that cannot be moved, by the rule that was chosen."""
    if rep.rules[IMMOVABLE] == SQUARES:
        return without_squares(rep, walls, boxes)
    if rep.rules[IMMOVABLE] == EXACT:
        return minus(boxes, stuck(rep, walls, boxes))
    return boxes


@part
def stuck(rep, walls, boxes):
    """The boxes that no pushes can ever move: on both axes a wall, the edge or another of them is there."""
    held = boxes
    while True:
        solid = either(walls, held)
        open_cells = minus(rep.board.every, solid)
        across = both(shifted(rep.board, open_cells, LEFT), shifted(rep.board, open_cells, RIGHT))
        along = both(shifted(rep.board, open_cells, UP), shifted(rep.board, open_cells, DOWN))
        fewer = minus(held, either(across, along))
        if same(fewer, held):
            return held
        held = fewer


@part
def without_squares(rep, walls, boxes):
    """Takes a box out of each 2x2 square that holds it fast (Koczorowski 2023, section 2.3.5).

    Those are a box and three obstacles, two boxes side by side and two obstacles, four boxes; squares may
    reach over the edge, which is an obstacle. Of a square's boxes the first is taken, square after square;
    each makes a hole, so that no new square arises.
    """
    while True:
        cell = first_held(rep.board, walls, boxes)
        if cell < 0:
            return boxes
        boxes = removed(boxes, cell)


@part
def first_held(board, walls, boxes):
    """The first box of the first such square, or NONE; squares are told apart by the role of that box."""
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
        square = cell + cell // width - back
        if cell >= 0 and (best < 0 or square < first):
            best, first = cell, square
    return best


@implement(done, Play)
def play_done(rep, state):
    return state.phase == OVER


@implement(board, Play)
def play_board(rep, state):
    """The level that was played: boxes never pushed are walls, those pushed once are gone (ONCE)."""
    walls = state.walls
    starts, goals = cleared(walls), cleared(walls)
    left = np.int64(0)
    if state.phase == OVER:
        for box in range(count(state.frozen)):
            start, goal = np.int64(rep.start_of[box]), np.int64(rep.now_of[box])
            if rep.pushes_of[box] == 0:
                walls = added(walls, start)
            elif rep.pushes_of[box] > rep.rules[ONCE]:
                starts, goals = added(starts, start), added(goals, goal)
                rep.pair_start[left] = start
                rep.pair_goal[left] = goal
                left += 1
        if rep.rules[SOLVED_TOO] == 0 and not empty(both(starts, goals)):
            starts, goals, left = cleared(walls), cleared(walls), np.int64(0)  # a box on a goal: no level
    return Held(Puzzle(walls, starts, goals, left, rep.pair_start, rep.pair_goal))


@implement(reopened, Play)
def play_reopened(rep, state):
    """The level before it was frozen; it need not be as deep again to be frozen once more."""
    puzzle = board(rep, state).value
    return PlayState(
        puzzle.walls,
        puzzle.starts,
        cleared(puzzle.walls),
        rep.place[1],
        np.int64(BUILDING),
        np.int64(0),
        np.int64(NONE),
        rep.rules[LEAST_DEPTH],
    )


@implement(pack, Play)
def play_pack(rep, state, row):
    words = len(state.walls)
    store(state.walls, row, 0)
    store(state.boxes if state.phase == BUILDING else state.frozen, row, words)
    for i in range(0, state.pushes, 4):
        packed = U(0)
        for j in range(min(4, state.pushes - i)):
            packed |= U(rep.pushes[i + j]) << U(16 * j)
        row[2 * words + i // 4] = packed
    row[rep.row - 2] = (
        U(state.player) | U(state.phase) << U(16) | U(state.pushes) << U(32) | U(state.last + 1) << U(24)
    )
    row[rep.row - 1] = U(state.depth)


@implement(unpack, Play)
def play_unpack(rep, row):
    words = len(rep.walls)
    walls, boxes = fetch(rep.walls, row, 0), fetch(rep.walls, row, words)
    meta = row[rep.row - 2]
    phase, last = np.int64((meta >> U(16)) & U(255)), np.int64((meta >> U(24)) & U(255)) - 1
    pushes = np.int64(meta >> U(32))
    frozen = boxes if phase != BUILDING else cleared(boxes)
    if phase != BUILDING:
        number_boxes(rep, boxes)
    for i in range(pushes):
        push = np.int64((row[2 * words + i // 4] >> U(16 * (i & 3))) & U(0xFFFF))
        rep.pushes[i] = push
        boxes = pushed(rep, boxes, push >> 2, push & 3)
    return PlayState(
        walls, boxes, frozen, np.int64(meta & U(0xFFFF)), phase, pushes, last, np.int64(row[rep.row - 1])
    )
