"""Rules of PuzzleScript, compiled: matched by sets of cells, applied cell by cell.

Where a row can begin is found for 64 cells at once: each thing that a cell of the row asks for is a set of
cells, which is shifted and cut with the others. The order of what is found is the original's.
"""

from __future__ import annotations

import numpy as np

from levelsmith.games.puzzlescript.kernels import codes, state
from levelsmith.kernels.compile import part
from levelsmith.kernels.words import ONE, ZERO, U, lowest

LAYER = U(31)  # the movements of a layer


# random numbers


@part
def below(board, count):
    """Returns the next random number from 0 to below `count`."""
    rng = board.rng
    i, j = np.int64(rng[256]), np.int64(rng[257])
    drawn = 0
    for _ in range(7):
        i = (i + 1) & 255
        j = (j + np.int64(rng[i])) & 255
        held = rng[i]
        rng[i] = rng[j]
        rng[j] = held
        drawn = drawn * 256 + np.int64(rng[(np.int64(rng[i]) + np.int64(rng[j])) & 255])
    rng[256] = i
    rng[257] = j
    return int(float(drawn) / 72057594037927936.0 * count)


# matching


@part
def step_of(board, direction):
    """Returns how far the next cell of a row is."""
    step = 1 if direction in (codes.UP, codes.DOWN) else board.control[state.HEIGHT]
    return -step if direction in (codes.UP, codes.LEFT) else step


@part
def shifted(board, feature, c, offset):
    """Returns word c of the cells from which a feature is `offset` cells on."""
    at = state.WORD * c + offset
    i, bits = at >> 6, at & 63
    last = board.control[state.SET_WORDS]
    low = board.sets[feature, U(i)] if 0 <= i < last else ZERO
    if bits == 0:
        return low
    high = board.sets[feature, U(i + 1)] if 0 <= i + 1 < last else ZERO
    return (low >> U(bits)) | (high << U(state.WORD - bits))


@part
def cell_fits(rules, board, c, i):
    """Returns whether a cell of the board is what cell c of a rule asks for."""
    cells = rules.cells
    for k in range(rules.words):
        held = board.objects[i, k]
        if cells.present[c, k] & ~held != ZERO or cells.absent[c, k] & held != ZERO:
            return False
    for k in range(rules.move_words):
        held = board.moves[i, k]
        if cells.moving[c, k] & ~held != ZERO or cells.resting[c, k] & held != ZERO:
            return False
    for a in range(cells.any_first[c], cells.any_first[c] + cells.any_count[c]):
        some = False
        for k in range(rules.words):
            some = some or cells.any_of[a, k] & board.objects[i, k] != ZERO
        if not some:
            return False
    return True


@part
def part_fits(rules, board, p, start, step):
    """Returns whether a part of a row fits the cells from a start on."""
    first = rules.rules.cell_first[p]
    for k in range(rules.rules.cell_count[p]):
        if not cell_fits(rules, board, U(first + k), U(start + k * step)):
            return False
    return True


@part
def begin_row(rules, board, row, step, end):
    """Writes where the first part of a row fits into `found`, from `end` on, and notes whether it would
    change anything there; returns the new end."""
    first, last = rules.first_test[row], rules.first_effect[row]
    kind = rules.kind[row]
    for c in range(board.control[state.SET_WORDS]):
        fits, some = board.starts[kind, c], ZERO
        for t in range(U(first), U(last)):
            if fits == ZERO:
                break
            what = rules.asks[t]
            cells = shifted(board, U(rules.feature[t]), c, rules.offset[t] * step)
            if what == state.HAS:
                fits &= cells
            elif what == state.HAS_NOT:
                fits &= ~cells
            else:
                some |= cells
                if what == state.LAST_OF_ANY:
                    fits &= some
                    some = ZERO
        if fits != ZERO and not board.control[state.ALTERS]:
            board.control[state.ALTERS] = alters(rules, board, row, step, c, fits)
        while fits != ZERO:
            if end == len(board.found):
                return -1
            board.found[end, 0] = state.WORD * c + lowest(fits)
            fits &= fits - ONE
            end += 1
    return end


@part
def alters(rules, board, row, step, c, starts):
    """Returns whether the first part of a row would change anything at some starts, those of word c."""
    for t in range(U(rules.first_effect[row]), U(rules.first_test[row + ONE])):
        cells = shifted(board, U(rules.feature[t]), c, rules.offset[t] * step)
        if (cells if rules.asks[t] == state.HAS else ~cells) & starts != ZERO:
            return True
    return False


@part
def sort_by_rows(board, begin, end):
    """Brings starts from the order of columns into that of rows."""
    height = board.control[state.HEIGHT]
    lists = board.lists
    for y in range(height + 1):
        lists[state.TALLY, y] = 0
    for k in range(begin, end):
        lists[state.TALLY, board.found[k, 0] % height + 1] += 1
    for y in range(height):
        lists[state.TALLY, y + 1] += lists[state.TALLY, y]
    for k in range(begin, end):
        cell = board.found[k, 0]
        lists[state.ORDER, lists[state.TALLY, cell % height]] = cell
        lists[state.TALLY, cell % height] += 1
    for k in range(begin, end):
        board.found[k, 0] = lists[state.ORDER, k - begin]


@part
def spread_row(rules, board, row, direction, begin, end):
    """Replaces starts by the matches with all their gaps, small ones first; returns the new end."""
    p, parts = rules.rules.part_first[row], rules.rules.part_count[row]
    step = step_of(board, direction)
    height = board.control[state.HEIGHT]
    count = end - begin
    for k in range(count):
        board.lists[state.ORDER, k] = board.found[begin + k, 0]
    end = begin
    for k in range(count):
        start = np.int64(board.lists[state.ORDER, k])
        x, y = start // height, start % height
        room = y + 1
        if direction == codes.DOWN:
            room = height - y
        elif direction == codes.LEFT:
            room = x + 1
        elif direction == codes.RIGHT:
            room = board.control[state.WIDTH] - x
        room -= rules.length[row]
        for one in range(room + 1):
            second = start + step * (rules.rules.cell_count[p] + one)
            board.control[state.WORK] += 1
            if not part_fits(rules, board, U(p + 1), second, step):
                continue
            for other in range(room - one + 1 if parts == 3 else 1):
                third = second
                if parts == 3:
                    third = second + step * (rules.rules.cell_count[p + 1] + other)
                    board.control[state.WORK] += 1
                    if not part_fits(rules, board, U(p + 2), third, step):
                        continue
                if end == len(board.found):
                    return -1
                board.found[end, 0] = start
                board.found[end, 1] = second
                board.found[end, 2] = third
                end += 1
    return end


@part
def may_match(rules, board, rule):
    """Returns whether all that a rule asks for is somewhere on the board."""
    missing = ZERO
    for k in range(rules.needs.shape[1]):
        missing |= rules.needs[rule, k] & ~board.there[k]
    return missing == ZERO


@part
def count_matches(rules, board, rule):
    """Finds the matches of each row of a rule; returns in how many ways they combine, -1 for too many."""
    direction = rules.rules.direction[rule]
    step = step_of(board, direction)
    ways, end = 1, 0
    board.control[state.ALTERS] = np.int64(rules.always[rule])
    for r in range(rules.rules.row_count[rule]):
        row, begin = U(rules.rules.row_first[rule] + r), end
        end = begin_row(rules, board, row, step, begin)
        if end > begin + 1 and direction in (codes.LEFT, codes.RIGHT):
            sort_by_rows(board, begin, end)
        if end > begin and rules.rules.part_count[row] > 1:
            end = spread_row(rules, board, row, direction, begin, end)
        if end < 0:
            return -1
        if end == begin:
            return 0
        board.rows[state.ENDS_AT, r] = end
        ways *= end - begin
        if ways > codes.MOST_WORK:
            return -1
    return ways


# applying


@part
def select(rules, board, rule, n):
    """Puts the matches of the n-th combination in hand: the first row varies fastest."""
    if rules.rules.row_count[rule] == 1:
        board.rows[state.IN_HAND, 0] = n
        return
    begin = 0
    for r in range(rules.rules.row_count[rule]):
        count = board.rows[state.ENDS_AT, r] - begin
        board.rows[state.IN_HAND, r] = begin + n % count
        n //= count
        begin = board.rows[state.ENDS_AT, r]


@part
def still_fits(rules, board, rule):
    """Returns whether the matches in hand fit, now that others were applied."""
    step = step_of(board, rules.rules.direction[rule])
    for r in range(rules.rules.row_count[rule]):
        row = U(rules.rules.row_first[rule] + r)
        for k in range(rules.rules.part_count[row]):
            start = np.int64(board.found[board.rows[state.IN_HAND, r], k])
            if not part_fits(rules, board, U(rules.rules.part_first[row] + k), start, step):
                return False
    return True


@part
def apply_match(rules, board, rule, rigid):
    """Changes the cells of the matches in hand; returns whether anything is different then."""
    step = step_of(board, rules.rules.direction[rule])
    number = U(rigid) if rules.rules.rigid[rule] else ZERO
    changed = False
    for r in range(rules.rules.row_count[rule]):
        row = U(rules.rules.row_first[rule] + r)
        for k in range(rules.rules.part_count[row]):
            p = U(rules.rules.part_first[row] + k)
            i, first = np.int64(board.found[board.rows[state.IN_HAND, r], k]), rules.rules.cell_first[p]
            for c in range(first, first + rules.rules.cell_count[p]):
                if rules.cells.changes[U(c)]:
                    changed |= change(rules, board, U(c), i, number)
                i += step
    return changed


@part
def change(rules, board, c, i, number):
    """Changes cell i as cell c of a rule says, with what is drawn for it."""
    cells = rules.cells
    drawn, layer = -1, -1
    if rules.draws[c]:
        drawn = draw_object(rules, board, c)
        if drawn >= 0:
            layer = rules.layer_of[drawn]
    changed = False
    for k in range(rules.words):
        clear, new = cells.clear[c, k], cells.set[c, k]
        if drawn >= 0:
            clear |= rules.layer_sets[layer, k]
            if drawn >> 6 == k:
                new |= ONE << U(drawn & 63)
        changed |= state.set_objects(board, i, k, (board.objects[i, k] & ~clear) | new)
    for k in range(rules.move_words):
        clear, new = cells.move_clear[c, k], cells.move_set[c, k]
        if drawn >= 0 and layer // codes.LAYERS_IN_WORD == k:
            clear |= LAYER << U(5 * (layer % codes.LAYERS_IN_WORD))
        if rules.draws[c]:
            for n in range(codes.LAYERS_IN_WORD):
                if cells.random_dir[c, k] >> U(5 * n) & ONE != ZERO:
                    new |= ONE << U(5 * n + below(board, 4))
        changed |= state.set_moves(board, rules.objects, i, k, (board.moves[i, k] & ~clear) | new)
    if number != ZERO:
        changed |= mark(rules, board, c, i, number)
    return changed


@part
def draw_object(rules, board, c):
    """Returns the object that is drawn for cell c of a rule, or -1 if it draws none."""
    count = 0
    for n in range(rules.objects):
        count += np.int64(rules.cells.random[c, n >> 6] >> U(n & 63) & ONE)
    if count == 0:
        return -1
    left = below(board, count)
    for n in range(rules.objects):
        if rules.cells.random[c, n >> 6] >> U(n & 63) & ONE != ZERO:
            if left == 0:
                return n
            left -= 1
    return -1


@part
def mark(rules, board, c, i, number):
    """Gives the layers that a rigid rule moves the number of its group; returns whether that is new."""
    unnumbered = unmarked = False
    for k in range(rules.move_words):
        layers = rules.cells.layers[c, k]
        unnumbered = unnumbered or layers // LAYER * number & ~board.rigid[state.NUMBERS, i, k] != ZERO
        unmarked = unmarked or layers & ~board.rigid[state.MARKED, i, k] != ZERO
    if not (unnumbered and unmarked):
        return False
    board.flags[state.IS_MARKED, i >> 6] |= ONE << U(i & 63)
    for k in range(rules.move_words):
        layers = rules.cells.layers[c, k]
        board.rigid[state.NUMBERS, i, k] |= layers // LAYER * number
        board.rigid[state.MARKED, i, k] |= layers
    return True


# groups


@part
def queue(rules, board, rule):
    """Queues the commands of a rule that matched."""
    commands, queued = rules.rules.commands[rule], board.control[state.QUEUE]
    if commands == 0 or queued & codes.CANCEL or (queued & codes.RESTART and not commands & codes.CANCEL):
        return
    board.control[state.FIRED + rule] = 1
    if commands & (codes.CANCEL | codes.RESTART):
        queued = 0
    if commands & codes.MESSAGE and not queued & codes.MESSAGE:
        board.control[state.SAID] = rule
    board.control[state.QUEUE] = queued | commands


@part
def run_group(rules, board, g):
    """Runs the rules of a group until none changes anything; of a random group one match of all."""
    first, rigid = rules.groups.rule_first[g], rules.groups.rigid[g]
    counting = rules.groups.random[g]
    picked, total, changed = -1, 0, False
    for _ in range(codes.MOST_PASSES):
        passed = False
        for rule in range(U(first), U(first + rules.groups.rule_count[g])):
            if not may_match(rules, board, rule):
                continue
            ways = count_matches(rules, board, rule)
            board.control[state.WORK] += max(ways, 1) + board.control[state.SET_WORDS]
            if ways < 0 or board.control[state.WORK] > codes.MOST_WORK:
                board.control[state.WORK] = codes.MOST_WORK + 1
                return False
            if counting:
                total += ways
            elif picked >= ways:
                picked -= ways
            elif ways > 0:
                touched = False  # until then every match still fits
                if rules.acts[rule] and (board.control[state.ALTERS] or picked >= 0):
                    for n in range(max(picked, 0), ways if picked < 0 else picked + 1):
                        select(rules, board, rule, n)
                        if not touched or still_fits(rules, board, rule):
                            touched |= apply_match(rules, board, rule, rigid)
                queue(rules, board, rule)
                if touched:
                    board.control[state.FIRED + rule] = 1
                passed |= touched
                if picked >= 0:
                    return passed
        if counting:
            if total == 0:
                return False
            picked, counting = below(board, total), False
            continue
        changed |= passed
        if not passed:
            break
    return changed


@part
def run_groups(rules, board, late):
    """Runs the late groups or the others in order, and the loops among them."""
    g = rules.groups.early if late else 0
    last = len(rules.groups.jump) if late else rules.groups.early
    jumps, changed = 0, False
    while g < last and board.control[state.WORK] <= codes.MOST_WORK:
        rigid = rules.groups.rigid[g]
        if rigid == 0 or board.control[state.BANNED + rigid] == 0:
            changed |= run_group(rules, board, g)
        if changed and rules.groups.jump[g] >= 0:
            g, changed = rules.groups.jump[g], False
            jumps += 1
            if jumps > codes.MOST_JUMPS:
                break
        else:
            g += 1
