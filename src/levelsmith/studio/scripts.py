"""What the server asks about games in one text, which are played, solved, edited, and given new levels."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np

from levelsmith.core import Effort, Level, Result
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.compile import clock
from levelsmith.levels.formats.text import parse
from levelsmith.making.driver import runs_of
from levelsmith.making.flow import follow
from levelsmith.registry import games
from levelsmith.request import Request
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.limits import check_cells
from levelsmith.studio.shortfall import shortfall, spent_on
from levelsmith.studio.sprites import drawn_tiles

SOLVE_SECONDS = 10.0
SAVE_SECONDS = 1.0  # for a solution of a level that is saved
SOLVE_BYTES = 500_000_000


def opened(text: str | None, drawn: str = "") -> AbstractContextManager[Any]:
    """Lets the game that a text is be found by its name while the block lasts; None for no game.

    With a level that was drawn, its cells are among those that a search may choose from.
    """
    if text is None:
        return nullcontext()
    game = games.of_text(text)
    if drawn:
        with games.lend(game):
            level = parse(drawn, game.name)
        game = games.of_text(game.added([level]))
    return games.lend(game)


def scripts() -> dict[str, Any]:
    """Returns the games in one text that ship, by name."""
    return {"scripts": games.sources}


def script(text: str) -> dict[str, Any]:
    """Returns the mistakes of a game in one text, and all that a page needs to play it."""
    return games.explained(text)


def script_game(text: str) -> dict[str, Any]:
    """Returns what an editor needs of a game in one text: the game as the catalogue tells it, with the tiles
    that its legend has a character for; how these are drawn; and its levels."""
    game = games.of_text(text)
    told = game_entry(game)
    tiles = [{**told["tiles"][i], "below": game.below(i)} for i in game.brushes]
    told |= {"title": game.title, "tiles": tiles}
    levels = [{"text": level.text, "title": level.title} for level in game.levels()]
    return {"game": told, "sprites": drawn_tiles(game), "levels": levels}


def script_saved(text: str, rows: str, title: str, level: int | None, cells: int) -> dict[str, Any]:
    """Returns a game in one text with a level as it was drawn, in place of one or behind all, and with a
    solution if one is soon found."""
    with opened(text) as game:
        drawn = parse(rows, game.name)
        check_cells(drawn, cells)
        own = game.levels()
        solution = None
        if level is not None and np.array_equal(_numbered(own, level).grid, drawn.grid):
            solution = own[level].solution
        elif game.is_solvable:
            effort = Effort(seconds=SAVE_SECONDS, memory=SOLVE_BYTES)
            solution = game.solve(drawn, effort).solution or None
        drawn = replace(drawn, title=title, solution=solution)
        written = game.added([drawn]) if level is None else game.changed(level, drawn)
    return {"text": written, "level": len(own) if level is None else level}


def script_solved(text: str, level: int) -> dict[str, Any]:
    """Returns how a level of a game in one text is won with the fewest keys, or why that is not known."""
    game = games.of_text(text)
    given = _numbered(game.levels(), level)
    verdict = game.solve(given, Effort(seconds=SOLVE_SECONDS, memory=SOLVE_BYTES))
    if verdict.solution is None:
        told = {"unsolvable": "nobody can win it"}.get(verdict.status, "no solution was found in time")
        told += f": {verdict.statistics['why']}" if "why" in verdict.statistics else ""
        return {"status": verdict.status, "solution": "", "told": told}
    proved = {"search": "solver"} if verdict.optimal else {}
    told = game.headline(replace(given, solution=verdict.solution, provenance=proved))
    return {"status": verdict.status, "solution": verdict.solution, "told": told}


def script_made(
    text: str, count: int, moves: str, needs: str, seed: int, limit: float, level: int | None = None
) -> dict[str, Any]:
    """Returns a game in one text with new levels behind its own, and what is told of them: as many as could
    be made in the time, of which compiling takes none; grown from a level of it, or from all."""
    with opened(text) as game:
        end = clock() + limit
        if "generator" not in game.defaults:
            raise LevelsmithError("no levels are made of games of chance, or that cannot be won")
        own = game.levels()
        request = Request(
            game.name,
            count=count,
            seed=seed,
            want={"moves": moves} if moves else None,
            set={"needs": needs} if needs else None,
            start=None if level is None else _numbered(own, level),
        )
        runs = runs_of(request)
        events = follow(runs, cancel=lambda: clock() > end)
        results = [event for event in events if isinstance(event, Result)]
        levels = [made for result in results for made in result.levels]
        ended = f"the limit of {limit:g} s" if clock() > end else ""
        reasons = [result.missed for result in results if not result.levels and result.missed]
        told = shortfall(len(levels), count, reasons, "" if ended else spent_on(runs.task), ended)
        if not levels:
            hint = "ask for less, or make them again" if moves or needs else "make them again"
            raise LevelsmithError(f"{told}; {hint}, which tries others")
        earlier = sum(one.title.startswith("New ") for one in own)
        named = [replace(made, title=f"New {i}") for i, made in enumerate(levels, start=earlier + 1)]
        return {"text": game.added(named), "made": len(named), "asked": count, "told": told}


def _numbered(levels: Sequence[Level], number: int) -> Level:
    if not 0 <= number < len(levels):
        raise LevelsmithError(f"expected a level from 0 to {len(levels) - 1}, got {number}")
    return levels[number]
