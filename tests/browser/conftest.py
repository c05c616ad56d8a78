"""The studio's pages in a real browser, with answers that a test gives instead of a server's."""

import contextlib
import json
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Error

from levelsmith.registry import games
from levelsmith.studio.compiled import compiled
from levelsmith.studio.modules import file_of
from levelsmith.studio.sprites import sprites

KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".wasm": "application/wasm",
}
ORIGIN = "http://localhost:8765"


def catalogue():
    return {
        "games": [
            {
                "name": game.name,
                "sizes": {"default": "x".join(map(str, game.default_size[::-1]))},
                "tiles": [
                    {"name": tile.name, "char": tile.symbol, "tags": list(tile.tags)} for tile in game.tiles
                ],
                "border": game.border,
                "outside": game.name == "sokoban",
                "objectives": list(game.objectives),
                "aims": ["difficulty"],
            }
            for game in (games.get(name) for name in ("sokoban", "loderunner", "binary", "orchard"))
        ]
    }


class Studio:
    """A page whose requests are answered here: `answers` by method and path, `asked` keeps what was sent.

    An answer may be a function of what was sent; where that returns None, the page waits.
    """

    def __init__(self, page):
        self.page = page
        self.answers = {}
        self.asked = []
        self.errors = []
        self.held = []  # requests without an answer yet
        page.route("**/*", self._serve)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, path, levels=(), width=1280):
        listed = [{"id": i, "title": "", **level} for i, level in enumerate(levels, start=1)]
        self.answers["GET levels/order"] = {"ids": [level["id"] for level in listed]}
        self.answers |= {f"GET levels/{level['id']}": level for level in listed}
        self.page.set_viewport_size({"width": width, "height": 800})
        self.page.goto(ORIGIN + path)
        self.page.wait_for_function("document.querySelector('canvas')?.style.width")

    def sent(self, call):
        return [body for name, body in self.asked if name == call]

    def release(self, answer):
        """Answers what was held, as far as anyone still waits."""
        for route in self.held:
            with contextlib.suppress(Error):
                route.fulfill(json=answer)
        self.held = []

    def _serve(self, route):
        parts = urlsplit(route.request.url)
        assert f"{parts.scheme}://{parts.netloc}" == ORIGIN  # nothing leaves the machine
        path = parts.path
        if path.startswith("/api/"):
            self._answer(route, path.removeprefix("/api/"), parse_qs(parts.query))
        else:
            file = file_of(path.removeprefix("/static/") if path.startswith("/static/") else "index.html")
            route.fulfill(body=file.read_bytes(), content_type=KINDS[file.suffix])

    def _answer(self, route, path, query):
        call = f"{route.request.method} {path}"
        self.asked.append((call, json.loads(route.request.post_data or "null")))
        if path.startswith("sprites/"):
            answer = sprites(path.removeprefix("sprites/"), query["theme"][0])
        elif path.startswith("kernels/"):
            answer = compiled(path.removeprefix("kernels/"))
        else:
            answer = catalogue() if path == "catalogue" else self.answers.get(call)
        if callable(answer):
            answer = answer(self.asked[-1][1])
            if answer is None:
                self.held.append(route)
                return
        if answer is None:
            route.fulfill(status=404, json={"error": f"no answer to {call}"})
        elif isinstance(answer, str):
            route.fulfill(body=answer, content_type="text/event-stream")
        else:
            route.fulfill(json=answer)


@pytest.fixture
def studio(page):
    the_studio = Studio(page)
    yield the_studio
    page.unroute_all()
    page.goto("about:blank")
    assert the_studio.errors == []
