"""Wins levels against their guards: plans of timed keys that the rules play to the end.

Several hunts are begun one after another, with guides and weights of their own and ever more nodes; the first
that wins ends it. A guide is either the way of a plan that takes all gold while nobody moves, or leads from
piece to piece as they lie nearest. A level is lost where every key at every tick was tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Cancel, Effort, Grid, Level, Verdict
from levelsmith.games.loderunner.agent.chase.kernels import hunt as hunting
from levelsmith.games.loderunner.agent.chase.kernels.distances import FAR, make_ways, measure_all
from levelsmith.games.loderunner.agent.still.solve import solve as solve_still
from levelsmith.games.loderunner.agent.still.solve import why_not
from levelsmith.games.loderunner.game.game import KEYS, TILES, keys_of
from levelsmith.games.loderunner.game.kernels import men
from levelsmith.games.loderunner.game.kernels.game import begin, run
from levelsmith.games.loderunner.game.kernels.moves import WAIT_TICKS
from levelsmith.games.loderunner.game.kernels.states import words_of
from levelsmith.games.loderunner.judge.judge import ANSWERS, judge
from levelsmith.games.loderunner.judge.kernels import judge as judging
from levelsmith.games.loderunner.rules.plan import Press, read, written
from levelsmith.games.loderunner.rules.rules import (
    BRICK,
    DIGS,
    ENEMY,
    GOLD,
    HOLE_TICKS,
    SOLID,
    LodeRunnerBoard,
    gold_order,
    replay,
)
from levelsmith.games.loderunner.rules.solution import Metrics, fought
from levelsmith.games.loderunner.steady import steady
from levelsmith.kernels.compile import clock

WEIGHTS = (  # of time, of gold that is left, of where the runner and a guard were before, of guards nearby
    (0.3, 100.0, 5.0, 0.0),
    (0.3, 100.0, 25.0, 0.0),
    (0.05, 300.0, 5.0, 0.0),
    (1.0, 30.0, 1.0, 0.0),
    (0.1, 1000.0, 25.0, 0.0),
    (0.6, 0.0, 5.0, 0.0),
)
LATER, LATER_WEIGHTS = (
    2,
    (  # from that round on also hunts in which he stays away from guards
        *WEIGHTS[:2],
        (0.3, 100.0, 25.0, 0.3),
        (0.3, 100.0, 25.0, 1.0),
        *WEIGHTS[2:],
    ),
)
FIRST_NODES, MORE, ROUNDS = 4_000, 4, 4  # of a hunt of the first round, times more in each of the next
LOST_NODES = 20_000  # after which no proof is expected
STILL_STATES = 1_000_000  # for the plan while nobody moves
DUG_STEPS = 40  # back to a plan where nothing but digs leads there, besides twice the way
PORTION = 4_000  # nodes between two looks at the clock
IDLE_TICKS = (2 * WAIT_TICKS, 3 * WAIT_TICKS)  # in place of a dig, which takes 12
MEETINGS = 1 << 20
NODE_BYTES = 64  # besides its row
PERIOD = lcm(6, men.CARRIED_MORE)  # ticks after which guards draw the same again, but for births


class Winner:
    """One level on its way to a plan against its guards."""

    def __init__(self, level: Level, effort: Effort, cancel: Cancel | None = None):
        self.level, self.effort, self.cancel = level, effort, cancel
        self.started = clock()
        height, width = level.size
        self.stride, self.grid = width + 2, TILES[level.grid]
        guards = int((self.grid == men.GUARD).sum())
        self.exit = bool((self.grid == men.HIDDEN).any())
        self.game, self.before = (men.make_game(height, width, guards, self.exit) for _ in range(2))
        self.begin()
        tile = self.game.tile
        self.words = words_of(len(tile), guards)
        self.bare = np.where(tile == men.GOLD, men.EMPTY, tile).astype(np.uint8)
        self.dug = self._dug()
        self.ways = make_ways(self.bare, self.dug, self.stride)
        self.out = self._steps_out()
        self.nodes = self.tried = self.died = self.hunts = 0
        self.collected = 0  # gold, at best, in any game of a hunt
        self.limit: str | None = None
        self.lost: str | None = None  # why no keys win, where that is known

    def begin(self) -> None:
        """Makes the game stand at its start."""
        height, width = self.level.size
        self.game.tile.reshape(height + 2, width + 2)[1:-1, 1:-1] = self.grid
        begin(self.game)

    def _dug(self) -> NDArray[np.uint8]:
        """Returns which bricks anybody can ever dig, with the ring around the level."""
        relaxed = judging.make(self.level.size, judging.RELAXED)
        board = np.require(self.level.grid.reshape(1, -1), requirements=["C", "W"])
        judging.judge_all(relaxed, board, False, np.zeros((1, ANSWERS), np.int64))
        dug: NDArray[np.uint8] = ((relaxed.tile == judging.BRICK) & (relaxed.open > 0)).astype(np.uint8)
        return dug

    def _steps_out(self) -> NDArray[np.int32]:
        """Returns the steps from each cell to the top row with the hidden ladders shown; none without any."""
        if not self.exit:
            return np.zeros(len(self.bare), np.int32)
        shown = np.where(self.bare == men.HIDDEN, men.LADDER, self.bare).astype(np.uint8)
        ways = make_ways(shown, self.dug, self.stride)
        measure_all(ways)
        steps: NDArray[np.int32] = (
            ways.far[:, self.stride + 1 : 2 * self.stride - 1].min(axis=1).astype(np.int32)
        )
        return steps

    # --------------------------------------------------------------------------------------------- guides

    def along(self, plan: str) -> hunting.Guide:
        """Returns the guide along a plan that takes all gold while nobody moves."""
        positions = replay(self.level, plan)
        cells = [self.at(position.runner) for position in positions]
        ticks = [position.ticks for position in positions]
        gold = [self.at(cell) for cell in gold_order(positions)]
        taken = [cells.index(piece) for piece in gold]
        free = self._without_holes(plan, cells)
        walked = make_ways(self.bare, np.zeros_like(self.bare), self.stride)
        for ways in (self.ways, walked):
            measure_all(ways)
        back = np.minimum(walked.far.astype(np.int32), DUG_STEPS + 2 * self.ways.far.astype(np.int32))
        way = np.full((len(gold), len(self.bare)), FAR, np.int32)
        join = np.full((len(gold), len(self.bare)), hunting.NOWHERE, np.int32)
        for i, end in enumerate(taken):
            for k in range(taken[i - 2] if i > 1 else 0, end + 1):
                if free[k]:
                    np.minimum(way[i], back[:, cells[k]] + ticks[end] - ticks[k], out=way[i])
                    join[i, cells[k]] = k
        left = np.array([max(0, ticks[taken[-1]] - tick) for tick in ticks], np.int32)
        left += self.out[cells[taken[-1]]]
        return hunting.Guide(
            False,
            self.ways,
            self.out,
            np.array(gold, np.int32),
            way,
            left[taken],
            np.array(taken, np.int32),
            join,
            np.array(cells, np.int32),
            left,
            np.array([KEYS.index(letter) for letter in plan], np.uint8),
        )

    def _without_holes(self, plan: str, cells: list[int]) -> list[bool]:
        """Returns for each position of a plan whether it needs no hole that is open there."""
        free = [True] * len(cells)
        for i, letter in enumerate(plan):
            if letter in DIGS:
                hole = cells[i] + self.stride + (1 if letter == "R" else -1)
                used = [k for k in range(i + 1, min(len(cells), i + HOLE_TICKS)) if cells[k] == hole]
                for k in range(i + 1, max(used, default=i) + 1):
                    free[k] = False
        return free

    def nearest(self) -> hunting.Guide:
        """Returns the guide to whatever gold lies nearest."""
        gold = np.flatnonzero(np.pad(self.grid, 1) == men.GOLD).astype(np.int32)
        none, no_ways = np.zeros(1, np.int32), np.zeros((1, 1), np.int32)
        keys = np.zeros(1, np.uint8)
        return hunting.Guide(True, self.ways, self.out, gold, no_ways, none, none, no_ways, none, none, keys)

    def at(self, cell: tuple[int, int]) -> int:
        return (cell[0] + 1) * self.stride + cell[1] + 1

    # ---------------------------------------------------------------------------------------------- hunts

    def room(self, nodes: int) -> hunting.Hunt:
        """Returns the workspace of a hunt of so many nodes."""
        return hunting.Hunt(
            self.game,
            self.before,
            self.bare,
            np.zeros((nodes + hunting.KEYS, self.words), np.int16),
            np.zeros(nodes + hunting.KEYS, np.int32),
            np.zeros(nodes + hunting.KEYS, np.uint8),
            np.zeros(nodes + hunting.KEYS, np.int32),
            np.zeros(nodes + hunting.KEYS, np.float32),
            np.zeros(nodes + hunting.KEYS, np.int32),
            np.zeros(1 << (4 * nodes).bit_length(), np.uint64),
            np.zeros(MEETINGS, np.uint8),
            np.zeros(5, np.int64),
        )

    def hunt(
        self, room: hunting.Hunt, guide: hunting.Guide, weights: Sequence[float], period: int = 0
    ) -> str | None:
        """Searches until a plan is found, which is returned, or a limit is reached, or nothing is left."""
        self.begin()
        for table in (room.table, room.met, room.tally):
            table.fill(0)
        hunting.start_hunt(room, guide)
        self.hunts += 1
        spent, more = self.nodes, True
        while more and self.may_go_on():
            more = hunting.hunt_on(room, guide, np.array(weights), period, PORTION)
            self.nodes = spent + int(room.tally[hunting.NODES])
        self.tried += int(room.tally[hunting.TRIED])
        self.died += int(room.tally[hunting.DIED])
        left = room.packed[: int(room.tally[hunting.NODES]), men.LEFT_GOLD].min()
        self.collected = max(self.collected, int((self.grid == men.GOLD).sum() - left))
        return self.without_idle_digs(self.presses(room)) if room.tally[hunting.FOUND] >= 0 else None

    def may_go_on(self) -> bool:
        """Tells whether nothing that limits the search is reached, and remembers what is."""
        effort = self.effort
        if effort.states is not None and self.nodes >= effort.states:
            self.limit = "states"
        elif effort.seconds is not None and clock() - self.started >= effort.seconds:
            self.limit = "seconds"
        elif self.cancel is not None and self.cancel():
            self.limit = "cancelled"
        return self.limit is None

    def presses(self, room: hunting.Hunt) -> list[Press]:
        """Returns the keys that led to the game that was won, and for how many ticks each stays."""
        node, presses = int(room.tally[hunting.FOUND]), list[Press]()
        end = int(self.game.counts[men.TICK])
        while (parent := int(room.parent[node])) >= 0:
            begun = int(room.packed[parent, men.TICK])
            presses.append((KEYS[room.key[node]], end - begun))
            node, end = parent, begun
        return read(written(presses[::-1]))

    def without_idle_digs(self, presses: list[Press]) -> str:
        """Returns the plan with waits in place of digs that it wins as well without.

        Waits take whole steps, and an environment can follow the plan.
        """
        from levelsmith.games.loderunner.arena.arena import LodeRunnerArena

        followed = LodeRunnerArena.followed
        for i, (key, _) in reversed(list(enumerate(presses))):
            if key in DIGS:
                for ticks in IDLE_TICKS:
                    fewer = [*presses[:i], (KEYS[men.NO_KEY], ticks), *presses[i + 1 :]]
                    if self.wins(fewer) and followed(self.level, fewer) is not None:
                        presses = fewer
                        break
        return written(presses)

    def wins(self, presses: list[Press]) -> bool:
        """Tells whether presses win with the last of them."""
        keys = keys_of(presses)
        self.begin()
        ticks, stands = run(self.game, keys)
        return bool(stands == men.WON and ticks == len(keys))

    def hopeless(self) -> str | None:
        """Returns why the level cannot be won, where its walls alone tell."""
        grid = self.level.grid
        if not (grid == ENEMY).any():
            most = judge(grid, "relaxed")
            return None if most.playable else why_not(self.level, most.gold_collectable)
        for row, column in walled_in(grid):
            return f"the gold at row {row + 1}, column {column + 1} is walled in"
        return None

    def is_lost(self) -> bool:
        """Tells whether no keys win, as far as few games are to be tried for that."""
        room = self.room(LOST_NODES)
        period = lcm(PERIOD, self.level.size[1])
        plan = self.hunt(room, self.nearest(), WEIGHTS[0], period)
        return plan is None and self.limit is None and int(room.tally[hunting.HEAP]) == 0

    def plans(self) -> Iterator[str]:
        """Yields plans that win, of one hunt after another, until a limit is reached."""
        self.lost = self.hopeless()
        if self.lost is not None:
            return
        any_won = False
        guides = [self.nearest()]
        for turn in range(ROUNDS):
            nodes = FIRST_NODES * MORE**turn
            if nodes * (2 * self.words + NODE_BYTES) > self.effort.memory:
                self.limit = "memory"
                return
            room = self.room(nodes)
            for i, weights in enumerate(WEIGHTS if turn < LATER else LATER_WEIGHTS):
                for guide in guides:
                    plan = self.hunt(room, guide, weights)
                    if plan is not None:
                        any_won = True
                        yield plan
                    if self.limit is not None:
                        return
                    if turn == i == 0 and len(guides) == 1:
                        guides += self.along_still()
            if turn == 0 and not any_won and self.is_lost():
                self.lost = "every key at every tick loses"
                return

    def along_still(self) -> list[hunting.Guide]:
        """Returns the guide along a plan that takes all gold while nobody moves, if one is found."""
        left = self.effort.seconds
        if left is not None:
            left = max(0.1, (left - (clock() - self.started)) / 4)
        still = solve_still(self.level, Effort(STILL_STATES, left), cancel=self.cancel).solution
        return [] if still is None else [self.along(still)]


def win(level: Level, effort: Effort, *, least: float = 0.0, cancel: Cancel | None = None) -> Verdict:
    """Returns a plan that wins a level against its guards, or that none does, or which limit was reached.

    Args:
        level: a level; one without a player or without gold is refused with the reason.
        effort: what may be spent; states are games kept.
        least: how steady the plan is at least; where none is, the steadiest that was found is returned.
        cancel: asked now and then; True stops.
    """
    LodeRunnerBoard(level.grid)
    winner = Winner(level, effort, cancel)
    plan, kept = None, -1.0
    for found in winner.plans():
        share = steady(level, found)
        if share > kept:
            plan, kept = found, share
        if kept >= least:
            break
    facts: dict[str, Any] = {}
    metrics: Metrics = {}
    if plan is not None:
        metrics, facts = fought(level, plan)
        metrics["steady"] = kept
        if kept < least:
            facts["why"] = "no plan as steady was found"
    elif winner.lost is not None:
        facts["why"] = winner.lost
    else:
        facts["limit"] = winner.limit or "ideas"
        facts["collected"] = winner.collected
    statistics = {
        "states": winner.nodes,
        "seconds": round(clock() - winner.started, 6),
        "hunts": winner.hunts,
        "tried": winner.tried,
        "died": winner.died,
        **facts,
    }
    status = "solved" if plan is not None else "unsolvable" if winner.lost is not None else "unknown"
    return Verdict(status, False, plan, metrics, statistics)


def walled_in(grid: Grid) -> list[list[int]]:
    """Returns the gold, as row and column, to which nothing but solid leads from where a man is or may be
    born."""
    passable = grid != SOLID
    seen = passable & ~np.isin(grid, (GOLD, BRICK))
    while True:
        grown = seen.copy()
        grown[1:] |= seen[:-1]
        grown[:-1] |= seen[1:]
        grown[:, 1:] |= seen[:, :-1]
        grown[:, :-1] |= seen[:, 1:]
        grown &= passable
        if (grown == seen).all():
            shut: list[list[int]] = np.argwhere((grid == GOLD) & ~seen).tolist()
            return shut
        seen = grown
