"""Genomes of the turtle: a row of moves, and the map that is left when they have been walked."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith.core import Canvas, settle
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.problem import board, cross, initial, mutate, neighbour, neighbours, sample, unpack
from levelsmith.kernels.random import below, seeded
from levelsmith.registry import games
from levelsmith.representations.grid import TURTLE, WIDE
from levelsmith.representations.kernels import grid as kernels
from levelsmith.representations.kernels import turtle as turtle_kernels
from levelsmith.representations.kernels.turtle import TurtleState
from reference.states import packed

STEPS = [(-1, 0), (1, 0), (0, -1), (0, 1)]  # up, down, left, right
BOARDS = [("binary", (4, 5)), ("binary", (10, 9)), ("binary", (18, 17)), ("sokoban", (5, 6))]
some_boards = pytest.mark.parametrize(("game", "size"), BOARDS)


def built(game, size, **given):
    values = settle("turtle", TURTLE.parameters, given)
    return TURTLE.build(games.get(game), Canvas(size), values, "variation")


def rng(seed=0):
    return seeded(np.random.SeedSequence(seed))


def grid_of(rep, state):
    return TURTLE.grid(rep, board(rep, state).value)


def walked(rep, start, cell, moves):
    """The map after the moves, told in the plainest way."""
    grid, kinds = start.copy(), rep.walker.kinds
    y, x = divmod(int(cell), rep.width)
    for move in moves:
        direction, change = divmod(int(move), kinds)
        down, right = STEPS[direction]
        if 0 <= y + down < rep.height and 0 <= x + right < rep.width:
            y, x = y + down, x + right
        grid[y, x] = (grid[y, x] + change) % kinds
    return grid


@pytest.fixture(autouse=True)
def _words_wrap_around():
    with np.errstate(over="ignore"):
        yield


@some_boards
def test_the_map_is_what_the_walk_leaves(game, size):
    rep, words = built(game, size, moves=150), rng()
    state = initial(rep, words)
    walker = rep.walker
    start = WIDE.grid(walker, kernels.fetch_board(walker.board, walker.origin))
    for _ in range(5):
        expected = walked(rep, start, rep.cursor[0], state.moves)
        assert grid_of(rep, state).tolist() == expected.tolist()
        assert not np.array_equal(expected, start)
        state = sample(rep, words)


@pytest.mark.parametrize(
    ("direction", "row"), [("up", "....#"), ("down", "....#"), ("left", ".###."), ("right", "....#")]
)
def test_a_step_off_the_map_leaves_the_turtle_where_it_is(direction, row):
    """It starts at the right end of a map of one row, and three times it steps and changes the cell."""
    rep = built("binary", (1, 5), fill=1.0)
    initial(rep, rng())
    rep.cursor[0] = 4
    step_and_change = 2 * ("up", "down", "left", "right").index(direction) + 1
    grid = grid_of(rep, TurtleState(np.full(3, step_and_change, np.uint8)))
    assert games.get("binary").tiles.rows(grid) == [row]


@some_boards
@pytest.mark.parametrize("moves", [0, 1, 7, 8, 9, 100])
def test_a_genome_has_as_many_moves_as_asked_for_and_packs_a_byte_for_each(game, size, moves):
    rep = built(game, size, moves=moves)
    state = initial(rep, rng())
    number = moves or size[0] * size[1]
    assert len(state.moves) == number
    assert rep.words == -(-number // 8)
    before = state.moves.tolist()
    row = packed(rep, state)
    assert row.view(np.uint8)[:number].tolist() == before
    rep.moves[:] = 0
    assert unpack(rep, row).moves.tolist() == before
    assert max(before) < 4 * rep.walker.kinds


@some_boards
def test_each_neighbour_differs_in_one_move_and_all_are_different(game, size):
    rep = built(game, size, moves=9)
    row = packed(rep, initial(rep, rng()))
    before = unpack(rep, row).moves.copy()
    found = set()
    for k in range(neighbours(rep)):
        after = neighbour(rep, unpack(rep, row), k).moves
        assert np.count_nonzero(after != before) == 1
        assert after.max() < 4 * rep.walker.kinds
        found.add(after.tobytes())
    assert len(found) == neighbours(rep) == 9 * (4 * rep.walker.kinds - 1)


def test_a_rate_is_the_chance_of_each_move_to_change():
    rep, words = built("sokoban", (5, 6), moves=40), rng(2)
    row = packed(rep, initial(rep, words))
    before = unpack(rep, row).moves.astype(int)
    steps = [mutate(rep, unpack(rep, row), 0.3, words).moves - before for _ in range(400)]
    assert 0.28 < np.mean(np.array(steps) != 0) < 0.32
    every = 4 * rep.walker.kinds
    assert set(np.ravel(steps) % every) == set(range(every))
    assert np.count_nonzero(mutate(rep, unpack(rep, row), 0.0, words).moves != before) == 1


@some_boards
def test_a_child_is_its_mothers_up_to_one_point_and_its_fathers_behind_it(game, size):
    rep, words = built(game, size, moves=11), rng(4)
    initial(rep, words)
    top = 4 * rep.walker.kinds - 1
    mother, father = (packed(rep, TurtleState(np.full(11, move, np.uint8))) for move in (2, top))
    points = set()
    for _ in range(100):
        point = below(words.copy(), 11)
        child = cross(rep, mother, father, words)
        assert child.moves.tolist() == [2] * point + [top] * (11 - point)
        points.add(point)
    assert points == set(range(11))


def test_all_walks_of_a_run_start_from_the_same_map_and_cell():
    rep, words = built("binary", (6, 6), moves=1), rng(5)
    state = initial(rep, words)
    cell = int(rep.cursor[0])
    origin = WIDE.grid(rep.walker, kernels.fetch_board(rep.walker.board, rep.walker.origin))
    near = {cell, cell - 6, cell + 6, cell - 1, cell + 1}
    for _ in range(60):
        assert set(np.flatnonzero(grid_of(rep, state) != origin)) <= near
        state = sample(rep, words)
    assert rep.cursor[0] == cell


def test_more_kinds_of_tiles_than_a_byte_has_moves_for_are_refused():
    def walker(kinds):
        return kernels.make(kernels.TURTLE, Canvas((3, 3)), kinds, 0.5, 9)

    assert len(turtle_kernels.make(walker(64), 5).moves) == 5
    with pytest.raises(LevelsmithError, match=r"^turtle genomes have at most 64 kinds of tiles, got 65$"):
        turtle_kernels.make(walker(65), 5)
