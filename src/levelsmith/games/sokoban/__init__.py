"""Sokoban: push every box onto a goal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Found, Game, Inspected, Mask, RuleBook
from levelsmith.core import (
    MALFORMED,
    Aim,
    Cancel,
    Effort,
    Grid,
    Level,
    Objective,
    Size,
    Tile,
    Tiles,
    Verdict,
)
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.metrics.difficulty import MODEL
from levelsmith.games.sokoban.objectives import (
    BY_ROOMS,
    METRICS,
    OBJECTIVES,
    PARTS_OF_PUSHES,
    SCORE_PARTS,
    SHARES,
    SOLUTION_METRICS,
    TIER_RANGES,
)
from levelsmith.levels.formats.peers import Peer
from levelsmith.levels.look import Look


class Sokoban(Game):
    name = "sokoban"
    summary = "push every box onto a goal"
    letters = "udlr"  # the moves
    tiles = Tiles(
        Tile("floor", " ", "-_", tags=("passable", "empty")),
        Tile("wall", "#", tags=("solid",)),
        Tile("box", "$", "b", tags=("pushable", "box"), parts=("floor", "box")),
        Tile("goal", ".", "o", tags=("passable", "goal"), parts=("floor", "goal")),
        Tile("box on goal", "*", "B", tags=("pushable", "box", "goal"), parts=("floor", "goal", "box")),
        Tile("player", "@", "p", tags=("passable", "spawn"), parts=("floor", "player")),
        Tile(
            "player on goal", "+", "P", tags=("passable", "spawn", "goal"), parts=("floor", "goal", "player")
        ),
        blank="floor",
    )
    metrics: Mapping[str, str] = METRICS
    score_parts = SCORE_PARTS
    objectives: Mapping[str, Objective] = OBJECTIVES
    defaults: Mapping[str, str] = {**BY_ROOMS, "objective": "puzzle", "generator": "warehouse"}
    settings: Mapping[str, Any] = {
        "mcts.selection": "ucb1",
        "mcts.c": 0.566,
        "mcts.length": 10_000,
        "mcts.scored": "ends",
        "mcts.trees": 8,
        "mcts.bootstrap": 0.5,
        "mcts.cycle": 20_000,
        "sa.floor": 0.015,
        "rooms.open": 0.5,
        "elites.by": "pushes:0..60:10, box_changes:0..20:10",
    }
    default_size: Size = (6, 7)
    smallest: Size = (2, 2)
    largest: Size = (64, 64)
    takes: frozenset[str] = frozenset()  # only representations that are made for it
    text_format = "xsb"
    example = ("#####\n#@$.#\n#####", "R")
    ranges: Mapping[str, Mapping[str, tuple[float, float]]] = {"difficulty": TIER_RANGES}
    always: Mapping[str, tuple[float, float]] = {"boxes": (1.0, math.inf)}  # wherever ranges are asked for
    # What a ramp goes through where no range says.
    usual: Mapping[str, tuple[float, float]] = {"difficulty": (10.0, 90.0), "pushes": (5.0, 35.0)}
    never_above = (  # of no level is the first more than the second
        ("pushes", "moves"),
        *((metric, "pushes") for metric in PARTS_OF_PUSHES),
        ("solved", "boxes"),
        ("goal_groups", "boxes"),
    )
    aims = (  # the room stays the room
        Aim("difficulty", ("pushes", "moves"), ("floor",), falls=("chance",), same=("box",), most=100),
        Aim("pushes", ("moves",), ("floor",), same=("box",)),
        Aim("moves", ("pushes",), ("floor",), same=("box",)),
        Aim("box_changes", ("pushes", "moves"), ("floor",), same=("box",)),
    )
    solution_columns = ("pushes", "moves", "difficulty")
    fewest = "push"
    capitals = "push"
    estimated = frozenset({"difficulty"})  # by searches, which look at thousands of levels
    models: Mapping[str, str] = {"difficulty": MODEL}
    mirrors = True  # the mirror image of a level is a level
    peers: Mapping[str, Peer] = {
        "pcg-benchmark": Peer(("wall", "floor", "player", "box", "goal"), around="wall"),
        "gym-pcgrl": Peer(("floor", "wall", "player", "box", "goal"), around="wall"),
    }
    border = 1  # the size is that of the inside: levels have a wall around it

    def most(self, size: Size) -> dict[str, float]:
        """Returns the most that metrics can be on a board."""
        return {
            "difficulty": 100.0,
            "boxes": (size[0] * size[1] - 1) // 2,
            **dict.fromkeys(SHARES, 1.0),
        }

    def measure(self, grids: Grid) -> NDArray[np.float64]:
        """Returns where no solution tells which box goes where, each is paired with a goal near by."""
        from levelsmith.games.sokoban.metrics.board import inside, measured, nearest_pairs

        boards = [inside(grid) for grid in grids]
        return np.array([measured(board, nearest_pairs(board)) for board in boards])

    def measure_level(self, level: Level) -> NDArray[np.float64]:
        """Returns the metrics of one level: boxes are paired with goals as in the solution that it carries,
        and what a solution tells is of a shortest one, else of the one that it carries, else not known."""
        from levelsmith.games.sokoban.metrics.truth import truth_of
        from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL

        if level.solution is None and not np.isin(level.grid, (BOX, BOX_ON_GOAL)).any():
            return np.asarray(self.measure(level.grid[None])[0])
        known = truth_of(level)
        if known is None:  # what a solution tells is not known
            row = np.asarray(self.measure(level.grid[None])[0])
            row[[list(self.metrics).index(metric) for metric in SOLUTION_METRICS]] = np.nan
            return row
        carried = level if level.solution is not None else replace(level, solution=known.solution)
        from levelsmith.games.sokoban.metrics.solution import rated

        return self._measured(carried, rated(level, known.solution))

    def measure_carried(self, level: Level) -> NDArray[np.float64]:
        """Returns the metrics of one level by the solution that it carries, shortest or not; without one,
        what needs none. The difficulty is estimated."""
        if level.solution is None:
            return np.asarray(self.measure(level.grid[None])[0])
        from levelsmith.games.sokoban.metrics.solution import measured

        return self._measured(level, measured(level, level.solution))

    def measure_rated(self, level: Level) -> NDArray[np.float64]:
        """Returns the same with its difficulty, by a solution that is known to be shortest."""
        from levelsmith.games.sokoban.metrics.solution import rated

        return self._measured(level, rated(level, level.solution or ""))

    def _measured(self, level: Level, told: Mapping[str, float]) -> NDArray[np.float64]:
        """Returns the metrics of a level that carries a solution, and what another solution of it tells."""
        from levelsmith.games.sokoban.metrics.board import by_solution

        row = by_solution(level)
        for metric in SOLUTION_METRICS:
            row[list(self.metrics).index(metric)] = told[metric]
        return row

    def measure_solved(self, grids: Grid, solutions: Sequence[str]) -> NDArray[np.float64]:
        """Returns what `measure_level` does, of many levels of one size by the solutions that they carry."""
        from levelsmith.games.sokoban.metrics.grids import measured_together

        return measured_together(self, grids, solutions)

    def details(self, level: Level) -> dict[str, Any]:
        """Returns the tier of the level's difficulty where it has a solution, and what is unproved."""
        from levelsmith.games.sokoban.metrics.difficulty import tier
        from levelsmith.games.sokoban.metrics.headline import note
        from levelsmith.games.sokoban.metrics.solution import rated
        from levelsmith.games.sokoban.metrics.truth import truth_of

        known = None if level.solution is None else truth_of(level)
        if known is None:
            return {}
        told = note(level, known)
        grade = tier(rated(level, known.solution)["difficulty"])
        return {"tier": grade, **({"note": told} if told else {})}

    def headline(self, level: Level) -> str:
        from levelsmith.games.sokoban.metrics.headline import headline

        return headline(level)

    def check(self, level: Level) -> None:
        from levelsmith.games.sokoban.rules.rules import check

        if wrong := level.provenance.get(MALFORMED):
            raise LevelsmithError(f"this is no level of sokoban: {wrong}\n{level.text}")
        try:
            check(level.grid)
        except LevelsmithError as error:
            raise LevelsmithError(f"this is no level of sokoban: {error}\n{level.text}") from None

    def closed(self, level: Level) -> Level:
        """Returns the level with floor outside, that nobody can reach, as wall."""
        from levelsmith.games.sokoban.metrics.board import filled

        return replace(level, grid=filled(level.grid), solution=None)

    def canonical(self, grid: Grid) -> bytes:
        """Returns the same for levels that turning, mirroring or walking about makes equal."""
        from levelsmith.games.sokoban.rules.rules import SokobanBoard, marked

        marks = marked(SokobanBoard(grid))
        turned = [np.rot90(side, k) for side in (marks, marks[:, ::-1]) for k in range(4)]
        return min(repr(each.shape).encode() + np.ascontiguousarray(each).tobytes() for each in turned)

    def canonical_keys(self, grids: Grid) -> NDArray[np.uint64]:
        """Returns a number for each level; turning, mirroring, moving, walking about leave it as it is."""
        from levelsmith.games.sokoban.rules.keys import canonical_keys

        return canonical_keys(grids)

    def verify(self, level: Level) -> None:
        """Plays the level's solution by the rule book; raises where it does not solve."""
        from levelsmith.games.sokoban.rules.rules import replay

        if level.solution is not None:
            replay(level, level.solution)

    def rule_book(self) -> RuleBook:
        from levelsmith.games.sokoban.rules import verify_part

        return RuleBook(verify_part)

    def bound_book(self) -> ModuleType:
        from levelsmith.games.sokoban.rules import bound_part

        return bound_part

    def solve(self, level: Level, effort: Effort, **choices: Any) -> Verdict:
        from levelsmith.games.sokoban.metrics.solution import rated, why_not
        from levelsmith.games.sokoban.solver.solve import solve

        verdict = solve(level, effort, **choices)
        if verdict.status == "unsolvable" and (why := why_not(level.grid)):
            return replace(verdict, statistics={**verdict.statistics, "why": why})
        if verdict.solution is None:
            return verdict
        told = rated(level, verdict.solution)
        known = {} if "chance" in told else {"estimated": ["difficulty"]}
        statistics = {**verdict.statistics, **known}
        return replace(verdict, metrics={**verdict.metrics, **told}, statistics=statistics)

    @property
    def inspections(self) -> Mapping[str, tuple[str, str]]:
        from levelsmith.games.sokoban.inspect import INSPECTIONS

        return INSPECTIONS

    def faults(self, level: Level) -> Iterator[Found]:
        from levelsmith.games.sokoban.inspect import faults

        return faults(level)

    def inspect(
        self, name: str, level: Level, verdict: Verdict, effort: Effort, cancel: Cancel | None
    ) -> Inspected:
        from levelsmith.games.sokoban.inspect import inspect

        return inspect(name, level, verdict, effort, cancel)

    def inspect_all(self, name: str, levels: Sequence[Level], facts: Sequence[Any]) -> Iterator[Found]:
        """Nothing is found in several levels together."""
        return iter(())

    def nudged(self, grid: Grid, free: NDArray[np.bool_], rng: np.random.Generator) -> Grid:
        """Returns a copy with one or two of its free cells changed, as a designer would."""
        from levelsmith.games.sokoban.edits.nudges import nudged

        return nudged(grid, free, rng)

    def trouble(self, grid: Grid) -> float:
        """Returns how far a grid is from a level that a solver should look at."""
        from levelsmith.games.sokoban.edits.mend import trouble

        return trouble(grid)

    def mendings(self, grid: Grid, free: NDArray[np.bool_]) -> Iterator[Grid]:
        """Copies of a grid with a small change that might mend it."""
        from levelsmith.games.sokoban.edits.mend import mendings

        return mendings(grid, free)

    def furnished(self, grid: Grid, free: NDArray[np.bool_], rng: np.random.Generator) -> Grid | None:
        """Returns a copy with what is missing for a level put into its free cells."""
        from levelsmith.games.sokoban.edits.mend import furnished

        return furnished(grid, free, rng)

    def sealed(self, grid: Grid, free: NDArray[np.bool_]) -> Grid:
        """Returns a copy without free floor that the player can never get to."""
        from levelsmith.games.sokoban.edits.mend import sealed

        return sealed(grid, free)

    def things(self, grid: Grid) -> tuple[int, ...]:
        """Returns how many boxes and goals there are, and boxes off them: a repair takes none away if it
        can."""
        from levelsmith.games.sokoban.edits.mend import counts
        from levelsmith.games.sokoban.rules.kernels.tiles import BOX

        return *counts(grid)[:2], int((grid == BOX).sum())

    def hopeless(self, level: Level, free: NDArray[np.bool_]) -> str | None:
        """Tells why nothing can be made of the cells that must stay, where that is known."""
        from levelsmith.games.sokoban.edits.mend import hopeless

        return hopeless(level, free)

    def grade(self, metrics: Mapping[str, float | None]) -> str | None:
        from levelsmith.games.sokoban.metrics.difficulty import tier

        return tier(metrics["difficulty"] or 0.0)

    def outside(self, grid: Grid) -> Mask:
        """Returns the floor beyond the walls, where they enclose all that is inside."""
        from levelsmith.games.sokoban.metrics.board import filled
        from levelsmith.games.sokoban.rules.kernels.tiles import WALL

        closed = filled(grid)
        inside = closed != WALL
        beyond: Mask = (closed != grid) & (inside.any() and inside.sum() == inside[1:-1, 1:-1].sum())
        return beyond

    def is_shortest(self, level: Level) -> bool:
        from levelsmith.games.sokoban.metrics.truth import is_proved

        return is_proved(level)

    def with_shortest(self, level: Level) -> Level | None:
        """Returns the level with a proved shortest solution; None where none is soon found."""
        from levelsmith.games.sokoban.metrics.truth import with_shortest

        return with_shortest(level)

    def steps(self, size: Size, seed: int) -> dict[str, Any]:
        from levelsmith.games.sokoban.play.steps import steps

        return steps(self, size, seed)

    def joined(self, whole: Level, room: Level) -> Level:
        from levelsmith.games.sokoban.chain import joined

        return joined(whole, room)

    def frames(self, level: Level) -> Iterator[Grid]:
        from levelsmith.games.sokoban.rules.rules import frames

        return frames(level)

    def begun(self, grid: Grid) -> Any:
        from levelsmith.games.sokoban.rules.rules import SokobanBoard

        board = SokobanBoard(grid)
        return board, board.start

    def moved(self, position: Any, letter: str) -> Any:
        board, state = position
        after = board.step(state, letter)
        return None if after is None else (board, after)

    def is_solved(self, position: Any) -> bool:
        board, state = position
        return bool(board.is_solved(state))

    def drawn(self, position: Any) -> Grid:
        from levelsmith.games.sokoban.rules.rules import drawn

        return drawn(*position)

    def compiled(self, size: Size) -> Any:
        from levelsmith.games.sokoban.metrics.kernels import level as metric_kernels  # noqa: F401  (implements `metric`)
        from levelsmith.games.sokoban.rules.kernels import board as kernels

        return kernels.measured(size) if kernels.fits(size) else None

    def compiled_grids(self, size: Size) -> Any:
        """Returns what measures boards that are tiles and nothing more; those of `compiled` know their
        solution."""
        from levelsmith.games.sokoban.metrics.grids import compiled
        from levelsmith.games.sokoban.metrics.truth import EASY_STATES

        return compiled(self, size, EASY_STATES)

    def look(self) -> Look:
        from levelsmith.games.sokoban.look import LOOK

        return LOOK


GAME = Sokoban()
