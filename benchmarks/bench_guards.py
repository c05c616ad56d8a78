"""Lode Runner against guards: ticks a second, levels won, time and difficulty, and plans that ignore guards.

Times are those of the processor. With LEVELSMITH_DATA, a folder of public levels, the originals are played
too, for up to a minute each.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from levelsmith import Level, generate, load, solve
from levelsmith.games.loderunner.difficulty import TIERS, tier
from levelsmith.games.loderunner.game.game import KEYS, CompiledGame
from levelsmith.games.loderunner.game.kernels.game import run
from levelsmith.games.loderunner.rules.game import Game
from levelsmith.games.loderunner.rules.plan import read
from levelsmith.games.loderunner.rules.rules import DIGS, replay
from levelsmith.registry import games

LEVELS, STATES = 50, 300_000
GAMES = 500  # of the simulator, one of the rule book
Row = tuple[str, float, str]


def simulated(level: Level) -> tuple[float, float]:
    """Ticks a second by the kernel and by the rule book, in a game that is won."""
    rows, plan = level.text.splitlines(), read(solve(level, states=STATES, seconds=None).solution or "")
    keys = [key for press, ticks in plan for key in (KEYS.index(press), *[-1] * (ticks - 1))]
    games, pressed = [CompiledGame(rows) for _ in range(GAMES)], np.array(keys, np.int8)
    started = time.process_time()
    for game in games:
        run(game.board, pressed)
    taken = (time.process_time() - started) / GAMES
    started = time.process_time()
    slow = Game(rows)
    for key in keys:
        slow.tick(None if key < 0 else KEYS[key])
    return len(keys) / taken, len(keys) / (time.process_time() - started)


def is_caught(level: Level, plan: str) -> bool:
    """Whether guards, or a hole that fills, end a plan that was made while nobody moves."""
    game = Game(level.text.splitlines())
    cells = [position.runner for position in replay(level, plan)][1:]
    for letter, cell in zip(plan, cells, strict=True):
        for tick in range(16):
            if game.tick(letter if tick == 0 else None) != "playing":
                return game.status == "dead"
            if letter in DIGS:
                there = game.dig is None
            else:
                there = game.runner.cell == cell and not game.falling and tick >= 4
            if there:
                break
    return False


def difficulty(level: Level) -> float:
    """How hard a level is by the plan that it carries."""
    game = games.get("loderunner")
    return float(game.measure_level(level)[list(game.metrics).index("difficulty")])


def played(name: str, levels: Sequence[Level], **limits: float | None) -> Iterator[Row]:
    """What becomes of levels."""
    taken, found, hard, caught, plans = [], [], [], 0, 0
    solve(levels[0], states=1)  # compiled off the clock
    for level in levels:
        started = time.process_time()
        verdict = solve(level, **limits)
        taken.append(time.process_time() - started)
        found.append(verdict.status)
        if verdict.solution is not None:
            hard.append(difficulty(replace(level, solution=verdict.solution)))
        plan = solve(level, guards="still").solution
        if plan is not None:
            plans, caught = plans + 1, caught + is_caught(level, plan)
    yield f"{name}: won", found.count("solved"), f"of {len(levels)}"
    yield f"{name}: lost", found.count("unsolvable"), f"of {len(levels)}"
    yield f"{name}: unknown", found.count("unknown"), f"of {len(levels)}"
    yield f"{name}: median", 1000 * float(np.median(taken)), "ms"
    yield f"{name}: 95 % within", 1000 * float(np.percentile(taken, 95)), "ms"
    yield f"{name}: difficulty of those won, median", float(np.median(hard)), ""
    for each in TIERS:
        yield f"{name}: {each}", sum(tier(number) == each for number in hard), f"of {len(hard)}"
    yield f"{name}: caught, by plans that ignore guards", caught, f"of {plans}"


def measurements() -> Iterator[Row]:
    corpus = load("loderunner:corpus")
    three = next(level for level in corpus if (level.grid == 6).sum() == 3)
    quick, slow = simulated(three)
    yield "ticks with three guards", quick, "ticks/s"
    yield "  over the rule book's", quick / slow, "times"
    built = generate("loderunner", search="construct", guards="still", count=LEVELS, seed=1)
    yield from played("construct", built.levels, states=STATES, seconds=None)
    drawn = generate("loderunner", objective="playable", guards="still", count=LEVELS, seed=1)
    yield from played("default", drawn.levels, states=STATES, seconds=None)
    if "LEVELSMITH_DATA" in os.environ:
        folder = Path(os.environ["LEVELSMITH_DATA"]) / "loderunner-vglc" / "levels"
        able = [level for level in load(folder, game="loderunner") if (level.grid == 7).sum() == 1]
        yield from played("originals", able, seconds=60.0)
