"""What a reader wants to know of a puzzle first, in one line."""

from __future__ import annotations

from levelsmith.core import Level
from levelsmith.games.sokoban.metrics.difficulty import tier
from levelsmith.games.sokoban.metrics.solution import measured
from levelsmith.games.sokoban.rules.rules import SokobanBoard


def headline(level: Level) -> str:
    """Tells boxes, and of a solution its pushes and moves, the difficulty, and whether it is a shortest."""
    boxes = _counted(len(SokobanBoard(level.grid).goals), "box")
    if level.solution is None:
        return f"{boxes}, no solution known"
    told = measured(level, level.solution)
    pushes, moves, number = _counted(int(told["pushes"]), "push"), told["moves"], told["difficulty"]
    shortest = "proved fewest" if is_proved(level) else "fewer may do"
    counts = f"{pushes} ({shortest}), {moves} move{'s' if moves != 1 else ''}"
    return f"{boxes}, {counts}, difficulty {number:.1f} ({tier(number)})"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'es' if number != 1 else ''}"


def is_proved(level: Level) -> bool:
    """Tells whether what made the level knows that no solution has fewer pushes."""
    origin = level.provenance
    if origin.get("search") == "carve":
        return bool(origin["parameters"]["carve"]["optimal"])
    return origin.get("representation") == "rooms"  # positions are met by pulls, nearest first
