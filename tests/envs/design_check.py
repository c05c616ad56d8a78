"""Compares episodes of design, step by step, with the plain twin; also run without the compiler."""

from __future__ import annotations

import numpy as np

from levelsmith.core import settle
from levelsmith.envs.design import DesignEnv
from levelsmith.games.sokoban import SOLUTION_METRICS
from levelsmith.registry import games
from levelsmith.representations.kernels.grid import DOWN, LEFT, RIGHT, UP
from reference.design import Design
from reference.score import score

STEPS = {UP: (-1, 0), DOWN: (1, 0), LEFT: (0, -1), RIGHT: (0, 1)}


def follow(name, kind, size, objective, seeds):
    """Random actions until the end, for each seed."""
    game, (height, width) = games.get(name), size
    wanted = game.objectives[objective]
    terms = wanted.terms(size, settle(objective, wanted.parameters, {}))
    env = DesignEnv(name, kind, size=size, objective=objective)
    around = getattr(game, "border", 0)
    inside = np.s_[around : around + height, around : around + width]
    rng = np.random.default_rng(4)
    for seed in range(seeds):
        view, info = env.reset(seed=seed)
        designs = env.workshop.designs
        order = [divmod(int(cell), width) for cell in designs.orders[0]]
        cursor = divmod(int(designs.states[0, -2]), width)
        plain = Design(kind, info["level"].grid[inside], game.tiles.kinds, order, cursor)
        value = info["score"]
        taken, over = 0, False
        while not over:
            assert np.array_equal(view, [plain.grid, plain.place()])
            assert np.array_equal(info["level"].grid[inside], plain.grid)
            measured = dict(zip(game.metrics, game.measure(info["level"].grid[None])[0], strict=True))
            if name == "sokoban" and info["valid"]:
                measured |= {metric: info["metrics"][metric] for metric in SOLUTION_METRICS}
            assert info["metrics"] == measured
            assert info["score"] == score(terms, info["metrics"])
            mask = env.action_masks()
            assert mask.tolist() == [bool(plain.open(a, STEPS)) for a in range(len(mask))]
            action = int(rng.integers(len(mask)))
            plain.act(action, STEPS)
            view, reward, terminated, truncated, info = env.step(action)
            assert reward == info["score"] - value
            assert info["changes"] == plain.changes
            value = info["score"]
            taken, over = taken + 1, terminated or truncated
        last = {
            "narrow": taken == height * width,
            "turtle": False,
            "wide": plain.changes == height * width,
        }
        assert terminated == ((wanted.goal and value >= 1) or last[kind])
        assert truncated == (not terminated)
        assert terminated or taken == 4 * height * width
