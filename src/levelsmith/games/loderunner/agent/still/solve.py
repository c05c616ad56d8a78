"""The agent: a plan of moves and digs that collects all gold of a level, or a proof that none exists.

The level becomes a map of steps and of jumps: ways through timed holes, after which the agent may wait until
all holes are filled, so that each works whatever was done before. The judge tells from where on the map all
gold that is left can still be collected; the agent walks to the nearest gold where that is so, by A* as in
Thakkar et al. (2019), until nothing is left. At last the waits that are not needed are dropped.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Cancel, Effort, Level, Verdict
from levelsmith.games.loderunner.agent.still.kernels.digging import (
    ANY,
    HOLE_TICKS,
    NONE,
    STATES,
    WAIT,
    make_workspace,
)
from levelsmith.games.loderunner.agent.still.kernels.graph import (
    BEGIN,
    LENGTH,
    TO,
    explore,
    make_atlas,
    most_gold,
)
from levelsmith.games.loderunner.agent.still.kernels.routes import STEPS, make_walk, play, route
from levelsmith.games.loderunner.agent.still.trips import Trips
from levelsmith.games.loderunner.judge.judge import judge, out_of_reach
from levelsmith.games.loderunner.judge.kernels import judge as kernels
from levelsmith.games.loderunner.judge.kernels.judge import GOLD, NO_DIG, PLAYER
from levelsmith.games.loderunner.rules.rules import LodeRunnerBoard, gold_order, replay
from levelsmith.games.loderunner.rules.solution import walked
from levelsmith.kernels.compile import clock

LETTERS = "lrudLR."
OWN = 0
JUMPS, JUMP_LETTERS, TRIES, SPARE = 8192, 400_000, 1 << 16, 256
STATE_BYTES = 200
MOST_STATES = 200_000  # of one search
# What is looked for as long as the map does not suffice: ways into bricks with so many rows of a cone, or
# trips with so many holes, and how many states one search may take.
STAGES = (
    *(("bricks", 1, 20_000), ("bricks", 2, 20_000), ("bricks", 3, 20_000), ("trips", 4, 20_000)),
    *(("bricks", 4, 20_000), ("bricks", 5, 20_000), ("trips", 8, 100_000)),
    *(("bricks", 6, 20_000), ("bricks", 7, 20_000), ("trips", 16, 200_000)),
)
PORTION = 200_000  # states between two looks at the clock


class AgentLimit(Exception):  # noqa: N818 - no error: it becomes the verdict `unknown`
    """What ended the search: `states`, `seconds`, `cancelled`, or `ideas` where nothing is left to try."""


class Agent:
    """One level on its way to a plan."""

    def __init__(self, level: Level, effort: Effort, cancel: Cancel | None):
        self.effort, self.cancel = effort, cancel
        self.started = clock()
        height, width = level.size
        game = kernels.make((height, width), NO_DIG, JUMPS, SPARE)
        self.game, self.cells = game, (height + 2) * (width + 2)
        grid = np.where(level.grid == kernels.HIDDEN, kernels.EMPTY, level.grid)
        game.tile[: self.cells].reshape(height + 2, width + 2)[1:-1, 1:-1] = grid
        game.open[:] = ~np.isin(game.tile, (kernels.BRICK, kernels.SOLID, kernels.TRAP, kernels.OUTSIDE))
        game.worth[:] = game.tile == GOLD
        self.gold = int(game.worth.sum())
        self.start = int(np.flatnonzero(game.tile == PLAYER)[0])
        states = max(1000, min(MOST_STATES, effort.memory // STATE_BYTES))
        self.workspace = make_workspace(len(game.tile), states)
        self.atlas = make_atlas(len(game.tile), JUMPS, JUMP_LETTERS, TRIES)
        self.walk = make_walk(len(game.tile))
        self.took = np.zeros(len(game.tile) + 1, np.int64)
        self.trips = Trips(self.game, self.workspace, self.atlas, self.start, level)
        self.waits = False  # whether holes may be open

    @property
    def states(self) -> int:
        return int(self.workspace.tally[STATES])

    @property
    def seconds(self) -> float:
        return clock() - self.started

    def check(self) -> None:
        if self.effort.states is not None and self.states >= self.effort.states:
            raise AgentLimit("states")
        if self.effort.seconds is not None and self.seconds >= self.effort.seconds:
            raise AgentLimit("seconds")
        if self.cancel is not None and self.cancel():
            raise AgentLimit("cancelled")

    def solve(self) -> list[int]:
        """Returns a plan that collects all gold; raises Limit."""
        for part in (ANY, OWN, NONE):
            if self.mapped(part):
                self.check()
                plan = self.collect()
                if plan is not None:
                    return self.shortened(plan)
            self.game.first[:] = -1
            self.atlas.used[:] = 0
            self.trips.forget()
        raise AgentLimit("ideas")

    def mapped(self, part: int) -> bool:
        """Adds jumps until all gold can be collected on the map.

        Gold must be gone from bricks that are dug; that is left to the plan for gold of `part`: of ANY part
        of the map, or only of the OWN part that a jump begins in, or of NONE.
        """
        for kind, size, states in STAGES:
            options = np.array([size, part, min(states, len(self.workspace.cell)), PORTION], np.int64)
            while most_gold(self.game, self.start) < self.gold:
                self.check()
                if kind == "bricks":
                    found = explore(self.game, self.workspace, self.atlas, self.start, options)
                else:
                    found = self.trips.find(size, int(options[2]), part, self.check)
                if not found:
                    break
        return bool(most_gold(self.game, self.start) == self.gold)

    def collect(self) -> list[int] | None:
        """Walks from gold to gold; None where the gold that is left keeps the jumps to it from being made."""
        game, plan, at = self.game, list[int](), self.start
        tile, worth = game.tile.copy(), game.worth.copy()
        out = np.zeros(len(game.tile), np.int32)
        self.waits = False
        while left := int(game.worth.sum()):
            most_gold(game, at)
            goals = 2 * ((game.worth > 0) & (game.number != 0) & (game.most >= left)).astype(np.uint8)
            for spot, source in self.trips.sources.items():
                goals[source] = max(goals[source], goals[spot] // 2)
            length = route(game, self.atlas, self.walk, at, goals, out)
            if length < 0:
                break
            leg = self.leg(at, out[:length][::-1].tolist())
            end, made = play(game, self.walk, at, np.array(leg, np.uint8), self.took)
            if made < len(leg):
                break
            plan += leg
            at = int(end)
            game.worth[: self.cells] *= game.tile[: self.cells] == GOLD
            self.trips.count()
        done = not game.worth.any()
        game.tile[:], game.worth[:] = tile, worth
        return plan if done else None

    def leg(self, at: int, codes: list[int]) -> list[int]:
        """Returns the moves of a way; holes are left to fill as soon as the runner stands behind a jump."""
        moves: list[int] = []
        for code in codes:
            if self.waits and kernels.standing(self.game.tile, at, self.game.width + 2):
                moves += [WAIT] * HOLE_TICKS
                self.waits = False
            if code < STEPS:
                moves.append(code)
                at += int(self.game.step[code])
            else:
                at, begin, length = self.atlas.jump[code - STEPS, [TO, BEGIN, LENGTH]].tolist()
                moves += self.atlas.letters[begin : begin + length].tolist()
                self.waits = True
        return moves

    def shortened(self, plan: list[int]) -> list[int]:
        """Returns the plan without the waits that it does as well without."""
        moves = np.array(plan, np.uint8)
        at = 0
        while at < len(moves):
            if moves[at] != WAIT:
                at += 1
                continue
            run = int(np.argmax(np.append(moves[at:], 0) != WAIT))
            without = np.delete(moves, slice(at, at + run))
            if self._collects(without) == self.gold:
                moves = without
            else:
                at += run
        return [int(move) for move in moves]

    def _collects(self, moves: NDArray[np.uint8]) -> int:
        """Returns how much gold moves collect, or none where one cannot be made."""
        tile = self.game.tile.copy()
        _, made = play(self.game, self.walk, self.start, moves, self.took)
        self.game.tile[:] = tile
        return int(self.took[0]) if made == len(moves) else 0


def solve(
    level: Level, effort: Effort, *, any: bool = False, moves: bool = False, cancel: Cancel | None = None
) -> Verdict:
    """Returns a plan for a level, or a proof that nobody can collect all its gold, or which limit was
    reached.

    Args:
        level: a level; one without a player or without gold is refused with the reason.
        effort: what may be spent.
        any: nothing else is on offer: plans are short but not the shortest.
        moves: likewise.
        cancel: asked now and then; True stops.
    """
    LodeRunnerBoard(level.grid)
    agent = Agent(level, effort, cancel)
    status, plan = "unknown", None
    facts: dict[str, Any] = {}
    most = judge(level.grid, "relaxed")
    if not most.playable:
        status = "unsolvable"
        facts["why"] = why_not(level, most.gold_collectable)
    else:
        try:
            plan = "".join(LETTERS[move] for move in agent.solve())
        except AgentLimit as reached:
            facts["limit"] = str(reached)
    metrics: dict[str, int | float | None] = {}
    if plan is not None:
        status = "solved"
        positions = replay(level, plan)
        facts["gold_order"] = [[column, row] for row, column in gold_order(positions)]
        metrics.update(walked(level, plan, positions))
    statistics = {"states": agent.states, "seconds": round(agent.seconds, 6), **facts}
    return Verdict(status, False, plan, metrics, statistics)


def why_not(level: Level, most: int) -> str:
    """Returns why nobody collects all gold, where at most so many pieces can be had."""
    shut = out_of_reach(level.grid)
    if shut:
        return f"the gold at row {shut[0][0] + 1}, column {shut[0][1] + 1} is out of reach"
    return f"no walk collects more than {most} of {(level.grid == GOLD).sum()} pieces of gold"
