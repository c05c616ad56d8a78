"""Which runs are asked for, the chunks that they are cut into, and what comes of these joined again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, groupby
from typing import Any, NamedTuple

from levelsmith.core import NOT_WON, REPEATS, Level, Result
from levelsmith.errors import LevelsmithError
from levelsmith.making.task import Task
from levelsmith.registry import ALL, games


class Chunk(NamedTuple):
    """Runs that one process does in one go: a chunk of them, or one run, or one tree of it."""

    task: Task
    runs: range
    last: bool = True  # False for each tree of a run but its last


class Step(NamedTuple):
    """Runs of one task, one after the other."""

    task: Task
    first: int
    length: int | None  # None for no end

    def chunks(self, most: int) -> Iterator[Chunk]:
        """Cuts the runs into chunks: the first of one run, each twice as long as the last, up to a most."""
        first, chunk = self.first, 1
        while self.length is None or first < self.first + self.length:
            end = first + chunk if self.length is None else min(first + chunk, self.first + self.length)
            yield Chunk(self.task, range(first, end))
            first, chunk = end, min(most, 2 * chunk)

    def trees(self, workers: int) -> Iterator[Chunk]:
        """Cuts the runs into their trees, each with its share of the budget."""
        endless = self.length is None
        for run in count(self.first) if endless else range(self.first, self.first + (self.length or 0)):
            shares = _shares(self.task, workers)
            for i, share in enumerate(shares, 1):
                yield Chunk(share, range(run, run + 1), i == len(shares))


@dataclass(frozen=True)
class Runs:
    """What was asked for: runs of a task, or on a ramp of a task for each step."""

    steps: tuple[Step, ...]
    within: float | None = None  # seconds for all of them together

    @classmethod
    def of(cls, task: Task, first: int = 0, length: int | None = 1) -> Runs:
        return cls((Step(task, first, length),))

    @property
    def task(self) -> Task:
        """The task of the first step."""
        return self.steps[0].task

    @property
    def first(self) -> int:
        return self.steps[0].first

    @property
    def count(self) -> int | None:
        """How many runs there are; None for no end."""
        if any(step.length is None for step in self.steps):
            return None
        return sum(step.length or 0 for step in self.steps)

    def rest(self, next_run: int) -> Runs:
        """Returns what is left once all runs before `next_run` are done."""
        steps = []
        for step in self.steps:
            done = max(0, next_run - step.first)
            if step.length is None or done < step.length:
                length = None if step.length is None else step.length - done
                steps.append(step._replace(first=step.first + done, length=length))
        return replace(self, steps=tuple(steps))

    def again(self, made: Collection[int], times: int) -> Runs:
        """Returns a new run in place of each that made no level, as often as that was tried before.

        Run k of n is followed by k + n, k + 2n, …: random numbers of its own, and on a ramp the same step.

        Args:
            made: the runs that made a level, first ones or later.
        """
        n = self.count or 0
        full = {(run - self.first) % n for run in made}
        steps = (
            Step(step.task, run + times * n, 1)
            for step in self.steps
            for run in range(step.first, step.first + (step.length or 0))
            if run - self.first not in full
        )
        return replace(self, steps=tuple(steps))

    def chunks(self, workers: int, most: Callable[[Task], int]) -> Iterator[Iterator[Chunk]]:
        """Cuts the runs into chunks; yields groups of those that may be done at the same time.

        Args:
            most: returns how many runs of a task are made in one go at most.
        """
        for chunked, steps in groupby(self.steps, lambda step: step.task.batches):
            if chunked:
                yield from (step.chunks(most(step.task)) for step in steps)
            else:
                yield (chunk for step in steps for chunk in step.trees(workers))


def check_portable(task: Task) -> None:
    """Refuses a task with a part that was registered by hand: that exists in this process only."""
    for kind, name in (
        ("games", task.game),
        ("searches" if task.representation else "generators", task.search),
        ("representations", task.representation),
    ):
        if name is not None and not ALL[kind].portable(name):
            raise LevelsmithError(
                f"{name} is registered in this process only, so other processes cannot run it; "
                "take one worker, or give it an entry point"
            )


def _shares(task: Task, workers: int) -> list[Task]:
    """Returns a run as its trees, with equal shares of the evaluations and of the workers' seconds."""
    n, budget = task.trees, task.budget
    if n == 1 or task.device == "cuda":
        return [task]
    seconds = None if budget.seconds is None else budget.seconds * min(workers, n) / n
    if budget.evaluations is not None and budget.evaluations < n:
        n = budget.evaluations
    counts = [None if budget.evaluations is None else (budget.evaluations + i) // n for i in range(n)]
    return [
        replace(task, tree=i, budget=replace(budget, evaluations=counts[i], seconds=seconds))
        for i in range(n)
    ]


def as_one_run(trees: Sequence[Result], most: int) -> Result:
    """Returns the best of the trees as the result of their run; its history goes on from tree to tree.

    Args:
        most: levels to keep of all trees together.
    """
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
    apart: dict[bytes, Level] = {}
    for level in sorted(levels, key=lambda level: -float(level.provenance["score"])):
        apart.setdefault(games.get(level.game).canonical(level.grid), level)
    return replace(
        best,
        levels=tuple(apart.values())[:most] if any(len(tree.levels) > 1 for tree in trees) else best.levels,
        stopped=best.stopped if best.stopped in ("solved", "score") else trees[-1].stopped,
        evaluations=evaluations,
        seconds=seconds,
        history=tuple(history),
        statistics=_summed([tree.statistics for tree in trees]),
    )


def _later(level: Level, before: int) -> Level:
    """Returns a level of a tree that began after so many evaluations of others."""
    after = level.provenance.get("evaluations")
    told = {} if after is None else {"evaluations": before + after}
    return replace(level, provenance={**level.provenance, **told})


def _summed(many: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts are added up; of depths the one of the deepest, or of the first, is kept."""
    return {
        name: max(each[name] for each in many) if "depth" in name else sum(each[name] for each in many)
        for name in many[0]
        if all(name in each for each in many)
    }


def merged(results: Sequence[Result]) -> Result:
    """Returns many runs as one result: all their levels in order, the best of them, sums of what was
    spent."""
    best = max(results, key=lambda result: result.score)
    counts = {
        name: sum(int(result.statistics.get(name, 0)) for result in results) for name in (NOT_WON, REPEATS)
    }
    return Result(
        best=best.best,
        levels=tuple(level for result in results for level in result.levels),
        score=best.score,
        solved=all(result.solved for result in results),
        stopped=results[-1].stopped,
        evaluations=sum(result.evaluations for result in results),
        seconds=sum(result.seconds for result in results),
        history=best.history,
        statistics={"runs": len(results)} | {name: many for name, many in counts.items() if many},
        missed=next((result.missed for result in results if result.missed), ""),
    )
