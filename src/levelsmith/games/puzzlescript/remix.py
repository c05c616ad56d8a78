"""The maker `remix`: new levels of any PuzzleScript game, grown from the author's, each won by its solution.

One of the author's levels is changed a little at a time. Every change is solved with the fewest keys, and
what comes nearer to what is asked for is changed on, until it is all there and unlike the author's levels:
a fifth of its board, which is all but its edge, differs from each of them, turned or mirrored or not. Where
things are kept or cells are locked, it is a fifth of what may change.

A run looks at a few of the author's levels and begins with one that is no tutorial: it takes different keys,
makes a rule fire, and is not much shorter than the others.

Where levels are dear to solve, a run takes turns: it also changes a level until it is unlike the author's,
and puts the goals in hindsight where they are as hard to reach as is asked for. What is kept is solved, or
where a proof takes too many states, won by a solution that may not be the shortest, and told so.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from levelsmith.contracts import Game, Mask
from levelsmith.core import (
    LACKS,
    Cancel,
    Canvas,
    Effort,
    Grid,
    Level,
    Parameter,
    Parameters,
    Size,
    Term,
    Values,
    Verdict,
)
from levelsmith.errors import LevelsmithError, listed, option, quoted, setting
from levelsmith.games.climb import Climb, far_off
from levelsmith.games.drawn import Draw, DrawnWhole
from levelsmith.games.puzzlescript.alike import NOBODY, Crowd, way_of
from levelsmith.games.puzzlescript.hindsight import Hindsight
from levelsmith.games.puzzlescript.kernels.codes import WON
from levelsmith.games.puzzlescript.layouts import DRAWS, STRANGE, WARM, Layouts
from levelsmith.games.puzzlescript.live import LEAST_KEYS, number_of
from levelsmith.games.puzzlescript.metrics import BY_GRAPH, BY_SOLUTION, rules_of, told_by
from levelsmith.games.puzzlescript.solve import check_solvable, solve
from levelsmith.games.puzzlescript.taught import Taught

SURE = 0.25  # of the keys of a solution that is not proved the shortest, any takes at least
REPLAYED_FOR = frozenset({"moves", "bends", "rules", "coverage"})  # metrics that such a solution tells, too
MOST_DRAWN = 20_000  # candidates for a level, after which it is given up
STALE = 120  # candidates that came no nearer, after which another level of the author is taken
FIRST_STATES, MORE = 2_000, 5  # for a level of the author to begin with; times as many where none is solved
AS_MANY = 3  # times the states of a level, for one that is made of it
FEWEST, LABOUR = 300, 40_000_000  # at least so many; or more, in small games: states times cells times rules
A_CELL = 0.1  # how far off a level is for each cell too much or too little
APART = 0.1  # share of a level, at most, that may be all that differs from another of its pack
SAMPLE = 5  # levels of the author that are looked at before one is begun with
TUTORIAL = 0.5  # of the median keys of such a sample: a level that takes fewer is not begun with
FEW_KEYS = 3  # who asks for at most so many may get one key repeated
AT_LEAST_ONE = ("bends", "rules")  # metrics of a solution that is more than one key repeated
AT_LEAST = ("moves", *AT_LEAST_ONE)
ABOUT = 0.75  # of the keys and rules of the author's level that one is made of, it has at least
CLIMBED, CLIMBING = 10_000, 60_000_000  # states, or labour, after which goals are put down in hindsight, too
HINDSIGHT, SELDOM = 3.0, 0.3  # times the states of climbing after that; where goals can never be put down
LONG_LOOK = 130_000  # states of climbing that the author's levels wait for before they are looked at for long
IN_VAIN = 100_000  # states of layouts without a goal that can be put down, after which that is believed
CHEAP = 5  # times as many where a level is not dear to solve
DEAR = 20_000_000  # labour for a level, from which on a solution may be replayed where a proof is not reached
REPLAYED = (
    2_000_000  # labour, from which on changes that the keys of a level survive are not solved one by one
)
UNSOLVED = 40  # changes in a row that break these keys, and are not solved while a level is like the author's


class Remix(DrawnWhole):
    """Changes the author's levels until they are others."""

    game = "PuzzleScript"
    summary = "levels like the author's, changed thing by thing, each won by its solution"
    batches = False  # sizes are those of the author's levels
    begins = True
    insists: ClassVar[frozenset[str]] = frozenset({"needs", "fires", "keep", "differ"})
    parameters: ClassVar[Parameters] = (
        Parameter("needs", "", "lines of rules, such as 12 or 12,15: none of these can be done without"),
        Parameter("fires", "", "lines of rules, all of which fire in the solution"),
        Parameter("keep", "", "objects that stay where the author has them, such as wall,door"),
        Parameter("differ", 0.2, "share of the board that differs from every level of the author", 0.0, 1.0),
        Parameter("states", 100_000, "states that a proof may take", low=1),
        Parameter(
            "proved", 0, "1: every solution is proved the shortest; 0: where that is dear, it wins", 0, 1
        ),
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
        check_solvable(self.of)
        own = self.of.levels()
        begun = None if canvas is None else canvas.start
        if not own and begun is None:
            raise LevelsmithError(f"{self.of.name} has no level to begin with; write one into it")
        self.starts = [level.grid for level in own if fits(level.size, size)] if begun is None else [begun]
        if not any(map(self.of.has_player, [level.grid for level in own] if begun is None else [begun])):
            raise LevelsmithError(f"expected a player in a level of {self.of.name}, got none")
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
        self.own = len(own)
        self.locked = None if canvas is None else canvas.locked
        self.partial = bool(keep) or (self.locked is not None and bool(self.locked.any()))
        self._check_room()
        self.by_solution = [term.metric for term in terms if term.metric in BY_SOLUTION]
        self.without = [self.of.without(line) for line in rule_lines(self.of, "needs", values)]
        self.fires = set(rule_lines(self.of, "fires", values))
        self.may_replay = not values["proved"] and REPLAYED_FOR.issuperset(self.by_solution)
        self.earlier = Earlier([replace(level, grid=ours(self.of, level)) for level in unlike])
        most = {term.metric: term.high for term in terms}
        few = most.get("moves", math.inf) <= FEW_KEYS or min(most.get(one, 1) for one in AT_LEAST_ONE) < 1
        self.needs_play = not few
        self._looked: dict[tuple[int, int], Start] = {}  # levels of the author, by number and states
        cells = max(grid.size for grid in self.starts)
        self.labour = max(1, cells * len(self.of.program.tables.rules.line))  # for a state
        self.hindsight = Hindsight(self.of)
        if self.is_begun:
            self.hindsight.wishes.clear()  # its goals are where they shall be

    def free(self, grid: Grid) -> Mask:
        """Returns which cells of a level may change."""
        free = self.taught.free(grid)
        return free if self.locked is None else free & ~self.locked

    def measured(self, grid: Grid) -> Mask:
        """Returns the cells of which a share shall differ: the board, or what of it is not kept or locked."""
        return self.free(grid) if self.partial else self.taught.board(grid)

    def _check_room(self) -> None:
        """Refuses to keep so much of all levels that nothing can be made of them, and leaves out those of
        which too little may change."""
        if self.taught.choices < 2:
            raise LevelsmithError(
                f"nothing may change where {self.values['keep']} stays; {option('keep')} fewer objects"
            )
        if not any(self.free(grid).any() for grid in self.starts):
            raise LevelsmithError(
                f"no cell may change; {option('lock')} fewer of them, or {option('keep')} fewer objects"
            )
        rooms = [self.free(grid).sum() / max(1, self.measured(grid).sum()) for grid in self.starts]
        self.starts = [
            grid for grid, room in zip(self.starts, rooms, strict=True) if room >= self.values["differ"]
        ]
        if not self.starts:
            most = math.floor(100 * max(rooms))
            raise LevelsmithError(
                f"at most {most} % of a level of {self.of.name} may change, the rest lies beyond its walls; "
                f"expected {100 * self.values['differ']:g} %; try {setting('differ', most / 100)}"
            )

    @property
    def is_begun(self) -> bool:
        """Whether it begins with a level that was given, in place of the author's."""
        return self.locked is not None

    def start(self, seed: np.random.SeedSequence) -> Draw:
        return RemixDraw(self, seed)

    def solved(self, grid: Grid, states: int, game: Any = None, cancel: Cancel | None = None) -> Verdict:
        """Returns what the solver says, within so many states and those that a proof may take."""
        level = Level(self.of.name, self.of.tiles, grid)
        if self._begins_won(level):
            return Verdict("unknown", False, None, {}, {"states": 1})
        effort = Effort(states=min(states, self.values["states"]), seconds=None)
        verdict: Verdict = (game or self.of).solve(level, effort, cancel=cancel)
        return verdict

    def won(self, grid: Grid, states: int, cancel: Cancel | None = None, keys: str = "") -> Verdict:
        """Returns what the solver says, or where that may do and is dear, a solution that may not be the
        shortest: the keys that are given, or what is found where things come together anew."""
        verdict = self.solved(grid, states, cancel=cancel)
        dear = self.may_replay and states * self.labour >= DEAR
        if not dear or verdict.statistics.get("limit") != "states":
            return verdict
        level = Level(self.of.name, self.of.tiles, grid)
        told = {"least": verdict.statistics.get("least", 0), "states": verdict.statistics["states"]}
        if keys and self.wins(grid, keys):
            return Verdict("solved", False, keys, {"moves": len(keys)}, told)
        effort = Effort(states=states, seconds=None)
        other = solve(self.of, level, effort, False, False, cancel, paired=True)
        told["states"] += other.statistics["states"]
        if other.statistics.get("limit") == "cancelled":
            told["limit"] = "cancelled"
        return replace(other, statistics={**verdict.statistics, **told}) if other.solution else verdict

    def wins(self, grid: Grid, keys: str) -> bool:
        """Returns whether keys win a level, with the last of them."""
        came = self.of.engine_at(grid).play([number_of(letter) for letter in keys])
        won = len(came) == len(keys) and bool(came[-1] & WON)
        return won and not self._begins_won(Level(self.of.name, self.of.tiles, grid))

    def _begins_won(self, level: Level) -> bool:
        """Returns whether rules that run as a level begins win it without a key."""
        return self.of.program.tables.start_turn and bool(self.of.session(level).won)

    def looked_at(self, number: int, states: int, cancel: Cancel) -> Start:
        """Returns a level to begin with and what the solver says of it, within so many states."""
        if (number, states) in self._looked:
            return self._looked[number, states]
        grid = self.starts[number]
        verdict = self.won(grid, states, cancel)
        level = Level(self.of.name, self.of.tiles, grid, solution=verdict.solution)
        told = told_by(self.of, level, verdict, AT_LEAST) if verdict.solution else {}
        start = Start(level, verdict, told)
        if verdict.statistics.get("limit") != "cancelled":
            self._looked[number, states] = start
        return start

    def repeats(self, level: Level, earlier: Sequence[Level]) -> bool:
        """Returns whether a level is nearly one of some earlier ones, or is won by the same keys."""
        return self.is_one_of(Earlier(earlier), level)

    def is_one_of(self, earlier: Earlier, level: Level) -> bool:
        share, who = earlier.crowd.nearest(level.grid, self.measured(level.grid))
        alike = who != NOBODY and share <= min(APART, self.values["differ"] / 2)
        return alike or way_of(str(level.solution)) in earlier.ways


class Earlier:
    """Levels that shall not be made again."""

    def __init__(self, levels: Sequence[Level]):
        self.crowd = Crowd(level.grid for level in levels)
        self.ways = {way_of(level.solution) for level in levels if level.solution}


class Start(NamedTuple):
    """A level to begin with."""

    level: Level
    verdict: Verdict
    told: dict[str, float]  # metrics of its solution; nothing where it was not solved

    @property
    def is_played(self) -> bool:
        """Whether its solution takes different keys and makes a rule fire."""
        return all(self.told.get(metric, 0) >= 1 for metric in AT_LEAST_ONE)


def worth_it(sample: Sequence[Start]) -> list[Start]:
    """Returns the levels that are solved and no tutorials: played, and not much shorter than the others, of
    which those that were not solved count as the longest."""
    moves = [start.told["moves"] for start in sample if start.told]
    if not moves:
        return []
    usual = statistics.median(start.told.get("moves", max(moves)) for start in sample)
    return [start for start in sample if start.is_played and start.told["moves"] >= TUTORIAL * usual]


class Asked(NamedTuple):
    """What is asked of a level by the one that it came from."""

    way: str  # of the keys that win that one, which is its author's
    gap: int  # whether that one has one
    least: dict[str, float]  # what a level has at least


class RemixDraw(Draw):
    """One level that is being made."""

    def __init__(self, drawer: Remix, seed: np.random.SeedSequence):
        super().__init__(drawer, seed)
        self.maker = drawer
        self.pile: list[int] = []  # levels of the author not looked at yet in this round
        self.round: list[Start] = []  # those that were
        self.sample = 0  # of these were looked at since the last were chosen
        self.left: list[Start] = []  # those to begin with
        self.short = False  # whether those take far fewer keys than are asked for
        self.patience = FIRST_STATES  # states for each of these
        self.states = 0  # for each candidate
        self.climb: Climb[Grid | None] = Climb(None, patience=STALE, heat=WARM)
        self.asked = Asked("", 0, {})
        self.climbed = 0  # states
        self.layouts = Layouts(self)
        self.keys, self.cost = (
            "",
            0,
        )  # that win where the climb stands, and the states that it took to prove it
        self.believed = 0  # candidates that were not solved, as the same keys win
        self.hopeless = False  # whether no level of the author is solved, however often it is looked at
        self.nearest: tuple[float, Level, str] | None = None  # how far off it is, and for want of what
        self.solvable = self.unneeded = 0
        self.seen: set[bytes] = set()
        self.cut = False  # whether time was up or a button pressed, in the midst of a candidate

    def advance(self, evaluations: int) -> None:
        """Tries that many candidates, or fewer where one will do; one that is cut short was never tried."""
        for _ in range(0 if self.exhausted else evaluations):
            level = self._tried()
            if self.cut:
                return
            self.evaluations += 1
            self.level = level
            self.exhausted |= self.level is not None or self.evaluations >= MOST_DRAWN
            if self.exhausted:
                self.score = float(self.level is not None)
                return

    def is_cut(self) -> bool:
        self.cut = self.cut or (self.cancel is not None and self.cancel())
        return self.cut

    def best(self) -> Grid:
        found = self.level or (self.nearest[1] if self.nearest else None)
        return np.zeros(self.maker.size, np.uint8) if found is None else found.grid

    def proof(self) -> str | None:
        found = self.level or (self.nearest[1] if self.nearest else None)
        return None if found is None else found.solution

    @property
    def told(self) -> Mapping[str, Any]:  # type: ignore[override]
        """What keys a solution takes at least, where it is not proved the shortest."""
        found = self.level or (self.nearest[1] if self.nearest else None)
        return {} if found is None else found.provenance

    def statistics(self) -> dict[str, Any]:
        told: dict[str, Any] = {"solvable": self.solvable, "unneeded": self.unneeded}
        told |= {"believed": self.believed} if self.believed else {}
        told |= {"hindsight": self.layouts.put_down} if self.layouts.put_down else {}
        return told if self.level else {**told, LACKS: self._lack()}

    def _lack(self) -> str:
        """Returns what keeps the best from being a level that was asked for."""
        if self.climb.here is None:
            many = len(self.maker.starts)
            which = "the level to begin with" if many == 1 else f"none of {many} levels to begin with"
            hopeless = [start for start in self.round if start.verdict.status == "unsolvable"]
            if len(hopeless) == many:
                return f"{which} can{'not' * (many == 1)} be won"
            if self.cut:
                looked = max(0, len(self.round) - 1)  # at the last not to the end
                return f"it ended after a look at {looked} of {many} levels to begin with"
            states = min(self.patience, self.maker.values["states"])
            return f"{which} was{' not' * (many == 1)} solved within {states:,} states"
        if self.nearest is None:
            return f"none of {self.evaluations:,} candidates was solved within {self.states:,} states"
        if self.unneeded and not self.nearest[0]:
            return f"{self.unneeded:,} candidates can be won without a rule that shall be needed"
        return self.nearest[2]

    def _tried(self) -> Level | None:
        """Tries one more candidate, or looks at one more level to begin with; returns what will do."""
        if self.hopeless or (self.maker.hindsight.wishes and self._is_for_hindsight()):
            return self.layouts.tried()
        if self.climb.here is None or self.climb.is_stuck:
            self._begin()
            return None
        grid = self._changed(self.climb.here)
        self.climb.stale += 1
        if grid is None:
            return None
        if self._is_believed(grid):
            return None
        verdict = self.maker.won(grid, self.states, self.is_cut)
        self.climbed += int(verdict.statistics["states"])
        level, far = self.judged(grid, verdict, self.asked)
        if level is None:
            return None
        if self.climb.note(grid, far + STRANGE * self.maker.taught.strange(grid), self.dice.random):
            self._set_states(grid, verdict)
        return level if far == 0 and self.needed(grid) else None

    def _is_for_hindsight(self) -> bool:
        """Returns whether goals are put down in hindsight next: in turns with the climb once that has taken
        its time, which is longer where levels are cheap to solve."""
        first = max(CLIMBED, CLIMBING // self.maker.labour)
        if self.climb.here is not None and not self._is_dear:
            first *= CHEAP
        vain = not self.layouts.put_down and self.layouts.explored > IN_VAIN and not self.hopeless
        if self.climb.here is None and self.patience > FIRST_STATES * MORE and not vain:
            first = min(first, self.climbed - LONG_LOOK)
        return self.layouts.explored < (SELDOM if vain else HINDSIGHT) * (self.climbed - first)

    @property
    def _is_dear(self) -> bool:
        return self.cost * self.maker.labour >= DEAR

    def _is_believed(self, grid: Grid) -> bool:
        """Goes on from a candidate that the same keys win, where levels are dear to solve, as if there were
        no fewer; not from one that may be all that is asked for, which is solved."""
        maker = self.maker
        if not self._is_dear or maker.is_begun or not BY_GRAPH.isdisjoint(maker.by_solution):
            return False
        if not maker.wins(grid, self.keys):
            return False
        level = Level(maker.of.name, maker.of.tiles, grid, solution=self.keys)
        verdict = Verdict("solved", False, self.keys, {}, {"states": self.cost})
        far, _ = self._far(level, verdict, self.asked)
        if far > 0:
            self.seen.add(grid.tobytes())
            self.believed += 1
            self.climb.note(grid, far + STRANGE * maker.taught.strange(grid), self.dice.random)
        return far > 0

    def judged(self, grid: Grid, verdict: Verdict, asked: Asked) -> tuple[Level | None, float]:
        """Returns a candidate as a level, None for one of no use, and how far it is from what is asked."""
        self.seen.add(grid.tobytes())
        if not verdict.solution or not (verdict.optimal or self.maker.may_replay):
            return None, math.inf
        self.solvable += 1
        level = Level(self.maker.of.name, self.maker.of.tiles, grid, solution=verdict.solution)
        far, why = self._far(level, verdict, asked)
        if self.cut:
            return None, math.inf
        if not verdict.optimal:
            least = int(verdict.statistics.get("least", 0))
            level = replace(level, provenance={LEAST_KEYS: least})
        if self.nearest is None or far < self.nearest[0]:
            self.nearest = far, level, why
        return level, far

    def _begin(self) -> None:
        """Begins with a level that is worth it, or looks at one more."""
        if self.maker.is_begun:
            start = self.maker.looked_at(0, self.maker.values["states"], self.is_cut)
            if start.told:
                self._begin_with(start)
            else:  # what can be won is nearer than it
                self.climb.begin(start.level.grid)
                self.states = FIRST_STATES
            return
        if not self.left:
            self._look()
        if self.left and not self.cut:
            self._begin_with(self.left.pop())

    def _look(self) -> None:
        """Looks at one more level of the author; after some of them, or all, chooses those to begin with.

        Where none of all is worth it, more states are looked at; in the end, what was solved has to do.
        """
        count = len(self.maker.starts)
        if not self.pile:
            self.pile, self.round, self.sample = self.dice.sample(range(count), count), [], 0
        self.round.append(self.maker.looked_at(self.pile.pop(), self.patience, self.is_cut))
        self.climbed += int(self.round[-1].verdict.statistics["states"])
        self.sample += 1
        if self.sample == SAMPLE or not self.pile:
            self.left, self.sample = self._chosen(worth_it(self.round[-self.sample :])), 0
        if self.pile or self.left or (self.climb.here is not None and not self.short):
            return
        if all(start.told for start in self.round) or self.patience >= self.maker.values["states"]:
            self.left = [start for start in self.round if start.told]
            self.hopeless = not self.left
            self.exhausted = self.hopeless and not self.maker.hindsight.wishes
        else:
            self.patience *= MORE

    def _chosen(self, starts: list[Start]) -> list[Start]:
        """Returns levels in the order of how far their keys are from what is asked for, the nearest last.

        Where all take far fewer, they are tried once. Levels that were not soon solved may take more.
        """
        asked = [(term.low, term.high) for term in self.maker.terms if term.metric == "moves"]
        least = max((low for low, _ in asked), default=0.0)
        self.short = (
            least > 0
            and self.patience == FIRST_STATES
            and all(one.told["moves"] < ABOUT * least for one in starts)
        )
        if self.short and self.climb.here is not None:
            return []
        return sorted(starts, key=lambda one: -sum(far_off(one.told["moves"], *keys) for keys in asked))

    def _begin_with(self, start: Start) -> None:
        grid, self.asked = start.level.grid, self.asked_of(start)
        far, _ = self._far(start.level, start.verdict, self.asked)
        self.climb.begin(grid, far + STRANGE * self.maker.taught.strange(grid))
        self._set_states(grid, start.verdict)

    def asked_of(self, start: Start) -> Asked:
        """Returns what is asked of a level that is made of another one; of one that was not solved, as much
        as of the longest."""
        maker, told, way, least = self.maker, start.told, "", dict[str, float]()
        moves = [one.told["moves"] for one in self.round if one.told]
        if maker.needs_play:
            least = {metric: min(1, told.get(metric, 1)) for metric in AT_LEAST_ONE}
        if not maker.by_solution and told:
            about = 1.0 if maker.is_begun else ABOUT
            least |= {metric: math.ceil(about * told[metric]) for metric in ("moves", "rules")}
        elif not maker.by_solution and moves:
            least["moves"] = math.ceil(ABOUT * max(moves))
        if told and not maker.is_begun and maker.needs_play:
            way = way_of(str(start.level.solution))
        return Asked(way, not maker.taught.is_closed(start.level.grid), least)

    def _set_states(self, grid: Grid, verdict: Verdict) -> None:
        """Gives a candidate that is made of a grid as many states as suits it."""
        rules = len(self.maker.of.program.tables.rules.line)
        usual = min(FIRST_STATES, max(FEWEST, LABOUR // max(1, grid.size * rules)))
        self.keys, self.cost = str(verdict.solution), int(verdict.statistics["states"])
        self.states = max(usual, AS_MANY * self.cost)

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

    def _far(self, level: Level, verdict: Verdict, asked: Asked) -> tuple[float, str]:
        """Returns how far a solved level is from what is asked for, 0 where it is all there; and what it is
        most in want of, in words."""
        maker = self.maker
        row: dict[str, float] = maker.of.plain_metrics(level.grid)
        row |= told_by(maker.of, level, verdict, {*maker.by_solution, *asked.least}, self.is_cut)
        wishes = [(term.metric, term.low, term.high) for term in maker.terms]
        wishes += [(metric, least, math.inf) for metric, least in asked.least.items()]
        found = [
            (
                far_off(row[metric], low, high),
                f"{metric} {row[metric]:g} of the best, not {_range(low, high)}",
            )
            for metric, low, high in wishes
        ]
        share, who = maker.taught.others.nearest(level.grid, maker.measured(level.grid))
        found.append((far_off(share, maker.values["differ"], 1.0), self._likeness(share, who)))
        if maker.fires:
            silent = maker.fires - {*rules_of(maker.of, level, str(level.solution))}
            told = f"the rules of the lines {listed(map(str, sorted(silent)))} do not fire in the best"
            found.append((float(len(silent)), told))
        if not verdict.optimal and "least" in verdict.statistics:
            least, keys = int(verdict.statistics["least"]), len(str(level.solution))
            told = f"the best is won by {keys} keys, and {least} might do"
            found.append((far_off(least, math.ceil(SURE * keys), math.inf), told))
        surplus = maker.taught.surplus(level.grid) - asked.gap
        found.append((A_CELL * max(0, surplus), "the best has more of a thing than the author, or less"))
        same = way_of(str(level.solution)) == asked.way
        found.append((float(same), "the best is won by the same keys as the author's level"))
        far = sum(lack for lack, _ in found)
        if far == 0 and maker.is_one_of(maker.earlier, level):
            return 1.0, "the best is nearly an earlier level, or won by the same keys"
        return far, max(found)[1]

    def _likeness(self, share: float, who: int) -> str:
        cells = "its cells that may change" if self.maker.partial else "its board"
        own = who < self.maker.own
        which = f"level {who + 1} of the author" if own else "a level that it shall be unlike"
        return f"the best is still like {which} in {math.ceil(100 * (1 - share))} % of {cells}"

    def base(self) -> Start:
        """Returns a level of the author to put goals in: one that was not soon solved, or is no tutorial."""
        looked = {start.level.grid.tobytes(): start for start in self.round}
        good = {start.level.grid.tobytes() for start in worth_it(self.round)}
        good |= {text for text, start in looked.items() if not start.told}
        some = [start for text, start in looked.items() if text in good] or list(looked.values())
        return self.dice.choice(some)

    def needed(self, grid: Grid) -> bool:
        """Returns whether it is proved that every rule that shall be needed is."""
        states = self.maker.values["states"]
        for game in self.maker.without:
            if self.maker.solved(grid, states, game, self.is_cut).status != "unsolvable":
                self.unneeded += not self.cut
                return False
        return True


def _range(low: float, high: float) -> str:
    return f"{low:g}.." + ("" if high == math.inf else f"{high:g}")


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
