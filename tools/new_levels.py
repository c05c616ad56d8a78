"""Counts the new levels that recorded PuzzleScript games give in a time, game by game.

python tools/new_levels.py FILE TABLE [--seconds 120] [--count 5] [--games A,B] [--every N] [--first N]
python tools/new_levels.py FILE TABLE --still --workers 8 --cores 2
python tools/new_levels.py FILE TABLE --summary

FILE holds games `{"game", "source", "solutions"}` in JSON, gzipped or not. Each game gets so many seconds of
processor time in a process of its own, so that a busy machine changes no figure but by its caches; 120 are
what two cores give in a minute. With `--cores 2` a game gets two workers and half of that by the clock, for
a machine that has nothing else to do; `--workers` says how many games are made levels of side by side.
`--still` leaves out games in real time. Levels shall take at least as many keys as the median of the recorded
solutions where that is at most 40. A line of JSON for each game is added to TABLE: how many levels were
made, when, how many keys they take, which share of the board differs from the nearest level of the author,
whether fewest keys are proved or a win is only replayed, where the time went, and why there are no more.
Games that TABLE has already are passed over, so that it can be written in parts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

PRESSED = frozenset("WASDX")
LONG = 40  # median keys of an author, above which a level may be shorter
NEW = 0.2  # share of the board, at least, that differs from each of the author's levels
WAIT = 40  # times the processor time, after which a process is ended


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("table", type=Path, metavar="TABLE")
    parser.add_argument("--seconds", type=float, default=120.0, help="of processor time for each game")
    parser.add_argument("--count", type=int, default=5, help="levels of each game")
    parser.add_argument("--games", default="", metavar="A,B", help="these alone")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th game alone")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin at this game, from 0")
    parser.add_argument("--still", action="store_true", help="leave out games in real time")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="games side by side")
    parser.add_argument("--cores", type=int, default=1, metavar="N", help="workers of each game")
    parser.add_argument("--summary", action="store_true", help="print what TABLE says, and make nothing")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(made(json.loads(sys.stdin.read()), asked)))
        return
    if not asked.summary:
        with ThreadPoolExecutor(asked.workers) as pool:
            doing = [pool.submit(in_process, entry, asked) for entry in chosen(asked)]
            for done in as_completed(doing):
                with asked.table.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(done.result()) + "\n")
                print(json.dumps(done.result()), flush=True)
    print(json.dumps(summary(lines_of(asked.table), asked.count)))


def lines_of(table: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in table.read_text().splitlines()] if table.exists() else []


def chosen(asked: argparse.Namespace) -> list[dict[str, Any]]:
    """Returns the games to make levels of, which TABLE does not have yet."""
    try:
        data = asked.file.read_bytes()
        entries = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except (OSError, ValueError) as error:
        sys.exit(f"new_levels: expected a file of recorded games in JSON, got {asked.file}: {error}")
    wanted, known = set(filter(None, asked.games.split(","))), {one["game"] for one in lines_of(asked.table)}
    some = (
        [one for one in entries if one["game"] in wanted] if wanted else entries[asked.first :: asked.every]
    )
    return [one for one in some if one["game"] not in known]


def in_process(entry: dict[str, Any], asked: argparse.Namespace) -> dict[str, Any]:
    """Returns what came of one game, in a process that is ended where its time never comes to an end."""
    call = [sys.executable, __file__, "-", "-", "--one", "--seconds", str(asked.seconds)]
    call += ["--still"] * asked.still
    game = {"game": entry["game"]}
    try:
        done = subprocess.run(
            [*call, "--count", str(asked.count), "--cores", str(asked.cores)],
            input=json.dumps(entry),
            capture_output=True,
            text=True,
            timeout=WAIT * asked.seconds,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return game | {"failed": "the process was ended"}
    except subprocess.CalledProcessError as error:
        return game | {"failed": error.stderr.strip().splitlines()[-1:] or ["no word"]}
    return game | json.loads(done.stdout.splitlines()[-1])


def made(entry: dict[str, Any], asked: argparse.Namespace) -> dict[str, Any]:
    """Returns what came of one game."""
    import levelsmith
    from levelsmith import LevelsmithError
    from levelsmith.games.puzzlescript.traits import why_not
    from levelsmith.registry import games

    lengths = [n for keys in entry["solutions"] if keys and (n := sum(key in PRESSED for key in keys))]
    median = int(statistics.median(lengths)) if lengths else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.txt"
        path.write_text(entry["source"], encoding="utf-8")
        try:
            game: Any = games.get(str(path))
            if why := why_not(game.program.tables):
                return {"left_out": why}
            if asked.still and game.program.tables.realtime:
                return {"left_out": "runs in real time"}
        except LevelsmithError as error:
            return {"left_out": str(error).partition(": ")[2]}
        spent = watch()
        now = time.process_time if asked.cores == 1 else time.monotonic
        begun, seconds = now(), asked.seconds / asked.cores
        want = None if median is None or median > LONG else {"moves": (median, None)}

        def is_over() -> bool:
            return now() - begun > seconds

        levels: tuple[Any, ...] = ()
        why = ""
        try:
            result = levelsmith.generate(
                str(path),
                search="remix",
                count=asked.count,
                seed=1,
                workers=asked.cores,
                partial=True,
                evaluations=100_000,
                cancel=is_over,
                want=want,
            )
            levels, why = result.levels, result.missed
        except LevelsmithError as error:
            why = str(error)
        took = now() - begun
        line: dict[str, Any] = {
            "median": median,
            "cells": int(np.median([o.grid.size for o in game.levels()])),
        }
        line |= {"real time": bool(game.program.tables.realtime)}
        line |= {"made": len(levels), "seconds": round(took, 1)}
        return line | told(game, levels, median) | {"spent": spent()} | ({"why": why} if why else {})


def told(game: Any, levels: Any, median: int | None) -> dict[str, Any]:
    """Returns what is to be known of the levels that were made."""
    from levelsmith.games.puzzlescript.taught import Taught

    taught = Taught(game.cells, [level.grid for level in game.levels()])
    for level in levels:
        game.verify(level)
    images = {
        min(np.rot90(side, n).tobytes() for side in (o.grid, o.grid[::-1]) for n in range(4)) for o in levels
    }
    return {
        "keys": [len(level.solution) for level in levels],
        "differ": [round(taught.unlike(level.grid), 2) for level in levels],
        "proved": sum(game.is_shortest(level) for level in levels),
        "least": [level.provenance.get("least keys", len(level.solution)) for level in levels],
        "distinct": len(images),
        "long": sum(len(level.solution) >= (median or 1) for level in levels),
    }


def watch() -> Callable[[], dict[str, Any]]:
    """Counts calls and time of what makes levels, from now on; returns what tells them."""
    from levelsmith.games.puzzlescript.hindsight import Hindsight
    from levelsmith.games.puzzlescript.remix import Remix
    from levelsmith.games.puzzlescript.taught import Taught

    counts: Counter[str] = Counter()
    times: defaultdict[str, float] = defaultdict(float)

    def watched(owner: Any, name: str) -> None:
        inner = getattr(owner, name)

        def outer(*given: Any, **named: Any) -> Any:
            started = time.process_time()
            found = inner(*given, **named)
            counts[name] += 1
            times[name] += time.process_time() - started
            if name == "solved":
                counts["states"] += found.statistics["states"]
                counts[found.status] += 1
            return found

        setattr(owner, name, outer)

    watched(Remix, "solved")
    watched(Remix, "won")
    watched(Hindsight, "explore")
    watched(Remix, "looked_at")
    watched(Taught, "changed")
    return lambda: {**counts, **{f"{name} s": round(spent, 1) for name, spent in times.items()}}


def summary(lines: list[dict[str, Any]], count: int) -> dict[str, Any]:
    """Returns how many games give how much."""
    tried = [line for line in lines if "made" in line]
    return {
        "games": len(lines),
        "left out": dict(Counter(line["left_out"] for line in lines if "left_out" in line)),
        "failed": [line["game"] for line in lines if "failed" in line],
        "tried": len(tried),
        f"give {count}": sum(gives(line, count) for line in tried),
        "proved": sum(line["proved"] for line in tried),
        "replayed": sum(line["made"] - line["proved"] for line in tried),
        "levels": dict(sorted(Counter(line["made"] for line in tried).items())),
        "seconds": round(sum(line["seconds"] for line in tried)),
    }


def gives(line: dict[str, Any], count: int) -> bool:
    """Returns whether so many levels are new, distinct and as long as the author's where that is asked."""
    short = line["median"] is not None and line["median"] <= LONG and line["long"] < count
    new = line["made"] >= count and line["distinct"] >= count
    return new and not short and all(share >= NEW for share in line["differ"])


if __name__ == "__main__":
    main()
