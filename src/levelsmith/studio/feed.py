"""What happens to a job, for any number of watchers: written once, read by each at its own pace."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

KEPT = 300  # events that a watcher who lost the line can still get
ALIVE_SECONDS = 15.0  # between two signs of life, for whatever stands between server and browser

Event = tuple[str, Any]


def encoded(name: str, data: Any, number: int) -> bytes:
    """Returns a server-sent event."""
    body = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return f"id: {number}\nevent: {name}\ndata: {body}\n\n".encode()


class Feed:
    def __init__(self) -> None:
        self.events: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self.last = 0
        self.over = False
        self.loop = asyncio.get_running_loop()
        self.news = asyncio.Event()

    def tell(self, name: str, data: Any) -> None:
        self.last += 1
        self.events.append((self.last, encoded(name, data, self.last)))
        self._wake()

    def close(self) -> None:
        self.over = True
        self._wake()

    def _wake(self) -> None:
        news, self.news = self.news, asyncio.Event()
        news.set()

    async def follow(
        self, after: int | None, standing: Callable[[], Iterable[Event]]
    ) -> AsyncIterator[bytes]:
        """Yields all events after a number; where they are not all there any more, how things stand
        instead."""
        oldest = self.events[0][0] if self.events else self.last + 1
        if after is None or not oldest - 1 <= after <= self.last:
            after = self.last
            yield b"retry: 2000\n\n" + b"".join(encoded(name, data, after) for name, data in standing())
        while True:
            news = self.news
            missed = self.last - after
            if missed > len(self.events):  # a watcher so slow that it has lost the thread
                after = self.last
                yield b"".join(encoded(name, data, after) for name, data in standing())
            elif missed:
                first = len(self.events) - missed
                chunk = b"".join(self.events[i][1] for i in range(first, len(self.events)))
                after = self.last
                yield chunk
            elif self.over:
                return
            else:
                try:
                    await asyncio.wait_for(news.wait(), ALIVE_SECONDS)
                except TimeoutError:
                    yield b": alive\n\n"
