"""Files of the same experiment joined into one: shards of a job array, or what several machines have done."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.experiment.damage import check_whole
from levelsmith.experiment.store import Reader, Store, check_same, plain_errors

CELLS = """INSERT INTO cells SELECT * FROM other.cells WHERE true
ON CONFLICT (id) DO UPDATE SET runs = max(runs, excluded.runs)"""
MACHINES = "INSERT OR IGNORE INTO machines (description) SELECT description FROM other.machines"
RUNS = """INSERT OR IGNORE INTO runs
SELECT r.id, cell, number, seed, turn, solved, score, stopped, evaluations, seconds, statistics, history,
  mine.id, ended
FROM other.runs AS r JOIN other.machines AS theirs ON theirs.id = r.machine
JOIN machines AS mine ON mine.description = theirs.description"""
LEVELS = "INSERT OR IGNORE INTO levels SELECT * FROM other.levels"
UNLIKE = """SELECT cells.part || '/' || cells.name || ' run ' || r.number FROM other.runs AS r
JOIN runs USING (id) JOIN cells ON cells.id = r.cell
WHERE json_extract(cells.setting, '$.seconds') IS NULL
  AND (runs.score, runs.evaluations, runs.solved) IS NOT (r.score, r.evaluations, r.solved) LIMIT 1"""


def merge(output: str | Path, files: Sequence[str | Path]) -> tuple[int, int]:
    """Adds the runs of files to `output`, and says how many were new and how many it has now."""
    if not isinstance(files, list | tuple) or not files:
        raise LevelsmithError(f"expected a list of files of runs to join, got {quoted(files)}")
    if any(
        os.path.exists(output) and os.path.samefile(output, file) for file in files if os.path.exists(file)
    ):
        raise LevelsmithError(f"{output} cannot be joined to itself: name a file of its own to write")
    metas = []
    for file in files:
        check_whole(file)
        with Reader(file) as reader:
            metas.append(reader.meta)
            if not reader.address:
                raise LevelsmithError(
                    f"{file} is a table of rows, which no run can go on from: expected a file that "
                    "levelsmith experiment run wrote"
                )
        check_same(str(file), metas[-1], metas[0])
    with Store(output, metas[0] | {"shard": ""}) as store:
        before = _count(store)
        for file in files:
            with Reader(file) as reader:
                _add(store, reader)
        return _count(store) - before, _count(store)


def _add(store: Store, reader: Reader) -> None:
    with plain_errors(reader.path):
        store.connection.execute("ATTACH ? AS other", (reader.address,))
    try:
        with store.transaction() as connection:
            unlike = connection.execute(UNLIKE).fetchone()
            if unlike is not None:
                raise LevelsmithError(
                    f"{reader.path} has another result of {unlike[0]} than the others: it is left out"
                )
            for statement in (CELLS, MACHINES, RUNS, LEVELS):
                connection.execute(statement)
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('shard', '')")
    finally:
        store.connection.execute("DETACH other")


def _count(store: Store) -> int:
    with plain_errors(store.path):
        return int(store.connection.execute("SELECT count(*) FROM runs").fetchone()[0])
