"""PuzzleScript levels solved: shortest by a plain search with the twin, within limits, or refused."""

from dataclasses import replace

import numpy as np
import pytest
from tests.games.puzzles import source

import levelsmith
from levelsmith import LevelsmithError
from levelsmith.core import Effort
from levelsmith.games.puzzlescript.find import names
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.live import KEYS
from levelsmith.games.puzzlescript.twin import Twin
from levelsmith.registry import games

MOST = 300  # states of a level that the plain search goes through
PUSHING = {"rules": "[ > Player | Crate ] -> [ > Player | > Crate ]", "wins": "All Target on Crate"}


def shortest(game, level):
    """Returns the fewest keys that win, by breadth-first search with the twin, or None; and the states."""
    session = game.session(level, Twin)
    start, on_win = session.engine.board(), session.engine.on_win
    seen, layer, keys = {start.tobytes()}, [start], 0
    while layer:
        keys, after = keys + 1, []
        for board in layer:
            for letter in game.letters:
                session.engine.put(board)
                session.engine.on_win, session.won = on_win, 0
                session.press(KEYS[letter])
                if session.won:
                    return keys, len(seen)
                found = session.engine.board()
                if found.tobytes() not in seen:
                    seen.add(found.tobytes())
                    after.append(found)
        layer = after
    return None, len(seen)


def test_all_levels_that_ship_are_solved_and_none_takes_more_keys_than_its_author():
    levels = [level for name in names() for level in games.get(name).levels()]
    verdicts = levelsmith.solve(levels, seconds=None, states=200_000)
    assert len(verdicts) >= 39
    for level, verdict in zip(levels, verdicts, strict=True):
        assert (verdict.status, verdict.optimal) == ("solved", True), (level.game, level.title)
        assert verdict.metrics["moves"] == len(verdict.solution) <= len(level.solution), (
            level.game,
            level.title,
        )
        games.get(level.game).verify(replace(level, solution=verdict.solution), Twin)


def test_solutions_are_as_short_as_a_plain_search_with_the_twin_says():
    dice, compared, hopeless = np.random.default_rng(3), 0, 0
    for name in names():
        game = games.get(name)
        for level in game.levels():
            for change in range(4):
                grid = level.grid.copy()
                for _ in range(change):  # exchanges two cells
                    (a, b), (c, d) = (dice.integers(grid.shape) for _ in range(2))
                    grid[a, b], grid[c, d] = grid[c, d], grid[a, b]
                changed = replace(level, grid=grid, solution=None)
                verdict = levelsmith.solve(changed, seconds=None, states=MOST)
                if verdict.status == "unknown":
                    continue
                keys, _ = shortest(game, changed)
                assert keys == verdict.metrics.get("moves"), (name, changed.text)
                assert (keys is None) == (verdict.status == "unsolvable")
                compared, hopeless = compared + 1, hopeless + (keys is None)
    assert compared > 30
    assert hopeless > 3


def test_a_level_that_nobody_can_win_is_proved_to_be_one():
    game = PuzzleGame("corner", source(**PUSHING, levels="#####\n#*.P#\n#...#\n#..O#\n#####"))
    level = game.levels()[0]
    verdict = game.solve(level, Effort(seconds=None))
    assert (verdict.status, verdict.solution) == ("unsolvable", None)
    assert verdict.statistics["states"] == shortest(game, level)[1]
    assert verdict.statistics["turns"] == len(game.letters) * verdict.statistics["states"]


@pytest.mark.parametrize(
    ("effort", "limit"),
    [({"states": 20}, "states"), ({"memory": 900_000}, "memory"), ({"seconds": 1e-9}, "seconds")],
)
def test_limits_are_obeyed_and_told(effort, limit):
    verdict = levelsmith.solve(games.get("puzzlescript:crates").levels()[2], **{"seconds": None, **effort})
    assert (verdict.status, verdict.statistics["limit"]) == ("unknown", limit)


@pytest.mark.parametrize(
    ("parts", "choices", "told"),
    [
        ({"prelude": "realtime_interval 0.5"}, {}, "goes on in real time"),
        ({"rules": "random [ > Player | Crate ] -> [ > Player | > Crate ]"}, {}, "draws random numbers"),
        ({"wins": ""}, {}, "has no win condition"),
        ({}, {"any": True}, "fewest keys anyway; leave out any"),
        ({}, {"moves": True}, "fewest keys anyway; leave out moves"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(parts, choices, told):
    game = PuzzleGame("my.txt", source(**{**PUSHING, **parts}))
    with pytest.raises(LevelsmithError, match=told):
        game.solve(game.levels()[0], Effort(), **choices)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_whole_file_is_refused_once_and_not_level_by_level(workers):
    levels = games.get("puzzlescript:crates").levels()
    with pytest.raises(LevelsmithError, match="leave out any"):
        levelsmith.solve(levels, any=True, workers=workers)
