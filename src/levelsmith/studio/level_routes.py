"""The part of the JSON interface that is about levels."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from levelsmith.core import LONGEST_TITLE
from levelsmith.errors import printable, quoted
from levelsmith.studio.limits import EXACT, MEGABYTE, Refusal, only, typed
from levelsmith.studio.range import binned
from levelsmith.studio.requests import answered, body, json_body, whole
from levelsmith.studio.store import StudioStore, filters

MOST_LEVELS = 5_000  # of one upload or download
MOST_TEXT = 100_000  # characters of one level
MOST_SIMILAR = 12
MOST_TAGS = 20
UPLOAD_SECONDS = 60.0
EDITED = {"made": "edited"}
PICTURES = {"svg": "image/svg+xml", "png": "image/png"}


async def list_levels(request: Request) -> Response:
    studio = request.app.state.studio
    where, values = filters(request.query_params)
    sort = request.query_params.get("sort") or "-id"
    offset, limit = whole(request, "offset", 0, 10**9), whole(request, "limit", 60, 500)
    levels, total = await studio.in_store(StudioStore.levels, where, values, sort, offset, limit)
    return answered({"levels": levels, "total": total})


async def order_levels(request: Request) -> Response:
    """Returns the numbers of the same levels, all of them, for a page that goes from one to the next."""
    where, values = filters(request.query_params)
    sort = request.query_params.get("sort") or "-id"
    return answered({"ids": await request.app.state.studio.in_store(StudioStore.order, where, values, sort)})


async def count_levels(request: Request) -> Response:
    """Returns how many levels there are of each game, and the tags in use."""
    studio = request.app.state.studio
    return answered(
        {"games": await studio.in_store(StudioStore.counts), "tags": await studio.in_store(StudioStore.tags)}
    )


async def map_levels(request: Request) -> Response:
    """Returns levels by two metrics: how many lie in each cell, and the best of them."""
    studio = request.app.state.studio
    where, values = filters(request.query_params)
    x, y = (request.query_params.get(name, "") for name in ("x", "y"))
    bins = whole(request, "bins", 12, 64)
    rows = await studio.in_store(StudioStore.pairs, where, values, x, y)
    return answered(binned(rows, x, y, max(1, bins)))


async def add_level(request: Request) -> Response:
    """Returns a level from the editor: kept as it is, measured, and with a solution if one is soon found."""
    studio = request.app.state.studio
    data = await json_body(request)
    only("a level", data, ("game", "text", "title", "tags"))
    game, text = _text_of(data)
    title = printable(typed("title", data.get("title", ""), str))[:LONGEST_TITLE]
    level = {**await _drawn(studio, game, text, title), "game": game, "title": title}
    (added,) = await studio.in_store(StudioStore.add_levels, [level])
    if "tags" in data:
        added = await studio.in_store(StudioStore.update_level, added["id"], tags=_tags(data["tags"]))
    return answered(added, 201)


async def _drawn(studio: Any, game: str, text: str, title: str) -> dict[str, Any]:
    """Returns a text from the editor, measured, and with a solution if one is soon found."""
    found = await studio.judge.ask("check", game=game, text=text, title=title, cells=studio.limits.cells)
    return {**found, "score": None, "provenance": EDITED}


def _text_of(data: dict[str, Any]) -> tuple[str, str]:
    return typed("game", data.get("game"), str), level_text("text", data.get("text"))


def level_text(name: str, value: Any) -> str:
    """Returns a value that is the text of a level; a longer one is refused."""
    text: str = typed(name, value, str)
    if len(text) > MOST_TEXT:
        raise Refusal(f"expected at most {MOST_TEXT:,} characters, got {len(text):,}")
    return text


async def show_level(request: Request) -> Response:
    return answered(await request.app.state.studio.in_store(StudioStore.level, request.path_params["id"]))


async def change_level(request: Request) -> Response:
    studio = request.app.state.studio
    data = await json_body(request)
    only("a level", data, ("starred", "tags", "title", "text"))
    values: dict[str, Any] = {}
    number = request.path_params["id"]
    if "starred" in data:
        values["starred"] = int(typed("starred", data["starred"], bool))
    if "title" in data:
        values["title"] = printable(typed("title", data["title"], str))[:LONGEST_TITLE].strip()
    if "tags" in data:
        values["tags"] = _tags(data["tags"])
    if "text" in data:
        level = await studio.in_store(StudioStore.level, number)
        _, text = _text_of({"game": level["game"], "text": data["text"]})
        if text != level["text"]:
            title = values.get("title", level["title"])
            drawn = await _drawn(studio, level["game"], text, title)
            await studio.in_store(StudioStore.redraw_level, number, drawn)
    return answered(await studio.in_store(StudioStore.update_level, number, **values))


def _tags(value: Any) -> list[str]:
    if len(typed("tags", value, list)) > MOST_TAGS:
        raise Refusal(f"expected at most {MOST_TAGS} tags, got {len(value)}")
    tags = [printable(typed("each tag", tag, str)).strip()[:40] for tag in value]
    return sorted({tag for tag in tags if tag})


async def remove_level(request: Request) -> Response:
    studio = request.app.state.studio
    return answered(await studio.in_store(StudioStore.delete_level, request.path_params["id"]))


async def restore_level(request: Request) -> Response:
    studio = request.app.state.studio
    await json_body(request)
    return answered(await studio.in_store(StudioStore.restore_level, request.path_params["id"]))


async def similar_levels(request: Request) -> Response:
    studio = request.app.state.studio
    level, others = await studio.in_store(StudioStore.texts_like, request.path_params["id"], MOST_LEVELS)
    found = await studio.clerk.ask(
        "similar", text=level["text"], game=level["game"], others=others, most=MOST_SIMILAR
    )
    levels = await studio.in_store(StudioStore.levels_called, [number for number, _ in found])
    return answered(
        {"levels": [{**like, "similarity": share} for like, (_, share) in zip(levels, found, strict=True)]}
    )


async def draw_level(request: Request) -> Response:
    studio = request.app.state.studio
    kind = request.path_params["kind"]
    theme = request.query_params.get("theme", "light")
    if kind not in PICTURES:
        raise Refusal(f"expected svg or png, got {quoted(kind)}", 404)
    if theme not in ("light", "dark"):
        raise Refusal(f"expected light or dark, got {quoted(theme)}")
    level = await studio.in_store(StudioStore.level, request.path_params["id"])
    picture = await studio.clerk.ask("picture", level=level, kind=kind, theme=theme)
    return Response(picture, media_type=PICTURES[kind])


async def download(request: Request) -> Response:
    studio = request.app.state.studio
    data = await json_body(request)
    only("a download", data, ("ids", "format"))
    ids = [typed("each id", number, int) for number in typed("ids", data.get("ids"), list)]
    if not 1 <= len(ids) <= MOST_LEVELS:
        raise Refusal(f"expected from 1 to {MOST_LEVELS} levels, got {len(ids)}")
    levels = await studio.in_store(StudioStore.levels_called, ids)
    format = typed("format", data.get("format", "json"), str)
    written, name = await studio.judge.ask("write", UPLOAD_SECONDS, levels=levels, format=format)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(written, media_type="application/octet-stream", headers=headers)


async def upload(request: Request) -> Response:
    """Adds the levels of a file, which is the body; the query has its `name`, whose ending tells the format,
    maybe the `game`, and what tiles of a map are: `tile=3=wall`, again and again."""
    studio = request.app.state.studio
    data = await body(request, studio.limits.upload * MEGABYTE)
    name = unquote(request.query_params.get("name", ""))[:200]
    game = request.query_params.get("game") or None
    if not name:
        raise Refusal("expected the name of the file in the query, such as ?name=pack.xsb")
    if not data:
        raise Refusal("expected a level file, got an empty body")
    tiles = dict(tile.partition("=")[::2] for tile in request.query_params.getlist("tile"))
    asked = {"name": name, "game": game, "tiles": tiles, "most": MOST_LEVELS, "cells": studio.limits.cells}
    found = await studio.judge.ask("read", UPLOAD_SECONDS, data=data, **asked)
    return answered({"levels": await studio.in_store(StudioStore.add_levels, found)}, 201)


async def read(request: Request) -> Response:
    """Returns the first level of a pasted text, which may name its game or not; nothing is kept."""
    studio = request.app.state.studio
    data = await json_body(request)
    only("a pasted level", data, ("text", "game"))
    game, text = _text_of({"game": data.get("game") or "", "text": data.get("text")})
    levels = await studio.judge.ask(
        "read", data=text.encode(), name="pasted.txt", game=game, most=MOST_LEVELS, cells=studio.limits.cells
    )
    return answered({"level": levels[0], "levels": len(levels)})


async def check(request: Request) -> Response:
    studio = request.app.state.studio
    data = await json_body(request)
    only("a check", data, ("game", "text", "solve", "frames", "script"))
    game, text = _text_of(data)
    asked: dict[str, Any] = {
        "solve": typed("solve", data.get("solve", True), bool),
        "frames": typed("frames", data.get("frames", False), bool),
        "script": typed("script", data["script"], str) if "script" in data else None,
    }
    return answered(await studio.judge.ask("check", game=game, text=text, cells=studio.limits.cells, **asked))


async def steps(request: Request) -> Response:
    studio = request.app.state.studio
    data = await json_body(request)
    only("steps", data, ("game", "size", "seed"))
    game = typed("game", data["game"], str) if "game" in data else None
    size, seed = typed("size", data.get("size", "5x5"), str), typed("seed", data.get("seed", 0), int)
    if not 0 <= seed <= EXACT:
        raise Refusal(f"expected seed from 0 to {EXACT}, got {quoted(seed)}")
    return answered(await studio.clerk.ask("steps", game=game, size=size, seed=seed))


ROUTES = [
    Route("/api/levels", list_levels, methods=["GET"]),
    Route("/api/levels", add_level, methods=["POST"]),
    Route("/api/levels/order", order_levels, methods=["GET"]),
    Route("/api/levels/counts", count_levels, methods=["GET"]),
    Route("/api/levels/map", map_levels, methods=["GET"]),
    Route("/api/levels/{id:number}", show_level, methods=["GET"]),
    Route("/api/levels/{id:number}", change_level, methods=["PATCH"]),
    Route("/api/levels/{id:number}", remove_level, methods=["DELETE"]),
    Route("/api/levels/{id:number}/restore", restore_level, methods=["POST"]),
    Route("/api/levels/{id:number}/similar", similar_levels, methods=["GET"]),
    Route("/api/levels/{id:number}.{kind}", draw_level, methods=["GET"]),
    Route("/api/download", download, methods=["POST"]),
    Route("/api/upload", upload, methods=["POST"]),
    Route("/api/read", read, methods=["POST"]),
    Route("/api/check", check, methods=["POST"]),
    Route("/api/steps", steps, methods=["POST"]),
]
