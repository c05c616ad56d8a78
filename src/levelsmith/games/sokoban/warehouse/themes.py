"""What each level of a pack shall be like, so that no two in a row are alike.

A pack goes through all outlines, forms, numbers of boxes and so on before one comes again, each in an order
of its own. What run k is like depends on the seed and on k alone, so levels can still be made in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

import numpy as np

from levelsmith.games.sokoban.warehouse.plan import LARGE, OUTLINES, SMALL, Theme

ENOUGH = 4  # boxes, for two groups of goals
FEW_FORMS = ("cluster", "goalroom", "cluster")  # rooms for goals are much alike: they come less often
MANY_FORMS = (*FEW_FORMS, "groups")
MIRRORED = 5  # one level in so many is the same from left to right
THIRDS = 3  # of the range of difficulty
Choice = TypeVar("Choice")


def in_turn(seed: np.random.SeedSequence, name: str, choices: Sequence[Choice]) -> Choice:
    """Returns the choice of a run: every one comes once before any comes again."""
    run = int(seed.spawn_key[0]) if seed.spawn_key else 0
    round_, at = divmod(run, len(choices))
    order = Random(f"{seed.entropy} {name} {round_}").sample(range(len(choices)), len(choices))
    return choices[order[at]]


def theme_of(seed: np.random.SeedSequence, boxes: tuple[int, int], form: str, symmetry: str) -> Theme:
    """Returns the theme of a run, of what was asked for."""
    number = in_turn(seed, "boxes", range(boxes[0], boxes[1] + 1))
    return Theme(
        outline=in_turn(seed, "outline", OUTLINES),
        form=in_turn(seed, "form", _forms(number)) if form == "any" else form,
        mirrored=symmetry == "mirror"
        or (symmetry == "any" and in_turn(seed, "mirrored", range(MIRRORED)) == 0),
        boxes=number,
        sides=in_turn(seed, "sides", (LARGE, SMALL)),
    )


def part_of_range(seed: np.random.SeedSequence, low: float, high: float) -> tuple[float, float]:
    """Returns the part of a range that a level had better lie in."""
    third = in_turn(seed, "difficulty", range(THIRDS))
    width = (high - low) / THIRDS
    return low + third * width, low + (third + 1) * width


def relaxed(dice: Random, theme: Theme, boxes: tuple[int, int], form: str) -> Theme:
    """Returns another theme, where one came to nothing."""
    number = dice.randint(*boxes)
    return theme._replace(
        outline=dice.choice(OUTLINES),
        form=dice.choice(_forms(number)) if form == "any" else form,
        boxes=number,
        sides=LARGE,
    )


def _forms(boxes: int) -> tuple[str, ...]:
    return MANY_FORMS if boxes >= ENOUGH else FEW_FORMS
