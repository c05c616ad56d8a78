"""What cells of rules ask of each layer and do to it, on any board: one row for each layer that matters."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from levelsmith.games.puzzlescript.kernels.codes import LAYERS_IN_WORD
from levelsmith.games.puzzlescript.kernels.rules import LAYER
from levelsmith.kernels.compile import part
from levelsmith.kernels.words import ONE, ZERO, U, lowest, popcount

NOTHING = -1  # in place of an object
# Columns of `numbers`: the layer; the movements that are asked for, and those that are given, as bits; what
# is there instead of what is taken; whether what is made may come of nothing, whether it moves as what was
# there before, and whether anything is changed.
AT, ASKED, GIVEN, NEW, ANEW, HEIRS, ALTERS, NUMBERS = range(8)
# Sets of objects: those that may be there; of them those that are taken; those that are there afterwards, and
# perhaps not before; those that get the movements.
THERE, TAKEN, FRESH, PUSHED, SETS = range(5)
ROWS, IN_LAYER, IN_RULE, SIZES = range(4)  # rows; the most objects in a layer; the most cells in a rule


class Outlines(NamedTuple):
    """What rules do to layers. Rows stand in the order of the rules, of their cells and of the layers."""

    first: Any  # [2, cells] the first row of a cell, and the one behind its last
    numbers: Any  # [rows, 7]
    sets: Any  # [rows, 4, W]
    needs: Any  # [rules, W] objects that the rule depends on
    wild: Any  # [layers] whether a movement there may be of nothing, and of what comes there next
    sizes: Any  # [3]


@part
def movements_of(words, layer):
    """Returns the movements of a layer in a set of movements."""
    return words[layer // LAYERS_IN_WORD] >> U(5 * (layer % LAYERS_IN_WORD)) & LAYER


@part
def has(words, o):
    """Returns whether an object is in a set."""
    return words[o >> 6] >> U(o & 63) & ONE != ZERO


@part
def add(words, o):
    """Puts an object into a set."""
    words[o >> 6] |= ONE << U(o & 63)


@part
def is_any(words):
    """Returns whether there is anything in a set."""
    for w in range(len(words)):  # noqa: SIM110
        if words[w] != ZERO:
            return True
    return False


@part
def meets(one, other):
    """Returns whether two sets have something in common."""
    for w in range(len(one)):  # noqa: SIM110
        if one[w] & other[w] != ZERO:
            return True
    return False


@part
def lies_in(one, other):
    """Returns whether all of a set is in another one."""
    for w in range(len(one)):  # noqa: SIM110
        if one[w] & ~other[w] != ZERO:
            return False
    return True


@part
def count_of(words):
    """Returns how many are in a set."""
    count = 0
    for w in range(len(words)):
        count += popcount(words[w])
    return count


@part
def fill_there(rules, c, layer, there):
    """Writes the objects of a layer that may be in a cell that is as a rule asks."""
    cells, mask = rules.cells, rules.layer_sets[layer]
    sure = meets(cells.present[c], mask)
    for w in range(len(mask)):
        there[w] = mask[w] & ~cells.absent[c, w]
        if sure:
            there[w] &= cells.present[c, w]
    if sure:
        return
    for a in range(cells.any_first[c], cells.any_first[c] + cells.any_count[c]):
        if lies_in(cells.any_of[a], mask):
            for w in range(len(mask)):
                there[w] &= cells.any_of[a, w]


@part
def is_wild(rules, c, layer, gives, keeps):
    """Returns whether a cell of a rule may leave a layer with a movement and without an object."""
    cells, mask = rules.cells, rules.layer_sets[layer]
    if meets(cells.set[c], mask):
        return False
    sure = False
    for w in range(len(mask)):
        sure = sure or cells.present[c, w] & mask[w] & ~cells.clear[c, w] != ZERO
    for a in range(cells.any_first[c], cells.any_first[c] + cells.any_count[c]):
        sure = sure or (lies_in(cells.any_of[a], mask) and not meets(cells.any_of[a], cells.clear[c]))
    return (gives and not sure) or (keeps and meets(cells.clear[c], mask))


@part
def write_row(rules, outlines, rule, c, layer, early, row):
    """Writes what a cell of a rule does to a layer."""
    cells, mask, sets, numbers = (
        rules.cells,
        rules.layer_sets[layer],
        outlines.sets[row],
        outlines.numbers[row],
    )
    fill_there(rules, c, layer, sets[THERE])
    asked, given, stopped = (
        movements_of(cells.moving[c], layer),
        movements_of(cells.move_set[c], layer),
        movements_of(cells.move_clear[c], layer),
    )
    keeps = early and stopped != LAYER
    numbers[AT], numbers[ASKED], numbers[GIVEN], numbers[NEW] = (
        layer,
        np.int64(asked),
        np.int64(given),
        NOTHING,
    )
    numbers[HEIRS] = np.int64(keeps)
    made = meets(cells.set[c], mask)
    numbers[ALTERS] = np.int64(made or meets(cells.clear[c], mask) or given | stopped != ZERO)
    free = not meets(cells.present[c], mask)
    for a in range(cells.any_first[c], cells.any_first[c] + cells.any_count[c]):
        free = free and not lies_in(cells.any_of[a], mask)
    numbers[ANEW] = np.int64(free)
    for w in range(len(mask) - 1, -1, -1):
        new = cells.set[c, w] & mask[w]
        if new != ZERO:
            numbers[NEW] = 64 * w + lowest(new)
        sets[TAKEN, w] = sets[THERE, w] & cells.clear[c, w] & ~cells.set[c, w]
        sets[FRESH, w] = new & ~cells.present[c, w]
        sets[PUSHED, w] = ZERO
        if given != ZERO:
            sets[PUSHED, w] = new if made else sets[THERE, w] & ~cells.clear[c, w]
        outlines.needs[rule, w] |= sets[THERE, w] | sets[PUSHED, w]
    if is_wild(rules, c, layer, given != ZERO, keeps):
        outlines.wild[layer] = 1


@part
def outline_cell(rules, outlines, rule, c, early, row):
    """Writes what a cell of a rule does, as far as there is room; returns the row behind it."""
    cells, room = rules.cells, len(outlines.numbers)
    if room > 0:
        outlines.first[0, c] = row
        for w in range(rules.words):
            outlines.needs[rule, w] |= cells.present[c, w] | cells.absent[c, w]
            for a in range(cells.any_first[c], cells.any_first[c] + cells.any_count[c]):
                outlines.needs[rule, w] |= cells.any_of[a, w]
    for layer in range(len(rules.layer_sets)):
        mask = rules.layer_sets[layer]
        moves = movements_of(cells.moving[c], layer) | movements_of(cells.move_set[c], layer)
        moves |= movements_of(cells.move_clear[c], layer)
        if moves == ZERO and not meets(cells.clear[c], mask) and not meets(cells.set[c], mask):
            continue
        if room > 0:
            write_row(rules, outlines, rule, c, layer, early, row)
        row += 1
    if room > 0:
        outlines.first[1, c] = row
    return row


@part
def write_outlines(rules, outlines):
    """Writes what the rules of a game do, or where there is no room for any row, how much there is."""
    groups, table, sizes = rules.groups, rules.rules, outlines.sizes
    late = len(table.line)
    if groups.early < len(groups.rule_first):
        late = groups.rule_first[groups.early]
    row = 0
    for k in range(len(sizes)):
        sizes[k] = 0
    for layer in range(len(rules.layer_sets)):
        sizes[IN_LAYER] = max(sizes[IN_LAYER], count_of(rules.layer_sets[layer]))
    for rule in range(len(table.line)):
        count = 0
        first = table.row_first[rule]
        for r in range(first, first + table.row_count[rule]):
            for p in range(table.part_first[r], table.part_first[r] + table.part_count[r]):
                count += table.cell_count[p]
                for c in range(table.cell_first[p], table.cell_first[p] + table.cell_count[p]):
                    row = outline_cell(rules, outlines, rule, c, rule < late, row)
        sizes[IN_RULE] = max(sizes[IN_RULE], count)
    sizes[ROWS] = row
