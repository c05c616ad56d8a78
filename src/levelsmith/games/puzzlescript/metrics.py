"""What is told of a PuzzleScript level by its shortest solution, the rules that fire on the way, and all of
its states; and what can be asked of levels of any game: long solutions, many states, rules that fire."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from levelsmith.core import Cancel, Level, Objective, Size, Term, Values, Verdict
from levelsmith.games.kernels.walker import LOST, TINY, Graph, chance_of, steps_to_end
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.kernels.spread import WINS
from levelsmith.games.puzzlescript.solve import graph_of
from levelsmith.kernels.maths import log

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.game import PuzzleGame

BY_SOLUTION: Mapping[str, str] = {
    "moves": "keys of a shortest solution",
    "states": "states that are met until it is found",
    "bends": "times that a key is another than the one before",
    "rules": "lines of rules that change something on its way",
    "coverage": "share of the lines of rules that do",
    "solutions": "how many solutions are as short",
    "branching": "keys that change something, in the mean over all states",
    "lost_share": "share of the states that can no longer be won",
    "difficulty": "how hard it is for a player who presses keys at random, from 0 to 100",
}
BY_PLAY = frozenset({"rules", "coverage"})  # which are told as it is played
BY_GRAPH = frozenset({"solutions", "branching", "lost_share", "difficulty"})  # which all states tell
ROOM = 20_000  # states, of all of which there is a graph
PATIENCE = 300.0  # keys until a player begins again, in the mean
LONG, MANY = 50.0, 10_000.0  # keys and states that count as 1 in an objective
HALF = 10.0  # -ln of the chance that he wins before that, of a level whose difficulty is 50


def told_by(
    game: PuzzleGame,
    level: Level,
    verdict: Verdict,
    names: Collection[str] = BY_SOLUTION,
    cancel: Cancel | None = None,
) -> dict[str, float]:
    """Returns metrics of a level by the solution that a solver has found."""
    keys, states = verdict.solution or "", float(verdict.statistics.get("states", 1))
    found = {
        "moves": float(len(keys)),
        "states": states,
        "bends": float(sum(a != b for a, b in pairwise(keys))),
    }
    if BY_PLAY & {*names}:
        fired, lines = len(rules_of(game, level, keys)), {*map(int, game.program.tables.rules.line)}
        found |= {"rules": float(fired), "coverage": fired / len(lines) if lines else 1.0}
    if BY_GRAPH & {*names}:
        found |= told_by_graph(game, level, cancel)
    return found


def told_by_graph(game: PuzzleGame, level: Level, cancel: Cancel | None = None) -> dict[str, float]:
    """Returns metrics of all states of a level that can be won; nan where there are too many, or nobody waits
    for them any more."""
    to = graph_of(game, level, ROOM, cancel)
    if to is None:
        return dict.fromkeys(BY_GRAPH, math.nan)
    states, keys = to.shape
    moving = to != np.arange(states)[:, None]
    first = np.r_[0, np.cumsum(moving.sum(axis=1)), moving.sum()]  # the last state is the end of all that win
    graph = Graph(
        first.astype(np.int64),
        np.where(to == WINS, states, to)[moving].astype(np.int32),
        np.zeros(states + 1),
        (np.arange(states + 1) == states).astype(np.uint8),
    )
    steps, ways = steps_to_end(graph)
    rarity = -log(max(TINY, float(chance_of(graph, steps, 0.0, PATIENCE)[0])))
    return {
        "solutions": float(ways[0]),
        "branching": float(moving.mean() * keys),
        "lost_share": float((steps[:-1] == LOST).mean()),
        "difficulty": 100.0 * rarity / (HALF + rarity),
    }


def rules_of(game: PuzzleGame, level: Level, keys: str) -> list[int]:
    """Returns the lines of the rules that change something or command on the way of a solution."""
    engines: list[Kernel] = []

    def played(*given: Any) -> Kernel:
        engines.append(Kernel(*given))
        return engines[-1]

    game.verify(replace(level, solution=keys), played)
    lines = game.program.tables.rules.line
    return sorted({int(lines[rule]) for one in engines for rule in one.fired})


def _of(metric: str, enough: float) -> Objective:
    def terms(size: Size, values: Values) -> list[Term]:
        return [Term(metric, "linear", low=enough)]

    return Objective(metric, f"as many {metric} as can be", terms, goal=False)


def _coverage(size: Size, values: Values) -> list[Term]:
    return [Term("coverage", "ramp")]


OBJECTIVES: Mapping[str, Objective] = {
    "moves": _of("moves", LONG),
    "states": _of("states", MANY),
    "coverage": Objective("coverage", "a solution on whose way every rule fires", _coverage),
}
