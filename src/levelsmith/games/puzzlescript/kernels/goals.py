"""What the win conditions of a PuzzleScript level ask of objects, and how many keys that takes at least.

A goal says that some objects have to get to certain cells: each of them, or as many as are needed. Where they
may move at all comes from `prospects.py`; a board with too few that still can get there is never won. Where
things move once for each key, every move takes a key, but for those that move at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from levelsmith.games.puzzlescript.kernels import outlines as o_
from levelsmith.games.puzzlescript.kernels.codes import AGAIN, ALL, DOWN, LEFT, RESTART, SOME, UP, WIN
from levelsmith.games.puzzlescript.kernels.outlines import (
    FRESH,
    NOTHING,
    PUSHED,
    THERE,
    add,
    count_of,
    has,
    is_any,
    lies_in,
    meets,
)
from levelsmith.games.puzzlescript.kernels.outlook import CONDITION, FIRST, MOVED, NEEDED, NEVER
from levelsmith.games.puzzlescript.kernels.outlook import ROWS as GUIDE_ROWS
from levelsmith.games.puzzlescript.kernels.prospects import ALL as EVERYWHERE
from levelsmith.games.puzzlescript.kernels.prospects import (
    DIRECTIONS,
    FITS,
    WAYS,
    back,
    fill_leaves,
    join,
    move,
    next_in,
    settle_level,
    way_of,
)
from levelsmith.games.puzzlescript.kernels.state import HEIGHT
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ONE, ZERO, U, lowest

COUNT, BY_CONDITION, NUMBERS = range(3)  # columns of `numbers`
LEFT_OVER, STEADY, OTHERS, SETS = range(4)  # rows of `sets`
OFFSETS = 8  # different ones at most, for each cell of a rule: two ways along it, in four directions
MAYBE, ALWAYS, ASKING, REACHED, SEEN, AROUND, AREAS = range(7)  # rows of `areas`


class Goals(NamedTuple):
    """Things that are one or another of some objects, and the cells where they are wanted."""

    objects: Any  # [goals, W]
    wanted: Any  # [goals, C]
    numbers: Any  # [goals, 2] how many are needed, 0 for each that there is; the win condition that asks
    sets: Any  # [3, W] sets of objects to work with
    areas: Any  # [6, C] sets of cells to work with
    offsets: Any  # [5, most + 1] of what players move, by their movement; the last one is their number


# what becomes of objects


@part
def turns(prospects, o, new):
    """Returns whether an object may become another one of its layer."""
    return is_any(prospects.turned[o, prospects.place[new]])


@part
def is_joined_by_others(rules, prospects, objects):
    """Returns whether anything else, or nothing, may become one of some objects."""
    new = next_in(objects, 0)
    while new != NOTHING:
        if is_any(prospects.born[new]):
            return True
        for o in range(rules.objects):
            alike = rules.layer_of[o] == rules.layer_of[new] and rules.layer_of[o] >= 0
            if alike and not has(objects, o) and turns(prospects, o, new):
                return True
        new = next_in(objects, new + 1)
    return False


@part
def add_turns(rules, prospects, objects, to):
    """Adds the cells in which one of some objects may become nothing or something else."""
    o = next_in(objects, 0)
    while o != NOTHING:
        join(to, prospects.turned[o, 0])
        for new in range(rules.objects):
            if rules.layer_of[new] == rules.layer_of[o] and not has(objects, new):
                join(to, prospects.turned[o, prospects.place[new]])
        o = next_in(objects, o + 1)


@part
def widen(rules, prospects, among, found):
    """Adds all objects of a set that may become one of some objects, or that these may become."""
    new = True
    while new:
        new = False
        o = next_in(among, 0)
        while o != NOTHING:
            for other in range(rules.objects):
                alike = rules.layer_of[other] == rules.layer_of[o] and rules.layer_of[o] >= 0
                if not alike or not has(among, other) or has(found, o) == has(found, other):
                    continue
                if turns(prospects, o, other) or turns(prospects, other, o):
                    add(found, o)
                    add(found, other)
                    new = True
            o = next_in(among, o + 1)


# goals


@part
def fill_cells(every, sets, objects, together, to):
    """Writes the cells with any, or all, of some objects."""
    for w in range(len(to)):
        to[w] = every[w] if together else ZERO
    o = next_in(objects, 0)
    while o != NOTHING:
        for w in range(len(to)):
            to[w] = to[w] & sets[o, w] if together else to[w] | sets[o, w]
        o = next_in(objects, o + 1)


@part
def add_needed(rules, prospects, goals, count, objects, wanted, needed, c):
    """Adds that so many objects are needed somewhere, with all that may become such; not if a rule makes them
    of nothing. Returns how many goals there are."""
    found, new = goals.objects[count], True
    for w in range(len(found)):
        found[w] = objects[w]
    while new:
        new = False
        for o in range(rules.objects):
            if has(found, o):
                if is_any(prospects.born[o]):
                    return count
                continue
            for other in range(rules.objects):
                alike = rules.layer_of[other] == rules.layer_of[o] and rules.layer_of[o] >= 0
                if alike and has(found, other) and turns(prospects, o, other):
                    new = True
            if new:
                add(found, o)
                break
    for w in range(len(wanted)):
        goals.wanted[count, w] = wanted[w]
    goals.numbers[count, COUNT], goals.numbers[count, BY_CONDITION] = needed, c
    return count + 1


@part
def add_kinds(rules, prospects, goals, count, what, good, c):
    """Adds that all of some objects are needed in good cells, together with those of them that they may
    become. Returns how many goals there are."""
    left = goals.sets[LEFT_OVER]
    for w in range(len(left)):
        left[w] = what[w]
    o = next_in(left, 0)
    while o != NOTHING:
        found, wanted, outside = goals.objects[count], goals.wanted[count], False
        for w in range(len(found)):
            found[w] = ZERO
        add(found, o)
        widen(rules, prospects, what, found)
        for w in range(len(left)):
            left[w] &= ~found[w]
        for w in range(len(wanted)):
            wanted[w] = good[w]
        one = next_in(found, 0)
        while one != NOTHING:
            outside = outside or not lies_in(prospects.may_be[one], good)
            one = next_in(found, one + 1)
        if outside:
            add_turns(rules, prospects, found, wanted)
            goals.numbers[count, COUNT], goals.numbers[count, BY_CONDITION] = 0, c
            count += 1
        o = next_in(left, 0)
    return count


@part
def is_alone(rules, objects):
    """Returns whether there are objects, and all are of one layer: one cell never holds two of them."""
    layer = NOTHING
    o = next_in(objects, 0)
    while o != NOTHING:
        if layer != NOTHING and rules.layer_of[o] != layer:
            return False
        layer = rules.layer_of[o]
        o = next_in(objects, o + 1)
    return layer != NOTHING


@part
def add_goals(rules, prospects, goals, c, count):
    """Adds what a win condition asks of objects; returns how many goals there are."""
    wins, areas = rules.wins, goals.areas
    what, where, every = wins.what[c], wins.where[c], prospects.area[EVERYWHERE]
    maybe, always, asking = areas[MAYBE], areas[ALWAYS], areas[ASKING]
    if wins.what_all[c] and count_of(what) > 1:
        return count
    if wins.anywhere[c]:
        for w in range(len(every)):
            maybe[w] = always[w] = every[w]
    else:
        fill_cells(every, prospects.may_be, where, wins.where_all[c], maybe)
        fill_cells(every, prospects.stays, where, wins.where_all[c], always)
    if wins.kind[c] == SOME:
        return add_needed(rules, prospects, goals, count, what, maybe, 1, c)
    fill_cells(every, prospects.stays, what, False, asking)
    for w in range(len(every)):
        asking[w] &= ~always[w]
        maybe[w] = maybe[w] & every[w] if wins.kind[c] == ALL else every[w] & ~always[w]
    count = add_kinds(rules, prospects, goals, count, what, maybe, c)
    several = wins.where_all[c] and count_of(where) > 1
    if wins.kind[c] == ALL and is_any(asking) and is_alone(rules, where) and not several:
        return add_needed(rules, prospects, goals, count, where, asking, count_of(asking), c)
    return count


@part
def commands_of(rules, prospects):
    """Returns the commands of all rules that may match, as bits."""
    found = 0
    for rule in range(len(prospects.matches)):
        if prospects.matches[rule]:
            found |= rules.rules.commands[rule]
    return found


@kernel
def outline(rules, outlines):
    """Writes what the rules of a game do, or where there is no room for any row, how much there is."""
    o_.write_outlines(rules, outlines)


@kernel
def settle(rules, board, outlines, prospects, keys):
    """Finds all that may be in a level, in arrays of zeros, where keys give players these movements; returns
    False where nothing can be said."""
    return settle_level(rules, board, outlines, prospects, keys)


@kernel
def find_goals(rules, prospects, goals):
    """Writes what the win conditions ask of objects, into arrays of zeros; returns how many goals."""
    commands, count = commands_of(rules, prospects), 0
    if commands & (WIN | RESTART):
        return 0
    for c in range(len(rules.wins.kind)):
        count = add_goals(rules, prospects, goals, c, count)
    return count


# how many keys they take


@part
def is_moved_by(rules, outlines, rule, found):
    """Returns whether all that a rule asks to move, in one of its layers, is among some objects."""
    table = rules.rules
    first = table.cell_first[table.part_first[table.row_first[rule]]]
    last = table.row_first[rule] + table.row_count[rule] - 1
    p = table.part_first[last] + table.part_count[last] - 1
    end = table.cell_first[p] + table.cell_count[p]
    for row in range(outlines.first[0, first], outlines.first[1, end - 1]):
        if outlines.numbers[row, o_.ASKED] and lies_in(outlines.sets[row, THERE], found):
            return True
    return False


@part
def fill_steady(rules, outlines, prospects, found, others):
    """Writes the objects that move in the turn of a key alone, not in those that follow by themselves.

    Whatever makes one of them move asks for another one that moves already, and only keys begin.
    """
    for o in range(rules.objects):
        layer = rules.layer_of[o]
        if layer < 0 or not prospects.wild[layer]:
            add(found, o)
    while True:
        for w in range(len(others)):
            others[w] = ZERO
        for rule in range(len(prospects.matches)):
            if not prospects.matches[rule] or rules.rules.row_count[rule] == 0:
                continue
            moved = is_moved_by(rules, outlines, rule, found)
            first = rules.rules.row_first[rule]
            for r in range(first, first + rules.rules.row_count[rule]):
                add_others(rules, outlines, r, moved, found, others)
        if not meets(others, found):
            return
        for w in range(len(found)):
            found[w] &= ~others[w]


@part
def add_others(rules, outlines, r, moved, found, others):
    """Adds the objects that a row of a rule may move while none of some objects does."""
    table = rules.rules
    for p in range(table.part_first[r], table.part_first[r] + table.part_count[r]):
        for c in range(table.cell_first[p], table.cell_first[p] + table.cell_count[p]):
            for row in range(outlines.first[0, c], outlines.first[1, c]):
                if not moved:
                    join(others, outlines.sets[row, PUSHED])
                if outlines.numbers[row, o_.HEIRS] and not lies_in(outlines.sets[row, THERE], found):
                    join(others, outlines.sets[row, FRESH])


@part
def pusher_of(rules, outlines, p):
    """Returns where in a part of a rule a player must move, and which way; NOTHING where nowhere."""
    table = rules.rules
    for k in range(table.cell_count[p]):
        c = table.cell_first[p] + k
        for row in range(outlines.first[0, c], outlines.first[1, c]):
            asked = outlines.numbers[row, o_.ASKED]
            if asked and lies_in(outlines.sets[row, THERE], rules.player):
                return k, lowest(U(asked))
    return NOTHING, NOTHING


@part
def note_offset(offsets, way, offset):
    """Notes that a player who moves in a direction moves what is so many places on."""
    last = offsets.shape[1] - 1
    for n in range(offsets[way, last]):
        if offsets[way, n] == offset:
            return
    offsets[way, offsets[way, last]] = offset
    offsets[way, last] += 1


@part
def note_offsets(rules, outlines, goals, objects, p, step):
    """Notes what of some objects players move in a part of a rule; returns False where others do."""
    table = rules.rules
    at, pushed = pusher_of(rules, outlines, p)
    for k in range(table.cell_count[p]):
        c = table.cell_first[p] + k
        for row in range(outlines.first[0, c], outlines.first[1, c]):
            sets, given = outlines.sets[row], outlines.numbers[row, o_.GIVEN]
            asked = way_of(outlines.numbers[row])
            o = next_in(sets[PUSHED], 0)
            while o != NOTHING:
                # What is there and moves that way does so anyway.
                anyway = asked != NOTHING and has(sets[THERE], o) and given == 1 << asked
                if not anyway and has(objects, o) and at != NOTHING:
                    note_offset(goals.offsets, pushed, (k - at) * step)
                elif not anyway and (has(objects, o) or has(rules.player, o)):
                    return False
                o = next_in(sets[PUSHED], o + 1)
    return True


@part
def most_moved(rules, board, outlines, prospects, goals, objects):
    """Returns how many of some objects move in one turn at most; 0 where that is not known.

    A player who moves as the key says, and never otherwise, moves only what rules name beside him.
    """
    if is_joined_by_others(rules, prospects, objects):
        return 0
    count = players = 0
    for o in range(rules.objects):
        if has(objects, o):
            count += count_of(board.sets[o])
        if has(rules.player, o):
            players += count_of(board.sets[o])
    if meets(objects, rules.player) or is_joined_by_others(rules, prospects, rules.player):
        return count
    table, height = rules.rules, board.control[HEIGHT]
    last = goals.offsets.shape[1] - 1
    for way in range(WAYS):
        goals.offsets[way, last] = 0
    for rule in range(len(prospects.matches)):
        if not prospects.matches[rule]:
            continue
        direction = table.direction[rule]
        step = -1 if direction == UP else 1 if direction == DOWN else -height if direction == LEFT else height
        for r in range(table.row_first[rule], table.row_first[rule] + table.row_count[rule]):
            for p in range(table.part_first[r], table.part_first[r] + table.part_count[r]):
                if not note_offsets(rules, outlines, goals, objects, p, step):
                    return count
    most = 0
    for way in range(WAYS):
        most = max(most, goals.offsets[way, last])
    if most == 0:
        most = 1
    return min(count, most * players)


@part
def fill_distances(rules, prospects, goals, height, objects, wanted, far):
    """Writes the fewest moves from each cell to a wanted one, by something that may be each of some objects;
    NEVER where there is no way."""
    reached, seen, around = goals.areas[REACHED], goals.areas[SEEN], goals.areas[AROUND]
    leaves, moved = prospects.spare[FITS], goals.areas[MAYBE]
    for i in range(len(far)):
        far[i] = NEVER
    for w in range(len(seen)):
        seen[w], reached[w] = ZERO, wanted[w]
    count = 0
    while is_any(reached):
        for w in range(len(reached)):
            left = reached[w]
            seen[w] |= left
            around[w] = ZERO
            while left != ZERO:
                far[64 * w + lowest(left)] = count
                left &= left - ONE
        count += 1
        for way in range(DIRECTIONS):
            move(moved, prospects.area, height, reached, back(way))
            o = next_in(objects, 0)
            while o != NOTHING:
                if is_any(prospects.may_move[o, way]):
                    fill_leaves(rules, prospects, height, o, way, leaves)
                    for w in range(len(around)):
                        around[w] |= leaves[w] & moved[w]
                o = next_in(objects, o + 1)
        for w in range(len(reached)):
            reached[w] = around[w] & ~seen[w]


@part
def is_bounded(rules, prospects, objects, steady, matters):
    """Returns whether some objects move once for each key at most."""
    if matters and not lies_in(objects, steady):
        return False
    o = next_in(objects, 0)
    while o != NOTHING:
        layer = rules.layer_of[o]
        if layer >= 0 and prospects.wild[layer]:
            return False
        o = next_in(objects, o + 1)
    return True


@kernel
def fill_guide(rules, board, outlines, prospects, goals, count, guide):
    """Writes for some goals how many keys each takes from where its objects may be; the guide has a row for
    each object of a goal."""
    height, steady, row = board.control[HEIGHT], goals.sets[STEADY], 0
    for w in range(len(steady)):
        steady[w] = ZERO
    matters = commands_of(rules, prospects) & AGAIN != 0
    if matters and count > 0:
        fill_steady(rules, outlines, prospects, steady, goals.sets[OTHERS])
    for g in range(count):
        objects, told = goals.objects[g], guide.goals[g]
        told[FIRST], told[GUIDE_ROWS] = row, count_of(objects)
        told[NEEDED], told[CONDITION] = goals.numbers[g, COUNT], goals.numbers[g, BY_CONDITION]
        told[MOVED] = most_moved(rules, board, outlines, prospects, goals, objects)
        fill_distances(rules, prospects, goals, height, objects, goals.wanted[g], guide.moves[row])
        bounded = is_bounded(rules, prospects, objects, steady, matters)
        for i in range(guide.moves.shape[1]):
            if not bounded:
                guide.moves[row, i] = min(guide.moves[row, i], 0)
        o = next_in(objects, 0)
        while o != NOTHING:
            guide.objects[row] = o
            for i in range(guide.moves.shape[1]):
                guide.moves[row, i] = guide.moves[told[FIRST], i]
            row += 1
            o = next_in(objects, o + 1)
