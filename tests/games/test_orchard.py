"""Orchard: its two metrics against loops over cells, its objective, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.games.orchard import GAME
from levelsmith.games.orchard.kernels import make
from levelsmith.kernels.bits import from_members
from levelsmith.kernels.problem import metric
from reference import orchard as twin

SHAPES = st.tuples(st.integers(1, 16), st.integers(1, 16))
GRIDS = SHAPES.flatmap(lambda shape: arrays.arrays(np.uint8, shape, elements=st.integers(0, 1)))


@settings(deadline=None, max_examples=150)
@given(grid=GRIDS)
def test_metrics_are_those_of_loops_over_cells(grid):
    assert GAME.measure(grid[None]).tolist() == [[twin.trees(grid), twin.crowded(grid)]]


@settings(deadline=None, max_examples=60)
@given(grid=GRIDS)
def test_plain_metrics_are_those_of_loops_over_cells(grid):
    board, game = from_members(np.flatnonzero(grid), grid.size), make(grid.shape)
    assert [metric(game, board, k) for k in range(2)] == [twin.trees(grid), twin.crowded(grid)]


@pytest.mark.parametrize(
    ("text", "trees", "crowded"),
    [
        ("..\n..", 0, 0),
        ("^.\n.^", 2, 0),
        ("^^\n..", 2, 2),
        ("..^\n^..", 2, 0),  # the last cell of a row does not touch the first of the next
        ("^^^\n^^^\n^^^", 9, 9),
    ],
)
def test_known_orchards_are_measured(text, trees, crowded):
    assert levelsmith.measure(levelsmith.parse(text, game="orchard")) == {"trees": trees, "crowded": crowded}


def score_of(text: str, share: float) -> float:
    """The score that a run gives for exactly this level."""
    from levelsmith.kernels.score import make as make_score
    from levelsmith.kernels.score import score

    level = levelsmith.parse(text, game="orchard")
    terms = GAME.objectives["spaced"].terms(level.size, {"share": share})
    board = from_members(np.flatnonzero(level.grid), level.grid.size)
    return score(make(level.size), make_score(terms, list(GAME.metrics)), board)


def test_a_chessboard_is_a_perfect_orchard():
    assert score_of("^.^.\n.^.^\n^.^.\n.^.^", share=0.5) == 1.0


def test_a_bare_meadow_is_half_right_and_so_is_a_full_one():
    assert score_of("....\n....", share=0.5) == 0.5
    assert score_of("^^^^\n^^^^", share=0.5) == 0.5


def test_a_share_of_no_trees_at_all_is_met_by_a_meadow():
    assert score_of("....\n....", share=0.0) == 1.0


def test_an_orchard_too_large_for_its_kernels_is_refused_instead_of_mismeasured():
    for size in ((17, 2), (2, 17), (1, 100)):
        with pytest.raises(LevelsmithError, match="at most 16x16"):
            levelsmith.measure(levelsmith.parse("\n".join(["." * size[1]] * size[0]), game="orchard"))


def test_hill_climbing_plants_an_orchard_at_every_size_of_board():
    for size in ((2, 2), (8, 8), (10, 12), (16, 16)):
        result = levelsmith.generate("orchard", size=size, seed=1)
        assert result.solved
        assert result.best.size == size
        assert twin.crowded(result.best.grid) == 0
        assert twin.trees(result.best.grid) >= 0.4 * size[0] * size[1]
