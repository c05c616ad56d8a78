"""Asks twenty times for a hundred Sokoban levels, and looks for what was promised not to happen.

    python tools/packs.py --count 100

Each request is typed twice, for one worker and for two, and the files are compared byte by byte. Levels that
are alike are counted: turned, mirrored, shifted, or with the player elsewhere within reach. A plain search
through all positions, which shares no code with levelsmith, finds the fewest pushes of every level, unless it
meets too many positions: a level that claims another number is counted as wrong. So is one whose boxes or
pushes, or whose difficulty by the board alone, are out of their range. The status is 1 where any is found.
"""

from __future__ import annotations

import argparse
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from levelsmith import Level, LevelsmithError, load, measure
from levelsmith.games.sokoban import TIER_RANGES
from levelsmith.numbers import whole_number

REQUESTS = (
    "--size 5x5",
    "--size 7x7",
    "--size 10x8",
    "--size 6x6 --boxes 2..4 --pushes 15..25",
    "--size 6x6 --boxes 3 --difficulty hard",
    "--size 7x7 --difficulty hard",
    "--size 7x7 --difficulty easy --pushes 6..14",
    "--size 7x7 --set symmetry=mirror",
    "--size 8x7 --form cluster",
    "--size 9x7 --form goalroom",
    "--size 7x7 --form groups",
    "--size 7x7 --form scattered",
    "--size 9x7 --form row",
    "--size 7x7 --form picture",
    "--size 8x7 --form occupied",
    "--size 8x7 --form corridors",
    "--size 8x7 --form loops",
    "--representation rooms --size 6x6 --boxes 3 --pushes 12..18",
    "--representation play --size 6x6 --pushes 8..14",
    "--preset boxoban --pushes 8..20",
)
POSITIONS = 20_000  # that the plain search meets of a level at most
FIRST_SEED = 901


@dataclass
class Found:
    """What was found of a request."""

    levels: int
    repeats: int
    same: bool
    searched: int  # levels whose fewest pushes are known by plain search
    wrong: int
    seconds: float  # of processors, on one worker

    @property
    def clean(self) -> bool:
        return self.same and not self.repeats and not self.wrong


def looked_at(request: str, seed: int, count: int, positions: int) -> Found:
    """Returns what was found of the levels of one request."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{workers}.json" for workers in (1, 2)]
        spent = [typed(request, seed, count, workers, file) for workers, file in enumerate(files, 1)]
        same = files[0].read_bytes() == files[1].read_bytes()
        levels = load(files[0], game="sokoban")
    least = [fewest_pushes(level.text, positions) for level in levels]
    ranges = dict(re.findall(r"--(boxes|pushes|difficulty) (\S+)", request))
    wrong = sum(is_wrong(level, pushes, ranges) for level, pushes in zip(levels, least, strict=True))
    repeats = len(levels) - len({canonical(level.text) for level in levels})
    return Found(len(levels), repeats, same, sum(n is not None for n in least), wrong, spent[0])


def typed(request: str, seed: int, count: int, workers: int, file: Path) -> float:
    """Makes the levels of a request as one would type it; returns seconds of processors."""
    words = f"generate sokoban {request} --count {count} --seed {seed} --workers {workers}".split()
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "levelsmith", *words, "-o", str(file)], capture_output=True, text=True
    )
    if not file.exists():
        raise LevelsmithError(f"{request}: no levels were made: {done.stderr.strip()}")
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def is_wrong(level: Level, pushes: int | None, ranges: dict[str, str]) -> bool:
    """Tells whether a level claims other pushes than it has, or has what nobody asked for."""
    bare = replace(level, solution=None, provenance={})
    own = {"boxes": level.text.count("$") + level.text.count("*")}
    if pushes is not None:
        own["pushes"] = pushes
    if pushes is not None and measure(level)["pushes"] != pushes:
        return True
    if "difficulty" in ranges:
        low, high = TIER_RANGES[ranges["difficulty"]]
        if not low <= float(measure(bare)["difficulty"]) <= high:
            return True
    return any(not within(own[name], text) for name, text in ranges.items() if name in own)


def within(number: int, text: str) -> bool:
    low, dots, high = text.partition("..")
    return float(low or 0) <= number <= float((high or math.inf) if dots else low)


# ------------------------------------------------------------------------------------------- the plain search

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
Cell = tuple[int, int]


def cells_of(text: str) -> dict[Cell, str]:
    lines = [line for line in text.splitlines() if line.strip()]
    return {(i, j): tile for i, line in enumerate(lines) for j, tile in enumerate(line)}


def room_of(cells: dict[Cell, str]) -> tuple[set[Cell], set[Cell]]:
    """Returns the cells that the player could walk to without boxes, and those with them in place."""
    start = next(cell for cell, tile in cells.items() if tile in "@+")
    found = []
    for stops in ("#", "#$*"):
        seen, waiting = {start}, [start]
        while waiting:
            i, j = waiting.pop()
            near = {(i + a, j + b) for a, b in STEPS} - seen
            near = {cell for cell in near if cells.get(cell, "#") not in stops}
            seen |= near
            waiting += near
        found.append(seen)
    return found[0], found[1]


def canonical(text: str) -> tuple[tuple[int, int, str], ...]:
    """Returns what levels that are alike have in common: the first of the eight turns of the room alone, with
    the player wherever he can walk to."""
    cells = cells_of(text)
    room, near = room_of(cells)
    plain = {"@": " ", "+": "."}
    inside = [(i, j, plain.get(cells[i, j], cells[i, j]) + ("@" if (i, j) in near else "")) for i, j in room]
    turned = []
    for k in range(8):
        own = [((j, i) if k & 4 else (i, j), tile) for i, j, tile in inside]
        sides = [(-i if k & 1 else i, -j if k & 2 else j, tile) for (i, j), tile in own]
        top, left = min(side[0] for side in sides), min(side[1] for side in sides)
        turned.append(tuple(sorted((i - top, j - left, tile) for i, j, tile in sides)))
    return min(turned)


def fewest_pushes(text: str, positions: int) -> int | None:
    """Returns the fewest pushes of a solution, layer by layer; None where that takes too many positions.

    A set of cells is one number, a bit a cell; a position is the boxes and the cells within reach.
    """
    cells = cells_of(text)
    width = 1 + max(j for _, j in cells)
    bits = {(i, j): 1 << (i * width + j) for i, j in cells}
    floor = sum(bit for cell, bit in bits.items() if cells[cell] != "#")
    boxes, goals = (sum(bit for cell, bit in bits.items() if cells[cell] in tiles) for tiles in ("$*", ".*+"))
    player = next(bit for cell, bit in bits.items() if cells[cell] in "@+")

    def reach(cell: int, boxes: int) -> int:
        free, seen = floor & ~boxes, 0
        while cell != seen:
            seen = cell
            cell |= (cell << 1 | cell >> 1 | cell << width | cell >> width) & free
        return seen

    layer = [(boxes, reach(player, boxes))]
    seen, pushes = set(layer), 0
    while layer:
        following = []
        for boxes, near in layer:
            if boxes == goals:
                return pushes
            free = floor & ~boxes
            for step in (1, width):
                ups = near << step & boxes & free >> step
                downs = near >> step & boxes & free << step
                for moved, shift in ((ups, step), (downs, -step)):
                    while moved:
                        box = moved & -moved
                        moved ^= box
                        after = boxes ^ box ^ (box << shift if shift > 0 else box >> -shift)
                        position = after, reach(box, after)
                        if position not in seen:
                            seen.add(position)
                            following.append(position)
        if len(seen) > positions:
            return None
        layer, pushes = following, pushes + 1
    raise LevelsmithError(f"a level without a solution was made:\n{text}")


# ------------------------------------------------------------------------------------------------- the table


def lines(requests: Sequence[str], found: Sequence[Found]) -> Iterator[str]:
    """Yields the table, line by line."""
    yield "| request | levels | repeats | 1 and 2 workers | searched | wrong | seconds of processor |"
    yield "|---" * 7 + "|"
    for request, each in zip(requests, found, strict=True):
        workers = "the same bytes" if each.same else "differ"
        told = f"{each.levels} | {each.repeats} | {workers} | {each.searched} | {each.wrong}"
        yield f"| `{request}` | {told} | {each.seconds:.0f} |"
    sums = [sum(getattr(each, name) for each in found) for name in ("levels", "repeats", "searched", "wrong")]
    same, seconds = sum(each.same for each in found), sum(each.seconds for each in found)
    told = f"{sums[0]:,} | {sums[1]} | {same} the same | {sums[2]:,} | {sums[3]} | {seconds:.0f}"
    yield f"| all {len(found)} | {told} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("--count", type=int, default=100, help="levels of each request (100)")
    parser.add_argument(
        "--seed", type=int, default=FIRST_SEED, help="of the first request; the next has one more"
    )
    parser.add_argument(
        "--positions", type=int, default=POSITIONS, help="of a plain search, at most (20,000)"
    )
    parser.add_argument("--every", type=int, default=1, help="only one of so many requests")
    asked = parser.parse_args()
    found = []
    try:
        count = whole_number(asked.count, "a number", 1, " of levels", 100_000)
        positions = whole_number(asked.positions, "a number", 1, " of positions", 10**9)
        every = whole_number(asked.every, "a step", 1, "", len(REQUESTS))
        for i, request in enumerate(REQUESTS):
            if i % every == 0:
                found.append(looked_at(request, asked.seed + i, count, positions))
                print(f"{request}: {found[-1]}", file=sys.stderr, flush=True)
    except LevelsmithError as error:
        sys.exit(f"packs: {error}")
    for line in lines(REQUESTS[::every], found):
        print(line)
    sys.exit(not all(each.clean for each in found))


if __name__ == "__main__":
    main()
