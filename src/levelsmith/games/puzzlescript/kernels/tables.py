"""The tables of a game, as everything that plays it reads them: arrays of numbers, a row for each thing.

A set of objects is W words of 64 bits; a set of movements is V words, of 12 layers each: layer l has the bits
5 (l mod 12) to 5 (l mod 12) + 4 of word l // 12, for up, down, left, right and action.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


class CellTables(NamedTuple):
    """What the cells of rules ask for and what they change, one row each."""

    present: Words  # [cells, W] objects that must be there
    absent: Words  # [cells, W] objects that must not
    moving: Words  # [cells, V] movements that must be there
    resting: Words  # [cells, V] movements that must not
    any_first: Numbers  # [cells] first row of `any_of`, of each of which some object must be there
    any_count: Numbers  # [cells]
    any_of: Words  # [sets, W]
    changes: Flags  # [cells] whether there is anything to change
    clear: Words  # [cells, W]
    set: Words  # [cells, W]
    move_clear: Words  # [cells, V] movements taken away, those of `layers` among them
    move_set: Words  # [cells, V]
    layers: Words  # [cells, V] layers whose movement this cell decides, for rigid rules
    random: Words  # [cells, W] objects of which one is drawn
    random_dir: Words  # [cells, V] layers that get a random direction


class RuleTables(NamedTuple):
    """Rules, their rows, and the parts of rows between ellipses."""

    direction: Numbers  # [rules]
    row_first: Numbers  # [rules]
    row_count: Numbers  # [rules]
    commands: Numbers  # [rules] bits
    rigid: Flags  # [rules]
    line: Numbers  # [rules] of the source, from 1
    part_first: Numbers  # [rows]
    part_count: Numbers  # [rows] 1, or 2 or 3 with ellipses
    cell_first: Numbers  # [parts]
    cell_count: Numbers  # [parts]


class GroupTables(NamedTuple):
    """Groups of rules: first those of the turn, then the late ones."""

    rule_first: Numbers  # [groups]
    rule_count: Numbers  # [groups]
    random: Flags  # [groups]
    rigid: Numbers  # [groups] number from 1 of a group with a rigid rule, else 0
    jump: Numbers  # [groups] where a loop that ends here begins, or -1
    early: int  # groups before the late ones


class WinTables(NamedTuple):
    """Conditions that all hold where a level is won."""

    kind: Numbers  # [conditions] NO, SOME or ALL
    what: Words  # [conditions, W]
    where: Words  # [conditions, W]
    what_all: Flags  # [conditions] whether all objects of the set are meant, not any
    where_all: Flags  # [conditions]
    anywhere: Flags  # [conditions] no place is named
