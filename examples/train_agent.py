"""Trains an agent to design binary maps with long paths, and compares it with one that acts at random.

Needs `pip install "levelsmith[agents]"`; takes a few minutes on one core. The agent passes over a random map
once and keeps or changes each cell. Both agents then get the same maps, none of which was trained on.

    python examples/train_agent.py --steps 200000 --curve agent.png
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import gymnasium as gym
import numpy as np

try:
    import matplotlib
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env
except ImportError as error:
    sys.exit(f'this example needs {error.name}: pip install "levelsmith[agents]"')

import levelsmith  # noqa: F401  (registers the environments)
from levelsmith.experiment.statistics import LEVEL, Estimate, mean, spread

matplotlib.use("Agg")
import matplotlib.pyplot as plt

NAME = "levelsmith/Design-binary-narrow-v0"
TASK = {"size": (8, 8), "objective": "path-length", "observation": "planes"}
TRIED = 500  # maps on which agents are compared
FIRST_TRIED = 1_000_000  # the seed of the first of them, far from those that are trained on
Policy = Callable[[np.ndarray, np.ndarray], np.ndarray]  # views and masks to actions


def tried(policy: Policy) -> np.ndarray:
    """The scores that an agent ends with, all maps designed at once."""
    boards = gym.make_vec(NAME, num_envs=TRIED, vectorization_mode="vector_entry_point", **TASK)
    views, _ = boards.reset(seed=FIRST_TRIED)
    scores, over = np.zeros(TRIED), np.zeros(TRIED, np.bool_)
    while not over.all():
        views, _, terminated, truncated, infos = boards.step(policy(views, boards.action_masks()))
        ended = (terminated | truncated) & ~over
        scores[ended] = infos["score"][ended]
        over |= ended
    return scores


def random_policy(seed: int) -> Policy:
    rng = np.random.default_rng(seed)
    return lambda views, masks: np.argmax(rng.random(masks.shape) * masks, axis=1)


def trained_policy(model: MaskablePPO) -> Policy:
    return lambda views, masks: model.predict(views, action_masks=masks)[0]


def told(estimate: Estimate) -> str:
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def draw(curve: list[tuple[int, Estimate]], base: Estimate, path: str) -> None:
    steps = [step / 1000 for step, _ in curve]
    plt.figure(figsize=(7, 4))
    bounds = [e.low for _, e in curve], [e.high for _, e in curve]
    plt.fill_between(steps, *bounds, alpha=0.25, color="#1d4890")
    plt.plot(steps, [e.value for _, e in curve], "o-", color="#1d4890", label="trained agent")
    plt.axhspan(base.low, base.high, alpha=0.25, color="#c4572b")
    plt.axhline(base.value, color="#c4572b", label="random agent")
    plt.xlabel("thousand training steps")
    plt.ylabel(f"mean score of {TRIED} unseen maps")
    plt.ylim(0, 1)
    plt.legend(loc="lower right")
    plt.tight_layout()
    plt.savefig(path, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=200_000, help="steps to train for")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", default="agent.png", help="where to draw the learning curve")
    given = parser.parse_args()
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy",
        make_vec_env(NAME, n_envs=32, seed=given.seed, env_kwargs=TASK),
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        gamma=0.97,
        ent_coef=0.01,
        learning_rate=1e-3,
        seed=given.seed,
        device="cpu",
        policy_kwargs={"net_arch": [128, 64]},
    )
    base = tried(random_policy(given.seed))
    print(f"random agent  {told(mean(base))}", flush=True)
    curve = [(0, mean(tried(trained_policy(model))))]
    started = time.perf_counter()
    while model.num_timesteps < given.steps:
        model.learn(given.steps // 10, reset_num_timesteps=False)
        found = tried(trained_policy(model))
        curve.append((model.num_timesteps, mean(found)))
        seconds = time.perf_counter() - started
        print(f"{model.num_timesteps:>7,} steps {told(curve[-1][1])} after {seconds:.0f} s", flush=True)
    margin = (spread(found) - spread(base)).estimate()
    print(f"the trained agent's maps score {told(margin)} more ({LEVEL:.0%} interval)")
    print(f"solved: {np.mean(found >= 1):.1%} of {TRIED} maps, at random {np.mean(base >= 1):.1%}")
    draw(curve, mean(base), given.curve)


if __name__ == "__main__":
    main()
