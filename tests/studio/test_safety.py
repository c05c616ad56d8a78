"""Who may ask the studio, what its pages may do, and that every way to ask is documented."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from levelsmith import load
from levelsmith.games.puzzlescript.find import SHIPPED
from levelsmith.studio.app import PAGES, Studio, make_app
from levelsmith.studio.limits import StudioLimits
from levelsmith.studio.modules import modules, needed
from levelsmith.studio.safety import host_of, is_loopback
from studio.asgi import Request
from studio.running import Running

DOCS = Path(__file__).parents[2] / "docs" / "studio-server.md"
STATIC = Path(__file__).parents[2] / "src" / "levelsmith" / "studio" / "static"


def test_pages_have_a_strict_policy_and_run_no_foreign_script(studio):
    for path in PAGES:
        status, headers, data = studio.request("GET", path)
        assert status == 200
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # which allows no script
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert b"<!doctype html>" in data[:20]
    assert studio.request("GET", "/api/catalogue")[1]["Cache-Control"] == "no-store"


def test_pages_refer_to_nothing_elsewhere_and_have_nothing_inline():
    for file in {*STATIC.rglob("*"), *modules().values()}:
        if file.suffix in (".html", ".css", ".js", ".svg"):
            text = file.read_text().replace("http://www.w3.org/", "")
            assert not re.search(r"https?://|//[a-z]+\.[a-z]+/", text), file
    html = (STATIC / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", html)


def test_a_page_names_all_modules_that_it_imports():
    assert needed("pages/play.js")[0] == "pages/play.js"
    assert {"games/sokoban/play.js", "games/sokoban/game.js", "api.js", "board.js"} <= set(
        needed("pages/play.js")
    )
    imported = {name for page in (STATIC / "pages").glob("*.js") for name in needed(f"pages/{page.name}")}
    assert set(modules()) - imported - set(needed("worker.js")) == {"app.js", "theme.js"}


def test_all_pages_together_weigh_less_than_500_kilobytes():
    assert (
        sum(file.stat().st_size for file in {*STATIC.rglob("*"), *modules().values()} if file.is_file())
        < 500_000
    )


def test_every_module_is_served_and_those_of_games_from_their_folders(studio):
    assert modules()["games/sokoban/play.js"].parts[-4:] == ("games", "sokoban", "browser", "play.js")
    for name, file in modules().items():
        status, headers, data = studio.request("GET", f"/static/{name}")
        assert (status, data) == (200, file.read_bytes())
        assert "javascript" in headers["Content-Type"]


def test_no_path_leaves_the_folder_of_static_files(studio):
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/",
    ):
        assert studio.request("GET", path)[0] in (404, 405)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://{host}"}, 200),
        ({"Host": "localhost"}, 200),
        ({"Host": "evil.example"}, 421),  # a name that was made to point here
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": "192.168.0.7"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),  # another server of this machine
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
    ],
)
def test_only_this_studios_own_pages_may_ask(studio, headers, status):
    host = f"{studio.host}:{studio.port}"
    given = {name: value.format(host=host) for name, value in headers.items()}
    assert studio.request("GET", "/api/levels", headers=given)[0] == status
    asked = studio.request("POST", "/api/check", {"game": "orchard", "text": "^"}, headers=given)
    assert asked[0] == status


def test_a_link_from_elsewhere_may_open_a_page(studio):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert studio.request("GET", "/generate?game=orchard", headers=headers)[0] == 200


def test_another_address_asks_for_the_token_under_every_name(tmp_path):
    running = Running(tmp_path / "studio.db", "--host", "0.0.0.0")
    running.host = "127.0.0.1"
    nobody = {"Authorization": ""}
    assert running.request("GET", "/", headers=nobody)[0] == 401
    assert running.request("GET", "/", headers=nobody | {"Host": "192.168.0.7"})[0] == 401
    assert running.request("GET", "/", headers={"Host": "192.168.0.7"})[0] == 200
    assert running.request("GET", "/", headers={"Host": "evil.example"})[0] == 421
    running.stop()


def test_hosts_are_read_as_browsers_write_them():
    assert host_of("localhost:80") == "localhost"
    assert host_of("[::1]:8765") == host_of("[::1]") == "::1"
    assert host_of("127.0.0.1") == "127.0.0.1"
    assert is_loopback("127.0.0.2")
    assert is_loopback("::1")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("example.org")


def test_a_head_that_is_too_long_is_refused_in_one_piece_too(studio):
    for headers, path in (({"X": "x" * 40_000}, "/"), ({}, f"/?x={'x' * 40_000}")):
        status, given, data = studio.request("GET", path, headers=headers)
        assert status in (400, 431)
        assert given["X-Content-Type-Options"] == "nosniff"
        assert json.loads(data)["error"].startswith("expected an ")


def test_what_nobody_expected_is_a_sentence_with_all_headers(tmp_path):
    async def broken(*values, **named):
        raise RuntimeError("a mistake of ours")

    async def run():
        studio = Studio(str(tmp_path / "unused.db"), StudioLimits())
        studio.in_store = broken
        request = Request(make_app(studio), "GET", "/api/levels")
        with pytest.raises(RuntimeError):  # for the server to print
            await request.answered()
        return request

    request = asyncio.run(run())
    assert request.status == 500
    assert json.loads(request.body) == {"error": "something went wrong here; see what was printed"}
    assert "default-src 'none'" in request.headers["content-security-policy"]
    assert request.headers["x-content-type-options"] == "nosniff"


def test_no_file_of_this_machine_is_a_game_to_a_page(studio, tmp_path):
    game = tmp_path / "mine.txt"
    game.write_text((SHIPPED / "crates.txt").read_text())
    assert len(load(game)) == 3
    for call in ("check", "levels"):
        asked = {"game": str(game), "text": "P*O"}
        assert "no game is called" in studio.call("POST", call, asked, expect=400)["error"]


def test_every_way_to_ask_is_documented():
    documented = {
        (method, path.partition("?")[0])
        for method, path in re.findall(r"^\| `([A-Z]+) (\S+)` \|", DOCS.read_text(), re.M)
    }
    app = make_app(Studio("unused.db", StudioLimits()))
    there = {
        (method, route.path.replace(":number", ""))
        for route in app.routes
        for method in getattr(route, "methods", None) or ()
        if method != "HEAD" and route.path not in PAGES
    }
    assert there == documented
