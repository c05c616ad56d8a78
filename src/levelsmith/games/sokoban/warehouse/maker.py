"""The maker `warehouse`: a plan as people draw it, boxes pulled off goals that lie together, all proved.

Every level is solved with the fewest pushes, and among these with the fewest moves, before it is handed out.
Floor that this solution never uses becomes wall: that takes away other ways alone, so that the solution stays
a shortest one. What is left is cut to its room, with a single wall around it and nothing outside.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

import numpy as np

from levelsmith.contracts import Game
from levelsmith.core import Effort, Grid, Level, Parameter, Parameters, Size, Term, Values
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.games.drawn import Draw, Drawer
from levelsmith.games.sokoban.metrics.truth import EASY_STATES
from levelsmith.games.sokoban.rules.kernels.tiles import (
    BOX,
    BOX_ON_GOAL,
    FLOOR,
    GOAL,
    PLAYER,
    PLAYER_ON_GOAL,
    WALL,
)
from levelsmith.games.sokoban.rules.rules import SokobanBoard
from levelsmith.games.sokoban.solver.kernels import pulls as pull_kernels
from levelsmith.games.sokoban.solver.solve import fewest_pushes
from levelsmith.games.sokoban.warehouse.plan import FORMS, SYMMETRIES, Plan, draw_plan
from levelsmith.games.sokoban.warehouse.pulls import Start, pulled

LARGEST: Size = (24, 32)
SMALLEST = 4  # cells along a side
MOST_BOXES = 16
USUAL_BOXES = 8  # at most, where no number is asked for: beyond, proofs take long
CELLS_A_BOX = 12
LEAST_DIFFICULTY = 45.0  # where none is asked for: medium
STARTS = 4  # drawn on a plan, of which the first that will do is taken
MOST_DRAWN = 3_000  # candidates for a level, after which it is given up
FIRST_PULLS = 7.0  # for each box, in the first candidate
LEAST_PULLS, MOST_PULLS = 4.0, 40.0
LONGER, SHORTER = 1.12, 0.9  # how the number of pulls follows what the last solution lacked


class Warehouse(Drawer):
    """Draws plans and starts until one is proved and lies in the ranges."""

    game = "sokoban"
    summary = "rooms as people build them: goals together, no floor without use, up to 32x24, all proved"
    distinct = False  # each is cut to its room
    insists: ClassVar[frozenset[str]] = frozenset({"form", "symmetry"})  # whoever sets one asks for it
    parameters: ClassVar[Parameters] = (
        Parameter("boxes", "fit", "boxes of a level: a number, a range, or fit for what fits the size"),
        Parameter("form", "any", "goals side by side, or in a room of their own with a door", choices=FORMS),
        Parameter("symmetry", "any", "rooms that are the same from left to right", choices=SYMMETRIES),
        Parameter("states", 150_000, "positions that a proof may take", low=1),
    )
    sure = ("boxes",)

    def __init__(self, game: Game, size: Size, values: Values, terms: Sequence[Term]):
        super().__init__(game, size, values, terms)
        height, width = size
        if min(size) < SMALLEST or height > LARGEST[0] or width > LARGEST[1]:
            raise LevelsmithError(
                f"expected a size from {SMALLEST}x{SMALLEST} to {LARGEST[1]}x{LARGEST[0]} for warehouse, "
                f"got {width}x{height}"
            )
        self.boxes = _boxes(size, values["boxes"], terms)
        if not any(term.metric == "difficulty" for term in terms):
            self.terms = [*terms, Term("difficulty", "ramp", low=LEAST_DIFFICULTY)]

    @staticmethod
    def serves(size: Size, wants: Collection[Any]) -> bool:
        """Returns whether there are more boxes or cells than `rooms` can meet all positions of."""
        cells = size[0] * size[1]
        least = max([1, *(math.ceil(want.low) for want in wants if want.metric == "boxes")])
        return cells > 256 or math.comb(int(0.7 * cells), least) > pull_kernels.MOST_SETS

    def start(self, seed: np.random.SeedSequence) -> Draw:
        return WarehouseDraw(self, seed)

    def stacked(self, grids: Sequence[Grid]) -> Grid:
        """Returns grids of one size, with nothing outside their rooms."""
        whole = np.full((len(grids), self.size[0] + 2, self.size[1] + 2), FLOOR, np.uint8)
        for all_cells, grid in zip(whole, grids, strict=True):
            all_cells[: grid.shape[0], : grid.shape[1]] = grid
        return whole

    def candidate(self, dice: Random) -> Level | None:
        raise NotImplementedError("a level is drawn by its own run, which learns from the last")


class WarehouseDraw(Draw):
    """One level that is being drawn. The number of pulls follows what the last solutions lacked."""

    def __init__(self, drawer: Warehouse, seed: np.random.SeedSequence):
        super().__init__(drawer, seed)
        self.maker = drawer
        self.pulls = FIRST_PULLS
        self.nearest: tuple[float, Level] | None = None
        self.plan: Plan | None = None
        self.left = 0  # starts still to be drawn on the plan

    def advance(self, evaluations: int) -> None:
        for _ in range(0 if self.exhausted else evaluations):
            self.evaluations += 1
            self.level = self._drawn()
            if self.level is not None:
                self.score = 1.0
            self.exhausted = self.level is not None or self.evaluations >= MOST_DRAWN
            if self.exhausted:
                return

    def best(self) -> Grid:
        if self.level is None and self.nearest is not None:
            return self.nearest[1].grid
        return super().best() if self.level is not None else _none()

    def proof(self) -> str | None:
        if self.level is None and self.nearest is not None:
            return self.nearest[1].solution
        return super().proof()

    def _drawn(self) -> Level | None:
        maker, dice = self.maker, self.dice
        if self.plan is None or self.left == 0:
            number = dice.randint(*maker.boxes)
            values = maker.values
            self.plan = draw_plan(dice, maker.size, number, values["form"], values["symmetry"])
            self.left = STARTS
            if self.plan is None:
                return None
        self.left -= 1
        start = pulled(dice, self.plan, round(self.pulls * len(self.plan.goals)))
        if start is None:
            return None
        level = proved(self.plan, start, maker.of, maker.values["states"])
        if level is None:
            self.pulls = max(LEAST_PULLS, self.pulls * SHORTER)
            return None
        return self._judged(level)

    def _judged(self, level: Level) -> Level | None:
        """Returns the level where it lies in the ranges; else the next is pulled farther or less far."""
        row = dict(zip(self.maker.of.metrics, self.maker.of.measure_level(level), strict=True))
        lacking = sum(row[term.metric] < term.low for term in self.maker.terms)
        over = sum(row[term.metric] > term.high for term in self.maker.terms)
        if not lacking and not over:
            return level
        self.pulls *= LONGER if lacking >= over else SHORTER
        self.pulls = min(MOST_PULLS, max(LEAST_PULLS, self.pulls))
        near = -float(lacking + over)
        if self.nearest is None or near > self.nearest[0]:
            self.nearest = near, level
        return None


def _none() -> Grid:
    """Returns the smallest level, which says where nothing was found at all."""
    return np.array([[WALL] * 5, [WALL, PLAYER, BOX, GOAL, WALL], [WALL] * 5], np.uint8)


def _boxes(size: Size, asked: str, terms: Sequence[Term]) -> tuple[int, int]:
    """Returns the fewest and the most boxes of a level: those asked for, or as many as fit its size."""
    cells = size[0] * size[1]
    fitting = max(3, min(USUAL_BOXES, cells // CELLS_A_BOX))
    least, most = max(2, fitting // 2), fitting
    if asked != "fit":
        found = re.fullmatch(r"(\d{1,3})(?:\.\.(\d{1,3}))?", asked)
        least, most = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 1 <= least <= most:
            raise LevelsmithError(
                f"expected a whole number, a range such as 4..6, or fit for boxes, got {quoted(asked)}"
            )
    for term in terms:
        if term.metric == "boxes":
            least = max(1, math.ceil(term.low))
            most = least if term.high == math.inf else int(term.high)
    if least > MOST_BOXES:
        raise LevelsmithError(
            f"expected at most {MOST_BOXES} boxes, got {least}: levels with more take too long to prove"
        )
    return least, min(most, MOST_BOXES)


def proved(plan: Plan, start: Start, game: Any, states: int) -> Level | None:
    """Returns the level with a shortest solution, without floor that this never uses; None where that is not
    proved in so many states.

    Floor without use goes twice: on what is left after a first solution, whose moves may not be the fewest,
    those with the fewest moves are found sooner. Where they are not found soon, the first solution stays.
    """
    level = Level("sokoban", game.tiles, _grid(plan, start), provenance={"search": "warehouse"})
    moves = fewest_pushes(level, Effort(states=states, seconds=None))
    if moves is None:
        return None
    level = _without_idle_floor(level, moves, plan.mirrored)
    found = game.solve(level, Effort(states=min(states, 2 * EASY_STATES), seconds=None), moves=True)
    if found.solution is not None and found.optimal:
        moves = found.solution
        level = _without_idle_floor(level, moves, plan.mirrored)
    return replace(level, grid=outlined(level.grid), solution=moves)


def _without_idle_floor(level: Level, moves: str, mirrored: bool) -> Level:
    """Returns the level with wall on cells that a solution never comes to, on neither side of a mirrored
    one."""
    used = _used(SokobanBoard(level.grid), moves)
    if mirrored:
        used |= used[:, ::-1]
    return replace(level, grid=np.where(used, level.grid, WALL).astype(np.uint8))


def _grid(plan: Plan, start: Start) -> Grid:
    grid = np.where(plan.floor, FLOOR, WALL).astype(np.uint8)
    for goal in plan.goals:
        grid[goal] = GOAL
    for box in start.boxes:
        grid[box] = BOX_ON_GOAL if grid[box] == GOAL else BOX
    grid[start.player] = PLAYER_ON_GOAL if grid[start.player] == GOAL else PLAYER
    return grid


def _used(board: SokobanBoard, solution: str) -> Any:
    """Returns the cells that the player or a box comes to, and the goals."""
    used = np.zeros((board.height, board.width), np.bool_)
    for cell in (board.start.player, *board.start.boxes, *board.goals):
        used[cell] = True
    for _, position in board.play(solution):
        used[position.player] = True
        for box in position.boxes:
            used[box] = True
    return used


def outlined(grid: Grid) -> Grid:
    """Returns a grid cut to its room: one wall around it, and no tiles of wall that touch no floor."""
    inside = grid != WALL
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    cut = np.pad(grid, 1, constant_values=WALL)[rows[0] : rows[-1] + 3, columns[0] : columns[-1] + 3]
    near = np.zeros(cut.shape, np.bool_)
    room = np.pad(cut != WALL, 1)
    for down in (0, 1, 2):
        for right in (0, 1, 2):
            near |= room[down : down + cut.shape[0], right : right + cut.shape[1]]
    return np.where(near, cut, FLOOR).astype(np.uint8)
