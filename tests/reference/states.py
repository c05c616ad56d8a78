"""What the slow twins of searches share: a state as a row, what there is to see of it, a shuffled list."""

from __future__ import annotations

import numpy as np

from levelsmith.kernels.problem import board, pack
from levelsmith.kernels.random import below
from levelsmith.kernels.score import score


def packed(rep, state):
    row = np.zeros(rep.words, np.uint64)
    pack(rep, state, row)
    return row


def seen(problem, state):
    """The score of a state and its grid as bytes."""
    cells = board(problem.representation, state).value
    return score(problem.game, problem.objective, cells), problem.grid(cells).tobytes()


def shuffle(things, words):
    """Fisher and Yates, from the end."""
    for i in reversed(range(1, len(things))):
        j = below(words, i + 1)
        things[i], things[j] = things[j], things[i]
