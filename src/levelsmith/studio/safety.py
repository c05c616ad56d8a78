"""Who may ask: by host, origin and token; and the headers that keep a page to itself."""

from __future__ import annotations

import hmac
import ipaddress
import json
import socket
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from levelsmith.errors import quoted
from levelsmith.studio.limits import Refusal

COOKIE = "levelsmith_token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A report is a page of its own with scripts inside: it runs as nobody, and can ask nothing.
REPORT_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; font-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def host_of(header: str) -> str:
    """The name in a Host header, without its port and brackets."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower() if header.count(":") < 2 else header.lower()


class Guard:
    """Stands before the whole application (ASGI).

    A page of another site can make a browser ask, but cannot forge Host, Origin or Sec-Fetch-Site; a name
    that was made to point here (DNS rebinding) is not one of ours.
    """

    def __init__(self, app: Any, host: str = "127.0.0.1", token: str | None = None):
        self.app, self.token = app, token
        self.local = is_loopback(host)
        self.names = {*LOOPBACK, host.lower()} | (set() if self.local else {socket.gethostname().lower()})

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        api = scope["path"].startswith("/api")

        async def guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                extra = {"content-security-policy": POLICY, **HEADERS}
                extra["cache-control"] = "no-store" if api else "no-cache"
                message["headers"] = [
                    *message["headers"],
                    *((n.encode(), v.encode()) for n, v in extra.items() if n.encode() not in given),
                ]
            await send(message)

        try:
            self.check_origin(scope["method"], headers)
            moved = self.check_token(scope, headers)
        except Refusal as refusal:
            body = json.dumps({"error": str(refusal)}).encode()
            await self._answer(guarded, refusal.status, {"content-type": "application/json"}, body)
            return
        if moved is not None:
            await self._answer(guarded, 303, moved, b"")
            return
        await self.app(scope, receive, guarded)

    @staticmethod
    async def _answer(send: Any, status: int, headers: dict[str, str], body: bytes) -> None:
        lines = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": lines})
        await send({"type": "http.response.body", "body": body})

    def check_origin(self, method: str, headers: dict[str, str]) -> None:
        name = host_of(headers.get("host", ""))
        if name not in self.names and (self.local or not _is_address(name)):
            raise Refusal(f"expected a request to this studio, got one to the host {quoted(name)}", 421)
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower():
            raise Refusal(
                f"expected a request from this studio's own pages, got one from {quoted(origin)}", 403
            )
        site = headers.get("sec-fetch-site", "none")
        walked = (
            method == "GET" and headers.get("sec-fetch-mode") == "navigate"
        )  # a link elsewhere to a page here
        if site not in ("none", "same-origin") and not walked:
            raise Refusal("expected a request from this studio's own pages, got one from another site", 403)

    def check_token(self, scope: Any, headers: dict[str, str]) -> dict[str, str] | None:
        """Where a token is asked for: it comes once in the address and is a cookie from then on."""
        if self.token is None:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if given is not None and self._same(given):
            rest = urlencode([pair for pair in query if pair[0] != "token"])
            cookie = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
            return {
                "location": "/" + quote(scope["path"].lstrip("/")) + (f"?{rest}" if rest else ""),
                "set-cookie": cookie,
            }
        if self._same(headers.get("authorization", "").removeprefix("Bearer ")):
            return None
        try:
            kept = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            kept = None
        if kept is None or not self._same(kept.value):
            raise Refusal(
                "expected the token that levelsmith studio has printed, as ?token=… in the address", 401
            )
        return None

    def _same(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), (self.token or "").encode())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
