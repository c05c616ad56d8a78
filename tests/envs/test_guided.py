"""An object of levelsmith.curricula gives an environment its levels, and hears of every episode."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

import levelsmith
from levelsmith.curricula import PrioritizedReplay, Uniform
from levelsmith.errors import LevelsmithError

TEXTS = ("#######\n#@$.  #\n#     #\n#######", "#######\n#  @$.#\n#     #\n#######")
LEVELS = [levelsmith.parse(text, game="sokoban") for text in TEXTS]
FREE = {"step": 0.0}


def test_a_curriculum_gives_the_levels_and_is_told_how_they_ended():
    heard = []

    class Listening(Uniform):
        def _heard(self, episodes):
            heard.extend(episodes)

    levels = [levelsmith.Level(each.game, each.tiles, each.grid, solution="R") for each in LEVELS]
    curriculum = Listening(levels, seed=3)
    env = gym.make("levelsmith/Sokoban-v0", curriculum=curriculum, max_steps=2, rewards=FREE)
    for action, solved, steps in ((3, True, 1), (2, False, 2)):
        _, info = env.reset(seed=0)
        for _ in range(steps):
            *_, told = env.step(action)
        assert (heard[-1].level, heard[-1].solved, heard[-1].steps) == (info["level"], solved, steps)
        assert heard[-1].reward == told["return"]
        assert heard[-1].regret == told["regret"] == (0.0 if solved else 11.0)
    assert curriculum.statistics == {"sampled": 2, "new": 2, "episodes": 2, "solved": 1}


def test_a_vector_plays_what_a_curriculum_replays():
    levels = [levelsmith.Level(each.game, each.tiles, each.grid, solution="R") for each in LEVELS]
    curriculum = PrioritizedReplay(levels, buffer=2, fill=0.5, replay=1.0, staleness=0.0)
    boards = gym.make_vec(
        "levelsmith/Sokoban-v0",
        num_envs=2,
        vectorization_mode="vector_entry_point",
        curriculum=curriculum,
        rewards=FREE,
        max_steps=3,
    )
    boards.reset(seed=1)
    for _ in range(12):
        boards.step(np.array([3, 2]))
    counted = curriculum.statistics
    assert counted["buffer"] == 2
    assert counted["replayed"] > 0
    assert counted["episodes"] >= 7
    assert counted["sampled"] == counted["new"] + counted["replayed"]


def test_what_a_curriculum_decides_cannot_be_asked_for_beside_it():
    with pytest.raises(
        LevelsmithError, match="come from the curriculum alone: leave out count, or curriculum"
    ):
        gym.make("levelsmith/Sokoban-v0", curriculum=Uniform(LEVELS), count=3)
    with pytest.raises(LevelsmithError, match=r"or an object of levelsmith\.curricula"):
        gym.make("levelsmith/Sokoban-v0", curriculum=3)
