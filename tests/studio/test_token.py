"""The token: nobody gets in without, and nobody else on the machine gets to see it."""

import asyncio
import http.client
import os
import re
import stat
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from levelsmith.errors import LevelsmithError
from levelsmith.studio import serve
from levelsmith.studio.entrance import ask_token, private_page
from levelsmith.studio.safety import Guard, port_of
from levelsmith.studio.token import VARIABLE, find_token
from studio.asgi import Request
from studio.running import Running, children

TOKEN = "a-token-of-a-test"
NOBODY = {"Authorization": ""}
HEADERS = ("Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy")


async def within(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"inside"})


def asked(address, method="GET", **headers):
    """What the guard of a studio with a token answers."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return asyncio.run(Request(Guard(within, token=TOKEN), method, address, given).answered())


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/gallery",
        "/experiment/x",
        "/static/app.js",
        "/static/index.html",
        "/api/levels",
        "/api/jobs/1/events",
    ],
)
@pytest.mark.parametrize(
    "given", [NOBODY, {"Authorization": "Bearer wrong"}, {"Cookie": "levelsmith_token=x"}]
)
def test_on_this_machine_too_nobody_gets_in_without_the_token(studio, path, given):
    status, headers, data = studio.request("GET", path, headers=NOBODY | given)
    assert status == 401
    assert all(name in headers for name in HEADERS)
    assert studio.token.encode() not in data
    kind = "application/json" if path.startswith(("/api", "/static")) else "text/html"
    assert headers["Content-Type"].startswith(kind)


def test_every_method_is_refused_alike(studio):
    for method in ("POST", "PATCH", "DELETE", "PUT", "OPTIONS"):
        assert studio.request(method, "/api/levels/1", {}, NOBODY)[0] == 401


def test_a_refused_body_is_not_waited_for(studio):
    connection = http.client.HTTPConnection(studio.host, studio.port, timeout=60)
    connection.putrequest("POST", "/api/upload?name=a.txt")
    connection.putheader("Content-Length", "9999999")
    connection.endheaders()  # and no body
    assert connection.getresponse().status == 401
    connection.close()


def test_the_printed_address_leads_in_and_leaves_a_cookie(studio):
    assert len(studio.token) > 15
    parts = urlsplit(studio.address)
    status, headers, _ = studio.request("GET", f"{parts.path}?{parts.query}", headers=NOBODY)
    assert (status, headers["Location"]) == (303, "/")
    cookie, *rest = headers["Set-Cookie"].split("; ")
    assert cookie == f"levelsmith_token_{studio.port}={studio.token}"
    assert {"HttpOnly", "SameSite=Strict"} <= set(rest)
    for path in ("/", "/static/app.js", "/api/levels"):
        assert studio.request("GET", path, headers=NOBODY | {"Cookie": cookie})[0] == 200
    assert studio.request("GET", "/", headers=NOBODY | {"Cookie": cookie, "Host": "evil.example"})[0] == 421


def test_cookies_of_other_servers_are_no_hindrance():
    cookies = f'a=b c; _xsrf=2|x,"; levelsmith_token_1=other; levelsmith_token_8765={TOKEN}'
    assert asked("/", Cookie=cookies).status == 200
    assert asked("/", Cookie=f"levelsmith_token_8766={TOKEN}").status == 401


def test_ports_are_read_as_browsers_write_them():
    assert [port_of(host) for host in ("localhost", "localhost:81", "[::1]:82", "[::1]")] == [
        "80",
        "81",
        "82",
        "80",
    ]
    assert port_of("localhost:8;x") == "80"


def test_who_comes_without_a_token_is_told_what_to_do():
    for address in ("/", "/gallery?game=binary", "/?token=an-old-one"):
        page = asked(address)
        text = page.body.decode()
        assert (page.status, page.headers["www-authenticate"]) == (401, "Bearer")
        assert "levelsmith studio" in text
        assert f'<form action="{address.partition("?")[0]}" method="get">' in text
        assert "form-action 'self'" in page.headers["content-security-policy"]
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert "an-old-one" not in text
    assert (
        "form-action 'none'" in asked("/", Authorization=f"Bearer {TOKEN}").headers["content-security-policy"]
    )


def test_an_address_is_no_markup():
    assert "<b>" not in ask_token('/"><b>?x="><b>')
    assert "<b>" not in asked("/%22%3E%3Cb%3E?x=%22%3E%3Cb%3E").body.decode()
    assert (
        asked(f"//evil.example/x?token={TOKEN}&game=binary").headers["location"]
        == "/evil.example/x?game=binary"
    )


def test_a_strict_cookie_gets_its_page_to_start_from():
    """A browser leaves the cookie out of what begins elsewhere: a page here goes on by itself."""
    elsewhere = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Accept": "text/html"}
    move = '<meta http-equiv="refresh" content="0; url=/gallery?game=binary">'
    come = asked(f"/gallery?token={TOKEN}&game=binary", **elsewhere)
    assert come.status == 200
    assert "set-cookie" in come.headers
    assert move in come.body.decode()
    linked = asked("/gallery?game=binary", **elsewhere)
    assert linked.status == 401
    assert move in linked.body.decode()
    again = asked("/gallery?game=binary", **elsewhere | {"Sec_Fetch_Site": "same-origin"})
    assert again.status == 401
    assert move not in again.body.decode()  # not for ever


# ------------------------------------------------------------------------------------------ where it is from


def refused(tmp_path, *options, **environment):
    with pytest.raises(RuntimeError) as told:
        Running(tmp_path / "studio.db", *options, **environment)
    assert str(told.value).count("\n") == 1
    return str(told.value)


def test_no_token_is_typed_on_the_command_line(tmp_path):
    for typed in (("--token", TOKEN), (f"--token={TOKEN}",)):
        told = refused(tmp_path, *typed)
        assert "--token-file FILE" in told
        assert "LEVELSMITH_TOKEN" in told
        assert TOKEN not in told


def test_everybody_gets_in_where_that_is_asked_for_and_on_this_machine_alone(tmp_path):
    running = Running(tmp_path / "studio.db", "--no-token")
    assert running.token is None
    assert running.request("GET", "/api/levels")[0] == 200
    running.stop()
    assert "leave out --no-token" in refused(tmp_path, "--no-token", "--host", "0.0.0.0")
    assert "got both" in refused(tmp_path, "--no-token", "--token-file", "x")


@pytest.mark.skipif(not os.path.exists("/proc"), reason="needs /proc to look at processes")
def test_the_list_of_processes_does_not_tell_the_token(tmp_path):
    running = Running(tmp_path / "studio.db", "--jobs", 1, fresh=True, **{VARIABLE: TOKEN})
    assert running.token == TOKEN
    number = running.job(game="orchard", size="6x6", search="hc", seconds=30, want={"trees": "40.."})
    running.until(number, lambda job: job["evaluations"])
    workers = children(running.process.pid)
    assert workers
    for number in (running.process.pid, *workers):
        assert TOKEN.encode() not in Path(f"/proc/{number}/cmdline").read_bytes()
    for number in workers:
        assert TOKEN.encode() not in Path(f"/proc/{number}/environ").read_bytes()
    running.stop()


def test_a_token_is_the_files_or_the_environments_or_made_up(tmp_path, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert find_token() != find_token()
    monkeypatch.setenv(VARIABLE, TOKEN)
    assert find_token() == TOKEN
    assert VARIABLE not in os.environ
    file = tmp_path / "token"
    file.write_text("another-token\n")
    file.chmod(0o600)
    monkeypatch.setenv(VARIABLE, TOKEN)
    assert find_token(str(file)) == "another-token"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_token_that_others_can_read_is_refused(tmp_path, mode):
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(mode)
    with pytest.raises(LevelsmithError, match=r"only you can read, got .*; type chmod 600 .*token$"):
        find_token(str(file))


def test_a_token_of_another_user_is_refused(tmp_path, monkeypatch):
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o600)
    monkeypatch.setattr(os, "getuid", lambda: file.stat().st_uid + 1)
    with pytest.raises(LevelsmithError, match="expected a file of yours"):
        find_token(str(file))


def test_a_token_that_is_easy_to_guess_is_refused(tmp_path, monkeypatch):
    file = tmp_path / "token"
    for token in ("short", "with space; Path=/", "", "x" * 300):
        file.write_text(token)
        file.chmod(0o600)
        with pytest.raises(LevelsmithError, match="expected a token of at least 8 letters"):
            find_token(str(file))
    monkeypatch.setenv(VARIABLE, "short")
    with pytest.raises(LevelsmithError, match=f"in {VARIABLE}; "):
        find_token()
    for missing in (tmp_path / "none", tmp_path):
        with pytest.raises(LevelsmithError, match="cannot read"):
            find_token(str(missing))


# ----------------------------------------------------------------------------------------------- the browser


def test_a_browser_is_started_with_a_file_that_only_its_owner_can_read():
    with private_page(f"http://127.0.0.1:1/?token={TOKEN}") as address:
        assert TOKEN not in address
        file = Path(unquote(urlsplit(address).path))
        assert f"token={TOKEN}" in file.read_text()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert not file.parent.exists()


def test_the_studio_opens_that_file(tmp_path, monkeypatch):
    opened, said = [], []

    async def nothing(self):
        pass

    async def until_opened(self, sockets):
        while not opened:
            await asyncio.sleep(0.01)

    monkeypatch.setattr(serve.Studio, "open", nothing)
    monkeypatch.setattr(serve.Studio, "close", nothing)
    monkeypatch.setattr(serve.Server, "serve", until_opened)
    monkeypatch.setattr(serve.webbrowser, "open", opened.append)
    serve.serve(store=str(tmp_path / "studio.db"), port=0, token=TOKEN, say=said.append)
    assert re.fullmatch(r"file:///\S+\.html", opened[0])
    assert f"/?token={TOKEN} " in said[0]
    assert "LEVELSMITH_NO_FILES" not in os.environ  # once it has ended, names may be files again
