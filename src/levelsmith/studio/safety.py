"""Who may ask: by host, origin and token; and the headers that keep a page to itself."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from starlette.responses import HTMLResponse, JSONResponse, Response

from levelsmith.errors import quoted
from levelsmith.studio.entrance import NO_TOKEN, ask_token, go_on
from levelsmith.studio.limits import Refusal

COOKIE = "levelsmith_token"  # and the port: a machine's studios share one jar
HEAD_BYTES = 32_768  # of an address and headers; the editor keeps a level in its address
# WebAssembly is allowed and no text that becomes a script: the library's kernels play and prove.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FORM_POLICY = POLICY.replace("form-action 'none'", "form-action 'self'")  # for the page that asks for a token
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
    """Returns the name in a Host header, without its port and brackets."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower() if header.count(":") < 2 else header.lower()


def port_of(header: str) -> str:
    """Returns the port in a Host header, as digits."""
    port = header.rpartition("]")[2].rpartition(":")[2]
    return port if port.isdecimal() and port.isascii() else "80"


class Guard:
    """Stands before the whole application (ASGI).

    A page of another site can make a browser ask, but cannot forge Host, Origin or Sec-Fetch-Site; a name
    that was made to point here (DNS rebinding) is not one of ours. Other people of this machine can forge
    all of that, but do not know the token. Whatever is refused is refused before its body is read.
    """

    def __init__(self, app: Any, host: str = "127.0.0.1", token: str | None = None):
        self.app, self.token = app, token
        self.local = is_loopback(host)
        self.names = {*LOOPBACK, host.lower()} | (set() if self.local else {socket.gethostname().lower()})

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def guarded(message: Any) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                given = {name for name, _ in message["headers"]}
                extra = {"content-security-policy": POLICY, **HEADERS}
                extra["cache-control"] = "no-store" if _is_api(scope) else "no-cache"
                message["headers"] = [
                    *message["headers"],
                    *((n.encode(), v.encode()) for n, v in extra.items() if n.encode() not in given),
                ]
            await send(message)

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            answer = self._stopped(scope, headers)
            if answer is None:
                await self.app(scope, receive, guarded)
            else:
                await answer(scope, receive, guarded)
        except Exception:
            if not started:
                answer = JSONResponse({"error": "something went wrong here; see what was printed"}, 500)
                await answer(scope, receive, guarded)
            raise  # the server prints it

    def _stopped(self, scope: Any, headers: dict[str, str]) -> Response | None:
        """Returns the answer to a request that goes no farther than this."""
        try:
            _check_size(scope)
            self.check_origin(scope["method"], headers)
        except Refusal as refusal:
            return JSONResponse({"error": str(refusal)}, refusal.status)
        return self.check_token(scope, headers)

    def check_origin(self, method: str, headers: dict[str, str]) -> None:
        name = host_of(headers.get("host", ""))
        if name not in self.names and (self.local or not _is_address(name)):
            raise Refusal(f"expected a request to this studio, got one to the host {quoted(name)}", 421)
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower():
            raise Refusal(
                f"expected a request from this studio's own pages, got one from {quoted(origin)}", 403
            )
        if _is_elsewhere(headers) and not _is_link(method, headers):
            raise Refusal("expected a request from this studio's own pages, got one from another site", 403)

    def check_token(self, scope: Any, headers: dict[str, str]) -> Response | None:
        """Lets pass who has the token: it comes once in the address and is a cookie from then on.

        Browsers leave a strict cookie out of what begins on another page: in a file, a mail, another site.
        Such a visitor gets a page that goes on to the same address by itself, and then has the cookie.
        """
        if self.token is None:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        rest = urlencode([pair for pair in query if pair[0] != "token"])
        address = "/" + quote(scope["path"].lstrip("/")) + (f"?{rest}" if rest else "")
        cookie = f"{COOKIE}_{port_of(headers.get('host', ''))}"
        if given is not None and self._same(given):
            kept = {"set-cookie": f"{cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"}
            if "text/html" in headers.get("accept", ""):
                return HTMLResponse(go_on(address), headers=kept)
            return Response(status_code=303, headers={"location": address, **kept})
        if self._same(headers.get("authorization", "").removeprefix("Bearer ")):
            return None
        if self._same(_cookie(headers.get("cookie", ""), cookie)):
            return None
        asking = {"www-authenticate": "Bearer"}
        if _is_api(scope) or scope["method"] != "GET":
            return JSONResponse({"error": NO_TOKEN}, 401, asking)
        if given is None and _is_elsewhere(headers):
            return HTMLResponse(go_on(address), 401, asking)
        return HTMLResponse(ask_token(address), 401, {"content-security-policy": FORM_POLICY, **asking})

    def _same(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), (self.token or "").encode())


def _check_size(scope: Any) -> None:
    """Refuses a head that is too long, in however many pieces it came."""
    size = len(scope["raw_path"]) + len(scope["query_string"])
    size += sum(len(name) + len(value) for name, value in scope["headers"])
    if size > HEAD_BYTES:
        raise Refusal(f"expected an address and headers of at most {HEAD_BYTES:,} bytes, got {size:,}", 431)


def _is_api(scope: Any) -> bool:
    return bool(scope["path"].startswith(("/api", "/static")))


def _is_elsewhere(headers: dict[str, str]) -> bool:
    """Tells whether a page of another site has made the browser ask."""
    return headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


def _is_link(method: str, headers: dict[str, str]) -> bool:
    """Tells whether somebody has followed a link elsewhere to a page here."""
    return method == "GET" and headers.get("sec-fetch-mode") == "navigate"


def _cookie(header: str, name: str) -> str:
    """Returns the value of a cookie; what other servers of this machine have put into the jar does not
    matter."""
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return next((value for key, _, value in pairs if key == name), "")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
