"""A game of one's own whose rules play move by move is an environment like the others."""

from __future__ import annotations

import pickle
from collections import deque

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import levelsmith.envs
from envs.alike import stepped
from levelsmith.core import Objective, Term, Tile, Tiles
from levelsmith.envs.play import PlayEnv, PlayVectorEnv
from levelsmith.errors import LevelsmithError
from levelsmith.plugin import SolvableGame
from levelsmith.registry import games

STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
FLOOR, WALL, HERO, EXIT = range(4)


def way_out(size, values):
    one = [Term(name, "ramp", low=1, high=1, end=9) for name in ("heroes", "exits")]
    return [*one, Term("steps", "ramp", low=2)]


class Slide(SolvableGame):
    """The hero slides on ice until something is in the way; it wins where it comes to rest on the exit."""

    name = "slide"
    tiles = Tiles(Tile("floor", "."), Tile("wall", "#"), Tile("hero", "@"), Tile("exit", "X"))
    metrics = {"heroes": "", "exits": "", "steps": ""}  # noqa: RUF012
    objectives = {"out": Objective("out", "a way out", way_out)}  # noqa: RUF012
    default_size = (3, 3)
    walker = "hero"
    letters = "udlr"

    def check_start(self, level):
        if (level.grid == HERO).sum() != 1:
            raise LevelsmithError("expected one hero")

    def begun(self, grid):
        [hero] = map(tuple, np.argwhere(grid == HERO).tolist())
        return np.where(grid == HERO, FLOOR, grid), hero

    def moved(self, position, letter):
        ground, (y, x) = position
        (down, right), (y2, x2) = STEPS[letter], (y, x)
        while True:
            y3, x3 = y2 + down, x2 + right
            if not (0 <= y3 < ground.shape[0] and 0 <= x3 < ground.shape[1]) or ground[y3, x3] == WALL:
                break
            y2, x2 = y3, x3
        return None if (y2, x2) == (y, x) else (ground, (y2, x2))

    def is_solved(self, position):
        ground, hero = position
        return ground[hero] == EXIT

    def drawn(self, position):
        grid = position[0].copy()
        grid[position[1]] = HERO
        return grid

    def played(self, grid, moves):
        position = self.begun(grid)
        frames = [grid]
        for letter in moves:
            position = self.moved(position, letter)
            frames.append(self.drawn(position))
        if not self.is_solved(position):
            raise LevelsmithError("not out")
        return frames

    def solution(self, grid):
        if (grid == HERO).sum() != 1:
            return None
        begun = self.begun(grid)
        waiting, seen = deque([(begun, "")]), {begun[1]}
        while waiting:
            position, way = waiting.popleft()
            if self.is_solved(position):
                return way
            for letter in self.letters:
                after = self.moved(position, letter)
                if after is not None and after[1] not in seen:
                    seen.add(after[1])
                    waiting.append((after, way + letter))
        return None

    def measured(self, grid):
        way = self.solution(grid) or ""
        return {"heroes": (grid == HERO).sum(), "exits": (grid == EXIT).sum(), "steps": len(way)}


LEVELS = ["@..\n.#.\n..X", "@.#\n..#\nX..", "..@.\nX..#"]
FRESH = """
import levelsmith
from envs.test_by_moves import Slide
from levelsmith.envs.play import PlayEnv
from levelsmith.registry import games
games.register("slide", Slide())
env = PlayEnv("slide", search="hc", evaluations=3000)
for number in range(3):
    _, info = env.reset(seed=None if number else 1)
    again = levelsmith.generate("slide", search="hc", evaluations=3000, seed=1, skip=number)
    assert info["level"] == again.best
    for letter in info["solution"]:
        *_, terminated, _, told = env.step("udlr".index(letter))
    assert terminated and told["solved"] and told["regret"] == 0, told
    assert info["optimal"] == len(info["solution"])
print("fine")
"""


@pytest.fixture
def slide(entered):
    return entered(games, "slide", Slide())


@pytest.mark.parametrize("observation", ["tiles", "planes"])
def test_gymnasium_finds_no_fault(slide, observation):
    levelsmith.envs.register()
    env = gym.make("levelsmith/Slide-v0", levels=LEVELS, observation=observation, render_mode="rgb_array")
    check_env(env.unwrapped)


def test_it_moves_as_the_rules_say(slide):
    env = PlayEnv("slide", levels=LEVELS[0], render_mode="ansi", exact=True)
    view, info = env.reset(seed=0)
    assert view.tolist() == info["level"].grid.tolist()
    assert info["optimal"] == 2
    assert env.action_masks().tolist() == [False, True, False, True]
    view, reward, terminated, *_ = env.step(3)
    assert env.render() == "..@\n.#.\n..X"
    assert (reward, terminated) == (-0.1, False)
    _, reward, terminated, _, told = env.step(1)
    assert (reward, terminated) == (9.9, True)
    assert (told["regret"], told["steps"]) == (0.0, 2)
    env.reset()
    env.step(0)  # blocked
    for action in (3, 1):
        *_, told = env.step(action)
    assert told["regret"] == 0.1


@pytest.mark.parametrize("observation", ["tiles", "planes"])
def test_many_boards_do_what_each_does_alone(slide, observation):
    options = {"levels": LEVELS, "max_steps": 6, "observation": observation}
    boards, alone = PlayVectorEnv("slide", 3, **options), [PlayEnv("slide", **options) for _ in range(3)]
    views, _ = boards.reset(seed=5)
    seen = [env.reset(seed=5 + i) for i, env in enumerate(alone)]
    over = [False] * 3
    rng = np.random.default_rng(3)
    for _ in range(40):
        assert np.array_equal(views, [view for view, _ in seen])
        if not any(over):
            assert np.array_equal(boards.action_masks(), [env.action_masks() for env in alone])
        views, _, seen = stepped(boards, alone, over, rng.integers(0, 4, 3))
    copied = pickle.loads(pickle.dumps(boards))
    actions = rng.integers(0, 4, 3)
    assert np.array_equal(copied.step(actions)[0], boards.step(actions)[0])


def test_new_levels_are_made_as_they_are_needed(python):
    from pathlib import Path

    assert python(FRESH, path=[Path(__file__).parents[1]], LEVELSMITH_KERNELS="plain") == "fine\n"


def test_a_game_without_such_rules_is_refused_by_name(entered):
    from games.test_own import Hills

    entered(games, "hills", Hills())
    with pytest.raises(LevelsmithError, match="no game to play is called 'hills'"):
        PlayEnv("hills")
