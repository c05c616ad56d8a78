"""What is told of a game by its source and its tables: its keys, its pace, and why it is not solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from levelsmith.errors import printable
from levelsmith.games.puzzlescript.kernels.codes import WIN

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.compile import Program
    from levelsmith.games.puzzlescript.tables import Tables

SLOWEST_TICK, USUAL_TICK, FASTEST_TICK = 10.0, 0.25, 0.02  # seconds


def letters_of(tables: Tables) -> str:
    """Returns the letters of the keys of a game."""
    return "lrud" + "x" * (not tables.no_action) + "." * tables.realtime


def tick_seconds(program: Program) -> float:
    """Returns how long a turn without a key takes in a game in real time."""
    try:
        tick = float(program.source.prelude["realtime_interval"])
    except ValueError:
        tick = USUAL_TICK
    return min(max(tick, FASTEST_TICK), SLOWEST_TICK)


def why_not(tables: Tables) -> str | None:
    """Returns what keeps the solver from levels of a game; None for most."""
    if tables.draws:
        return "draws random numbers"
    if not len(tables.wins.kind) and not (tables.rules.commands & WIN).any():
        return "has no win condition"
    return None


def conditions_of(program: Program) -> list[str]:
    """Returns the win conditions as they are written, a text each; none where a line was left out."""
    asked = [" ".join(printable(word) for word, _ in condition.words) for condition in program.source.wins]
    return asked if len(asked) == len(program.tables.wins.kind) else []
