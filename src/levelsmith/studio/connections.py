"""What a connection may cost before its request is whole: time for the head, time for the body, a place.

uvicorn waits for ever for a head that was begun, and for a body. Here a clock runs from the first byte to the
last one of a request, never while it is answered: streams of events may last.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from levelsmith.studio.limits import StudioLimits
from levelsmith.studio.safety import HEAD_BYTES, HEADERS, POLICY

SPARE = 256  # connections beside those of watchers
LINGER_SECONDS = 1.0  # for what comes after a refusal: unread, it would undo the answer
OTHER_FILES = 640  # open at the same time: what waits to be accepted, pipes, the store


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an unfinished request may take, and how many connections there may be."""

    connections: int = 512
    head_seconds: float = 10.0
    body_seconds: float = 10.0  # and beside that
    body_pace: float = 100_000.0  # bytes a second


def patience(limits: StudioLimits) -> Patience:
    """Returns the defaults with room for all watchers, as far as the system lets files be open."""
    return Patience(connections=_open_files(limits.watchers + SPARE))


def _open_files(wanted: int) -> int:
    """Returns how many connections can be open, after asking the system for as many as are wanted."""
    try:
        import resource
    except ImportError:  # Windows
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < most:
        more = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
    return wanted if soft == resource.RLIM_INFINITY else max(SPARE // 8, min(wanted, soft - OTHER_FILES))


class Connection(H11Protocol):
    """A connection whose request must come within a time, and that makes room when there are too many."""

    def __init__(self, *values: Any, patience: Patience, **named: Any):
        super().__init__(*values, **named)
        self.patience = patience
        self.clock: asyncio.TimerHandle | None = None
        self.awaits: Any = None  # the part of a request that the clock runs for: h11.IDLE is its head
        self.since = self.loop.time()
        self.received = 0  # bytes of this part
        self.refused = False

    # ---------------------------------------------------------------------------------------------- places

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._run_clock()
        if len(self.connections) > self.patience.connections:
            self._make_room()

    def _make_room(self) -> None:
        """Drops the oldest connection without a whole request; this one, if all others have work."""
        others = [other for other in self.connections if isinstance(other, Connection) and other is not self]
        waiting = [other for other in others if other.conn.their_state in (h11.IDLE, h11.SEND_BODY)]
        oldest = min(waiting, key=lambda other: (other.is_read, other.since), default=self)
        oldest.drop()

    @property
    def is_read(self) -> bool:
        """Whether somebody waits for the rest of this request: such a connection is dropped last."""
        return self.conn.their_state is h11.SEND_BODY and not self.cycle.response_complete

    def drop(self) -> None:
        self.connections.discard(self)
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Ends the connection; an unfinished request is not waited for."""
        if self.conn.their_state is h11.SEND_BODY:
            self.drop()
        else:
            super().shutdown()

    # ----------------------------------------------------------------------------------------------- clock

    def data_received(self, data: bytes) -> None:
        if self.refused:
            return
        self.received += len(data)
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        self._run_clock()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._run_clock()

    def _run_clock(self) -> None:
        """Starts the clock for a head or a body that is to come, and stops it when that is there."""
        state = self.conn.their_state
        between = state is h11.IDLE and self.timeout_keep_alive_task is not None  # uvicorn's own clock runs
        awaited = None if between or state not in (h11.IDLE, h11.SEND_BODY) else state
        if awaited is self.awaits or self.transport.is_closing():
            return
        self._stop_clock()
        self.awaits, self.since, self.received = awaited, self.loop.time(), 0
        if awaited is not None:
            self.clock = self.loop.call_at(self._deadline(), self._look)

    def _stop_clock(self) -> None:
        if self.clock is not None:
            self.clock.cancel()
            self.clock = None

    def _deadline(self) -> float:
        if self.awaits is h11.IDLE:
            return self.since + self.patience.head_seconds
        return self.since + self.patience.body_seconds + self.received / self.patience.body_pace

    def _look(self) -> None:
        """Ends a connection that has taken too long; a body that has come on has more time."""
        if self.loop.time() < self._deadline():
            self.clock = self.loop.call_at(self._deadline(), self._look)
        elif self.is_read and not self.cycle.response_started:
            pace = f"{self.patience.body_pace / 1000:g} kB a second"
            self._refuse(408, f"expected a body at {pace} or faster, got a slower one; try again")
        else:
            self.drop()

    # --------------------------------------------------------------------------------------------- answers

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, f"expected an HTTP request with a head of at most {HEAD_BYTES:,} bytes")

    def _refuse(self, status: int, sentence: str) -> None:
        """Answers in the place of the application, and closes."""
        body = json.dumps({"error": sentence}).encode()
        headers = {"content-type": "application/json", "cache-control": "no-store", "connection": "close"}
        headers |= {"content-security-policy": POLICY, **HEADERS, "content-length": str(len(body))}
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            start = h11.Response(
                status_code=status, headers=list(headers.items()), reason=STATUS_PHRASES[status]
            )
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        if self.cycle is not None:
            self.cycle.disconnected = True  # whoever reads the body is told that it ends here
            self.cycle.message_event.set()
        self.refused = True
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(LINGER_SECONDS, self.transport.close)
