"""What pages prove of hundreds of levels is what the command proves: by the tool that counts it."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import levelsmith

TOOLS = Path(__file__).parents[2] / "tools"
sys.path.insert(0, str(TOOLS))

from compare_proofs import PuzzleProver, compared  # noqa: E402

MICROBAN, SOLUTIONS = "sokoban/microban_155.xsb", "puzzlescript/solutions.json.gz"


def counted(tool, *asked):
    """The last line of a tool, which comes to a good end."""
    call = [sys.executable, str(TOOLS / tool), *map(str, asked)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


class Forgetful(PuzzleProver):
    """Its page has lost the last key of each solution."""

    def there(self, level, keys):
        told = super().there(level, keys)
        return told | {"solution": (told["solution"] or "")[:-1]}


def test_a_page_that_says_something_else_is_noticed():
    for prover, differs in ((PuzzleProver, []), (Forgetful, ["solution"])):
        counts = Counter()
        lines = list(compared(prover(None, 20_000, True), {"solved": 3}, False, counts))
        assert (len(lines), dict(counts)) == (3, {"solved": 3})
        assert [line.get("differs", []) for line in lines] == [differs] * 3


@pytest.mark.slow
def test_shortest_solutions_of_sokoban_levels_are_the_commands():
    assert counted("compare_proofs.py", "sokoban", "--levels", 300)["solved"] == 300


@pytest.mark.slow
def test_lost_positions_of_sokoban_are_noticed_and_winnable_ones_are_not_called_lost():
    told = counted("compare_proofs.py", "sokoban", "--positions", 300)
    assert told == {"compared": 600, "solved": 300, "unsolvable": 300, "otherwise": 0}


@pytest.mark.slow
def test_five_hundred_solutions_of_sokoban_levels_win_in_the_page(tmp_path):
    made = levelsmith.generate("sokoban", size=(7, 7), search="carve", set={"boxes": 3}, count=500, seed=47)
    levelsmith.save(made.levels, tmp_path / "all.json")
    told = counted("replay_sessions.py", tmp_path / "all.json", "--engine", "browser")
    assert told == {"replayed": 500, "as recorded": 500}
    short = [replace(level, solution=level.solution[:-1]) for level in made.levels[:20]]
    levelsmith.save(short, tmp_path / "short.json")
    with pytest.raises(AssertionError, match='"replayed": 20, "as recorded": 0'):
        counted("replay_sessions.py", tmp_path / "short.json", "--engine", "browser")


@pytest.mark.slow
def test_public_sokoban_levels_are_solved_as_by_the_command(data_folder):
    asked = ("sokoban", data_folder / MICROBAN, "--levels", 141, "--states", 100_000)
    assert counted("compare_proofs.py", *asked)["otherwise"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("what", ["--levels", "--positions"])
def test_recorded_puzzlescript_games_are_proved_as_by_the_command(data_folder, what):
    """Solutions of levels; and after random keys, what is lost and what is not."""
    asked = ("puzzlescript", data_folder / SOLUTIONS, what, 300, "--states", 3000)
    assert counted("compare_proofs.py", *asked)["solved"] == 300
