"""Feeds a parser mutated files and reports what came of it; `python fuzz.py FORMAT COUNT SEED` runs it alone.

Only LevelsmithError may come out, soon, and without a heap of memory.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from levelsmith.errors import LevelsmithError
from levelsmith.levels.files import parse_bytes
from levelsmith.levels.format import MAIN, Source
from levelsmith.levels.text import parse
from levelsmith.registry import formats, games

LEVELS = {
    "binary": "..#\n#..",
    "sokoban": "#####\n#@$.#\n#+*_#\n#####",
    "loderunner": "..G..E\nbb#bbb\n..#--.\n.M#..B",
    "orchard": "^.^.\n.^.^",
}
TOKENS = [
    b"0", b"-1", b"1e999", b"99999999999999999999", b"null", b"true", b"[]", b"{}", b'""', b'"\\ud800"',
    b"\0", b"\xff\xfe", b"<", b">", b"&x;", b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"../../etc/passwd",
    b"\x1b[31m", b"\n\n", b"; game: nothing\n", b"NaN", b"[" * 2000, b"width", b"IDAT",
    b"\x00\x00\xff\xff", b",", b'"', b"}", b"]",
]  # fmt: skip


def originals(name: str) -> list[bytes]:
    """Valid files of the format, one a game, and a pack where it holds many."""
    chosen = formats.get(name)
    values = {parameter.name: parameter.default for parameter in chosen.parameters}
    if "scale" in values:
        values["scale"] = 4
    levels = [parse(text, game) for game, text in LEVELS.items()]
    levels.append(replace(parse("#####\n#@$.#\n#####", "sokoban"), solution="R"))
    sets = [[level] for level in levels] + [[level] * 2 for level in levels if chosen.many]
    files = []
    for members in sets:
        with contextlib.suppress(LevelsmithError):  # what it does not hold
            files.append(chosen.write(members, "level", values)[MAIN])
    return files


def mutated(seeds: list[bytes], rng: random.Random) -> bytes:
    """A valid file with one to four wounds."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(7)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            del data[at : at + rng.randint(1, 30)]
        elif kind == 3:
            data[at:at] = rng.choice(TOKENS)
        elif kind == 4:
            token = rng.choice(TOKENS)
            data[at : at + len(token)] = token
        elif kind == 5:
            other = rng.choice(seeds)
            start = rng.randrange(len(other))
            data[at:at] = other[start : start + rng.randint(1, 200)]
        else:
            data[at:at] = data[at : at + rng.randint(1, 100)] * rng.randint(1, 20)
    return bytes(data)


def inputs(name: str, count: int, seed: int) -> Iterator[bytes]:
    rng = random.Random(f"{name}-{seed}")
    seeds = originals(name)
    for _ in range(count):
        yield mutated(seeds, rng)


def peak_mb() -> float:
    """The most memory this process ever held; `ru_maxrss` would count the parent that started it."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1000
    raise OSError("no VmHWM in /proc/self/status")


def fuzz(name: str, count: int, seed: int) -> dict[str, float | int | str]:
    """Counts of what happened; any exception but ours passes through."""
    chosen = formats.get(name)
    asked = [games.get(game) for game in LEVELS]
    rng = random.Random(seed)
    outcome: dict[str, float | int | str] = {"format": name, "count": count, "accepted": 0, "refused": 0}
    slowest = 0.0
    tracemalloc.start()
    for data in inputs(name, count, seed):
        game = rng.choice([*asked, None]) if chosen.names_game else rng.choice(asked)
        started = time.perf_counter()
        try:
            parse_bytes(data, chosen, Source("mutated", game))
            outcome["accepted"] += 1  # type: ignore[operator]
        except LevelsmithError as error:
            if "\n" in str(error) or "\x1b" in str(error):
                raise AssertionError(f"not one clean line: {error!r}") from error
            outcome["refused"] += 1  # type: ignore[operator]
        slowest = max(slowest, time.perf_counter() - started)
    outcome["slowest_ms"] = round(1000 * slowest, 1)
    outcome["allocated_mb"] = round(tracemalloc.get_traced_memory()[1] / 1e6, 1)
    outcome["process_mb"] = round(peak_mb(), 1)
    return outcome


if __name__ == "__main__":
    print(json.dumps(fuzz(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
