"""What a page says of levels that were asked for and are not there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from levelsmith.errors import amount

if TYPE_CHECKING:
    from levelsmith.making.task import Task

WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
HARD = re.compile(r"difficulty \S+ was the (most|least) found")
FOUND = re.compile(r"(?:[a-z ]+ )?([0-9.]+)(?: [a-z ]+)? (?:was|were) the (most|least) found")
REPEATED = "it repeats a level that was made before"
NOT_AS_ASKED = {"most": "not hard enough", "least": "too hard"}


def spent_on(task: Task) -> str:
    """Returns what a level may cost, in words: 10 s, 50,000 tries."""
    tries, seconds = task.budget.evaluations, task.budget.seconds
    parts = [
        *([amount(tries, "try")] if tries is not None else []),
        *([f"{seconds:g} s"] if seconds is not None else []),
    ]
    return " or ".join(parts)


def nearest(reasons: Sequence[str]) -> str:
    """Returns the reason of the level that came nearest, as far as reasons tell; "" without any.

    >>> nearest(["no candidate was proved", "7 trees were the most found", "12 trees were the most found"])
    '12 trees were the most found'
    """
    found = [(float(match[1]), match[2], reason) for reason in reasons if (match := FOUND.match(reason))]
    if not found:
        return reasons[0] if reasons else ""
    return max(found, key=lambda each: each[0] if each[1] == "most" else -each[0])[2]


def shortfall(made: int, asked: int, reasons: Sequence[str], spent: str, limit: str = "") -> str:
    """Tells in a sentence how many levels are missing and why; "" where none is.

    Args:
        reasons: of levels that were not made, how near they came, as far as that is known.
        spent: what was spent on each.
        limit: the limit of the studio that ended it, if one did.

    >>> near = "difficulty 61 was the most found; asked for 70..85"
    >>> shortfall(6, 8, [near, near], "10 s")
    '6 of 8: two were not hard enough in 10 s each (difficulty 61 was the most found; asked for 70..85)'
    >>> shortfall(0, 1, [], "300 tries")
    'no level could be made in 300 tries'
    >>> shortfall(3, 8, [], "10 s", "the limit of 600 seconds for a job")
    '3 of 8: the limit of 600 seconds for a job came before the other five'
    """
    missing = asked - made
    if missing <= 0:
        return ""
    number = WORDS[missing] if missing < len(WORDS) else f"{missing:,}"
    if limit and asked == 1:
        return f"no level: {limit} came first"
    if limit:
        rest = "any" if not made else "the other" if missing == 1 else f"the other {number}"
        return f"{made:,} of {asked:,}: {limit} came before {rest}"
    within = f" in {spent}{' each' if missing > 1 else ''}" if spent else ""
    told = f" ({nearest(reasons)})" if reasons else ""
    if asked == 1:
        return f"no level could be made{within}{told}"
    ends = {found[1] if (found := HARD.match(reason)) else "" for reason in reasons}
    why = f"{number} could not be made" if made else "none could be made"
    if len(reasons) == missing and len(ends) == 1 and "" not in ends:  # so of each of them
        all_ = "" if made else "all "
        why = f"{all_}{number} {'was' if missing == 1 else 'were'} {NOT_AS_ASKED[ends.pop()]}"
    return f"{made:,} of {asked:,}: {why}{within}{told}"
