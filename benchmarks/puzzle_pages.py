"""Measures the solver of PuzzleScript games in a page against the same kernels in Python.

python benchmarks/puzzle_pages.py [FILE] [--levels 20] [--times 3]

FILE holds recorded games as in `tools/replay_sessions.py`; without one the games that ship are solved. Of the
levels with the most states, each is solved several times by both, in turns, and the fastest of each counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from pages import Page

from levelsmith.core import Effort, Level
from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.solve import solve, why_not
from levelsmith.registry import games
from levelsmith.studio.compiled import with_files

STATES = 50_000
LARGEST = 150  # cells
SOLVE = """
import { boardOf, programOf } from "./games/puzzlescript/game.js";
import { prove } from "./games/puzzlescript/prove.js";
import { carried, loaded } from "./kernels.js";

let compiled = null;

export default async function timed({ kernels, game, text, states }) {
  compiled ??= await loaded("puzzlescript", carried({ puzzlescript: kernels }));
  const [program, board] = [programOf(game.program), boardOf(game, text)];
  const started = performance.now();
  const steps = prove(compiled, { program, ...board, states });
  let found = steps.next();
  while (!found.done) found = steps.next();
  return { seconds: (performance.now() - started) / 1000 };
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE", nargs="?")
    parser.add_argument("--levels", type=int, default=20)
    parser.add_argument("--times", type=int, default=3)
    asked = parser.parse_args()
    page, kernels = Page(SOLVE, node=False), with_files("puzzlescript")
    found = sorted(levels(asked.file), key=lambda one: -one[2])[: asked.levels]
    total = [0.0, 0.0]
    for game, level, states in found:
        there, here = [], []
        told = {"game": in_page(game), "text": level.text, "states": STATES, "kernels": kernels}
        for _ in range(asked.times):
            there.append(page(told)["seconds"])
            here.append(native(game, level)[1])
        total = [total[0] + min(there), total[1] + min(here)]
        show(f"{game.name} {level.title}", f"{states:,} states", min(here), min(there))
    show("all", "", *reversed(total))


def show(name: str, states: str, here: float, there: float) -> None:
    print(f"{name[:40]:40} {states:>14} {here:8.4f} s {there:8.4f} s {there / here:5.2f}", flush=True)


def levels(file: Path | None) -> list[tuple[PuzzleGame, Level, int]]:
    """Returns levels that the solver ends with, and how many states it meets."""
    sources = [(name, text) for name, text in games.sources.items()]
    if file is not None:
        sources = [(one["game"], one["source"]) for one in json.loads(gzip.decompress(file.read_bytes()))]
    found = []
    for name, text in sources:
        try:
            game = PuzzleGame(name, text)
        except LevelsmithError:
            continue
        if why_not(game.program.tables):
            continue
        for level in game.levels():
            if level.grid.size <= LARGEST:
                states, _ = native(game, level)
                if states < STATES:
                    found.append((game, level, states))
    return found


def native(game: PuzzleGame, level: Level) -> tuple[int, float]:
    """Returns how many states the solver meets in Python, and the seconds."""
    started = time.perf_counter()
    verdict = solve(game, level, Effort(states=STATES, seconds=None), False, False, None)
    return verdict.statistics["states"], time.perf_counter() - started


def in_page(game: PuzzleGame) -> dict[str, Any]:
    tiles = [{"char": tile.symbol, **game.brush(number)} for number, tile in enumerate(game.tiles)]
    return {"name": game.name, "program": game.plain, "tiles": tiles}


if __name__ == "__main__":
    main()
