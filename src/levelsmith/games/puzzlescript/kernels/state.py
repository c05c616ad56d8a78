"""What the interpreter works on: the rules of a game, and a board with all that a turn needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from levelsmith.games.puzzlescript.kernels.codes import ALL, DOWN, ENDS, LEFT, MOVE_BITS, RIGHT, UP
from levelsmith.kernels.compile import part
from levelsmith.kernels.words import ONE, ZERO, U, lowest

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.tables import Tables

WORD = 64
MIX = U(0x9E3779B97F4A7C15)
MOST_FOUND = 1 << 21  # matches of the rows of a rule

# Columns of Rules.rule, row, part, cell, group, test.
DIRECTION, ROW_FIRST, ROW_COUNT, COMMANDS, IS_RIGID, ACTS, ALWAYS = range(7)
PART_FIRST, PART_COUNT, LENGTH, STARTS = range(4)
CELL_FIRST, CELL_COUNT, TEST_FIRST, TEST_COUNT, EFFECT_FIRST, EFFECT_COUNT = range(6)
ANY_FIRST, ANY_COUNT, CHANGES, DRAWS = range(4)
RULE_FIRST, RULE_COUNT, IS_RANDOM, RIGID, JUMP = range(5)
OFFSET, FEATURE, TEST = range(3)
HAS, HAS_NOT, ANY_OF, LAST_OF_ANY = range(4)  # what a test asks of a feature

# Numbers of Board.control.
# `SAID` is the rule of the message in the queue, and `TOLD` one more than that of the message to show.
# `ALTERS` is whether a rule whose matches were counted would change anything, `CHAIN` how many again-turns
# followed a key.
HEIGHT, WIDTH, CELLS, SET_WORDS, QUEUE, ON_WIN, WORK, DIRTY, SAID, TOLD, ALTERS, CHAIN, BANNED = range(13)
# Rows of Board.kept, flags, lists, rows and rigid.
BEFORE, TARGET = range(2)
IS_DIRTY, MOVING, PLAYERS, FIRST_MOVING, IS_MARKED, UNSEEN, FIRST_STARTS = range(7)
DIRTY_CELLS, ORDER, TALLY = range(3)
ENDS_AT, IN_HAND = range(2)
FIRST_MOVES, NUMBERS, MARKED = range(3)


class Rules(NamedTuple):
    """The tables of a game. A feature is an object, or a movement of a layer: both are sets of cells."""

    objects: int
    words: int  # W: of a set of objects
    move_words: int  # V: of a set of movements
    early: int  # groups before the late ones
    rigid: int  # groups with rigid rules
    start_turn: int
    must_move: int
    player_all: int
    player: Any  # [W]
    layer_of: Any  # [objects]
    layer_sets: Any  # [layers, W]
    group: Any  # [groups, 5]
    rule: Any  # [rules, 7]
    needs: Any  # [rules, W + V] what must be somewhere on the board
    row: Any  # [rows, 4]
    part: Any  # [parts, 6]
    test: Any  # [tests, 3] what a part asks of the features of its cells; or what changes them if it is so
    cell: Any  # [cells, 4]
    masks: Any  # [cells, 5 W + 6 V] the sets of objects, then those of movements, as in `make_rules`
    any_of: Any  # [sets, W]
    win: Any  # [conditions, 4] kind, all of what, all of where, anywhere
    win_sets: Any  # [conditions, 2 W]


class Board(NamedTuple):
    """A board, the random numbers, and the workspace of a turn."""

    control: Any  # [45] the numbers above, then whether each rigid group is banned
    objects: Any  # [cells, W]
    moves: Any  # [cells, V]
    sets: Any  # [features, C] the cells of each feature, as bits
    counts: Any  # [features]
    there: Any  # [W + V] features that are anywhere
    rng: Any  # [258] RC4
    kept: Any  # [2, cells, W] what dirty cells held when the turn began; where a restart goes
    flags: Any  # [6 + kinds, C] sets of cells: those named above, then where rows of each kind can begin
    lists: Any  # [3, cells + 1] the dirty cells; starts in order; how many there are in each row of the board
    found: Any  # [matches, 3] the starts of the parts
    rows: Any  # [2, rows] of a rule: where the matches of each end; the match of each in hand
    rigid: Any  # [3, cells, V] movements when the turn began; numbers of groups; layers with a number


def make_rules(tables: Tables) -> Rules:
    """Returns the tables of a game as the interpreter takes them."""
    rules, cells, groups, wins = tables.rules, tables.cells, tables.groups, tables.wins
    w, v = tables.words, tables.move_words
    kinds: dict[tuple[int, int], int] = {}
    rule_of_row = np.repeat(np.arange(len(rules.line)), rules.row_count)
    lengths, starts = [], []
    for row, (first, count) in enumerate(zip(rules.part_first, rules.part_count, strict=True)):
        length = int(rules.cell_count[first : first + count].sum())
        key = int(rules.direction[rule_of_row[row]]), length
        lengths.append(length)
        starts.append(kinds.setdefault(key, len(kinds)))
    tests: list[tuple[int, int, int]] = []
    spans, regular = [], tables.regular
    for first, count in zip(rules.cell_first, rules.cell_count, strict=True):
        asked = [test for k in range(count) for test in _tests(tables, int(first) + k, k)]
        # What is rarest first, movements, and what most cells fulfil last.
        asked.sort(key=lambda test: (-1 if test[FEATURE] >= tables.objects else 0, 2, 1, 1)[test[TEST]])
        altered = [one for k in range(count) for one in _effects(tables, regular, int(first) + k, k)]
        spans.append((len(tests), len(asked), len(tests) + len(asked), len(altered)))
        tests += asked + altered
    needs = np.zeros((len(rules.line), w + v), np.uint64)
    rule_of_part = np.repeat(rule_of_row, rules.part_count)
    rule_of_cell = np.repeat(rule_of_part, rules.cell_count)
    for c, rule in enumerate(rule_of_cell):
        needs[rule, :w] |= cells.present[c]
        needs[rule, w:] |= cells.moving[c]
    by_objects = (cells.present, cells.absent, cells.clear, cells.set, cells.random)
    by_moves = (
        cells.moving,
        cells.resting,
        cells.move_clear,
        cells.move_set,
        cells.layers,
        cells.random_dir,
    )
    acts = np.bincount(rule_of_cell[cells.changes], minlength=len(rules.line)) > 0
    draws = cells.random.any(axis=1) | cells.random_dir.any(axis=1)
    # Marks, random numbers and what is behind gaps are not looked at before a rule is applied.
    gaps = np.bincount(rule_of_row[rules.part_count > 1], minlength=len(rules.line)) > 0
    always = rules.rigid | gaps | (np.bincount(rule_of_cell[draws], minlength=len(rules.line)) > 0)
    return Rules(
        tables.objects,
        w,
        v,
        groups.early,
        int(groups.rigid.max(initial=0)),
        int(tables.start_turn),
        int(tables.must_move),
        int(tables.player_all),
        tables.player,
        tables.layer_of,
        tables.layer_sets,
        _table(groups.rule_first, groups.rule_count, groups.random, groups.rigid, groups.jump),
        _table(rules.direction, rules.row_first, rules.row_count, rules.commands, rules.rigid, acts, always),
        needs,
        _table(rules.part_first, rules.part_count, lengths, starts),
        _table(rules.cell_first, rules.cell_count, *np.array(spans, np.int64).reshape(-1, 4).T),
        np.array(tests, np.int64).reshape(-1, 3),
        _table(cells.any_first, cells.any_count, cells.changes, draws),
        np.ascontiguousarray(np.concatenate((*by_objects, *by_moves), axis=1)),
        cells.any_of,
        _table(wins.kind, wins.what_all, wins.where_all, wins.anywhere),
        np.concatenate((wins.what, wins.where), axis=1),
    )


def _table(*columns: Any) -> Any:
    return np.ascontiguousarray(np.array(columns, np.int64).T.reshape(-1, len(columns)))


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
    features = rules.objects + MOVE_BITS * v
    most_rows = int(tables.rules.row_count.max(initial=0))
    parts = int(tables.rules.part_count.max(initial=1))
    room = cells * (most_rows or 1) * max(height, width) ** (parts - 1)
    kinds: dict[int, tuple[int, int]] = {}
    rule_of_row = np.repeat(np.arange(len(rules.rule)), rules.rule[:, ROW_COUNT])
    for row in range(len(rules.row)):
        direction = int(rules.rule[rule_of_row[row], DIRECTION])
        kinds[int(rules.row[row, STARTS])] = direction, int(rules.row[row, LENGTH])
    flags = np.zeros((FIRST_STARTS + len(kinds), words), np.uint64)
    y, x = np.arange(cells) % height, np.arange(cells) // height
    for kind, (direction, length) in kinds.items():
        room_left = {UP: y + 1, DOWN: height - y, LEFT: x + 1, RIGHT: width - x}[direction]
        flags[FIRST_STARTS + kind] = _as_bits(room_left >= length, words)
    control = np.zeros(BANNED + 32, np.int64)
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
        flags,
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
    diff = board.objects[i, w] ^ new
    if diff == ZERO:
        return False
    word, bit = i >> 6, ONE << U(i & 63)
    board.flags[UNSEEN, word] |= bit  # until somebody looks
    if board.flags[IS_DIRTY, word] & bit == ZERO:
        board.flags[IS_DIRTY, word] |= bit
        board.lists[DIRTY_CELLS, board.control[DIRTY]] = i
        board.control[DIRTY] += 1
        for k in range(board.objects.shape[1]):
            board.kept[BEFORE, i, k] = board.objects[i, k]
    board.objects[i, w] = new
    flip(board, diff, new, WORD * w, w, word, bit)
    return True


@part
def set_moves(board, objects, i, v, new):
    """Writes one word of the movements of a cell."""
    diff = board.moves[i, v] ^ new
    if diff == ZERO:
        return False
    word, bit = i >> 6, ONE << U(i & 63)
    board.moves[i, v] = new
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
        board.sets[first + b, word] ^= bit
        if new & one != ZERO:
            board.counts[first + b] += 1
            board.there[w] |= one
        else:
            board.counts[first + b] -= 1
            if board.counts[first + b] == 0:
                board.there[w] &= ~one


@part
def has_won(rules, board):
    """Returns whether all win conditions hold, and there are some."""
    for k in range(len(rules.win)):
        on = off = False
        for c in range(board.control[SET_WORDS]):
            what = cells_of(rules, board, rules.win_sets[k], 0, rules.win[k, 1], c)
            where = what
            if rules.win[k, 3] == 0 and what != ZERO:
                where &= cells_of(rules, board, rules.win_sets[k], rules.words, rules.win[k, 2], c)
            on = on or where != ZERO
            off = off or where != what
        if rules.win[k, 0] == ALL:
            if off:
                return False
        elif on != (rules.win[k, 0] == 1):
            return False
    return len(rules.win) > 0


@part
def cells_of(rules, board, members, first, all_of, c):
    """Returns word c of the cells with any, or all, of some objects."""
    found = ~ZERO if all_of else ZERO
    for w in range(rules.words):
        left = members[first + w]
        while left != ZERO:
            b = lowest(left)
            left &= left - ONE
            if all_of:
                found &= board.sets[WORD * w + b, c]
            else:
                found |= board.sets[WORD * w + b, c]
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
