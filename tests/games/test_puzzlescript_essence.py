"""What decides whether a PuzzleScript level is won: without the rest, it goes as the whole game does."""

import gzip
import json

import numpy as np
import pytest
from tests.games.puzzles import source

from levelsmith import LevelsmithError
from levelsmith.core import Effort
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.kernels.codes import WON
from levelsmith.games.puzzlescript.live import number_of
from levelsmith.games.puzzlescript.solve import DoubtError, Hunt, solve
from levelsmith.levels.spending import Spending

PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
ROOM = "#######/#.....#/#.P*..#/#..*.O#/#.....#/#######"
RULES = (
    PUSH,
    "[ MA ] -> [ ]",
    "[ MA ] -> [ MB ]",
    "[ MB ] -> [ MA ]",
    "late [ Crate | ] -> [ Crate | MA ]",
    "late up [ Wall | ] -> [ Wall | MB ]",
    "late [ Player ] -> [ Player MA ]",
    "late [ MB ] [ Crate ] -> [ ] [ Crate MA ]",
    "[ > Player ] [ MA ] -> [ > Player ] [ > MA ]",
    "[ > MA | Wall ] -> [ MB | Wall ]",
    "[ > Player | MA ] -> [ > Player | ] again",
    "[ stationary Crate | MB ] -> [ MB Crate | ]",
    "rigid [ > Player | Crate ] -> [ > Player | > Crate ]",
    "rigid [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]",
    "[ > Crate | MA ] -> [ > Crate | > MA ]",
    "[ MA ] -> [ MA ] again",
    "[ > Player | Wall ] -> again",
    "[ Crate | Crate MB ] -> cancel",
    "late [ Player MB | Target ] -> [ Player | Target ] checkpoint",
    "late [ Crate | Crate | Crate ] -> restart",
    "late [ Player | Target | Player ] -> win",
)


def in_one_layer(text):
    """Returns the text of a game in which MA and MB are in one layer."""
    assert "Ma\nMb\n\nRULES" in text
    return text.replace("Ma\nMb\n\nRULES", "Ma, Mb\n\nRULES")


def answers(game, level):
    """Returns what the solver says of a level, and a plain search of the whole game."""
    return [
        solve(game, level, Effort(2_000, None), False, False, None, plain=plain) for plain in (False, True)
    ]


def differs(game, level, keys):
    """Returns after which of some keys what decides goes otherwise than in the whole game; None for none, or
    where a doubt comes first. Returns how many keys were played, too."""
    decided = game.program.decided
    whole, fewer = game.engine_at(level.grid), game.engine_at(level.grid, whole=False)
    for n, key in enumerate(keys):
        outcomes = [engine.turn(key, settle=True) & WON for engine in (whole, fewer)]
        if fewer.in_doubt or all(outcomes):
            return None, n
        if outcomes[0] != outcomes[1] or not np.array_equal(decided.board(whole.board()), fewer.board()):
            return n, n
    return None, len(keys)


@pytest.mark.parametrize(
    ("rules", "times"),
    [("[ MA ] -> [ ]; late up [ Crate | ] -> [ Crate | MA ]", 1), ("late [ Player ] -> [ Player MA ]", 5)],
)
def test_shadows_are_no_part_of_a_state_and_footprints_make_no_new_ones(rules, times):
    game = PuzzleGame("g", source(f"{PUSH}; {rules}", ROOM, "All Target on Crate"))
    pushing = PuzzleGame("g", source(PUSH, ROOM, "All Target on Crate"))
    alone = pushing.solve(pushing.levels()[0], Effort(seconds=None))
    found, plain = answers(game, game.levels()[0])
    assert found.solution == alone.solution
    assert len(found.solution) == len(solve(game, game.levels()[0], Effort(), False, False, None).solution)
    assert found.statistics["states"] == alone.statistics["states"]
    assert plain.statistics["states"] > times * found.statistics["states"]
    assert game.program.names[[*game.program.decided.stands].index(-1)] == "background"


def test_things_that_nothing_tells_apart_are_alike():
    turns = "[ left MA ] -> [ left MB ]; [ right MB ] -> [ right MA ]"
    game = PuzzleGame("g", in_one_layer(source(turns, wins="No MA")))
    assert game.program.decided is None
    rules = f"[ > Player ] [ M ] -> [ > Player ] [ > M ]; {turns}"
    text = source(rules, "1....P..O", "All Target on M", legend="M = MA or MB")
    game = PuzzleGame("g", in_one_layer(text))
    names, stands = game.program.names, game.program.decided.stands
    assert stands[names.index("mb")] == stands[names.index("ma")] >= 0
    found, plain = answers(game, game.levels()[0])
    assert (found.status, found.metrics) == (plain.status, plain.metrics)
    assert found.statistics["states"] < plain.statistics["states"]


def test_where_what_is_left_out_would_bring_another_turn_the_whole_game_is_played():
    rules = "[ > Player | Wall ] -> again", "[ > Player ] -> [ > Player MA ]"
    rules = ";".join([*rules, "[ stationary Player | Crate ] -> [ Player | ]"])
    game = PuzzleGame("g", source(rules, "#P*.#", "No Crate"))
    assert game.program.decided is not None
    level = game.levels()[0]
    with pytest.raises(DoubtError):
        Hunt(game, level, Spending(Effort(), None), plain=False, whole=False).run()
    found, plain = answers(game, level)
    assert (found.solution, found.metrics) == ("l", plain.metrics)


def test_random_games_go_on_without_the_rest_as_they_do_with_it():
    dice, played, fewer = np.random.default_rng(1), 0, 0
    for _ in range(40):
        rules = ";".join(RULES[i] for i in [0, *dice.permutation(len(RULES))[: dice.integers(1, 5)]])
        wins = ("All Target on Crate", "No MA", "Some MB on Target")[dice.integers(3)]
        grid = "".join(dice.choice([*"......#*O12"], 29).tolist())
        rows = "/".join([grid[:6], grid[6:12], grid[12:14] + "P" + grid[14:17], grid[17:23], grid[23:29]])
        game = PuzzleGame("g", source(rules, rows, wins))
        if game.program.decided is None:
            continue
        fewer += 1
        for _ in range(3):
            keys = dice.integers(0, 5, 25).tolist()
            at, count = differs(game, game.levels()[0], keys)
            assert at is None, (rules, wins, rows, keys)
            played += count
        found, plain = answers(game, game.levels()[0])
        if "unknown" not in (found.status, plain.status):
            assert (found.status, found.metrics) == (plain.status, plain.metrics), (rules, wins, rows)
    assert fewer > 10
    assert played > 300


@pytest.mark.slow
@pytest.mark.data
def test_recorded_games_go_on_without_the_rest_as_they_do_with_it(data_folder):
    entries = json.loads(gzip.decompress((data_folder / "puzzlescript" / "solutions.json.gz").read_bytes()))
    dice, played, games = np.random.default_rng(2), 0, 0
    for entry in entries:
        try:
            game = PuzzleGame(entry["game"], entry["source"])
        except LevelsmithError:
            continue
        if game.program.decided is None:
            continue
        games += 1
        numbers = [number if number >= 0 else None for number in map(number_of, game.letters)]
        levels = game.levels()
        for i in dice.permutation(len(levels))[:3]:
            keys = [numbers[k] for k in dice.integers(0, len(numbers), 60)]
            at, count = differs(game, levels[i], keys)
            assert at is None, (game.name, i, at)
            played += count
    assert games > 50
    assert played > 5_000
