"""What a page proves of PuzzleScript levels is what the command proves: solutions, what is lost, and why."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.games.puzzles import source

from levelsmith.core import Effort
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.kernels.codes import PENDING, WON
from levelsmith.games.puzzlescript.live import KEYS
from levelsmith.games.puzzlescript.solve import solve
from levelsmith.registry import games
from levelsmith.studio.compiled import compiled, with_files

PROVE = """
import { boardOf, programOf } from "./games/puzzlescript/game.js";
import { prove } from "./games/puzzlescript/prove.js";
import { Session } from "./games/puzzlescript/session.js";
import { carried, loaded } from "./kernels.js";

const programs = [];

export default async function answer({ kernels, games, asked }) {
  const compiled = await loaded("puzzlescript", carried({ puzzlescript: kernels }));
  return asked.map(({ game, text, keys = null, ...limits }) => {
    const board = boardOf(games[game], text);
    programs[game] ??= programOf(games[game].program);
    const program = programs[game];
    let position = null;
    if (keys) {
      const session = new Session(compiled, { ...program, levels: [board] });
      for (const key of keys) session.press(key);
      position = session.position;
    }
    const started = performance.now();
    const steps = prove(compiled, { program, ...board, position, ...limits });
    let [found, looks] = [steps.next(), 0];
    for (; !found.done; looks += 1) found = steps.next();
    return { ...found.value, looks, milliseconds: performance.now() - started };
  });
}
"""
BACK = """
import { boardOf, programOf } from "./games/puzzlescript/game.js";
import { Session } from "./games/puzzlescript/session.js";
import { carried, loaded } from "./kernels.js";

export default async function trails({ kernels, game, text }) {
  const compiled = await loaded("puzzlescript", carried({ puzzlescript: kernels }));
  const board = boardOf(game, text);
  const session = new Session(compiled, { ...programOf(game.program), levels: [board] });
  const seen = [];
  const look = () => seen.push([session.undos.length, session.trail.length]);
  look();
  for (const key of [3, 3, "restart", 2, "undo", 3]) {
    session.press(key);
    look();
  }
  const [first] = session.trail;
  session.goBack(first);
  look();
  const stands = [...session.engine.board()].join();
  return { seen, same: session.position === first && stands === [...first.board].join() };
}
"""
ROOM = "#######/#.....#/#.*P*.#/#..O..#/#..O..#/#######"
PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
BELT = "#######/#.....#/#A11O.#/#P....#/#######"
CARRY = "[ stationary Crate Ma ] -> [ right Crate Ma ]"


@pytest.fixture(scope="module")
def prove(javascript):
    """What a page proves of some levels, each [game, level, what else is asked]."""

    def proved(asked):
        known = {
            id(game): (game, number) for number, game in enumerate(dict.fromkeys(one[0] for one in asked))
        }
        jobs = [{"game": known[id(game)][1], "text": level.text, **more} for game, level, more in asked]
        told = [in_page(game) for game, _ in known.values()]
        return javascript(PROVE, {"kernels": with_files("puzzlescript"), "games": told, "asked": jobs})

    return proved


def in_page(game):
    """Returns what the page where levels are drawn is sent, of all tiles."""
    tiles = [
        {"char": tile.symbol, **game.brush(number), "below": None} for number, tile in enumerate(game.tiles)
    ]
    return {"name": game.name, "program": game.plain, "tiles": tiles}


def of(levels=ROOM, rules=PUSH, wins="All Target on Crate", **parts):
    """Returns a small game and its level."""
    game = PuzzleGame("my.txt", source(rules=rules, levels=levels, wins=wins, **parts))
    return game, game.levels()[0]


def alike(verdict, told):
    """Asserts that a page proves what the command does, by as many states and turns."""
    assert (told["status"], told["solution"]) == (verdict.status, verdict.solution)
    assert told["optimal"] == (verdict.optimal and verdict.solution is not None)
    for name in ("states", "turns"):
        assert told[name] == verdict.statistics[name]
    if verdict.status == "unsolvable":
        assert told["why"] == verdict.statistics.get("why")


def test_solutions_of_all_levels_that_ship_are_the_commands_to_the_letter(prove):
    asked = [(game, level, {}) for game in map(games.get, games.sources) for level in game.levels()]
    asked = [one for one in asked if one[0].is_solvable]
    for (game, level, _), told in zip(asked, prove(asked), strict=True):
        alike(game.solve(level, Effort()), told)
    assert len(asked) > 30


def test_positions_in_play_are_proved_as_the_command_proves_them(prove):
    """After random keys: lost or not, and the keys that are left."""
    dice, asked, boards = np.random.default_rng(3), [], []
    for game in map(games.get, ("puzzlescript:crates", "puzzlescript:holes", "puzzlescript:keys")):
        for level in game.levels()[:2]:
            for count in (3, 6, 9):
                keys = [KEYS[game.letters[i]] for i in dice.integers(len(game.letters), size=count)]
                asked.append((game, level, {"keys": keys}))
                boards.append(after(game, level, keys))
    lost = 0
    for (game, _, _), board, told in zip(asked, boards, prove(asked), strict=True):
        if board is None:
            continue
        verdict = solve(game, board, Effort(), False, False, None, plain=True)
        assert told["status"] == verdict.status
        assert len(told["solution"] or "") == len(verdict.solution or "")
        lost += told["status"] == "unsolvable"
    assert lost > 1


def after(game, level, keys):
    """Returns the level as it stands after some keys; None where they win it, or do not come to rest."""
    engine = game.engine_at(level.grid)
    outcomes = engine.play(keys)
    if any(outcome & (WON | PENDING) for outcome in outcomes):
        return None
    return replace(level, grid=game.cells.grid(engine.board(), *level.size))


@pytest.mark.parametrize(
    ("parts", "why", "stuck"),
    [
        (
            {"levels": "#######/#*.P..#/#..O..#/#######", "wins": "All Crate on Target"},
            "no keys bring the crate at row 2, column 2 to where 'all crate on target' asks",
            [[1, 1]],
        ),
        (
            {"levels": "#####/#P.O#/#####"},
            "there are 1 target and 0 crate for 'all target on crate'",
            [[1, 3]],
        ),
        (
            {"levels": "######/#P*OO#/######", "wins": "All Target on Crate"},
            "there are 2 target and 1 crate for 'all target on crate'",
            [],
        ),
        (
            {"levels": "#######/#P*.*O#/#######", "wins": "All Crate on Target"},
            "there are 2 crate and 1 target for 'all crate on target'",
            [],
        ),
        ({"wins": "No Wall"}, "no keys bring the wall at row 1, column 1 away, as 'no wall' asks", None),
    ],
)
def test_it_is_told_why_a_level_is_lost(prove, parts, why, stuck):
    game, level = of(**parts)
    (told,) = prove([(game, level, {})])
    alike(game.solve(level, Effort()), told)
    assert (told["status"], told["why"]) == ("unsolvable", why)
    assert told["stuck"] == stuck or stuck is None


def test_games_in_real_time_are_proved_with_the_turns_that_one_waits(prove):
    clock, wins = "realtime_interval 0.5", "All Crate on Target"
    game, level = of(levels=BELT, rules=f"{PUSH} ; {CARRY}", prelude=clock, wins=wins)
    asked = [(game, level, {}), (game, level, {"keys": ["tick"]}), (game, level, {"keys": [KEYS["u"]]})]
    start, later, lost = prove(asked)
    verdict = game.solve(level, Effort())
    alike(verdict, start)
    assert (len(verdict.solution), "." in game.letters) == (3, True)
    assert (later["status"], len(later["solution"])) == ("solved", 2)
    assert (lost["status"], lost["stuck"]) == ("unsolvable", [[1, 1]])


def test_a_search_looks_up_after_each_portion_and_ends_at_a_limit(prove):
    game = games.get("puzzlescript:keys")
    level = game.levels()[2]
    limits = ({}, {"seconds": 0}, {"states": 500}, {"memory": 1e5}, {"memory": 1e3})
    whole, *ended = prove([(game, level, one) for one in limits])
    assert (whole["status"], whole["looks"] > 5) == ("solved", True)
    assert {one["status"] for one in ended} == {"unknown"}
    assert [one["limit"] for one in ended] == ["seconds", "states", "memory", "memory"]


def test_back_goes_to_where_it_could_be_won_and_no_further_than_a_restart(javascript):
    game, level = of()
    asked = {"kernels": with_files("puzzlescript"), "game": in_page(game), "text": level.text}
    found = javascript(BACK, asked)
    assert found["seen"] == [[0, 1], [1, 2], [1, 2], [2, 1], [3, 2], [2, 1], [3, 2], [2, 1]]
    assert found["same"]


def test_a_page_is_told_little():
    assert len(json.dumps(compiled("puzzlescript"))) < 30_000
