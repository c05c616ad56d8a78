"""A slow twin of the frontier searches: a list of states that wait, and a set of those seen."""

from __future__ import annotations

import numpy as np

from levelsmith.kernels.bits import to_members
from levelsmith.kernels.problem import apply, board, done, initial, legal, unpack
from levelsmith.kernels.random import seeded
from levelsmith.kernels.score import score
from reference.states import packed, shuffle


def search(problem, seed, mode, evaluations, weight=0.0, last_first=False, shuffled=False):
    """What happens in so many evaluations: scores in order, duplicates, the deepest state."""
    rep, words = problem.representation, seeded(seed)
    scores, duplicates, deepest = [], 0, 0
    seen, waiting = set(), []

    def meet(state):
        nonlocal deepest
        value = score(problem.game, problem.objective, board(rep, state).value)
        depth = int(state.depth)
        deepest = max(deepest, depth)
        key = weight * depth + (1.0 - value) if mode == "best" else 0.0
        waiting.append((key, -len(scores) if last_first else len(scores), packed(rep, state)))
        scores.append(value)

    root = initial(rep, words)
    seen.add(packed(rep, root)[:-1].tobytes())
    meet(root)
    while waiting and len(scores) < evaluations and max(scores) < 1:
        place = {"bfs": 0, "dfs": len(waiting) - 1}.get(mode)
        if place is None:
            place = min(range(len(waiting)), key=lambda i: waiting[i][:2])
        row = waiting.pop(place)[2]
        state = unpack(rep, row)
        if done(rep, state):
            continue
        before = len(waiting)
        actions = to_members(legal(rep, state).value)
        if shuffled:
            shuffle(actions, words)
        rows = [packed(rep, apply(rep, unpack(rep, row), np.int64(action))) for action in actions]
        unmet = [child for child in rows if child[:-1].tobytes() not in seen]
        duplicates += len(rows) - len(unmet)
        for child in unmet:
            if len(scores) >= evaluations or max(scores) >= 1:
                break
            seen.add(child[:-1].tobytes())
            meet(unpack(rep, child))
        if mode == "dfs":  # the first child is expanded first
            waiting[before:] = reversed(waiting[before:])
    return scores, duplicates, deepest
