"""The part of the JSON interface that is about games in one text; nothing of them is kept."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from levelsmith.core import LONGEST_TITLE
from levelsmith.errors import printable
from levelsmith.studio.level_routes import level_text
from levelsmith.studio.limits import EXACT, Refusal, only, typed
from levelsmith.studio.requests import answered, json_body

MOST_MADE = 20  # new levels of a game in one text
MAKE_SECONDS = 30.0  # for those


async def script(request: Request) -> Response:
    """Returns what a game in one text holds: mistakes at their lines, levels and tables; nothing is kept."""
    data = await json_body(request)
    only("a script", data, ("text",))
    text, studio = typed("text", data.get("text"), str), request.app.state.studio
    told = await studio.judge.ask("script", text=text)
    if told["game"] is not None:
        studio.begin_compiling(text)
    return answered(told)


async def solve_script(request: Request) -> Response:
    """Returns a shortest solution of a level of a game in one text."""
    data = await json_body(request)
    only("a level", data, ("text", "level"))
    asked = {"text": typed("text", data.get("text"), str), "level": typed("level", data.get("level"), int)}
    return answered(await request.app.state.studio.smith.ask("script_solved", **asked))


async def make_script(request: Request) -> Response:
    """Returns a game in one text with new levels behind its own."""
    data = await json_body(request)
    only("new levels", data, ("text", "count", "moves", "needs", "seed", "level"))
    count, seed = typed("count", data.get("count", 3), int), typed("seed", data.get("seed", 0), int)
    if not 1 <= count <= MOST_MADE or not 0 <= seed <= EXACT:
        raise Refusal(f"expected 1 to {MOST_MADE} new levels and a seed from 0, got {count} and {seed}")
    words = {name: typed(name, data.get(name, ""), str) for name in ("text", "moves", "needs")}
    level = data.get("level")
    asked = {**words, "level": None if level is None else typed("level", level, int)}
    smith = request.app.state.studio.smith
    made = await smith.ask(
        "script_made", MAKE_SECONDS + 10, count=count, seed=seed, limit=MAKE_SECONDS, **asked
    )
    return answered(made)


async def working(request: Request) -> Response:
    """Returns what is compiled for who waits for a solution or for new levels."""
    return answered({"note": request.app.state.studio.smith.note})


async def edit_script(request: Request) -> Response:
    """Returns a game in one text as the editor needs it: tiles, sprites, levels."""
    data = await json_body(request)
    only("a script", data, ("text",))
    text = typed("text", data.get("text"), str)
    return answered(await request.app.state.studio.clerk.ask("script_game", text=text))


async def save_script(request: Request) -> Response:
    """Returns a game in one text with a level as it was drawn."""
    data = await json_body(request)
    only("a level", data, ("text", "rows", "title", "level"))
    studio = request.app.state.studio
    level = data.get("level")
    asked = {
        "text": typed("text", data.get("text"), str),
        "rows": level_text("rows", data.get("rows")),
        "title": printable(typed("title", data.get("title", ""), str))[:LONGEST_TITLE].strip(),
        "level": None if level is None else typed("level", level, int),
    }
    return answered(await studio.judge.ask("script_saved", cells=studio.limits.cells, **asked))


ROUTES = [
    Route("/api/script", script, methods=["POST"]),
    Route("/api/script/solved", solve_script, methods=["POST"]),
    Route("/api/script/made", make_script, methods=["POST"]),
    Route("/api/script/working", working, methods=["GET"]),
    Route("/api/script/game", edit_script, methods=["POST"]),
    Route("/api/script/saved", save_script, methods=["POST"]),
]
