"""Levels designed step by step: as the plain twin, on many boards as on one, for every game."""

from __future__ import annotations

from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

import levelsmith
from envs.alike import stepped
from envs.design_check import follow
from levelsmith.envs.design import DesignEnv, DesignVectorEnv
from levelsmith.errors import LevelsmithError

KINDS = ("narrow", "turtle", "wide")
CHECKED = """
import sys, warnings, gymnasium as gym, levelsmith
from gymnasium.utils.env_checker import check_env
from levelsmith.registry import games
warnings.simplefilter("error")
for game in games:
    for kind in ("narrow", "turtle", "wide"):
        for observation in ("tiles", "planes"):
            small = (2, 3) if game == "sokoban" else games.get(game).smallest
            env = gym.make(f"levelsmith/Design-{game}-{kind}-v0", size=small, observation=observation)
            check_env(env.unwrapped, skip_render_check=True)
            env.reset(seed=1)
            env.unwrapped.action_masks()
print("fine")
"""


MANY_TILES = """
from envs.alike import stepped
from envs.design_check import follow
for kind in ("narrow", "turtle", "wide"):
    follow("loderunner", kind, (6, 7), "playable", seeds=1)
    follow("sokoban", kind, (3, 4), "pushes", seeds=2)
print("fine")
"""

SOLVED = """
import levelsmith
from levelsmith.envs.design import DesignEnv
start = levelsmith.parse("######\\n#@ $.#\\n#    #\\n######", "sokoban")
env = DesignEnv("sokoban", "wide", start=start, objective="pushes", max_changes=2)
_, info = env.reset(seed=0)
assert info["level"] == start
assert info["valid"]
assert info["metrics"]["pushes"] == 1
assert info["score"] == 0.01
_, reward, *_, info = env.step(0 * 7 + 0)  # the player is gone
assert not info["valid"]
assert reward == -0.01
print("fine")
"""

BROKEN = """
from games.test_own import Hills
from levelsmith.envs.design import DesignEnv
from levelsmith.errors import LevelsmithError
from levelsmith.registry import games

class Broken(Hills):
    def measured(self, grid):
        raise ValueError("too hilly")

games.register("broken", Broken())
try:
    DesignEnv("broken", "wide").reset(seed=0)
except LevelsmithError as error:
    print(error)
"""


def test_gymnasium_finds_no_fault_in_any_game(python):
    assert python(CHECKED, LEVELSMITH_KERNELS="plain") == "fine\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_is_that_of_the_plain_twin(kind):
    follow("binary", kind, (5, 6), "path-length", seeds=5)


@pytest.mark.slow
def test_so_it_is_with_more_tiles_and_without_the_compiler(python):
    assert python(MANY_TILES, path=[Path(__file__).parents[1]], LEVELSMITH_KERNELS="plain") == "fine\n"


@pytest.mark.parametrize("design", [*(f"binary-{kind}" for kind in KINDS), "sokoban-narrow"])
def test_many_boards_do_what_each_does_alone(design):
    options = {"size": (5, 6), "max_steps": 17, "observation": "planes"}
    name = f"levelsmith/Design-{design}-v0"
    boards = gym.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point", **options)
    alone = [gym.make(name, **options) for _ in range(3)]
    views, infos = boards.reset(seed=8)
    seen = [env.reset(seed=8 + i) for i, env in enumerate(alone)]
    over = [False] * 3
    rng = np.random.default_rng(5)
    for _ in range(40):
        assert np.array_equal(views, [view for view, _ in seen])
        assert infos["score"].tolist() == [info["score"] for _, info in seen]
        assert np.array_equal(boards.action_masks(), [env.unwrapped.action_masks() for env in alone])
        actions = rng.integers(0, boards.single_action_space.n, 3)
        views, infos, seen = stepped(boards, alone, over, actions)


def test_an_episode_ends_with_its_changes_and_keeps_what_is_locked():
    start = levelsmith.parse("^.^.^.\n......\n......\n......\n......\n......", "orchard")
    env = DesignEnv("orchard", "wide", start=start, lock="tree", max_changes=3, objective="spaced")
    _, info = env.reset(seed=0)
    assert info["level"] == start
    assert not env.action_masks()[0:12:2].any()
    for step in range(1, 4):
        action = int(np.flatnonzero(env.action_masks())[-1])
        _, _, terminated, _, info = env.step(action)
        assert info["changes"] == step
        assert terminated == (step == 3)


def test_a_board_of_sokoban_that_is_a_level_is_measured_with_its_solution(python):
    """Compiled, tests/games/test_sokoban_grids.py looks at that."""
    assert python(SOLVED, LEVELSMITH_KERNELS="plain") == "fine\n"


def test_what_a_game_in_python_raises_is_told(python):
    said = python(BROKEN, path=[Path(__file__).parents[1]], LEVELSMITH_KERNELS="plain")
    assert said.startswith("hills could not measure a level: ValueError: too hilly (line ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"objective": "pathlength"},
            "no objective of binary is called 'pathlength'; did you mean 'path-length'?",
        ),
        ({"fil": 0.3}, "no parameter of wide is called 'fil'; did you mean 'fill'?"),
        ({"fill": 2}, "expected a number from 0 to 1 for fill, got 2"),
        ({"max_changes": 0}, "expected a whole number from 1 to 2**63 - 1 for max_changes, got '0'"),
        ({"size": (1, 1)}, "expected a size from"),
        ({"observation": "x"}, "no observation is called 'x'"),
    ],
)
def test_a_mistake_is_told_in_one_line(options, words):
    with pytest.raises(LevelsmithError) as caught:
        DesignEnv("binary", "wide", **options)
    assert words in str(caught.value)


def test_boards_are_drawn_as_they_stand():
    env = DesignEnv("binary", "narrow", size=(5, 6), render_mode="ansi")
    boards = DesignVectorEnv("binary", "narrow", 2, size=(5, 6), render_mode="rgb_array", scale=4)
    for each in (env, boards):
        with pytest.raises(LevelsmithError, match="call reset first"):
            each.render()
        each.reset(seed=0)
    _, *_, info = env.step(0)
    assert env.render() == info["level"].text
    assert [picture.shape for picture in boards.render()] == [(20, 24, 3)] * 2


def test_an_action_that_is_none_is_refused():
    env = DesignEnv("binary", "narrow", size=(5, 6))
    with pytest.raises(LevelsmithError, match="call reset first"):
        env.step(0)
    env.reset(seed=0)
    with pytest.raises(LevelsmithError, match="expected an action from 0 to 1, got '2'"):
        env.step(2)
