"""Solves files of Boxoban, one after the other, and prints a table of what came of them.

    python tools/boxoban_table.py boxoban-levels -o solved

takes files and folders of `.txt` files. For each it writes a file of the same name into the folder, a line of
JSON for each level, as a dataset has them: a solution with the fewest pushes and of these with the fewest
moves, whether both are proved, the metrics, the difficulty, and a hash that levels alike up to symmetry
share. A file is written when all its levels are done, so that the command goes on where it was stopped. The
table tells how many are solved and proved, pushes and moves, and how many levels repeat one that came before,
of any file; below it stand the seconds of processor that were taken now, and the hours that all of Boxoban
takes at that rate.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from levelsmith import Level, LevelsmithError, Verdict, load, solve
from levelsmith.files import write_files
from levelsmith.levels.dataset.rows import Labels, as_jsonl
from levelsmith.levels.splits import Splits, canonical_keys
from levelsmith.registry import games

STATES = 20_000_000  # for each level; the same on any machine
ALL = 1_051_000  # levels of Boxoban
HOUR = 3600.0
Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("files", nargs="+", type=Path, help="files of Boxoban, or folders of them")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--states", type=int, default=STATES, help=f"for each level ({STATES:,})")
    given = parser.parse_args()
    try:
        made = dict(solved_files(given.files, given.output, given.workers, given.states))
    except LevelsmithError as error:
        sys.exit(f"boxoban_table: {error}")
    for line in table(given.output, made):
        print(line)


def solved_files(
    paths: Sequence[Path], folder: Path, workers: int, states: int
) -> Iterator[tuple[Path, tuple[int, float, float]]]:
    """Solves what is not solved yet; yields each file written with its levels, and with how many were solved
    now, in which seconds of the clock and of processors."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        found = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
        for file in found:
            name = "-".join(file.relative_to(path).with_suffix("").parts) if path.is_dir() else file.stem
            written = folder / f"{name}.jsonl"
            if written.exists():
                yield written, (0, 0.0, 0.0)
                continue
            begun, spent = time.perf_counter(), _processors()
            levels = load(file, game="sokoban")
            verdicts = solve(levels, seconds=None, states=states, moves=True, workers=workers)
            write_files({written: as_jsonl(rows_of(name, levels, verdicts))})
            yield written, (len(levels), time.perf_counter() - begun, _processors() - spent)


def _processors() -> float:
    return sum(os.times()[:4])


def rows_of(name: str, levels: Sequence[Level], verdicts: Sequence[Verdict]) -> list[Row]:
    """Returns a row for each level, those that nobody solved too."""
    labels = Labels(games.get("sokoban"), Splits.of({"all": 1.0}), 0)
    keys, rows = canonical_keys(levels).tolist(), []
    for number, (level, verdict, key) in enumerate(zip(levels, verdicts, keys, strict=True)):
        row: Row = {"level": level.text, "solution": None, "difficulty": None, "metrics": {}}
        if verdict.solution is not None:
            row = labels.rows([number], np.array([level.grid]), [verdict.solution], verdict.optimal)[0][0]
            row |= {"difficulty": verdict.metrics["difficulty"]}
            row["metrics"] |= {"difficulty": verdict.metrics["difficulty"]}
        told = {"id": f"{name}-{number}", "optimal": verdict.optimal, "hash": f"{key:016x}"}
        rows.append({**row, **told, "status": verdict.status, "states": verdict.statistics["states"]})
    return rows


def table(folder: Path, made: dict[Path, tuple[int, float, float]]) -> Iterator[str]:
    """Yields the table, line by line."""
    yield "| file | levels | solved | proved | pushes | most | moves | difficulty | repeats |"
    yield "|---" * 9 + "|"
    seen: set[str] = set()
    for path in made:
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        solved = [row for row in rows if row["solution"] is not None]
        new = {row["hash"] for row in rows} - seen
        middle = [
            statistics.median([row["metrics"][name] for row in solved]) if solved else 0
            for name in ("pushes", "moves", "difficulty")
        ]
        most = max((row["metrics"]["pushes"] for row in solved), default=0)
        proved = sum(row["optimal"] for row in rows)
        yield (
            f"| {path.stem} | {len(rows):,} | {len(solved):,} | {proved:,} | {middle[0]:g} | {most:g} "
            f"| {middle[1]:g} | {middle[2]:.1f} | {len(rows) - len(new):,} |"
        )
        seen |= new
    levels, seconds, spent = (sum(column) for column in zip(*made.values(), strict=True))
    if levels:
        yield f"{levels:,} levels in {seconds:.1f} s, {spent:.1f} s of processors"
        each = spent / levels
        yield f"all {ALL:,} at {1000 * each:.1f} ms of a processor each: {ALL * each / HOUR:.1f} hours"


if __name__ == "__main__":
    main()
