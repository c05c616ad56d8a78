"""The part of the JSON interface that is about packs: levels in an order, and what is said of them."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from levelsmith.core import LONGEST_TITLE
from levelsmith.studio.limits import Refusal, only, typed
from levelsmith.studio.requests import answered, json_body
from levelsmith.studio.store import StudioStore

MOST_LEVELS = 200  # of a pack
LONGEST_NOTES = 10_000  # characters
PROOF_SECONDS = 120.0
ABOUT = ("title", "author", "notes")


async def look(request: Request) -> Response:
    """Returns what is proved of each level, how hard it is, which one before it is the same, and a title."""
    data = await json_body(request)
    only("a pack", data, ("ids",))
    levels = await _levels(request, data)
    studio = request.app.state.studio
    return answered({"levels": await studio.judge.ask("pack_look", PROOF_SECONDS, levels=levels)})


async def write(request: Request) -> Response:
    """Returns a pack as a page that needs no server, in an archive, or as the file of a pack."""
    data = await json_body(request)
    only("a pack", data, ("ids", "titles", *ABOUT, "page", "help", "colour"))
    levels = await _levels(request, data)
    titles = [
        _text("each title", title, LONGEST_TITLE) for title in typed("titles", data.get("titles"), list)
    ]
    if len(titles) != len(levels):
        raise Refusal(f"expected {len(levels)} titles, got {len(titles)}")
    about = {name: _text(name, data.get(name, ""), LONGEST_NOTES) for name in ABOUT}
    colour = typed("colour", data["colour"], str) if data.get("colour") else None
    written, name, left = await request.app.state.studio.judge.ask(
        "pack_file",
        PROOF_SECONDS,
        levels=levels,
        titles=titles,
        about=about,
        page=typed("page", data.get("page", True), bool),
        help=typed("help", data.get("help", True), bool),
        colour=colour,
    )
    headers = {"content-disposition": f'attachment; filename="{name}"', "levelsmith-unproved": str(left)}
    return Response(written, media_type="application/octet-stream", headers=headers)


async def _levels(request: Request, data: dict[str, Any]) -> Any:
    ids = [typed("each id", number, int) for number in typed("ids", data.get("ids"), list)]
    if not 1 <= len(ids) <= MOST_LEVELS:
        raise Refusal(f"expected from 1 to {MOST_LEVELS} levels, got {len(ids)}")
    return await request.app.state.studio.in_store(StudioStore.levels_called, ids)


def _text(name: str, value: Any, most: int) -> str:
    text: str = typed(name, value, str)
    if len(text) > most:
        raise Refusal(f"expected at most {most:,} characters for {name}, got {len(text):,}")
    return text


ROUTES = [
    Route("/api/pack/look", look, methods=["POST"]),
    Route("/api/pack", write, methods=["POST"]),
]
