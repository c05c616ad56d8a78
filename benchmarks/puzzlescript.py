"""Steps a second of PuzzleScript games on one core, for the games of recorded sessions.

python benchmarks/puzzlescript.py SESSIONS [--seconds 0.05]

SESSIONS is a file as `tools/replay_sessions.py` takes it. A step is a random key with all again-turns after
it; 500 of them are played in one call from the start of the session's level. Games that draw random numbers
are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from pathlib import Path

import numpy as np

from levelsmith.games.puzzlescript.compile import compile_game
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.kernels.codes import GOES_ON

KEYS = 500


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="SESSIONS")
    parser.add_argument("--seconds", type=float, default=0.05, help="processor time for each game")
    asked = parser.parse_args()
    rates: dict[str, float] = {}
    for name, (source, *rest) in json.loads(gzip.decompress(asked.file.read_bytes())):
        rate = speed(source, int(rest[2] or 0) if len(rest) > 2 else 0, asked.seconds)
        if rate is not None:
            rates.setdefault(name, rate)
    found = np.array(list(rates.values()))
    low, middle, high = np.percentile(found, (10, 50, 90))
    print(f"{len(found)} games: median {middle:,.0f} steps/s, 10 % {low:,.0f}, 90 % {high:,.0f}")


def speed(source: str, number: int, seconds: float) -> float | None:
    """Returns the steps a second of one level, or None for a game that draws random numbers."""
    program = compile_game(source)
    if program.tables.draws:
        return None
    level = program.levels[number]
    engine = Kernel(program.tables, level.height, level.width)
    keys = np.random.default_rng(0).integers(0, 4 if program.tables.no_action else 5, KEYS)
    started, played = time.process_time(), 0
    while played == 0 or time.process_time() - started < seconds:
        engine.load(level.board)
        engine.on_win = GOES_ON
        played += len(engine.play(keys))
    return played / (time.process_time() - started)


if __name__ == "__main__":
    main()
