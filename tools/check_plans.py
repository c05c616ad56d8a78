"""Plays the plans of Lode Runner levels: by the rule book, by the compiled rules, and by those of the page.

python tools/check_plans.py FILE …

Plans against guards (keys with ticks) are played to their end by all three; the page's kernels run in node,
or where there is none in Chromium. A line of JSON for each level says whether it is `won` and at which tick,
by each of them, and what it does: holes dug, guards trapped and walked over. The last line counts.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from levelsmith import LevelsmithError, load
from levelsmith.core import Level
from levelsmith.games.loderunner.game.game import CompiledGame
from levelsmith.games.loderunner.rules.game import Game
from levelsmith.games.loderunner.rules.plan import is_timed, read
from levelsmith.games.loderunner.rules.solution import fought

DONE = ("digs", "trapped", "buried", "heads")  # by a plan


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    try:
        levels = [(file, level) for file in parser.parse_args().files for level in load(file)]
        told = answers([level for _, level in levels])
    except LevelsmithError as error:
        parser.error(str(error))
    for (file, level), line in zip(levels, told, strict=True):
        print(json.dumps({"file": file, "title": level.title, **line}))
    won = sum(line["won"] for line in told)
    sums = {name: sum(line.get(name, 0) for line in told) for name in DONE}
    print(json.dumps({"levels": len(told), "won": won, **sums}))
    raise SystemExit(won != len(told))


def answers(levels: list[Level]) -> list[dict[str, Any]]:
    """Returns of each level whether its plan wins by all that can play it, and how each ended."""
    from page_guards import ended

    timed = [level for level in levels if level.solution is not None and is_timed(level.solution)]
    for level in timed:
        read(level.solution or "")  # what no player can read is told at once
    page = iter(ended([(level.text.splitlines(), level.solution or "") for level in timed]))
    told: list[dict[str, Any]] = []
    for level in levels:
        if level.solution is None or not is_timed(level.solution):
            told.append({"won": False, "plan": "none" if level.solution is None else "while nobody moves"})
            continue
        ends = {
            "rule book": by_ticks(Game, level),
            "kernel": by_ticks(CompiledGame, level),
            "page": next(page),
        }
        won = {status for status, _ in ends.values()} == {"won"}
        done = fought(level, level.solution)[0] if won else {}
        told.append({"won": won, **ends, **{name: done[name] for name in DONE if won}})
    return told


def by_ticks(kind: type[Game] | type[CompiledGame], level: Level) -> list[Any]:
    """Returns how the plan of a level ends, and when."""
    game, ticks = kind(level.text.splitlines()), 0
    for key, stays in read(level.solution or ""):
        for tick in range(stays):
            if game.status != "playing":
                break
            game.tick(key if tick == 0 else None)
            ticks += 1
    return [game.status, ticks]


if __name__ == "__main__":
    main()
