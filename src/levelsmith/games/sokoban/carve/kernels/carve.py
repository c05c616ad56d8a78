"""The compiled part of `carve`: rooms dug by a random walk, boxes pulled off their goals, levels as bytes.

With a proved optimum the start is one of those that need exactly so many pushes, as found by `pulls`;
without, it is where a random walk of pulls ends, and the way back is a solution but perhaps not the shortest;
its range of pushes then holds for the lower bound too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.rooms.kernels.rooms import pair_up
from levelsmith.games.sokoban.rules.kernels import tiles
from levelsmith.games.sokoban.rules.kernels.board import DETOUR, LEFT, Puzzle, only, reached, shifted, stride
from levelsmith.games.sokoban.rules.kernels.board import PUSHES as PUSHES_MADE
from levelsmith.games.sokoban.solver.kernels.pulls import NONE, STATES, boxes_of, explore, region_of, trace
from levelsmith.games.sokoban.solver.kernels.strolls import fewest_moves, walk
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
    same,
    store,
)
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import Held, metric
from levelsmith.kernels.random import below, unit
from levelsmith.kernels.score import score

LEVEL, TRIES, END = range(3)  # places in `CarvedLevels.at`
MOST_MOVES = 4000  # of a solution; a level with a longer one is not made
SPREAD = 0.17  # how far the share of floor may be from the one asked for, either way
SAME_BOX = 0.7  # chance that the next pull of a random walk is of the same box, where it can be
LOOKS = 24  # pulls that are drawn before a random walk gives up finding one that leads somewhere new
MOST_STEPS = 8  # of the walk that digs, for each cell
STEPS, PUSHES = (tuple(letters) for letters in (b"udlr", b"UDLR"))  # by direction
LINE_END = 10


class CarveWorkspace(NamedTuple):
    board: Any  # the kernels.Board
    pulls: Any  # the pull_kernels.Pulls
    strolls: Any  # the stroll_kernels.Strolls
    boxes: int
    floor: float
    wide: float
    turns: float
    optimal: bool
    least: int  # pushes, those of the solution
    most: int
    path: NDArray[np.uint16]  # [most] of the level last looked at
    trail: NDArray[np.uint64]  # [(most + 1) * words] the boxes on the way of a random walk
    pair_start: NDArray[np.int16]  # [cells]
    pair_goal: NDArray[np.int16]  # [cells]


class CarvedLevels(NamedTuple):
    """Levels of one call, as bytes."""

    grids: NDArray[np.uint8]  # [levels, (height + 2) * (width + 2)]
    moves: NDArray[np.uint8]  # [levels * (MOST_MOVES + 1)] solutions, a line each
    tries: NDArray[np.int64]  # [levels] candidates that it took; 0 where none would do
    at: NDArray[np.int64]  # [3] the level being made, its candidates so far, the end of the moves


class Start(NamedTuple):
    """Where a level starts; `pushes` is NONE where no start would do."""

    boxes: tuple
    region: tuple  # where the player can be
    pushes: int
    number: int  # among the positions of `CarveWorkspace.pulls`


@kernel
def fill(carver, game, objective, rngs, made, most_tries, evaluations):
    """Makes levels, each from random numbers of its own, until all are there or the evaluations are spent."""
    at = made.at
    for _ in range(evaluations):
        level = at[LEVEL]
        if level == len(rngs):
            return
        at[TRIES] += 1
        puzzle = draw_level(carver, rngs[level]).value
        fits = puzzle.boxes > 0 and score(game, objective, puzzle) >= 1.0
        if fits and needs_enough(carver, game, puzzle) and write_level(carver, puzzle, made):
            made.tries[level] = at[TRIES]
        if made.tries[level] > 0 or at[TRIES] == most_tries:
            at[LEVEL] += 1
            at[TRIES] = 0


@part
def needs_enough(carver, game, puzzle):
    """Returns whether every solution has the least pushes asked for; the bound tells where none is proved."""
    if carver.optimal or carver.least <= 1:
        return True
    return metric(game, puzzle, PUSHES_MADE) - metric(game, puzzle, DETOUR) >= carver.least


@part
def draw_level(carver, rng):
    """Draws a candidate, `Held`; one without boxes where no start would do."""
    floor = dig_floor(carver, rng)
    walls = minus(carver.board.every, floor)
    goals = cleared(floor)
    for _ in range(carver.boxes):
        left = minus(floor, goals)
        goals = added(goals, nth(left, below(rng, count(left))))
    asked = carver.least + below(rng, carver.most - carver.least + 1)
    if carver.optimal:
        start = farthest_within(carver, walls, goals, asked, rng)
    else:
        start = pull_about(carver, floor, goals, asked, rng)
    boxes = player = np.int64(0)
    if start.pushes != NONE:
        player = nth(start.region, below(rng, count(start.region)))
        if carver.optimal and not fewest_moves(
            carver.board, carver.pulls, carver.strolls, walls, start.number, player, carver.path
        ):
            trace(carver.pulls, start.number, carver.path)
        boxes = pair_up(carver, start.boxes, start.pushes)
    pairs = carver.pair_start, carver.pair_goal
    return Held(Puzzle(walls, start.boxes, goals, boxes, *pairs, player, carver.path, start.pushes))


@part
def dig_floor(carver, rng):
    """Digs floor by a random walk: corridors, and here and there a place of 2x2 cells."""
    height, width = carver.board.height, carver.board.width
    cells = height * width
    share = carver.floor + SPREAD * (2.0 * unit(rng) - 1.0)
    enough = min(cells, max(2 * carver.boxes + 2, np.int64(share * cells)))
    cell, direction = below(rng, cells), below(rng, 4)
    floor = cleared(carver.board.every)
    for _ in range(MOST_STEPS * cells):
        here = only(carver.board, cell)
        if unit(rng) < carver.wide:
            across = LEFT + below(rng, 2)
            here = either(here, shifted(carver.board, here, across))
            here = either(here, shifted(carver.board, here, below(rng, 2)))
        floor = either(floor, here)
        if count(floor) >= enough:
            break
        if unit(rng) < carver.turns:
            direction = below(rng, 4)
        there = shifted(carver.board, only(carver.board, cell), direction)
        if empty(there):
            direction = below(rng, 4)
        else:
            cell = member_from(there, 0)
    return floor


@part
def farthest_within(carver, walls, goals, asked, rng):
    """Draws a position that needs so many pushes, or else as many as can be; no box is on a goal."""
    pulls, none = carver.pulls, cleared(walls)
    explore(carver.board, pulls, walls, goals, asked, True)
    depth, choices = np.int64(NONE), np.int64(0)
    state = pulls.found[STATES] - 1
    while state >= 0 and (depth == NONE or pulls.depth[state] == depth):
        if empty(both(boxes_of(pulls, walls, state), goals)):
            depth = np.int64(pulls.depth[state])
            choices += 1
        state -= 1
    if depth < carver.least or depth > asked:
        return Start(none, none, np.int64(NONE), np.int64(NONE))
    left = below(rng, choices)
    while True:
        state += 1
        boxes = boxes_of(pulls, walls, state)
        if pulls.depth[state] == depth and empty(both(boxes, goals)):
            if left == 0:
                return Start(boxes, region_of(pulls, walls, state), depth, state)
            left -= 1


@part
def pull_about(carver, floor, goals, asked, rng):
    """Pulls boxes about at random and writes the pushes that undo it into `path`; no position comes twice."""
    board, path, words = carver.board, carver.path, len(floor)
    open_cells = minus(floor, goals)
    region = reached(board, only(board, nth(open_cells, below(rng, count(open_cells)))), open_cells)
    boxes, last = goals, np.int64(NONE)
    pulls = np.int64(0)
    while pulls < carver.most and (pulls < asked or not empty(both(boxes, goals))):
        store(boxes, carver.trail, pulls * words)
        found = False
        for _ in range(LOOKS):
            if last == NONE or unit(rng) >= SAME_BOX:
                waiting = both(boxes, goals)
                movable = waiting if not empty(waiting) else boxes
            else:
                movable = only(board, last)
            box, direction = nth(movable, below(rng, count(movable))), below(rng, 4)
            stand = shifted(board, only(board, box), direction)
            back = shifted(board, stand, direction)
            if empty(both(stand, region)) or empty(both(back, region)):
                continue
            to = box + stride(board, direction)
            after = added(removed(boxes, box), to)
            if not walked_already(carver, after, pulls):
                found = True
                break
        if not found:
            break
        path[pulls] = to * 4 + (direction ^ 1)
        boxes, last = after, to
        region = reached(board, back, minus(floor, boxes))
        pulls += 1
    for i in range(pulls // 2):
        path[i], path[pulls - 1 - i] = path[pulls - 1 - i], path[i]
    if pulls < carver.least or not empty(both(boxes, goals)):
        pulls = np.int64(NONE)
    return Start(boxes, region, pulls, np.int64(NONE))


@part
def walked_already(carver, boxes, pulls):
    """Returns whether a random walk has had its boxes there before."""
    known = False
    for i in range(pulls):
        known = known or same(fetch(boxes, carver.trail, i * len(boxes)), boxes)
    return known


@part
def write_level(carver, puzzle, made):
    """Writes the solution and the grid of a level; returns False where the solution is too long."""
    board, moves = carver.board, made.moves
    end = made.at[END]
    last = end + MOST_MOVES
    boxes, player = puzzle.starts, np.int64(puzzle.player)
    for i in range(puzzle.pushes):
        cell, direction = np.int64(puzzle.path[i]) >> 2, np.int64(puzzle.path[i]) & 3
        step = stride(board, direction)
        walk(board, carver.strolls, player, minus(minus(board.every, puzzle.walls), boxes))
        steps = np.int64(carver.strolls.steps[cell - step])
        if end + steps + 1 > last:
            return False
        trace_steps(carver, moves, end + steps, cell - step, minus(minus(board.every, puzzle.walls), boxes))
        end += steps + 1
        moves[end - 1] = PUSHES[direction]
        boxes, player = added(removed(boxes, cell), cell + step), cell
    moves[end] = LINE_END
    made.at[END] = end + 1
    draw_tiles(board, puzzle, made.grids[made.at[LEVEL]])
    return True


@part
def trace_steps(carver, moves, end, cell, open_cells):
    """Writes the way that `walk` has found to a cell, from its end to its begin."""
    board, steps = carver.board, carver.strolls.steps
    while steps[cell] > 0:
        end -= 1
        for direction in range(4):
            before = both(shifted(board, only(board, cell), direction ^ 1), open_cells)
            if not empty(before) and steps[member_from(before, 0)] == steps[cell] - 1:
                moves[end] = STEPS[direction]
                break
        cell = member_from(before, 0)


@part
def draw_tiles(board, puzzle, grid):
    """Writes the tiles of a level, with its wall all around."""
    across = board.width + 2
    for place in range(len(grid)):
        row, column = place // across - 1, place % across - 1
        tile = tiles.WALL
        if 0 <= row < board.height and 0 <= column < board.width:
            cell = row * board.width + column
            if not has(puzzle.walls, cell):
                on_goal = has(puzzle.goals, cell)
                if has(puzzle.starts, cell):
                    tile = tiles.BOX_ON_GOAL if on_goal else tiles.BOX
                elif cell == puzzle.player:
                    tile = tiles.PLAYER_ON_GOAL if on_goal else tiles.PLAYER
                else:
                    tile = tiles.GOAL if on_goal else tiles.FLOOR
        grid[place] = tile
