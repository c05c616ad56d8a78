"""The server's side of the processes beside it: messages in, messages out, and what becomes of a dead one."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from levelsmith.errors import LevelsmithError, UnknownTilesError
from levelsmith.processes import start_method
from levelsmith.studio.limits import Refusal
from levelsmith.studio.worker import main

END_SECONDS = 2.0  # for a process to go by itself
ANSWER_SECONDS = 20.0
COMPILE_SECONDS = 300.0  # beside that, for what is compiled on the way, once
MOST_WAITING = 200  # questions

Heard = Callable[[str, Any], None]


class Process:
    """A worker process; `heard` is called in the event loop with each message, at last with `gone`."""

    def __init__(self, heard: Heard):
        context = start_method()
        self.heard = heard
        self.loop = asyncio.get_running_loop()
        self.pipe, self.theirs = context.Pipe()
        self.outbox: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self.process = context.Process(target=main, args=(self.theirs,), daemon=True)
        self.begun = threading.Event()
        threading.Thread(target=self._write, daemon=True).start()

    def _write(self) -> None:
        """Starts the process and writes to it, outside of the event loop: both may take a while."""
        self.process.start()
        self.theirs.close()
        self.begun.set()
        threading.Thread(target=self._listen, daemon=True).start()
        with contextlib.suppress(OSError):
            while True:
                self.pipe.send(self.outbox.get())

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._tell(*self.pipe.recv())
        self.process.join(END_SECONDS)
        self._tell("gone", self.process.exitcode)
        self.send("end")  # nobody reads it: that ends the thread that writes

    def _tell(self, word: str, data: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(lambda: self.heard(word, data))

    def send(self, word: str, data: Any = None) -> None:
        self.outbox.put((word, data))

    def kill(self) -> None:
        self.begun.wait(END_SECONDS)
        self.process.kill()

    def close(self) -> None:
        """Asks the process to end, when it next looks at the pipe; one that does not look is killed."""
        self.send("end")
        self.begun.wait(END_SECONDS)
        self.process.join(END_SECONDS / 4)
        if self.process.is_alive():
            self.process.kill()
        self.process.join(END_SECONDS)


class Clerk:
    """Answers questions about games and levels, one after the other, in a separate process, so that a bad
    file cannot crash the studio."""

    def __init__(self) -> None:
        self.process: Process | None = None
        self.line = asyncio.Lock()
        self.waiting = 0
        self.compiled = False
        self.note = ""  # what is compiled now
        self.answer: asyncio.Future[tuple[str, Any]] | None = None

    async def ask(self, question: str, seconds: float = ANSWER_SECONDS, **values: Any) -> Any:
        if self.waiting >= MOST_WAITING:
            raise Refusal("the studio is busy; try again in a moment", 429)
        self.waiting += 1
        try:
            async with self.line:
                word, data = await self._asked(question, seconds, values)
        finally:
            self.waiting -= 1
        if word == "answer":
            return data
        if word == "wrong":
            raise LevelsmithError(data) if isinstance(data, str) else UnknownTilesError(*data)
        raise Refusal("this was too much for the studio; try something smaller", 422)

    async def _asked(self, question: str, seconds: float, values: dict[str, Any]) -> tuple[str, Any]:
        if self.process is None:
            process = self.process = Process(lambda word, data: self._heard(process, word, data))
        self.note = ""
        self.answer = asyncio.get_running_loop().create_future()
        try:
            self.process.send(question, values)
            return await self._answered(seconds)
        except TimeoutError:
            self.process.kill()
            return await self.answer  # gone
        except (
            asyncio.CancelledError
        ):  # whoever asked has left; the answer must not be taken for the next one
            self.process.kill()
            await self.answer
            raise

    async def _answered(self, seconds: float) -> tuple[str, Any]:
        """Waits so long, and as long again after each compilation."""
        answer, deadline = self.answer, time.monotonic() + COMPILE_SECONDS
        if answer is None:
            raise TimeoutError
        while True:
            self.compiled = False
            try:
                return await asyncio.wait_for(asyncio.shield(answer), seconds)
            except TimeoutError:
                if not (self.compiled or self.note) or time.monotonic() > deadline:
                    raise

    def _heard(self, process: Process, word: str, data: Any) -> None:
        if process is not self.process:
            return
        if word == "gone":
            self.process = None
        if word == "note":
            self.note, self.compiled = data, True
        if self.answer is not None and not self.answer.done() and word in ("answer", "wrong", "gone"):
            self.note = ""
            self.answer.set_result((word, data))

    def close(self) -> None:
        if self.process is not None:
            self.process.close()
