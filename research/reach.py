"""How far the Sokoban solver reaches: `python research/reach.py COLLECTION SECONDS [any] [EVERY]`.

Every level, or every EVERY-th, has so many seconds of processor time in this one process. A line a level says
what became of it, with seconds, states and pushes.
"""

from __future__ import annotations

import sys
import time

from levelsmith import LevelsmithError, load, solve


def main(file: str, seconds: float, any: bool, every: int) -> None:
    levels = load(file, game="sokoban")[::every]
    solved = proved = 0
    spent = 0.0
    for number, level in enumerate(levels):
        started = time.process_time()
        verdict = solve(
            level,
            any=any,
            seconds=None,
            cancel=lambda: time.process_time() - started >= seconds,  # noqa: B023
        )
        solved, proved = solved + (verdict.status == "solved"), proved + verdict.optimal
        taken = time.process_time() - started
        spent += taken
        pushes = verdict.metrics.get("pushes", "-")
        limit = verdict.statistics.get("limit", "")
        print(
            number * every + 1,
            verdict.status,
            f"{taken:.2f} s",
            f"{verdict.statistics['states']:,} states",
            f"{pushes} pushes",
            "proved" if verdict.optimal else "",
            limit,
            flush=True,
        )
    found = f"{solved} solved, {proved} proved to have the fewest pushes"
    print(f"{len(levels)} levels, {seconds:g} s of processor each: {found}; {spent:.0f} s in all")


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "any"]
    try:
        main(words[0], float(words[1]), "any" in sys.argv, int(words[2]) if len(words) > 2 else 1)
    except (IndexError, ValueError):
        sys.exit("reach: expected COLLECTION SECONDS [any] [EVERY], such as levels.xsb 10 any")
    except LevelsmithError as error:
        sys.exit(f"reach: {error}")
