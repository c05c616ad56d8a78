"""Many levels of one size designed at once, a change each, over the compiled grid representations.

Actions name the tile that is put, not by how many kinds it differs from the one that is there:
narrow has one for each tile; turtle the four directions and one for each tile, or with pairs one for each
direction and tile; wide one for each cell and tile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels import problem
from levelsmith.kernels.arena import show
from levelsmith.kernels.bits import has
from levelsmith.kernels.boards import packed_tile, tile_at
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.random import below, unit
from levelsmith.kernels.score import BOTTOM, END, HIGH, LOW, METRIC, SOLVED, score
from levelsmith.representations.kernels.grid import NARROW, TURTLE, WIDE, beside

DIRECTIONS = 4
LEAST, MOST, SPAN, WHOLE = range(4)  # columns of `ranges`
TOO_MUCH, RIGHT, TOO_LITTLE = range(3)  # what is seen of a target


class Designs(NamedTuple):
    """The boards, and what a representation keeps for each run beside its state."""

    states: NDArray[np.uint64]  # [boards, words] packed states
    origins: NDArray[np.uint64]  # [boards, words] packed starts
    orders: NDArray[np.int32]  # [boards, free cells] narrow's order
    rngs: NDArray[np.uint64]  # [boards, 2]
    scores: NDArray[np.float64]  # [boards] of the board as it stands
    steps: NDArray[np.int64]  # [boards] actions since the start
    changes: NDArray[np.int64]  # [boards] tiles that were changed since the start
    over: NDArray[np.bool_]  # [boards] to be begun afresh by the next step
    most_steps: int
    most_changes: int
    goal: bool  # whether a score of 1 is the end
    ranges: NDArray[np.float64]  # [targets, 4] that targets are drawn from; their scores fall to 0 at SPAN
    targets: NDArray[np.float64]  # [boards, targets] what the metrics of the last rows are to be
    asked: NDArray[np.float64]  # [boards, targets] targets of the next episode; nan for those to be drawn
    signs: NDArray[np.uint8]  # [boards, targets] whether a metric is TOO_MUCH, RIGHT or TOO_LITTLE


@part
def restore_start(rep, designs, i):
    """Writes into the representation what it keeps for the run of a board."""
    for k in range(len(rep.origin)):
        rep.origin[k] = designs.origins[i, k]
    if rep.kind == NARROW:
        for k in range(len(rep.order)):
            rep.order[k] = designs.orders[i, k]


@part
def slot_of(rep, state, action):
    """Returns the representation's own number of an action, or -1 where it changes nothing."""
    cell = np.int64(state.cursor)
    base = np.int64(0)
    tile = action % rep.kinds
    if rep.kind == NARROW:
        cell = np.int64(rep.order[state.cursor % len(rep.order)])
    elif rep.kind == TURTLE and rep.pairs:
        base = action // rep.kinds
        cell = beside(rep, state.cursor, base)
        if cell < 0:
            return np.int64(-1)
    elif rep.kind == TURTLE:
        if action < DIRECTIONS:
            return action
        tile = action - DIRECTIONS
    else:
        cell = action // rep.kinds
    by = tile - tile_at(state.cells, cell)
    by = by + rep.kinds if by < 0 else by
    if rep.kind == NARROW:
        return by - 1 if by > 0 else np.int64(rep.kinds - 1)
    if rep.kind == TURTLE and rep.pairs:
        return base * rep.kinds + by
    if by == 0:
        return np.int64(-1)
    return 3 + by if rep.kind == TURTLE else cell * (rep.kinds - 1) + by - 1


@part
def changes_tile(rep, slot):
    """Returns whether an action of the representation changes a tile."""
    if rep.kind == NARROW:
        return slot < rep.kinds - 1
    if rep.kind == TURTLE:
        return slot % rep.kinds > 0 if rep.pairs else slot >= DIRECTIONS
    return True


@part
def may_change(rep, state, cell):
    """Returns whether wide has not changed a cell yet."""
    return has(rep.free, cell) and packed_tile(state.cells, rep.origin, cell) == tile_at(state.cells, cell)


@part
def is_open(rep, state, slot):
    """Returns whether an action of the representation is legal; of wide's many, only this one is tested."""
    if slot < 0:
        return False
    if rep.kind == WIDE:
        return may_change(rep, state, slot // (rep.kinds - 1))
    return has(problem.legal(rep, state).value, slot)


@part
def take_action(rep, designs, i, action):
    """Takes an action on a board, or starts it afresh where it was over; packs and returns its state.

    An action that is not open changes nothing.
    """
    if designs.over[i]:
        state = problem.initial(rep, designs.rngs[i])
        for k in range(len(rep.origin)):
            designs.origins[i, k] = rep.origin[k]
        for k in range(len(rep.order)):
            designs.orders[i, k] = rep.order[k]
        designs.steps[i] = 0
        designs.changes[i] = 0
    else:
        restore_start(rep, designs, i)
        state = problem.unpack(rep, designs.states[i])
        slot = slot_of(rep, state, action)
        if is_open(rep, state, slot):
            designs.changes[i] += 1 if changes_tile(rep, slot) else 0
            state = problem.apply(rep, state, slot)
        designs.steps[i] += 1
    problem.pack(rep, state, designs.states[i])
    return state


@part
def draw_targets(designs, i):
    """Writes the targets of an episode: those that were asked for, or any of their ranges."""
    for k in range(len(designs.ranges)):
        least, most = designs.ranges[k, LEAST], designs.ranges[k, MOST]
        if designs.ranges[k, WHOLE]:
            drawn = least + below(designs.rngs[i], np.int64(most - least) + 1)
        else:
            drawn = least + unit(designs.rngs[i]) * (most - least)
        asked = designs.asked[i, k]
        designs.targets[i, k] = drawn if np.isnan(asked) else asked
        designs.asked[i, k] = np.nan


@part
def judged(game, objective, designs, i, cells):
    """Returns the score of a board, whose targets become the last rows of the objective."""
    rows = objective.rows
    first = len(rows) - len(designs.ranges)
    for k in range(len(designs.ranges)):
        target, span = designs.targets[i, k], designs.ranges[k, SPAN]
        rows[first + k, LOW] = rows[first + k, HIGH] = target
        rows[first + k, BOTTOM], rows[first + k, END] = target - span, target + span
        found = problem.metric(game, cells, np.int64(rows[first + k, METRIC]))
        designs.signs[i, k] = RIGHT if found == target else TOO_LITTLE if found < target else TOO_MUCH
    return score(game, objective, cells)


@part
def write_step(rep, designs, i, state, value, out):
    """Writes what the action was worth, whether it was the last, and the view of the board."""
    out.rewards[i] = 0.0 if designs.over[i] else value - designs.scores[i]
    designs.scores[i] = value
    if not designs.over[i]:
        solved = designs.goal and value >= SOLVED
        out.terminated[i] = solved or problem.done(rep, state) or designs.changes[i] >= designs.most_changes
        out.truncated[i] = not out.terminated[i] and designs.steps[i] >= designs.most_steps
    designs.over[i] = out.terminated[i] or out.truncated[i]
    write_view(rep, state, designs.signs[i], out.views[i])


@part
def write_view(rep, state, signs, view):
    """Writes the tiles, in one more plane where the next change may be, and a plane for each target."""
    cells = rep.height * rep.width
    seen = len(view) - (1 + len(signs)) * cells
    tiles = view[:seen]
    places = view[seen : seen + cells]
    for k in range(len(signs)):
        for cell in range(cells):
            view[seen + (1 + k) * cells + cell] = signs[k]
    for cell in range(cells):
        show(tiles, cells, cell, tile_at(state.cells, cell))
    if rep.kind == NARROW:
        places[rep.order[state.cursor % len(rep.order)]] = 1
    elif rep.kind == TURTLE:
        places[state.cursor] = 1
    else:
        for cell in range(cells):
            places[cell] = 1 if may_change(rep, state, cell) else 0


@kernel
def advance(rep, game, objective, designs, boards, actions, out):
    """Takes one action on each of some boards, and writes what came of it into `out`."""
    for j in range(len(boards)):
        i = boards[j]
        fresh, before = designs.over[i], designs.changes[i]
        state = take_action(rep, designs, i, actions[i])
        if fresh:
            draw_targets(designs, i)
        value = designs.scores[i]
        if fresh or designs.changes[i] != before:  # else the board is as it was
            value = judged(game, objective, designs, i, problem.board(rep, state).value)
        write_step(rep, designs, i, state, value, out)


@kernel
def measure(rep, game, designs, i, values):
    """Writes all metrics of a board into `values`."""
    cells = problem.board(rep, problem.unpack(rep, designs.states[i])).value
    for k in range(len(values)):
        values[k] = problem.metric(game, cells, k)


@kernel
def write_masks(rep, designs, out):
    """Writes which actions are open on every board."""
    for i in range(len(designs.states)):
        restore_start(rep, designs, i)
        state = problem.unpack(rep, designs.states[i])
        for action in range(out.shape[1]):
            slot = slot_of(rep, state, np.int64(action))
            out[i, action] = is_open(rep, state, slot)
