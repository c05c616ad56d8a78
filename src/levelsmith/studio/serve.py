"""Runs the studio: finds a port, says where it is, opens the browser, ends well."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import uvicorn

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.registry import NO_FILES
from levelsmith.studio.app import Studio, make_app
from levelsmith.studio.connections import Connection, patience
from levelsmith.studio.entrance import private_page
from levelsmith.studio.limits import StudioLimits
from levelsmith.studio.safety import HEAD_BYTES, is_loopback

BACKLOG = 512
CLOSE_SECONDS = 3
KEEP_SECONDS = 30
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Server(uvicorn.Server):
    """Tells watchers to go when it shall stop, or it would wait for them."""

    def __init__(self, config: uvicorn.Config, studio: Studio):
        super().__init__(config)
        self.studio = studio

    def handle_exit(self, sig: int, frame: Any) -> None:
        for job in list(self.studio.jobs.live.values()):
            job.feed.loop.call_soon_threadsafe(job.feed.close)
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def serve(
    *,
    store: str,
    host: str = "127.0.0.1",
    port: int = 8765,
    token: str | None,
    limits: StudioLimits | None = None,
    experiments: Sequence[str] = (),
    browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serves until Ctrl-C whoever knows the token; everybody on this machine, where that is None."""
    if token is None and not is_loopback(host):
        raise LevelsmithError(
            f"expected a token for the address {quoted(host)}, got none; leave out --no-token, or --host"
        )
    limits = limits or StudioLimits()
    listening = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/" + (f"?token={token}" if token else "")

    studio = Studio(store, limits, experiments)
    connection: Any = partial(Connection, patience=patience(limits))
    config = uvicorn.Config(
        make_app(studio, host, token),
        http=connection,
        ws="none",
        h11_max_incomplete_event_size=HEAD_BYTES,
        backlog=BACKLOG,
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=CLOSE_SECONDS,
        timeout_keep_alive=KEEP_SECONDS,
        lifespan="off",
    )

    async def run(page: str) -> None:
        try:
            await studio.open()
            say(f"levelsmith studio: {address} (Ctrl-C ends it; levels are kept in {store})")
            if browser:
                threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()
            await Server(config, studio).serve(sockets=[listening])
        finally:
            await studio.close()

    with listening, _no_files(), private_page(address) if browser else contextlib.nullcontext("") as page:
        asyncio.run(run(page))


@contextlib.contextmanager
def _no_files() -> Iterator[None]:
    """Lets no name that comes from a page be a file, in this process and its workers."""
    before = os.environ.get(NO_FILES)
    os.environ[NO_FILES] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[NO_FILES]
        else:
            os.environ[NO_FILES] = before


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LevelsmithError(
            f"cannot listen on {host} port {port}: {reason}; try --port 0 for one that is free"
        ) from None
    return listening
