"""What comes in over HTTP: bodies within a limit, JSON without surprises; and errors as one sentence."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.studio.limits import Refusal

JSON_BYTES = 1_000_000


async def body(request: Request, most: int) -> bytes:
    """The body of a request, read no farther than the limit."""
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
    """The object that a request carries. Its type must say so: that keeps forms of other sites out."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    data = await body(request, JSON_BYTES)
    if not data:
        return {}
    if kind != "application/json":
        raise Refusal(f"expected application/json, got {quoted(kind)}", 415)
    try:
        value = json.loads(data.decode(), parse_constant=_no_such_number)
        json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate fits nowhere
    except (ValueError, RecursionError):
        raise Refusal("expected JSON, got something else") from None
    if not isinstance(value, dict):
        raise Refusal(f"expected an object, got {quoted(value)}")
    return value


def _no_such_number(name: str) -> float:
    raise ValueError(name)  # NaN and Infinity are Python's, not JSON's


def whole(request: Request, name: str, default: int, most: int) -> int:
    """A whole number of the query."""
    text = request.query_params.get(name, str(default))
    if not text.isdecimal() or not text.isascii() or len(text) > 12 or int(text) > most:
        raise Refusal(f"expected a whole number from 0 to {most} for {name}, got {quoted(text)}")
    return int(text)


def answered(data: Any, status: int = 200) -> Response:
    return JSONResponse(data, status)


async def refused(request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, Refusal) else 400
    return JSONResponse({"error": str(error)}, status)


async def not_found(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    sentences = {404: "there is nothing at this address", 405: "this address does not take that method"}
    return JSONResponse({"error": sentences.get(status, "this cannot be answered")}, status)


async def left(request: Request, error: Exception) -> Response:
    return Response(status_code=499)


HANDLERS: Any = {LevelsmithError: refused, 404: not_found, 405: not_found, ClientDisconnect: left}
