"""The maker `warehouse`: a plan as people draw it, boxes pulled off goals that lie together, all proved.

Where a plan has not too many positions, all that can be solved are met, and the level starts at one of those
that take as many pushes as suits the difficulty asked for. Where it has too many, boxes are pulled about at
random, a solver proves what comes of it, and a solution with few moves is looked for. Of the first few plans
the one whose level comes nearest to what is asked for is changed for as long as that brings it nearer: a few
cells at a time, and where not all starts are met, by pulling its boxes on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any, ClassVar

import numpy as np

from levelsmith.contracts import Game
from levelsmith.core import Grid, Level, Parameter, Parameters, Size, Term, Values
from levelsmith.errors import LevelsmithError, quoted, setting
from levelsmith.games.climb import Climb, outside
from levelsmith.games.drawn import Draw, DrawnWhole
from levelsmith.games.sokoban.metrics.difficulty import TIERS
from levelsmith.games.sokoban.metrics.solution import measured, pushes, rated
from levelsmith.games.sokoban.metrics.truth import PROVED
from levelsmith.games.sokoban.rules.kernels.board import SELDOM
from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL, FLOOR, GOAL, PLAYER, WALL
from levelsmith.games.sokoban.rules.rules import SokobanBoard
from levelsmith.games.sokoban.solver.kernels.pulls import MOST_SETS as TOLD_APART
from levelsmith.games.sokoban.warehouse.built import (
    Built,
    built_of,
    finished,
    is_lively,
    order_of,
    proved,
    with_fewer_moves,
)
from levelsmith.games.sokoban.warehouse.plan import (
    FORMS,
    LARGE,
    PICTURE,
    ROW,
    SMALL,
    SYMMETRIES,
    Plan,
    Start,
    changed,
    draw_plan,
)
from levelsmith.games.sokoban.warehouse.poses import posed
from levelsmith.games.sokoban.warehouse.pulls import pulled, pulled_on
from levelsmith.games.sokoban.warehouse.starts import (
    Starts,
    Workspace,
    can_be_met,
    has_few_starts,
    make_workspace,
)
from levelsmith.games.sokoban.warehouse.themes import THIRDS, Wish, part_of_range, relaxed, theme_of

LARGEST: Size = (24, 32)
SMALLEST = 4  # cells along a side
MOST_BOXES = 16
FEW_BOXES, USUAL_BOXES = 3, 6  # where no number is asked for, at most: on the smallest board, on a large one
CELLS_A_BOX = 40  # beyond those few
USUAL_FLOOR = 0.6  # of a plan, in parts of its cells
USUAL = (TIERS["medium"], TIERS["fiendish"])  # the difficulty, where none is asked for: medium or hard
EASIER_AFTER, OF_ONE_BOX = 2_500, 200  # candidates after which an easier one will do; of a single box sooner
STARTS = 4  # tried on a plan
PERCENT = 100.0
DULL = 1_000.0  # how far off a level is whose solution is not lively
PATIENCE = 30  # candidates after which a level need not be like its theme; more if each is proved or mirrored
MOST_DRAWN = 20_000  # candidates for a level, after which it is given up
FIRST_PULLS = 7.0  # for each box, in the first candidate
LEAST_PULLS, MOST_PULLS = 4.0, 40.0
LONGER, SHORTER = 1.12, 0.9  # how the number of pulls follows what the last solution lacked
FITS, LACKS, EXCEEDS = range(3)
# Plans that are drawn before the best is changed, and changes without a gain before others are drawn: where
# all starts of each are met, and where each has one.
MET_CLIMB, PULLED_CLIMB = (8, 15), (40, 60)
WIDTHS = (30, 300, 1_000)  # of searches for few moves; the last one where the others find nothing
MORE_PULLS = (3, 8, 20)
HARDEST_PAIR = 60.0  # difficulty from which hardly any level has two boxes
# Ranges in which it soon finds levels: of these metrics, so easy and so hard, pushes for each box and for
# each cell, cells for each box; and of form, where they take in what most of its levels have. For others
# there are searches.
STEERED = frozenset({"boxes", "difficulty", "pushes"})
USUAL_FORM = {
    "unused_floor": (0.0,),
    "seldom_pushed": (0.0,),
    "lone_goals": (0.0, 1.0),
    "goal_groups": (1.0, 2.0),
    "mirror_share": (1.0,),
}
FEW_ALONE = 0.5  # of the goals: who asks for more of them alone gets them scattered
ROOM_FOR_ROWS = 42  # cells
POSES = 4  # tried on a plan
NEARLY = 0.8  # a room that shall be as much the same in a mirror is drawn so
EASIEST, HARDEST = 25, 95
LEAST_PUSHES, MOST_PUSHES = 6, 0.8
LEAST_ROOM = 8
ANY = (0.0, math.inf)

Place = tuple[Plan, Start | None]  # where all starts of a plan are met, it has none of its own


class Warehouse(DrawnWhole):
    """Draws plans and starts until one is proved and lies in the ranges."""

    game = "sokoban"
    summary = "rooms as people build them: goals together, no floor without use, up to 32x24, all proved"
    batches = False  # each is cut to its room
    insists: ClassVar[frozenset[str]] = frozenset({"form", "symmetry"})  # whoever sets one asks for it
    parameters: ClassVar[Parameters] = (
        Parameter("boxes", "fit", "boxes of a level: a number, a range, or fit for what fits the size"),
        Parameter(
            "form",
            "any",
            "how goals lie (cluster, goalroom, groups, scattered), how boxes start (row, picture, occupied), "
            "or narrow ways (corridors, loops)",
            choices=FORMS,
        ),
        Parameter("symmetry", "any", "rooms that are the same from left to right", choices=SYMMETRIES),
        Parameter("states", 20_000, "positions that a proof may take", low=1),
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
        least = {term.metric: term.low for term in terms}
        in_groups, mirrored = least.get("goal_groups", 0) > 1, least.get("mirror_share", 0) > NEARLY
        alone = least.get("lone_goals", 0) > FEW_ALONE
        form, symmetry = values["form"], values["symmetry"]
        if form == "any":
            form = "groups" if in_groups else "scattered" if alone else form
        if form == "picture" and symmetry == "none":
            raise LevelsmithError(
                f"a picture is the same from left to right: leave out {setting('symmetry', 'none')}"
            )
        self.wish = Wish(
            form,
            "mirror" if form == "picture" or (mirrored and symmetry == "any") else symmetry,
            scattered=not least.keys() & {"lone_goals", "goal_groups"},
            idle="seldom_pushed" not in least,
        )
        self.fitting = values["boxes"] == "fit" and all(term.metric != "boxes" for term in terms)
        ranges = [(term.low, term.high) for term in terms if term.metric == "difficulty"]
        self.usual = not ranges
        self.difficulty = ranges[0] if ranges else USUAL

    @property
    def longest_row(self) -> int:
        """How many boxes may stand in a row; 0 where their number was asked for."""
        fitting = self.fitting and self.size[0] * self.size[1] >= ROOM_FOR_ROWS
        return max(self.size) - 1 if fitting else 0

    @staticmethod
    def serves(size: Size, wants: Collection[Any]) -> bool:
        """Returns whether its levels can have a size, and often enough lie in the ranges."""
        if min(size) < SMALLEST or size[0] > LARGEST[0] or size[1] > LARGEST[1]:
            return False
        cells, spans = size[0] * size[1], {want.metric: (want.low, want.high) for want in wants}
        for metric in spans.keys() - STEERED:
            low, high = spans[metric]
            if not any(low <= usual <= high for usual in USUAL_FORM.get(metric, ())):
                return False
        boxes = max(1, math.ceil(spans.get("boxes", (2, math.inf))[0]))
        pushes, difficulty = spans.get("pushes", ANY), spans.get("difficulty", ANY)
        return (
            (boxes * LEAST_ROOM <= cells or math.comb(int(0.7 * cells), boxes) > TOLD_APART)
            and pushes[0] <= MOST_PUSHES * cells
            and pushes[1] >= LEAST_PUSHES * boxes
            and difficulty[0] <= HARDEST
            and difficulty[1] >= EASIEST
        )

    def start(self, seed: np.random.SeedSequence) -> Draw:
        return WarehouseDraw(self, seed)

    def stacked(self, grids: Sequence[Grid]) -> Grid:
        """Returns grids of one size, with nothing outside their rooms."""
        whole = np.full((len(grids), self.size[0] + 2, self.size[1] + 2), FLOOR, np.uint8)
        for all_cells, grid in zip(whole, grids, strict=True):
            all_cells[: grid.shape[0], : grid.shape[1]] = grid
        return whole


class WarehouseDraw(Draw):
    """One level that is being drawn, at first of the theme of its run."""

    def __init__(self, drawer: Warehouse, seed: np.random.SeedSequence):
        super().__init__(drawer, seed)
        self.maker = drawer
        self.part = part_of_range(seed, drawer.difficulty[0], min(drawer.difficulty[1], 100.0))
        self.boxes = boxes_for(self.part[0], drawer.boxes, drawer.size) if drawer.fitting else drawer.boxes
        self.theme = theme_of(seed, self.boxes, drawer.longest_row, drawer.wish)
        # Two boxes are seldom hard, and a try takes little time.
        self.pair = drawer.fitting and self.theme.boxes == 2
        if self.pair:
            low, high = drawer.difficulty[0], min(drawer.difficulty[1], 100.0)
            self.part = low, low + (high - low) / THIRDS
        self.nearest: tuple[float, Built] | None = None  # and how far off it is
        self.spare: tuple[float, Built] | None = None  # in the ranges, not as good as can be, and by how much
        self.easier: tuple[float, Built] | None = None  # in the ranges, easier than usual, and by how much
        self.found: Built | None = None
        self.enough, stale = MET_CLIMB if self._few else PULLED_CLIMB
        self.climb: Climb[Place | None] = Climb(None, patience=stale)
        self.drawn = 0  # plans since the climb began
        self.plan: Plan | None = None
        self.left = 0  # starts still to be tried on the plan
        self.starts: Starts | None = None  # all of the plan, where they are met
        self.workspace: Workspace | None = None  # in which they lie
        self.span = (0, 0)  # of pushes, in which a start is to be looked for
        self.pulls = FIRST_PULLS

    def advance(self, evaluations: int) -> None:
        """Tries that many starts, or fewer where one will do."""
        for _ in range(0 if self.exhausted else evaluations):
            self.evaluations += 1
            self.found = self._drawn()
            if self.found is not None:
                self.level, self.score = self.found.level, 1.0
            self.told = {PROVED: True} if self._best is not None and self._best.rated else {}
            self.exhausted = self.level is not None or self.evaluations >= MOST_DRAWN
            if self.exhausted:
                self.starts = self.workspace = None
                return

    @property
    def _best(self) -> Built | None:
        return self.found if self.found is not None or self.nearest is None else self.nearest[1]

    def best(self) -> Grid:
        return _none() if self._best is None else self._best.level.grid

    def proof(self) -> str | None:
        return None if self._best is None else self._best.level.solution

    def _drawn(self) -> Built | None:
        """Tries one more start, on another plan where the last one is done with; returns what lies in the
        ranges."""
        if self.spare is not None and not (self._patient if self.spare[0] else self._choosy):
            return self.spare[1]
        if self.easier is not None and self.evaluations > (EASIER_AFTER if self.boxes[1] > 1 else OF_ONE_BOX):
            return self.easier[1]
        if self.plan is None or self.left == 0:
            best = self._to_change()
            if best is not None and best[1] is not None:
                return self._altered(best[0], best[1])
            self.plan = self._new_plan() if best is None else changed(self.dice, best[0])
            self.left, self.starts = 1, None
            if self.plan is None:
                return None
            size = self.maker.size
            if self.theme.pose == ROW:
                self.left = POSES
            elif not can_be_met(self.plan, size):
                if self._few:
                    self.plan = None  # others, with less floor, take no solver
                    return None
            else:
                self.left = STARTS
                self.starts = self._met(self.plan, size)
                deepest = int(self.starts.depths[-1]) if len(self.starts.depths) else 0
                self.span = (SELDOM + 1) * self.theme.boxes, deepest
        self.left -= 1
        if self.starts is None:
            return self._posed(self.plan) if self.theme.pose else self._pulled(self.plan)
        return self._chosen(self.plan, self.starts)

    def _to_change(self) -> Place | None:
        """Returns the best plan, to be changed next, or None where one is to be drawn."""
        if self.climb.is_stuck:
            self.climb.begin(None)
            self.drawn = 0
        if self.climb.here is not None and self.drawn >= self.enough:
            self.climb.stale += 1
            return self.climb.here
        self.drawn += 1
        return None

    def _met(self, plan: Plan, size: Size) -> Starts:
        """Returns all starts of a plan; those of the plan before are gone then."""
        self.workspace = self.workspace or make_workspace(size)
        return Starts(plan, size, self.workspace, self.theme.occupied, self.theme.pose == PICTURE)

    @property
    def _few(self) -> bool:
        """Whether all starts of a usual plan of the theme are met."""
        return self.theme.pose != ROW and has_few_starts(_usual_floor(self.maker.size), self.theme.boxes)

    @property
    def _patient(self) -> bool:
        """Whether the level is still to be like its theme, or at least as special."""
        slow = self.theme.is_special or (self._few and self.maker.wish.symmetry == "mirror")
        return self.evaluations <= (16 if self.pair else 4 if slow else 1 if self._few else 2) * PATIENCE

    @property
    def _choosy(self) -> bool:
        """Whether it is to be like its theme in all, and of the part of the range that is its own."""
        return self._patient and not (self.theme.is_special and self.evaluations > PATIENCE)

    def _new_plan(self) -> Plan | None:
        if not self._choosy:
            special = self._patient
            self.theme = relaxed(self.dice, self.theme, self.boxes, self.maker.wish, special)
            self.enough, self.climb.patience = MET_CLIMB if self._few else PULLED_CLIMB
            if (
                not self._few and not special
            ):  # in small rooms that differ in their halves solutions soon have more moves
                mirrored, sides = self.maker.wish.symmetry == "mirror", self.dice.choice((LARGE, SMALL))
                self.theme = self.theme._replace(mirrored=mirrored, sides=sides)
        return draw_plan(self.dice, self.maker.size, self.theme)

    def _chosen(self, plan: Plan, starts: Starts) -> Built | None:
        """Tries a start among those that are met, the farthest first, then by halves."""
        least, most = self.span
        middle = most if self.left == STARTS - 1 else (least + most + 1) // 2
        states = starts.of_depth(middle, middle) if least <= most else ()
        if not len(states):
            self.left = 0
            return None
        state = int(states[self.dice.randrange(len(states))])
        start = starts.start(state, self.dice.random())
        made = starts.pushes(state, start)
        if made is None:  # too much work
            self.span = least, middle - 1
            return None
        built, fit = None, LACKS
        if self._is_lively(order_of(start.boxes, made), start):
            built = built_of(plan, start, made, self.maker.of)
            fit = self._fit(built, plan, None)
        else:
            self.climb.note((plan, None), DULL - len(made))
        if fit == LACKS:
            self.span = middle + 1, most
        elif fit == EXCEEDS:
            self.span = least, middle - 1
        return built if fit == FITS else None

    def _pulled(self, plan: Plan) -> Built | None:
        """Tries a start after random pulls. Their number follows what the last solutions lacked."""
        asked = round(self.pulls * len(plan.goals))
        start = pulled(self.dice, plan, asked, self.theme.idle, self.theme.occupied)
        if start is None:
            return None
        built, fit = self._judged(plan, start)
        if fit == FITS:
            return built
        self.pulls *= LONGER if fit == LACKS else SHORTER
        self.pulls = min(MOST_PULLS, max(LEAST_PULLS, self.pulls))
        return None

    def _posed(self, plan: Plan) -> Built | None:
        """Tries a start that is posed: the solver says whether it can be solved."""
        start = posed(self.dice, plan, self.theme.pose)
        if start is None:
            self.left = 0
            return None
        built, fit = self._judged(plan, start)
        return built if fit == FITS else None

    def _altered(self, plan: Plan, start: Start) -> Built | None:
        """Tries the best plan with a few other cells, or its boxes pulled on, or both."""
        in_plan, in_start = self.dice.choice(((True, False), (False, True), (True, True)))
        other: Plan | None = plan
        if in_plan:
            other = changed(self.dice, plan)
        if other is None or not all(other.floor[cell] for cell in (*start.boxes, start.player)):
            return None
        moved: Start | None = start
        if in_start and self.theme.pose:
            moved = posed(self.dice, other, self.theme.pose)
        elif in_start:
            moved = pulled_on(self.dice, other, start, self.dice.choice(MORE_PULLS))
        if moved is None or len(set(moved.boxes) & set(other.goals)) < self.theme.occupied:
            return None
        built, fit = self._judged(other, moved)
        return built if fit == FITS else None

    def _judged(self, plan: Plan, start: Start) -> tuple[Built | None, int]:
        """Proves the level that starts so, and tells whether it fits.

        The fewer moves are known to solve it, the easier it is: whatever is already too easy to come nearer
        than the best is left at that.
        """
        level = proved(plan, start, self.maker.of, self.maker.values["states"])
        if level is None:
            return None, EXCEEDS
        least = self.maker.difficulty[0] - self.climb.far
        found = fewest = False
        for width in WIDTHS:
            if measured(level, level.solution or "")["difficulty"] < least:
                return None, LACKS
            if fewest or (found and width == WIDTHS[-1]):
                break
            if (fewer := with_fewer_moves(level, width, plan.mirrored)) is not None:
                (level, fewest), found = fewer, True
        made = pushes(SokobanBoard(level.grid), level.solution or "")
        if not found or not self._is_lively([box for box, *_ in made], start):
            return None, LACKS
        built = finished(level, fewest)
        return built, self._fit(built, plan._replace(floor=level.grid != WALL), start)

    def _is_lively(self, order: Sequence[int], start: Start) -> bool:
        return is_lively(len(start.boxes), order, self.theme.idle, self.theme.occupied)

    def _fit(self, built: Built, plan: Plan, start: Start | None) -> int:
        """Returns whether a level lies in the ranges, or is to be looked for farther from its goals or nearer
        to them; keeps the one that comes nearest."""
        maker, row = self.maker, self._row(built.level)
        ranges = [(row[term.metric], term.low, term.high) for term in maker.terms]
        if maker.usual:
            if all(low <= value <= high for value, low, high in ranges):
                short = maker.difficulty[0] - row["difficulty"]
                self.easier = min(self.easier or (math.inf, built), (short, built), key=itemgetter(0))
            ranges.append((row["difficulty"], maker.difficulty[0], math.inf))
        # Of a mirrored room floor may be of use in one half alone.
        idle = PERCENT * row["unused_floor"] if maker.wish.symmetry == "mirror" else 0.0
        if all(low <= value <= high for value, low, high in ranges):
            self.spare = min(self.spare or (math.inf, built), (idle, built), key=itemgetter(0))
        if self._patient:
            ranges.append((-idle, 0.0, 0.0))
        if self.starts is not None and self._choosy:
            ranges.append((row["difficulty"], *self.part))
        lacking = sum(max(0.0, -outside(*each)) for each in ranges)
        over = sum(max(0.0, outside(*each)) for each in ranges)
        if self.nearest is None or lacking + over < self.nearest[0]:
            self.nearest = lacking + over, built
        self.climb.note((plan, start), lacking + over)
        if lacking == over == 0.0:
            return FITS
        return LACKS if lacking >= over else EXCEEDS

    def _row(self, level: Level) -> Mapping[str, float]:
        """Returns the metrics of a level: all where a range is of one that takes longer to count."""
        game, boxes = self.maker.of, float(np.isin(level.grid, (BOX, BOX_ON_GOAL)).sum())
        row = {"boxes": boxes, **rated(level, level.solution or "")}
        if all(term.metric in row for term in self.maker.terms):
            return row
        return dict(zip(game.metrics, game.measure_rated(level), strict=True))


def _none() -> Grid:
    """Returns the smallest level, which says where nothing was found at all."""
    return np.array([[WALL] * 5, [WALL, PLAYER, BOX, GOAL, WALL], [WALL] * 5], np.uint8)


def boxes_for(difficulty: float, boxes: tuple[int, int], size: Size) -> tuple[int, int]:
    """Returns the fewest and the most boxes of a level so hard: more than usual, where all positions of such
    a plan can still be met."""
    least, most = boxes
    for begin in (HARDEST_PAIR, TIERS["hard"], TIERS["fiendish"]):
        if difficulty >= begin:
            more = begin != HARDEST_PAIR and has_few_starts(_usual_floor(size), most + 1)
            least, most = min(least + 1, most + more), most + more
    return least, most


def _usual_floor(size: Size) -> int:
    return int(USUAL_FLOOR * size[0] * size[1])


def _boxes(size: Size, asked: str, terms: Sequence[Term]) -> tuple[int, int]:
    """Returns the fewest and the most boxes of a level: those asked for, or as many as fit its size."""
    cells = size[0] * size[1]
    fitting = min(USUAL_BOXES, FEW_BOXES + cells // CELLS_A_BOX)
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
