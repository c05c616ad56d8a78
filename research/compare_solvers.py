"""Solves Sokoban levels by their own solver, and written in PuzzleScript by the one for any rules.

python research/compare_solvers.py FILE [--seconds 10] [--every N]

The solver of Sokoban looks for the fewest pushes, the other one for the fewest keys, which are moves; a third
search, for the fewest moves of Sokoban, has to find as few. A line of JSON for each level says what came of
it; the last one sums up: how many were proved, states a second, and how long both took for what both proved.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

import levelsmith
from levelsmith.core import Effort, Level, Verdict
from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.sokoban.solver.solve import fewest_moves
from levelsmith.registry import games

LETTERS = str.maketrans(" @+$*.", ".P%*@O")  # of levels, from Sokoban's to those of the game below


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="of processor time for each, and each level"
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th level alone")
    asked = parser.parse_args()
    try:
        levels = levelsmith.load(asked.file, game="sokoban")[:: asked.every]
    except LevelsmithError as error:
        parser.error(str(error))
    lines = []
    for number, level in enumerate(levels, start=1):
        game = in_puzzlescript(level)
        by_own = solved(games.get("sokoban"), level, asked.seconds)
        by_any = solved(game, game.levels()[0], asked.seconds)
        line = {"level": asked.every * (number - 1) + 1} | told("sokoban", by_own) | told("any", by_any)
        moves = fewest_moves(level, Effort(seconds=asked.seconds)) if by_any[0].optimal else None
        lines.append(line | {"fewest moves": None if moves is None else len(moves)})
        print(json.dumps(lines[-1]), flush=True)
    print(json.dumps(summary(lines)))


def in_puzzlescript(level: Level) -> PuzzleGame:
    """Returns a game of one level: a level of Sokoban by the rules of `puzzlescript:crates`."""
    head = "\n".join(games.get("puzzlescript:crates").lines).split("LEVELS")[0]
    head = head.replace("@ = Crate and Target", "@ = Crate and Target\n% = Player and Target")
    height, width = level.grid.shape
    rows = [row.ljust(width).translate(LETTERS) for row in level.text.split("\n") if "#" in row]
    return PuzzleGame("sokoban", f"{head}LEVELS\n\n" + "\n".join(rows[:height]))


def solved(game: Any, level: Level, seconds: float) -> tuple[Verdict, float]:
    """Returns what a solver says within so much processor time, and how much it took."""
    game.solve(level, Effort(states=1, seconds=None))  # compiles what is not yet
    started = time.process_time()
    end = started + seconds
    verdict = game.solve(level, Effort(seconds=None), cancel=lambda: time.process_time() > end)
    return verdict, time.process_time() - started


def told(name: str, answer: tuple[Verdict, float]) -> dict[str, Any]:
    verdict, seconds = answer
    found = {
        "moves": verdict.metrics.get("moves"),
        "proved": verdict.optimal or verdict.status == "unsolvable",
    }
    found |= {"states": verdict.statistics["states"], "seconds": round(seconds, 4)}
    return {f"{name} {key}": value for key, value in found.items()}


def summary(lines: list[dict[str, Any]]) -> dict[str, Any]:
    both = [line for line in lines if line["sokoban proved"] and line["any proved"]]
    found: dict[str, Any] = {"levels": len(lines), "both proved": len(both)}
    sure = [line for line in lines if line["any proved"] and line["fewest moves"] is not None]
    found["same moves"] = sum(line["any moves"] == line["fewest moves"] for line in sure)
    found["others"] = [line["level"] for line in sure if line["any moves"] != line["fewest moves"]]
    for name in ("sokoban", "any"):
        states, seconds = (sum(line[f"{name} {key}"] for line in lines) for key in ("states", "seconds"))
        found[f"{name} proved"] = sum(line[f"{name} proved"] for line in lines)
        found[f"{name} states a second"] = round(states / max(seconds, 1e-9))
        found[f"{name} seconds for both"] = round(sum(line[f"{name} seconds"] for line in both), 3)
    ratios = [line["any seconds"] / max(line["sokoban seconds"], 1e-4) for line in both]
    found["median of the ratios of seconds"] = round(statistics.median(ratios or [0.0]), 2)
    return found


if __name__ == "__main__":
    main()
