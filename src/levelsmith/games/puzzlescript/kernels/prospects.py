"""All that may ever happen in a level of a PuzzleScript game, found in its rules: never less than what can.

Rules are tried on what may be, not on what is. An object may be in a cell if it is there at the start, if it
may move there, or if a rule that may match makes it. It may be away again too, unless it stays for ever: no
rule that may match moves it or takes it away. What may be and what stays follow from each other, step by
step, until nothing is new. Sets of cells are words, with the bit of a cell at its place on the board.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from levelsmith.games.puzzlescript.kernels import outlines as o_
from levelsmith.games.puzzlescript.kernels import state
from levelsmith.games.puzzlescript.kernels.codes import DOWN, LEFT, RIGHT, UP
from levelsmith.games.puzzlescript.kernels.outlines import (
    FRESH,
    NOTHING,
    PUSHED,
    TAKEN,
    THERE,
    has,
    is_any,
    lies_in,
    movements_of,
)
from levelsmith.games.puzzlescript.kernels.rules import LAYER
from levelsmith.kernels.compile import part
from levelsmith.kernels.words import ONE, ZERO, U, lowest, popcount

MOST_TRIES = 40_000  # of rules, before a level is left alone
MOST_CELLS = 20_000  # of rules
WAYS = 5  # up, down, left, right, action
DIRECTIONS = 4
ALL, BELOW_TOP, ABOVE_BOTTOM, AREAS = range(4)  # rows of `area`
FITS, MOVED, FREE, SPARES = range(4)  # rows of `spare`
CLOCK, TRIES, CLOCKS = range(3)  # numbers of `tally`


class Prospects(NamedTuple):
    """What may ever be in a level, and what stays, as sets of cells."""

    area: Any  # [3, C] all cells; those below the top row, and those above the bottom row
    may_be: Any  # [objects, C]
    stays: Any  # [objects, C]
    may_move: Any  # [objects, 5, C] by the movement
    turned: Any  # [objects, most in a layer + 1, C] where it may become NOTHING, or the n-th of its layer
    born: Any  # [objects, C] where it may be made of nothing
    place: Any  # [objects] its number in its layer, from 1
    changed: Any  # [objects] when something about it was new last
    tried: Any  # [rules] when it was tried last, or -1
    matches: Any  # [rules] whether it may match
    wild: Any  # [layers] as in `Outlines`, and where rows of a rule change a cell one after the other
    where: Any  # [cells of a rule, C] where each cell of the rule that is tried may be
    spare: Any  # [3, C]
    tally: Any  # [2]


# sets of cells


@part
def shift(to, cells, mask, by):
    """Writes the cells of a set that are in a mask, each so many places on."""
    count = len(cells)
    for w in range(count):
        to[w] = ZERO
    far = abs(by)
    whole, rest = far >> 6, far & 63
    for w in range(count - whole):
        word = cells[w if by >= 0 else w + whole] & mask[w if by >= 0 else w + whole]
        if by >= 0:
            to[w + whole] |= word << U(rest)
            if rest > 0 and w + whole + 1 < count:
                to[w + whole + 1] |= word >> U(64 - rest)
        else:
            to[w] |= word >> U(rest)
            if rest > 0 and w > 0:
                to[w - 1] |= word << U(64 - rest)


@part
def move(to, area, height, cells, way):
    """Writes the cells next to those of a set, on the board."""
    if way == UP:
        shift(to, cells, area[BELOW_TOP], -1)
    elif way == DOWN:
        shift(to, cells, area[ABOVE_BOTTOM], 1)
    else:
        shift(to, cells, area[ALL], -height if way == LEFT else height)
    for w in range(len(to)):
        to[w] &= area[ALL, w]


@part
def back(way):
    """Returns the opposite direction."""
    return UP if way == DOWN else DOWN if way == UP else LEFT if way == RIGHT else RIGHT


@part
def join(to, cells):
    """Adds all of a set to another one."""
    for w in range(len(to)):
        to[w] |= cells[w]


@part
def next_in(words, o):
    """Returns the first object of a set from a number on, or NOTHING."""
    w = o >> 6
    if w >= len(words):
        return np.int64(NOTHING)
    left = words[w] >> U(o & 63) << U(o & 63)
    while left == ZERO:
        w += 1
        if w == len(words):
            return np.int64(NOTHING)
        left = words[w]
    return np.int64(64 * w + lowest(left))


# what is new


@part
def add(prospects, cells, others, o):
    """Adds cells to a set that is about an object; returns whether they are new."""
    if lies_in(others, cells):
        return False
    join(cells, others)
    prospects.changed[o] = prospects.tally[CLOCK]
    return True


@part
def lose(prospects, o, cells):
    """Notes that an object need not stay in some cells; returns whether that is new."""
    new = False
    for w in range(len(cells)):
        if prospects.stays[o, w] & cells[w] != ZERO:
            prospects.stays[o, w] &= ~cells[w]
            new = True
    if new:
        prospects.changed[o] = prospects.tally[CLOCK]
    return new


@part
def fill_leaves(rules, prospects, height, o, way, to):
    """Writes the cells from which an object may move to the next: nothing stays in its way there."""
    layer, free = rules.layer_of[o], prospects.spare[FREE]
    for w in range(len(to)):
        free[w] = prospects.area[ALL, w]
    other = next_in(rules.layer_sets[layer], 0)
    while other != NOTHING:
        for w in range(len(to)):
            free[w] &= ~prospects.stays[other, w]
        other = next_in(rules.layer_sets[layer], other + 1)
    move(to, prospects.area, height, free, back(way))
    for w in range(len(to)):
        to[w] &= prospects.may_move[o, way, w]


@part
def move_object(rules, prospects, height, o):
    """Moves an object wherever it may; returns whether anything is new."""
    new, moved, leaves = False, prospects.spare[MOVED], prospects.spare[FITS]
    for way in range(DIRECTIONS):
        if not is_any(prospects.may_move[o, way]):
            continue
        fill_leaves(rules, prospects, height, o, way, leaves)
        move(moved, prospects.area, height, leaves, way)
        new = add(prospects, prospects.may_be[o], moved, o) or new
        new = lose(prospects, o, leaves) or new
    return new


@part
def move_all(rules, prospects, height, keys):
    """Moves what may move, and players by every key; returns whether anything is new."""
    busy, new = False, True
    while new:
        new = False
        for o in range(rules.objects):
            layer = rules.layer_of[o]
            if layer < 0 or not is_any(prospects.may_be[o]):
                continue
            if prospects.wild[layer]:
                for way in range(WAYS):
                    new = add(prospects, prospects.may_move[o, way], prospects.may_be[o], o) or new
            elif has(rules.player, o):
                for k in range(len(keys)):
                    new = add(prospects, prospects.may_move[o, keys[k]], prospects.may_be[o], o) or new
            new = move_object(rules, prospects, height, o) or new
        busy = busy or new
    return busy


# rules that are tried


@part
def fill_fits(rules, outlines, prospects, c, to):
    """Writes the cells that may be what a cell of a rule asks for."""
    cells, some = rules.cells, prospects.spare[MOVED]
    for w in range(len(to)):
        to[w] = prospects.area[ALL, w]
    for o in range(rules.objects):
        for w in range(len(to)):
            if has(cells.present[c], o):
                to[w] &= prospects.may_be[o, w]
            if has(cells.absent[c], o):
                to[w] &= ~prospects.stays[o, w]
    for a in range(cells.any_first[c], cells.any_first[c] + cells.any_count[c]):
        for w in range(len(to)):
            some[w] = ZERO
        o = next_in(cells.any_of[a], 0)
        while o != NOTHING:
            join(some, prospects.may_be[o])
            o = next_in(cells.any_of[a], o + 1)
        for w in range(len(to)):
            to[w] &= some[w]
    for row in range(outlines.first[0, c], outlines.first[1, c]):
        for way in range(WAYS):
            if outlines.numbers[row, o_.ASKED] >> way & 1 == 0:
                continue
            fill_moving(outlines.sets[row, THERE], prospects, way, some)
            for w in range(len(to)):
                to[w] &= some[w]


@part
def fill_moving(objects, prospects, way, to):
    """Writes where any of some objects may move in a direction."""
    for w in range(len(to)):
        to[w] = ZERO
    o = next_in(objects, 0)
    while o != NOTHING:
        join(to, prospects.may_move[o, way])
        o = next_in(objects, o + 1)


@part
def way_of(numbers):
    """Returns the movement that a row asks for, or NOTHING."""
    found = NOTHING
    for way in range(WAYS):
        if numbers[o_.ASKED] >> way & 1:
            found = way
    return found


@part
def before(prospects, numbers, o, w):
    """Returns a word of where an object may be, and move as a row asks for."""
    way = way_of(numbers)
    return prospects.may_be[o, w] if way == NOTHING else prospects.may_move[o, way, w]


@part
def take(prospects, numbers, o, where):
    """Lets a row take an object away; returns whether anything is new."""
    gone, new = prospects.spare[MOVED], numbers[o_.NEW]
    for w in range(len(where)):
        gone[w] = where[w] & before(prospects, numbers, o, w)
    join(prospects.turned[o, 0 if new == NOTHING else prospects.place[new]], gone)
    return lose(prospects, o, gone)


@part
def make(prospects, numbers, there, o, where):
    """Lets a row make an object; returns whether anything is new."""
    busy, moved = False, prospects.spare[MOVED]
    if numbers[o_.HEIRS]:
        for way in range(WAYS):
            fill_moving(there, prospects, way, moved)
            for w in range(len(where)):
                moved[w] &= where[w]
            busy = add(prospects, prospects.may_move[o, way], moved, o) or busy
    busy = add(prospects, prospects.may_be[o], where, o) or busy
    if numbers[o_.ANEW]:
        join(prospects.born[o], where)
    return busy


@part
def push(prospects, numbers, fresh, o, where):
    """Lets a row give an object movements; returns whether anything is new."""
    busy, there = False, prospects.spare[MOVED]
    for w in range(len(where)):
        there[w] = where[w]
        if not has(fresh, o):
            there[w] &= before(prospects, numbers, o, w)
    for way in range(WAYS):
        if numbers[o_.GIVEN] >> way & 1:
            busy = add(prospects, prospects.may_move[o, way], there, o) or busy
    return busy


@part
def change(outlines, prospects, c, where):
    """Lets a cell of a rule do what it may; returns whether anything is new."""
    busy = False
    for row in range(outlines.first[0, c], outlines.first[1, c]):
        sets, numbers = outlines.sets[row], outlines.numbers[row]
        o = next_in(sets[TAKEN], 0)
        while o != NOTHING:
            busy = take(prospects, numbers, o, where) or busy
            o = next_in(sets[TAKEN], o + 1)
        o = next_in(sets[FRESH], 0)
        while o != NOTHING:
            busy = make(prospects, numbers, sets[THERE], o, where) or busy
            o = next_in(sets[FRESH], o + 1)
        o = next_in(sets[PUSHED], 0)
        while o != NOTHING:
            busy = push(prospects, numbers, sets[FRESH], o, where) or busy
            o = next_in(sets[PUSHED], o + 1)
    return busy


@part
def overlap(outlines, prospects, c, other):
    """Notes that two rows of a rule change a layer of a cell one after the other, without a look at it in
    between; returns whether that is new.
    """
    busy, numbers = False, outlines.numbers
    for row in range(outlines.first[0, c], outlines.first[1, c]):
        layer = numbers[row, o_.AT]
        if numbers[row, o_.ALTERS] == 0 or prospects.wild[layer]:
            continue
        for one in range(outlines.first[0, other], outlines.first[1, other]):
            if numbers[one, o_.AT] == layer and numbers[one, o_.ALTERS]:
                prospects.wild[layer] = 1
                busy = True
    return busy


@part
def find_starts(rules, outlines, prospects, height, rule, p, at):
    """Writes where the cells of a part of a rule may be, from row `at` of `where` on; returns whether
    anywhere."""
    table, area, fits, start = rules.rules, prospects.area, prospects.spare[FITS], prospects.where[at]
    direction = table.direction[rule]
    step = -1 if direction == UP else 1 if direction == DOWN else -height if direction == LEFT else height
    first, length = table.cell_first[p], table.cell_count[p]
    for w in range(len(start)):
        start[w] = area[ALL, w]
    for _ in range(length - 1):  # as many cells must be there
        move(fits, area, height, start, back(direction))
        for w in range(len(start)):
            start[w] = fits[w]
    for k in range(length):
        fill_fits(rules, outlines, prospects, first + k, fits)
        shift(prospects.spare[MOVED], fits, area[ALL], -k * step)
        for w in range(len(start)):
            start[w] &= prospects.spare[MOVED, w]
        if not is_any(start):
            return False
    for k in range(1, length):
        shift(prospects.where[at + k], start, area[ALL], k * step)
    return True


@part
def try_rule(rules, outlines, prospects, height, rule):
    """Lets a rule do what it may; returns whether anything is new."""
    table = rules.rules
    first, end = table.row_first[rule], table.row_first[rule] + table.row_count[rule]
    at = 0
    for r in range(first, end):
        for p in range(table.part_first[r], table.part_first[r] + table.part_count[r]):
            if not find_starts(rules, outlines, prospects, height, rule, p, at):
                return False
            at += table.cell_count[p]
    prospects.matches[rule] = 1
    if first == end:
        return False
    busy, at = False, 0
    begin = table.cell_first[table.part_first[first]]
    for r in range(first, end):
        row_at = at
        for p in range(table.part_first[r], table.part_first[r] + table.part_count[r]):
            for k in range(table.cell_count[p]):
                where = prospects.where[at]
                busy = change(outlines, prospects, table.cell_first[p] + k, where) or busy
                for other in range(row_at):
                    if o_.meets(prospects.where[other], where):
                        busy = overlap(outlines, prospects, begin + at, begin + other) or busy
                at += 1
    return busy


@part
def is_due(rules, outlines, prospects, rule):
    """Returns whether a rule was not tried since something new about the objects that it depends on."""
    if prospects.tried[rule] < 0:
        return True
    o = next_in(outlines.needs[rule], 0)
    while o != NOTHING:
        if prospects.changed[o] > prospects.tried[rule]:
            return True
        o = next_in(outlines.needs[rule], o + 1)
    return False


# the level


@part
def is_single(layer_sets, words):
    """Returns whether there is at most one object of each layer."""
    for layer in range(len(layer_sets)):
        count = 0
        for w in range(len(words)):
            count += popcount(words[w] & layer_sets[layer, w])
        if count > 1:
            return False
    return True


@part
def is_regular(rules, board):
    """Returns whether no cell ever holds two objects of a layer, and no layer of a cell two movements."""
    for i in range(board.control[state.CELLS]):
        if not is_single(rules.layer_sets, board.objects[i]):
            return False
    cells = rules.cells
    for c in range(len(cells.set)):
        if not is_single(rules.layer_sets, cells.set[c]):
            return False
        for layer in range(len(rules.layer_sets)):
            given = movements_of(cells.move_set[c], layer)
            if popcount(given) > 1 or (given != ZERO and movements_of(cells.move_clear[c], layer) != LAYER):
                return False
            mask = rules.layer_sets[layer]
            if o_.meets(cells.set[c], mask):
                for w in range(len(mask)):
                    if mask[w] & ~cells.clear[c, w] != ZERO:
                        return False
    return True


@part
def lay_out(rules, board, outlines, prospects):
    """Writes what is known at the start of a level."""
    height, cells = board.control[state.HEIGHT], board.control[state.CELLS]
    for i in range(cells):
        word, bit = i >> 6, ONE << U(i & 63)
        prospects.area[ALL, word] |= bit
        if i % height > 0:
            prospects.area[BELOW_TOP, word] |= bit
        if i % height < height - 1:
            prospects.area[ABOVE_BOTTOM, word] |= bit
    for o in range(rules.objects):
        for w in range(prospects.may_be.shape[1]):
            prospects.may_be[o, w] = prospects.stays[o, w] = board.sets[o, w]
    for layer in range(len(rules.layer_sets)):
        prospects.wild[layer] = outlines.wild[layer]
        count, o = 0, next_in(rules.layer_sets[layer], 0)
        while o != NOTHING:
            count += 1
            prospects.place[o] = count
            o = next_in(rules.layer_sets[layer], o + 1)
    for rule in range(len(prospects.tried)):
        prospects.tried[rule] = -1


@part
def settle_level(rules, board, outlines, prospects, keys):
    """Finds all that may be, in arrays of zeros, where keys give players these movements; returns False if
    that takes too long, or if nothing can be said."""
    if len(rules.cells.set) > MOST_CELLS or not is_regular(rules, board):
        return False
    lay_out(rules, board, outlines, prospects)
    height, tally, busy = board.control[state.HEIGHT], prospects.tally, True
    while busy:
        busy = move_all(rules, prospects, height, keys)
        for rule in range(len(prospects.tried)):
            if not is_due(rules, outlines, prospects, rule):
                continue
            prospects.tried[rule] = tally[CLOCK]
            tally[TRIES] += 1
            tally[CLOCK] += 1
            busy = try_rule(rules, outlines, prospects, height, rule) or busy
        if tally[TRIES] > MOST_TRIES:
            return False
    return True
