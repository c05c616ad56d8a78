"""Levels as numbers to learn from, and levels that are refused."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.learn.data import prepare
from levelsmith.registry import games

BINARY, LODERUNNER = games.get("binary"), games.get("loderunner")


def prepared(levels, game=BINARY, mode="default", mirror=None, validation=0.25, seed=0):
    return prepare(game, levels, mode, mirror, validation, seed)


def cells(grids):
    return {grid.tobytes() for grid in grids}


def test_levels_are_split_with_their_mirror_images_and_none_is_on_both_sides(maps):
    data = prepared(maps(16))
    assert data.mirrored
    assert (len(data.learned), len(data.kept), data.levels) == (24, 8, 16)
    for part in (data.learned, data.kept):
        assert cells(part) == cells(part[:, :, ::-1])
    assert not cells(data.learned) & cells(data.kept)
    assert prepared(maps(16), mirror=False).learned.shape == (12, 5, 6)
    assert prepared(maps(16), validation=0.0).kept.shape == (0, 5, 6)


def test_a_level_that_comes_twice_or_as_its_own_image_counts_once(maps):
    levels = maps(12)
    images = [
        levelsmith.parse("\n".join(row[::-1] for row in a.text.split("\n")), game="binary") for a in levels
    ]
    assert prepared(levels + images).levels == prepared(levels).levels == prepared(levels * 2).levels


def test_tiles_that_are_placed_afterwards_count_as_empty():
    levels = [
        levelsmith.parse(f"M.G\n{'b' * k}{'#' * (3 - k)}\n-E{s}", game="loderunner")
        for k in range(4)
        for s in ".B"
    ]
    data = prepared(levels, LODERUNNER, mirror=False, validation=0.0)
    assert data.kinds == ("empty", "brick", "solid", "ladder", "rope", "gold", "enemy")
    assert data.learned[1].tolist() == [[0, 0, 5], [3, 3, 3], [4, 6, 2]]


def test_the_channels_of_the_paper_take_solid_for_brick_and_leave_the_rest_out():
    levels = [
        levelsmith.parse(f"M.G\n{'b' * k}{'#' * (3 - k)}\n-E{s}", game="loderunner")
        for k in range(4)
        for s in ".B"
    ]
    data = prepared(levels, LODERUNNER, "paper", mirror=False, validation=0.0)
    assert data.kinds == ("brick", "rope", "ladder", "gold", "enemy")
    assert data.learned[1].tolist() == [[5, 5, 3], [2, 2, 2], [1, 4, 0]]


def test_a_game_that_names_no_channels_has_all_its_tiles_but_the_first(maps):
    assert prepared(maps(12), mode="paper").kinds == ("wall",)


def test_rare_tiles_count_more_up_to_one_and_a_half_times(maps):
    data = prepared(maps(12), validation=0.0)
    data.learned[:] = 0
    data.learned[:, 0, :3] = 1  # a tenth of the cells, where half would be its part
    np.testing.assert_allclose(data.weights(0.25), [1, 5**0.25])
    assert data.weights(0.0).tolist() == [1, 1]
    assert data.weights(1.0).tolist() == [1, 1.5]


def test_levels_that_cannot_be_learned_from_are_refused(maps):
    with pytest.raises(LevelsmithError, match="at least 8 different levels to learn from, got 1; add more"):
        prepared(maps(1) * 9)
    with pytest.raises(LevelsmithError, match="got none"):
        prepared([])
    with pytest.raises(
        LevelsmithError, match=r"one size, got 6x5 \(9\), 4x3 \(2\); .* leave out all but one"
    ):
        prepared(maps(9) + maps(2, (3, 4)))
    with pytest.raises(LevelsmithError, match="expected levels of loderunner, got one of binary"):
        prepared(maps(9), LODERUNNER)
    with pytest.raises(LevelsmithError, match="at most 128x128, got 129x1"):
        prepared(maps(9, (1, 129)))
