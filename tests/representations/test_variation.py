"""Candidates of grids: neighbours, mutations and children are what they say, compiled and plain."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith.core import Canvas, settle
from levelsmith.kernels.boards import board_of
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import (
    brush,
    cross,
    initial,
    mutate,
    neighbour,
    neighbours,
    pack,
    sample,
    unpack,
)
from levelsmith.kernels.random import below, seeded
from levelsmith.registry import games
from levelsmith.representations.grid import NARROW, TURTLE, WIDE
from levelsmith.representations.kernels.grid import GridState
from reference.states import packed

BINARY, SOKOBAN = games.get("binary"), games.get("sokoban")
BOARDS = [(BINARY, (4, 5)), (BINARY, (10, 9)), (BINARY, (18, 17)), (SOKOBAN, (5, 5))]
some_boards = pytest.mark.parametrize(("game", "size"), BOARDS, ids=lambda v: getattr(v, "name", None))
both = pytest.mark.parametrize("representation", [NARROW, WIDE], ids=lambda r: r.name)


def built(representation, game, size, start=None, locked=None, **given):
    values = settle(representation.name, representation.parameters, given)
    return representation.build(game, Canvas(size, start, locked), values, "variation")


def rng(seed=0):
    return seeded(np.random.SeedSequence(seed))


def tiles(rep, state):
    """The tiles of a state's cells in reading order."""
    return WIDE.grid(rep, state.cells).ravel()


def holding(rep, board):
    """A packed candidate with these tiles."""
    return packed(rep, GridState(board_of(np.asarray(board), rep.kinds), 0, 0))


@pytest.fixture(autouse=True)
def _words_wrap_around():
    with np.errstate(over="ignore"):
        yield


@both
@some_boards
def test_each_neighbour_differs_in_one_cell_and_all_are_different(representation, game, size):
    rep = built(representation, game, size)
    row = packed(rep, initial(rep, rng()))
    before = tiles(rep, unpack(rep, row))
    found = set()
    for k in range(neighbours(rep)):
        after = tiles(rep, neighbour(rep, unpack(rep, row), k))
        assert np.count_nonzero(after != before) == 1
        assert after.max() < game.tiles.kinds
        found.add(after.tobytes())
    assert len(found) == neighbours(rep) == before.size * (game.tiles.kinds - 1)


@both
@some_boards
def test_a_mutation_without_a_rate_is_a_random_neighbour(representation, game, size):
    rep, words = built(representation, game, size), rng(1)
    row = packed(rep, initial(rep, words))
    for _ in range(20):
        k = below(words.copy(), neighbours(rep))
        expected = tiles(rep, neighbour(rep, unpack(rep, row), k)).tolist()
        assert tiles(rep, mutate(rep, unpack(rep, row), 0.0, words)).tolist() == expected


@both
@some_boards
def test_a_rate_is_the_chance_of_each_cell_to_change(representation, game, size):
    rep, words = built(representation, game, size), rng(2)
    row = packed(rep, initial(rep, words))
    before = tiles(rep, unpack(rep, row))
    changed = [tiles(rep, mutate(rep, unpack(rep, row), 0.2, words)) != before for _ in range(400)]
    assert 0.175 < np.mean(changed) < 0.225
    assert np.abs(np.mean(changed, axis=0) - 0.2).max() < 0.1  # five deviations of a mean of 400
    first, second = np.mean(changed, axis=0)[:2]
    together = np.mean([cells[0] and cells[1] for cells in changed])
    assert abs(together - first * second) < 0.07  # one cell does not wait for another


@some_boards
def test_at_a_rate_of_1_every_cell_becomes_another(game, size):
    rep, words = built(WIDE, game, size), rng(3)
    row = packed(rep, initial(rep, words))
    before = tiles(rep, unpack(rep, row))
    differences = set()
    for _ in range(30):
        after = tiles(rep, mutate(rep, unpack(rep, row), 1.0, words)).astype(int)
        differences |= set((after - before) % game.tiles.kinds)
    assert differences == set(range(1, game.tiles.kinds))


@pytest.mark.first(1)
@both
@some_boards
def test_a_child_is_its_mothers_up_to_one_point_and_its_fathers_behind_it(representation, game, size):
    rep, words = built(representation, game, size), rng(4)
    initial(rep, words)  # shuffles the order of the run
    cells, last = size[0] * size[1], game.tiles.kinds - 1
    mother, father = holding(rep, np.zeros(cells, int)), holding(rep, np.full(cells, last))
    order = rep.order.tolist() if representation is NARROW else list(range(cells))
    points = set()
    for _ in range(8 * cells):
        point = below(words.copy(), cells)
        child = tiles(rep, cross(rep, mother, father, words))
        assert child[order].tolist() == [0] * point + [last] * (cells - point)
        points.add(point)
    assert {0, cells - 1} <= points
    assert (order != sorted(order)) == (representation is NARROW)


@pytest.mark.parametrize("fill", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("game", [BINARY, SOKOBAN], ids=lambda g: g.name)
def test_a_narrow_sample_keeps_or_changes_each_cell_of_the_runs_start(game, fill):
    rep, words, kinds = built(NARROW, game, (10, 10), fill=fill), rng(5), game.tiles.kinds
    start = tiles(rep, initial(rep, words)).astype(int)
    steps = [(tiles(rep, sample(rep, words)).astype(int) - start) % kinds for _ in range(50)]
    shares = np.bincount(np.ravel(steps), minlength=kinds) / 5000
    assert np.abs(shares - 1 / kinds).max() < 0.035  # five deviations of a half, and of a seventh


def test_a_wide_sample_owes_nothing_to_the_runs_start():
    rep, words = built(WIDE, BINARY, (10, 10), fill=0.9), rng(6)
    initial(rep, words)
    shares = [np.mean(tiles(rep, sample(rep, words))) for _ in range(50)]
    assert 0.08 < np.mean(shares) < 0.12  # kept or changed, half of the cells would be walls


@kernel
def compiled_varied(rep, words, rate, rows):
    """Rows of a run: its start, a sample, a mutation of it, a neighbour of that, a child of the first two."""
    pack(rep, initial(rep, words), rows[0])
    pack(rep, sample(rep, words), rows[1])
    pack(rep, mutate(rep, unpack(rep, rows[1]), rate, words), rows[2])
    pack(rep, neighbour(rep, unpack(rep, rows[2]), below(words, neighbours(rep))), rows[3])
    pack(rep, cross(rep, rows[0], rows[1], words), rows[4])


@pytest.mark.slow
@pytest.mark.parametrize("locked", [False, True])
@pytest.mark.parametrize("representation", [NARROW, TURTLE, WIDE], ids=lambda r: r.name)
@pytest.mark.parametrize(("game", "size"), BOARDS[1:], ids=lambda v: getattr(v, "name", None))
def test_compiled_candidates_are_the_plain_ones(representation, game, size, locked):
    draw = np.random.default_rng(0)
    canvas = {"start": draw.integers(0, 2, size, np.uint8), "locked": draw.random(size) < 0.3}
    for seed, rate in enumerate((0.0, 0.1, 0.5, 1.0)):
        rep = built(representation, game, size, **(canvas if locked else {}))
        compiled, plain = np.zeros((2, 5, rep.words), np.uint64)
        first, second = rng(seed), rng(seed)
        compiled_varied(rep, first, rate, compiled)
        getattr(compiled_varied, "py_func", compiled_varied)(rep, second, rate, plain)
        assert compiled.tolist() == plain.tolist()
        assert first.tolist() == second.tolist()
        assert len({row.tobytes() for row in plain}) >= 3  # a child may be as its father is


@both
def test_a_game_with_a_mix_has_its_tiles_drawn_as_often_as_it_says(representation):
    game, words = games.get("loderunner"), rng()
    rep = built(representation, game, (22, 32), fill=0.0)
    drawn = np.bincount(tiles(rep, initial(rep, words)), minlength=8)
    assert drawn[0] == drawn[7] == 0  # nothing is empty, and players are placed, not drawn
    others = sum(game.mix.values()) - game.mix["empty"]
    for name in ("brick", "ladder", "rope"):
        expected = game.mix[name] / others
        assert abs(drawn[game.tiles.index_of(name)] / 704 - expected) < 4 * (expected / 704) ** 0.5
    row = packed(rep, initial(rep, words))
    found = []
    for _ in range(300):
        before, after = (
            tiles(rep, unpack(rep, row)).copy(),
            tiles(rep, mutate(rep, unpack(rep, row), 0.0, words)),
        )
        assert np.count_nonzero(before != after) == 1
        found.append(after[before != after][0])
    assert 100 < found.count(0) < 270
    assert 7 not in found
    assert 7 not in tiles(rep, sample(rep, words))


@both
@some_boards
def test_a_brush_puts_one_tile_into_a_rectangle_and_leaves_locked_cells(representation, game, size):
    locked = np.zeros(size, bool)
    locked[1] = True
    rep = built(representation, game, size, np.zeros(size, np.uint8), locked)
    words, row, sizes = rng(), holding(rep, np.zeros(size[0] * size[1], np.uint8)), set()
    for _ in range(200):
        after = tiles(rep, brush(rep, unpack(rep, row), words)).reshape(size)
        rows, columns = np.nonzero(after)
        assert not after[1].any()
        if len(rows):
            painted = after[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
            free = ~locked[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
            assert (painted[free] == painted.max()).all()
            sizes.add(painted.shape)
    assert {(1, 1), (1, 2)} <= sizes
