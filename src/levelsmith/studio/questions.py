"""What the server asks about games and levels; answered in a process of its own, so that none can hurt it.

Each answer is plain data; a wrong value raises LevelsmithError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from levelsmith.contracts import Playable, Solvable, Stepwise
from levelsmith.core import Effort, Level
from levelsmith.errors import LevelsmithError, listed
from levelsmith.levels.formats.text import parse
from levelsmith.making.runs import check_portable
from levelsmith.numbers import parse_size
from levelsmith.registry import games
from levelsmith.studio.catalogue import catalogue
from levelsmith.studio.compiled import compiled
from levelsmith.studio.described import described, level_of
from levelsmith.studio.files import read, write
from levelsmith.studio.limits import check_cells
from levelsmith.studio.scripts import (
    opened,
    script,
    script_game,
    script_made,
    script_saved,
    script_solved,
    scripts,
)
from levelsmith.studio.setting import request_of
from levelsmith.studio.sprites import sprites
from levelsmith.studio.wording import in_words

if TYPE_CHECKING:
    from levelsmith.making.task import Task

__all__ = [
    "catalogue",
    "check",
    "compiled",
    "described",
    "picture",
    "plan",
    "read",
    "script",
    "script_game",
    "script_made",
    "script_saved",
    "script_solved",
    "scripts",
    "sprites",
    "steps",
    "write",
]

SOLVE_SECONDS = 1.0
SOLVE_BYTES = 500_000_000
MOST_FRAMES = 1_000  # of a solution that is played for a page


def plan(setting: Mapping[str, Any], cells: int) -> dict[str, Any]:
    """Returns what a job would run, all defaults filled in; what cannot be is refused."""
    from levelsmith.making.driver import runs_of

    with opened(setting.get("script")):
        request = request_of(setting)
    if "edit" in setting:
        planned = _planned(request.start.size, setting["edit"], None, (), cells)
        return planned | {"seconds": request.seconds}
    task = runs_of(request).task
    check_portable(task)
    return {
        **_planned(task.size, task.search, task.representation, task.objectives, cells),
        "want": {want.metric: want.range for want in task.wants},
        "evaluations": task.budget.evaluations,
        "seconds": task.budget.seconds,
        "goal": task.has_goal,
        "shows": _shown(task),
    }


def _planned(
    size: tuple[int, int], search: str, representation: str | None, objectives: Sequence[str], cells: int
) -> dict[str, Any]:
    height, width = size
    if height * width > cells:
        raise LevelsmithError(
            f"expected at most {cells:,} cells, got {width}x{height}; ask for a smaller size"
        )
    return {
        "size": f"{width}x{height}",
        "search": search,
        "representation": representation,
        "objective": list(objectives),
        "want": {},
        "evaluations": None,
        "seconds": None,
        "goal": True,
        "shows": None,
    }


def _shown(task: Task) -> dict[str, Any] | None:
    """Returns the metric that a score without a goal stands for, where it is one: 0.73 is a difficulty of
    73."""
    if task.wants or task.representation is None or len(task.objectives) != 1:
        return None
    (name,) = task.objectives
    terms = list(games.get(task.game).objectives[name].terms(task.size, task.values[name]))
    if len(terms) != 1 or terms[0].shape != "linear":
        return None
    return {"metric": terms[0].metric, "zero": terms[0].zero, "one": terms[0].low}


def check(
    game: str,
    text: str,
    solve: bool = True,
    frames: bool = False,
    title: str = "",
    cells: int = 4096,
    script: str | None = None,
) -> dict[str, Any]:
    """Tells whether a text is a level, what can be counted about it, and whether it can be solved, and
    how; of a game in one text, its `script`, also which rules fire on the way."""
    with opened(script):
        found, level = _checked(game, text, solve, frames, title, cells)
        if script is not None and found["solution"]:
            found |= _told(level, found["optimal"])
    return found


def _told(level: Level, shortest: bool) -> dict[str, Any]:
    """Returns what is told of a solution, and the rules that fire on its way."""
    game: Any = games.get(level.game)
    proved = {"search": "solver"} if shortest else {}
    return {"told": game.headline(replace(level, provenance=proved)), "rules": game.rules_used(level)}


def _checked(
    game: str, text: str, solve: bool, frames: bool, title: str, cells: int
) -> tuple[dict[str, Any], Level]:
    entry = games.get(game)
    level = replace(parse(text, game), title=title)
    check_cells(level, cells)
    found: dict[str, Any] = {"valid": True, "status": "n/a", "solution": None}
    try:
        entry.check(level)
        entry.check_start(level)
    except LevelsmithError as error:
        found |= {"valid": False, "status": "malformed", "error": _first_line(error, level)}
    if found["valid"] and solve and isinstance(entry, Solvable):
        try:
            verdict = entry.solve(
                level, Effort(seconds=SOLVE_SECONDS, memory=SOLVE_BYTES), any=False, moves=False
            )
        except LevelsmithError as error:  # such as a game of chance, of which each level is one all the same
            found["error"] = in_words(error.for_command_line)
        else:
            level = replace(level, solution=verdict.solution)
            found |= {"status": verdict.status, "solution": verdict.solution, "optimal": verdict.optimal}
            found |= {
                name: value for name, value in verdict.metrics.items() if name in entry.solution_columns
            }
            if verdict.statistics.get("why"):
                found["why"] = in_words(verdict.statistics["why"])
            if frames:
                found["frames"] = _played(level)
    told = described(level) if found["status"] != "unknown" else _unsolved(level)
    found |= {name: told[name] for name in ("metrics", "tier", "size", "text")}
    path = entry.path(level) if found["valid"] else None
    if path is not None:
        found["path"] = path
    return found, level


def _played(level: Level) -> list[str]:
    """Returns the level at the start and after each move of its solution; nothing where those are too
    many."""
    from levelsmith.levels.film import frames

    game = games.get(level.game)
    if not level.solution or not isinstance(game, Playable):
        return []
    grids = list(islice(frames(level), MOST_FRAMES + 1))
    return ["\n".join(game.tiles.rows(grid)) for grid in grids] if len(grids) <= MOST_FRAMES else []


def _first_line(error: LevelsmithError, level: Level) -> str:
    return in_words(error.for_command_line.replace(level.text.replace("\n", " "), "").strip())


def _unsolved(level: Level) -> dict[str, Any]:
    """Returns what is counted without a solution, of a level that is too hard to solve in passing."""
    game = games.get(level.game)
    row = game.measure(level.grid[None])[0]
    metrics = {name: float(value) for name, value in zip(game.metrics, row, strict=True)}
    return {"metrics": metrics, "tier": None, "size": f"{level.size[1]}x{level.size[0]}", "text": level.text}


def steps(game: str | None, size: str, seed: int) -> dict[str, Any]:
    """Returns how a level of a game is built, step by step; by default of the first that shows it."""
    able = [entry for entry in games.working() if isinstance(entry, Stepwise) and game in (None, entry.name)]
    if not able:
        every = [entry.name for entry in games.working() if isinstance(entry, Stepwise)]
        raise LevelsmithError(f"only levels of {listed(every)} are made by these steps")
    return able[0].steps(parse_size(size), seed)


def picture(level: Mapping[str, Any], kind: str, theme: str) -> bytes:
    from levelsmith.levels.formats.picture import png, svg

    drawn = level_of(level)
    return png(drawn, theme) if kind == "png" else svg(drawn, theme).encode()


def similar(text: str, game: str, others: Sequence[tuple[int, str]], most: int) -> list[tuple[int, float]]:
    """Returns which of the others are most like a level, as they are or mirrored: the share of equal
    cells."""
    if not others:
        return []
    grid = parse(text, game).grid
    grids = np.stack([parse(other, game).grid for _, other in others])
    shares = np.maximum.reduce(
        [(grids == turned).mean((1, 2)) for turned in (grid, grid[:, ::-1], grid[::-1], grid[::-1, ::-1])]
    )
    best = np.argsort(-shares, kind="stable")[:most]
    return [(others[i][0], round(float(shares[i]), 4)) for i in best]


def report(path: str) -> str:
    """Returns the report on an experiment's file, as a page of its own."""
    from levelsmith.experiment.damage import damage_explained
    from levelsmith.experiment.page import write as written
    from levelsmith.experiment.report import build
    from levelsmith.experiment.results import Results

    with damage_explained(path):
        return written(build(Results(path)))
