"""No level twice: one that repeats another, turned and mirrored or not, is made anew from the next random
numbers of the same run, so that other runs stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from levelsmith.contracts import Maker
from levelsmith.core import REPEATS, Batch, Cancel, Level, Result, joined
from levelsmith.making.run import maker_of
from levelsmith.making.task import Task

LITTLE = 0.1  # seconds left of a run for which it is not begun anew
MOST_IN_BATCHES = 100  # times that a level which repeats another one is made anew before it is given up
MOST_ALONE = 20  # the same, of levels that are made one by one
GIVEN_UP = "every level that was made repeats an earlier one"


def distinct(task: Task, maker: Maker, batch: Batch, seen: set[int], cancel: Cancel) -> Batch:
    """Replaces every level that repeats one, or leaves it out where that fails; adds the others to `seen`."""
    parts, begin = [], 0
    for i, key in enumerate(batch.keys.tolist()):
        if key not in seen:
            seen.add(key)
            continue
        parts += [batch.part(begin, i), _made_anew(task, maker, batch.part(i, i + 1), seen, cancel)]
        begin = i + 1
    return joined([*parts, batch.part(begin, len(batch))]) if parts else batch


def _made_anew(task: Task, maker: Maker, repeated: Batch, seen: set[int], cancel: Cancel) -> Batch:
    runs = repeated.runs.tolist()
    for again in range(1, MOST_IN_BATCHES + 1):
        if cancel():
            break
        for made in maker.make(runs, task.seeds(runs, again), task.budget.evaluations, never):
            if isinstance(made, Batch) and len(made) and int(made.keys[0]) not in seen:
                seen.add(int(made.keys[0]))
                return made
    return repeated.part(0, 0)


def never() -> bool:
    return False


class Apart:
    """Keeps the levels of runs apart that are done one by one.

    Args:
        seen: the keys of levels not to make again; those of levels that are handed out are added.
    """

    def __init__(self, seen: set[int]):
        self.seen = seen
        self.earlier: list[Level] = []  # for makers that tell levels apart by more than their keys

    def told(self, task: Task, maker: Any, runs: Sequence[int], result: Result, cancel: Cancel) -> Result:
        """Returns the result of a run without levels that repeat others; where none is left, that of the run
        made anew from its next numbers, as often as need be, in what is left of its seconds.

        Where nothing new comes, the result has no levels, and says why.
        """
        kept, again = self._fresh(maker, result), 0
        while result.levels and not kept and again < MOST_ALONE and not cancel():
            left = task.budget.seconds
            if left is not None and left - result.seconds < LITTLE:
                break
            again += 1
            result = self._anew(task, maker, runs, result, again, cancel)
            kept = self._fresh(maker, result)
        if result.levels and not kept:
            result = replace(result, levels=(), solved=False, stopped="exhausted", missed=GIVEN_UP)
        elif len(kept) < len(result.levels):
            best = max(kept, key=lambda level: float(level.provenance["score"]))
            result = replace(result, best=best, levels=kept)
        self.seen |= maker.known(kept)
        if maker.compares:
            self.earlier += kept
        return replace(result, statistics={**result.statistics, REPEATS: again}) if again else result

    def _fresh(self, maker: Any, result: Result) -> tuple[Level, ...]:
        """Returns the levels of a result that repeat no earlier one."""
        fresh = [level for level in result.levels if maker.known([level]).isdisjoint(self.seen)]
        if maker.compares:
            fresh = [level for level in fresh if not maker.repeats(level, self.earlier)]
        return tuple(fresh)

    def _anew(
        self, task: Task, maker: Any, runs: Sequence[int], last: Result, again: int, cancel: Cancel
    ) -> Result:
        """Returns the result of a run made anew, with what was spent on it before."""
        budget = task.budget
        if budget.seconds is not None:
            task = replace(task, budget=replace(budget, seconds=budget.seconds - last.seconds))
        if maker.compares:
            task = replace(task, unlike=(*task.unlike, *self.earlier))
        made = maker if task.budget == budget and not maker.compares else maker_of(task)
        for event in made.make(runs, task.seeds(runs, again), budget.evaluations, cancel):
            if isinstance(event, Result):
                spent, seconds = last.evaluations + event.evaluations, last.seconds + event.seconds
                return replace(event, evaluations=spent, seconds=seconds)
        raise AssertionError("a run ends with its result")
