"""Sokoban: push every box onto a goal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game, Mask
from levelsmith.core import (
    MALFORMED,
    Aim,
    Effort,
    Grid,
    Level,
    Objective,
    Parameter,
    Size,
    Term,
    Tile,
    Tiles,
    Values,
    Verdict,
)
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.metrics.difficulty import MODEL, TIERS
from levelsmith.levels.formats.peers import Peer
from levelsmith.levels.look import Look

ALPHA = "weight of boxes between a box and its goal"
BETA = "weight of goals between them"


def _kartal2016(size: Size, values: Values) -> list[Term]:
    """Returns the square root of terrain times congestion, over k (Kartal et al., technical report 16-005,
    eq. 2)."""
    alpha, beta, gamma, k = (values[name] for name in ("alpha", "beta", "gamma", "k"))
    border = [Term("border", "part")] if values["terrain_border"] else []
    return [
        *border,
        Term("terrain", "linear", low=k),
        *_parts({"boxes": alpha + beta, "boxes_between": alpha, "goals_between": beta}, gamma),
        Term("walls_between", "linear", low=k / gamma),  # a box's own corners count: they are alpha + beta
    ]


def _parts(factors: Mapping[str, float], last: float) -> list[Term]:
    """Returns metrics with their factors, as parts of a last one that has a factor too."""
    return [Term(name, "part", low=last / factor) for name, factor in factors.items() if factor]


def _weighed(values: Values, k: float) -> list[Term]:
    """(w_b · blocks + w_c · congestion + w_n · boxes) / k, congestion as in Kartal et al. (AIIDE 2016)."""
    crowd = values["w_c"] / values["gamma"]
    factors = {
        "blocks": values["w_b"],
        "box_density": crowd * values["alpha"],
        "goal_density": crowd * values["beta"],
        "diagonals": values.get("w_d", 0.0),
    }
    return [*_parts(factors, values["w_n"]), Term("boxes", "linear", low=k / values["w_n"])]


def _aiide2016(size: Size, values: Values) -> list[Term]:
    return _weighed(values, values["k"])


def _koczorowski2023(size: Size, values: Values) -> list[Term]:
    """As in AIIDE 2016, with weights of its own, scaled by the area: 25 / area as in the thesis' program."""
    area = size[0] * size[1] / 25
    return _weighed(values, values["k"] * (area if values["scale"] == "program" else 1 / area))


def _weights(**defaults: float) -> tuple[Parameter, ...]:
    summaries = {
        "alpha": ALPHA,
        "beta": BETA,
        "gamma": "weight of the open cells there",
        "w_b": "weight of 3x3 blocks",
        "w_c": "weight of congestion",
        "w_n": "weight of the number of boxes",
        "w_d": "weight of diagonals, a pattern",
        "k": "what the sum is divided by",
    }
    low = {"gamma": 1e-6, "k": 1e-6, "w_n": 1e-6}
    return tuple(Parameter(n, float(v), summaries[n], low=low.get(n, 0.0)) for n, v in defaults.items())


SOLUTION_METRICS = {
    "pushes": "pushes of the solution",
    "moves": "moves of the solution, pushes among them",
    "box_lines": "runs of pushes of one box in one direction",
    "box_changes": "times that a push is of another box than the push before",
    "pushing_sessions": "runs of pushes with no other move in between",
    "counterintuitive": "pushes that take a box farther from its nearest goal",
    "detour": "pushes beyond the fewest that the boxes need if none is in the way of another",
    "decomposition": "fewest switches between two groups of boxes, over all ways to make two groups",
    "dead_share": "share of the cells from which a box alone on the board reaches no goal",
    "difficulty": "from 0 to 100, by a model of those who solve it and those who give up",
}
PARTS_OF_PUSHES = ("box_lines", "box_changes", "pushing_sessions", "counterintuitive", "detour")
TIER_RANGES = {  # of difficulty, each up to where the next begins
    name: (float(least), math.nextafter([*TIERS.values(), 101][i + 1], 0.0))
    for i, (name, least) in enumerate(TIERS.items())
}
BY_ROOMS = {"search": "sa", "representation": "rooms"}
PERCENT = 100  # a score of 1 for a metric that has no end


def _most(metric: str) -> Objective:
    """As much of a metric as can be."""
    return Objective(
        metric.replace("_", "-"),
        f"as many as can be: {SOLUTION_METRICS[metric]}" if metric != "difficulty" else "as hard as can be",
        lambda size, values: [Term(metric, "linear", low=PERCENT)],
        goal=False,
        defaults=BY_ROOMS,
    )


def _puzzle(size: Size, values: Values) -> list[Term]:
    """Returns a puzzle of a tier, of more than a few pushes, and not solved box by box."""
    low, high = TIER_RANGES[values["tier"]]
    tier = Term("difficulty", "ramp", zero=0.0 if low else -math.inf, low=low, high=high, end=2 * high + 1)
    return [Term("boxes", "ramp"), tier, Term("pushes", "ramp", low=8), Term("box_changes", "ramp", low=2)]


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
    metrics: Mapping[str, str] = {
        "boxes": "boxes that have a goal",
        "solved": "boxes that start on a goal",
        "blocks": "3x3 windows with both wall and no wall in them",
        "terrain": "walls beside empty cells",
        "border": "sides of empty cells that touch the edge of the board",
        "boxes_between": "other boxes in the rectangles between a box and its goal",
        "goals_between": "other goals in those rectangles",
        "walls_between": "walls in those rectangles",
        "box_density": "other boxes there for each cell that is no wall",
        "goal_density": "other goals there for each cell that is no wall",
        "diagonals": "2x2 squares with walls on two opposite corners alone",
        **SOLUTION_METRICS,
    }
    objectives: Mapping[str, Objective] = {
        "puzzle": Objective(
            "puzzle",
            "a puzzle to enjoy, of a chosen difficulty",
            _puzzle,
            (Parameter("tier", "medium", "how hard it is", choices=tuple(TIERS)),),
            defaults=BY_ROOMS,
        ),
        "koczorowski2023": Objective(
            "koczorowski2023",
            "blocks, congestion and boxes as weighed by Koczorowski (2023)",
            _koczorowski2023,
            (
                *_weights(alpha=1.9, beta=0.1, gamma=1.3, w_b=3, w_c=7, w_n=8, w_d=0, k=55),
                Parameter(
                    "scale", "program", "25 / area, or area / 25 as in the text", choices=("program", "text")
                ),
            ),
            goal=False,
        ),
        "aiide2016": Objective(
            "aiide2016",
            "blocks, congestion and boxes as in Kartal, Sohre and Guy (AIIDE 2016)",
            _aiide2016,
            _weights(alpha=1, beta=1, gamma=1, w_b=10, w_c=5, w_n=1, k=50),
            goal=False,
        ),
        "kartal2016": Objective(
            "kartal2016",
            "the square root of terrain times congestion, as in Kartal, Sohre and Guy (2016)",
            _kartal2016,
            (
                Parameter("alpha", 4.0, ALPHA, low=0.0),
                Parameter("beta", 4.0, BETA, low=0.0),
                Parameter("gamma", 1.0, "weight of walls between them", low=1e-6),
                Parameter("k", 200.0, "what the root is divided by", low=1e-6),
                Parameter("terrain_border", False, "terrain counts the edge of the board too"),
            ),
            goal=False,
            combine="product",
        ),
        **{_most(metric).name: _most(metric) for metric in SOLUTION_METRICS if metric != "dead_share"},
    }
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
    )
    aims = (  # the room stays the room
        Aim("difficulty", ("pushes", "moves"), ("floor",), same=("box",), most=100),
        Aim("pushes", ("moves",), ("floor",), same=("box",)),
        Aim("moves", ("pushes",), ("floor",), same=("box",)),
        Aim("box_changes", ("pushes", "moves"), ("floor",), same=("box",)),
    )
    solution_columns = ("pushes", "moves", "difficulty")
    fewest = "pushes"  # of an optimal solution
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
        return {"difficulty": 100.0, "dead_share": 1.0, "boxes": (size[0] * size[1] - 1) // 2}

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
        from levelsmith.games.sokoban.metrics.together import measured_together

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

    def solve(self, level: Level, effort: Effort, **choices: Any) -> Verdict:
        from levelsmith.games.sokoban.metrics.solution import rated
        from levelsmith.games.sokoban.solver.solve import solve

        verdict = solve(level, effort, **choices)
        if verdict.solution is None:
            return verdict
        return replace(verdict, metrics={**verdict.metrics, **rated(level, verdict.solution)})

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
