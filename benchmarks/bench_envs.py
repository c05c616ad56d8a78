"""Environments of Gymnasium: steps a second, observations and resets included, and how long a reset waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium as gym
import numpy as np
from timing import best_of

import levelsmith.envs

BOARDS = 1024
ROUNDS = 3
EPISODES = 5  # in a round; a step more than their moves each, for the start
levelsmith.envs.register()


def vector(name: str, boards: int = BOARDS, **options: Any) -> Any:
    return gym.make_vec(
        f"levelsmith/{name}-v0", num_envs=boards, vectorization_mode="vector_entry_point", **options
    )


def rate(env: Any, steps: int = EPISODES * 201, clock: Callable[[], float] = time.perf_counter) -> float:
    """Steps a second of all boards together under random actions, with all resets; the best of the rounds."""
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    actions = rng.integers(0, env.single_action_space.n, (steps, env.num_envs))

    def play() -> None:
        for row in actions:
            env.step(row)

    best = best_of(ROUNDS, play, clock)
    env.close()
    return steps * env.num_envs / best


def single(name: str, steps: int = 3_000, **options: Any) -> float:
    env = gym.make(f"levelsmith/{name}-v0", **options)
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, env.action_space.n, steps)
    started = time.perf_counter()
    for action in actions:
        *_, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    taken = time.perf_counter() - started
    env.close()
    return steps / taken


def resets(name: str, **options: Any) -> Iterator[tuple[str, float, str]]:
    """How long a reset takes after an episode of 200 random moves."""
    env = gym.make(f"levelsmith/{name}-v0", **options)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    taken = []
    for _ in range(100):
        over = False
        while not over:
            *_, terminated, truncated, _ = env.step(int(rng.integers(env.action_space.n)))
            over = terminated or truncated
        started = time.perf_counter()
        env.reset()
        taken.append(time.perf_counter() - started)
    env.close()
    yield f"{name}, a reset, median of 100", 1000 * float(np.median(taken)), "ms"
    yield f"{name}, a reset, longest of 100", 1000 * max(taken), "ms"


def measurements() -> Iterator[tuple[str, float, str]]:
    many = f"{BOARDS} boards"
    yield f"Sokoban 8x8, {many}, a set of 1000 levels", rate(vector("Sokoban", count=1000)), "steps/s"
    planes = vector("Sokoban", count=1000, observation="planes")
    yield f"Sokoban 8x8, {many}, the same in planes", rate(planes), "steps/s"
    yield f"Sokoban 8x8, {many}, every level new", rate(vector("Sokoban", optimal=False)), "steps/s"
    yield f"Sokoban 8x8, {many}, every level new and optimal", rate(vector("Sokoban")), "steps/s"
    yield "Sokoban 8x8, one board", single("Sokoban"), "steps/s"
    corpus = {"levels": "loderunner:corpus"}
    yield f"LodeRunner 32x22, {many}", rate(vector("LodeRunner", **corpus), 201), "steps/s"
    busy = rate(vector("LodeRunner", **corpus), 201, time.process_time)
    yield f"LodeRunner 32x22, {many}, by the processor's clock", busy, "steps/s"
    still = vector("LodeRunner", guards="still", **corpus)
    yield f"LodeRunner 32x22, {many}, guards still", rate(still, 201), "steps/s"
    yield "LodeRunner 32x22, one board", single("LodeRunner", **corpus), "steps/s"
    for game in ("binary", "sokoban"):
        for kind, steps in {"narrow": 101, "turtle": 401, "wide": 101}.items():  # whole episodes
            env = vector(f"Design-{game}-{kind}", size=(10, 10), max_steps=steps - 1)
            yield f"Design-{game}-{kind} 10x10, {many}", rate(env, steps), "steps/s"
    for game in ("orchard", "loderunner"):
        env = vector(f"Design-{game}-narrow", size=(10, 10))
        yield f"Design-{game}-narrow 10x10, {many}", rate(env, 101), "steps/s"
    for game in ("binary", "sokoban"):
        name = f"Design-{game}-narrow"
        yield f"{name} 10x10, one board", single(name, size=(10, 10)), "steps/s"
    yield from resets("Sokoban")
    yield from resets("LodeRunner")
