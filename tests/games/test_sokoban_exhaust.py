"""Every board of a size: as many as there are, and no start farther away than a plain search finds."""

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import levelsmith
from reference.sokoban import farthest_pushes

ROOT = Path(__file__).parents[2]


@pytest.fixture
def exhaust(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import exhaust

    return exhaust


def padded(cells, width):
    return sum(1 << (cell // width * (width + 1) + cell % width) for cell in cells)


@pytest.mark.parametrize(("size", "boxes"), [((3, 3), 2), ((2, 4), 1), ((3, 4), 2)])
def test_no_start_is_farther_by_a_plain_search_of_all_walls_and_goals(exhaust, size, boxes):
    height, width = size
    cells = height * width
    best = 0
    layouts = range(1 << cells) if cells < 10 else range(0, 1 << cells, 3)
    for walls in layouts:
        floor = [cell for cell in range(cells) if not walls >> cell & 1]
        for goals in combinations(floor, boxes):
            best = max(best, farthest_pushes(size, [walls], [sum(1 << goal for goal in goals)]))
    _, records, _ = exhaust.searched(size, boxes, 1)
    assert records[1, exhaust.DEPTH] >= best
    if cells < 10:
        assert records[1, exhaust.DEPTH] == best
    level = levelsmith.parse(exhaust.drawn(records[1], boxes, size), game="sokoban")
    assert levelsmith.solve(level).metrics["pushes"] == records[1, exhaust.DEPTH]


def test_boards_that_turning_mirroring_or_moving_makes_equal_are_looked_at_once(exhaust):
    """Of 2x2 there are four: one cell, two in a row, three in a corner, all."""
    found = np.zeros(16, np.int64)
    number = exhaust.list_layouts(2, 2, 1, found)
    assert sorted(found[:number].tolist()) == sorted(
        padded(c, 2) for c in ([0], [0, 1], [0, 1, 2], [0, 1, 2, 3])
    )
    assert exhaust.list_layouts(2, 2, 3, found) == 2


@pytest.mark.parametrize("words", [["7x7", "2"], ["4x4", "9"], ["four", "2"]])
def test_what_cannot_be_looked_at_is_told_in_one_line(words):
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "exhaust.py", *words], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("exhaust: expected")
    assert done.stderr.count("\n") == 1
