"""Turns of PuzzleScript, compiled: players moved, rules run, movement resolved, commands obeyed."""

from __future__ import annotations

import numpy as np

from levelsmith.games.puzzlescript.kernels import codes, state
from levelsmith.games.puzzlescript.kernels.rules import LAYER, run_groups
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ONE, ZERO, U, lowest


@part
def set_target(board, cells):
    """Makes some cells the place that a restart goes to."""
    for i in range(len(cells)):
        for k in range(cells.shape[1]):
            board.kept[state.TARGET, i, k] = cells[i, k]


@part
def move_players(rules, board, move):
    """Gives all players a movement, and remembers their cells; returns whether there are any."""
    some = False
    for c in range(board.control[state.SET_WORDS]):
        left = state.cells_of(rules, board, rules.player, rules.player_all, c)
        if rules.player_all and c == board.control[state.SET_WORDS] - 1 and board.control[state.CELLS] & 63:
            left &= (ONE << U(board.control[state.CELLS] & 63)) - ONE
        board.flags[state.PLAYERS, c] = left
        some = some or left != ZERO
        while left != ZERO:
            i = state.WORD * c + lowest(left)
            left &= left - ONE
            for w in range(rules.words):
                found = rules.player[w] & board.objects[i, w]
                while found != ZERO:
                    layer = rules.layer_of[state.WORD * w + lowest(found)]
                    found &= found - ONE
                    k, at = layer // codes.LAYERS_IN_WORD, U(5 * (layer % codes.LAYERS_IN_WORD))
                    new = (board.moves[i, k] & ~(LAYER << at)) | (ONE << (at + U(move)))
                    state.set_moves(board, rules.objects, i, k, new)
    return some


@part
def try_move(rules, board, i, layer, moved):
    """Moves one layer of a cell if nothing of that layer is in the way; returns whether it did."""
    if moved >> U(codes.ACTION) & ONE != ZERO:
        return True
    height = board.control[state.HEIGHT]
    x = i // height + np.int64(moved >> U(codes.RIGHT) & ONE) - np.int64(moved >> U(codes.LEFT) & ONE)
    y = i % height + np.int64(moved >> U(codes.DOWN) & ONE) - np.int64(moved >> U(codes.UP) & ONE)
    if x < 0 or y < 0 or x >= board.control[state.WIDTH] or y >= height:
        return False
    target = x * height + y
    for w in range(rules.words):
        if board.objects[target, w] & rules.layer_sets[layer, w] != ZERO:
            return False
    for w in range(rules.words):
        gone = board.objects[i, w] & rules.layer_sets[layer, w]
        if gone != ZERO:
            for cell in (i, target):
                state.set_objects(board, cell, w, board.objects[cell, w] ^ gone)
    return True


@part
def resolve(rules, board):
    """Moves what moves, sweep after sweep, until nothing does."""
    again = True
    while again:
        again = False
        for c in range(board.control[state.SET_WORDS]):
            left = board.flags[state.MOVING, c]
            while left != ZERO:
                i = state.WORD * c + lowest(left)
                left &= left - ONE
                for k in range(rules.move_words):
                    todo = board.moves[i, k]
                    while todo != ZERO:
                        n = lowest(todo) // 5
                        mask = LAYER << U(5 * n)
                        moved = (todo & mask) >> U(5 * n)
                        todo &= ~mask
                        if try_move(rules, board, i, codes.LAYERS_IN_WORD * k + n, moved):
                            state.set_moves(board, rules.objects, i, k, board.moves[i, k] & ~mask)
                            again = True


@part
def ban_stopped(rules, board):
    """Bans the rigid groups that could not make all their movement; returns whether there are new ones."""
    banned = False
    for c in range(board.control[state.SET_WORDS]):
        cells = board.flags[state.MOVING, c] & board.flags[state.IS_MARKED, c]
        while cells != ZERO:
            i = state.WORD * c + lowest(cells)
            cells &= cells - ONE
            for k in range(rules.move_words):
                left = board.moves[i, k] & board.rigid[state.MARKED, i, k]
                if left != ZERO:
                    group = np.int64(board.rigid[state.NUMBERS, i, k] >> U(lowest(left) // 5 * 5) & LAYER)
                    banned = banned or board.control[state.BANNED + group] == 0
                    board.control[state.BANNED + group] = 1
                    break
    return banned


@part
def unmark(rules, board):
    """Takes the numbers of rigid groups away from all layers."""
    for c in range(board.control[state.SET_WORDS]):
        cells = board.flags[state.IS_MARKED, c]
        board.flags[state.IS_MARKED, c] = ZERO
        while cells != ZERO:
            i = state.WORD * c + lowest(cells)
            cells &= cells - ONE
            for k in range(rules.move_words):
                board.rigid[state.NUMBERS, i, k] = ZERO
                board.rigid[state.MARKED, i, k] = ZERO


@part
def keep_moves(rules, board, back):
    """Remembers all movement for another round of the turn, or brings it back."""
    for c in range(board.control[state.SET_WORDS]):
        if not back:
            board.flags[state.FIRST_MOVING, c] = board.flags[state.MOVING, c]
        cells = board.flags[state.FIRST_MOVING, c]
        while cells != ZERO:
            i = state.WORD * c + lowest(cells)
            cells &= cells - ONE
            for k in range(rules.move_words):
                if back:
                    state.set_moves(board, rules.objects, i, k, board.rigid[state.FIRST_MOVES, i, k])
                else:
                    board.rigid[state.FIRST_MOVES, i, k] = board.moves[i, k]


# the turn


@part
def restore(board):
    """Brings every cell back to what it held when the turn began."""
    for k in range(board.control[state.DIRTY]):
        i = board.lists[state.DIRTY_CELLS, k]
        for w in range(board.objects.shape[1]):
            state.set_objects(board, i, w, board.kept[state.BEFORE, i, w])


@part
def take_back(rules, board):
    """Undoes a turn: nothing has changed, nothing moves."""
    restore(board)
    stand_still(rules, board)


@part
def stand_still(rules, board):
    """Takes all movement away."""
    for c in range(board.control[state.SET_WORDS]):
        left = board.flags[state.MOVING, c]
        while left != ZERO:
            i = state.WORD * c + lowest(left)
            left &= left - ONE
            for k in range(rules.move_words):
                state.set_moves(board, rules.objects, i, k, ZERO)
        board.flags[state.MOVING, c] = ZERO


@part
def is_changed(board):
    """Returns whether any cell differs from what it held when the turn began."""
    for k in range(board.control[state.DIRTY]):
        i = board.lists[state.DIRTY_CELLS, k]
        for w in range(board.objects.shape[1]):
            if board.objects[i, w] != board.kept[state.BEFORE, i, w]:
                return True
    return False


@part
def forget(board):
    """Begins a turn: no cell has changed yet."""
    for k in range(board.control[state.DIRTY]):
        board.flags[state.IS_DIRTY, board.lists[state.DIRTY_CELLS, k] >> 6] = ZERO
    board.control[state.DIRTY] = 0


@part
def run_turn(rules, board, move):
    """Runs all rules and moves what moves; returns whether players had to leave their cells and did not."""
    forget(board)
    players = move_players(rules, board, move) if move >= 0 else False
    if rules.rigid:
        for k in range(state.BANNED, state.FIRED):
            board.control[k] = 0
        keep_moves(rules, board, False)
    late, rounds = False, 0
    while True:
        if not late:
            board.control[state.QUEUE] = 0
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
        if rounds == codes.MOST_ROUNDS:
            late = True
    if not (rules.must_move and players):
        return False
    for c in range(board.control[state.SET_WORDS]):
        if board.flags[state.PLAYERS, c] & ~state.cells_of(rules, board, rules.player, 0, c) != ZERO:
            return False
    return True


@part
def play_turn(rules, board, key, kind, settle):
    """Plays one turn, of a key (-1 for none), and what commands make of it; returns what comes, as bits.

    Where turns are to settle, a probe that says yes is the turn that follows, and need not be played again.
    """
    control, asked = board.control, kind
    outcome, move, restarted, unsure = 0, -1, False, False
    if key >= 0:  # up, left, down, right, action
        move = (
            codes.ACTION
            if key == 4
            else codes.LEFT
            if key == 1
            else codes.DOWN
            if key == 2
            else codes.RIGHT
            if key == 3
            else codes.UP
        )
    while True:
        queued, changed, lost = 0, False, False
        if kind == codes.RESTARTED:
            put_down(rules, board, board.kept[state.TARGET], False)
        if kind != codes.OVER and (kind != codes.RESTARTED or rules.start_turn):
            stuck = run_turn(rules, board, move)
            queued = control[state.QUEUE]
            given_up = control[state.WORK] > codes.MOST_WORK
            if queued & codes.MESSAGE and kind != codes.PROBE and not stuck:
                control[state.TOLD] = control[state.SAID] + 1
            lost = stuck or given_up or queued & codes.CANCEL != 0
            if queued & codes.RESTART and not lost and kind in (codes.PLAY, codes.START):
                outcome |= codes.PUSHED
                kind, move, restarted = codes.RESTARTED, -1, True
                continue
            changed = not lost and is_changed(board)
            if kind == codes.PROBE:
                goes_on = settle and not (restarted or outcome & codes.WON or queued & codes.RESTART)
                yes = changed or queued & (codes.WIN | codes.RESTART) != 0
                if unsure and (yes or queued & codes.CHECKPOINT):
                    control[state.DOUBT] = state.IN_DOUBT
                if lost:
                    yes = not stuck and queued & ~codes.CANCEL != 0
                elif yes and goes_on and control[state.CHAIN] < codes.MOST_AGAIN:
                    kind, yes = codes.PLAY, False
                    control[state.CHAIN] += 1
                    if queued & codes.MESSAGE:
                        control[state.TOLD] = control[state.SAID] + 1
                if yes:
                    outcome |= codes.PENDING
                lost = lost or yes
            if lost:
                take_back(rules, board)
            if given_up:
                return codes.STOPPED
        if not lost:
            if changed and move >= 0:
                outcome |= codes.PUSHED
            plays = kind == codes.PLAY or (kind == codes.OVER and asked == codes.PLAY)
            may_win = plays and control[state.ON_WIN] != codes.NEVER_WINS
            if may_win and (queued & codes.WIN or state.has_won(rules, board)):
                outcome |= codes.WON
                if control[state.ON_WIN] == codes.ENDS:
                    return outcome
                control[state.ON_WIN] = codes.NEVER_WINS
            if queued & codes.CHECKPOINT:
                set_target(board, board.objects)
            # Of rules that are left out nobody knows whether they changed anything.
            unsure = not changed and kind != codes.PROBE and control[state.DOUBT] != state.EXACT
            if queued & codes.AGAIN and (changed or unsure):
                kind, move = codes.PROBE, -1
                continue
        if not restarted or kind == codes.OVER:
            return outcome
        kind = codes.OVER  # the turn that asked for the restart is still to be tested for a win


@part
def put_down(rules, board, cells, as_target):
    """Puts objects down, and makes them the place that a restart goes to where that is asked for."""
    stand_still(rules, board)
    for i in range(len(cells)):
        for w in range(cells.shape[1]):
            state.set_objects(board, i, w, cells[i, w])
    if as_target:
        set_target(board, cells)


@part
def play_key(rules, board, key, kind, settle):
    """Plays a turn, with the again-turns that follow where they are to settle.

    Returns what any of its turns gave, PENDING only if it is still so.
    """
    outcome, control = 0, board.control
    control[state.WORK] = control[state.CHAIN] = 0
    while True:
        came = play_turn(rules, board, key, kind, settle)
        outcome = (outcome & ~codes.PENDING) | came
        if (
            not (settle and came & codes.PENDING)
            or came & (codes.WON | codes.STOPPED)
            or control[state.CHAIN] == codes.MOST_AGAIN
        ):
            return outcome
        control[state.CHAIN] += 1
        key, kind = -1, codes.PLAY


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
        if outcome & codes.STOPPED or (outcome & codes.WON and board.control[state.ON_WIN] == codes.ENDS):
            return n + 1
    return len(keys)
