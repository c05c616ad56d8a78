"""Levels from a request: `generate` for one answer, `stream` for what happens on the way."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from math import inf
from typing import Any, Unpack

from levelsmith import presets
from levelsmith.contracts import Game
from levelsmith.core import Cancel, Event, Level, Result, check_levels
from levelsmith.errors import LevelsmithError, MissingLevelsError, option
from levelsmith.making.flow import follow
from levelsmith.making.interrupts import check_cancel, interruptible, interruption
from levelsmith.making.outcome import shortfall
from levelsmith.making.plan import plan
from levelsmith.making.runs import Runs, Step, merged
from levelsmith.making.wants import metric_called
from levelsmith.numbers import check_seconds, check_workers, whole_number
from levelsmith.registry import games
from levelsmith.request import Keywords, Request

RAMP_STEPS = 10
A_STEP_EACH = 20  # levels at most that have a step of a ramp each
MOST_RUNS = 1_000_000  # at a time, of what makes each level alone: a result for each is kept


def generate(
    game: str, *, cancel: Cancel | None = None, partial: bool = False, **asked: Unpack[Keywords]
) -> Result:
    """Makes as many levels as you ask for, or raises an error.

    Ctrl-C raises KeyboardInterrupt, with the best so far as its `result` (None if there is nothing yet).

    Args:
        game: a name from `levelsmith list games`.
        cancel: called again and again while levels are made; once it returns True, you get what there is.
        partial: returns the levels that it made even if some are missing; `missing` says how many, and
            `best` is the nearest if there is none.
        asked: the rest of the request, all optional.

            - size: (height, width), or text such as "10x8", width first.
            - objective: what to search for, one name or several that must all hold.
            - combine: how several objectives make one score, "mean" or "product".
            - representation: how the search sees the level.
            - search: the algorithm, or a generator of the game's own.
            - preset: named settings that fill in what is not given.
            - set: parameters by `name` or `owner.name`.
            - evaluations: the budget of a run; a seed and this give the same levels anywhere.
            - seconds: a time limit for each level.
            - within: a time limit in seconds for all levels together; compiling does not count.
            - until: a score at which to stop early.
            - seed: any whole number from 0 to 2**63 - 1; by default a fresh one, recorded in the provenance.
            - start: a level to start from instead of a random one.
            - lock: what must stay of that level: names of tiles, "border", or cells as "X,Y" or "X,Y,WxH".
            - keep_above: also keep every level with at least this score, no two alike.
            - keep_most: keep at most this many of them a run.
            - guards: what they do while a level of Lode Runner is proved, "chase" (the default) or "still".
            - want: ranges that metrics must lie in, such as {"pushes": (20, 30), "box_changes": "8.."}.
            - count: how many runs, each giving one level.
            - skip: skips this many runs of the seed before the first.
            - ramp: a metric with a range: the levels go through it from its low to its high end, a step each
              for up to twenty, else in ten steps.
            - unlike: levels not to make again, in any orientation.
            - workers: processes to spread the runs over.
            - device: "cuda" for a GPU, "auto" for a GPU if there is one.

    Returns:
        The best level and all levels in the order of their runs.

    Raises:
        MissingLevelsError: not every level could be made in its budget; its `result` has those that were.
    """
    request = Request(game, **asked)
    if request.count is None:
        raise LevelsmithError(
            "expected a count of levels, got None; `stream` and `endless` go on without end"
        )
    runs = runs_of(request)
    check_cancel(cancel)
    results: list[Result] = []
    stopped = False
    with interruptible() as interrupted:

        def stop() -> bool:
            nonlocal stopped
            stopped = stopped or interrupted() or (cancel is not None and bool(cancel()))
            return stopped

        try:
            for event in follow(runs, request.workers, stop, request.unlike):
                if isinstance(event, Result):
                    results.append(event)
        except KeyboardInterrupt as interrupt:
            last = getattr(interrupt, "result", None)
            raise interruption(_whole(runs, [*results, *([last] if last else [])])) from None
        except LevelsmithError:
            if not interrupted():
                raise
        if interrupted():
            raise interruption(_whole(runs, results))
    made = _whole(runs, results)
    if made is None and stopped:
        raise LevelsmithError("cancelled before the first level was made; nothing was made")
    if made is None or (made.missing and not partial and not stopped):
        asked_for = runs.count or 0
        missing = asked_for if made is None else made.missing
        near = made.missed if made is not None and asked_for == 1 else ""
        raise MissingLevelsError(shortfall(runs.task, missing, asked_for, near, runs.within), made)
    return made


def _whole(runs: Runs, results: Sequence[Result]) -> Result | None:
    """Returns the results of some runs as one, which knows how many levels are missing; None without any."""
    if not results:
        return None
    missing = (runs.count or 0) - sum(bool(result.levels) for result in results)
    return replace(results[0] if len(results) == 1 else merged(results), missing=missing)


def stream(
    game: str, *, cancel: Cancel | None = None, **asked: Unpack[Keywords]
) -> Generator[Event, None, None]:
    """Does what `generate` does and reports as it goes: `Progress` events, and a `Result` as each run ends.

    With a `count` of None it goes on for ever. At most a few levels are made ahead of those that were told.
    Ctrl-C raises KeyboardInterrupt; `cancel` is asked between any two levels, and ends the iterator.
    """
    request = Request(game, **asked)
    runs = runs_of(request)
    check_cancel(cancel)
    return follow(runs, request.workers, cancel, request.unlike)


def endless(game: str, *, cancel: Cancel | None = None, **asked: Unpack[Keywords]) -> Iterator[Level]:
    """Returns an iterator over levels, without end.

    A run that makes no level is passed over; a hundred of them in a row raise MissingLevelsError. Ctrl-C
    raises KeyboardInterrupt; only `cancel` ends the iterator.

    >>> from itertools import islice
    >>> [level.size for level in islice(endless("orchard", size=(4, 5), seed=1), 3)]
    [(4, 5), (4, 5), (4, 5)]
    """
    if asked.get("count") is not None:
        raise LevelsmithError(
            f"{option('count')} has no meaning without an end; leave it out, or take `stream`"
        )
    asked["count"] = None
    return _levels(stream(game, cancel=cancel, **asked))


def _levels(events: Generator[Event, None, None]) -> Iterator[Level]:
    with closing(events):  # at Ctrl-C too, wherever it comes: its workers have ended when it is raised
        for event in events:
            if isinstance(event, Result):
                yield from event.levels


def runs_of(request: Request) -> Runs:
    """Returns the runs that were asked for: of one task, or from easy to hard, a task for each step."""
    count = None if request.count is None else whole_number(request.count, "a count", 1, " levels")
    skip, ramp = whole_number(request.skip, "to skip", 0, " runs"), request.ramp
    if request.within is not None:
        check_seconds(request.within, "a time limit")
    check_workers(request.workers)
    check_levels(request.unlike)
    game = games.get(request.game)
    if ramp is not None:
        request = request.but(want=_with_end(game, ramp, request.want or {}, request.preset))
    task = plan(request)
    if count is not None and count > MOST_RUNS and not task.batches:  # a result for each is kept
        raise LevelsmithError(
            f"expected at most {MOST_RUNS:,} levels at a time of {task.search}, which makes each alone, "
            f"got {count:,}; {option('skip', MOST_RUNS)} goes on behind them"
        )
    if ramp is None:
        return Runs((Step(task, skip, count),), request.within)
    want = next((want for want in task.wants if want.metric == metric_called(game, ramp)), None)
    if want is None or want.high == inf or count is None:
        raise LevelsmithError(f"expected a count and a range of {ramp} such as 8..30 to go from easy to hard")
    most = count if count <= A_STEP_EACH else RAMP_STEPS
    steps = max(1, min(most, int(want.high - want.low)))
    ramped = []
    for step in range(steps):
        begin, end = count * step // steps, count * (step + 1) // steps
        asked = {**(request.want or {}), want.metric: want.step(step, steps)}
        stepped = plan(request.but(want=asked, seed=task.seed))
        ramped.append(Step(stepped, skip + begin, end - begin))
    return Runs(tuple(ramped), request.within)


def _with_end(game: Game, ramp: str, want: Mapping[str, Any], preset: str | None) -> dict[str, Any]:
    """Returns the ranges with that of a ramp as the game has it, where neither they nor a preset have one."""
    metric = metric_called(game, ramp)
    also = presets.load(preset).choices(game.name).get("want", {}) if preset else {}
    named = [metric_called(game, name) for name in [*want, *also]]
    if metric is None or metric in named or metric not in game.usual:
        return dict(want)
    return {**want, metric: game.usual[metric]}
