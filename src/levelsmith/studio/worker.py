"""What runs in a process beside the server: one search after the other, or answers to questions."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from math import inf
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from levelsmith.errors import LevelsmithError, UnknownTilesError
from levelsmith.studio.shortfall import spent_on
from levelsmith.studio.wording import in_words

if TYPE_CHECKING:
    from levelsmith.core import Level, Result
    from levelsmith.making.runs import Runs
    from levelsmith.request import Request

TELL_SECONDS = 0.2  # between two events of progress
PAGE = 4096
NICENESS = 5  # searches give way to the server, and to the rest of the desktop
MEGABYTE = 1_000_000
ABOVE = "levelsmith.publish.questions"  # which builds on the studio, and so is found by its name
OF_PAGES = ("pack_look", "pack_file")  # questions that are asked there


def main(pipe: Connection) -> None:
    """Answers what comes through the pipe until it closes: (`search`, …) or the name of a question."""
    from levelsmith.kernels import compile
    from levelsmith.processes import settle_in

    def notice(kernel: str, seconds: float | None) -> None:
        pipe.send(("note", f"compiling {kernel} for its first use" if seconds is None else ""))

    settle_in()
    compile.notice = notice
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICENESS)
    with contextlib.suppress(EOFError, OSError):
        while True:
            name, values = pipe.recv()
            if name == "end":
                return
            try:
                if name == "search":
                    pipe.send(("done", begin_search(pipe, values)))
                elif name not in ("pause", "resume", "cancel"):  # those are late: the search has just ended
                    pipe.send(("answer", _answer(name, values)))
            except UnknownTilesError as error:
                pipe.send(("wrong", (in_words(error.for_command_line), error.found, error.game)))
            except LevelsmithError as error:
                pipe.send(("wrong", in_words(error.for_command_line)))
            except MemoryError:
                pipe.send(("wrong", "there is not enough memory for this"))
            except RecursionError:
                pipe.send(("wrong", "this is nested too deeply"))


def _answer(name: str, values: Mapping[str, Any]) -> Any:
    module = ABOVE if name in OF_PAGES else "levelsmith.studio.questions"
    return getattr(import_module(module), name)(**values)


def begin_search(pipe: Connection, values: Mapping[str, Any]) -> dict[str, Any]:
    """Runs a job, with the game in one text that it may be for at hand."""
    from levelsmith.studio.scripts import opened

    setting = values["setting"]
    with opened(setting.get("script"), setting.get("start", "")):
        return search(pipe, **values)


class Buttons:
    """Pause, resume and cancel as they come through the pipe, and the limits of a job.

    A search asks `pressed` between two of its chunks; while it is paused, that call waits.
    """

    def __init__(self, pipe: Connection, seconds: float, megabytes: int):
        self.pipe, self.seconds, self.megabytes = pipe, seconds, megabytes
        self.begun: float | None = None  # the clock starts with the first chunk, after any compilation
        self.why = ""

    def pressed(self) -> bool:
        now = time.monotonic()
        self.begun = self.begun or now
        if now - self.begun > self.seconds:
            self.why = f"the limit of {self.seconds:g} seconds for a job"
        elif memory_used() > self.megabytes * MEGABYTE:
            self.why = f"the limit of {self.megabytes:,} megabytes for a job"
        while not self.why and self.pipe.poll():
            word, _ = self.pipe.recv()
            if word == "pause":
                self._wait(now)
            elif word == "cancel":
                self.why = "cancelled"
        return bool(self.why)

    def _wait(self, since: float) -> None:
        self.pipe.send(("state", "paused"))
        word = "pause"
        while word == "pause":
            word, _ = self.pipe.recv()
        self.begun = (self.begun or since) + time.monotonic() - since
        if word == "cancel":
            self.why = "cancelled"
        else:
            self.pipe.send(("state", "running"))


def memory_used() -> int:
    """Returns bytes of this process in memory; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * PAGE
    except OSError:  # not Linux: the most it ever had
        try:
            import resource
        except ImportError:
            return 0
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class Teller:
    """Sums up the events of a job's runs, and sends progress now and then."""

    def __init__(self, pipe: Connection, before: tuple[int, float]):
        self.pipe = pipe
        self.ended = before  # evaluations and seconds of runs that have ended
        self.now = (0, 0.0)
        self.text: str | None = None
        self.sent_at = 0.0

    def see(self, event: Any) -> None:
        """Trees of one run each count from 0: what the last one has spent is added up."""
        if event.evaluations < self.now[0]:
            self.ended = (self.ended[0] + self.now[0], self.ended[1] + self.now[1])
        self.now = (event.evaluations, event.seconds)
        if time.monotonic() - self.sent_at < TELL_SECONDS:
            return
        self.sent_at = time.monotonic()
        evaluations, seconds = self.ended[0] + self.now[0], self.ended[1] + self.now[1]
        data: dict[str, Any] = {
            "run": event.run,
            "evaluations": evaluations,
            "seconds": round(seconds, 3),
            "score": number(event.score),
            "rate": round(event.rate),
        }
        text = None if event.best is None else event.best.text
        if text is not None and text != self.text:
            data["text"] = self.text = text
        self.pipe.send(("progress", data))


def search(
    pipe: Connection,
    setting: dict[str, Any],
    seconds: float,
    megabytes: int,
    most: int,
    made: Sequence[tuple[int, str]] = (),
    times: int = 0,
    before: tuple[int, float] = (0, 0.0),
) -> dict[str, Any]:
    """Runs a job; its levels and progress go through the pipe, what it came to is returned.

    Args:
        made: the run and the text of each level that it has made already.
        times: how often it was done before; then only what is missing is made, by further runs.
        before: evaluations and seconds that it took then.
    """
    from levelsmith.core import Event, Result
    from levelsmith.editing.edited import editing
    from levelsmith.making.flow import follow
    from levelsmith.studio.described import described
    from levelsmith.studio.setting import request_of

    buttons, teller = Buttons(pipe, seconds, megabytes), Teller(pipe, before)
    results: list[Result] = []
    kept = 0
    spent, within = "", None
    pipe.send(("state", "running"))
    try:
        request = request_of(setting)
        if "edit" not in setting:
            runs, unlike = _runs(request, made, times)
            spent, within = spent_on(runs.task), runs.within
            events: Iterator[Event] = follow(runs, request.workers, buttons.pressed, unlike)
        else:
            asked, mode = dict(request.given), setting["edit"]
            if mode != "repair":
                asked["by"] = next(iter(asked.pop("objective", ())), None)
            events = editing(mode, asked.pop("start"), **asked, cancel=buttons.pressed)
        for event in events:
            if not isinstance(event, Result):
                teller.see(event)
                if event.kept:
                    pipe.send(("levels", [described(level) for level in event.kept[: most - kept]]))
                continue
            results.append(event)
            teller.ended = (
                before[0] + sum(r.evaluations for r in results),
                before[1] + sum(r.seconds for r in results),
            )
            teller.now = (0, 0.0)
            levels = [described(level) for level in event.levels[: most - kept]]
            kept += len(levels)
            pipe.send(("result", {"levels": levels, **_outcome(event, teller.ended)}))
    except LevelsmithError:
        if not buttons.why:  # interrupted before the first evaluation is no error
            raise
    stopped = buttons.why or (results[-1].stopped if results else "evaluations")
    if not buttons.why and within is not None and time.monotonic() - (buttons.begun or inf) >= within:
        stopped = f"the limit of {within:g} s for all levels"
    return {
        "stopped": stopped,
        "kept": kept,
        "runs": len(results),
        "reasons": [result.missed for result in results if not result.levels and result.missed],
        "spent": spent,
        "large": memory_used() > megabytes * MEGABYTE / 2,
    }


def _runs(request: Request, made: Sequence[tuple[int, str]], times: int) -> tuple[Runs, list[Level]]:
    """Returns the runs of a job, or those that go on with it; and the levels that they shall not repeat, as
    far as they can tell levels apart."""
    from levelsmith.levels.formats.text import parse
    from levelsmith.making.driver import runs_of

    if not times:
        return runs_of(request), []
    unlike = [parse(text, request.game) for _, text in made]
    runs = runs_of(request.but(unlike=unlike)).again([run for run, _ in made], times)
    return runs, unlike if runs.task.batches or runs.task.tells_apart else []


def _outcome(result: Any, spent: tuple[int, float]) -> dict[str, Any]:
    return {
        "evaluations": spent[0],
        "seconds": round(spent[1], 3),
        "score": number(result.score),
        "rate": round(result.evaluations / max(result.seconds, 1e-9)),
        "text": result.best.text,
        "stopped": result.stopped,
        "solved": result.solved,
        "told": result.statistics.get("told"),
        "history": [[e, round(s, 4), number(v)] for e, s, v in result.history],
    }


def number(value: float) -> float | None:
    """Returns a number, or None where it is not finite, for which JSON has no word."""
    return float(value) if abs(value) < float("inf") else None
