"""Steps a second of PuzzleScript games on one core, for the games of recorded sessions.

python benchmarks/puzzlescript.py SESSIONS [--seconds 0.05] [--boards 1024]

SESSIONS is a file as `tools/replay_sessions.py` takes it. A step is a random key with all again-turns after
it; 500 of them are played in one call from the start of the session's level. Games that draw random numbers
are left out. With `--boards` as many boards of each game are played at once besides, a random key each in a
call, as agents play them: first without and then with what they show. The ratio is that of each game to its
one board, which was measured in the moment before. Each figure is the best of five, in processor time, so
that what else the machine does counts little.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.compile import PuzzleLevel, compile_game
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.kernels.codes import GOES_ON, PLAY
from levelsmith.games.puzzlescript.kernels.state import ON_WIN
from levelsmith.games.puzzlescript.kernels.vector import turn_boards
from levelsmith.kernels.arena import make_out

KEYS = 500
ROUNDS = 5  # of which the best counts


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="SESSIONS")
    parser.add_argument("--seconds", type=float, default=0.05, help="processor time for each game")
    parser.add_argument("--boards", type=int, default=0, help="play so many boards at once")
    asked = parser.parse_args()
    rates: dict[str, tuple[float, ...]] = {}
    for name, (source, *rest) in json.loads(gzip.decompress(asked.file.read_bytes())):
        number = int(rest[2] or 0) if len(rest) > 2 else 0
        rate = speeds(source, number, asked.seconds, asked.boards)
        if rate is not None:
            rates.setdefault(name, rate)
    found = np.array(list(rates.values())).T
    names = ["one board", f"{asked.boards:,} boards", f"{asked.boards:,} boards, seen"]
    print(f"{found.shape[1]} games, steps a second on one core")
    print("| | median | 10 % | 90 % | ratio |\n|---|---|---|---|---|")
    for name, row in zip(names, found, strict=False):
        low, middle, high = np.percentile(row, (10, 50, 90))
        ratio = np.median(row / found[0])
        print(f"| {name} | {middle:,.0f} | {low:,.0f} | {high:,.0f} | {ratio:.2f} |")


def speeds(source: str, number: int, seconds: float, boards: int) -> tuple[float, ...] | None:
    """Returns the steps a second of one level, or None for a game that is left out."""
    program = compile_game(source)
    if program.tables.draws:
        return None
    level = program.levels[number]
    try:
        game = PuzzleGame("game", source) if boards else None
    except LevelsmithError:
        return None  # it has more tiles than agents are shown
    engine = Kernel(program.tables, level.height, level.width)
    keys = np.random.default_rng(0).integers(0, 4 if program.tables.no_action else 5, KEYS)

    def play() -> int:
        engine.load(level.board)
        engine.on_win = GOES_ON
        return len(engine.play(keys))

    rate = best(play, seconds)
    return (rate,) if game is None else (rate, *speeds_of_boards(game, level, seconds, boards))


def speeds_of_boards(game: PuzzleGame, level: PuzzleLevel, seconds: float, boards: int) -> tuple[float, ...]:
    """Returns the same for many boards at once, without and with what they show."""
    size = level.height, level.width
    arena: Any = game.arena(boards, size, 10**9, {"step": 0.0, "solved": 0.0})
    grids = np.repeat(game.cells.grid(level.board, *size)[None], boards, axis=0)
    out = make_out(boards, level.height * level.width, 0)
    turns, outcomes = np.full(boards, PLAY), np.zeros(boards, np.int64)
    arena.load(np.arange(boards), grids)
    arena.many.control[:, ON_WIN] = GOES_ON
    arena.fresh[:] = False
    count = 4 if game.program.tables.no_action else 5
    actions = cycle(np.random.default_rng(0).integers(0, count, (KEYS, boards)))

    def play() -> int:
        turn_boards(arena.rules, arena.many, arena.keys[next(actions)], turns, outcomes)
        return boards

    def play_seen() -> int:
        arena.step(next(actions), out)
        return boards

    return best(play, seconds), best(play_seen, seconds)


def best(play: Callable[[], int], seconds: float) -> float:
    """Returns the steps a second of the best round; `play` returns how many it has made."""
    rates = []
    for _ in range(ROUNDS):
        started, played, spent = time.process_time(), 0, 0.0
        while spent < seconds / ROUNDS:
            played += play()
            spent = time.process_time() - started
        rates.append(played / spent)
    return max(rates)


if __name__ == "__main__":
    main()
