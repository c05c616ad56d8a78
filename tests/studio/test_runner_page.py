"""Lode Runner by the page's kernels: what is no level, the judge, plans, and why there is none."""

import json
import random

import numpy as np
import pytest

from guards import random_level
from levelsmith import load, parse
from levelsmith.core import Effort
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.agent.chase.kernels.distances import FAR, make_ways
from levelsmith.games.loderunner.agent.chase.win import WEIGHTS, Winner, walled_in, win
from levelsmith.games.loderunner.game.game import TILES
from levelsmith.games.loderunner.game.kernels import men
from levelsmith.games.loderunner.judge.judge import judge, out_of_reach
from levelsmith.games.loderunner.live import RATE
from levelsmith.games.loderunner.rules import plan as plans
from levelsmith.games.loderunner.rules.game import Game
from levelsmith.games.loderunner.rules.rules import GOLD, SOLID
from levelsmith.registry import games
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.compiled import compiled, with_files
from levelsmith.studio.wording import in_words
from studio.test_compiled import shapes_of

WALLED = "......\n.M..BB\nbb#bBG\n..#.BB\n..#..E\nbbbbbb"
BEHIND = "............\n............\nM.........EG\nbbbbbbbbbbbb\nBBBBBBBBBBBB\nBBBBBBBBBBBB"
ANSWER = """
import { Game } from "./games/loderunner/game.js";
import { boardOf, check } from "./games/loderunner/level.js";
import { RATE, ticksOf } from "./games/loderunner/plan.js";
import { walledIn, waysOf } from "./games/loderunner/ways.js";
import { Hunter, judge, win } from "./games/loderunner/win.js";
import { carried, loaded } from "./kernels.js";

const shapes = (tuple) => Object.fromEntries(Object.entries(tuple).flatMap(([name, one]) =>
  (typeof one !== "object" ? [] : [[name, one.shape ? [one.word, one.shape] : shapes(one)]])));

export default async function answer({ told, kind, asked }) {
  const compiled = await loaded("loderunner", carried({ loderunner: told }));
  return asked.map(({ text, task, plan, tile, dug, stride, options = {} }) => {
    if (task === "rate") return RATE;
    if (task === "ways") {
      return [waysOf(tile, dug, stride, compiled.constants), walledIn(tile, stride, compiled.constants.men)];
    }
    try {
      const board = boardOf(kind, text);
      check(board, compiled.constants);
      if (task === "check") return null;
      if (task === "judge") return judge(compiled, board);
      if (task === "tables") {
        const field = { compiled, board, memory: 1e9, states: 0, deadline: Infinity };
        const hunter = new Hunter(field, judge(compiled, board).dug, null);
        return [hunter.room(100), hunter.guide].map(shapes);
      }
      const game = new Game(compiled, board);
      if (plan) for (const key of ticksOf(plan)) game.tick(key);
      const steps = win(compiled, { board, state: plan ? game.state : null, ...options });
      let [found, looks] = [steps.next(), 0];
      for (; !found.done; looks += 1) found = steps.next();
      const keys = found.value.solution ? ticksOf(found.value.solution) : [];
      return { ...found.value, looks, end: game.outcome(keys, game.state) };
    } catch (error) {
      return error.message;
    }
  });
}
"""


@pytest.fixture(scope="module")
def page(javascript):
    kind = {"name": "loderunner", "tiles": game_entry(games.get("loderunner"))["tiles"]}
    told = with_files("loderunner")
    return lambda asked: javascript(ANSWER, {"told": told, "kind": kind, "asked": list(asked)})


def level(text):
    return parse(text, "loderunner")


def line(text):
    """The line of the command, in the words of the studio."""
    try:
        game, parsed = games.get("loderunner"), level(text)
        game.check_start(parsed)
    except LevelsmithError as error:
        told = error.for_command_line
        shown = text.replace("\n", " ")
        return in_words(told.replace(shown, "").removeprefix("text: ").strip())
    return None


def test_what_is_no_level_gets_the_line_of_the_command(page):
    texts = [
        WALLED,
        WALLED.replace("M", "."),
        WALLED.replace("G", "."),
        WALLED.replace("..#", "M.#"),
        WALLED.replace("#..E", "#.."),
        WALLED.replace("#..E", "#..x"),
        "MG\nbb",
        "\n".join(["M" + "G" * 64] + ["b" * 65] * 6),
    ]
    expected = [line(text) for text in texts]
    assert page({"text": text, "task": "check"} for text in texts) == expected
    assert expected[0] is None
    assert len(set(expected)) == len(texts)


def test_the_judge_says_what_the_librarys_says(page):
    rng = random.Random(3)
    texts = [made.text for made in load("loderunner:corpus")[5::60]]
    texts += ["\n".join(random_level(rng)) for _ in range(30)]
    texts = [text for text in texts if line(text) is None]
    for text, told in zip(texts, page({"text": text, "task": "judge"} for text in texts), strict=True):
        grid = level(text).grid
        of = {rules: judge(grid, rules) for rules in ("dig", "relaxed")}
        assert told["collected"] == of["dig"].gold_collectable
        assert (told["gold"], told["most"]) == (of["relaxed"].gold, of["relaxed"].gold_collectable)
        assert [tuple(cell) for cell in told["stuck"]] == out_of_reach(grid)
    assert len(texts) > 20


def test_tables_are_laid_out_as_in_python(page):
    texts = [BEHIND, WALLED, load("loderunner:corpus")[0].text]
    winners = [Winner(level(text), Effort()) for text in texts]
    expected = [[shapes_of(winner.room(100)), shapes_of(winner.nearest())] for winner in winners]
    assert page({"text": text, "task": "tables"} for text in texts) == expected


def test_ways_and_walls_are_those_of_python(page):
    rng = np.random.default_rng(8)
    grids = [rng.integers(0, 10, rng.integers(6, 12, 2)).astype(np.uint8) for _ in range(20)]
    grids += [np.where((grid != GOLD) & (rng.random(grid.shape) < 0.85), SOLID, grid) for grid in grids]
    tiles = [np.pad(TILES[grid], 1, constant_values=men.RING) for grid in grids]
    dug = [((tile == men.BRICK) & (rng.random(tile.shape) < 0.7)).astype(np.uint8) for tile in tiles]
    asked = [
        {"task": "ways", "tile": tile.ravel().tolist(), "dug": d.ravel().tolist(), "stride": tile.shape[1]}
        for tile, d in zip(tiles, dug, strict=True)
    ]
    walled = 0
    for grid, tile, d, (ways, walls) in zip(grids, tiles, dug, page(asked), strict=True):
        made = make_ways(tile.ravel(), d.ravel(), tile.shape[1])
        assert (ways["offset"], ways["steps"]) == (made.offset.tolist(), made.steps.tolist())
        assert ways["shut"] == np.flatnonzero(made.far[:, 0] == FAR).tolist()
        assert walls == [(y + 1) * tile.shape[1] + x + 1 for y, x in walled_in(grid)]
        walled += len(walls)
    assert walled > 0


def test_a_plan_is_the_commands_to_the_letter_and_the_rule_book_plays_it(page):
    """Where the first hunt wins: later the command has a guide that pages do not have."""
    corpus = load("loderunner:corpus")
    texts = [BEHIND, *(corpus[i].text for i in (0, 25, 75))]
    for text, found in zip(texts, page({"text": text} for text in texts), strict=True):
        winner = Winner(level(text), Effort())
        assert winner.hunt(winner.room(4_000), winner.nearest(), WEIGHTS[0])
        assert found["status"] == "solved"
        assert plans.win(level(text), found["solution"]).ticks == found["ticks"]
        assert (found["end"]["status"], found["states"]) == ("won", winner.nodes)


def test_a_plan_from_within_a_game_wins_it(page):
    begun = "r12 .3"
    (found,) = page([{"text": BEHIND, "plan": begun}])
    game = Game(BEHIND.split("\n"))
    for key, ticks in [*plans.read(begun), *plans.read(found["solution"])]:
        for tick in range(ticks):
            game.tick(key if tick == 0 else None)
    assert (found["status"], game.status, game.ticks) == ("solved", "won", 15 + found["ticks"])


def test_why_nobody_wins_is_told_as_by_the_command_and_the_gold_is_named(page):
    pit = "..M...\n......\nBBBBBB\nBG.GBB\nBBBBBB\nBBBBBB"
    texts = [WALLED, WALLED.replace("E", "."), pit, "..MG..\n....BB\nbb..BG\n....BB\n..G...\nbb.bBB"]
    for text, found in zip(texts, page({"text": text} for text in texts), strict=True):
        verdict = win(level(text), Effort())
        assert (found["status"], found["why"]) == (verdict.status, verdict.statistics.get("why"))
        if found["stuck"]:
            row, column = found["stuck"][0]
            assert f"the gold at row {row + 1}, column {column + 1} " in found["why"]
    assert found["status"] == "unsolvable"


def test_a_game_that_every_key_loses_is_proved_lost(page):
    """Who has fallen cannot come up again; at the start the gold was beside him."""
    text = "......\n......\nGM....\nBB....\n......\nBBBBBB"
    start, fallen = page([{"text": text}, {"text": text, "plan": "r25 .20"}])
    assert start["status"] == "solved"
    assert (fallen["status"], fallen["why"]) == ("unsolvable", "every key at every tick loses")


LONG = """\
................................
................................
...GGG--------GGG--------..G....
..#bbb........bbb#......#bbb....
..#bbb........bbb#......#bbb....
..#bbb........bbb#......#bbb....
..#bbb........bbb#......#bbb....
..#GGG........GE.#------#.EG....
..#bbb...G....bbb#......#bbb....
..#bbb..#bb...bbb#......#bbb....
..#bbb..#.....bbb#......#bbb....
..#bbb..#.....bbb#......#bbb....
..#.EG--#-----GGG#------#GGG....
..#bbb..#.....bbb#......#bbb....
..#bbb..#.....bbb#......#bbb....
..#bbb..#.....bbb#......#bbb....
..#bbb..#.....bbb#......#bbb....
..#bbb..#.....bbb#......#bbb....
..#bbb..#.....bbb#......#bbb....
..#bbb..#.....bbb#......#bbb....
..#bbb..#.GGGEbbb#.G..M.#bbb.GGG
bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"""  # which the first hunts do not win


def test_a_hunt_looks_up_and_ends_at_a_limit(page):
    options = ({"seconds": 0}, {"memory": 3e6}, {"memory": 1e3})
    told = page({"text": LONG, "options": each} for each in options)
    assert [(one["status"], one["limit"]) for one in told] == [
        ("unknown", "seconds"),
        ("unknown", "memory"),
        ("unknown", "memory"),
    ]
    assert told[1]["looks"] > 5


def test_a_page_is_told_little_and_knows_the_rate(page):
    assert len(json.dumps(compiled("loderunner"))) < 16_000
    assert page([{"task": "rate"}]) == [RATE]
