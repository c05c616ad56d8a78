"""Measures of sets of levels: by hand on small ones, and the anchors of the public Lode Runner levels."""

from __future__ import annotations

import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.levels.compare import compare


def orchards(*texts):
    return [levelsmith.parse(text, game="orchard") for text in texts]


def test_cells_that_hold_the_same_tile_over_all_cells_and_over_those_that_hold_any():
    (ours, theirs) = orchards("^^.\n...", "^..\n..^")
    found = compare([ours, ours], [theirs], mirrored=False)
    assert found["similarity"] == pytest.approx(1 / 6)
    assert found["jaccard"] == found["jaccard_most"] == pytest.approx(1 / 3)
    assert found["duplicates"] == 1
    assert found["hamming"] == 0.0
    assert compare([ours, ours], orchards(".^^\n..."))["similarity"] == pytest.approx(2 / 6)  # its image


def test_patterns_diverge_by_nothing_from_themselves_and_are_unseen_where_they_never_occur():
    levels = orchards("^^.\n...", "...\n.^.")
    same = compare(levels, levels, mirrored=False)
    assert same["kl_2x2"] == same["unseen_2x2"] == 0.0
    other = compare(levels, orchards("...\n..."))
    assert other["unseen_2x2"] == 1.0
    assert other["kl_2x2"] > 0.5


def test_levels_without_a_reference_are_compared_with_each_other_and_not_with_their_own_images():
    found = compare(orchards("^..\n...", "..^\n...", "...\n.^."))
    assert found["similarity_above_50"] == 0
    assert found["similarity"] == pytest.approx((1 / 6 + 1 / 6 + 0) / 3)
    assert "kl_2x2" not in found


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (("^.\n..",), "expected at least 2 levels to compare, got 1"),
        (("^.\n..", "^..\n..."), "expected levels of one game and size, got orchard 2x2 and orchard 3x2"),
    ],
)
def test_too_few_levels_and_levels_of_two_sizes_are_refused(texts, says):
    with pytest.raises(LevelsmithError, match=says):
        compare(orchards(*texts))


def test_the_public_levels_of_lode_runner_are_as_like_each_other_as_was_measured_elsewhere(data_folder):
    folder = data_folder / "loderunner-vglc" / "levels"
    levels = [
        level for file in sorted(folder.glob("*.txt")) for level in levelsmith.load(file, game="loderunner")
    ]
    found = compare(levels, mirrored=False)
    assert found["similarity"] == pytest.approx(0.241, abs=0.0005)
    assert found["jaccard"] == pytest.approx(0.295, abs=0.0005)
    assert found["unseen_3x3"] == pytest.approx(0.10, abs=0.005)
