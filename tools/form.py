"""Prints how Sokoban levels are built, those of people beside ours: what is seen at a glance, how unlike each
other the levels of a pack are, and how long one takes.

`python tools/form.py microban.xsb` reads collections of people's levels; without any, Microban is read from
`sokoban/microban_155.xsb` in the folder that LEVELSMITH_DATA names, if it does. Of metrics medians are told,
and means in brackets. What needs a shortest solution is told of the levels of which one is soon proved.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import levelsmith
from levelsmith import Level, LevelsmithError
from levelsmith.contracts import Mask
from levelsmith.games.sokoban.metrics.board import filled, trimmed
from levelsmith.games.sokoban.metrics.truth import truth_of
from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL, GOAL, PLAYER_ON_GOAL, WALL
from levelsmith.games.sokoban.warehouse.plan import FORMS

SIZES = ("7x7", "10x10", "14x14", "16x12")
KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "hard": {"want": {"difficulty": "hard"}},
    "mirror": {"set": {"symmetry": "mirror"}},
    **{form: {"set": {"form": form}} for form in FORMS if form != "any"},
}
TOLD = ("lone_goals", "unused_floor", "seldom_pushed", "corridors")  # shares
HEADS = ("goals alone", "floor never used", "boxes pushed at most twice", "narrow ways")
SHARES = {  # of the levels
    "room the same in a mirror": "symmetric",
    "room, boxes and goals": "pictures",
    "five boxes in a row": "rows",
    "a box on a goal": "occupied",
}
ROW = 5  # boxes, at least
Row = dict[str, Any]


def row_of(name: str, levels: Sequence[Level], seconds: float | None) -> Row:
    """Returns what is told of a pack."""
    known = [(level, truth_of(level)) for level in levels]
    proved = [level for level, truth in known if truth is not None and truth.proved]
    metrics: list[Any] = [levelsmith.measure(level) for level in proved]
    rooms = [trimmed(filled(level.grid) != WALL) for level in levels]
    boxes = sorted(found["boxes"] for found in metrics)
    on_goals = [int((level.grid == BOX_ON_GOAL).sum()) for level in levels]
    return {
        "levels": name,
        "number": len(levels),
        "proved": len(proved),
        **{metric: _middle([found[metric] for found in metrics]) for metric in TOLD},
        "goal_groups": _middle([found["goal_groups"] for found in metrics]),
        "entrances": _middle([found["entrances"] for found in metrics]),
        "symmetric": sum(found["mirror_share"] == 1 for found in metrics) / len(metrics),
        "occupied": sum(many > 0 for many in on_goals) / len(levels),
        "on_goals": sum(on_goals) / max(1, sum(many > 0 for many in on_goals)),
        "rows": sum(longest_row(boxes_of(level)) >= ROW for level in levels) / len(levels),
        "pictures": sum(is_picture(level) for level in levels) / len(levels),
        "boxes": [boxes[0], boxes[-1]],
        "sizes": len({level.size for level in levels}),
        "variety": variety(rooms),
        "seconds": seconds,
    }


def _middle(values: Sequence[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "mean": statistics.mean(values)}


def boxes_of(level: Level) -> Mask:
    """Returns which cells have a box at the start."""
    found: Mask = np.isin(level.grid, (BOX, BOX_ON_GOAL))
    return found


def longest_row(boxes: Mask) -> int:
    """Returns how many boxes stand in a row, upright or level, at most."""
    lines = ["".join(" $"[int(box)] for box in line) for side in (boxes, boxes.T) for line in side]
    return max(len(run) for line in lines for run in line.split(" "))


def is_picture(level: Level) -> bool:
    """Tells whether room, boxes and goals are the same from left to right, or from above to below."""
    room = filled(level.grid) != WALL
    rows, columns = np.flatnonzero(room.any(axis=1)), np.flatnonzero(room.any(axis=0))
    cut = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    goals = np.isin(level.grid, (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL))
    sides = [each[cut] for each in (room, boxes_of(level), goals)]
    return any(all(np.array_equal(side, np.flip(side, axis)) for side in sides) for axis in (0, 1))


def variety(rooms: Sequence[Mask]) -> float:
    """Returns how little two rooms cover each other, turned and mirrored as they fit best: the mean over all
    pairs, 0 where all are the same."""
    pairs = combinations(rooms, 2)
    return statistics.mean(1 - max(_shared(a, turned) for turned in _turns(b)) for a, b in pairs)


def _turns(room: Mask) -> Iterator[Mask]:
    yield from (np.rot90(side, k) for side in (room, room[:, ::-1]) for k in range(4))


def _shared(one: Mask, other: Mask) -> float:
    """Returns the cells that two rooms share, over those that either has, corner on corner."""
    height, width = (max(pair) for pair in zip(one.shape, other.shape, strict=True))
    both = [np.pad(room, ((0, height - room.shape[0]), (0, width - room.shape[1]))) for room in (one, other)]
    return float((both[0] & both[1]).sum() / (both[0] | both[1]).sum())


def rows(asked: argparse.Namespace) -> Iterator[Row]:
    """Yields the rows of the table, as they are found."""
    data = os.environ.get("LEVELSMITH_DATA")
    files = asked.files or ([Path(data) / "sokoban" / "microban_155.xsb"] if data else [])
    for file in files:
        yield row_of(Path(file).stem, levelsmith.load(file, game="sokoban"), None)
    for size in asked.sizes:
        for kind in asked.kinds:
            width, height = map(int, size.split("x"))
            words = {
                "size": (height, width),
                "seed": asked.seed,
                "workers": 1,
                "partial": True,
                **KINDS[kind],
            }
            levelsmith.generate("sokoban", **{**words, "seed": asked.seed + 1})  # compiled off the clock
            started = time.process_time()
            made = levelsmith.generate("sokoban", count=asked.count, **words).levels
            yield row_of(f"{kind}, {size}", made, (time.process_time() - started) / len(made))


def lines(found: Iterable[Row]) -> Iterator[str]:
    """Yields the table, line by line."""
    heads = ("levels", "proved", *HEADS, "entrances", *SHARES, "then so many", "boxes", "sizes", "variety")
    heads += ("seconds a level",)
    yield "| " + " | ".join(heads) + " |"
    yield "|---" * len(heads) + "|"
    for row in found:
        shares = [f"{100 * row[name]['median']:.0f} % ({100 * row[name]['mean']:.0f})" for name in TOLD]
        cells = [
            row["levels"],
            f"{row['proved']} of {row['number']}",
            *shares,
            f"{row['entrances']['median']:g} ({row['entrances']['mean']:.1f})",
            *(f"{100 * row[name]:.0f} %" for name in SHARES.values()),
        ]
        cells.append(f"{row['on_goals']:.1f}")
        cells += [f"{row['boxes'][0]} to {row['boxes'][1]}", str(row["sizes"]), f"{row['variety']:.2f}"]
        yield "| " + " | ".join([*cells, "" if row["seconds"] is None else f"{row['seconds']:.2f}"]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="collections of people's levels")
    parser.add_argument("--count", type=int, default=20, help="levels of each kind (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", nargs="*", choices=SIZES, default=SIZES)
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=list(KINDS))
    parser.add_argument("--json", action="store_true", help="print a line of JSON a row")
    asked = parser.parse_args()
    try:
        for line in map(json.dumps, rows(asked)) if asked.json else lines(rows(asked)):
            print(line, flush=True)
    except LevelsmithError as error:
        sys.exit(f"form: {error}")


if __name__ == "__main__":
    main()
