"""Levels by the thousand into a folder: begun, stopped and gone on with at any time, to the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from levelsmith.core import Level
from levelsmith.levels.pack import Pack
from levelsmith.making.flow import Cancel, Stretch, flow
from levelsmith.registry import games


def write_pack(
    rows: Sequence[Stretch],
    folder: str,
    workers: int = 1,
    cancel: Cancel | None = None,
    unlike: Sequence[Level] = (),
) -> Iterator[int]:
    """Writes the levels of stretches, and tells again and again how many there are."""
    task = rows[0].task
    maker = task.maker()
    seen = maker.known(unlike)
    pack = Pack(folder, games.get(task.game), _origin(rows, seen))
    made = 0
    for levels in pack.there():
        seen |= maker.known(levels)
        made += len(levels)
    try:
        for row in rows:
            left = _left(row, pack.next_run)
            if left.length == 0:
                continue
            for batch, whole in flow(left, workers, cancel, seen):
                pack.add(batch)
                made += len(batch)
                yield made
                if not whole:
                    return
    finally:
        pack.close()
    yield made


def _left(row: Stretch, next_run: int | None) -> Stretch:
    """What of a stretch is not made yet."""
    done = 0 if next_run is None else min(max(0, next_run - row.first), row.length or 0)
    return row._replace(first=row.first + done, length=(row.length or 0) - done)


def _origin(rows: Sequence[Stretch], unlike: set[int]) -> dict[str, Any]:
    """Everything that decides about the levels; how many there are does so only on a ramp."""
    task = rows[0].task
    told = {name: value for name, value in task.provenance().items() if name != "run"}
    told |= {"evaluations": task.budget.evaluations, "skip": rows[0].first}
    if len(rows) > 1:
        told["ramp"] = [[row.length, {want.metric: want.range for want in row.task.wants}] for row in rows]
    if unlike:
        told["unlike"] = hashlib.sha256(repr(sorted(unlike)).encode()).hexdigest()[:16]
    return told
