"""The rules of Lode Runner, written to be read: where the runner stands, what a move does, what a plan is.

Every plan that levelsmith shows or writes was played by this book. It shares no code with the judge and the
agent, so that a mistake in one is seen by the other. Enemies stand still here and are in nobody's way;
`game.py` has those who chase. Hidden ladders are not there, as a plan ends with the last gold; a trap lets
fall who comes from above, and is a wall from everywhere else.

A plan has a letter a move: `l r u d` for steps of one cell (`d` also for each cell of a fall), `L R` for a
hole dug on that side, `.` for a wait of one tick. A step takes one tick, a dig `DIG_TICKS`; a hole is open
for `HOLE_TICKS` after the dig, then it fills, and a runner who is in it is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError, quoted

EMPTY, BRICK, SOLID, LADDER, ROPE, GOLD, ENEMY, PLAYER, TRAP, HIDDEN = range(10)
STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1), ".": (0, 0)}
DIGS = {"L": (1, -1), "R": (1, 1)}
SIDES = (6, 64)  # of a level, at least and at most
DIG_TICKS = 3
HOLE_TICKS = 35
Cell = tuple[int, int]  # (row, column)


@dataclass(frozen=True, slots=True)
class LodeRunnerState:
    """Where the runner is, the gold that is left, and the ticks for which each hole is open."""

    runner: Cell
    gold: frozenset[Cell]
    holes: dict[Cell, int] = field(default_factory=dict)
    ticks: int = 0  # since the start


class Blocked(Exception):  # noqa: N818 - it says what happened to the move
    """Why a move cannot be made, or what became of the runner."""


class LodeRunnerBoard:
    """The tiles of a level that stay, and the position that it starts from."""

    def __init__(self, grid: Grid):
        self.height, self.width = grid.shape
        self.tiles = np.where(np.isin(grid, (GOLD, ENEMY, PLAYER, HIDDEN)), EMPTY, grid).tolist()
        self.enemies = _cells(grid, ENEMY)
        players, gold = _cells(grid, PLAYER), _cells(grid, GOLD)
        if len(players) != 1:
            places = "; ".join(f"row {row + 1}, column {column + 1}" for row, column in players[:5])
            raise LevelsmithError(
                f"expected one player (M), got {len(players)} at {places}"
                if players
                else "expected one player (M), got none; "
                "levelsmith convert --spawn best puts one where most gold can be had"
            )
        if not gold:
            raise LevelsmithError("expected at least one piece of gold (G), got none")
        self.start = LodeRunnerState(players[0], frozenset(gold))

    def tile(self, cell: Cell) -> int:
        """Returns what lies outside is solid."""
        row, column = cell
        return self.tiles[row][column] if 0 <= row < self.height and 0 <= column < self.width else SOLID

    def is_hard(self, cell: Cell, position: LodeRunnerState) -> bool:
        tile = self.tile(cell)
        return tile == SOLID or (tile == BRICK and cell not in position.holes)

    def stands(self, position: LodeRunnerState) -> bool:
        """Tells whether the runner does not fall."""
        row, column = position.runner
        below = (row + 1, column)
        hangs = self.tile(position.runner) in (LADDER, ROPE)
        return hangs or self.tile(below) == LADDER or self.is_hard(below, position)

    def step(self, position: LodeRunnerState, move: str) -> LodeRunnerState:
        """Returns the position after a move; raises Blocked with the reason where there is none."""
        if move != "d" and not self.stands(position):
            raise Blocked("the runner falls, which is d")
        if move in DIGS:
            return self._aged(position, self._dug(position, move), DIG_TICKS)
        row, column = position.runner
        there = (row + STEPS[move][0], column + STEPS[move][1])
        if move == "u" and self.tile(position.runner) != LADDER:
            raise Blocked("no ladder leads up from here")
        if self.is_hard(there, position) or (move in "lru" and self.tile(there) == TRAP):
            raise Blocked("something hard is in the way")
        return self._aged(
            LodeRunnerState(there, position.gold - {there}, position.holes, position.ticks), None, 1
        )

    def _dug(self, position: LodeRunnerState, move: str) -> Cell:
        row, column = position.runner
        brick = (row + DIGS[move][0], column + DIGS[move][1])
        above = (brick[0] - 1, brick[1])
        if self.tile(brick) != BRICK or brick in position.holes:
            raise Blocked("no brick is there to dig")
        if above in position.gold:
            raise Blocked("gold lies on that brick")
        if self.tile(above) in (LADDER, ROPE, TRAP) or self.is_hard(above, position):
            raise Blocked("something lies on that brick")
        return brick

    def _aged(self, position: LodeRunnerState, dug: Cell | None, ticks: int) -> LodeRunnerState:
        """Returns the position some ticks later, with a hole that was dug meanwhile."""
        holes = {cell: left - ticks for cell, left in position.holes.items() if left > ticks}
        if position.runner in position.holes and position.runner not in holes:
            raise Blocked("the hole fills while the runner is in it")
        if dug is not None:
            holes[dug] = HOLE_TICKS
        return LodeRunnerState(position.runner, position.gold, holes, position.ticks + ticks)

    def play(self, plan: str) -> Iterator[LodeRunnerState]:
        """Yields the position after each move; one that cannot be made is named."""
        position = self.start
        for number, move in enumerate(plan, start=1):
            if move not in STEPS and move not in DIGS:
                raise LevelsmithError(
                    f"expected moves l r u d, digs L R and waits '.', got {quoted(move)} as move {number}"
                )
            try:
                position = self.step(position, move)
            except Blocked as reason:
                raise LevelsmithError(f"move {number} of the plan, {quoted(move)}: {reason}") from None
            yield position


def _cells(grid: Grid, tile: int) -> list[Cell]:
    rows, columns = (grid == tile).nonzero()
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def replay(level: Level, plan: str) -> list[LodeRunnerState]:
    """Returns the positions of a plan, the start first; raises LevelsmithError unless it collects all
    gold."""
    board = LodeRunnerBoard(level.grid)
    positions = [board.start, *board.play(plan)]
    left = positions[-1].gold
    if left:
        row, column = min(left)
        raise LevelsmithError(
            f"the plan leaves {len(left)} of {len(board.start.gold)} pieces of gold, "
            f"one at row {row + 1}, column {column + 1}"
        )
    return positions


def gold_order(positions: list[LodeRunnerState]) -> list[Cell]:
    """Returns the gold in the order it was collected."""
    return [cell for before, after in pairwise(positions) for cell in before.gold - after.gold]


def frames(level: Level) -> Iterator[Grid]:
    """Yields the grid at the start and after each move of the level's plan."""
    board = LodeRunnerBoard(level.grid)
    yield drawn(board, board.start)
    for position in board.play(level.solution or ""):
        yield drawn(board, position)


def drawn(board: LodeRunnerBoard, position: LodeRunnerState) -> Grid:
    """Returns a position as it is seen: holes as empty cells, traps as brick."""
    grid = np.array(board.tiles, np.uint8)
    grid[grid == TRAP] = BRICK
    for cell in board.enemies:
        grid[cell] = ENEMY
    for cell in position.holes:
        grid[cell] = EMPTY
    for cell in position.gold:
        grid[cell] = GOLD
    grid[position.runner] = PLAYER
    return grid
