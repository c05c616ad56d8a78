"""The solver of Sokoban: shortest solutions by pushes, proofs that there is none, or which limit was met."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from levelsmith.core import Cancel, Effort, Level, Verdict
from levelsmith.games.sokoban.metrics.solution import measured
from levelsmith.games.sokoban.rules.rules import SokobanBoard, check, replay
from levelsmith.games.sokoban.solver.kernels.maze import survey, survey_order
from levelsmith.games.sokoban.solver.kernels.search import (
    ALL_WAYS,
    BEST_FIRST,
    BOUND,
    BY_MOVES,
    EARLY_WEIGHT,
    EXHAUSTED,
    FEWEST_MOVES,
    FOUND,
    FULL,
    GOAL_STATE,
    GOING_ON,
    HOME,
    KIND,
    LABEL,
    LEFT,
    LOWEST,
    MOST_WAYS,
    NOWHERE,
    PARENT,
    PLAYER,
    PUSH,
    PUSHES,
    SHUT_WEIGHT,
    STATES,
    WEIGHT,
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
from levelsmith.levels.formats.text import parse

# Where any solution will do, searches take turns, three by pushes and one by pulls from the goals. They weigh
# a push of the lower bound, a cell that the player cannot walk to, and a goal that is filled too early.
BY_PUSHES = ((1, 0, 0), (50, 0, 0), (50, 20, 200))
BY_PULLS = (50, 0, 0)
FIRST_PORTION = 64  # expansions
LARGEST_PORTION = 20_000
WORK = 20_000_000  # rough number of instructions that a kernel may go without looking up
PRIORITIES = 1 << 14
SOON = 20_000  # states that may go to the fewest moves of a shortest solution, and to count all of them
LETTERS = "udlrUDLR"


class SolverLimit(Exception):  # noqa: N818 - no error: it becomes the verdict `unknown`
    """A limit was reached: `states`, `seconds`, `memory` or `cancelled`."""


class Spending:
    """What all searches for one level have spent together."""

    def __init__(self, effort: Effort, cancel: Cancel | None):
        self.effort, self.cancel = effort, cancel
        self.started = time.perf_counter()
        self.states = 0  # found so far

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def check(self) -> None:
        effort = self.effort
        if effort.states is not None and self.states >= effort.states:
            raise SolverLimit("states")
        if effort.seconds is not None and self.seconds >= effort.seconds:
            raise SolverLimit("seconds")
        if self.cancel is not None and self.cancel():
            raise SolverLimit("cancelled")


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
    """

    def __init__(
        self,
        field: PreparedLevel,
        kind: int,
        weights: tuple[int, int, int] = (1, 0, 0),
        bound: int = 0,
        share: int = 1,
        home: int = NOWHERE,
    ):
        self.clock, self.maze, self.workspace = field.clock, field.maze, workspace_of(field.area)
        self.tally = self.workspace.tally
        self.tally[[KIND, WEIGHT, SHUT_WEIGHT, EARLY_WEIGHT, BOUND, HOME]] = kind, *weights, bound, home
        words, boxes = len(self.workspace.boxes), len(self.workspace.at)
        self.most_room = field.room // share // store_bytes(words, 1)
        self.room = min(max(FIRST_ROOM, 8 * boxes + len(field.area.cells)), self.most_room)
        starts = [field.area.player]
        if field.pulls:
            starts = [cell for cell in range(len(field.area.cells)) if cell not in field.area.boxes]
        if self.room < 4 * boxes + len(starts):
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
        self.ended = search(self.maze, self.store, self.workspace, self._within_states())
        self.portion = min(2 * self.portion, self.most_portion)
        states = int(self.tally[STATES])
        self.clock.states += states - self.counted
        self.counted = states
        if self.ended == FULL:
            self._grow(states)
        return self.ended

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
        return max(1, min(self.portion, left // (4 * len(self.workspace.at) + 1)))

    def _grow(self, states: int) -> None:
        room = min(GROWTH * self.room, self.most_room)
        if room < states + 4 * len(self.workspace.at):
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


def solve(
    level: Level, effort: Effort, *, any: bool = False, moves: bool = False, cancel: Cancel | None = None
) -> Verdict:
    """Solves a level with the fewest pushes, or says that nobody can, or which limit was reached.

    Args:
        level: a level; one that the rule book refuses is refused with its reason.
        effort: what may be spent.
        any: the first solution found will do, which takes far fewer states.
        moves: of all solutions with the fewest pushes, one with the fewest moves, whatever it takes;
            otherwise only where that takes little more.
        cancel: asked now and then; True stops.
    """
    check(level.grid)
    compile_all()
    clock = Spending(effort, cancel)
    status, optimal, solution, limit, ways = "unsolvable", False, None, None, None
    try:
        clock.check()
        field = field_of(level, clock)
        hunt = None if field.hopeless else _first(field) if any else _shortest(field, moves)
        if hunt is not None:
            status, optimal = "solved", hunt.optimal
            solution = replay(level, field.lurd(hunt.way()))
            ways = _ways(_soon(field, ALL_WAYS, hunt)) if optimal and not any else None
    except SolverLimit as reached:
        status, limit = "unknown", str(reached)
    statistics: dict[str, Any] = {"states": clock.states, "seconds": round(clock.seconds, 6)}
    if limit is not None:
        statistics["limit"] = limit
    metrics = {} if solution is None else {**measured(level, solution), "optimal_solutions": ways}
    return Verdict(status, optimal, solution, metrics, statistics)


def fewest_pushes(level: Level, effort: Effort) -> str | None:
    """Returns a solution than which none has fewer pushes, and nothing more about it; None where there is
    none, or where a limit was reached first."""
    compile_all()
    try:
        field = field_of(level, Spending(effort, None))
        hunt = None if field.hopeless else Hunt(field, BEST_FIRST)
        found = hunt is not None and hunt.run() and hunt.optimal
        return replay(level, field.lurd(hunt.way())) if hunt is not None and found else None
    except SolverLimit:
        return None


def fewest_moves(level: Level, effort: Effort) -> str | None:
    """Returns a solution than which none has fewer moves, pushes among them, whatever pushes it takes.

    None where there is no solution, or where a limit was reached first.
    """
    check(level.grid)
    compile_all()
    try:
        field = field_of(level, Spending(effort, None))
        if field.hopeless:
            return None
        hunt = Hunt(field, BY_MOVES)
        if not hunt.run() or hunt.label >= PRIORITIES - 1:  # the last list is in no order
            return None
        return replay(level, field.lurd(hunt.way()))
    except SolverLimit:
        return None


def _shortest(field: PreparedLevel, moves: bool) -> Hunt | None:
    hunt = Hunt(field, BEST_FIRST)
    if not hunt.run():
        return None
    if moves:
        bound = hunt.pushes
        del hunt  # its memory is wanted
        hunt = Hunt(field, FEWEST_MOVES, bound=bound)
        hunt.run()
        return hunt
    return _soon(field, FEWEST_MOVES, hunt) or hunt


def _soon(field: PreparedLevel, kind: int, hunt: Hunt) -> Hunt | None:
    """Returns a search through all solutions with as few pushes, if that takes little more; None
    otherwise."""
    clock = field.clock
    effort = clock.effort
    most = clock.states + SOON
    clock.effort = replace(effort, states=most if effort.states is None else min(most, effort.states))
    try:
        through = Hunt(field, kind, bound=hunt.pushes, share=2)
        through.run()
    except SolverLimit:
        return None
    finally:
        clock.effort = effort
    return through


def _first(field: PreparedLevel) -> Hunt | None:
    """Returns several searches in turn, until one of them ends; one that has no memory left drops out."""
    turned = field.turned()
    survey_order(field.maze, workspace_of(field.area))
    share = len(BY_PUSHES) + 1
    hunts = [Hunt(field, BEST_FIRST, weights, share=share) for weights in BY_PUSHES]
    home = int(hunts[0].store.nodes[0, PLAYER])
    hunts.append(Hunt(turned, BEST_FIRST, BY_PULLS, share=share, home=home))
    while True:
        for hunt in list(hunts):
            try:
                ended = hunt.advance()
            except SolverLimit as limit:
                hunts.remove(hunt)
                if str(limit) != "memory" or not hunts:
                    raise
                continue
            if ended in (FOUND, EXHAUSTED):
                return hunt if ended == FOUND else None


def _ways(every: Hunt | None) -> int | None:
    return every.label if every is not None and every.label < MOST_WAYS else None


@cache
def compile_all() -> None:
    """Compiles the kernels, or loads them, off the clock."""
    level = parse("#####\n#@$.#\n#####", game="sokoban")
    field = field_of(level, Spending(Effort(seconds=None), None))
    survey_order(field.maze, workspace_of(field.area))
    hunt = Hunt(field, BEST_FIRST)
    hunt.run()
    hunt._grow(hunt.counted)
    field.lurd(hunt.way())
