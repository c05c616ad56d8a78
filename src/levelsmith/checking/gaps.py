"""Gaps of a pack filled: new levels as hard as a place in its order asks, unlike all that are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from levelsmith.checking.examine import DIFFICULTY
from levelsmith.checking.rate import Rated, rated
from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, MissingLevelsError
from levelsmith.levels.pack import Pack
from levelsmith.making.driver import generate
from levelsmith.registry import games
from levelsmith.request import Request

NARROW = 4.0  # of difficulty: a range that levels are made for is at least as wide


@dataclass(frozen=True, slots=True)
class Gap:
    """The place between two levels of a pack that follow each other.

    Attributes:
        place: of the first new level, counted from 0.
        low: the least difficulty that levels there should have.
        high: the most.
        falls: whether the levels get easier there.
        like: the level before.
    """

    place: int
    low: float
    high: float
    falls: bool
    like: Level


@dataclass(frozen=True, slots=True)
class Filled:
    """A pack with new levels in it.

    Attributes:
        pack: all levels, in their order.
        new: the numbers of the new levels, each with its verdict.
        missed: why there are fewer than were asked for; "" where there are not.
    """

    pack: Pack
    new: dict[int, Rated]
    missed: str


def gap_between(pack: Pack, first: int, second: int, seconds: float | None = None) -> Gap:
    """Returns the gap between two levels of a pack, by their measured difficulties.

    Args:
        pack: the pack.
        first: the number of a level, from 1.
        second: the number of the one after it.
        seconds: the most that is spent on the proof of each of the two.
    """
    place = pack.number(first)
    if pack.number(second) != place + 1:
        raise LevelsmithError(f"expected two levels that follow each other, such as {first} {first + 1}")
    pair = pack.levels[place : place + 2]
    found = rated(pair) if seconds is None else rated(pair, seconds)
    values = [each.difficulty for each in found]
    for number, value in zip((first, second), values, strict=True):
        if value is None:
            raise LevelsmithError(
                f"the difficulty of level {number} is not known ({found[number - first].told}); "
                "say a range instead: --difficulty 40..60"
            )
    low, high = sorted(value for value in values if value is not None)
    spare = max(0.0, NARROW - (high - low)) / 2
    low, high = max(0.0, round(low - spare, 2)), min(100.0, round(high + spare, 2))
    return Gap(place + 1, low, high, (values[1] or 0) < (values[0] or 0), pair[0])


def filled(pack: Pack, request: Request, gap: Gap | None = None) -> Filled:
    """Returns a pack with new levels in a gap, in the direction in which the levels get harder there.

    Args:
        pack: the pack.
        request: of its game: how many levels, and what else they must have.
        gap: where they go; without one, each goes before the first level that is harder.
    """
    if gap is not None:
        border = 2 * games.get(pack.game).border
        height, width = gap.like.size
        request = Request(pack.game, **{"size": (height - border, width - border), **request.given})
        request = request.but(want={DIFFICULTY: (gap.low, gap.high), **(request.want or {})})
    made, missed = _made(request.but(unlike=pack.levels))
    new = sorted(rated(made), key=lambda each: each.difficulty or 0.0, reverse=gap is not None and gap.falls)
    there = [each.difficulty for each in rated(pack.levels)] if gap is None else []
    levels, numbers = list(pack.levels), {}
    for moved, each in enumerate(new):
        place = next((i for i, value in enumerate(there) if _is_harder(value, each)), len(pack.levels))
        place = moved + (place if gap is None else gap.place)
        levels.insert(place, replace(each.level, author=pack.author))
        numbers[place + 1] = each
    whole = pack.with_levels(levels)
    return Filled(whole.named() if all(level.title for level in pack.levels) else whole, numbers, missed)


def _is_harder(value: float | None, other: Rated) -> bool:
    return value is not None and value > (other.difficulty or 0.0)


def _made(request: Request) -> tuple[Sequence[Level], str]:
    """Returns the levels that could be made, and why others could not."""
    try:
        return generate(request.game, **request.given).levels, ""
    except MissingLevelsError as error:
        return () if error.result is None else error.result.levels, error.marked
