"""What a worker does: some runs one after the other, each told as the row that is kept of it."""

from __future__ import annotations

import faulthandler
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

from levelsmith import __version__, processes
from levelsmith.core import Level, Result
from levelsmith.experiment.spec import compact
from levelsmith.kernels.compile import WHICH
from levelsmith.levels.measure import measure
from levelsmith.making.flow import follow
from levelsmith.making.runs import Runs
from levelsmith.making.task import Task

COMPILE_SECONDS = 60.0  # what a run that does not look up may take besides its time


class RunJob(NamedTuple):
    """One run to do."""

    id: str
    task: Task
    metrics: tuple[str, ...]


class Row(NamedTuple):
    """One run that was done, as the table `runs` has it."""

    id: str
    solved: bool
    score: float
    stopped: str
    evaluations: int
    seconds: float
    statistics: str
    history: str
    ended: str
    levels: tuple[tuple[float, int | None, str, str | None, str], ...]  # score, found after, text, …
    taken: float  # with all that is done besides the search


class WorkDone(NamedTuple):
    """What came of some jobs."""

    machine: str
    rows: list[Row]
    failures: dict[str, str]  # why, by the run's id


def work(
    jobs: Sequence[RunJob], timeout: float | None = None, stopped: Callable[[], bool] = processes.stopped
) -> WorkDone:
    """Runs the jobs until all are done or everyone shall stop; what was cut short is left out."""
    rows, failures = [], {}
    for job in jobs:
        if stopped():
            break
        clock = RunClock(timeout, stopped)
        began = time.perf_counter()
        try:
            with watched(timeout):
                result = _result(job.task, clock)
                if result.stopped != "cancelled":
                    rows.append(_row(job, result, began))
        except Exception as error:  # the other runs go on
            failures[job.id] = f"{type(error).__name__}: {error}"
            continue
        if result.stopped == "cancelled" and not stopped():
            failures[job.id] = f"not done after {timeout:g} s"
    return WorkDone(machine(), rows, failures)


class RunClock:
    """Asked between the chunks of a run: whether it shall stop. It starts once all is compiled."""

    def __init__(self, timeout: float | None, stopped: Callable[[], bool]):
        self.timeout, self.stopped = timeout, stopped
        self.begun: float | None = None

    def __call__(self) -> bool:
        now = time.monotonic()
        self.begun = now if self.begun is None else self.begun
        return self.stopped() or (self.timeout is not None and now - self.begun >= self.timeout)


_deadlines: dict[int, float] = {}  # by thread: a worker of a cluster may have several


@contextmanager
def watched(timeout: float | None) -> Iterator[None]:
    """Ends this process if a run hangs where nothing can ask it to stop; others take over what it did."""
    if timeout is None:
        yield
        return
    _deadlines[threading.get_ident()] = time.monotonic() + timeout + COMPILE_SECONDS
    _watch()
    try:
        yield
    finally:
        del _deadlines[threading.get_ident()]
        _watch()


def _watch() -> None:
    faulthandler.cancel_dump_traceback_later()
    if _deadlines:
        left = max(0.001, min(_deadlines.values()) - time.monotonic())
        faulthandler.dump_traceback_later(left, exit=True, file=_nowhere())


@cache
def _nowhere() -> Any:
    return open(os.devnull, "w")


def _result(task: Task, cancel: Callable[[], bool]) -> Result:
    for event in follow(Runs.of(task, task.run), 1, cancel):
        if isinstance(event, Result):
            return event
    raise RuntimeError("no level could be made in the budget")


def _row(job: RunJob, result: Result, began: float) -> Row:
    history = [[spent, round(seconds, 6), score] for spent, seconds, score in result.history]
    found = result.history[-1][0] if result.history else result.evaluations
    others = list(result.levels)
    if result.best in others:
        others.remove(result.best)
    spent = [found, *(level.provenance.get("evaluations") for level in others)]
    levels = [result.best, *others]
    measured = _measured(levels, job.metrics)
    kept = tuple(
        (_score(level, result), after, level.text, level.solution, compact(metrics))
        for level, after, metrics in zip(levels, spent, measured, strict=True)
    )
    return Row(
        id=job.id,
        solved=result.solved,
        score=result.score,
        stopped=result.stopped,
        evaluations=result.evaluations,
        seconds=round(result.seconds, 6),
        statistics=compact(dict(result.statistics)),
        history=compact(history),
        ended=datetime.now(UTC).isoformat(timespec="milliseconds"),
        levels=kept,
        taken=time.perf_counter() - began,
    )


def _score(level: Level, result: Result) -> float:
    return float(level.provenance.get("score", result.score))


def _measured(levels: list[Level], names: tuple[str, ...]) -> list[Mapping[str, float]]:
    found = measure(levels)
    return [{name: value for name in names or each if (value := each[name]) is not None} for each in found]


@cache
def machine() -> str:
    """Returns JSON about where this process runs."""
    return compact(
        {
            "cpu": _processor(),
            "cores": os.cpu_count(),
            "system": platform.platform(),
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "kernels": WHICH,
            "levelsmith": __version__,
        }
    )


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            lines = [line for line in file if line.startswith("model name")]
    except OSError:
        lines = []
    return lines[0].partition(":")[2].strip() if lines else platform.processor() or platform.machine()
