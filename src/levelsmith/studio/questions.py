"""What the server asks about games and levels; answered in a process of its own, so that none can hurt it.

Each answer is plain data; a wrong value raises LevelsmithError.
"""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from levelsmith.core import Effort, Level
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.levels.files import format_of
from levelsmith.levels.format import MAIN, Limits, Source
from levelsmith.levels.measure import details, measure
from levelsmith.levels.text import parse
from levelsmith.registry import formats, games
from levelsmith.search.workers import check_portable
from levelsmith.studio.catalogue import catalogue
from levelsmith.studio.sprites import sprites
from levelsmith.studio.steps import steps

__all__ = [
    "catalogue",
    "check",
    "choices",
    "described",
    "picture",
    "plan",
    "read",
    "sprites",
    "steps",
    "write",
]

SOLVE_SECONDS = 1.0
SOLVE_ALL_SECONDS = 20.0  # for the levels of one file
SOLVE_STATES = 100_000
SOLVE_BYTES = 500_000_000
MOST_FRAMES = 1_000  # of a solution that is played for a page


def choices(setting: Mapping[str, Any]) -> dict[str, Any]:
    """A job's setting as the arguments of `generate`."""
    given = dict(setting)
    if "start" in given:
        given["start"] = parse(given["start"], given["game"])
    if "want" in given:
        given["want"] = {name: tuple(v) if isinstance(v, list) else v for name, v in given["want"].items()}
    return given


def plan(setting: Mapping[str, Any], cells: int) -> dict[str, Any]:
    """What a job would run, all defaults filled in; what cannot be is refused."""
    from levelsmith.search.driver import stretches

    given = choices(setting)
    row = stretches(
        given.pop("game"), given.pop("count", 1), given.pop("skip", 0), 1, given.pop("ramp", None), **given
    )[0]
    task = row.task
    check_portable(task)
    height, width = task.size
    if height * width > cells:
        raise LevelsmithError(
            f"expected at most {cells:,} cells, got {width}x{height}; --cells raises the limit"
        )
    return {
        "size": f"{width}x{height}",
        "search": task.search,
        "representation": task.representation,
        "objective": list(task.objectives),
        "want": {want.metric: want.range for want in task.wants},
        "evaluations": task.budget.evaluations,
        "seconds": task.budget.seconds,
        "goal": task.has_goal,
    }


def described(level: Level) -> dict[str, Any]:
    """A level as the interface tells it, measured."""
    from levelsmith.levels.json import plain_data

    try:
        metrics, told = measure(level), details(level)
    except LevelsmithError:
        metrics, told = {}, {}
    score = level.provenance.get("score")
    return {
        "game": level.game,
        "size": f"{level.size[1]}x{level.size[0]}",
        "text": level.text,
        "title": level.title,
        "author": level.author,
        "solution": level.solution,
        "score": float(score) if isinstance(score, int | float) and abs(score) < 1e300 else None,
        "metrics": {name: value for name, value in metrics.items() if abs(value) < float("inf")},
        "tier": told.get("tier"),
        "provenance": plain_data(level.provenance),
    }


def check(
    game: str, text: str, solve: bool = True, frames: bool = False, title: str = "", cells: int = 4096
) -> dict[str, Any]:
    """Whether a text is a level, what can be counted about it, and whether it can be solved, and how."""
    entry = games.get(game)
    level = replace(parse(text, game), title=title)
    if level.grid.size > cells:
        raise LevelsmithError(f"expected at most {cells:,} cells, got {level.size[1]}x{level.size[0]}")
    found: dict[str, Any] = {"valid": True, "status": "n/a", "solution": None}
    try:
        entry.check(level)
        getattr(entry, "check_start", entry.check)(level)
    except LevelsmithError as error:
        found |= {"valid": False, "status": "malformed", "error": _first_line(error, level)}
    solver = getattr(entry, "solve", None)
    if found["valid"] and solve and solver is not None:
        verdict = solver(level, Effort(seconds=SOLVE_SECONDS, memory=SOLVE_BYTES), any=False, moves=False)
        level = replace(level, solution=verdict.solution)
        found |= {"status": verdict.status, "solution": verdict.solution, "optimal": verdict.optimal}
        found |= {name: value for name, value in verdict.metrics.items() if name in ("pushes", "moves")}
        if frames:
            found["frames"] = _played(level)
    told = described(level) if found["status"] != "unknown" else _unsolved(level)
    found |= {name: told[name] for name in ("metrics", "tier", "size", "text")}
    if found["valid"] and game == "binary":
        found["path"] = _longest_path(level)
    return found


def _played(level: Level) -> list[str]:
    """The level at the start and after each move of its solution; nothing where those are too many."""
    from levelsmith.levels.film import frames

    game = games.get(level.game)
    if not level.solution or not hasattr(game, "frames"):
        return []
    grids = list(islice(frames(level), MOST_FRAMES + 1))
    return ["\n".join(game.tiles.rows(grid)) for grid in grids] if len(grids) <= MOST_FRAMES else []


def _first_line(error: LevelsmithError, level: Level) -> str:
    return str(error).replace(level.text.replace("\n", " "), "").strip()


def _unsolved(level: Level) -> dict[str, Any]:
    """Of a level that is too hard to solve in passing: what is counted without a solution."""
    game = games.get(level.game)
    row = game.measure(level.grid[None])[0]
    metrics = {name: float(value) for name, value in zip(game.metrics, row, strict=True)}
    return {"metrics": metrics, "tier": None, "size": f"{level.size[1]}x{level.size[0]}", "text": level.text}


def _longest_path(level: Level) -> list[list[int]]:
    """The cells of a longest shortest path, from end to end."""
    ends = details(level).get("path_ends")
    if not ends:
        return []
    (x0, y0), (x1, y1) = ends
    height, width = level.size
    came: dict[tuple[int, int], tuple[int, int] | None] = {(y0, x0): None}
    front = [(y0, x0)]
    while front and (y1, x1) not in came:
        following = []
        for row, column in front:
            for there in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
                inside = 0 <= there[0] < height and 0 <= there[1] < width
                if inside and there not in came and level.grid[there] == 0:
                    came[there] = (row, column)
                    following.append(there)
        front = following
    path: list[list[int]] = []
    cell: tuple[int, int] | None = (y1, x1)
    while cell is not None:
        path.append(list(cell))
        cell = came.get(cell)
    return path[::-1]


def level_of(data: Mapping[str, Any]) -> Level:
    """A level of the shelf as the library knows it."""
    level = parse(data["text"], data["game"])
    return replace(
        level,
        title=data.get("title") or "",
        author=data.get("author") or "",
        solution=data.get("solution"),
        provenance=data.get("provenance") or {},
    )


def picture(level: Mapping[str, Any], kind: str, theme: str) -> bytes:
    from levelsmith.levels.picture import png, svg

    drawn = level_of(level)
    return png(drawn, theme) if kind == "png" else svg(drawn, theme).encode()


def write(levels: Sequence[Mapping[str, Any]], format: str) -> tuple[bytes, str]:
    """Levels in a format: one file, or a ZIP where that takes several."""
    zipped = format == "zip"
    chosen = formats.get("json" if zipped else format)
    made = [level_of(level) for level in levels]
    stem = f"levelsmith-{made[0].game}"
    if zipped:
        files = {f"{stem}.json": chosen.write(made, stem, _defaults(chosen))[MAIN]}
        for i, level in enumerate(made, start=1):
            name = f"{level.game}-{i:03}"
            kinds = ("png", "xsb" if level.game == "sokoban" else "text")
            for other in map(formats.get, kinds):
                files[f"{name}{other.extensions[0]}"] = other.write([level], name, _defaults(other))[MAIN]
        return _zip(files), f"{stem}.zip"
    if chosen.many or len(made) == 1 or format in ("png", "svg"):
        written = chosen.write(made, stem, _defaults(chosen))
        files = {name or f"{stem}{chosen.extensions[0]}": data for name, data in written.items()}
    else:
        files = {}
        for i, level in enumerate(made, start=1):
            name = f"{level.game}-{i:03}"
            written = chosen.write([level], name, _defaults(chosen))
            files |= {beside or f"{name}{chosen.extensions[0]}": data for beside, data in written.items()}
    if len(files) == 1:
        ((name, data),) = files.items()
        return data, name
    return _zip(files), f"{stem}.zip"


def _defaults(chosen: Any) -> dict[str, Any]:
    return {parameter.name: parameter.default for parameter in chosen.parameters}


def _zip(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def read(data: bytes, name: str, game: str | None, most: int, cells: int) -> list[dict[str, Any]]:
    """The levels of an uploaded file. Its name tells the format and nothing else; no file is opened.

    A solution that the game's own rule book does not accept is left out.
    """
    chosen = format_of(Path(Path(name).name or "level"))
    limits = Limits(levels=most, cells=most * cells)
    limits = replace(limits, bytes=max(limits.bytes, len(data)))
    asked = None if not game else games.get(game)
    levels = chosen.parse(data, Source(quoted(name).strip("'"), asked, limits))
    deadline = time.monotonic() + SOLVE_ALL_SECONDS
    return [described(_proved(level, time.monotonic() < deadline)) for level in levels]


def _proved(level: Level, solve: bool) -> Level:
    """The level with its own solution, if that is one, or else with one that is soon found."""
    if level.solution is not None:
        level = _verified(level)
    solver = getattr(games.get(level.game), "solve", None)
    if level.solution is not None or solver is None or not solve:
        return level
    try:
        verdict = solver(level, Effort(states=SOLVE_STATES, seconds=SOLVE_SECONDS, memory=SOLVE_BYTES))
    except LevelsmithError:  # no level, or none that can be begun
        return level
    return replace(level, solution=verdict.solution)


def _verified(level: Level) -> Level:
    verify = getattr(games.get(level.game), "verify", None)
    try:
        if verify is None:
            raise LevelsmithError("nothing can verify it")
        verify(level)
    except LevelsmithError:
        return replace(level, solution=None)
    return level


def similar(text: str, game: str, others: Sequence[tuple[int, str]], most: int) -> list[tuple[int, float]]:
    """Which of the others are most like a level, as they are or mirrored: the share of equal cells."""
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
    """The report on an experiment's file, as a page of its own."""
    from levelsmith.experiment.damage import damage_told
    from levelsmith.experiment.page import write as written
    from levelsmith.experiment.report import build
    from levelsmith.experiment.results import Results

    with damage_told(path):
        return written(build(Results(path)))
