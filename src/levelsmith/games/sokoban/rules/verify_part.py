"""Sokoban in the program that checks a dataset without levelsmith: its rules, and what levels alike share."""

from __future__ import annotations

from collections.abc import Callable

from levelsmith.levels.dataset.verify import WORD, Fault, Rows, turned

WALL, BOX, GOAL, BOX_ON_GOAL, PLAYER, PLAYER_ON_GOAL = range(1, 7)  # tiles; 0 is floor


def play(grid: Rows, moves: str) -> None:
    """Raises Fault unless the moves, capitals for pushes, bring every box to a goal. grid: rows of tiles."""
    width = len(grid[0]) + 1  # one more cell of wall keeps the end of a row from the begin of the next
    flat = [WALL] * width
    for row in grid:
        flat += [*row, WALL]
    flat += [WALL] * width
    boxes = {i for i, tile in enumerate(flat) if tile in (BOX, BOX_ON_GOAL)}
    goals = {i for i, tile in enumerate(flat) if tile in (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL)}
    players = [i for i, tile in enumerate(flat) if tile in (PLAYER, PLAYER_ON_GOAL)]
    if len(players) != 1 or not boxes or len(boxes) != len(goals):
        raise Fault(f"it has {len(players)} players, {len(boxes)} boxes and {len(goals)} goals")
    steps, here = {"u": -width, "d": width, "l": -1, "r": 1}, players[0]
    for number, letter in enumerate(moves, 1):
        step = steps.get(letter.lower())
        if step is None:
            raise Fault(f"move {number}, {letter!r}, is none of u d l r U D L R")
        here += step
        if flat[here] == WALL:
            raise Fault(f"move {number}, {letter!r}, goes into a wall")
        if (here in boxes) != letter.isupper():
            raise Fault(f"move {number}, {letter!r}, {'pushes nothing' if letter.isupper() else 'is a push'}")
        if letter.isupper():
            if flat[here + step] == WALL or here + step in boxes:
                raise Fault(f"move {number}, {letter!r}, pushes a box into something")
            boxes.remove(here)
            boxes.add(here + step)
    if boxes != goals:
        raise Fault(f"the solution leaves {len(boxes - goals)} boxes off the goals")


def counts_of(solution: str) -> dict[str, int]:
    """Returns the moves of a solution, and its pushes."""
    return {"moves": len(solution), "pushes": sum(letter.isupper() for letter in solution)}


def key_of(grid: Rows) -> int:
    """Returns the number of a level that turning, mirroring, moving and walking about leave as it is.

    What the player can never get to counts as wall, and walls around the level do not count.
    """
    width = len(grid[0]) + 2
    flat = [WALL] * width
    for row in grid:
        flat += [WALL, *row, WALL]
    flat += [WALL] * width
    player = next(i for i, tile in enumerate(flat) if tile in (PLAYER, PLAYER_ON_GOAL))
    inside = flood(player, width, lambda cell: flat[cell] != WALL)
    flat = [WALL if i not in inside and tile in (0, BOX_ON_GOAL) else tile for i, tile in enumerate(flat)]
    flat[player] = GOAL if flat[player] == PLAYER_ON_GOAL else 0
    for cell in flood(player, width, lambda cell: flat[cell] in (0, GOAL)):
        flat[cell] += 6
    filled = [i for i, tile in enumerate(flat) if tile != WALL]
    top, bottom = min(filled) // width - 1, max(filled) // width + 2
    columns = {i % width for i in filled}
    left, right = min(columns) - 1, max(columns) + 2
    rows = [flat[row * width + left : row * width + right] for row in range(top, bottom)]
    return min(map(mixed, turned(rows)))


def flood(start: int, width: int, is_open: Callable[[int], bool]) -> set[int]:
    """Returns the cells that can be walked to through open ones."""
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for there in (here - width, here + width, here - 1, here + 1):
            if there not in seen and is_open(there):
                seen.add(there)
                waiting.append(there)
    return seen


def mixed(rows: Rows) -> int:
    """Returns a number of rows as they stand."""
    number = len(rows) * 1000 + len(rows[0])
    for row in rows:
        for mark in row:
            number = ((number ^ mark) * 0x9E3779B97F4A7C15) & WORD
            number ^= number >> 29
    return number
