"""Bounds for the solver of PuzzleScript games: what kernels find in the rules and in the win conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from levelsmith.games.puzzlescript.kernels import goals as g
from levelsmith.games.puzzlescript.kernels import outlines as o
from levelsmith.games.puzzlescript.kernels import prospects as p
from levelsmith.games.puzzlescript.kernels.outlook import COLUMNS, Guide
from levelsmith.games.puzzlescript.kernels.state import CELLS, SET_WORDS, Board, Rules
from levelsmith.games.puzzlescript.tables import as_int

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.tables import Tables


def find_prospects(
    rules: Rules, board: Board, outlines: o.Outlines, ways: Sequence[int]
) -> p.Prospects | None:
    """Returns what may ever be in a level that stands on a board, where keys give players some movements;
    None where nothing is known."""
    words, objects, count = int(board.control[SET_WORDS]), rules.objects, len(rules.rules.line)
    sizes = outlines.sizes
    found = p.Prospects(
        np.zeros((p.AREAS, words), np.uint64),
        np.zeros((objects, words), np.uint64),
        np.zeros((objects, words), np.uint64),
        np.zeros((objects, p.WAYS, words), np.uint64),
        np.zeros((objects, int(sizes[o.IN_LAYER]) + 1, words), np.uint64),
        np.zeros((objects, words), np.uint64),
        np.zeros(objects, np.int64),
        np.zeros(objects, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(len(rules.layer_sets), np.int64),
        np.zeros((int(sizes[o.IN_RULE]), words), np.uint64),
        np.zeros((p.SPARES, words), np.uint64),
        np.zeros(p.CLOCKS, np.int64),
    )
    return found if g.settle(rules, board, outlines, found, np.array(ways, np.int64)) else None


def make_guide(rules: Rules, board: Board, outlines: o.Outlines, ways: Sequence[int]) -> Guide:
    """Returns what is known about the keys that a level takes."""
    cells, words = int(board.control[CELLS]), int(board.control[SET_WORDS])
    prospects = find_prospects(rules, board, outlines, ways)
    if prospects is None:
        return empty_guide(0, 0, cells)
    most = len(rules.wins.kind) * (rules.objects + 1) + 1
    goals = g.Goals(
        np.zeros((most, rules.words), np.uint64),
        np.zeros((most, words), np.uint64),
        np.zeros((most, g.NUMBERS), np.int64),
        np.zeros((g.SETS, rules.words), np.uint64),
        np.zeros((g.AREAS, words), np.uint64),
        np.zeros((p.WAYS, g.OFFSETS * int(outlines.sizes[o.IN_RULE]) + 1), np.int64),
    )
    count = int(g.find_goals(rules, prospects, goals))
    rows = sum(as_int(objects).bit_count() for objects in goals.objects[:count])
    guide = empty_guide(count, rows, cells)
    g.fill_guide(rules, board, outlines, prospects, goals, count, guide)
    return guide


def empty_guide(goals: int, rows: int, cells: int) -> Guide:
    """Returns room for some goals with so many objects together; for none, that nothing is known."""
    return Guide(
        np.zeros((goals, COLUMNS), np.int64),
        np.zeros(rows, np.int64),
        np.zeros((rows, cells), np.int64),
        np.zeros(rows * cells + 1, np.int64),
    )


class Changes:
    """What the rules of a game do to the objects that they name, on any board."""

    def __init__(self, tables: Tables):
        outlines, cells = tables.outlined, tables.cells
        self.moved = set(members(as_int(tables.player)))
        self.turned = set[tuple[int, int]]()
        for c, (first, end) in enumerate(outlines.first.T.tolist()):
            any_of = cells.any_of[int(cells.any_first[c]) :][: int(cells.any_count[c])]
            named = as_int(cells.present[c])
            for some in any_of:
                named |= as_int(some)
            for row in range(first, end):
                sets = outlines.sets[row]
                self.moved |= set(members(as_int(sets[o.PUSHED]) & named))
                new = int(outlines.numbers[row, o.NEW])
                self.turned |= {(one, new) for one in members(as_int(sets[o.TAKEN]) & named)}

    def fixed(self, thing: int) -> set[int]:
        """Returns an object with all that it is turned into, step by step; nothing where rules move one of
        these or take it away."""
        found, left = {thing}, [thing]
        while left:
            here = left.pop()
            new = {after for before, after in self.turned if before == here} - found
            found |= new
            left += new
        return found if o.NOTHING not in found and self.moved.isdisjoint(found) else set()


def members(found: int) -> list[int]:
    """Returns the numbers in a set."""
    numbers = []
    while found:
        numbers.append((found & -found).bit_length() - 1)
        found &= found - 1
    return numbers
