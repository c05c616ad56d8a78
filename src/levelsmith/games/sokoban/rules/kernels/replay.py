"""Many levels at once, compiled: their solutions count_sound, and a number that levels which are alike share.

Like `rules.py`, this shares no code with what makes levels, so that a mistake there is seen here.
"""

from __future__ import annotations

import numpy as np

from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL, GOAL, PLAYER, PLAYER_ON_GOAL, WALL
from levelsmith.kernels.compile import kernel, part

U, D, L, R = b"udlr"
CAPITAL = ord("u") - ord("U")
FIRST_SMALL = ord("a")
LINE_END = 10
MARK = 6  # added to a cell that the player can walk to


@kernel
def count_sound(grids, width, moves, workspace):
    """Returns how many levels have a solution that solves them, up to the first that has not.

    Args:
        grids: `[levels, cells]`; the edge of each must be wall.
        width: of a level.
        moves: the solutions as LURD, one after the other, each with a line end behind it.
        workspace: `[2, cells]` to play on.
    """
    at = 0
    for level in range(len(grids)):
        player, sound = set_up(grids[level], width, workspace)
        while sound and at < len(moves) and moves[at] != LINE_END:
            pushes = moves[at] < FIRST_SMALL
            letter = moves[at] + CAPITAL if pushes else moves[at]
            step = -width if letter == U else width if letter == D else -1 if letter == L else 1
            sound = letter in (U, D, L, R)
            there = player + step
            if not sound or workspace[0, there] == WALL or (workspace[0, there] == BOX) != pushes:
                sound = False
            elif pushes:
                beyond = there + step
                sound = workspace[0, beyond] != WALL and workspace[0, beyond] != BOX
                workspace[0, there] = 0
                workspace[0, beyond] = BOX
            player = there
            at += 1
        for cell in range(len(grids[level])):
            sound = sound and (workspace[0, cell] == BOX) == (workspace[1, cell] == GOAL)
        if not sound or at >= len(moves):
            return level
        at += 1
    return len(grids)


@part
def set_up(grid, width, workspace):
    """Writes walls and boxes into `workspace[0]`, goals into `[1]`; returns player and whether all fits."""
    player, players, boxes, goals = 0, 0, 0, 0
    sound = True
    for cell in range(len(grid)):
        tile = grid[cell]
        on_edge = cell < width or cell >= len(grid) - width or cell % width in (0, width - 1)
        sound = sound and (tile == WALL or not on_edge)
        box = tile in (BOX, BOX_ON_GOAL)
        goal = tile in (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL)
        workspace[0, cell] = WALL if tile == WALL else BOX if box else 0
        workspace[1, cell] = GOAL if goal else 0
        boxes += 1 if box else 0
        goals += 1 if goal else 0
        if tile in (PLAYER, PLAYER_ON_GOAL):
            player = cell
            players += 1
    return player, sound and players == 1 and boxes == goals and boxes > 0


@kernel
def number_levels(grids, height, workspace, keys):
    """Writes a number for each level; turning, mirroring and walking about leave it as it is.

    Two levels that differ share one with a chance of about one in 2**64.

    Args:
        grids: `[levels, cells]`; the edge of each must be wall.
        height: of a level.
        workspace: `[2, cells]` to work in.
        keys: `[levels]` uint64, for the numbers.
    """
    width = grids.shape[1] // height
    for level in range(len(grids)):
        mark(grids[level], width, workspace)
        least = np.uint64(0xFFFFFFFFFFFFFFFF)
        for turn in range(8):
            least = min(least, digest(workspace[0], height, width, turn))
        keys[level] = least


@part
def mark(grid, width, workspace):
    """Writes into `workspace[0]` the level without its player, and marks where the player can walk."""
    waiting = 0
    for cell in range(len(grid)):
        tile = grid[cell]
        workspace[0, cell] = tile
        if tile in (PLAYER, PLAYER_ON_GOAL):
            workspace[0, cell] = (GOAL if tile == PLAYER_ON_GOAL else 0) + MARK
            workspace[1, 0] = cell
            waiting = 1
    while waiting > 0:
        waiting -= 1
        here = workspace[1, waiting]
        for step in (-width, width, -1, 1):
            there = here + step
            if workspace[0, there] == 0 or workspace[0, there] == GOAL:
                workspace[0, there] += MARK
                workspace[1, waiting] = there
                waiting += 1


@part
def digest(marks, height, width, turn):
    """Returns a number of the level as it looks turned and mirrored in one of eight ways."""
    flat = turn >= 4  # rows and columns change places
    rows, columns = (width, height) if flat else (height, width)
    number = np.uint64(rows * 1000 + columns)
    for row in range(rows):
        for column in range(columns):
            down, right = (column, row) if flat else (row, column)
            down = height - 1 - down if turn & 1 else down
            right = width - 1 - right if turn & 2 else right
            number = (number ^ np.uint64(marks[down * width + right])) * np.uint64(0x9E3779B97F4A7C15)
            number ^= number >> np.uint64(29)
    return number
