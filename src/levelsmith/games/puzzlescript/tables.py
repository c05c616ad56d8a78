"""The tables of a game: all that is needed to play it, as arrays of numbers.

Whatever plays a game reads these and nothing else. A set of objects is W words of 64 bits; a set of movements
is V words, of 12 layers each: layer l has the bits 5 (l mod 12) to 5 (l mod 12) + 4 of word l // 12, for up,
down, left, right and action.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.puzzlescript.kernels.codes import (
    ACTION,
    AGAIN,
    CANCEL,
    CHECKPOINT,
    DOWN,
    LAYERS_IN_WORD,
    LEFT,
    MESSAGE,
    MOVE_BITS,
    RESTART,
    RIGHT,
    SOUND,
    UP,
    WIN,
)

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

INPUTS = (UP, LEFT, DOWN, RIGHT, ACTION)  # the movement of the inputs 0 to 4, as sessions record them
COMMAND_BITS = {
    "again": AGAIN,
    "cancel": CANCEL,
    "checkpoint": CHECKPOINT,
    "restart": RESTART,
    "win": WIN,
    "message": MESSAGE,
    **{f"sfx{i}": SOUND for i in range(11)},
}


@dataclass(frozen=True)
class CellTables:
    """What the cells of rules ask for and what they change, one row each."""

    present: Words  # [cells, W] objects that must be there
    absent: Words  # [cells, W] objects that must not
    moving: Words  # [cells, V] movements that must be there
    resting: Words  # [cells, V] movements that must not
    any_first: Numbers  # [cells] first row of `any_of`, of each of which some object must be there
    any_count: Numbers  # [cells]
    any_of: Words  # [sets, W]
    changes: NDArray[np.bool_]  # [cells] whether there is anything to change
    clear: Words  # [cells, W]
    set: Words  # [cells, W]
    move_clear: Words  # [cells, V] movements taken away, those of `layers` among them
    move_set: Words  # [cells, V]
    layers: Words  # [cells, V] layers whose movement this cell decides, for rigid rules
    random: Words  # [cells, W] objects of which one is drawn
    random_dir: Words  # [cells, V] layers that get a random direction


@dataclass(frozen=True)
class RuleTables:
    """Rules, their rows, and the parts of rows between ellipses."""

    direction: Numbers  # [rules]
    row_first: Numbers  # [rules]
    row_count: Numbers  # [rules]
    commands: Numbers  # [rules] bits
    rigid: NDArray[np.bool_]  # [rules]
    line: Numbers  # [rules] of the source, from 1
    part_first: Numbers  # [rows]
    part_count: Numbers  # [rows] 1, or 2 or 3 with ellipses
    cell_first: Numbers  # [parts]
    cell_count: Numbers  # [parts]


@dataclass(frozen=True)
class GroupTables:
    """Groups of rules: first those of the turn, then the late ones."""

    rule_first: Numbers  # [groups]
    rule_count: Numbers  # [groups]
    random: NDArray[np.bool_]  # [groups]
    rigid: Numbers  # [groups] number from 1 of a group with a rigid rule, else 0
    jump: Numbers  # [groups] where a loop that ends here begins, or -1
    early: int  # groups before the late ones


@dataclass(frozen=True)
class WinTables:
    kind: Numbers  # [conditions] NO, SOME or ALL
    what: Words  # [conditions, W]
    where: Words  # [conditions, W]
    what_all: NDArray[np.bool_]  # [conditions] whether all objects of the set are meant, not any
    where_all: NDArray[np.bool_]  # [conditions]
    anywhere: NDArray[np.bool_]  # [conditions] no place is named


@dataclass(frozen=True)
class Tables:
    objects: int
    layers: int
    layer_of: Numbers  # [objects], -1 for a number that is not in use
    layer_sets: Words  # [layers, W]
    player: Words  # [W]
    player_all: bool  # the player is all of these objects together
    cells: CellTables
    rules: RuleTables
    groups: GroupTables
    wins: WinTables
    start_turn: bool  # rules run when a level begins
    must_move: bool  # a turn in which no player leaves its cell does not count
    no_undo: bool
    no_restart: bool
    no_action: bool
    realtime: bool

    @property
    def words(self) -> int:
        """W: words of a set of objects."""
        return int(self.layer_sets.shape[1])

    @property
    def move_words(self) -> int:
        """V: words of a set of movements."""
        return int(self.cells.moving.shape[1])

    @property
    def regular(self) -> bool:
        """Whether no rule puts an object into a cell beside another one of its layer."""
        for layer in self.layer_sets:
            some = self.cells.set & layer
            two = (some & (some - np.uint64(1))).any() or ((some != 0).sum(axis=1) > 1).any()
            if two or (layer & ~self.cells.clear[some.any(axis=1)]).any():
                return False
        return True

    @property
    def draws(self) -> bool:
        """Whether random numbers are drawn."""
        cells = self.cells
        return bool(self.groups.random.any() or cells.random.any() or cells.random_dir.any())

    def without(self, line: int) -> Tables:
        """Returns the tables of the game in which the rule of a line never matches: its cells ask for what
        cannot be, an object that is there and not."""
        rows = np.repeat(self.rules.line == line, self.rules.row_count)
        cells = np.repeat(np.repeat(rows, self.rules.part_count), self.rules.cell_count)
        present, absent = self.cells.present.copy(), self.cells.absent.copy()
        present[cells, 0] |= np.uint64(1)
        absent[cells, 0] |= np.uint64(1)
        return replace(self, cells=replace(self.cells, present=present, absent=absent))


def object_words(sets: list[int], count: int) -> Words:
    """Returns sets of objects, as whole numbers, in words. `[sets, W]`"""
    return _in_words(sets, max(1, -(-count // 64)), 64)


def move_words(sets: list[int], layers: int) -> Words:
    """Returns sets of movements, five bits a layer, in words of twelve layers. `[sets, V]`"""
    return _in_words(sets, max(1, -(-layers // LAYERS_IN_WORD)), MOVE_BITS)


def _in_words(sets: list[int], words: int, bits: int) -> Words:
    mask = (1 << bits) - 1
    found = np.zeros((len(sets), words), np.uint64)
    for i, one in enumerate(sets):
        w = 0
        while one:
            found[i, w] = one & mask
            one, w = one >> bits, w + 1
    return found


def as_int(words: Any, bits: int = 64) -> int:
    """Returns the set that some words hold as a whole number; `bits` is 60 for movements."""
    return sum(int(word) << bits * w for w, word in enumerate(words))
