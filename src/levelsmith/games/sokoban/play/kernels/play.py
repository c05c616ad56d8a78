"""The compiled part of simulated play: a board is dug, boxes are placed, it is frozen, boxes are pushed.

Where the boxes end are the goals, so that every level can be solved by the pushes that made it. A state keeps
its boxes and pushes in the arrays of `Play`; a packed state holds the pushes, and unpacking plays them again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.play.kernels.immovable import blocked, stuck, without_squares
from levelsmith.games.sokoban.rules.kernels import board as sokoban
from levelsmith.kernels import problem
from levelsmith.kernels.bits import (
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
    side_by_side,
    store,
)
from levelsmith.kernels.compile import part
from levelsmith.kernels.problem import Held, implement
from levelsmith.kernels.random import below
from levelsmith.kernels.words import U

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
    FILL,
) = range(12)
RULES = 12
KEEP, SQUARES, EXACT, EACH = range(4)  # what happens to boxes that cannot be moved when the board is frozen
DELETE, PLACE = range(2)  # kinds of actions while building
LAST_KIND = 4  # to freeze while building, to evaluate while playing
NONE = -1
META = 2  # words of a packed state besides sets and pushes


class Play(NamedTuple):
    """Arrays are workspace: there is one state at a time."""

    board: Any  # the kernels.Board
    words: int  # that a packed state takes
    shift: int  # 2 ** shift slots a kind of action
    rules: tuple  # [RULES] numbers
    walls: tuple  # words: the start
    boxes: tuple  # words: the start
    free: tuple  # words: cells that may change
    slots: Any  # the kind of set that slots are: see bits.side_by_side
    place: NDArray[np.int64]  # [2] where the player starts: asked for (-1 for anywhere), in this path
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
    number: int  # of boxes
    frozen: tuple  # where they were when the board was frozen
    player: int
    phase: int
    pushes: int  # how many there were
    last: int  # the direction of the last step, where steps count; else NONE
    depth: int


@implement(problem.initial, Play)
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
    """Returns the start of this run: solid rock but for the player's cell, or the board that was given."""
    player = rep.place[1]
    zero = np.int64(0)
    return PlayState(
        removed(rep.walls, player),
        rep.boxes,
        count(rep.boxes),
        cleared(rep.boxes),
        player,
        np.int64(BUILDING),
        zero,
        np.int64(NONE),
        zero,
    )


@part
def within_growth(rep, depth):
    """Returns the part of a growing board that may be dug at a depth: a square that widens."""
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


@implement(problem.legal, Play)
def play_legal(rep, state):
    if state.phase == BUILDING:
        return building_slots(rep, state)
    if state.phase == PLAYING:
        return playing_slots(rep, state)
    none = cleared(state.walls)
    return Held(side_by_side(rep.slots, (none, none, none, none), False))


@part
def building_slots(rep, state):
    none = cleared(state.walls)
    return Held(
        side_by_side(
            rep.slots, (diggable(rep, state), placeable(rep, state), none, none), may_freeze(rep, state)
        )
    )


@part
def diggable(rep, state):
    """Returns the walls beside an open cell that may go."""
    found = both(both(state.walls, sokoban.around(rep.board, minus(rep.board.every, state.walls))), rep.free)
    if rep.rules[GROWTH] > 0:
        found = both(found, within_growth(rep, state.depth))
    return found


@part
def placeable(rep, state):
    """Returns the open cells that may take a box."""
    found = both(minus(minus(rep.board.every, state.walls), state.boxes), rep.free)
    return removed(found, state.player) if state.number < rep.rules[MOST_BOXES] else cleared(found)


@part
def may_freeze(rep, state):
    return state.number >= rep.rules[LEAST_BOXES] and state.depth >= rep.rules[LEAST_DEPTH]


@part
def playing_slots(rep, state):
    moves = possible_moves(rep, state)
    return Held(side_by_side(rep.slots, moves, may_end(rep, state, moves)))


@part
def possible_moves(rep, state):
    """Returns cells that the player's next move may enter, by direction; boxes alone if only pushes count."""
    open_cells = minus(minus(rep.board.every, state.walls), state.boxes)
    within = open_cells if state.pushes < rep.rules[MOST_PUSHES] else cleared(open_cells)
    here = sokoban.only(rep.board, state.player)
    walked = sokoban.reached(rep.board, here, within) if rep.rules[ONLY_PUSHES] > 0 else both(here, within)
    return (
        movable_to(rep, state, walked, open_cells, sokoban.UP),
        movable_to(rep, state, walked, open_cells, sokoban.DOWN),
        movable_to(rep, state, walked, open_cells, sokoban.LEFT),
        movable_to(rep, state, walked, open_cells, sokoban.RIGHT),
    )


@part
def may_end(rep, state, moves):
    any_move = not empty(
        either(
            either(moves[sokoban.UP], moves[sokoban.DOWN]), either(moves[sokoban.LEFT], moves[sokoban.RIGHT])
        )
    )
    return state.depth >= rep.rules[LEAST_PLAY] or not any_move


@part
def movable_to(rep, state, walked, open_cells, direction):
    """Returns cells that a move may enter: boxes with an open cell behind and, where steps count, floor."""
    back = sokoban.shifted(rep.board, open_cells, direction ^ 1)
    ahead = sokoban.shifted(rep.board, walked, direction)
    entered = both(both(ahead, state.boxes), back)
    undoes = rep.rules[UNDO] == 0 and state.last == direction ^ 1
    if rep.rules[ONLY_PUSHES] == 0 and not undoes:
        entered = either(entered, both(ahead, open_cells))
    return entered


@implement(problem.kind_bits, Play)
def play_kind_bits(rep):
    return rep.shift


@implement(problem.apply, Play)
def play_apply(rep, state, action):
    if state.phase == PLAYING:
        return play_action(rep, state, action)
    if action >> rep.shift == LAST_KIND:
        return freeze(rep, state)
    return built(rep, state, action & ((1 << rep.shift) - 1))


@implement(problem.step_at_random, Play)
def play_step_at_random(rep, state, rng):
    """Takes a random action without a set of slots: what may be dug is wall, the rest is not."""
    if state.phase == BUILDING:
        cells, choices, chosen = building_choice(rep, state, rng)
        if chosen < choices:
            return built(rep, state, nth(cells, chosen))
        return freeze(rep, state) if chosen == choices else state
    return play_action(rep, state, playing_choice(rep, state, rng))


@part
def building_choice(rep, state, rng):
    """Returns cells to dig or put a box on, how many, and which is drawn: one more stands for freezing."""
    cells = either(diggable(rep, state), placeable(rep, state))
    choices = count(cells)
    last = may_freeze(rep, state)
    if choices == 0 and not last:
        return cells, choices, choices + 1
    return cells, choices, below(rng, choices + 1 if last else choices)


@part
def playing_choice(rep, state, rng):
    moves = possible_moves(rep, state)
    actions = side_by_side(rep.slots, moves, may_end(rep, state, moves))
    return nth(actions, below(rng, count(actions)))


@implement(problem.walk_at_random, Play)
def play_walk_at_random(rep, state, rng, most):
    """Phase after phase, so that threads of a GPU that go together are in the same one."""
    end = state.depth + most
    going, freezes = state.depth < end, False
    while going and state.phase == BUILDING:
        cells, choices, chosen = building_choice(rep, state, rng)
        going = chosen < choices
        freezes = chosen == choices
        if going:
            state = built(rep, state, nth(cells, chosen))
            going = state.depth < end
    if freezes:
        state = freeze(rep, state)
    while state.phase == PLAYING and state.depth < end:
        state = play_action(rep, state, playing_choice(rep, state, rng))
    return state


@part
def built(rep, state, cell):
    """Returns the state after a cell was dug, or where it is open, has got a box."""
    wall = has(state.walls, cell)
    return PlayState(
        removed(state.walls, cell),
        state.boxes if wall else added(state.boxes, cell),
        state.number + (0 if wall else 1),
        state.frozen,
        state.player,
        state.phase,
        state.pushes,
        state.last,
        state.depth + 1,
    )


@part
def freeze(rep, state):
    """Freezes the board, so that from now on boxes are pushed; returns the state."""
    boxes = movable(rep, state.walls, state.boxes)
    number_boxes(rep, boxes)
    return PlayState(
        state.walls,
        boxes,
        state.number,
        boxes,
        state.player,
        np.int64(PLAYING),
        state.pushes,
        state.last,
        state.depth + 1,
    )


@part
def play_action(rep, state, action):
    """Returns the state after the player entered a cell and pushed a box that was there; or after the end."""
    direction, cell = action >> rep.shift, action & ((1 << rep.shift) - 1)
    boxes, pushes, player, phase, last = state.boxes, state.pushes, state.player, state.phase, state.last
    if direction == LAST_KIND:
        phase = np.int64(OVER)
    else:
        player, last = cell, direction
        if has(boxes, cell):
            rep.pushes[pushes] = cell * 4 + direction
            pushes += 1
            boxes = push_box(rep, boxes, cell, direction)
    return PlayState(
        state.walls, boxes, state.number, state.frozen, player, phase, pushes, last, state.depth + 1
    )


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
def push_box(rep, boxes, cell, direction):
    """Pushes a box and notes where it is; returns the boxes."""
    to = cell + sokoban.stride(rep.board, direction)
    box = rep.box_at[cell]
    rep.box_at[to] = box
    rep.now_of[box] = to
    rep.pushes_of[box] += 1
    return added(removed(boxes, cell), to)


@part
def movable(rep, walls, boxes):
    """Returns the boxes without those that cannot be moved, by the rule that was chosen."""
    if rep.rules[IMMOVABLE] == SQUARES:
        return without_squares(rep.board, walls, boxes)
    if rep.rules[IMMOVABLE] == EXACT:
        return minus(boxes, stuck(rep.board, walls, boxes))
    if rep.rules[IMMOVABLE] == EACH:
        return minus(boxes, blocked(rep.board, walls, boxes))
    return boxes


@implement(problem.done, Play)
def play_done(rep, state):
    return state.phase == OVER


@implement(problem.board, Play)
def play_board(rep, state):
    """Returns the level that was played: boxes never pushed are walls, those pushed once are gone (ONCE).

    With FILL, floor that walls keep the player from is wall too; no push of the play went there.
    """
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
        if rep.rules[FILL] > 0:
            open_cells = minus(rep.board.every, walls)
            walls = minus(
                rep.board.every, sokoban.reached(rep.board, sokoban.only(rep.board, rep.place[1]), open_cells)
            )
        if rep.rules[SOLVED_TOO] == 0 and not empty(both(starts, goals)):
            starts, goals, left = cleared(walls), cleared(walls), np.int64(0)  # a box on a goal: no level
    return Held(
        sokoban.Puzzle(
            walls,
            starts,
            goals,
            left,
            rep.pair_start,
            rep.pair_goal,
            rep.place[1],
            rep.pushes,
            state.pushes,
        )
    )


@implement(problem.reopened, Play)
def play_reopened(rep, state):
    """Returns the level before it was frozen; it need not be as deep again to be frozen once more."""
    puzzle = problem.board(rep, state).value
    return PlayState(
        puzzle.walls,
        puzzle.starts,
        puzzle.boxes,
        cleared(puzzle.walls),
        rep.place[1],
        np.int64(BUILDING),
        np.int64(0),
        np.int64(NONE),
        rep.rules[LEAST_DEPTH],
    )


@implement(problem.pack, Play)
def play_pack(rep, state, packed):
    words = len(state.walls)
    store(state.walls, packed, 0)
    store(state.boxes if state.phase == BUILDING else state.frozen, packed, words)
    for i in range(0, state.pushes, 4):
        word = U(0)
        for j in range(min(4, state.pushes - i)):
            word |= U(rep.pushes[i + j]) << U(16 * j)
        packed[2 * words + i // 4] = word
    meta = U(state.player) | U(state.phase) << U(16) | U(state.last + 1) << U(24)
    packed[rep.words - 2] = meta | U(state.pushes) << U(32) | U(rep.place[1]) << U(48)
    packed[rep.words - 1] = U(state.depth)


@implement(problem.unpack, Play)
def play_unpack(rep, packed):
    words = len(rep.walls)
    walls, boxes = fetch(rep.walls, packed, 0), fetch(rep.walls, packed, words)
    meta = packed[rep.words - 2]
    phase, last = np.int64((meta >> U(16)) & U(255)), np.int64((meta >> U(24)) & U(255)) - 1
    pushes = np.int64((meta >> U(32)) & U(0xFFFF))
    rep.place[1] = np.int64(meta >> U(48))  # another tree of the run may start elsewhere
    at_freeze = boxes if phase != BUILDING else cleared(boxes)
    if phase != BUILDING:
        number_boxes(rep, boxes)
    for i in range(pushes):
        push = np.int64((packed[2 * words + i // 4] >> U(16 * (i & 3))) & U(0xFFFF))
        rep.pushes[i] = push
        boxes = push_box(rep, boxes, push >> 2, push & 3)
    return PlayState(
        walls,
        boxes,
        count(boxes),
        at_freeze,
        np.int64(meta & U(0xFFFF)),
        phase,
        pushes,
        last,
        np.int64(packed[rep.words - 1]),
    )
