"""Steps a second of PuzzleScript games on one core, for the games of recorded sessions.

python benchmarks/puzzlescript.py SESSIONS [--rounds 5] [--boards 1024]

SESSIONS is a file as `tools/replay_sessions.py` takes it. A step is a random key with all again-turns after
it; 500 of them are played in one call, others in each, from the start of the session's level. Games that draw
random numbers are left out. With `--boards` as many boards of each game are played at once besides, a random
key each in a call, as agents play them: first without and then with what they show. They begin where the one
board came by. The ratio is that of each game to its one board. All games are gone through several times, and
of each the best counts, in processor time: what the machine does besides seldom meets a game again.
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
from levelsmith.games.puzzlescript.compile import PuzzleLevel
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.kernels.codes import GOES_ON, PLAY
from levelsmith.games.puzzlescript.kernels.state import ON_WIN
from levelsmith.games.puzzlescript.kernels.vector import put_boards, turn_boards
from levelsmith.games.puzzlescript.tables import Words
from levelsmith.kernels.arena import make_out

KEYS, WALKS = 500, 100
SECONDS = 0.01  # of processor time for each figure of a round


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="SESSIONS")
    parser.add_argument("--rounds", type=int, default=5, help="how often all games are gone through")
    parser.add_argument("--boards", type=int, default=0, help="play so many boards at once")
    asked = parser.parse_args()
    known = {}
    for name, (source, *rest) in json.loads(gzip.decompress(asked.file.read_bytes())):
        number = int(rest[2] or 0) if len(rest) > 2 else 0
        game = deterministic(source)
        if game is not None:
            known.setdefault(name, (game, game.program.levels[number]))
    found = (
        np.array([[speeds(*one, asked.boards) for one in known.values()] for _ in range(asked.rounds)])
        .max(axis=0)
        .T
    )
    names = ["one board", f"{asked.boards:,} boards", f"{asked.boards:,} boards, seen"]
    print(f"{found.shape[1]} games, steps a second on one core")
    print("| | median | 10 % | 90 % | ratio |\n|---|---|---|---|---|")
    for name, row in zip(names, found, strict=False):
        low, middle, high = np.percentile(row, (10, 50, 90))
        ratio = np.median(row / found[0])
        print(f"| {name} | {middle:,.0f} | {low:,.0f} | {high:,.0f} | {ratio:.2f} |")


def deterministic(source: str) -> PuzzleGame | None:
    """Returns a game, or None for one that draws random numbers or has more tiles than agents are shown."""
    try:
        game = PuzzleGame("game", source)
    except LevelsmithError:
        return None
    return None if game.program.tables.draws else game


def speeds(game: PuzzleGame, level: PuzzleLevel, boards: int) -> tuple[float, ...]:
    """Returns the steps a second of one level: of one board, and of many if that is asked for."""
    tables = game.program.tables
    engine = Kernel(tables, level.height, level.width)
    walks = cycle(np.random.default_rng(0).integers(0, 4 if tables.no_action else 5, (WALKS, KEYS)))

    def play() -> int:
        engine.load(level.board)
        engine.on_win = GOES_ON
        return len(engine.play(next(walks)))

    found = rate(play)
    if not boards:
        return (found,)
    engine.load(level.board)
    engine.on_win = GOES_ON
    walk = [engine.board() for key in next(walks) if engine.play([key]).size]
    return found, *speeds_of_boards(game, level, np.resize(walk, (boards, *level.board.shape)))


def speeds_of_boards(game: PuzzleGame, level: PuzzleLevel, walk: Words) -> tuple[float, ...]:
    """Returns the same for many boards at once, without and with what they show.

    Args:
        walk: `[boards, cells, W]` where they begin.
    """
    size, boards = (level.height, level.width), len(walk)
    arena: Any = game.arena(boards, size, 10**9, {"step": 0.0, "solved": 0.0})
    out = make_out(boards, level.height * level.width, 0)
    turns, outcomes = np.full(boards, PLAY), np.zeros(boards, np.int64)
    put_boards(arena.rules, arena.many, np.arange(boards), walk, arena.first)
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

    return rate(play), rate(play_seen)


def rate(play: Callable[[], int]) -> float:
    """Returns the steps a second; `play` returns how many it has made."""
    play()
    started, played, spent = time.process_time(), 0, 0.0
    while spent < SECONDS:
        played += play()
        spent = time.process_time() - started
    return played / spent


if __name__ == "__main__":
    main()
