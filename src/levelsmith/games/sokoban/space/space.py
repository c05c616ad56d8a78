"""What the positions that can come up in a level say about it, exact where there is room for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level, Size
from levelsmith.games.kernels.walker import LOST, TINY, Graph, chance_of, steps_to_end
from levelsmith.games.sokoban.rules.rules import SokobanBoard
from levelsmith.games.sokoban.solver.kernels.maze import FAR, Maze, survey
from levelsmith.games.sokoban.solver.tables import Area, maze_of, workspace_of
from levelsmith.games.sokoban.space.kernels import positions as kernels
from levelsmith.registry import games

if TYPE_CHECKING:
    from levelsmith.games.sokoban.space.kernels.positions import Positions

ROOM = 50_000  # positions
KEPT = 4_096  # answers that are kept
EAGER, PATIENCE = 0.25, 300.0  # of a walker; chosen by hand: others agree with people about as well


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
        return max(TINY, float(chance_of(self.graph, self.steps, eager, patience)[0]))

    def _after(self, here: int) -> NDArray[np.int32]:
        return self.graph.to[self.graph.first[here] : self.graph.first[here + 1]]


class Told(NamedTuple):
    """What the positions of a level say about it."""

    chance: float  # that a walker solves it before he begins again
    lost_share: float
    floor: int  # cells that the player could walk to if there were no boxes


def told_by_positions(level: Level) -> Told | None:
    """Returns what the positions of a level say; None where it has too many, or cannot be solved."""
    return _told(level.grid.tobytes(), level.size)


@lru_cache(maxsize=KEPT)
def _told(cells: bytes, size: Size) -> Told | None:
    grid: Grid = np.frombuffer(cells, np.uint8).reshape(size)
    level = Level("sokoban", games.get("sokoban").tiles, grid)
    space = space_of(level)
    if space is None or space.steps[0] == LOST:
        return None
    return Told(space.chance(), space.lost_share, len(Area(SokobanBoard(grid)).cells))


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
        np.zeros(room + 1, np.int32),
        np.full(room + 1, kernels.NOBODY, np.int32),
        np.empty((room + 1, cells), np.int16),
        np.zeros(room + 2, np.int64),
        np.zeros(4 * boxes * (room + 1), np.int32),
        np.full(1 << (2 * room).bit_length(), kernels.NOBODY, np.int32),
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
    return Space(graph, *steps_to_end(graph), int(found.tally[kernels.DEAD]))
