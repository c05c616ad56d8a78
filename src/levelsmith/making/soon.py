"""A few levels at once, though their kernels are compiled for the first time: see `kernels/cold.py`."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence

from levelsmith.core import Cancel, Event, Level, Result
from levelsmith.errors import LevelsmithError
from levelsmith.kernels import cold
from levelsmith.levels.measure import Known, known, remember
from levelsmith.making.driver import runs_of
from levelsmith.making.flow import follow
from levelsmith.making.runs import Runs, check_portable
from levelsmith.request import Request

log = logging.getLogger("levelsmith").info
MOST = 8  # levels that are worth it to be made uncompiled


def stream_soon(request: Request, cancel: Cancel, say: Callable[[str], None] = log) -> Iterator[Event]:
    """Does what `stream` does, but a few levels do not wait for a compiler; `say` tells so in a line."""
    return follow_soon(runs_of(request), request.workers, cancel, request.unlike, say)


def follow_soon(
    runs: Runs,
    workers: int,
    cancel: Cancel,
    unlike: Sequence[Level],
    say: Callable[[str], None],
    measured: bool = True,
) -> Iterator[Event]:
    """Does what `follow` does, but a few levels do not wait for a compiler; `say` tells so in a line.

    Levels that are not to be `measured` come sooner.
    """

    def start() -> Iterator[Event]:
        return follow(runs, workers, cancel, unlike)

    if not _is_small(runs):
        return start()
    return map(_remembered, cold.follow(start, _made, (runs, list(unlike), measured), cancel, say))


def _remembered(event: Event | tuple[Result, Known]) -> Event:
    """Returns an event; with a result from another process comes what that found out about its best level."""
    if not isinstance(event, tuple):
        return event
    result, found = event
    remember(result.best, found)
    return result


def _is_small(runs: Runs) -> bool:
    """Tells whether levels are few, and asked for in such a way that other processes make the same."""
    task = runs.task
    if task.budget.seconds is not None or runs.within is not None or task.device != "cpu":
        return False
    if runs.count is None or runs.count > MOST:
        return False
    with contextlib.suppress(LevelsmithError):
        check_portable(task)
        return True
    return False


def _made(
    runs: Runs, unlike: Sequence[Level], measured: bool, begun: Callable[[], None]
) -> list[tuple[Result, Known]]:
    """Makes the levels, and finds out what a command tells about the best of each run."""
    results = []
    for event in follow(runs, unlike=unlike):
        begun()
        if isinstance(event, Result):
            results.append((event, known(event.best, measured)))
    return results
