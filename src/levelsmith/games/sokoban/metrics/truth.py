"""The solution that a level is judged by: a shortest one, or else the one that it carries, unproved.

Whatever made a level, its pushes, its difficulty and its tier are those of a solution with the fewest pushes,
and among these with the fewest moves. Where that takes too many states, what is not proved is said: that
fewer moves may do, or how few pushes may do by the bound of the solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from levelsmith.core import UNSURE, Effort, Grid, Level, Size
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.metrics.solution import pushes_alone
from levelsmith.games.sokoban.rules.rules import SokobanBoard, replay
from levelsmith.registry import games

EASY_STATES = 100_000  # that are looked at for a shortest solution, and as many for its fewest moves
KEPT = 4_096  # answers that are kept
PROVED = "proved"  # where a level came from says so where its solution has the fewest pushes and moves


class Truth(NamedTuple):
    """A solution of a level, and what is known of shorter ones."""

    solution: str
    proved: bool  # no solution has fewer pushes
    least: int  # pushes that every solution needs
    rated: bool  # nor has one with as many pushes fewer moves


def is_proved(level: Level) -> bool:
    """Tells whether what made the level knows that no solution has fewer pushes."""
    return level.solution is not None and _knows(level.provenance)


def _knows(origin: Mapping[str, Any]) -> bool:
    if origin.get(UNSURE):
        return False
    if origin.get(PROVED):
        return True
    if origin.get("search") == "warehouse":
        return True  # each is solved before it is handed out
    if origin.get("search") == "carve":
        return bool(origin["parameters"]["carve"]["optimal"])
    return origin.get("representation") == "rooms"  # positions are met by pulls, nearest first


def truth_of(level: Level) -> Truth | None:
    """Returns the solution that a level is judged by; None where none is known and none is soon found."""
    if level.solution is not None and _knows(level.provenance):
        rated = level.provenance.get("search") != "warehouse" or PROVED in level.provenance
        return Truth(level.solution, True, sum(map(str.isupper, level.solution)), rated)
    return _found(level.grid.tobytes(), level.size, level.solution)


def with_shortest(level: Level) -> Level | None:
    """Returns the level with a solution that is proved to have the fewest pushes, and the fewest moves with
    them; None where that takes too many states."""
    known = truth_of(level)
    if known is None or not known.rated:
        return None
    if is_proved(level):
        return level
    told = {name: value for name, value in level.provenance.items() if name != UNSURE}
    return replace(level, solution=known.solution, provenance={**told, PROVED: True})


@lru_cache(maxsize=KEPT)
def _found(cells: bytes, size: Size, carried: str | None) -> Truth | None:
    from levelsmith.games.sokoban.solver.solve import solve

    grid: Grid = np.frombuffer(cells, np.uint8).reshape(size)
    level = Level("sokoban", games.get("sokoban").tiles, grid, solution=carried)
    for states, moves in ((2 * EASY_STATES, True), (4 * EASY_STATES, False)):
        found = solve(level, Effort(states=states, seconds=None), moves=moves)
        if found.solution is not None and found.optimal:
            judged = carried if carried is not None and _as_short(level, found.solution) else found.solution
            return Truth(judged, True, int(found.metrics["pushes"] or 0), moves)
        if found.status == "unsolvable":
            break
    return None if carried is None else Truth(carried, False, pushes_alone(SokobanBoard(grid)), False)


def _as_short(level: Level, shortest: str) -> bool:
    """Tells whether the solution that a level carries solves it in as many pushes as another with the fewest,
    and in no more moves."""
    carried = level.solution or ""
    if len(carried) > len(shortest) or sum(map(str.isupper, carried)) != sum(map(str.isupper, shortest)):
        return False
    try:
        replay(level, carried)
    except LevelsmithError:
        return False
    return True
