"""Sokoban in a page at full length: hundreds of levels solved, states judged, solutions replayed."""

import random

import pytest

import levelsmith
from levelsmith.core import Effort, Level
from levelsmith.games.sokoban.rules.rules import SokobanBoard, drawn
from levelsmith.games.sokoban.solver.solve import solve
from levelsmith.registry import games
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.compiled import with_files

pytestmark = [pytest.mark.slow]
SOKOBAN = games.get("sokoban")
LEVELS, STATES, SOLUTIONS = 300, 300, 500
SECONDS = 60.0  # for what takes a fraction of one where nothing else runs
STATES_OF_PUBLIC = 100_000  # of a public level that is solved soon
AT_ONCE, FEW = 20, 5  # levels that a page is asked for; of those that take longer
ANSWER = """
import { boardOf, Game } from "./games/sokoban/game.js";
import { solve } from "./games/sokoban/solve.js";
import { carried, loaded } from "./kernels.js";

export default async function answer({ told, kind, asked, seconds }) {
  const compiled = await loaded("sokoban", carried({ sokoban: told }));
  const replayed = (board, solution) => {
    const game = new Game(compiled, board);
    let position = game.start;
    for (const letter of solution) {
      const after = game.step(position, letter.toLowerCase());
      if (!after || game.pushed(position, after) !== (letter < "a")) return false;
      position = after;
    }
    return position.left === 0;
  };
  return asked.map(({ text, solution }) => {
    const board = boardOf(kind, text);
    if (solution) return replayed(board, solution);
    const steps = solve(compiled, { board, seconds });
    let found = steps.next();
    while (!found.done) found = steps.next();
    const { status, solution: moves, optimal } = found.value;
    return [status, moves, optimal];
  });
}
"""


@pytest.fixture(scope="module")
def page(javascript):
    data = {
        "told": with_files("sokoban"),
        "kind": {"tiles": game_entry(SOKOBAN)["tiles"]},
        "seconds": SECONDS,
    }

    def ask(asked, at_once=AT_ONCE):
        parts = [asked[i : i + at_once] for i in range(0, len(asked), at_once)]
        return [answer for part in parts for answer in javascript(ANSWER, {**data, "asked": part})]

    return ask


@pytest.fixture(scope="module")
def levels():
    return levelsmith.generate(
        "sokoban", size=(7, 7), search="carve", set={"boxes": 3}, count=SOLUTIONS, seed=47
    ).levels


def solved(level):
    verdict = solve(level, Effort(seconds=SECONDS))
    return [verdict.status, verdict.solution, verdict.optimal]


def states(levels, count, seed=3):
    """States on random walks through levels: as many that are lost as can still be won."""
    dice = random.Random(seed)
    found = {"solved": {}, "unsolvable": {}}
    while min(map(len, found.values())) < count:
        board = SokobanBoard(dice.choice(levels).grid)
        position = board.start
        for move in dice.choices("udlr", k=dice.randrange(10, 120)):
            position = board.step(position, move) or position
        level = Level("sokoban", SOKOBAN.tiles, drawn(board, position))
        kind = found.get(solve(level, Effort(seconds=SECONDS)).status, {})
        if len(kind) < count:
            kind[level.text] = level
    return found


def test_three_hundred_levels_are_solved_as_by_the_command(page, levels):
    some = levels[:LEVELS]
    found = page([{"text": level.text} for level in some])
    assert found == [solved(level) for level in some]
    assert {status for status, *_ in found} == {"solved"}
    assert len({moves for _, moves, _ in found}) > LEVELS // 2


def test_lost_states_are_noticed_and_winnable_ones_are_not_called_lost(page, levels):
    for status, kept in states(levels, STATES).items():
        assert len(kept) == STATES
        assert {told for told, *_ in page([{"text": text} for text in kept])} == {status}


def test_five_hundred_recorded_solutions_win_in_the_page(page, levels):
    asked = [{"text": level.text, "solution": level.solution} for level in levels]
    assert len(asked) == SOLUTIONS
    assert page(asked) == [True] * SOLUTIONS
    short = [{**one, "solution": one["solution"][:-1]} for one in asked[:20]]
    assert page(short) == [False] * 20


def test_public_levels_are_solved_as_by_the_command(page, data_folder):
    asked, expected = [], []
    for level in levelsmith.load(data_folder / "sokoban" / "microban_155.xsb"):
        if solve(level, Effort(states=STATES_OF_PUBLIC)).optimal:
            asked.append({"text": level.text})
            expected.append(solved(level))  # fewer states could leave it with more moves than the page finds
    assert len(asked) > 140
    assert page(asked, FEW) == expected
