"""An environment can be set back, copied, pickled, forked, sent to other processes and named in JSON."""

from __future__ import annotations

import copy
import pickle

import gymnasium as gym
import numpy as np
import pytest

import levelsmith
from levelsmith.curricula import Fresh, PrioritizedReplay, Uniform
from levelsmith.envs.design import DesignEnv, DesignVectorEnv
from levelsmith.envs.play import PlayEnv, PlayVectorEnv
from levelsmith.errors import LevelsmithError

SMALL = {"size": (5, 5), "boxes": 2, "pushes": (2, 12), "optimal": False}
PACK = [levelsmith.parse(text, "sokoban") for text in ("#####\n#@$.#\n#####", "######\n#@ $.#\n######")]
ROOMS = Fresh("sokoban", size=(5, 5), search="carve", set={"boxes": 1, "optimal": False})
MADE = {
    "fresh": lambda: PlayEnv("sokoban", **SMALL, max_steps=9),
    "set": lambda: PlayEnv("sokoban", levels=PACK, max_steps=9),
    "runner": lambda: PlayEnv("loderunner", levels="loderunner:corpus", max_steps=9),
    "guided": lambda: PlayEnv(
        "sokoban", curriculum=PrioritizedReplay(ROOMS, buffer=4, seed=2), exact=True, max_steps=25
    ),
    "chosen": lambda: PlayEnv("sokoban", curriculum=Uniform(PACK, seed=2), max_steps=9),
    "stages": lambda: PlayEnv("sokoban", levels=PACK * 10, curriculum=True, max_steps=3),
    "design": lambda: DesignEnv("binary", "turtle", size=(5, 6), max_steps=9),
}
VECTORS = {
    "fresh": lambda mode: PlayVectorEnv("sokoban", 3, **SMALL, max_steps=9, autoreset_mode=mode),
    "design": lambda mode: DesignVectorEnv(
        "binary", "narrow", 3, size=(5, 6), max_steps=9, autoreset_mode=mode
    ),
}


def played(env, steps, rng):
    """What an environment shows for a while under random actions, with all that it tells."""
    seen = []
    for _ in range(steps):
        view, *told, info = env.step(int(rng.integers(env.action_space.n)))
        seen.append((view.tolist(), told, sorted(info)))
        if told[1] or told[2]:
            view, info = env.reset()
            seen.append((view.tolist(), info["level"].text))
    return seen


COPIES = {
    "state": lambda env, made: set_in(env, made),
    "pickle": lambda env, made: pickle.loads(pickle.dumps(env)),
    "deepcopy": lambda env, made: copy.deepcopy(env),
}


def set_in(env, made):
    other = made()
    other.set_state(pickle.loads(pickle.dumps(env.get_state())))
    return other


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("kind", MADE)
def test_a_copy_goes_on_as_the_environment_does(kind, way):
    env = MADE[kind]()
    env.reset(seed=2)
    played(env, 13, np.random.default_rng(0))
    other = COPIES[way](env, MADE[kind])
    assert played(env, 40, np.random.default_rng(1)) == played(other, 40, np.random.default_rng(1))
    env.close()
    other.close()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("kind", VECTORS)
def test_so_does_a_copy_of_many_boards(kind, way, mode):
    env = VECTORS[kind](mode)
    env.reset(seed=2)
    rng = np.random.default_rng(0)
    for _ in range(9):  # one board at least has just ended
        env.step(rng.integers(0, env.single_action_space.n, 3))
    other = COPIES[way](env, lambda: VECTORS[kind](mode))
    for _ in range(25):
        actions = rng.integers(0, env.single_action_space.n, 3)
        one, two = env.step(actions), other.step(actions)
        for mine, others in zip(one[:4], two[:4], strict=True):
            assert np.array_equal(mine, others)
        assert sorted(one[4]) == sorted(two[4])
    env.close()
    other.close()


def test_a_state_can_be_set_again_and_again():
    env = MADE["fresh"]()
    env.reset(seed=1)
    state = env.get_state()
    assert played(env, 30, np.random.default_rng(1)) == [*replayed(env, state)]
    other = PlayEnv("sokoban", levels=PACK)
    with pytest.raises(LevelsmithError, match="expected a state of 1 boards of 6x3, got one of 1 of 7x7"):
        other.set_state(state)
    env.close()


def replayed(env, state):
    env.set_state(state)
    return played(env, 30, np.random.default_rng(1))


FORKED = """
import os, signal, sys
from levelsmith.envs.play import PlayEnv
env = PlayEnv("sokoban", size=(5, 5), boxes=2, pushes=(2, 12), optimal=False)
env.reset(seed=4)
child = os.fork()
signal.alarm(60)
texts = [env.reset()[1]["level"].text for _ in range(30)]
open(sys.argv[1] + ("-child" if child == 0 else "-parent"), "w").write("\\n\\n".join(texts))
if child == 0:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
env.close()
"""


def test_a_fork_makes_its_own_levels_ahead(python, tmp_path):
    python(FORKED, str(tmp_path / "levels"), fresh=True)
    parent, child = ((tmp_path / f"levels-{name}").read_text() for name in ("parent", "child"))
    assert parent == child
    assert len(set(parent.split("\n\n"))) == 30


def test_a_closed_environment_begins_again():
    env = MADE["fresh"]()
    first = env.reset(seed=1)[1]["level"]
    env.close()
    assert env.reset(seed=1)[1]["level"] == first
    env.close()


def test_a_spec_survives_json():
    options = {**SMALL, "rewards": {"step": -0.5}, "max_steps": 5, "observation": "planes"}
    env = gym.make("levelsmith/Sokoban-v0", **options)
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    views = [each.reset(seed=3)[0] for each in (env, again)]
    assert np.array_equal(*views)
    design = gym.make("levelsmith/Design-binary-narrow-v0", size=(5, 6), targets={"path": (3, 9)})
    again = gym.make(gym.envs.registration.EnvSpec.from_json(design.spec.to_json()))
    assert np.array_equal(design.reset(seed=3)[0], again.reset(seed=3)[0])
    text = gym.make("levelsmith/Sokoban-v0", levels=[PACK[0].text])
    again = gym.make(gym.envs.registration.EnvSpec.from_json(text.spec.to_json()))
    assert again.reset(seed=0)[1]["level"] == PACK[0]
    env.close()


def test_sizes_and_numbers_of_numpy_are_numbers():
    env = PlayEnv("sokoban", **{**SMALL, "size": np.array([5, 5])}, max_steps=np.int64(2))
    env.reset(seed=np.int64(1))
    env.step(np.int64(0))
    assert env.step(0)[3]
    env.close()
    boards = DesignVectorEnv("binary", "wide", np.int64(2), size=[5, 6], max_changes=np.int32(3))
    assert boards.reset(seed=np.uint8(1))[0].shape == (2, 2, 5, 6)


def test_gymnasium_runs_them_in_processes_of_their_own():
    options = {**SMALL, "max_steps": 5}
    apart = gym.make_vec("levelsmith/Sokoban-v0", num_envs=2, vectorization_mode="async", **options)
    ours = PlayVectorEnv("sokoban", 2, **options)
    assert np.array_equal(apart.reset(seed=4)[0], ours.reset(seed=4)[0])
    for action in range(12):
        views, *_ = apart.step(np.full(2, action % 4))
        assert np.array_equal(views, ours.step(np.full(2, action % 4))[0])
    apart.close()
    ours.close()
