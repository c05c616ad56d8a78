"""The rule book of Lode Runner on hand-made levels, and against compiled play."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith import LevelsmithError, parse, repair
from levelsmith.core import Effort
from levelsmith.games.loderunner.agent.still.kernels.routes import play
from levelsmith.games.loderunner.agent.still.solve import LETTERS, Agent
from levelsmith.games.loderunner.rules.rules import (
    HIDDEN,
    HOLE_TICKS,
    TRAP,
    Blocked,
    LodeRunnerBoard,
    drawn,
    frames,
    gold_order,
    replay,
)
from levelsmith.learn.data import prepare
from levelsmith.registry import games

TILES = games.get("loderunner").tiles
PLATFORM = ["........", "........", "..M.....", "bbbbbb##", "......#.", ".G....#.", "bbbbbbbb"]


def level(rows, plan=None):
    return parse("\n".join(rows), "loderunner")


def board(rows):
    return LodeRunnerBoard(level(rows).grid)


def after(rows, plan):
    """The board after a plan, as rows."""
    the_board = board(rows)
    position = [the_board.start, *the_board.play(plan)][-1]
    return TILES.rows(drawn(the_board, position))


def test_a_runner_walks_climbs_and_collects():
    plan = "rrrrddd" + "l" * 5
    assert after(PLATFORM, plan)[5] == ".M....#."
    assert gold_order(replay(level(PLATFORM), plan)) == [(5, 1)]


def test_a_hole_is_dug_fallen_through_and_filled_again():
    assert after(PLATFORM, "L")[3] == "b.bbbb##"
    assert after(PLATFORM, "Lldd")[4] == ".M....#."
    assert after(PLATFORM, "L" + "." * (HOLE_TICKS - 1))[3] == "b.bbbb##"
    assert after(PLATFORM, "L" + "." * HOLE_TICKS)[3] == "bbbbbb##"


@pytest.mark.parametrize(
    ("rows", "plan", "reason"),
    [
        (PLATFORM, "u", "move 1 of the plan, 'u': no ladder leads up from here"),
        (PLATFORM, "LR.d", "move 4 of the plan, 'd': something hard is in the way"),
        (PLATFORM, "LL", "move 2 of the plan, 'L': no brick is there to dig"),
        (PLATFORM, "Lll", "move 3 of the plan, 'l': the runner falls, which is d"),
        (PLATFORM, "llx", "expected moves l r u d, digs L R and waits '.', got 'x' as move 3"),
        (PLATFORM, "rrrR", "move 4 of the plan, 'R': no brick is there to dig"),
        ([*PLATFORM[:2], ".GM.....", *PLATFORM[3:]], "L", "move 1 of the plan, 'L': gold lies on that brick"),
        ([*PLATFORM[:2], ".-M.....", *PLATFORM[3:]], "L", "something lies on that brick"),
        (["......", "......", "..M...", "bbbbbb", "bbbbbb", "G....."], "Lld" + "." * 40, "hole fills while"),
        (PLATFORM, "rr", "the plan leaves 1 of 1 pieces of gold, one at row 6, column 2"),
    ],
)
def test_what_cannot_be_is_told(rows, plan, reason):
    with pytest.raises(LevelsmithError) as caught:
        replay(level(rows), plan)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["G.....", "bbbbbb"], "expected one player (M), got none; levelsmith convert --spawn best"),
        (["GM..M.", "bbbbbb"], "expected one player (M), got 2 at row 1, column 2; row 1, column 5"),
        ([".M....", "bbbbbb"], "expected at least one piece of gold (G), got none"),
    ],
)
def test_a_level_that_cannot_be_begun_is_refused(rows, reason):
    with pytest.raises(LevelsmithError) as caught:
        board(rows)
    assert str(caught.value).startswith(reason)


def test_ropes_hold_and_are_let_go():
    rows = ["......", "M-----", "bb....", "......", ".....G", "bbbbbb"]
    assert after(rows, "rrr")[1] == ".--M--"
    assert after(rows, "rrrddd")[4] == "...M.G"


def test_frames_show_holes_and_the_runner():
    grids = list(frames(parse("\n".join(PLATFORM), "loderunner")))
    assert len(grids) == 1
    assert (grids[0] == level(PLATFORM).grid).all()


def test_levels_with_traps_and_hidden_ladders_are_no_starts_and_not_learned_from():
    made = parse("........\n.M.G....\nbbbtbbbh\n........\n........\nbbbbbbbb", "loderunner")
    assert "\n".join(made.tiles.rows(made.grid)) == made.text
    with pytest.raises(LevelsmithError, match=r"that a search knows .* got escape \(h\)"):
        repair(made)
    with pytest.raises(LevelsmithError, match=r"that a model knows .* got escape \(h\)"):
        prepare(games.get("loderunner"), [made], "default", None, 0.0, 0)


def test_compiled_play_agrees_with_the_book_on_random_moves():
    rng = np.random.default_rng(3)
    for _ in range(150):
        often = [0.38, 0.3, 0.03, 0.1, 0.07, 0.08, 0.03, 0.01]
        grid = rng.choice([*range(6), TRAP, HIDDEN], (7, 8), p=often).astype(np.uint8)
        grid[tuple(rng.integers(0, 7, 2))], grid[0, 7] = 7, 5
        if (grid == 7).sum() != 1:
            continue
        made = parse("\n".join(TILES.rows(grid)), "loderunner")
        the_board, moves = LodeRunnerBoard(made.grid), []
        position = the_board.start
        for _ in range(60):  # moves that can be made, and at last one that cannot
            move = str(rng.choice(list("lrudLRLR..")))
            try:
                position = the_board.step(position, move)
            except Blocked:
                if rng.random() < 0.1:
                    moves.append(move)
                    break
                continue
            moves.append(move)
        try:
            made_by_book = len(list(the_board.play("".join(moves))))
        except LevelsmithError as error:
            made_by_book = int(str(error).split()[1]) - 1
        agent = Agent(made, Effort(), None)
        codes = np.array([LETTERS.index(move) for move in moves], np.uint8)
        end, number = play(agent.game, agent.walk, agent.start, codes, agent.took)
        assert number == made_by_book
        assert agent.took[0] == len(the_board.start.gold) - len(position.gold)
        if number == len(moves):
            assert divmod(end, made.size[1] + 2) == (position.runner[0] + 1, position.runner[1] + 1)
