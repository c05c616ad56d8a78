"""The search for a shortest solution of a PuzzleScript level, over packed states.

A place is a cell of the board; where a game has checkpoints and goes back to them, the cells of the last one
are places too. The sets of objects that are met in a place get codes in the order in which they are met, 0
for what is there at the start, and a state is the codes of all places, in as many bits as they need so far. A
bit that is needed later was 0 before, so that states stay as they are. A key changes a few bits of its state.

States are looked at by the fewest keys that a solution through them can have.

To see far in few states, those alone are entered in which two places hold what they never held together
before: novelty of width 2, after Lipovetzky and Geffner (ECAI 2012). Their keys are not the fewest then.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from levelsmith.games.puzzlescript.kernels import state as states
from levelsmith.games.puzzlescript.kernels.codes import PENDING, PLAY, STOPPED, WON
from levelsmith.games.puzzlescript.kernels.outlook import NEVER, outlook
from levelsmith.games.puzzlescript.kernels.turn import play_key, stand_still
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ONE, ZERO, U, lowest

# Places in `tally`, and how many: states; the one looked at; the key to try next; sets in places; bits in
# use; turns that did not come to rest; the key that wins; turns; boards that cannot be won; fewest and most
# keys of a solution through what is to be looked at.
(FOUND, LOOKED_AT, NEXT_KEY, HELD, BITS, LOOSE, WINNING, TURNS, HOPELESS, LEAST, MOST, TALLIES) = range(12)
NOBODY, OUT = -1, -2
WINS = -1  # in a graph: a key that wins
GOING_ON, IS_WON, IS_FULL, IS_OVER = range(4)  # what becomes of a search
MOST_BITS = 16  # of a code
ON_BOARD, AFTER_KEY = range(2)  # rows of `packed`


class Search(NamedTuple):
    """The states met so far, in order, and what their places hold."""

    slot: Any  # [a power of two] sets in places by hash, NOBODY for an empty slot
    held: Any  # [sets, W]
    place: Any  # [sets] where it was met
    code: Any  # [sets] its code there
    by_code: Any  # [places, codes] the sets
    codes: Any  # [places] how many there are
    bits: Any  # [places, 16] where in a state the bits of its code are
    owner: Any  # [64 S, 2] the place of a bit, and its value in the code
    now: Any  # [places] the codes of the state looked at
    words: Any  # [W] what a place holds
    packed: Any  # [2, S] the state looked at, and what a key makes of it
    touched: Any  # [places] those that a key changed
    states: Any  # [room, S]
    links: Any  # [room, 4] parent, keys from the start, the states before and after it in its queue
    key: Any  # [room] that led there
    table: Any  # [a power of two] states by hash, NOBODY for an empty place
    queues: Any  # [fewest keys of a solution] the first state of each queue, or NOBODY
    pairs: Any  # [most sets, words] which sets were held together in a state; no rows where that is not asked
    sight: Any  # [places] the set in each place after a key
    tally: Any  # [11]


PARENT, COST, BEFORE, AFTER = range(4)  # columns of `links`


# what places hold


@part
def slot_for(search, place, words):
    """Returns the slot of a set of objects in a place, or the empty one where it would be."""
    mixed = U(place + 1) * states.MIX
    for w in range(len(words)):
        mixed = (mixed ^ words[w]) * states.MIX
        mixed ^= mixed >> U(29)
    mask = len(search.slot) - 1
    slot = np.int64((mixed ^ mixed >> U(32)) & U(mask))
    while search.slot[slot] != NOBODY:
        one = search.slot[slot]
        same = search.place[one] == place
        for w in range(len(words)):
            same = same and search.held[one, w] == words[w]
        if same:
            return slot
        slot = (slot + 1) & mask
    return slot


@part
def word_at(board, place, w):
    """Returns one word of the objects of a place."""
    cells = board.control[states.CELLS]
    return board.objects[place, w] if place < cells else board.kept[states.TARGET, place - cells, w]


@part
def code_of(search, board, place):
    """Returns the code of what a place holds, a new one if that was not met there before; NOBODY where there
    is no room for it."""
    words = search.words
    for w in range(len(words)):
        words[w] = word_at(board, place, w)
    slot = slot_for(search, place, words)
    if search.slot[slot] == NOBODY:
        one, code = search.tally[HELD], search.codes[place]
        if one == len(search.place) or code == search.by_code.shape[1] or code >> MOST_BITS:
            return np.int64(NOBODY)
        if code & (code - 1) == 0 and code > 0:
            bit = search.tally[BITS]
            if bit == len(search.owner):
                return np.int64(NOBODY)
            search.bits[place, lowest(U(code))] = bit
            search.owner[bit, 0], search.owner[bit, 1] = place, code
            search.tally[BITS] += 1
        for w in range(len(words)):
            search.held[one, w] = words[w]
        search.place[one], search.code[one], search.by_code[place, code] = place, code, one
        search.codes[place] += 1
        search.slot[slot] = one
        search.tally[HELD] += 1
    return np.int64(search.code[search.slot[slot]])


@part
def put_back(search, board, place):
    """Makes a place hold what it does in the state looked at."""
    one, cells = search.by_code[place, search.now[place]], board.control[states.CELLS]
    for w in range(search.held.shape[1]):
        if place < cells:
            states.set_objects(board, place, w, search.held[one, w])
        else:
            board.kept[states.TARGET, place - cells, w] = search.held[one, w]


@part
def is_as_before(search, board, place):
    """Returns whether a place holds what it does in the state looked at."""
    one = search.by_code[place, search.now[place]]
    for w in range(search.held.shape[1]):  # noqa: SIM110
        if search.held[one, w] != word_at(board, place, w):
            return False
    return True


# states


@part
def place_of(search, state):
    """Returns where in the table a state is, or would be."""
    mixed = ZERO
    for w in range(len(state)):
        mixed = (mixed ^ state[w]) * states.MIX
        mixed ^= mixed >> U(29)
    mask = len(search.table) - 1
    place = np.int64(mixed & U(mask))
    while search.table[place] != NOBODY:
        other, same = search.table[place], True
        for w in range(len(state)):
            if search.states[other, w] != state[w]:
                same = False
                break
        if same:
            return place
        place = (place + 1) & mask
    return place


@part
def put_in_line(search, state, keys):
    """Puts a state first in the queue of those whose solutions have so many keys at least."""
    search.links[state, BEFORE], search.links[state, AFTER] = NOBODY, search.queues[keys]
    if search.queues[keys] != NOBODY:
        search.links[search.queues[keys], BEFORE] = state
    search.queues[keys] = state
    search.tally[LEAST] = min(search.tally[LEAST], keys)
    search.tally[MOST] = max(search.tally[MOST], keys)


@part
def take_out(search, state, keys):
    """Takes a state out of its queue."""
    before, after = search.links[state, BEFORE], search.links[state, AFTER]
    if before == NOBODY:
        search.queues[keys] = after
    else:
        search.links[before, AFTER] = after
    if after != NOBODY:
        search.links[after, BEFORE] = before
    search.links[state, BEFORE] = OUT


@part
def next_state(search):
    """Takes the state that is to be looked at next out of its queue; returns NOBODY where there is none."""
    tally = search.tally
    while tally[LEAST] <= tally[MOST]:
        state = search.queues[tally[LEAST]]
        if state != NOBODY:
            take_out(search, state, tally[LEAST])
            return np.int64(state)
        tally[LEAST] += 1
    return np.int64(NOBODY)


@part
def enter(board, search, guide, parent, cost, key):
    """Enters the packed state of a board, if it is new or takes fewer keys than before; returns whether there
    was room."""
    state, links, tally = search.packed[AFTER_KEY], search.links, search.tally
    place = place_of(search, state)
    known = np.int64(search.table[place])
    if known != NOBODY and links[known, COST] <= cost:
        return True
    to_go = outlook(guide, board)
    if to_go == NEVER:
        tally[HOPELESS] += 1
        return True
    if cost + to_go >= len(search.queues) or (known == NOBODY and tally[FOUND] == len(search.key)):
        return False
    if known == NOBODY:
        known = tally[FOUND]
        tally[FOUND] += 1
        for w in range(len(state)):
            search.states[known, w] = state[w]
        search.table[place] = known
    elif links[known, BEFORE] != OUT:
        take_out(search, known, links[known, COST] + to_go)
    links[known, PARENT], links[known, COST], search.key[known] = parent, cost, key
    put_in_line(search, known, cost + to_go)
    return True


@part
def go_to(search, board, state):
    """Puts a state onto the board, where another one is."""
    now, then = search.packed[ON_BOARD], search.states[state]
    for w in range(len(now)):
        left = now[w] ^ then[w]
        while left != ZERO:
            bit = states.WORD * w + lowest(left)
            left &= left - ONE
            search.now[search.owner[bit, 0]] ^= search.owner[bit, 1]
    for w in range(len(now)):
        left = now[w] ^ then[w]
        now[w] = then[w]
        while left != ZERO:
            bit = states.WORD * w + lowest(left)
            left &= left - ONE
            put_back(search, board, search.owner[bit, 0])


@part
def note(search, board, place, count):
    """Notes what a key made of a place in the packed state; returns how many places changed by now, or NOBODY
    where there is no room."""
    if is_as_before(search, board, place):
        return count
    code = code_of(search, board, place)
    if code == NOBODY:
        return np.int64(NOBODY)
    left = U(code ^ search.now[place])
    while left != ZERO:
        bit = search.bits[place, lowest(left)]
        left &= left - ONE
        search.packed[AFTER_KEY, bit >> 6] ^= ONE << U(bit & 63)
    search.touched[count] = place
    return count + 1


@part
def pack_board(search, board):
    """Packs the state of the board after a key; returns how many places changed, or NOBODY where there is no
    room."""
    count = np.int64(0)
    for w in range(search.packed.shape[1]):
        search.packed[AFTER_KEY, w] = search.packed[ON_BOARD, w]
    for c in range(board.control[states.SET_WORDS]):
        left = board.flags[states.UNSEEN, c]
        while left != ZERO:
            count = note(search, board, states.WORD * c + lowest(left), count)
            left &= left - ONE
            if count == NOBODY:
                return count
    for place in range(board.control[states.CELLS], len(search.now)):
        count = note(search, board, place, count)
        if count == NOBODY:
            return count
    return count


@part
def is_novel(search, board, changed):
    """Notes which sets are held together after a key that changed so many places; returns whether two of them
    never were before. Sets that there is no row for are always new."""
    sight, pairs, found = search.sight, search.pairs, False
    for place in range(len(sight)):
        sight[place] = search.by_code[place, search.now[place]]
    for n in range(changed):
        place = search.touched[n]
        sight[place] = search.by_code[place, code_of(search, board, place)]
    for n in range(changed):
        one = sight[search.touched[n]]
        if one >= len(pairs):
            return True
        for place in range(len(sight)):
            other = sight[place]
            if other >= len(pairs):
                return True
            low, high = min(one, other), max(one, other)
            bit = ONE << U(high & 63)
            if pairs[low, high >> 6] & bit == ZERO:
                pairs[low, high >> 6] |= bit
                found = True
    return found


@part
def look_away(board):
    """Forgets which cells changed."""
    for c in range(board.control[states.SET_WORDS]):
        board.flags[states.UNSEEN, c] = ZERO


@part
def put_all(rules, board, search):
    """Puts the state looked at onto the board, whatever is there."""
    stand_still(rules, board)
    for place in range(len(search.now)):
        put_back(search, board, place)
    look_away(board)


# the search


@kernel
def begin(board, search, guide):
    """Enters the state of a board as the first; its codes are 0."""
    for place in range(len(search.now)):
        code_of(search, board, place)
    enter(board, search, guide, NOBODY, 0, 0)


@kernel
def spread(rules, board, search, guide, keys, most, limit, graph):
    """Looks at so many more states at most, and at none once `limit` states are found: enters what each key
    leads to. Stops at a win.

    With a graph, `[states, keys]`, it goes on: what each key leads to is written there, WINS for a win.
    """
    tally = search.tally
    put_all(rules, board, search)
    for _ in range(most):
        if tally[NEXT_KEY] == len(keys):
            if tally[FOUND] >= limit:
                return GOING_ON
            state = next_state(search)
            if state == NOBODY:
                return IS_OVER
            tally[LOOKED_AT], tally[NEXT_KEY] = state, 0
            go_to(search, board, state)
        state = tally[LOOKED_AT]
        while tally[NEXT_KEY] < len(keys):
            key = keys[tally[NEXT_KEY]]
            look_away(board)
            outcome = play_key(rules, board, key, PLAY, True)
            there = state
            if outcome & WON and len(graph) == 0:
                tally[WINNING] = key
                tally[TURNS] += 1
                return IS_WON
            if outcome & (WON | STOPPED):
                there = WINS if outcome & WON else state
                put_all(rules, board, search)
            else:
                changed = pack_board(search, board)
                if changed == NOBODY:
                    return IS_FULL
                cost, is_new = search.links[state, COST] + 1, True
                if len(search.pairs) > 0 and changed > 0:
                    if tally[FOUND] == len(search.key) or cost + 1 >= len(search.queues):
                        return IS_FULL  # before sets are noted
                    is_new = is_novel(search, board, changed)
                if changed > 0 and is_new and not enter(board, search, guide, state, cost, key):
                    return IS_FULL
                if changed > 0 and len(graph) > 0:
                    there = np.int64(search.table[place_of(search, search.packed[AFTER_KEY])])
                for n in range(changed):
                    put_back(search, board, search.touched[n])
                stand_still(rules, board)
            if outcome & (STOPPED | PENDING):
                tally[LOOSE] += 1
            if len(graph) > 0:
                graph[state, tally[NEXT_KEY]] = there
            tally[TURNS] += 1
            tally[NEXT_KEY] += 1
    return GOING_ON


@kernel
def fill_table(search):
    """Enters all states into an empty table, and all sets into empty slots."""
    for state in range(search.tally[FOUND]):
        search.table[place_of(search, search.states[state])] = state
    for one in range(search.tally[HELD]):
        search.slot[slot_for(search, search.place[one], search.held[one])] = one
