"""The one driver of every search: `generate` for one answer, `stream` for what happens on the way."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from itertools import count as naturals
from math import inf
from typing import Any, Unpack

from levelsmith import presets
from levelsmith.contracts import Game
from levelsmith.core import Level, Progress, Result
from levelsmith.errors import LevelsmithError
from levelsmith.making.flow import Stretch, flow, levels_of
from levelsmith.making.run import Cancel, Event, follow_one
from levelsmith.making.shelf import distinct
from levelsmith.making.task import Task, plan
from levelsmith.making.wants import metric_called
from levelsmith.making.workers import follow_many
from levelsmith.numbers import check_workers, whole_number
from levelsmith.registry import games
from levelsmith.request import Keywords, Request

GROUP = 64  # runs that are begun together where there is no end of them
RAMP_STEPS = 10
MOST_RUNS = 1_000_000  # at a time, of what makes each level alone: a task for each is kept


def generate(game: str, *, cancel: Cancel | None = None, **asked: Unpack[Keywords]) -> Result:
    """Makes levels by search; Ctrl-C returns the best so far.

    Args:
        game: a name from `levelsmith list games`.
        cancel: asked again and again while levels are made; True stops.
        asked: what else is asked for, all of it optional.

            - size: (height, width), or text such as "10x8", width first.
            - objective: what to search for, one name or several that must all hold.
            - combine: how several objectives make one score, "mean" or "product".
            - representation: how the search sees the level.
            - search: the algorithm, or a generator of the game's own.
            - preset: named settings that fill in what is not given.
            - set: parameters by `name` or `owner.name`.
            - evaluations: the budget of a run; a seed and this give the same levels anywhere.
            - seconds: a time limit of a run.
            - until: a score at which to stop early.
            - seed: any whole number from 0 to 2**63 - 1; by default a fresh one, recorded in the provenance.
            - start: a level to start from instead of a random one.
            - lock: what of it must stay: names of tiles, "border", or cells as "X,Y" or "X,Y,WxH".
            - keep_above: also keep every level with at least this score, no two alike.
            - keep_most: of those, at most so many a run.
            - want: ranges that metrics must lie in, such as {"pushes": (20, 30), "box_changes": "8.."};
              levels that do not are left out of `levels`.
            - count: how many runs, each giving one level.
            - skip: leaves out that many runs of the seed before the first.
            - ramp: a metric with a range: the levels go through it from its low to its high end, in ten
              steps.
            - unlike: levels that shall not be made again, turned or mirrored or not.
            - workers: processes to spread the runs over.
            - device: "cuda" for a GPU, "auto" for a GPU where there is one.

    Returns:
        The best level and all levels in the order of their runs.
    """
    from levelsmith.making.soon import stream_soon  # which streams, too

    request = Request(game, **asked)
    with interruptible() as interrupted:
        events = stream_soon(request, lambda: interrupted() or (cancel is not None and cancel()))
        results = [event for event in events if isinstance(event, Result)]
    if not results and not interrupted():
        raise LevelsmithError("no level could be made in the budget; try other ranges or more evaluations")
    return results[0] if len(results) == 1 else merged(results)


@contextlib.contextmanager
def interruptible() -> Iterator[Cancel]:
    """Gives a `cancel` that the first Ctrl-C makes true, so that a run ends with its best so far.

    The second Ctrl-C stops at once. Only the main thread hears signals: elsewhere this does nothing.
    """
    asked = False

    def ask(number: int, frame: Any) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


def stream(game: str, *, cancel: Cancel | None = None, **asked: Unpack[Keywords]) -> Iterator[Event]:
    """Does what `generate` does, told as it happens: `Progress` events, and a `Result` as each run ends.

    With a `count` of None it goes on for ever. At most a few levels are made ahead of those that were told.
    """
    request = Request(game, **asked)
    return follow_rows(stretches(request), request.workers, cancel, request.unlike)


def endless(game: str, **asked: Unpack[Keywords]) -> Iterator[Level]:
    """Yields levels one after the other, without end; those that could not be made are passed over.

    >>> from itertools import islice
    >>> [level.size for level in islice(endless("orchard", size=(4, 5), seed=1), 3)]
    [(4, 5), (4, 5), (4, 5)]
    """
    asked["count"] = None
    for event in stream(game, **asked):
        if isinstance(event, Result):
            yield from event.levels


def stretches(request: Request) -> list[Stretch]:
    """The runs that were asked for: in one row, or from easy to hard, a row for each step of a ramp."""
    count = None if request.count is None else whole_number(request.count, "a count", 1, " levels")
    skip, ramp = whole_number(request.skip, "to skip", 0, " runs"), request.ramp
    check_workers(request.workers)
    if ramp is None:
        return [Stretch(plan(request), skip, count)]
    game = games.get(request.game)
    request = request.but(want=_with_end(game, ramp, request.want or {}, request.preset))
    task = plan(request)
    want = next((want for want in task.wants if want.metric == metric_called(game, ramp)), None)
    if want is None or want.high == inf or count is None:
        raise LevelsmithError(f"expected a count and a range of {ramp} such as 8..30 to go from easy to hard")
    steps = max(1, min(count, RAMP_STEPS, int(want.high - want.low)))
    rows = []
    for step in range(steps):
        begin, end = count * step // steps, count * (step + 1) // steps
        asked = {**(request.want or {}), want.metric: want.step(step, steps)}
        stepped = plan(request.but(want=asked, seed=task.seed))
        rows.append(Stretch(stepped, skip + begin, end - begin))
    return rows


def _with_end(game: Game, ramp: str, want: Mapping[str, Any], preset: str | None) -> dict[str, Any]:
    """The ranges with that of a ramp as the game has it, where neither they nor a preset have one."""
    metric = metric_called(game, ramp)
    named = [metric_called(game, name) for name in [*want, *_wanted_by(game, preset)]]
    if metric is None or metric in named or metric not in game.usual:
        return dict(want)
    return {**want, metric: game.usual[metric]}


def _wanted_by(game: Game, preset: str | None) -> Mapping[str, Any]:
    ranges: Mapping[str, Any] = presets.load(preset).choices(game.name).get("want", {}) if preset else {}
    return ranges


def follow_rows(
    rows: Sequence[Stretch], workers: int = 1, cancel: Cancel | None = None, unlike: Sequence[Level] = ()
) -> Iterator[Event]:
    """The events of stretches, in the way that suits what makes their levels."""
    task, first, count = rows[0]
    if task.makes_many:
        return _follow_flow(rows, workers, cancel, unlike)
    if unlike:
        raise LevelsmithError(f"{task.search} makes each level alone: it cannot tell it from others")
    if count is None:
        return chain.from_iterable(
            follow([replace(task, run=begin + i) for i in range(GROUP)], workers, cancel)
            for begin in naturals(first, GROUP)
        )
    total = sum(row.length or 0 for row in rows)
    if total > MOST_RUNS:
        raise LevelsmithError(
            f"expected at most {MOST_RUNS:,} levels at a time of {task.search}, which makes each alone, "
            f"got {total:,}; --skip {MOST_RUNS} goes on behind them"
        )
    return follow([replace(row.task, run=run) for row in rows for run in row.runs], workers, cancel)


def _follow_flow(
    rows: Sequence[Stretch], workers: int, cancel: Cancel | None, unlike: Sequence[Level]
) -> Iterator[Event]:
    """A result for each level that is made by the thousand; a run that made none has no result."""
    seen = rows[0].task.maker().known(unlike)
    for row in rows:
        begun = time.perf_counter()
        for batch, whole in flow(row, workers, cancel, seen):
            now = time.perf_counter()
            if len(batch):
                yield Progress(int(batch.runs[-1]), int(batch.evaluations.sum()), now - begun, 1.0, None)
            for level in levels_of(row.task, batch):
                spent = level.provenance["evaluations"]
                yield Result(level, (level,), 1.0, True, "solved", spent, (now - begun) / len(batch))
            begun = time.perf_counter()
            if not whole:
                return


def follow(tasks: Sequence[Task], workers: int = 1, cancel: Cancel | None = None) -> Iterator[Event]:
    """Runs tasks, in this process or spread over others; results come in the order of the tasks."""
    waiting = [task.shares(workers) for task in tasks]
    shares = [share for group in waiting for share in group]
    told: list[Result] = []
    for event in _followed(shares, workers, cancel):
        if not isinstance(event, Result):
            yield event
            continue
        told.append(event)
        if len(told) == len(waiting[0]):
            yield grown(told, waiting.pop(0)[0].keep_most)
            told = []
    if told:  # interrupted
        yield grown(told, waiting[0][0].keep_most)


def _followed(tasks: Sequence[Task], workers: int, cancel: Cancel | None) -> Iterator[Event]:
    if workers > 1 and len(tasks) > 1 and tasks[0].device == "cpu":
        yield from follow_many(tasks, workers, cancel)
        return
    for task in tasks:
        stopped = False
        for event in follow_one(task, cancel):
            yield event
            stopped = isinstance(event, Result) and event.stopped == "cancelled"
        if stopped:
            return


def grown(trees: Sequence[Result], most: int) -> Result:
    """The trees of one run as one result: the best of them, with a history that goes on from tree to tree."""
    if len(trees) == 1:
        return trees[0]
    best = max(trees, key=lambda result: result.score)
    history: list[tuple[int, float, float]] = []
    levels: list[Level] = []
    evaluations, seconds = 0, 0.0
    for tree in trees:
        for spent, taken, score in tree.history:
            if not history or score > history[-1][2]:
                history.append((evaluations + spent, seconds + taken, score))
        levels += [_later(level, evaluations) for level in tree.levels]
        evaluations, seconds = evaluations + tree.evaluations, seconds + tree.seconds
    kept = sorted(levels, key=lambda level: -_score(level))
    return replace(
        best,
        levels=distinct(tuple(kept))[:most] if any(len(tree.levels) > 1 for tree in trees) else best.levels,
        stopped=best.stopped if best.stopped in ("solved", "score") else trees[-1].stopped,
        evaluations=evaluations,
        seconds=seconds,
        history=tuple(history),
        statistics=_summed([tree.statistics for tree in trees]),
    )


def _later(level: Level, before: int) -> Level:
    """A level of a tree that began after so many evaluations of others."""
    after = level.provenance.get("evaluations")
    return (
        level
        if after is None
        else replace(level, provenance={**level.provenance, "evaluations": before + after})
    )


def _score(level: Level) -> float:
    return float(level.provenance["score"])


def _summed(many: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts are added up; of depths the one of the deepest, or of the first, is kept."""
    return {
        name: max(each[name] for each in many) if "depth" in name else sum(each[name] for each in many)
        for name in many[0]
    }


def merged(results: Sequence[Result]) -> Result:
    """Many runs as one result: all their levels in order, the best of them, sums of what was spent."""
    if not results:
        raise LevelsmithError("interrupted before the first run ended; nothing was made")
    best = max(results, key=lambda result: result.score)
    return Result(
        best=best.best,
        levels=tuple(level for result in results for level in result.levels),
        score=best.score,
        solved=all(result.solved for result in results),
        stopped=results[-1].stopped,
        evaluations=sum(result.evaluations for result in results),
        seconds=sum(result.seconds for result in results),
        history=best.history,
        statistics={"runs": len(results)},
        missed=next((result.missed for result in results if result.missed), ""),
    )
