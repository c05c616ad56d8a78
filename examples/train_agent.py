"""Trains an agent to play small Sokoban levels, and compares it with one that moves at random.

Needs `pip install "levelsmith[agents]"`; takes a few minutes on one core. Every training episode has a new
level; both agents are then tried on the same levels, which nobody has trained on.

    python examples/train_agent.py --steps 400000 --curve agent.png
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import gymnasium as gym
import matplotlib
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import levelsmith  # noqa: F401  (registers the environments)
from levelsmith.experiment.statistics import LEVEL, Estimate, mean, spread

matplotlib.use("Agg")
import matplotlib.pyplot as plt

NAME = "levelsmith/Sokoban-v0"
TASK = {
    "size": (5, 5),
    "boxes": 1,
    "pushes": (2, 6),
    "max_steps": 40,
    "observation": "planes",
}
TRIED = 500  # levels on which agents are compared
FIRST_TRIED = 1_000_000  # the seed of the first of them, far from those that are trained on
Policy = Callable[[np.ndarray, np.ndarray], np.ndarray]


def solved(policy: Policy) -> np.ndarray:
    """Which of the tried levels an agent solves, all played at once."""
    boards = gym.make_vec(NAME, num_envs=TRIED, vectorization_mode="vector_entry_point", **TASK)
    views, _ = boards.reset(seed=FIRST_TRIED)
    found, over = np.zeros(TRIED), np.zeros(TRIED, np.bool_)
    while not over.all():
        views, _, terminated, truncated, _ = boards.step(policy(views, boards.action_masks()))
        found[terminated & ~over] = 1
        over |= terminated | truncated
    boards.close()
    return found


def random_policy(seed: int) -> Policy:
    rng = np.random.default_rng(seed)
    return lambda views, masks: np.argmax(rng.random(masks.shape) * masks, axis=1)


def trained_policy(model: MaskablePPO) -> Policy:
    return lambda views, masks: model.predict(views, action_masks=masks, deterministic=False)[0]


def told(estimate: Estimate) -> str:
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def draw(curve: list[tuple[int, Estimate]], base: Estimate, path: str) -> None:
    steps = [step / 1000 for step, _ in curve]
    plt.figure(figsize=(7, 4))
    plt.fill_between(
        steps, [e.low for _, e in curve], [e.high for _, e in curve], alpha=0.25, color="#1d4890"
    )
    plt.plot(steps, [e.value for _, e in curve], "o-", color="#1d4890", label="trained agent")
    plt.axhspan(base.low, base.high, alpha=0.25, color="#c4572b")
    plt.axhline(base.value, color="#c4572b", label="random agent")
    plt.xlabel("thousand training steps")
    plt.ylabel(f"share of {TRIED} unseen levels solved")
    plt.ylim(0, 1)
    plt.legend(loc="lower right")
    plt.tight_layout()
    plt.savefig(path, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=400_000, help="steps to train for")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", default="agent.png", help="where to draw the learning curve")
    given = parser.parse_args()
    torch.set_num_threads(1)
    envs = make_vec_env(NAME, n_envs=32, seed=given.seed, env_kwargs=TASK)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        gamma=0.97,
        ent_coef=0.01,
        learning_rate=7e-4,
        seed=given.seed,
        device="cpu",
        policy_kwargs={"net_arch": [256, 128]},
    )
    base = solved(random_policy(given.seed))
    print(f"random agent    {told(mean(base))}", flush=True)
    curve = [(0, mean(solved(trained_policy(model))))]
    portion, started = max(1, given.steps // 10), time.perf_counter()
    while model.num_timesteps < given.steps:
        model.learn(portion, reset_num_timesteps=False)
        found = solved(trained_policy(model))
        curve.append((model.num_timesteps, mean(found)))
        seconds = time.perf_counter() - started
        print(f"{model.num_timesteps:>9,} steps {told(curve[-1][1])} after {seconds:.0f} s", flush=True)
    margin = (spread(found) - spread(base)).estimate()
    print(f"the trained agent solves {told(margin)} more of the {TRIED} levels ({LEVEL:.0%} interval)")
    draw(curve, mean(base), given.curve)


if __name__ == "__main__":
    main()
