"""Random play: each evaluation is a fresh path to its end, and the best end is kept."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith.games.orchard import GAME
from levelsmith.kernels.random import seeded
from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
from reference import orchard as twin
from reference import score as twin_score
from reference.random import Xoroshiro


def played(task, evaluations):
    """The same search in the plainest Python: sets of cells and the reference's random numbers."""
    height, width = task.size
    cells = height * width
    draw = Xoroshiro(*seeded(task.sequence))
    terms = GAME.objectives["spaced"].terms(task.size, task.values["spaced"])
    best, best_score = None, -np.inf
    for _ in range(evaluations):
        board = {cell for cell in range(cells) if draw.unit() >= task.values["wide"]["fill"]}
        still_open = list(range(cells))
        for _ in range(task.values["wide"]["depth"] or cells):
            board ^= {still_open.pop(draw.below(len(still_open)))}
        grid = [[int(r * width + c in board) for c in range(width)] for r in range(height)]
        score = twin_score.score(terms, {"trees": twin.trees(grid), "crowded": twin.crowded(grid)})
        if score > best_score:
            best, best_score = grid, score
    return best, best_score


@pytest.mark.first(1)
@pytest.mark.parametrize("size", [(3, 4), (8, 8), (10, 12), (16, 16)])
@pytest.mark.parametrize("depth", [0, 5])
def test_it_is_the_search_of_its_slow_twin(size, depth):
    task = plan(Request("orchard", size=size, search="random", seed=8, set={"share": 0.5, "depth": depth}))
    run = start_run(task)
    while run.evaluations < 25:
        run.advance(25 - run.evaluations)
    grid, score = played(task, 25)
    assert run.score == score
    assert run.best().tolist() == grid


def test_a_call_returns_right_after_an_improvement():
    run = start_run(plan(Request("orchard", search="random", seed=8, set={"share": 0.5})))
    run.advance(10_000)
    assert run.evaluations == 1
    spent = 1
    for _ in range(5):
        before = run.score
        run.advance(10_000)
        assert run.score > before or run.evaluations == spent + 10_000
        spent = run.evaluations
    assert spent < 30_000


def test_it_is_never_done():
    run = start_run(plan(Request("orchard", search="random", seed=8)))
    run.advance(100)
    assert not run.exhausted
