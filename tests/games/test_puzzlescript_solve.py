"""PuzzleScript levels solved: shortest by a plain search with the twin, within limits, or refused."""

import gzip
import json
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
from levelsmith.games.puzzlescript.solve import check_solvable, solve
from levelsmith.registry import games
from reference.puzzlescript import Twin

MOST = 300  # states of a level that the plain search goes through
MOST_SMALL = 100  # the same, where rules are many
PUSHING = {"rules": "[ > Player | Crate ] -> [ > Player | > Crate ]", "wins": "All Target on Crate"}


def shortest(game, level):
    """Returns the fewest keys that win, by breadth-first search with the twin, or None; and the states."""
    session = game.session(level, Twin)
    engine, on_win = session.engine, session.engine.on_win
    start = tuple(engine.objects), tuple(engine.target)
    seen, layer, keys = {start}, [start], 0
    while layer:
        keys, after = keys + 1, []
        for objects, target in layer:
            for letter in game.letters:
                engine.objects, engine.target = list(objects), list(target)
                engine.on_win, session.won = on_win, 0
                session.press(KEYS[letter])
                if session.won:
                    return keys, len(seen)
                found = tuple(engine.objects), tuple(engine.target)
                if found not in seen:
                    seen.add(found)
                    after.append(found)
        layer = after
    return None, len(seen)


def changed(level, dice, count):
    """Returns a level with so many pairs of its cells exchanged."""
    grid = level.grid.copy()
    for _ in range(count):
        (a, b), (c, d) = (dice.integers(grid.shape) for _ in range(2))
        grid[a, b], grid[c, d] = grid[c, d], grid[a, b]
    return replace(level, grid=grid, solution=None)


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


@pytest.mark.slow
def test_solutions_are_as_short_as_a_plain_search_with_the_twin_says():
    dice, compared, hopeless = np.random.default_rng(3), 0, 0
    for name in names():
        game = games.get(name)
        for level in game.levels():
            for change in range(4):
                other = changed(level, dice, change)
                plain = solve(game, other, Effort(MOST, None), False, False, None, plain=True)
                if plain.status == "unknown":
                    continue
                verdict = levelsmith.solve(other, seconds=None)
                keys, _ = shortest(game, other)
                assert keys == verdict.metrics.get("moves"), (name, other.text)
                assert (keys is None) == (verdict.status == "unsolvable")
                compared, hopeless = compared + 1, hopeless + (keys is None)
    assert compared > 30
    assert hopeless > 3


def test_bounds_leave_states_out_and_change_no_answer():
    dice, fewer, pruned, bounded = np.random.default_rng(5), 0, 0, 0
    for name in names():
        game = games.get(name)
        for level in game.levels():
            for change in range(6):
                other = changed(level, dice, change)
                plain = solve(game, other, Effort(20_000, None), False, False, None, plain=True)
                verdict = solve(game, other, Effort(20_000, None), False, False, None)
                assert plain.statistics["hopeless"] == 0
                if plain.status != "unknown":
                    assert (verdict.status, verdict.metrics) == (plain.status, plain.metrics), (
                        name,
                        other.text,
                    )
                    fewer += verdict.statistics["states"] < plain.statistics["states"]
                pruned += verdict.statistics["hopeless"] > 0
                bounded += verdict.statistics["bound"] == "moves"
    assert min(fewer, pruned, bounded) > 50


def test_a_level_that_nobody_can_win_is_proved_to_be_one():
    game = PuzzleGame("corner", source(**PUSHING, levels="#####\n#*.P#\n#...#\n#..O#\n#####"))
    level = game.levels()[0]
    verdict = solve(game, level, Effort(seconds=None), False, False, None, plain=True)
    assert (verdict.status, verdict.solution) == ("unsolvable", None)
    assert verdict.statistics["states"] == shortest(game, level)[1]
    assert verdict.statistics["turns"] == len(game.letters) * verdict.statistics["states"]
    verdict = game.solve(level, Effort(seconds=None))
    assert (verdict.status, verdict.statistics["states"]) == ("unsolvable", 1)
    assert verdict.statistics["hopeless"] == 1


@pytest.mark.parametrize(
    ("effort", "limit"),
    [({"states": 20}, "states"), ({"memory": 30_000}, "memory"), ({"seconds": 1e-9}, "seconds")],
)
def test_limits_are_obeyed_and_told(effort, limit):
    verdict = levelsmith.solve(games.get("puzzlescript:crates").levels()[2], **{"seconds": None, **effort})
    assert (verdict.status, verdict.statistics["limit"]) == ("unknown", limit)


@pytest.mark.parametrize("seconds", [1e-9, 1e9])
def test_a_limit_of_states_ends_at_the_same_state_however_long_portions_are(seconds, monkeypatch):
    monkeypatch.setattr("levelsmith.games.puzzlescript.solve.PORTION_SECONDS", seconds)
    verdict = levelsmith.solve(games.get("puzzlescript:crates").levels()[2], seconds=None, states=400)
    assert (verdict.status, verdict.statistics["limit"]) == ("unknown", "states")
    assert 400 <= verdict.statistics["states"] < 400 + len("lrudx")


def test_a_turn_without_a_key_is_a_key_of_games_in_real_time():
    rules = "[ > Player | Crate ] -> [ > Player | > Crate ] ; right [ Crate | no Wall ] -> [ > Crate | ]"
    rooms = "#######/#P*..O#/#######;######/#P*..#/#..O.#/######;######/#P...#/#*.O.#/#....#/######"
    parts = {
        "prelude": "realtime_interval 0.5",
        "rules": rules,
        "wins": "All Target on Crate",
        "levels": rooms,
    }
    game = PuzzleGame("belt", source(**parts))
    assert game.letters == "lrudx."
    lengths = []
    for level in game.levels():
        lengths.append(shortest(game, level)[0])
        for plain in (True, False):
            verdict = solve(game, level, Effort(seconds=None), False, False, None, plain=plain)
            assert verdict.metrics.get("moves") == lengths[-1]
            assert verdict.status == ("unsolvable" if lengths[-1] is None else "solved")
    assert lengths[0] == 3
    waits = PuzzleGame("wait", source(**{**parts, "rules": "[ moving Player ] -> cancel ;" + rules}))
    assert waits.solve(waits.levels()[0], Effort()).solution == "..."


@pytest.mark.parametrize(
    ("parts", "choices", "told"),
    [
        ({"rules": "random [ > Player | Crate ] -> [ > Player | > Crate ]"}, {}, "draws random numbers"),
        ({"wins": ""}, {}, "has no win condition"),
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
    with pytest.raises(LevelsmithError, match="leave out moves"):
        levelsmith.solve(levels, moves=True, workers=workers)


def test_any_solution_is_found_in_fewer_states_and_wins():
    game = games.get("puzzlescript:twins")
    for level in game.levels():
        exact, few = (game.solve(level, Effort(seconds=None), any=any) for any in (False, True))
        assert few.solution is not None
        assert not few.optimal
        assert len(few.solution) >= len(exact.solution)
        assert few.statistics["states"] <= exact.statistics["states"]
        game.verify(replace(level, solution=few.solution))


def test_what_nobody_can_win_is_proved_with_any_too():
    game = PuzzleGame("my.txt", source(levels="#####/#*P.#/#..O#/#####", **PUSHING))
    verdict = game.solve(game.levels()[0], Effort(seconds=None), any=True)
    assert verdict.status == "unsolvable"


@pytest.mark.data
def test_small_levels_of_many_games_take_as_many_keys_as_a_plain_search_says(data_folder):
    entries = json.loads(gzip.decompress((data_folder / "puzzlescript" / "solutions.json.gz").read_bytes()))
    dice, compared, played, solved = np.random.default_rng(7), 0, set(), 0
    for entry in entries:
        try:
            game = PuzzleGame(entry["game"], entry["source"])
            check_solvable(game)
        except LevelsmithError:
            continue
        for level in small_levels(game, dice, 6):
            verdict = game.solve(level, Effort(seconds=None))
            keys, states = shortest(game, level)
            if keys is None:
                assert verdict.statistics["states"] <= states
            assert (verdict.status, verdict.metrics.get("moves")) == (
                ("unsolvable", None) if keys is None else ("solved", keys)
            ), (game.name, level.text)
            compared, solved = compared + 1, solved + (keys is not None)
            played.add(game.name)
    print(f"{compared} levels of {len(played)} games, {solved} of them solved")
    assert compared >= 300
    assert len(played) >= 60
    assert 100 < solved < compared - 50


def small_levels(game, dice, count):
    """Returns windows of the levels of a game whose states are few, in half of them such as can be won."""
    found, hopeless, levels = [], 0, game.levels()
    for _ in range(40 * count):
        level = levels[dice.integers(len(levels))]
        size = np.minimum(level.grid.shape, dice.integers(3, 7, 2))
        row, col = (dice.integers(side - part + 1) for side, part in zip(level.grid.shape, size, strict=True))
        grid = level.grid[row : row + size[0], col : col + size[1]].copy()
        if not any(game.cells.is_player(game.cells.sets[i]) for i in np.unique(grid)):
            continue
        window = replace(level, grid=grid, solution=None)
        verdict = solve(game, window, Effort(MOST_SMALL, None), False, False, None, plain=True)
        if verdict.status == "unknown" or verdict.statistics["states"] < 5:
            continue
        if verdict.status == "unsolvable":
            hopeless += 1
            if hopeless > count // 2:
                continue
        found.append(window)
        if len(found) == count:
            break
    return found
