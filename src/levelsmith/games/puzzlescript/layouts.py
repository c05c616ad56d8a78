"""Layouts of new PuzzleScript levels, which are explored before their goals are put down.

One of the author's levels is changed until it is unlike them all; nothing is solved meanwhile. Then it is
changed on as long as the same number of states leads to more keys. Once it leads to as many as are asked for,
the goals are put there in hindsight, and that level is solved.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from levelsmith.core import Grid, Level
from levelsmith.games.climb import Climb
from levelsmith.games.puzzlescript.hindsight import Explored

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.remix import RemixDraw

REACH, MOST_REACH, FARTHER = 2_000, 16_000, 2  # states of a layout to look at; at most; times as many then
LAYOUTS = 8  # that lead no farther, after which more states of them are looked at
SHUFFLES = 400  # changes of a level, at most, until it is unlike the author's
LIKENESS = 5.0  # how far off a level is on the way, for the share of the board that does not differ yet
NEARLY = 0.75  # of the most keys that a board takes, where no number is asked for
WAYS, PROOFS = 60, 2  # of putting goals, that are tried on a board; that are solved
WARM = 0.05  # how readily what is farther off is changed on
STRANGE = 1.0  # how far off a level counts on the way, were all of it strange to the author's
DRAWS = 50  # of changes, for one that suits
PROOF = 3  # times the states of a layout, for a level that is made of it
LAID_OUT = 300  # states that are counted for the time that a new layout takes


class Layouts:
    """The layouts of one level that is being made."""

    def __init__(self, draw: RemixDraw):
        self.draw = draw
        self.climb: Climb[Grid | None] = Climb(None, patience=LAYOUTS, heat=WARM)
        self.reach, self.fresh = REACH, True  # of a layout that is not explored yet
        self.paired = False  # whether layouts are looked at far and not everywhere
        self.aim = draw.asked  # of a layout
        self.explored = self.put_down = 0  # states; goals

    def tried(self) -> Level | None:
        """Explores one more layout, and puts the goals where they are as hard to reach as is asked for;
        returns what will do. Goes on from layouts in which the same states lead farther."""
        maker, layouts = self.draw.maker, self.climb
        if layouts.here is None:
            self._lay_out()
            return None
        layouts.stale += 1
        grid = layouts.here if self.fresh else self._varied(layouts.here)
        if grid is not None:
            explored = maker.hindsight.explore(grid, self.reach, self.draw.is_cut, self.paired)
            if explored is None:
                return None
            self.explored += explored.states
            low, high = self._keys_wanted(explored)
            level = self._put_goals(grid, explored, low, high)
            if level is not None or self.draw.cut:
                return level
            far = max(0.0, 1 - explored.keys.max(initial=0) / low) + STRANGE * maker.taught.strange(grid)
            if self.fresh:
                layouts.begin(grid, far)
            else:
                layouts.note(grid, far, self.draw.dice.random)
            self.fresh = False
        if layouts.is_stuck:
            self.reach, self.fresh = self.reach * FARTHER, True
            layouts.begin(layouts.here)
            if self.reach > min(MOST_REACH, maker.values["states"]):
                layouts.begin(None)
        return None

    def _lay_out(self) -> None:
        """Begins with another layout, which is unlike the author's, and looks at it in the other way."""
        self.paired = not self.paired and self.draw.maker.may_replay
        start = self.draw.base()
        self.aim, self.reach, self.fresh = self.draw.asked_of(start), REACH, True
        self.climb.begin(self._shuffled(start.level.grid))
        self.explored += LAID_OUT  # it takes time, too

    def _varied(self, grid: Grid) -> Grid | None:
        """Returns a layout with a few changes that is as unlike the author's as it shall be."""
        maker = self.draw.maker
        for _ in range(DRAWS):
            new = maker.taught.changed(grid, maker.free(grid), self.draw.dice)
            if maker.taught.is_fair(grid, new) and not np.array_equal(new, grid):
                share, _ = maker.taught.others.nearest(new, maker.measured(new))
                if share >= maker.values["differ"]:
                    return new
        return None

    def _shuffled(self, grid: Grid) -> Grid | None:
        """Returns a copy that differs from the author's levels as much as it shall, and is not strange to
        them; None where that does not soon come about."""
        taught, differ = self.draw.maker.taught, self.draw.maker.values["differ"]
        climb: Climb[Grid] = Climb(grid, heat=WARM)
        for _ in range(SHUFFLES):
            here = climb.here
            new = taught.changed(here, self.draw.maker.free(here), self.draw.dice)
            if new is here or not taught.is_fair(grid, new):
                continue
            share, _ = taught.others.nearest(new, self.draw.maker.measured(new))
            far = LIKENESS * max(0.0, differ - share) + STRANGE * taught.strange(new)
            climb.note(new, far, self.draw.dice.random)
            if climb.here is new and share >= differ:
                return new
        return None

    def _keys_wanted(self, explored: Explored) -> tuple[float, float]:
        """Returns how many keys a level shall take at least and at most: about as many as a board allows
        where less is asked for."""
        terms = [(term.low, term.high) for term in self.draw.maker.terms if term.metric == "moves"]
        low = max([self.aim.least.get("moves", 1), *(low for low, _ in terms)])
        high = min([math.inf, *(high for _, high in terms)])
        return max(low, NEARLY * min(high, explored.keys.max(initial=0))), high

    def _put_goals(self, grid: Grid, explored: Explored, low: float, high: float) -> Level | None:
        """Puts the goals of a layout where they take so many keys; returns a level that will do."""
        maker, proofs = self.draw.maker, 0
        wanted = (explored.keys >= low) & (explored.keys <= high)
        if not wanted.any():
            return None
        ways = np.flatnonzero(wanted & maker.hindsight.fitting(grid, explored.there)).tolist()
        for way in self.draw.dice.sample(ways, min(WAYS, len(ways))):
            new = maker.hindsight.put(grid, explored, way, self.draw.dice)
            if new is None or new.tobytes() in self.draw.seen or not self._may_be(grid, new):
                continue
            keys = explored.keys_to(way) if self.paired else ""
            verdict = maker.won(new, PROOF * explored.states, self.draw.is_cut, keys)
            self.explored += int(verdict.statistics["states"])
            level, far = self.draw.judged(new, verdict, self.aim)
            if self.draw.cut:
                return None
            proofs, self.put_down = proofs + 1, self.put_down + 1
            if level is not None and far == 0 and self.draw.needed(new):
                return level
            if proofs == PROOFS:
                break
        return None

    def _may_be(self, before: Grid, after: Grid) -> bool:
        """Returns whether goals that were put down change nothing that shall stay."""
        taught, changed = self.draw.maker.taught, before != after
        stands = (taught.stands[before] == taught.stands[after]).all()
        return bool(
            stands and not (changed & ~self.draw.maker.free(before)).any() and taught.is_fair(before, after)
        )
