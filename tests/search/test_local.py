"""Hill climbing keeps what is no worse, or takes the best neighbour; annealing is its slow twin."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith.kernels.maths import exp, power
from levelsmith.kernels.problem import board, initial, mutate, pack, unpack
from levelsmith.kernels.random import seeded, unit
from levelsmith.kernels.score import score
from levelsmith.making.build import build_problem, start_run
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request
from levelsmith.search.kernels.counts import EVALUATIONS, RESTARTS, STALE
from levelsmith.search.kernels.run import BEST, CURRENT


def climbing(**arguments):
    return start_run(plan(Request("orchard", seed=2, evaluations=1, **arguments)))


def different(row, other):
    """The number of cells in which two packed states differ."""
    return sum((int(a) ^ int(b)).bit_count() for a, b in zip(row, other, strict=True))


def test_it_mutates_one_cell_at_a_time_and_never_accepts_a_worse_one():
    run = climbing(size=(10, 10), set={"share": 0.5})
    run.advance(1)
    before, score = run.run.states[CURRENT].copy(), run.run.scores[CURRENT]
    accepted = 0
    for _ in range(300):
        run.advance(1)
        now = run.run.scores[CURRENT]
        assert now >= score
        changed = different(before, run.run.states[CURRENT])
        assert changed in (0, 1)
        accepted += changed
        before, score = run.run.states[CURRENT].copy(), now
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


@pytest.mark.parametrize("search", ["hc", "sa"])
def test_a_rate_changes_that_share_of_the_cells_on_average(search):
    run = start_run(plan(Request("binary", search=search, set={"rate": 0.07, "goal": 74}, seed=1)))
    run.advance(1)
    changed = []
    for _ in range(500):
        before = run.run.states[CURRENT].copy()
        run.run.scores[BEST] = -np.inf  # so that whatever comes next is the best
        run.advance(1)
        changed.append(different(before, run.run.states[BEST]))
    assert 6.4 < np.mean(changed) < 7.6  # of 100 cells; the deviation of a mean of 500 is 0.11
    assert 1.9 < np.std(changed) < 3.2  # sqrt(100 · 0.07 · 0.93) is 2.55


def flipped(grid, cell):
    """The map, as bytes, with another tile in one cell."""
    return grid[:cell] + bytes([1 - grid[cell]]) + grid[cell + 1 :]


def walked(states, patience, plateaus):
    """What steepest climbing did, told from all that it met: restarts, and which of several best it took."""
    here, rest, stale, restarts, taken = states[0], states[1:], 0, 0, []
    while len(rest) >= 100:
        looked_at, rest = rest[:100], rest[100:]
        assert [grid for _, grid in looked_at] == [flipped(here[1], cell) for cell in range(100)]
        best = max(score for score, _ in looked_at)
        stuck = best < here[0] or (best == here[0] and not plateaus)
        stale = patience if stuck else 0 if best > here[0] else stale + 100
        if not rest or (stuck and patience == 0):
            break
        if 0 < patience <= stale:
            here, stale, restarts = rest.pop(0), 0, restarts + 1
            continue
        here = best, flipped(rest[0][1], 0)  # the first neighbour of a map has another first cell
        assert here in looked_at
        taken.append([state for state in looked_at if state[0] == best].index(here))
    return restarts, taken, rest


@pytest.mark.parametrize("patience", [0, 1, 250])
@pytest.mark.parametrize("plateaus", [False, True])
def test_steepest_looks_at_every_neighbour_and_takes_one_of_the_best(patience, plateaus, met):
    values = {"steepest": True, "patience": patience, "plateaus": plateaus}
    run = start_run(plan(Request("binary", objective="path-length", set={"goal": 74, **values}, seed=2)))
    states = met(run, 3000)
    restarts, taken, rest = walked(states, patience, plateaus)
    assert run.statistics() == {"restarts": restarts}
    assert (restarts > 0) == (patience > 0)
    assert run.exhausted == (patience == 0 and not plateaus)  # at a map that no neighbour beats
    assert rest == [] or not run.exhausted
    assert 0 in taken
    assert max(taken) > 0


def test_steepest_climbing_that_never_restarts_ends_where_no_change_helps():
    values = {"steepest": True, "plateaus": False, "patience": 0, "goal": 74}
    result = levelsmith.generate("binary", objective="path-length", set=values, seed=2)
    assert result.stopped == "exhausted"
    assert result.evaluations % 100 == 1
    grids = np.repeat(result.best.grid[None], 100, axis=0)
    grids.reshape(100, 100)[range(100), range(100)] ^= 1
    assert games.get("binary").measure(grids)[:, 1].max() <= levelsmith.measure(result.best)["path"]


def annealed(problem, seed, evaluations, temperature, cooling, floor, rate):
    """A slow twin of simulated annealing: the scores it meets, in order."""
    rep, words = problem.representation, seeded(seed)
    scores, current, row = [], None, np.zeros(problem.representation.words, np.uint64)
    for i in range(evaluations):
        state = initial(rep, words) if i == 0 else mutate(rep, unpack(rep, row), rate, words)
        value = score(problem.game, problem.objective, board(rep, state).value)
        scores.append(value)
        now = max(floor, temperature * power(cooling, float(i)))
        if i == 0 or value >= current or unit(words) < exp((value - current) / now):
            current = value
            pack(rep, state, row)
    return scores


@pytest.mark.first(2)
@pytest.mark.parametrize(
    "values",
    [
        {},
        {"rate": 0.03},
        {"temperature": 10.0, "cooling": 0.99},
        {"temperature": 0.2, "cooling": 0.9, "floor": 1e-6, "rate": 0.05},
        {"temperature": 1e-9, "floor": 1e-9},
    ],
)
def test_annealing_is_its_slow_twin(values, met):
    task = plan(Request("binary", search="sa", objective="path-length", set={**values, "goal": 74}, seed=1))
    with np.errstate(over="ignore"):
        scores = annealed(build_problem(task), task.sequence, 300, **task.values["sa"])
    assert [score for score, _ in met(start_run(task), 300)] == scores


def test_annealing_solves_what_the_papers_ask_for():
    for objective in ("empty-tiles", "path-length", "connectivity"):
        result = levelsmith.generate("binary", search="sa", objective=objective, seed=0, count=10)
        assert result.solved, objective
