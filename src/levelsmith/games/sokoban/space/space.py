"""What the positions that can come up in a level say about it, exact where there is room for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level
from levelsmith.games.sokoban.rules.rules import SokobanBoard
from levelsmith.games.sokoban.solver.kernels.maze import FAR, Maze, survey
from levelsmith.games.sokoban.solver.tables import Area, maze_of, workspace_of
from levelsmith.games.sokoban.space.kernels import positions as kernels
from levelsmith.kernels.walker import LOST, TINY, Graph, look_back, walk

if TYPE_CHECKING:
    from levelsmith.games.sokoban.space.kernels.positions import Positions

ROOM = 50_000  # positions
EAGER, PATIENCE = 0.5, 100.0  # of a walker
ROUNDS = 3_000


@dataclass(frozen=True)
class Space:
    """The positions that pushes lead to, and the pushes between them, without those onto dead squares."""

    graph: Graph
    steps: NDArray[np.int32]  # [positions] pushes to a solution, or LOST
    ways: NDArray[np.float64]  # [positions] shortest solutions
    dead: int  # pushes onto dead squares

    @property
    def lost_share(self) -> float:
        """The share of the positions from which the level can no longer be solved."""
        return float((self.steps == LOST).mean())

    @property
    def solutions(self) -> float:
        """In how many orders of pushes the level can be solved with the fewest."""
        return float(self.ways[0])

    @property
    def safe_pushes(self) -> int:
        """How many pushes can be made before the first that can lose; all, where none can."""
        here, made = {0}, 0
        seen = set(here)
        while here:
            after = {int(there) for each in here for there in self._after(each)}
            if any(self.steps[there] == LOST for there in after):
                return made
            here, made = after - seen, made + 1
            seen |= here
        return made

    @property
    def narrow(self) -> int:
        """The longest stretch of a shortest solution in which at every push all others lose."""
        here, stretch, longest = 0, 0, 0
        while self.steps[here] > 0:
            after = self._after(here)
            kept = after[self.steps[after] != LOST]
            if len(after) > 1:
                stretch = stretch + 1 if len(set(kept.tolist())) == 1 else 0
            longest = max(longest, stretch)
            here = int(kept[np.argmin(self.steps[kept])])
        return longest

    def chance(self, eager: float = EAGER, patience: float = PATIENCE) -> float:
        """Returns how likely a walker is to solve the level before he begins again; see `kernels.walker`."""
        graph = self.graph
        chances = np.zeros(len(graph.ended))
        walk(graph, self.steps, eager, patience, ROUNDS, np.zeros(len(graph.to)), chances)
        return max(TINY, float(chances[0]))

    def _after(self, here: int) -> NDArray[np.int32]:
        return self.graph.to[self.graph.first[here] : self.graph.first[here + 1]]


def space_of(level: Level, room: int = ROOM) -> Space | None:
    """Returns the space of a level; None where it has more positions than `room`."""
    area = Area(SokobanBoard(level.grid))
    maze = maze_of(area)
    survey(maze, workspace_of(area), False)
    found = make_positions(area, room)
    if not kernels.explore(maze, found, area.player):
        return None
    return _looked_back(maze, found, area.strays > 0 or len(area.boxes) != len(area.goals))


def make_positions(area: Area, room: int) -> Positions:
    cells, boxes = len(area.cells), len(area.boxes)
    made = kernels.Positions(
        np.zeros((room + 1, boxes), np.int16),
        np.zeros(room + 1, np.int16),
        np.zeros(room + 2, np.int64),
        np.zeros(4 * boxes * (room + 1), np.int32),
        np.full(1 << (2 * room).bit_length(), kernels.NOBODY, np.int32),
        np.zeros(cells + 1, np.uint8),
        np.zeros((2, cells + 1), np.int64),
        np.zeros(cells, np.int32),
        np.zeros(kernels.TALLIES, np.int64),
    )
    made.boxes[0] = area.boxes
    return made


def _looked_back(maze: Maze, found: Positions, hopeless: bool) -> Space:
    states, pushes = int(found.tally[kernels.FOUND]), int(found.tally[kernels.PUSHES])
    boxes = found.boxes[:states]
    nearest = maze.distance.min(axis=(1, 2), initial=FAR)
    graph = Graph(
        found.first[: states + 1],
        found.to[:pushes],
        nearest[boxes].sum(axis=1, dtype=np.float64),
        np.min(maze.on_goal[boxes], axis=1, initial=not hopeless),
    )
    steps, ways = np.zeros(states, np.int32), np.zeros(states)
    count, back, queue = (np.zeros(n, np.int64) for n in (states + 1, pushes, states))
    look_back(graph, steps, ways, count, back, queue)
    return Space(graph, steps, ways, int(found.tally[kernels.DEAD]))
