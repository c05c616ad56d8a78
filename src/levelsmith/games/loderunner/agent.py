"""The agent: a plan of moves and digs that collects all gold of a level, or a proof that none exists.

The level becomes a map of steps, and of jumps: ways through timed holes from one cell to another, after which
the agent may wait until all holes are filled, so that each works whatever was done before. The judge tells from
where on the map all gold that is left can still be collected; the agent walks to the nearest gold where that is
so, by A* as in Thakkar et al. (2019), until nothing is left. At last waits that are not needed are dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Effort, Level, Verdict
from levelsmith.games.loderunner import kernels
from levelsmith.games.loderunner.agent_kernels import STEPS, make_walk, play, route
from levelsmith.games.loderunner.dig_kernels import DEEPEST, HOLE_TICKS, STATES, WAIT, make_desk
from levelsmith.games.loderunner.graph_kernels import (
    BEGIN,
    LENGTH,
    explore,
    make_atlas,
    most_gold,
)
from levelsmith.games.loderunner.judge import judge, out_of_reach
from levelsmith.games.loderunner.kernels import GOLD, NO_DIG, PLAYER
from levelsmith.games.loderunner.rules import Board, gold_order, replay
from levelsmith.games.loderunner.solution import measured

LETTERS = "lrudLR."
JUMPS, JUMP_LETTERS, TRIES = 8192, 400_000, 1 << 16
SEARCH_STATES = 20_000  # of one search for a way into a brick
PORTION = 200_000  # states between two looks at the clock

Cancel = Callable[[], bool]


class Limit(Exception):  # noqa: N818 - no error: it becomes the verdict `unknown`
    """A limit was reached: `states`, `seconds`, `memory` or `cancelled`; or `search`: nothing is left to try."""


class Agent:
    """One level on its way to a plan."""

    def __init__(self, level: Level, effort: Effort, cancel: Cancel | None):
        self.effort, self.cancel = effort, cancel
        self.started = time.perf_counter()
        self.grid = level.grid
        height, width = level.size
        self.game = kernels.make((height, width), NO_DIG, JUMPS)
        self.tile = self.game.tile.reshape(height + 2, width + 2)
        self.tile[1:-1, 1:-1] = self.grid
        self.game.open[:] = ~np.isin(self.game.tile, (kernels.BRICK, kernels.SOLID, kernels.OUTSIDE))
        self.start = int(np.flatnonzero(self.game.tile == PLAYER)[0])
        cells = self.game.tile.size
        self.desk = make_desk(cells, SEARCH_STATES)
        self.atlas = make_atlas(cells, JUMPS, JUMP_LETTERS, TRIES)
        self.walk = make_walk(cells)
        self.took = np.zeros(cells + 1, np.int64)
        self.waits = False

    @property
    def states(self) -> int:
        return int(self.desk.tally[STATES])

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def check(self) -> None:
        if self.effort.states is not None and self.states >= self.effort.states:
            raise Limit("states")
        if self.effort.seconds is not None and self.seconds >= self.effort.seconds:
            raise Limit("seconds")
        if self.cancel is not None and self.cancel():
            raise Limit("cancelled")

    def solve(self) -> list[int]:
        """A plan that collects all gold; raises Limit."""
        gold = int((self.game.tile == GOLD).sum())
        for strict in (False, True):
            for depth in range(1, DEEPEST + 1):
                while most_gold(self.game, self.start) < gold:
                    self.check()
                    options = np.array([depth, strict, SEARCH_STATES, PORTION], np.int64)
                    if explore(self.game, self.desk, self.atlas, self.start, options) == 0:
                        break
                if most_gold(self.game, self.start) == gold:
                    plan = self.collect()
                    if plan is not None:
                        return self.shortened(plan)
                    break
            self.game.first[:] = -1
            self.atlas.used[:] = 0
        raise Limit("search")

    def collect(self) -> list[int] | None:
        """Walks from gold to gold; None where the gold that is left keeps the jumps to it from being made."""
        plan: list[int] = []
        at, tile = self.start, self.game.tile.copy()
        self.waits = False  # whether holes may be open
        out = np.zeros(self.game.tile.size, np.int32)
        while (left := self.game.tile == GOLD).any():
            most_gold(self.game, at)
            goals = left & (self.game.number != 0) & (self.game.most >= left.sum())
            length = route(self.game, self.atlas, self.walk, at, goals, out)
            if length < 0:
                self.game.tile[:] = tile
                return None
            leg = self.leg(at, out[:length][::-1].tolist())
            end, made = play(self.game, self.walk, at, np.array(leg, np.uint8), self.took)
            if made < len(leg):
                self.game.tile[:] = tile
                return None
            plan += leg
            at = int(end)
        self.game.tile[:] = tile
        return plan

    def leg(self, at: int, codes: list[int]) -> list[int]:
        """The moves of a way; holes are left to fill as soon as the runner stands behind a jump."""
        moves: list[int] = []
        for code in codes:
            if self.waits and kernels.standing(self.game.tile, at, self.game.width + 2):
                moves += [WAIT] * HOLE_TICKS
                self.waits = False
            if code < STEPS:
                moves.append(code)
                at += int(self.game.step[code])
            else:
                begin, length = self.atlas.jump[code - STEPS, [BEGIN, LENGTH]].tolist()
                moves += self.atlas.letters[begin : begin + length].tolist()
                at = int(self.game.jumps[code - STEPS, 0])
                self.waits = True
        return moves

    def shortened(self, plan: list[int]) -> list[int]:
        """The plan without the waits that it does as well without."""
        moves = np.array(plan, np.uint8)
        gold = int((self.game.tile == GOLD).sum())
        at = 0
        while at < len(moves):
            if moves[at] != WAIT:
                at += 1
                continue
            run = int(np.argmax(np.append(moves[at:], 0) != WAIT))
            without = np.delete(moves, slice(at, at + run))
            if self._collects(without) == gold:
                moves = without
            else:
                at += run
        return moves.tolist()

    def _collects(self, moves: NDArray[np.uint8]) -> int:
        """How much gold moves collect, or none where one cannot be made."""
        tile = self.game.tile.copy()
        _, made = play(self.game, self.walk, self.start, moves, self.took)
        self.game.tile[:] = tile
        return int(self.took[0]) if made == len(moves) else 0


def solve(
    level: Level, effort: Effort, *, any: bool = False, moves: bool = False, cancel: Cancel | None = None
) -> Verdict:
    """A plan for a level, or a proof that nobody can collect all its gold, or which limit was reached.

    Args:
        level: a level; one without a player or without gold is refused with the reason.
        effort: what may be spent.
        any: nothing else is on offer: plans are short but not the shortest.
        moves: likewise.
        cancel: asked now and then; True stops.
    """
    Board(level.grid)
    compile_all()
    agent = Agent(level, effort, cancel)
    status, plan, facts = "unknown", None, {}
    most = judge(level.grid, "relaxed")
    if not most.playable:
        status = "unsolvable"
        facts["why"] = _why(level, most.gold_collectable)
    else:
        try:
            plan = "".join(LETTERS[move] for move in agent.solve())
        except Limit as reached:
            facts["limit"] = str(reached)
    metrics: dict[str, Any] = {}
    if plan is not None:
        status = "solved"
        positions = replay(level, plan)
        metrics = measured(level, plan)
        facts["gold_order"] = [[column, row] for row, column in gold_order(positions)]
    statistics = {"states": agent.states, "seconds": round(agent.seconds, 6), **facts}
    return Verdict(status, False, plan, metrics, statistics)


def _why(level: Level, most: int) -> str:
    shut = out_of_reach(level.grid)
    if shut:
        return f"the gold at row {shut[0][0] + 1}, column {shut[0][1] + 1} is out of reach"
    return f"no walk collects more than {most} of {(level.grid == GOLD).sum()} pieces of gold"


@cache
def compile_all() -> None:
    """Compiles the kernels, or loads them, off the clock."""
    from levelsmith.levels.text import parse

    level = parse("......\n......\n.M....\nbbbbbb\nG.....\nbbbbbb", "loderunner")
    judge(level.grid, "relaxed")
    Agent(level, Effort(seconds=None), None).solve()
