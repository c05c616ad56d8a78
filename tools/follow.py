"""Follows the solution that an environment tells of each level, step by step, and counts those that win.

python tools/follow.py --count 300              levels that are made as they are asked for
python tools/follow.py loderunner:corpus        the levels of a file
"""

from __future__ import annotations

import argparse
import sys
import time

import gymnasium as gym
import numpy as np

import levelsmith
from levelsmith import LevelsmithError
from levelsmith.envs.known import arena_kind
from levelsmith.errors import unknown
from levelsmith.numbers import check_seed, whole_number
from levelsmith.registry import arenas_by_game


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("file", nargs="?", help="a file of levels; without one they are made")
    parser.add_argument("--game", default="loderunner", help="whose levels are made (loderunner)")
    parser.add_argument("--count", type=int, default=300, help="levels to make (300)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    try:
        count, seed = whole_number(asked.count, "a number", 1, " of levels", 100_000), check_seed(asked.seed)
        levels = list(levelsmith.load(asked.file)) if asked.file else None
        game = levels[0].game if levels else asked.game
        if game not in arenas_by_game():
            raise unknown("game that environments play", game, arenas_by_game())
        env = gym.make(f"levelsmith/{arenas_by_game()[game]}-v0", levels=levels)
    except LevelsmithError as error:
        sys.exit(f"follow: {error}")
    letters = arena_kind(game).letters
    told, won, late, seconds, steps = 0, 0, 0, list[float](), list[int]()
    for i in range(len(levels) if levels else count):
        begun, spent = time.perf_counter(), time.process_time()
        _, info = env.reset(seed=seed if i == 0 else None)
        seconds.append(time.perf_counter() - begun)
        if i == 0:
            print(f"first reset: {seconds[0]:.2f} s, {time.process_time() - spent:.2f} s of the processor")
        if info["solution"] is None:
            continue
        told += 1
        steps.append(len(info["solution"]))
        for letter in info["solution"]:
            *_, terminated, truncated, info = env.step(letters.index(letter))
            if terminated or truncated:
                late += truncated and not terminated
                won += bool(info["solved"])
                break
    print(f"{len(seconds)} levels: {told} with a solution, {won} won by its steps, {late} cut off before")
    if steps:
        print(f"steps of a solution: median {np.median(steps):.0f}, most {max(steps)}")
    print(f"reset: median {np.median(seconds):.2f} s, slowest {max(seconds):.2f} s")


if __name__ == "__main__":
    main()
