"""The one path from runs to levels, for whoever wants them: in order, the same for any number of workers."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from levelsmith import processes
from levelsmith.contracts import Maker
from levelsmith.core import NOT_WON, Batch, Cancel, Event, Level, Made, Progress, Result
from levelsmith.errors import MissingLevelsError
from levelsmith.kernels.compile import clock
from levelsmith.making.apart import LITTLE, Apart, distinct, never
from levelsmith.making.outcome import levels_of, shortfall
from levelsmith.making.run import maker_of
from levelsmith.making.runs import Chunk, Runs, as_one_run, check_portable
from levelsmith.making.task import Task

START_SECONDS = 3.0  # of work left that other processes are started for
EVENT_SECONDS = 0.1  # between two events of progress that a worker reports
MOST_IDLE = 100  # runs in a row without a level, after which an endless stream is given up
MOST_BEGUN = 4  # chunks for each worker that are begun before the results of earlier ones are told


def follow(
    runs: Runs, workers: int = 1, cancel: Cancel | None = None, unlike: Sequence[Level] = ()
) -> Generator[Event, None, None]:
    """Does the runs: yields their progress, and a result as each ends.

    A run that made no level has no result where levels come in batches, else one without levels.

    Args:
        unlike: levels not to make again, in any orientation.
    """
    seen = maker_of(runs.task).known(unlike) if unlike else set()
    return _events(runs, workers, cancel, seen)


def _events(runs: Runs, workers: int, cancel: Cancel | None, seen: set[int]) -> Generator[Event, None, None]:
    begun = time.perf_counter()
    for task, made in flow(runs, workers, cancel, seen):
        if not isinstance(made, Batch):
            yield made
            continue
        now = time.perf_counter()
        if len(made):
            yield Progress(int(made.runs[-1]), int(made.evaluations.sum()), now - begun, 1.0, None)
        for i, level in enumerate(levels_of(task, made)):
            spent = level.provenance["evaluations"]
            thrown = 0 if made.not_won is None else int(made.not_won[i])
            told = {NOT_WON: thrown} if thrown else {}
            seconds = (now - begun) / len(made)
            yield Result(level, (level,), 1.0, True, "solved", spent, seconds, statistics=told)
        begun = time.perf_counter()


def flow(
    runs: Runs, workers: int = 1, cancel: Cancel | None = None, seen: set[int] | None = None
) -> Iterator[tuple[Task, Made]]:
    """Does the runs: yields what their makers do, each with its task, results and batches in order.

    Run k of a seed has random numbers of its own. Where a level repeats an earlier one, or one in `seen`, it
    is made anew from the next numbers of the same run: other runs stay as they are. `seen` is added to. Where
    there is no end, that no level comes any more is an error.
    """
    seen = set() if seen is None else seen
    if runs.task.device != "cpu" or (runs.count == 1 and runs.task.trees == 1):
        workers = 1
    if workers > 1:
        check_portable(runs.task)
    makers = Makers()
    groups = runs.chunks(workers, lambda task: makers.of(task).chunk)
    deadline = Deadline(runs.within, cancel or never)
    cancel = deadline.cancel
    trees: list[Result] = []  # of the run that is not yet over
    apart = Apart(seen)
    idle = 0  # runs since the last level
    task = runs.task
    for chunk, made, cut_short in chain.from_iterable(
        _done(runs, chunks, workers, cancel, makers) for chunks in groups
    ):
        task = chunk.task
        if isinstance(made, Batch):
            made = distinct(task, makers.of(task), made, seen, cancel)
            idle = 0 if len(made) else idle + len(chunk.runs)
            yield task, made
        elif isinstance(made, Progress):
            yield task, made
        else:
            trees.append(replace(made, stopped="seconds") if deadline.is_over(made) else made)
            if chunk.last:
                run = as_one_run(trees, task.keep_most)
                if task.tells_apart:
                    run = apart.told(task, makers.of(task), chunk.runs, run, cancel)
                idle = 0 if run.levels else idle + 1
                yield task, run
                trees = []
        if cut_short:
            break
        if runs.count is None and idle >= MOST_IDLE:
            raise MissingLevelsError(shortfall(task, idle, idle))
    if trees:
        yield task, as_one_run(trees, task.keep_most)


class Deadline:
    """The time for all runs together: it begins with the first look."""

    def __init__(self, seconds: float | None, cancel: Cancel):
        self.seconds, self.asked, self.begun = seconds, cancel, 0.0
        self.over = False

    def cancel(self) -> bool:
        """Tells whether all shall stop: somebody said so, or the time is over."""
        self.begun = self.begun or clock()
        self.over = self.over or (self.seconds is not None and clock() - self.begun >= self.seconds)
        return self.over or self.asked()

    def is_over(self, made: Result) -> bool:
        """Tells whether it was the deadline that stopped a run."""
        return self.over and made.stopped == "cancelled"


class Makers:
    """Keeps the maker of the last task: to set one up takes a while."""

    def __init__(self) -> None:
        self.task: Task | None = None

    def of(self, task: Task) -> Maker:
        if self.task is not task and self.task != task:
            self.task, self.maker = task, maker_of(task)
        return self.maker


Done = tuple[Chunk, Made, bool]  # whether all ends with it, as it was cut short


def _done(
    runs: Runs, chunks: Iterator[Chunk], workers: int, cancel: Cancel, makers: Makers
) -> Iterator[Done]:
    """Does the chunks in their order: here first, then in processes, once it pays to start them."""
    begun, ended = 0.0, 0

    def pays() -> bool:
        taken = time.perf_counter() - begun
        if workers == 1 or not ended:
            return workers > 1 and taken > processes.SOON
        return runs.count is None or taken / ended * (runs.count - ended) > START_SECONDS

    for chunk in chunks:
        for made in _made(chunk, makers, cancel):
            cancelled = isinstance(made, Result) and made.stopped == "cancelled"
            yield chunk, made, cancelled or (not isinstance(made, Progress) and cancel())
            begun = begun or time.perf_counter()
            if isinstance(made, Progress) and pays():  # the run that has begun is done again
                again = _in_less(time.perf_counter() - begun, chunk, chunks)
                yield from processes.spread(_work, again, workers, cancel, MOST_BEGUN)
                return
        ended += len(chunk.runs) if chunk.last else 0
        if pays():
            yield from processes.spread(_work, chunks, workers, cancel, MOST_BEGUN)
            return


def _in_less(seconds: float, begun: Chunk, others: Iterator[Chunk]) -> Iterator[Chunk]:
    """Yields a chunk that had begun and those after it; those of its run have so many seconds less."""
    for chunk in chain([begun], others):
        budget = chunk.task.budget
        if chunk.runs == begun.runs and budget.seconds is not None:
            budget = replace(budget, seconds=max(LITTLE, budget.seconds - seconds))
            chunk = chunk._replace(task=replace(chunk.task, budget=budget))
        yield chunk


_makers = Makers()  # of a worker


def _work(chunk: Chunk) -> Done:
    """Does a chunk in a worker process; its progress is reported now and then."""
    last = 0.0
    for made in _made(chunk, _makers, processes.stopped):
        if not isinstance(made, Progress):
            return chunk, made, isinstance(made, Batch) and processes.stopped()
        if time.monotonic() - last >= EVENT_SECONDS:
            last = time.monotonic()
            processes.report((chunk, made, False))
    raise AssertionError("a chunk ends with what it made")


def _made(chunk: Chunk, makers: Makers, cancel: Cancel) -> Iterator[Made]:
    task = chunk.task
    return makers.of(task).make(chunk.runs, task.seeds(chunk.runs), task.budget.evaluations, cancel)
