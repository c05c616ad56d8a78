"""Checks the rules that a game hands out, by running the program that they are put into."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from levelsmith.contracts import Game, WithRuleBook
from levelsmith.core import Level
from levelsmith.levels.dataset.program import VERIFIER, program_files
from levelsmith.levels.splits import keys_of_grids
from levelsmith.testing.promise import must

ASKED = """
import json, runpy, sys
from types import SimpleNamespace
program = SimpleNamespace(**runpy.run_path(sys.argv[1]))
grid, solution, wrong = json.load(sys.stdin)
program.play(grid, solution)
try:
    program.play(grid, wrong)
except program.Fault:
    wrong = None
print(json.dumps([wrong, program.key_of and program.key_of(grid), program.counts_of(solution)]))
"""


def check_rule_book(game: Game, level: Level) -> None:
    """Checks that the program beside a dataset plays a solved level, and numbers it, as the game does."""
    if not isinstance(game, WithRuleBook):
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, data in program_files(game.rule_book()).items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        words = [sys.executable, "-I", "-c", ASKED, str(Path(folder, VERIFIER))]
        asked = json.dumps([level.grid.tolist(), level.solution, "\N{SNOWMAN}"])
        done = subprocess.run(words, input=asked, capture_output=True, text=True, check=False)  # noqa: S603
    said = done.stderr.strip().rpartition("\n")[2]
    must(done.returncode == 0, f"the rules that {game.name} hands out play what it solves, but {said}")
    wrong, key, counts = json.loads(done.stdout)
    must(
        wrong is None, f"the rules that {game.name} hands out refuse a solution that is none, here {wrong!r}"
    )
    same = key is None or key == int(keys_of_grids(game, level.grid[None])[0])
    must(same, f"the rules that {game.name} hands out number a level as it does")
    strange = sorted(set(counts) - set(game.metrics))
    must(not strange, f"the rules that {game.name} hands out count metrics of it, got {strange}")
