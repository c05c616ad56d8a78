"""The solver of Sokoban: shortest solutions by pushes, proofs that there is none, or which limit was met."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

from levelsmith.core import Cancel, Effort, Level, Verdict
from levelsmith.games.sokoban.metrics.solution import measured
from levelsmith.games.sokoban.rules.rules import check, replay
from levelsmith.games.sokoban.solver.hunt import (
    PRIORITIES,
    Hunt,
    PreparedLevel,
    field_of,
)
from levelsmith.games.sokoban.solver.kernels.search import (
    ALL_WAYS,
    BEST_FIRST,
    BY_MOVES,
    EXHAUSTED,
    FEWEST_MOVES,
    FOUND,
    KIND,
    MOST_WAYS,
    PLAYER,
)
from levelsmith.games.sokoban.solver.macro import MOST_CELLS, MacroHunt
from levelsmith.levels.spending import SolverLimit, Spending

# Where any solution will do, searches take turns, three by pushes and one by pulls from the goals. They weigh
# a push of the lower bound, a cell that the player cannot walk to, and a goal that is filled too early.
BY_PUSHES = ((1, 0, 0), (50, 0, 0), (50, 20, 200))
BY_PULLS = (50, 0, 0)
EASY = 20_000  # states that those spend before a search by whole ways of a box joins them
SOON = 20_000  # states that may go to the fewest moves of a shortest solution, and to count all of them
# Where those are not enough for the fewest moves, so many states are gone on with after each push; more where
# these lead nowhere.
WIDTHS = (300, 3_000)


def solve(
    level: Level, effort: Effort, *, any: bool = False, moves: bool = False, cancel: Cancel | None = None
) -> Verdict:
    """Solves a level with the fewest pushes, or says that nobody can, or which limit was reached.

    Args:
        level: a level; one that the rule book refuses is refused with its reason.
        effort: what may be spent.
        any: the first solution found will do, which takes far fewer states.
        moves: looks for the fewest moves among the solutions with the fewest pushes until a limit is met, and
            then says that they are unproved; otherwise only where that takes little more.
        cancel: asked now and then; True stops.
    """
    check(level.grid)
    clock = Spending(effort, cancel)
    status, optimal, solution, limit, ways = "unsolvable", False, None, None, None
    try:
        clock.check()
        field = field_of(level, clock)
        hunt = None if field.hopeless else _first(field) if any else _shortest(field)
        if hunt is not None:
            status, optimal, pushes = "solved", hunt.optimal, hunt.pushes
            solution = replay(level, field.lurd(hunt.way()))
            if moves and not any and not _has_fewest_moves(hunt):
                del hunt  # its memory is wanted
                hunt = Hunt(field, FEWEST_MOVES, bound=pushes)
                hunt.run()
                solution = replay(level, field.lurd(hunt.way()))
            ways = _ways(_soon(field, ALL_WAYS, pushes)) if optimal and not any else None
    except SolverLimit as reached:
        status = "unknown" if solution is None else "solved"
        limit = str(reached) if solution is None else f"fewest moves unproved: {reached}"
    statistics: dict[str, Any] = {"states": clock.states, "seconds": round(clock.seconds, 6)}
    if limit is not None:
        statistics["limit"] = limit
    metrics = {} if solution is None else {**measured(level, solution), "optimal_solutions": ways}
    return Verdict(status, optimal, solution, metrics, statistics)


def fewest_pushes(level: Level, effort: Effort) -> str | None:
    """Returns a solution than which none has fewer pushes, and nothing more about it; None where there is
    none, or where a limit was reached first."""
    try:
        field = field_of(level, Spending(effort, None))
        hunt = None if field.hopeless else Hunt(field, BEST_FIRST)
        found = hunt is not None and hunt.run() and hunt.optimal
        return replay(level, field.lurd(hunt.way())) if hunt is not None and found else None
    except SolverLimit:
        return None


def few_moves(level: Level, pushes: int, width: int) -> tuple[str, bool] | None:
    """Returns a solution with so many pushes, which are the fewest, and few moves; and whether none has
    fewer. None where all lie beyond what is looked at.

    Args:
        level: which can be solved.
        pushes: of a shortest solution.
        width: how many positions are gone on with after each push, those with the fewest moves.
    """
    field = field_of(level, Spending(Effort(seconds=None), None))
    hunt = Hunt(field, FEWEST_MOVES, bound=pushes, width=width)
    return (field.lurd(hunt.way()), hunt.dropped == 0) if hunt.run() else None


def fewest_moves(level: Level, effort: Effort) -> str | None:
    """Returns a solution than which none has fewer moves, pushes among them, whatever pushes it takes.

    None where there is no solution, or where a limit was reached first.
    """
    check(level.grid)
    try:
        field = field_of(level, Spending(effort, None))
        if field.hopeless:
            return None
        hunt = Hunt(field, BY_MOVES)
        if not hunt.run() or hunt.label >= PRIORITIES - 1:  # the last list is in no order
            return None
        return replay(level, field.lurd(hunt.way()))
    except SolverLimit:
        return None


def _shortest(field: PreparedLevel) -> Hunt | None:
    """Returns a search that found a solution with the fewest pushes and few moves, or the fewest where that
    takes little more."""
    hunt = Hunt(field, BEST_FIRST)
    if not hunt.run():
        return None
    return _soon(field, FEWEST_MOVES, hunt.pushes) or _with_few_moves(field, hunt)


def _has_fewest_moves(hunt: Hunt) -> bool:
    """Tells whether a search went through all solutions with the fewest pushes."""
    return bool(hunt.tally[KIND] == FEWEST_MOVES) and hunt.dropped == 0


def _with_few_moves(field: PreparedLevel, hunt: Hunt) -> Hunt:
    """Returns a search through some of the solutions with as few pushes, or the one at hand where it has as
    few moves or there is no room."""
    for width in WIDTHS:
        with contextlib.suppress(SolverLimit):
            through = Hunt(field, FEWEST_MOVES, bound=hunt.pushes, share=2, width=width)
            if through.run():
                return through if through.label < len(field.lurd(hunt.way())) else hunt
    return hunt


def _soon(field: PreparedLevel, kind: int, pushes: int) -> Hunt | None:
    """Returns a search through all solutions with as few pushes, if that takes little more; None
    otherwise."""
    clock = field.clock
    effort = clock.effort
    most = clock.states + SOON
    clock.effort = replace(effort, states=most if effort.states is None else min(most, effort.states))
    try:
        through = Hunt(field, kind, bound=pushes, share=2)
        through.run()
    except SolverLimit:
        return None
    finally:
        clock.effort = effort
    return through


def _first(field: PreparedLevel) -> Hunt | None:
    """Returns several searches in turn, until one of them ends; one that has no memory left drops out."""
    turned = field.turned()
    field.order_goals()
    share = 2 * (len(BY_PUSHES) + 1)  # of half of the memory
    hunts = [Hunt(field, BEST_FIRST, weights, share=share) for weights in BY_PUSHES]
    home = int(hunts[0].store.nodes[0, PLAYER])
    hunts.append(Hunt(turned, BEST_FIRST, BY_PULLS, share=share, home=home))
    easy = True
    while True:
        if easy and field.clock.states >= EASY:
            easy, hunts = False, _with_macro(field, hunts)
        for hunt in list(hunts):
            try:
                ended = hunt.advance()
            except SolverLimit as limit:
                hunts = [other for other in hunts if other is not hunt]
                if str(limit) != "memory" or not hunts:
                    raise
                continue
            if ended in (FOUND, EXHAUSTED):
                return hunt if ended == FOUND else None


def _with_macro(field: PreparedLevel, hunts: list[Hunt]) -> list[Hunt]:
    """Adds two searches by whole ways of a box, each with twice as many turns as all others, if they have
    room enough."""
    if len(field.area.cells) > MOST_CELLS:
        return hunts
    try:
        own, behind = MacroHunt(field, False, share=4), MacroHunt(field, True, share=4)
    except SolverLimit:
        return hunts
    return [hunt for other in hunts for hunt in (other, own, behind, own, behind)]


def _ways(every: Hunt | None) -> int | None:
    return every.label if every is not None and every.label < MOST_WAYS else None
