"""Turns of PuzzleScript, compiled: players moved, rules run, movement resolved, commands obeyed."""

from __future__ import annotations

import numpy as np

from levelsmith.games.puzzlescript.kernels.codes import (
    ACTION,
    AGAIN,
    CANCEL,
    CHECKPOINT,
    DOWN,
    ENDS,
    LAYERS_IN_WORD,
    LEFT,
    MESSAGE,
    MOST_AGAIN,
    MOST_ROUNDS,
    MOST_WORK,
    NEVER_WINS,
    OVER,
    PENDING,
    PLAY,
    PROBE,
    PUSHED,
    RESTART,
    RESTARTED,
    RIGHT,
    START,
    STOPPED,
    UP,
    WIN,
    WON,
)
from levelsmith.games.puzzlescript.kernels.rules import LAYER, run_groups
from levelsmith.games.puzzlescript.kernels.state import (
    BANNED,
    BEFORE,
    CELLS,
    CHAIN,
    DIRTY,
    DIRTY_CELLS,
    FIRED,
    FIRST_MOVES,
    FIRST_MOVING,
    HEIGHT,
    IS_DIRTY,
    IS_MARKED,
    MARKED,
    MOVING,
    NUMBERS,
    ON_WIN,
    PLAYERS,
    QUEUE,
    SAID,
    SET_WORDS,
    TARGET,
    TOLD,
    WIDTH,
    WORD,
    WORK,
    cells_of,
    has_won,
    set_moves,
    set_objects,
)
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ONE, ZERO, U, lowest


@part
def set_target(board, cells):
    """Makes some cells the place that a restart goes to."""
    for i in range(len(cells)):
        for k in range(cells.shape[1]):
            board.kept[TARGET, i, k] = cells[i, k]


@part
def move_players(rules, board, move):
    """Gives all players a movement, and remembers their cells; returns whether there are any."""
    some = False
    for c in range(board.control[SET_WORDS]):
        left = cells_of(rules, board, rules.player, rules.player_all, c)
        if rules.player_all and c == board.control[SET_WORDS] - 1 and board.control[CELLS] & 63:
            left &= (ONE << U(board.control[CELLS] & 63)) - ONE
        board.flags[PLAYERS, c] = left
        some = some or left != ZERO
        while left != ZERO:
            i = WORD * c + lowest(left)
            left &= left - ONE
            for w in range(rules.words):
                found = rules.player[w] & board.objects[i, w]
                while found != ZERO:
                    layer = rules.layer_of[WORD * w + lowest(found)]
                    found &= found - ONE
                    k, at = layer // LAYERS_IN_WORD, U(5 * (layer % LAYERS_IN_WORD))
                    new = (board.moves[i, k] & ~(LAYER << at)) | (ONE << (at + U(move)))
                    set_moves(board, rules.objects, i, k, new)
    return some


@part
def try_move(rules, board, i, layer, moved):
    """Moves one layer of a cell if nothing of that layer is in the way; returns whether it did."""
    if moved >> U(ACTION) & ONE != ZERO:
        return True
    height = board.control[HEIGHT]
    x = i // height + np.int64(moved >> U(RIGHT) & ONE) - np.int64(moved >> U(LEFT) & ONE)
    y = i % height + np.int64(moved >> U(DOWN) & ONE) - np.int64(moved >> U(UP) & ONE)
    if x < 0 or y < 0 or x >= board.control[WIDTH] or y >= height:
        return False
    target = x * height + y
    for w in range(rules.words):
        if board.objects[target, w] & rules.layer_sets[layer, w] != ZERO:
            return False
    for w in range(rules.words):
        gone = board.objects[i, w] & rules.layer_sets[layer, w]
        if gone != ZERO:
            for cell in (i, target):
                set_objects(board, cell, w, board.objects[cell, w] ^ gone)
    return True


@part
def resolve(rules, board):
    """Moves what moves, sweep after sweep, until nothing does."""
    again = True
    while again:
        again = False
        for c in range(board.control[SET_WORDS]):
            left = board.flags[MOVING, c]
            while left != ZERO:
                i = WORD * c + lowest(left)
                left &= left - ONE
                for k in range(rules.move_words):
                    todo = board.moves[i, k]
                    while todo != ZERO:
                        n = lowest(todo) // 5
                        mask = LAYER << U(5 * n)
                        moved = (todo & mask) >> U(5 * n)
                        todo &= ~mask
                        if try_move(rules, board, i, LAYERS_IN_WORD * k + n, moved):
                            set_moves(board, rules.objects, i, k, board.moves[i, k] & ~mask)
                            again = True


@part
def ban_stopped(rules, board):
    """Bans the rigid groups that could not make all their movement; returns whether there are new ones."""
    banned = False
    for c in range(board.control[SET_WORDS]):
        cells = board.flags[MOVING, c] & board.flags[IS_MARKED, c]
        while cells != ZERO:
            i = WORD * c + lowest(cells)
            cells &= cells - ONE
            for k in range(rules.move_words):
                left = board.moves[i, k] & board.rigid[MARKED, i, k]
                if left != ZERO:
                    group = np.int64(board.rigid[NUMBERS, i, k] >> U(lowest(left) // 5 * 5) & LAYER)
                    banned = banned or board.control[BANNED + group] == 0
                    board.control[BANNED + group] = 1
                    break
    return banned


@part
def unmark(rules, board):
    """Takes the numbers of rigid groups away from all layers."""
    for c in range(board.control[SET_WORDS]):
        cells = board.flags[IS_MARKED, c]
        board.flags[IS_MARKED, c] = ZERO
        while cells != ZERO:
            i = WORD * c + lowest(cells)
            cells &= cells - ONE
            for k in range(rules.move_words):
                board.rigid[NUMBERS, i, k] = ZERO
                board.rigid[MARKED, i, k] = ZERO


@part
def keep_moves(rules, board, back):
    """Remembers all movement for another round of the turn, or brings it back."""
    for c in range(board.control[SET_WORDS]):
        if not back:
            board.flags[FIRST_MOVING, c] = board.flags[MOVING, c]
        cells = board.flags[FIRST_MOVING, c]
        while cells != ZERO:
            i = WORD * c + lowest(cells)
            cells &= cells - ONE
            for k in range(rules.move_words):
                if back:
                    set_moves(board, rules.objects, i, k, board.rigid[FIRST_MOVES, i, k])
                else:
                    board.rigid[FIRST_MOVES, i, k] = board.moves[i, k]


# the turn


@part
def restore(board):
    """Brings every cell back to what it held when the turn began."""
    for k in range(board.control[DIRTY]):
        i = board.lists[DIRTY_CELLS, k]
        for w in range(board.objects.shape[1]):
            set_objects(board, i, w, board.kept[BEFORE, i, w])


@part
def take_back(rules, board):
    """Undoes a turn: nothing has changed, nothing moves."""
    restore(board)
    stand_still(rules, board)


@part
def stand_still(rules, board):
    """Takes all movement away."""
    for c in range(board.control[SET_WORDS]):
        left = board.flags[MOVING, c]
        while left != ZERO:
            i = WORD * c + lowest(left)
            left &= left - ONE
            for k in range(rules.move_words):
                set_moves(board, rules.objects, i, k, ZERO)
        board.flags[MOVING, c] = ZERO


@part
def is_changed(board):
    """Returns whether any cell differs from what it held when the turn began."""
    for k in range(board.control[DIRTY]):
        i = board.lists[DIRTY_CELLS, k]
        for w in range(board.objects.shape[1]):
            if board.objects[i, w] != board.kept[BEFORE, i, w]:
                return True
    return False


@part
def forget(board):
    """Begins a turn: no cell has changed yet."""
    for k in range(board.control[DIRTY]):
        board.flags[IS_DIRTY, board.lists[DIRTY_CELLS, k] >> 6] = ZERO
    board.control[DIRTY] = 0


@part
def run_turn(rules, board, move):
    """Runs all rules and moves what moves; returns whether players had to leave their cells and did not."""
    forget(board)
    players = move_players(rules, board, move) if move >= 0 else False
    if rules.rigid:
        for k in range(BANNED, FIRED):
            board.control[k] = 0
        keep_moves(rules, board, False)
    late, rounds = False, 0
    while True:
        if not late:
            board.control[QUEUE] = 0
            if rules.rigid:
                unmark(rules, board)
        run_groups(rules, board, late)
        if late:
            break
        resolve(rules, board)
        rounds += 1
        late = not ban_stopped(rules, board)
        stand_still(rules, board)
        if not late:
            restore(board)
            keep_moves(rules, board, True)
        if rounds == MOST_ROUNDS:
            late = True
    if not (rules.must_move and players):
        return False
    for c in range(board.control[SET_WORDS]):
        if board.flags[PLAYERS, c] & ~cells_of(rules, board, rules.player, 0, c) != ZERO:
            return False
    return True


@part
def play_turn(rules, board, key, kind, settle):
    """Plays one turn, of a key (-1 for none), and what commands make of it; returns what comes, as bits.

    Where turns are to settle, a probe that says yes is the turn that follows, and need not be played again.
    """
    control, asked = board.control, kind
    outcome, move, restarted = 0, -1, False
    if key >= 0:  # up, left, down, right, action
        move = ACTION if key == 4 else LEFT if key == 1 else DOWN if key == 2 else RIGHT if key == 3 else UP
    while True:
        queued, changed, lost = 0, False, False
        if kind == RESTARTED:
            put_down(rules, board, board.kept[TARGET], False)
        if kind != OVER and (kind != RESTARTED or rules.start_turn):
            stuck = run_turn(rules, board, move)
            queued = control[QUEUE]
            given_up = control[WORK] > MOST_WORK
            if queued & MESSAGE and kind != PROBE and not stuck:
                control[TOLD] = control[SAID] + 1
            lost = stuck or given_up or queued & CANCEL != 0
            if queued & RESTART and not lost and kind in (PLAY, START):
                outcome |= PUSHED
                kind, move, restarted = RESTARTED, -1, True
                continue
            changed = not lost and is_changed(board)
            if kind == PROBE:
                goes_on = settle and not (restarted or outcome & WON or queued & RESTART)
                yes = changed or queued & (WIN | RESTART) != 0
                if lost:
                    yes = not stuck and queued & ~CANCEL != 0
                elif yes and goes_on and control[CHAIN] < MOST_AGAIN:
                    kind, yes = PLAY, False
                    control[CHAIN] += 1
                    if queued & MESSAGE:
                        control[TOLD] = control[SAID] + 1
                if yes:
                    outcome |= PENDING
                lost = lost or yes
            if lost:
                take_back(rules, board)
            if given_up:
                return STOPPED
        if not lost:
            if changed and move >= 0:
                outcome |= PUSHED
            wins = (kind == PLAY or (kind == OVER and asked == PLAY)) and control[ON_WIN] != NEVER_WINS
            if wins and (queued & WIN or has_won(rules, board)):
                outcome |= WON
                if control[ON_WIN] == ENDS:
                    return outcome
                control[ON_WIN] = NEVER_WINS
            if queued & CHECKPOINT:
                set_target(board, board.objects)
            if queued & AGAIN and changed:
                kind, move = PROBE, -1
                continue
        if not restarted or kind == OVER:
            return outcome
        kind = OVER  # the turn that asked for the restart is still to be tested for a win


@part
def put_down(rules, board, cells, as_target):
    """Puts objects down, and makes them the place that a restart goes to where that is asked for."""
    stand_still(rules, board)
    for i in range(len(cells)):
        for w in range(cells.shape[1]):
            set_objects(board, i, w, cells[i, w])
    if as_target:
        set_target(board, cells)


@part
def play_key(rules, board, key, kind, settle):
    """Plays a turn, with the again-turns that follow where they are to settle.

    Returns what any of its turns gave, PENDING only if it is still so.
    """
    outcome, control = 0, board.control
    control[WORK] = control[CHAIN] = 0
    while True:
        came = play_turn(rules, board, key, kind, settle)
        outcome = (outcome & ~PENDING) | came
        if not (settle and came & PENDING) or came & (WON | STOPPED) or control[CHAIN] == MOST_AGAIN:
            return outcome
        control[CHAIN] += 1
        key, kind = -1, PLAY


@kernel
def place(rules, board, cells, as_target):
    """Does what `put_down` does."""
    put_down(rules, board, cells, as_target)


@kernel
def play_keys(rules, board, keys, kinds, settle, outcomes):
    """Plays turns of the given kinds, and writes what comes of each.

    A turn that wins the level, or is given up, is the last. Returns how many keys were played.
    """
    for n in range(len(keys)):
        outcome = play_key(rules, board, keys[n], kinds[n], settle)
        outcomes[n] = outcome
        if outcome & STOPPED or (outcome & WON and board.control[ON_WIN] == ENDS):
            return n + 1
    return len(keys)
