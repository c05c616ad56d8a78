"""The search that takes a box all the way in one step, for levels where single pushes do not get far."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.solver.hunt import Hunt, PreparedLevel
from levelsmith.games.sokoban.solver.kernels.corrals import KEPT
from levelsmith.games.sokoban.solver.kernels.macro import (
    BUCKETS,
    FEATURES,
    SLOTS,
    WAYS,
    MacroWorkspace,
    begin_macro,
    search_macro,
    write_way,
)
from levelsmith.games.sokoban.solver.kernels.maze import NOWHERE, Maze
from levelsmith.games.sokoban.solver.kernels.search import BEST_FIRST, GOAL_STATE, PARENT
from levelsmith.games.sokoban.solver.tables import corrals_of

MOST_WAYS = 400  # of one box that are tried in one expansion
LEAST_WAYS = 4  # every single push
WORK = 20_000_000  # rough number of instructions for one expansion
MOST_CELLS = 20_000  # of a level, so that two cells and a direction make one number
PORTION = 20_000  # ways of boxes
PORTION_WORK = 100_000_000  # rough number of instructions that a kernel may go without looking up


def narrow_ways(maze: Maze) -> NDArray[np.uint8]:
    """Marks the cells, goals apart, that have a wall on either side."""
    cells = len(maze.part_of)
    wall = maze.beside == cells
    narrow = (wall[:, 0] & wall[:, 1]) | (wall[:, 2] & wall[:, 3])
    return np.asarray(narrow & (maze.on_goal == 0), np.uint8)


class MacroHunt(Hunt):
    """A search by whole ways of a box.

    Args:
        field: the level.
        behind: a state waits in the cell of the one it was found from, and boxes in narrow ways are a
            feature.
        share: it may use one part in so many of the memory.
    """

    def __init__(self, field: PreparedLevel, behind: bool, share: int = 1):
        boxes, cells = len(field.area.boxes), len(field.area.cells)
        each = WORK // (max(boxes, 1) * (8 * cells + boxes**2))
        self.most = max(LEAST_WAYS, min(MOST_WAYS, each, 4 * cells))
        super().__init__(field, BEST_FIRST, (50, 0, 0), share=share)
        self.macro = MacroWorkspace(
            np.array([0, 0, 0, 0, behind], np.int64),
            narrow_ways(self.maze) if behind else np.zeros(cells + 1, np.uint8),
            np.full(FEATURES, NOWHERE, np.int32),
            np.full((SLOTS, BUCKETS), NOWHERE, np.int32),
            np.full(SLOTS, BUCKETS, np.int32),
            np.zeros(4 * cells, np.int64),
            np.empty(4 * cells, np.int32),
            np.empty(4 * cells, np.int32),
            np.empty(4 * cells, np.int32),
            np.empty(4 * cells, np.int32),
            np.empty(self.children + 1, np.int32),
            np.empty((self.children + 1, WAYS), np.int32),
        )
        self.corrals = corrals_of(field.area)
        if self.begun:
            begin_macro(self.maze, self.store, self.workspace, self.macro)

    def _table_bytes(self) -> int:
        words = len(self.workspace.boxes)
        return 4 * (FEATURES + SLOTS * BUCKETS) + KEPT * (8 * words + 17) + 28 * self.children

    def _most_children(self) -> int:
        return len(self.workspace.at) * self.most

    def _search(self, portion: int) -> int:
        ways = min(PORTION, portion * self.children + 1, PORTION_WORK // (16 * len(self.maze.part_of)) + 1)
        return search_macro(self.maze, self.store, self.workspace, self.macro, self.corrals, self.most, ways)  # type: ignore[no-any-return]

    def way(self) -> list[int]:
        cells = len(self.maze.part_of)
        state, found = int(self.tally[GOAL_STATE]), []
        pushes = np.empty(4 * cells, np.int64)
        while self.store.nodes[state, PARENT] >= 0:
            number = write_way(self.maze, self.store, self.workspace, self.macro, state, 4 * cells, pushes)
            found += pushes[:number].tolist()
            state = int(self.store.nodes[state, PARENT])
        return found[::-1]
