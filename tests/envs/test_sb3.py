"""Stable-Baselines3 trains on a vector of ours; observations are tensors over the same memory."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith.envs.play import PlayEnv, PlayVectorEnv
from levelsmith.errors import LevelsmithError

LEVELS = ["#####\n#@$.#\n#####", "######\n#@ $.#\n######"]


def test_a_vec_env_does_what_single_environments_do():
    pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 is not installed")
    from levelsmith.envs.sb3 import vec_env

    env = vec_env("Sokoban", 3, seed=4, levels=LEVELS, max_steps=4)
    alone = [PlayEnv("sokoban", levels=LEVELS, max_steps=4) for _ in range(3)]
    views = env.reset()
    seen = [each.reset(seed=4 + i) for i, each in enumerate(alone)]
    assert [info["index"] for info in env.reset_infos] == [info["index"] for _, info in seen]
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(40):
        assert np.array_equal(views, [view for view, _ in seen])
        actions = rng.integers(0, 4, 3)
        assert np.array_equal(env.env_method("action_masks"), [each.action_masks() for each in alone])
        views, rewards, done, infos = env.step(actions)
        for i, each in enumerate(alone):
            view, reward, terminated, truncated, info = each.step(int(actions[i]))
            assert rewards[i] == pytest.approx(reward)
            assert done[i] == (terminated or truncated)
            if done[i]:
                ends += 1
                assert np.array_equal(infos[i]["terminal_observation"], view)
                assert infos[i]["TimeLimit.truncated"] == truncated
                assert infos[i]["episode"]["r"] == pytest.approx(info["return"])
                assert (infos[i]["episode"]["l"], infos[i]["solved"]) == (info["steps"], info["solved"])
                view, _ = each.reset()
            seen[i] = view, {}
    assert ends > 20
    env.close()


def test_an_agent_learns_on_it():
    stable_baselines3 = pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 is not installed")
    from levelsmith.envs.sb3 import vec_env

    env = vec_env("Sokoban", 8, seed=0, levels=LEVELS[0], max_steps=5, observation="planes")
    model = stable_baselines3.PPO("MlpPolicy", env, n_steps=32, batch_size=64, seed=0, device="cpu")
    model.learn(2_048)
    view = env.reset()
    action, _ = model.predict(view, deterministic=True)
    assert (action == 3).all()  # the one push that solves it


def test_tensors_share_the_memory_of_the_observations():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    env = PlayVectorEnv("sokoban", 2, levels=LEVELS, observation_as="torch", autoreset_mode="SameStep")
    views, _ = env.reset(seed=0)
    assert isinstance(views, torch.Tensor)
    views, *told, _ = env.step(torch.tensor([3, 3]))
    assert all(isinstance(each, torch.Tensor) for each in told)
    assert views.data_ptr() == env.seen.ctypes.data


def test_observations_go_to_others_by_dlpack_without_a_copy():
    env = PlayVectorEnv("sokoban", 2, levels=LEVELS)
    views, _ = env.reset(seed=0)
    assert np.shares_memory(np.from_dlpack(views), views)


def test_what_is_not_installed_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(LevelsmithError, match="observation_as='torch' needs PyTorch"):
        PlayVectorEnv("sokoban", 2, levels=LEVELS, observation_as="torch")
    with pytest.raises(LevelsmithError, match="no array of observations is called 'jax'"):
        PlayVectorEnv("sokoban", 2, levels=LEVELS, observation_as="jax")
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    monkeypatch.delitem(sys.modules, "levelsmith.envs.sb3", raising=False)
    with pytest.raises(LevelsmithError, match=r"needs Stable-Baselines3; try: pip install"):
        __import__("levelsmith.envs.sb3")
