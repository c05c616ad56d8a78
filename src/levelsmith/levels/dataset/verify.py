"""Checks every level of the dataset in this folder, with nothing but Python: `python verify.py`.

It shares no code with what made the levels. Every solution is played by the rules below, or where guards
chase by those in `rulebook/`; every hash and every split is found anew, and no two levels may be alike,
turned, mirrored or moved. A fault is a line, and the status is then 1. `dataset.json` says what the folder
should hold.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import re
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

Rows = list[list[int]]  # of the numbers of tiles

MOST_TOLD = 20  # faults that are printed
WORD = (1 << 64) - 1
WALL, BOX, GOAL, BOX_ON_GOAL, PLAYER, PLAYER_ON_GOAL = range(1, 7)  # tiles of Sokoban; 0 is floor
EMPTY, BRICK, SOLID, LADDER, ROPE, GOLD, ENEMY, RUNNER = range(8)  # tiles of Lode Runner
DIG_TICKS, HOLE_TICKS = 3, 35
LODE_RUNNER_SYMBOLS = ".bB#-GEMth"
PRESS = re.compile(r"([lrudLR.])([1-9][0-9]{0,4})")  # a key, and the ticks that it stays down
LONGEST = 30_000  # ticks of a game


class Fault(Exception):  # noqa: N818 - it is one of the data
    """What is wrong with a level."""


# ------------------------------------------------------------------------------------------------ the rules


def play_sokoban(grid: Rows, moves: str) -> None:
    """Raises Fault unless the moves, capitals for pushes, bring every box to a goal. grid: rows of tiles."""
    width = len(grid[0]) + 1  # one more cell of wall keeps the end of a row from the begin of the next
    flat = [WALL] * width
    for row in grid:
        flat += [*row, WALL]
    flat += [WALL] * width
    boxes = {i for i, tile in enumerate(flat) if tile in (BOX, BOX_ON_GOAL)}
    goals = {i for i, tile in enumerate(flat) if tile in (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL)}
    players = [i for i, tile in enumerate(flat) if tile in (PLAYER, PLAYER_ON_GOAL)]
    if len(players) != 1 or not boxes or len(boxes) != len(goals):
        raise Fault(f"it has {len(players)} players, {len(boxes)} boxes and {len(goals)} goals")
    steps, here = {"u": -width, "d": width, "l": -1, "r": 1}, players[0]
    for number, letter in enumerate(moves, 1):
        step = steps.get(letter.lower())
        if step is None:
            raise Fault(f"move {number}, {letter!r}, is none of u d l r U D L R")
        here += step
        if flat[here] == WALL:
            raise Fault(f"move {number}, {letter!r}, goes into a wall")
        if (here in boxes) != letter.isupper():
            raise Fault(f"move {number}, {letter!r}, {'pushes nothing' if letter.isupper() else 'is a push'}")
        if letter.isupper():
            if flat[here + step] == WALL or here + step in boxes:
                raise Fault(f"move {number}, {letter!r}, pushes a box into something")
            boxes.remove(here)
            boxes.add(here + step)
    if boxes != goals:
        raise Fault(f"the solution leaves {len(boxes - goals)} boxes off the goals")


def play_loderunner(grid: Rows, moves: str) -> None:
    """Raises Fault unless the moves collect all gold: steps l r u d, digs L R, and a dot for a wait."""
    height, width = len(grid), len(grid[0])
    places = [(y, x) for y in range(height) for x in range(width)]
    runners = [(y, x) for y, x in places if grid[y][x] == RUNNER]
    gold = {(y, x) for y, x in places if grid[y][x] == GOLD}
    if len(runners) != 1 or not gold:
        raise Fault(f"it has {len(runners)} players and {len(gold)} pieces of gold")
    holes: dict[tuple[int, int], int] = {}  # the ticks for which each is open
    y, x = runners[0]

    def tile(y: int, x: int) -> int:
        found = grid[y][x] if 0 <= y < height and 0 <= x < width else SOLID
        return EMPTY if found in (GOLD, ENEMY, RUNNER) else found

    def hard(y: int, x: int) -> bool:
        return tile(y, x) == SOLID or (tile(y, x) == BRICK and (y, x) not in holes)

    for number, letter in enumerate(moves, 1):
        stands = tile(y, x) in (LADDER, ROPE) or tile(y + 1, x) == LADDER or hard(y + 1, x)
        if letter != "d" and not stands:
            raise Fault(f"move {number}, {letter!r}: the runner falls, which is d")
        dug, ticks = None, 1
        if letter in ("L", "R"):
            dug, ticks = (y + 1, x - 1 if letter == "L" else x + 1), DIG_TICKS
            above = (dug[0] - 1, dug[1])
            if tile(*dug) != BRICK or dug in holes:
                raise Fault(f"move {number}, {letter!r}: no brick is there to dig")
            if above in gold or tile(*above) in (LADDER, ROPE) or hard(*above):
                raise Fault(f"move {number}, {letter!r}: something lies on that brick")
        elif letter in ("u", "d", "l", "r", "."):
            down, right = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1), ".": (0, 0)}[letter]
            if letter == "u" and tile(y, x) != LADDER:
                raise Fault(f"move {number}, 'u': no ladder leads up from here")
            if hard(y + down, x + right):
                raise Fault(f"move {number}, {letter!r}: something hard is in the way")
            y, x = y + down, x + right
            gold.discard((y, x))
        else:
            raise Fault(f"move {number}, {letter!r}, is none of l r u d L R and a dot")
        left = {cell: age - ticks for cell, age in holes.items() if age > ticks}
        if (y, x) in holes and (y, x) not in left:
            raise Fault(f"move {number}, {letter!r}: the hole fills while the runner is in it")
        holes = left
        if dug is not None:
            holes[dug] = HOLE_TICKS
    if gold:
        raise Fault(f"the solution leaves {len(gold)} pieces of gold")


def play_against_guards(grid: Rows, moves: str) -> None:
    """Raises Fault unless keys with ticks, such as r45 L12 .5, win against guards who chase."""
    here = os.path.dirname(os.path.abspath(__file__))
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        from rulebook.game import Game  # type: ignore[import-not-found]
    except ImportError:
        raise SystemExit("verify.py: the folder rulebook is missing, which lies beside it") from None
    presses = [PRESS.fullmatch(word) for word in moves.split()]
    if None in presses or not presses:
        raise Fault("expected keys with their ticks, such as r45 L12 .5")
    keys = [(press[1], int(press[2])) for press in presses if press]
    if sum(ticks for _, ticks in keys) > LONGEST:
        raise Fault(f"the solution has more than {LONGEST} ticks")
    if sum(row.count(RUNNER) for row in grid) != 1 or not any(GOLD in row for row in grid):
        raise Fault("it has not one player, or no gold")
    game = Game(["".join(LODE_RUNNER_SYMBOLS[tile] for tile in row) for row in grid])
    for key, ticks in keys:
        for tick in range(ticks):
            if game.status == "playing":
                game.tick(key if tick == 0 else None)
    if game.status != "won":
        raise Fault(f"the solution does not win against the guards: {game.status}, {game.left} gold left")


RULES: Mapping[str, Callable[[Rows, str], None]] = {
    "sokoban": play_sokoban,
    "loderunner": play_loderunner,
    "loderunner, guards chase": play_against_guards,
}


def rules_of(told: Any) -> str:
    """Returns which of the rules the levels of a dataset are played by. told: what `dataset.json` has"""
    chased = told["made"].get("guards") == "chase"
    return f"{told['game']}, guards chase" if chased else str(told["game"])


# ----------------------------------------------------------------------------------- what levels alike share


def turned(rows: Rows) -> Iterator[Rows]:
    """Yields rows as they look turned and mirrored in each of eight ways."""
    for side in (rows, [row[::-1] for row in rows]):
        for _ in range(4):
            yield side
            side = [list(row) for row in zip(*side, strict=True)][::-1]


def plain_key(grid: Rows) -> int:
    """Returns the number of a level that turning and mirroring leave as it is."""
    looks = [repr((len(rows), len(rows[0]))).encode() + b"".join(map(bytes, rows)) for rows in turned(grid)]
    return int.from_bytes(hashlib.blake2b(min(looks), digest_size=8).digest(), "little")


def sokoban_key(grid: Rows) -> int:
    """Returns the number of a level that turning, mirroring, moving and walking about leave as it is.

    What the player can never get to counts as wall, and walls around the level do not count.
    """
    width = len(grid[0]) + 2
    flat = [WALL] * width
    for row in grid:
        flat += [WALL, *row, WALL]
    flat += [WALL] * width
    player = next(i for i, tile in enumerate(flat) if tile in (PLAYER, PLAYER_ON_GOAL))
    inside = flood(player, width, lambda cell: flat[cell] != WALL)
    flat = [WALL if i not in inside and tile in (0, BOX_ON_GOAL) else tile for i, tile in enumerate(flat)]
    flat[player] = GOAL if flat[player] == PLAYER_ON_GOAL else 0
    for cell in flood(player, width, lambda cell: flat[cell] in (0, GOAL)):
        flat[cell] += 6
    filled = [i for i, tile in enumerate(flat) if tile != WALL]
    top, bottom = min(filled) // width - 1, max(filled) // width + 2
    columns = {i % width for i in filled}
    left, right = min(columns) - 1, max(columns) + 2
    rows = [flat[row * width + left : row * width + right] for row in range(top, bottom)]
    return min(map(mixed, turned(rows)))


def flood(start: int, width: int, is_open: Callable[[int], bool]) -> set[int]:
    """Returns the cells that can be walked to through open ones."""
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for there in (here - width, here + width, here - 1, here + 1):
            if there not in seen and is_open(there):
                seen.add(there)
                waiting.append(there)
    return seen


def mixed(rows: Rows) -> int:
    """Returns a number of rows as they stand."""
    number = len(rows) * 1000 + len(rows[0])
    for row in rows:
        for mark in row:
            number = ((number ^ mark) * 0x9E3779B97F4A7C15) & WORD
            number ^= number >> 29
    return number


KEYS: Mapping[str, Callable[[Rows], int]] = {"sokoban": sokoban_key, "plain": plain_key}


def split_of(key: int, splits: Mapping[str, float]) -> str:
    """Returns the split that a level belongs to. splits: names and shares, which add up to 1"""
    number = (key + 0x9E3779B97F4A7C15) & WORD  # SplitMix64: evenly spread, whatever the keys are
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & WORD
    number ^= number >> 31
    cuts = list(accumulate(splits.values()))[:-1]
    return list(splits)[bisect_right(cuts, (number >> 11) * 2.0**-53)]


# ------------------------------------------------------------------------------------------------- the files


def grid_of(text: str, symbols: str) -> Rows:
    """Returns a level as rows of the numbers of its tiles."""
    rows = text.split("\n")
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        raise Fault("its rows are not of one length")
    tiles = {symbol: i for i, symbol in enumerate(symbols)}
    if any(character not in tiles for character in text if character != "\n"):
        raise Fault("it holds a character that is no tile")
    return [[tiles[character] for character in row] for row in rows]


def check_row(row: Any, told: Any) -> int:
    """Returns the number of a level; raises Fault where something about it is not so."""
    grid = grid_of(row["level"], told["symbols"])
    play = RULES.get(rules_of(told))
    if play is not None:
        play(grid, row["solution"])
    if not row["prompt"].endswith(row["level"]):
        raise Fault("its prompt shows another level")
    timed = play is play_against_guards
    counts = {"moves": len(row["solution"].split() if timed else row["solution"])}
    if told["game"] == "sokoban":
        counts["pushes"] = sum(letter.isupper() for letter in row["solution"])
    for name, count in counts.items():
        if row["metrics"].get(name, count) != count:
            raise Fault(f"it says {row['metrics'][name]} {name}, the solution has {count}")
    for name, (low, high) in told["ranges"].items():
        if not (low is None or row["metrics"][name] >= low) or not (
            high is None or row["metrics"][name] <= high
        ):
            raise Fault(f"its {name} are {row['metrics'][name]}, out of the range that was asked for")
    key = int(row["hash"], 16)
    if told["alike"] in KEYS and KEYS[told["alike"]](grid) != key:
        raise Fault("its hash is that of another level")
    if split_of(key, told["splits"]) != row["split"]:
        raise Fault(f"it belongs to {split_of(key, told['splits'])}, not to {row['split']}")
    return key


def read_rows(path: Path) -> list[Any]:
    """Returns the rows of a file."""
    if path.suffix == ".parquet":
        try:
            import pyarrow.parquet
        except ImportError:
            raise SystemExit("verify.py: .parquet is read by pyarrow: pip install pyarrow") from None
        return list(pyarrow.parquet.read_table(path).to_pylist())
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def check_file(job: tuple[str, str, Any]) -> tuple[list[str], list[int], Counter[str]]:
    """Returns what was found in a file: its faults, the number of each level, and how many of each split."""
    folder, name, told = job
    faults: list[str] = []
    keys: list[int] = []
    splits: Counter[str] = Counter()
    expected = told["files"][name]
    path = Path(folder, name)
    try:
        if hashlib.sha256(path.read_bytes()).hexdigest() != expected["sha256"]:
            faults.append(f"{name}: its bytes are not those that were written")
        rows = read_rows(path)
    except (OSError, ValueError) as error:
        return [*faults, f"{name}: cannot be read: {error}"], keys, splits
    if len(rows) != expected["rows"]:
        faults.append(f"{name}: {len(rows)} levels, expected {expected['rows']}")
    for number, row in enumerate(rows, 1):
        try:
            keys.append(check_row(row, told))
            splits[row["split"]] += 1
            if not name.startswith(row["split"] + "-"):
                raise Fault(f"it is of {row['split']}, which is another file's")
        except (Fault, AttributeError, IndexError, KeyError, StopIteration, TypeError, ValueError) as error:
            reason = (
                str(error) if isinstance(error, Fault) else f"it is no row: {type(error).__name__} {error}"
            )
            faults.append(f"{name}, line {number}: {reason}")
    return faults, keys, splits


def main() -> int:
    """Checks all files and prints what was found; returns the status."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
    try:
        told = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SystemExit(f"verify.py: cannot read dataset.json: {error}") from None
    jobs = [(str(folder), name, told) for name in sorted(told["files"])]
    faults: list[str] = []
    seen: set[int] = set()
    splits: Counter[str] = Counter()
    levels = 0
    with multiprocessing.Pool() as pool:
        for (_, name, _), (found, keys, counts) in zip(jobs, pool.imap(check_file, jobs), strict=True):
            faults += found
            splits += counts
            levels += len(keys)
            for number, key in enumerate(keys, 1):
                if key in seen:
                    faults.append(f"{name}: a level, number {number} of the sound ones, was there before")
                seen.add(key)
    strangers = {path.name for path in folder.glob("*.jsonl")} | {
        path.name for path in folder.glob("*.parquet")
    }
    faults += [f"{name}: is not in dataset.json" for name in sorted(strangers - set(told["files"]))]
    if levels != told["levels"]:
        faults.append(f"{levels} sound levels, dataset.json says {told['levels']}")
    for fault in faults[:MOST_TOLD]:
        print(fault)
    if len(faults) > MOST_TOLD:
        print(f"and {len(faults) - MOST_TOLD} more")
    played = (
        "every solution played"
        if rules_of(told) in RULES
        else f"no rules of {told['game']} here: none played"
    )
    hashed = "every hash found anew" if told["alike"] in KEYS else "hashes taken as they are"
    parts = ", ".join(f"{name} {splits[name]:,}" for name in told["splits"])
    print(f"{levels:,} levels ({parts}): {played}, {hashed}, {len(seen):,} different; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
