"""The maker `remix`: new levels of any PuzzleScript game, grown from the author's, each solved for certain.

One of the author's levels is changed a little at a time. Every change is solved with the fewest keys, and
what comes nearer to what is asked for is changed on, until it is all there and unlike the author's levels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from levelsmith.contracts import Game, Mask
from levelsmith.core import Canvas, Effort, Grid, Level, Parameter, Parameters, Size, Term, Values, Verdict
from levelsmith.errors import LevelsmithError, listed, option, quoted
from levelsmith.games.drawn import Draw, DrawnWhole
from levelsmith.games.puzzlescript.metrics import BY_SOLUTION, rules_of, told_by
from levelsmith.games.puzzlescript.solve import check_solvable
from levelsmith.games.puzzlescript.taught import Taught
from levelsmith.processes import stopped

MOST_DRAWN = 20_000  # candidates for a level, after which it is given up
DRAWS = 50  # of changes, for one that suits
STALE = 120  # candidates that came no nearer, after which another level of the author is taken
FIRST_STATES, MORE = 2_000, 5  # for a level of the author to begin with; times as many where none is solved
AS_MANY = 3  # times the states of a level, for one that is made of it
WARM = 0.05  # how readily what is farther off is changed on
STRANGE = 1.0  # how far off a level counts on the way, were all of it strange to the author's
A_CELL = 0.1  # how far off a level is for each cell too much or too little


class Remix(DrawnWhole):
    """Changes the author's levels until they are others."""

    game = "PuzzleScript"
    summary = "levels like the author's, changed thing by thing, each with a proved shortest solution"
    distinct = False  # sizes are those of the author's levels
    begins = True
    insists: ClassVar[frozenset[str]] = frozenset({"needs", "fires", "keep", "differ"})
    parameters: ClassVar[Parameters] = (
        Parameter("needs", "", "lines of rules, such as 12 or 12,15: none of these can be done without"),
        Parameter("fires", "", "lines of rules, all of which fire in the solution"),
        Parameter("keep", "", "objects that stay where the author has them, such as wall,door"),
        Parameter("differ", 0.2, "share of what may change that differs from every author's level", 0.0, 1.0),
        Parameter("states", 100_000, "states that a proof may take", low=1),
    )

    def __init__(
        self,
        game: Game,
        size: Size,
        values: Values,
        terms: Sequence[Term],
        canvas: Canvas | None = None,
        unlike: Sequence[Level] = (),
    ):
        super().__init__(game, size, values, terms)
        check_solvable(self.of, False, False)
        own = self.of.levels()
        begun = None if canvas is None else canvas.start
        if not own and begun is None:
            raise LevelsmithError(f"{self.of.name} has no level to begin with; write one into it")
        self.starts = [level.grid for level in own if fits(level.size, size)] if begun is None else [begun]
        if not self.starts:
            sizes = listed(f"{w}x{h}" for h, w in sorted({level.size for level in own}))
            raise LevelsmithError(
                f"no level of {self.of.name} is as small as {size[1]}x{size[0]}; its levels are {sizes}"
            )
        counts = {term.metric: (term.low, term.high) for term in terms if term.metric in self.of.counted}
        keep = [name.strip() for name in str(values["keep"]).split(",") if name.strip()]
        grids = [level.grid for level in own] + ([] if begun is None else [begun])
        others = [level.grid for level in own] + [ours(self.of, level) for level in unlike]
        self.taught = Taught(self.of.cells, grids, keep, counts, others)
        self.locked = None if canvas is None else canvas.locked
        self._check_room()
        self.by_solution = [term.metric for term in terms if term.metric in BY_SOLUTION]
        self.without = [self.of.without(line) for line in rule_lines(self.of, "needs", values)]
        self.fires = set(rule_lines(self.of, "fires", values))

    def free(self, grid: Grid) -> Mask:
        """Returns which cells of a level may change."""
        free = self.taught.free(grid)
        return free if self.locked is None else free & ~self.locked

    def _check_room(self) -> None:
        """Refuses to keep so much of all levels that nothing can be made of them."""
        if self.taught.choices < 2:
            raise LevelsmithError(
                f"nothing may change where {self.values['keep']} stays; {option('keep')} fewer objects"
            )
        if not any(self.free(grid).any() for grid in self.starts):
            raise LevelsmithError(
                f"no cell may change; {option('lock')} fewer of them, or {option('keep')} fewer objects"
            )

    @property
    def is_begun(self) -> bool:
        """Whether it begins with a level that was given, in place of the author's."""
        return self.locked is not None

    def start(self, seed: np.random.SeedSequence) -> Draw:
        return RemixDraw(self, seed)

    def solved(self, grid: Grid, states: int, game: Any = None) -> Verdict:
        """Returns what the solver says, within so many states and those that a proof may take; in a worker
        that shall stop, nothing any more."""
        level = Level(self.of.name, self.of.tiles, grid)
        effort = Effort(states=min(states, self.values["states"]), seconds=None)
        verdict: Verdict = (game or self.of).solve(level, effort, cancel=stopped)
        return verdict


class RemixDraw(Draw):
    """One level that is being made."""

    def __init__(self, drawer: Remix, seed: np.random.SeedSequence):
        super().__init__(drawer, seed)
        self.maker = drawer
        self.left: list[Grid] = []  # levels of the author not begun with yet
        self.patience = FIRST_STATES // MORE  # states for each of these
        self.states = 0  # for each candidate
        self.here: Grid | None = None
        self.off, self.stale = math.inf, 0
        self.least: dict[str, float] = {}  # what a level has at least, as the author's has that it came from
        self.nearest: tuple[float, Level] | None = None  # and how far off it is
        self.solvable = self.unneeded = 0
        self.seen: set[bytes] = set()

    def advance(self, evaluations: int) -> None:
        """Tries that many candidates, or fewer where one will do."""
        for _ in range(0 if self.exhausted else evaluations):
            self.evaluations += 1
            self.level = self._tried()
            self.exhausted |= self.level is not None or self.evaluations >= MOST_DRAWN
            if self.exhausted:
                self.score = float(self.level is not None)
                return

    def best(self) -> Grid:
        found = self.level or (self.nearest[1] if self.nearest else None)
        return np.zeros(self.maker.size, np.uint8) if found is None else found.grid

    def proof(self) -> str | None:
        found = self.level or (self.nearest[1] if self.nearest else None)
        return None if found is None else found.solution

    def statistics(self) -> dict[str, Any]:
        return {"solvable": self.solvable, "unneeded": self.unneeded}

    def _tried(self) -> Level | None:
        """Tries one more candidate; returns it where it will do."""
        if self.here is None or self.stale >= STALE:
            self._begin()
        if self.here is None:
            return None
        grid = self._changed(self.here)
        self.stale += 1
        if grid is None:
            return None
        self.seen.add(grid.tobytes())
        verdict = self.maker.solved(grid, self.states)
        if not verdict.solution or not verdict.optimal:
            return None
        self.solvable += 1
        level = Level(self.maker.of.name, self.maker.of.tiles, grid, solution=verdict.solution)
        far = self._far(level, verdict)
        if self.nearest is None or far < self.nearest[0]:
            self.nearest = far, level
        off = far + STRANGE * self.maker.taught.strange(grid)
        if off < self.off:
            self.stale = 0
        if off <= self.off or self.dice.random() < math.exp((self.off - off) / WARM):
            self._take(grid, off, verdict)
        return level if far == 0 and self._needed(grid) else None

    def _begin(self) -> None:
        """Begins with another level of the author; where none is solved soon, more states are looked at."""
        if not self.left:
            self.left = self.dice.sample(self.maker.starts, len(self.maker.starts))
            if self.here is None:
                self.patience *= MORE
        grid = self.left.pop()
        most = self.maker.values["states"]
        verdict = self.maker.solved(grid, most if self.maker.is_begun else self.patience)
        if verdict.solution:
            level = Level(self.maker.of.name, self.maker.of.tiles, grid, solution=verdict.solution)
            if not self.maker.by_solution:
                told = told_by(self.maker.of, level, verdict)
                self.least = {metric: told[metric] for metric in ("moves", "rules")}
            self._take(grid, self._far(level, verdict) + STRANGE * self.maker.taught.strange(grid), verdict)
            self.stale = 0
        elif self.maker.is_begun:  # what can be won is nearer than it
            self.here, self.off, self.states, self.stale = grid, math.inf, FIRST_STATES, 0
        elif not self.left and self.here is None and self.patience >= most:
            self.exhausted = True  # no level of the author is solved, however often they are begun with

    def _take(self, grid: Grid, off: float, verdict: Verdict) -> None:
        """Goes on from a grid."""
        self.here, self.off = grid, off
        self.states = max(FIRST_STATES, AS_MANY * int(verdict.statistics["states"]))

    def _changed(self, grid: Grid) -> Grid | None:
        """Returns a grid with some change that suits and was not tried before."""
        taught = self.maker.taught
        free = self.maker.free(grid)
        for _ in range(DRAWS):
            new = taught.changed(grid, free, self.dice)
            if self.dice.random() < 0.5:
                new = taught.changed(new, free, self.dice)
            if taught.is_fair(grid, new) and new.tobytes() not in self.seen and not np.array_equal(new, grid):
                return new
        return None

    def _far(self, level: Level, verdict: Verdict) -> float:
        """Returns how far a solved level is from what is asked for; 0 where it is all there."""
        maker = self.maker
        row: dict[str, float] = maker.of.plain_metrics(level.grid)
        row |= told_by(maker.of, level, verdict, maker.by_solution or self.least)
        ranges = [(row[term.metric], term.low, term.high) for term in maker.terms]
        ranges += [(row[metric], least, math.inf) for metric, least in self.least.items()]
        ranges.append((maker.taught.unlike(level.grid, maker.free(level.grid)), maker.values["differ"], 1.0))
        if maker.fires:
            silent = maker.fires - {*rules_of(maker.of, level, str(level.solution))}
            ranges.append((float(len(silent)), 0.0, 0.0))
        return sum(_lacks(*one) for one in ranges) + A_CELL * maker.taught.surplus(level.grid)

    def _needed(self, grid: Grid) -> bool:
        """Returns whether it is proved that every rule that shall be needed is."""
        states = self.maker.values["states"]
        if all(self.maker.solved(grid, states, game).status == "unsolvable" for game in self.maker.without):
            return True
        self.unneeded += 1
        return False


def _lacks(value: float, low: float, high: float) -> float:
    """Returns how far a value is from a range, in parts of it; 1 for one that is not known."""
    if math.isnan(value):
        return 1.0
    return max(0.0, low - value, value - high) / (low or max(1.0, high))


def fits(size: Size, room: Size) -> bool:
    return size[0] <= room[0] and size[1] <= room[1]


def ours(game: Any, level: Level) -> Grid:
    """Returns a level of a game, or of a file with the same legend, as a grid of that game."""
    from levelsmith.levels.formats.text import parse

    return level.grid if level.game == game.name else parse(level.text, game.name).grid


def rule_lines(game: Any, name: str, values: Values) -> list[int]:
    """Returns the lines of rules that a parameter asks for: by their numbers, or by words that one rule
    has."""
    lines = sorted({int(line) for line in game.program.tables.rules.line})
    found = []
    for part in (part.strip() for part in str(values[name]).split(",") if part.strip()):
        if part.isdecimal():
            some = [line for line in lines if line == int(part)]
        else:
            some = [line for line in lines if part.lower() in " ".join(game.lines[line - 1].lower().split())]
        if len(some) != 1:
            what = "no rule" if not some else f"{len(some)} rules"
            raise LevelsmithError(
                f"expected the line of a rule for {name}, or words that one rule has, got {quoted(part)}, "
                f"which is {what}; rules of {game.name} are on the lines {listed(map(str, lines))}"
            )
        found += some
    return found
