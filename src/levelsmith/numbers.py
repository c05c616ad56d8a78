"""Numbers from outside: whole ones stay exact, and what is none or too large is refused in one line."""

from __future__ import annotations

from math import inf, isnan
from operator import index
from typing import Any

from levelsmith.errors import LevelsmithError, quoted

LARGEST_INTEGER = 2**63 - 1  # what compiled code and databases can hold
MOST_WORKERS = 4_096  # processes; the system has no room for millions


def whole_number(value: Any, what: str, low: int = 0, unit: str = "", high: int = LARGEST_INTEGER) -> int:
    """Returns the value as an integer, if it is a whole number from `low` to `high`.

    >>> whole_number(1e6, "a seed")
    1000000
    """
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    try:
        if isinstance(number, bool) or not low <= index(number) <= high:
            raise TypeError
    except TypeError:
        most = "2**63 - 1" if high == LARGEST_INTEGER else high
        raise LevelsmithError(f"expected {what} from {low} to {most}{unit}, got {quoted(value)}") from None
    return index(number)


def parse_size(value: Any) -> tuple[int, int]:
    """Returns (height, width), from `WxH` or from any two whole numbers in that order.

    >>> parse_size("10x8"), parse_size([8, 10])
    ((8, 10), (8, 10))
    """
    if isinstance(value, str):
        width, cross, height = value.lower().partition("x")
        if not (cross and all(side.isdecimal() and len(side) < 7 for side in (width, height))):
            raise LevelsmithError(f"expected a size such as 10x8 (width x height), got {quoted(value)}")
        return int(height), int(width)
    try:
        height, width = value
    except (TypeError, ValueError):
        raise LevelsmithError(
            f"expected a size such as (8, 10), height first, or '10x8', got {quoted(value)}"
        ) from None
    return whole_number(height, "a height", 0, " cells"), whole_number(width, "a width", 0, " cells")


def check_seed(seed: Any) -> int:
    """Returns the seed as an integer; every way in asks here."""
    return whole_number(seed, "a seed")


def check_workers(workers: Any) -> int:
    """Returns the number of worker processes as an integer."""
    return whole_number(workers, "a number", 1, " of workers", MOST_WORKERS)


def check_number(value: Any, what: str) -> None:
    """Refuses what is no number: text, nan, an integer that no float can hold."""
    try:
        if isinstance(value, str | bool) or isnan(value):
            raise TypeError
    except (TypeError, OverflowError):
        raise LevelsmithError(f"expected a number as {what}, got {quoted(value)}") from None


def check_seconds(value: Any, what: str) -> None:
    """Refuses what is no time: nothing, less than that, or no end."""
    check_number(value, f"the seconds of {what}")
    if not 0 < value < inf:
        raise LevelsmithError(f"expected {what} of more than 0 seconds, got {value:g}")


def plain_number(value: float) -> str:
    """Returns a number as people write it; a whole one stays exact."""
    return str(int(value)) if value == int(value) else f"{value:g}"
