"""What objectives say of metrics, and what of it ranges take the place of."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from levelsmith.contracts import Game
from levelsmith.core import Size, Term, Values
from levelsmith.errors import LevelsmithError, listed, unknown

if TYPE_CHECKING:
    from levelsmith.making.task import Task


def collisions(game: Game) -> list[str]:
    """Returns the metrics that a parameter of an objective of the game shares its name with."""
    named = [p.name.replace("-", "_") for o in game.objectives.values() for p in o.parameters]
    return sorted({name for name in named if name in game.metrics})


def terms_of(game: Game, name: str, size: Size, values: Values, ranged: Collection[str] = ()) -> list[Term]:
    """Returns the terms of an objective, but for those of metrics that are `ranged`."""
    kept: list[Term] = []
    parts: list[Term] = []  # of the term that comes next
    for term in game.objectives[name].terms(size, values):
        if term.metric not in game.metrics:
            raise unknown(f"metric of {game.name}", term.metric, game.metrics, hint=f"the objective {name}")
        parts.append(term)
        if term.shape != "part":
            kept += [] if term.metric in ranged else parts
            parts = []
    return kept + parts


def refuse_overruled(game: Game, task: Task, asked: Mapping[str, Any]) -> None:
    """Refuses a parameter that a person has set for a term whose place a range takes."""
    if game.ranges_suffice or not task.wants:
        return
    for name in task.objectives:
        for parameter in game.objectives[name].parameters:
            if parameter.name not in asked and f"{name}.{parameter.name}" not in asked:
                continue
            unset = {**task.values, name: {**task.values[name], parameter.name: parameter.default}}
            without = replace(task, values=unset)
            matters = replace(task, wants=()).terms(game) != replace(without, wants=()).terms(game)
            if matters and task.terms(game) == without.terms(game):
                ranges = listed(f"{want.metric} {want.range}" for want in task.wants)
                raise LevelsmithError(
                    f"{parameter.name} has no effect beside the range {ranges}, which takes the place of "
                    f"what {name} asks for: leave out one of them"
                )
