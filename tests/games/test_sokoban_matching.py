"""The assignment behind the solver's bound is the cheapest, made in full and mended for one box."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.solver.kernels.matching import BEYOND, BOX_NOW, TAKEN_NOW, assign, total


class SolverWorkspace(NamedTuple):
    at: NDArray[np.int32]
    cost: NDArray[np.int32]
    match: NDArray[np.int32]
    held: NDArray[np.uint8]


def changed(row, draw):
    """Other ways of one box; a goal that it cannot reach stays out of reach."""
    return np.where(row == BEYOND, BEYOND, np.maximum(0, row + draw.integers(-2, 3, len(row))))


def test_an_assignment_is_the_cheapest_at_first_and_after_a_push():
    from scipy.optimize import linear_sum_assignment  # only here, as it takes long to import

    draw = np.random.default_rng(0)
    reached = 0
    for case in range(300):
        number = int(draw.integers(1, 9))
        cost = draw.integers(0, (4, 15, 60)[case % 3], (number, number)).astype(np.int32)
        cost[draw.random(cost.shape) < 0.25 * (case % 2)] = BEYOND
        match, held = np.zeros((8, number + 1), np.int32), np.zeros(number + 1, np.uint8)
        workspace = SolverWorkspace(np.zeros(number, np.int32), cost, match, held)
        for box in range(number):
            assign(workspace, box)
        for _ in range(4):
            cheapest = cost[linear_sum_assignment(cost)].sum()
            assert total(workspace) == (cheapest if cheapest < BEYOND else -1)
            reached += cheapest < BEYOND
            box = int(draw.integers(number))
            cost[box] = changed(cost[box], draw)
            match[BOX_NOW, box] = 0
            match[TAKEN_NOW][match[TAKEN_NOW] == box + 1] = 0
            assign(workspace, box)
    assert 600 < reached < 1200
