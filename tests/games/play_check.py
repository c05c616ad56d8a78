"""Makes many Sokoban levels by simulated play and checks each; `python play_check.py [LEVELS] [SEED]`.

Every solution must be played to its end by the rule book and by a second one below, which shares no code with
it; no box may start on a goal unless that was allowed; no run may give two levels that are alike, and a level
that another run gave before is not counted again.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter, defaultdict
from itertools import count

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.rules.rules import replay
from levelsmith.registry import games

SOKOBAN = games.get("sokoban")
SQUARE = [(side, side) for side in range(4, 13)]
SIZES = [*SQUARE, (4, 9), (5, 7), (8, 5), (6, 12), (12, 10)]
CASES: dict[str, dict] = {
    "defaults": {},
    "steps": {"set": {"play.moves": "steps"}},
    "steps, never back": {"set": {"play.moves": "steps", "play.undo": False, "mcts.selection": "ucb-v"}},
    "solved allowed": {"set": {"play.solved": True, "mcts.selection": "ucb1"}},
    "solved, immovable kept": {"set": {"play.solved": True, "play.immovable": "keep", "play.once": False}},
    "immovable exact": {"set": {"play.immovable": "exact", "play.most_boxes": "half"}},
    "immovable kept, no limits": {
        "set": {
            "play.immovable": "keep",
            "play.least_boxes": 0,
            "play.most_boxes": "none",
            "play.least_depth": 0,
            "mcts.selection": "ucb1-tuned",
        }
    },
    "anywhere, growing": {
        "set": {"play.player": "anywhere", "play.grow": 3, "mcts.selection": "sp-mcts", "mcts.trees": 2}
    },
    "few pushes": {"set": {"play.most_pushes": 12, "play.least_play": 20, "play.most_boxes": "4"}},
    "random": {"search": "random"},
    "random steps, solved": {"search": "random", "set": {"play.moves": "steps", "play.solved": True}},
    "koczorowski2023": {"preset": "koczorowski2023"},
    "aiide2016": {"preset": "aiide2016"},
    "kartal2016": {"preset": "kartal2016"},
}
PRESETS = {"koczorowski2023", "aiide2016", "kartal2016"}
SOLVED_ALLOWED = {"solved allowed", "solved, immovable kept", "random steps, solved", *PRESETS}
EVALUATIONS = 20_000
ABOVE = 0.15  # low, so that many kinds of levels are seen and not only the best
MOST_A_RUN = 20
MOST_RUNS = 12  # of a size and a case, before it is left with fewer levels


def plainly_played(text: str, solution: str) -> bool:
    """Plays on the text itself; pushes must be capitals, steps must not, and all boxes must end on goals."""
    cells = {(x, y): c for y, row in enumerate(text.splitlines()) for x, c in enumerate(row)}
    walls = {at for at, c in cells.items() if c == "#"}
    boxes = {at for at, c in cells.items() if c in "$*"}
    goals = {at for at, c in cells.items() if c in ".*+"}
    (player,) = (at for at, c in cells.items() if c in "@+")
    for letter in solution:
        dx, dy = {"l": (-1, 0), "r": (1, 0), "u": (0, -1), "d": (0, 1)}[letter.lower()]
        player = (player[0] + dx, player[1] + dy)
        if (player in boxes) != letter.isupper() or player in walls or player not in cells:
            return False
        if player in boxes:
            beyond = (player[0] + dx, player[1] + dy)
            if beyond in boxes | walls or beyond not in cells:
                return False
            boxes = boxes - {player} | {beyond}
    return bool(boxes) and boxes == goals


def plain_name(text: str) -> str:
    """The same for levels that turning, mirroring or walking about makes equal; a second opinion."""
    rows = [list(row) for row in text.splitlines()]
    ((y, x),) = ((y, x) for y, row in enumerate(rows) for x, c in enumerate(row) if c in "@+")
    rows[y][x] = {"@": " ", "+": "."}[rows[y][x]]
    waiting = [(y, x)]
    while waiting:
        y, x = waiting.pop()
        if rows[y][x] in " .":
            rows[y][x] = {" ": "@", ".": "+"}[rows[y][x]]
            waiting += [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)]
    forms = []
    for _ in range(4):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        forms += ["\n".join(map("".join, rows)), "\n".join("".join(row[::-1]) for row in rows)]
    return min(forms)


def faults(level: levelsmith.Level, size: tuple[int, int], solved_allowed: bool) -> list[str]:
    found = []
    if level.size != (size[0] + 2, size[1] + 2):
        found.append("size")
    try:
        SOKOBAN.check(level)
    except LevelsmithError:
        found.append("no level")
    if level.solution is None:
        return [*found, "no solution"]
    try:
        if replay(level, level.solution) != level.solution:
            found.append("capitals")
    except LevelsmithError:
        found.append("rule book")
    if not plainly_played(level.text, level.solution):
        found.append("second rule book")
    if "*" in level.text and not solved_allowed:
        found.append("solved at the start")
    return found


def table(title: str, rows: dict[str, dict]) -> None:
    print(f"\n{title:27} levels  boxes  pushes: shortest  median  longest  with a solved box  failures")
    for name, row in rows.items():
        pushes = row["pushes"]
        print(
            f"{name:27} {len(pushes):6,}  {statistics.mean(row['boxes']):5.1f}  {min(pushes):16}"
            f"  {statistics.median(pushes):6g}  {max(pushes):7}  {row['solved']:17,}  {row['failures']:8}"
        )


def main(levels: int = 10_000, seed: int = 0) -> int:
    started = time.perf_counter()
    by_size, by_case = (
        defaultdict(lambda: {"pushes": [], "boxes": [], "solved": 0, "failures": 0}) for _ in range(2)
    )
    told: Counter[str] = Counter()
    names: set[bytes] = set()
    made = runs = alike = again_made = 0
    for i, size in enumerate(SIZES):
        for j, (case, choices) in enumerate(CASES.items()):
            number = i * len(CASES) + j + 1
            wanted = levels * number // (len(SIZES) * len(CASES)) - made
            for again in count():
                if wanted <= 0 or again == MOST_RUNS:
                    break
                result = levelsmith.generate(
                    "sokoban",
                    size=size,
                    evaluations=EVALUATIONS,
                    seed=seed + 1000 * again + number,
                    keep_above=ABOVE,
                    keep_most=min(wanted, MOST_A_RUN),
                    **choices,
                )
                runs += 1
                own = {SOKOBAN.canonical(level.grid) for level in result.levels}
                plain = {plain_name(level.text) for level in result.levels}
                repeated = len(result.levels) - min(len(own), len(plain))
                alike += repeated
                told["alike in a run"] += repeated
                again_made += len(own & names)
                fresh = [level for level in result.levels if SOKOBAN.canonical(level.grid) not in names]
                names |= own
                for level in fresh:
                    made, wanted = made + 1, wanted - 1
                    wrong = faults(level, size, case in SOLVED_ALLOWED)
                    told.update(wrong)
                    if wrong:
                        print(f"{', '.join(wrong)}: {size}, {case}, {level.provenance}\n{level.text}")
                    for row in (by_size[f"{size[1]}x{size[0]}"], by_case[case]):
                        row["pushes"].append(sum(map(str.isupper, level.solution or "")))
                        row["boxes"].append(level.text.count("$") + level.text.count("*"))
                        row["solved"] += "*" in level.text
                        row["failures"] += bool(wrong)
    table("size (width x height)", by_size)
    table("made with", by_case)
    failures = sum(told.values())
    print(f"\n{made:,} levels of {runs} runs in {time.perf_counter() - started:.0f} s, seed {seed}")
    print(f"levels alike within a run: {alike}")
    print(f"left out, as another run had made them before: {again_made}")
    print(f"failures: {failures}" + "".join(f"; {name}: {n}" for name, n in told.items() if n))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
