"""Makes new levels of PuzzleScript games, as long as their author's, and plays them by every engine.

python research/remix_games.py FILE [--count N] [--seconds S] [--workers W] [--games N] [--needs]

FILE holds games `{"game", "source", "solutions"}` in JSON, gzipped or not, each level with a text of keys or
null. Of each game that the solver is made for, N levels are made whose shortest solutions take at least as
many keys as the median of those recorded, in at most S seconds. A line of JSON for each game says how many
there are, how many keys they take, and how many are won by the kernel, the twin and the interpreter of the
browser, after the file that they were written to was read again. The shortest sources come first.

FILE may be a folder too, with a source in each `.txt`. Then nothing is asked of the levels, and S seconds are
for each. Every line also says, level by level, how many cells differ from the nearest level of the author
(`changed`), which share of the board that is (`differ`), and the share to the nearest of the pack (`apart`).

With `--needs` the levels shall need a rule that some level of the author needs, the rarest: none can be won
without it. The line then says how many levels of as many made without that wish need it too.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from replay_sessions import ENGINES

import levelsmith
from levelsmith import Level, LevelsmithError
from levelsmith.core import Effort
from levelsmith.games.puzzlescript.alike import Crowd
from levelsmith.games.puzzlescript.live import KEYS
from levelsmith.games.puzzlescript.taught import Taught
from levelsmith.registry import games

PRESSED = frozenset("WASDX")
STATES, PROOF = 20_000, 100_000  # to choose a rule, and to prove that a new level needs it


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--count", type=int, default=10, metavar="N")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    parser.add_argument("--workers", type=int, default=2, metavar="W")
    parser.add_argument("--games", type=int, metavar="N", help="stop after N games with all their levels")
    parser.add_argument("--needs", action="store_true", help="levels that need a rule")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write the files that are made here")
    asked = parser.parse_args()
    found = games_in(asked.file)
    whole = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, entry in enumerate(sorted(found, key=lambda entry: len(entry["source"]))):
            line = {"game": entry["game"], **made(entry, Path(asked.keep or folder) / f"{number}", asked)}
            print(json.dumps(line), flush=True)
            whole += line.get("made", 0) == asked.count
            if whole == asked.games:
                break
    print(json.dumps({"games": number + 1, "whole": whole}))


def games_in(path: Path) -> list[dict[str, Any]]:
    """Returns the games of a file, or of the sources in a folder, which come without solutions."""
    if path.is_dir():
        sources = {one.stem: one.read_text("utf-8", "replace") for one in sorted(path.glob("*.txt"))}
        return [{"game": name, "source": text, "solutions": None} for name, text in sources.items()]
    data = path.read_bytes()
    found: list[dict[str, Any]] = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    return found


def made(entry: dict[str, Any], stem: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """Returns what came of one game."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    path = stem.with_name(f"{stem.name}-author.txt")
    path.write_text(entry["source"], encoding="utf-8")
    recorded = entry["solutions"] is not None
    counts = [sum(key in PRESSED for key in keys) for keys in entry["solutions"] or () if keys]
    lengths = [count for count in counts if count]
    try:
        game: Any = games.get(str(path))
    except LevelsmithError as error:
        return {"left_out": str(error).partition(": ")[2]}
    if not game.is_solvable:
        return {"left_out": "real time, chance or no win"}
    if recorded and not lengths:
        return {"left_out": "no solution is recorded"}
    least = int(statistics.median(lengths)) if lengths else None
    line: dict[str, Any] = {"author": len(lengths), "median": least}
    needed = a_needed_rule(game) if asked.needs else None
    if asked.needs and needed is None:
        return {**line, "left_out": "no recorded level was soon proved to need a rule"}
    levels, took = generated(path, least, asked, {"needs": str(needed)} if needed else {})
    line |= {"made": len(levels), "seconds": took}
    if not levels:
        return line
    keys = [len(level.solution or "") for level in levels]
    line |= {"keys": [min(keys), statistics.median(keys), max(keys)]}
    line["distinct"] = len({level.grid.tobytes() for level in levels})
    line |= likeness(game, levels)
    line["proved"] = sum(_proved(level, len(level.solution or "")) for level in levels)
    line |= replayed(levels, stem.with_suffix(".txt"))
    if needed:
        others, _ = generated(path, least, asked, {})
        line |= {"rule": needed, "need_it": sum(needs(game, level, needed, PROOF) for level in levels)}
        line |= {
            "others": len(others),
            "others_need_it": sum(needs(game, one, needed, PROOF) for one in others),
        }
    return line


def likeness(game: Any, levels: list[Level]) -> dict[str, list[float]]:
    """Returns how far each level is from the author's and from the others of its pack."""
    taught = Taught(game.cells, [level.grid for level in game.levels()])
    found: dict[str, list[float]] = {"changed": [], "differ": [], "apart": []}
    for n, level in enumerate(levels):
        board, pack = taught.board(level.grid), Crowd(one.grid for one in levels[:n] + levels[n + 1 :])
        whole = taught.others.nearest(level.grid, np.ones_like(board))[0]
        found["changed"].append(round(whole * board.size))
        found["differ"].append(round(taught.unlike(level.grid), 2))
        found["apart"].append(round(pack.nearest(level.grid, board)[0], 2))
    return found


def generated(
    path: Path, least: int | None, asked: argparse.Namespace, values: dict[str, str]
) -> tuple[list[Level], float]:
    """Returns levels of that many keys, and how long they took; of any, with the seconds for each, where None
    is given."""
    begun = time.monotonic()
    limits: dict[str, Any] = {"seconds": asked.seconds}
    if least is not None:
        limits = {"evaluations": 100_000, "want": {"moves": (least, None)}}
        limits["cancel"] = lambda: time.monotonic() - begun > asked.seconds
    try:
        levels = levelsmith.generate(
            str(path),
            search="remix",
            set=values,
            count=asked.count,
            seed=1,
            workers=asked.workers,
            partial=True,
            **limits,
        ).levels
    except LevelsmithError:
        levels = ()
    good = [level for level in levels if level.solution and len(level.solution) >= (least or 1)]
    return good, round(time.monotonic() - begun, 1)


def _proved(level: Level, keys: int) -> bool:
    """Returns whether the solver says again that no fewer keys win."""
    verdict = levelsmith.solve(level, seconds=None)
    return bool(verdict.optimal and verdict.solution is not None and len(verdict.solution) == keys)


def replayed(levels: list[Level], path: Path) -> dict[str, int]:
    """Returns by how many engines how many levels are won, after they were written and read."""
    levelsmith.save(levels, path)
    game: Any = games.get(str(path))
    won = dict.fromkeys(ENGINES, 0)
    boards = [level for level in game.program.levels if level.board is not None]
    for level, board in zip(game.levels(), boards, strict=True):
        program = replace(game.program, levels=(board,))
        inputs = [KEYS[letter] for letter in level.solution]
        for name, engine in ENGINES.items():
            won[name] += bool(engine(program, 0, "1", inputs).won)
    return won


def a_needed_rule(game: Any) -> int | None:
    """Returns the line of the rule that the fewest of the author's levels, yet some, soon prove to need."""
    solved = [level for level in game.levels() if _status(game, level) == "solved"]
    lines = sorted({int(line) for line in game.program.tables.rules.line})
    counts = {line: sum(needs(game, level, line) for level in solved[:5]) for line in lines[:20]}
    return min((line for line in lines[:20] if counts[line]), key=lambda line: counts[line], default=None)


def needs(game: Any, level: Level, line: int, states: int = STATES) -> bool:
    """Returns whether it is proved, by so many states, that a level cannot be won without a rule."""
    return _status(game.without(line), level, states) == "unsolvable"


def _status(game: Any, level: Level, states: int = STATES) -> str:
    return str(game.solve(level, Effort(states=states, seconds=None)).status)


if __name__ == "__main__":
    main()
