"""Rules of PuzzleScript, compiled: matched by sets of cells, applied cell by cell.

Where a row can begin is found for 64 cells at once: each thing that a cell of the row asks for is a set of
cells, which is shifted and cut with the others. The order of what is found is the original's.
"""

from __future__ import annotations

import numpy as np

from levelsmith.games.puzzlescript.kernels.codes import (
    CANCEL,
    DOWN,
    LAYERS_IN_WORD,
    LEFT,
    MESSAGE,
    MOST_JUMPS,
    MOST_PASSES,
    MOST_WORK,
    RESTART,
    RIGHT,
    UP,
)
from levelsmith.games.puzzlescript.kernels.state import (
    ACTS,
    ALTERS,
    ALWAYS,
    ANY_COUNT,
    ANY_FIRST,
    BANNED,
    CELL_COUNT,
    CELL_FIRST,
    CHANGES,
    COMMANDS,
    DIRECTION,
    DRAWS,
    EFFECT_COUNT,
    EFFECT_FIRST,
    ENDS_AT,
    FEATURE,
    FIRST_STARTS,
    HAS,
    HAS_NOT,
    HEIGHT,
    IN_HAND,
    IS_MARKED,
    IS_RANDOM,
    IS_RIGID,
    JUMP,
    LAST_OF_ANY,
    LENGTH,
    MARKED,
    NUMBERS,
    OFFSET,
    ORDER,
    PART_COUNT,
    PART_FIRST,
    QUEUE,
    RIGID,
    ROW_COUNT,
    ROW_FIRST,
    RULE_COUNT,
    RULE_FIRST,
    SAID,
    SET_WORDS,
    STARTS,
    TALLY,
    TEST,
    TEST_COUNT,
    TEST_FIRST,
    WIDTH,
    WORD,
    WORK,
    set_moves,
    set_objects,
)
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
    step = 1 if direction in (UP, DOWN) else board.control[HEIGHT]
    return -step if direction in (UP, LEFT) else step


@part
def shifted(board, feature, c, offset):
    """Returns word c of the cells from which a feature is `offset` cells on."""
    at = WORD * c + offset
    i, bits = at >> 6, at & 63
    last = board.control[SET_WORDS]
    low = board.sets[feature, i] if 0 <= i < last else ZERO
    if bits == 0:
        return low
    high = board.sets[feature, i + 1] if 0 <= i + 1 < last else ZERO
    return (low >> U(bits)) | (high << U(WORD - bits))


@part
def cell_fits(rules, board, c, i):
    """Returns whether a cell of the board is what cell c of a rule asks for."""
    w, v = rules.words, rules.move_words
    masks = rules.masks
    for k in range(w):
        held = board.objects[i, k]
        if masks[c, k] & ~held != ZERO or masks[c, w + k] & held != ZERO:
            return False
    for k in range(v):
        held = board.moves[i, k]
        if masks[c, 5 * w + k] & ~held != ZERO or masks[c, 5 * w + v + k] & held != ZERO:
            return False
    for a in range(rules.cell[c, ANY_FIRST], rules.cell[c, ANY_FIRST] + rules.cell[c, ANY_COUNT]):
        some = False
        for k in range(w):
            some = some or rules.any_of[a, k] & board.objects[i, k] != ZERO
        if not some:
            return False
    return True


@part
def part_fits(rules, board, p, start, step):
    """Returns whether a part of a row fits the cells from a start on."""
    first = rules.part[p, CELL_FIRST]
    for k in range(rules.part[p, CELL_COUNT]):  # noqa: SIM110
        if not cell_fits(rules, board, first + k, start + k * step):
            return False
    return True


@part
def begin_row(rules, board, row, step, end):
    """Writes where the first part of a row fits into `found`, from `end` on, and notes whether it would
    change anything there; returns the new end."""
    p = rules.row[row, PART_FIRST]
    first = rules.part[p, TEST_FIRST]
    last = first + rules.part[p, TEST_COUNT]
    kind = rules.row[row, STARTS]
    for c in range(board.control[SET_WORDS]):
        fits, some = board.flags[FIRST_STARTS + kind, c], ZERO
        for t in range(first, last):
            if fits == ZERO:
                break
            what = rules.test[t, TEST]
            cells = shifted(board, rules.test[t, FEATURE], c, rules.test[t, OFFSET] * step)
            if what == HAS:
                fits &= cells
            elif what == HAS_NOT:
                fits &= ~cells
            else:
                some |= cells
                if what == LAST_OF_ANY:
                    fits &= some
                    some = ZERO
        if fits != ZERO and not board.control[ALTERS]:
            board.control[ALTERS] = alters(rules, board, p, step, c, fits)
        while fits != ZERO:
            if end == len(board.found):
                return -1
            board.found[end, 0] = WORD * c + lowest(fits)
            fits &= fits - ONE
            end += 1
    return end


@part
def alters(rules, board, p, step, c, starts):
    """Returns whether a part would change anything at some starts, those of word c."""
    first = rules.part[p, EFFECT_FIRST]
    for t in range(first, first + rules.part[p, EFFECT_COUNT]):
        cells = shifted(board, rules.test[t, FEATURE], c, rules.test[t, OFFSET] * step)
        if (cells if rules.test[t, TEST] == HAS else ~cells) & starts != ZERO:
            return True
    return False


@part
def sort_by_rows(board, begin, end):
    """Brings starts from the order of columns into that of rows."""
    height = board.control[HEIGHT]
    lists = board.lists
    for y in range(height + 1):
        lists[TALLY, y] = 0
    for k in range(begin, end):
        lists[TALLY, board.found[k, 0] % height + 1] += 1
    for y in range(height):
        lists[TALLY, y + 1] += lists[TALLY, y]
    for k in range(begin, end):
        cell = board.found[k, 0]
        lists[ORDER, lists[TALLY, cell % height]] = cell
        lists[TALLY, cell % height] += 1
    for k in range(begin, end):
        board.found[k, 0] = lists[ORDER, k - begin]


@part
def spread_row(rules, board, row, direction, begin, end):
    """Replaces starts by the matches with all their gaps, small ones first; returns the new end."""
    p, parts = rules.row[row, PART_FIRST], rules.row[row, PART_COUNT]
    step = step_of(board, direction)
    height = board.control[HEIGHT]
    count = end - begin
    for k in range(count):
        board.lists[ORDER, k] = board.found[begin + k, 0]
    end = begin
    for k in range(count):
        start = np.int64(board.lists[ORDER, k])
        x, y = start // height, start % height
        room = y + 1
        if direction == DOWN:
            room = height - y
        elif direction == LEFT:
            room = x + 1
        elif direction == RIGHT:
            room = board.control[WIDTH] - x
        room -= rules.row[row, LENGTH]
        for one in range(room + 1):
            second = start + step * (rules.part[p, CELL_COUNT] + one)
            board.control[WORK] += 1
            if not part_fits(rules, board, p + 1, second, step):
                continue
            for other in range(room - one + 1 if parts == 3 else 1):
                third = second
                if parts == 3:
                    third = second + step * (rules.part[p + 1, CELL_COUNT] + other)
                    board.control[WORK] += 1
                    if not part_fits(rules, board, p + 2, third, step):
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
    for k in range(rules.needs.shape[1]):  # noqa: SIM110
        if rules.needs[rule, k] & ~board.there[k] != ZERO:
            return False
    return True


@part
def count_matches(rules, board, rule):
    """Finds the matches of each row of a rule; returns in how many ways they combine, -1 for too many."""
    direction = rules.rule[rule, DIRECTION]
    step = step_of(board, direction)
    ways, end = 1, 0
    board.control[ALTERS] = rules.rule[rule, ALWAYS]
    for r in range(rules.rule[rule, ROW_COUNT]):
        row, begin = rules.rule[rule, ROW_FIRST] + r, end
        end = begin_row(rules, board, row, step, begin)
        if end > begin + 1 and direction in (LEFT, RIGHT):
            sort_by_rows(board, begin, end)
        if end > begin and rules.row[row, PART_COUNT] > 1:
            end = spread_row(rules, board, row, direction, begin, end)
        if end < 0:
            return -1
        if end == begin:
            return 0
        board.rows[ENDS_AT, r] = end
        ways *= end - begin
        if ways > MOST_WORK:
            return -1
    return ways


# applying


@part
def select(rules, board, rule, n):
    """Puts the matches of the n-th combination in hand: the first row varies fastest."""
    if rules.rule[rule, ROW_COUNT] == 1:
        board.rows[IN_HAND, 0] = n
        return
    begin = 0
    for r in range(rules.rule[rule, ROW_COUNT]):
        count = board.rows[ENDS_AT, r] - begin
        board.rows[IN_HAND, r] = begin + n % count
        n //= count
        begin = board.rows[ENDS_AT, r]


@part
def still_fits(rules, board, rule):
    """Returns whether the matches in hand fit, now that others were applied."""
    step = step_of(board, rules.rule[rule, DIRECTION])
    for r in range(rules.rule[rule, ROW_COUNT]):
        row = rules.rule[rule, ROW_FIRST] + r
        for k in range(rules.row[row, PART_COUNT]):
            start = np.int64(board.found[board.rows[IN_HAND, r], k])
            if not part_fits(rules, board, rules.row[row, PART_FIRST] + k, start, step):
                return False
    return True


@part
def apply_match(rules, board, rule, rigid):
    """Changes the cells of the matches in hand; returns whether anything is different then."""
    step = step_of(board, rules.rule[rule, DIRECTION])
    number = U(rigid) if rules.rule[rule, IS_RIGID] else ZERO
    changed = False
    for r in range(rules.rule[rule, ROW_COUNT]):
        row = rules.rule[rule, ROW_FIRST] + r
        for k in range(rules.row[row, PART_COUNT]):
            p = rules.row[row, PART_FIRST] + k
            i, first = np.int64(board.found[board.rows[IN_HAND, r], k]), rules.part[p, CELL_FIRST]
            for c in range(first, first + rules.part[p, CELL_COUNT]):
                if rules.cell[c, CHANGES]:
                    changed |= change(rules, board, c, i, number)
                i += step
    return changed


@part
def change(rules, board, c, i, number):
    """Changes cell i as cell c of a rule says, with what is drawn for it."""
    w, v = rules.words, rules.move_words
    masks, moves = rules.masks, 5 * rules.words
    drawn, layer = -1, -1
    if rules.cell[c, DRAWS]:
        drawn = draw_object(rules, board, c)
        if drawn >= 0:
            layer = rules.layer_of[drawn]
    changed = False
    for k in range(w):
        clear, new = masks[c, 2 * w + k], masks[c, 3 * w + k]
        if drawn >= 0:
            clear |= rules.layer_sets[layer, k]
            if drawn >> 6 == k:
                new |= ONE << U(drawn & 63)
        changed |= set_objects(board, i, k, (board.objects[i, k] & ~clear) | new)
    for k in range(v):
        clear, new = masks[c, moves + 2 * v + k], masks[c, moves + 3 * v + k]
        if drawn >= 0 and layer // LAYERS_IN_WORD == k:
            clear |= LAYER << U(5 * (layer % LAYERS_IN_WORD))
        if rules.cell[c, DRAWS]:
            for n in range(LAYERS_IN_WORD):
                if masks[c, moves + 5 * v + k] >> U(5 * n) & ONE != ZERO:
                    new |= ONE << U(5 * n + below(board, 4))
        changed |= set_moves(board, rules.objects, i, k, (board.moves[i, k] & ~clear) | new)
    if number != ZERO:
        changed |= mark(rules, board, c, i, number)
    return changed


@part
def draw_object(rules, board, c):
    """Returns the object that is drawn for cell c of a rule, or -1 if it draws none."""
    count = 0
    for n in range(rules.objects):
        count += np.int64(rules.masks[c, 4 * rules.words + (n >> 6)] >> U(n & 63) & ONE)
    if count == 0:
        return -1
    left = below(board, count)
    for n in range(rules.objects):
        if rules.masks[c, 4 * rules.words + (n >> 6)] >> U(n & 63) & ONE != ZERO:
            if left == 0:
                return n
            left -= 1
    return -1


@part
def mark(rules, board, c, i, number):
    """Gives the layers that a rigid rule moves the number of its group; returns whether that is new."""
    v, first = rules.move_words, 5 * rules.words + 4 * rules.move_words
    unnumbered = unmarked = False
    for k in range(v):
        layers = rules.masks[c, first + k]
        unnumbered = unnumbered or layers // LAYER * number & ~board.rigid[NUMBERS, i, k] != ZERO
        unmarked = unmarked or layers & ~board.rigid[MARKED, i, k] != ZERO
    if not (unnumbered and unmarked):
        return False
    board.flags[IS_MARKED, i >> 6] |= ONE << U(i & 63)
    for k in range(v):
        layers = rules.masks[c, first + k]
        board.rigid[NUMBERS, i, k] |= layers // LAYER * number
        board.rigid[MARKED, i, k] |= layers
    return True


# groups


@part
def queue(rules, board, rule):
    """Queues the commands of a rule that matched."""
    commands, queued = rules.rule[rule, COMMANDS], board.control[QUEUE]
    if commands == 0 or queued & CANCEL or (queued & RESTART and not commands & CANCEL):
        return
    if commands & (CANCEL | RESTART):
        queued = 0
    if commands & MESSAGE and not queued & MESSAGE:
        board.control[SAID] = rule
    board.control[QUEUE] = queued | commands


@part
def run_group(rules, board, g):
    """Runs the rules of a group until none changes anything; of a random group one match of all."""
    first, rigid = rules.group[g, RULE_FIRST], rules.group[g, RIGID]
    counting = rules.group[g, IS_RANDOM] != 0
    picked, total, changed = -1, 0, False
    for _ in range(MOST_PASSES):
        passed = False
        for rule in range(first, first + rules.group[g, RULE_COUNT]):
            if not may_match(rules, board, rule):
                continue
            ways = count_matches(rules, board, rule)
            board.control[WORK] += max(ways, 1) + board.control[SET_WORDS]
            if ways < 0 or board.control[WORK] > MOST_WORK:
                board.control[WORK] = MOST_WORK + 1
                return False
            if counting:
                total += ways
            elif picked >= ways:
                picked -= ways
            elif ways > 0:
                touched = False  # until then every match still fits
                if rules.rule[rule, ACTS] and (board.control[ALTERS] or picked >= 0):
                    for n in range(max(picked, 0), ways if picked < 0 else picked + 1):
                        select(rules, board, rule, n)
                        if not touched or still_fits(rules, board, rule):
                            touched |= apply_match(rules, board, rule, rigid)
                queue(rules, board, rule)
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
def run_groups(rules, board, g, last):
    """Runs groups in order, and the loops among them."""
    jumps, changed = 0, False
    while g < last and board.control[WORK] <= MOST_WORK:
        rigid = rules.group[g, RIGID]
        if rigid == 0 or board.control[BANNED + rigid] == 0:
            changed |= run_group(rules, board, g)
        if changed and rules.group[g, JUMP] >= 0:
            g, changed = rules.group[g, JUMP], False
            jumps += 1
            if jumps > MOST_JUMPS:
                break
        else:
            g += 1
