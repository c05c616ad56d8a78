"""Tells of each original Lode Runner level how many games the agent searches until it wins, as a document.

python tools/originals.py FOLDER --states 2500000 -o docs/loderunner-originals.md

FOLDER holds the levels of the Video Game Level Corpus. The document has their numbers and what came of them,
and no level. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

import levelsmith
from levelsmith import Level, LevelsmithError
from levelsmith.errors import quoted
from levelsmith.files import write_files
from levelsmith.games.loderunner.judge.judge import judge
from levelsmith.games.loderunner.rules.rules import GOLD, PLAYER
from levelsmith.levels.files import writable
from levelsmith.numbers import whole_number

HEAD = """\
# The agent on the original levels

Which of the {count} original levels of Lode Runner that have a player the
[agent](loderunner-research.md#the-agent-against-guards) wins against their guards, in at most {states:,}
games each. The numbers are those of the Video Game Level Corpus, whose levels we do not ship. The weights of
the agent were chosen on 25 of them. This makes the page anew:

```sh
python tools/originals.py FOLDER --states {plain} -o docs/loderunner-originals.md
```

"""
COLUMNS = ("level", "result", "gold", "games", "seconds", "steps", "digs", "trapped", "walked over")


def row(level: Level, states: int) -> tuple[str, str, int, float, list[str]]:
    """Returns what came of a level: the status, the gold that was collected at best, games searched, seconds,
    and what its plan does."""
    begun = time.process_time()
    verdict = levelsmith.solve(level, states=states, seconds=None)
    spent = time.process_time() - begun
    told = [str(verdict.metrics.get(name, "")) for name in ("ticks", "digs", "trapped", "heads")]
    gold = str((level.grid == GOLD).sum())
    if verdict.solution is None:
        gold = f"{verdict.statistics.get('collected', 0)} of {gold}"
    return verdict.status, gold, int(verdict.statistics["states"]), spent, told


def number(path: Path) -> int:
    """Returns the number of a level, which ends the name of its file."""
    found = re.findall(r"\d+", path.stem)
    if not found:
        raise LevelsmithError(
            f"expected files called by numbers, such as Level 1.txt, got {quoted(path.name)}"
        )
    return int(found[-1])


def only(path: Path) -> Level:
    levels = levelsmith.load(path, game="loderunner")
    if len(levels) != 1:
        raise LevelsmithError(f"expected one level in {quoted(path)}, got {len(levels)}")
    return levels[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--states", type=int, default=2_500_000, help="games for each level (2,500,000)")
    parser.add_argument("-o", "--output", type=Path, help="the document to write")
    asked = parser.parse_args()
    lines, found, seconds, games = [], Counter[str](), list[float](), list[int]()
    count = brought = 0
    try:
        most = whole_number(asked.states, "a number", 1, " of games", 10**9)
        if asked.output:
            writable(str(asked.output), "text")
        for path in sorted(asked.folder.glob("*.txt"), key=number):
            level = only(path)
            if (level.grid == PLAYER).sum() != 1:
                continue
            status, gold, states, spent, told = row(level, most)
            count += 1
            found[status] += 1
            brought += status == "unknown" and not judge(level.grid, "relaxed").playable
            seconds.append(spent)
            games.append(states)
            name = {"solved": "won", "unsolvable": "lost"}.get(status, status)
            cells = [str(number(path)), name, gold, f"{states:,}", f"{spent:.2f}", *told]
            lines.append(f"| {' | '.join(cells)} |")
            print(*cells, flush=True)
    except LevelsmithError as error:
        sys.exit(f"originals: {error}")
    if not count:
        sys.exit(f"originals: expected a folder of levels as .txt files, got none in {asked.folder}")
    told = (
        f"{found['solved']} of {count} are won, {found['unsolvable']} proved lost, "
        f"{found['unknown']} unknown. Of the unknown, {brought} have gold that only guards could bring: "
        "whatever is dug, the runner does not get to all of it. "
        f"The median is {np.median(games):,.0f} games and {np.median(seconds):.2f} s; 95 % take at most "
        f"{np.percentile(seconds, 95):.1f} s.\n"
    )
    print(told)
    if asked.output:
        table = [f"| {' | '.join(COLUMNS)} |", "|" + " --: |" * len(COLUMNS), *lines]
        text = HEAD.format(count=count, states=most, plain=most) + told + "\n"
        write_files({asked.output: (text + "\n".join(table) + "\n").encode()})


if __name__ == "__main__":
    main()
