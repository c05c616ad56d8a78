"""Does the runs of an experiment that are missing in its file, whoever does them, whatever dies meanwhile."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack

from levelsmith.errors import LevelsmithError, listed, quoted
from levelsmith.experiment import models
from levelsmith.experiment.damage import damage_explained
from levelsmith.experiment.executors import RunExecutor, check, executor_for
from levelsmith.experiment.results import Place, Results
from levelsmith.experiment.spec import Run, Spec, read
from levelsmith.experiment.store import Store, meta_of
from levelsmith.experiment.work import RunJob, WorkDone
from levelsmith.making.interrupts import interruptible, interruption
from levelsmith.request import Keywords

CHUNK_SECONDS = 0.5  # of work in one job: short runs go together, or handing them out would cost too much
LONGEST_CHUNK = 1000  # runs
AHEAD = 2  # jobs handed out for each that is being done
TICK_SECONDS = 0.2
COMPILE_SECONDS = 20.0  # how long runs wait for the first of their kin, which may have to compile
TRIES = 3  # times that a run is done again among others after a death; then once more alone


@dataclass(frozen=True)
class Standing:
    """How far an experiment is, of what was asked for this time."""

    done: int
    asked: int
    failures: Mapping[str, str] = field(default_factory=dict)  # why, by the run's name
    cancelled: bool = False
    doing: str = ""  # before the runs, where models are trained for them
    place: Place | None = None  # where the runs are

    @property
    def results(self) -> Results:
        """The runs that are there, in columns."""
        if self.place is None:
            raise LevelsmithError("these runs are in no file; levelsmith.experiment.run puts them into one")
        return Results(self.place)


class Choices(Keywords, total=False):
    """What may be chosen for the runs of an experiment, as `follow` has it."""

    only: Sequence[str]
    shard: str | None
    executor: str | Executor | None
    timeout: float | None
    runs: int | None
    quick: bool


Source = str | Path | Spec | Mapping[str, Any]


def run(spec: Source, path: str | Path | None = None, **choices: Unpack[Choices]) -> Standing:
    """Does what is missing in the file, and says how far it is.

    Ctrl-C keeps what is done and raises KeyboardInterrupt, with how far it is as its `result`. Without a path
    the runs go into a file that is there as long as what is returned, or its `results`. Takes what `follow`
    and, where the experiment is no `Spec` yet, what `read` takes.
    """
    place = Place.temporary() if path is None else Place.of(path)
    with interruptible() as interrupted:
        *_, last = follow(spec, place.path if path is None else path, cancel=interrupted, **choices)
        last = replace(last, place=place)
        if interrupted():
            raise interruption(last)
    return last


def follow(
    spec: Source,
    path: str | Path,
    *,
    only: Sequence[str] = (),
    shard: str | None = None,
    executor: str | Executor | None = None,
    timeout: float | None = None,
    cancel: Callable[[], bool] | None = None,
    runs: int | None = None,
    quick: bool = False,
    **asked: Unpack[Keywords],
) -> Iterator[Standing]:
    """Does what is missing in the file, and tells again and again how far it is.

    Args:
        spec: the name of a preset, a file that ends in `.toml`, its tables, or what `read` made of one.
        path: the file; one that is there is gone on with.
        only: parts, searches or cells (PART/SEARCH, PART/CELL) to do, and no others.
        shard: `i/n` for the i-th of n equal shares, each with a file of its own; `merge` joins them.
        executor: `dask://HOST:PORT`, or any `concurrent.futures.Executor` in place of processes.
        timeout: seconds after which a run is given up.
        cancel: asked again and again; True stops, and what is done is kept.
        runs, quick: as in `read`.
        asked: evaluations, seconds and seed as in `read`; and workers, the processes, all cores by default.
    """
    workers: Any = asked.pop("workers", None)
    workers = os.cpu_count() or 1 if workers is None else workers
    spec = _read(spec, runs=runs, quick=quick, **asked)
    cancel = cancel or (lambda: False)
    check(executor, workers, timeout)
    chosen = spec.chosen([only] if isinstance(only, str) else only)
    share = parse_shard(shard)
    with Store(path, meta_of(spec)) as store:
        with damage_explained(path):
            counts = store.ask(spec, chosen, shard or "")
            there = store.done()
        mine = [run for run in _runs(chosen, counts) if sum(run) % share[1] == share[0]]
        missing = [run for run in mine if run not in there]
        before = len(mine) - len(missing)
        yield Standing(before, len(mine))
        if not missing:
            return
        needed = models.models_of(spec, missing)
        for doing in models.train_missing(needed, cancel, workers if executor is None else 1):
            yield Standing(before, len(mine), doing=doing)
        if cancel():
            yield Standing(before, len(mine), cancelled=True)
            return
        store.note_models(models.described(needed))
        tasks = [spec.cells[i].tasks[0] for i in chosen]
        team = executor_for(executor, workers, timeout, cancel, tasks)
        try:
            work = _PendingRuns(spec, store, team, missing, cancel)
            for _ in work.follow():
                yield Standing(before + work.done, len(mine), work.failures)
            cut = cancel() and work.done < len(missing)
            yield Standing(before + work.done, len(mine), work.failures, cut)
        finally:
            team.close()


def _read(spec: Source, **asked: Any) -> Spec:
    """Returns the experiment; one that is read already takes no other settings."""
    if not isinstance(spec, Spec):
        return read(spec, **asked)
    given = [name for name, value in asked.items() if value is not None and value is not False]
    if given:
        raise LevelsmithError(f"{listed(given)} belongs to experiment.read, which has made this Spec already")
    return spec


def parse_shard(text: str | None) -> tuple[int, int]:
    """Returns which share, from 0, and of how many."""
    first, slash, count = str(text or "1/1").partition("/")
    if not (slash and first.isdecimal() and count.isdecimal() and 1 <= int(first) <= int(count)):
        raise LevelsmithError(f"expected a shard such as 2/8, the second of eight, got {quoted(text)}")
    return int(first) - 1, int(count)


def _runs(chosen: Sequence[int], counts: Mapping[int, int]) -> Iterator[Run]:
    """Yields run 0 of every cell, then run 1 of each: what is done when it ends is spread evenly.

    Every second time the last cell comes first, so that none is always timed after another.
    """
    for number in range(max(counts[i] for i in chosen)):
        yield from (Run(i, number) for i in chosen[:: 1 - 2 * (number % 2)] if number < counts[i])


class _PendingRuns:
    """The runs that are handed out, those that wait, and those that were lost with a worker."""

    def __init__(
        self, spec: Spec, store: Store, team: RunExecutor, missing: list[Run], cancel: Callable[[], bool]
    ):
        self.spec, self.store, self.team, self.cancel = spec, store, team, cancel
        firsts = {self._kin(run): run for run in reversed(missing)}
        self.firsts = set(firsts.values())  # they compile for others of their kin, which wait for them
        self.compiling: dict[tuple[object, ...], float] = {}  # by kin: until when the others wait
        self.fresh = [run for run in reversed(missing) if run not in self.firsts] + [*firsts.values()]
        self.lost: list[Run] = []  # to be done again, each as a job of its own
        self.alone: list[Run] = []  # lost again and again: done when nothing else is, to see who is to blame
        self.strikes: dict[Run, int] = {}
        self.waiting: dict[Future[WorkDone], dict[str, Run]] = {}
        self.taken: dict[int, float] = {}  # by cell: about how many seconds a run takes
        self.failures: dict[str, str] = {}
        self.done = 0

    def follow(self) -> Iterator[None]:
        """Does everything, and comes back again and again to be asked how far it is."""
        stopping = False
        while True:
            if self.cancel() and not stopping:
                stopping = True
                self.team.stop()
                self.waiting = {f: runs for f, runs in self.waiting.items() if not f.cancel()}
            self.team.check()
            if not stopping:
                self._hand_out()
            if not self.waiting:
                return
            finished, _ = wait(self.waiting, timeout=TICK_SECONDS, return_when=FIRST_COMPLETED)
            kept = [self._take(future) for future in finished]
            if not all(kept):
                self._recover()
            yield

    def _hand_out(self) -> None:
        while len(self.waiting) < AHEAD * self.team.slots and not self.cancel():
            runs = self._next()
            if not runs:
                return
            jobs = {self.spec.cells[i].id(k): Run(i, k) for i, k in runs}
            told = [
                RunJob(id, self.spec.cells[run.cell].task(run.number), self.spec.metrics)
                for id, run in jobs.items()
            ]
            try:
                self.waiting[self.team.submit(told)] = jobs
            except self.team.deaths:
                self.fresh += runs[::-1]
                self._recover()

    def _next(self) -> list[Run]:
        """Returns what one job does: a run that was lost, or as many others as fit the time of a job.

        Runs that are timed against each other stay together, however long they take.
        """
        if self.lost:
            return [self.lost.pop()]
        if not self.fresh and self.alone and not self.waiting:
            return [self.alone.pop()]
        chunk: list[Run] = []
        seconds = 0.0
        while self.fresh and len(chunk) < LONGEST_CHUNK:
            run = self.fresh[-1]
            if run in self.firsts:
                self.compiling[self._kin(run)] = time.monotonic() + COMPILE_SECONDS
            elif time.monotonic() < self.compiling.get(self._kin(run), 0.0):
                break
            seconds += self.taken.get(run.cell, CHUNK_SECONDS)
            if chunk and seconds > CHUNK_SECONDS and not self._timed_together(chunk[-1], run):
                break
            chunk.append(self.fresh.pop())
        return chunk

    def _timed_together(self, one: Run, other: Run) -> bool:
        first, second = self.spec.cells[one.cell], self.spec.cells[other.cell]
        return first.timed and first.part == second.part and one.number == other.number

    def _take(self, future: Future[WorkDone]) -> bool:
        """Keeps what came of a job; False where its worker died with it."""
        try:
            told = future.result()
        except self.team.deaths:
            return False
        runs = self.waiting.pop(future)
        self.store.add(self.spec, told, runs)
        self.done += len(told.rows)
        for run in runs.values():
            self.compiling.pop(self._kin(run), None)
        for row in told.rows:
            cell = runs[row.id].cell
            self.taken[cell] = (self.taken.get(cell, row.taken) + row.taken) / 2
        self.failures |= {self._name(runs[id]): why for id, why in told.failures.items()}
        return True

    def _recover(self) -> None:
        """Asks again for what a dead worker has lost: any of these runs may be the one that killed it."""
        self.team.renew()
        dead = [future for future in list(self.waiting) if future.done() and not self._take(future)]
        for run in [run for future in dead for run in self.waiting.pop(future).values()]:
            self.compiling.pop(self._kin(run), None)
            self.strikes[run] = self.strikes.get(run, 0) + 1
            if self.strikes[run] > TRIES:
                self.failures[self._name(run)] = "its worker died each time (killed, or out of memory?)"
            else:
                (self.alone if self.strikes[run] == TRIES else self.lost).append(run)

    def _kin(self, run: Run) -> tuple[object, ...]:
        return self.spec.cells[run.cell].kin

    def _name(self, run: Run) -> str:
        cell = self.spec.cells[run.cell]
        return f"{cell.part}/{cell.name} run {run.number}"
