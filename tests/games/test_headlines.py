"""What is said first of a level: counted plainly, it is what the compiled metrics say."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import levelsmith
from levelsmith.games.binary import headline as binary
from levelsmith.games.sokoban import headline as sokoban
from levelsmith.games.sokoban.rules import Board
from levelsmith.games.sokoban.solution import measured
from levelsmith.games.sokoban.solution import pushes_alone as compiled_alone
from levelsmith.levels.measure import headline
from reference.binary import metrics

RUN = "M..G..G.\n........\n........\n........\n........\nBBBBBBBB"


@pytest.fixture(scope="module")
def puzzles():
    wanted = {"size": (6, 6), "want": {"difficulty": "10..95"}, "ramp": "difficulty", "count": 8, "seed": 3}
    return levelsmith.generate("sokoban", **wanted).levels


def test_a_puzzle_is_counted_as_the_kernels_count_it(puzzles):
    for level in puzzles:
        told = measured(level, level.solution)
        assert sokoban.counted(level) == (told["pushes"], told["moves"], told["difficulty"])
        assert sokoban.pushes_alone(Board(level.grid)) == compiled_alone(Board(level.grid))


def test_a_large_puzzle_is_counted_by_them(monkeypatch, puzzles):
    plain = sokoban.counted(puzzles[0])
    monkeypatch.setattr(sokoban, "SMALL", 0)
    assert sokoban.counted(puzzles[0]) == plain


def test_a_puzzle_says_whether_its_pushes_are_proved_to_be_the_fewest(puzzles):
    assert "pushes (proved fewest)" in headline(puzzles[0])
    played = replace(levelsmith.parse("#######\n#@ $. #\n#######", game="sokoban"), solution="rlrR")
    assert headline(played).startswith("1 box, 1 push (fewer may do), 4 moves, difficulty ")
    alone = levelsmith.parse("######\n#@$ .#\n######", game="sokoban")
    assert headline(alone) == "1 box, no solution known"


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 14), st.integers(1, 14), st.floats(0, 1))
def test_a_map_is_counted_as_its_slow_twin_counts_it(seed, height, width, walls):
    grid = (np.random.default_rng(seed).random((height, width)) < walls).astype(np.uint8)
    assert list(binary.counted(grid)) == metrics(grid)[1:]


def test_a_large_map_is_counted_by_its_kernel(monkeypatch):
    level = levelsmith.parse("...\n##.\n...", game="binary")
    assert headline(level) == "longest path 6 steps, 1 region"
    monkeypatch.setattr(binary, "SMALL", 0)
    assert headline(level) == "longest path 6 steps, 1 region"


def test_a_run_tells_its_gold_its_enemies_and_its_plan():
    level = levelsmith.parse(RUN, game="loderunner")
    assert headline(level) == "2 gold, 0 enemies, no plan known"


def test_a_game_that_has_nothing_to_say_says_nothing():
    assert headline(levelsmith.parse("^.", game="orchard")) is None
