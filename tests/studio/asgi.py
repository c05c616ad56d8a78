"""Requests to an ASGI application without a server."""

import asyncio
from urllib.parse import unquote

HOST = (b"host", b"127.0.0.1:8765")


class Request:
    """One request; `status`, `headers` and `body` are what has been answered so far."""

    def __init__(self, app, method, address, headers=(), parts=(b"",)):
        path, _, query = address.partition("?")
        given = [HOST, *((name.lower().encode(), value.encode()) for name, value in dict(headers).items())]
        self.scope = {
            "type": "http",
            "asgi": {"spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "path": unquote(path),
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "scheme": "http",
            "server": ("127.0.0.1", 8765),
            "headers": given,
        }
        self.app = app
        self.gone = asyncio.Event()  # set when the client leaves
        self.parts = [*parts]  # of the body; after None no more come
        self.read = 0
        self.status, self.headers, self.body = None, {}, b""

    async def receive(self):
        if not self.parts or self.parts[0] is None:
            await self.gone.wait()
            return {"type": "http.disconnect"}
        part = self.parts.pop(0)
        self.read += len(part)
        return {"type": "http.request", "body": part, "more_body": bool(self.parts)}

    async def send(self, message):
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message.get("body", b"")

    async def answered(self):
        await self.app(self.scope, self.receive, self.send)
        return self
