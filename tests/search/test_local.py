"""Hill climbing keeps what is no worse and restarts when stuck; annealing does what its slow twin does."""

from __future__ import annotations

import math

import numpy as np
import pytest

import levelsmith
from levelsmith.kernels.problem import board, initial, mutate, pack, unpack
from levelsmith.kernels.random import seeded, unit
from levelsmith.kernels.score import score
from levelsmith.registry import games
from levelsmith.search.kernels import CURRENT, EVALUATIONS, RESTARTS, STALE
from levelsmith.search.task import plan


def climbing(**arguments):
    return plan("orchard", seed=2, evaluations=1, **arguments).start()


def test_it_mutates_one_cell_at_a_time_and_never_accepts_a_worse_one():
    run = climbing(size=(10, 10), set={"share": 0.5})
    run.advance(1)
    before, score = run.run.rows[CURRENT].copy(), run.run.scores[CURRENT]
    accepted = 0
    for _ in range(300):
        run.advance(1)
        now = run.run.scores[CURRENT]
        assert now >= score
        changed = sum(
            (int(a) ^ int(b)).bit_count() for a, b in zip(before, run.run.rows[CURRENT], strict=True)
        )
        assert changed in (0, 1)
        accepted += changed
        before, score = run.run.rows[CURRENT].copy(), now
    assert 0 < accepted < 300


def test_it_restarts_after_so_many_tries_without_a_gain():
    run = climbing(size=(16, 16), set={"share": 0.5, "patience": 3})
    gains, stale, restarts = run.run.scores, 0, 0
    run.advance(1)
    for _ in range(500):
        before = gains[CURRENT]
        run.advance(1)
        if stale == 3:
            restarts, stale = restarts + 1, 0
        else:
            stale = 0 if gains[CURRENT] > before else stale + 1
        assert run.run.counts[RESTARTS] == restarts
        assert run.run.counts[STALE] == stale
    assert restarts > 20
    assert run.statistics() == {"restarts": restarts}
    assert run.evaluations == run.run.counts[EVALUATIONS] == 501


def test_a_restart_does_not_forget_the_best():
    run = climbing(size=(16, 16), set={"share": 0.5, "patience": 1})
    best = -np.inf
    for _ in range(400):
        run.advance(1)
        best = max(best, run.run.scores[CURRENT])
        assert run.score == best


@pytest.mark.parametrize("size", [(6, 6), (12, 12), (16, 16)])
def test_it_beats_chance(size):
    chosen = {"size": size, "evaluations": 2000, "set": {"share": 0.5}, "seed": 1}
    climbed = levelsmith.generate("orchard", search="hc", **chosen)
    assert climbed.score > levelsmith.generate("orchard", search="random", **chosen).score + 0.05


def annealed(problem, seed, evaluations, start, cooling, floor, rate):
    """A slow twin of simulated annealing: the scores it meets, in order."""
    rep, words = problem.representation, seeded(seed)
    scores, current, row = [], None, np.zeros(problem.representation.row, np.uint64)
    for i in range(evaluations):
        state = initial(rep, words) if i == 0 else mutate(rep, unpack(rep, row), rate, words)
        value = score(problem.game, problem.objective, board(rep, state).value)
        scores.append(value)
        temperature = max(floor, start * cooling**i)
        if i == 0 or value >= current or unit(words) < math.exp((value - current) / temperature):
            current = value
            pack(rep, state, row)
    return scores


@pytest.mark.parametrize("values", [{}, {"start": 10.0, "cooling": 0.99}, {"start": 1e-9, "floor": 1e-9}])
def test_annealing_is_its_slow_twin(values):
    task = plan("binary", search="sa", objective="path-length", set={**values, "goal": 74}, seed=4)
    run = task.start()
    while run.evaluations < 300:
        run.advance(300 - run.evaluations)
    with np.errstate(over="ignore"):
        scores = annealed(task.problem(games.get("binary")), task.sequence, 300, **task.values["sa"])
    assert run.score == max(scores)


def test_annealing_solves_what_the_papers_ask_for():
    for objective in ("empty-tiles", "path-length", "connectivity"):
        result = levelsmith.generate("binary", search="sa", objective=objective, seed=0, count=10)
        assert result.solved, objective
