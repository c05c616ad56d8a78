"""All tables of a game. Whatever plays it reads these and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from levelsmith.games.puzzlescript.kernels.codes import LAYERS_IN_WORD, MOVE_BITS
from levelsmith.games.puzzlescript.kernels.tables import (
    CellTables,
    GroupTables,
    Numbers,
    RuleTables,
    WinTables,
)
from levelsmith.games.puzzlescript.kernels.tables import Words as Words

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.kernels.outlines import Outlines
    from levelsmith.games.puzzlescript.kernels.state import Rules

# Columns of cells: what is asked for, then what is changed.
OBJECT_SETS = ("present", "absent", "clear", "set", "random")
MOVE_SETS = ("moving", "resting", "move_clear", "move_set", "layers", "random_dir")


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

    @cached_property
    def interpreted(self) -> Rules:
        """The tables as the compiled interpreter reads them; it writes to none."""
        from levelsmith.games.puzzlescript.kernels.state import make_rules

        return make_rules(self)

    @cached_property
    def outlined(self) -> Outlines:
        """What the rules do to layers, on any board."""
        from levelsmith.games.puzzlescript.outlined import outline_rules

        return outline_rules(self.interpreted)

    def without(self, line: int) -> Tables:
        """Returns the tables of the game in which the rule of a line never matches: its cells ask for what
        cannot be, an object that is there and not."""
        rows = np.repeat(self.rules.line == line, self.rules.row_count)
        cells = np.repeat(np.repeat(rows, self.rules.part_count), self.rules.cell_count)
        present, absent = self.cells.present.copy(), self.cells.absent.copy()
        present[cells, 0] |= np.uint64(1)
        absent[cells, 0] |= np.uint64(1)
        return replace(self, cells=self.cells._replace(present=present, absent=absent))


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
