"""All starts of a plan: every position that can be solved, met by pulls from the goals, nearest first.

So the fewest pushes of each are known, and of one that is chosen the fewest moves, without a solver.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Size
from levelsmith.games.sokoban.rules.kernels import board as boards
from levelsmith.games.sokoban.rules.rules import Cell
from levelsmith.games.sokoban.solver.kernels import pulls, strolls
from levelsmith.games.sokoban.warehouse.plan import Plan, Start
from levelsmith.kernels.bits import from_members, to_members

MOST_SETS = 8_000_000  # of boxes on a plan: with more of them, those that are met lie near the goals
MOST_MET = 200_000  # positions
LONGEST = 1_000  # pushes of a solution
MOST_BOXES = 16


Push = tuple[Cell, int]  # the cell of a box, and the number of a direction


class Workspace(NamedTuple):
    board: Any  # rules.kernels.board.Board
    pulls: Any  # solver.kernels.pulls.Pulls
    strolls: Any  # solver.kernels.strolls.Strolls
    path: NDArray[np.uint16]  # [LONGEST]


def make_workspace(size: Size) -> Workspace:
    """Returns a workspace for plans of a size. Whoever makes a level has one of his own."""
    return Workspace(
        boards.make(size),
        pulls.make(size, MOST_BOXES, MOST_MET),
        strolls.make(size, MOST_MET),
        np.zeros(LONGEST, np.uint16),
    )


def can_be_met(plan: Plan, size: Size) -> bool:
    """Tells whether a plan has so few starts that all are met, or at least those that are not too easy."""
    return boards.fits(size) and has_few_starts(int(plan.floor.sum()), len(plan.goals))


def has_few_starts(cells: int, boxes: int) -> bool:
    """Tells whether so many boxes can stand on so many cells in few enough ways."""
    return math.comb(cells, boxes) <= MOST_SETS


class Starts:
    """The positions of a plan by the pushes that they take, those with so many boxes on goals.

    They lie in a workspace that the next plan of the same level takes over.

    Args:
        plan: of a size, or smaller.
        size: that of the workspace.
        workspace: of the level that is being made.
        on_goals: boxes that stand on goals.
        picture: whether to keep those alone that are the same from left to right.
    """

    last: int | None = None  # column of a plan in whose middle the player had better stand

    def __init__(
        self, plan: Plan, size: Size, workspace: Workspace, on_goals: int = 0, picture: bool = False
    ):
        self.width, self.workspace = size[1], workspace
        if picture:
            self.last = plan.floor.shape[1] - 1
        inside, on = self.laid_out(plan, size)
        self.walls, goals = from_members(np.flatnonzero(~inside), inside.size), from_members(on, inside.size)
        met = self.workspace.pulls
        pulls.explore(self.workspace.board, met, self.walls, goals, LONGEST, True)
        number, words = int(met.found[pulls.STATES]), len(self.walls)
        boxes = met.positions[: 2 * words * number].reshape(number, 2 * words)[:, :words]
        many = _cells(boxes & np.array(tuple(goals), np.uint64), size).sum(axis=(1, 2))
        self.states = np.flatnonzero(many == on_goals)
        if picture:
            side = _cells(boxes[self.states], size)[:, :, : plan.floor.shape[1] - 2]
            self.states = self.states[(side == side[:, :, ::-1]).all(axis=(1, 2))]
        self.depths = met.depth[self.states]  # in order

    def laid_out(self, plan: Plan, size: Size) -> tuple[NDArray[np.bool_], list[int]]:
        """Returns the floor of a plan in the corner of a board of a size, and its goals by number."""
        inside = np.zeros(size, np.bool_)
        height, width = plan.floor.shape[0] - 2, plan.floor.shape[1] - 2
        inside[:height, :width] = plan.floor[1:-1, 1:-1]
        return inside, [self.number(goal) for goal in plan.goals]

    def of_depth(self, least: int, most: int) -> NDArray[np.int64]:
        """Returns the positions that take so many pushes, from the least to the most."""
        first, last = np.searchsorted(self.depths, (least, most + 1))
        return self.states[first:last]

    def start(self, state: int, choice: float) -> Start:
        """Returns a position as a start; a number below 1 chooses where the player stands."""
        boxes, region = self.members(state)
        cells = [self.cell(cell) for cell in region]
        middle = [cell for cell in cells if 2 * cell[1] == self.last] if self.last is not None else []
        cells = middle or cells
        return Start([self.cell(box) for box in boxes], cells[int(choice * len(cells))])

    def members(self, state: int) -> tuple[Sequence[int], Sequence[int]]:
        """Returns the cells with a box, and those that the player can be on."""
        met = self.workspace.pulls
        boxes, region = pulls.boxes_of(met, self.walls, state), pulls.region_of(met, self.walls, state)
        return to_members(boxes), to_members(region)

    def pushes(self, state: int, start: Start) -> list[Push] | None:
        """Returns the pushes of a shortest solution with the fewest moves, each a cell and a direction; None
        where that would take too long."""
        board, met, strolled, path = self.workspace
        player = self.number(start.player)
        if not strolls.fewest_moves(board, met, strolled, self.walls, state, player, path):
            return None
        made = path[: int(met.depth[state])].tolist()
        return [(self.cell(push >> 2), push & 3) for push in made]

    def cell(self, number: int) -> Cell:
        return int(number) // self.width + 1, int(number) % self.width + 1

    def number(self, cell: Cell) -> int:
        return (cell[0] - 1) * self.width + cell[1] - 1


def _cells(sets: NDArray[np.uint64], size: Size) -> NDArray[np.uint8]:
    """Returns sets of cells `[N, words]` as boards `[N, H, W]`, 1 where a cell is in the set."""
    flat = np.unpackbits(np.ascontiguousarray(sets).astype("<u8").view(np.uint8), axis=1, bitorder="little")
    return flat[:, : size[0] * size[1]].reshape(-1, *size)
