"""What the interpreter works on: the rules of a game, and a board with all that a turn needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from levelsmith.games.puzzlescript.kernels.codes import ALL, DOWN, ENDS, LEFT, MOVE_BITS, RIGHT, SOME, UP
from levelsmith.kernels.compile import part
from levelsmith.kernels.words import ONE, ZERO, U, lowest

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.tables import Tables

WORD = 64
MIX = U(0x9E3779B97F4A7C15)
MOST_FOUND = 1 << 21  # matches of the rows of a rule

HAS, HAS_NOT, ANY_OF, LAST_OF_ANY = range(4)  # what a test asks of a feature

# Numbers of Board.control.
# `SAID` is the rule of the message in the queue, and `TOLD` one more than that of the message to show.
# `ALTERS` is whether a rule whose matches were counted would change anything, `CHAIN` how many again-turns
# followed a key. `DOUBT` is EXACT, or where the rules of a game that do not decide are left out FEWER, and
# IN_DOUBT from when it would have mattered.
HEIGHT, WIDTH, CELLS, SET_WORDS, QUEUE, ON_WIN, WORK, DIRTY, SAID, TOLD, ALTERS, CHAIN, DOUBT, BANNED = range(
    14
)
EXACT, FEWER, IN_DOUBT = range(3)
FIRED = BANNED + 32  # behind the rigid groups: whether each rule has ever changed or commanded anything
# Rows of Board.kept, flags, lists, rows and rigid.
BEFORE, TARGET = range(2)
IS_DIRTY, MOVING, PLAYERS, FIRST_MOVING, IS_MARKED, UNSEEN = range(6)
DIRTY_CELLS, ORDER, TALLY = range(3)
ENDS_AT, IN_HAND = range(2)
FIRST_MOVES, NUMBERS, MARKED = range(3)


class Rules(NamedTuple):
    """The tables of a game, and what follows from them.

    A feature is an object, or a movement of a layer: both are sets of cells. Tests tell what rows ask of
    features, and what of them they change, those of a row one after the other.
    """

    objects: int
    words: int  # W: of a set of objects
    move_words: int  # V: of a set of movements
    rigid: int  # groups with rigid rules
    start_turn: int
    must_move: int
    player_all: int
    player: Any  # [W]
    layer_of: Any  # [objects]
    layer_sets: Any  # [layers, W]
    cells: Any  # CellTables
    rules: Any  # RuleTables
    groups: Any  # GroupTables
    wins: Any  # WinTables
    draws: Any  # [cells] whether random numbers are drawn
    needs: Any  # [rules, W + V] what must be somewhere on the board
    acts: Any  # [rules] whether any cell is changed
    always: Any  # [rules] whether it is not known before they are applied that nothing would change
    length: Any  # [rows] cells without the gaps
    kind: Any  # [rows] by direction and length: where on the board they can begin
    first_test: Any  # [rows] of what the first part asks
    first_effect: Any  # [rows] of the tests that tell what it changes, which end where the next row's begin
    offset: Any  # [tests] of the cell in the row
    feature: Any  # [tests]
    asks: Any  # [tests] of a feature, as named above


class Board(NamedTuple):
    """A board, the random numbers, and the workspace of a turn."""

    control: Any  # [46 + rules] the numbers above, whether each rigid group is banned, what has fired
    objects: Any  # [cells, W]
    moves: Any  # [cells, V]
    sets: Any  # [features, C] the cells of each feature, as bits
    counts: Any  # [features]
    there: Any  # [W + V] features that are anywhere
    rng: Any  # [258] RC4
    kept: Any  # [2, cells, W] what dirty cells held when the turn began; where a restart goes
    flags: Any  # [6, C] sets of cells, as named above
    starts: Any  # [kinds, C] where rows of each kind can begin
    lists: Any  # [3, cells + 1] the dirty cells; starts in order; how many there are in each row of the board
    found: Any  # [matches, 3] the starts of the parts
    rows: Any  # [2, rows] of a rule: where the matches of each end; the match of each in hand
    rigid: Any  # [3, cells, V] movements when the turn began; numbers of groups; layers with a number


def make_rules(tables: Tables) -> Rules:
    """Returns the tables of a game as the interpreter takes them."""
    rules, cells = tables.rules, tables.cells
    w, count = tables.words, len(tables.rules.line)
    rule_of_row = np.repeat(np.arange(count), rules.row_count)
    rule_of_cell = np.repeat(np.repeat(rule_of_row, rules.part_count), rules.cell_count)
    kinds: dict[tuple[int, int], int] = {}
    tests: list[tuple[int, int, int]] = []
    rows, regular = [], tables.regular
    for row, (first, parts) in enumerate(zip(rules.part_first, rules.part_count, strict=True)):
        length = int(rules.cell_count[first : first + parts].sum())
        kind = kinds.setdefault((int(rules.direction[rule_of_row[row]]), length), len(kinds))
        begin, here = len(tests), range(rules.cell_count[first])
        tests += [test for k in here for test in _tests(tables, int(rules.cell_first[first]) + k, k)]
        # What is rarest first, movements, and what most cells fulfil last.
        tests[begin:] = sorted(
            tests[begin:], key=lambda test: (-(test[1] >= tables.objects), 2, 1, 1)[test[2]]
        )
        rows.append((length, kind, begin, len(tests)))
        for k in here:
            tests += _effects(tables, regular, int(rules.cell_first[first]) + k, k)
    rows.append((0, 0, len(tests), 0))
    needs = np.zeros((count, w + tables.move_words), np.uint64)
    np.bitwise_or.at(needs[:, :w], rule_of_cell, cells.present)
    np.bitwise_or.at(needs[:, w:], rule_of_cell, cells.moving)
    draws = cells.random.any(axis=1) | cells.random_dir.any(axis=1)
    # Marks, random numbers and what is behind gaps are not looked at before a rule is applied.
    always = rules.rigid | _any(rule_of_row, rules.part_count > 1, count) | _any(rule_of_cell, draws, count)
    return Rules(
        tables.objects,
        w,
        tables.move_words,
        int(tables.groups.rigid.max(initial=0)),
        int(tables.start_turn),
        int(tables.must_move),
        int(tables.player_all),
        tables.player,
        tables.layer_of,
        tables.layer_sets,
        cells,
        rules,
        tables.groups,
        tables.wins,
        draws,
        needs,
        _any(rule_of_cell, cells.changes, count),
        always,
        *_columns(rows, 4),
        *_columns(tests, 3),
    )


def _any(rule: Any, flags: Any, count: int) -> Any:
    """Returns for each rule whether any of its rows or cells has a flag."""
    return np.bincount(rule[flags], minlength=count) > 0


def _columns(rows: Any, count: int) -> Any:
    return np.ascontiguousarray(np.array(rows, np.int64).reshape(-1, count).T)


def _members(words: Any, bits: int = WORD) -> list[int]:
    found = []
    for i, word in enumerate(words.tolist()):
        while word:
            found.append(bits * i + (word & -word).bit_length() - 1)
            word &= word - 1
    return found


def _tests(tables: Tables, c: int, k: int) -> list[tuple[int, int, int]]:
    """Returns what a cell asks of features."""
    cells, objects = tables.cells, tables.objects
    found = [(k, objects + f, HAS) for f in _members(cells.moving[c], MOVE_BITS)]
    found += [(k, f, HAS) for f in _members(cells.present[c])]
    for a in range(int(cells.any_first[c]), int(cells.any_first[c] + cells.any_count[c])):
        members = _members(cells.any_of[a])
        found += [(k, f, ANY_OF) for f in members[:-1]] + [(k, members[-1], LAST_OF_ANY)]
    found += [(k, f, HAS_NOT) for f in _members(cells.absent[c])]
    return found + [(k, objects + f, HAS_NOT) for f in _members(cells.resting[c], MOVE_BITS)]


def _effects(tables: Tables, regular: bool, c: int, k: int) -> list[tuple[int, int, int]]:
    """Returns what of the features of a cell that matches would be changed."""
    cells, objects = tables.cells, tables.objects
    made, gone = cells.set[c], cells.clear[c] & ~cells.set[c] & ~cells.absent[c]
    found = [(k, f, HAS_NOT) for f in _members(made & ~cells.present[c])]
    for f in _members(gone):
        layer = tables.layer_sets[tables.layer_of[f]]
        if not (regular and (made & layer).any()):  # else nothing is beside what is made
            found.append((k, f, HAS))
    pushed, stopped = cells.move_set[c], cells.move_clear[c] & ~cells.move_set[c]
    found += [(k, objects + f, HAS_NOT) for f in _members(pushed & ~cells.moving[c], MOVE_BITS)]
    return found + [(k, objects + f, HAS) for f in _members(stopped & ~cells.resting[c], MOVE_BITS)]


def make_board(tables: Tables, rules: Rules, height: int, width: int) -> Board:
    """Returns an empty board, and the workspace for it."""
    cells = height * width
    words, w, v = -(-cells // WORD), rules.words, rules.move_words
    features = rules.objects + 5 * tables.layers
    most_rows = int(tables.rules.row_count.max(initial=0))
    parts = int(tables.rules.part_count.max(initial=1))
    room = cells * (most_rows or 1) * max(height, width) ** (parts - 1)
    starts = np.zeros((int(rules.kind.max()) + 1, words), np.uint64)
    y, x = np.arange(cells) % height, np.arange(cells) // height
    directions = np.repeat(tables.rules.direction, tables.rules.row_count)
    for kind, direction, length in {*zip(rules.kind[:-1], directions, rules.length[:-1], strict=True)}:
        room_left = {UP: y + 1, DOWN: height - y, LEFT: x + 1, RIGHT: width - x}[int(direction)]
        starts[kind] = _as_bits(room_left >= length, words)
    control = np.zeros(FIRED + len(tables.rules.line), np.int64)
    control[[HEIGHT, WIDTH, CELLS, SET_WORDS, ON_WIN]] = height, width, cells, words, ENDS
    return Board(
        control,
        np.zeros((cells, w), np.uint64),
        np.zeros((cells, v), np.uint64),
        np.zeros((features, words), np.uint64),
        np.zeros(features, np.int32),
        np.zeros(w + v, np.uint64),
        np.zeros(258, np.uint8),
        np.zeros((2, cells, w), np.uint64),
        np.zeros((6, words), np.uint64),
        starts,
        np.zeros((3, cells + 1), np.int32),
        np.zeros((min(room, MOST_FOUND), 3), np.int32),
        np.zeros((2, most_rows + 1), np.int64),
        np.zeros((3, cells if rules.rigid else 0, v), np.uint64),
    )


def _as_bits(flags: Any, words: int) -> Any:
    padded = np.zeros(words * WORD, np.uint8)
    padded[: len(flags)] = flags
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)


@part
def set_objects(board, i, w, new):
    """Writes one word of the objects of a cell, remembering what it held when the turn began."""
    diff = board.objects[U(i), w] ^ new
    if diff == ZERO:
        return False
    word, bit = U(i >> 6), ONE << U(i & 63)
    board.flags[UNSEEN, word] |= bit  # until somebody looks
    if board.flags[IS_DIRTY, word] & bit == ZERO:
        board.flags[IS_DIRTY, word] |= bit
        board.lists[DIRTY_CELLS, board.control[DIRTY]] = i
        board.control[DIRTY] += 1
        for k in range(board.objects.shape[1]):
            board.kept[BEFORE, U(i), k] = board.objects[U(i), k]
    board.objects[U(i), w] = new
    flip(board, diff, new, WORD * w, w, word, bit)
    return True


@part
def set_moves(board, objects, i, v, new):
    """Writes one word of the movements of a cell."""
    diff = board.moves[U(i), v] ^ new
    if diff == ZERO:
        return False
    word, bit = U(i >> 6), ONE << U(i & 63)
    board.moves[U(i), v] = new
    board.flags[MOVING, word] |= bit
    flip(board, diff, new, objects + MOVE_BITS * v, board.objects.shape[1] + v, word, bit)
    return True


@part
def flip(board, diff, new, first, w, word, bit):
    """Brings the sets of cells up to date with one word of a cell, of which the bits `diff` changed."""
    while diff != ZERO:
        b = lowest(diff)
        one = ONE << U(b)
        diff ^= one
        feature = U(first + b)
        board.sets[feature, word] ^= bit
        if new & one != ZERO:
            board.counts[feature] += 1
            board.there[w] |= one
        else:
            board.counts[feature] -= 1
            if board.counts[feature] == 0:
                board.there[w] &= ~one


@part
def has_won(rules, board):
    """Returns whether all win conditions hold, and there are some."""
    wins = rules.wins
    for k in range(len(wins.kind)):
        on = off = False
        for c in range(board.control[SET_WORDS]):
            what = cells_of(rules, board, wins.what[k], wins.what_all[k], c)
            where = what
            if not wins.anywhere[k] and what != ZERO:
                where &= cells_of(rules, board, wins.where[k], wins.where_all[k], c)
            on = on or where != ZERO
            off = off or where != what
        if wins.kind[k] == ALL:
            if off:
                return False
        elif on != (wins.kind[k] == SOME):
            return False
    return len(wins.kind) > 0


@part
def cells_of(rules, board, members, all_of, c):
    """Returns word c of the cells with any, or all, of some objects."""
    found = ~ZERO if all_of else ZERO
    for w in range(rules.words):
        left = members[w]
        while left != ZERO:
            b = lowest(left)
            left &= left - ONE
            if all_of:
                found &= board.sets[U(WORD * w + b), c]
            else:
                found |= board.sets[U(WORD * w + b), c]
    return found


@part
def slot_of(known, code, words):
    """Returns the slot of a set of objects in a table with a power of two of them, or the empty one where it
    would be."""
    mixed = ZERO
    for w in range(len(words)):
        mixed = (mixed ^ words[w]) * MIX
    slot = np.int64((mixed ^ mixed >> U(32)) & U(len(code) - 1))
    while code[slot] >= 0:
        same = True
        for w in range(len(words)):
            same = same and known[slot, w] == words[w]
        if same:
            return slot
        slot = (slot + 1) & (len(code) - 1)
    return slot
