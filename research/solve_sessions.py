"""Solves the levels of recorded PuzzleScript games, and holds the solutions against the recorded ones.

python research/solve_sessions.py FILE [--seconds 10] [--every N] [--plain] [--any]

FILE is a list of games `{"game", "source", "solutions"}` in JSON, gzipped or not, as `replay_sessions.py`
takes it. Every level of at most 256 cells gets so many seconds of processor time, if its game neither draws
random numbers nor goes on in real time; a line of JSON for each says what came of it. The last line counts:
how many were proved, which took more keys than recorded (there should be none), which are unknown.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from levelsmith.core import Effort, Level
from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.solve import check_solvable, solve

KEYS = "WASDX"
MOST_CELLS = 256


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--seconds", type=float, default=10.0, help="of processor time for each level")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th level alone")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin at this level, from 0")
    parser.add_argument("--plain", action="store_true", help="prune nothing")
    parser.add_argument("--any", action="store_true", help="take solutions that may not be the shortest")
    asked = parser.parse_args()
    try:
        data = asked.file.read_bytes()
        entries = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except (OSError, ValueError) as error:
        parser.error(f"expected a file of recorded games in JSON, got {asked.file}: {error}")
    refused: Counter[str] = Counter()
    found = []
    for game, number, level, keys in list(levels(entries, refused))[asked.first :: asked.every]:
        line = {"game": game.name, "level": number, "cells": int(level.grid.size)}
        found.append(line | solved(game, level, asked) | {"recorded": keys})
        print(json.dumps(found[-1]), flush=True)
    print(json.dumps(summary(found, refused)))


def levels(entries: list[Any], refused: Counter[str]) -> Iterator[tuple[PuzzleGame, int, Level, int | None]]:
    """Yields the levels to solve: their games, their numbers in the file, and how many keys were recorded."""
    for entry in entries:
        try:
            game = PuzzleGame(entry["game"], entry["source"])
            check_solvable(game)
            if game.program.tables.realtime:
                raise LevelsmithError("goes on in real time")
        except LevelsmithError as error:
            refused[" ".join(str(error).removeprefix(entry["game"]).split()[:4])] += 1
            continue
        boards = [i for i, level in enumerate(game.program.levels) if level.board is not None]
        for number, level in zip(boards, game.levels(), strict=True):
            told = entry["solutions"][number] if number < len(entry["solutions"]) else None
            keys = sum(letter in KEYS for letter in told or "") or None
            if level.grid.size <= MOST_CELLS:
                yield game, number, level, keys
            else:
                refused["levels of more cells"] += 1


def solved(game: PuzzleGame, level: Level, asked: argparse.Namespace) -> dict[str, Any]:
    """Returns what the solver says of a level within so much processor time."""
    solve(game, level, Effort(states=1, seconds=None), False, False, None)  # compiles what is not yet
    started = time.process_time()
    for part in (0.5, 1.0) if asked.any else (1.0,):  # the first part for any solution
        verdict = solve(
            game,
            level,
            Effort(seconds=None),
            False,
            False,
            lambda part=part: time.process_time() - started > part * asked.seconds,
            plain=asked.plain,
            paired=part < 1,
        )
        if verdict.solution is not None:
            break
    told = {"status": verdict.status, "optimal": verdict.optimal, "moves": verdict.metrics.get("moves")}
    return told | {**verdict.statistics, "seconds": round(time.process_time() - started, 3)}


def summary(found: list[dict[str, Any]], refused: Counter[str]) -> dict[str, Any]:
    """Returns the counts of all levels."""
    proved = [line for line in found if line["status"] == "unsolvable" or line["optimal"]]
    both = [line for line in found if line["moves"] and line["recorded"]]
    return {
        "levels": len(found),
        "statuses": dict(Counter(line["status"] for line in found)),
        "proved": len(proved),
        "share": round(len(proved) / max(1, len(found)), 4),
        "shorter than recorded": sum(line["moves"] < line["recorded"] for line in both),
        "as short": sum(line["moves"] == line["recorded"] for line in both),
        "longer": [name(line) for line in both if line["moves"] > line["recorded"]],
        "unsolvable though recorded": [
            name(line) for line in found if line["status"] == "unsolvable" and line["recorded"]
        ],
        "unknown": [name(line) for line in found if line["status"] == "unknown"],
        "refused": dict(refused),
    }


def name(line: dict[str, Any]) -> str:
    return f"{line['game']}#{line['level']}"


if __name__ == "__main__":
    main()
