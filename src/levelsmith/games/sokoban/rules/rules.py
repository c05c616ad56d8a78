"""The rules of Sokoban, written to be read: what a board must be, what a move does, what a solution is.

Every solution that levelsmith shows or writes was played by this book. It shares no code with the generators
and the solver, so that a mistake in one is seen by the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError, amount, quoted
from levelsmith.games.sokoban.rules.kernels.tiles import (
    BOX,
    BOX_ON_GOAL,
    FLOOR,
    GOAL,
    PLAYER,
    PLAYER_ON_GOAL,
    WALL,
)

STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
Cell = tuple[int, int]  # (row, column)


@dataclass(frozen=True, slots=True)
class SokobanState:
    """Where the player and the boxes are; walls and goals belong to the level."""

    player: Cell
    boxes: frozenset[Cell]


class SokobanBoard:
    """The walls and goals of a level, and the position that it starts from."""

    def __init__(self, grid: Grid):
        self.height, self.width = grid.shape
        self.walls = cells_of(grid, WALL)
        self.goals = cells_of(grid, GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL)
        players = cells_of(grid, PLAYER, PLAYER_ON_GOAL)
        boxes = cells_of(grid, BOX, BOX_ON_GOAL)
        if len(players) != 1:
            raise LevelsmithError(f"expected one player, got {len(players)}")
        if len(boxes) != len(self.goals):
            raise LevelsmithError(_uneven(len(boxes), len(self.goals)))
        self.start = SokobanState(next(iter(players)), boxes)

    def is_wall(self, cell: Cell) -> bool:
        """Returns what lies outside is wall."""
        inside = 0 <= cell[0] < self.height and 0 <= cell[1] < self.width
        return not inside or cell in self.walls

    def is_solved(self, position: SokobanState) -> bool:
        return position.boxes == self.goals

    def step(self, position: SokobanState, move: str) -> SokobanState | None:
        """Returns the position after a move, or None where a wall or a second box is in the way."""
        there = _beside(position.player, move)
        if self.is_wall(there):
            return None
        if there not in position.boxes:
            return SokobanState(there, position.boxes)
        beyond = _beside(there, move)
        if self.is_wall(beyond) or beyond in position.boxes:
            return None
        return SokobanState(there, position.boxes - {there} | {beyond})

    def play(self, moves: str) -> Iterator[tuple[str, SokobanState]]:
        """Yields the moves one by one, pushes as capitals, with the position after each; a blocked one is
        named."""
        position = self.start
        for number, letter in enumerate(moves, start=1):
            move = letter.lower()
            if move not in STEPS:
                raise LevelsmithError(
                    f"expected moves u d l r (capitals for pushes), got {quoted(letter)} as move {number}"
                )
            after = self.step(position, move)
            if after is None:
                raise LevelsmithError(f"move {number} of the solution, {quoted(letter)}, is blocked")
            yield (move.upper() if after.boxes != position.boxes else move), after
            position = after


def region(board: SokobanBoard, position: SokobanState) -> set[Cell]:
    """Returns where the player can walk without a push."""
    seen, waiting = {position.player}, [position.player]
    while waiting:
        row, column = waiting.pop()
        for down, right in STEPS.values():
            there = (row + down, column + right)
            if there not in seen and there not in position.boxes and not board.is_wall(there):
                seen.add(there)
                waiting.append(there)
    return seen


def reachable(board: SokobanBoard) -> set[Cell]:
    """Returns the cells that the player could walk to if there were no boxes."""
    return region(board, SokobanState(board.start.player, frozenset()))


def check(grid: Grid) -> None:
    """Raises LevelsmithError, with the reason, for a grid that is no level.

    A box on a goal at the edge of the grid closes it as a wall does (SOK has such): nobody gets behind it.
    """
    board = SokobanBoard(grid)
    seen, waiting = {board.start.player}, [board.start.player]
    while waiting:  # walks everywhere that walls let it, through boxes
        row, column = waiting.pop()
        if row in (0, board.height - 1) or column in (0, board.width - 1):
            raise LevelsmithError(f"the wall is open at row {row + 1}, column {column + 1}")
        for move in STEPS:
            there = _beside((row, column), move)
            edge = there[0] in (0, board.height - 1) or there[1] in (0, board.width - 1)
            fixed = edge and there in board.start.boxes and there in board.goals
            if there not in seen and not board.is_wall(there) and not fixed:
                seen.add(there)
                waiting.append(there)


def cells_of(grid: Grid, *tiles: int) -> frozenset[Cell]:
    wanted = np.zeros(256, np.bool_)
    wanted[list(tiles)] = True
    rows, columns = wanted[grid].nonzero()
    return frozenset(zip(rows.tolist(), columns.tolist(), strict=True))


def _uneven(boxes: int, goals: int) -> str:
    """Returns what is wrong with so many boxes and goals, and what to do: 3 boxes but 2 goals: add a goal."""
    lacking, more = ("goal", boxes - goals) if boxes > goals else ("box", goals - boxes)
    added = f"a {lacking}" if more == 1 else amount(more, lacking)
    return f"{amount(boxes, 'box')} but {amount(goals, 'goal')}: add {added}"


def _beside(cell: Cell, move: str) -> Cell:
    return cell[0] + STEPS[move][0], cell[1] + STEPS[move][1]


def replay(level: Level, solution: str) -> str:
    """Returns the solution as it was played, with capitals for pushes; raises LevelsmithError unless it
    solves."""
    board = SokobanBoard(level.grid)
    played, position = [], board.start
    for move, after in board.play(solution):
        played.append(move)
        position = after
    if not board.is_solved(position):
        left = len(position.boxes - board.goals)
        raise LevelsmithError(f"the solution leaves {left} box{'es' if left != 1 else ''} off the goals")
    return "".join(played)


def pairs(level: Level) -> list[tuple[Cell, Cell]]:
    """Returns where each box starts and where the level's solution leaves it."""
    board = SokobanBoard(level.grid)
    origin = {box: box for box in board.start.boxes}  # by where it is now
    before = board.start
    for _, after in board.play(level.solution or ""):
        for left, reached in zip(before.boxes - after.boxes, after.boxes - before.boxes, strict=True):
            origin[reached] = origin.pop(left)
        before = after
    return sorted((start, now) for now, start in origin.items())


def frames(level: Level) -> Iterator[Grid]:
    """Yields the grid at the start and after each move of the level's solution."""
    board = SokobanBoard(level.grid)
    yield level.grid
    for _, position in board.play(level.solution or ""):
        yield drawn(board, position)


def marked(board: SokobanBoard) -> Grid:
    """Returns the level with all cells that the player can walk to marked, instead of the one it starts
    from."""
    grid = drawn(board, board.start)
    grid[board.start.player] = GOAL if board.start.player in board.goals else FLOOR
    for cell in region(board, board.start):
        grid[cell] += PLAYER_ON_GOAL
    return grid


def drawn(board: SokobanBoard, position: SokobanState) -> Grid:
    """Returns a position as a grid."""
    grid = np.full((board.height, board.width), FLOOR, np.uint8)
    for cell in board.walls:
        grid[cell] = WALL
    for cell in board.goals:
        grid[cell] = GOAL
    for cell in position.boxes:
        grid[cell] = BOX_ON_GOAL if cell in board.goals else BOX
    grid[position.player] = PLAYER_ON_GOAL if position.player in board.goals else PLAYER
    return grid
