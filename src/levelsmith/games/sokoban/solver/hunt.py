"""One search for a solution of a Sokoban level, run a portion at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from levelsmith.core import Level
from levelsmith.games.sokoban.rules.rules import SokobanBoard
from levelsmith.games.sokoban.solver.kernels.maze import NOWHERE, survey
from levelsmith.games.sokoban.solver.kernels.order import order_goals
from levelsmith.games.sokoban.solver.kernels.search import (
    BEST_FIRST,
    BOUND,
    BY_MOVES,
    DROPPED,
    EARLY_WEIGHT,
    EXHAUSTED,
    FOUND,
    FULL,
    GOAL_STATE,
    GOING_ON,
    HOME,
    KIND,
    LABEL,
    LEFT,
    LOWEST,
    PARENT,
    PUSH,
    PUSHES,
    SHUT_WEIGHT,
    STATES,
    WEIGHT,
    WIDTH,
    begin,
    rehash,
    search,
    write_moves,
)
from levelsmith.games.sokoban.solver.tables import (
    FIRST_ROOM,
    GROWTH,
    Area,
    grown,
    maze_of,
    store_bytes,
    store_of,
    workspace_of,
)
from levelsmith.levels.spending import SolverLimit, Spending

FIRST_PORTION = 64  # expansions
LARGEST_PORTION = 20_000
WORK = 20_000_000  # rough number of instructions that a kernel may go without looking up
ORDER_WORK = 100_000_000  # the same for the order of the goals
PRIORITIES = 1 << 14
LETTERS = "udlrUDLR"


class PreparedLevel:
    """A level made ready for the kernels: to be searched by pushes, or turned round, by pulls."""

    def __init__(self, area: Area, clock: Spending, room: int, pulls: bool = False):
        self.area, self.clock, self.pulls = area, clock, pulls
        self.hopeless = area.strays > 0 or len(area.boxes) != len(area.goals)
        self.room = room - area.bytes()  # bytes left for states
        if self.room < 0:
            raise SolverLimit("memory")
        self.maze = maze_of(area)
        survey(self.maze, workspace_of(area), pulls)

    def turned(self) -> PreparedLevel:
        return PreparedLevel(self.area.turned(), self.clock, self.room, pulls=True)

    def order_goals(self) -> None:
        """Ranks the goals by when they had better be filled."""
        around = 4 * len(self.area.cells)
        seen, reached = np.zeros(around, np.int64), np.empty(around, np.int32)
        starts, most = np.empty(len(self.area.goals), np.int32), ORDER_WORK // (2 * around)
        order_goals(self.maze, workspace_of(self.area), seen, reached, starts, most)

    def lurd(self, pushes: Sequence[int]) -> str:
        """Returns the moves of a solution, by the shortest way from push to push."""
        moves = np.empty(len(pushes) * len(self.area.cells) + 1, np.uint8)
        number = write_moves(
            self.maze, workspace_of(self.area), np.array(pushes, np.int64), self.area.player, moves
        )
        return "".join(LETTERS[move] for move in moves[:number].tolist())


def field_of(level: Level, clock: Spending) -> PreparedLevel:
    return PreparedLevel(Area(SokobanBoard(level.grid)), clock, clock.effort.memory)


class Hunt:
    """One search from the start of a level: best first, or through all shortest solutions.

    Args:
        field: the level.
        kind: one of the kernels' kinds of search.
        weights: of the lower bound, of cells shut off from the player, and of goals filled too early.
        bound: the fewest pushes, for the kinds that go through all shortest solutions.
        share: it may use one part in so many of the memory.
        home: of a search by pulls, the first cell that the player can walk to at the start of the level.
        width: of a search for the fewest moves, after each push, how many states are gone on with, those with
            the fewest moves; 0 for all.
    """

    def __init__(
        self,
        field: PreparedLevel,
        kind: int,
        weights: tuple[int, int, int] = (1, 0, 0),
        bound: int = 0,
        share: int = 1,
        home: int = NOWHERE,
        width: int = 0,
    ):
        self.clock, self.maze, self.workspace = field.clock, field.maze, workspace_of(field.area)
        self.tally = self.workspace.tally
        self.tally[[KIND, WEIGHT, SHUT_WEIGHT, EARLY_WEIGHT, BOUND, HOME]] = kind, *weights, bound, home
        self.tally[WIDTH] = width
        words, boxes = len(self.workspace.boxes), len(self.workspace.at)
        self.children = self._most_children()  # of one expansion
        self.most_room = (field.room // share - self._table_bytes()) // store_bytes(words, 1)
        self.room = min(max(FIRST_ROOM, 2 * self.children + len(field.area.cells)), self.most_room)
        starts = [field.area.player]
        if field.pulls:
            starts = [cell for cell in range(len(field.area.cells)) if cell not in field.area.boxes]
        if self.room < self.children + len(starts):
            raise SolverLimit("memory")
        self.most_portion = max(
            1, min(LARGEST_PORTION, WORK // (4 * boxes * (len(field.area.cells) + boxes**2) + 1))
        )
        self.portion = min(FIRST_PORTION, self.most_portion)
        self.counted = 0
        self.store = store_of(words, PRIORITIES if kind in (BEST_FIRST, BY_MOVES) else bound + 2, self.room)
        for player in starts:
            begin(self.maze, self.store, self.workspace, player)
        self.begun = int(self.tally[STATES])  # so many states to begin with
        self.ended = GOING_ON if self.begun else EXHAUSTED

    def advance(self) -> int:
        """Expands one more portion of states; tells whether a solution was FOUND. Raises Limit."""
        if self.ended in (FOUND, EXHAUSTED):
            return self.ended
        self.clock.check()
        self.ended = self._search(self._within_states())
        self.portion = min(2 * self.portion, self.most_portion)
        states = int(self.tally[STATES])
        self.clock.states += states - self.counted
        self.counted = states
        if self.ended == FULL:
            self._grow(states)
        return self.ended

    def _search(self, portion: int) -> int:
        return search(self.maze, self.store, self.workspace, portion)  # type: ignore[no-any-return]

    def run(self) -> bool:
        """Tells whether there is a solution."""
        while self.advance() not in (FOUND, EXHAUSTED):
            pass
        return self.ended == FOUND

    def _within_states(self) -> int:
        """Returns the portion, or as little of it as cannot go far beyond a limit of states."""
        if self.clock.effort.states is None:
            return self.portion
        left = self.clock.effort.states - self.clock.states
        return max(1, min(self.portion, left // (self.children + 1)))

    def _table_bytes(self) -> int:
        """Memory that it takes besides its states."""
        return 0

    def _most_children(self) -> int:
        return 4 * len(self.workspace.at)

    def _grow(self, states: int) -> None:
        room = min(GROWTH * self.room, self.most_room)
        if room < states + self.children:
            raise SolverLimit("memory")
        self.room = room
        self.store = grown(self.store, states, room)
        rehash(self.store, states)

    @property
    def least(self) -> int:
        """Pushes that every solution needs."""
        return int(self.store.nodes[: self.begun, LEFT].min())

    @property
    def pushes(self) -> int:
        return int(self.store.nodes[self.tally[GOAL_STATE], PUSHES])

    @property
    def label(self) -> int:
        """Of the solution found: its moves, or how many there are like it."""
        return int(self.store.nodes[self.tally[GOAL_STATE], LABEL])

    @property
    def dropped(self) -> int:
        """States that were not gone on with, as others had fewer moves."""
        return int(self.tally[DROPPED])

    @property
    def optimal(self) -> bool:
        in_order = self.tally[WEIGHT] == 1 and self.tally[LOWEST] < len(self.store.heads) - 1
        return bool(in_order) or self.pushes == self.least

    def way(self) -> list[int]:
        """Returns the pushes of the solution, each a cell and a direction in one number."""
        state, found = int(self.tally[GOAL_STATE]), []
        while (before := int(self.store.nodes[state, PARENT])) >= 0:
            found.append(int(self.store.nodes[state, PUSH]))
            state = before
        return found[::-1] if self.tally[HOME] == NOWHERE else found
