"""The compiled part of the solver: tables of a board, and a best-first search over boxes and player.

A state is the set of boxes, one bit a cell, and the first cell that the player can walk to (or, where moves
are counted, the cell it stands on). States are kept in the order in which they were found; an open one hangs
in the list of its priority. What is pruned never costs the shortest solution: see `pruning`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.solver.kernels.matching import match_again, match_all
from levelsmith.games.sokoban.solver.kernels.maze import NOWHERE, SHUT, bit, first_cell
from levelsmith.games.sokoban.solver.kernels.pruning import choose_corral, freezes, walk
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ONE, ZERO, U, lowest

CLOSED = -2  # in place of the next one of a list: the state was expanded
MOST_WAYS = 2**31 - 1  # where counting stops

# How to search: any order of pushes; all shortest solutions, for the fewest moves or for their number; by the
# number of moves, whatever pushes that takes.
BEST_FIRST, FEWEST_MOVES, ALL_WAYS, BY_MOVES = range(4)
# What became of a chunk.
GOING_ON, FOUND, EXHAUSTED, FULL = range(4)
# Places in `tally`; SHUT and MARK are the next two. HOME is NOWHERE in a search by pushes; in one by pulls,
# the first cell that the player can walk to when the level starts.
KIND, WEIGHT, SHUT_WEIGHT, BOUND, BASE, STATES, LOWEST, GOAL_STATE = range(8)
EARLY_WEIGHT, HOME = 10, 11
# For the fewest moves: how many states of one list are expanded (0: all), the next list that is cut to so
# many, and how many states that has cost.
WIDTH, TO_CUT, DROPPED = 12, 13, 14
PLACES = 15
# Columns of `nodes`. The label is the number of moves, or of ways, to a state; best-first, added to its rank.
PLAYER, PUSHES, LEFT, PARENT, PUSH, LABEL, NEXT, BACK = range(8)


class StateTable(NamedTuple):
    """Every state found so far."""

    boxes: NDArray[np.uint64]  # [capacity, words]
    nodes: NDArray[np.int32]  # [capacity, 8]
    table: NDArray[np.int32]  # [a power of two] states by hash; NOWHERE for none
    heads: NDArray[np.int32]  # [priorities] the first open state of each


class SolverWorkspace(NamedTuple):
    """Scratch for one expansion, and the tally of the search."""

    tally: NDArray[np.int64]  # [PLACES]
    boxes: NDArray[np.uint64]  # [words] the boxes of a child
    at: NDArray[np.int32]  # [boxes] the cell of each box
    occupied: NDArray[np.uint8]  # [cells + 1] 1 for a box
    held: NDArray[np.uint8]  # [cells + 1] 1 for a box that cannot move
    region: NDArray[np.int32]  # [cells + 1] 0 where the player walks, then the regions it cannot enter
    steps: NDArray[np.int32]  # [cells + 1] the player's way to a cell
    marks: NDArray[np.int64]  # [cells + 1] when a cell was last visited
    queue: NDArray[np.int32]  # [4 * cells]
    corrals: NDArray[
        np.uint8
    ]  # [3, cells + 2] regions: of the corral at hand, of the best one; cells: its boxes
    cost: NDArray[np.int32]  # [boxes, goals] of the state at hand
    ways: NDArray[np.int32]  # [boxes] one boxes of it, kept aside
    match: NDArray[np.int32]  # [8, boxes + 1] see `matching`


# --------------------------------------------------------------------------------------------------- states


@part
def hashed(boxes, player):
    """Returns a number for a state, good in its lowest bits."""
    value = U(player) * U(0x9E3779B97F4A7C15)
    for i in range(len(boxes)):
        value = (value ^ boxes[i]) * U(0xBF58476D1CE4E5B9)
        value ^= value >> U(29)
    value *= U(0x94D049BB133111EB)
    return value ^ (value >> U(32))


@part
def place_of(store, boxes, player):
    """Returns where in the table a state is, or would be."""
    table, nodes = store.table, store.nodes
    mask = len(table) - 1
    place = np.int64(hashed(boxes, player) & U(mask))
    while table[place] != NOWHERE:
        state = table[place]
        if nodes[state, PLAYER] == player:
            same = True
            for i in range(len(boxes)):
                if store.boxes[state, i] != boxes[i]:
                    same = False
            if same:
                break
        place = (place + 1) & mask
    return place


@kernel
def rehash(store, states):
    """Puts every state into a new, empty table."""
    for state in range(states):
        store.table[place_of(store, store.boxes[state], store.nodes[state, PLAYER])] = state


@part
def priority(store, tally, state):
    """Returns the list that an open state hangs in; what is beyond the last one is in the last one."""
    nodes = store.nodes
    at = np.int64(nodes[state, PUSHES])
    if tally[KIND] == BEST_FIRST:
        at += tally[WEIGHT] * nodes[state, LEFT] - tally[BASE] + nodes[state, LABEL]
    elif tally[KIND] == BY_MOVES:  # every push is a move too
        at = np.int64(nodes[state, LABEL]) + nodes[state, LEFT]
    return min(at, np.int64(len(store.heads) - 1))


@part
def push_open(store, tally, state):
    """Puts a state at the head of the list of its priority."""
    nodes, heads = store.nodes, store.heads
    at = priority(store, tally, state)
    nodes[state, NEXT], nodes[state, BACK] = heads[at], NOWHERE
    if heads[at] != NOWHERE:
        nodes[heads[at], BACK] = state
    heads[at] = state
    if at < tally[LOWEST]:
        tally[LOWEST] = at


@part
def remove_open(store, tally, state):
    """Takes a state out of the list of its priority, and closes it."""
    nodes, heads = store.nodes, store.heads
    after, before = nodes[state, NEXT], nodes[state, BACK]
    if before != NOWHERE:
        nodes[before, NEXT] = after
    else:
        heads[priority(store, tally, state)] = after
    if after != NOWHERE:
        nodes[after, BACK] = before
    nodes[state, NEXT] = CLOSED


@part
def most_promising(store, tally):
    """Returns the open state of the lowest priority, the youngest of them; NOWHERE when none is left."""
    heads = store.heads
    while tally[LOWEST] < len(heads) and heads[tally[LOWEST]] == NOWHERE:
        tally[LOWEST] += 1
    return np.int64(heads[tally[LOWEST]]) if tally[LOWEST] < len(heads) else np.int64(NOWHERE)


@part
def lay_out(store, workspace, state):
    """Writes the boxes of a state into the workspace."""
    number = 0
    for i in range(store.boxes.shape[1]):
        word = store.boxes[state, i]
        while word != ZERO:
            cell = 64 * i + lowest(word)
            workspace.at[number] = cell
            workspace.occupied[cell] = 1
            number += 1
            word &= word - ONE


# --------------------------------------------------------------------------------------------------- search


@kernel
def search(maze, store, workspace, chunk):
    """Expands at most so many states; returns what became of the search."""
    tally, at, occupied, boxes = workspace.tally, workspace.at, workspace.occupied, workspace.boxes
    nodes = store.nodes
    beside, region = maze.beside, workspace.region
    number, cells = len(at), len(maze.part_of)
    pulls = tally[HOME] != NOWHERE
    for _ in range(chunk):
        if tally[STATES] + 4 * number > len(nodes):
            return FULL
        state = most_promising(store, tally)
        if state == NOWHERE:
            return EXHAUSTED
        if tally[WIDTH] and tally[LOWEST] >= tally[TO_CUT]:
            cut(store, tally)
            state = most_promising(store, tally)
        if arrived(nodes, tally, state):
            choose_goal(nodes, tally, state)
            return FOUND
        remove_open(store, tally, state)
        pushes = nodes[state, PUSHES] + 1
        lay_out(store, workspace, state)
        walk(maze, workspace, nodes[state, PLAYER])
        corral = choose_corral(maze, workspace) if tally[KIND] == BEST_FIRST and not pulls else False
        match_all(maze, workspace, nodes[state, PLAYER])
        for i in range(len(boxes)):
            boxes[i] = store.boxes[state, i]
        goal = np.int64(NOWHERE)
        for i in range(number):
            box = at[i]
            for d in range(4):
                to, behind, player = beside[box, d], beside[box, d ^ 1], box
                if pulls:
                    player = beside[to, d]
                    if region[to] != 0 or region[player] != 0:
                        continue
                elif (
                    region[behind] != 0
                    or to == cells
                    or occupied[to]
                    or not maze.alive[to, d]
                    or (corral and not workspace.corrals[1, max(region[to], 0)])
                ):
                    continue
                push = to * 4 + (d ^ 1) if pulls else box * 4 + d
                occupied[box], occupied[to], at[i] = 0, 1, to
                boxes[box >> 6] ^= bit(box)
                boxes[to >> 6] ^= bit(to)
                if pulls or not freezes(maze, workspace, i):
                    child = enter_state(maze, store, workspace, state, i, player, push)
                    if child != NOWHERE and goal == NOWHERE and arrived(nodes, tally, child):
                        goal = child
                boxes[to >> 6] ^= bit(to)
                boxes[box >> 6] ^= bit(box)
                occupied[box], occupied[to], at[i] = 1, 0, box
        for i in range(number):
            occupied[at[i]] = 0
        # No open state promises less than the one just expanded did.
        soonest = tally[WEIGHT] > 1 or pushes - tally[BASE] <= tally[LOWEST]
        if goal != NOWHERE and tally[KIND] == BEST_FIRST and soonest:
            tally[GOAL_STATE] = goal
            return FOUND
    return GOING_ON


@part
def cut(store, tally):
    """Closes all states of the lowest list but those with the fewest moves, as many as are to be expanded."""
    nodes, head = store.nodes, np.int64(store.heads[tally[LOWEST]])
    tally[TO_CUT] = tally[LOWEST] + 1
    low, high = np.int64(0), np.int64(0)
    state = head
    while state != NOWHERE:
        high = max(high, np.int64(nodes[state, LABEL]))
        state = np.int64(nodes[state, NEXT])
    if up_to(nodes, head, high) <= tally[WIDTH]:
        return
    while low < high:  # to the fewest moves that enough states have
        middle = (low + high) // 2
        if up_to(nodes, head, middle) >= tally[WIDTH]:
            high = middle
        else:
            low = middle + 1
    left = tally[WIDTH] - up_to(nodes, head, low - 1)
    state = head
    while state != NOWHERE:
        after = np.int64(nodes[state, NEXT])
        if nodes[state, LABEL] == low:
            left -= 1
        if nodes[state, LABEL] > low or (nodes[state, LABEL] == low and left < 0):
            remove_open(store, tally, state)
            tally[DROPPED] += 1
        state = after


@part
def up_to(nodes, state, most):
    """Returns how many states of a list have a label of at most so much, from one on."""
    number = np.int64(0)
    while state != NOWHERE:
        if nodes[state, LABEL] <= most:
            number += 1
        state = np.int64(nodes[state, NEXT])
    return number


@part
def arrived(nodes, tally, state):
    """Returns whether every box is on a goal, and by pulls the player can be where it starts."""
    at_home = tally[HOME] == NOWHERE or nodes[state, PLAYER] == tally[HOME]
    return nodes[state, LEFT] == 0 and at_home


@part
def choose_goal(nodes, tally, state):
    """Chooses among solved states of one list the one with the fewest moves; ways to them are added up."""
    tally[GOAL_STATE] = state
    ways = np.int64(0)
    while tally[KIND] in (FEWEST_MOVES, ALL_WAYS) and state != NOWHERE:
        ways = min(ways + nodes[state, LABEL], np.int64(MOST_WAYS))
        if nodes[state, LABEL] < nodes[tally[GOAL_STATE], LABEL]:
            tally[GOAL_STATE] = state
        state = np.int64(nodes[state, NEXT])
    if tally[KIND] == ALL_WAYS:
        nodes[tally[GOAL_STATE], LABEL] = ways


@part
def enter_state(maze, store, workspace, parent, i, stands, push):
    """Enters the state in the workspace, where box i was just moved; returns NOWHERE if it is of no use."""
    tally, nodes = workspace.tally, store.nodes
    kind = tally[KIND]
    by_cell = kind in (FEWEST_MOVES, BY_MOVES)
    player = np.int64(stands) if by_cell else first_cell(maze, workspace, stands)
    label = nodes[parent, LABEL]
    if by_cell:
        label += workspace.steps[maze.beside[push >> 2, (push & 3) ^ 1]] + 1
    if kind == BEST_FIRST:
        label = np.int32(tally[SHUT_WEIGHT] * tally[SHUT])
        if tally[EARLY_WEIGHT]:
            label += np.int32(tally[EARLY_WEIGHT] * early(maze, workspace))
    pushes = nodes[parent, PUSHES] + 1
    place = place_of(store, workspace.boxes, player)
    state = np.int64(store.table[place])
    if state != NOWHERE:
        if kind == BEST_FIRST:
            if pushes >= nodes[state, PUSHES] or nodes[state, NEXT] == CLOSED:
                return np.int64(NOWHERE)
            remove_open(store, tally, state)
        elif kind == BY_MOVES:
            if label >= nodes[state, LABEL]:
                return np.int64(NOWHERE)
            if nodes[state, NEXT] != CLOSED:
                remove_open(store, tally, state)
        elif pushes != nodes[state, PUSHES]:
            return np.int64(NOWHERE)
        elif kind == ALL_WAYS:
            nodes[state, LABEL] = min(np.int64(nodes[state, LABEL]) + label, np.int64(MOST_WAYS))
            return np.int64(NOWHERE)
        elif label >= nodes[state, LABEL]:
            return np.int64(NOWHERE)
    else:
        left = match_again(maze, workspace, i, maze.part_of[workspace.at[i], stands])
        if left < 0 or (kind in (FEWEST_MOVES, ALL_WAYS) and pushes + left > tally[BOUND]):
            return np.int64(NOWHERE)
        state = np.int64(tally[STATES])
        tally[STATES] += 1
        store.table[place] = state
        for j in range(len(workspace.boxes)):
            store.boxes[state, j] = workspace.boxes[j]
        nodes[state, PLAYER], nodes[state, LEFT] = player, left
        nodes[state, NEXT] = CLOSED
    nodes[state, PUSHES], nodes[state, LABEL] = pushes, label
    nodes[state, PARENT], nodes[state, PUSH] = parent, push
    if nodes[state, NEXT] == CLOSED:
        push_open(store, tally, state)
    return state


@part
def early(maze, workspace):
    """Returns how many boxes are on goals that another goal, still free, ought to be filled before."""
    rank = maze.rank
    first = np.int64(len(maze.goals) + 1)
    for j in range(len(maze.goals)):
        goal = maze.goals[j]
        if not workspace.occupied[goal] and rank[goal] < first:
            first = np.int64(rank[goal])
    number = np.int64(0)
    for i in range(len(workspace.at)):
        if rank[workspace.at[i]] > first:
            number += 1
    return number


@kernel
def begin(maze, store, workspace, player):
    """Makes the boxes in the workspace a first state, unless they can never be brought to goals.

    A search by pulls has one for each region of the player.
    """
    tally, boxes = workspace.tally, workspace.boxes
    boxes[:] = ZERO
    for i in range(len(workspace.at)):
        boxes[workspace.at[i] >> 6] |= bit(workspace.at[i])
        workspace.occupied[workspace.at[i]] = 1
    if tally[KIND] not in (FEWEST_MOVES, BY_MOVES):
        player = first_cell(maze, workspace, player)
    place = place_of(store, boxes, player)
    known = store.table[place] != NOWHERE
    left = np.int64(0)
    stuck = False
    if not known:
        match_all(maze, workspace, player)
        if len(workspace.at):
            left = match_again(maze, workspace, 0, maze.part_of[workspace.at[0], player])
        for i in range(len(workspace.at)):
            stuck = stuck or (tally[HOME] == NOWHERE and freezes(maze, workspace, i))
    for i in range(len(workspace.at)):
        workspace.occupied[workspace.at[i]] = 0
    if known or left < 0 or stuck:
        return
    if tally[KIND] == BEST_FIRST and tally[WEIGHT] == 1:
        tally[BASE] = left
    state = tally[STATES]
    for i in range(len(boxes)):
        store.boxes[state, i] = boxes[i]
    nodes = store.nodes
    nodes[state, PLAYER], nodes[state, PUSHES], nodes[state, LEFT] = player, 0, left
    nodes[state, PARENT], nodes[state, PUSH] = NOWHERE, 0
    nodes[state, LABEL] = 1 if tally[KIND] == ALL_WAYS else 0
    tally[STATES] += 1
    store.table[place] = state
    push_open(store, tally, state)


@kernel
def write_moves(maze, workspace, pushes, player, moves):
    """Writes the moves of pushes made in turn, with the fewest steps in between; gives their number.

    The boxes in the workspace are moved. A step is 0 to 3 (up, down, left, right), a push 4 more.
    """
    occupied, steps, beside = workspace.occupied, workspace.steps, maze.beside
    cells = len(maze.part_of)
    number = 0
    for i in range(len(workspace.at)):
        occupied[workspace.at[i]] = 1
    for k in range(len(pushes)):
        box, d = pushes[k] >> 2, pushes[k] & 3
        behind = beside[box, d ^ 1]
        walk(maze, workspace, behind)
        while player != behind:
            for e in range(4):
                there = beside[player, e]
                if there < cells and workspace.region[there] == 0 and steps[there] < steps[player]:
                    moves[number] = e
                    number += 1
                    player = there
                    break
        moves[number] = 4 + d
        number += 1
        occupied[box], occupied[beside[box, d]] = 0, 1
        player = box
    occupied[:] = 0
    return number
