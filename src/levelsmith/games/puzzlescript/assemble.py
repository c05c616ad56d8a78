"""Puts the written-out rules of a game into the rows of its tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.puzzlescript.expand import Rule
from levelsmith.games.puzzlescript.rules import ELLIPSIS, Cell, Loop
from levelsmith.games.puzzlescript.source import MOVES
from levelsmith.games.puzzlescript.tables import (
    COMMAND_BITS,
    CellTables,
    GroupTables,
    RuleTables,
    Words,
    move_words,
    object_words,
)

_DIRECTION = {name: i for i, name in enumerate(MOVES[:4])}


@dataclass
class Mask:
    """The sets of one cell of a rule, as whole numbers."""

    present: int = 0
    absent: int = 0
    moving: int = 0
    resting: int = 0
    any_of: list[int] = field(default_factory=list)
    clear: int = 0
    set: int = 0
    move_clear: int = 0
    move_set: int = 0
    layers: int = 0
    random: int = 0
    random_dir: int = 0


class TableRows:
    """Grows the rows of the tables, group after group."""

    def __init__(self) -> None:
        self.masks: list[Mask] = []
        self.parts: list[tuple[int, int]] = []
        self.rows: list[tuple[int, int]] = []
        self.rules: list[tuple[int, ...]] = []
        self.groups: list[tuple[int, int, bool]] = []
        self.group_rigid: list[int] = []
        self.rigid_groups = 0

    def add_group(self, rules: list[tuple[Rule, list[list[Mask]]]], late: bool) -> None:
        """Adds the rules of a group."""
        first = len(self.rules)
        for rule, rows in rules:
            commands = 0
            for name, _ in rule.line.commands:
                commands |= COMMAND_BITS[name]
            direction = _DIRECTION[rule.direction]
            rigid = int(rule.line.rigid)
            self.rules.append((direction, len(self.rows), len(rows), commands, rigid, rule.line.line))
            for i, row in enumerate(rows):
                self._add_row(row, rule.left[i])
        self.groups.append((first, len(rules), rules[0][0].line.random))
        rigid_group = not late and any(rule.line.rigid for rule, _ in rules)
        self.rigid_groups += rigid_group
        self.group_rigid.append(self.rigid_groups if rigid_group else 0)

    def _add_row(self, masks: list[Mask], cells: tuple[Cell, ...]) -> None:
        start = len(self.parts)
        self.parts.append((len(self.masks), 0))
        for mask, cell in zip(masks, cells, strict=True):
            if cell == ELLIPSIS:
                self.parts.append((len(self.masks), 0))
            else:
                self.masks.append(mask)
                self.parts[-1] = (self.parts[-1][0], self.parts[-1][1] + 1)
        self.rows.append((start, len(self.parts) - start))

    def cell_tables(self, objects: int, layers: int) -> CellTables:
        """Returns the table of cells."""

        def of_objects(name: str) -> Words:
            return object_words([getattr(mask, name) for mask in self.masks], objects)

        def of_moves(name: str) -> Words:
            return move_words([getattr(mask, name) for mask in self.masks], layers)

        counts = np.array([len(mask.any_of) for mask in self.masks], np.int64)
        changed = ("clear", "set", "move_clear", "move_set", "layers", "random", "random_dir")
        return CellTables(
            of_objects("present"),
            of_objects("absent"),
            of_moves("moving"),
            of_moves("resting"),
            np.cumsum(counts) - counts,
            counts,
            object_words([one for mask in self.masks for one in mask.any_of], objects),
            np.array([any(getattr(mask, name) for name in changed) for mask in self.masks], np.bool_),
            of_objects("clear"),
            of_objects("set"),
            of_moves("move_clear") | of_moves("layers"),
            of_moves("move_set"),
            of_moves("layers"),
            of_objects("random"),
            of_moves("random_dir"),
        )

    def rule_tables(self) -> RuleTables:
        """Returns the table of rules."""
        direction, first, count, commands, rigid, line = _columns(self.rules, 6)
        parts, cells = _columns(self.rows, 2), _columns(self.parts, 2)
        return RuleTables(direction, first, count, commands, rigid.astype(np.bool_), line, *parts, *cells)

    def group_tables(self, jumps: list[int], early: int) -> GroupTables:
        """Returns the table of groups."""
        first, count, random = _columns(self.groups, 3)
        rigid, jump = np.array(self.group_rigid, np.int64), np.array(jumps, np.int64)
        return GroupTables(first, count, random.astype(np.bool_), rigid, jump, early)


def _columns(rows: list[Any], count: int) -> list[NDArray[np.int64]]:
    table = np.array(rows, np.int64).reshape(-1, count)
    return [np.ascontiguousarray(table[:, i]) for i in range(count)]


def jumps(keys: list[tuple[bool, int]], groups: dict[tuple[bool, int], Any], loops: list[Loop]) -> list[int]:
    """Returns for each group where the loop that ends with it begins, or -1."""
    found = [-1] * len(keys)
    for loop in loops:
        for late in (False, True):
            inside = [
                i
                for i, key in enumerate(keys)
                if key[0] == late and loop.first < groups[key][0][0].line.line < loop.last
            ]
            if inside:
                found[inside[-1]] = inside[0]
    return found
