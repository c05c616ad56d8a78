"""Many boards of one PuzzleScript game and one size, played at once, a key each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from levelsmith.games.puzzlescript.kernels.state import UNSEEN, WORD, Board, slot_of
from levelsmith.games.puzzlescript.kernels.turn import play_key, put_down
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ONE, ZERO, U, lowest

IDLE = -1  # the kind of turn of a board on which nothing is played
SHARED = ("starts", "found", "rows")  # arrays of all boards together
SLOTS = 1024  # of the table of sets


class Sight(NamedTuple):
    """Which tile is seen for which set of objects, by a hash; and what each board shows."""

    known: Any  # [SLOTS, W]
    code: Any  # [SLOTS] -1 for an empty slot
    top: Any  # [objects] the tile where an object is on top of a set that is none
    codes: Any  # [boards, cells] tiles, row after row


@part
def board_of(many, b):
    """Returns one of the boards; their arrays have an axis for them in front, but for what is shared."""
    return Board(
        many.control[b],
        many.objects[b],
        many.moves[b],
        many.sets[b],
        many.counts[b],
        many.there[b],
        many.rng[b],
        many.kept[b],
        many.flags[b],
        many.starts,
        many.lists[b],
        many.found,
        many.rows,
        many.rigid[b],
    )


@part
def code_of(sight, words):
    """Returns the tile of a set; of one that is none, that of the object on top."""
    slot = slot_of(sight.known, sight.code, words)
    if sight.code[slot] >= 0:
        return sight.code[slot]
    for w in range(len(words) - 1, -1, -1):
        if words[w] != ZERO:
            b = 63
            while words[w] >> U(b) & ONE == ZERO:
                b -= 1
            return sight.top[64 * w + b]
    return np.int64(0)


@kernel
def put_boards(rules, many, which, cells, rng):
    """Puts levels down on some boards, each the place of its restarts, with new random numbers."""
    for n in range(len(which)):
        board = board_of(many, which[n])
        put_down(rules, board, cells[n], True)
        for k in range(len(rng)):
            board.rng[k] = rng[k]


@kernel
def turn_boards(rules, many, keys, kinds, outcomes):
    """Plays a turn of a kind on every board, and the again-turns after it; writes what comes of each."""
    for b in range(len(keys)):
        outcomes[b] = 0
        if kinds[b] != IDLE:
            outcomes[b] = play_key(rules, board_of(many, b), keys[b], kinds[b], True)


@kernel
def see_boards(many, sight, height, views):
    """Brings the codes of all boards up to date, and writes them into views: `[boards, cells]`, or where each
    code has a plane `[boards, codes * cells]` zeros."""
    cells = sight.codes.shape[1]
    width = cells // height
    for b in range(len(views)):
        for c in range(many.flags.shape[2]):
            left = many.flags[b, UNSEEN, c]
            many.flags[b, UNSEEN, c] = ZERO
            while left != ZERO:
                i = WORD * c + lowest(left)
                left &= left - ONE
                sight.codes[b, i % height * width + i // height] = code_of(sight, many.objects[b, i])
        if views.shape[1] == cells:
            for cell in range(cells):
                views[b, cell] = sight.codes[b, cell]
        else:  # a plane for each code
            for cell in range(cells):
                views[b, np.int64(sight.codes[b, cell]) * cells + cell] = 1
