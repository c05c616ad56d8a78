"""What can be asked of levels of any PuzzleScript game: long solutions, many states, rules that fire."""

from __future__ import annotations

from collections.abc import Mapping

from levelsmith.core import Objective, Size, Term, Values

LONG, MANY = 50.0, 10_000.0  # keys and states that count as 1


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
