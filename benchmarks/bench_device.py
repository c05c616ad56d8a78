"""Sokoban boards to play on a GPU: steps a second with what is seen of them kept there, beside one core."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
from timing import best_of

import levelsmith.envs
from levelsmith import generate
from levelsmith.core import Level
from levelsmith.kernels.device import missing

BOARDS = {1_024: 4_000, 4_096: 4_000, 16_384: 4_000, 65_536: 2_000, 1_048_576: 400}  # and steps
BESIDE = 1_024, 2_000  # boards and steps on the processor
ROWS = 16  # of actions, used again and again
LEVELS = 1_000
Rows = Iterator[tuple[str, float, str]]
levelsmith.envs.register()


def vector(boards: int, levels: list[Level], device: str, **options: Any) -> Any:
    return gym.make_vec("levelsmith/Sokoban-v0", num_envs=boards, levels=levels, device=device, **options)


def rate(boards: int, steps: int, levels: list[Level], device: str, **options: Any) -> float:
    """Millions of steps a second of all boards together under random actions, with all resets."""
    env = vector(boards, levels, device, **options)
    env.reset(seed=0)
    rows = list(np.random.default_rng(0).integers(0, 4, (ROWS, boards)))
    if device == "cuda":
        from levelsmith.kernels.gpu import on_device, wait

        rows = [on_device(row) for row in rows]

    def play() -> None:
        for i in range(steps):
            env.step(rows[i % ROWS])
        if device == "cuda":
            wait()

    play()
    return steps * boards / best_of(3, play) / 1e6


def alike(levels: list[Level], boards: int, steps: int, **options: Any) -> float:
    """Returns 1 where boards on the GPU and on the processor show and gain the same in every step, or 0."""
    here, there = (vector(boards, levels, device, **options) for device in ("cpu", "cuda"))
    seen, shown = here.reset(seed=3)[0], there.reset(seed=3)[0]
    rng = np.random.default_rng(1)
    for _ in range(steps):
        actions = rng.integers(0, 4, boards)
        *told, infos = here.step(actions)
        *given, infos_there = there.step(actions)
        pairs = [(seen, shown), *zip(told, given, strict=True)]
        for name in ("solved", "return", "steps", "regret"):
            if name in infos:
                ended = infos["_solved"]
                pairs.append((infos[name][ended], infos_there[name].copy_to_host()[ended]))
        for one, other in pairs:
            if not np.array_equal(one, np.asarray(other), equal_nan=one.dtype.kind == "f"):
                return 0.0
        seen, shown = told[0], given[0]
    return 1.0


def measurements() -> Rows:
    why = missing()
    if why is not None:
        print(f"  {why}", file=sys.stderr)
        return
    made = generate("sokoban", preset="boxoban", count=LEVELS, seed=0, workers=os.cpu_count() or 1)
    levels = list(made.levels)
    yield "1,024 boards are alike for 1,000 steps", alike(levels, 1_024, 1_000), ""
    exact = alike(levels[:100], 1_024, 400, exact=True, observation="planes", max_steps=50)
    yield "the same in planes, with true regrets", exact, ""
    for observation in ("tiles", "planes"):
        boards, steps = BESIDE
        beside = rate(boards, steps, levels, "cpu", observation=observation)
        yield f"{observation}, {boards:,} boards, one core", beside, "M steps/s"
        for boards, steps in BOARDS.items():
            found = rate(boards, steps, levels, "cuda", observation=observation)
            yield f"{observation}, {boards:,} boards, GPU", found, "M steps/s"
