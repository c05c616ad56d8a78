"""Narrow, turtle and wide: what may change next, on every kind of board; compiled and plain agree."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from levelsmith.core import Canvas, settle
from levelsmith.kernels.bits import to_members
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import apply, board, done, initial, legal, mutate, pack, sample, unpack
from levelsmith.kernels.random import seeded
from levelsmith.registry import games
from levelsmith.representations.grid import NARROW, TURTLE, WIDE
from reference import bits as twin

ORCHARD = games.get("orchard")
SIZES = [(2, 2), (8, 8), (9, 8), (10, 12), (12, 12), (16, 16)]


def built(size=(8, 8), **given):
    return WIDE.build(ORCHARD, Canvas(size), settle("wide", WIDE.parameters, given), "steps")


def rng(seed=0):
    return seeded(np.random.SeedSequence(seed))


@pytest.fixture(autouse=True)
def _words_wrap_around():
    with np.errstate(over="ignore"):
        yield


@kernel
def compiled_walk(rep, words, actions, row):
    """Starts afresh, takes the actions and packs where it ends."""
    state = initial(rep, words)
    for i in range(len(actions)):
        state = apply(rep, state, actions[i])
    pack(rep, state, row)


@kernel
def compiled_mutate(rep, words, row):
    pack(rep, mutate(rep, unpack(rep, row), 0.0, words), row)


@pytest.mark.parametrize("size", SIZES)
def test_a_path_changes_each_cell_once_and_ends_when_all_are_changed(size):
    rep = built(size)
    state = initial(rep, rng())
    start = twin.members(board(rep, state).value)
    cells = size[0] * size[1]
    for taken in range(cells):
        assert not done(rep, state)
        assert to_members(legal(rep, state).value) == list(range(taken, cells))
        state = apply(rep, state, taken)
    assert done(rep, state)
    assert to_members(legal(rep, state).value) == []
    assert twin.members(board(rep, state).value) == set(range(cells)) - start


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_compiled_and_plain_walks_end_in_the_same_state(size):
    rep = built(size)
    actions = np.random.default_rng(1).permutation(size[0] * size[1])[: size[0] * 2]
    compiled, plain = np.zeros(rep.words, np.uint64), np.zeros(rep.words, np.uint64)
    compiled_walk(rep, rng(), actions, compiled)
    words, state = rng(), None
    state = initial(rep, words)
    for action in actions:
        state = apply(rep, state, action)
    pack(rep, state, plain)
    assert compiled.tolist() == plain.tolist()
    compiled_mutate(rep, words.copy(), compiled)
    pack(rep, mutate(rep, unpack(rep, plain.copy()), 0.0, words), plain)
    assert compiled.tolist() == plain.tolist()


@pytest.mark.parametrize("size", SIZES)
def test_a_mutation_changes_exactly_one_cell_and_every_cell_in_time(size):
    rep, words = built(size), rng()
    state, touched = sample(rep, words), set()
    for _ in range(12 * size[0] * size[1]):
        before = twin.members(board(rep, state).value)
        state = mutate(rep, state, 0.0, words)
        (cell,) = before ^ twin.members(board(rep, state).value)
        touched.add(cell)
    assert touched == set(range(size[0] * size[1]))


@pytest.mark.parametrize(("fill", "trees"), [(0.0, 64), (1.0, 0)])
def test_fill_says_how_much_starts_as_the_first_tile(fill, trees):
    rep = built(fill=fill)
    assert len(twin.members(board(rep, initial(rep, rng())).value)) == trees
    rep = built((16, 16), fill=0.25)
    assert 160 < len(twin.members(board(rep, sample(rep, rng())).value)) < 224


def test_depth_limits_a_path_and_0_means_every_cell():
    assert built(depth=0).depth == 64
    assert built(depth=1000).depth == 64
    rep = built(depth=3)
    state = initial(rep, rng())
    for action in (5, 9, 63):
        assert not done(rep, state)
        state = apply(rep, state, action)
    assert done(rep, state)


@pytest.mark.parametrize("size", SIZES)
def test_a_board_becomes_a_grid_row_by_row(size):
    rep = built(size)
    state = initial(rep, rng())
    grid = WIDE.grid(rep, board(rep, state).value)
    assert grid.shape == size
    assert grid.dtype == np.uint8
    assert set(np.flatnonzero(grid)) == twin.members(board(rep, state).value)


def walked(representation, game, size, seed, **given):
    """A random path, as (action, grid) pairs, told by the plain functions."""
    rep = representation.build(game, Canvas(size), settle("r", representation.parameters, given), "steps")
    words, draw = rng(seed), np.random.default_rng(seed)
    state = initial(rep, words)
    yield rep, None, representation.grid(rep, board(rep, state).value), state
    for _ in range(120):
        actions = to_members(legal(rep, state).value)
        if done(rep, state) or not actions:
            return
        action = np.int64(draw.choice(actions))
        state = apply(rep, state, action)
        yield rep, action, representation.grid(rep, board(rep, state).value), state


@pytest.mark.parametrize("game", ["binary", "sokoban"])
@pytest.mark.parametrize("size", [(4, 5), (9, 9), (18, 17)])
def test_narrow_comes_by_every_cell_once_in_its_own_order(game, size):
    game = games.get(game)
    steps = list(walked(NARROW, game, size, 3))
    rep = steps[0][0]
    assert sorted(rep.order.tolist()) == list(range(size[0] * size[1]))
    for (_, _, before, _), (_, action, after, state) in pairwise(steps):
        changed = np.flatnonzero(before != after).tolist()
        assert changed == ([int(rep.order[state.cursor - 1])] if action < game.tiles.kinds - 1 else [])
    assert len(steps) - 1 == min(120, size[0] * size[1])


@pytest.mark.parametrize("game", ["binary", "sokoban"])
@pytest.mark.parametrize("actions", ["single", "pairs"])
@pytest.mark.parametrize("size", [(4, 5), (9, 9), (18, 17)])
def test_a_turtle_stays_on_the_map_and_changes_where_it_stands(game, size, actions):
    steps = list(walked(TURTLE, games.get(game), size, 4, actions=actions))
    assert len(steps) == 121
    for (_, _, before, was), (_, _, after, state) in pairwise(steps):
        assert 0 <= state.cursor < size[0] * size[1]
        moved = abs(state.cursor // size[1] - was.cursor // size[1]) + abs(
            state.cursor % size[1] - was.cursor % size[1]
        )
        changed = np.flatnonzero(before != after).tolist()
        assert changed in ([], [state.cursor])
        assert moved == 1 if actions == "pairs" else moved + len(changed) == 1


@pytest.mark.parametrize("game", ["binary", "sokoban"])
@pytest.mark.parametrize("size", [(4, 5), (9, 9), (18, 17)])
def test_wide_changes_one_cell_at_a_time_and_none_twice(game, size):
    touched = []
    for (_, _, before, _), (_, _, after, _) in pairwise(walked(WIDE, games.get(game), size, 5)):
        (cell,) = np.flatnonzero(before != after).tolist()
        touched.append(cell)
    assert len(set(touched)) == len(touched) == min(120, size[0] * size[1])


@pytest.mark.slow
@pytest.mark.parametrize("representation", [NARROW, TURTLE, WIDE], ids=lambda r: r.name)
@pytest.mark.parametrize(("game", "size"), [("binary", (5, 4)), ("binary", (17, 17)), ("sokoban", (5, 5))])
def test_compiled_paths_are_the_plain_ones_for_every_kind_of_board(representation, game, size):
    steps = list(walked(representation, games.get(game), size, 6))
    rep = representation.build(
        games.get(game), Canvas(size), settle("r", representation.parameters, {}), "steps"
    )
    row = np.zeros(rep.words, np.uint64)
    compiled_walk(rep, rng(6), np.array([action for _, action, _, _ in steps[1:]]), row)
    assert np.array_equal(representation.grid(rep, board(rep, unpack(rep, row)).value), steps[-1][2])
