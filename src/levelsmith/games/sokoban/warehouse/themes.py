"""What each level of a pack shall be like, so that no two in a row are alike.

A pack goes through all outlines, forms, numbers of boxes and so on before one comes again, each in an order
of its own, and as often as people draw such levels. What run k is like depends on the seed and on k alone, so
levels can still be made in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, TypeVar

import numpy as np

from levelsmith.games.sokoban.warehouse.plan import (
    GOALS,
    LARGE,
    OCCUPIED,
    OUTLINES,
    PICTURE,
    ROW,
    SMALL,
    Theme,
)

ENOUGH = 4  # boxes, for two groups of goals
FEW_FORMS = (
    "cluster",
    "goalroom",
    "cluster",
    "cluster",
    "scattered",
)  # rooms for goals are much alike: they come less often
MANY_FORMS = ("cluster", "goalroom", "cluster", "groups", "cluster", "scattered")
OFTEN = ("hall", "rooms", "corridors", "blocks", "loops", "passages", "hall")
MIRRORED = 5  # one level in so many is the same from left to right
POSED = 10  # one in so many starts with its boxes in a row
ON_GOALS = 4  # one in so many with boxes on goals
MANY = 6  # boxes
FEWER = 0.1  # chance that another plan has one fewer of those
EXCEPTIONS = 2  # one in so many has boxes that are pushed seldom
IDLE = 3  # of so many boxes one, at most
LONGEST_ROW = (5, 7)  # boxes
THIRDS = 3  # of the range of difficulty
Choice = TypeVar("Choice")


class Wish(NamedTuple):
    """What was asked for of all levels."""

    form: str
    symmetry: str
    scattered: bool = True  # goals may lie alone
    idle: bool = True  # boxes may be pushed seldom


def in_turn(seed: np.random.SeedSequence, name: str, choices: Sequence[Choice]) -> Choice:
    """Returns the choice of a run: every one comes once before any comes again."""
    run = int(seed.spawn_key[0]) if seed.spawn_key else 0
    round_, at = divmod(run, len(choices))
    order = Random(f"{seed.entropy} {name} {round_}").sample(range(len(choices)), len(choices))
    return choices[order[at]]


def theme_of(seed: np.random.SeedSequence, boxes: tuple[int, int], longest: int, wish: Wish) -> Theme:
    """Returns the theme of a run, of what was asked for.

    Args:
        seed: of the run.
        boxes: how many there may be.
        longest: boxes that may stand in a row; 0 where no row is to be drawn.
        wish: what was asked for.
    """

    def once_in(name: str, many: int) -> bool:
        return in_turn(seed, name, range(many)) == 0

    number = in_turn(seed, "boxes", range(boxes[0], boxes[1] + 1))
    mirrored = wish.symmetry == "mirror" or (wish.symmetry == "any" and once_in("mirrored", MIRRORED))
    pose = PICTURE if mirrored and wish.form == "any" and once_in("picture", 2) else ""
    if wish.form == "any" and not pose and longest >= LONGEST_ROW[0] and once_in("row", POSED):
        pose = ROW
    plain = not pose and wish.form == "any"
    on_goals = wish.form == OCCUPIED or (plain and once_in("occupied", ON_GOALS))
    theme = Theme(
        outline=in_turn(seed, "outline", OFTEN),
        form=in_turn(seed, "form", _forms(number, wish)),
        mirrored=mirrored,
        boxes=number,
        sides=in_turn(seed, "sides", (LARGE, SMALL)),
        pose=pose,
        occupied=in_turn(seed, "on goals", range(1, most_on_goals(number) + 1)) if on_goals else 0,
        idle=number // IDLE if wish.idle and plain and once_in("idle", EXCEPTIONS) else 0,
    )
    theme = _as_asked(theme, wish)
    if theme.pose == ROW and longest >= LONGEST_ROW[0]:
        number = in_turn(seed, "in a row", range(LONGEST_ROW[0], min(longest, LONGEST_ROW[1]) + 1))
        theme = theme._replace(boxes=number)
    return theme._replace(idle=0) if theme.occupied else theme


def most_on_goals(boxes: int) -> int:
    """Returns how many of so many boxes may start on goals: all but one, and half of many."""
    return max(1, boxes - 1 if boxes < MANY else boxes // 2)


def part_of_range(seed: np.random.SeedSequence, low: float, high: float) -> tuple[float, float]:
    """Returns the part of a range that a level had better lie in."""
    third = in_turn(seed, "difficulty", range(THIRDS))
    width = (high - low) / THIRDS
    return low + third * width, low + (third + 1) * width


def relaxed(dice: Random, theme: Theme, boxes: tuple[int, int], wish: Wish, special: bool = False) -> Theme:
    """Returns another theme, where one came to nothing; one that is as `special` if that is said."""
    number = theme.boxes if special else dice.randint(*boxes)
    other = Theme(
        outline=dice.choice(OUTLINES),
        form=dice.choice(_forms(number, wish)),
        mirrored=theme.mirrored,
        boxes=number,
        sides=LARGE,
        occupied=dice.randint(1, most_on_goals(number)) if wish.form == OCCUPIED else 0,
    )
    if special:
        on_goals = theme.occupied - (theme.occupied > 1 and dice.random() < FEWER)
        other = other._replace(pose=theme.pose, occupied=on_goals, idle=theme.idle)
    return _as_asked(other, wish)


def _as_asked(theme: Theme, wish: Wish) -> Theme:
    """Returns a theme with what the form that was asked for says."""
    if wish.form in GOALS:
        return theme._replace(form=wish.form)
    if wish.form in OUTLINES:
        return theme._replace(outline=wish.form)
    if wish.form in (ROW, PICTURE):
        return theme._replace(pose=wish.form, mirrored=theme.mirrored or wish.form == PICTURE)
    return theme


def _forms(boxes: int, wish: Wish) -> tuple[str, ...]:
    forms = MANY_FORMS if boxes >= ENOUGH else FEW_FORMS
    return tuple(form for form in forms if wish.scattered or form != "scattered")
