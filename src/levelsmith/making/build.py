"""What makes the levels of a task, built from its names and values: a problem and its search, or a maker."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from levelsmith.contracts import Game, Resumable
from levelsmith.core import Problem, Term
from levelsmith.errors import LevelsmithError, setting, unknown
from levelsmith.making.task import Task
from levelsmith.registry import games, generators, representations, searches


def build_maker(task: Task) -> Any:
    """Returns the maker of the game's own that the task takes in place of a search."""
    terms, maker = [want.term() for want in task.wants], generators.get(task.search)
    begun = {"canvas": task.canvas, "unlike": task.unlike} if maker.begins else {}
    return maker(task.played, task.size, task.values[task.search], terms, **begun)


def build_problem(task: Task) -> Problem:
    """Returns what a search works on: a representation, the game and the score, all compiled."""
    from levelsmith.kernels.score import make

    if task.representation is None:
        raise LevelsmithError(f"{task.search} builds levels of {task.game} itself: it has no search problem")
    game, representation = games.get(task.game), representations.get(task.representation)
    needs = searches.get(task.search).needs
    built = representation.build(game, task.canvas, task.values[task.representation], needs)
    objective = make(terms_of(task), [*game.metrics, *game.score_parts], task.combine == "product")
    return Problem(
        built,
        game.compiled(task.size),
        objective,
        lambda board: representation.grid(built, board),
        tuple(game.metrics),
        task.size[0] * task.size[1],
        lambda row: representation.proof(built, row),
    )


def start_run(task: Task, seed: np.random.SeedSequence | None = None) -> Resumable:
    """Returns the run of a task, ready to be advanced."""
    seed = task.sequence if seed is None else seed
    try:
        if task.representation is None:
            draw: Resumable = build_maker(task).start(seed)
            return draw
        search: Any = searches.get(task.search)
        if task.device == "cuda":
            from levelsmith.search.gpu import Forest

            search = Forest
        run: Resumable = search(build_problem(task), seed, task.values[task.search])
        return run
    except MemoryError:
        raise LevelsmithError(
            f"{task.search} found no memory for its tables; ask for less of it "
            f"({setting(task.search + '.memory', 2048)}) or for a smaller size"
        ) from None


def terms_of(task: Task) -> list[Term]:
    """Returns what the score is made of: the terms of the objectives, then the ranges.

    Where ranges do not suffice, each takes the place of what the objectives say of its metric.
    """
    game = games.get(task.game)
    ranged = set() if game.ranges_suffice else {want.metric for want in task.wants}
    asked = [term for name in task.objectives for term in _objective_terms(task, game, name, ranged)]
    return [*asked, *(want.term(task.size[0] * task.size[1]) for want in task.wants)]


def _objective_terms(task: Task, game: Game, name: str, ranged: Collection[str]) -> list[Term]:
    """Returns the terms of an objective, but for those of metrics that are `ranged`."""
    kept: list[Term] = []
    parts: list[Term] = []  # of the term that comes next
    for term in game.objectives[name].terms(task.size, task.values[name]):
        if term.metric not in game.metrics and term.metric not in game.score_parts:
            raise unknown(f"metric of {game.name}", term.metric, game.metrics, hint=f"the objective {name}")
        parts.append(term)
        if term.shape != "part":
            kept += [] if term.metric in ranged else parts
            parts = []
    return kept + parts
