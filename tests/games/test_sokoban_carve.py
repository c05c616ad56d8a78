"""`carve`: every level can be solved, within its range, and two are told apart as the rule book does."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith.core import Level, settle
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.carve.maker import Carve
from levelsmith.games.sokoban.metrics.solution import measured
from levelsmith.games.sokoban.rules.kernels import replay as replay_kernels
from levelsmith.games.sokoban.rules.kernels.tiles import WALL
from levelsmith.games.sokoban.rules.keys import canonical_keys
from levelsmith.games.sokoban.rules.rules import SokobanBoard, drawn, region, replay
from levelsmith.making.wants import wanted
from levelsmith.registry import games

SOKOBAN = games.get("sokoban")


def carver(size=(8, 8), want=None, **given):
    terms = [want.term() for want in wanted(SOKOBAN, want or {})]
    return Carve(SOKOBAN, size, settle("carve", Carve.parameters, given), terms)


def made(maker, count, seed=1, tries=1000):
    seeds = [np.random.SeedSequence(seed, spawn_key=(run,)) for run in range(count)]
    (batch,) = maker.make(range(count), seeds, tries, lambda: False)
    return batch


def levels(batch):
    return [
        Level("sokoban", SOKOBAN.tiles, grid, solution=solution)
        for grid, solution in zip(batch.grids, batch.solutions, strict=True)
    ]


@pytest.mark.parametrize(("size", "boxes", "span"), [((8, 8), 4, (8, 16)), ((4, 6), 2, (3, 9))])
def test_no_solution_has_fewer_pushes_nor_fewer_moves_with_as_many(size, boxes, span):
    for level in levels(made(carver(size, {"pushes": span}, boxes=boxes), 15)):
        SOKOBAN.check(level)
        counted = measured(level, level.solution)
        verdict = levelsmith.solve(level, moves=True)
        assert verdict.optimal
        assert all(verdict.metrics[name] == counted[name] for name in ("pushes", "moves"))
        assert span[0] <= counted["pushes"] <= span[1]
        board = SokobanBoard(level.grid)
        assert len(board.goals) == boxes
        assert not board.start.boxes & board.goals


@pytest.mark.slow
def test_without_a_proved_optimum_every_solution_solves_and_the_fewest_pushes_lie_in_the_range():
    batch = made(carver(want={"pushes": "10..20"}, optimal=False), 200)
    assert len(batch) == 200
    longer = 0
    for level in levels(batch):
        assert replay(level, level.solution) == level.solution
        carried, true = measured(level, level.solution)["pushes"], levelsmith.measure(level)["pushes"]
        assert 10 <= true <= carried <= 20
        longer += true < carried
    assert longer > 5  # or the test would show nothing


def test_the_compiled_replay_sees_what_the_rule_book_sees():
    batch = made(carver(optimal=False), 40)
    draw = np.random.default_rng(3)
    room = np.zeros((2, 100), np.int64)
    solved = 0
    for level in levels(batch):
        for _ in range(12):
            moves = list(level.solution)
            for _ in range(draw.integers(0, 3)):
                at = draw.integers(len(moves))
                moves[at : at + draw.integers(0, 2)] = draw.choice([*"udlrUDLRx"], draw.integers(0, 2))
            told = "".join(moves)
            try:
                plain = replay(level, told) == told
            except LevelsmithError:
                plain = False
            data = np.frombuffer(f"{told}\n".encode(), np.uint8).copy()  # as the carver's own arrays are
            grids = level.grid.reshape(1, 100).copy()
            assert replay_kernels.count_sound(grids, 10, data, room) == plain
            solved += plain
    assert 0 < solved < 480


def canonical(grid):
    """Returns the same bytes for all that are one level by the rule book, wherever it lies in its walls."""
    rows, columns = (np.flatnonzero((grid != WALL).any(axis)) for axis in (1, 0))
    room = grid[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return SOKOBAN.canonical(np.pad(room, 1, constant_values=WALL))


def test_levels_share_a_number_where_the_rule_book_holds_them_alike():
    maker = carver((3, 4), boxes=1, longest=9)
    grids = list(made(maker, 150).grids)
    for grid in grids[:20]:
        board = SokobanBoard(grid)
        player = max(region(board, board.start))  # elsewhere, within reach
        grids.append(drawn(board, type(board.start)(player, board.start.boxes)))
    upright = np.array(grids)
    alike = {canonical(grid) for grid in grids}
    keys = canonical_keys(upright)
    pairs = {(canonical(grid), key) for grid, key in zip(grids, keys.tolist(), strict=True)}
    assert len(alike) == len(set(keys.tolist())) == len(pairs) < len(grids)
    for k in range(4):
        assert (canonical_keys(np.rot90(upright, k, (1, 2))) == keys).all()
        assert (canonical_keys(np.rot90(upright[:, ::-1], k, (1, 2))) == keys).all()


def test_a_level_that_is_known_is_so_turned_and_among_more_walls():
    maker = carver((3, 4), boxes=1)
    batch = made(maker, 5)
    grids = [np.pad(np.rot90(grid), ((0, 2), (1, 0)), constant_values=WALL) for grid in batch.grids]
    assert maker.known([Level("sokoban", SOKOBAN.tiles, grid) for grid in grids]) == set(batch.keys.tolist())


def test_no_level_is_another_one_moved_within_its_walls():
    levels = levelsmith.generate("sokoban", size=(5, 5), count=200, search="carve", set={"boxes": 1}).levels
    assert len({canonical(level.grid) for level in levels}) == 200


@pytest.mark.parametrize(
    ("size", "want", "given", "message"),
    [
        ((20, 20), {}, {}, "expected a board of at most 256 cells"),
        ((3, 3), {}, {"boxes": 4}, "expected at most 3 boxes on 3x3, got 4"),
        ((8, 8), {}, {"boxes": 12}, "too many for a proved optimum; try set="),
        ((8, 8), {"difficulty": "hard"}, {"optimal": False}, "nobody knows difficulty of a level"),
        ((8, 8), {"pushes": (5.2, 5.8)}, {}, "expected a whole number from 1 in the range of pushes"),
        ((8, 8), {"boxes": "6..8"}, {}, r"one number of boxes, and 4 is not in the range; try .*6"),
    ],
)
def test_what_cannot_be_made_is_refused(size, want, given, message):
    with pytest.raises(LevelsmithError, match=message):
        carver(size, want, **given)
