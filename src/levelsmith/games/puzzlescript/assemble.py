"""Puts the written-out rules of a game into the rows of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from levelsmith.games.puzzlescript.expand import Rule
from levelsmith.games.puzzlescript.kernels.codes import COMMANDS, SOUND
from levelsmith.games.puzzlescript.kernels.tables import CellTables, GroupTables, Numbers, RuleTables
from levelsmith.games.puzzlescript.rules import Loop
from levelsmith.games.puzzlescript.source import MOVES
from levelsmith.games.puzzlescript.tables import (
    MOVE_SETS,
    OBJECT_SETS,
    move_words,
    object_words,
)


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


Masked = tuple[Rule, list[list[list[Mask]]]]  # a rule, and the cells of each part of each row


def assembled(
    groups: list[tuple[bool, list[Masked]]], loops: list[Loop], objects: int, layers: int
) -> tuple[CellTables, RuleTables, GroupTables]:
    """Returns the tables of groups in order; of each it is said whether it is late."""
    made, lines, rows, parts = (list[tuple[int, ...]]() for _ in range(4))
    masks: list[Mask] = []
    for late, group in groups:
        rigid = not late and any(rule.line.rigid for rule, _ in group)
        made.append((len(lines), len(group), group[0][0].line.random, rigid))
        for rule, cells in group:
            commands = 0
            for name, _ in rule.line.commands:
                commands |= min(1 << COMMANDS.index(name), SOUND)
            direction = MOVES.index(rule.direction)
            lines.append((direction, len(rows), len(cells), commands, rule.line.rigid, rule.line.line))
            for row in cells:
                rows.append((len(parts), len(row)))
                for part in row:
                    parts.append((len(masks), len(part)))
                    masks += part
    first, count, random, is_rigid = _columns(made, 4)
    numbers = np.cumsum(is_rigid) * is_rigid
    early = sum(not late for late, _ in groups)
    rules = RuleTables(*_columns(lines, 6), *_columns(rows, 2), *_columns(parts, 2))
    return (
        _cells(masks, objects, layers),
        rules._replace(rigid=rules.rigid > 0),
        GroupTables(first, count, random > 0, numbers, _jumps(groups, loops), early),
    )


def _columns(rows: Sequence[tuple[int, ...]], count: int) -> Numbers:
    return np.ascontiguousarray(np.array(rows, np.int64).reshape(-1, count).T)


def _cells(masks: list[Mask], objects: int, layers: int) -> CellTables:
    sets = {name: object_words([getattr(mask, name) for mask in masks], objects) for name in OBJECT_SETS}
    sets |= {name: move_words([getattr(mask, name) for mask in masks], layers) for name in MOVE_SETS}
    sets["move_clear"] |= sets["layers"]
    changes = [sets[name].any(axis=1) for name in (*OBJECT_SETS[2:], *MOVE_SETS[2:])]
    counts = np.array([len(mask.any_of) for mask in masks], np.int64)
    return CellTables(
        any_first=np.cumsum(counts) - counts,
        any_count=counts,
        any_of=object_words([one for mask in masks for one in mask.any_of], objects),
        changes=np.any(changes, axis=0),
        **sets,
    )


def _jumps(groups: list[tuple[bool, list[Masked]]], loops: list[Loop]) -> Numbers:
    """Returns for each group where the loop that ends with it begins, or -1."""
    found = np.full(len(groups), -1, np.int64)
    for loop in loops:
        for side in (False, True):
            inside = [
                i
                for i, (late, group) in enumerate(groups)
                if late == side and loop.first < group[0][0].line.place < loop.last
            ]
            if inside:
                found[inside[-1]] = inside[0]
    return found
