"""What comes in over HTTP: bodies within a limit, JSON without surprises; and errors as one sentence."""

from __future__ import annotations

import json
from typing import Any

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from levelsmith.errors import LevelsmithError, UnknownTilesError, quoted
from levelsmith.studio.limits import Refusal

JSON_BYTES = 1_000_000
LARGEST = 2**63 - 1


class NumberInPath(Convertor[int]):
    """The number of a level or a job in a path; where it has more digits, the path leads nowhere."""

    regex = "[0-9]{1,18}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", NumberInPath())


class Bodies:
    """Bounds the bytes of all bodies together, from the first byte until their requests are answered (ASGI).

    What a request says about its length counts before anything of it is read.
    """

    def __init__(self, app: Any, most: int):
        self.app, self.most = app, most
        self.held = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        told = int(dict(scope["headers"]).get(b"content-length", b"0")[:18])
        mine = read = 0

        def hold(size: int) -> None:
            nonlocal mine
            if self.held - mine + size > self.most:
                raise Refusal("the studio reads too many files at the same time; try again in a moment", 503)
            self.held += size - mine
            mine = size

        async def counted() -> Any:
            nonlocal read
            hold(max(mine, told))
            message = await receive()
            read += len(message.get("body", b""))
            hold(max(mine, read))
            return message

        try:
            await self.app(scope, counted, send)
        finally:
            self.held -= mine


async def body(request: Request, most: int) -> bytes:
    """Returns the body of a request, read no farther than the limit."""
    said = request.headers.get("content-length", "")
    if said.isdecimal() and int(said[:18]) > most:
        raise Refusal(f"expected at most {most:,} bytes, got {quoted(said)}", 413)
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > most:
            raise Refusal(f"expected at most {most:,} bytes, got more", 413)
    return bytes(read)


async def json_body(request: Request) -> dict[str, Any]:
    """Returns the object that a request carries. Its type must say so: that keeps forms of other sites
    out."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    data = await body(request, JSON_BYTES)
    if not data:
        return {}
    if kind != "application/json":
        raise Refusal(f"expected application/json, got {quoted(kind)}", 415)
    try:
        value = json.loads(data.decode(), parse_constant=_no_such_number, parse_int=_whole_number)
        json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate fits nowhere
    except Refusal:
        raise
    except (ValueError, RecursionError):
        raise Refusal("expected JSON, got something else") from None
    if not isinstance(value, dict):
        raise Refusal(f"expected an object, got {quoted(value)}")
    return value


def _no_such_number(name: str) -> float:
    raise ValueError(name)  # NaN and Infinity are Python's, not JSON's


def _whole_number(text: str) -> int:
    """Returns a whole number of no more than 64 bits: nothing here is larger, and SQLite takes no larger
    ones."""
    if len(text) > 20 or abs(int(text)) > LARGEST:
        raise Refusal(f"expected whole numbers from -{LARGEST} to {LARGEST}, got {quoted(text)}")
    return int(text)


def whole(request: Request, name: str, default: int, most: int) -> int:
    """Returns a whole number of the query."""
    text = request.query_params.get(name, str(default))
    if not text.isdecimal() or not text.isascii() or len(text) > 12 or int(text) > most:
        raise Refusal(f"expected a whole number from 0 to {most} for {name}, got {quoted(text)}")
    return int(text)


def answered(data: Any, status: int = 200) -> Response:
    return JSONResponse(data, status)


async def refused(request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, Refusal) else 400
    asked = {"tiles": error.found, "game": error.game} if isinstance(error, UnknownTilesError) else {}
    return JSONResponse({"error": str(error), **asked}, status)


async def not_found(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    sentences = {404: "there is nothing at this address", 405: "this address does not take that method"}
    return JSONResponse({"error": sentences.get(status, "this cannot be answered")}, status)


async def left(request: Request, error: Exception) -> Response:
    return Response(status_code=499)


HANDLERS: Any = {LevelsmithError: refused, 404: not_found, 405: not_found, ClientDisconnect: left}
