"""Every state that keys lead to, nearest first: the search for a shortest solution of a PuzzleScript level.

A state is what each cell holds, by the number of that set of objects; where a game has checkpoints and goes
back to them, what each cell held at the last one follows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from levelsmith.games.puzzlescript.kernels.codes import PENDING, PLAY, STOPPED, WON
from levelsmith.games.puzzlescript.kernels.state import MIX, TARGET, set_objects, slot_of
from levelsmith.games.puzzlescript.kernels.turn import play_key, stand_still
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ZERO, U

FOUND, LOOKED_AT, SETS, LOOSE, WINNING, TURNS, TALLIES = range(7)  # places in `tally`, and how many
NOBODY = -1
GOING_ON, IS_WON, IS_FULL, IS_OVER = range(4)  # what becomes of a search


class Search(NamedTuple):
    """The states met so far, in order, and the sets of objects that their cells hold."""

    known: Any  # [slots, W] by hash
    code: Any  # [slots] the number of a set, -1 for an empty slot
    sets: Any  # [sets, W] by number
    states: Any  # [room, cells or twice as many] numbers of sets
    parent: Any  # [room]
    key: Any  # [room] that led from there
    table: Any  # [a power of two] states by hash, NOBODY for an empty place
    row: Any  # [cells or twice as many] the state in hand
    tally: Any  # [6] states; those looked at; sets; turns that did not settle; the key that wins; turns


@part
def number_of(search, words):
    """Returns the number of a set of objects, a new one where it was not met before; -1 where there is no
    room for it."""
    slot = slot_of(search.known, search.code, words)
    if search.code[slot] < 0:
        number = search.tally[SETS]
        if number == len(search.sets):
            return np.int64(NOBODY)
        for w in range(len(words)):
            search.known[slot, w] = search.sets[number, w] = words[w]
        search.code[slot] = number
        search.tally[SETS] += 1
    return np.int64(search.code[slot])


@part
def place_of(search, row):
    """Returns where in the table a state is, or would be."""
    mixed = ZERO
    for i in range(len(row)):
        mixed = (mixed ^ U(row[i])) * MIX
        mixed ^= mixed >> U(29)
    mask = len(search.table) - 1
    place = np.int64(mixed & U(mask))
    while search.table[place] != NOBODY:
        other, same = search.states[search.table[place]], True
        for i in range(len(row)):
            if other[i] != row[i]:
                same = False
                break
        if same:
            return place
        place = (place + 1) & mask
    return place


@part
def enter(search, board, parent, key):
    """Enters the state of a board, if it is new; returns whether there was room."""
    cells = len(board.objects)
    for i in range(len(search.row)):
        number = number_of(search, board.objects[i] if i < cells else board.kept[TARGET, i - cells])
        if number < 0:
            return False
        search.row[i] = number
    place = place_of(search, search.row)
    if search.table[place] != NOBODY:
        return True
    state = search.tally[FOUND]
    if state == len(search.parent):
        return False
    for i in range(len(search.row)):
        search.states[state, i] = search.row[i]
    search.parent[state], search.key[state], search.table[place] = parent, key, state
    search.tally[FOUND] += 1
    return True


@part
def put_state(rules, board, search, state):
    """Puts a state onto the board."""
    stand_still(rules, board)
    cells = len(board.objects)
    for i in range(search.states.shape[1]):
        number = search.states[state, i]
        for w in range(rules.words):
            if i < cells:
                set_objects(board, i, w, search.sets[number, w])
            else:
                board.kept[TARGET, i - cells, w] = search.sets[number, w]


@kernel
def begin(board, search):
    """Enters the state of a board as the first; returns whether there was room."""
    return enter(search, board, NOBODY, 0)


@kernel
def spread(rules, board, search, keys, most):
    """Looks at so many more states at most: enters what each key leads to. Stops at a win."""
    tally = search.tally
    for _ in range(most):
        state = tally[LOOKED_AT]
        if state == tally[FOUND]:
            return IS_OVER
        for k in range(len(keys)):
            put_state(rules, board, search, state)
            outcome = play_key(rules, board, keys[k], PLAY, True)
            tally[TURNS] += 1
            if outcome & (STOPPED | PENDING):
                tally[LOOSE] += 1
            if outcome & STOPPED:
                continue
            if outcome & WON:
                tally[WINNING] = keys[k]
                return IS_WON
            if not enter(search, board, state, keys[k]):
                return IS_FULL
        tally[LOOKED_AT] += 1
    return GOING_ON


@kernel
def fill_table(search):
    """Enters all states into an empty table."""
    for state in range(search.tally[FOUND]):
        search.table[place_of(search, search.states[state])] = state
