"""What of a game decides whether its levels are won, for the solver: rules that draw shadows are none of it.

Two things of a layer are alike if nothing that decides tells them apart: no win condition, no command, and no
rule that makes of a thing one that is not alike. Things that are like an empty place are left out, and so are
rules that only ever change things to others that are alike. Played without them, a turn ends with the same
things, up to those that are alike: what such rules add are passes over a group in which nothing else changes.

Only where turns follow by themselves after any change, `turn.py` cannot know of those changes. It looks what
such a turn would do, and says where it would do anything (`DOUBT`): then the whole game has to be played.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.puzzlescript.kernels.codes import (
    AGAIN,
    CANCEL,
    CHECKPOINT,
    MOVE_BITS,
    RESTART,
    WIN,
)
from levelsmith.games.puzzlescript.tables import Words, as_int, move_words, object_words

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.tables import Tables

DECIDING = AGAIN | CANCEL | CHECKPOINT | RESTART | WIN  # commands
SETS, MOVEMENTS = ("present", "absent", "any_of", "clear", "set"), ("move_clear", "move_set", "layers")
IN_THE_WAY = -1  # told of what is in a layer in which things move
Sort = frozenset[int]  # what is told of a thing; nothing of an empty place


class Cell:
    """A cell of a rule, its sets as whole numbers and its movements by layer."""

    def __init__(self, tables: Tables, c: int):
        cells = tables.cells
        first = int(cells.any_first[c])
        self.present, self.absent = as_int(cells.present[c]), as_int(cells.absent[c])
        self.any_of = [as_int(some) for some in cells.any_of[first : first + int(cells.any_count[c])]]
        self.clear, self.set = as_int(cells.clear[c]), as_int(cells.set[c])
        moving, resting = (as_int(each[c], MOVE_BITS) for each in (cells.moving, cells.resting))
        given, taken = (as_int(each[c], MOVE_BITS) for each in (cells.move_set, cells.move_clear))
        self.asked = layers_of(moving | resting)
        self.given = layers_of(given)
        self.marked = layers_of(as_int(cells.layers[c], MOVE_BITS))  # where its rule is rigid
        changed = layers_of(given & ~moving | taken & ~given & ~resting)
        # What moves in one direction moves in no other: `is_plain`.
        self.moved = {k for k in changed if not moving >> 5 * k & 31 or (moving ^ given) >> 5 * k & 31}

    def may_hold(self, layer: int) -> tuple[int, bool]:
        """Returns what of a layer is there where a rule matches, and whether there may be nothing."""
        for some in (self.present & layer, *self.any_of):
            if some and not some & ~layer:
                return some & ~self.absent, False
        return layer & ~self.absent, True


class Essence:
    """The rules that decide, and what is alike, of a game in which no cell ever holds two of a layer."""

    def __init__(self, tables: Tables):
        rules, groups = tables.rules, tables.groups
        self.tables, self.layers = tables, [as_int(layer) for layer in tables.layer_sets]
        count, cells = len(rules.line), [Cell(tables, c) for c in range(len(tables.cells.changes))]
        of_row = np.repeat(np.repeat(np.arange(count), rules.row_count), rules.part_count)
        self.of_rule: list[list[Cell]] = [[] for _ in range(count)]
        for cell, rule in zip(cells, np.repeat(of_row, rules.cell_count), strict=True):
            self.of_rule[rule].append(cell)
        player = as_int(tables.player)
        self.mobile = {layer for cell in cells for layer in cell.given}
        self.mobile |= {k for k, layer in enumerate(self.layers) if layer & player}
        self.kept = {rule for rule in range(count) if rules.commands[rule] & DECIDING or rules.rigid[rule]}
        never = {rule for rule in range(count) if any(c.present & c.absent for c in self.of_rule[rule])}
        for last, first in enumerate(groups.jump.tolist()):
            for group in range(first, last + 1) if first >= 0 else ():  # all loops share a limit
                begin = int(groups.rule_first[group])
                self.kept |= {*range(begin, begin + int(groups.rule_count[group]))}
        self.kept -= never
        self.sort: list[Sort] = []  # of each object
        self.told: set[int] = set()  # layers whose movement decides
        self._tell_apart()
        while new := {rule for rule in range(count) if rule not in self.kept | never and self._decides(rule)}:
            self.kept |= new
            self._tell_apart()

    def _tell_apart(self) -> None:
        """Finds what the win conditions and the rules that are kept ask for."""
        tables, wins = self.tables, self.tables.wins
        sets = [*split(as_int(tables.player), tables.player_all)]
        for c in range(len(wins.kind)):
            sets += split(as_int(wins.what[c]), wins.what_all[c])
            sets += () if wins.anywhere[c] else split(as_int(wins.where[c]), wins.where_all[c])
        self.told = set()
        for each, cell in ((rule, cell) for rule in self.kept for cell in self.of_rule[rule]):
            sets += [*split(cell.present, True), cell.absent, *cell.any_of]
            sets += [cell.clear & layer for layer in self.layers if not layer & (cell.set | cell.present)]
            self.told |= cell.asked | (cell.marked if tables.rules.rigid[each] else set())
        found = {*sets}
        self.sort = [frozenset(k for k in found if k >> o & 1) for o in range(tables.objects)]
        for k, layer in enumerate(self.layers):
            if k in self.told or any(self.sort[o] for o in bits(layer)):
                self.told.add(k)
                for o in bits(layer) if k in self.mobile else ():
                    self.sort[o] |= {IN_THE_WAY}

    def _decides(self, rule: int) -> bool:
        """Returns whether a rule may move what decides, or make of a thing one that is not alike."""
        for cell in self.of_rule[rule]:
            if cell.moved & self.told:
                return True
            for layer in self.layers:
                new, gone = cell.set & layer, cell.clear & layer
                held, empty = cell.may_hold(layer)
                before = {self.sort[o] for o in bits(held if new else held & gone)}
                if new and empty:
                    before.add(frozenset())
                if before - {self.sort[bits(new)[0]] if new else frozenset()}:
                    return True
        return False

    def stands_for(self) -> list[int]:
        """Returns for each object the first that is like it, or -1 where it is like an empty place."""
        first: dict[tuple[int, Sort], int] = {}
        layers = self.tables.layer_of.tolist()
        return [first.setdefault((layers[o], sort), o) if sort else -1 for o, sort in enumerate(self.sort)]


class Decided(NamedTuple):
    """A game with what decides alone."""

    tables: Tables
    layers: list[int]  # objects of each layer of the game
    stands: list[int]  # of each object the one that it is there, or -1

    def board(self, board: Words) -> Words | None:
        """Returns what decides of a board, `[cells, W]`; None where a cell holds two things of a layer."""
        cells = {as_int(cell) for cell in board}
        if any((cell & layer).bit_count() > 1 for cell in cells for layer in self.layers):
            return None
        return image(board, self.stands)


def decided(tables: Tables) -> Decided | None:
    """Returns what decides of a game; None where that is all of it, or nothing is known of it."""
    if tables.draws or not (tables.regular and is_plain(tables)):
        return None
    essence = Essence(tables)
    stands = essence.stands_for()
    rules, groups, cells, wins = tables.rules, tables.groups, tables.cells, tables.wins
    keep = np.isin(np.arange(len(rules.line)), [*essence.kept])
    if keep.all():
        return None
    rows = np.repeat(keep, rules.row_count)
    parts = np.repeat(rows, rules.part_count)
    inside = np.repeat(parts, rules.cell_count)
    of_group = np.repeat(np.arange(len(groups.jump)), groups.rule_count)
    left = np.bincount(of_group[keep], minlength=len(groups.jump))
    stays = left > 0
    at = firsts(stays)
    told = move_words([sum(31 << 5 * layer for layer in essence.told)], tables.layers)
    sets: dict[str, Any] = {name: image(getattr(cells, name), stands) for name in SETS}
    movements: dict[str, Any] = {name: getattr(cells, name) & told for name in MOVEMENTS}
    fewer = cells._replace(**sets, **movements)
    changing = [fewer.clear, fewer.set, fewer.move_clear, fewer.move_set]
    fewer = fewer._replace(changes=np.any([each.any(axis=1) for each in changing], axis=0))
    return Decided(
        replace(
            tables,
            layer_sets=image(tables.layer_sets, stands),
            player=image(tables.player[None], stands)[0],
            cells=type(cells)(
                *(each if name == "any_of" else each[inside] for name, each in fewer._asdict().items())
            ),
            rules=rules._replace(
                **{name: getattr(rules, name)[keep] for name in ("direction", "commands", "rigid", "line")},
                row_first=firsts(rules.row_count[keep]),
                row_count=rules.row_count[keep],
                part_first=firsts(rules.part_count[rows]),
                part_count=rules.part_count[rows],
                cell_first=firsts(rules.cell_count[parts]),
                cell_count=rules.cell_count[parts],
            ),
            groups=type(groups)(
                firsts(left[stays]),
                left[stays],
                groups.random[stays],
                groups.rigid[stays],
                np.where(groups.jump < 0, -1, at[groups.jump])[stays],
                int(stays[: groups.early].sum()),
            ),
            wins=wins._replace(what=image(wins.what, stands), where=image(wins.where, stands)),
        ),
        essence.layers,
        stands,
    )


def is_plain(tables: Tables) -> bool:
    """Returns whether no rule moves a layer in two directions at once, so that nothing ever does."""
    for given, taken in zip(tables.cells.move_set, tables.cells.move_clear, strict=True):
        every, gone = as_int(given, MOVE_BITS), as_int(taken, MOVE_BITS)
        for layer in layers_of(every):
            if (every >> 5 * layer & 31).bit_count() > 1 or gone >> 5 * layer & 31 != 31:
                return False
    return True


def image(sets: Words, stands: list[int]) -> Words:
    """Returns what sets of objects, in words, are where each stands for another or for none."""
    found = []
    for words in sets:
        found.append(0)
        for o in bits(as_int(words)):
            found[-1] |= 0 if stands[o] < 0 else 1 << stands[o]
    return object_words(found, len(stands))


def firsts(counts: NDArray[Any]) -> NDArray[np.int64]:
    """Returns where each of some things begins that lie one after the other."""
    return np.asarray(np.cumsum(counts) - counts, np.int64)


def split(objects: int, each: bool) -> list[int]:
    """Returns a set of objects, or each of them alone."""
    return [1 << o for o in bits(objects)] if each else [objects]


def bits(members: int) -> list[int]:
    """Returns the members of a set."""
    return [o for o in range(members.bit_length()) if members >> o & 1]


def layers_of(movement: int) -> set[int]:
    """Returns the layers of some movements."""
    return {bit // 5 for bit in bits(movement)}
