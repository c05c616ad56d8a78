"""The rules of Dungeon: the shortest way by search, and any way step by step."""

from collections import deque

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


def played(grid, moves):
    """The grid at the start and after each step, or an error that names the step that cannot be."""
    frames, has_key, tile = [grid.copy()], False, HERO
    for number, letter in enumerate(moves, start=1):
        here = frames[-1].copy()
        step = STEPS.get(letter)
        if step is None or tile == EXIT:
            raise LevelsmithError(f"step {number} ({letter}) is none: expected l, u, r or d until the exit")
        (y, x), *others = np.argwhere(here == HERO)
        here[y, x] = FLOOR
        y, x = y + step[0], x + step[1]
        if others or not (0 <= y < here.shape[0] and 0 <= x < here.shape[1]):
            raise LevelsmithError(f"step {number} ({letter}) leaves the dungeon")
        tile = here[y, x]
        if tile == WALL or (tile == DOOR and not has_key):
            raise LevelsmithError(f"step {number} ({letter}) runs into a wall or a locked door")
        has_key = has_key or tile == KEY
        here[y, x] = HERO
        frames.append(here)
    if tile != EXIT:
        raise LevelsmithError(f"after {len(moves)} steps the hero is not at the exit")
    return frames
