"""Asks for everything that ships: so `tools/kernels.py record` learns which kernels take which types.

That is the requests of `tools/golden.py` and `tests/golden`, commands on every game, and all environments.
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import shlex
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np

import levelsmith
import levelsmith.envs
from levelsmith import learn
from levelsmith.core import Effort, Objective, Term, Tile, Tiles
from levelsmith.errors import LevelsmithError
from levelsmith.games.binary.kernels import large
from levelsmith.games.binary.kernels.chart import Chart, draw_chart
from levelsmith.games.binary.kernels.small import METRICS
from levelsmith.games.loderunner.agent.still.solve import solve
from levelsmith.games.own import OwnGame
from levelsmith.games.sokoban.solver.hunt import field_of
from levelsmith.games.sokoban.solver.macro import MacroHunt
from levelsmith.kernels import dice
from levelsmith.kernels.words import WORD
from levelsmith.levels.formats.text import parse
from levelsmith.levels.spending import Spending
from levelsmith.registry import games

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = """
generate binary -o binary.json
generate binary --search hc
generate sokoban -o sokoban.xsb
generate sokoban --difficulty hard
generate loderunner -o loderunner.json
generate loderunner --search construct -o built.json
generate orchard -o orchard.json
solve sokoban.xsb
solve sokoban.xsb --any
solve sokoban.xsb --moves
solve loderunner.json
solve loderunner.json --guards still
solve built.json
solve puzzlescript:crates
solve puzzlescript:lasers
solve puzzlescript:ice
measure binary.json --json
measure sokoban.xsb --json
measure loderunner.json --json
measure orchard.json --json
measure puzzlescript:crates --json
improve sokoban.xsb --evaluations 100 -o harder.xsb
improve binary.json --evaluations 100 -o longer.json
improve loderunner.json --evaluations 20 -o harder.json
improve puzzlescript:rope#1 --evaluations 20 -o rope.txt
repair binary.json -o repaired.json
repair loderunner.json -o repaired.json
generate puzzlescript:crates --count 2
generate puzzlescript:ice --search hc --evaluations 100
generate puzzlescript:ice --search mcts --evaluations 100
generate puzzlescript:ice --search ga --evaluations 100
generate puzzlescript:ice --search es --evaluations 100
generate puzzlescript:ice --search sa --evaluations 100
generate sokoban --preset boxoban --difficulty hard
generate sokoban --preset boxoban --set optimal=false --pushes 10..20 --count 3
generate sokoban --preset aiide2016 --evaluations 1k
generate sokoban --preset kartal2016 --evaluations 1k
generate sokoban --preset koczorowski2023 --evaluations 1k
generate sokoban --size 7x7 --boxes 3 --pushes 10..30
generate sokoban --size 9x9 --evaluations 1k
generate sokoban --size 16x12 --boxes 6
generate sokoban --representation rooms --size 6x6 --boxes 3 --pushes 12..18
generate sokoban --representation rooms --size 9x9 --evaluations 200
generate sokoban --representation play --size 7x7 --evaluations 1k
generate sokoban --representation play --size 9x9 --evaluations 1k
generate sokoban --representation play --size 12x12 --evaluations 1k
generate loderunner --preset thakkar2019 --evaluations 1k
generate loderunner --size 16x12 --evaluations 1k
generate loderunner --search hc --representation latent --set model=vae --evaluations 60
generate loderunner --search hc --representation latent --set model=ae --evaluations 60
generate loderunner --digs 3.. --evaluations 100
generate binary --preset fdg20 --evaluations 1k
generate binary --preset arxiv19 --evaluations 1k
generate binary --search hc --size 8x8 --evaluations 1k
generate binary --search elites --size 10x10 --evaluations 1k
generate binary --search islands --size 10x10 --evaluations 1k
generate binary --search random --size 10x10 --evaluations 1k
generate binary --size 8x8 -o small.json
repair small.json --set path=20.. -o repaired.json
generate orchard --search hc --representation turtle --size 8x8
generate binary --search hc --size 11x11 --evaluations 1k
generate binary --search hc --size 20x15 --evaluations 1k
generate binary --size 40x25
generate orchard --preset dense-orchard
demo demo
"""
PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("Sokoban-v0", {}),
    ("Sokoban-v0", {"search": "warehouse", "size": (5, 5), "boxes": 2}),
    ("Sokoban-v0", {"levels": "#####\n#@$.#\n#####"}),
    ("Design-binary-narrow-v0", {"size": (7, 7)}),
    ("LodeRunner-v0", {}),
    ("LodeRunner-v0", {"guards": "still"}),
    ("PuzzleScript-v0", {"game": "puzzlescript:ice", "level": 1}),
]
DESIGNED = [
    (f"Design-{game}-{way}-v0", {})
    for game in ("binary", "sokoban", "loderunner", "orchard")
    for way in ("narrow", "turtle", "wide")
]


def command(words: list[str]) -> None:
    """Does what a command does, in this process."""
    from levelsmith.cli import main

    before, sys.argv = sys.argv, ["levelsmith", *words]
    out = io.TextIOWrapper(io.BytesIO(), write_through=True)
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
            contextlib.suppress(SystemExit),
        ):
            main()
    finally:
        sys.argv = before


def golden() -> list[tuple[str, Callable[[], object]]]:
    requests = runpy.run_path(str(ROOT / "tools" / "golden.py"), run_name="golden")
    runs = runpy.run_path(str(ROOT / "tests" / "golden" / "test_runs.py"), run_name="runs")
    asked = [{k: v for k, v in one.items() if k != "workers"} for one in requests["requests"]()]
    found = [(str(one), lambda one=one: requests["outcome"](one)) for one in asked]
    return found + [(str(one), lambda one=one: runs["made"](one)) for one in runs["WANTED"]]


def of_papers() -> list[tuple[str, Callable[[], object]]]:
    """Returns the searches on binary maps of 14x14 cells, on all representations."""
    searches = ("bfs", "dfs", "best", "astar", "mcts", "hc", "sa", "es", "ga")
    asked = [
        {"search": search, "representation": way, "size": (14, 14), "evaluations": 100, "seed": 1}
        for search in searches
        for way in ("narrow", "turtle", "wide")
    ]
    return [(str(one), lambda one=one: levelsmith.generate("binary", **one)) for one in asked]


def played(name: str, options: dict[str, Any], many: bool) -> None:
    """Plays a few steps in an environment."""
    if many:
        env: Any = gymnasium.make_vec(
            f"levelsmith/{name}", num_envs=4, vectorization_mode="vector_entry_point", **options
        )
    else:
        env = gymnasium.make(f"levelsmith/{name}", **options)
    env.reset(seed=1)
    if hasattr(env.unwrapped, "action_masks"):
        env.unwrapped.action_masks()
    for _ in range(3):
        env.step(env.action_space.sample())
    env.close()


# Gold that the runner leaves by other holes than it came.
TRIP = ".......\n.......\n..-M...\nbbG#...\nGbb#BGB\nBBB#BBB"


def with_macros() -> None:
    """Solves a level by whole ways of a box, and makes room, as the solver does where a level is hard."""
    level = parse("#####\n#@$.#\n#####", game="sokoban")
    hunt = MacroHunt(field_of(level, Spending(Effort(seconds=None), None)))
    hunt.run()
    hunt.way()
    hunt._grow(hunt.counted)


class Hills(OwnGame):
    """A game in plain Python, as a person writes one."""

    name = "hills"
    tiles = Tiles(Tile("plain", "."), Tile("hill", "^"))
    metrics: ClassVar = {"hills": "cells that are hills"}
    objectives: ClassVar = {
        "high": Objective("high", "hills everywhere", lambda *_: [Term("hills", "ramp", low=50)])
    }
    default_size = (8, 8)

    def measured(self, grid: Any) -> dict[str, float]:
        return {"hills": float((grid == 1).sum())}


class Lakes(Hills):
    """One with more tiles, whose boards are no bits."""

    name = "lakes"
    tiles = Tiles(Tile("plain", "."), Tile("hill", "^"), Tile("lake", "~"))


def with_a_game_in_python() -> None:
    """Searches, and repairs levels, where Python measures."""
    for game in (Hills(), Lakes()):
        if game.name not in games:
            games.register(game.name, game)
    for search in ("hc", "sa", "es"):
        for size in ((8, 8), (12, 12)):
            level = levelsmith.generate("hills", search=search, size=size, evaluations=100, seed=1).best
    levelsmith.repair(level, set={"hills": "60.."}, evaluations=100)
    low = levelsmith.parse("\n".join(["~.~.~.~."] * 8), "lakes")
    levelsmith.repair(low, set={"hills": "20.."}, evaluations=100)


def measured() -> None:
    """Measures levels of sizes that nothing else asks for."""
    sizes = (("binary", (15, 16)), ("orchard", (9, 10)), ("orchard", (11, 12)), ("orchard", (16, 16)))
    for game, (height, width) in sizes:
        levelsmith.measure([parse("\n".join(["." * width] * height), game)] * 2)


def charts() -> None:
    """Draws maps as pages do, with their regions and longest paths."""
    rolled = np.random.default_rng(1)
    for _ in range(1000):
        height, width = rolled.integers(1, 20, 2)
        cells = int(height * width)
        numbers = [np.zeros(2, np.int64), np.zeros(2, np.int64), *np.zeros((3, cells), np.int32)]
        walls = np.zeros((1, -(-cells // WORD)), np.uint64)
        chart = Chart(walls, np.zeros((1, METRICS)), *numbers, np.zeros(2, np.int64))
        draw_chart(large.make((int(height), int(width))), rolled.integers(0, 2, cells, np.uint8), chart)


def drawn_levels() -> None:
    """Draws levels from the models that ship."""
    for name in ("vae", "ae"):
        learn.load(name, game="loderunner").sample(2, seed=1)


def seeds() -> None:
    """Spreads seeds as pages do, which begin their random numbers by kernels."""
    dice.spread_seed(np.array([1, 0, 0, 0, 2], np.int64), np.zeros(8, np.int64))
    dice.begin_dice(np.zeros(dice.WORDS + 1, np.uint32), np.array([1, 2, 3], np.int64))


def everything() -> list[tuple[str, Callable[[], object]]]:
    """Returns what is asked for, each with its name."""
    lines = [shlex.split(line) for line in COMMANDS.strip().splitlines()]
    lines = [line + ["--seed", "1", "--workers", "1"] * (line[0] == "generate") for line in lines]
    commands = [(shlex.join(line), lambda line=line: command(line)) for line in lines]
    envs = [
        (f"{name} {options} {many}", lambda a=(name, options, many): played(*a))
        for name, options in (*PLAYED, *DESIGNED)
        for many in (False, True)
    ]
    seldom = [
        ("solver's macros", with_macros),
        ("a game in Python", with_a_game_in_python),
        ("measures", measured),
        ("charts", charts),
        ("levels of models", drawn_levels),
        ("seeds", seeds),
        ("agent's trip", lambda: solve(parse(TRIP, "loderunner"), Effort())),
    ]
    return [*commands, *seldom, *envs, *of_papers(), *golden()]


def main() -> None:
    """Asks for everything; what cannot be had is told."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, ask in everything():
            begun = time.perf_counter()
            try:
                ask()
                told = ""
            except (LevelsmithError, gymnasium.error.Error) as error:
                told = f": {error}"
            print(f"{time.perf_counter() - begun:6.1f} s  {name[:100]}{told[:100]}", flush=True)
        os.chdir(ROOT)


if __name__ == "__main__":
    main()
