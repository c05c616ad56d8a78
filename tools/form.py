"""Prints how Sokoban levels are built, Microban's beside ours: medians of what people see at a glance, and
how unlike each other the levels of a pack are.

`LEVELSMITH_DATA=folder python tools/form.py` reads Microban from `folder/sokoban/microban_155.xsb`; without
the variable only those made here are told. Levels that are not proved soon are left out, and counted.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

import levelsmith
from levelsmith import Level
from levelsmith.games.sokoban.metrics.board import filled
from levelsmith.games.sokoban.metrics.solution import pushes, reachable
from levelsmith.games.sokoban.metrics.truth import truth_of
from levelsmith.games.sokoban.rules.kernels.tiles import WALL
from levelsmith.games.sokoban.rules.rules import STEPS, SokobanBoard

SIZES = ((7, 7), (10, 10), (14, 14), (12, 16))
SELDOM = 2
Form = dict[str, float]


def form_of(level: Level) -> Form | None:
    """Returns what a level looks like and how its shortest solution uses it; None where none is proved."""
    known = truth_of(level)
    if known is None or not known.proved:
        return None
    board = SokobanBoard(level.grid)
    floor = reachable(board)
    counts = Counter(box for box, *_ in pushes(board, known.solution))
    used = {board.start.player, *board.start.boxes}
    for _, position in board.play(known.solution):
        used |= {position.player, *position.boxes}
    alone = sum(not _beside(goal) & board.goals for goal in board.goals)
    walls = filled(level.grid) == WALL
    return {
        "goals without a neighbouring goal": alone / len(board.goals),
        "floor that the solution never uses": len(floor - used) / len(floor),
        "boxes pushed at most twice": sum(counts[box] <= SELDOM for box in range(len(board.start.boxes)))
        / len(board.goals),
        "symmetric levels": float(any((walls == np.asarray(same)).all() for same in _mirrored(walls))),
    }


def _beside(cell: tuple[int, int]) -> set[tuple[int, int]]:
    return {(cell[0] + down, cell[1] + right) for down, right in STEPS.values()}


def _mirrored(walls: np.ndarray) -> Iterator[np.ndarray]:
    yield from (walls[:, ::-1], walls[::-1])


def variety(levels: Sequence[Level]) -> float:
    """Returns how little the rooms of two levels cover each other, turned and mirrored as they fit best: the
    mean over all pairs, 0 where all rooms are the same."""
    rooms = [_room(level) for level in levels]
    return statistics.mean(
        1 - max(_shared(a, turned) for turned in _turns(b)) for a, b in combinations(rooms, 2)
    )


def _room(level: Level) -> np.ndarray:
    room = np.zeros(level.size, np.bool_)
    for cell in reachable(SokobanBoard(level.grid)):
        room[cell] = True
    rows, columns = np.flatnonzero(room.any(axis=1)), np.flatnonzero(room.any(axis=0))
    return room[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _turns(room: np.ndarray) -> Iterator[np.ndarray]:
    yield from (np.rot90(side, k) for side in (room, room[:, ::-1]) for k in range(4))


def _shared(one: np.ndarray, other: np.ndarray) -> float:
    """Returns the cells that two rooms share, over those that either has, corner on corner."""
    height, width = (max(pair) for pair in zip(one.shape, other.shape, strict=True))
    both = [np.pad(room, ((0, height - room.shape[0]), (0, width - room.shape[1]))) for room in (one, other)]
    return float((both[0] & both[1]).sum() / (both[0] | both[1]).sum())


def told(name: str, levels: Sequence[Level]) -> str:
    """Returns a row of the table: medians, and of symmetry the share."""
    forms = [form for level in levels if (form := form_of(level)) is not None]
    names = list(forms[0])
    shown = [
        f"{100 * (statistics.mean if 'symmetric' in key else statistics.median)(f[key] for f in forms):.0f} %"
        for key in names
    ]
    boxes = sorted(len(SokobanBoard(level.grid).goals) for level in levels)
    sizes = len({level.size for level in levels})
    shown += [f"{boxes[0]} to {boxes[-1]}", str(sizes), f"{variety(levels):.2f}"]
    return f"| {name} | {len(forms)} of {len(levels)} | " + " | ".join(shown) + " |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20, help="levels of each kind")
    asked = parser.parse_args()
    print(
        "| levels | proved | goals without a neighbouring goal | floor that the solution never uses | "
        "boxes pushed at most twice | symmetric levels | boxes | sizes | variety |\n" + 9 * "|---" + "|"
    )
    data = os.environ.get("LEVELSMITH_DATA")
    if data:
        found = levelsmith.load(Path(data) / "sokoban" / "microban_155.xsb", game="sokoban")
        print(told("Microban", found), flush=True)
        print(told(f"Microban, the first {asked.count}", found[: asked.count]), flush=True)
    for height, width in SIZES:
        kinds: dict[str, dict[str, object]] = {
            "plain": {},
            "hard": {"want": {"difficulty": "hard"}},
            "goal room": {"set": {"form": "goalroom"}},
        }
        if height * width <= 64:
            kinds["a search for a puzzle"] = {"objective": "puzzle"}
        for kind, words in kinds.items():
            made = levelsmith.generate(
                "sokoban", size=(height, width), count=asked.count, seed=1, partial=True, **words
            )
            print(told(f"{kind}, {width}x{height}", made.levels), flush=True)


if __name__ == "__main__":
    main()
