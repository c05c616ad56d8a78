"""The tiles, the men and the numbers of the game with guards that chase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

EMPTY, BRICK, SOLID, LADDER, ROPE, GOLD, TRAP, HIDDEN, RUNNER, GUARD = range(10)
SYMBOLS = {".": EMPTY, " ": EMPTY, "b": BRICK, "B": SOLID, "#": LADDER, "-": ROPE, "G": GOLD, "t": TRAP}
SYMBOLS |= {"h": HIDDEN, "M": RUNNER, "E": GUARD}
LEFT, RIGHT, UP, DOWN, DIG_LEFT, DIG_RIGHT, NOTHING = "lrudLR."
KEYS = (LEFT, RIGHT, UP, DOWN, DIG_LEFT, DIG_RIGHT, NOTHING)
FREE, HOLE, CLIMB, REBORN = "free", "hole", "climb", "reborn"  # how a guard is
PLAYING, WON, DEAD = "playing", "won", "dead"

HARD = (BRICK, SOLID)
FLOOR = (BRICK, SOLID, LADDER)  # what carries, in `tile`


class Numbers(NamedTuple):
    """The numbers of the game: units are of a place in a cell, ticks are 5 for each cell that one walks."""

    height: int = 44  # units of a cell
    width: int = 40
    climb: int = 9  # units of a pace up or down
    walk: int = 8  # and to a side
    touch_y: int = 11  # gold is touched less far from the middle than this
    touch_x: int = 10
    catch_y: int = 33  # a guard beside the runner catches him up to here
    catch_x: int = 30
    dig: int = 11  # ticks from the key to the hole
    cancelled: int = 8  # in the first of them a guard beside the runner stops the dig
    open: int = 186  # ticks that a hole is open
    trapped: int = 66  # ticks that a guard stays in a hole
    born: int = 8  # ticks until one who was killed is there again
    carried: int = 12  # middles of cells that gold is carried for, at least
    carried_more: int = 26  # and up to so many more


NUMBERS = Numbers()


@dataclass
class Man:
    """A place: a cell, and the offset from its middle."""

    row: int
    column: int
    dy: int = 0
    dx: int = 0

    @property
    def cell(self) -> tuple[int, int]:
        return self.row, self.column


@dataclass
class Guard(Man):
    """A guard: how he is, the gold he has, and how long he waits.

    `count` is 0 without gold, above 0 the middles of cells until he lays it down, and -1 right after that.
    """

    mode: str = FREE
    count: int = 0
    wait: int = 0
    hole: tuple[int, int] = (0, 0)  # that he climbs out of
