"""Levels survive the arrays of other tools, and what those cannot hold is refused."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith import Level, LevelsmithError, parse
from levelsmith.levels.formats.peers import from_peer, to_peer
from levelsmith.registry import games

PAIRS = [(name, peer) for name in games for peer in getattr(games.get(name), "peers", {})]
PATTERNS = np.array([[[a, b], [c, d]] for a in (0, 1) for b in (0, 1, 5) for c in (0, 1) for d in (0, 1, 3)])


@pytest.mark.parametrize(("game", "peer"), PAIRS)
def test_every_array_is_read_and_written_back(game, peer):
    kinds = len(games.get(game).peers[peer].tiles)
    for seed in range(5):
        array = np.random.default_rng(seed).integers(0, kinds, (6, 7))
        level = from_peer(array, game, peer)
        assert np.array_equal(to_peer(level, peer), array)
        assert from_peer(to_peer(level, peer), game, peer) == level


@pytest.mark.parametrize(
    ("game", "peer", "array", "text"),
    [
        ("binary", "pcg-benchmark", [[0, 1]], "#."),  # 0 is solid, 1 is empty in binary-v0
        ("binary", "gym-pcgrl", [[0, 1]], ".#"),  # ["empty", "solid"]
        ("sokoban", "pcg-benchmark", [[0, 1, 2, 3, 4]], "#######\n## @$.#\n#######"),
        ("sokoban", "gym-pcgrl", [[1, 0, 2, 3, 4]], "#######\n## @$.#\n#######"),
        ("loderunner", "pcg-benchmark", [[0, 1, 2, 3, 4, 5, 6]], "b.MGE#-"),
    ],
)
def test_numbers_mean_what_the_tools_say(game, peer, array, text):
    assert from_peer(array, game, peer) == parse(text, game=game)


def test_solid_ground_is_brick_there():
    assert to_peer(parse("bB.", game="loderunner"), "pcg-benchmark").tolist() == [[0, 0, 1]]


def test_floor_outside_the_walls_is_wall():
    level = parse("  ####\n###  #\n#@$ .#\n######", game="sokoban")
    assert to_peer(level, "gym-pcgrl").tolist() == [[1, 1, 0, 0], [2, 3, 0, 4]]


def test_patterns_are_matched_and_unfolded():
    array = np.random.default_rng(3).integers(0, len(PATTERNS), (4, 5))
    level = from_peer(array, "loderunner", "pcg-benchmark", PATTERNS)
    assert level.size == (8, 10)
    assert level.text.splitlines()[-1] == "b" * 10
    again = to_peer(level, "pcg-benchmark", PATTERNS)
    assert from_peer(again, "loderunner", "pcg-benchmark", PATTERNS) == level
    assert np.array_equal(again[:-1], array[:-1])  # below, several patterns give the same
    with pytest.raises(LevelsmithError, match=r"no pattern is the block at column 1, row 1: \[\[6, 1\]"):
        to_peer(parse("-.\n..\n..\nbb", game="loderunner"), "pcg-benchmark", PATTERNS)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([[0, 5]], "expected numbers from 0 to 4 for sokoban of gym-pcgrl, got 5"),
        ([[-1, 0]], "got -1"),
        ([0, 1], "expected whole numbers of shape"),
        ([[0.5]], "expected whole numbers of shape"),
    ],
)
def test_other_arrays_are_refused(array, message):
    with pytest.raises(LevelsmithError, match=message):
        from_peer(array, "sokoban", "gym-pcgrl")


def test_levels_that_do_not_fit_are_refused():
    with pytest.raises(LevelsmithError, match="gym-pcgrl has no 'box on goal' in sokoban"):
        to_peer(parse("#####\n#@*.#\n#####", game="sokoban"), "gym-pcgrl")
    with pytest.raises(LevelsmithError, match="leaves out a border of wall, and this level has none"):
        to_peer(Level("sokoban", games.get("sokoban").tiles, [[5, 2, 3]]), "gym-pcgrl")
    with pytest.raises(
        LevelsmithError, match="no array of binary is called 'pcgrl'; did you mean 'gym-pcgrl'"
    ):
        to_peer(parse("#.", game="binary"), "pcgrl")
    with pytest.raises(LevelsmithError, match="no array of orchard"):
        to_peer(parse("^.", game="orchard"), "gym-pcgrl")
