"""Levels by the thousand into a folder: begun, stopped and gone on with at any time, to the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from levelsmith.core import Batch, Cancel, Level
from levelsmith.levels.bulk import Bulk
from levelsmith.making.flow import flow
from levelsmith.making.run import maker_of
from levelsmith.making.runs import Runs
from levelsmith.registry import games


def write_bulk(
    runs: Runs,
    folder: str,
    workers: int = 1,
    cancel: Cancel | None = None,
    unlike: Sequence[Level] = (),
) -> Iterator[int]:
    """Writes the levels of runs, and yields again and again how many there are."""
    maker = maker_of(runs.task)
    seen = maker.known(unlike)
    bulk = Bulk(folder, games.get(runs.task.game), _origin(runs, seen))
    made = 0
    try:
        for levels in bulk.there():
            seen |= maker.known(levels)
            made += len(levels)
        left = runs if bulk.next_run is None else runs.rest(bulk.next_run)
        for _, batch in flow(left, workers, cancel, seen) if left.steps else ():
            if isinstance(batch, Batch):
                bulk.add_batch(batch)
                made += len(batch)
                yield made
    finally:
        bulk.close()
    yield made


def _origin(runs: Runs, unlike: set[int]) -> dict[str, Any]:
    """Returns everything that decides about the levels; how many there are does so only on a ramp."""
    task = runs.task
    origin = {name: value for name, value in task.provenance().items() if name != "run"}
    origin |= {"evaluations": task.budget.evaluations, "skip": runs.first}
    if len(runs.steps) > 1:
        origin["ramp"] = [
            [step.length, {want.metric: want.range for want in step.task.wants}] for step in runs.steps
        ]
    if unlike:
        origin["unlike"] = hashlib.sha256(repr(sorted(unlike)).encode()).hexdigest()[:16]
    return origin
