"""The rules of Dungeon: the shortest way by search, and any way step by step."""

from collections import deque
from typing import NamedTuple

import numpy as np

from levelsmith.plugin import LevelsmithError

FLOOR, WALL, HERO, KEY, DOOR, EXIT = range(6)
STEPS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}


def shortest(grid, with_key=True):
    """The shortest way from the hero to an exit, a letter a step; None where there is none."""
    height, width = grid.shape
    cells = grid.tolist()
    waiting = deque((int(y), int(x), False, "") for y, x in np.argwhere(grid == HERO)[:1])
    seen = {state[:3] for state in waiting}
    while waiting:
        y, x, has_key, way = waiting.popleft()
        if cells[y][x] == EXIT:
            return way
        for letter, (down, right) in STEPS.items():
            y2, x2 = y + down, x + right
            if not (0 <= y2 < height and 0 <= x2 < width):
                continue
            tile = cells[y2][x2]
            state = y2, x2, has_key or (with_key and tile == KEY)
            if tile != WALL and (tile != DOOR or has_key) and state not in seen:
                seen.add(state)
                waiting.append((*state, way + letter))
    return None


class Position(NamedTuple):
    """Where a game stands; it is never changed, a step makes another."""

    grid: np.ndarray
    has_key: bool
    under: int  # the tile that the hero stepped on


def begun(grid):
    """The position that a dungeon begins with."""
    heroes = (grid == HERO).sum()
    if heroes != 1:
        raise LevelsmithError(f"expected a dungeon with one hero, got {heroes}")
    return Position(grid, False, HERO)


def moved(position, letter):
    """The position after a step, or None where a wall, a locked door or the edge is in the way."""
    grid, has_key = position.grid.copy(), position.has_key
    y, x = np.argwhere(grid == HERO)[0]
    y2, x2 = y + STEPS[letter][0], x + STEPS[letter][1]
    if not (0 <= y2 < grid.shape[0] and 0 <= x2 < grid.shape[1]):
        return None
    tile = grid[y2, x2]
    if tile == WALL or (tile == DOOR and not has_key):
        return None
    grid[y, x], grid[y2, x2] = FLOOR, HERO
    return Position(grid, has_key or tile == KEY, tile)


def played(grid, moves):
    """The grid at the start and after each step, or an error that names the step that cannot be."""
    position = begun(grid.copy())
    frames = [position.grid]
    for number, letter in enumerate(moves, start=1):
        if letter not in STEPS or position.under == EXIT:
            raise LevelsmithError(f"step {number} ({letter}) is none: expected l, u, r or d until the exit")
        position = moved(position, letter)
        if position is None:
            raise LevelsmithError(f"step {number} ({letter}) runs into a wall, a locked door or the edge")
        frames.append(position.grid)
    if position.under != EXIT:
        raise LevelsmithError(f"after {len(moves)} steps the hero is not at the exit")
    return frames
