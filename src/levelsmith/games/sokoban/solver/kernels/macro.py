"""The compiled part of a search where one step takes a box all the way to another cell.

States lie in cells of a space of features: how many goals are filled in a good order, how many too early,
into how many regions boxes divide the floor, and how many boxes stand in narrow ways. The cells have their
turn one after the other, so that a state that is good in one way need not be good in all. (After FESS: Shoham
and Schaeffer, The FESS algorithm: A feature based approach to single-agent search, CoG 2020.) Of the steps
from a state, those that are best in some way cost nothing, all others one; in a cell the cheapest state comes
first. A state waits in the cell of its own features, or, as in FESS, in that of the state it was found from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.solver.kernels import search
from levelsmith.games.sokoban.solver.kernels.corrals import POSITIONS, dead_corral
from levelsmith.games.sokoban.solver.kernels.matching import match_again, match_all
from levelsmith.games.sokoban.solver.kernels.maze import MARK, NOWHERE, bit, first_cell, mark_region
from levelsmith.games.sokoban.solver.kernels.pruning import choose_corral, freezes, walk
from levelsmith.kernels.compile import kernel, part

SLOTS = 1024  # cells of features at most; all others share the last one
BUCKETS = 4096  # prices in a cell
MOST_PACKED, MOST_EARLY, MOST_REGIONS, MOST_NARROW = 128, 4, 8, 8
MOST_COUNTED = 16  # regions; cells with more than MOST_REGIONS are one
FEATURES = MOST_PACKED * MOST_EARLY * MOST_REGIONS * MOST_NARROW
PRICE = 64  # of a step that is best in no way
SHARE = 4  # bits of the lower bound that do not count for the price
FLOODS = 8  # floods of the board for a position of a proof, roughly
# Places in `counts`.
KNOWN, TURN, OPENED, LENGTH, BEHIND = range(5)
# Columns of `features`. The last column of a node has the cell of its features.
PACKED, EARLY, REGIONS, LEFT, NARROW, WAYS = range(6)
CELL = search.BACK


class MacroWorkspace(NamedTuple):
    """Cells of features, and scratch for the ways of one box."""

    counts: NDArray[np.int64]  # [5] BEHIND is 1 where a state waits in the cell of the one before it
    narrow: NDArray[np.uint8]  # [cells + 1] 1 for narrow ways
    slot: NDArray[np.int32]  # [FEATURES] of each cell of features; NOWHERE before it is met
    heads: NDArray[np.int32]  # [SLOTS, BUCKETS] the first open state of each price
    lowest: NDArray[np.int32]  # [SLOTS] no open state has a lower price
    seen: NDArray[np.int64]  # [4 * cells] when a cell was last come to in a direction
    reached: NDArray[np.int32]  # [4 * cells] cell and direction of the last push, in one number
    came: NDArray[np.int32]  # [4 * cells] the one before, by its number
    first: NDArray[np.int32]  # [4 * cells] the first cell that the player can walk to then
    length: NDArray[np.int32]  # [4 * cells] pushes
    children: NDArray[np.int32]  # [boxes * most] states that were found in one expansion
    features: NDArray[np.int32]  # [boxes * most, WAYS] of each


@part
def roam(maze, workspace, macro, i, player, most, corral):
    """Finds the ways of box i, nearest first, for `reached`, `came`, `first` and `length`; returns how many.

    The box is in place in the workspace, and is again afterwards. With a corral the first push is into it.
    """
    beside, occupied, marks, alive = maze.beside, workspace.occupied, workspace.marks, maze.alive
    seen, reached, came = macro.seen, macro.reached, macro.came
    cells = len(maze.part_of)
    box = workspace.at[i]
    occupied[box] = 0
    macro.counts[LENGTH] += 1
    stamp = macro.counts[LENGTH]
    here, stands, length = np.int64(box), np.int64(player), np.int32(0)
    number, done = 0, -1
    while True:
        occupied[here] = 1
        first = first_cell(maze, workspace, stands)
        mark = workspace.tally[MARK]
        occupied[here] = 0
        if done >= 0:
            macro.first[done], macro.length[done] = first, length
        for d in range(4):
            to, behind = beside[here, d], beside[here, d ^ 1]
            if (
                to == cells
                or behind == cells
                or occupied[to]
                or marks[behind] != mark
                or occupied[behind]
                or not alive[to, d]
                or seen[to * 4 + d] == stamp
                or (done < 0 and corral and not workspace.corrals[1, max(workspace.region[to], 0)])
            ):
                continue
            seen[to * 4 + d] = stamp
            reached[number], came[number] = to * 4 + d, done
            number += 1
        done += 1
        if done >= number or done >= most:
            break
        here = np.int64(reached[done] >> 2)
        stands = np.int64(beside[here, (reached[done] & 3) ^ 1])
        length = np.int32(1 if came[done] < 0 else macro.length[came[done]] + 1)
    occupied[box] = 1
    return done


@part
def regions(maze, workspace):
    """Returns into how many regions the boxes divide the floor, up to MOST_COUNTED."""
    marks, occupied = workspace.marks, workspace.occupied
    cells = len(maze.part_of)
    workspace.tally[MARK] += 1
    mark = workspace.tally[MARK]
    marks[cells] = mark
    number = 0
    for start in range(cells):
        if occupied[start] or marks[start] == mark:
            continue
        number += 1
        if number == MOST_COUNTED:
            break
        mark_region(maze, workspace, start)
    return number


@part
def packed(maze, workspace):
    """Returns how many goals are filled, none of them before one of a lower rank."""
    rank = maze.rank
    lowest = np.int64(len(maze.goals) + 1)
    for j in range(len(maze.goals)):
        goal = maze.goals[j]
        if not workspace.occupied[goal] and rank[goal] < lowest:
            lowest = np.int64(rank[goal])
    number = 0
    for j in range(len(maze.goals)):
        goal = maze.goals[j]
        if workspace.occupied[goal] and rank[goal] <= lowest:
            number += 1
    return number


@part
def cell_of(features):
    """Returns the number of a cell of features."""
    cell = min(np.int64(features[PACKED]), np.int64(MOST_PACKED - 1))
    cell = cell * MOST_EARLY + min(np.int64(features[EARLY]), np.int64(MOST_EARLY - 1))
    cell = cell * MOST_REGIONS + min(np.int64(features[REGIONS]), np.int64(MOST_REGIONS)) - 1
    return cell * MOST_NARROW + min(np.int64(features[NARROW]), np.int64(MOST_NARROW - 1))


@part
def hang(store, macro, state, cell):
    """Opens a state: hangs it in a cell of features."""
    nodes = store.nodes
    slot = macro.slot[cell]
    if slot == NOWHERE:
        slot = np.int32(min(macro.counts[KNOWN], np.int64(SLOTS - 1)))
        macro.slot[cell] = slot
        macro.counts[KNOWN] = slot + 1
    price = min(PRICE * nodes[state, search.LABEL] + (nodes[state, search.LEFT] >> SHARE), BUCKETS - 1)
    nodes[state, search.NEXT] = macro.heads[slot, price]
    macro.heads[slot, price] = state
    macro.lowest[slot] = min(np.int64(macro.lowest[slot]), np.int64(price))
    macro.counts[OPENED] += 1


@part
def take(store, macro):
    """Takes the cheapest state of the next cell of features that has one; NOWHERE where none is left."""
    if macro.counts[OPENED] == 0:
        return np.int64(NOWHERE)
    while True:
        slot = macro.counts[TURN]
        macro.counts[TURN] = slot + 1 if slot + 1 < macro.counts[KNOWN] else 0
        heads = macro.heads[slot]
        price = np.int64(macro.lowest[slot])
        while price < BUCKETS and heads[price] == NOWHERE:
            price += 1
        macro.lowest[slot] = price
        if price < BUCKETS:
            state = np.int64(heads[price])
            heads[price] = store.nodes[state, search.NEXT]
            store.nodes[state, search.NEXT] = search.CLOSED
            macro.counts[OPENED] -= 1
            return state


@kernel
def begin_macro(maze, store, workspace, macro):
    """Opens the first state, which `begin` has entered."""
    search.lay_out(store, workspace, 0)
    describe(maze, workspace, macro, store.nodes[0], macro.features[0])
    for i in range(len(workspace.at)):
        workspace.occupied[workspace.at[i]] = 0
    hang(store, macro, 0, store.nodes[0, CELL])


@part
def describe(maze, workspace, macro, node, features):
    """Writes the features of the state in the workspace, and their cell into its node."""
    features[PACKED] = packed(maze, workspace)
    features[EARLY] = search.early(maze, workspace)
    features[REGIONS] = regions(maze, workspace)
    features[LEFT] = node[search.LEFT]
    features[NARROW] = 0
    for i in range(len(workspace.at)):
        features[NARROW] += macro.narrow[workspace.at[i]]
    node[CELL] = cell_of(features)


@kernel
def search_macro(maze, store, workspace, macro, corrals, most, chunk):
    """Expands states until so many were met; returns what became of the search.

    `most` is how many ways of a box are tried at most.
    """
    tally, at, occupied, boxes = workspace.tally, workspace.at, workspace.occupied, workspace.boxes
    nodes = store.nodes
    number = len(at)
    met = 0
    while met < chunk:
        if tally[search.STATES] + number * most > len(nodes):
            return search.FULL
        state = take(store, macro)
        if state == NOWHERE:
            return search.EXHAUSTED
        if nodes[state, search.LEFT] == 0:
            tally[search.GOAL_STATE] = state
            return search.FOUND
        search.lay_out(store, workspace, state)
        player = np.int64(nodes[state, search.PLAYER])
        walk(maze, workspace, player)
        corral = choose_corral(maze, workspace)
        before = corrals.counts[POSITIONS]
        dead = dead_corral(maze, workspace, corrals, player)
        met += FLOODS * (corrals.counts[POSITIONS] - before) + 1
        if dead:
            for i in range(number):
                occupied[at[i]] = 0
            continue
        match_all(maze, workspace, player)
        for i in range(len(boxes)):
            boxes[i] = store.boxes[state, i]
        children = 0
        for i in range(number):
            box = np.int64(at[i])
            ways = roam(maze, workspace, macro, i, player, most, corral)
            met += ways + 1
            occupied[box] = 0
            boxes[box >> 6] ^= bit(box)
            for k in range(ways):
                to = np.int64(macro.reached[k] >> 2)
                occupied[to], at[i] = 1, to
                boxes[to >> 6] ^= bit(to)
                child = enter_macro(maze, store, workspace, macro, state, i, k, box)
                if child != NOWHERE:
                    describe(maze, workspace, macro, nodes[child], macro.features[children])
                    macro.children[children] = child
                    children += 1
                boxes[to >> 6] ^= bit(to)
                occupied[to], at[i] = 0, box
            boxes[box >> 6] ^= bit(box)
            occupied[box] = 1
        for i in range(number):
            occupied[at[i]] = 0
        solved = price_steps(store, macro, state, children)
        if solved != NOWHERE:
            tally[search.GOAL_STATE] = solved
            return search.FOUND
    return search.GOING_ON


@part
def enter_macro(maze, store, workspace, macro, parent, i, k, box):
    """Enters the state in the workspace, where box i went the way k; returns NOWHERE if it is of no use."""
    tally, nodes = workspace.tally, store.nodes
    player = macro.first[k]
    place = search.place_of(store, workspace.boxes, player)
    if store.table[place] != NOWHERE or freezes(maze, workspace, i):
        return np.int64(NOWHERE)
    last = macro.reached[k]
    stands = maze.beside[last >> 2, (last & 3) ^ 1]
    left = match_again(maze, workspace, i, maze.part_of[workspace.at[i], stands])
    if left < 0:
        return np.int64(NOWHERE)
    state = np.int64(tally[search.STATES])
    tally[search.STATES] += 1
    store.table[place] = state
    for j in range(len(workspace.boxes)):
        store.boxes[state, j] = workspace.boxes[j]
    nodes[state, search.PLAYER], nodes[state, search.LEFT] = player, left
    nodes[state, search.PUSHES] = nodes[parent, search.PUSHES] + macro.length[k]
    nodes[state, search.PARENT], nodes[state, search.PUSH] = parent, box * 4 * len(maze.part_of) + last
    nodes[state, search.NEXT] = search.CLOSED
    return state


@part
def price_steps(store, macro, parent, children):
    """Opens the children, those that are best in some way at no price; returns one that is solved."""
    nodes, features = store.nodes, macro.features
    solved = np.int64(NOWHERE)
    weight = nodes[parent, search.LABEL]
    behind = macro.counts[BEHIND] == 1
    for k in range(children):
        nodes[macro.children[k], search.LABEL] = weight + 1
        if features[k, LEFT] == 0:
            solved = np.int64(macro.children[k])
    for way in range(WAYS):
        best = -1
        for k in range(children):
            if best < 0 or better(features, way, k, best):
                best = k
        if best >= 0:
            nodes[macro.children[best], search.LABEL] = weight
    for k in range(children):
        hang(store, macro, macro.children[k], nodes[parent if behind else macro.children[k], CELL])
    return solved


@part
def better(features, way, one, two):
    """Returns whether a child is better than another in a way: more goals filled, or less of another feature;
    and where equal in it, by the lower bound."""
    if features[one, way] == features[two, way]:
        return features[one, LEFT] < features[two, LEFT]
    more = features[one, way] > features[two, way]
    return more if way == PACKED else not more


@kernel
def write_way(maze, store, workspace, macro, state, most, pushes):
    """Writes the pushes that lead from the parent of a state to it, last first; returns how many."""
    nodes = store.nodes
    cells = len(maze.part_of)
    parent = np.int64(nodes[state, search.PARENT])
    search.lay_out(store, workspace, parent)
    box, last = nodes[state, search.PUSH] // (4 * cells), nodes[state, search.PUSH] % (4 * cells)
    number = 0
    for i in range(len(workspace.at)):
        if workspace.at[i] == box:
            ways = roam(maze, workspace, macro, i, np.int64(nodes[parent, search.PLAYER]), most, False)
            for k in range(ways):
                if macro.reached[k] == last:
                    step = np.int64(k)
                    while step >= 0:
                        to, d = macro.reached[step] >> 2, macro.reached[step] & 3
                        pushes[number] = maze.beside[to, d ^ 1] * 4 + d
                        number += 1
                        step = np.int64(macro.came[step])
    for i in range(len(workspace.at)):
        workspace.occupied[workspace.at[i]] = 0
    return number
