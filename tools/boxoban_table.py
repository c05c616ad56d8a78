"""Solves files of Boxoban, one after the other, and prints a table of what came of them.

    python tools/boxoban_table.py boxoban-levels -o solved

takes files and folders of `.txt` files. For each it writes a file of the same name into the folder, a line of
JSON for each level, as a dataset has them: a solution with the fewest pushes and of these with the fewest
moves, whether both are proved, the metrics, the difficulty, and a hash that levels alike up to symmetry
share. A file is written when all its levels are done, so that the command goes on where it was stopped. The
table tells how many are solved and proved, pushes and moves, and how many levels repeat one that came before,
of any file; below it stand the seconds of processor that were taken now, and the hours that all of Boxoban
takes at that rate.

    python tools/boxoban_table.py boxoban-levels --repeats

solves nothing. It tells of each folder how many levels it has, how many are left if levels that are alike up
to symmetry count once, and how many of these are in each other folder too.
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
from numpy.typing import NDArray

from levelsmith import Level, LevelsmithError, Verdict, load, solve
from levelsmith.files import write_files
from levelsmith.levels.dataset.rows import Labels, as_jsonl
from levelsmith.levels.splits import Splits, canonical_keys
from levelsmith.registry import games

STATES = 20_000_000  # for each level; the same on any machine
ALL = 1_504_332  # levels of Boxoban
HOUR = 3600.0
Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("files", nargs="+", type=Path, help="files of Boxoban, or folders of them")
    parser.add_argument("-o", "--output", type=Path, help="a folder")
    parser.add_argument("--repeats", action="store_true", help="count levels that repeat others; solve none")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--states", type=int, default=STATES, help=f"for each level ({STATES:,})")
    given = parser.parse_args()
    if given.output is None and not given.repeats:
        parser.error("expected a folder to write to, such as -o solved, or --repeats")
    try:
        if given.repeats:
            lines = repeats(given.files)
        else:
            made = dict(solved_files(given.files, given.output, given.workers, given.states))
            lines = table(given.output, made)
        for line in lines:
            print(line, flush=True)
    except LevelsmithError as error:
        sys.exit(f"boxoban_table: {error}")


def solved_files(
    paths: Sequence[Path], folder: Path, workers: int, states: int
) -> Iterator[tuple[Path, tuple[int, float, float]]]:
    """Solves what is not solved yet; yields each file written with its levels, and with how many were solved
    now, in which seconds of the clock and of processors."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, parts in files_of(paths):
        name = "-".join(parts)
        written = folder / f"{name}.jsonl"
        if written.exists():
            yield written, (0, 0.0, 0.0)
            continue
        begun, spent = time.perf_counter(), _processors()
        levels = load(file, game="sokoban")
        verdicts = solve(levels, seconds=None, states=states, moves=True, workers=workers)
        write_files({written: as_jsonl(rows_of(name, levels, verdicts))})
        yield written, (len(levels), time.perf_counter() - begun, _processors() - spent)


def files_of(paths: Sequence[Path]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yields every file, with the names of the folders that it lies in below one that was given, and its own.

    Files that hold no levels, such as a licence, are left out.
    """
    seen: dict[tuple[str, ...], Path] = {}
    for path in paths:
        for file in sorted(path.rglob("*.txt")) if path.is_dir() else [path]:
            parts = file.relative_to(path).with_suffix("").parts if path.is_dir() else (file.stem,)
            if path.is_dir() and not file.stem.isdigit():
                continue
            if parts in seen:
                raise LevelsmithError(
                    f"{seen[parts]} and {file} would have the same name: give the folder that both lie in"
                )
            seen[parts] = file
            yield file, parts


def repeats(paths: Sequence[Path]) -> Iterator[str]:
    """Yields a table of the folders: their levels, those that differ, and those of them that others have."""
    found: dict[str, list[NDArray[np.uint64]]] = {}
    for file, parts in files_of(paths):
        folder = "/".join(parts[:-1]) or parts[-1]
        found.setdefault(folder, []).append(canonical_keys(load(file, game="sokoban")))
    different = {folder: np.unique(np.concatenate(keys)) for folder, keys in found.items()}
    yield f"| folder | levels | different | {' | '.join(f'in {folder} too' for folder in found)} |"
    yield "|---" * (3 + len(found)) + "|"
    for folder, own in different.items():
        shared = [
            "" if folder == other else f"{len(np.intersect1d(own, keys, assume_unique=True)):,}"
            for other, keys in different.items()
        ]
        levels = sum(map(len, found[folder]))
        yield f"| {folder} | {levels:,} | {len(own):,} | {' | '.join(shared)} |"


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
