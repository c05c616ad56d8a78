"""From pushes to a solution that can be played: the player's steps in between, as LURD."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from levelsmith.core import Grid
from levelsmith.games.sokoban.rules.rules import STEPS, Cell, SokobanBoard

LETTERS = "udlr"  # by number of direction


def lurd(grid: Grid, pushes: Sequence[tuple[int, int]], border: int = 1) -> str:
    """Returns the solution made of pushes `(cell, direction)`, cells counted inside the border.

    Pushes of boxes that the level does not have are left out.
    """
    board = SokobanBoard(grid)
    width = board.width - 2 * border
    position = board.start
    moves = ""
    for cell, direction in pushes:
        box = (cell // width + border, cell % width + border)
        if box not in position.boxes:
            continue
        letter = LETTERS[direction]
        back = (box[0] - STEPS[letter][0], box[1] - STEPS[letter][1])
        for step in [*way(board, position.player, back, position.boxes), letter]:
            after = board.step(position, step)
            if after is None:
                raise AssertionError(f"the push {letter} of the box at {box} cannot be made")
            position = after
            moves += step
        moves = moves[:-1] + letter.upper()
    return moves


def way(board: SokobanBoard, start: Cell, end: Cell, boxes: frozenset[Cell]) -> list[str]:
    """Returns the fewest steps from one cell to another, around boxes."""
    came: dict[Cell, tuple[Cell, str] | None] = {start: None}
    queue = deque([start])
    while queue and end not in came:
        here = queue.popleft()
        for letter, (down, right) in STEPS.items():
            there = (here[0] + down, here[1] + right)
            if there not in came and there not in boxes and not board.is_wall(there):
                came[there] = (here, letter)
                queue.append(there)
    if end not in came:
        raise AssertionError(f"no way from {start} to {end}")
    steps: list[str] = []
    at = came[end]
    while at is not None:
        steps.append(at[1])
        at = came[at[0]]
    return steps[::-1]
