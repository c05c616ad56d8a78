"""Requests that are begun and never finished: they end in time, make room, and cost little."""

import asyncio
import contextlib
import json
import socket
import time
from functools import partial

import pytest
import uvicorn
from uvicorn.server import ServerState

from levelsmith.studio.connections import Connection, Patience, patience
from levelsmith.studio.limits import Refusal, StudioLimits
from levelsmith.studio.requests import Bodies
from studio.asgi import Request
from studio.running import Running

QUICK = {"head_seconds": 0.2, "body_seconds": 0.2, "body_pace": 1e6}
HALF = b"GET /api/levels HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n"


async def echo(scope, receive, send):
    """Answers with the length of the body; to `/stream` a second of events; to `/early` before the body."""
    size, more = 0, scope["path"] != "/early"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message["body"])
        more = message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(10 if scope["path"] == "/stream" else 0):
        await asyncio.sleep(0.1)
        await send({"type": "http.response.body", "body": b"event ", "more_body": True})
    await send({"type": "http.response.body", "body": f"got {size} end".encode()})


@contextlib.asynccontextmanager
async def served(**given):
    """Serves `echo`; gives what opens a connection."""
    config = uvicorn.Config(echo, http="h11", ws="none", lifespan="off", log_level="critical")
    state = ServerState()
    make = partial(Connection, config, state, {}, patience=Patience(**given))
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    writers = []

    async def opened(data):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        writer.write(data)
        return reader, writer

    try:
        yield opened
    finally:
        for writer in writers:
            writer.close()
        server.close()


async def ended(reader):
    """What comes until the connection ends, and after how many seconds it does."""
    begun = time.monotonic()
    data = b""
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(10):
            data = await reader.read()
    return data, time.monotonic() - begun


async def trickle(writer, data, seconds=0.05):
    with contextlib.suppress(ConnectionError):
        for i in range(len(data)):
            writer.write(data[i : i + 1])
            await asyncio.sleep(seconds)


@pytest.mark.parametrize("begun", [b"", HALF])
def test_a_head_that_never_ends_is_not_waited_for(begun):
    async def run():
        async with served(**QUICK) as opened:
            reader, _ = await opened(begun)
            return await ended(reader)

    data, seconds = asyncio.run(run())
    assert data == b""
    assert 0.1 < seconds < 2


def test_a_head_that_trickles_in_has_no_more_time_than_others():
    async def run():
        async with served(**QUICK) as opened:
            reader, writer = await opened(GET + HALF)  # a first request does not help
            task = asyncio.create_task(trickle(writer, b"x" * 100))
            told = await ended(reader)
            task.cancel()
            return told

    data, seconds = asyncio.run(run())
    assert b"got 0 end" in data
    assert seconds < 2


def test_a_body_that_is_too_slow_is_refused_in_a_sentence():
    async def run():
        async with served(**QUICK) as opened:
            reader, writer = await opened(POST % 1000)
            task = asyncio.create_task(trickle(writer, b"x" * 100))
            told = await ended(reader)
            task.cancel()
            return told

    data, seconds = asyncio.run(run())
    head, _, body = data.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert b"nosniff" in head
    assert "1000 kB a second" in json.loads(body)["error"]
    assert seconds < 2


def test_a_body_that_keeps_the_pace_has_time_to_come():
    async def run():
        async with served(**QUICK | {"body_pace": 10_000.0}) as opened:
            reader, writer = await opened(POST % 10_000)
            for _ in range(10):
                await asyncio.sleep(0.06)
                writer.write(b"x" * 1000)
            return await asyncio.wait_for(reader.readuntil(b"end"), 5)

    assert asyncio.run(run()).endswith(b"got 10000 end")


def test_a_stream_outlives_every_clock():
    async def run():
        async with served(**QUICK) as opened:
            reader, _ = await opened(GET.replace(b"/", b"/stream", 1))
            return await asyncio.wait_for(reader.readuntil(b"end"), 5)

    assert asyncio.run(run()).count(b"event") == 10


def test_the_rest_of_a_body_that_nobody_reads_is_not_waited_for():
    async def run():
        async with served(**QUICK) as opened:
            reader, writer = await opened((POST % 1000).replace(b"/", b"/early", 1))
            task = asyncio.create_task(trickle(writer, b"x" * 100))
            told = await ended(reader)
            task.cancel()
            return told

    data, seconds = asyncio.run(run())
    assert b"got 0 end" in data
    assert seconds < 2


def test_a_full_house_drops_who_has_waited_longest_without_a_request():
    async def run():
        async with served(connections=3) as opened:
            streaming, _ = await opened(GET.replace(b"/", b"/stream", 1))
            await streaming.readuntil(b"event")
            reading, writer = await opened(POST % 4)
            await asyncio.sleep(0.02)
            oldest, _ = await opened(HALF)
            await asyncio.sleep(0.02)
            asking, _ = await opened(GET)
            answer = await asyncio.wait_for(asking.readuntil(b"end"), 5)
            _, seconds = await ended(oldest)
            writer.write(b"four")
            return answer, seconds, await reading.readuntil(b"end"), await streaming.readuntil(b"end")

    answer, seconds, read, streamed = asyncio.run(run())
    assert answer.endswith(b"got 0 end")
    assert seconds < 1
    assert read.endswith(b"got 4 end")
    assert streamed.endswith(b"end")


def test_what_is_no_http_gets_a_sentence_with_all_headers():
    async def run():
        async with served() as opened:
            reader, _ = await opened(b"hello\r\n\r\n")
            return await ended(reader)

    head, _, body = asyncio.run(run())[0].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    for name in (b"content-security-policy", b"x-content-type-options", b"x-frame-options"):
        assert name in head
    assert json.loads(body)["error"].startswith("expected an HTTP request")


def test_there_is_room_for_all_watchers_and_some_more():
    assert patience(StudioLimits(watchers=50)).connections > 100


async def swallow(scope, receive, send):
    """Reads a body, and keeps it until the client has gone."""
    more = True
    while more:
        more = (await receive()).get("more_body", False)
    await receive()


def test_bodies_are_bounded_together_until_they_are_answered():
    async def run():
        bodies = Bodies(swallow, most=100)

        def request(*parts, **headers):
            return Request(bodies, "POST", "/", headers, parts)

        first = request(b"x" * 60)
        task = asyncio.create_task(first.answered())
        await asyncio.sleep(0)
        told = request(b"x" * 50, **{"Content-Length": "50"})
        with pytest.raises(Refusal) as refused:
            await told.answered()
        chunked = request(b"x" * 30, b"x" * 30)
        with pytest.raises(Refusal):
            await chunked.answered()
        held = bodies.held
        first.gone.set()
        await task
        return refused.value.status, told.read, chunked.read, held, bodies.held

    assert asyncio.run(run()) == (503, 0, 60, 60, 0)


def memory(studio):
    """Megabytes of the server in memory."""
    with open(f"/proc/{studio.process.pid}/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def answer_seconds(studio):
    begun = time.monotonic()
    assert studio.request("GET", "/api/levels", timeout=5)[0] == 200
    return time.monotonic() - begun


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """A studio that was started with as few open files as some systems allow at first."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, before[1]))
    try:
        running = Running(tmp_path_factory.mktemp("studio") / "studio.db")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    yield running
    assert running.stop() == ""


@pytest.fixture
def sockets(studio):
    """Opens connections that stay open until the test ends."""
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(socket.create_connection((studio.host, studio.port), 20))


@pytest.mark.slow
def test_200_half_requests_lock_nobody_out(studio, sockets):
    for _ in range(200):
        sockets().sendall(HALF)
    assert answer_seconds(studio) < 1
    assert memory(studio) < 300


@pytest.mark.slow
def test_60_unfinished_uploads_beside_200_half_requests_take_little_memory(studio, sockets):
    for _ in range(200):
        sockets().sendall(HALF)
    head = "POST /api/upload?name=a.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999999\r\n"
    data = f"{head}Authorization: Bearer {studio.token}\r\n\r\n".encode() + b"x" * 9_900_000
    uploads = [sockets() for _ in range(60)]
    for upload in uploads:
        upload.sendall(data)
    assert answer_seconds(studio) < 1
    assert memory(studio) < 300
    answer = uploads[-1].recv(10_000)
    assert b" 503 " in answer
    assert b"try again in a moment" in answer


def test_a_studio_with_unfinished_requests_can_be_stopped(tmp_path):
    running = Running(tmp_path / "studio.db")
    entry = f"\r\nAuthorization: Bearer {running.token}\r\n\r\n".encode()
    with contextlib.ExitStack() as stack:
        for data in (b"", HALF, POST.replace(b"/", b"/api/check", 1) % 1000):
            one = stack.enter_context(socket.create_connection((running.host, running.port), 20))
            one.sendall(data.replace(b"\r\n\r\n", entry))
        assert answer_seconds(running) < 1
        begun = time.monotonic()
        assert running.stop() == ""
        assert time.monotonic() - begun < 10
