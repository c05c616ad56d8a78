"""The wide representation: any cell may change, each once on a path; compiled and plain agree."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith.core import settle
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.bits import to_members
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import apply, board, done, initial, legal, mutate, pack, sample, unpack
from levelsmith.kernels.random import seeded
from levelsmith.registry import games
from levelsmith.representations.grid import WIDE
from reference import bits as twin

ORCHARD = games.get("orchard")
SIZES = [(2, 2), (8, 8), (9, 8), (10, 12), (12, 12), (16, 16)]


def built(size=(8, 8), **given):
    return WIDE.build(ORCHARD, size, settle("wide", WIDE.parameters, given))


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
    pack(rep, mutate(rep, unpack(rep, row), words), row)


@pytest.mark.parametrize("size", SIZES)
def test_a_path_changes_each_cell_once_and_ends_when_all_are_changed(size):
    rep, state = built(size), initial(built(size), rng())
    start = twin.members(board(rep, state))
    cells = size[0] * size[1]
    for taken in range(cells):
        assert not done(rep, state)
        assert to_members(legal(rep, state)) == list(range(taken, cells))
        state = apply(rep, state, taken)
    assert done(rep, state)
    assert to_members(legal(rep, state)) == []
    assert twin.members(board(rep, state)) == set(range(cells)) - start


@pytest.mark.parametrize("size", SIZES)
def test_compiled_and_plain_walks_end_in_the_same_state(size):
    rep = built(size)
    actions = np.random.default_rng(1).permutation(size[0] * size[1])[: size[0] * 2]
    compiled, plain = np.zeros(rep.row, np.uint64), np.zeros(rep.row, np.uint64)
    compiled_walk(rep, rng(), actions, compiled)
    words, state = rng(), None
    state = initial(rep, words)
    for action in actions:
        state = apply(rep, state, action)
    pack(rep, state, plain)
    assert compiled.tolist() == plain.tolist()
    compiled_mutate(rep, words.copy(), compiled)
    pack(rep, mutate(rep, unpack(rep, plain.copy()), words), plain)
    assert compiled.tolist() == plain.tolist()


@pytest.mark.parametrize("size", SIZES)
def test_a_mutation_changes_exactly_one_cell_and_every_cell_in_time(size):
    rep, words = built(size), rng()
    state, touched = sample(rep, words), set()
    for _ in range(12 * size[0] * size[1]):
        before = twin.members(board(rep, state))
        state = mutate(rep, state, words)
        (cell,) = before ^ twin.members(board(rep, state))
        touched.add(cell)
    assert touched == set(range(size[0] * size[1]))


@pytest.mark.parametrize(("fill", "trees"), [(0.0, 64), (1.0, 0)])
def test_fill_says_how_much_starts_as_the_first_tile(fill, trees):
    rep = built(fill=fill)
    assert len(twin.members(board(rep, initial(rep, rng())))) == trees
    rep = built((16, 16), fill=0.25)
    assert 160 < len(twin.members(board(rep, sample(rep, rng())))) < 224


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
    grid = WIDE.grid(rep, board(rep, state))
    assert grid.shape == size
    assert grid.dtype == np.uint8
    assert set(np.flatnonzero(grid)) == twin.members(board(rep, state))


def test_games_of_more_tiles_and_boards_of_more_cells_are_refused():
    values = settle("wide", WIDE.parameters, {})
    with pytest.raises(LevelsmithError, match=r"2 tile kinds .* got 7 kinds and 8x8 cells for sokoban"):
        WIDE.build(games.get("sokoban"), (8, 8), values)
    with pytest.raises(LevelsmithError, match="up to 256 cells, got 2 kinds and 20x16 cells"):
        WIDE.build(games.get("binary"), (16, 20), values)
