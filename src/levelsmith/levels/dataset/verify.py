"""Checks every level of the dataset in this folder, with nothing but Python: `python verify.py`.

It shares no code with what made the levels. Every solution is played by the rules below, or by those in
`rulebook/`; every hash and every split is found anew, and no two levels may be alike, turned, mirrored or
moved. A fault is a line, and the status is then 1. `dataset.json` says what the folder should hold.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
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


class Fault(Exception):  # noqa: N818 - it is one of the data
    """What is wrong with a level."""


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


def split_of(key: int, splits: Mapping[str, float]) -> str:
    """Returns the split that a level belongs to. splits: names and shares, which add up to 1"""
    number = (key + 0x9E3779B97F4A7C15) & WORD  # SplitMix64: evenly spread, whatever the keys are
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & WORD
    number ^= number >> 31
    cuts = list(accumulate(splits.values()))[:-1]
    return list(splits)[bisect_right(cuts, (number >> 11) * 2.0**-53)]


# ------------------------------------------------------------------------------------------------- the game

play: Callable[[Rows, str], None] | None = None  # raises Fault unless the moves solve the level
key_of: Callable[[Rows], int] | None = None  # the number of a level, where a game has numbers of its own


def counts_of(solution: str) -> dict[str, int]:
    """Returns the metrics that a solution tells by its letters."""
    return {"moves": len(solution)}


# Here stand the rules that a game hands out, with functions of these names.


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


def how_keyed(told: Any) -> Callable[[Rows], int] | None:
    """Returns what finds the number of a level; None where only levelsmith can."""
    return {"plain": plain_key, None: None}.get(told["alike"], key_of)


def check_row(row: Any, told: Any) -> int:
    """Returns the number of a level; raises Fault where something about it is not so."""
    grid = grid_of(row["level"], told["symbols"])
    if play is not None:
        play(grid, row["solution"])
    if not row["prompt"].endswith(row["level"]):
        raise Fault("its prompt shows another level")
    for name, count in counts_of(row["solution"]).items():
        if row["metrics"].get(name, count) != count:
            raise Fault(f"it says {row['metrics'][name]} {name}, the solution has {count}")
    for name, (low, high) in told["ranges"].items():
        if not (low is None or row["metrics"][name] >= low) or not (
            high is None or row["metrics"][name] <= high
        ):
            raise Fault(f"its {name} are {row['metrics'][name]}, out of the range that was asked for")
    key, found = int(row["hash"], 16), how_keyed(told)
    if found is not None and found(grid) != key:
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
    played = "every solution played" if play else f"no rules of {told['game']} here: none played"
    hashed = "every hash found anew" if how_keyed(told) else "hashes taken as they are"
    parts = ", ".join(f"{name} {splits[name]:,}" for name in told["splits"])
    print(f"{levels:,} levels ({parts}): {played}, {hashed}, {len(seen):,} different; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
