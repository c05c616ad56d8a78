"""What the solver's kernels work on: the cells of a level by number, and tables that grow with the search."""

from __future__ import annotations

from copy import copy

import numpy as np

from levelsmith.games.sokoban.rules.rules import STEPS, Cell, SokobanBoard, reachable
from levelsmith.games.sokoban.solver.kernels.corrals import KEPT, MOST_POSITIONS, Corrals
from levelsmith.games.sokoban.solver.kernels.matching import MOST_MATCHED
from levelsmith.games.sokoban.solver.kernels.maze import NOWHERE, Maze
from levelsmith.games.sokoban.solver.kernels.search import PLACES, SolverWorkspace, StateTable

FIRST_ROOM = 1 << 12  # states
GROWTH = 4
NODE_COLUMNS = 8


class Area:
    """The cells that the player could reach if there were no boxes, numbered in reading order."""

    def __init__(self, board: SokobanBoard):
        seen = reachable(board)
        self.cells: list[Cell] = sorted(seen)
        self.number = {cell: i for i, cell in enumerate(self.cells)}
        self.player = self.number[board.start.player]
        self.boxes = sorted(self.number[box] for box in board.start.boxes & seen)
        self.goals = sorted(self.number[goal] for goal in board.goals & seen)
        self.strays = len(board.start.boxes - board.goals - seen)  # boxes off the goals that nobody can reach

    def turned(self) -> Area:
        """Returns the same cells with boxes and goals exchanged, for a search by pulls."""
        other = copy(self)
        other.boxes, other.goals = self.goals, self.boxes
        return other

    def bytes(self) -> int:
        """Returns how much memory the tables of its maze take."""
        cells = len(self.cells)
        return cells * cells + 8 * cells * len(self.goals) + 60 * cells


def maze_of(area: Area) -> Maze:
    """Returns the maze with its tables still empty."""
    cells, number = len(area.cells), area.number
    beside = np.full((cells + 1, 4), cells, np.int32)
    for i, (row, column) in enumerate(area.cells):
        beside[i] = [number.get((row + down, column + right), cells) for down, right in STEPS.values()]
    on_goal = np.zeros(cells + 1, np.uint8)
    on_goal[area.goals] = 1
    return Maze(
        beside,
        np.array(area.goals, np.int32),
        on_goal,
        np.empty((cells, cells), np.uint8),
        np.empty((cells, 4, len(area.goals)), np.uint16),
        np.empty((cells, 4), np.uint8),
        np.zeros(cells + 1, np.int32),
    )


def workspace_of(area: Area) -> SolverWorkspace:
    cells, boxes = len(area.cells), len(area.boxes)
    matched = boxes if boxes <= MOST_MATCHED else 1
    return SolverWorkspace(
        np.zeros(PLACES, np.int64),
        np.zeros(-(-cells // 64), np.uint64),
        np.array(area.boxes, np.int32),
        np.zeros(cells + 1, np.uint8),
        np.zeros(cells + 1, np.uint8),
        np.full(cells + 1, NOWHERE, np.int32),
        np.zeros(cells + 1, np.int32),
        np.zeros(cells + 1, np.int64),
        np.empty(4 * cells, np.int32),
        np.zeros((3, cells + 2), np.uint8),
        np.empty((matched, matched), np.int32),
        np.empty(boxes, np.int32),
        np.zeros((8, boxes + 1), np.int32),
    )


def corrals_of(area: Area) -> Corrals:
    words, boxes = -(-len(area.cells) // 64), len(area.boxes)
    return Corrals(
        np.zeros(2, np.int64),
        np.empty((KEPT, words), np.uint64),
        np.empty(KEPT, np.int64),
        np.empty(KEPT, np.uint8),
        np.full(2 * KEPT, NOWHERE, np.int32),
        np.empty(boxes, np.int32),
        np.empty((MOST_POSITIONS + 1, words), np.uint64),
        np.empty(MOST_POSITIONS + 1, np.int32),
        np.empty(4096, np.int32),
        np.empty(words, np.uint64),
    )


def store_of(words: int, priorities: int, room: int = FIRST_ROOM) -> StateTable:
    """Returns an empty store; memory that no state has come to costs nothing."""
    slots = 1 << (2 * room - 1).bit_length()  # a power of two, at least half of them free
    return StateTable(
        np.empty((room, words), np.uint64),
        np.empty((room, NODE_COLUMNS), np.int32),
        np.full(slots, NOWHERE, np.int32),
        np.full(priorities, NOWHERE, np.int32),
    )


def store_bytes(words: int, room: int) -> int:
    """At most, with the table that a room just above a power of two needs."""
    return room * (8 * words + 4 * NODE_COLUMNS + 16)


def grown(store: StateTable, states: int, room: int) -> StateTable:
    """Returns the same states with more room; its table is still empty."""
    larger = store_of(store.boxes.shape[1], 1, room)
    larger.boxes[:states] = store.boxes[:states]
    larger.nodes[:states] = store.nodes[:states]
    return larger._replace(heads=store.heads)
